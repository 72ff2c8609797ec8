"""The memory checker: bytes that nobody wrote, and what is still alive at the end.

Use after free, double free, accesses out of bounds and dead host buffers are found where they happen, in the runtime;
their findings belong to this check, too (checks.py).

Written bytes are followed one by one. A copy between devices hands the state on and is silent; a kernel that reads
unwritten bytes, or a copy that brings them to the host, is reported (docs/semantics/memory.md#initialised-bytes).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import ByteMap, ByteRange, Site
from ascend_sim.findings.wording import launched, where
from ascend_sim.observers.guarded import ended_by, guards_itself
from ascend_sim.observers.memory.early_reads import EarlyReads
from ascend_sim.observers.memory.init_shadow import WrittenBytes
from ascend_sim.observers.memory.leaks import Leaks
from ascend_sim.observers.memory.unawaited_work import UnawaitedWork
from ascend_sim.observers.observer import Observer
from ascend_sim.observers.plain_findings import tells
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.observers.races.detector import RaceDetector
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.told import Moved, Part
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import TaskFault
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["MemoryChecker"]


class MemoryChecker(Observer):
    """Watches the memory of one simulator."""

    guarded = True
    title = "the check of memory"

    def __init__(self, sim: Runtime, races: RaceDetector | None = None) -> None:
        self.sim = sim
        self.names = sim.names
        self.races = races
        if races is not None:
            races.resting += (self,)
        self.early: EarlyReads | None = None
        """Made at the first read of bytes that nobody wrote, when races are looked for, too."""
        self.leaks = Leaks(sim, self.names)
        self.unawaited_work = UnawaitedWork(sim, self.names)
        self.cleans_up = False
        """It has freed memory or reset a device: a program that gives back what it takes, with aclInit or without."""
        self._shadows: dict[Allocation, WrittenBytes] = {}
        """Device blocks with bytes that nobody wrote; blocks that are not here are whole."""
        self._writers: dict[Allocation, Any] = {}

    def allocated(self, t: HostThread | None, block: Allocation) -> None:
        """Fresh device memory holds nothing. Host memory is written by the program in ways that nobody sees.

        So is the memory of the chip that the program itself runs on.
        """
        if block.device >= 0 and not block.imported and not self.sim.memory.on_chip:
            self._shadows[block] = WrittenBytes(block.size)

    def published(self, t: HostThread, thing: object) -> None:
        """What another process writes to memory is not seen here: all of it may be written."""
        self._shadows.pop(thing, None)  # type: ignore[call-overload]

    def freed(self, t: HostThread | None, block: Allocation) -> None:
        """Forget it."""
        self.cleans_up = self.cleans_up or t is not None
        self._shadows.pop(block, None)
        self._writers.pop(block, None)
        if self.early is not None:
            self.early.gone(block)

    @guards_itself
    def accessed(self, who: Task | HostThread, block: Allocation, lo: int, hi: int, write: bool) -> None:
        """A set, a kernel or a value operation; copies are looked at as a whole."""
        try:
            if write and self.early is not None:
                self.early.wrote(who, block, lo, hi)
            if hi > block.size:
                self._in_the_padding(who, block, lo, hi, write)
                hi = block.size
            shadow = self._shadows.get(block)
            if shadow is None:
                return
            if not block.born:
                self._too_early(who, block, lo, hi, write)
            if _copies(who) or lo >= hi:
                return
            if write == 2 and not shadow.covers(lo, hi):
                self._unwritten(who, block, shadow.missing(lo, hi), shadow, lo, hi)
            if write:
                self._wrote(who, block, shadow, lo, hi)
            elif not shadow.covers(lo, hi):
                self._unwritten(who, block, shadow.missing(lo, hi), shadow, lo, hi)
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.accessed)

    def _too_early(self, who: Task | HostThread, block: Allocation, lo: int, hi: int, write: bool) -> None:
        """A block of a pool is used, and its stream has not come to the allocation. Else the race detector says it."""
        if block.graph is not None:
            self._never_allocated(who, block)
        elif self.races is None:
            from ascend_sim.observers.races.pool_reports import PoolReports

            PoolReports(self.sim, None, self.names).before_alloc(who, block, lo, hi, write)  # type: ignore[arg-type]

    @tells("use-before-alloc")
    def _never_allocated(self, who: Task | HostThread, block: Allocation) -> None:
        """A graph is to allocate the block, and has not been executed."""
        names = self.names
        subject = names.work(who) if isinstance(who, Task) else who.call
        self.sim.report(
            "use-before-alloc", "error",
            f"{subject} uses {names.block(block)}, which no execution of its graph has allocated",
            [Site("access", "used here", who.site, primary=True), *launched(who),
             Site("alloc", f"{block.size} bytes, allocated here in the graph", block.site)],
            order="memory that a graph allocates is there when the graph has run so far",
            fix="execute the graph first, in the order of the use", time_ns=self.sim.scheduler.now,
        )  # fmt: skip

    @tells("out-of-bounds", "warning")
    def _in_the_padding(self, who: Task | HostThread, block: Allocation, lo: int, hi: int, write: bool) -> None:
        """The allocation was rounded up, and the access uses bytes that were not asked for."""
        names = self.names
        over = hi - block.size
        does = "writes" if write else "reads"
        subject = names.work(who) if isinstance(who, Task) else who.call
        self.sim.report(
            "out-of-bounds", "warning",
            f"{subject} {does} {over} byte{'s' if over > 1 else ''} past the end of {names.block(block)}, within what "
            "the allocation was rounded up to",
            [Site("access", f"{does} {names.bare_block(block)}[{lo}, {hi})", who.site, primary=True), *launched(who),
             Site("alloc", f"{names.block(block)}: {block.size} bytes{where(block)}", block.site)],
            bytes=ByteMap(names.bare_block(block), block.size, [ByteRange("access", lo, hi)]),
            fix="allocate what is used: another chip or version may round otherwise", time_ns=self.sim.scheduler.now,
        )  # fmt: skip

    def accessed_parts(
        self, who: Task | HostThread, block: Allocation, parts: list[tuple[int, int]], write: bool
    ) -> None:
        """Many parts at once."""
        if write and self.early is not None:
            self.early.wrote(who, block, parts[0][0], parts[-1][1])
        if block in self._shadows or parts[-1][1] > block.size:
            for lo, hi in parts:
                self.accessed(who, block, lo, hi, write)

    def accessed_rows(
        self, who: Task | HostThread, block: Allocation, lo: int, width: int, pitch: int, rows: int, write: bool
    ) -> None:
        """Rows of a picture; of a pitched copy, which `copied` has looked at."""
        if _copies(who):
            if write and self.early is not None:
                self.early.wrote(who, block, lo, lo + pitch * (rows - 1) + width)
        elif rows and width:
            parts = [(lo + row * pitch, lo + row * pitch + width) for row in range(rows)]
            self.accessed_parts(who, block, parts, write)

    @guards_itself
    def copied(self, who: Task | HostThread, to: Allocation | None, source: Allocation | None, part: Part) -> None:
        """Hand the state of the source on; what arrives in host memory is used there."""
        try:
            from_shadow = self._shadows.get(source) if source is not None else None
            to_shadow = self._shadows.get(to) if to is not None else None
            if from_shadow is None and to_shadow is None:
                return
            rows = part.rows
            height = rows.height if rows.height * rows.width else 0
            on_device = to is not None and to.device >= 0
            for row in range(height):
                at_to, at_source = part.to + row * rows.dpitch, part.source + row * rows.spitch
                missing = (
                    from_shadow.missing(at_source, min(at_source + rows.width, from_shadow.size)) if from_shadow else []
                )
                if on_device:
                    if to_shadow is None and missing:
                        assert to is not None
                        to_shadow = self._shadows[to] = WrittenBytes(to.size)
                        to_shadow.add(0, to.size)
                    if to_shadow is not None:
                        assert to is not None
                        self._wrote(who, to, to_shadow, at_to, min(at_to + rows.width, to_shadow.size), keep=bool(missing))
                        for lo, hi in missing:
                            to_shadow.remove(at_to + lo - at_source, at_to + hi - at_source)
                elif missing:
                    assert source is not None and from_shadow is not None
                    self._unwritten(who, source, missing, from_shadow, at_source, at_source + rows.width)
                    return
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.copied)

    def moved(self, task: Task, what: Moved) -> None:
        """Hand the state of what an operator moves on, as a copy does."""
        holes: list[list[tuple[int, int]]] = []
        for source in what.sources:
            shadow = self._shadows.get(source.block)
            found: list[tuple[int, int]] = []
            if shadow is not None and not shadow.covers(source.lo, source.hi):
                found = [hole for lo, hi in source.ranges() for hole in shadow.missing(lo, hi)]
            holes.append(found)
        unwritten = what.behind(holes) if any(holes) else [[] for _ in what.targets]
        for target, ranges in zip(what.targets, unwritten, strict=True):
            block = target.block
            shadow = self._shadows.get(block)
            if shadow is None:
                if not ranges or block.device < 0:
                    continue
                shadow = self._shadows[block] = WrittenBytes(block.size)
                shadow.add(0, block.size)
            parts = [(target.lo, target.hi)] if shadow.covers(target.lo, target.hi) else target.ranges()
            for lo, hi in parts:
                self._wrote(task, block, shadow, lo, hi, keep=bool(ranges))
            for lo, hi in ranges:
                shadow.remove(lo, hi)

    def failed(self, task: Task, fault: TaskFault) -> None:
        """What a task that failed should have written is not asked about: the fault is the cause."""
        written = getattr(task.op, "written", None)
        for block in written() if written is not None else ():
            self._shadows.pop(block, None)

    def _wrote(self, who: Any, block: Allocation, shadow: WrittenBytes, lo: int, hi: int, keep: bool = False) -> None:
        if lo >= hi:
            return
        shadow.add(lo, hi)
        if keep:
            return
        if shadow.full():
            del self._shadows[block]
            self._writers.pop(block, None)
        else:
            self._writers[block] = (who.site, lo, hi)

    @tells("uninitialised-read")
    def _unwritten(
        self,
        who: Task | HostThread,
        block: Allocation,
        missing: list[tuple[int, int]],
        shadow: WrittenBytes,
        lo: int,
        hi: int,
    ) -> None:
        count = sum(b - a for a, b in missing)
        if not count or not block.born:
            return  # a use before the allocation is told as that
        names = self.names
        part = names.part(block, *missing[0])
        name, bare, begin = part.name, part.bare, part.begin
        whole = count >= min(hi, block.size) - lo
        extent = f"{bare}[{max(lo, begin) - begin}, {min(hi, begin + part.size) - begin})"
        kernel = isinstance(who, Task) and who.op.kind.startswith("kernel ")
        severity = "error" if kernel or whole else "warning"
        if isinstance(who, Task):
            subject = names.work(who)
            label = f"reads {extent}"
            parameter = names.parameter(who, block)
            label += f" as `{parameter}`" if parameter else ""
            label += f", queued here on {names.stream(who.stream)}"
        else:
            subject, label = who.call, f"reads {extent}"
        sites = [Site("access", label, who.site, primary=True), *launched(who)]
        last = self._writers.get(block)
        if last is not None and last[1] < begin + part.size and begin < last[2]:
            sites.append(Site("other", f"the latest write: {bare}[{last[1] - begin}, {last[2] - begin})", last[0]))
        if part.size == block.size:
            sites.append(Site("alloc", f"{name}: {block.size} bytes on device {block.device}", block.site))
        title = f"{subject} reads {count} byte{'s' if count != 1 else ''} of {name} that nothing has written"
        first = missing[0]
        now = self.sim.scheduler.now

        def tell(writer: Task | None) -> None:
            fix, order = f"write {bare}[{first[0] - begin}, {first[1] - begin}) first, or read less", ""
            if writer is not None:
                order = f"{names.task(writer)} was queued that uses {name}, and had not run: nobody waited for it"
                sites.insert(1, Site("other", f"queued here on {names.stream(writer.stream)}", writer.site))
                fix = f"before the read: aclrtSynchronizeStream({names.plain(writer.stream, who.site, (writer.site,))})"
            self.sim.report(
                "uninitialised-read", severity, title, sites,
                bytes=ByteMap(bare, part.size, [ByteRange("never written", a - begin, b - begin) for a, b in missing[:4]]),
                order=order, fix=fix, time_ns=now, called_ns=who.ready if isinstance(who, Task) else who.clock,
            )  # fmt: skip

        if self.early is None and self.races is not None:
            self.early = EarlyReads(self.sim, names, self.races, self)
        if self.early is None or not self.early.hold(who, block, missing, title, tell):
            tell(None)
        for a, b in missing:  # said once: what follows from it is not another fault
            shadow.add(a, b)

    # -- leaks -------------------------------------------------------------------------------------------------------

    def dropped(self, t: HostThread, stream: Stream) -> None:
        """A stream is destroyed by force, with work that nobody waited for."""
        self.unawaited_work.dropped(t, stream)

    def device_reset(self, t: HostThread, device: int, things: list[Any]) -> None:
        """A device goes down: what the program did not destroy dies with it."""
        self.cleans_up = True
        self.leaks.at_reset(things)

    def finalized(self, sim: Runtime) -> None:
        """aclFinalize: what is still there?"""
        if self.early is not None:
            self.early.flush()
        self.unawaited_work.at_end("aclFinalize")
        self.leaks.at_end("aclFinalize")

    def closed(self, sim: Runtime) -> None:
        """The program ends without finalising. The runtime needs no aclInit, so its absence says nothing.

        But a few lines that were written to try something neither initialise nor free: there a leak is no news.
        """
        if self.early is not None:
            self.early.flush()
        if getattr(sys, "last_type", None) is not None:
            return  # an exception ended it: what it did not clean up is a consequence
        self.unawaited_work.at_end("the end of the program")
        if sim.process.init_count or sim.process.finalized or self.cleans_up:
            self.leaks.at_end("the end of the program")


def _copies(who: Task | HostThread) -> bool:
    if isinstance(who, Task):
        return who.op.kind == "copy" or getattr(who.op.action, "moves", False)
    return "emcpy" in who.call
