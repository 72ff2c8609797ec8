"""Conflicts of blocks: which of a launch touch the bytes of another block, or of another step of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ascend_sim.explore.search.dependence import ATOMIC, CONFLICTS, READ, WRITE, Item
from ascend_sim.observers.races.block_races import find_block_race

if TYPE_CHECKING:
    from ascend_sim.kernels.language.memory import Memory
    from ascend_sim.kernels.launching.accesses import BlockAccesses
    from ascend_sim.kernels.launching.grid import Segment

__all__ = ["Part", "Parts", "parts_of", "rounds"]

MOST_PAIRS = 100_000
"""After so many pairs of overlapping accesses all blocks count as conflicting."""
KINDS = 3

Column = npt.NDArray[np.int64]
Part = tuple[int, int]
"""(block, which part of it): what a block does between two points where it could be ordered with others."""


class Parts:
    """What each part of a launch touches. *clashing*: those that conflict with a part of another block."""

    __slots__ = ("_columns", "clashing", "names", "parts")

    def __init__(self, columns: dict[str, Column], parts: list[Part], clashing: frozenset[Part]) -> None:
        self._columns = columns
        """For each allocation, by its name, rows of lo, hi, kind, segment."""
        self.names = frozenset(columns)
        self.parts = parts
        """The part that each segment is."""
        self.clashing = clashing

    def meeting(self, items: Iterable[Item]) -> set[Part]:
        """The parts that conflict with *items* of another step."""
        found: set[Part] = set()
        for item in items:
            key = item.key
            if not isinstance(key, tuple) or key[0] != "bytes" or key[1] not in self.names:
                continue
            lo, hi, kind, segment = self._columns[key[1]].T
            kinds = [k for k in range(KINDS) if CONFLICTS[k] >> item.mode & 1]
            theirs = np.array(item.parts or ((item.lo, item.hi),), np.int64)
            last = np.searchsorted(theirs[:, 0], hi, "left") - 1  # the last of them that begins before the end
            meets = (last >= 0) & (theirs[last, 1] > lo) & np.isin(kind, kinds)
            found.update(self.parts[number] for number in np.unique(segment[meets]).tolist())
        return found


def rounds(memory: Memory[Any]) -> bool:
    """Whether atomic updates of *memory* give another sum in another order."""
    return memory.dtype.kind not in "iub"


def parts_of(found: BlockAccesses, names: Sequence[str], rounding: bool) -> Parts:
    """The parts of a launch; *names*: of the allocation behind each parameter.

    *rounding*: atomic updates of floats are writes, of which the order counts.
    """
    segments = found.segments
    table = found.table
    ends = np.array([segment.end for segment in segments], np.int64)
    numbers = np.searchsorted(ends, 3 * np.arange(len(table)), "right")
    kinds = table[:, 2] & 3
    floats = np.array([rounding and rounds(memory) for memory in found.memories])[table[:, 2] >> 2] & (kinds == ATOMIC)
    kinds[floats] = WRITE
    rows = np.column_stack((table[:, 0], table[:, 1], kinds, np.minimum(numbers, len(ends) - 1)))
    allocations = np.array([names.index(name) for name in names], np.int64)[table[:, 2] >> 2]
    columns = {names[i]: rows[allocations == i] for i in np.unique(allocations).tolist()}
    parts: list[Part] = []
    counts: dict[int, int] = {}
    for segment in segments:
        counts[segment.block] = count = counts.get(segment.block, -1) + 1
        parts.append((segment.block, count))
    race = bool(floats.any()) or find_block_race(found) is not None
    clashing = _clashing(columns, parts, segments) if race else frozenset[Part]()
    return Parts(columns, parts, clashing)


def _clashing(columns: dict[str, Column], parts: list[Part], segments: Sequence[Segment]) -> frozenset[Part]:
    """The parts of which one conflicts with another that it does not follow; a sweep over the bytes."""
    before: list[int] = []
    for number, segment in enumerate(segments):
        mask = 1 << number
        for earlier in segment.after:
            mask |= before[earlier]
        before.append(mask)
    found: set[Part] = set()
    looked = 0
    for rows in columns.values():
        reads: list[tuple[int, int, int]] = []  # hi, kind, segment
        writes: list[tuple[int, int, int]] = []
        for lo, hi, kind, number in sorted(map(tuple, rows.tolist())):
            writes = [other for other in writes if other[0] > lo]
            others = writes
            if kind != READ:
                reads = [other for other in reads if other[0] > lo]
                others = writes + reads
            mine = parts[number]
            for _, their_kind, their_number in others:
                looked += 1
                theirs = parts[their_number]
                if mine[0] == theirs[0] or not CONFLICTS[kind] >> their_kind & 1 or {mine, theirs} <= found:
                    continue
                if not (before[number] >> their_number & 1 or before[their_number] >> number & 1):
                    found.update((mine, theirs))
            if looked > MOST_PAIRS:
                return frozenset(part for part in parts if part[0] >= 0)
            (reads if kind == READ else writes).append((hi, kind, number))
    return frozenset(found)
