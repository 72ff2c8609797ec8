"""Python objects whose address the program handed to the runtime: kept for a while, with a test who still holds them.

``acl.util.bytes_to_ptr(b)`` is a plain number; nothing keeps *b* alive (docs/semantics/memory.md#dead-host-buffers). A
copy that runs after *b* died reads what the allocator put there since: a crash or wrong bytes on hardware. Here the
object is kept in a bounded queue, so that the address stays good, and :meth:`Kept.abandoned` tells at use time that
nobody else holds it: that is the ``dead-host-buffer`` finding.

Addresses belong to the process, so one queue serves every simulator in it. What falls out of it is forgotten: its
address is then judged like any other address that the simulator does not own.
"""

from __future__ import annotations

import sys
from bisect import bisect_right, insort
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.source.callsite import Point

from ascend_sim.findings.wording import with_article
from ascend_sim.machine.arrays import np

__all__ = ["KEPT_BYTES", "KEPT_OBJECTS", "HostBuffers", "Kept", "find", "keepalive"]

KEPT_OBJECTS = 1024
KEPT_BYTES = 256 << 20


class Kept:
    """One object and the bytes ``[address, address + size)`` behind it. ``number`` counts from 1, for reports."""

    __slots__ = ("address", "number", "obj", "passed", "site", "size")

    def __init__(
        self, obj: object, address: int, size: int, number: int, passed: bool, site: Point | None = None
    ) -> None:
        self.obj = obj
        self.site = site
        """Where the program took the address; None when it passed the object itself."""
        self.passed = passed
        """The call was given the object itself, which lives until it returns at least."""
        self.address = address
        self.size = size
        self.number = number

    def abandoned(self) -> bool:
        """Whether only this queue still holds the object, and so its memory would be gone without the simulator.

        Of a numpy view the owner of its memory is asked: the memory lives while anybody holds that.
        """
        held: Any = self.obj
        mine = 2  # the slot of this object, and the local name
        while True:
            # one more reference: the argument of getrefcount
            if sys.getrefcount(held) > mine + 1:
                return False
            owner = getattr(held, "base", None)  # ndarray.base; bytes and ctypes objects own their memory
            if owner is None:
                return True
            held, owner = owner, None
            mine = 2  # the base slot of the view, and the local name

    def memory(self) -> tuple[int, int] | None:
        """The addresses of the first byte of what owns the memory, and behind its last one; None: not known.

        A view may be smaller than the array that it looks at, and a C program may use all of that. An owner that moved
        its bytes meanwhile (a bytearray that grew) has nothing at this address any more.
        """
        owner: Any = self.obj
        if isinstance(owner, bytes):
            return self.address, self.address + self.size
        looks_at = _looks_at(owner)
        while looks_at is not None:
            owner = looks_at
            looks_at = _looks_at(owner)
        if isinstance(owner, np.ndarray):
            if not owner.flags.owndata:
                return None
            start, nbytes = int(owner.ctypes.data), owner.nbytes
        elif getattr(owner, "_b_needsfree_", True) == 0:
            return None  # a ctypes object at an address that somebody else owns
        else:
            try:
                found = np.frombuffer(owner, np.uint8)
            except (TypeError, ValueError, BufferError):
                return None
            start, nbytes = int(found.ctypes.data), found.nbytes
        return (start, start + nbytes) if start <= self.address <= start + nbytes else None

    def end(self) -> int | None:
        """The address behind the last byte of what owns the memory; None when that is not known."""
        found = self.memory()
        return None if found is None else found[1]

    def past_end(self, address: int, nbytes: int) -> int:
        """How many of the *nbytes* from *address*, which is inside, lie behind the end of what owns the memory."""
        over = address + nbytes - self.address - self.size
        if over <= 0:
            return 0  # most are like this: the owner need not be asked
        end = self.end()
        return 0 if end is None else max(0, address + nbytes - end)

    def is_view(self) -> bool:
        """Whether the memory belongs to another object, of which this one shows a part or all."""
        return _looks_at(self.obj) is not None

    def read_only(self) -> bool:
        """Whether Python itself never writes there: bytes, of which there may be one object for many uses."""
        flags: Any = getattr(self.obj, "flags", None)  # an array of bfloat16 has no memoryview
        if hasattr(flags, "writeable"):
            return not flags.writeable
        return memoryview(self.obj).readonly  # type: ignore[arg-type]

    def words(self) -> str:
        """Kind and size, for texts that have to be the same whatever the process did before."""
        name = type(self.obj).__name__
        return f"{with_article(name if name != 'bytes' else 'bytes object')} of {self.size} bytes"

    def describe(self) -> str:
        """What to call it in a report: kind, size and ordinal, since addresses differ between runs."""
        return f"{self.words()} (host buffer {self.number})"


def _looks_at(view: Any) -> object | None:
    """The object whose memory *view* shows; None when it shows its own."""
    if isinstance(view, np.ndarray):
        return view.base
    if isinstance(view, memoryview):
        return view.obj
    owner: object | None = getattr(view, "_b_base_", None)  # of a ctypes object
    if owner is None and getattr(view, "_b_needsfree_", True) == 0:
        for held in (view._objects or {}).values():  # made with from_buffer
            if isinstance(held, memoryview):
                return held.obj
    return owner


class HostBuffers:
    """A queue of kept objects, bounded in number and in bytes, with lookup by address."""

    def __init__(self, objects: int = KEPT_OBJECTS, nbytes: int = KEPT_BYTES) -> None:
        self._objects = objects
        self._limit = nbytes
        self._nbytes = 0
        self._count = 0
        self._by_address: dict[int, Kept] = {}  # in the order of arrival
        self._addresses: list[int] = []

    def __len__(self) -> int:
        return len(self._by_address)

    def keep(self, obj: object, address: int, size: int, passed: bool = False, site: Point | None = None) -> None:
        """Keep *obj*, whose *size* bytes begin at *address*; the oldest objects go when the queue is full."""
        known = self._by_address.pop(address, None)
        if known is not None:
            self._nbytes -= known.size
            if known.obj is obj:
                number = known.number
            else:  # another view of the same memory
                self._count = number = self._count + 1
        else:
            self._count = number = self._count + 1
            insort(self._addresses, address)
        self._by_address[address] = Kept(obj, address, size, number, passed, site)
        self._nbytes += size
        while len(self._by_address) > self._objects or (self._nbytes > self._limit and len(self._by_address) > 1):
            self._forget(next(iter(self._by_address)))

    def _forget(self, address: int) -> None:
        self._nbytes -= self._by_address.pop(address).size
        del self._addresses[bisect_right(self._addresses, address) - 1]

    def find(self, address: int, size: int = 1) -> Kept | None:
        """The kept object that ``[address, address + size)`` lies in, None when there is none."""
        kept = self._by_address.get(address)
        if kept is None or size > kept.size:
            place = bisect_right(self._addresses, address)
            # a larger buffer may begin before a smaller view of it: look at the nearest few
            near = self._addresses[max(0, place - 4) : place]
            for start in reversed(near):
                kept = self._by_address[start]
                if address + size <= start + kept.size:
                    return kept
            # what is behind a view may belong to the array that it looks at
            for start in reversed(near):
                kept = self._by_address[start]
                if _looks_at(kept.obj) is not None and address + size <= (kept.end() or 0):
                    return kept
            return None
        return kept

    def clear(self) -> None:
        """Let go of everything."""
        self._by_address.clear()
        self._addresses.clear()
        self._nbytes = 0


_BUFFERS = HostBuffers()


def keepalive(
    obj: object, address: int, size: int | None = None, passed: bool = False, site: Point | None = None
) -> None:
    """Keep *obj*, whose memory begins at *address*, in the queue of the process.

    *size*: its bytes, None: ask it. *passed*: it is an argument of the call that goes on. *site*: where the program took
    its address.
    """
    if size is None:
        size = memoryview(obj).nbytes  # type: ignore[arg-type]
    _BUFFERS.keep(obj, address, size, passed, site)


def find(address: int, size: int = 1) -> Kept | None:
    """The kept object that ``[address, address + size)`` lies in, None when there is none."""
    return _BUFFERS.find(address, size)
