"""The memory of a stream-ordered pool: a range of one device's addresses, and the blocks that use them one after the other.

A block gets its address when the host asks for it; whether it may be used already is decided on the stream. So one
address can belong to two blocks at once: to one that tasks in queues still use, and to the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.machine.allocations import FREED, FRESH, Allocation
from ascend_sim.machine.pool_segments import UNIT, Segment, Segments
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_sim.machine.address_space import AddressSpace

__all__ = ["PoolAllocation", "PoolRegion"]


class PoolAllocation(Allocation):
    """A block of a pool. *born*: the stream has reached its allocation. *releasing*: the host has given it back.

    *former*: blocks that had its addresses before, and *earlier*, by the number of the thread, how much each had
    queued when the addresses were handed out again: those tasks mean the former blocks.
    """

    __slots__ = (
        "after", "alloc_task", "born", "earlier", "former", "free_task", "freed_by", "graph", "kept", "pool", "reason",
        "releasing", "reserved", "segment",
    )  # fmt: skip

    def __init__(
        self, region: PoolRegion, segment: Segment, size: int, site: CallSite, thread: int, number: int
    ) -> None:
        super().__init__(segment.base, size, segment.size, region.device, "device", site, thread, number)
        self.pool = region
        self.segment = segment
        self.born = False
        self.releasing = False
        self.kept = False
        """It was given back, and its memory is still the pool's: who touches it hits no fault."""
        self.freed_by = "by the host"
        self.alloc_task: Any = None
        self.free_task: Any = None
        """The tasks of the stream that allocate it and give it back."""
        self.after: tuple[Any, ...] = ()
        """The tasks that give its memory back for the time before."""
        self.reason = ""
        """Why the pool could take that memory (runtime/memory/pools/reuse.py)."""
        self.former: tuple[Allocation, ...] = ()
        self.earlier: dict[int, int] = {}
        self.graph = None
        self.reserved: Any = None
        """The line of a graph that gives it back: as long as there is that graph, its memory is nobody else's."""


class PoolRegion:
    """*size* bytes of addresses of *device*, and as much of its memory as blocks need. Raises OutOfMemory."""

    __slots__ = ("_arena", "_first", "_memory", "base", "device", "live", "owner", "segments", "size")

    def __init__(self, memory: AddressSpace, device: int, size: int, owner: Any = None) -> None:
        self._memory = memory
        self._arena = memory.arena(device)
        self.device = device
        self.size = size
        self._first = self._arena.take_addresses(size + UNIT)
        self.base = -(-self._first // UNIT) * UNIT
        self.segments = Segments(self.base, size)
        self.live: dict[int, PoolAllocation] = {}
        """The blocks that the host has not given back, by address."""
        self.owner = owner
        memory.regions.append(self)

    def contains(self, address: int) -> bool:
        """Whether *address* is one of the pool's."""
        return 0 <= address - self.base < self.size

    def allocate(self, size: int, cached: Segment | None, site: CallSite, thread: int) -> PoolAllocation | None:
        """A block for *size* bytes: of the *cached* segment, or of free addresses; None when none are left.

        Raises OutOfMemory when the device has no memory for it.
        """
        needed = -(-size // UNIT) * UNIT
        arena = self._arena
        if cached is not None:
            segment = self.segments.reuse(cached, needed)
        else:
            if not self.segments.fits(needed):
                return None
            arena.take_memory(needed)
            found = self.segments.fresh(needed)
            assert found is not None
            segment = found
        memory = self._memory
        block = PoolAllocation(self, segment, size, site, thread, memory.made)
        memory.made += 1
        block.offset = block.address - arena.base
        block.taken = needed
        block.page = UNIT
        block.touched = None if self._arena.shown else []
        block.former = tuple(arena.make_room(block))
        for old in block.former:
            if isinstance(old, PoolAllocation):
                old.former = ()  # or all blocks there ever were would stay
                if old.freed:
                    old.touched = None  # who still uses it sees, and hits, what the next owner has there
        self.live[block.address] = block
        return block

    def undo(self, block: PoolAllocation, owner: Any, mark: int, frees: tuple[Any, ...]) -> None:
        """*block* could not be queued: all is as before. The rest says what its segment was, if that was cached."""
        del self.live[block.address]
        block.freed = block.releasing = True
        self._arena.put_back(block, block.former)
        if owner is not None:
            self.segments.release(block.segment, owner, mark, frees)
        else:
            segment = block.segment
            self._arena.give_memory(segment.base, segment.end)
            self.segments.drop(segment)

    def release(self, block: PoolAllocation, owner: Any, mark: int, frees: tuple[Any, ...]) -> None:
        """The host gives *block* back: its segment is cached; the tasks *frees* of stream *owner* make that real."""
        del self.live[block.address]
        block.releasing = True
        self.segments.release(block.segment, owner, mark, frees)

    def begin_again(self, block: PoolAllocation) -> None:
        """A graph allocates *block* once more: it is what its addresses mean now, and it holds nothing.

        Those that had them meanwhile are of graphs, too, and given back; else nothing is changed but that it is there.
        """
        arena = self._arena
        others = [old for old in arena.between(block.address, block.address + block.capacity) if old is not block]
        block.freed = block.kept = False
        if any(not old.freed and not old.releasing for old in others):
            block.touched = None
            return
        if others:
            for old in arena.make_room(block):
                if old is not block:
                    old.touched = None  # who still uses it sees what this one has there
        block.former = ()
        block.poison = FRESH
        block.touched = None if arena.shown else []

    def unreserve(self, line: Any, owner: Any, mark: int) -> None:
        """The graph with *line* is gone: what that gave back is cached as if *owner* had done it after *mark* records."""
        for segment in self.segments.cached():
            if segment.owner is line:
                segment.owner, segment.mark, segment.frees = owner, mark, ()

    def ended(self, block: PoolAllocation, site: CallSite, freed_by: str) -> None:
        """The stream has given *block* back: what is read from it now is nothing; its memory stays the pool's."""
        block.kept = True
        self._free(block, site, freed_by)

    def lose(self, block: PoolAllocation, site: CallSite) -> None:
        """*block* goes at once, by the host, with its memory."""
        if self.live.pop(block.address, None) is not None:
            segment = block.segment
            self._gone(segment.base, segment.end)
            self.segments.drop(segment)
        block.releasing = True
        self._free(block, site, "by the host")

    def trim(self, keep: int, may: Callable[[Segment], bool]) -> int:
        """Give cached memory back to the device until *keep* bytes are left; how many bytes that were."""
        parts = self.segments.trim(keep, may)
        for lo, hi in parts:
            self._gone(lo, hi)
        return sum(hi - lo for lo, hi in parts)

    def close(self, site: CallSite) -> list[PoolAllocation]:
        """The pool is gone: all its memory goes back, and later its addresses. The blocks whose free has not run."""
        for address in sorted(self.live):
            self.lose(self.live[address], site)
        for segment in list(self.segments.cached()):
            self._gone(segment.base, segment.end)
        inside = self._arena.between(self.base, self.base + self.size)
        left = [block for block in inside if isinstance(block, PoolAllocation) and not block.freed]
        for block in left:
            self._free(block, site, "by the host")
        self._memory.regions.remove(self)
        self._arena.rest_addresses(self._first, self.size + UNIT)
        return left

    def _free(self, block: PoolAllocation, site: CallSite, freed_by: str) -> None:
        block.freed = True
        block.free_site = site
        block.freed_by = freed_by
        block.poison = FREED
        block.touched = [] if self._arena.remembered(block) else None
        self._memory.frees += 1

    def _gone(self, lo: int, hi: int) -> None:
        """The memory behind [lo, hi) goes back to the device; who still uses a block there finds what freed memory is."""
        for block in self._arena.between(lo, hi):
            if isinstance(block, PoolAllocation):
                block.bytes, block.host, block.kept, block.touched = None, 0, False, []
        self._arena.give_memory(lo, hi)
