"""What a launch touched, for observers: exact byte intervals of allocations, and which blocks touched what and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ascend_sim.kernels.grid import Segment
from ascend_sim.kernels.memory import BOX, CODES, READ, Log, Memory

if TYPE_CHECKING:
    from ascend_sim.kernels.binding import Bound
    from ascend_sim.kernels.grid import Grid
    from ascend_sim.runtime.hooks import Hooks
    from ascend_sim.runtime.task import Task

__all__ = ["BlockAccesses", "merged", "tell"]

Rows = npt.NDArray[np.int64]

MANY = 16
"""More parts of one allocation than these are told together, to those who want that."""
SMALL = 24
"""Up to so many accesses, plain Python is quicker than numpy."""


class BlockAccesses:
    """The accesses of one launch block by block, for a search for conflicts between blocks.

    *table* has a row ``lo, hi, code`` for each access: bytes of the allocation ``memories[code // 4].block``, kind
    ``code % 4`` (0 read, 1 write, 2 atomic). *segments* cut it into parts: what one block did between two points where
    it was ordered with others, and which parts happened before (`kernels/grid.py`, Segment). An `end` counts three for
    each row.
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
            rows = _rows(self.log) if self._rows is None else self._rows
            self._expanded = _expanded(self.log, rows, self.parts())
        return self._expanded

    def parts(self) -> list[Segment]:
        """The segments that fit the log."""
        return [Segment(s, i, ()) if isinstance(s, int) else s for i, s in enumerate(self._segments)]


def merged(intervals: Rows) -> list[tuple[int, int]]:
    """The union of half-open intervals (one a row), sorted; touching ones become one."""
    rows = intervals[np.argsort(intervals[:, 0], kind="stable")]
    highest = np.maximum.accumulate(rows[:, 1])
    first = np.concatenate(([True], rows[1:, 0] > highest[:-1]))
    last = np.concatenate((first[1:], [True]))
    return list(zip(rows[first, 0].tolist(), highest[last].tolist(), strict=True))


def tell(hooks: Hooks, task: Task, bound: Bound, grid: Grid, ends: list[int] | None = None) -> None:
    """Hand the accesses of a launch to those who listen, and empty the log.

    *ends*: where in the log the part of each block ends, when they ran one after the other and nothing orders them.
    """
    log = bound.log
    if not log:
        return
    rows = _rows(log) if len(log) > 3 * SMALL else None
    if hooks.accessed is not None:
        for code, unions in _unions(log, rows):
            block = bound.memories[code // CODES].block
            kind = code % CODES
            write = kind if kind > 1 else kind != READ
            if len(unions) > MANY and hooks.accessed_parts is not None:
                for observe in hooks.accessed_parts:
                    observe(task, block, unions, write)
                continue
            for lo, hi in unions:
                for observe in hooks.accessed:
                    observe(task, block, lo, hi, write)
    if hooks.blocks_ran is not None and (ends is not None or grid.segments is not None):
        found = BlockAccesses(grid, bound.memories, log, ends or grid.segments.found, rows)  # type: ignore[union-attr]
        for observe in hooks.blocks_ran:
            observe(task, found)
    log.clear()
    log.boxes.clear()


def _rows(log: Log) -> Rows:
    """The log as a table."""
    return np.fromiter(log, np.int64, len(log)).reshape(-1, 3)


def _unions(log: Log, rows: Rows | None) -> list[tuple[int, list[tuple[int, int]]]]:
    """For each code the union of its accesses."""
    if rows is None and not log.boxes:
        by_code: dict[int, list[tuple[int, int]]] = {}
        for i in range(0, len(log), 3):
            by_code.setdefault(log[i + 2], []).append((log[i], log[i + 1]))
        return [(code, _few(by_code[code])) for code in sorted(by_code)]
    table = _rows(log) if rows is None else rows
    if log.boxes:
        plain = table[table[:, 1] != BOX]
        boxes = np.array(sorted(set(log.boxes)), np.int64)  # tiles come again and again
        table = np.concatenate((plain, _rows_of(boxes)))
    codes = table[:, 2]
    return [(code, merged(table[codes == code, :2])) for code in np.unique(codes).tolist()]


def _few(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    intervals.sort()
    found = [intervals[0]]
    for lo, hi in intervals:
        last_lo, last_hi = found[-1]
        if lo > last_hi:
            found.append((lo, hi))
        elif hi > last_hi:
            found[-1] = (last_lo, hi)
    return found


def _rows_of(boxes: Rows) -> Rows:
    """The rows of boxes (``lo, width, pitch, rows, code``) as accesses."""
    counts = boxes[:, 3]
    which = np.repeat(np.arange(len(boxes)), counts)
    row = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    lo = boxes[which, 0] + row * boxes[which, 2]
    return np.column_stack((lo, lo + boxes[which, 1], boxes[which, 4]))


def _expanded(log: Log, table: Rows, segments: list[Segment]) -> tuple[Rows, list[Segment]]:
    """All accesses in their order with the rows of boxes in their places, and the segments that fit them."""
    if not log.boxes:
        return table, segments
    boxes = np.array(log.boxes, np.int64)
    at = np.flatnonzero(table[:, 1] == BOX)
    counts = np.ones(len(table), np.int64)
    counts[at] = boxes[:, 3]
    starts = np.cumsum(counts) - counts
    whole = np.repeat(table, counts, axis=0)
    mine = np.repeat(np.isin(np.arange(len(table)), at), counts)
    whole[mine] = _rows_of(boxes)
    ends = np.concatenate((starts, [len(whole)]))
    return whole, [Segment(3 * int(ends[s.end // 3]), s.block, s.after) for s in segments]
