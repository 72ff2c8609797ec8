"""What a launch touched, for observers: exact byte intervals of allocations, and which blocks touched what and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ascend_sim.kernels.memory import CODES, READ, Memory

if TYPE_CHECKING:
    from ascend_sim.kernels.binding import Bound
    from ascend_sim.kernels.grid import Grid, Segment
    from ascend_sim.runtime.hooks import Hooks
    from ascend_sim.runtime.task import Task

__all__ = ["BlockAccesses", "merged", "tell"]


class BlockAccesses:
    """The accesses of one launch block by block, for a search for conflicts between blocks.

    *table* has a row ``lo, hi, code`` for each access: bytes of the allocation ``memories[code // 4].block``, kind
    ``code % 4`` (0 read, 1 write, 2 atomic). *segments* cut it into parts: what one block did between two points where
    it was ordered with others, and which parts happened before (`kernels/grid.py`, Segment).
    """

    __slots__ = ("blocks", "kernel", "memories", "segments", "table")

    def __init__(
        self, grid: Grid, memories: list[Memory[Any]], table: npt.NDArray[np.int64], segments: list[Segment]
    ) -> None:
        self.kernel = grid.kernel
        self.blocks: list[str] = [block.describe() for block in grid.blocks]
        """The blocks in words."""
        self.memories = memories
        self.table = table
        self.segments = segments


def merged(intervals: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """The union of half-open intervals (one a row), sorted; touching ones become one."""
    rows = intervals[np.argsort(intervals[:, 0], kind="stable")]
    highest = np.maximum.accumulate(rows[:, 1])
    first = np.concatenate(([True], rows[1:, 0] > highest[:-1]))
    last = np.concatenate((first[1:], [True]))
    return list(zip(rows[first, 0].tolist(), highest[last].tolist(), strict=True))


def tell(hooks: Hooks, task: Task, bound: Bound, grid: Grid) -> None:
    """Hand the accesses of a launch to those who listen."""
    log = bound.log
    if not log:
        return
    table = np.array(log, np.int64).reshape(-1, 3)
    if hooks.accessed is not None:
        for code in np.unique(table[:, 2]).tolist():
            block = bound.memories[code // CODES].block
            kind = code % CODES
            for lo, hi in merged(table[table[:, 2] == code, :2]):
                for observe in hooks.accessed:
                    observe(task, block, lo, hi, kind if kind > 1 else kind != READ)
    if hooks.blocks_ran is not None and grid.segments is not None:
        found = BlockAccesses(grid, bound.memories, table, grid.segments.found)
        for observe in hooks.blocks_ran:
            observe(task, found)
