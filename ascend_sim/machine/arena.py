"""The memory of one device: which addresses are whose, what is free, and what lies behind them.

Three things are kept apart. *Capacity* is a number: an allocation takes its rounded size and a free gives it back at
once (docs/semantics/memory.md#addresses). *Addresses* come from a window much larger than the capacity; a freed range
is remembered for a while, so that a use after free finds a block with a history instead of somebody else's data.
*Backing* is one lazy reservation of the whole window, so memory is used for touched pages only.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable

from ascend_sim.machine.allocations import FREED, AddressIndex, Allocation
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.machine.host_memory import PAGE, Reservation, allocate, fill, reserve
from ascend_sim.source.callsite import CallSite

__all__ = ["ALIGN", "Arena", "Backing", "Ranges"]

ALIGN = 512
"""Alignment of device addresses: what the runtime asks of the driver (docs/semantics/memory.md#addresses)."""
_GAP = 512  # between blocks, so that leaving one never lands in the next

_REMEMBERED_BLOCKS = 16384
_REMEMBERED_BYTES = 64 << 20
_DISCARD_BATCH = 256
_POISONED_AT_ONCE = 1 << 20
KEPT_BACKING = 1 << 20
"""A reservation of which at most so many bytes were used at a time is worth keeping."""


class Backing:
    """Reservations that simulators, one after the other, use again, which saves the system most of its work.

    What lies in them is not defined, nor need it be: blocks put poison, or zeros, where nothing was yet.
    """

    def __init__(self) -> None:
        self.spare: list[Reservation] = []

    def take(self, nbytes: int) -> Reservation | None:
        """A reservation of *nbytes* to which nobody has an array any more."""
        for place, reservation in enumerate(self.spare):
            if reservation.nbytes == nbytes and not reservation.seen():
                return self.spare.pop(place)
        self.spare.clear()
        return None


class Ranges:
    """Hands out ranges of addresses: always new ones until the window is used up, then the best fit among old ones.

    With *lifo*, a range that was given back last is handed out first when the same size is asked for.
    """

    __slots__ = ("_frontier", "_high", "_holes", "_lifo", "_merged", "_spare")

    def __init__(self, low: int, high: int, lifo: bool, merged: Callable[[], None]) -> None:
        self._frontier = low
        self._high = high
        self._lifo = lifo
        self._spare: dict[int, list[int]] = {}  # size -> addresses, as they were given back
        self._holes: list[tuple[int, int]] = []  # (size, address), sorted; neighbours merged
        self._merged = merged
        """Called before old addresses get new borders."""

    def take(self, size: int) -> int | None:
        """The start of a free range of *size*, or None when there is no such range."""
        if self._lifo:
            stack = self._spare.get(size)
            if stack:
                return stack.pop()
        address = self._frontier
        if address + size <= self._high:
            self._frontier = address + size
            return address
        found = self._best_fit(size)
        if found is None and self._spare:
            self._merge()
            address = self._frontier
            if address + size <= self._high:
                self._frontier = address + size
                return address
            found = self._best_fit(size)
        return found

    def give(self, address: int, size: int) -> None:
        """The range is free again."""
        self._spare.setdefault(size, []).append(address)

    def _best_fit(self, size: int) -> int | None:
        at = bisect_left(self._holes, (size, 0))
        if at == len(self._holes):
            return None
        found, address = self._holes.pop(at)
        if found > size:
            insort(self._holes, (found - size, address + size))
        return address

    def _merge(self) -> None:
        self._merged()
        parts = sorted(
            [(address, size) for size, address in self._holes]
            + [(address, size) for size, addresses in self._spare.items() for address in addresses]
        )
        self._spare.clear()
        joined: list[tuple[int, int]] = []
        for address, size in parts:
            if joined and joined[-1][0] + joined[-1][1] == address:
                joined[-1] = (joined[-1][0], joined[-1][1] + size)
            else:
                joined.append((address, size))
        if joined and joined[-1][0] + joined[-1][1] == self._frontier:
            self._frontier = joined.pop()[0]
        self._holes = sorted((size, address) for address, size in joined)


class Arena:
    """Device memory with addresses [base, base + window) and room for *capacity* bytes.

    *exact* maps the start of each block, live or remembered, to it; all arenas of an address space share one. *shown*: the
    window is this reservation, at whose true addresses the program itself reads and writes (`base` is its start).
    """

    __slots__ = (
        "_backing", "_exact", "_pages", "_quarantine", "_quarantined", "_ranges", "_reservation", "_resting", "_stale",
        "_stale_high",
        "_stale_low", "base", "capacity", "device", "index", "lifo", "peak", "shown", "used",
    )  # fmt: skip

    def __init__(
        self,
        device: int,
        base: int,
        window: int,
        capacity: int,
        exact: dict[int, Allocation],
        lifo: bool = False,
        backing: Backing | None = None,
        shown: Reservation | None = None,
    ) -> None:
        self._backing = backing
        self.shown = shown is not None
        self._exact = exact
        self.device = device
        self.base = base
        self.capacity = capacity
        self.used = 0
        self.peak = 0
        self.lifo = lifo
        self.index = AddressIndex()
        self._ranges = Ranges(base, base + window, lifo, self._before_merge)
        self._quarantine: deque[Allocation] = deque()  # freed blocks that are still remembered, oldest first
        self._quarantined = 0  # bytes of them that have backing
        self._pages: dict[int, int] = {}  # pages that blocks with backing cover in part -> how many blocks
        self._resting: list[tuple[int, int]] = []  # (address, size) of pools that are gone
        self._stale: list[tuple[int, int]] = []  # offsets whose backing can go back, all within [low, high)
        self._stale_low, self._stale_high = window, 0
        # False: not tried yet; None: this system does not allow it, every block gets memory of its own.
        self._reservation: Reservation | bool | None = False if shown is None else shown

    def allocate(
        self, size: int, capacity: int, taken: int, site: CallSite, thread: int, number: int, kind: str = "device"
    ) -> Allocation:
        """A block of *capacity* bytes for a request of *size*, which takes *taken* of the free memory.

        Raises OutOfMemory when that is not free.
        """
        if taken > self.capacity - self.used:
            raise self._full(taken)
        room = -(-(capacity + _GAP) // ALIGN) * ALIGN
        address = self._ranges.take(room)
        if address is None:
            address = self._take_again(room)
        if self.lifo:
            old = self.index.get(address)
            if old is not None:
                self._leave(old)
        block = Allocation(address, size, capacity, self.device, kind, site, thread, number)
        block.offset = address - self.base
        block.taken = taken
        block.touched = []
        self.index.add(block)
        self._exact[address] = block
        self.used += taken
        if self.used > self.peak:
            self.peak = self.used
        if self.shown:
            self._show(block)
        return block

    def covers(self, address: int) -> bool:
        """Whether *address* lies in the window."""
        return self.base <= address < self._ranges._high

    def free(self, block: Allocation, site: CallSite) -> None:
        """The block's capacity is free at once; its addresses and its backing rest for a while."""
        block.freed = True
        block.free_site = site
        block.poison = FREED
        block.touched = []
        self.used -= block.taken
        self._quarantine.append(block)
        if block.bytes is not None:
            self._quarantined += block.capacity
        if self.lifo:
            self._ranges.give(block.address, -(-(block.capacity + _GAP) // ALIGN) * ALIGN)
        while len(self._quarantine) > _REMEMBERED_BLOCKS or self._quarantined > _REMEMBERED_BYTES:
            self._forget(self._quarantine.popleft())

    def adopt(self, block: Allocation) -> None:
        """Give *block*, memory that another process has exported, addresses here. It takes none of the capacity.

        Raises OutOfMemory.
        """
        room = -(-(block.capacity + _GAP) // ALIGN) * ALIGN
        address = self._ranges.take(room)
        block.address = self._take_again(room) if address is None else address
        block.offset = block.address - self.base
        block.taken = 0
        old = self.index.get(block.address)
        if old is not None:  # lifo: it is remembered there
            self._leave(old)
        self.index.add(block)
        self._exact[block.address] = block

    def remembered(self, block: Allocation) -> bool:
        """Whether the freed *block* still owns its addresses."""
        return self.index.get(block.address) is block

    def forget_freed(self) -> None:
        """Give all freed ranges up for reuse."""
        while self._quarantine:
            self._forget(self._quarantine.popleft())
        self.flush()
        for address, size in self._resting:
            self._clear(address, address + size)
            self._ranges.give(address, size)
        self._resting.clear()

    # -- ranges of pools (pool_region.py): their borders are whole pages that nobody else has ---------------------------

    def take_addresses(self, size: int) -> int:
        """Addresses for a pool, without memory. Raises OutOfMemory."""
        address = self._ranges.take(size)
        return self._take_again(size) if address is None else address

    def rest_addresses(self, address: int, size: int) -> None:
        """A pool is gone: what was where in it is remembered until addresses are scarce."""
        self._resting.append((address, size))

    def take_memory(self, taken: int) -> None:
        """A pool needs *taken* bytes more. Raises OutOfMemory."""
        if taken > self.capacity - self.used:
            raise self._full(taken)
        self.used += taken
        if self.used > self.peak:
            self.peak = self.used

    def give_memory(self, low: int, high: int) -> None:
        """The memory behind addresses [low, high) of a pool is free again."""
        self.used -= high - low
        if isinstance(self._reservation, Reservation):
            self._reservation.discard(low - self.base, high - self.base)

    def make_room(self, block: Allocation) -> list[Allocation]:
        """Enter *block*, of a pool; those that had its addresses before are found there no more, and are returned."""
        former = self._clear(block.address, block.address + block.capacity)
        self.index.add(block)
        self._exact[block.address] = block
        return former

    def put_back(self, block: Allocation, former: tuple[Allocation, ...]) -> None:
        """Undo `make_room`."""
        self._clear(block.address, block.address + block.capacity)
        for old in former:
            self.index.add(old)
            self._exact[old.address] = old

    def _clear(self, low: int, high: int) -> list[Allocation]:
        """Nobody finds the blocks at [low, high) any more: these."""
        found = self.between(low, high)
        for block in found:
            self.index.discard(block)
            if self._exact.get(block.address) is block:
                del self._exact[block.address]
        return found

    def between(self, low: int, high: int) -> list[Allocation]:
        """The blocks, live or remembered, with a byte in [low, high), highest first."""
        found: list[Allocation] = []
        block = self.index.before(high - 1)
        while block is not None and block.address + block.capacity > low:
            found.append(block)
            block = self.index.before(block.address - 1)
        return found

    def _full(self, taken: int) -> OutOfMemory:
        free = self.capacity - self.used
        return OutOfMemory(f"{taken} bytes were asked of device {self.device} but {free} of {self.capacity} are free")

    def _take_again(self, room: int) -> int:
        """No addresses are left: give up those that are only remembered. Raises OutOfMemory."""
        self.forget_freed()
        address = self._ranges.take(room)
        if address is None:
            free = self.capacity - self.used
            text = f"{free} bytes are free on device {self.device}, but no contiguous range of addresses of that length"
            raise OutOfMemory(text)
        return address

    # -- backing -----------------------------------------------------------------------------------------------------

    def back(self, block: Allocation) -> None:
        """Put memory behind *block* (at its first access). Raises OutOfMemory when this process gets none."""
        if block.bytes is not None:
            return
        if self._reservation is False:
            spare = self._backing.take(self._window()) if self._backing is not None else None
            self._reservation = spare if spare is not None else reserve(self._window())
        reservation = self._reservation
        if isinstance(reservation, Reservation):
            first = block.offset
            last = first + block.capacity
            if first < self._stale_high and last > self._stale_low:
                self.flush()  # or it would take pages away that are in use again
            block.bytes = reservation.bytes[first:last]
            block.host = reservation.address + first
            if block.pool is None:
                for page in {first // PAGE, (last - 1) // PAGE}:
                    self._pages[page] = self._pages.get(page, 0) + 1
        else:
            memory = allocate(block.capacity)
            if memory is None:
                raise OutOfMemory(f"this computer has no {block.capacity} bytes to stand behind {block.describe()}")
            block.bytes = memory
            block.host = memory.__array_interface__["data"][0]
        if block.freed and block.pool is None:
            self._quarantined += block.capacity

    def _show(self, block: Allocation) -> None:
        """The program writes *block* without a call: poison goes there now or never. Large ones begin as zeros."""
        self.back(block)
        block.touched = None
        if block.capacity <= _POISONED_AT_ONCE:
            fill(block.host, block.poison, block.capacity)

    def leave(self, backing: Backing) -> None:
        """The arena is no longer used: *backing* gets what stood behind it, if that is not much."""
        reservation = self._reservation
        if isinstance(reservation, Reservation) and self.peak <= KEPT_BACKING and reservation.overlay is None:
            backing.spare.append(reservation)

    @property
    def reservation(self) -> Reservation | None:
        """What stands behind all blocks, once something stands behind one; None where each has memory of its own."""
        return self._reservation if isinstance(self._reservation, Reservation) else None

    def prefer_large_pages(self, block: Allocation, start: int, nbytes: int) -> None:
        """Bytes of a block that is backed are about to be written, *nbytes* from *start* on, most of them fresh."""
        if isinstance(self._reservation, Reservation):
            self._reservation.prefer_large_pages(block.offset + start, block.offset + start + nbytes)

    def layout(self) -> list[tuple[int, int, Allocation | None]]:
        """The addresses that were ever handed out, as neighbours: (offset, length, block); None between blocks.

        Blocks are live, or freed and still remembered.
        """
        found: list[tuple[int, int, Allocation | None]] = []
        at = self.base
        for block in self.index:
            room = block.capacity if block.pool is not None else -(-(block.capacity + _GAP) // ALIGN) * ALIGN
            if block.address > at:
                found.append((at - self.base, block.address - at, None))
            found.append((block.address - self.base, room, block))
            at = block.address + room
        if self._ranges._frontier > at:
            found.append((at - self.base, self._ranges._frontier - at, None))
        return found

    def flush(self) -> None:
        """Give the backing of forgotten blocks back to the system."""
        reservation = self._reservation
        if not self._stale or not isinstance(reservation, Reservation):
            return
        self._stale.sort()
        low, high = self._stale[0]
        for start, end in self._stale[1:]:
            if start > high:
                reservation.discard(low, high)
                low = start
            high = max(high, end)
        reservation.discard(low, high)
        self._stale.clear()
        self._stale_low, self._stale_high = self._window(), 0

    def _window(self) -> int:
        return self._ranges._high - self.base

    def _forget(self, block: Allocation) -> None:
        """A freed block leaves the quarantine: its addresses and its backing go back."""
        if self.index.get(block.address) is block:
            self._leave(block)
        if not self.lifo:
            self._ranges.give(block.address, -(-(block.capacity + _GAP) // ALIGN) * ALIGN)

    def _leave(self, block: Allocation) -> None:
        """Nobody finds the freed *block* by its address from now on."""
        self.index.discard(block)
        if self._exact.get(block.address) is block:
            del self._exact[block.address]
        if block.bytes is None:
            return
        self._quarantined -= block.capacity
        block.bytes = None
        block.host = 0
        if not isinstance(self._reservation, Reservation) or block.imported:
            return
        first, last = block.offset // PAGE, (block.offset + block.capacity - 1) // PAGE
        low, high = first + 1, last
        for page in {first, last}:
            # A page at the border goes back with the last block that has bytes in it.
            count = self._pages[page] - 1
            if count:
                self._pages[page] = count
                continue
            del self._pages[page]
            low, high = min(low, page), max(high, page + 1)
        if high > low:
            self._stale.append((low * PAGE, high * PAGE))
            self._stale_low = min(self._stale_low, low * PAGE)
            self._stale_high = max(self._stale_high, high * PAGE)
            if len(self._stale) >= _DISCARD_BATCH or (high - low) * PAGE > 1 << 20:
                self.flush()

    def _before_merge(self) -> None:
        self.flush()
        if self.lifo:  # blocks in their new borders may lie across old ones
            while self._quarantine:
                block = self._quarantine.popleft()
                if self.index.get(block.address) is block:
                    self._leave(block)
            self.flush()
