"""Detects uninstrumented host writes by comparing content: page-locked memory that changes before a queued copy uses it.

The program writes host memory through ctypes or numpy (an array of ``acl.util.ptr_to_numpy`` is a view of it), where no
hook can be. What the page-locked end of a copy held when the copy was queued is kept (a digest of large ones); when the
copy runs and finds other bytes, and no access that is known wrote them, the program did: what the copy reads, or what it
writes over. What changed while a callback ran is that callback's, which may come before the copy. Reads leave no trace
(docs/semantics/pyacl.md#pointers).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import launched
from ascend_sim.machine import host_memory
from ascend_sim.observers.plain_findings import tells
from ascend_sim.observers.races.vector_clocks import known_to
from ascend_sim.runtime.task import DROPPED

if TYPE_CHECKING:
    from ascend_sim.findings.wording import Names
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.observers.races.access_history import AccessHistory
    from ascend_sim.observers.races.happens_before import HappensBefore
    from ascend_sim.observers.races.row_history import RowHistory
    from ascend_sim.observers.races.vector_clocks import View
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.transfers import Place
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["UntrackedHostWrites"]

WHOLE = 4096
"""Sources up to so many bytes are kept as they are."""
MOST_SOURCES = 128
"""So many queued copies are looked at when a callback runs."""
SAMPLE = 32 << 10
"""Of larger ones the first and the last so many bytes count."""


class UntrackedHostWrites:
    """Compares the page-locked end of each queued copy with what it held when the copy was queued."""

    def __init__(self, sim: Runtime, clocks: HappensBefore, names: Names) -> None:
        self._sim = sim
        self._clocks = clocks
        self._names = names
        self._seen: dict[Task, _Source] = {}
        self._callbacks: dict[int, list[tuple[Task, dict[Task, Any]]]] = {}
        """Callbacks that run, by thread, each with what the sources of queued copies held when it began."""

    def queued(self, task: Task, source: Place, history: AccessHistory | RowHistory | None) -> None:
        """*task* will read *source*, or write it over: keep its content, or a digest of it."""
        block = source.block
        op: Any = getattr(task.op, "original", task.op)  # of a copy that is to fail as planned
        if block is None or block.kind != "host" or op.action.shape.height != 1:
            return
        lo = source.offset
        held = _digest(source, block)
        seen = self._seen[task] = _Source(source, held, _writers(history, lo, lo + source.nbytes))
        for number, running in self._callbacks.items():
            if number == task.thread.number:
                continue  # what a callback writes behind a copy that it has queued itself is in no order with that
            for _, sources in running:  # they have begun before, and may still be filling it
                if len(sources) < MOST_SOURCES:
                    sources[task] = held
                else:
                    seen.unknown = True

    def callback_starts(self, t: HostThread, callback: Task) -> None:
        """*t* begins to run *callback*, which may fill what a copy is to use."""
        held: dict[Task, Any] = {}
        for task, seen in list(self._seen.items()):
            block = seen.place.block
            if getattr(task, "end", 0) == DROPPED or block is None or block.freed:
                del self._seen[task]
            elif len(held) < MOST_SOURCES:
                held[task] = _digest(seen.place, block)
            else:
                seen.unknown = True
        self._callbacks.setdefault(t.number, []).append((callback, held))

    def callback_ends(self, t: HostThread) -> None:
        """What is different from when it began is its work: a copy must come after it."""
        running = self._callbacks.get(t.number)
        if not running:
            return
        callback, held = running.pop()
        clock = self._clocks.host(t)
        for task, before in held.items():
            seen = self._seen.get(task)
            block = seen.place.block if seen is not None else None
            if seen is None or block is None or block.freed or before != seen.digest:
                continue  # it ran, or somebody else had written: that is judged when the copy runs
            now = _digest(seen.place, block)
            if now != before:
                seen.digest = now
                clock.release()  # what was queued while the callback ran knows its begin, not this write
                seen.callbacks = (*seen.callbacks, (clock.c, clock.q, callback))

    def runs(self, task: Task, block: Allocation, history: AccessHistory | RowHistory | None) -> None:
        """*task* uses *block* now: report it when the content changed and nobody who is known wrote."""
        before = self._seen.pop(task, None)
        if before is None or block.freed or before.unknown:
            return
        source = before.place
        if _digest(source, block) == before.digest:
            if before.callbacks:
                view = self._clocks.view(task)
                late = next((callback for c, q, callback in before.callbacks if not known_to(view, c, q)), None)
                if late is not None:
                    self._report(task, source, block, late)
            return
        lo = source.offset
        now = _writers(history, lo, lo + source.nbytes)
        if len(now) != len(before.writers) or any(a is not b for a, b in zip(now, before.writers, strict=True)):
            return  # a write that is known, and judged elsewhere
        if not self._later_work_known(task, self._clocks.view(task)):
            self._report(task, source, block)

    def _later_work_known(self, task: Task, view: View) -> bool:
        """Whether *task* waited for something that a thread of the program did after *task* was queued.

        The write may belong to that. What callbacks on the runtime's own thread wrote is known apart.
        """
        known, own = task.know, task.thread.knows
        for number, host in self._clocks.hosts.items():
            if self._clocks.serves(number):
                continue
            before = task.q if host is own else known[host.c] if host.c < len(known) else 0
            if view[host.c] > before:
                return True
        return False

    @tells("race")
    def _report(self, task: Task, source: Place, block: Allocation, callback: Task | None = None) -> None:
        """The bytes that *task* uses are written by the program, or by *callback*, in no order with it."""
        names = self._names
        part = names.part(block, source.offset, source.offset + source.nbytes)
        lo = source.offset - part.begin
        doing, does = ("writing", "writes") if source.write else ("reading", "reads")
        stream = names.stream(task.stream)
        if callback is None:
            writer, wrote = "the program", []
            order = "the write was no call of the API: its line is not known, only that it came after this call"
            again = "touched" if source.write else "filled again"
            fix = f"wait for {stream} before the buffer is {again}, or use a second buffer"
        else:
            other = names.stream(callback.stream)
            writer = f"a callback on {other}"
            wrote = [Site("other", f"the callback, queued on {other}", callback.site)]
            order = f"nothing makes {names.task(task)} wait for the callback on {other}"
            fix = f"record an event on {other} behind the callback, and let {stream} wait for it before the copy"
        self._sim.report(
            "race",
            "error",
            f"{writer} writes {part.name} while {names.task(task)} may still be {doing} it: the bytes "
            "changed between the call and the copy",
            [
                Site(
                    "access",
                    f"{does} {part.bare}[{lo}, {lo + source.nbytes}) when it runs, on {names.stream(task.stream)}",
                    task.site,
                    primary=True,
                ),
                *launched(task),
                *wrote,
                Site("alloc", f"{part.name}: {part.size} bytes of page-locked host memory", block.site),
            ],
            order=order,
            fix=fix,
            streams=(stream.strip("`"),),
            time_ns=self._sim.scheduler.now,
        )


class _Source:
    """What a queued copy is to use: what it holds, who is known to have written it, and which callbacks did since."""

    __slots__ = ("callbacks", "digest", "place", "unknown", "writers")

    def __init__(self, place: Place, digest: Any, writers: list[Any]) -> None:
        self.place = place
        self.digest = digest
        self.writers = writers
        self.unknown = False
        """A callback ran beside so many copies that nobody looked whether it wrote here."""
        self.callbacks: tuple[tuple[int, int, Task], ...] = ()
        """(chain, number, task) of callbacks that changed the bytes after the copy was queued."""


def _digest(source: Place, block: Allocation) -> Any:
    nbytes = source.nbytes
    if source.bytes is not None and nbytes <= WHOLE:
        return bytes(source.bytes)
    address = block.host + source.offset
    if nbytes <= WHOLE:
        return host_memory.view(address, nbytes).tobytes()
    if nbytes <= 2 * SAMPLE:
        return _crc(address, nbytes)
    return _crc(address, SAMPLE), _crc(address + nbytes - SAMPLE, SAMPLE)


def _crc(address: int, nbytes: int) -> int:
    import zlib  # most programs have no such memory

    return zlib.crc32(host_memory.view(address, nbytes).data)


def _writers(history: AccessHistory | RowHistory | None, lo: int, hi: int) -> list[Any]:
    return history.writers(lo, hi) if history is not None else []
