"""Workspaces of custom kernels: how much is taken, where each begins, and the memory that a stream keeps for them.

The numbers are those of the real launcher (docs/semantics/operators.md#workspaces): each size is rounded up, and both
the total and the offsets advance by twice the rounded size. The memory never comes from a registered allocator, is not
cleared, and is shared by all custom kernels of a stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_FAILURE, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_MEMORY_ALLOCATION
from ascend_sim.errors import AclError
from ascend_sim.machine.faults import OutOfMemory

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["MOST", "Workspaces", "layout"]

MOST = 16
"""Workspaces that a launch takes; more are accepted before."""
_SIZE_MAX = (1 << 64) - 1
_STEP = 32


def layout(sizes: Sequence[int], padding: int) -> tuple[list[int], int]:
    """The offset of each workspace and the bytes of all.

    Raises AclError 100000: more than 16, or a size that wraps when it is rounded; 500001: the sum wraps.
    """
    if len(sizes) > MOST:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"the kernel has {len(sizes)} workspaces: a launch takes {MOST}", "acl")
    offsets, total = [], 0
    for size in sizes:
        if size + _STEP + padding > _SIZE_MAX:
            raise AclError(
                ACL_ERROR_INVALID_PARAM, f"a workspace of {size} bytes: rounding it up leaves the 64-bit range", "acl"
            )
        rounded = max(_STEP, (size + _STEP + padding - 1) // _STEP * _STEP)
        offsets.append(total)
        total = (total + rounded) & _SIZE_MAX  # the first of two additions: nobody looks whether it wraps
        if total + rounded > _SIZE_MAX:
            raise AclError(ACL_ERROR_FAILURE, f"the workspaces together leave the 64-bit range at {size} bytes", "acl")
        total += rounded
    return offsets, total


class _Holder:
    """The memory of one stream: a block that only grows, and the smaller ones before it."""

    __slots__ = ("block", "pending")

    def __init__(self) -> None:
        self.block: Allocation | None = None
        self.pending: list[Allocation] = []


class Workspaces:
    """The workspace memory of each stream; given back when the stream is destroyed between aclInit and aclFinalize."""

    __slots__ = ("_holders", "_sim")

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self._holders: dict[int, _Holder] = {}
        sim.hooks.add("stream_ended", self._stream_ended)

    def take(self, t: ThreadState, stream: Stream, total: int) -> int:
        """The address of *total* bytes for the next launch on *stream*. Raises AclError 207001."""
        holder = self._holders.setdefault(stream.handle, _Holder())
        block = holder.block
        if block is None or block.size < total:
            if block is not None:
                holder.pending.append(block)
                holder.block = None
            try:
                block = self._sim.memory.allocate(stream.context.device.index, total, -(-total // _STEP) * _STEP)
            except OutOfMemory as full:
                text = f"no room for {total} bytes of workspaces (each counts twice): {full.text}"
                raise AclError(ACL_ERROR_RT_MEMORY_ALLOCATION, text, "driver") from None
            holder.block = block
        return int(block.address)

    def bytes_of(self, stream: int) -> int:
        """What the stream of this handle holds, blocks that wait for their end included."""
        holder = self._holders.get(stream)
        blocks = [] if holder is None else [*holder.pending, *([holder.block] if holder.block else [])]
        return sum(block.size for block in blocks)

    def _stream_ended(self, stream: Stream) -> None:
        if not self._sim.process.init_count:
            return  # the library listens between aclInit and aclFinalize only
        holder = self._holders.pop(stream.handle, None)
        if holder is not None:
            for block in (*holder.pending, holder.block):
                if block is not None and not block.freed:
                    self._sim.memory.free(block)
