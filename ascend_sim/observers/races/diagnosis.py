"""Which edge is missing between two accesses, and the call that would add it.

A pair of unordered accesses is a `Case`. What may be wrong with it is a table of diagnoses for each combination of tasks
and host calls: functions that recognise one mistake and give advice, tried in order, the most particular first. They look
at the calls that were *submitted*, not at what this schedule made of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from ascend_sim.findings.wording import Names, called, line_of, lines_apart, remarked, sites_apart, the_work
from ascend_sim.runtime.event import FlagGate
from ascend_sim.runtime.task import Task
from ascend_sim.source.callsite import points
from ascend_sim.source.fence import fenced

if TYPE_CHECKING:
    from ascend_sim.observers.races.accesses import HostCall
    from ascend_sim.observers.races.sync_log import SyncCall, SyncLog
    from ascend_sim.runtime.stream import Stream

__all__ = ["Advice", "Case", "advise", "submitted", "unless_hidden"]

Shown = tuple[tuple[str, str, Any], ...]
"""Calls that a report shows: (role, label, site) of each."""


T = TypeVar("T")


class Once(Generic[T]):
    """A property that is worked out once: `functools.cached_property` without the lock that it takes before Python 3.12,
    which costs as much as what is worked out here."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    def __get__(self, case: Any, owner: Any) -> T:
        value = case.__dict__[self._name] = self._work(case)
        return value


class Advice:
    """*calls*: to be shown. *words*: makes `order` and `fix`, when they are asked for; a search that has told of the same
    places before does not ask."""

    def __init__(self, words: Callable[[], tuple[str, str]], calls: Shown = ()) -> None:
        self._words = words
        self.calls = calls

    @Once
    @fenced(lambda self: ("", ""))
    def _said(self) -> tuple[str, str]:
        return self._words()

    @property
    def order(self) -> str:
        """What the program did."""
        return self._said[0]

    @property
    def fix(self) -> str:
        """What to do: the first line is a sentence, further lines are code."""
        return self._said[1]


def unless_hidden(hidden: str) -> Advice:
    """What is said of calls of two threads that only *hidden* may order."""
    order = f"no lock, wait or join orders the two threads; {hidden} may, and such an order is not seen here"
    fix = "let the one call come before it and the other behind it; what a mutex, a condition or a join orders is seen"
    return Advice(lambda: (order, fix))


class Case:
    """Two tasks on two streams that nothing orders, *earlier* and *later* in the order of the program.

    What several diagnoses look for is looked for once, when the first of them asks.
    """

    def __init__(self, log: SyncLog, names: Names, earlier: Task, later: Task) -> None:
        self.log = log
        self.names = names
        self.earlier = earlier
        self.later = later
        self.a: Stream = earlier.stream
        self.b: Stream = later.stream

    @Once
    def _lines(self) -> tuple[str, str]:
        return lines_apart(self.earlier.site, self.later.site)

    @property
    def first(self) -> str:
        """The line of the earlier task."""
        return self._lines[0]

    @property
    def second(self) -> str:
        """The line of the later task."""
        return self._lines[1]

    @Once
    def name_a(self) -> str:
        """The stream of the earlier task."""
        return self.names.stream(self.a)

    @Once
    def name_b(self) -> str:
        """The stream of the later task."""
        return self.names.stream(self.b)

    def line(self, call: SyncCall | None) -> str:
        """The line of *call*, as a report about this case says it."""
        return line_of(call.site, self.later.site) if call is not None else "an unknown place"

    def behind(self, call: SyncCall | None) -> str:
        """The line of *call* in brackets, after its noun; empty when it is not remembered."""
        return f" ({self.line(call)})" if call is not None else ""

    def round_of(self, call: SyncCall) -> str:
        """Which round of a loop made *call*: `` of round 2``; empty when its line ran once."""
        same = [c for c in self.log.all() if c.name == call.name and c.site == call.site]
        return f" of round {same.index(call) + 1}" if len(same) > 1 else ""

    @Once
    def waits(self) -> list[SyncCall]:
        """The waits of the later stream that were called before the later task was queued, oldest first."""
        return [call for call in self.log.of(self.b) if call.name == "wait" and call.before(self.later)]

    @Once
    def later_waits(self) -> list[SyncCall]:
        """Those of `waits` that the program may have meant for the earlier task: called after it, or by another thread."""
        return [w for w in self.waits if w.host is not self.log.clock_of(self.earlier) or w.q >= self.earlier.q]

    @Once
    def idle_wait(self) -> SyncCall | None:
        """The latest of `later_waits` that does nothing, for whatever reason."""
        for call in reversed(self.later_waits):
            if _orders_nothing(call) or (call.record is not None and call.record.stream is self.b):
                return call
        return None

    @Once
    def spread(self) -> tuple[dict[Stream, tuple[Any, int]], dict[Stream, SyncCall]]:
        """For each stream that follows *earlier*: (clock of the submitter, earliest number), and the wait that led there.

        From the earlier task on: records behind it, the waits bound to them, later records on those streams.
        """
        log = self.log
        reached: dict[Stream, tuple[Any, int]] = {self.a: (log.clock_of(self.earlier), self.earlier.q)}
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

    @Once
    def early_record(self) -> tuple[SyncCall, SyncCall] | None:
        """(wait, record): the latest wait whose record was called before its stream came after the earlier task."""
        reached, _ = self.spread
        for call in reversed(self.waits):
            recorded = self.log.call_of(call.record)
            if recorded is None or recorded.stream not in reached:
                continue
            host, position = reached[recorded.stream]
            if recorded.host is host and recorded.q <= position:
                return call, recorded
        return None

    @Once
    def covering_record(self) -> SyncCall | None:
        """The first record that comes after the earlier task, and is what its event still holds."""
        reached, _ = self.spread
        for call in self.log.all():
            if (
                call.name == "record"
                and call.stream in reached
                and call.stream is not self.b
                and self._holds(call)
                and self.names.has(call.thing)
            ):
                host, position = reached[call.stream]
                if call.host is host and call.q > position:
                    return call
        return None

    def _holds(self, record: SyncCall) -> bool:
        """Whether a wait of the later stream could still be for *record*: an event has its latest, a notify one that no
        wait of another stream took."""
        if not hasattr(record.thing, "notify_id"):
            return getattr(record.thing, "latest", None) is record.task
        taker = next((c for c in self.log.all() if c.name == "wait" and c.record is record.task), None)
        return taker is None or taker.stream is self.b


# -- two tasks on two streams --------------------------------------------------------------------------------------------


def waits_for_nothing(case: Case) -> Advice | None:
    """The wait is there, and its event had not been recorded when it was called: the runtime drops such a wait."""
    call = case.idle_wait
    if call is None or not _orders_nothing(call):
        return None
    event = case.names.signal(call.thing)
    return Advice(
        lambda: (
            f"the wait at {case.line(call)} did nothing: {event} had not been recorded",
            f"record {event} on {case.name_a} after {case.first}, before the wait",
        ),
        (("wait", "waits for an event that was never recorded: no effect", call.site),),
    )


def waits_for_its_own_stream(case: Case) -> Advice | None:
    """The record went to the stream that waits, where order is given anyhow, instead of the stream of the earlier task."""
    call = case.idle_wait
    if call is None:
        return None
    recorded = case.log.call_of(call.record)
    return Advice(
        lambda: (
            f"the wait at {case.line(call)} did nothing: same stream. {case.names.signal(call.thing)} was recorded on "
            f"{case.name_b} itself{case.behind(recorded)}, not on {case.name_a}",
            f"record on {case.name_a}, wait on {case.name_b}:\n"
            + _record(case.names, call.thing, case.a, case.earlier, call, recorded),
        ),
        _shown(case.names, recorded, call),
    )


def passed_by_an_older_round(case: Case) -> Advice | None:
    """Record and wait stand where they should; the flag, or the value, was still there from an earlier record.

    A wait takes the flag of a notify away; one that was recorded once more than awaited has it still.
    """
    for wait in reversed(case.waits):
        word = _level(wait)
        if word is None:
            continue
        calls, host = case.log.all(), case.log.clock_of(case.earlier)
        made = [c for c in calls if c.name == "record" and _place(c.thing) == word and c.host is host]
        meant = next((c for c in made if c.stream is case.a and case.earlier.q < c.q), None)
        if meant is None or (wait.host is host and wait.q < meant.q):
            continue
        if hasattr(wait.thing, "notify_id"):
            taken = case.log.call_of(wait.record)
            return _record_left_over(case, wait, taken, meant) if taken in made and taken.q < case.earlier.q else None
        older = [c for c in made if c.q < case.earlier.q]
        if (
            not older
            or calls.index(wait) < calls.index(older[-1])
            or any(
                c.name == "reset" and c.thing is wait.thing for c in calls[calls.index(older[-1]) : calls.index(wait)]
            )
        ):
            return None
        return _older_round(case, wait, older[-1], meant)
    return None


def _level(wait: SyncCall) -> Any:
    """What lets *wait* pass whenever it is so: a notify, the event of a flag, the place of a value; None for others."""
    gate = wait.task.op.gate if wait.task is not None else None
    level = isinstance(gate, FlagGate) or hasattr(wait.thing, "condition") or hasattr(wait.thing, "notify_id")
    return _place(wait.thing) if level else None


def _place(thing: Any) -> Any:
    """The event, or the block and the byte of a watched value."""
    place = getattr(thing, "place", thing)
    return (place.block, place.offset) if hasattr(place, "offset") else thing


def _older_round(case: Case, wait: SyncCall, older: SyncCall, meant: SyncCall) -> Advice:
    names, noun, signal = case.names, _noun(older), case.names.signal(wait.thing)
    order = (
        f"the wait at {case.line(wait)}{case.round_of(wait)} was passed by the {noun} at {case.line(older)}"
        f"{case.round_of(older)}: {signal} was still {'there' if noun == 'write' else 'set'}; it did not wait for the "
        f"{noun} at {case.line(meant)}{case.round_of(meant)}"
    )
    if noun == "write":
        gate, beside = wait.thing, case.later
        to, stream = names.address(gate.place, meant.site), names.typed(meant.stream, meant.site, (meant.site,))
        by, waiter = names.address(gate.place, wait.site), names.typed(case.b, wait.site, (wait.site,))
        fix = "let each round write and await a value of its own, with i counting the rounds:\n" + "\n".join((
            f"{called('aclrtValueWrite', beside.site)}({to}, i + 1, 0, {stream})",
            f"{called('aclrtValueWait', beside.site)}({by}, i + 1, {gate.condition}, {waiter})",
        ))  # fmt: skip
    else:
        call = called("aclrtResetEvent", case.later.site)
        fix = (
            f"reset {signal} after the wait at {case.line(wait)}; or make it with "
            f"{called('aclrtCreateEventExWithFlag', case.later.site)}, whose waits are bound to the latest record:\n"
            f"{call}({names.typed(wait.thing, wait.site, (wait.site,))}, "
            f"{names.typed(case.b, wait.site, (wait.site,), _null(call))})"
        )
    return Advice(lambda: (order, fix), _shown(names, older, wait))


def _record_left_over(case: Case, wait: SyncCall, taken: SyncCall, meant: SyncCall) -> Advice:
    names = case.names
    signal, older = names.signal(wait.thing), f"the record at {case.line(taken)}{case.round_of(taken)}"
    return Advice(
        lambda: (
            f"the wait at {case.line(wait)}{case.round_of(wait)} was passed by {older}: no wait had taken {signal} since; "
            f"it did not wait for the record at {case.line(meant)}{case.round_of(meant)}",
            f"leave out {older}, or let a wait of its own take it: two records of a notify before a wait are one; or order "
            "the two by an event, whose waits are bound to the latest record:\n" + _both(case, None),
        ),
        _shown(names, taken, wait),
    )


def recorded_too_early(case: Case) -> Advice | None:
    """The later stream waits for a record of the right stream that was called before the earlier task was queued."""
    if case.early_record is None or case.early_record[1].stream is not case.a:
        return None
    call, recorded = case.early_record
    noun = _noun(recorded)
    return Advice(
        lambda: (
            f"{case.name_b} last waited for {case.name_a} at {case.line(call)}, for the {noun} at {case.line(recorded)}: "
            f"before {case.first}",
            f"move the {noun} after {case.first}, and the wait after it:\n" + _both(case, call.thing, call, recorded),
        ),
        _shown(case.names, recorded, call),
    )


def recorded_too_early_on_the_way(case: Case) -> Advice | None:
    """The chain goes over a stream between, which was recorded before its own wait put it behind the earlier task."""
    if case.early_record is None:
        return None
    call, recorded = case.early_record
    event, middle = case.names.signal(call.thing), case.names.stream(recorded.stream)
    source = case.spread[1].get(recorded.stream)
    after = case.behind(source)
    shown = _shown(case.names, recorded, call)
    if source is not None:
        shown += (("wait", f"from here on {middle} is after it", source.site),)
    return Advice(
        lambda: (
            f"{case.name_b} waits at {case.line(call)} for {event} as {_done(recorded)} on {middle} at "
            f"{case.line(recorded)}; {middle} came after {case.first} only later{after}",
            f"{_noun(recorded)} {event} again on {middle} after {middle}'s wait{after}:\n"
            + _record(case.names, call.thing, recorded.stream, recorded, call),
        ),
        shown,
    )


def waits_too_late(case: Case) -> Advice | None:
    """Record and wait are there, and the wait was called after the later task had been queued."""
    fit = case.covering_record
    if fit is None:
        return None
    waits = (c for c in case.log.of(case.b) if c.name == "wait" and c.record is fit.task)
    late = next((c for c in waits if not c.before(case.later)), None)
    if late is None:
        return None
    return Advice(
        lambda: (
            f"the wait at {case.line(late)} comes after the access at {case.second}",
            f"move the wait before {case.second}",
        ),
        (("wait", "too late", late.site),),
    )


def waits_before_the_record(case: Case) -> Advice | None:
    """Record and wait are there in the wrong order: the wait came first, found nothing recorded, and was dropped."""
    fit = case.covering_record
    if fit is None:
        return None
    idle = next((c for c in reversed(case.waits) if _orders_nothing(c) and c.thing is fit.thing), None)
    if idle is None:
        return None
    return Advice(
        lambda: (
            f"the wait at {case.line(idle)} did nothing: {case.names.signal(fit.thing)} had not been recorded; it is at "
            f"{case.line(fit)}",
            f"move the wait behind the record at {case.line(fit)}, before {case.second}:\n"
            + _wait(case.names, fit.thing, case.b, case.later, idle, fit),
        ),
        (
            ("wait", "waits for an event that was never recorded: no effect", idle.site),
            ("sync", f"recorded here on {case.names.stream(fit.stream)}", fit.site),
        ),
    )


def recorded_and_not_awaited(case: Case) -> Advice | None:
    """The record is there, the wait of the later stream is missing; perhaps the recording one waits in its place."""
    fit = case.covering_record
    if fit is None:
        return None
    where = case.names.stream(fit.stream)
    shown: Shown = (("sync", f"recorded here on {where}", fit.site),)
    mistaken = ""
    own = next((c for c in case.log.of(fit.stream) if c.name == "wait" and c.record is fit.task), None)
    if own is not None:
        mistaken = f"; the wait at {case.line(own)} did nothing: same stream"
        shown += (("wait", f"makes {where} wait for itself", own.site),)
    return Advice(
        lambda: (
            f"{case.names.signal(fit.thing)} is recorded at {case.line(fit)}, but {case.name_b} does not wait for it"
            f"{mistaken}",
            f"before {case.second}:\n" + _wait(case.names, fit.thing, case.b, case.later, fit),
        ),
        shown,
    )


def recorded_on_a_third_stream(case: Case) -> Advice | None:
    """The later stream waits, for an event that was recorded on a stream that has nothing to do with the earlier task."""
    foreign = [c for c in case.later_waits if c.record is not None and c.record.stream not in case.spread[0]]
    if not foreign:
        return None
    call = foreign[-1]
    recorded = case.log.call_of(call.record)
    third = case.names.stream(call.record.stream)  # type: ignore[union-attr]
    return Advice(
        lambda: (
            f"{case.names.signal(call.thing)}, for which {case.name_b} waits at {case.line(call)}, was {_done(recorded)} on "
            f"{third}{case.behind(recorded)}, not on {case.name_a}",
            f"{_noun(recorded)} on {case.name_a} after {case.first}, wait on {case.name_b}:\n"
            + _both(case, call.thing, call, recorded),
        ),
        _shown(case.names, recorded, call),
    )


def earlier_waits_for_nothing(case: Case) -> Advice | None:
    """The order was meant the other way round: the earlier task has a wait before it, which was dropped."""
    void = next((c for c in reversed(case.log.of(case.a)) if _orders_nothing(c) and c.before(case.earlier)), None)
    if void is None:
        return None
    event, where = case.names.signal(void.thing), case.line(void)
    return Advice(
        lambda: (
            f"the wait at {where} did nothing: {event} had not been recorded",
            f"let {case.second} and a record of {event} on {case.name_b} come before the wait at {where}; or, to keep this "
            f"order, record after {case.first} and wait before {case.second}:\n" + _both(case, void.thing, void),
        ),
        (("wait", "waits for an event that was never recorded: no effect", void.site),),
    )


def never_waited(case: Case) -> Advice:
    """Nothing in the program tries to order the two streams."""
    default = case.a is case.a.context.default or case.b is case.b.context.default
    return Advice(
        lambda: (
            f"{case.name_b} has never waited for {case.name_a}{' (the default stream orders nothing)' if default else ''}",
            f"record on {case.name_a} after {case.first}, wait on {case.name_b} before {case.second}:\n"
            + _both(case, None),
        ),
    )


BETWEEN_STREAMS: tuple[Callable[[Case], Advice | None], ...] = (
    waits_for_nothing,
    waits_for_its_own_stream,
    passed_by_an_older_round,
    recorded_too_early,
    recorded_too_early_on_the_way,
    waits_too_late,
    waits_before_the_record,
    recorded_and_not_awaited,
    recorded_on_a_third_stream,
    earlier_waits_for_nothing,
    never_waited,
)
"""What may be wrong between two streams: tried in this order. The last one fits always."""


@fenced(lambda log, names, one, other: Advice(lambda: ("", "")))
def advise(log: SyncLog, names: Names, earlier: Any, later: Any) -> Advice:
    """The advice for an unordered pair; each is a Task or a host call, in the order in which they ran.

    What a callback does stands where the callback does: it counts as its task, when that is on another stream.
    """
    if isinstance(earlier, Task) and not isinstance(later, Task):
        callback = in_callback(later, earlier)
        if callback is None:
            if (
                earlier.thread is not later.thread
                and not _let_go(later, earlier)
                and not log.called_before(earlier, later)
            ):
                return _unordered_threads(names, earlier, later)
            return _task_then_host(log, names, earlier, later)
        later = callback
    elif isinstance(later, Task) and not isinstance(earlier, Task):
        callback = in_callback(earlier, later)
        if callback is None or not callback.op.hosted:
            return _host_then_task(names, earlier, later)
        earlier = callback
    elif not isinstance(earlier, Task):
        first, second = submitted(earlier, later)
        if isinstance(first, Task) or isinstance(second, Task):
            return advise(log, names, first, second)
        for access in (earlier, later):
            if access.serving is not None and not access.serving.op.hosted:
                return _no_block(names, access)
        return Advice(
            lambda: (
                f"{earlier.thread.name} and {later.thread.name} do this in no order",
                "order the two threads: join one of them, or hand the work over through a lock or a queue",
            ),
        )
    if earlier.stream is later.stream:
        return _same_stream(names, earlier, later)
    case = Case(log, names, earlier, later)
    return next(advice for diagnose in BETWEEN_STREAMS if (advice := diagnose(case)) is not None)


# -- one stream, or a stream and the host --------------------------------------------------------------------------------


def _same_stream(names: Names, earlier: Task, later: Task) -> Advice:
    """Two threads submit to one stream."""
    stream = names.stream(earlier.stream)
    first, second = lines_apart(earlier.site, later.site)
    who = f"{earlier.thread.name} ({first}) and {later.thread.name} ({second})"
    return Advice(
        lambda: (
            f"{who} both submit to {stream}, and nothing orders the two calls: {stream} runs what comes first",
            "order the two submits: hand over through a lock or a queue that is empty before the second, or join the thread",
        ),
    )


def _orders_nothing(call: SyncCall) -> bool:
    """Whether it is a wait for an event that was never recorded."""
    return call.name == "wait" and call.task is None and call.record is None


def in_callback(access: Any, task: Task) -> Task | None:
    """The callback in which *access* is made, when it was queued on another stream than *task*: it stands for it."""
    callback: Task | None = access.serving
    return callback if callback is not None and callback.stream is not task.stream else None


def submitted(one: Any, other: Any) -> tuple[Any, Any]:
    """What has to be ordered for the accesses *one* and *other*, each a Task or a host call.

    What a callback does was ordered when the callback was queued, if its stream waits for it: that task stands for it, but
    for accesses of one stream.
    """
    if isinstance(one, Task) != isinstance(other, Task):
        host, task = (one, other) if isinstance(other, Task) else (other, one)
        stands = in_callback(host, task) or host
        return (stands, other) if host is one else (one, stands)
    if isinstance(one, Task):
        return one, other
    tasks = [x.serving if x.serving is not None and x.serving.op.hosted else x for x in (one, other)]
    if all(isinstance(x, Task) for x in tasks) and tasks[0].stream is tasks[1].stream:
        return one, other
    return tasks[0], tasks[1]


def _let_go(access: Any, task: Task) -> bool:
    """Whether *access* is made in a callback that the stream of *task* did not wait for."""
    callback = access.serving
    return callback is not None and callback.stream is task.stream and not callback.op.hosted


def _no_block(names: Names, access: HostCall) -> Advice:
    """The access is made in a callback that its stream does not wait for."""
    callback = access.serving
    stream, where = names.stream(callback.stream), line_of(callback.site, access.site)
    return Advice(
        lambda: (
            f"the callback was queued on {stream} with NO_BLOCK ({where}): {stream} runs on meanwhile",
            f"queue the callback with ACL_CALLBACK_BLOCK (1): {stream} then waits for it; or a buffer for each round",
        ),
        (("submit", "the callback was queued here", callback.site),),
    )


def _task_then_host(log: SyncLog, names: Names, earlier: Task, later: HostCall) -> Advice:
    """The host touches what a task on the device may still be using."""
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
    return Advice(
        lambda: (
            order,
            f"before {where}:\n{_synchronize(names, earlier, later.site)}",
        ),
    )


def _host_then_task(names: Names, earlier: HostCall, later: Task) -> Advice:
    """A task is queued that uses what the host still touches: in another thread, or in one that did not wait."""
    stream = names.stream(later.stream)
    queued = line_of(later.site, earlier.site)
    if _let_go(earlier, later):
        return _no_block(names, earlier)
    if earlier.thread is later.thread:
        return Advice(
            lambda: (
                f"{the_work(later.op.kind)} was queued on {stream} at {queued} and uses the memory when it runs; the host "
                f"did not wait for it before {line_of(earlier.site)}",
                f"before {line_of(earlier.site)}: wait for {stream}, or use a second buffer\n"
                f"{_synchronize(names, later, earlier.site)}",
            ),
        )
    return Advice(
        lambda: (
            f"{earlier.thread.name} does this in no order with the submit in {later.thread.name} at {queued}",
            f"let {later.thread.name} submit after {earlier.thread.name} is done (join, lock, queue)",
        ),
    )


def _unordered_threads(names: Names, task: Task, host: HostCall) -> Advice:
    """Nothing orders the access of one thread with the task that another one queues: neither its submit nor its end."""
    stream, queued, where = names.stream(task.stream), line_of(task.site, host.site), line_of(host.site)
    who, other = host.thread.name, task.thread.name
    return Advice(
        lambda: (
            f"{who} has not waited for {stream}, and nothing orders it with the submit in {other} at {queued}",
            f"hand the memory over after {queued} (a queue, a lock, join), and wait for {the_work(task.op.kind)} before "
            f"{where}; if {where} is to come first, hand it over the other way, before {queued}:\n"
            + _synchronize(names, task, host.site, f"before {where}"),
        ),
    )


# -- words and code to type ----------------------------------------------------------------------------------------------


def _noun(recorded: SyncCall | None) -> str:
    """What the call that lets a wait pass is: a record, or the write of a value."""
    return "write" if recorded is not None and hasattr(recorded.thing, "offset") else "record"


def _done(recorded: SyncCall | None) -> str:
    return "written" if _noun(recorded) == "write" else "recorded"


def _shown(names: Names, recorded: SyncCall | None, wait: SyncCall) -> Shown:
    shown: list[tuple[str, str, Any]] = []
    if recorded is not None:
        does = f"{_noun(recorded)}s {names.signal(recorded.thing)} on {names.stream(recorded.stream)}"
        shown.append(("sync", does, recorded.site))
    shown.append(("wait", f"makes {names.stream(wait.stream)} wait for {names.signal(wait.thing)}", wait.site))
    return tuple(shown)


def _record(names: Names, event: Any, stream: Stream, beside: Any, *uses: SyncCall | None) -> str:
    """The call that records *event* on *stream*, typed beside the call of *beside*; None: an event still to be made.

    *uses*: calls that have the event among their arguments.
    """
    site = beside.site
    where = names.typed(stream, site, _using(stream, beside, *uses))
    if hasattr(event, "place"):
        call = called("aclrtValueWrite", site)
        return f"{call}({names.address(event.place, site)}, {event.value}, 0, {where})"
    name = _event(names, event, site, uses)
    if hasattr(event, "notify_id"):
        return _known(names, event, site, uses, f"{called('aclrtRecordNotify', site)}({name}, {where})")
    call = called("aclrtRecordEvent", site)
    return _known(names, event, site, uses, f"{call}({name}, {_or_null(where, call)})")


def _wait(names: Names, event: Any, stream: Stream, beside: Any, *uses: SyncCall | None) -> str:
    """The call that makes *stream* wait for *event*."""
    site = beside.site
    where = names.typed(stream, site, _using(stream, beside, *uses))
    if hasattr(event, "place"):
        call = called("aclrtValueWait", site)
        return f"{call}({names.address(event.place, site)}, {event.value}, {event.condition}, {where})"
    name = _event(names, event, site, uses)
    if hasattr(event, "notify_id"):
        return _known(names, event, site, uses, f"{called('aclrtWaitAndResetNotify', site)}({name}, {where}, 0)")
    call = called("aclrtStreamWaitEvent", site)
    return _known(names, event, site, uses, f"{call}({_or_null(where, call)}, {name})")


def _synchronize(names: Names, task: Task, site: Any, remark: str = "") -> str:
    """The call that waits for the stream of *task*, typed beside the call at *site*; *remark*: where it goes.

    Where nothing holds the stream, the remark says which one is meant.
    """
    stream = task.stream
    code = f"{called('aclrtSynchronizeStream', site)}({names.typed(stream, site, (task.site,))})"
    if names.expression(stream, site, (task.site,), "0") is None:
        which = f"with the stream that {line_of(task.site, site)} passes"
        remark = f"{remark}, {which}" if remark else which
    return remarked(code, remark, site) if remark else code


def _event(names: Names, event: Any, site: Any, uses: tuple[SyncCall | None, ...]) -> str:
    return names.unused("ready") if event is None else names.typed(event, site, _sites(uses))


def _sites(uses: tuple[SyncCall | None, ...]) -> list[Any]:
    return [use.site for use in uses if use is not None]


def _known(names: Names, event: Any, site: Any, uses: tuple[SyncCall | None, ...], code: str) -> str:
    """*code* beside *site*; where nothing there holds *event*, with a remark which one is meant."""
    sites = _sites(uses)
    if event is None or not sites or names.expression(event, site, sites) is not None:
        return code
    return remarked(code, f"with the event that {line_of(sites[0], site)} passes", site)


def _using(stream: Stream, *calls: Any) -> list[Any]:
    """The sites of those of *calls* that are about *stream*."""
    about = [call for call in calls if call is not None and call.stream is stream]
    return [site for call in about for site in (call.uses if isinstance(call, _Place) else (call.site,))]


def _or_null(stream: str, call: str) -> str:
    return _null(call) if stream == "None" else stream


def _null(call: str) -> str:
    """How the default stream is written in *call*: pyACL takes no None."""
    return "0" if call.startswith("acl.") else "None"


def _both(case: Case, event: Any, *uses: SyncCall | None) -> str:
    """Record on the earlier stream, wait on the later one: beside their tasks.

    When one expression means both streams, each at its place, the places are said. In a function that does both they are
    those of its callers; of one line each is said to be for its stream.
    """
    names, earlier, later = case.names, case.earlier, case.later
    record = _record(names, event, case.a, earlier, *uses)
    wait = _wait(names, event, case.b, later, *uses)
    if names.typed(case.a, earlier.site, (earlier.site,)) != names.typed(case.b, later.site, (later.site,)):
        return f"{_explained(case, record, earlier, case.first)}\n{_explained(case, wait, later, case.second)}"
    if points(earlier.site)[:1] != points(later.site)[:1]:
        return _apart(case, record, wait)
    here, there = sites_apart(earlier.site, later.site)
    around = here != points(earlier.site)
    first = names.expression(case.a, here, (earlier.site,) if around else ())
    second = names.expression(case.b, there, (later.site,) if around else ())
    if first is None or second is None:
        return f"{remarked(record, f'for {case.name_a}', here)}\n{remarked(wait, f'for {case.name_b}', there)}"
    record = _record(names, event, case.a, _Place(here, case.a, (earlier.site,) if around else ()), *uses)
    wait = _wait(names, event, case.b, _Place(there, case.b, (later.site,) if around else ()), *uses)
    if first != second:
        return f"{record}\n{wait}"
    return _apart(case, record, wait)


def _explained(case: Case, code: str, task: Task, line: str) -> str:
    """*code* beside *task*; where nothing in the program holds its stream, with a remark which one is meant."""
    known = case.names.expression(task.stream, task.site, (task.site,), "0")
    return code if known is not None else remarked(code, f"with the stream that {line} passes", task.site)


def _apart(case: Case, record: str, wait: str) -> str:
    after = remarked(record, f"after {case.first}", case.earlier.site)
    return f"{after}\n{remarked(wait, f'before {case.second}', case.later.site)}"


class _Place(NamedTuple):
    """A place where code is typed, which is not that of a call about the stream; *uses*: calls inside it that are."""

    site: Any
    stream: Any
    uses: tuple[Any, ...]
