"""Virtual memory: ranges of addresses that are reserved, physical memory, and the mappings that bring them together.

State that belongs to bytes (who touched them, whether they were written) is kept by the physical memory, however many
addresses it has. What a program uses is a run: adjacent mappings look like one allocation, as a tensor may lie across
them. A run only ever grows; when one of its mappings goes, the run ends, and what is left of it gets another.

See docs/semantics/virtual_memory.md.
"""

from __future__ import annotations

import gc
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ascend_sim.machine.allocations import FREED, AddressIndex, Allocation, place
from ascend_sim.machine.faults import AddressFault, OutOfMemory
from ascend_sim.machine.shared_pages import PageFile, Window, reserve_at, supported
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.machine.address_space import AddressSpace

__all__ = ["HIGH", "LOW", "UNIT", "AddressRange", "MappedRange", "Mapping", "Physical", "VirtualMemory"]

LOW, HIGH = 16 << 40, 24 << 40
"""Reserved ranges lie here, where the manual lets programs ask for addresses. They are true addresses of the process."""
UNIT = 2 << 20
"""What a mapping's address and size are multiples of."""
_STEP = 1 << 30
_LONGEST_STEP = 64 << 30
_TRIES = 4096
_KEPT = 1024  # mappings and ranges that are gone and still known


class Physical(Allocation):
    """Physical memory of a device, or of the host (*device* -1): bytes without an address of their own.

    *mappings* are where it can be seen now. Its *offset* is its place in the file that holds the pages.
    """

    __slots__ = ("holders", "lent", "mappings", "pages", "seen", "whose")

    def __init__(
        self,
        pages: PageFile,
        offset: int,
        size: int,
        capacity: int,
        device: int,
        site: CallSite,
        thread: int,
        number: int,
    ) -> None:
        super().__init__(0, size, capacity, device, "physical", site, thread, number)
        self.pages = pages
        self.offset = offset
        self.touched = []
        self.mappings: list[Mapping] = []
        self.holders = 0
        """How many handles have it."""
        self.seen: CallSite = None
        """Where it was mapped last."""
        self.lent = False
        """Another process has it as well: its pages stay when it ends here."""
        self.whose = ""
        """Whose it is, when another process has exported it."""

    def reach(self, start: int, nbytes: int, write: bool = False) -> int:
        """The true address of byte *start*, where the memory is mapped; 0 when it is not."""
        if self.freed or not self.mappings:
            return 0
        self.host = self.mappings[0].host
        self.touch(start, start + nbytes, write)
        return self.host + start

    def describe(self) -> str:
        """``the 2097152 bytes of physical memory allocated at train.py:12``."""
        if self.whose:
            return f"{self.whose}{f' at {place(self.site)}' if self.site else ''}"
        where = f" allocated at {place(self.site)}" if self.site else ""
        gone = f" and freed at {place(self.free_site)}" if self.freed else ""
        return f"the {self.size} bytes of physical memory{where}{gone}"


class AddressRange(Allocation):
    """Addresses that were reserved. *side*: the device of what was mapped there first (-1: the host), None before."""

    __slots__ = ("side", "window")

    ways = ("reserved", "released")

    def __init__(self, window: Window, size: int, site: CallSite, thread: int, number: int) -> None:
        super().__init__(window.address, size, window.nbytes, -1, "reserved", site, thread, number)
        self.host = window.address
        self.window: Window | None = window
        self.side: int | None = None

    def describe(self) -> str:
        """``the range of 1073741824 bytes reserved at train.py:12``."""
        where = f" reserved at {place(self.site)}" if self.site else ""
        gone = f" and released at {place(self.free_site)}" if self.freed else ""
        return f"the range of {self.size} bytes{where}{gone}"


class Mapping(Allocation):
    """A part of a reserved range that shows physical memory, from its first byte on. Once unmapped it is *freed*.

    Named as its range: *map_site* is where it was mapped. *open*: its device may use it. *allowed*: other devices, and
    -1 for the host, that were given access.
    """

    __slots__ = ("allowed", "handle", "map_site", "memory", "open", "owner", "run", "runs")

    ways = ("mapped", "unmapped")

    def __init__(
        self, owner: AddressRange, address: int, memory: Physical, opened: bool, site: CallSite, thread: int
    ) -> None:
        kind = "device" if memory.device >= 0 else "host"
        super().__init__(
            address, memory.capacity, memory.capacity, memory.device, kind, owner.site, thread, owner.number
        )
        self.map_site: CallSite = site
        self.owner = owner
        self.memory = memory
        self.open = opened
        self.allowed: set[int] = set()
        self.handle: Any = None
        """The handle that it was mapped by."""
        self.host = address
        self.page = memory.page
        self.run: MappedRange | None = None
        """The run that `AddressSpace.find` gives for its addresses."""
        self.runs: list[MappedRange] = []
        """All runs that hold it, those too that a longer one has replaced."""

    def describe(self) -> str:
        """``the 2097152-byte mapping made at train.py:12 and unmapped at train.py:20``."""
        where = f" made at {place(self.map_site)}" if self.map_site else ""
        gone = f" and unmapped at {place(self.free_site)}" if self.freed else ""
        return f"the {self.size}-byte mapping{where}{gone}"


class MappedRange(Allocation):
    """A run of mappings, one after the other: what programs use as if it were one allocation."""

    __slots__ = ("_settled", "owner", "pieces", "starts")

    def __init__(self, pieces: list[Mapping]) -> None:
        first = pieces[0]
        owner = first.owner
        kind = "device" if first.device >= 0 else "host"
        super().__init__(first.address, 0, 0, first.device, kind, owner.site, owner.thread, owner.number)
        self.owner = owner
        self.pieces: list[Mapping] = []
        self.starts: list[int] = []
        self.host = first.address
        self.page = first.page
        self._settled = False
        self.touched = [0, 0]  # never None: accesses ask
        self.extend(pieces)

    def extend(self, pieces: list[Mapping]) -> None:
        """*pieces* follow at its end. Who holds the run has more room then, and nothing else changes."""
        start = self.capacity
        for piece in pieces:
            self.pieces.append(piece)
            self.starts.append(start)
            start += piece.capacity
            piece.run = self
            piece.runs.append(self)
        window = self.owner.window
        assert window is not None
        self.size = self.capacity = start
        self._settled = False
        first = self.address - self.owner.address
        self.bytes = window.array()[first : first + start]

    def parts(self, lo: int, hi: int) -> Iterator[tuple[Mapping, int, int]]:
        """The mappings that have bytes [lo, hi) of the run, each with the offsets in it."""
        at = max(bisect_right(self.starts, lo) - 1, 0)
        for piece, start in zip(self.pieces[at:], self.starts[at:], strict=True):
            if start >= hi:
                return
            yield piece, max(lo - start, 0), min(hi - start, piece.capacity)

    def unmapped(self, lo: int, hi: int) -> Mapping | None:
        """The first mapping with one of the bytes [lo, hi) that is gone by now."""
        if not self.freed:
            return None
        return next((piece for piece, _, _ in self.parts(lo, hi) if piece.freed), None)

    def shows(self, memory: Allocation) -> bool:
        """Whether *memory*, physical, or a mapping of it, is in the run."""
        return any(memory in (piece, piece.memory) for piece in self.pieces)

    @property
    def allowed(self) -> set[int]:
        """The places that were given access to all of it."""
        return set.intersection(*(piece.allowed for piece in self.pieces))

    def settled(self) -> bool:
        """Whether nothing of the physical memory needs poison any more."""
        if not self._settled:
            self._settled = all(piece.memory.settled() for piece in self.pieces)
        return self._settled

    def holds(self, lo: int, hi: int) -> bool:
        """As for any allocation."""
        return all(piece.memory.holds(a, b) for piece, a, b in self.parts(lo, hi))

    def touch(self, lo: int, hi: int, write: bool) -> None:
        """As for any allocation: it is the physical memory that gets poison, where this run shows it."""
        if self._settled or self.freed:
            return
        for piece, a, b in self.parts(lo, hi):
            memory = piece.memory
            if memory.touched is not None:
                memory.host = piece.host
                memory.touch(a, b, write)


class VirtualMemory:
    """What was reserved, and what is mapped, in one simulated process."""

    __slots__ = ("_frontier", "_gone", "_memory", "_ranges_gone", "file", "gone", "mapped", "physical", "ranges")

    def __init__(self, memory: AddressSpace) -> None:
        self._memory = memory
        self._frontier = LOW
        self.ranges = AddressIndex()
        self.mapped = AddressIndex()
        self.gone = AddressIndex()
        """Mappings that were unmapped and ranges that were released, as long as nobody else has their addresses."""
        self._gone: deque[Allocation] = deque()
        self.physical: dict[int, Physical] = {}
        """What has not been given back, by number."""
        self.file: PageFile | None = None

    @staticmethod
    def supported() -> bool:
        """Whether this system can show one page at two addresses."""
        return supported()

    # -- addresses ---------------------------------------------------------------------------------------------------

    def reserve(self, size: int, wanted: int, site: CallSite, thread: int) -> AddressRange:
        """Addresses for *size* bytes, *wanted* or any. Raises OutOfMemory: none are left, or not those."""
        room = -(-size // UNIT) * UNIT
        window = self._take(room) if not wanted else self._take_at(wanted, room)
        if window is None:
            raise OutOfMemory(f"no {room} addresses are free{f' from {wanted:#x} on' if wanted else ''}")
        self._forget(window.address, room)
        found = AddressRange(window, size, site, thread, self._memory.made)
        self._memory.made += 1
        self.ranges.add(found)
        return found

    def _take_at(self, address: int, room: int) -> Window | None:
        if self.ranges.overlapping(address, room) is not None:
            return None
        return reserve_at(address, room)

    def _take(self, room: int) -> Window | None:
        window = self._look_for(room)
        if window is None and gc.isenabled():  # a simulator that nobody has any more may still be there, in a cycle
            gc.collect()
            window = self._look_for(room)
        return window

    def _look_for(self, room: int) -> Window | None:
        at, wrapped, step = self._frontier, False, _STEP
        for _ in range(_TRIES):
            if at + room > HIGH:
                if wrapped:
                    return None
                at, wrapped, step = LOW, True, _STEP
                continue
            other = self.ranges.overlapping(at, room)
            if other is not None:
                at = other.address + other.capacity + UNIT
                continue
            window = reserve_at(at, room)
            if window is not None:
                self._frontier = at + room + UNIT  # a gap, so that leaving one never lands in the next
                return window
            at += step  # somebody else of this process is there, perhaps with very much
            step = min(step * 2, _LONGEST_STEP)
        return None

    def release(self, found: AddressRange, site: CallSite) -> list[Mapping]:
        """The addresses are free again; what is still mapped there is unmapped before: these."""
        left = [m for m in self._inside(found) if not m.freed]
        for mapping in left:
            self.unmap(mapping, site)
        self.ranges.discard(found)
        found.freed = True
        found.free_site = site
        found.window = None  # arrays of it that somebody holds keep it
        self._remember(found)
        return left

    def _inside(self, found: AddressRange) -> list[Mapping]:
        inside: list[Mapping] = []
        mapping = self.mapped.before(found.address + found.capacity - 1)
        while mapping is not None and mapping.address >= found.address:
            assert isinstance(mapping, Mapping)
            inside.append(mapping)
            mapping = self.mapped.before(mapping.address - 1)
        return inside[::-1]

    def mappings(self, found: AddressRange) -> list[Mapping]:
        """What is mapped in a reserved range, in order of address."""
        return self._inside(found)

    def range_at(self, address: int) -> AddressRange | None:
        """The reserved range that holds *address*."""
        found = self.ranges.find(address)
        return found if isinstance(found, AddressRange) else None

    # -- physical memory ---------------------------------------------------------------------------------------------

    def allocate(
        self, device: int, size: int, unit: int, site: CallSite, thread: int, outer: PageFile | None = None,
        offset: int = 0,
    ) -> Physical:  # fmt: skip
        """*size* bytes of *device* (-1: of the host) in pages of *unit*. Raises OutOfMemory.

        With *outer*, a file of another process: what lies there from *offset* on, which counts for nobody here.
        """
        memory = self._memory
        capacity = -(-size // unit) * unit
        if outer is None:
            memory.charge(device, capacity)
            if self.file is None:
                self.file = PageFile()
            offset = self.file.take(capacity)
        found = Physical(outer or self.file, offset, size, capacity, device, site, thread, memory.made)  # type: ignore[arg-type]
        found.page = unit
        if outer is not None:
            found.taken = 0
            found.touched = None  # what nobody wrote there is for its owner to know
        memory.made += 1
        self.physical[found.number] = found
        return found

    def give_back(self, memory: Physical, site: CallSite) -> None:
        """Nobody refers to *memory* any more, and nothing shows it: its pages go back."""
        memory.freed = True
        memory.free_site = site
        memory.poison = FREED
        del self.physical[memory.number]
        self._memory.frees += 1
        if not memory.taken:
            return
        self._memory.charge(memory.device, -memory.taken)
        if memory.touched != [] and not memory.lent:
            memory.pages.give(memory.offset, memory.capacity)

    def lose(self, memory: Physical, site: CallSite) -> None:
        """*memory* goes at once, with its mappings: its device was reset."""
        for mapping in list(memory.mappings):
            self.unmap(mapping, site)
        self.give_back(memory, site)

    # -- mappings ----------------------------------------------------------------------------------------------------

    def map(
        self,
        address: int,
        size: int,
        memory: Physical,
        opened: bool,
        site: CallSite,
        thread: int,
        side: int | None = None,
    ) -> Mapping:
        """Show *memory* from *address* on. Raises AddressFault, which says what forbids it, and OutOfMemory.

        *side*: the device that the handle is of, if that is another one (an import).
        """
        owner = self.range_at(address)
        if owner is None:
            raise AddressFault("unreserved", f"{self._memory.describe(address)}: no reserved range", address, size)
        if address % UNIT and memory.page >= UNIT:
            raise AddressFault("misaligned", f"{address:#x} is no multiple of 2 MiB", address, size, owner)
        if size != memory.capacity:
            text = f"size is {size}, {memory.describe()} has {memory.capacity} bytes: a mapping shows all of it"
            raise AddressFault("size", text, address, size, owner)
        if address + size > owner.address + owner.capacity:
            over = address + size - owner.address - owner.capacity
            text = f"{size} bytes from {address:#x} end {over} bytes past the end of {owner.describe()}"
            raise AddressFault("bounds", text, address, size, owner)
        side = memory.device if side is None else side
        if owner.side is not None and owner.side != side:
            of = [f"device {n}" if n >= 0 else "the host" for n in (owner.side, side)]
            text = f"memory of {of[0]} was mapped first in {owner.describe()}: memory of {of[1]} cannot be"
            raise AddressFault("side", text, address, size, owner)
        other = self.mapped.overlapping(address, size)
        if other is not None:
            raise AddressFault("mapped", f"{address:#x}: {other.describe()} is there", address, size, other)
        window = owner.window
        assert window is not None
        if not window.show(address - owner.address, memory.pages, memory.offset, size):
            raise OutOfMemory("this computer has no room for another mapping (vm.max_map_count)")
        self._forget(address, size)
        mapping = Mapping(owner, address, memory, opened, site, thread)
        owner.side = side
        memory.mappings.append(mapping)
        memory.seen = site
        self.mapped.add(mapping)
        if opened:
            self._lengthen(mapping)
        return mapping

    def admit(self, mapping: Mapping) -> None:
        """The device of *mapping* may use it from now on."""
        if not mapping.open:
            mapping.open = True
            self._lengthen(mapping)

    def _lengthen(self, mapping: Mapping) -> None:
        """Put *mapping* at the end of the run before it, if there is one; one that follows is found anew."""
        before = self.mapped.before(mapping.address - 1)
        after = self.mapped.get(mapping.address + mapping.capacity)
        self._memory.frees += 1  # who keeps how far a run goes looks again
        if after is not None and self._adjacent(mapping, after):
            for other in (before, after):
                if isinstance(other, Mapping) and other.run is not None:
                    for piece in other.run.pieces:
                        piece.run = None
        elif isinstance(before, Mapping) and before.run is not None and self._adjacent(before, mapping):
            before.run.extend([mapping])

    @staticmethod
    def _adjacent(left: Allocation, right: Allocation) -> bool:
        return (
            isinstance(left, Mapping)
            and isinstance(right, Mapping)
            and left.owner is right.owner
            and left.open
            and right.open
            and left.address + left.capacity == right.address
        )

    def unmap(self, mapping: Mapping, site: CallSite) -> None:
        """*mapping* shows nothing any more. Its physical memory stays."""
        memory, owner = mapping.memory, mapping.owner
        self.mapped.discard(mapping)
        memory.mappings.remove(mapping)
        mapping.freed = True
        mapping.free_site = site
        for run in mapping.runs:
            run.freed = True
            run.free_site = site
            run.bytes = None
            for piece in run.pieces:
                if piece.run is run:
                    piece.run = None
                if piece is not mapping:
                    piece.runs.remove(run)
        mapping.run = None
        mapping.runs = []
        window = owner.window
        if window is not None:
            window.hide(mapping.address - owner.address, mapping.capacity)
        self._remember(mapping)
        self._memory.frees += 1
        self._memory.plans.clear()

    def find(self, address: int) -> Allocation | None:
        """The run that holds *address*; a mapping or a range that was there; None."""
        mapping = self.mapped.find(address)
        if mapping is None:
            return self.gone.find(address)
        assert isinstance(mapping, Mapping)
        if not mapping.open:
            return None
        return mapping.run or self._run(mapping)

    def mapping_at(self, address: int) -> Mapping | None:
        """The mapping that holds *address*, whether it may be used or not."""
        found = self.mapped.find(address)
        return found if isinstance(found, Mapping) else None

    def _run(self, mapping: Mapping) -> MappedRange:
        pieces = [mapping]
        left = self.mapped.before(mapping.address - 1)
        while left is not None and self._adjacent(left, pieces[-1]):
            assert isinstance(left, Mapping)
            pieces.append(left)
            left = self.mapped.before(left.address - 1)
        pieces.reverse()
        right = self.mapped.get(mapping.address + mapping.capacity)
        while right is not None and self._adjacent(pieces[-1], right):
            assert isinstance(right, Mapping)
            pieces.append(right)
            right = self.mapped.get(right.address + right.capacity)
        return MappedRange(pieces)

    def describe(self, address: int) -> str:
        """What is at an *address* of the window where `find` finds nothing."""
        mapping = self.mapping_at(address)
        if mapping is not None:
            return f"{address:#x}, {mapping.describe()}, to which no device was given access"
        owner = self.range_at(address)
        if owner is None:
            return f"{address:#x}, among the addresses that can be reserved, and not reserved"
        return f"{address:#x}, byte {address - owner.address} of {owner.describe()}, where nothing is mapped"

    # -- what is gone ------------------------------------------------------------------------------------------------

    def _remember(self, thing: Allocation) -> None:
        if self.gone.overlapping(thing.address, thing.capacity) is not None:
            return  # what was mapped in a released range says more
        self.gone.add(thing)
        self._gone.append(thing)
        while len(self._gone) > _KEPT:
            self.gone.discard(self._gone.popleft())

    def _forget(self, address: int, nbytes: int) -> None:
        """[address, address + nbytes) has another owner now."""
        old = self.gone.overlapping(address, nbytes)
        while old is not None:
            self.gone.discard(old)
            old = self.gone.overlapping(address, nbytes)

    def close(self) -> None:
        """Give all memory and addresses back to the system."""
        for found in self.ranges:
            if isinstance(found, AddressRange):
                found.window = None  # arrays of it that somebody holds keep it
        if self.file is not None:
            self.file.close()
