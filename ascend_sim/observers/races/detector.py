"""The race detector: two accesses to the same bytes, at least one a write, and nothing orders them.

It hears of submits, waits, records and accesses, keeps clocks (happens_before.py) and for each allocation who touched
which bytes last (access_history.py), and reports a pair that the edges do not order, whatever this schedule made of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ascend_sim.observers.guarded import ended_by, guards_itself
from ascend_sim.observers.observer import Observer, listen
from ascend_sim.observers.races.access_history import AccessHistory
from ascend_sim.observers.races.accesses import ATOMIC, AtomicUpdate, HostCall
from ascend_sim.observers.races.block_races import find_block_race
from ascend_sim.observers.races.happens_before import HappensBefore
from ascend_sim.observers.races.host_touches import HostTouches
from ascend_sim.observers.races.nondeterminism import NondeterminismPoints
from ascend_sim.observers.races.pool_order import PoolOrder
from ascend_sim.observers.races.row_history import RowHistory
from ascend_sim.observers.races.still_queued import StillQueued
from ascend_sim.observers.races.sync_log import SyncLog
from ascend_sim.observers.races.sync_races import SyncRaces
from ascend_sim.observers.races.thread_edges import ThreadEdges
from ascend_sim.observers.races.untracked_host_writes import UntrackedHostWrites
from ascend_sim.observers.races.vector_clocks import Known, View, known_to
from ascend_sim.observers.rules.ignored_codes import ignored
from ascend_sim.runtime.event import Event
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Task
from ascend_sim.source.callsite import points

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.accesses import BlockAccesses
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.machine.pool_region import PoolAllocation
    from ascend_sim.machine.virtual_memory import Mapping
    from ascend_sim.observers.races.between_processes import ProcessRaces
    from ascend_sim.observers.races.reports import RaceReports
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.told import Part
    from ascend_sim.runtime.memory.transfers import Place
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["RaceDetector"]


class RaceDetector(Observer):
    """Watches one simulator. `nondeterminism`: what else in this run another schedule could decide differently."""

    guarded = True
    title = "the check of races"

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        threads = sim.threads
        self.clocks = HappensBefore(total=not threads.ordered)
        self.nondeterminism = NondeterminismPoints()
        self.names = sim.names
        self.log = SyncLog(self.clocks)
        self.sync = SyncRaces(sim, self.log, self.names, self.nondeterminism)
        self.pools = PoolOrder(sim, self)
        self.between: ProcessRaces | None = None
        """For what other processes have as well, once there is something."""
        self.histories: dict[Allocation, AccessHistory | RowHistory] = {}
        self._through: dict[Allocation, AccessHistory] = {}
        """For memory that is mapped more than once: who used which mapping."""
        self._freed: dict[Allocation, AccessHistory] = {}
        """What was known of blocks that were freed while tasks were queued: a race with these is another fault."""
        self._clean: dict[Any, list[int]] = {}
        """Logs of launches without a conflict, by their grid: most launches touch what the one before did."""
        self.untracked = UntrackedHostWrites(sim, self.clocks, self.names)
        self.touches = HostTouches(self)
        self._empty: dict[tuple[int, Stream], int] = {}
        """When the latest task had ended (virtual ns) of which a thread knows that it ended, by (thread, stream)."""
        self._asked: dict[Stream, dict[int, int]] | None = None
        """Which threads have seen a stream empty: the latest number of each chain. None: none yet."""
        self._freed_ranges: dict[int, list[tuple[int, int, Any]]] | None = {} if sim.memory.reuse == "lifo" else None
        for t in threads.attached():
            self.clocks.attach(t)
        self.clocks.when_multi.append(self._several)
        self._edges = ThreadEdges.of(threads) if threads.ordered else None
        if self._edges is not None:
            self._edges.add(self)

    @cached_property
    def reports(self) -> RaceReports:
        """What is said of the pairs that are found."""
        from ascend_sim.observers.races.reports import RaceReports  # most programs have no race

        return RaceReports(self.sim, self.log, self.names, self.clocks)

    def listeners(self) -> dict[str, Callable[..., Any]]:
        """The hooks of this class and of its part for pools; of records, which are many, the log itself hears."""
        return super().listeners() | self.pools.listeners() | {"recorded": self.log.calls.append}

    # -- host threads ------------------------------------------------------------------------------------------------

    def learned(self, kind: str, t: HostThread, known: Known) -> None:
        """*t* took a lock or an item, and with it what the thread before knew."""
        if self.clocks.clock(t).learn(known) and kind != "end":
            self.nondeterminism.add(kind, t.site)

    def _several(self) -> None:
        """Another thread calls: what a record covers depends on who knew what of a stream that they share."""
        listen(self.sim, self, "record_ran", self.clocks.recorded)
        listen(self.sim, self, "recorded", self._slot_recorded)

    def _slot_recorded(self, pair: tuple[Any, Task]) -> None:
        self.sync.slot_used(pair[1].thread, pair[0], True)

    # -- edges of the device -----------------------------------------------------------------------------------------

    def attached(self, t: HostThread) -> None:
        """A new thread gets its clock."""
        self.clocks.attach(t)

    @guards_itself
    def signalled(self, task: Task | HostThread, thing: Any, value: bool | None) -> None:
        """A flag changes; or a callback is due (*value* None)."""
        try:
            if not isinstance(task, Task):
                self.sync.notify_cleared(task, thing)
                return
            self.clocks.recorded(task)
            if value is not None:
                self.sync.flag_changed(task, thing, value)
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.signalled)

    @guards_itself
    def passed(self, task: Task, time: int) -> None:
        """A wait is over: what released it happens before."""
        try:
            gate = task.op.gate
            if self.between is not None:
                self._passed_between(task, gate)
            record = getattr(gate, "record", None)
            if record is not None:
                if self.clocks.multi:
                    self.sync.released(task, self.clocks.at(task), record)
                self.clocks.wait_passed(task, record)
            else:
                self.sync.passed(task, gate, self.histories)
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.passed)

    def forked(self, task: Task, firsts: list[Task], lasts: list[Task]) -> None:
        """The lanes of a graph follow what its launch follows; the launch itself ends with them."""
        clocks = self.clocks
        before = clocks.at(task).known()
        before.q = task.q - 1
        for first in firsts:
            clocks.at(first).acquire(before)

    def joined(self, task: Task, lasts: list[Task]) -> None:
        """The end of a graph follows all of its lanes."""
        clocks = self.clocks
        track = clocks.at(task)
        for last in lasts:
            clocks.follow_record(track, last)

    @guards_itself
    def awaited(
        self, call: str, t: HostThread, thing: Any, stream: Stream, task: Task | None, record: Task | None
    ) -> None:
        """Remember the call; a wait that was dropped for a record orders what is queued next."""
        try:
            host = t.knows
            self.log.calls.append((call, thing, stream, task, record, t.site, host, host.q))
            if call == "wait" and task is None and record is not None:
                self.clocks.dropped_wait(t, stream, record)
            if self.clocks.multi:
                self.sync.slot_used(t, thing, False)
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.awaited)

    def stopped(self, t: HostThread, stream: Stream) -> None:
        """Nothing of *stream* runs any more, as after a wait."""
        self.waited(t, stream)

    def waited(self, t: HostThread, stream: Stream) -> None:
        """All that *t* knew of on *stream* is done."""
        self.clocks.waited(t, stream)
        if self.touches.closed:
            self.touches.known(t)
        self._empty[t.number, stream] = stream.free
        self.log.waited(t, stream)
        if self.clocks.multi:
            self.sync.queue_waited(t, stream)

    def polled(self, t: HostThread, thing: Event | Stream, record: Task | None, done: bool, waited: bool) -> None:
        """A query saw a record or a queue done, or not yet; or a wait for a record ended."""
        clocks = self.clocks
        if type(thing) is Stream:
            fixed = self._empty.get((t.number, thing), 0) == thing.free  # nothing ended since it knew the stream empty
            if not done or clocks.waited(t, thing) or not fixed:
                self.nondeterminism.add("poll", t.site)
            if done:
                self._empty[t.number, thing] = thing.free
                if clocks.multi:
                    self._saw_empty(t, thing)
                if self.touches.closed:
                    self.touches.known(t)
            return
        if clocks.multi:
            self.sync.slot_used(t, thing, False)
        if record is None:
            return
        if not done:
            self.nondeterminism.add("poll", t.site)
            return
        fixed = self._empty.get((t.number, record.stream), -1) >= record.end  # it knew that this one had ended
        self._empty[t.number, record.stream] = record.end
        known = clocks.known_at(record)
        news = known is not None and clocks.host(t).learn(known)
        if not (waited or fixed) and (news or clocks.track_of(record) is None):
            self.nondeterminism.add("poll", t.site)
        if self.touches.closed:
            self.touches.known(t)

    def _saw_empty(self, t: HostThread, stream: Stream) -> None:
        """*t* has seen *stream* empty: what another thread submits there later may come first in another order."""
        if self._asked is None:
            self._asked = {}
            listen(self.sim, self, "submitted", self._submitted)
        clock = self.clocks.host(t)
        clock.q += 1
        self._asked.setdefault(stream, {})[clock.c] = clock.q

    def _submitted(self, task: Task) -> None:
        assert self._asked is not None
        own = self.clocks.host(task.thread).c
        for c, q in self._asked.get(task.stream, {}).items():
            if c != own and not known_to(task.know, c, q):
                self.nondeterminism.add("poll", task.site)

    def imported(self, t: HostThread, thing: object) -> None:
        """Which process is first is for the operating system to say."""
        self.nondeterminism.add("process", t.site)
        self._look_at_processes()

    def published(self, t: HostThread, thing: object) -> None:
        """Other processes can have *thing*: what was done to it before counts for them as well."""
        self._look_at_processes().published(t, thing, self.histories.get(thing))  # type: ignore[arg-type, call-overload]

    def _look_at_processes(self) -> ProcessRaces:
        if self.between is None:
            from ascend_sim.observers.races.between_processes import ProcessRaces  # few programs share anything

            self.between = ProcessRaces(self)
        return self.between

    def _passed_between(self, task: Task, gate: Any) -> None:
        """A wait is over that another process may have ended."""
        assert self.between is not None
        foreign, notify = getattr(gate, "foreign", None), getattr(gate, "notify", None)
        if foreign is not None:
            self.between.acquired(task, foreign.stamp)
        elif notify is not None and notify.shared is not None:
            self.between.acquired(task, notify.shared.stamp)
        elif hasattr(gate, "watched"):
            self.between.value_passed(task, gate)

    def timed_out(self, who: HostThread | Task, what: str) -> None:
        """A time limit decided: not what a thread does that serves callbacks in a loop and drops the answer."""
        if isinstance(who, Task) or not (
            who.call == "aclrtProcessReport" and who.site and ignored(*points(who.site)[0])
        ):
            self.nondeterminism.add("time limit", who.site)

    def stalled(self, t: HostThread, what: str) -> None:
        """A full queue or the hardware events decided: no edge comes of it."""
        if self.clocks.multi:
            self.nondeterminism.add("full queue", t.site)

    def stream_ended(self, stream: Stream) -> None:
        """Chains of a stream that is gone can be used again."""
        for key in [key for key in self._empty if key[1] is stream]:
            del self._empty[key]
        self.clocks.stream_ended(stream)
        self.sync.stream_ended(stream)
        if self._asked is not None:
            self._asked.pop(stream, None)

    def callback_started(self, t: HostThread, task: Task | None) -> None:
        """A callback follows the tasks before it."""
        if task is not None:
            if self.sync.served_in_order(t, task):
                self.nondeterminism.add("callback", task.site)
            self.clocks.body_starts(t, task)
            if self.touches.closed:
                self.touches.open()
            self.untracked.callback_starts(t, task)
            if self.touches.closed:
                self.touches.close()
            if self.between is not None:
                self.between.learned(t)

    def callback_ended(self, t: HostThread, task: Task | None) -> None:
        """What waits for it goes on."""
        if task is not None:
            if self.touches.closed:
                self.touches.open()
            self.untracked.callback_ends(t)
            if self.touches.closed:
                self.touches.close()
            self.clocks.body_ends(t, task)
            if self.between is not None:
                self.between.callback_ended(t, task)

    # -- accesses ----------------------------------------------------------------------------------------------------

    @guards_itself
    def accessed(self, who: Task | HostThread, block: Allocation, lo: int, hi: int, write: bool) -> None:
        """Test one access against the history of its bytes and note it."""
        try:
            clocks = self.clocks
            history = self.histories.get(block)
            if history is None:
                history = self._begin(block)
                if history is None:
                    return
            if type(who) is Task:
                view = clocks.view(who)
                epoch: Any = who
            else:
                epoch, view = self._who(who)
            if write == ATOMIC:
                epoch = AtomicUpdate(epoch)
            met = history.write(lo, hi, epoch, view) if write else history.read(lo, hi, epoch, view)
            if met is not None:
                self.reports.races(epoch, block, lo, hi, write, met)
            if self.between is not None:
                self.between.accessed(epoch, view, block, [(lo, hi)], write)
            if len(history.cells) > history.limit:
                self._compact(block, history)
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.accessed)

    def accessed_parts(
        self, who: Task | HostThread, block: Allocation, parts: list[tuple[int, int]], write: bool
    ) -> None:
        """Many parts of one allocation at once."""
        clocks = self.clocks
        history = self.histories.get(block)
        if history is None:
            history = self._begin(block)
            if history is None:
                return
        assert isinstance(who, Task)
        view = clocks.view(who)
        epoch: Any = AtomicUpdate(who) if write == ATOMIC else who
        met = history.many(parts, epoch, view, bool(write))
        if met:
            self.reports.races(epoch, block, parts[0][0], parts[-1][1], write, met)
        if self.between is not None:
            self.between.accessed(epoch, view, block, parts, write)
        if len(history.cells) > history.limit:
            self._compact(block, history)

    def accessed_rows(
        self, who: Task | HostThread, block: Allocation, lo: int, width: int, pitch: int, rows: int, write: bool
    ) -> None:
        """Rows of a matrix at once."""
        history = self.histories.get(block) or self._begin(block)
        if history is None:
            return
        if isinstance(history, AccessHistory):
            history = self.histories[block] = RowHistory(pitch, history)
        epoch, view = self._who(who)
        met = history.box(lo, width, pitch, rows, epoch, view, bool(write))
        if met:
            self.reports.races(epoch, block, lo, lo + pitch * (rows - 1) + width, write, met)
        if self.between is not None:
            parts = [(at, at + width) for at in range(lo, lo + pitch * rows, pitch)]
            self.between.accessed(epoch, view, block, parts, write)
        if len(history.cells) > history.limit:
            self._compact(block, history)

    def _who(self, who: Task | HostThread) -> tuple[Any, View]:
        """The epoch of an access by *who*, and what it knows."""
        if type(who) is Task:
            return who, self.clocks.view(who)
        clock = self.clocks.host(who)  # type: ignore[arg-type]
        view = clock.sized(self.clocks.size)
        clock.q += 1
        return HostCall(clock.c, clock.q, who, view), view  # type: ignore[arg-type]

    @guards_itself
    def copy_queued(self, task: Task, source: Place) -> None:
        """Remember what the page-locked end of the copy holds: what it is to read, or to write over."""
        try:
            if self.touches.closed:
                self.touches.open()
            if source.block is not None and source.block.kind == "host":
                self.untracked.queued(task, source, self.histories.get(source.block))
            elif task.op.engine == "d2h":
                op: Any = getattr(task.op, "original", task.op)  # of a copy that is to fail as planned
                to: Place = op.action.to
                if to.block is not None and to.block.kind == "host":
                    self.untracked.queued(task, to, self.histories.get(to.block))
                    self.touches.queued(task, to)
            if self.touches.closed:
                self.touches.close()
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.copy_queued)

    @guards_itself
    def copied(self, who: Task | HostThread, to: Allocation | None, source: Allocation | None, part: Part) -> None:
        """Is it still the same?"""
        try:
            if self.touches.closed:
                self.touches.open()
            if type(who) is not Task:
                return
            if source is not None and source.kind == "host":
                self.untracked.runs(who, source, self.histories.get(source))
            elif to is not None and to.kind == "host":
                self.untracked.runs(who, to, self.histories.get(to))
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.copied)

    def blocks_ran(self, task: Task, found: BlockAccesses) -> None:
        """Look for conflicts between the blocks of one launch."""
        grid = found.grid
        if len(grid.blocks) < 2:
            return
        if self._clean.get(grid) == found.log:
            return  # it touched what the launch before did, which was clean
        conflict = find_block_race(found)
        if conflict is not None:
            self.reports.block_race(task, found, conflict)
        elif len(found.log) <= KEPT_LOG and not found.log.boxes:
            self._clean[grid] = list(found.log)

    def _begin(self, block: Allocation) -> AccessHistory | RowHistory | None:
        """The history of a block that was not touched before, or that was freed while tasks were queued.

        None when it is gone: others report that.
        """
        if block.freed:
            return self._freed.get(block)
        first = None
        if self._freed_ranges is not None and block.device >= 0:
            first = self._last_free(block)
        history = self.histories[block] = AccessHistory(block.size, max(block.capacity, block.size), first)
        return history

    def _compact(self, block: Allocation, history: AccessHistory | RowHistory) -> None:
        before = history.forgotten
        alive = {t.number for t in self.sim.threads.attached()}
        streams = [s for c in self.sim.contexts.values() for s in c.every_stream() if s.queue]
        history.compact(self.clocks.floor(alive, streams))
        if history.forgotten and not before:
            self.reports.forgot(block)

    def block_begun(self, task: Task, block: PoolAllocation) -> None:
        """The stream gets a block of a pool: that counts as a write of the whole."""
        history = self._begin(block) if block not in self.histories else self.histories[block]
        self.pools.begun(task, block, history)

    def block_ended(self, task: Task, block: PoolAllocation) -> None:
        """The stream gives the block back, which counts as a write of the whole, too."""
        history = self.histories.pop(block, None)
        if history is not None:
            self._keep(block, history)
        self.pools.ended(task, block, history)

    def freed(self, t: HostThread | None, block: Allocation) -> None:
        """A free is a write of the whole; later accesses to the block are for the memory checker."""
        history = self.histories.pop(block, None)
        if self.touches.closed:
            self.touches.gone(block)
        if t is None:
            return
        if block.pool is not None:
            self.pools.lost(t, block)  # type: ignore[arg-type]
        clock = self.clocks.host(t)
        view = clock.sized(self.clocks.size)
        clock.q += 1
        epoch = HostCall(clock.c, clock.q, t, view)
        if history is not None:
            self._keep(block, history)
            met = history.write(0, block.size, epoch, view)
            if met is not None and block.pool is not None:
                met = [other for other in met if other[0] is not block.alloc_task]
            if met:
                self.reports.races(epoch, block, 0, block.size, True, met, freeing=True)
        if self._freed_ranges is not None and block.device >= 0:
            ranges = self._freed_ranges.setdefault(block.device, [])
            ranges.append((block.offset, block.offset + block.capacity, epoch))
            if len(ranges) > KEPT_RANGES:
                del ranges[: KEPT_RANGES // 2]

    # -- mapped memory -----------------------------------------------------------------------------------------------

    def mapped(self, t: HostThread, mapping: Mapping) -> None:
        """A second mapping of one memory: from now on it matters through which of them an access goes."""
        memory = mapping.memory
        if len(memory.mappings) != 2:
            return
        other = memory.mappings[0]
        known = self.histories.get(memory)
        if isinstance(known, AccessHistory):
            self._through[other] = known.twin()

    def accessed_through(self, who: Task | HostThread, mapping: Mapping, lo: int, hi: int, write: bool) -> None:
        """Note it for the unmapping; whether it races with others is asked of the memory."""
        history = self._through.get(mapping)
        if history is None:
            history = self._through[mapping] = AccessHistory(mapping.size, mapping.capacity)
        epoch, view = self._who(who)
        if write:
            history.write(lo, hi, epoch, view)
        else:
            history.read(lo, hi, epoch, view)
        if len(history.cells) > history.limit:
            self._compact(mapping, history)

    def unmapped(self, t: HostThread, mapping: Mapping) -> None:
        """An unmapping is a free of the mapping: what was done through it comes before. The memory keeps its history."""
        history = self._through.pop(mapping, None)
        if history is None:
            known = self.histories.get(mapping.memory)
            if not isinstance(known, AccessHistory) or len(mapping.memory.mappings) > 1:
                return
            history = known.twin()
        clock = self.clocks.host(t)
        view = clock.sized(self.clocks.size)
        clock.q += 1
        epoch = HostCall(clock.c, clock.q, t, view)
        met = history.write(0, mapping.size, epoch, view)
        if met:
            self.reports.races(epoch, mapping, 0, mapping.size, True, met, freeing=True)

    def _keep(self, block: Allocation, history: AccessHistory | RowHistory) -> None:
        """Tasks that are queued may still come to use *block*, which is freed: keep what is known of it."""
        if isinstance(history, AccessHistory) and len(history.cells) <= KEPT_CELLS and self._queued():
            if len(self._freed) >= KEPT_FREED:
                del self._freed[next(iter(self._freed))]
            self._freed[block] = history.twin()

    def _queued(self) -> bool:
        """Whether there is a task that may still come to use what is freed now."""
        return any(s.queue for context in self.sim.contexts.values() for s in context.every_stream())

    def _last_free(self, block: Allocation) -> Any:
        """The latest free of memory that this block was handed again: it counts as a write of the whole."""
        assert self._freed_ranges is not None
        lo, hi = block.offset, block.offset + block.capacity
        for start, end, epoch in reversed(self._freed_ranges.get(block.device, ())):
            if start < hi and lo < end:
                return epoch
        return None

    # -- the end -----------------------------------------------------------------------------------------------------

    def hung(self) -> None:
        """Nothing goes on: waits that never started are tested, too."""
        self.sync.hung()

    def dropped(self, t: HostThread, stream: Stream) -> None:
        """A stream is destroyed by force: what the program touched while tasks were queued there counts all the same."""
        StillQueued(self).look(stream)

    def finalized(self, sim: Runtime) -> None:
        """aclFinalize: tasks that are queued now will not run."""
        StillQueued(self).look()

    def end(self) -> None:
        """Locks need not tell it anything either, and pages that it closed are the program's again."""
        self.sim.detects_races = False
        self.touches.finish()
        if self._edges is not None:
            self._edges.remove(self)

    def closed(self, sim: Runtime) -> None:
        """The program ends. Write the counts of what was seen more than once."""
        self.touches.finish()
        StillQueued(self).look()
        if "reports" in self.__dict__:
            self.reports.finish()
        if self.between is not None:
            self.between.closed()
        if self._edges is not None:
            self._edges.remove(self)


KEPT_RANGES = 4096
KEPT_FREED, KEPT_CELLS = 64, 64
KEPT_LOG = 3072
