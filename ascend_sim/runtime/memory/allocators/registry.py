"""Custom allocators: descriptors, and the registry of which stream has which.

See docs/semantics/allocators.md#the-registry.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.findings import finding
from ascend_sim.runtime.current import LOCAL
from ascend_sim.runtime.memory.allocators.usage import PortionUses
from ascend_sim.runtime.stream import Stream
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.allocators.lookup import StreamAllocator
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

    def __init__(self, number: int, site: CallSite) -> None:
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

    __slots__ = (
        "advise",
        "alloc",
        "desc",
        "free",
        "get_address",
        "obj",
        "reported_ignored",
        "reported_stale",
        "site",
        "stream_number",
    )  # fmt: skip

    def __init__(self, desc: AllocatorDesc, site: CallSite, stream_number: int = 0) -> None:
        self.desc = desc.handle
        """The handle that the user gave: it may be dead by now."""
        self.obj = desc.obj
        self.alloc = desc.alloc
        self.free = desc.free
        self.advise = desc.advise
        self.get_address = desc.get_address
        self.site = site
        self.stream_number = stream_number
        """Which stream had the handle then; 0: none."""
        self.reported_ignored = False
        self.reported_stale = False

    def same(self, other: Registration) -> bool:
        """Whether object and functions are the same; the descriptor's handle does not count."""
        return (
            _same(self.obj, other.obj)
            and _same(self.alloc, other.alloc)
            and _same(self.free, other.free)
            and _same(self.advise, other.advise)
            and _same(self.get_address, other.get_address)
        )


def _same(one: Any, other: Any) -> bool:
    """Whether two values are one pointer in C: equal numbers, one object, or one method of one object."""
    return one is other or (type(one) is type(other) and isinstance(one, (int, MethodType)) and bool(one == other))


class AllocatorCall(NamedTuple):
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
    external: bool = True
    """Of the program's own allocator; False for the built-in one of the stream."""


class AllocatorRegistry:
    """Stream handle -> registration. Destroying a stream does not clear its entry, as in the real library.

    `resolved` holds what executions found for a stream (lookup.py), `calls` is the event log.
    """

    __slots__ = ("_listens", "calls", "entries", "resolved", "uses")

    def __init__(self) -> None:
        self.entries: dict[int, Registration] = {}
        self.resolved: dict[int, StreamAllocator] = {}
        self.calls: deque[AllocatorCall] = deque(maxlen=KEPT_CALLS)
        self.uses = PortionUses()
        self._listens = False

    def listen(self, sim: Runtime) -> None:
        """From now on hear of streams that end."""
        if not self._listens:
            self._listens = True
            sim.hooks.add("stream_ended", self._stream_ended)

    def _stream_ended(self, stream: Stream) -> None:
        """A stream is gone: its allocators go, but only between aclInit and aclFinalize; its registration stays."""
        sim, key = stream.sim, stream.handle
        entry = self.entries.get(key)
        if entry is not None and entry.stream_number == stream.number:
            state = getattr(LOCAL, "state", None)  # the thread that destroys it
            sim.report(
                "stale-registration",
                "warning",
                f"{sim.names.described(stream)} is destroyed while an allocator is registered for it: the entry stays",
                [
                    finding.Site("access", "destroyed here", state.site if state is not None else None, primary=True),
                    finding.Site("register", "registered here", entry.site),
                ],
                notes=("a later stream may get the same handle, and then uses this allocator",),
                fix=f"aclrtAllocatorUnregister({sim.names.plain(stream)}) before the stream is destroyed",
            )
        if sim.process.init_count:
            resolved = self.resolved.pop(key, None)
            if resolved is not None:
                resolved.release(sim.memory.free)

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
                    ACL_ERROR_INVALID_PARAM,
                    f"{desc.describe()} has no {title} function"
                    if field != "obj"
                    else f"{desc.describe()} has no object",
                    "acl",
                )
        self.listen(t.sim)
        target = t.sim.handles.get(stream)
        self.entries[stream] = Registration(desc, t.site, target.number if isinstance(target, Stream) else 0)

    def get(self, stream: int) -> Registration | None:
        """The registration of a stream handle, whatever has become of the stream."""
        return self.entries.get(stream)

    def unregister(self, stream: int) -> None:
        """Forget it; an unknown handle is no error."""
        self.entries.pop(stream, None)
