"""The memory pools of a process: made here, trimmed by synchronisations, lost with their device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.machine.pool_segments import UNIT
from ascend_sim.runtime.memory.pools.pool import MemoryPool
from ascend_sim.runtime.memory.pools.reuse import EventOrder

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.event import Event
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["PoolRegistry", "pool_registry"]


class PoolRegistry:
    """The pools of one simulator. It listens to records and waits from the first pool on."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.pools: list[MemoryPool] = []
        self.order = EventOrder(self._alive)
        sim.hooks.add("recorded", self.order.recorded)
        sim.hooks.add("awaited", self.order.awaited)
        sim.hooks.add("stream_ended", self.order.stream_ended)

    def create(self, t: ThreadState, device: int, max_size: int) -> MemoryPool:
        """A pool of at most *max_size* bytes (0: all that the device has).

        Raises AclError: 107000 more than the device has, 207000 the product has no pools, 207001 no addresses left.
        """
        total = self.sim.memory.memory_of(device)[1]
        size = -(-max_size // UNIT) * UNIT if max_size else total // UNIT * UNIT
        if size > total:
            text = f"poolProps->maxSize is {max_size}, {size} bytes in pages of 2 MiB: device {device} has {total}"
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
        profile = self.sim.profile
        wanted = {"page": ("A2",), "driver": ("950",)}.get(str(profile.switches["memory_pools"]))
        if wanted is not None and profile.product not in wanted:
            raise AclError(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{profile.name} has no stream-ordered memory pools", "driver"
            )
        try:
            pool = MemoryPool(self.sim, self, device, size, t.site)
        except OutOfMemory as full:
            raise AclError(ACL_ERROR_RT_MEMORY_ALLOCATION, full.text, "driver") from None
        pool.handle = self.sim.new_handle(pool)
        self.pools.append(pool)
        return pool

    def trim_all(self, t: HostThread, device: int = -1) -> bool:
        """Let every pool (of *device*) keep what is in use, or its threshold if that is more. True: that gave memory."""
        before = sum(pool.region.segments.reserved for pool in self.pools)
        for pool in self.pools:
            if device in (-1, pool.device):
                pool.trim(t, pool.threshold)
        return sum(pool.region.segments.reserved for pool in self.pools) < before

    def synchronized(self, t: HostThread) -> None:
        """A synchronisation of the host has ended."""
        if self.pools and self.sim.profile.switches["memory_pool_trim"] == "page":
            self.trim_all(t)

    def of(self, device: int) -> list[MemoryPool]:
        """The pools of *device*."""
        return [pool for pool in self.pools if pool.device == device]

    # -- hooks -------------------------------------------------------------------------------------------------------

    def _alive(self, event: Event) -> bool:
        return self.sim.handles.get(event.handle) is event


def pool_registry(sim: Runtime) -> PoolRegistry:
    """The registry of *sim*, made at its first use."""
    if sim.process.pools is None:
        sim.process.pools = PoolRegistry(sim)
    return sim.process.pools
