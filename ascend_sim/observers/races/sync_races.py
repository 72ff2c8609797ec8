"""Sync races: unordered calls that decide who releases a wait, or what a host call refers to.

The question is "could another operation have released this wait?", not "are two operations on one flag unordered": a
wait is always unordered with its record before it is bound (docs/semantics/happens_before.md#sync-races).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import Names, line_of
from ascend_sim.observers.plain_findings import tells
from ascend_sim.observers.races.accesses import HostCall
from ascend_sim.observers.races.nondeterminism import NondeterminismPoints
from ascend_sim.observers.races.sync_changes import Change, Flag, keep
from ascend_sim.observers.races.vector_clocks import Known, Track, known_to
from ascend_sim.observers.races.watched_values import WatchedValues
from ascend_sim.runtime.counting_notify import CountGate, CountingNotify
from ascend_sim.runtime.event import FlagGate
from ascend_sim.runtime.notify import NotifyGate
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.observers.races.access_history import AccessHistory
    from ascend_sim.observers.races.diagnosis import Advice
    from ascend_sim.observers.races.row_history import RowHistory
    from ascend_sim.observers.races.sync_log import SyncLog
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["SyncRaces"]

MOST_WAITS = 64


class SyncRaces:
    """Watches flags, notifies, watched values, event slots and shared streams of one simulator."""

    def __init__(self, sim: Runtime, log: SyncLog, names: Names, nondeterminism: NondeterminismPoints) -> None:
        self.sim = sim
        self.nondeterminism = nondeterminism
        self.log = log
        self.clocks = log.clocks
        self.names = names
        self.slots = EventSlots(self)
        self.values = WatchedValues(self)
        self._flags: dict[Any, Flag] = {}
        self._reported: set[Any] = set()
        self._last_served: dict[int, Task] = {}
        self._queue_waits: dict[Stream, list[tuple[int, int, Any, str]]] = {}
        """The latest waits of the host for each stream: (chain, number, site, thread)."""

    # -- flags and notifies ------------------------------------------------------------------------------------------

    def flag_changed(self, task: Task, thing: Any, value: bool) -> None:
        """*task* has set or cleared the flag of *thing* (an event made WithFlag, or a notify)."""
        track = self.settled(task)
        if hasattr(thing, "offset"):
            self.values.written(task, track, thing)
            return
        flag = self._flags.setdefault(thing, Flag())
        change = Change("set" if value else "reset", task, track)
        if isinstance(thing, CountingNotify):
            keep(flag.changes, change)
            return
        if hasattr(thing, "notify_id"):
            self._one_order(thing, flag, change)
            flag.setter = flag.setter or change
        else:
            self._late_change(thing, flag, change)
        keep(flag.changes, change)

    def notify_cleared(self, t: HostThread, notify: Any) -> None:
        """The host has cleared a notify (aclrtNotifyBatchReset)."""
        clock = self.clocks.host(t)
        flag = self._flags.setdefault(notify, Flag())
        flag.setter = None
        clock.q += 1
        view = clock.sized(self.clocks.size)
        change = Change.of_host("reset", HostCall(clock.c, clock.q, t, view), view)
        self._one_order(notify, flag, change)
        keep(flag.changes, change)

    def settled(self, task: Task) -> Track:
        """The track of *task*, at it, with a view that will not change."""
        track = self.clocks.at(task)
        if not track.settled or len(track.view) < self.clocks.size:
            track.settle(self.clocks.size)
        track.frozen = True
        return track

    def _late_change(self, thing: Any, flag: Flag, change: Change) -> None:
        """A change after waits have passed: could it have decided one of them?"""
        for wait in flag.waits:
            if change.knows(wait):
                continue
            if change.kind == "reset":
                self.report(thing, change, wait, "may come before the wait, which then waits for ever")
            elif wait.bound is not None and not change.knows(wait.bound):
                self.report(thing, change, wait.bound, "could release the wait instead", wait)

    def passed(self, task: Task, gate: Any, histories: dict[Allocation, AccessHistory | RowHistory]) -> None:
        """*task* has passed *gate*: find what released it."""
        track = self.settled(task)
        if isinstance(gate, FlagGate):
            self._flag_passed(task, track, gate.event)
        elif isinstance(gate, NotifyGate):
            self._notify_passed(task, track, gate.notify)
        elif isinstance(gate, CountGate):
            self._count_passed(task, track, gate.counter)
        elif hasattr(gate, "condition"):
            self.values.passed(task, track, gate, histories)

    def _flag_passed(self, task: Task, track: Track, event: Any) -> None:
        flag = self._flags.setdefault(event, Flag())
        view = track.view
        known = [c for c in flag.changes if known_to(view, c.c, c.q)]
        unknown = [c for c in flag.changes if not known_to(view, c.c, c.q)]
        is_set = bool(known) and known[-1].kind == "set"
        bound = None if is_set else next((c for c in unknown if c.kind == "set"), None)
        wait = Change("wait", task, track, bound)
        for change in unknown:
            if change.kind == "set":
                if bound is not None and change is not bound and not change.knows(bound):
                    self.report(event, change, bound, "could release the wait instead", wait)
            elif any(c.kind == "set" and not c.knows(change) for c in flag.changes):
                self.report(event, change, wait, "may come before the wait, which then waits for ever")
        self._unordered_pairs(event, flag, wait)
        if bound is not None:
            self.released(task, track, bound.task)
            track.acquire(bound.known())
        wait.view = self.settled(task).view
        keep(flag.waits, wait)

    def _unordered_pairs(self, event: Any, flag: Flag, wait: Change) -> None:
        sets = [c for c in flag.changes if c.kind == "set"]
        for reset in (c for c in flag.changes if c.kind == "reset"):
            for change in sets:
                if not reset.knows(change) and not change.knows(reset):
                    self.report(
                        event, reset, change, "in one order the flag is set when the wait looks, in the other not", wait
                    )

    def _notify_passed(self, task: Task, track: Track, notify: Any) -> None:
        flag = self._flags.setdefault(notify, Flag())
        wait = Change("wait", task, track)
        bound, flag.setter = flag.setter, None
        wait.bound = bound
        self._one_order(notify, flag, wait)  # by what it knew before: it could have taken another record
        if bound is not None:
            self.released(task, track, bound.task)
            track.acquire(bound.known())
        wait.view = self.settled(task).view
        keep(flag.waits, wait)

    def _count_passed(self, task: Task, track: Track, counter: CountingNotify) -> None:
        """Which of the records made the count what it is, nobody can tell: the wait follows all of them."""
        for change in self._flags.setdefault(counter, Flag()).changes:
            track.acquire(change.known())

    def _one_order(self, notify: Any, flag: Flag, change: Change) -> None:
        """All operations on a notify must be ordered: records can merge, waits can steal."""
        for other in (*flag.changes, *flag.waits):
            if other is not change.bound and not change.knows(other):
                why = (
                    "two records may merge into one"
                    if change.kind == other.kind == "set"
                    else "one could take the place of the other"
                )
                self.report(notify, change, other, why)
                return

    # -- shared streams and event slots ------------------------------------------------------------------------------

    def released(self, task: Task, track: Track, by: Task | HostCall) -> None:
        """*by* releases the wait *task*. On a stream that threads share, *by* may stand behind the wait."""
        if not self.clocks.multi:
            return
        if isinstance(by, HostCall):
            known: Known | None = by.known()
        else:
            known = self.clocks.known_at(by)
        if known is None:
            return
        for other in track.others:
            seen = known.view[other.c] if other.c < len(known.view) else 0
            if known.c == other.c:
                seen = known.q
            first = next(
                (q for q in self.clocks.numbers(other) if q <= seen and not self._submit_known(task, other, q)), None
            )
            if first is not None:
                self.report_pair(
                    "what releases this wait depends on a task of the same stream",
                    f"{self.names.stream(task.stream)} is shared by {track.host.name} and {other.host.name}: the wait may "
                    "be queued in front of what releases it, and then nothing goes on",
                    task.site,
                    by.site,
                    "waits here",
                    "depends on this",
                )
        self._no_room(task, track, known)
        for c, q, site, name in self._queue_waits.get(task.stream, ()):
            if c != track.host.c and known.knows(c, q) and not known_to(task.know, c, q):
                self.report_pair(
                    "what releases this wait comes after another thread has waited for the same stream",
                    f"{name} waits for {self.names.stream(task.stream)} before it goes on to release the wait: when the "
                    "wait is queued first, nothing goes on",
                    task.site,
                    site,
                    "waits here",
                    f"{name} waits for the stream",
                )

    def _no_room(self, task: Task, track: Track, known: Known) -> None:
        """In another order a thread that releases *task* could be held up before that, by the full queue behind it."""
        stream = task.stream
        if sum(clock.q for clock in set(self.clocks.hosts.values())) <= 2 * stream.depth:
            return  # a submit counts twice: it never gets full
        hosts = {other.host.c for other in track.others}
        hosts |= {self.clocks.host(later.thread).c for later in stream.queue} - {track.host.c}
        for c in hosts:
            seen = known.q if c in (known.c, known.host) else known.view[c] if c < len(known.view) else 0
            if not known_to(task.know, c, seen):
                self.nondeterminism.add("full queue", task.site)
                return

    def _submit_known(self, task: Task, other: Track, q: int) -> bool:
        return known_to(task.know, other.host.c, q)

    def slot_used(self, t: HostThread, event: Any, record: bool) -> None:
        """A host call of *t* records *event*, or refers to its latest record."""
        if hasattr(event, "latest"):
            self.slots.used(t, event, record)

    def queue_waited(self, t: HostThread, stream: Stream) -> None:
        """*t* has waited for all of *stream*: what it does next may be what a task there waits for."""
        clock = self.clocks.host(t)
        clock.q += 1
        waits = self._queue_waits.setdefault(stream, [])
        waits.append((clock.c, clock.q, t.site, t.name))
        if len(waits) > MOST_WAITS:
            del waits[: MOST_WAITS // 2]

    def stream_ended(self, stream: Stream) -> None:
        """Nobody waits there any more."""
        self._queue_waits.pop(stream, None)

    def served_in_order(self, t: HostThread, task: Task) -> bool:
        """Whether *t* serves a callback in no order with the one before: of another stream, or another submitter."""
        before, self._last_served[t.number] = self._last_served.get(t.number), task
        if t.service or before is None or not hasattr(before, "c"):
            return False
        if before.stream is task.stream and before.thread is task.thread:
            return False
        return not known_to(self.clocks.at(task).view, before.c, before.q)

    # -- hangs -------------------------------------------------------------------------------------------------------

    def hung(self) -> None:
        """At a hang: a flag wait that never started, and would have in another order."""
        for context in self.sim.contexts.values():
            for stream in context.every_stream():
                head = stream.queue[0] if stream.queue else None
                gate = head.op.gate if head is not None else None
                if head is None or not isinstance(gate, FlagGate) or stream.running:
                    continue
                flag = self._flags.get(gate.event)
                if flag is None:
                    continue
                track = self.settled(head)
                for change in flag.changes:
                    if change.kind == "reset" and not known_to(track.view, change.c, change.q):
                        wait = Change("wait", head, track)
                        self.report(
                            gate.event,
                            change,
                            wait,
                            "came before the wait in this run; in another order the wait passes",
                        )

    # -- reports -----------------------------------------------------------------------------------------------------

    def report(self, thing: Any, a: Change, b: Change, why: str, wait: Change | None = None) -> None:
        name = self.names.signal(thing)
        words = {"set": "a record of", "reset": "a reset of", "wait": "a wait for", "write": "a write of"}
        does = {"set": "records", "reset": "resets", "wait": "waits for", "write": "writes"}
        one = f"{words[a.kind]} {name} {self._where(a.task)}"
        two = f"{words[b.kind]} it {self._where(b.task)}"
        effect = why if why.startswith(("two records", "in one order")) else f"the first {why}"
        title = f"{one} and {two} are in no order: {effect}"
        sites = [
            Site("access", f"{does[a.kind]} {name}", a.task.site, primary=True),
            Site("other", f"{does[b.kind]} {name}", b.task.site),
        ]
        if wait is not None:
            sites.append(Site("wait", f"waits for {name}", wait.task.site))
        fix = (
            f"order {line_of(a.task.site)} and {line_of(b.task.site, a.task.site)} by an event of "
            "aclrtCreateEventExWithFlag: its waits are bound to a record when they are queued"
        )
        self._tell((a.kind, b.kind, a.task.site, b.task.site), title, sites, fix, a.task, b.task)

    @tells("sync-race")
    def report_pair(self, title: str, order: str, one: Any, two: Any, first: str, second: str) -> None:
        key = (title, one, two)
        if key in self._reported:
            return
        self._reported.add(key)
        fix, severity = "order the two calls: join, a lock, or a queue", "error"
        hidden = self._hidden(one, two)
        if hidden is not None:
            (order, fix), severity = (hidden.order, hidden.fix), "note"
        self.sim.report(
            "sync-race",
            severity,
            title,
            [Site("access", first, one, primary=True), Site("other", second, two)],
            order=order,
            fix=fix,
            time_ns=self.sim.scheduler.now,
        )

    def _hidden(self, one: Any, two: Any) -> Advice | None:
        """What is said when something that nobody hears of may order the calls at *one* and at *two*."""
        ask = self.sim.threads.unseen_order
        found = ask((one, two)) if ask is not None else None
        if found is None:
            return None
        from ascend_sim.observers.races.diagnosis import unless_hidden  # most programs have no race

        return unless_hidden(found)

    def _where(self, who: Task | HostCall) -> str:
        return f"by {who.call}" if isinstance(who, HostCall) else f"on {self.names.stream(who.stream)}"

    @tells("sync-race")
    def _tell(self, key: Any, title: str, sites: list[Site], fix: str, *tasks: Task | HostCall) -> None:
        if key in self._reported:
            return
        self._reported.add(key)
        streams = tuple(
            dict.fromkeys(self.names.stream(task.stream).strip("`") for task in tasks if isinstance(task, Task))
        )
        a, b = tasks
        hidden = self._hidden(a.site, b.site) if a.thread is not b.thread else None
        order, severity = "", "error"
        if hidden is not None:
            order, fix, severity = hidden.order, hidden.fix, "note"
        self.sim.report(
            "sync-race", severity, title, sites, order=order, fix=fix, streams=streams, time_ns=self.sim.scheduler.now
        )


class EventSlots:
    """For each event the latest record call and the latest reading call of each thread: (chain, number, site, thread).

    Two records in no order are no fault by themselves: only who refers to them can tell.
    """

    def __init__(self, races: SyncRaces) -> None:
        self._races = races
        self._records: dict[Any, dict[int, tuple[int, int, Any, str]]] = {}
        self._reads: dict[Any, dict[int, tuple[int, int, Any, str]]] = {}

    def used(self, t: HostThread, event: Any, record: bool) -> None:
        """*t* records *event*, or waits for it, queries it or synchronises with it."""
        clock = self._races.clocks.host(t)
        clock.q += 1
        against = self._reads if record else self._records
        for c, q, site, name in against.get(event, {}).values():
            if c != clock.c and not known_to(clock.view, c, q):
                self._report(event, t, site, name, record)
        mine = self._records if record else self._reads
        mine.setdefault(event, {})[clock.c] = (clock.c, clock.q, t.site, t.name)

    def _report(self, event: Any, t: HostThread, site: Any, name: str, record: bool) -> None:
        what = self._races.names.event(event)
        one, two = (t.name, name) if record else (name, t.name)
        self._races.report_pair(
            f"{one} records {what} while {two} refers to its latest record, and nothing orders the two calls",
            f"which record the call refers to depends on the order of {t.name} and {name}",
            t.site,
            site,
            "records here" if record else "refers to the latest record",
            "refers to the latest record" if record else "records here",
        )
