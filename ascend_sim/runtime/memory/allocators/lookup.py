"""Which allocator serves the device memory of an execution on a stream (docs/semantics/allocators.md#resolution).

Per stream: none, a default caching allocator (pinned: it stays for the life of the stream), or an external one (what
the program registered). Single-operator models ask with *create_default*, asynchronous executions of dynamic models
without. Blocks are given back on the host as soon as their last user is queued, without a wait for the stream::

    allocator = resolve(t, stream_handle, create_default=False)
    portion = allocator.take(t, stream, nbytes)
    try:
        allocator.used(portion, stream.submit(t, op))
    finally:
        allocator.give(t, portion)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_GE_FAILURE
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.runtime.memory.allocation import round_up
from ascend_sim.runtime.memory.allocators.registry import ALLOC, FREE, GET_ADDRESS, AllocatorCall, Registration
from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.stream import Stream

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.memory.allocators.registry import AllocatorRegistry
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["DefaultAllocator", "ExternalAllocator", "Portion", "StreamAllocator", "resolve"]

"""What an execution returns when its allocator gives no memory (ACL_ERROR_GE_FAILURE)."""


class Portion:
    """Memory of one execution: *size* bytes at *address*; *block* is what the allocator calls it."""

    __slots__ = ("address", "block", "size", "stream")

    def __init__(self, stream: Stream, block: Any, address: int, size: int) -> None:
        self.stream = stream
        self.block = block
        self.address = address
        self.size = size


class StreamAllocator:
    """What serves executions on one stream: `take`, queue the task, `used`, then `give` at once."""

    __slots__ = ("key", "registry")

    pinned = False

    def __init__(self, registry: AllocatorRegistry, key: int) -> None:
        self.registry = registry
        self.key = key
        """Handle of the stream that it serves; the default stream's for NULL."""

    def take(self, t: ThreadState, stream: Stream, size: int) -> Portion:
        """Memory for *size* (above 0) bytes on *stream*. Raises AclError 500002 when there is none."""
        raise NotImplementedError

    def used(self, portion: Portion, task: Task) -> None:
        """*task*, which was queued, uses the portion."""

    def give(self, t: ThreadState, portion: Portion) -> None:
        """The host is done with it: *task* may not have run yet."""
        raise NotImplementedError

    def release(self, free: Callable[[Allocation], None]) -> None:
        """The stream is gone. The program's own allocator and its blocks are never touched."""

    def log(self, t: ThreadState, kind: str, size: int, block: Any, address: int) -> None:
        """Note a call in the event log."""
        self.registry.calls.append(AllocatorCall(kind, self.key, size, block, address, t.clock, not self.pinned))


class ExternalAllocator(StreamAllocator):
    """The program's own allocator; its functions run in the calling thread, one at a time."""

    __slots__ = ("_busy", "entry", "stream_number")

    def __init__(self, registry: AllocatorRegistry, key: int, entry: Registration, stream: Stream) -> None:
        super().__init__(registry, key)
        self.entry = entry
        self.stream_number = stream.number
        self._busy: Signal | None = None

    def _lock(self, t: ThreadState) -> None:
        """The mutex of the wrapper. A callback that comes back here waits for itself, as on the real library."""
        while self._busy is not None:
            t.sim.threads.block(t, self._busy, None, _Mutex(self))
        self._busy = Signal()

    def _unlock(self, t: ThreadState) -> None:
        busy, self._busy = self._busy, None
        if busy is not None:
            t.sim.scheduler.complete(busy, t.clock)

    def take(self, t: ThreadState, stream: Stream, size: int) -> Portion:
        """alloc, then get-address at once; user code runs without the simulator's lock.

        Raises AclError 500002 when one of them gives NULL.
        """
        entry = self.entry
        assert entry.alloc is not None and entry.get_address is not None
        self._lock(t)
        try:
            with t.sim.threads.user_code(t):
                block = entry.alloc(entry.obj, size)
            self.log(t, ALLOC, size, block, 0)
            if not block:
                raise AclError(
                    ACL_ERROR_GE_FAILURE, f"the allocator of {stream.describe()} gave no block of {size} bytes", "acl"
                )
            with t.sim.threads.user_code(t):
                address = entry.get_address(block)
            self.log(t, GET_ADDRESS, 0, block, address or 0)
        finally:
            self._unlock(t)
        if not address:
            raise AclError(
                ACL_ERROR_GE_FAILURE, f"the allocator of {stream.describe()} gave no address for its block", "acl"
            )
        portion = Portion(stream, block, int(address), size)
        self.registry.uses.taken(t, stream, portion.address, size, entry.site)
        return portion

    def used(self, portion: Portion, task: Task) -> None:
        """Remember who uses the memory, for the rule about two streams."""
        self.registry.uses.used(portion.address, portion.size, task)

    def give(self, t: ThreadState, portion: Portion) -> None:
        """free(obj, block)."""
        entry = self.entry
        assert entry.free is not None
        self._lock(t)
        try:
            with t.sim.threads.user_code(t):
                entry.free(entry.obj, portion.block)
            self.log(t, FREE, 0, portion.block, 0)
        finally:
            self._unlock(t)


class _Mutex:
    """Why a thread waits for an allocator."""

    def __init__(self, allocator: ExternalAllocator) -> None:
        self.allocator = allocator

    def describe(self) -> str:
        return "the lock of a stream's allocator, which one of its own functions holds"

    def holders(self) -> list[object]:
        return []


class DefaultAllocator(StreamAllocator):
    """The built-in caching allocator of a stream: blocks are used again in the order of the stream.

    Without room it waits for the stream, gives its free blocks back and tries once more (no external one does that).
    """

    __slots__ = ("free_blocks",)

    pinned = True

    def __init__(self, registry: AllocatorRegistry, key: int) -> None:
        super().__init__(registry, key)
        self.free_blocks: list[Allocation] = []

    def take(self, t: ThreadState, stream: Stream, size: int) -> Portion:
        """A cached block of at most twice the size, else a new one. Raises AclError 500002."""
        fits = [block for block in self.free_blocks if size <= block.capacity <= 2 * size + 512]
        if fits:
            block = min(fits, key=lambda b: (b.capacity, b.number))
            self.free_blocks.remove(block)
        else:
            block = self._new(t, stream, size)
        self.log(t, ALLOC, size, block, block.address)
        return Portion(stream, block, block.address, size)

    def _new(self, t: ThreadState, stream: Stream, size: int) -> Allocation:
        memory, device = t.sim.memory, stream.context.device.index
        rounded = round_up(size, t.sim.profile.padding_size)
        try:
            return memory.allocate(device, size, rounded)
        except OutOfMemory:
            stream.wait_empty(t, None)
            self.release(memory.free)
        try:
            return memory.allocate(device, size, rounded)
        except OutOfMemory as full:
            raise AclError(
                ACL_ERROR_GE_FAILURE, f"the default allocator of {stream.describe()}: {full.text}", "acl"
            ) from None

    def give(self, t: ThreadState, portion: Portion) -> None:
        """Keep the block for the next execution on the stream."""
        self.free_blocks.append(portion.block)
        self.log(t, FREE, 0, portion.block, portion.address)

    def release(self, free: Callable[[Allocation], None]) -> None:
        """Give all free blocks back to the device."""
        blocks, self.free_blocks = self.free_blocks, []
        for block in blocks:
            if not block.freed:
                free(block)


def resolve(t: ThreadState, stream: int, create_default: bool) -> StreamAllocator | None:
    """The allocator for an execution on the stream *handle* as the program gave it (0: NULL); None: there is none.

    A default that was made once stays, whatever is registered later. NULL never sees a registration, not even one for
    the handle of the default stream. Raises AclError 107017 for a dead handle; None without a context.
    """
    if not stream and t.bound_context() is None:
        return None
    target = t.stream(stream)
    registry, key = t.sim.allocators, target.handle
    registry.listen(t.sim)
    cached = registry.resolved.get(key)
    if cached is not None and cached.pinned:
        _tell_ignored(t, target, registry.get(key), "its default allocator was made before and stays")
        return cached
    entry = registry.get(stream) if stream else None
    if not stream:
        _tell_ignored(t, target, registry.get(key), "executions with a NULL stream never look for it")
    if entry is None:
        registry.resolved.pop(key, None)
    else:
        if not isinstance(cached, ExternalAllocator) or not cached.entry.same(entry):
            cached = registry.resolved[key] = ExternalAllocator(registry, key, entry, target)
        _tell_stale(t, target, entry)
        return cached
    if not create_default:
        return None
    made = registry.resolved[key] = DefaultAllocator(registry, key)
    return made


def _tell_ignored(t: ThreadState, stream: Stream, entry: Registration | None, why: str) -> None:
    """The registration has no effect, silently: say so once."""
    if entry is None or entry.reported_ignored:
        return
    entry.reported_ignored = True
    t.sim.report(
        "hidden-error",
        "warning",
        f"the allocator registered for {t.sim.names.described(stream)} is not used: {why}",
        [
            Site("access", "executed here", t.site, primary=True),
            Site("register", "registered here", entry.site),
        ],
        fix="register it before the first execution on the stream, and pass the stream itself",
        time_ns=t.clock,
    )


def _tell_stale(t: ThreadState, stream: Stream, entry: Registration) -> None:
    """The registration was made for an earlier stream with the same handle: say so once."""
    if entry.stream_number in (0, stream.number) or entry.reported_stale:
        return
    entry.reported_stale = True
    t.sim.report(
        "stale-registration",
        "error",
        f"{t.sim.names.described(stream)} uses an allocator that was registered for an earlier stream with the same handle",
        [
            Site("access", "executed here", t.site, primary=True),
            Site("register", "registered here, for the earlier stream", entry.site),
        ],
        fix="aclrtAllocatorUnregister(stream) before the stream is destroyed",
        time_ns=t.clock,
    )
