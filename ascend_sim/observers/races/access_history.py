"""The access history of one allocation: sorted boundaries, one cell a segment.

A dict of granules costs by the byte, numpy arrays ten microseconds an access; bisection in a list of boundaries with
one mutable cell a segment costs about a microsecond for what programs do
(docs/semantics/happens_before.md#the-access-history).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Protocol

__all__ = ["Epoch", "AccessHistory", "Met", "View"]

View = Sequence[int]
"""What somebody knows: for each chain the number of its latest known epoch."""


class Epoch(Protocol):
    """Something that touched memory: epoch *q* of chain *c* (a task, or a host call)."""

    c: int
    q: int


Reads = Any
"""None, one epoch, or a dict of them by chain."""
Met = tuple[Any, bool, int, int]
"""An earlier access that is not known: who, whether that was a write, and the bytes [lo, hi) of the segment."""

MOST_SEGMENTS = 65_536
"""Beyond this the older half of an allocation's history is forgotten: a lost race, never a false one."""
FIRST_COMPACTION = 64


class Cell:
    """The last write of a segment and the reads since: none, one, or one a chain."""

    __slots__ = ("r", "w")
    shared = False

    def __init__(self, w: Any, r: Reads) -> None:
        self.w = w
        self.r = r


class SharedCell(Cell):
    """One cell for many segments that were touched together: who touches one of them alone takes a copy."""

    __slots__ = ()
    shared = True


class AccessHistory:
    """History of *capacity* bytes, of which *size* are used as a rule.

    `read` and `write` test an access against what is known of the bytes and note it. An access is ordered after an
    earlier one when its view knows that epoch; those that it does not know are given back.
    """

    __slots__ = ("bounds", "cells", "forgotten", "limit")

    def __init__(self, size: int, capacity: int, first: Any = None) -> None:
        self.bounds: list[int] = [0, size, capacity] if capacity > size else [0, size]
        self.cells: list[Cell] = [Cell(first, None) for _ in self.bounds[1:]]
        self.limit = FIRST_COMPACTION
        """Segments above which the caller should compact."""
        self.forgotten = False

    def __len__(self) -> int:
        return len(self.cells)

    def _cut(self, lo: int, hi: int) -> tuple[int, int]:
        """Indices of the segments that make up [lo, hi), split where that is still to be done."""
        bounds, cells = self.bounds, self.cells
        if hi > bounds[-1]:  # nobody should: take it as it comes
            bounds.append(hi)
            cells.append(Cell(None, None))
        i = bisect_left(bounds, lo)
        if bounds[i] != lo:
            bounds.insert(i, lo)
            cells.insert(i, _copy(cells[i - 1]))
        j = bisect_left(bounds, hi, i + 1)
        if bounds[j] != hi:
            bounds.insert(j, hi)
            cells.insert(j, _copy(cells[j - 1]))
        return i, j

    def read(self, lo: int, hi: int, who: Epoch, view: View) -> list[Met] | None:
        """*who*, which knows *view*, reads [lo, hi)."""
        cells, bounds = self.cells, self.bounds
        if not lo and hi == bounds[1]:  # most accesses are to the whole
            i, j = 0, 1
        else:
            i, j = self._cut(lo, hi)
        chain = who.c
        met: list[Met] | None = None
        while i < j:
            cell = cells[i]
            if cell.shared:
                cell = cells[i] = _copy(cell)
            w = cell.w
            if w is not None and w.c != chain and view[w.c] < w.q:
                if met is None:
                    met = []
                met.append((w, True, bounds[i], bounds[i + 1]))
            r = cell.r
            if r is None:
                cell.r = who
            elif type(r) is dict:
                r[chain] = who
            elif r.c == chain or view[r.c] >= r.q:
                cell.r = who  # an ordered read is replaced: one slot stays one slot
            else:
                cell.r = {r.c: r, chain: who}
            i += 1
        return met

    def write(self, lo: int, hi: int, who: Epoch, view: View) -> list[Met] | None:
        """*who*, which knows *view*, writes [lo, hi) (a free is a write of the whole)."""
        cells, bounds = self.cells, self.bounds
        if not lo and hi == bounds[1]:
            i, j = 0, 1
        else:
            i, j = self._cut(lo, hi)
        chain = who.c
        met: list[Met] | None = None
        while i < j:
            cell = cells[i]
            if cell.shared:
                cell = cells[i] = _copy(cell)
            w = cell.w
            if w is not None and w.c != chain and view[w.c] < w.q:
                if met is None:
                    met = []
                met.append((w, True, bounds[i], bounds[i + 1]))
            r = cell.r
            if r is not None:
                for earlier in r.values() if type(r) is dict else (r,):
                    if earlier.c != chain and view[earlier.c] < earlier.q:
                        if met is None:
                            met = []
                        met.append((earlier, False, bounds[i], bounds[i + 1]))
                cell.r = None
            cell.w = who
            i += 1
        return met

    def many(self, parts: list[tuple[int, int]], who: Epoch, view: View, write: bool) -> list[Met]:
        """*who* touches many *parts*, sorted, with gaps between them."""
        met: list[Met] = []
        first, last = parts[0][0], parts[-1][1]
        bounds, cells = self.bounds, self.cells
        k = bisect_right(bounds, first) - 1
        if bounds[k + 1] >= last:
            self._fill(k, parts, who, view, write, met)
        else:
            access = self.write if write else self.read
            before = after = Cell(None, None)
            for lo, hi in parts:
                if k + 1 < len(bounds) and bounds[k] == lo and bounds[k + 1] == hi:  # cut like this before: no search
                    cell = cells[k]
                    if cell is before:  # touched together before, and now again
                        cells[k] = after
                    elif cell.shared:
                        before, after = cell, SharedCell(cell.w, dict(cell.r) if type(cell.r) is dict else cell.r)
                        cells[k] = after
                        self._touch(after, k, who, view, write, met)
                    else:
                        self._touch(cell, k, who, view, write, met)
                    k += 2
                    continue
                met += access(lo, hi, who, view) or ()
                k = bisect_left(bounds, hi) + 1
        self.limit = max(self.limit, 2 * len(self.cells))
        return met

    def _fill(self, k: int, parts: list[tuple[int, int]], who: Epoch, view: View, write: bool, met: list[Met]) -> None:
        """All parts lie in segment *k*, which is tested once and cut in one go."""
        bounds, cell = self.bounds, self.cells[k]
        touched = _copy(cell)
        self._touch(touched, k, who, view, write, met)
        if met:
            lo, hi = parts[0]
            met[:] = [(earlier, wrote, lo, hi) for earlier, wrote, _, _ in met]
        at, end = bounds[k], bounds[k + 1]
        rest = SharedCell(cell.w, cell.r)
        new_cells: list[Cell] = [rest, SharedCell(touched.w, touched.r)] * len(parts)
        new_bounds = list(chain.from_iterable(parts))  # there is a gap before each part,
        if parts[0][0] == at:  # but for the first
            del new_cells[0], new_bounds[0]
        if parts[-1][1] < end:
            new_cells.append(rest)
            new_bounds.append(end)
        bounds[k + 1 : k + 2] = new_bounds
        self.cells[k : k + 1] = new_cells

    def _touch(self, cell: Cell, k: int, who: Epoch, view: View, write: bool, met: list[Met]) -> None:
        """One access of one whole segment."""
        chain = who.c
        w, r = cell.w, cell.r
        if w is not None and w.c != chain and view[w.c] < w.q:
            met.append((w, True, self.bounds[k], self.bounds[k + 1]))
        if write:
            if r is not None:
                for earlier in r.values() if type(r) is dict else (r,):
                    if earlier.c != chain and view[earlier.c] < earlier.q:
                        met.append((earlier, False, self.bounds[k], self.bounds[k + 1]))
                cell.r = None
            cell.w = who
        elif r is None:
            cell.r = who
        elif type(r) is dict:
            r[chain] = who
        elif r.c == chain or view[r.c] >= r.q:
            cell.r = who
        else:
            cell.r = {r.c: r, chain: who}

    def replace(self, who: Any) -> None:
        """The whole is written and all earlier history with it gone: one cell is left (a free)."""
        self.bounds = [0, self.bounds[-1]]
        self.cells = [Cell(who, None)]
        self.limit = FIRST_COMPACTION

    def compact(self, floor: View) -> None:
        """Forget what everybody knows (*floor*: the least number of each chain that all know), join equal neighbours."""
        bounds: list[int] = [0]
        cells: list[Cell] = []
        last: Cell | None = None
        for k, cell in enumerate(self.cells):
            if cell.w is not None and cell.w.q <= floor[cell.w.c]:
                cell.w = None
            cell.r = _unknown(cell.r, floor)
            if last is not None and last.w is cell.w and _same(last.r, cell.r):
                bounds[-1] = self.bounds[k + 1]
            else:
                cells.append(cell)
                bounds.append(self.bounds[k + 1])
                last = cell
        self.bounds, self.cells = bounds, cells
        if len(cells) > MOST_SEGMENTS:
            self._forget()
        self.limit = max(FIRST_COMPACTION, 2 * len(self.cells))

    def _forget(self) -> None:
        """Drop the older half of the history."""
        self.forgotten = True
        stamps = sorted(
            max(e.q for e in _epochs(cell)) for cell in self.cells if cell.w is not None or cell.r is not None
        )
        middle = stamps[len(stamps) // 2]
        bounds: list[int] = [0]
        cells: list[Cell] = []
        for k, cell in enumerate(self.cells):
            if max((e.q for e in _epochs(cell)), default=0) <= middle:
                cell = Cell(None, None)
            if cells and cells[-1].w is None and cells[-1].r is None and cell.w is None and cell.r is None:
                bounds[-1] = self.bounds[k + 1]
            else:
                cells.append(cell)
                bounds.append(self.bounds[k + 1])
        self.bounds, self.cells = bounds, cells

    def put(self, lo: int, hi: int, cell: Cell) -> None:
        """Take over what another history knows of bytes [lo, hi)."""
        i, j = self._cut(lo, hi)
        for k in range(i, j):
            self.cells[k] = _copy(cell)

    def twin(self) -> AccessHistory:
        """A history of its own with the same contents."""
        other = AccessHistory(self.bounds[-1], self.bounds[-1])
        other.bounds = list(self.bounds)
        other.cells = [_copy(cell) for cell in self.cells]
        return other

    def same(self, other: AccessHistory) -> bool:
        """Whether both hold the same."""
        return self.bounds == other.bounds and all(
            a.w is b.w and _same(a.r, b.r) for a, b in zip(self.cells, other.cells, strict=True)
        )

    def accesses(self, lo: int, hi: int) -> Iterator[Met]:
        """What is known of the bytes [lo, hi): the last write of each segment and the reads since."""
        bounds = self.bounds
        for k in range(bisect_right(bounds, lo) - 1, min(bisect_left(bounds, hi), len(self.cells))):
            cell = self.cells[k]
            for epoch in _epochs(cell):
                yield epoch, epoch is cell.w, bounds[k], bounds[k + 1]

    def writers(self, lo: int, hi: int) -> list[Any]:
        """Who wrote the bytes [lo, hi) last, each once, in order of place."""
        bounds = self.bounds
        i = bisect_right(bounds, lo) - 1
        j = bisect_left(bounds, hi, i + 1)
        if j == i + 1:  # most ranges
            w = self.cells[i].w
            return [] if w is None else [w]
        found: list[Any] = []
        for cell in self.cells[i:j]:
            if cell.w is not None and not any(cell.w is known for known in found):
                found.append(cell.w)
        return found


def _copy(cell: Cell) -> Cell:
    r = cell.r
    return Cell(cell.w, dict(r) if type(r) is dict else r)


def _epochs(cell: Cell) -> Iterator[Any]:
    if cell.w is not None:
        yield cell.w
    if type(cell.r) is dict:
        yield from cell.r.values()
    elif cell.r is not None:
        yield cell.r


def _unknown(reads: Reads, floor: View) -> Reads:
    """The reads that not everybody knows."""
    if reads is None:
        return None
    if type(reads) is dict:
        left = {c: e for c, e in reads.items() if e.q > floor[c]}
        return None if not left else left if len(left) > 1 else next(iter(left.values()))
    return None if reads.q <= floor[reads.c] else reads


def _same(a: Reads, b: Reads) -> bool:
    if a is b:
        return True
    if type(a) is dict and type(b) is dict:
        return len(a) == len(b) and all(b.get(c) is e for c, e in a.items())
    return False
