"""Custom allocators: descriptors, and the registry of which stream has which (``spec/memory/semantics.md`` 4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ascend_sim.errors import AclError
from ascend_sim.runtime.task import Site

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["ALLOC", "FREE", "GET_ADDRESS", "AllocatorCall", "AllocatorDesc", "AllocatorRegistry", "Registration"]

Function = Callable[..., Any]
ALLOC, GET_ADDRESS, FREE = "alloc", "get-address", "free"
KEPT_CALLS = 100_000


class AllocatorDesc:
    """What aclrtAllocatorCreateDesc makes: an object and four functions; unset is NULL.

    The real fields of a fresh descriptor are uninitialised but for the object; NULL is the portable reading.
    """

    __slots__ = ("advise", "alloc", "free", "get_address", "handle", "number", "obj", "site")

    def __init__(self, number: int, site: Site | None) -> None:
        self.number = number
        self.site = site
        self.handle = 0
        self.obj: Any = None
        self.alloc: Function | None = None
        self.free: Function | None = None
        self.advise: Function | None = None
        self.get_address: Function | None = None

    def describe(self) -> str:
        """The descriptor in words."""
        return f"allocator descriptor {self.number}"


class Registration:
    """A copy of a descriptor's five values at the moment of registering; compared by these values alone."""

    __slots__ = ("advise", "alloc", "desc", "free", "get_address", "obj", "site")

    def __init__(self, desc: AllocatorDesc, site: Site | None) -> None:
        self.desc = desc.handle
        """The handle that the user gave: it may be dead by now."""
        self.obj = desc.obj
        self.alloc = desc.alloc
        self.free = desc.free
        self.advise = desc.advise
        self.get_address = desc.get_address
        self.site = site

    def same(self, other: Registration) -> bool:
        """Whether object and functions are the same; the descriptor's handle does not count."""
        return (
            self.obj is other.obj
            and self.alloc is other.alloc
            and self.free is other.free
            and self.advise is other.advise
            and self.get_address is other.get_address
        )


@frozen
class AllocatorCall:
    """One entry of the event log: which function was called for which stream, with what, when."""

    kind: str
    """``alloc``, ``get-address`` or ``free``."""
    stream: int
    """The stream's handle."""
    size: int
    """Bytes asked for; 0 for the other kinds."""
    block: Any
    address: int
    time_ns: int
    """Virtual time of the calling thread."""


class AllocatorRegistry:
    """Stream handle -> registration. Destroying a stream does not clear its entry, as in the real library."""

    __slots__ = ("calls", "entries")

    def __init__(self) -> None:
        self.entries: dict[int, Registration] = {}
        self.calls: deque[AllocatorCall] = deque(maxlen=KEPT_CALLS)

    def register(self, t: ThreadState, stream: int, desc: AllocatorDesc) -> None:
        """The last registration wins. Raises AclError 100000 when object, alloc, free or get-address is not set."""
        for field, title in (
            ("obj", "object"),
            ("alloc", "alloc"),
            ("free", "free"),
            ("get_address", "get-address-from-block"),
        ):
            if getattr(desc, field) is None:
                raise AclError(
                    100000,
                    f"{desc.describe()} has no {title} function"
                    if field != "obj"
                    else f"{desc.describe()} has no object",
                    "acl",
                )
        self.entries[stream] = Registration(desc, t.site)

    def get(self, stream: int) -> Registration | None:
        """The registration of a stream handle, whatever has become of the stream."""
        return self.entries.get(stream)

    def unregister(self, stream: int) -> None:
        """Forget it; an unknown handle is no error."""
        self.entries.pop(stream, None)

    # -- calling the user's functions ------------------------------------------------------------------------------------

    def take(self, t: ThreadState, stream: int, entry: Registration, size: int) -> tuple[Any, int]:
        """A block of *size* bytes and its address, as the framework asks for it: alloc, then get-address at once.

        User code runs without the simulator's lock. Raises AclError 500002 when alloc or get-address gives NULL.
        """
        assert entry.alloc is not None and entry.get_address is not None
        with t.sim.threads.outside(t):
            block = entry.alloc(entry.obj, size)
        self.calls.append(AllocatorCall(ALLOC, stream, size, block, 0, t.clock))
        if not block:
            raise AclError(500002, f"the allocator of the stream gave no block of {size} bytes", "acl")
        with t.sim.threads.outside(t):
            address = entry.get_address(block)
        self.calls.append(AllocatorCall(GET_ADDRESS, stream, 0, block, address or 0, t.clock))
        if not address:
            raise AclError(500002, "the allocator of the stream gave no address for its block", "acl")
        return block, int(address)

    def give(self, t: ThreadState, stream: int, entry: Registration, block: Any) -> None:
        """Give a block back: on the host, right after its last user was queued."""
        assert entry.free is not None
        with t.sim.threads.outside(t):
            entry.free(entry.obj, block)
        self.calls.append(AllocatorCall(FREE, stream, 0, block, 0, t.clock))
