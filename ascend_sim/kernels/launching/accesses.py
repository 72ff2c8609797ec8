"""What a launch touched, for observers: exact byte intervals of allocations, and which blocks touched what and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ascend_sim.kernels.language.memory import BOX, CODES, READ, Log, Memory
from ascend_sim.kernels.launching.access_ranges import SMALL, table_of, unions, with_rows
from ascend_sim.kernels.launching.grid import Segment
from ascend_sim.runtime.memory.told import behind, tell_parts

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.binding import Bound
    from ascend_sim.kernels.launching.grid import Grid
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.hooks import Hooks
    from ascend_sim.runtime.task import Task

__all__ = ["BlockAccesses", "Since", "tell"]

Rows = npt.NDArray[np.int64]

MANY = 16
"""More parts of one allocation than these are told together, to those who want that."""


class BlockAccesses:
    """The accesses of one launch block by block, for a search for conflicts between blocks.

    *table* has a row ``lo, hi, code`` for each access: bytes of the allocation ``memories[code // 4].allocation``, kind
    ``code % 4`` (0 read, 1 write, 2 atomic). *segments* cut it into parts: what one block did between two points where
    it was ordered with others, and which parts happened before (`kernels/launching/grid.py`, Segment). An `end`
    counts three for each row.
    """

    __slots__ = ("_expanded", "_rows", "_segments", "grid", "kernel", "log", "memories")

    def __init__(
        self, grid: Grid, memories: list[Memory[Any]], log: Log, segments: Sequence[Segment | int],
        rows: Rows | None = None,
    ) -> None:  # fmt: skip
        self.grid = grid
        self.kernel = grid.kernel
        self.memories = memories
        self.log = log
        """As the kernel wrote it; it is emptied when the observers have seen it."""
        self._segments = segments
        self._rows = rows
        self._expanded: tuple[Rows, list[Segment]] | None = None

    @property
    def blocks(self) -> list[str]:
        """The blocks in words."""
        return [block.describe() for block in self.grid.blocks]

    @property
    def table(self) -> Rows:
        """Made when it is asked for."""
        return self._both()[0]

    @property
    def segments(self) -> list[Segment]:
        """Those that fit the table."""
        return self._both()[1]

    def _both(self) -> tuple[Rows, list[Segment]]:
        if self._expanded is None:
            rows = table_of(self.log) if self._rows is None else self._rows
            self._expanded = _expanded(self.log, rows, self.parts())
        return self._expanded

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for launches of which the blocks did the same, in the same order, with their arguments."""
        return tuple(self.log), tuple(self.log.boxes), tuple(self._segments)

    def parts(self) -> list[Segment]:
        """The segments that fit the log."""
        return [Segment(s, i, ()) if isinstance(s, int) else s for i, s in enumerate(self._segments)]


def tell(hooks: Hooks, task: Task, bound: Bound, grid: Grid, ends: list[int] | None = None) -> None:
    """Hand the accesses of a launch to those who listen, and empty the log.

    *ends*: where in the log the part of each block ends, when they ran one after the other and nothing orders them.
    """
    log = bound.log
    if not log:
        return
    rows = table_of(log) if len(log) > 3 * SMALL else None
    if hooks.accessed is not None:
        for allocation, kind, parts in unions(log, rows, bound.memories):
            write = kind if kind > 1 else kind != READ
            if allocation is not None and allocation.pieces is not None:
                tell_parts(hooks, task, allocation, parts, write)
                continue
            if len(parts) > MANY and hooks.accessed_parts is not None:
                for observe in hooks.accessed_parts:
                    observe(task, allocation, parts, write)
                continue
            for lo, hi in parts:
                for observe in hooks.accessed:
                    observe(task, allocation, lo, hi, write)
    if hooks.blocks_ran is not None and (ends is not None or grid.segments is not None):
        segments = ends if ends is not None else grid.segments.found  # type: ignore[union-attr]
        memories, told, rows = _unaliased(bound.memories, log, rows)
        found = BlockAccesses(grid, memories, told, segments, rows)
        for observe in hooks.blocks_ran:
            observe(task, found)
    log.clear()
    log.boxes.clear()


def _unaliased(memories: list[Memory[Any]], log: Log, rows: Rows | None) -> tuple[list[Memory[Any]], Log, Rows | None]:
    """Arguments and log of a launch, by physical memory where two arguments are mappings of one piece of it.

    Accesses that lie across two pieces, and boxes, are left with the addresses: nothing is compared then.
    """
    runs = [m.allocation for m in memories if m.allocation is not None and m.allocation.pieces is not None]
    pieces = [piece.memory for run in {id(run): run for run in runs}.values() for piece in run.pieces]
    if len({id(piece) for piece in pieces}) == len(pieces) or log.boxes:
        return memories, log, rows
    known: dict[tuple[int, Any], int] = {}
    made: list[Memory[Any]] = []
    told = Log()
    for i in range(0, len(log), 3):
        lo, hi, code = log[i : i + 3]
        memory = memories[code // CODES]
        allocation = memory.allocation
        if allocation is not None and allocation.pieces is not None:
            allocation, start = behind(allocation, lo)
            lo, hi = start, start + hi - lo
            if hi > allocation.capacity:
                return memories, log, rows
        key = code // CODES, allocation
        if key not in known:
            known[key] = len(made)
            made.append(type(memory)(memory.name, memory.dtype, allocation, 0, memory.space))
        told += (lo, hi, known[key] * CODES + code % CODES)
    return made, told, table_of(told) if rows is not None else None


class Since:
    """What a launch touches from one moment to the next, read off its log. *bound*: its arguments."""

    __slots__ = ("_bound", "_boxes", "_log", "_place")

    def __init__(self, bound: Bound) -> None:
        assert bound.log is not None
        self._bound = bound
        self._log = bound.log
        self._place = self._boxes = 0

    def touched(self) -> list[tuple[Allocation | None, int, list[tuple[int, int]]]]:
        """(allocation, kind, intervals in any order) since this was asked last."""
        log, memories = self._log, self._bound.memories
        place, boxes = self._place, self._boxes
        self._place, self._boxes = len(log), len(log.boxes)
        if boxes < self._boxes:
            part = Log()
            part += log[place:]
            part.boxes = log.boxes[boxes:]
            return unions(part, None, memories)
        found: dict[tuple[Allocation | None, int], list[tuple[int, int]]] = {}
        for i in range(place, len(log), 3):
            code = log[i + 2]
            key = memories[code // CODES].allocation, code % CODES
            found.setdefault(key, []).append((log[i], log[i + 1]))
        return [(allocation, kind, intervals) for (allocation, kind), intervals in found.items()]


def _expanded(log: Log, table: Rows, segments: list[Segment]) -> tuple[Rows, list[Segment]]:
    """All accesses in their order with the rows of boxes in their places, and the segments that fit them."""
    if not log.boxes:
        return table, segments
    counts = np.ones(len(table), np.int64)
    counts[table[:, 1] == BOX] = [box[3] for box in log.boxes]
    ends = np.concatenate(([0], np.cumsum(counts)))
    return with_rows(log, table), [Segment(3 * int(ends[s.end // 3]), s.block, s.after) for s in segments]
