"""Chapter 07, what the host sees of events: queries, synchronise, times, ids.

See docs/semantics/events.md#what-the-host-sees.
"""

from __future__ import annotations

from tests.conformance.registry import row, rows
from tests.conformance.world import EXTERNAL, IPC, MS, SYNC, TIME_LINE, World


def recorded_behind_work(w: World, event: int, ns: int = 5 * MS) -> int:
    """A stream with *ns* of work and then a record of *event*."""
    stream = w.stream()
    w.work(stream, ns)
    w.ok("aclrtRecordEvent", event, stream)
    return stream


@rows(
    ("stream-0318", "aclrtQueryEvent", ("ex", "external", "ipc")),
    ("stream-0323", "aclrtQueryEventStatus", ("external",)),
    ("stream-0325", "aclrtQueryEventWaitStatus", ("ex", "external", "ipc")),
    ("stream-0329", "aclrtSynchronizeEvent", ("external",)),
    ("stream-0338", "aclrtEventElapsedTime", ("external", "ipc")),
    ("stream-0342", "aclrtGetEventId", ("ipc",)),
)
def refused_families(w: World, name: str, kinds: tuple[str, ...]) -> None:
    makers = {"ex": w.ex, "external": lambda: w.level(EXTERNAL), "ipc": lambda: w.ex(IPC)}
    for kind in kinds:
        event = makers[kind]()
        if name == "aclrtEventElapsedTime":
            w.expect(name, event, w.auto())
            w.expect(name, w.auto(), event)
        else:
            w.expect(name, event)


@row("stream-0319", "stream-case-035")
def old_query(w: World) -> None:
    for event in (w.auto(), w.level(), w.level(TIME_LINE)):
        w.same(w.ok("aclrtQueryEvent", event), 0, "never recorded")
        stream = recorded_behind_work(w, event)
        w.same(w.ok("aclrtQueryEvent", event), 1, "pending")
        w.ok("aclrtSynchronizeStream", stream)
        w.same(w.ok("aclrtQueryEvent", event), 0, "done")


@row("stream-0321")
def recorded_status(w: World) -> None:
    never = {w.auto: 0, w.level: 0, w.ex: 1}
    for make, expected in never.items():
        event = make()
        w.same(w.expect("aclrtQueryEventStatus", event), (expected,), "never recorded")
        stream = recorded_behind_work(w, event)
        w.same(w.expect("aclrtQueryEventStatus", event), (0,), "pending")
        w.ok("aclrtSynchronizeStream", stream)
        w.same(w.expect("aclrtQueryEventStatus", event), (1,), "done")
    w.same(w.expect("aclrtQueryEventStatus", w.ex(TIME_LINE)), (1,), "Ex with TIME_LINE, never recorded")
    w.same(w.expect("aclrtQueryEventStatus", w.level(TIME_LINE)), (0,), "TIME_LINE, never recorded")


@row("stream-0322")
def status_after_a_reset(w: World) -> None:
    event = w.level()
    stream = recorded_behind_work(w, event)
    w.ok("aclrtSynchronizeStream", stream)
    w.ok("aclrtResetEvent", event, stream)
    w.ok("aclrtSynchronizeStream", stream)
    w.same(w.expect("aclrtQueryEventStatus", event), (1,), "the status")
    w.same(w.ok("aclrtQueryEvent", event), 0, "the old status")


@row("stream-0324")
def status_in_stop_mode(w: World) -> None:
    event, stream = w.auto(), w.stream()
    w.ok("aclrtSetStreamFailureMode", stream, 1)
    w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtSynchronizeStream", stream)
    w.fault(stream, 507015)
    w.refuse(507015, "aclrtSynchronizeStream", stream)
    for _ in range(2):
        w.refuse(507015, "aclrtQueryEventStatus", event)


@row("stream-0326")
def wait_status(w: World) -> None:
    event, waiting = w.auto(), w.stream()
    w.same(w.expect("aclrtQueryEventWaitStatus", event), (0,), "never recorded")
    stream = recorded_behind_work(w, event)
    w.same(w.expect("aclrtQueryEventWaitStatus", event), (0,), "recorded, nobody waits")
    w.ok("aclrtStreamWaitEvent", waiting, event)
    w.same(w.expect("aclrtQueryEventWaitStatus", event), (1,), "a wait is outstanding")
    w.ok("aclrtSynchronizeStream", waiting)
    w.same(w.expect("aclrtQueryEventWaitStatus", event), (0,), "the wait is over")
    stamp = w.level(TIME_LINE)
    w.ok("aclrtRecordEvent", stamp, stream)
    w.same(w.expect("aclrtQueryEventWaitStatus", stamp), (0,), "no sync ability")


@row("stream-0327")
def synchronize_what_was_never_recorded(w: World) -> None:
    for event in (w.auto(), w.level(), w.ex(), w.level(TIME_LINE)):
        w.expect("aclrtSynchronizeEvent", event)


@row("stream-0328", faces="c", threads="deterministic")
def synchronize_the_record_that_is_latest_now(w: World) -> None:
    event, early, late, other = w.ex(), w.stream(), w.stream(), w.stream()
    ran: list[int] = []
    context = w.ok("aclrtGetCurrentContext")
    w.work(early, 5 * MS, ran)
    w.ok("aclrtRecordEvent", event, early)

    def again(_: object) -> None:
        w.ok("aclrtSetCurrentContext", context)
        w.work(late, 50 * MS, ran)
        w.ok("aclrtRecordEvent", event, late)

    w.work(other, MS)  # the function comes when the main thread waits already
    w.ok("aclrtLaunchHostFunc", other, again, None)
    w.expect("aclrtSynchronizeEvent", event)
    w.same(len(ran), 1, "tasks that ran: not those before the later record")
    w.expect("aclrtSynchronizeEvent", event)
    w.same(len(ran), 2, "tasks that ran before the newest record")


@row("stream-0331")
def synchronize_without_a_context(w: World) -> None:
    event = w.auto()
    recorded_behind_work(w, event)
    w.in_thread(lambda: w.expect("aclrtSynchronizeEvent", event))


@rows(("stream-0332", (-2, -(2**31))), ("stream-0333", (0,)), ("stream-case-023", (-2,)))
def bad_timeout(w: World, timeouts: tuple[int, ...]) -> None:
    event = w.auto()
    for timeout in timeouts:
        w.refuse(107000, "aclrtSynchronizeEventWithTimeout", event, timeout)
    w.ok("aclrtSynchronizeEventWithTimeout", event, -1)


@row("stream-0334", "stream-case-038")
def synchronize_in_time(w: World) -> None:
    event = w.auto()
    recorded_behind_work(w, event, 150 * MS)
    w.refuse(507047, "aclrtSynchronizeEventWithTimeout", event, 100)
    w.ok("aclrtSynchronizeEventWithTimeout", event, 100)


@rows(("stream-0335", True), ("stream-case-095", False))
def elapsed_time_of_what_was_never_recorded(w: World, one: bool) -> None:
    for make in (w.auto, lambda: w.level(SYNC | TIME_LINE), lambda: w.ex(TIME_LINE)):
        first, second = make(), make()
        w.refuse(507000, "aclrtEventElapsedTime", first, second)
        if one:
            stream = w.stream()
            w.ok("aclrtRecordEvent", first, stream)
            w.ok("aclrtSynchronizeStream", stream)
            w.refuse(507000, "aclrtEventElapsedTime", first, second)
            w.refuse(507000, "aclrtEventElapsedTime", second, first)


@row("stream-0336")
def elapsed_time_too_early(w: World) -> None:
    first, second, timeless = w.auto(), w.auto(), w.level(SYNC)
    stream = w.stream()
    w.ok("aclrtRecordEvent", first, stream)
    w.ok("aclrtRecordEvent", timeless, stream)
    w.work(stream, 5 * MS)
    w.ok("aclrtRecordEvent", second, stream)
    w.ok("aclrtSynchronizeEvent", first)
    w.expect("aclrtEventElapsedTime", first, second)
    w.ok("aclrtSynchronizeStream", stream)
    w.ok("aclrtEventElapsedTime", first, second)
    w.expect("aclrtEventElapsedTime", first, timeless)
    w.expect("aclrtEventElapsedTime", timeless, second)


@row("stream-0337")
def elapsed_time(w: World) -> None:
    first, second, stream = w.auto(), w.auto(), w.stream()
    w.ok("aclrtRecordEvent", first, stream)
    w.work(stream, 5 * MS)
    w.ok("aclrtRecordEvent", second, stream)
    w.ok("aclrtSynchronizeStream", stream)
    (forward,) = w.expect("aclrtEventElapsedTime", first, second)
    (backward,) = w.expect("aclrtEventElapsedTime", second, first)
    w.same(5.0 <= forward < 5.1, True, f"{forward} ms between the records")
    w.same(backward, -forward, "the other way round")


@rows(("stream-0339", "never"), ("stream-0340", "pending"))
def time_stamp(w: World, state: str) -> None:
    event, timeless, stream = w.auto(), w.level(SYNC), w.stream()
    if state == "never":
        for made in (event, timeless, w.level(TIME_LINE)):
            w.expect("aclrtEventGetTimestamp", made)
        return
    w.work(stream, 5 * MS)
    w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtRecordEvent", timeless, stream)
    w.expect("aclrtEventGetTimestamp", event)
    w.ok("aclrtSynchronizeStream", stream)
    w.expect("aclrtEventGetTimestamp", timeless)
    w.same(w.ok("aclrtEventGetTimestamp", event) >= 5000, True, "microseconds")


@row("stream-0341")
def id_of_what_has_none(w: World) -> None:
    for event in (w.auto(), w.ex(), w.level(TIME_LINE), w.ex(TIME_LINE)):
        w.expect("aclrtGetEventId", event)
    w.ok("aclrtGetEventId", w.level())


@row("stream-0343")
def handle_of_an_event_for_this_process(w: World) -> None:
    for event in (w.auto(), w.level(), w.ex(), w.ex(TIME_LINE)):
        w.expect("aclrtIpcGetEventHandle", event)


@row("stream-0344", bare=True)
def open_an_event_without_a_context(w: World) -> None:
    from ascend_sim.ascendcl import structs

    w.expect("aclrtIpcOpenEventHandle", structs.aclrtIpcEventHandle())
