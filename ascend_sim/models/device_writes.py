"""Bytes that a host call puts into device memory at once: the value of a gear, settings of preprocessing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.memory.allocation import fault_error
from ascend_sim.runtime.memory.told import tell_access

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["put"]


def put(t: ThreadState, address: int, data: bytes) -> None:
    """Write *data* to *address*, observers told. Raises AclError as a copy to the device does."""
    memory = t.sim.memory
    try:
        block = memory.check(address, len(data), True)
        memory.view(address, len(data), True)[:] = memoryview(data)
    except AddressFault as fault:
        raise fault_error(t, fault, "dst") from None
    if block is not None:
        start = address - block.address
        tell_access(t.sim.hooks, t, block, start, start + len(data), True)
