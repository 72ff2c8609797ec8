"""IPC events that several processes have: one counter of records on the board, whoever made them.

A wait is bound to the record that is the latest when it is queued, as for every Ex event
(docs/semantics/processes.md#events).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, ACL_ERROR_RT_TASK_TIMEOUT
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.runtime.processes.board import Entry, Who, number_of
from ascend_sim.runtime.processes.neighbours import Neighbours, Shared, hand_over, place_of
from ascend_sim.runtime.processes.order import NOTHING, Stamp
from ascend_sim.runtime.processes.sharing import forget, others_with
from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.task import Action, Gate, Op, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.runtime.event import Event
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.source.callsite import CallSite

__all__ = ["ForeignRecord", "SharedEvent", "report_dead"]

_STAMPS = 8
"""So many stamps an event keeps: who reads an older one is told nothing, and takes all for ordered."""


class ForeignRecord(Signal):
    """A record that another process has queued; done when that one says so, *lost* when it ended without."""

    __slots__ = ("lost", "serial", "shared", "stamp", "who")

    def __init__(self, shared: SharedEvent, serial: int, who: Who) -> None:
        super().__init__()
        self.shared = shared
        self.serial = serial
        self.who = who
        self.lost = False
        self.stamp: Stamp | None = NOTHING
        """What it stands for, once it is done."""

    def describe(self) -> str:
        """The record in words."""
        return f"{self.shared.describe()}, recorded by process {number_of(self.who)}"

    def holders(self) -> list[object]:
        """The process that recorded."""
        return self.shared.neighbours.holders(self.shared.name)


class ForeignGate(Gate):
    """Passes once a record of another process is done."""

    __slots__ = ("foreign",)

    def __init__(self, record: ForeignRecord) -> None:
        self.foreign = record

    def passes(self, task: Task, time: int) -> bool:
        """Whether the record is done, or never will be."""
        return self.foreign.done

    def park(self, task: Task) -> None:
        """Let the record wake the stream."""
        record = self.foreign
        record.waiters = [*(record.waiters or ()), task.stream]

    def forget(self, task: Task) -> None:
        """Take the stream off the record's list."""
        record = self.foreign
        record.waiters = [waiter for waiter in record.waiters or () if waiter is not task.stream]

    def holders(self) -> list[object]:
        """The process that recorded."""
        return self.foreign.holders()

    def describe(self) -> str:
        """The wait in words."""
        return self.foreign.describe()


class _Ended:
    """Told when a record of this process is done: then it is for the others, too."""

    __slots__ = ("serial", "shared")

    def __init__(self, shared: SharedEvent, serial: int) -> None:
        self.shared = shared
        self.serial = serial

    def wake(self, time: int) -> None:
        """The record has ended at virtual *time* (ns)."""
        self.shared.ended(self.serial, time)


class SharedEvent(Shared):
    """An IPC event whose handle was given out, or opened here."""

    __slots__ = ("event", "foreign", "last_own", "newest_is_own", "newest_stamp", "own", "whose")

    def __init__(self, neighbours: Neighbours, name: str, event: Event, whose: str) -> None:
        super().__init__(neighbours, name)
        self.event = event
        self.whose = whose
        """What it is called in findings: with its owner's name, when that is another process."""
        self.own: dict[int, Task] = {}
        """The records that this process has queued and that are not done, by their number."""
        self.last_own = 0
        """The number of this process's newest record."""
        self.newest_is_own = True
        """Whether, when `latest` was asked last, the newest record was one of this process, or there was none."""
        self.newest_stamp: Stamp | None = NOTHING
        """What the newest record stands for, when `latest` found that it is done."""
        self.foreign: dict[int, ForeignRecord] = {}
        """Those of others that something here waits for."""

    def describe(self) -> str:
        """The event in words."""
        return self.whose

    # -- what this process does ----------------------------------------------------------------------------------------

    def recorded(self, task: Task) -> None:
        """*task* is a new record, here."""
        board = self.neighbours.board
        with board.change(self.name) as entry:
            serial = entry["latest"] = entry.get("latest", 0) + 1
            if task.over():  # it was queued before anybody else could see it
                _keep_stamp(entry, serial, self.neighbours.order.stamp(task))
                entry["time"] = max(task.end, entry.get("time", 0))
            else:
                entry.setdefault("open", {})[str(serial)] = [board.me, place_of(task.site)]
        self.last_own = serial
        if task.over():
            return
        self.own[serial] = task
        ended = _Ended(self, serial)
        task.waiters = [ended] if task.waiters is None else [*task.waiters, ended]

    def hand_over(self, t: HostThread, task: Task) -> None:
        """The call that queued the record *task* is over but for this."""
        hand_over(t, task)

    def ended(self, serial: int, time: int) -> None:
        """A record of this process is done."""
        task = self.own.pop(serial, None)
        with self.neighbours.board.change(self.name) as entry:
            entry.get("open", {}).pop(str(serial), None)
            if task is not None:
                _keep_stamp(entry, serial, self.neighbours.order.stamp(task))
            entry["time"] = max(time, entry.get("time", 0))

    def latest(self, t: HostThread) -> Task | ForeignRecord | None:
        """The newest record if it is not done: a task of this process, or what stands for one of another; None else."""
        entry = self.neighbours.board.read(self.name) or {}
        serial = entry.get("latest", 0)
        self.newest_is_own = serial == self.last_own
        found = entry.get("open", {}).get(str(serial))
        if found is None:
            t.clock = max(t.clock, entry.get("time", 0))  # who knows of a record is not earlier than it
            self.newest_stamp = _stamp_in(entry, serial)
            return None
        if serial in self.own:
            return self.own[serial]
        record = self.foreign.get(serial)
        if record is None:
            record = self.foreign[serial] = ForeignRecord(self, serial, found[0])
            if self.neighbours.board.gone(record.who):
                self._lose(record, found[1], t.site)
        return record

    def wait_op(self, t: HostThread, timeout: int) -> Op | Task | None:
        """The operation of a wait for the newest record; its task when that is of this process; None: it is done."""
        record = self.latest(t)
        if not isinstance(record, ForeignRecord):
            return record
        if record.lost:
            return Op("wait", t.sim.profile.costs.wait_ns, _fail_by(f"{record.describe()}: that process is gone"))
        self.neighbours.keep_going()
        return Op("wait", t.sim.profile.costs.wait_ns, gate=ForeignGate(record), timeout=timeout)

    def synchronize(self, t: HostThread, deadline: int | None) -> bool | None:
        """Block thread *t* until the newest record is done, if it is one of another process; None: it is not.

        False: virtual *deadline* (ns) passed first. Raises AclError 507047: it never will be done.
        """
        record = self.latest(t)
        if not isinstance(record, ForeignRecord):
            if record is not None or self.newest_is_own:
                return None
            self.neighbours.order.acquired(t, self.newest_stamp)
            return True
        if not record.done:
            record.waiters = [*(record.waiters or ()), t]
            try:
                if not t.sim.threads.block(t, record, deadline, record):
                    return False
            finally:
                record.waiters = [waiter for waiter in record.waiters or () if waiter is not t] or None
        self.neighbours.order.acquired(t, record.stamp)
        if record.lost:
            raise AclError(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, f"{record.describe()}: that process is gone")
        return True

    def destroyed(self, t: ThreadState) -> None:
        """A handle of the event is gone; with the last one this process has it no more. Others that have it keep it."""
        near = self.neighbours
        if any(thing is self.event for thing in t.sim.handles.values()):
            return
        with near.board.change(self.name) as entry:
            forget(entry, near.board.me)
            if entry["owner"] == near.board.me and not others_with(t, entry):
                entry["ended"] = f"which it destroyed at {place_of(t.site)}"
        if not self.own and not self.waits():
            near.things.pop(self.name, None)

    # -- what others do ------------------------------------------------------------------------------------------------

    def waits(self) -> bool:
        """Whether a stream or a thread waits for a record of another process."""
        return any(record.waiters for record in self.foreign.values())

    def news(self, entry: Entry) -> bool:
        """Records that are done wake who waits for them."""
        still, time, found = entry.get("open", {}), entry.get("time", 0), False
        scheduler = self.neighbours.sim.scheduler
        for serial, record in list(self.foreign.items()):
            if str(serial) not in still:
                del self.foreign[serial]
                record.stamp = _stamp_in(entry, serial)
                scheduler.complete(record, max(scheduler.now, time))
                found = True
        return found

    def enders(self, entry: Entry) -> list[Who]:
        """The processes whose records are waited for."""
        return [record.who for record in self.foreign.values() if record.waiters]

    def abandoned(self, ended: list[Who]) -> bool:
        """The records of these will never be done."""
        entry = self.neighbours.board.read(self.name) or {}
        for serial, record in list(self.foreign.items()):
            if record.waiters and record.who in ended:
                del self.foreign[serial]
                self._lose(record, entry.get("open", {}).get(str(serial), ["", ""])[1])
        return True

    def _lose(self, record: ForeignRecord, where: str, site: CallSite = None) -> None:
        record.lost = True
        sim = self.neighbours.sim
        why = f"which recorded it at {where} and ended before the record"
        report_dead(self, record.waiters or (), record.who, why, site)
        _fail_streams(record.waiters or (), sim.scheduler.now, f"{record.describe()}: that process is gone")
        sim.scheduler.complete(record, sim.scheduler.now)


def _keep_stamp(entry: Entry, serial: int, stamp: Stamp | None) -> None:
    """The record is done: who waits for it, or asks about it, reads what it stands for."""
    stamps = entry.setdefault("stamps", {})
    stamps[str(serial)] = stamp
    if len(stamps) > _STAMPS:
        del stamps[next(iter(stamps))]


def _stamp_in(entry: Entry, serial: int) -> Stamp | None:
    stamp: Stamp | None = entry.get("stamps", {}).get(str(serial)) if serial else NOTHING
    return stamp


def _fail_streams(waiters: object, time: int, text: str) -> None:
    """The heads of the streams among *waiters* end as failed: what they wait for never comes."""
    from ascend_sim.runtime.stream import Stream

    for waiter in waiters:  # type: ignore[attr-defined]
        if isinstance(waiter, Stream) and waiter.queue and not waiter.running:
            waiter.fail_head(time, TaskFault(ACL_ERROR_RT_TASK_TIMEOUT, text, True))


def _fail_by(text: str) -> Action:
    """What a task does whose wait can never end."""

    def fail(task: Task, time: int) -> None:
        raise TaskFault(ACL_ERROR_RT_TASK_TIMEOUT, text, True)

    return fail


def report_dead(shared: Shared, waiters: object, who: Who, why: str, site: CallSite = None) -> None:
    """Nobody can end a wait any more, since process *who* is gone; *why*: what it was to do with the thing.

    *site*: of the call that is about to wait, when nobody waits yet.
    """
    from ascend_sim.runtime.stream import Stream

    sim = shared.neighbours.sim
    streams: list[Stream] = [waiter for waiter in waiters if isinstance(waiter, Stream)]  # type: ignore[attr-defined]
    sites: list[Site] = [
        Site("wait", f"{sim.names.described(stream)} waits here", _site_of(stream), primary=not at)
        for at, stream in enumerate(streams)
    ]
    hosts = [waiter.site for waiter in waiters if not isinstance(waiter, Stream)]  # type: ignore[attr-defined]
    sites += [Site("wait", "waited for here", at, primary=not sites) for at in (*hosts, site) if at is not None]
    sim.report(
        "dead-peer",
        "error",
        f"a wait for {shared.describe()} can never end: process {number_of(who)} is gone, {why}",
        sites,
        fix="keep the process alive until the others have had what they wait for, or give the wait a limit",
        streams=tuple(sim.names.described(stream) for stream in streams),
        time_ns=sim.scheduler.now,
    )


def _site_of(stream: Stream) -> CallSite:
    return stream.queue[0].site if stream.queue else stream.site
