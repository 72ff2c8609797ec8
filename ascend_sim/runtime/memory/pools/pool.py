"""A stream-ordered memory pool: allocating, freeing and trimming its blocks; its attributes (chapter 11-10).

The host keeps the books: an address is known, and a block counts as given back, when the call returns. Whether a block
may be used is decided on the stream (tasks.py), or by the executions of a graph that recorded the calls (in_graphs.py).
Pools of captured graphs and pools that processes share exist only inside of the library: no call of AscendCL leads to
them, and they are not modelled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.machine.pool_region import PoolAllocation, PoolRegion
from ascend_sim.machine.pool_segments import UNIT
from ascend_sim.runtime.memory.allocation import freed_badly, freed_twice, tell_allocated, tell_freed
from ascend_sim.runtime.memory.pools.in_graphs import is_reserved, reserve, without_nodes
from ascend_sim.runtime.memory.pools.reuse import choose
from ascend_sim.runtime.memory.pools.tasks import free_op, malloc_op

if TYPE_CHECKING:
    from ascend_sim.machine.pool_segments import Segment
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.pools.registry import PoolRegistry
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["MemoryPool", "pool_block"]

"""What the pools' own error codes become: no table knows them."""


class MemoryPool:
    """A pool of *size* bytes, a multiple of 2 MiB, on one device. Raises OutOfMemory when no addresses are left."""

    __slots__ = (
        "device", "end_site", "follow_events", "gone", "handle", "internal", "number", "opportunistic", "region",
        "registry", "sim", "site", "threshold",
    )  # fmt: skip

    def __init__(self, sim: Runtime, registry: PoolRegistry, device: int, size: int, site: Any) -> None:
        self.sim = sim
        self.registry = registry
        self.device = device
        self.region = PoolRegion(sim.memory, device, size, self)
        self.number = sim.next_number("memory pool")
        self.site = site
        self.end_site: Any = None
        self.handle = 0
        self.follow_events = self.opportunistic = self.internal = 0
        """The attributes of reuse between streams: 0 or 1."""
        self.threshold = 0
        """Bytes that a synchronisation leaves in the pool."""
        self.gone = False

    def describe(self) -> str:
        """The pool in words."""
        return f"memory pool {self.number}"

    # -- blocks ------------------------------------------------------------------------------------------------------

    def malloc(self, t: ThreadState, size: int, stream: Stream) -> int:
        """A block of *size* bytes in the order of *stream*; its address.

        Raises AclError: 507000 when the pool or the device is full, what submitting raises.
        """
        self._used(t)
        line = stream.recorder.line(stream) if stream.recorder is not None else None
        found = choose(self, -(-size // UNIT) * UNIT, line or stream, self.registry.order)
        segment, reason = found if found is not None else (None, "")
        was = (segment.owner, segment.mark, segment.frees) if segment is not None else (None, 0, ())
        block = self._take(t, size, segment)
        block.after, block.reason = was[2], reason
        if block.former:
            block.earlier = {thread.number: thread.submits for thread in self.sim.threads.attached()}
        try:
            block.alloc_task = stream.submit(t, malloc_op(self.sim, block))
        except AclError:
            self.region.undo(block, *was)
            raise
        if line is not None:
            block.graph = line.graph
        tell_allocated(t, block)
        return block.address

    def _take(self, t: ThreadState, size: int, segment: Segment | None) -> PoolAllocation:
        """The block itself; when the device is full the pools give back what they can."""
        region = self.region
        try:
            try:
                block = region.allocate(size, segment, t.site, t.number)
            except OutOfMemory:
                self.registry.trim_all(t, device=self.device)
                block = region.allocate(size, segment, t.site, t.number)
        except OutOfMemory as full:
            raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"no room for {size} bytes: {full.text}", "driver") from None
        if block is None:
            used, reserved = region.segments.used, region.segments.reserved
            raise AclError(
                ACL_ERROR_RT_INTERNAL_ERROR,
                f"{self.describe()} has no {size} bytes in one piece: {used} of {region.size} are in use, and "
                f"{reserved - used} that were given back wait to be used again or trimmed",
            )
        return block

    def free(self, t: ThreadState, block: PoolAllocation, stream: Stream) -> None:
        """Give *block* back in the order of *stream*. Raises AclError: what submitting raises."""
        line = stream.recorder.line(stream) if stream.recorder is not None else None
        block.releasing = True
        try:
            task = stream.submit(t, free_op(self.sim, self, block))
        except AclError:
            block.releasing = False
            raise
        block.free_task = task
        if not self.gone and not block.freed:
            self.region.release(block, line or stream, self.registry.order.mark(stream), (task,))
            if line is not None:
                reserve(self, block, line)

    # -- memory that was given back ----------------------------------------------------------------------------------

    def trim_to(self, t: HostThread, keep: int) -> None:
        """Give memory back until *keep* bytes are left; never what is in use, nor what a queue may still use.

        Raises AclError 507000: *keep* is more than the pool's size, or less than what is in use.
        """
        self._used(t)
        segments = self.region.segments
        if keep > self.region.size:
            raise AclError(
                ACL_ERROR_RT_INTERNAL_ERROR, f"minBytesToKeep is {keep}: {self.describe()} has {self.region.size} bytes"
            )
        if keep >= segments.reserved:
            return
        if keep < segments.used:
            text = f"minBytesToKeep is {keep}, but {segments.used} bytes of {self.describe()} are in use"
            raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, text)
        self.trim(t, keep)

    def trim(self, t: HostThread, keep: int) -> None:
        """Give memory back down to *keep* bytes, which nobody checks here."""

        def may(segment: Segment) -> bool:
            if is_reserved(segment):
                return False
            for free in segment.frees:
                for observe in self.sim.hooks.pool_asked or ():
                    observe(t, free, free.done)
            return all(free.done for free in segment.frees)

        if self.region.trim(max(keep, self.region.segments.used), may):
            self._used(t)

    # -- attributes --------------------------------------------------------------------------------------------------

    def destroy(self, t: HostThread) -> None:
        """It ends at once, whoever still uses its memory."""
        self._used(t)
        region = self.region
        live = [region.live[address] for address in sorted(region.live)]
        tasks: list[Task] = [block.alloc_task for block in live if block.alloc_task is not None]
        for segment in region.segments.cached():
            tasks += segment.frees
        for observe in self.sim.hooks.pool_gone or ():
            observe(t, self, without_nodes(tasks))
        self.end(t.site)
        for block in live:
            self.sim.report(
                "leak", "warning", f"a block of {block.size} bytes was not given back before its pool was destroyed",
                [
                    Site("alloc", f"{block.size} bytes on device {block.device}", block.site, primary=True),
                    Site("free", f"{self.describe()} is destroyed here", t.site),
                ],
                fix="before that: aclrtMemPoolFreeAsync", time_ns=t.clock,
            )  # fmt: skip
            tell_freed(t, block)
        self.sim.drop_handle(self.handle)

    def end(self, site: Any) -> None:
        """All its memory goes back to the device."""
        self.gone = True
        self.end_site = site
        for block in self.region.close(site):
            for observe in self.sim.hooks.freed or ():
                observe(None, block)
        self.registry.pools.remove(self)

    def lose(self, site: Any) -> None:
        """It goes down with its device."""
        self.end(site)
        self.sim.drop_handle(self.handle)

    def asked(self, t: HostThread) -> None:
        """A call asks about what other threads may change."""
        self._used(t)

    def _used(self, t: HostThread) -> None:
        for observe in self.sim.hooks.pool_used or ():
            observe(t, self)


def pool_block(t: ThreadState, address: int) -> PoolAllocation | None:
    """The block of a pool that starts at *address* and was not given back; None for addresses of no pool.

    Raises AclError 107000, with a finding: given back before, or inside of a block, or of none.
    """
    memory = t.sim.memory
    region = next((region for region in memory.regions if region.contains(address)), None)
    if region is None:
        return None
    region.owner.asked(t)
    block = memory.find(address)
    if not isinstance(block, PoolAllocation):
        freed_badly(t, None, "is given an address of a pool that is in no block")
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"ptr is {memory.describe(address)}: no block of {region.owner.describe()}"
        )
    if block.address != address:
        inside = address - block.address
        freed_badly(
            t, block, f"is given byte {inside} of a block: only the address that the allocation gave can be freed"
        )
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"ptr is {memory.describe(address)}: only the start of a block can be given back",
        )
    if block.releasing or block.freed:
        freed_twice(t, block)
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"ptr is {memory.describe(address)}: it was given back already")
    return block
