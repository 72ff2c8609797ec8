"""Work that is still queued when the program ends: nobody waited for it, so its results were never there to be read.

On the device it may still run, or not. What it would touch is looked at as far as that is known: memory that was freed
while it was queued is a fault even though this run never came to the access.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import Names
from ascend_sim.observers.memory.early_reads import ORDERING, touches
from ascend_sim.observers.plain_findings import tells
from ascend_sim.runtime.stream import NOT_AWAITED, Stream
from ascend_sim.source.callsite import points

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["UnawaitedWork"]

MOST_SITES = 4


class UnawaitedWork:
    """Looks through the queues; each stream is reported once."""

    def __init__(self, sim: Runtime, names: Names) -> None:
        self._sim = sim
        self._names = names
        self._reported: set[Stream] = set()

    def at_end(self, when: str) -> None:
        """*when*: ``aclFinalize``, or the end of the program."""
        for context in self._sim.contexts.values():
            for stream in (context.default, *context.streams):
                if stream.queue and not stream.flags & NOT_AWAITED and stream not in self._reported:
                    self._look(stream, when)

    def dropped(self, t: HostThread, stream: Stream) -> None:
        """*t* destroys *stream* by force."""
        self._look(stream, t.call, t)

    @tells("unawaited-work", "warning")
    def _look(self, stream: Stream, when: str, t: HostThread | None = None) -> None:
        tasks = [task for task in stream.queue if task.op.kind not in ORDERING]
        if not tasks:
            return
        self._reported.add(stream)
        for task in tasks:
            for block, write in touches(self._sim, task.op):
                if block.freed:
                    self._freed(task, block, write)
        first: dict[Any, list[Task]] = {}
        for task in tasks:
            first.setdefault(points(task.site), []).append(task)
        sites = [
            Site("submit", f"queued here{f', {len(alike)} times' if len(alike) > 1 else ''}", alike[0].site)
            for alike in list(first.values())[:MOST_SITES]
        ]
        if t is not None:
            sites.insert(0, Site("free", "drops what is queued", t.site))
        sites[0] = sites[0].evolved(primary=True)
        name = self._names.stream(stream)
        typed = self._names.plain(stream, t.site if t is not None else None, [task.site for task in tasks[:1]])
        number = f"{len(tasks)} task{'s' if len(tasks) > 1 else ''}"
        kinds = ", ".join(dict.fromkeys(self._names.work(task) for task in tasks))
        self._sim.report(
            "unawaited-work", "warning",
            f"{number} of {name} had not run at {when} ({kinds}): nobody waited for it",
            sites,
            fix=f"before {'that' if t is not None else 'the end'}: aclrtSynchronizeStream({typed})",
            streams=(name.strip("`"),), time_ns=self._sim.scheduler.now,
        )  # fmt: skip

    @tells("use-after-free")
    def _freed(self, task: Task, block: Allocation, write: bool | None) -> None:
        names = self._names
        verb = "uses" if write is None else "writes" if write else "reads"
        self._sim.report(
            "use-after-free", "error",
            f"{names.block(block)} was freed while {names.task(task)} was queued, which {verb} it",
            [Site("free", f"freed here {block.freed_by}: the task had not started", block.free_site, primary=True),
             Site("access", f"queued here, {verb} it", task.site),
             Site("alloc", f"{block.size} bytes allocated here", block.site)],
            order="the task had not run when the program ended: on a device it may come at any time",
            fix=f"before that: aclrtSynchronizeStream({names.plain(task.stream, block.free_site, (task.site,))})",
            streams=(names.stream(task.stream).strip("`"),), time_ns=self._sim.scheduler.now,
        )  # fmt: skip
