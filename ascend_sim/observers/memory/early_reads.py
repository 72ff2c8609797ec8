"""Reads of bytes that nobody has written yet, while a task is queued that may be about to write them.

Most of them are no fault of their own: a wait is missing, the read came before the write, and the race says so when the
write runs. Such a read is then a consequence of the race (docs/semantics/reports.md#followers). If the write turns out
to come after the read by the program's own order, or never comes, the read is reported as uninitialised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ascend_sim.findings.wording import Names, line_of
from ascend_sim.observers.observer import listen, unlisten
from ascend_sim.observers.races.vector_clocks import known_to
from ascend_sim.runtime.task import Task
from ascend_sim.source.callsite import points

if TYPE_CHECKING:
    from ascend_sim.findings.finding import Finding
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.observers.observer import Observer
    from ascend_sim.observers.races.detector import RaceDetector
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Op
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["ORDERING", "EarlyRead", "EarlyReads", "touches"]

ORDERING = ("record", "wait", "reset", "notify-record", "notify-wait")
"""Tasks that do nothing but order others."""


class EarlyRead:
    """A read of *missing* bytes by epoch (c, q), and the tasks that may write them. *tell* reports it."""

    __slots__ = ("c", "missing", "q", "site", "tasks", "tell", "title")

    def __init__(
        self, c: int, q: int, site: Any, title: str, missing: list[tuple[int, int]], tasks: list[Task],
        tell: Callable[[Task | None], None],
    ) -> None:  # fmt: skip
        self.c = c
        self.q = q
        self.site = site
        self.title = title
        self.missing = missing
        self.tasks = tasks
        self.tell = tell


class EarlyReads:
    """Those of one simulator, until it is known what they are."""

    def __init__(self, sim: Runtime, names: Names, races: RaceDetector, checker: Observer) -> None:
        self._sim = sim
        self._checker = checker
        self._names = names
        self._races = races
        self._held: dict[Allocation, list[EarlyRead]] = {}

    def hold(
        self, who: Task | HostThread, block: Allocation, missing: list[tuple[int, int]], title: str,
        tell: Callable[[Task | None], None],
    ) -> bool:  # fmt: skip
        """Whether the report of this read can wait: a task is queued that may write the bytes, not after the reader."""
        tasks = [
            task for task in self._queued(who)
            if any(b is block and w is not False for b, w in touches(self._sim, task.op))
        ]  # fmt: skip
        if not tasks:
            return False
        clocks = self._races.clocks
        if isinstance(who, Task):
            clocks.at(who)
            c, q = who.c, who.q
        else:
            clock = clocks.host(who)
            c, q = clock.c, clock.q + 1
        if not self._held:
            listen(self._sim, self._checker, "waited", self._waited)
            listen(self._sim, self._checker, "stopped", self._waited)
        self._held.setdefault(block, []).append(EarlyRead(c, q, who.site, title, missing, tasks, tell))
        return True

    def wrote(self, who: Task | HostThread, block: Allocation, lo: int, hi: int) -> None:
        """Bytes [lo, hi) of *block* are written: in no order with the reads that came before, or after them?"""
        reads = self._held.get(block)
        if not reads:
            return
        clocks = self._races.clocks
        for read in list(reads):
            if not any(a < hi and lo < b for a, b in read.missing):
                continue
            view = clocks.view(who) if isinstance(who, Task) else clocks.host(who).view
            own = not isinstance(who, Task) and clocks.host(who).c == read.c
            cause = None if own or known_to(view, read.c, read.q) else self._cause(block, read)
            self._settle(block, read)
            if cause is not None:
                self._sim.findings.follow(cause.id, f"{line_of(read.site, ())}: {read.title}")
            else:
                read.tell(None)

    def gone(self, block: Allocation) -> None:
        """*block* is freed: nobody will write it."""
        for read in self._held.get(block, ())[:]:
            self._settle(block, read)
            read.tell(None)

    def flush(self) -> None:
        """The program ends: tell what is left, with the task that would have written the bytes."""
        for block, reads in list(self._held.items()):
            for read in reads[:]:
                self._settle(block, read)
                read.tell(next((task for task in read.tasks if not task.over()), None))

    def _settle(self, block: Allocation, read: EarlyRead) -> None:
        self._held[block].remove(read)
        if not self._held[block]:
            del self._held[block]
        if not self._held:
            unlisten(self._sim, self._checker, "waited", self._waited)
            unlisten(self._sim, self._checker, "stopped", self._waited)

    def _waited(self, t: HostThread, stream: Stream) -> None:
        """Tasks ended: is there a read whose writers are all over, and did not write?"""
        for block, reads in list(self._held.items()):
            for read in reads[:]:
                if all(task.over() for task in read.tasks):
                    self._settle(block, read)
                    read.tell(None)

    def _queued(self, who: Task | HostThread) -> Iterator[Task]:
        """Tasks that are queued, not behind *who* on its own stream."""
        for context in self._sim.contexts.values():
            for stream in context.every_stream():
                if not (isinstance(who, Task) and who.stream is stream):
                    yield from (task for task in stream.queue if task.op.kind not in ORDERING)

    def _cause(self, block: Allocation, read: EarlyRead) -> Finding | None:
        """The first race about *block* that the read is part of."""
        place, line, made = points(read.site), line_of(read.site, ()), points(block.site)
        for finding in self._sim.findings:
            if (
                finding.kind == "race"
                and any(site.role == "alloc" and site.points == made for site in finding.sites)
                and (
                    any(site.role in ("access", "other") and site.points == place for site in finding.sites)
                    or any(text.startswith(f"{line}: ") for text in finding.followers)
                )
            ):
                return finding
        return None


def touches(sim: Runtime, op: Op) -> Iterator[tuple[Allocation, bool | None]]:
    """The allocations that *op* will use, and whether it writes them; None: that is not known before it runs."""
    found: list[tuple[int, bool | None]] = [(access.lo, access.write) for access in op.accesses]
    raw, plan = getattr(op, "raw", None), getattr(op, "plan", None)
    if raw is None and plan is not None:  # a launch whose arguments lie in device memory: as they are now
        raw = _bytes_at(sim, op.address, op.size)  # type: ignore[attr-defined]
    if raw is not None and plan is not None and len(raw) >= plan.kernel.needed:  # else it will fail before it uses any
        found += [(address, None) for address in plan.kernel.unpack_pointers(raw)]
    for address, write in found:
        block = sim.memory.find(address)
        if block is not None:
            yield block, write


def _bytes_at(sim: Runtime, address: int, size: int) -> bytes | None:
    block = sim.memory.find(address)
    if block is None or block.freed or not block.contains(address + size - 1):
        return None
    raw: bytes = sim.memory.view(address, size).tobytes()
    return raw
