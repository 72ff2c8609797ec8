"""What goes wrong inside kernels: raised in the user's code, turned into a task failure and a finding outside.

What they are: docs/semantics/kernels.md#mistakes-in-kernels. *text* says what happened, *cure* what to write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.kernels.language.memory import Memory

__all__ = ["BadPointer", "DeviceTrap", "KernelFault", "KernelUsage", "OutOfBounds"]


class KernelFault(Exception):
    """Base class: *kind* is the kind of the finding."""

    kind = "kernel-exception"

    def __init__(self, text: str, cure: str = "") -> None:
        super().__init__(f"{text}: {cure}" if cure else text)
        self.text = text
        self.cure = cure


class KernelUsage(KernelFault):
    """The kernel breaks a rule of the notation; the cure says what to write."""

    kind = "kernel-usage"


class OutOfBounds(KernelFault):
    """An access outside the memory of a parameter: bytes [lo, hi) of the view that the parameter is, as *shown*."""

    kind = "out-of-bounds"

    def __init__(self, memory: Memory[Any], lo: int, hi: int, shown: str, text: str, cure: str = "") -> None:
        super().__init__(text, cure)
        self.memory = memory
        self.lo = lo
        self.hi = hi
        self.shown = shown


class BadPointer(KernelFault):
    """Memory is used through an argument that names none of the device: NULL, a host pointer, freed, misaligned."""

    def __init__(self, text: str, kind: str = "out-of-bounds", allocation: Any = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.allocation = allocation
        """The allocation that the pointer leads to, when there is one."""


class DeviceTrap(KernelFault):
    """`b.trap()`."""

    kind = "task-fault"
