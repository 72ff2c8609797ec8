"""An allocation with its history, and the index that finds the allocation behind an address."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from types import CodeType
from typing import Any

from ascend_sim.machine.computer import GROWTH, STEP
from ascend_sim.machine.host_memory import PAGE, Bytes, fill
from ascend_sim.source.callsite import CallSite, shown_path
from ascend_sim.source.fence import fenced
from ascend_sim.source.frames import frames_of

__all__ = ["FRESH", "FREED", "AddressIndex", "Allocation", "place"]

"""Where an API call stood in the user's program: one point, or several from the innermost outwards."""

FRESH = 0xFF
"""What memory holds that was allocated and never written: NaN in every float type, -1 as an integer."""
FREED = 0xFD
"""What a freed block reads as while it is remembered."""

_WHOLE = 64 << 10  # smaller blocks are poisoned as a whole, which keeps their later accesses short


class Allocation:
    """Device memory, page-locked or registered host memory: one range of bytes, from its call to its free and after.

    Reports call it a block (of memory), as variables do where no blocks of a launch are about.

    *address* is what the program sees, *host* the true process address of its first byte (0 until it is touched),
    *offset* the place in the physical memory of *device*, which stays the same however it is mapped.
    """

    __slots__ = (
        "address", "alias", "bytes", "capacity", "device", "free_ns", "free_site", "freed", "host", "kind", "number",
        "offset", "page", "poison", "site", "size", "taken", "thread", "touched",
    )  # fmt: skip

    # What differs for blocks of stream-ordered pools (pool_region.py).
    pool: Any = None
    born = True
    releasing = False
    kept = False
    freed_by = "by the host"
    alloc_task: Any = None
    free_task: Any = None
    former: tuple[Allocation, ...] = ()
    graph: Any = None
    """The graph whose executions allocate it."""

    imported = False
    """It is memory of another process (shared_blocks.py)."""

    # What differs for mapped memory (virtual_memory.py).
    pieces: Any = None
    allowed: Any = ()
    """Other devices that may use it."""
    map_site: CallSite = None
    ways = ("allocated", "freed")
    """What was done to it first and last, in words."""

    def __init__(
        self, address: int, size: int, capacity: int, device: int, kind: str, site: CallSite, thread: int, number: int
    ) -> None:
        self.address = address
        self.size = size
        """Bytes that the program asked for."""
        self.capacity = capacity
        """Bytes that may be touched: the size as the runtime rounds it."""
        self.device = device
        self.kind = kind
        """``"device"``, ``"host"`` (page-locked), ``"registered"``, ``"managed"``, ``"physical"`` or ``"reserved"``."""
        self.site = site
        self.thread = thread
        self.number = number
        self.freed = False
        self.free_site: CallSite = None
        self.free_ns: int | None = None
        """When the host freed it."""
        self.offset = 0
        self.taken = capacity
        """What it takes from the device's free memory."""
        self.page = PAGE
        self.alias = 0
        """The device's address of registered host memory; of page-locked memory the one that it gets when registered, 0 for
        any."""
        self.host = 0
        self.bytes: Bytes | None = None
        self.poison = FRESH
        # Which parts hold defined bytes or poison: None when all, else [start, end, start, end, ...] in whole pages.
        self.touched: list[int] | None = None

    def __repr__(self) -> str:
        state = " freed" if self.freed else ""
        return f"<{self.kind} block {self.number}: {self.size} bytes at {self.address:#x}{state}>"

    def contains(self, address: int) -> bool:
        """Whether *address* lies in the block."""
        return 0 <= address - self.address < self.capacity

    def begun(self) -> str:
        """``allocated``, ``registered``, ``mapped``, ``reserved``."""
        return "registered" if self.kind == "registered" else self.ways[0]

    def ended(self) -> str:
        """``freed``, ``unregistered``, ``unmapped``, ``released``."""
        return "unregistered" if self.kind == "registered" else self.ways[1]

    def origin(self) -> CallSite:
        """Where it was begun: what names it may be another line."""
        return self.map_site or self.site

    def describe(self) -> str:
        """What it is and where it came from: ``the 4096-byte device block allocated at train.py:12``."""
        verb = "registered" if self.kind == "registered" else "allocated"
        kind = {"host": "page-locked host ", "registered": "host ", "managed": "managed "}.get(self.kind, "")
        where = f" at {place(self.site)}" if self.site else ""
        text = f"the {self.size}-byte {kind}{'range' if self.kind == 'registered' else 'block'} {verb}{where}"
        if self.freed:
            text += f" and freed at {place(self.free_site)}" if self.free_site else " and freed"
        return text

    def settled(self) -> bool:
        """Whether every byte that the program asked for holds defined bytes or poison: touching it does nothing."""
        spans = self.touched
        return spans is None or (len(spans) == 2 and spans[0] == 0 and spans[1] >= self.size)

    def holds(self, lo: int, hi: int) -> bool:
        """Whether the bytes [lo, hi) hold defined bytes or poison: touching them does nothing."""
        spans = self.touched
        if spans is None:
            return True
        place = bisect_right(spans, lo)
        return place % 2 == 1 and spans[place] >= hi

    def touch(self, lo: int, hi: int, write: bool) -> None:
        """Before the bytes [lo, hi) are read or written for the first time: put poison where nothing was yet.

        Costs memory only for the pages of the range, and for a write only where it covers a page in part.
        """
        spans = self.touched
        if spans is None:
            return
        if self.capacity <= _WHOLE:
            if not spans:
                self._touch_whole(lo, hi, write)
                return
            first, last = 0, self.capacity
        else:
            first, last = lo // PAGE * PAGE, min(-(-hi // PAGE) * PAGE, self.capacity)
        i, j = bisect_left(spans, first), bisect_right(spans, last)
        gaps = spans[i:j]
        edges = ([] if i % 2 else [first]) + ([] if j % 2 else [last])
        if not i % 2:
            gaps.insert(0, first)
        if not j % 2:
            gaps.append(last)
        for start, end in zip(gaps[::2], gaps[1::2], strict=True):
            if not write:
                fill(self.host + start, self.poison, end - start)
                continue
            if start < lo:
                fill(self.host + start, self.poison, min(end, lo) - start)
            if hi < end:
                after = max(start, hi)
                fill(self.host + after, self.poison, end - after)
        spans[i:j] = edges
        if gaps:
            GROWTH.fresh += sum(gaps[1::2]) - sum(gaps[::2])
            if GROWTH.fresh > STEP:
                GROWTH.look()
        if len(spans) == 2 and spans[0] == 0 and spans[1] >= self.capacity:
            self.touched = None

    def _touch_whole(self, lo: int, hi: int, write: bool) -> None:
        """`touch` for a small block of which nothing was touched: most are used so once, and then are done with this."""
        if not write:
            fill(self.host, self.poison, self.capacity)
        else:
            if lo:
                fill(self.host, self.poison, lo)
            if hi < self.capacity:
                fill(self.host + hi, self.poison, self.capacity - hi)
        self.touched = None
        GROWTH.fresh += self.capacity
        if GROWTH.fresh > STEP:
            GROWTH.look()


@fenced(lambda site: "an unknown place")
def place(site: CallSite) -> str:
    """``train.py:12``, or ``an unknown place``."""
    if not site:
        return "an unknown place"
    points = (site,) if isinstance(site[0], CodeType) else site
    frames = frames_of(points[:1]) or frames_of(points)
    if not frames:
        return "an unknown place"
    return f"{shown_path(frames[0].file)}:{frames[0].line}"


class AddressIndex:
    """Blocks by address. Finding the block at or before an address is two bisections, adding one is O(sqrt n).

    A plain sorted list would move all later entries at each insertion; a tree in Python is slower up to millions.
    """

    __slots__ = ("_blocks", "_chunks", "_firsts")

    _LOAD = 512

    def __init__(self) -> None:
        self._blocks: dict[int, Allocation] = {}
        self._chunks: list[list[int]] = []
        self._firsts: list[int] = []

    def __len__(self) -> int:
        return len(self._blocks)

    def __iter__(self) -> Iterator[Allocation]:
        """All blocks in order of address."""
        for chunk in self._chunks:
            for address in chunk:
                yield self._blocks[address]

    def get(self, address: int) -> Allocation | None:
        """The block that starts at *address*."""
        return self._blocks.get(address)

    def add(self, block: Allocation) -> None:
        """Put *block* in; a block that starts at the same address makes room for it."""
        address = block.address
        if address in self._blocks:
            self._blocks[address] = block
            return
        self._blocks[address] = block
        if not self._chunks:
            self._chunks.append([address])
            self._firsts.append(address)
            return
        at = max(bisect_right(self._firsts, address) - 1, 0)
        chunk = self._chunks[at]
        insort(chunk, address)
        self._firsts[at] = chunk[0]
        if len(chunk) > 2 * self._LOAD:
            half = chunk[self._LOAD :]
            del chunk[self._LOAD :]
            self._chunks.insert(at + 1, half)
            self._firsts.insert(at + 1, half[0])

    def discard(self, block: Allocation) -> None:
        """Take *block* out, unless another one starts at its address by now."""
        address = block.address
        if self._blocks.get(address) is not block:
            return
        del self._blocks[address]
        at = bisect_right(self._firsts, address) - 1
        chunk = self._chunks[at]
        del chunk[bisect_left(chunk, address)]
        if chunk:
            self._firsts[at] = chunk[0]
        else:
            del self._chunks[at], self._firsts[at]

    def before(self, address: int) -> Allocation | None:
        """The last block that starts at or before *address*."""
        at = bisect_right(self._firsts, address) - 1
        if at < 0:
            return None
        chunk = self._chunks[at]
        return self._blocks[chunk[bisect_right(chunk, address) - 1]]

    def find(self, address: int) -> Allocation | None:
        """The block that holds *address*."""
        block = self._blocks.get(address) or self.before(address)
        return block if block is not None and address - block.address < block.capacity else None

    def overlapping(self, address: int, nbytes: int) -> Allocation | None:
        """A block that shares a byte with [address, address + nbytes)."""
        block = self.before(address + nbytes - 1)
        return block if block is not None and block.address + block.capacity > address else None
