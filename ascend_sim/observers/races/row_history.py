"""The access history of an allocation that is used as a matrix: bands of rows, each with one history of its columns.

A pitched copy of thousands of rows is then one access of a band, not thousands of intervals
(docs/semantics/happens_before.md#rows-with-a-pitch). Contiguous accesses are at most three bands; rows with another
pitch are taken one by one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from ascend_sim.observers.races.access_history import AccessHistory, Epoch, Met, View

__all__ = ["RowHistory"]


class RowHistory:
    """History of *capacity* bytes in rows of *pitch* bytes; takes over what *flat* knows."""

    __slots__ = ("bands", "capacity", "forgotten", "limit", "pitch", "rows")

    def __init__(self, pitch: int, flat: AccessHistory) -> None:
        self.pitch = pitch
        self.capacity = flat.bounds[-1]
        count = -(-self.capacity // pitch)
        self.rows: list[int] = [0, count]
        self.bands: list[AccessHistory] = [AccessHistory(pitch, pitch)]
        self.limit = flat.limit
        self.forgotten = flat.forgotten
        for k, cell in enumerate(flat.cells):
            if cell.w is not None or cell.r is not None:
                for band, lo, hi, _ in self._spread(flat.bounds[k], flat.bounds[k + 1]):
                    band.put(lo, hi, cell)

    @property
    def cells(self) -> list[Any]:
        """All cells, for their number."""
        return [cell for band in self.bands for cell in band.cells]

    def _band(self, first: int, last: int) -> tuple[int, int]:
        """Indices of the bands that make up rows [first, last), split where that is still to be done."""
        rows, bands = self.rows, self.bands
        if last > rows[-1]:
            rows.append(last)
            bands.append(AccessHistory(self.pitch, self.pitch))
        i = bisect_left(rows, first)
        if rows[i] != first:
            rows.insert(i, first)
            bands.insert(i, bands[i - 1].twin())
        j = bisect_left(rows, last, i + 1)
        if rows[j] != last:
            rows.insert(j, last)
            bands.insert(j, bands[j - 1].twin())
        return i, j

    def _block(self, first: int, last: int, lo: int, hi: int) -> list[tuple[AccessHistory, int, int, int]]:
        i, j = self._band(first, last)
        return [(self.bands[k], lo, hi, self.rows[k] * self.pitch) for k in range(i, j)]

    def _spread(self, lo: int, hi: int) -> list[tuple[AccessHistory, int, int, int]]:
        """Bytes [lo, hi) as (band, first column, column behind the last, byte of the band's first row)."""
        pitch = self.pitch
        first, start = divmod(lo, pitch)
        last, end = divmod(hi, pitch)
        if first == last:
            return self._block(first, first + 1, start, end)
        found: list[tuple[AccessHistory, int, int, int]] = []
        if start:
            found += self._block(first, first + 1, start, pitch)
            first += 1
        if first < last:
            found += self._block(first, last, 0, pitch)
        if end:
            found += self._block(last, last + 1, 0, end)
        return found

    def _touch(
        self, parts: list[tuple[AccessHistory, int, int, int]], who: Epoch, view: View, write: bool
    ) -> list[Met] | None:
        met: list[Met] | None = None
        for band, lo, hi, base in parts:
            found = band.write(lo, hi, who, view) if write else band.read(lo, hi, who, view)
            if found is not None:
                met = met or []
                met += [(earlier, wrote, base + a, base + b) for earlier, wrote, a, b in found]
        return met

    def read(self, lo: int, hi: int, who: Epoch, view: View) -> list[Met] | None:
        """As `AccessHistory.read`."""
        return self._touch(self._spread(lo, hi), who, view, False)

    def write(self, lo: int, hi: int, who: Epoch, view: View) -> list[Met] | None:
        """As `AccessHistory.write`."""
        return self._touch(self._spread(lo, hi), who, view, True)

    def many(self, parts: list[tuple[int, int]], who: Epoch, view: View, write: bool) -> list[Met]:
        """As `AccessHistory.many`."""
        met: list[Met] = []
        for lo, hi in parts:
            met += self._touch(self._spread(lo, hi), who, view, write) or ()
        return met

    def box(self, lo: int, width: int, pitch: int, rows: int, who: Epoch, view: View, write: bool) -> list[Met] | None:
        """*rows* rows of *width* bytes, *pitch* apart; the first begins at *lo*."""
        if pitch != self.pitch:
            parts = [part for row in range(rows) for part in self._spread(lo + row * pitch, lo + row * pitch + width)]
            return self._touch(parts, who, view, write)
        first, start = divmod(lo, pitch)
        end = start + width
        if end <= pitch:
            return self._touch(self._block(first, first + rows, start, end), who, view, write)
        met = self._touch(self._block(first, first + rows, start, pitch), who, view, write)
        rest = self._touch(self._block(first + 1, first + rows + 1, 0, end - pitch), who, view, write)
        return (met or []) + (rest or []) or None

    def compact(self, floor: View) -> None:
        """As `AccessHistory.compact`; neighbouring bands with the same history become one."""
        rows: list[int] = [0]
        bands: list[AccessHistory] = []
        for k, band in enumerate(self.bands):
            band.compact(floor)
            self.forgotten = self.forgotten or band.forgotten
            if bands and bands[-1].same(band):
                rows[-1] = self.rows[k + 1]
            else:
                bands.append(band)
                rows.append(self.rows[k + 1])
        self.rows, self.bands = rows, bands
        self.limit = max(64, 2 * len(self.cells))

    def accesses(self, lo: int, hi: int) -> Iterator[Met]:
        """As `AccessHistory.accesses`."""
        for band, start, end, base in self._spread(lo, hi):
            for epoch, wrote, a, b in band.accesses(start, end):
                yield epoch, wrote, base + a, base + b

    def writers(self, lo: int, hi: int) -> list[Any]:
        """As `AccessHistory.writers`."""
        found: list[Any] = []
        for band, start, end, _ in self._spread(lo, hi):
            found += [w for w in band.writers(start, end) if not any(w is known for known in found)]
        return found
