"""Which bytes of an allocation hold a value that somebody wrote."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

__all__ = ["WrittenBytes"]


class WrittenBytes:
    """A set of bytes as sorted spans ``[start, end, start, end, ...]``; touching spans are one."""

    __slots__ = ("size", "spans")

    def __init__(self, size: int) -> None:
        self.size = size
        self.spans: list[int] = []

    def add(self, lo: int, hi: int) -> None:
        """Bytes [lo, hi) were written."""
        spans = self.spans
        i, j = bisect_left(spans, lo), bisect_right(spans, hi)
        spans[i:j] = ([] if i % 2 else [lo]) + ([] if j % 2 else [hi])

    def remove(self, lo: int, hi: int) -> None:
        """Bytes [lo, hi) hold nothing of worth again."""
        spans = self.spans
        i, j = bisect_right(spans, lo), bisect_left(spans, hi)
        spans[i:j] = ([lo] if i % 2 else []) + ([hi] if j % 2 else [])
        k = max(i - 2, 0)
        while k + 1 < len(spans) and k < i + 2:  # empty spans at the edges
            if spans[k] == spans[k + 1]:
                del spans[k : k + 2]
            else:
                k += 1

    def covers(self, lo: int, hi: int) -> bool:
        """Whether all of [lo, hi) was written."""
        spans = self.spans
        i = bisect_right(spans, lo)
        return i % 2 == 1 and spans[i] >= hi

    def missing(self, lo: int, hi: int) -> list[tuple[int, int]]:
        """The parts of [lo, hi) that were not written."""
        found: list[tuple[int, int]] = []
        spans = self.spans
        i = bisect_right(spans, lo)
        at = lo
        if i % 2:
            at = spans[i]
            i += 1
        while at < hi:
            start = spans[i] if i < len(spans) else hi
            found.append((at, min(start, hi)))
            if start >= hi:
                break
            at = spans[i + 1]
            i += 2
        return [(a, b) for a, b in found if a < b]

    def full(self) -> bool:
        """Whether nothing is missing."""
        return len(self.spans) == 2 and self.spans[0] <= 0 and self.spans[1] >= self.size
