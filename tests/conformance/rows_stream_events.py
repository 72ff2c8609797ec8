"""Chapter 07, making and queueing: the families of events, records, waits, resets.

See docs/semantics/events.md#families.
"""

from __future__ import annotations

from tests.conformance.registry import row, rows
from tests.conformance.world import DEVICE_USE_ONLY, EXTERNAL, IPC, MS, SYNC, TIME_LINE, World

PROGRESS, RESERVED = 2, 4
SECOND = 1000 * MS


@row("stream-0265")
def auto_event(w: World) -> None:
    before = w.ok("aclrtGetEventAvailNum")
    (event,) = w.expect("aclrtCreateEvent")
    w.same(w.ok("aclrtGetEventAvailNum"), before, "free hardware events after the creation")
    w.refuse(507000, "aclrtGetEventId", event)
    stream = w.stream()
    w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtGetEventId", event)
    w.ok("aclrtStreamWaitEvent", stream, event)  # it can synchronise ...
    w.ok("aclrtSynchronizeStream", stream)
    w.ok("aclrtEventGetTimestamp", event)  # ... and has a time line


@rows(("stream-0266",), bare=True)
def create_without_a_context(w: World) -> None:
    w.expect("aclrtCreateEvent")
    w.expect("aclrtCreateEventWithFlag", SYNC)
    w.expect("aclrtCreateEventExWithFlag", SYNC)


@rows(
    ("stream-0267", "aclrtCreateEventWithFlag", (0, IPC, IPC | SYNC, 0x80, 2**32 - 1)),
    ("stream-0268", "aclrtCreateEventWithFlag", (0x11, 0x12, 0x18, 0x30, 0x21, 0x22, 0x28, 0x3F)),
    ("stream-0271", "aclrtCreateEventExWithFlag", (0, 0x10, 0x20, 0x30, 0x50, 0x51, 0x80, 0x81, 2**32 - 1)),
    ("stream-0272", "aclrtCreateEventExWithFlag", (0x41, 0x42, 0x48, 0x4F, 0x11, 0x21, 0x29)),
)
def bad_flags(w: World, name: str, flags: tuple[int, ...]) -> None:
    for flag in flags:
        w.expect(name, flag)
    for flag in (SYNC, PROGRESS, TIME_LINE, SYNC | PROGRESS | TIME_LINE, RESERVED, 0xF):
        w.ok(name, flag)


@row("stream-0269", limits={"events": 3})
def ids_exhausted_at_creation(w: World) -> None:
    for flag in (SYNC, SYNC | TIME_LINE, EXTERNAL):
        event = w.level(flag)
    for flag in (SYNC, EXTERNAL):
        w.expect("aclrtCreateEventWithFlag", flag)
    w.level(TIME_LINE)  # takes no id
    w.ok("aclrtDestroyEvent", event)
    w.level()


@row("stream-0270", soc=("Ascend310B1", "Ascend910A"))
def device_only_on_old_firmware(w: World) -> None:
    w.expect("aclrtCreateEventWithFlag", DEVICE_USE_ONLY)


@row("stream-0273", soc=("Ascend310P3", "Ascend310B1", "Ascend910A"))
def no_ipc_events(w: World) -> None:
    w.expect("aclrtCreateEventExWithFlag", IPC)


@row("stream-0274")
def destroy_twice(w: World) -> None:
    for event in (w.auto(), w.level(), w.ex(), w.level(TIME_LINE)):
        w.ok("aclrtDestroyEvent", event)
        w.expect("aclrtDestroyEvent", event)


@row("stream-0275")
def destroy_with_tasks_outstanding(w: World) -> None:
    for event in (w.auto(), w.level(), w.ex()):
        stream, waiting, ran = w.stream(), w.stream(), []
        w.work(stream, 5 * MS)
        w.ok("aclrtRecordEvent", event, stream)
        w.ok("aclrtStreamWaitEvent", waiting, event)
        w.work(waiting, MS, ran)
        before = w.sim.time_ns()
        w.expect("aclrtDestroyEvent", event)
        w.same(w.sim.time_ns() - before < MS, True, "returns at once")
        w.refuse(107017, "aclrtQueryEventStatus", event)
        w.ok("aclrtSynchronizeStream", waiting)
        w.same(len(ran), 1, "the wait was released by the record")


@row("stream-0276")
def destroy_needs_no_context(w: World) -> None:
    here = w.auto()
    mine = w.ok("aclrtGetCurrentContext")
    w.ok("aclrtCreateContext", 0)
    there = w.auto()
    w.ok("aclrtSetCurrentContext", mine)
    w.expect("aclrtDestroyEvent", there)
    w.in_thread(lambda: w.expect("aclrtDestroyEvent", here))


@rows(("stream-0277", "aclrtRecordEvent"), ("stream-0296", "aclrtStreamWaitEvent"), ("stream-0315", "aclrtResetEvent"))
def foreign_stream(w: World, name: str) -> None:
    foreign = w.foreign_stream()
    for event in (w.level(), w.level(SYNC | TIME_LINE)):
        w.expect(name, *((foreign, event) if name == "aclrtStreamWaitEvent" else (event, foreign)))


@row("stream-0278", devices=2)
def event_of_another_context_and_device(w: World) -> None:
    events = [w.auto(), w.level(), w.ex()]
    w.ok("aclrtCreateContext", 0)
    for event in events:
        w.expect("aclrtRecordEvent", event, w.stream())
    w.ok("aclrtSetDevice", 1)
    for event in events:
        stream = w.stream()
        w.expect("aclrtRecordEvent", event, stream)
        w.ok("aclrtSynchronizeStream", stream)
        w.same(w.ok("aclrtQueryEventStatus", event), 1, "the record")


@rows(
    ("stream-0279", "aclrtRecordEvent"),
    ("stream-0295", "aclrtStreamWaitEvent"),
    ("stream-0316", "aclrtResetEvent"),
)
def device_only_event(w: World, name: str) -> None:
    event, stream = w.level(DEVICE_USE_ONLY), w.stream()
    w.expect(name, *((stream, event) if name == "aclrtStreamWaitEvent" else (event, stream)))


@row("stream-0281", limits={"events": 2}, soc=("Ascend910B3", "Ascend310P3"))
def ids_come_free_during_a_record(w: World) -> None:
    stream, event = w.stream(), w.ex()
    for _ in range(5):
        w.work(stream, MS // 10)
        w.expect("aclrtRecordEvent", event, stream)
    w.ok("aclrtSynchronizeStream", stream)


@row("stream-0282", limits={"events": 2}, soc=("Ascend910B3", "Ascend910_9382", "Ascend950PR_9599"))
def ids_never_come_free(w: World) -> None:
    stream = w.stream()
    w.work(stream, 3600 * SECOND)
    for event in (w.auto(), w.ex()):
        w.ok("aclrtRecordEvent", event, stream)
    for event in (w.auto(), w.ex()):
        w.expect("aclrtRecordEvent", event, stream)


@rows(("stream-0286",), ("stream-case-028",))
def bad_record_flag(w: World) -> None:
    event, stream = w.ex(), w.stream()
    for flag in (2, 3, 2**32 - 1):
        w.refuse(100000, "aclrtRecordEventWithFlag", event, stream, flag)
    w.ok("aclrtRecordEventWithFlag", event, stream, 0)


@rows(("stream-0287", "record"), ("stream-0307", "wait"), ("stream-case-107", "both"))
def external_use_of_other_events(w: World, use: str) -> None:
    stream = w.stream()
    for event in (w.auto(), w.level(), w.level(TIME_LINE), w.level(EXTERNAL), w.ex(SYNC | TIME_LINE), w.ex(TIME_LINE)):
        if use != "wait":
            w.refuse(207000, "aclrtRecordEventWithFlag", event, stream, 1)
        if use != "record":
            w.refuse(207000, "aclrtStreamWaitEventWithFlag", stream, event, 0, 1)


@rows(("stream-0288",), ("stream-case-104",))
def record_flag_is_fixed(w: World) -> None:
    stream = w.stream()
    plain, external = w.ex(), w.ex()
    w.ok("aclrtRecordEventWithFlag", plain, stream, 0)
    w.refuse(107000, "aclrtRecordEventWithFlag", plain, stream, 1)
    w.refuse(107029, "aclrtRecordEventWithFlag", external, stream, 1)  # fails later, and fixes it all the same
    w.refuse(107000, "aclrtRecordEventWithFlag", external, stream, 0)
    w.ok("aclrtStreamWaitEventWithFlag", stream, external, 0, 0)  # the wait flag is kept apart


@rows(("stream-0289", "record"), ("stream-0308", "wait"))
def external_use_outside_a_capture(w: World, use: str) -> None:
    stream, event = w.stream(), w.ex()
    if use == "record":
        w.expect("aclrtRecordEventWithFlag", event, stream, 1)
    else:
        w.expect("aclrtStreamWaitEventWithFlag", stream, event, 0, 1)


@row("stream-0291")
def wait_for_an_auto_event_never_recorded(w: World) -> None:
    event, stream = w.auto(), w.stream()
    w.expect("aclrtStreamWaitEvent", stream, event)
    w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtStreamWaitEvent", stream, event)


@row("stream-0292")
def wait_for_an_ex_event_never_recorded(w: World) -> None:
    event, stream = w.ex(), w.stream()
    w.expect("aclrtStreamWaitEvent", stream, event)
    w.same(w.ok("aclrtStreamQuery", stream), 0, "the status: nothing was queued")
    w.ok("aclrtRecordEvent", event, w.stream())
    w.ok("aclrtSynchronizeStream", stream)


@row("stream-0293")
def wait_for_a_level_event_never_recorded(w: World) -> None:
    event, stream, other, ran = w.level(), w.stream(), w.stream(), []
    w.expect("aclrtStreamWaitEvent", stream, event)
    w.work(stream, MS, ran)
    w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", stream, 50)
    w.same(len(ran), 0, "tasks behind the wait that ran")
    w.ok("aclrtRecordEvent", event, other)
    w.ok("aclrtSynchronizeStream", stream)
    w.same(len(ran), 1, "tasks behind the wait that ran")


@row("stream-0294")
def wait_for_an_event_without_sync(w: World) -> None:
    stream = w.stream()
    for event in (
        w.level(TIME_LINE),
        w.level(PROGRESS),
        w.level(PROGRESS | TIME_LINE),
        w.ex(TIME_LINE),
        w.ex(PROGRESS),
    ):
        w.expect("aclrtStreamWaitEvent", stream, event)
        w.ok("aclrtRecordEvent", event, stream)
        w.expect("aclrtStreamWaitEvent", stream, event)


@row("stream-0303")
def negative_wait_timeout(w: World) -> None:
    stream, event = w.stream(), w.level()
    for timeout in (-1, -2, -(2**31)):
        w.expect("aclrtStreamWaitEventWithTimeout", stream, event, timeout)
        w.ok("aclrtPeekAtLastError", 0)  # the acl layer answers


@rows(("stream-0304",), ("stream-case-091",))
def wait_for_null_with_a_timeout(w: World) -> None:
    w.refuse(107000, "aclrtStreamWaitEventWithTimeout", w.stream(), 0, 1)
    w.refuse(107000, "aclrtStreamWaitEventWithTimeout", 0, 0, 0)


@row("stream-0305")
def wait_with_a_timeout(w: World) -> None:
    stream, forever, event, ran = w.stream(), w.stream(), w.level(), []
    w.ok("aclrtStreamWaitEventWithTimeout", stream, event, 3)
    w.ok("aclrtStreamWaitEventWithTimeout", forever, event, 0)
    w.work(forever, MS, ran)
    w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", stream, 2000)
    w.refuse(107020, "aclrtSynchronizeStreamWithTimeout", stream, 2000)
    w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", forever, 100_000)
    w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtSynchronizeStream", forever)
    w.same(len(ran), 1, "tasks behind the endless wait")
    _pass(w)


def _pass(w: World) -> None:
    """The row's code comes from the synchronise; its function accepts the wait."""
    w.answers.append((w.row.functions[0], w.row.expected))


@row("stream-0306", "stream-case-029")
def bad_wait_flag(w: World) -> None:
    stream, event = w.stream(), w.ex()
    for timeout, flag in ((0, 2), (0, 2**32 - 1), (1, 1), (5, 2)):
        w.refuse(100000, "aclrtStreamWaitEventWithFlag", stream, event, timeout, flag)
    w.ok("aclrtStreamWaitEventWithFlag", stream, event, 1, 0)


@row("stream-0309")
def wait_flag_is_fixed(w: World) -> None:
    stream, plain, external = w.stream(), w.ex(), w.ex()
    w.ok("aclrtStreamWaitEventWithFlag", stream, plain, 0, 0)
    w.expect("aclrtStreamWaitEventWithFlag", stream, plain, 0, 1)
    w.refuse(107029, "aclrtStreamWaitEventWithFlag", stream, external, 0, 1)
    w.expect("aclrtStreamWaitEventWithFlag", stream, external, 0, 0)
    w.ok("aclrtRecordEventWithFlag", external, stream, 0)


@row("stream-0310")
def limit_of_all_waits(w: World) -> None:
    early, late, event = w.stream(), w.stream(), w.level()
    w.ok("aclrtStreamWaitEvent", early, event)
    w.in_thread(lambda: w.expect("aclrtSetOpWaitTimeout", 2))  # for the process
    w.ok("aclrtStreamWaitEvent", late, event)
    w.refuse(107020, "aclrtSynchronizeStreamWithTimeout", late, 10_000)
    w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", early, 10_000)  # was queued before
    w.expect("aclrtSetOpWaitTimeout", 0)
    w.ok("aclrtStreamWaitEvent", late, event)
    w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", late, 10_000)


@rows(("stream-0311", "ex"), ("stream-0312", "stamp"), ("stream-0317", "ipc"))
def reset_of_the_wrong_events(w: World, kind: str) -> None:
    stream = w.stream()
    events = {
        "ex": lambda: [w.ex(), w.ex(SYNC | TIME_LINE)],
        "stamp": lambda: [w.level(TIME_LINE), w.level(PROGRESS), w.ex(TIME_LINE)],
        "ipc": lambda: [w.ex(IPC)],
    }
    for event in events[kind]():
        w.expect("aclrtResetEvent", event, stream)


@row("stream-0313")
def reset_of_an_auto_event(w: World) -> None:
    w.expect("aclrtResetEvent", w.auto(), w.stream())
    w.same([f.kind for f in w.sim.findings], ["undefined-use"], "the findings")


@row("stream-0314")
def reset_of_a_level_event(w: World) -> None:
    event, stream, other, ran = w.level(), w.stream(), w.stream(), []
    w.work(stream, 5 * MS)
    w.ok("aclrtRecordEvent", event, stream)
    w.expect("aclrtResetEvent", event, stream)
    w.ok("aclrtSynchronizeStream", stream)
    w.ok("aclrtStreamWaitEvent", other, event)
    w.work(other, MS, ran)
    w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", other, 50)
    w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtSynchronizeStream", other)
    w.same(len(ran), 1, "tasks behind the wait")
