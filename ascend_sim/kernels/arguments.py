"""Args handles: argument blocks that are built parameter by parameter (``spec/memory/semantics.md`` 7)."""

from __future__ import annotations

import numpy as np

from ascend_sim.errors import AclError
from ascend_sim.kernels.binaries import Function

__all__ = ["BUFFER", "DETAIL", "HEADER", "MOST", "ArgsHandle", "ArgsParameter"]

BUFFER = 64 << 10
MOST = 128
"""Bytes and parameters of a handle in system memory."""
HEADER, DETAIL = 128, 24
"""What aclrtKernelArgsGetHandleMemSize counts: a header, and so much for each parameter."""


class ArgsParameter:
    """One parameter of a handle: where it lies; a place holder also where its data lies."""

    __slots__ = ("data", "data_size", "generation", "handle", "offset", "owner", "place_holder", "size")

    def __init__(self, owner: ArgsHandle, offset: int, size: int, place_holder: bool) -> None:
        self.owner = owner
        self.generation = owner.generation
        self.offset = offset
        self.size = size
        self.place_holder = place_holder
        self.data = 0
        self.data_size = 0
        self.handle = 0

    def describe(self) -> str:
        """The parameter in words."""
        return f"a parameter at byte {self.offset} of an args handle"


class ArgsHandle:
    """An argument block under construction: open, then (place holder data), then finalised.

    `aclrtKernelArgsInit` gives the same handle again in the same thread, reset; older parameters become stale.
    """

    def __init__(self, function: Function, size: int, most: int) -> None:
        self.buffer = np.zeros(size, np.uint8)
        self.handle = 0
        self.generation = 0
        self.reset(function, size, most)

    def describe(self) -> str:
        """The handle in words."""
        return f"the args handle of kernel `{self.function.kernel.name}`"

    def reset(self, function: Function, size: int, most: int) -> None:
        """Start again for *function*."""
        self.function = function
        self.size = size
        self.most = most
        self.step = 1 if function.cpu else 8
        self.generation += 1
        self.parameters: list[ArgsParameter] = []
        self.used = 0
        self.state = "open"

    @property
    def address(self) -> int:
        """The true address of the block."""
        return int(self.buffer.__array_interface__["data"][0])

    def _room(self, size: int) -> int:
        """The offset for *size* more bytes. Raises AclError 107000 when they do not fit."""
        offset = -(-self.used // self.step) * self.step
        if offset + size > self.size:
            raise AclError(
                107000, f"{size} bytes do not fit: {self.describe()} holds {self.size}, {self.used} are used"
            )
        return offset

    def _appendable(self) -> None:
        if self.state != "open":
            raise AclError(207000, f"{self.describe()} is {self.state}: parameters come before that")
        if len(self.parameters) >= self.most:
            raise AclError(107000, f"{self.describe()} has {self.most} parameters: no more are possible")

    def append(self, data: bytes) -> ArgsParameter:
        """Add a parameter; its value is copied."""
        self._appendable()
        offset = self._room(len(data))
        self.buffer[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
        return self._add(ArgsParameter(self, offset, len(data), False))

    def append_place_holder(self) -> ArgsParameter:
        """Add an 8-byte slot that a launch fills with the device address of its data."""
        self._appendable()
        return self._add(ArgsParameter(self, self._room(8), 8, True))

    def _add(self, parameter: ArgsParameter) -> ArgsParameter:
        self.parameters.append(parameter)
        self.used = parameter.offset + parameter.size
        return parameter

    def place_holder_buffer(self, parameter: ArgsParameter, size: int) -> int:
        """The host address where the caller writes the data of a place holder. No parameter may follow.

        Raises AclError 107000 (no place holder, no room), 207000 (finalised).
        """
        if self.state == "finalised":
            raise AclError(207000, f"{self.describe()} is finalised")
        if not parameter.place_holder:
            raise AclError(107000, f"{parameter.describe()} is no place holder")
        self.step = 8
        offset = self._room(size)
        self.state = "past its parameters"
        parameter.data, parameter.data_size = offset, size
        self.used = offset + size
        return self.address + offset

    def update(self, parameter: ArgsParameter, data: bytes) -> None:
        """Replace the value of a parameter. Raises AclError 107000: a place holder, or another size."""
        if parameter.place_holder or parameter.size != len(data):
            what = "a place holder" if parameter.place_holder else f"{parameter.size} bytes long, not {len(data)}"
            raise AclError(107000, f"{parameter.describe()} is {what}")
        self.buffer[parameter.offset : parameter.offset + parameter.size] = np.frombuffer(data, np.uint8)
        if self.state == "finalised":
            self.state = "updated"

    def finalize(self) -> None:
        """Ready to launch."""
        self.state = "finalised"

    def check_launchable(self) -> None:
        """Raises AclError 107000: not finalised, updated since, or without any argument."""
        if self.state != "finalised":
            raise AclError(107000, f"{self.describe()} is {self.state}, not finalised: call aclrtKernelArgsFinalize")
        if not self.used:
            raise AclError(107000, f"{self.describe()} holds no argument")
