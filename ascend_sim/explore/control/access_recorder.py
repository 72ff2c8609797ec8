"""Records what each step touches (for dependence), and what the host reads and is answered (for the outcome)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

from ascend_sim.explore.control.aborts import looks_at
from ascend_sim.explore.control.polls import POLLS, WAIT_STATUS
from ascend_sim.explore.search.dependence import (
    ATOMIC,
    CLEAR,
    END,
    POLL,
    PUT,
    READ,
    SET,
    SUBMIT,
    WRITE,
    Item,
    in_parts,
    was_idle,
    was_possible,
)
from ascend_sim.machine import host_memory
from ascend_sim.observers.observer import Observer
from ascend_sim.runtime.event import Event
from ascend_sim.runtime.notify import Notify
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Task
from ascend_sim.runtime.value_wait import ValueGate

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.machine.pool_region import PoolAllocation
    from ascend_sim.machine.virtual_memory import Mapping
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.pools.pool import MemoryPool
    from ascend_sim.runtime.task import TaskFault
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["AccessRecorder"]

_item = tuple.__new__  # a NamedTuple's own constructor takes twice as long, and every run makes the same dozens
LATE = 500_000
"""Failures from here on come from the device, and from time."""
SHOWN = 32
"""Bytes that an outcome keeps as they are; of more it keeps a check sum."""


class AccessRecorder(Observer):
    """Records what the steps of one run touch, and its outcome."""

    def __init__(self, schedule: ControlledSchedule) -> None:
        self._schedule = schedule
        self._recorded: set[Any] = set()
        """The events that were recorded."""
        self._reads: list[tuple[str, tuple[str, bytes | int]]] = []
        self._codes: list[tuple[str, tuple[str, int]]] = []
        self.muted = False
        """What is told now was recorded already."""
        self.written: dict[Allocation, tuple[int, int]] = {}

    # -- what steps touch -----------------------------------------------------------------------------------------------

    def handle_made(self, thing: Any, handle: int) -> None:
        """It gets its id."""
        self._schedule.progresses()
        self._schedule.ids.made(thing, handle)

    def submitted(self, task: Task) -> None:
        """Who queued it."""
        schedule = self._schedule
        if schedule.hosts.active:
            name = schedule.ids.of(task.stream)
            schedule.touch(Item(("queue", name), SUBMIT, 0, 1, schedule.tasks.room_from(task.stream)))
            schedule.touch(Item(("last", name), END))
            schedule.touch(Item(("idle", name), END, 0, 1, len(task.stream.queue) - 1))
        schedule.submitted(task)
        gate = task.op.gate
        if gate is not None and isinstance(gate, ValueGate):
            schedule.known_state.watch(gate, schedule.ids)

    def forked(self, task: Task, firsts: list[Task], lasts: list[Task]) -> None:
        """The running step makes the lanes of a graph go on; *task* goes on behind them."""
        self._schedule.tasks.fork(task, firsts, lasts, self._schedule.place)

    def ordered(
        self, call: str, t: HostThread, thing: Any, stream: Stream | None, task: Task | None, record: Task | None
    ) -> None:
        """What an event refers to is its latest record: written by the one call, read by the other."""
        schedule = self._schedule
        if stream is None or not isinstance(thing, Event):
            return  # a synchronise of the host: `polled` tells it, as for events that were recorded
        if schedule.hosts.active:
            name = schedule.ids.of(thing)
            if call == "record":
                schedule.touch(Item(("slot", name), WRITE, 0, 1, thing in self._recorded))
            elif thing.gate is None:
                schedule.touch(Item(("slot", name), READ))
            if call == "wait" and task is not None and WAIT_STATUS in schedule.relevant:
                schedule.touch(Item(("waits", name), END, 0, 1, thing.outstanding_waits() - 1))
        if call == "record":
            self._recorded.add(thing)

    def signalled(self, task: Task | HostThread, thing: Any, value: bool | None) -> None:
        """A flag or a notify changes; a watched value is told as bytes."""
        schedule = self._schedule
        if isinstance(thing, Notify):
            before = (
                schedule.flag_before if isinstance(task, Task) else thing.flag
            )  # a host call has not cleared it yet
            schedule.touch(Item(("notify", schedule.ids.of(thing)), PUT, 0, 1, before))
        elif value is not None and isinstance(thing, Event):
            mode = SET if value else CLEAR
            schedule.touch(Item(("flag", schedule.ids.of(thing)), mode, 0, 1, schedule.flag_before))

    def waited(self, t: HostThread, stream: Stream) -> None:
        """The host follows the last task of *stream*; had it waited, it would know which that was."""
        schedule = self._schedule
        if not schedule.was_woken():
            if schedule.hosts.active:
                schedule.touch(Item(("last", schedule.ids.of(stream)), POLL))
                schedule.hosts.looks_for_tasks(stream)
            last = schedule.tasks.last_of(stream)
            place = schedule.tasks.ended.get(last) if last is not None else None
            if place is not None:
                schedule.wait_returned(place)
        if schedule.hosts.active:  # a failure of the stream is told to one
            schedule.touch(Item(("failure", schedule.ids.of(stream)), WRITE if stream.error else READ))

    def failed(self, task: Task, fault: TaskFault) -> None:
        """A failure is kept for who waits next."""
        schedule = self._schedule
        if schedule.hosts.active:
            schedule.touch(Item(("failure", schedule.ids.of(task.stream)), WRITE))
        if schedule.relevant:
            schedule.touch_all(looks_at(schedule, task, True))

    def polled(self, t: HostThread, thing: Event | Stream, record: Task | None, done: bool, waited: bool) -> None:
        """The answer depends on whether a task has ended."""
        schedule = self._schedule
        repeats = schedule.poll_repeats
        if t.call == WAIT_STATUS:
            if WAIT_STATUS not in schedule.relevant:
                schedule.known_state.add_relevant(WAIT_STATUS)
            schedule.touch(Item(("waits", schedule.ids.of(thing)), POLL, 0, 1, None, was_idle if repeats else None))
            return
        if schedule.hosts.active and isinstance(thing, Stream):  # others may decide which task is the last there
            schedule.touch(Item(("idle", schedule.ids.of(thing)), POLL, 0, 1, None, was_idle if repeats else None))
            return
        task = schedule.tasks.last_of(thing) if isinstance(thing, Stream) else record
        if task is None:
            if repeats and schedule.hosts.active:  # it was let go on by the first record
                schedule.touch(Item(("slot", schedule.ids.of(thing)), READ, 0, 1, None, was_possible))
            return
        if waited:
            place = schedule.tasks.ended.get(task)
            if place is not None:
                schedule.wait_returned(place)
            return
        test = was_possible if repeats else None
        schedule.touch(_item(Item, (("done", schedule.ids.task(task)), POLL, 0, 1, None, test, None)))

    def allocated(self, t: HostThread | None, block: Allocation) -> None:
        """It gets its id."""
        self._schedule.progresses()
        self._schedule.ids.block(block, t)

    def freed(self, t: HostThread | None, block: Allocation) -> None:
        """A write of the whole."""
        schedule = self._schedule
        schedule.touch(Item(("bytes", schedule.ids.block(block)), WRITE, 0, max(block.size, block.capacity)))
        self.written.pop(block, None)

    def unmapped(self, t: HostThread, mapping: Mapping) -> None:
        """As a free, of what the mapping shows; whether an access goes through another one is not looked at."""
        schedule = self._schedule
        schedule.touch(Item(("bytes", schedule.ids.block(mapping.memory)), WRITE, 0, mapping.capacity))

    def mapped(self, t: HostThread, mapping: Mapping) -> None:
        """What is mapped decides which bytes an address means."""
        self.unmapped(t, mapping)

    def block_begun(self, task: Task, block: PoolAllocation) -> None:
        """A write of the whole; and so is the free, which `freed` tells."""
        schedule = self._schedule
        schedule.touch(Item(("bytes", schedule.ids.block(block)), WRITE, 0, block.capacity))

    def pool_used(self, t: HostThread, pool: MemoryPool) -> None:
        """What one call takes another does not get."""
        schedule = self._schedule
        if schedule.hosts.active:
            schedule.touch(Item(("pool", schedule.ids.of(pool)), WRITE))

    def pool_asked(self, who: Task | HostThread, free: Task, done: bool) -> None:
        """The pool does as the free has run, or not."""
        schedule = self._schedule
        schedule.touch(Item(("done", schedule.ids.task(free)), POLL))

    def accessed(self, who: Task | HostThread, block: Allocation, lo: int, hi: int, write: bool) -> None:
        """Bytes."""
        schedule = self._schedule
        if not self.muted:
            mode = int(write) if write != ATOMIC or type(who) is not Task else schedule.blocks.atomic(who, block)
            key = "bytes", schedule.ids.block(block)
            schedule.touch(_item(Item, (key, mode, lo, hi, None, None, None)))
        if write:
            self._written(block, lo, hi)
        elif type(who) is not Task:
            self._host_reads(who, block, lo, hi)

    def _written(self, block: Allocation, lo: int, hi: int) -> None:
        known = self.written.get(block)
        self.written[block] = (lo, hi) if known is None else (min(lo, known[0]), max(hi, known[1]))

    def accessed_parts(
        self, who: Task | HostThread, block: Allocation, parts: list[tuple[int, int]], write: bool
    ) -> None:
        """Many parts."""
        mode = int(write) if write != ATOMIC or type(who) is not Task else self._schedule.blocks.atomic(who, block)
        item = in_parts(("bytes", self._schedule.ids.block(block)), mode, parts)
        if item is None:
            return
        if not self.muted:
            self._schedule.touch(item)
        if write:
            self._written(block, item.lo, item.hi)
        elif type(who) is not Task:
            for lo, hi in parts:
                self._host_reads(who, block, lo, hi)

    def accessed_rows(
        self, who: Task | HostThread, block: Allocation, lo: int, width: int, pitch: int, rows: int, write: bool
    ) -> None:
        """Rows."""
        starts = range(lo, lo + rows * pitch, pitch) if pitch else (lo,)
        self.accessed_parts(who, block, [(start, start + width) for start in starts], write)

    # -- the outcome ---------------------------------------------------------------------------------------------------

    def _host_reads(self, who: Task | HostThread, block: Allocation, lo: int, hi: int) -> None:
        if block.kind != "host" and not block.freed:
            name = f"{self._schedule.ids.block(block)} [{lo}, {hi})"
            thread = self._schedule.hosts.name(getattr(who, "os_thread", None))
            self._reads.append((thread, (name, content(self._schedule.sim, block, lo, hi))))

    def reads(self) -> tuple[tuple[str, bytes | int], ...]:
        """What host calls read from the device, thread by thread, as the order of threads is no result by itself."""
        return tuple([read for _, read in sorted(self._reads, key=_first)])

    def codes(self) -> tuple[tuple[str, int], ...]:
        """The calls that failed, in the same order."""
        return tuple([code for _, code in sorted(self._codes, key=_first)])

    def api_returned(self, t: HostThread, name: str, result: Any) -> None:
        """Failing codes are part of the outcome; limits are taken from and asked about."""
        schedule = self._schedule
        if schedule.merged.pending:
            schedule.merged.returned()
        if schedule.step.woken:
            schedule.was_woken()  # nobody told of the wait of a call that failed: the next wait is another
        code = result[-1] if result.__class__ is tuple else result
        if code.__class__ is not int:  # a function, a name
            code = 0
        elif code and 100_000 <= code < 1_000_000:
            self._codes.append((schedule.hosts.name(t.os_thread), (name, code)))
        if schedule.hosts.active:
            schedule.objects.returns(t, name, code)
            if code and code < LATE and name not in POLLS:
                schedule.hosts.failed(t.os_thread)

    def device_reset(self, t: HostThread, device: int, things: list[Any]) -> None:
        """What threads have there is gone, with the device's own context."""
        schedule = self._schedule
        schedule.touch(Item(("device", device), WRITE))
        for thing in (schedule.sim.devices[device].primary, *things):
            if getattr(thing, "handle", 0):
                schedule.touch(Item(schedule.ids.of_number(thing.handle), WRITE))

    def memory(self) -> list[tuple[str, bytes | int]]:
        """What is in the allocations that were written and are alive."""
        sim, ids = self._schedule.sim, self._schedule.ids
        alive = [(ids.block(block), block, lo, hi) for block, (lo, hi) in self.written.items() if not block.freed]
        return [
            (f"{name} [{lo}, {hi})", content(sim, block, lo, hi)) for name, block, lo, hi in sorted(alive, key=_first)
        ]


def _first(entry: tuple[Any, ...]) -> Any:
    return entry[0]


def content(sim: Runtime, block: Allocation, lo: int, hi: int) -> bytes | int:
    """Bytes [lo, hi) of *block*: as they are, or a check sum when they are many."""
    true = sim.memory.reach(block, lo, hi - lo)
    if not true:
        return b""
    if hi - lo <= SHOWN:
        return host_memory.view(true, hi - lo).tobytes()
    return crc32(host_memory.view(true, hi - lo).tobytes())
