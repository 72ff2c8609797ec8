"""Which edge is missing between two accesses, and the call that would add it.

Computed over the calls that were *submitted*, not over this schedule (``spec/prototypes/races_and_explorer.md`` 7, the
table of ``reports.md`` 4): from the earlier access follow records, the waits bound to them, later records, and note the
earliest position that is reached in every stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.findings.wording import Names, line_of, lines_apart, pyacl_face
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.observers.races.sync_log import SyncCall, SyncLog
    from ascend_sim.runtime.stream import Stream

__all__ = ["Advice", "advise", "in_callback"]


@attrs.frozen
class Advice:
    """*order*: what the program did; *fix*: what to do, first line a sentence, further lines code. *calls*: to be shown."""

    order: str
    fix: str
    calls: tuple[tuple[str, str, Any], ...] = ()
    """(role, label, site)"""


def advise(log: SyncLog, names: Names, earlier: Any, later: Any) -> Advice:
    """The advice for an unordered pair; each is a Task or a host call, in the order in which they ran."""
    if isinstance(earlier, Task) and isinstance(later, Task):
        if earlier.stream is later.stream:
            return _same_stream(names, earlier, later)
        return _between_streams(log, names, earlier, later)
    if isinstance(earlier, Task):
        callback = in_callback(later, earlier)
        if callback is not None:
            return _between_streams(log, names, earlier, callback)
        return _host_later(log, names, earlier, later)
    if isinstance(later, Task):
        callback = in_callback(earlier, later)
        if callback is not None and callback.op.hosted:
            return _between_streams(log, names, callback, later)
        return _host_earlier(log, names, earlier, later)
    return Advice(
        f"{earlier.thread.name} and {later.thread.name} do this in no order",
        "order the two threads: join one of them, or hand the work over through a lock or a queue",
    )


def _same_stream(names: Names, earlier: Task, later: Task) -> Advice:
    stream = names.stream(earlier.stream)
    first, second = lines_apart(earlier.site, later.site)
    who = f"{earlier.thread.name} ({first}) and {later.thread.name} ({second})"
    return Advice(
        f"{who} both submit to {stream}, and nothing orders the two calls: {stream} runs what comes first",
        "order the two submits: hand over through a lock or a queue that is empty before the second, or join the thread",
    )


def _between_streams(log: SyncLog, names: Names, earlier: Task, later: Task) -> Advice:
    a, b = earlier.stream, later.stream
    first, second = lines_apart(earlier.site, later.site)
    reached, via = _spread(log, earlier)
    waits = [call for call in log.of(b) if call.name == "wait" and call.before(later)]
    name_a, name_b = names.stream(a), names.stream(b)
    later_waits = [call for call in waits if call.host is not log.clock_of(earlier) or call.q >= earlier.q]
    for call in reversed(later_waits):  # 1: a wait that orders nothing
        if _orders_nothing(call):
            return Advice(
                f"the wait at {_line(call, later)} did nothing: {names.signal(call.thing)} had not been recorded",
                f"record {names.signal(call.thing)} on {name_a} after {first}, before the wait",
                (("wait", "waits for an event that was never recorded: no effect", call.site),),
            )
        if call.record is not None and call.record.stream is b:
            recorded = log.call_of(call.record)
            where = f" ({_line(recorded, later)})" if recorded is not None else ""
            return Advice(
                f"the wait at {_line(call, later)} did nothing: same stream. {names.signal(call.thing)} was recorded on "
                f"{name_b} itself{where}, not on {name_a}",
                f"record on {name_a}, wait on {name_b}:\n" + _record(names, call.thing, a, later),
                _shown(names, recorded, call),
            )
    for call in reversed(waits):  # 2: a wait for a record that comes too early
        record = call.record
        if record is None:
            continue
        recorded = log.call_of(record)
        if recorded is None or record.stream not in reached:
            continue
        host, position = reached[record.stream]
        if not (recorded.host is host and recorded.q <= position):
            continue
        event = names.signal(call.thing)
        if record.stream is a:
            return Advice(
                f"{name_b} last waited for {name_a} at {_line(call, later)}, for the {_noun(recorded)} at "
                f"{_line(recorded, later)}: before {first}",
                f"move the {_noun(recorded)} after {first}, and the wait after it:\n"
                + _both(names, call.thing, a, b, later),
                _shown(names, recorded, call),
            )
        middle = names.stream(record.stream)
        source = via.get(record.stream)
        after = f" ({_line(source, later)})" if source is not None else ""
        return Advice(
            f"{name_b} waits at {_line(call, later)} for {event} as {_done(recorded)} on {middle} at "
            f"{_line(recorded, later)}; {middle} came after {first} only later{after}",
            f"{_noun(recorded)} {event} again on {middle} after {middle}'s wait{after}:\n"
            + _record(names, call.thing, record.stream, later),
            _shown(names, recorded, call)
            + ((("wait", f"from here on {middle} is after it", source.site),) if source else ()),
        )
    fit = _fitting(log, reached, b)
    if fit is not None:  # 3: a record that covers the access exists
        late = next((c for c in log.of(b) if c.name == "wait" and c.record is fit.task and not c.before(later)), None)
        if late is not None:
            return Advice(
                f"the wait at {_line(late, later)} comes after the access at {second}",
                f"move the wait before {second}",
                (("wait", "too late", late.site),),
            )
        idle = next((c for c in reversed(waits) if _orders_nothing(c) and c.thing is fit.thing), None)
        if idle is not None:
            return Advice(
                f"the wait at {_line(idle, later)} did nothing: {names.signal(fit.thing)} had not been recorded; it is at "
                f"{_line(fit, later)}",
                f"move the wait behind the record at {_line(fit, later)}, before {second}:\n"
                + _wait(names, fit.thing, b, later),
                (
                    ("wait", "waits for an event that was never recorded: no effect", idle.site),
                    ("sync", f"recorded here on {names.stream(fit.stream)}", fit.site),
                ),
            )
        own = next((c for c in log.of(fit.stream) if c.name == "wait" and c.record is fit.task), None)
        mistaken = f"; the wait at {_line(own, later)} did nothing: same stream" if own is not None else ""
        return Advice(
            f"{names.signal(fit.thing)} is recorded at {_line(fit, later)}, but {name_b} does not wait for it{mistaken}",
            f"before {second}:\n" + _wait(names, fit.thing, b, later),
            (
                ("sync", f"recorded here on {names.stream(fit.stream)}", fit.site),
                *(
                    (("wait", f"makes {names.stream(fit.stream)} wait for itself", own.site),)
                    if own is not None
                    else ()
                ),
            ),
        )
    foreign = [c for c in later_waits if c.record is not None and c.record.stream not in reached]
    if foreign:  # the event was recorded on a third stream
        call = foreign[-1]
        recorded = log.call_of(call.record)
        where = f" ({_line(recorded, later)})" if recorded is not None else ""
        third = names.stream(call.record.stream)  # type: ignore[union-attr]
        return Advice(
            f"{names.signal(call.thing)}, for which {name_b} waits at {_line(call, later)}, was {_done(recorded)} on "
            f"{third}{where}, not on {name_a}",
            f"{_noun(recorded)} on {name_a} after {first}, wait on {name_b}:\n" + _both(names, call.thing, a, b, later),
            _shown(names, recorded, call),
        )
    void = next((c for c in reversed(log.of(a)) if _orders_nothing(c) and c.before(earlier)), None)
    if void is not None:  # the earlier one was to come later: its own wait did nothing
        event, where = names.signal(void.thing), _line(void, later)
        return Advice(
            f"the wait at {where} did nothing: {event} had not been recorded",
            f"let {second} and a record of {event} on {name_b} come before the wait at {where}; or, to keep this order, "
            f"record after {first} and wait before {second}:\n" + _both(names, None, a, b, later),
            (("wait", "waits for an event that was never recorded: no effect", void.site),),
        )
    default = " (the default stream orders nothing)" if a is a.context.default or b is b.context.default else ""
    return Advice(  # 4: no sync at all
        f"{name_b} has never waited for {name_a}{default}",
        f"record on {name_a} after {first}, wait on {name_b} before {second}:\n" + _both(names, None, a, b, later),
    )


def _orders_nothing(call: SyncCall) -> bool:
    """Whether it is a wait for an event that was never recorded."""
    return call.name == "wait" and call.task is None and call.record is None


def _spread(log: SyncLog, earlier: Task) -> tuple[dict[Stream, tuple[Any, int]], dict[Stream, SyncCall]]:
    """For each stream that follows *earlier*: (clock of the submitter, earliest number), and the wait that led there."""
    reached: dict[Stream, tuple[Any, int]] = {earlier.stream: (log.clock_of(earlier), earlier.q)}
    via: dict[Stream, SyncCall] = {}
    changed = True
    while changed:
        changed = False
        for call in log.all():
            if call.name != "wait" or call.record is None or call.stream is call.record.stream:
                continue
            recorded = log.call_of(call.record)
            if recorded is None or recorded.stream not in reached:
                continue
            host, position = reached[recorded.stream]
            if recorded.host is host and recorded.q <= position:
                continue
            old = reached.get(call.stream)
            if old is None or (old[0] is call.host and call.q < old[1]):
                reached[call.stream] = (call.host, call.q)
                via[call.stream] = call
                changed = True
    return reached, via


def _fitting(log: SyncLog, reached: dict[Stream, tuple[Any, int]], b: Stream) -> SyncCall | None:
    """The first record that covers the access."""
    for call in log.all():
        if call.name == "record" and call.stream in reached and call.stream is not b and hasattr(call.thing, "latest"):
            host, position = reached[call.stream]
            if call.host is host and call.q > position and call.thing.latest is call.task:
                return call
    return None


def in_callback(access: Any, task: Task) -> Task | None:
    """The callback in which *access* is made, when it was queued on another stream than *task*: it stands for it."""
    callback: Task | None = access.serving
    return callback if callback is not None and callback.stream is not task.stream else None


def _let_go(access: Any, task: Task) -> bool:
    """Whether *access* is made in a callback that the stream of *task* did not wait for."""
    callback = access.serving
    return callback is not None and callback.stream is task.stream and not callback.op.hosted


def _no_block(names: Names, access: Any) -> Advice:
    callback = access.serving
    stream, where = names.stream(callback.stream), line_of(callback.site, access.site)
    return Advice(
        f"the callback was queued on {stream} with NO_BLOCK ({where}): {stream} runs on meanwhile",
        f"queue the callback with ACL_CALLBACK_BLOCK (1): {stream} then waits for it; or a buffer for each round",
        (("submit", "the callback was queued here", callback.site),),
    )


def _host_later(log: SyncLog, names: Names, earlier: Task, later: Any) -> Advice:
    if _let_go(later, earlier):
        return _no_block(names, later)
    stream = names.stream(earlier.stream)
    where = line_of(later.site)
    last = log.last_wait(later.thread, earlier.stream)
    who = "the host" if later.thread.number == 0 else later.thread.name
    if later.call.startswith(("aclrtMemcpy", "aclrtMemset")):
        tail = f"; {later.call} is ordered with no stream"
    elif "Free" in later.call:
        tail = f"; {later.call} waits for no stream"
    else:
        tail = ""
    if earlier.op.kind == "callback" and not earlier.op.hosted:
        tail += "; NO_BLOCK lets the stream run on"
    if last is not None and not last[1] >= earlier.q:
        order = f"{who} last waited for {stream} at {line_of(last[0], later.site)}, before the task was queued{tail}"
    else:
        order = f"{who} has not waited for {stream}{tail}"
    call = "acl.rt.synchronize_stream" if pyacl_face(later.site) else "aclrtSynchronizeStream"
    return Advice(order, f"before {where}:\n{call}({names.plain(earlier.stream)})")


def _host_earlier(log: SyncLog, names: Names, earlier: Any, later: Task) -> Advice:
    stream = names.stream(later.stream)
    queued = line_of(later.site, earlier.site)
    call = "acl.rt.synchronize_stream" if pyacl_face(earlier.site) else "aclrtSynchronizeStream"
    if _let_go(earlier, later):
        return _no_block(names, earlier)
    if earlier.thread is later.thread:
        return Advice(
            f"the {later.op.kind} was queued on {stream} at {queued} and uses the memory when it runs; the host did not "
            f"wait for it before {line_of(earlier.site)}",
            f"before {line_of(earlier.site)}: wait for {stream}, or use a second buffer\n"
            f"{call}({names.plain(later.stream)})",
        )
    return Advice(
        f"{earlier.thread.name} does this in no order with the submit in {later.thread.name} at {queued}",
        f"let {later.thread.name} submit after {earlier.thread.name} is done (join, lock, queue), "
        f"or synchronise {stream} first",
    )


# -- pieces ----------------------------------------------------------------------------------------------------------


def _line(call: SyncCall | None, beside: Task) -> str:
    return line_of(call.site, beside.site) if call is not None else "an unknown place"


def _noun(recorded: SyncCall | None) -> str:
    """What the call that lets a wait pass is: a record, or the write of a value."""
    return "write" if recorded is not None and hasattr(recorded.thing, "offset") else "record"


def _done(recorded: SyncCall | None) -> str:
    return "written" if _noun(recorded) == "write" else "recorded"


def _shown(names: Names, recorded: SyncCall | None, wait: SyncCall) -> tuple[tuple[str, str, Any], ...]:
    shown: list[tuple[str, str, Any]] = []
    if recorded is not None:
        does = f"{_noun(recorded)}s {names.signal(recorded.thing)} on {names.stream(recorded.stream)}"
        shown.append(("sync", does, recorded.site))
    shown.append(("wait", f"makes {names.stream(wait.stream)} wait for {names.signal(wait.thing)}", wait.site))
    return tuple(shown)


def _record(names: Names, event: Any, stream: Stream, beside: Task) -> str:
    if hasattr(event, "place"):
        call = "acl.rt.value_write" if pyacl_face(beside.site) else "aclrtValueWrite"
        return f"{call}({names.address(event.place)}, {event.value}, 0, {names.plain(stream)})"
    name = names.plain(event) if event is not None else "ready"
    if hasattr(event, "notify_id"):
        call = "acl.rt.record_notify" if pyacl_face(beside.site) else "aclrtRecordNotify"
        return f"{call}({name}, {names.plain(stream)})"
    call, null = ("acl.rt.record_event", "0") if pyacl_face(beside.site) else ("aclrtRecordEvent", "None")
    return f"{call}({name}, {names.plain(stream, null)})"


def _wait(names: Names, event: Any, stream: Stream, beside: Task) -> str:
    if hasattr(event, "place"):
        call = "acl.rt.value_wait" if pyacl_face(beside.site) else "aclrtValueWait"
        return f"{call}({names.address(event.place)}, {event.value}, {event.condition}, {names.plain(stream)})"
    name = names.plain(event) if event is not None else "ready"
    if hasattr(event, "notify_id"):
        call = "acl.rt.wait_and_reset_notify" if pyacl_face(beside.site) else "aclrtWaitAndResetNotify"
        return f"{call}({name}, {names.plain(stream)}, 0)"
    call, null = ("acl.rt.stream_wait_event", "0") if pyacl_face(beside.site) else ("aclrtStreamWaitEvent", "None")
    return f"{call}({names.plain(stream, null)}, {name})"


def _both(names: Names, event: Any, a: Stream, b: Stream, beside: Task) -> str:
    return _record(names, event, a, beside) + "\n" + _wait(names, event, b, beside)
