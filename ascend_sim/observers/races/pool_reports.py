"""What is said of blocks of stream-ordered pools: used, or given back, in no order with their allocation or their free."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import ByteMap, ByteRange, Finding, Site
from ascend_sim.findings.wording import Names, line_of
from ascend_sim.observers.races.diagnosis import Advice, advise
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.machine.pool_region import PoolAllocation
    from ascend_sim.observers.races.sync_log import SyncLog
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.pools.pool import MemoryPool

__all__ = ["PoolReports"]


class PoolReports:
    """Writes the findings; *log*: the calls that order streams, when somebody keeps them."""

    def __init__(self, sim: Runtime, log: SyncLog | None, names: Names) -> None:
        self.sim = sim
        self.log = log
        self.names = names

    def pair(self, block: Any, one: tuple[Any, Any], other: tuple[Any, Any], lo: int, hi: int) -> Finding | None:
        """The finding for two unordered accesses (who, write), if one of them is the allocation or the free of *block*."""
        for (who, _), (use, write) in ((one, other), (other, one)):
            if who is block.alloc_task:
                return self.before_alloc(use, block, lo, min(hi, block.size), write)
            if who is block.free_task:
                return self.after_free(use, block, lo, min(hi, block.size), write)
        return None

    def free_before_alloc(self, free: Any, block: PoolAllocation) -> Finding:
        """*free*, the task or a call of aclrtFree, is in no order with the allocation."""
        names, alloc = self.names, block.alloc_task
        name = names.block(block)
        if isinstance(free, Task):
            where = f"given back on {names.stream(free.stream)}"
            label = f"given back here, on {names.stream(free.stream)}"
        else:
            where, label = f"freed by {free.call}", "freed here by the host"
        advice = self._advice(alloc, free)
        return self._found(
            "free-before-alloc",
            f"{name} may be {where} before it is allocated on {names.stream(alloc.stream)}",
            [
                Site("free", label, free.site, primary=True),
                Site("alloc", f"{name}: {block.size} bytes, allocated here in the order of {names.stream(alloc.stream)}",
                     block.site),
            ],
            advice, (alloc, free),
        )  # fmt: skip

    def before_alloc(self, use: Any, block: PoolAllocation, lo: int, hi: int, write: Any) -> Finding:
        """*use*, a task or a call, is in no order with the allocation."""
        names, alloc = self.names, block.alloc_task
        name, does = names.block(block), "writes" if write else "reads"
        who = names.task(use) if isinstance(use, Task) else use.call
        return self._found(
            "use-before-alloc",
            f"{who} {does} {name}, and nothing makes it wait for the allocation on {names.stream(alloc.stream)}",
            [
                Site("access", self._label(use, block, lo, hi, does), use.site, primary=True),
                Site("alloc", f"{name}: {block.size} bytes, allocated here in the order of {names.stream(alloc.stream)}",
                     block.site),
            ],
            self._advice(alloc, use), (alloc, use), self._picture(block, use, lo, hi, write),
        )  # fmt: skip

    def after_free(self, use: Any, block: PoolAllocation, lo: int, hi: int, write: Any) -> Finding:
        """*use*, a task or a call, is in no order with the task that gives the block back."""
        names, free = self.names, block.free_task
        name, does = names.block(block), "writes" if write else "reads"
        who = names.task(use) if isinstance(use, Task) else use.call
        stream = names.stream(free.stream)
        if self.log is not None and self.log.called_before(free, use):
            title = f"{who} {does} {name} after aclrtMemPoolFreeAsync was called for it"
            order = f"the free was queued on {stream} at {line_of(free.site, use.site)}, before {line_of(use.site)}"
            advice = Advice(lambda: (order, "give the block back after its last use"))
        else:
            title = f"{name} is given back on {stream} while {who} may still be {'writing' if write else 'reading'} it"
            advice = self._advice(use, free)
        return self._found(
            "use-after-free", title,
            [
                Site("free", f"given back here, on {stream}", free.site, primary=True),
                Site("access", self._label(use, block, lo, hi, does), use.site),
                Site("alloc", f"{name}: {block.size} bytes on device {block.device}", block.site),
            ],
            advice, (use, free), self._picture(block, use, lo, hi, write),
        )  # fmt: skip

    def pool_gone(self, call: Any, pool: MemoryPool, task: Task) -> Finding:
        """*call* destroys *pool*, and nothing says that *task*, an allocation or a free, has run."""
        names = self.names
        stream = names.stream(task.stream)
        kind = names.work(task)
        return self._found(
            "use-after-free",
            f"{names.thing(pool)} is destroyed while {kind} on {stream} may not have run",
            [
                Site("free", "the pool is destroyed here", call.site, primary=True),
                Site("access", f"queued here, on {stream}", task.site),
                Site("alloc", "the pool was made here", pool.site),
            ],
            self._advice(task, call), (task,),
        )  # fmt: skip

    # -- inside ------------------------------------------------------------------------------------------------------

    def _advice(self, earlier: Any, later: Any) -> Advice:
        if self.log is None:
            return Advice(lambda: (f"nothing orders {line_of(earlier.site, later.site)} and {line_of(later.site)}", ""))
        return advise(self.log, self.names, earlier, later)

    def _label(self, use: Any, block: PoolAllocation, lo: int, hi: int, does: str) -> str:
        text = f"{does} {self.names.bare_block(block)}[{lo}, {hi})"
        if isinstance(use, Task):
            parameter = self.names.parameter(use, block)
            text += f" (parameter `{parameter}`)" if parameter else ""
            return f"{text}, submit {use.number} of {use.thread.name}, on {self.names.stream(use.stream)}"
        return text

    def _picture(self, block: PoolAllocation, use: Any, lo: int, hi: int, write: Any) -> ByteMap:
        who = self.names.stream(use.stream).strip("`") if isinstance(use, Task) else "host"
        mark = f"{who} {'W' if write else 'R'}"
        return ByteMap(self.names.bare_block(block), block.size, [ByteRange(mark, lo, hi)])

    def _found(
        self, kind: str, title: str, sites: list[Site], advice: Advice, sides: tuple[Any, ...],
        picture: ByteMap | None = None,
    ) -> Finding:  # fmt: skip
        sites[-1:-1] = [Site(role, text, site) for role, text, site in advice.calls]
        streams = tuple(self.names.stream(side.stream).strip("`") for side in sides if isinstance(side, Task))
        return self.sim.report(
            kind, "error", title, sites, bytes=picture, order=advice.order, fix=advice.fix, streams=streams,
            time_ns=self.sim.scheduler.now,
        )  # fmt: skip
