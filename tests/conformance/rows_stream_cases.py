"""Call sequences on devices, contexts, streams, events.

Where a case belongs to the layer below and the acl layer looks first, the answer is that of the acl layer.
"""

from __future__ import annotations

from ascend_sim.ascendcl import structs
from tests.conformance.registry import row
from tests.conformance.world import IPC, MS, STALE, SYNC, TIME_LINE, World


@row("stream-case-007", "stream-case-044", bare=True)
def null_contexts(w: World) -> None:
    w.refuse(100000, "aclrtDestroyContext", 0)
    w.refuse(100000, "aclrtSetCurrentContext", None)


@row("stream-case-008", bare=True)
def null_streams(w: World) -> None:
    w.refuse(100000, "aclrtDestroyStream", 0)
    w.refuse(100000, "aclrtDestroyStreamForce", None)


@row("stream-case-010")
def null_events(w: World) -> None:
    stream = w.stream()
    w.refuse(100000, "aclrtRecordEvent", 0, stream)
    w.refuse(100000, "aclrtResetEvent", 0, stream)
    w.refuse(100000, "aclrtSynchronizeEvent", 0)
    w.refuse(100000, "aclrtSynchronizeEventWithTimeout", 0, 100)


@row("stream-case-013")
def priority_of_the_default_stream(w: World) -> None:
    w.same(w.ok("aclrtStreamGetPriority", 0), 0, "the priority")


@row("stream-case-014")
def flags_of_the_default_stream(w: World) -> None:
    w.same(w.ok("aclrtStreamGetFlags", 0), 0, "the flags")


@row("stream-case-016")
def wait_status_of_null(w: World) -> None:
    w.refuse(100000, "aclrtQueryEventWaitStatus", 0)


@row("stream-case-017")
def elapsed_time_of_null(w: World) -> None:
    event = w.auto()
    w.refuse(100000, "aclrtEventElapsedTime", 0, event)
    w.refuse(100000, "aclrtEventElapsedTime", event, 0)


@row("stream-case-019")
def record_of_null_with_a_flag(w: World) -> None:
    w.refuse(100000, "aclrtRecordEventWithFlag", 0, w.stream(), 0)


@row("stream-case-020")
def wait_for_null_with_a_flag(w: World) -> None:
    w.refuse(100000, "aclrtStreamWaitEventWithFlag", w.stream(), 0, 1, 0)


@row("stream-case-026")
def reserved_ts_device(w: World) -> None:
    w.refuse(100000, "aclrtSetTsDevice", 2)


@row("stream-case-031")
def priorities(w: World) -> None:
    for given, kept in ((1, 1), (8, 7)):
        stream = w.ok("aclrtCreateStreamWithConfig", given, 0)
        w.same(w.ok("aclrtStreamGetPriority", stream), kept, "the priority")


@row("stream-case-032")
def synchronize_null(w: World) -> None:
    w.ok("aclrtSynchronizeStream", 0)


@row("stream-case-047", bare=True)
def contexts_and_a_device(w: World) -> None:
    context = w.ok("aclrtCreateContext", 0)
    w.ok("aclrtSetCurrentContext", context)
    w.ok("aclrtSetDevice", 0)
    w.ok("aclrtGetCurrentContext")
    w.ok("aclrtDestroyContext", context)
    w.ok("aclrtResetDevice", 0)


@row("stream-case-049")
def context_option(w: World) -> None:
    w.ok("aclrtCtxSetSysParamOpt", 0, 1)
    w.same(w.ok("aclrtCtxGetSysParamOpt", 0), 1, "the option")


@row("stream-case-050")
def reserved_context_option(w: World) -> None:
    w.refuse(100000, "aclrtCtxSetSysParamOpt", 3, 1)
    w.refuse(100000, "aclrtCtxGetSysParamOpt", 3)


@row("stream-case-052", bare=True)
def who_is_current(w: World) -> None:
    a = w.ok("aclrtCreateContext", 0)
    w.same(w.ok("aclrtGetCurrentContext"), a, "the current context")
    b = w.ok("aclrtCreateContext", 0)
    w.same(w.ok("aclrtGetCurrentContext"), b, "the current context")
    w.ok("aclrtSetCurrentContext", a)
    w.same(w.ok("aclrtGetCurrentContext"), a, "the current context")
    w.ok("aclrtSetDevice", 0)
    w.same(w.ok("aclrtGetCurrentContext") in (a, b), False, "an explicit context is current after aclrtSetDevice")


@row("stream-case-053", bare=True)
def a_destroyed_context(w: World) -> None:
    context = w.ok("aclrtCreateContext", 0)
    w.ok("aclrtDestroyContext", context)
    w.refuse(107000, "aclrtSetCurrentContext", context)
    w.refuse(107002, "aclrtDestroyContext", context)
    w.refuse(107002, "aclrtGetCurrentContext")


@row("stream-case-055")
def set_device_after_the_teardown(w: World) -> None:
    primary = w.ok("aclrtGetCurrentContext")
    w.ok("aclrtResetDevice", 0)
    w.ok("aclrtSetDevice", 0)
    w.same(w.ok("aclrtGetCurrentContext"), primary, "the primary context")
    w.ok("aclrtSynchronizeStream", w.stream())


@row("stream-case-056", bare=True)
def counting(w: World) -> None:
    for _ in range(3):
        w.ok("aclrtSetDevice", 0)
    context, stream = w.ok("aclrtGetCurrentContext"), w.stream()
    for _ in range(2):
        w.ok("aclrtResetDevice", 0)
        w.same(w.ok("aclrtGetCurrentContext"), context, "the current context")
        w.ok("aclrtStreamQuery", stream)
    w.ok("aclrtResetDevice", 0)
    w.refuse(107002, "aclrtGetCurrentContext")
    w.ok("aclrtSetDevice", 0)
    w.ok("aclrtSynchronizeStream", 0)


@row("stream-case-058", bare=True)
def a_context_outlives_the_device(w: World) -> None:
    w.ok("aclrtSetDevice", 0)
    context = w.ok("aclrtCreateContext", 0)
    w.ok("aclrtResetDevice", 0)
    w.same(w.ok("aclrtGetCurrentContext"), context, "the current context")
    w.ok("aclrtSetCurrentContext", context)
    w.ok("aclrtDestroyContext", context)


@row("stream-case-059")
def no_device_after_the_last_reset(w: World) -> None:
    w.ok("aclrtResetDevice", 0)
    w.refuse(107002, "aclrtGetDevice")


@row("stream-case-061", bare=True)
def reset_of_no_device(w: World) -> None:
    w.refuse(107001, "aclrtResetDevice", 100)


@row("stream-case-064")
def the_last_error(w: World) -> None:
    w.refuse(107000, "aclrtSetCurrentContext", STALE)
    w.refuse(107000, "aclrtGetLastError", 0)
    w.ok("aclrtPeekAtLastError", 0)


@row("stream-case-065")
def last_error_of_a_bad_level(w: World) -> None:
    w.refuse(100000, "aclrtGetLastError", 1)


@row("stream-case-067")
def stream_state_callback(w: World) -> None:
    seen: list[tuple[int, int, int]] = []

    def changed(handle: int, state: int, _: object) -> None:
        seen.append((handle, state, w.call("aclrtStreamQuery", handle)[1]))

    w.ok("aclrtRegStreamStateCallback", "mine", changed, 0)
    stream = w.stream()
    w.ok("aclrtDestroyStream", stream)
    w.same([(handle, code) for handle, _, code in seen], [(stream, 0)] * 2, "handle and validity in the callback")
    w.same([state for _, state, _ in seen], [1, 2], "created, about to be destroyed")
    w.refuse(107017, "aclrtStreamQuery", stream)


@row("stream-case-071")
def synchronize_for_ever(w: World) -> None:
    w.ok("aclrtSynchronizeStreamWithTimeout", w.stream(), -1)


@row("stream-case-073")
def synchronize_for_no_time(w: World) -> None:
    w.refuse(107000, "aclrtSynchronizeStreamWithTimeout", w.stream(), 0)


@row("stream-case-074")
def synchronize_below_for_ever(w: World) -> None:
    w.refuse(107000, "aclrtSynchronizeStreamWithTimeout", w.stream(), -2)


@row("stream-case-077")
def huge_streams(w: World) -> None:
    for priority in (5, 8):
        w.ok("aclrtCreateStreamWithConfig", priority, 8)


def attribute(**fields: int) -> structs.aclrtStreamAttrValue:
    """The value of a stream attribute."""
    return structs.aclrtStreamAttrValue(**fields)


FAILURE_MODE, OVERFLOW, CUSTOM_TAG, CACHE, PRIORITY, END = range(1, 7)


@row("stream-case-079")
def set_attributes(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtSetStreamAttribute", stream, FAILURE_MODE, attribute(failureMode=0))
    w.ok("aclrtSetStreamAttribute", stream, OVERFLOW, attribute(overflowSwitch=0))
    w.ok("aclrtSetStreamAttribute", stream, CUSTOM_TAG, attribute(userCustomTag=0))
    w.refuse(107000, "aclrtSetStreamAttribute", stream, END, attribute())
    w.refuse(100000, "aclrtSetStreamAttribute", stream, END, None)


@row("stream-case-080")
def set_too_large_a_priority(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtSetStreamAttribute", stream, PRIORITY, attribute(streamPriority=8))
    w.same(w.ok("aclrtStreamGetPriority", stream), 7, "the priority")


@row("stream-case-082")
def overflow_attribute(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtSetStreamAttribute", stream, OVERFLOW, attribute(overflowSwitch=1))
    w.same(w.ok("aclrtGetStreamAttribute", stream, OVERFLOW).overflowSwitch, 1, "the switch")
    w.same(w.ok("aclrtGetStreamOverflowSwitch", stream), 1, "the switch")


@row("stream-case-083")
def abort_and_destroy(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtStreamAbort", stream)
    w.ok("aclrtDestroyStream", stream)


@row("stream-case-085")
def a_foreign_stream(w: World) -> None:
    foreign = w.foreign_stream()
    w.ok("aclrtSynchronizeStream", foreign)
    w.ok("aclrtStreamQuery", foreign)


@row("stream-case-086")
def flags_together(w: World) -> None:
    stream = w.stream(4 | 0x10)
    w.same(w.ok("aclrtStreamGetFlags", stream), 4 | 0x10, "the flags")


@row("stream-case-088", soc=("Ascend310B1", "Ascend910A"))
def device_only_on_old_firmware(w: World) -> None:
    w.refuse(207000, "aclrtCreateStreamWithConfig", 0, 0x20)


@row("stream-case-089")
def fast_flags(w: World) -> None:
    w.ok("aclrtSynchronizeStream", w.stream(1 | 2))


@row("stream-case-092")
def a_level_event_never_recorded(w: World) -> None:
    w.same(w.ok("aclrtQueryEventStatus", w.level(SYNC | TIME_LINE)), 0, "the status")


@row("stream-case-094")
def record_and_wait_on_one_stream(w: World) -> None:
    event, stream = w.ex(), w.stream()
    w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtStreamWaitEvent", stream, event)
    w.ok("aclrtSynchronizeEvent", event)
    w.ok("aclrtSynchronizeStream", stream)


@row("stream-case-097")
def elapsed_time_both_ways(w: World) -> None:
    first, second, stream = w.auto(), w.auto(), w.stream()
    w.ok("aclrtRecordEvent", first, stream)
    w.work(stream, MS)
    w.ok("aclrtRecordEvent", second, stream)
    w.ok("aclrtSynchronizeStream", stream)
    w.ok("aclrtEventElapsedTime", first, second)
    w.same(w.ok("aclrtEventElapsedTime", second, first) < 0, True, "a negative time")


@row("stream-case-100", faces="c")
def handle_of_an_ipc_event(w: World) -> None:
    event = w.ex(IPC)
    w.ok("aclrtIpcGetEventHandle", event)
    w.ok("aclrtDestroyEvent", event)


@row("stream-case-103")
def waits_with_a_flag(w: World) -> None:
    stream, event = w.stream(), w.ex()
    w.ok("aclrtStreamWaitEventWithFlag", stream, event, 0, 0)
    w.refuse(100000, "aclrtStreamWaitEventWithFlag", stream, event, 0, 2)
    w.refuse(100000, "aclrtStreamWaitEventWithFlag", stream, event, 1, 1)
    w.refuse(107000, "aclrtStreamWaitEventWithFlag", stream, event, 0, 1)


@row("stream-case-106")
def a_failing_record_fixes_the_flag(w: World) -> None:
    """An IPC event, or one for other uses only, cannot be recorded: the flag is fixed all the same."""
    stream = w.stream()
    event = w.ex()
    foreign = w.foreign_stream()
    w.refuse(107003, "aclrtRecordEventWithFlag", event, foreign, 0)
    w.refuse(107000, "aclrtRecordEventWithFlag", event, stream, 1)
