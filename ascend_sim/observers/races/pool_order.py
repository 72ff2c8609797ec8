"""Blocks of stream-ordered pools in the happens-before relation.

An allocation and a free are tasks that write the whole block; each block has a history of its own, which begins with the
one and ends with the other. That a pool lets an allocation wait for the free of memory that it hands out again orders
nothing else: programs must not count on which memory they get (the attributes *allow* reuse). Where another order of this
run could have got other memory, it counts a nondeterminism point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.observers.races.accesses import HostCall
from ascend_sim.observers.races.vector_clocks import View, known_to
from ascend_sim.runtime.memory.pools.reuse import EVENT, SAME
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.machine.pool_region import PoolAllocation
    from ascend_sim.observers.races.access_history import AccessHistory
    from ascend_sim.observers.races.detector import RaceDetector
    from ascend_sim.observers.races.row_history import RowHistory
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.pools.pool import MemoryPool
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["PoolOrder"]

FIXED = (SAME, EVENT)
"""Reasons for using memory again that say themselves that the program has ordered it."""


class PoolOrder:
    """The part of the race detector that looks at pools."""

    def __init__(self, sim: Runtime, races: RaceDetector) -> None:
        self.sim = sim
        self.clocks = races.clocks
        self.nondeterminism = races.nondeterminism
        self.races = races
        self._calls: dict[MemoryPool, dict[int, int]] = {}
        """For each pool the latest call of each host thread, by chain."""

    def listeners(self) -> dict[str, Callable[..., Any]]:
        """The hooks of this part, as `Observer.listeners`."""
        return {"pool_used": self.used, "pool_asked": self.asked, "pool_gone": self.gone}

    def begun(self, task: Task, block: PoolAllocation, history: AccessHistory | RowHistory | None) -> None:
        """The allocation of *block* has run."""
        view = self.clocks.view(task)
        if block.reason in FIXED and not all(self._knows(view, free) for free in block.after):
            self.nondeterminism.add("pool", task.site)
        if history is not None:
            met = history.write(0, block.capacity, task, view)
            if met is not None:
                self.races.reports.races(task, block, 0, block.size, True, met)

    def ended(self, task: Task, block: PoolAllocation, history: AccessHistory | RowHistory | None) -> None:
        """The free of *block* has run."""
        view = self.clocks.view(task)
        alloc = block.alloc_task
        if not self._knows(view, alloc):
            self.races.reports.pools.free_before_alloc(task, block)
        if history is not None:
            met = [other for other in history.write(0, block.capacity, task, view) or () if other[0] is not alloc]
            if met:
                self.races.reports.races(task, block, 0, block.size, True, met, freeing=True)

    def lost(self, t: HostThread, block: PoolAllocation) -> None:
        """The host frees *block* at once."""
        call = self._call(t)
        if block.alloc_task is not None and not self._knows(call.view, block.alloc_task):
            self.races.reports.pools.free_before_alloc(call, block)

    def gone(self, t: HostThread, pool: MemoryPool, tasks: list[Task]) -> None:
        """The host destroys *pool*: does it know that *tasks* have run?"""
        call = self._call(t)
        late = next((task for task in tasks if not self._knows(call.view, task)), None)
        if late is not None:
            self.races.reports.pools.pool_gone(call, pool, late)
        self._calls.pop(pool, None)

    def used(self, t: HostThread, pool: MemoryPool) -> None:
        """A call of *t* on *pool*; what two threads do in no order is decided by this run."""
        clock = self.clocks.host(t)
        calls = self._calls.setdefault(pool, {})
        if self.clocks.multi and any(c != clock.c and not known_to(clock.view, c, q) for c, q in calls.items()):
            self.nondeterminism.add("pool", t.site)
        clock.q += 1
        calls[clock.c] = clock.q

    def asked(self, who: Task | HostThread, free: Task, done: bool) -> None:
        """Whether *free* has run decided something: is the answer fixed by what *who* knows?"""
        view = self.clocks.view(who) if isinstance(who, Task) else self.clocks.host(who).sized(self.clocks.size)
        if not done or not self._knows(view, free):
            self.nondeterminism.add("pool", who.site)

    def _call(self, t: HostThread) -> HostCall:
        clock = self.clocks.host(t)
        view = clock.sized(self.clocks.size)
        clock.q += 1
        return HostCall(clock.c, clock.q, t, view)

    def _knows(self, view: View, task: Any) -> bool:
        """Whether who knows *view* knows that *task* has run."""
        track = self.clocks.track_of(task) if task.done else None
        return track is not None and known_to(view, track.c, task.q)
