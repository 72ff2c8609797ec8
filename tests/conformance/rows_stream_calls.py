"""Rows about "any call": contexts, handles, foreign streams, failures (docs/semantics/layers.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.conformance.registry import row
from tests.conformance.world import MS, STALE, World


def calls_that_need_a_context(w: World) -> dict[str, tuple[Any, ...]]:
    """Calls that look for a context below the acl layer, with arguments that are in order."""
    return {
        "aclrtCreateStream": (),
        "aclrtCreateStreamWithConfig": (0, 0),
        "aclrtCreateEvent": (),
        "aclrtCreateEventWithFlag": (1,),
        "aclrtCreateEventExWithFlag": (1,),
        "aclrtCreateNotify": (0,),
        "aclrtSynchronizeDevice": (),
        "aclrtSynchronizeDeviceWithTimeout": (10,),
        "aclrtSynchronizeStream": (0,),
        "aclrtSynchronizeStreamWithTimeout": (0, 10),
        "aclrtStreamQuery": (0,),
        "aclrtStreamGetId": (0,),
        "aclrtCtxGetCurrentDefaultStream": (),
        "aclrtGetStreamAvailableNum": (),
        "aclrtGetEventAvailNum": (),
        "aclrtMalloc": (64, 0),
        "aclrtMallocHost": (64,),
        "aclrtMemcpy": (w.host(), 8, w.host(), 8, 0),
        "aclrtMemset": (w.host(), 8, 0, 8),
        "aclrtGetMemInfo": (1,),
        "aclrtLaunchHostFunc": (0, print, None),
        "aclrtSubscribeReport": (1, 0),
    }


def all_answer(w: World, code: int) -> None:
    for name, inputs in calls_that_need_a_context(w).items():
        w.refuse(code, name, *inputs)


@row("stream-0133", bare=True)
def no_context(w: World) -> None:
    all_answer(w, 107002)


@row("stream-0134")
def context_destroyed_by_another_thread(w: World) -> None:
    context = w.ok("aclrtCreateContext", 0)

    def destroy() -> None:
        w.ok("aclrtDestroyContext", context)

    w.in_thread(destroy)
    all_answer(w, 107002)
    w.refuse(107002, "aclrtGetCurrentContext")


@row("stream-0135")
def device_reset_by_another_thread(w: World) -> None:
    def reset() -> None:
        w.ok("aclrtResetDevice", 0)

    def set_again() -> None:
        w.ok("aclrtSetDevice", 0)

    w.in_thread(reset)
    w.in_thread(set_again)
    w.ok("aclrtCreateStream")  # no call failed in between: the binding is good again
    w.in_thread(reset)
    w.expect("aclrtCreateStream")
    w.in_thread(set_again)
    w.expect("aclrtCreateStream")  # the call that failed dropped the binding
    w.in_thread(reset)
    all_answer(w, 107002)


def stale_calls(handle: int, stream: int, event: int) -> list[tuple[Any, ...]]:
    """Calls with *handle* in the place of each handle."""
    return [
        ("aclrtDestroyStream", handle),
        ("aclrtDestroyStreamForce", handle),
        ("aclrtSynchronizeStream", handle),
        ("aclrtSynchronizeStreamWithTimeout", handle, 10),
        ("aclrtStreamQuery", handle),
        ("aclrtStreamGetId", handle),
        ("aclrtStreamGetPriority", handle),
        ("aclrtStreamGetFlags", handle),
        ("aclrtStreamAbort", handle),
        ("aclrtSetStreamFailureMode", handle, 1),
        ("aclrtSetStreamOverflowSwitch", handle, 1),
        ("aclrtGetStreamOverflowSwitch", handle),
        ("aclrtRecordEvent", event, handle),
        ("aclrtRecordEventWithFlag", event, handle, 0),
        ("aclrtStreamWaitEvent", handle, event),
        ("aclrtStreamWaitEventWithTimeout", handle, event, 1),
        ("aclrtStreamWaitEventWithFlag", handle, event, 0, 0),
        ("aclrtResetEvent", event, handle),
        ("aclrtSubscribeReport", 1, handle),
        ("aclrtUnSubscribeReport", 1, handle),
        ("aclrtLaunchCallback", print, None, 0, handle),
        ("aclrtLaunchHostFunc", handle, print, None),
    ]


def stale_event_calls(handle: int, stream: int, event: int) -> list[tuple[Any, ...]]:
    return [
        ("aclrtDestroyEvent", handle),
        ("aclrtRecordEvent", handle, stream),
        ("aclrtRecordEventWithFlag", handle, stream, 0),
        ("aclrtStreamWaitEvent", stream, handle),
        ("aclrtStreamWaitEventWithTimeout", stream, handle, 1),
        ("aclrtStreamWaitEventWithFlag", stream, handle, 0, 0),
        ("aclrtResetEvent", handle, stream),
        ("aclrtQueryEvent", handle),
        ("aclrtQueryEventStatus", handle),
        ("aclrtQueryEventWaitStatus", handle),
        ("aclrtSynchronizeEvent", handle),
        ("aclrtSynchronizeEventWithTimeout", handle, 10),
        ("aclrtEventElapsedTime", handle, event),
        ("aclrtEventElapsedTime", event, handle),
        ("aclrtEventGetTimestamp", handle),
        ("aclrtGetEventId", handle),
    ]


def stale_notify_calls(handle: int, stream: int, event: int) -> list[tuple[Any, ...]]:
    return [
        ("aclrtDestroyNotify", handle),
        ("aclrtRecordNotify", handle, stream),
        ("aclrtWaitAndResetNotify", handle, stream, 0),
        ("aclrtGetNotifyId", handle),
    ]


@row("stream-0136")
def dead_and_foreign_handles(w: World) -> None:
    stream, event, notify = w.stream(), w.level(), w.ok("aclrtCreateNotify", 0)
    dead_stream, dead_event, dead_notify = w.stream(), w.level(), w.ok("aclrtCreateNotify", 0)
    w.ok("aclrtDestroyStream", dead_stream)
    w.ok("aclrtDestroyEvent", dead_event)
    w.ok("aclrtDestroyNotify", dead_notify)
    context = w.ok("aclrtGetCurrentContext")
    families: list[tuple[Callable[[int, int, int], list[tuple[Any, ...]]], tuple[int, ...]]] = [
        (stale_calls, (dead_stream, event, notify, context, STALE)),
        (stale_event_calls, (dead_event, stream, notify, context, STALE)),
        (stale_notify_calls, (dead_notify, stream, event, context, STALE)),
    ]
    for family, handles in families:
        for handle in handles:
            for name, *inputs in family(handle, stream, event):
                w.expect(name, *inputs)


@row("stream-0137")
def context_handles(w: World) -> None:
    stream, event = w.stream(), w.auto()
    gone = w.ok("aclrtCreateContext", 0)
    w.ok("aclrtDestroyContext", gone)
    for handle in (stream, event, gone, STALE):
        w.refuse(107000, "aclrtSetCurrentContext", handle)
        w.refuse(107002, "aclrtDestroyContext", handle)


@row("stream-0138")
def submitting_to_a_foreign_stream(w: World) -> None:
    foreign, event = w.foreign_stream(), w.level()
    notify = w.ok("aclrtCreateNotify", 0)
    pinned, device = w.pinned(), w.device()
    for name, *inputs in (
        ("aclrtRecordEvent", event, foreign),
        ("aclrtStreamWaitEvent", foreign, event),
        ("aclrtResetEvent", event, foreign),
        ("aclrtRecordNotify", notify, foreign),
        ("aclrtWaitAndResetNotify", notify, foreign, 0),
        ("aclrtLaunchHostFunc", foreign, print, None),
        ("aclrtStreamAbort", foreign),
        ("aclrtSetStreamOverflowSwitch", foreign, 1),
        ("aclrtMemsetAsync", device, 8, 0, 8, foreign),
        ("aclrtMemcpyAsync", device, 8, pinned, 8, 1, foreign),
    ):
        w.expect(name, *inputs)
    w.ok("aclrtSubscribeReport", 1, foreign)
    w.expect("aclrtLaunchCallback", print, None, 0, foreign)
    w.ok("aclrtMemcpyAsync", device, 8, w.host(), 8, 1, foreign)  # pageable: a wait and a copy


@row("stream-0139")
def null_is_the_default_stream(w: World) -> None:
    ran: list[int] = []
    w.work(w.default_stream(), 5 * MS, ran)
    event = w.level()
    w.expect("aclrtRecordEvent", event, 0)
    w.ok("aclrtStreamWaitEvent", None, event)
    w.ok("aclrtResetEvent", event, None)
    w.same(w.ok("aclrtQueryEventStatus", event), 0, "the record waits behind the work of the default stream")
    w.ok("aclrtSynchronizeStream", 0)
    w.same(len(ran), 1, "the work is done")
    w.same(w.ok("aclrtStreamGetId", 0), w.ok("aclrtStreamGetId", w.default_stream()), "the stream")


@row("stream-0140")
def synchronizing_a_foreign_stream(w: World) -> None:
    foreign, mine = w.foreign_stream(), w.ok("aclrtGetCurrentContext")
    ran: list[int] = []
    w.work(foreign, MS, ran)
    w.expect("aclrtSynchronizeStream", foreign)
    w.same(len(ran), 1, "tasks that ran")
    w.work(foreign, MS, ran)
    w.expect("aclrtSynchronizeStreamWithTimeout", foreign, 100)
    w.same(len(ran), 2, "tasks that ran")
    w.same(w.ok("aclrtGetCurrentContext"), mine, "the context after the call")


@row("stream-0141")
def asking_a_foreign_stream(w: World) -> None:
    foreign = w.foreign_stream()
    for name in ("aclrtStreamQuery", "aclrtStreamGetId", "aclrtStreamGetPriority", "aclrtStreamGetFlags"):
        w.expect(name, foreign)


@row("stream-0142", soc=("Ascend310P3", "Ascend310B1", "Ascend910A"))
def missing_features(w: World) -> None:
    stream = w.stream()
    w.expect("aclrtStreamAbort", stream)
    w.expect("aclrtCreateEventExWithFlag", 0x40)
    w.expect("aclrtValueWrite", w.device(), 1, 0, stream)


@row("stream-0143")
def every_submit_after_a_failure_in_stop_mode(w: World) -> None:
    first, second, event = w.stream(), w.stream(), w.level()
    notify, device, pinned = w.ok("aclrtCreateNotify", 0), w.device(), w.pinned()
    w.ok("aclrtSetStreamFailureMode", first, 1)
    w.fault(first, 507015)
    w.refuse(507015, "aclrtSynchronizeStream", first)
    for stream in (first, second, w.default_stream()):
        for name, *inputs in (
            ("aclrtRecordEvent", event, stream),
            ("aclrtStreamWaitEvent", stream, event),
            ("aclrtResetEvent", event, stream),
            ("aclrtRecordNotify", notify, stream),
            ("aclrtWaitAndResetNotify", notify, stream, 0),
            ("aclrtLaunchHostFunc", stream, print, None),
            ("aclrtMemsetAsync", device, 8, 0, 8, stream),
            ("aclrtMemcpyAsync", device, 8, pinned, 8, 1, stream),
        ):
            w.refuse(507015, name, *inputs)


@row("stream-0144")
def submits_after_a_failure_in_continue_mode(w: World) -> None:
    stream, event, ran = w.stream(), w.level(), []
    w.fault(stream, 507015)
    w.ok("aclrtStreamQuery", stream)
    w.expect("aclrtRecordEvent", event, stream)
    w.work(stream, MS, ran)
    w.refuse(507015, "aclrtSynchronizeStream", stream)
    w.same(len(ran), 1, "later tasks that ran")


@row("stream-0145", faces="c")
def submits_during_a_task_abort(w: World) -> None:
    stream, event, foreign = w.stream(), w.level(), w.foreign_stream()
    stages: list[int] = []

    def aborting(device: int, stage: int, *_: object) -> None:
        stages.append(stage)
        w.expect("aclrtRecordEvent", event, stream)
        w.expect("aclrtStreamWaitEvent", stream, event)
        w.refuse(107003, "aclrtRecordEvent", event, foreign)

    w.ok("aclrtSetDeviceTaskAbortCallback", "mine", aborting, 0)
    w.ok("aclrtDeviceTaskAbort", 0, 1000)
    w.same(stages, [0, 1], "stages: before and after")
    w.ok("aclrtRecordEvent", event, stream)


@row("stream-0147", limits={"stream_depth": 4})
def full_queue(w: World) -> None:
    stream, event = w.stream(), w.level()
    for _ in range(3):
        w.work(stream, MS)
    for _ in range(9):
        w.expect("aclrtRecordEvent", event, stream)
    if w.sim.time_ns() < 3 * MS:
        raise AssertionError("the ninth record was accepted before the first tasks had ended")
    w.ok("aclrtSynchronizeStream", stream)


@row("stream-0148", limits={"stream_depth": 4})
def full_persistent_queue(w: World) -> None:
    persistent, event = w.stream(4), w.level()
    for _ in range(4):
        w.ok("aclrtRecordEvent", event, persistent)
    w.expect("aclrtRecordEvent", event, persistent)
