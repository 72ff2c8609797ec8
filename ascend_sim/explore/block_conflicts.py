"""Which blocks of a launch touch the same bytes as another block, or as another step of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ascend_sim.explore.footprints import CONFLICTS, Item, meet
from ascend_sim.observers.block_races import find_block_race

if TYPE_CHECKING:
    from ascend_sim.kernels.accesses import BlockAccesses
    from ascend_sim.kernels.grid import Segment

__all__ = ["Part", "Parts", "parts_of"]

MOST_PAIRS = 200_000
"""After so many pairs of overlapping accesses all blocks count as conflicting."""


class Access(NamedTuple):
    """Bytes [lo, hi) of allocation *name*, touched in *mode* by the segment number *segment*."""

    name: str
    lo: int
    hi: int
    mode: int
    segment: int


Part = tuple[int, int]
"""(block, which part of it): what a block does between two points where it could be ordered with others."""


class Parts:
    """What each part of a launch touches. *clashing*: those that conflict with a part of another block."""

    __slots__ = ("accesses", "clashing", "names", "parts")

    def __init__(self, accesses: list[Access], parts: list[Part], clashing: frozenset[Part]) -> None:
        self.accesses = accesses
        self.parts = parts
        """The part that each segment is."""
        self.clashing = clashing
        self.names = frozenset(access.name for access in accesses)

    def meeting(self, items: Iterable[Item]) -> set[Part]:
        """The parts that conflict with *items* of another step."""
        found: set[Part] = set()
        for item in items:
            key = item.key
            if not isinstance(key, tuple) or key[0] != "bytes" or key[1] not in self.names:
                continue
            for access in self.accesses:
                if access.name == key[1] and meet(Item(key, access.mode, access.lo, access.hi), item):
                    found.add(self.parts[access.segment])
        return found


def parts_of(found: BlockAccesses, names: Sequence[str]) -> Parts:
    """The parts of a launch; *names*: of the allocation behind each parameter."""
    segments = found.segments
    ends = [segment.end for segment in segments]
    accesses = []
    number = 0
    for at, (lo, hi, code) in enumerate(found.table.tolist()):
        while number < len(ends) - 1 and 3 * at >= ends[number]:
            number += 1
        accesses.append(Access(names[code >> 2], lo, hi, code & 3, number))
    parts: list[Part] = []
    counts: dict[int, int] = {}
    for segment in segments:
        counts[segment.block] = count = counts.get(segment.block, -1) + 1
        parts.append((segment.block, count))
    clashing = frozenset[Part]() if find_block_race(found) is None else _clashing(accesses, parts, segments)
    return Parts(accesses, parts, clashing)


def _clashing(accesses: list[Access], parts: list[Part], segments: Sequence[Segment]) -> frozenset[Part]:
    """The parts of which one conflicts with another that it does not follow; a sweep over the bytes."""
    before: list[int] = []
    for number, segment in enumerate(segments):
        mask = 1 << number
        for earlier in segment.after:
            mask |= before[earlier]
        before.append(mask)
    found: set[Part] = set()
    looked = 0
    alive: list[Access] = []
    for access in sorted(accesses):
        alive = [other for other in alive if other.name == access.name and other.hi > access.lo]
        mine = parts[access.segment]
        for other in alive:
            looked += 1
            theirs = parts[other.segment]
            if mine[0] == theirs[0] or not CONFLICTS[access.mode] >> other.mode & 1 or {mine, theirs} <= found:
                continue
            if before[access.segment] >> other.segment & 1 or before[other.segment] >> access.segment & 1:
                continue
            found.update((mine, theirs))
        if looked > MOST_PAIRS:
            return frozenset(part for part in parts if part[0] >= 0)
        alive.append(access)
    return frozenset(found)
