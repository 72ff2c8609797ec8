"""Every address of a simulated machine: device windows, page-locked and registered host memory, and the rest.

Device addresses are numbers in windows of their own that no process address can equal (from 2**47: beyond the user
addresses of x86-64, in a part that Linux on arm64 leaves free), unless the program runs on the chip itself: then they are
true addresses, which the program reads and writes as any other. Host addresses always are. Where an address belongs is
looked up, never read off the number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ascend_sim.machine import host_memory
from ascend_sim.machine.allocations import AddressIndex, Allocation
from ascend_sim.machine.arena import Arena, Backing
from ascend_sim.machine.computer import GROWTH, STEP
from ascend_sim.machine.faults import AddressFault, OutOfMemory
from ascend_sim.machine.host_memory import PAGE, Bytes
from ascend_sim.machine.page_guard import GUARDS
from ascend_sim.machine.profiles import Profile
from ascend_sim.machine.virtual_memory import HIGH, LOW, MappedRange, Mapping, Physical, VirtualMemory
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.machine.pool_region import PoolRegion

__all__ = ["DEVICE_BASE", "AddressSpace"]

DEVICE_BASE = 1 << 47
_DEVICE_END = 1 << 48
_TOP = 1 << 64
_ALIASES = 1 << 40  # the last window: where devices see registered host memory

_LARGE = 2 << 20  # so many bytes written at once may have huge pages: nothing is touched that would not be anyway
_KEPT_PLANS = 4096
_REMEMBERED_HOST_BLOCKS = 4096
_REMEMBERED_HOST_BYTES = 64 << 20


class AddressSpace:
    """The memory of all devices and what the program registered of the host's.

    *reuse* is ``"quarantine"`` (a freed range is not handed out again for long) or ``"lifo"`` (the next request of the
    same size gets it). Nothing costs memory before it is touched.

    >>> from ascend_sim.machine.profiles import load_profile
    >>> memory = AddressSpace(load_profile())
    >>> block = memory.allocate(0, 1000, 1056)
    >>> memory.find(block.address + 500) is block
    True
    """

    __slots__ = (
        "_arenas", "_exact", "_high", "_host", "_host_quarantine", "_host_quarantined",
        "_last_alias", "_lifo", "_low", "_registered", "_shift", "backing", "devices", "frees", "host_limit", "host_used",
        "made", "on_chip", "plans", "profile", "regions", "reuse", "virtual",
    )  # fmt: skip

    def __init__(self, profile: Profile, devices: int = 1, reuse: str = "quarantine") -> None:
        if reuse not in ("quarantine", "lifo"):
            raise ValueError(f'reuse must be "quarantine" or "lifo", not {reuse!r}')
        self.profile = profile
        self.reuse = reuse
        self._lifo = reuse == "lifo"
        self.on_chip = profile.switches.get("run_mode") == "device"
        """The program runs on the chip: it uses device memory by its address (docs/semantics/memory.md#on-the-chip)."""
        # Where the windows of all devices lie; on the chip where the system has put those made so far.
        self._low, self._high = (0, 0) if self.on_chip else (DEVICE_BASE, _DEVICE_END)
        self.set_devices(devices)
        self._exact: dict[int, Allocation] = {}
        self._host = AddressIndex()
        self._host_quarantine: deque[Allocation] = deque()
        self._host_quarantined = 0
        self._registered = AddressIndex()
        self._last_alias = _DEVICE_END - _ALIASES
        self.host_limit = profile.host_memory_bytes
        self.host_used = 0
        self.backing: Backing | None = None
        """Reservations of a simulator before this one, to be used again; those of this one go there when it is closed."""
        self.frees = 0
        """How often something was freed or unregistered: who keeps blocks looks again when it has changed."""
        self.made = 0
        """Blocks made so far; the next one gets the next number."""
        self.plans: dict[Hashable, Any] = {}
        """What others found out about ranges of live blocks, by what they asked for; each free ends it all (`plan`)."""
        self.regions: list[PoolRegion] = []
        """The memory of the stream-ordered pools, in the order in which they were made."""
        self.virtual: VirtualMemory | None = None
        """Reserved ranges and what is mapped there, once there was one (`virtual_memory`)."""

    def set_devices(self, devices: int) -> None:
        """There are so many *devices*; nothing was allocated yet."""
        self.devices = devices
        # Sixteen times the capacity: room for small blocks at 512 bytes each and for freed ranges to rest.
        wanted = max((16 * self.profile.memory_bytes - 1).bit_length(), 30)
        most = (_DEVICE_END - DEVICE_BASE - _ALIASES).bit_length() - 1 - devices.bit_length()
        self._shift = min(wanted, most)
        self._arenas: list[Arena | None] = [None] * devices

    # -- allocating and freeing ----------------------------------------------------------------------------------------

    def arena(self, device: int) -> Arena:
        """The arena of *device*, made at its first use."""
        arena = self._arenas[device]
        if arena is None and self.on_chip:
            arena = self._arenas[device] = self._true_arena(device)
        elif arena is None:
            base = DEVICE_BASE + (device << self._shift)
            arena = Arena(
                device, base, 1 << self._shift, self.profile.memory_bytes, self._exact, self._lifo, self.backing
            )
            self._arenas[device] = arena
        return arena

    def used_arena(self, device: int) -> Arena | None:
        """The arena of *device* if there is one already."""
        return self._arenas[device]

    def allocate(
        self, device: int, size: int, capacity: int = 0, taken: int = 0, *, site: CallSite = None, thread: int = 0,
        kind: str = "device",
    ) -> Allocation:  # fmt: skip
        """Device memory: *size* as asked, *capacity* as rounded (default: the size), *taken* of the free memory.

        Raises OutOfMemory.
        """
        capacity = capacity or size
        block = self.arena(device).allocate(size, capacity, taken or capacity, site, thread, self.made, kind)
        self.made += 1
        return block

    def allocate_host(
        self, size: int, capacity: int = 0, *, site: CallSite = None, thread: int = 0, kind: str = "host"
    ) -> Allocation:
        """Page-locked host memory at a true address, a multiple of 64; it reads as zeros. Raises OutOfMemory.

        *kind* ``"managed"``: the same for memory that host and devices share.
        """
        capacity = capacity or size
        if capacity > self.host_limit - self.host_used:
            raise OutOfMemory(
                f"{capacity} bytes of page-locked host memory were asked for but {self.host_limit - self.host_used} "
                f"of {self.host_limit} are free"
            )
        if GUARDS:  # its pages are for nothing else: they may be closed
            memory = host_memory.allocate(-(-capacity // PAGE) * PAGE, PAGE)
        else:
            memory = host_memory.allocate(capacity)
        if memory is None:
            raise OutOfMemory(f"this computer has no {capacity} bytes of host memory")
        address: int = memory.__array_interface__["data"][0]
        block = Allocation(address, size, capacity, -1, kind, site, thread, self.made)
        block.host = address
        block.bytes = memory
        self.made += 1
        self.host_used += capacity
        self._host.add(block)
        self._exact[address] = block
        GROWTH.fresh += capacity
        if GROWTH.fresh > STEP:
            GROWTH.look()
        return block

    def virtual_memory(self) -> VirtualMemory:
        """Reserved ranges, physical memory and mappings; made at its first use."""
        if self.virtual is None:
            self.virtual = VirtualMemory(self)
        return self.virtual

    def charge(self, device: int, nbytes: int) -> None:
        """Physical memory of *device* (-1: of the host) is taken, or with less than 0 given back. Raises OutOfMemory."""
        if device >= 0:
            self.arena(device).take_memory(nbytes)
            return
        if nbytes > self.host_limit - self.host_used:
            free = self.host_limit - self.host_used
            raise OutOfMemory(f"{nbytes} bytes of host memory were asked for but {free} of {self.host_limit} are free")
        self.host_used += nbytes

    def block_to_free(self, address: int) -> Allocation:
        """The live block that starts at *address*; AddressFault ``freed``, ``interior`` or ``unknown`` otherwise."""
        block = self._exact.get(address) or self.find(address)
        if block is None:
            raise AddressFault("unknown", f"{address:#x} was never returned by an allocation", address)
        if block.freed:
            raise AddressFault("freed", f"{address:#x} is {_inside(block, address)}", address, 0, block)
        if block.address != address:
            raise AddressFault("interior", f"{address:#x} is {_inside(block, address)}", address, 0, block)
        return block

    def free(self, block: Allocation, site: CallSite = None) -> None:
        """Free a device or page-locked host block. Its capacity is there again at once; nobody is waited for."""
        self.frees += 1
        if self.plans:
            self.plans.clear()
        if isinstance(block, Physical):
            assert self.virtual is not None
            self.virtual.lose(block, site)
            return
        if block.device < 0:
            self._free_host(block, site)
            return
        if block.pool is not None:
            block.pool.lose(block, site)
            return
        self.arena(block.device).free(block, site)

    def register(self, address: int, nbytes: int, *, site: CallSite = None, thread: int = 0) -> Allocation:
        """Make host memory that the program owns known to the devices; its :attr:`Block.alias` is what they see."""
        block = Allocation(address, nbytes, nbytes, -1, "registered", site, thread, self.made)
        self.made += 1
        block.host = address
        inside = self._host.find(address)
        if inside is not None and inside.alias:
            block.alias = inside.alias + address - inside.address
        else:
            block.alias = self._last_alias + address % 4096
            self._last_alias += -(-(address % 4096 + nbytes) // 4096) * 4096 + 4096
        self._registered.add(block)
        return block

    def unregister(self, block: Allocation, site: CallSite = None) -> None:
        """Forget a registration."""
        self.frees += 1
        block.freed = True
        block.free_site = site
        self._registered.discard(block)

    def registered(self, address: int, nbytes: int = 1) -> Allocation | None:
        """The registration that shares a byte with [address, address + nbytes)."""
        return self._registered.overlapping(address, nbytes)

    def aliased(self, address: int) -> tuple[Allocation, int] | None:
        """The registered range whose device address is *address*, and the offset in it."""
        for block in self._registered:
            if 0 <= address - block.alias < block.capacity:
                return block, address - block.alias
        return None

    def blocks(self, device: int | None = None) -> list[Allocation]:
        """The live blocks (of one device) and physical memory, in the order in which they were made."""
        found: list[Allocation] = []
        if self.virtual is not None:
            found += [b for b in self.virtual.physical.values() if device in (None, b.device) and b.taken]
        for arena in self._arenas:
            if arena is not None and device in (None, arena.device):
                found += [block for block in arena.index if not block.freed]
        if device is None:
            found += [block for block in self._host if not block.freed]
            found += list(self._registered)
        return sorted(found, key=lambda block: block.number)

    # -- looking up ------------------------------------------------------------------------------------------------

    def find(self, address: int) -> Allocation | None:
        """The block that holds *address*, live or freed and remembered; None for everything else."""
        block = self._exact.get(address)
        if block is not None:
            return block
        if self._low <= address < self._high:
            arena = self._arena_of(address)
            if arena is not None or not self.on_chip:
                return None if arena is None else arena.index.find(address)
        if LOW <= address < HIGH and self.virtual is not None:
            found = self.virtual.find(address)
            if found is not None:
                return found
        return self._host.find(address) or self._registered.find(address)

    def named(self, address: int) -> Allocation | None:
        """As `find`; for mapped memory the range that was reserved, which is one thing whatever is mapped in it."""
        found = self.find(address)
        if self.virtual is not None and LOW <= address < HIGH:
            return self.virtual.range_at(address) or found
        return found

    def where(self, address: int) -> str:
        """``"device"``, ``"host"`` (page-locked or registered), ``"managed"``, ``"unallocated"`` (in a device's window,
        but nobody's or freed), or ``"unregistered"``: all other host memory, mapped or not.
        """
        return self.kind_of(self.find(address), address)

    def kind_of(self, block: Allocation | None, address: int) -> str:
        """What `where` says of an *address* at which `find` has found *block*."""
        if block is None or (block.freed and block.device < 0):
            return "unallocated" if self.of_devices(address) else "unregistered"
        if block.freed and not block.kept:
            return "unallocated"
        return "host" if block.kind in ("host", "registered") else block.kind

    def of_devices(self, address: int) -> bool:
        """Whether *address* is none of the program's own: in a device's window, or in a range that was reserved."""
        if DEVICE_BASE <= address < _DEVICE_END or (self.on_chip and self._arena_of(address) is not None):
            return True
        virtual = self.virtual
        if virtual is None or not LOW <= address < HIGH:
            return False
        return virtual.ranges.find(address) is not None or virtual.gone.find(address) is not None

    def describe(self, address: int) -> str:
        """What is at *address*, for messages: ``byte 16 of the 4096-byte block allocated at train.py:12``."""
        block = self.find(address)
        if block is not None:
            return f"{address:#x}, {_inside(block, address)}"
        arena = self._arena_of(address)
        if arena is not None or DEVICE_BASE <= address < _DEVICE_END:
            near = None if arena is None else arena.index.before(address)
            if near is None:
                return f"{address:#x}, in a device's range of addresses but in no block"
            past = address - near.address - near.capacity
            return f"{address:#x}, {past} bytes past the end of {near.describe()}"
        if self.virtual is not None and self.of_devices(address):
            return self.virtual.describe(address)
        return f"{address:#x}, host memory that was not allocated or registered through acl"

    # -- using memory ----------------------------------------------------------------------------------------------

    def check(self, address: int, nbytes: int, write: bool = False) -> Allocation | None:
        """That [address, address + nbytes) can be used now; the block it lies in, None for other host memory.

        Raises AddressFault with what is wrong and, where there is one, the block's history.
        """
        block = self._exact.get(address) or self.find(address)
        if block is None or block.freed or address - block.address + nbytes > block.capacity or block.bytes is None:
            self.check_in(block, address, nbytes, write)
        return block

    def check_in(self, block: Allocation | None, address: int, nbytes: int, write: bool = False) -> None:
        """As `check`, for an *address* at which `find` has found *block*."""
        if block is None:
            if address + nbytes > _TOP:
                text = f"{nbytes} bytes from {address:#x} go beyond the end of the address space"
                raise AddressFault("wrapped", text, address, nbytes)
            if self.of_devices(address):
                raise AddressFault("unallocated", self.describe(address), address, nbytes)
            self._probe(address, nbytes, write, None)
            return
        if block.freed:
            text = f"{address:#x} is {_inside(block, address)}"
            raise AddressFault("freed", text, address, nbytes, block)
        over = address - block.address + nbytes - block.capacity
        if over > 0:
            rounded = f" (rounded up to {block.capacity})" if block.capacity != block.size else ""
            over += block.capacity - block.size  # as the program counts
            text = f"{nbytes} bytes from {address:#x} end {over} bytes past the end of {block.describe()}{rounded}"
            raise AddressFault("bounds", text, address, nbytes, block)
        if block.bytes is None and block.kind == "registered":
            self._probe(address, nbytes, write, block)

    def plan(self, key: Hashable, found: Any, *ends: Allocation | None) -> None:
        """Keep in `plans` what was *found* out for *key*, if only a free of one of the *ends* can make it wrong.

        That is so for blocks of their own memory: registered memory can be unmapped by the program, what lies in a pool
        is given back on a stream. The first time only the key is kept: most calls with other addresses each time never
        come again, and thousands of kept objects are work for the garbage collector.
        """
        plans = self.plans
        if key not in plans:
            if len(plans) >= _KEPT_PLANS:
                plans.clear()
            plans[key] = None
            return
        for block in ends:
            if block is None or block.pool is not None or block.pieces is not None:
                return
            if block.kind not in ("device", "host"):
                return
        plans[key] = found

    def locate(self, address: int, nbytes: int, write: bool = False) -> int:
        """The true process address of a checked range, backed and poisoned where that is still to be done."""
        block = self.check(address, nbytes, write)
        return address if block is None else self.reach(block, address - block.address, nbytes, write)

    def reach(self, block: Allocation, start: int, nbytes: int, write: bool = False) -> int:
        """The true address of byte *start* of *block*, live or freed, for an access of *nbytes* within its capacity.

        0 when the block was freed so long ago that its memory belongs to others.
        """
        if block.bytes is None and block.kind != "registered":
            if isinstance(block, (Mapping, MappedRange)):
                return self._reach_unmapped(block, start, nbytes, write)
            if isinstance(block, Physical):
                return block.reach(start, nbytes, write)
            arena = self.arena(block.device)
            if block.freed and block.pool is None and not arena.remembered(block):
                return 0
            arena.back(block)
        if block.touched is not None:
            if write and nbytes >= _LARGE and block.device >= 0 and block.pieces is None:
                self.arena(block.device).prefer_large_pages(block, start, nbytes)
            block.touch(start, start + nbytes, write)
        return block.host + start

    def _reach_unmapped(self, block: Allocation, start: int, nbytes: int, write: bool) -> int:
        """As `reach`, for a run of mappings of which one is gone: what is at its addresses now."""
        found = self.find(block.address + start)
        if found is None or found.freed or found.address + found.capacity < block.address + start + nbytes:
            return 0
        return self.reach(found, block.address + start - found.address, nbytes, write)

    def view(self, address: int, nbytes: int, write: bool = False) -> Bytes:
        """The bytes of a checked range as an array (writable; say *write* when its bytes will be overwritten)."""
        block = self.check(address, nbytes, write)
        if block is None:
            return host_memory.view(address, nbytes)
        start = address - block.address
        true = self.reach(block, start, nbytes, write)
        if block.bytes is None:
            return host_memory.view(true, nbytes)
        return block.bytes[start : start + nbytes]

    def copy(self, dst: int, src: int, nbytes: int) -> tuple[Allocation | None, Allocation | None]:
        """Copy between any two places, at once, as memmove does; returns the blocks of destination and source.

        Raises AddressFault; then nothing was written.
        """
        to = self.check(dst, nbytes, True)
        source = self.check(src, nbytes)
        self.copy_checked(dst, to, src, source, nbytes)
        return to, source

    def copy_checked(self, dst: int, to: Allocation | None, src: int, source: Allocation | None, nbytes: int) -> None:
        """As :meth:`copy`, for ranges that :meth:`check` found to lie in the blocks *to* and *source*."""
        # The source first: where both share fresh pages, it must see the poison.
        from_address = src if source is None else self.reach(source, src - source.address, nbytes)
        to_address = dst if to is None else self.reach(to, dst - to.address, nbytes, True)
        host_memory.copy(to_address, from_address, nbytes)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        """Set *nbytes* bytes to the low byte of *value*, at once."""
        host_memory.fill(self.locate(address, nbytes, True), value & 0xFF, nbytes)

    def memory_of(self, device: int) -> tuple[int, int]:
        """(free, total) bytes of *device*."""
        arena = self._arenas[device]
        total = self.profile.memory_bytes
        return (total if arena is None else total - arena.used), total

    def release_device(self, device: int) -> None:
        """Give back what *device* holds: all its blocks become freed and forgotten."""
        arena = self._arenas[device]
        if arena is None:
            return
        for block in list(arena.index):
            if not block.freed:
                self.free(block)
        arena.forget_freed()
        for memory in self.blocks(device):
            self.free(memory)

    def close(self) -> None:
        """Give all memory back to the system; arrays and blocks that somebody still holds stay usable."""
        if self.backing is not None:
            for arena in self._arenas:
                if arena is not None:
                    arena.leave(self.backing)
        if self.virtual is not None:
            self.virtual.close()
            self.virtual = None
        self._arenas = [None] * self.devices
        if self.on_chip:
            self._low = self._high = 0
        self.regions.clear()
        self.plans.clear()
        self._exact.clear()
        self._host = AddressIndex()
        self._registered = AddressIndex()
        self._host_quarantine.clear()
        self._host_quarantined = self.host_used = 0

    # -- inside ----------------------------------------------------------------------------------------------------

    def _arena_of(self, address: int) -> Arena | None:
        if self.on_chip:
            for arena in self._arenas:
                if arena is not None and arena.covers(address):
                    return arena
            return None
        device = (address - DEVICE_BASE) >> self._shift
        return self._arenas[device] if 0 <= device < self.devices else None

    def _true_arena(self, device: int) -> Arena:
        """An arena at addresses of this process. Raises OutOfMemory where the system has none to give."""
        window = 1 << self._shift
        reservation = host_memory.reserve(window)
        while reservation is None and window > PAGE:
            window >>= 1  # ulimit -v, or a system that counts what is only reserved
            reservation = host_memory.reserve(window)
        if reservation is None:
            raise OutOfMemory(f"this computer has no addresses for the memory of device {device}")
        base = reservation.address
        self._low = min(self._low or base, base)
        self._high = max(self._high, base + window)
        return Arena(device, base, window, self.profile.memory_bytes, self._exact, self._lifo, shown=reservation)

    def _free_host(self, block: Allocation, site: CallSite) -> None:
        block.freed = True
        block.free_site = site
        self.host_used -= block.capacity
        self._host_quarantine.append(block)
        self._host_quarantined += block.capacity
        while self._host_quarantine and (
            len(self._host_quarantine) > _REMEMBERED_HOST_BLOCKS or self._host_quarantined > _REMEMBERED_HOST_BYTES
        ):
            # The array stays with whoever still holds the block: a queued copy reads it safely.
            old = self._host_quarantine.popleft()
            self._host_quarantined -= old.capacity
            self._host.discard(old)
            del self._exact[old.address]

    @staticmethod
    def _probe(address: int, nbytes: int, write: bool, block: Allocation | None) -> None:
        allowed = host_memory.writable if write else host_memory.readable
        if allowed(address, nbytes):
            return
        verb = "written" if write else "read"
        text = f"{nbytes} bytes of host memory from {address:#x} cannot be {verb}: not all of it is mapped so"
        if block is not None:
            text += f", though it is part of {block.describe()}"
        raise AddressFault("unmapped", text, address, nbytes, block)


def _inside(block: Allocation, address: int) -> str:
    at = address - block.address
    return block.describe() if at == 0 else f"byte {at} of {block.describe()}"
