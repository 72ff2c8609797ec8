"""Waits for a value in device memory: the watched bytes are tested again after every write that touches them.

Writers need not know of them: while a wait is parked, it listens to the accesses that every copy, set, kernel and host
call tells (hook ``accessed``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import launched, work
from ascend_sim.machine import host_memory
from ascend_sim.runtime.memory.told import behind, ended
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.task import Access, Gate, Op, Task

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream

__all__ = [
    "AND", "EQUAL", "GREATER_OR_EQUAL", "NOR", "ValueGate", "ValueWatches", "ValueWrite", "satisfied", "wait_op", "write_op",
]  # fmt: skip

GREATER_OR_EQUAL, EQUAL, AND, NOR = range(4)
WIDTH = 8
_MASK = (1 << 64) - 1
_SIGN = 1 << 63
_NAMES = (">=", "==", "&", "nor")


def satisfied(condition: int, memory: int, value: int) -> bool:
    """Whether 64 bits of *memory* meet *condition* with *value* (docs/semantics/events.md#value-waits).

    Greater-or-equal looks at the sign of the difference, so that a counter may wrap around. NOR: some bit is set in
    neither of them.
    """
    if condition == GREATER_OR_EQUAL:
        return not (memory - value) & _SIGN
    if condition == EQUAL:
        return memory == value
    if condition == AND:
        return memory & value != 0
    return (memory | value) & _MASK != _MASK


class ValueWatches:
    """The parked waits of one simulator, by the block that they watch."""

    __slots__ = ("_parked", "sim")

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self._parked: dict[Allocation, list[tuple[ValueGate, Stream]]] = {}

    @classmethod
    def of(cls, sim: Runtime) -> ValueWatches:
        """Those of *sim*, made at the first wait."""
        watches = sim.value_watches
        if not isinstance(watches, ValueWatches):
            watches = sim.value_watches = cls(sim)
        return watches

    def add(self, gate: ValueGate, stream: Stream) -> None:
        """Let the next write to the bytes of *gate* wake *stream*."""
        if not self._parked:
            self.sim.hooks.add("accessed", self.written)
            self.sim.hooks.add("accessed_rows", self.rows_written)
            self.sim.hooks.add("accessed_parts", self.parts_written)
        self._parked.setdefault(gate.watched[0], []).append((gate, stream))

    def waiting(self, block: Allocation) -> list[tuple[ValueGate, Stream]]:
        """The waits that watch *block*."""
        return self._parked.get(block, [])

    def look_again(self, block: Allocation, time: int) -> bool:
        """Bytes of *block* may have changed unheard: wake whose value is there. Whether anybody's is."""
        met = [(gate, stream) for gate, stream in self.waiting(block) if gate.met()]
        self._keep(block, [entry for entry in self.waiting(block) if entry not in met])
        for gate, stream in met:
            gate.writer = None
            stream.wake(time)
        return bool(met)

    def discard(self, gate: ValueGate, stream: Stream) -> None:
        """*stream* does not wait there any more."""
        block = gate.watched[0]
        self._keep(block, [entry for entry in self._parked.get(block, ()) if entry != (gate, stream)])

    def _keep(self, block: Allocation, left: list[tuple[ValueGate, Stream]]) -> None:
        if left:
            self._parked[block] = left
            return
        if self._parked.pop(block, None) is not None and not self._parked:
            self.sim.hooks.remove("accessed", self.written)
            self.sim.hooks.remove("accessed_rows", self.rows_written)
            self.sim.hooks.remove("accessed_parts", self.parts_written)

    def written(self, who: Any, block: Allocation, lo: int, hi: int, write: bool) -> None:
        """Bytes [lo, hi) of *block* are being written by a task or a host thread: who watches them looks again."""
        parked = self._parked.get(block) if write else None
        if parked is None:
            return
        touched = [(gate, stream) for gate, stream in parked if gate.watched[1] < hi and lo < gate.watched[1] + WIDTH]
        self._keep(block, [entry for entry in parked if entry not in touched])
        time = self.sim.scheduler.now if isinstance(who, Task) else who.clock
        for gate, stream in touched:
            gate.writer = who
            stream.wake(time)

    def parts_written(self, who: Any, block: Allocation, parts: list[tuple[int, int]], write: bool) -> None:
        """Several ranges of *block* are being written: each [lo, hi) of *parts*."""
        for lo, hi in parts:
            self.written(who, block, lo, hi, write)

    def rows_written(
        self, who: Any, block: Allocation, lo: int, width: int, pitch: int, rows: int, write: bool
    ) -> None:
        """Rows of *block* are being written: whoever watches anything from the first to the last looks again."""
        self.written(who, block, lo, lo + pitch * (rows - 1) + width, write)


class ValueGate(Gate):
    """Passes while 8 bytes of device memory meet a condition."""

    __slots__ = ("condition", "place", "reported", "start", "value", "watched", "writer")

    def __init__(self, place: ValuePlace, condition: int, value: int) -> None:
        self.place = place
        self.start = place.address - place.block.address
        self.watched = behind(place.block, self.start)
        """The memory whose bytes are watched, and where in it they are: for mapped memory the physical one."""
        self.condition = condition
        self.value = value
        self.writer: Any = None
        """The task or host thread that touched the bytes last while the wait was parked: who releases it."""
        self.reported = False

    def passes(self, task: Task, time: int) -> bool:
        """Whether the bytes are right now."""
        place = self.place
        if place.block.freed and not self.reported and self.gone() is not None:
            self.reported = True
            self._freed(task)
        return self.met()

    def met(self) -> bool:
        """Whether the bytes meet the condition."""
        place = self.place
        true = place.sim.memory.reach(place.block, self.start, WIDTH)
        if not true:
            return False
        memory = int.from_bytes(host_memory.view(true, WIDTH).tobytes(), "little")
        return satisfied(self.condition, memory, self.value)

    def gone(self) -> Allocation | None:
        """What held the bytes and does not any more: the block, or the mapping of mapped memory."""
        return ended(self.place.block, self.start, WIDTH)

    def _freed(self, task: Task) -> None:
        block, names = self.gone() or self.place.block, self.place.sim.names
        who = f"{work(task.op.kind)} on {names.described(task.stream)}"
        self.place.sim.report(
            "use-after-free",
            "error",
            f"{who} watches {names.one_of(block)}, which was {block.ended()}",
            [
                Site("free", f"{block.ended()} here {block.freed_by}", block.free_site, primary=True),
                Site("access", "queued here", task.site),
                *launched(task),
                Site("alloc", f"{block.size} bytes {block.begun()} here", block.origin()),
            ],
            streams=(names.described(task.stream),),
            time_ns=task.stream.sim.scheduler.now,
        )

    def park(self, task: Task) -> None:
        """Wait for the next write to the bytes."""
        ValueWatches.of(self.place.sim).add(self, task.stream)
        near = self.place.sim.neighbours
        if near is not None and self.watched[0] in near.shared_bytes:
            near.watch()

    def forget(self, task: Task) -> None:
        """Wait no more."""
        ValueWatches.of(self.place.sim).discard(self, task.stream)

    def holders(self) -> list[object]:
        """The streams that hold a task which announces a write to the bytes, and the processes that have them, too."""
        lo = self.place.address
        near = self.place.sim.neighbours
        found: list[object] = [] if near is None else near.holders_of(self.watched[0])
        for context in self.place.sim.contexts.values():
            for stream in context.every_stream():
                accesses = (access for task in stream.queue for access in task.op.accesses)
                if any(access.write and access.lo < lo + WIDTH and lo < access.hi for access in accesses):
                    found.append(stream)
        return found

    def describe(self) -> str:
        """The wait in words."""
        at = self.start
        return f"the 64 bits at byte {at} of {self.place.block.describe()} to be {_NAMES[self.condition]} {self.value}"


class ValuePlace(Place):
    """Eight bytes of a device block."""

    __slots__ = ()

    block: Allocation

    def __init__(self, sim: Runtime, block: Allocation, address: int, write: bool) -> None:
        super().__init__(sim, block, address, WIDTH, write)


def wait_op(sim: Runtime, block: Allocation, address: int, condition: int, value: int) -> Op:
    """The operation of a queued wait for the 64 bits at *address*."""
    gate = ValueGate(ValuePlace(sim, block, address, False), condition, value)
    return Op("value-wait", sim.profile.costs.wait_ns, gate=gate, accesses=(Access(address, address + WIDTH, False),))


class ValueWrite:
    """The action that writes 64 bits."""

    __slots__ = ("place", "value")

    def __init__(self, place: ValuePlace, value: int) -> None:
        self.place = place
        self.value = value

    def __call__(self, task: Task, time: int) -> None:
        """Write them now."""
        place = self.place
        true = place.reach(task)
        place.tell(task)  # before another process can see the value
        if true:
            host_memory.view(true, WIDTH)[:] = list(self.value.to_bytes(WIDTH, "little"))
        for observe in place.sim.hooks.signalled or ():
            observe(task, place, True)


def write_op(sim: Runtime, block: Allocation, address: int, value: int) -> Op:
    """The operation of a queued write of 64 bits."""
    write = ValueWrite(ValuePlace(sim, block, address, True), value)
    return Op("value-write", sim.profile.costs.record_ns, write, accesses=(Access(address, address + WIDTH, True),))
