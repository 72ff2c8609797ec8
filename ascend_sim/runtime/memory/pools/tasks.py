"""What aclrtMemPoolMallocAsync and aclrtMemPoolFreeAsync queue: the moments at which a stream gets a block and loses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_AICPU_EXCEPTION
from ascend_sim.findings.finding import Site
from ascend_sim.runtime.memory.pools.in_graphs import allocate_again
from ascend_sim.runtime.memory.pools.reuse import INTERNAL, OPPORTUNISTIC
from ascend_sim.runtime.task import Action, Gate, Op, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.machine.pool_region import PoolAllocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.pools.pool import MemoryPool

__all__ = ["FREE", "MALLOC", "FreeGate", "PoolOp", "free_op", "malloc_op", "meant_by"]

MALLOC, FREE = "pool-malloc", "pool-free"
"""Kinds of the two operations."""
"""Of a task that finds its memory not given back yet: an AI CPU does this work, and it failed."""


class FreeGate(Gate):
    """Passes once the tasks that give the memory back have run: the wait that a pool adds by itself."""

    __slots__ = ("frees",)

    def __init__(self, frees: tuple[Task, ...]) -> None:
        self.frees = frees

    def passes(self, task: Task, time: int) -> bool:
        """Whether all of them have run. One that was dropped with its stream never will, as a record."""
        return all(free.done for free in self.frees)

    def park(self, task: Task) -> None:
        """Let the first one that has not run wake the stream."""
        free = next(free for free in self.frees if not free.done)
        if free.waiters is None:
            free.waiters = [task.stream]
        else:
            free.waiters.append(task.stream)

    def forget(self, task: Task) -> None:
        """Take the stream off their lists."""
        for free in self.frees:
            if free.waiters is not None and task.stream in free.waiters:
                free.waiters.remove(task.stream)

    def holders(self) -> list[object]:
        """The streams on which they are queued."""
        return [free.stream for free in self.frees if not free.over()]  # nobody can end the wait for a dropped one

    def describe(self) -> str:
        """The wait in words."""
        free = next((free for free in self.frees if not free.done), self.frees[0])
        dropped = ", which was dropped" if free.over() and not free.done else ""
        return f"aclrtMemPoolFreeAsync on {free.stream.describe()}{dropped}: the pool hands out what that gives back"


class PoolOp(Op):
    """An operation that gives a stream the *block*, or takes it away."""

    __slots__ = ("block",)

    def __init__(self, kind: str, cost: int, action: Action, block: PoolAllocation, gate: Gate | None = None) -> None:
        super().__init__(kind, cost, action, gate=gate)
        self.block = block


def malloc_op(sim: Runtime, block: PoolAllocation) -> Op:
    """The operation that makes *block* usable."""
    reason = block.reason

    def begin(task: Task, time: int) -> None:
        for free in block.after if reason == OPPORTUNISTIC else ():
            for observe in sim.hooks.pool_asked or ():
                observe(task, free, free.done)
            if not free.done:
                block.born = True  # what comes of it is no other fault
                where = sim.names.described(free.stream)
                raise TaskFault(
                    ACL_ERROR_RT_AICPU_EXCEPTION,
                    f"the pool has handed out memory (REUSE_ALLOW_OPPORTUNISTIC) whose aclrtMemPoolFreeAsync on {where} "
                    "had not run by then",
                )
        if block.graph is not None:
            allocate_again(sim, block, task)
        block.born = True
        for observe in sim.hooks.block_begun or ():
            observe(task, block)

    gate = FreeGate(block.after) if reason == INTERNAL else None
    return PoolOp(MALLOC, sim.profile.costs.task_ns, begin, block, gate)


def free_op(sim: Runtime, pool: MemoryPool, block: PoolAllocation) -> Op:
    """The operation that gives *block* back to *pool*."""

    def end(task: Task, time: int) -> None:
        if pool.gone or block.freed:
            if pool.gone or not hasattr(task, "launch"):
                _report_gone(sim, pool, block, task)
            else:
                _report_again(sim, block, task)
            return
        block.free_task = task
        if not block.born and not sim.detects_races:
            report_free_before_allocation(sim, block, task)
        pool.region.ended(block, task.site, f"on {sim.names.described(task.stream)}")
        for observe in sim.hooks.block_ended or ():
            observe(task, block)
        for observe in sim.hooks.freed or ():
            observe(None, block)

    return PoolOp(FREE, sim.profile.costs.task_ns, end, block)


def report_free_before_allocation(sim: Runtime, block: PoolAllocation, task: Task) -> None:
    """The free of a block runs, and its allocation has not run."""
    alloc = block.alloc_task
    sim.report(
        "free-before-alloc",
        "error",
        f"a block of {block.size} bytes was given back on {sim.names.described(task.stream)} before it was allocated on "
        f"{sim.names.described(alloc.stream)}",
        [
            Site("free", f"given back here, on {sim.names.described(task.stream)}", task.site, primary=True),
            Site("alloc", f"{block.size} bytes, allocated here on {sim.names.described(alloc.stream)}", block.site),
        ],
        order=f"{sim.names.described(task.stream)} has not waited for {sim.names.described(alloc.stream)}",
        streams=(sim.names.described(alloc.stream), sim.names.described(task.stream)),
        time_ns=sim.scheduler.now,
    )


def _report_again(sim: Runtime, block: PoolAllocation, task: Task) -> None:
    """A graph gives back a block that it has given back, and that nobody has allocated since."""
    sim.report(
        "double-free",
        "error",
        f"a graph gives back {sim.names.one_of(block)} a second time",
        [
            Site("access", "executed again here", task.launch.site, primary=True),
            Site("free", "given back here, in the graph", task.site),
            Site("alloc", f"{block.size} bytes allocated here", block.site),
        ],
        fix="allocate it in the graph, too, or give it back outside",
        streams=(sim.names.described(task.stream),),
        time_ns=sim.scheduler.now,
    )


def _report_gone(sim: Runtime, pool: MemoryPool, block: PoolAllocation, task: Task) -> None:
    """A block is given back whose pool, or device, is gone: hardware finds a pool that nobody knows."""
    if not pool.gone or sim.detects_races:
        return  # aclrtFree of the block, or the destruction of the pool, has told it
    sim.report(
        "use-after-free",
        "error",
        f"{pool.describe()} was destroyed before aclrtMemPoolFreeAsync had run on {sim.names.described(task.stream)}",
        [
            Site("free", "the pool is destroyed here", pool.end_site, primary=True),
            Site("access", "the block is given back here", task.site),
            Site("alloc", f"{block.size} bytes allocated here", block.site),
        ],
        streams=(sim.names.described(task.stream),),
        time_ns=sim.scheduler.now,
    )


def meant_by(block: PoolAllocation, task: Task, address: int) -> PoolAllocation:
    """The block that *task* means by an *address* in *block*: one that had it before, if it was queued by then."""
    while block.former and task.number <= block.earlier.get(task.thread.number, 0):
        older = next((old for old in block.former if old.contains(address)), None)
        if older is None or older.pool is None:
            break
        block = older  # type: ignore[assignment]
    return block
