"""Telling observers what was accessed. Mapped memory is told as the physical memory behind the addresses, part by part.

So what observers know of bytes does not depend on the address that they were used by: aliased mappings are one memory.
The shortest paths of copies and sets, which mapped memory never takes, tell by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.machine.virtual_memory import MappedRange
    from ascend_sim.runtime.hooks import Hooks

__all__ = [
    "Extent", "Moved", "Part", "Shape", "behind", "ended", "memories", "tell_access", "tell_copied", "tell_parts",
    "tell_rows",
]  # fmt: skip


class Shape:
    """What is copied: *height* rows of *width* bytes, and from one to the next; one row is a plain copy."""

    __slots__ = ("dpitch", "dst_extent", "height", "spitch", "src_extent", "width")

    def __init__(self, width: int, height: int = 1, dpitch: int = 0, spitch: int = 0) -> None:
        self.width = width
        self.height = height
        self.dpitch = dpitch
        self.spitch = spitch
        self.dst_extent = (height - 1) * dpitch + width
        self.src_extent = (height - 1) * spitch + width

    @property
    def nbytes(self) -> int:
        """The bytes that are copied."""
        return self.width * self.height


class Part(NamedTuple):
    """Which bytes a copy moves: the offsets in both blocks (0 in host memory of others), and the rows."""

    to: int
    source: int
    rows: Shape


class Extent(Protocol):
    """Bytes of *block*, between the offsets *lo* and *hi*."""

    block: Allocation
    lo: int
    hi: int

    def ranges(self) -> list[tuple[int, int]]:
        """Each of them, as ranges [lo, hi) of the block."""


class Moved(Protocol):
    """What an operator is about to do that only moves elements."""

    sources: Sequence[Extent]
    """What it reads."""
    targets: Sequence[Extent]
    """What it writes."""

    def behind(self, holes: Sequence[Sequence[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
        """For each of `targets` the ranges that get bytes from *holes*, of which there is one list for each of `sources`."""


def behind(block: Allocation, start: int) -> tuple[Allocation, int]:
    """The memory at byte *start* of *block* and the offset in it: the key of what is known of those bytes."""
    if block.pieces is None:
        return block, start
    run: MappedRange = block  # type: ignore[assignment]
    mapping, at, _ = next(run.parts(start, start + 1))
    return mapping.memory, at


def memories(block: Allocation) -> list[Allocation]:
    """What observers know *block* as: itself, or the physical memory of a run."""
    return [block] if block.pieces is None else [mapping.memory for mapping in block.pieces]


def ended(block: Allocation, start: int, nbytes: int) -> Allocation | None:
    """*block* if it was freed; of a run the mapping with one of these bytes that was unmapped. None: all is there."""
    if not block.freed:
        return None
    if block.pieces is None:
        return block
    run: MappedRange = block  # type: ignore[assignment]
    return run.unmapped(start, start + nbytes)


def tell_access(hooks: Hooks, who: Any, block: Allocation, lo: int, hi: int, write: Any) -> None:
    """Bytes [lo, hi) of *block* were accessed."""
    if block.pieces is None:
        for observe in hooks.accessed or ():
            observe(who, block, lo, hi, write)
        return
    run: MappedRange = block  # type: ignore[assignment]
    for mapping, a, b in run.parts(lo, hi):
        memory = mapping.memory
        if mapping.freed:
            continue  # what was unmapped meanwhile is not touched
        for observe in hooks.accessed or ():
            observe(who, memory, a, b, write)
        if hooks.accessed_through is not None and len(memory.mappings) > 1:
            for observe in hooks.accessed_through:
                observe(who, mapping, a, b, write)


def tell_parts(hooks: Hooks, who: Any, block: Allocation, parts: list[tuple[int, int]], write: Any) -> None:
    """Many *parts* of *block* were accessed: of memory that is mapped one by one."""
    if block.pieces is None:
        for observe in hooks.accessed_parts or ():
            observe(who, block, parts, write)
        return
    for lo, hi in parts:
        tell_access(hooks, who, block, lo, hi, write)


def tell_rows(
    hooks: Hooks, who: Any, block: Allocation, lo: int, width: int, pitch: int, rows: int, write: Any
) -> None:  # fmt: skip
    """Rows of *block* were accessed."""
    if block.pieces is None:
        for observe in hooks.accessed_rows or ():
            observe(who, block, lo, width, pitch, rows, write)
        return
    run: MappedRange = block  # type: ignore[assignment]
    found = list(run.parts(lo, lo + (rows - 1) * pitch + width))
    if len(found) == 1 and len(found[0][0].memory.mappings) == 1:
        mapping, start, _ = found[0]
        for observe in hooks.accessed_rows or ():
            observe(who, mapping.memory, start, width, pitch, rows, write)
        return
    for row in range(rows):
        tell_access(hooks, who, block, lo + row * pitch, lo + row * pitch + width, write)


def tell_copied(hooks: Hooks, who: Any, to: Allocation | None, source: Allocation | None, part: Part) -> None:
    """A copy is about to happen: where an end is mapped memory, in as many pieces as it has there."""
    if (to is None or to.pieces is None) and (source is None or source.pieces is None):
        for observe in hooks.copied or ():
            observe(who, to, source, part)
        return
    rows = part.rows
    for row in range(rows.height if rows.width else 0):
        done = 0
        while done < rows.width:
            left = rows.width - done
            at_to, at_source = part.to + row * rows.dpitch + done, part.source + row * rows.spitch + done
            target, at_to, left = _piece(to, at_to, left)
            origin, at_source, left = _piece(source, at_source, left)
            piece = Part(at_to, at_source, Shape(left))
            for observe in hooks.copied or ():
                observe(who, target, origin, piece)
            done += left


def _piece(block: Allocation | None, start: int, nbytes: int) -> tuple[Allocation | None, int, int]:
    """The memory at byte *start* of *block*, the offset in it, and how many of *nbytes* are there."""
    if block is None or block.pieces is None:
        return block, start, nbytes
    run: MappedRange = block  # type: ignore[assignment]
    mapping, a, b = next(run.parts(start, start + nbytes))
    return mapping.memory, a, min(nbytes, b - a)
