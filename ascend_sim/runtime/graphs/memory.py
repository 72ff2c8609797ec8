"""Memory of a graph that was freed since the capture, and whose addresses belong to somebody else by now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import work

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.graphs.graph import Node
    from ascend_sim.runtime.graphs.instance import RunningInstance
    from ascend_sim.runtime.task import Task

__all__ = ["look_at_memory"]


def look_at_memory(launched: Task, instance: RunningInstance) -> None:
    """*launched* executes *instance*: do its nodes still mean the memory that they were recorded with?

    What is freed and nobody's is found when it is used. What was handed out again looks right to whoever uses it.
    """
    memory = launched.stream.sim.memory
    if instance.frees == memory.frees:
        return
    instance.frees = memory.frees
    for node, blocks in instance.graph.uses.items():
        for block in blocks:
            if not block.freed or block.graph is instance.graph:
                continue
            owner = memory.find(block.address)
            if owner is not None and owner is not block and not owner.freed:
                _report(launched, node, block, owner)


def _report(launched: Task, node: Node, block: Allocation, owner: Allocation) -> None:
    sim = launched.stream.sim
    names = sim.names
    stream = names.described(launched.stream)
    sim.report(
        "use-after-free", "error",
        f"{work(node.op.kind)} in a graph uses the address of {names.one_of(block)}, which was freed: it belongs to "
        f"{names.one_of(owner)} now",
        [
            Site("free", f"freed here {block.freed_by}", block.free_site, primary=True),
            Site("access", "captured here", node.site),
            Site("submit", "executed here, with its graph", launched.site),
            Site("alloc", f"{block.size} bytes allocated here", block.origin()),
            Site("other", f"{owner.size} bytes at this address allocated here, afterwards", owner.origin()),
        ],
        order="a graph keeps the addresses that were captured",
        fix="free it after the graph was destroyed, or capture again with what took its place",
        streams=(stream,), time_ns=sim.scheduler.now, called_ns=block.free_ns,
    )  # fmt: skip
