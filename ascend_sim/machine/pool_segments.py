"""The addresses of a memory pool: a row of segments that are free, cached or in use, and their counters.

Free ones have no memory behind them. A block that is given back stays cached: its memory is the pool's until it is
trimmed. Who may take a cached segment is for others to say (``runtime/memory/pools/reuse.py``).
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["BUSY", "CACHED", "FREE", "UNIT", "Segment", "Segments"]

UNIT = 2 << 20
"""What sizes of pools and of their blocks are rounded up to (bytes)."""

FREE, CACHED, BUSY = range(3)


class Segment:
    """A part of a pool. Of a cached one: *owner*, the stream on which it was given back, how many records were queued
    there by then (*mark*), and the tasks that give it back (*frees*): of joined ones the latest, for they are on one
    stream.
    """

    __slots__ = ("base", "frees", "mark", "next", "owner", "prev", "size", "state")

    def __init__(self, base: int, size: int) -> None:
        self.base = base
        self.size = size
        self.state = FREE
        self.owner: Any = None
        self.mark = 0
        self.frees: tuple[Any, ...] = ()
        self.prev: Segment | None = None
        self.next: Segment | None = None

    @property
    def end(self) -> int:
        """The address behind it."""
        return self.base + self.size


class Segments:
    """The segments of one pool of *size* bytes from *base* on, both multiples of `UNIT`.

    >>> row = Segments(0, 4 * UNIT)
    >>> first = row.fresh(UNIT)
    >>> row.release(first, "a stream", 0, ())
    >>> row.used, row.reserved == UNIT
    (0, True)
    """

    __slots__ = ("_at", "_cached", "_free", "_tail", "base", "reserved", "reserved_high", "size", "used", "used_high")

    def __init__(self, base: int, size: int) -> None:
        self.base = base
        self.size = size
        self._tail = Segment(base, size)
        self._at = {base: self._tail}
        self._free = [(size, base)]
        """(size, base), sorted: the best fit is found by bisection, and of equal ones the lowest."""
        self._cached: list[tuple[int, int]] = []
        self.used = self.reserved = 0
        """Bytes of blocks that are allocated, and with the cached ones."""
        self.used_high = self.reserved_high = 0

    def __iter__(self) -> Iterator[Segment]:
        """All of them, in order of address."""
        at: Segment | None = self._at[self.base]
        while at is not None:
            yield at
            at = at.next

    def cached(self, size: int = 0) -> Iterator[Segment]:
        """The cached ones with at least *size* bytes, smallest first. The row must not be changed meanwhile."""
        for place in range(bisect_left(self._cached, (size, 0)), len(self._cached)):
            yield self._at[self._cached[place][1]]

    def fits(self, size: int) -> bool:
        """Whether a free segment has *size* bytes."""
        return bool(self._free) and self._free[-1][0] >= size

    def fresh(self, size: int) -> Segment | None:
        """Take *size* bytes of the smallest free segment that has them; None when there is none."""
        place = bisect_left(self._free, (size, 0))
        if place == len(self._free):
            return None
        segment = self._at[self._free.pop(place)[1]]
        taken = self._split(segment, size)
        if taken is not segment:
            insort(self._free, (segment.size, segment.base))
        self.reserved += size
        self.reserved_high = max(self.reserved_high, self.reserved)
        self._busy(taken)
        return taken

    def reuse(self, segment: Segment, size: int) -> Segment:
        """Take the first *size* bytes of a cached *segment*; what is left of it stays cached."""
        self._cached.remove((segment.size, segment.base))
        taken = self._split(segment, size)
        if taken is not segment:
            insort(self._cached, (segment.size, segment.base))
        self._busy(taken)
        return taken

    def release(self, segment: Segment, owner: Any, mark: int, frees: tuple[Any, ...]) -> None:
        """A block is given back: its *segment* is cached, and joined with neighbours that came in the same way."""
        self.used -= segment.size
        segment.state, segment.owner, segment.mark, segment.frees = CACHED, owner, mark, frees
        while segment.prev is not None and self._alike(segment.prev, segment):
            self._cached.remove((segment.prev.size, segment.prev.base))
            self._join_left(segment)
        while segment.next is not None and self._alike(segment, segment.next):
            segment = segment.next
            self._cached.remove((segment.size, segment.base))
            self._join_left(segment)
        segment.frees = frees
        insort(self._cached, (segment.size, segment.base))

    def drop(self, segment: Segment) -> None:
        """A block goes at once, and its memory with it."""
        self.used -= segment.size
        self.reserved -= segment.size
        self._set_free(segment)

    def trim(self, keep: int, may: Callable[[Segment], bool]) -> list[tuple[int, int]]:
        """Give back cached memory, smallest segments first, until *keep* bytes are reserved: the parts [lo, hi).

        Only segments of which *may* says so; of the last one no more than is needed.
        """
        gone: list[tuple[int, int]] = []
        for segment in list(self.cached()):
            if self.reserved <= keep:
                break
            if not may(segment):
                continue
            self._cached.remove((segment.size, segment.base))
            part = segment
            if segment.size > self.reserved - keep:
                part = self._split(segment, self.reserved - keep)
                insort(self._cached, (segment.size, segment.base))
            self.reserved -= part.size
            gone.append((part.base, part.end))
            self._set_free(part)
        return gone

    # -- inside ------------------------------------------------------------------------------------------------------

    def _busy(self, segment: Segment) -> None:
        segment.state, segment.owner, segment.frees = BUSY, None, ()
        self.used += segment.size
        self.used_high = max(self.used_high, self.used)

    def _split(self, segment: Segment, size: int) -> Segment:
        """The first *size* bytes of *segment* as one of their own; *segment* keeps the rest."""
        if size == segment.size:
            return segment
        left = Segment(segment.base, size)
        left.state, left.owner, left.mark, left.frees = segment.state, segment.owner, segment.mark, segment.frees
        left.prev, left.next = segment.prev, segment
        if left.prev is not None:
            left.prev.next = left
        segment.prev = left
        segment.base += size
        segment.size -= size
        self._at[left.base] = left
        self._at[segment.base] = segment
        return left

    def _join_left(self, segment: Segment) -> None:
        """*segment* takes over the one before it."""
        left = segment.prev
        assert left is not None
        del self._at[segment.base]
        segment.base = left.base
        segment.size += left.size
        segment.prev = left.prev
        if segment.prev is not None:
            segment.prev.next = segment
        self._at[segment.base] = segment

    def _alike(self, left: Segment, right: Segment) -> bool:
        """Whether two neighbours are cached and came in the same way. The last segment of a pool joins no other."""
        return (
            left.state == right.state == CACHED
            and left.owner is right.owner
            and left.mark == right.mark
            and self._tail not in (left, right)
        )

    def _set_free(self, segment: Segment) -> None:
        segment.state, segment.owner, segment.frees = FREE, None, ()
        while segment.prev is not None and segment.prev.state == FREE:
            self._free.remove((segment.prev.size, segment.prev.base))
            self._join_left(segment)
        while segment.next is not None and segment.next.state == FREE:
            segment = segment.next
            self._free.remove((segment.size, segment.base))
            self._join_left(segment)
        insort(self._free, (segment.size, segment.base))
