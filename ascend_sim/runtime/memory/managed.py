"""Advice about managed memory, and where it was prefetched to, page by page. No byte depends on it.

See docs/semantics/memory.md#managed-memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["HOST", "NOWHERE", "Advice", "ManagedMemory", "managed_range"]

UNIT = 2 << 20
HOST, NOWHERE = -1, -2
INVALID_TYPE = 0


class Advice:
    """What was said of one page. A place is (type, number), as the C struct has it."""

    __slots__ = ("accessed_by", "preferred", "prefetched", "read_mostly")

    def __init__(self) -> None:
        self.read_mostly = False
        self.preferred: tuple[int, int] | None = None
        self.prefetched: tuple[int, int] | None = None
        self.accessed_by: set[tuple[int, int]] = set()


class ManagedMemory:
    """`sim.part(ManagedMemory)`: the pages of which something was said."""

    def __init__(self, sim: Runtime) -> None:
        self._pages: dict[tuple[Allocation, int], Advice] = {}

    def pages(self, block: Allocation, address: int, nbytes: int) -> list[Advice]:
        """The pages of a range of a live managed *block*."""
        first = address - block.address
        numbers = range(first // UNIT, -(-(first + nbytes) // UNIT))
        return [self._pages.setdefault((block, n), Advice()) for n in numbers]


def managed_range(t: ThreadState, address: int, nbytes: int, whole: bool = True) -> Allocation:
    """The managed block of a range. Raises AclError 107000: none, or with *whole* not in units of 2 MiB."""
    block = t.sim.memory.find(address)
    if block is None or block.freed or block.kind != "managed":
        text = f"ptr is {t.sim.memory.describe(address)}: memory from aclrtMemAllocManaged is required"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text, "driver")
    if address - block.address + nbytes > block.capacity:
        text = f"{nbytes} bytes from {address:#x} leave {block.describe()}"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text, "driver")
    if whole and nbytes % UNIT:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"size is {nbytes}: a multiple of 2 MiB is required", "driver")
    return block
