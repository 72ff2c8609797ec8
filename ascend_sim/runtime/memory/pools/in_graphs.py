"""Blocks of pools that graphs allocate and give back: each execution does it again, at the addresses of the capture.

The calls of the program enter and leave the books of the host once, when they are recorded. See
docs/semantics/pools.md#pools-in-graphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_AICPU_EXCEPTION
from ascend_sim.findings.finding import Site
from ascend_sim.runtime.graphs.graph import Line, Node
from ascend_sim.runtime.task import TaskFault

if TYPE_CHECKING:
    from ascend_sim.machine.pool_region import PoolAllocation
    from ascend_sim.machine.pool_segments import Segment
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.pools.pool import MemoryPool
    from ascend_sim.runtime.task import Task

__all__ = ["allocate_again", "is_reserved", "reserve", "without_nodes"]


def is_reserved(segment: Segment) -> bool:
    """Whether *segment* was given back inside of a graph that is still there."""
    return isinstance(segment.owner, Line)


def without_nodes(tasks: list[Task]) -> list[Task]:
    """Those of *tasks* that run: nodes of graphs never do."""
    return [task for task in tasks if not isinstance(task, Node)]


def reserve(pool: MemoryPool, block: PoolAllocation, line: Line) -> None:
    """*block* was given back on *line*: while there is that graph, nobody else gets the memory."""
    block.reserved = line
    recorder = line.stream.recorder
    assert recorder is not None

    def leave() -> None:
        block.reserved = None
        if not pool.gone:
            pool.region.unreserve(line, line.stream, pool.registry.order.mark(line.stream))

    recorder.keep(leave)


def allocate_again(sim: Runtime, block: PoolAllocation, task: Task) -> None:
    """*task* of an execution allocates *block*.

    Raises TaskFault 507018: the pool was destroyed, which the driver does not know any more.
    """
    pool: Any = block.pool.owner
    names = sim.names
    executed = Site("submit", "executed here, with its graph", task.launch.site)
    captured = Site("alloc", f"{block.size} bytes, allocated here in the graph", block.site)
    if pool.gone:
        sim.report(
            "use-after-free", "error",
            f"a graph allocates a block of {block.size} bytes from {pool.describe()}, which was destroyed",
            [Site("free", "the pool is destroyed here", pool.end_site, primary=True), captured, executed],
            fix="destroy the pool after the graph", streams=(names.described(task.stream),),
            time_ns=sim.scheduler.now,
        )  # fmt: skip
        raise TaskFault(ACL_ERROR_RT_AICPU_EXCEPTION, f"{pool.describe()} was destroyed", reported=True)
    if block.releasing and block.reserved is None:
        given = block.free_task.site if block.free_task is not None else block.free_site
        sim.report(
            "use-after-free", "error",
            f"a graph allocates {names.one_of(block)} again, which was given back outside of it: the pool may hand its "
            "addresses to others",
            [Site("free", "the block is given back here", given, primary=True), captured, executed],
            order="a graph keeps the addresses that were captured",
            fix="give it back in the graph, or allocate it outside and let the graph only use it",
            streams=(names.described(task.stream),), time_ns=sim.scheduler.now,
        )  # fmt: skip
    elif block.born and not block.freed:
        sim.report(
            "undefined-use", "warning",
            f"a graph allocates {names.one_of(block)} again, which was not given back since its last execution",
            [captured, executed],
            notes=("no page says what the driver does then; here the block stays, with what it holds",),
            fix="give it back in the graph, or allocate it outside and let the graph only use it",
            streams=(names.described(task.stream),), time_ns=sim.scheduler.now,
        )  # fmt: skip
    block.alloc_task = task
    was_freed = block.freed
    if was_freed or not block.born:
        block.pool.begin_again(block)
    if was_freed:
        for observe in sim.hooks.allocated or ():
            observe(None, block)
