"""What can be wrong with an address, in the words of the machine; the runtime turns it into a code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation

__all__ = ["AddressFault", "OutOfMemory"]


class AddressFault(Exception):
    """An address range that cannot be used.

    *kind* is ``"unallocated"`` (in a device's range, nobody's block), ``"freed"``, ``"bounds"`` (starts in *block* and
    leaves it), ``"interior"`` (a free inside *block*), ``"unmapped"`` (host pages that cannot be touched),
    ``"unknown"`` (a free of what no allocator returned) or ``"wrapped"`` (beyond 2**64).
    """

    def __init__(self, kind: str, text: str, address: int, nbytes: int = 0, block: Allocation | None = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.address = address
        self.nbytes = nbytes
        self.block = block


class OutOfMemory(Exception):
    """No room: *text* says of what, how much was asked and how much is free."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text
