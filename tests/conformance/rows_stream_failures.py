"""Chapter 06: what failures do to streams: failure modes, codes, aborts (docs/semantics/streams.md#failing-tasks)."""

from __future__ import annotations

from tests.conformance.registry import row, rows
from tests.conformance.world import MS, World


@row("stream-0224")
def failures_in_continue_mode(w: World) -> None:
    stream, ran = w.stream(), []
    w.fault(stream, 507015)
    w.work(stream, MS, ran)
    w.fault(stream, 507018)
    w.work(stream, MS, ran)
    w.refuse(507018, "aclrtSynchronizeStream", stream)
    w.same(len(ran), 2, "later tasks that ran")
    w.ok("aclrtSynchronizeStream", stream)


@row("stream-0225")
def failures_in_stop_mode(w: World) -> None:
    first, second, ran = w.stream(), w.stream(), []
    w.ok("aclrtSetStreamFailureMode", second, 1)
    w.fault(first, 507015, 10)
    w.work(first, MS, ran)
    w.fault(second, 507018, MS)
    for _ in range(3):
        for stream in (first, second, 0):
            w.refuse(507015, "aclrtSynchronizeStream", stream)
    w.same(len(ran), 0, "tasks behind the failure that ran")


@row("stream-0226", faces="c", threads="deterministic")
def abort_during_synchronize(w: World) -> None:
    stream, other = w.stream(), w.stream()
    context = w.ok("aclrtGetCurrentContext")
    w.hold(stream)

    def abort(_: object) -> None:
        w.ok("aclrtSetCurrentContext", context)
        w.ok("aclrtStreamAbort", stream)

    w.work(other, MS)  # the function comes when the main thread waits already
    w.ok("aclrtLaunchHostFunc", other, abort, None)
    w.expect("aclrtSynchronizeStream", stream)
    w.ok("aclrtSynchronizeStream", other)
    w.ok("aclrtSynchronizeStream", stream)


@rows(
    ("stream-0227", 507015, 507035),
    ("stream-0228", 507014),
    ("stream-0229", 507018, 507017),
    ("stream-0231", 207003, 207016, 207017),
    ("stream-0232", 507005),
    ("stream-case-037", 507005),
)
def failures_pass_through(w: World, *codes: int) -> None:
    stream = w.stream()
    for code in codes:
        w.fault(stream, code)
        w.refuse(code, "aclrtSynchronizeStream", stream)
        w.ok("aclrtSynchronizeStream", stream)


@row("stream-0230")
def device_side_timeouts(w: World) -> None:
    stream, event, notify = w.stream(), w.level(), w.ok("aclrtCreateNotify", 0)
    w.ok("aclrtSetOpWaitTimeout", 2)
    w.ok("aclrtStreamWaitEvent", stream, event)
    w.expect("aclrtSynchronizeStream", stream)
    w.ok("aclrtStreamWaitEventWithTimeout", stream, event, 1)
    w.expect("aclrtSynchronizeStream", stream)
    w.ok("aclrtWaitAndResetNotify", notify, stream, 1)
    w.expect("aclrtSynchronizeStream", stream)
    w.ok("aclrtSynchronizeStream", stream)


@row("stream-0239")
def query_in_stop_mode(w: World) -> None:
    stream, other = w.stream(), w.stream()
    w.ok("aclrtSetStreamFailureMode", stream, 1)
    w.fault(stream, 507015)
    w.refuse(507015, "aclrtSynchronizeStream", stream)
    for handle in (stream, other, 0, stream):
        w.refuse(507015, "aclrtStreamQuery", handle)


@row("stream-0240")
def query_in_continue_mode(w: World) -> None:
    stream = w.stream()
    w.fault(stream, 507015)
    w.work(stream, MS)
    w.ok("aclrtSynchronizeStreamWithTimeout", w.stream(), 10)
    while w.expect("aclrtStreamQuery", stream) == (1,):
        pass
    w.refuse(507015, "aclrtSynchronizeStream", stream)


@row("stream-0241")
def only_bit_zero_of_the_mode(w: World) -> None:
    stream = w.stream()
    for mode in (0, 2, 0xFFFE):
        w.expect("aclrtSetStreamFailureMode", stream, mode)
    w.fault(stream, 507015)
    w.refuse(507015, "aclrtSynchronizeStream", stream)
    w.ok("aclrtSynchronizeStream", stream)  # still continue mode
    for mode in (3, 1, 5):
        w.expect("aclrtSetStreamFailureMode", stream, mode)
    w.fault(stream, 507015)
    w.refuse(507015, "aclrtSynchronizeStream", stream)
    w.refuse(507015, "aclrtSynchronizeStream", stream)


@row("stream-0242")
def back_to_continue(w: World) -> None:
    stream, other = w.stream(), w.stream()
    w.ok("aclrtSetStreamFailureMode", stream, 1)
    for mode in (0, 2):
        w.expect("aclrtSetStreamFailureMode", stream, mode)
    w.ok("aclrtSetStreamFailureMode", other, 1)
    w.expect("aclrtSetStreamFailureMode", other, 0)


@row("stream-0243")
def failure_mode_of_an_aborted_stream(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtSetStreamFailureMode", stream, 1)
    w.fault(stream, 507015)
    w.refuse(507015, "aclrtSynchronizeStream", stream)
    w.expect("aclrtSetStreamFailureMode", stream, 0)


@row("stream-0245")
def failure_mode_of_a_foreign_stream(w: World) -> None:
    foreign = w.foreign_stream()
    w.ok("aclrtSetStreamFailureMode", foreign, 0)  # the same as it is: nothing to do, no further look
    w.expect("aclrtSetStreamFailureMode", foreign, 1)


@row("stream-0246")
def stop_mode_is_for_the_context(w: World) -> None:
    first, second, foreign = w.stream(), w.stream(), w.foreign_stream()
    w.expect("aclrtSetStreamFailureMode", first, 1)
    w.fault(second, 507015)
    w.refuse(507015, "aclrtSynchronizeStream", second)
    w.refuse(507015, "aclrtSynchronizeStream", first)
    w.ok("aclrtCreateEvent")
    w.ok("aclrtSynchronizeStream", foreign)


@row("stream-0247", soc=("Ascend910B3", "Ascend910_9382", "Ascend950PR_9599"))
def failure_mode_of_the_default_stream(w: World) -> None:
    w.expect("aclrtSetStreamFailureMode", 0, 1)
    w.in_thread(lambda: w.refuse(107000, "aclrtSetStreamFailureMode", 0, 1))
    w.fault(w.default_stream(), 507015)
    for _ in range(2):
        w.refuse(507015, "aclrtSynchronizeStream", 0)


@row("stream-0252", soc=("Ascend910B3", "Ascend910_9382", "Ascend950PR_9599"))
def abort_of_the_default_stream(w: World) -> None:
    ran: list[int] = []
    w.work(w.default_stream(), 5 * MS, ran)
    w.expect("aclrtStreamAbort", 0)
    w.ok("aclrtSynchronizeStream", 0)
    w.same(len(ran), 0, "tasks that ran")
    w.in_thread(lambda: w.refuse(107000, "aclrtStreamAbort", 0))


@row("stream-0253")
def abort_of_a_foreign_stream(w: World) -> None:
    w.expect("aclrtStreamAbort", w.foreign_stream())


@row("stream-0255", soc=("Ascend310P3", "Ascend310B1", "Ascend910A"))
def abort_on_old_firmware(w: World) -> None:
    w.expect("aclrtStreamAbort", w.stream())


@row("stream-0257")
def abort(w: World) -> None:
    stream, waiting, event, ran = w.stream(), w.stream(), w.level(), []
    w.work(stream, 5 * MS, ran)
    w.work(stream, 5 * MS, ran)
    w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtStreamWaitEvent", waiting, event)
    w.expect("aclrtStreamAbort", stream)
    w.same(w.ok("aclrtStreamQuery", stream), 0, "the status")
    w.hangs("aclrtSynchronizeStream", waiting)
    w.work(stream, MS, ran)
    w.ok("aclrtSynchronizeStream", stream)
    w.same(len(ran), 1, "tasks that ran: only the one after the abort")
    w.same(w.ok("aclrtQueryEventStatus", event), 0, "the dropped record never completes")
