"""Shared buffers: a data area that several buffers may refer to, a private area each, and chains.

See docs/semantics/queues.md#buffers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_ERROR_RT_OVER_LIMIT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.runtime.memory.allocation import tell_allocated, tell_freed
from ascend_sim.runtime.queues.entries import USER_BYTES

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["SharedBuffer", "allocate_buffer"]

MOST_IN_CHAIN: Final = 128
LARGEST: Final = 4 << 30


class DataArea:
    """The memory that buffers refer to; `users` counts them."""

    __slots__ = ("block", "size", "users")

    def __init__(self, block: Allocation, size: int) -> None:
        self.block = block
        self.size = size
        self.users = 0


class SharedBuffer:
    """One buffer. `chain` are those behind it when it is the head of a chain, `head` is that of one inside."""

    __slots__ = ("area", "chain", "handle", "head", "length", "number", "user")

    def __init__(self, sim: Runtime, area: DataArea) -> None:
        self.area = area
        area.users += 1
        self.length = 0
        """How many bytes are valid, as the program says."""
        self.user = bytearray(USER_BYTES)
        self.chain: list[SharedBuffer] = []
        self.head: SharedBuffer | None = None
        self.number = sim.next_number("shared buffer")
        self.handle = sim.new_handle(self)

    def describe(self) -> str:
        """The buffer in words."""
        return f"shared buffer {self.number} ({self.area.size} bytes)"

    def set_length(self, length: int) -> None:
        """Raises AclError 107000 for 0 and for more than the data area holds."""
        if not 0 < length <= self.area.size:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"len is {length}: {self.describe()} takes 1 to {self.area.size}", "driver"
            )
        self.length = length

    def copy(self, sim: Runtime) -> SharedBuffer:
        """A buffer of its own upon the same data area, with the private area; of a head, the whole chain."""
        made = SharedBuffer(sim, self.area)
        made.length, made.user = self.length, bytearray(self.user)
        made.chain = [each.copy(sim) for each in self.chain]
        for each in made.chain:
            each.head = made
        return made

    def free(self, t: HostThread) -> None:
        """Free the buffer, with its chain; the data areas go with the last buffers that refer to them.

        Raises AclError 107000 for one inside a chain.
        """
        self.need_head()
        for each in (*self.chain, self):
            t.sim.drop_handle(each.handle)
            each.area.users -= 1
            if not each.area.users:
                t.sim.memory.free(each.area.block, t.site)
                each.area.block.free_ns = t.clock
                tell_freed(t, each.area.block)
        self.chain = []

    def need_head(self) -> None:
        """Raises AclError 107000 for a buffer inside a chain."""
        if self.head is not None:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"{self.describe()} is in the chain of {self.head.describe()}", "driver"
            )

    def append(self, other: SharedBuffer) -> None:
        """Put *other*, with its chain, behind this chain.

        Raises AclError 507899 (itself), 107000 (one of them is inside a chain), 207012 (more than 128).
        """
        if other is self:
            raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"{self.describe()} cannot follow itself", "driver")
        self.need_head()
        other.need_head()
        count = 2 + len(self.chain) + len(other.chain)
        if count > MOST_IN_CHAIN:
            raise AclError(
                ACL_ERROR_RT_OVER_LIMIT, f"the chain would have {count} buffers: {MOST_IN_CHAIN} are the most", "driver"
            )
        more = [other, *other.chain]
        other.chain = []
        for each in more:
            each.head = self
        self.chain += more

    def rename(self, sim: Runtime) -> None:
        """Live on under new handles: who put the buffer into a queue has no right to it any more."""
        for each in (self, *self.chain):
            sim.drop_handle(each.handle)
            each.handle = sim.new_handle(each)


def allocate_buffer(t: ThreadState, size: int) -> SharedBuffer:
    """A buffer with a data area of *size* bytes, zeroed. Raises AclError 107000 (size), 207001 (no room)."""
    if not 0 < size <= LARGEST:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"size is {size}: 1 to {LARGEST} is required", "driver")
    try:
        block = t.sim.memory.allocate_host(size, -(-size // 64) * 64, site=t.site, thread=t.number)
    except OutOfMemory as full:
        raise AclError(ACL_ERROR_RT_MEMORY_ALLOCATION, f"no room for {size} bytes: {full.text}", "driver") from None
    tell_allocated(t, block)
    return SharedBuffer(t.sim, DataArea(block, size))
