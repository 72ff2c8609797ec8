"""Detects uninstrumented host writes by comparing content: page-locked memory that changes before a queued copy reads it.

The program writes host memory through ctypes or numpy, where no hook can be. What the source of a copy held when the
copy was queued is kept (a digest of large ones); when the copy runs and finds other bytes, and no access that is known
wrote them, the program did, unordered with the copy.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Site
from ascend_sim.machine import host_memory

if TYPE_CHECKING:
    from ascend_sim.findings.wording import Names
    from ascend_sim.machine.blocks import Block
    from ascend_sim.observers.races.access_history import AccessHistory
    from ascend_sim.observers.races.happens_before import HappensBefore
    from ascend_sim.observers.races.row_history import RowHistory
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.transfers import Place
    from ascend_sim.runtime.task import Task

__all__ = ["UntrackedHostWrites"]

WHOLE = 4096
"""Sources up to so many bytes are kept as they are."""
SAMPLE = 32 << 10
"""Of larger ones the first and the last so many bytes count."""


class UntrackedHostWrites:
    """Compares the source of each queued copy with what it held when the copy was queued."""

    def __init__(self, sim: Runtime, clocks: HappensBefore, names: Names) -> None:
        self._sim = sim
        self._clocks = clocks
        self._names = names
        self._seen: dict[Task, tuple[Any, list[Any], Place]] = {}

    def queued(self, task: Task, source: Place, history: AccessHistory | RowHistory | None) -> None:
        """*task* will read *source*: keep its content, or a digest of it."""
        block = source.block
        op: Any = getattr(task.op, "original", task.op)  # of a copy that is to fail as planned
        if block is None or block.kind != "host" or op.action.shape.height != 1:
            return
        lo = source.offset
        self._seen[task] = (_digest(source, block), _writers(history, lo, lo + source.nbytes), source)

    def runs(self, task: Task, block: Block, history: AccessHistory | RowHistory | None) -> None:
        """*task* reads *block* now: report it when the content changed and nobody who is known wrote."""
        before = self._seen.pop(task, None)
        if before is None or block.freed:
            return
        digest, writers, source = before
        if _digest(source, block) == digest:
            return
        lo = source.offset
        now = _writers(history, lo, lo + source.nbytes)
        if len(now) != len(writers) or any(a is not b for a, b in zip(now, writers, strict=True)):
            return  # a write that is known, and judged elsewhere
        view = self._clocks.view(task)
        if any(view[host.c] > task.q for host in self._clocks.hosts.values() if host is task.thread.knows):
            return  # it waited for something that the program did later: the write may belong to that
        names = self._names
        self._sim.report(
            "race",
            "error",
            f"the program writes {names.block(block)} while {names.task(task)} may still be reading it: the bytes "
            "changed between the call and the copy",
            [
                Site(
                    "access",
                    f"reads {names.bare_block(block)}[{lo}, {lo + source.nbytes}) when it runs, on "
                    f"{names.stream(task.stream)}",
                    task.site,
                    primary=True,
                ),
                Site("alloc", f"{names.block(block)}: {block.size} bytes of page-locked host memory", block.site),
            ],
            order="the write was no call of the API: its line is not known, only that it came after this call",
            fix=f"wait for {names.stream(task.stream)} before the buffer is filled again, or use a second buffer",
            streams=(names.stream(task.stream).strip("`"),),
            time_ns=self._sim.scheduler.now,
        )


def _digest(source: Place, block: Block) -> Any:
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
    return zlib.crc32(host_memory.view(address, nbytes).data)


def _writers(history: AccessHistory | RowHistory | None, lo: int, hi: int) -> list[Any]:
    return history.writers(lo, hi) if history is not None else []
