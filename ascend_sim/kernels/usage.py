"""What goes wrong inside kernels: raised in the user's code, turned into a task failure and a finding outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.kernels.gm import Memory

__all__ = ["DeviceTrap", "KernelFault", "KernelUsage", "OutOfBounds"]


class KernelFault(Exception):
    """Base class: *kind* is the kind of the finding."""

    kind = "kernel-exception"


class KernelUsage(KernelFault):
    """The kernel breaks a rule of the notation; the message says what to write."""

    kind = "kernel-usage"


class OutOfBounds(KernelFault):
    """An access outside the memory of a parameter: bytes [lo, hi) of its view."""

    kind = "out-of-bounds"

    def __init__(self, memory: Memory[Any], axis: int, lo: int, hi: int, text: str) -> None:
        super().__init__(text)
        self.memory = memory
        self.axis = axis
        self.lo = lo
        self.hi = hi


class DeviceTrap(KernelFault):
    """`b.trap()`."""

    kind = "task-fault"
