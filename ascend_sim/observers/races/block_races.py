"""Conflicts between the blocks of one launch: a sweep over what they touched.

See docs/semantics/happens_before.md#blocks-of-a-launch.

Accesses are merged a block, between two barriers; then sorted boundaries tell with a few numpy calls whether any two
blocks meet. Only when they do, the pair is searched for. A kernel with flags between its cores, where the order is no
sequence of barriers, is searched pair by pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_sim.machine.arrays import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ascend_sim.kernels.launching.accesses import BlockAccesses

__all__ = ["BlockConflict", "find_block_race"]

READ, WRITE, ATOMIC = 0, 1, 2
WORDS = {READ: "reads", WRITE: "writes", ATOMIC: "updates atomically"}
PAIRS = ((WRITE, WRITE), (WRITE, READ), (WRITE, ATOMIC), (ATOMIC, READ))
SMALL = 64
"""Up to so many accesses, plain Python is quicker than numpy."""
MOST_PAIRS = 200_000
"""So many overlapping pairs are looked at in a kernel with flags; then the search gives up."""

if TYPE_CHECKING:
    Column = NDArray[np.int64]


class BlockConflict(NamedTuple):
    """Two blocks (in words) that touch bytes [lo, hi) of *memory*, and what each does."""

    memory: Any
    blocks: tuple[str, str]
    kinds: tuple[str, str]
    lo: int
    hi: int


class _Rows:
    """Intervals [lo, hi) with their blocks; places of different allocations and epochs do not overlap."""

    __slots__ = ("block", "hi", "lo")

    def __init__(self, lo: Column, hi: Column, block: Column) -> None:
        self.lo = lo
        self.hi = hi
        self.block = block

    def merged(self, span: int) -> _Rows:
        """The union of each block's intervals; *span* is larger than every place."""
        if not len(self.lo):
            return self
        lo, hi = self.lo + self.block * span, self.hi + self.block * span
        order = np.argsort(lo, kind="stable")
        lo, hi = lo[order], np.maximum.accumulate(hi[order])
        first = np.concatenate(([True], lo[1:] > hi[:-1]))
        last = np.concatenate((first[1:], [True]))
        block = self.block[order][first]
        return _Rows(lo[first] - block * span, hi[last] - block * span, block)


def find_block_race(found: BlockAccesses) -> BlockConflict | None:
    """The first conflict between two blocks that nothing orders; None when there is none."""
    if len(found.grid.blocks) < 2 or not found.log:
        return None
    if len(found.log) <= 3 * SMALL and not found.log.boxes:
        return _few(found)
    low_ends, high_ends, codes = np.ascontiguousarray(found.table.T)
    kind = codes & 3
    of_kind = {k: np.flatnonzero(kind == k) for k in (READ, WRITE, ATOMIC)}
    if len(of_kind[READ]) == len(kind):
        return None
    ends = np.array([segment.end for segment in found.segments], np.int64) // 3
    sizes = np.diff(ends, prepend=0)
    sizes[-1] += len(codes) - ends[-1]
    segment = np.repeat(np.arange(len(ends)), sizes)
    blocks = np.array([s.block for s in found.segments], np.int64)
    if any(len(s.after) > 1 for s in found.segments if s.block >= 0):
        return _with_flags(found, kind, segment)
    epoch = np.cumsum(blocks < 0)[segment]
    group = _allocations(found)[codes >> 2] + epoch * len(found.memories)
    span = int(high_ends.max()) + 1
    lo, hi = low_ends + group * span, high_ends + group * span
    whole = span * (int(group.max()) + 1)
    block = blocks[segment]
    rows = {k: _Rows(lo[at], hi[at], block[at]).merged(whole) for k, at in of_kind.items()}
    for a, b in PAIRS:
        pair = _meeting(rows[a], rows[b], a == b, whole)
        if pair is not None:
            i, j = pair
            first, second = rows[a], rows[b]
            low, high = max(first.lo[i], second.lo[j]), min(first.hi[i], second.hi[j])
            at = int(low) // span
            which = at % len(found.memories)
            base = at * span
            ordered = sorted([(int(first.block[i]), WORDS[a]), (int(second.block[j]), WORDS[b])])
            return BlockConflict(
                found.memories[which],
                (found.blocks[ordered[0][0]], found.blocks[ordered[1][0]]),
                (ordered[0][1], ordered[1][1]),
                int(low) - base,
                int(high) - base,
            )
    return None


def _few(found: BlockAccesses) -> BlockConflict | None:
    """Searches a short log pair by pair: for few accesses that is quicker than numpy."""
    log, segments = found.log, found.parts()
    if any(len(part.after) > 1 for part in segments if part.block >= 0):
        kinds = found.table[:, 2] % 4
        ends = np.array([part.end for part in segments], np.int64) // 3
        numbers = np.searchsorted(ends, np.arange(len(found.table)), side="right")
        return _with_flags(found, kinds, np.minimum(numbers, len(ends) - 1))
    first: dict[Any, int] = {}
    groups = [first.setdefault(memory.allocation, i) for i, memory in enumerate(found.memories)]
    rows: list[tuple[int, int, int, int, int, int]] = []
    at = epoch = 0
    for part in segments:
        if part.block < 0:
            epoch += 1
        while at < part.end:
            code = log[at + 2]
            rows.append((epoch, groups[code >> 2], log[at], log[at + 1], code & 3, part.block))
            at += 3
    rows.sort()
    before: list[tuple[int, int, int, int, int, int]] = []
    for row in rows:
        epoch, group, lo, hi, kind, block = row
        before = [other for other in before if other[0] == epoch and other[1] == group and other[3] > lo]
        for other in before:
            if other[5] != block and (kind == WRITE or other[4] != kind):
                pair = sorted([(other[5], WORDS[other[4]]), (block, WORDS[kind])])
                return BlockConflict(
                    found.memories[group],
                    (found.blocks[pair[0][0]], found.blocks[pair[1][0]]),
                    (pair[0][1], pair[1][1]),
                    lo,
                    min(hi, other[3]),
                )
        before.append(row)
    return None


def _allocations(found: BlockAccesses) -> Column:
    """For each parameter the first one that has the same allocation: two names can mean the same bytes."""
    first: dict[Any, int] = {}
    return np.array([first.setdefault(memory.allocation, i) for i, memory in enumerate(found.memories)], np.int64)


def _meeting(a: _Rows, b: _Rows, same: bool, span: int) -> tuple[int, int] | None:
    """Rows i of *a* and j of *b* that overlap and belong to two blocks."""
    if not len(a.lo) or not len(b.lo):
        return None
    order = np.argsort(b.lo, kind="stable")
    if same:
        lo, hi = b.lo[order], np.maximum.accumulate(b.hi[order])
        late = np.flatnonzero(lo[1:] < hi[:-1])
        if not len(late):
            return None
        j = int(order[late[0] + 1])
    else:
        ends = np.sort(b.hi)
        met = np.searchsorted(b.lo[order], a.hi, "left") - np.searchsorted(ends, a.lo, "right")
        if not met.any():
            return None
        own_lo, own_hi = np.sort(b.lo + b.block * span), np.sort(b.hi + b.block * span)
        mine = np.searchsorted(own_lo, a.hi + a.block * span, "left") - np.searchsorted(
            own_hi, a.lo + a.block * span, "right"
        )
        strange = np.flatnonzero(met > mine)
        if not len(strange):
            return None
        i = int(strange[0])
        touching = np.flatnonzero((b.lo < a.hi[i]) & (b.hi > a.lo[i]) & (b.block != a.block[i]))
        return i, int(touching[0])
    touching = np.flatnonzero((a.lo < b.hi[j]) & (a.hi > b.lo[j]) & (a.block != b.block[j]))
    return int(touching[0]), j


def _with_flags(found: BlockAccesses, kind: Column, segment: Column) -> BlockConflict | None:
    """Pair by pair, with the segments that each segment follows as a bit mask."""
    before: list[int] = []
    for number, part in enumerate(found.segments):
        mask = 1 << number
        for earlier in part.after:
            mask |= before[earlier]
        before.append(mask)
    groups = _allocations(found)[found.table[:, 2] // 4].tolist()
    blocks = [part.block for part in found.segments]
    rows = sorted(
        (group, lo, hi, k, s)
        for group, (lo, hi, _), k, s in zip(groups, found.table.tolist(), kind.tolist(), segment.tolist(), strict=True)
    )
    open_rows: list[tuple[int, int, int, int, int]] = []
    looked = 0
    for row in rows:
        group, lo, hi, k, s = row
        open_rows = [other for other in open_rows if other[0] == group and other[2] > lo]
        for other in open_rows:
            looked += 1
            if blocks[other[4]] == blocks[s] or (k == other[3] and k != WRITE):
                continue
            if before[s] >> other[4] & 1 or before[other[4]] >> s & 1:
                continue
            pair = sorted([(blocks[other[4]], WORDS[other[3]]), (blocks[s], WORDS[k])])
            return BlockConflict(
                found.memories[group],
                (found.blocks[pair[0][0]], found.blocks[pair[1][0]]),
                (pair[0][1], pair[1][1]),
                lo,
                min(hi, other[2]),
            )
        if looked > MOST_PAIRS:
            return None
        open_rows.append(row)
    return None
