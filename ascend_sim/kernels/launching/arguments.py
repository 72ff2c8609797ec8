"""Args handles: argument blocks that are built parameter by parameter (docs/semantics/kernels.md#args-handles)."""

from __future__ import annotations

import numpy as np

from ascend_sim.constants.errors import ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.kernels.launching.binaries import Function
from ascend_sim.machine import host_memory

__all__ = ["BUFFER", "DETAIL", "HEADER", "MOST", "ArgsHandle", "ArgsParameter", "HostBuffer"]

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


class HostBuffer:
    """The memory of a handle: the runtime's own, or *size* bytes of the caller's at *address*."""

    __slots__ = ("_own", "address", "size")

    def __init__(self, size: int, address: int = 0) -> None:
        self._own = np.zeros(size, np.uint8) if not address else None
        self.size = size
        self.address = address if self._own is None else int(self._own.__array_interface__["data"][0])

    def _probe(self, offset: int, size: int, write: bool) -> None:
        allowed = host_memory.writable if write else host_memory.readable
        if self._own is None and not allowed(self.address + offset, size):
            where = f"{self.address + offset:#x}, in the memory of the args handle"
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{size} bytes at {where}, are not there any more", "driver")

    def read(self, offset: int, size: int) -> bytes:
        """Bytes of it. Raises AclError 107000 when the caller's memory is not mapped."""
        if not size:
            return b""
        self._probe(offset, size, False)
        raw: bytes = host_memory.view(self.address + offset, size).tobytes()
        return raw

    def write(self, offset: int, data: bytes) -> None:
        """Change bytes of it. Raises AclError 107000 when the caller's memory is not mapped."""
        self._probe(offset, len(data), True)
        host_memory.view(self.address + offset, len(data))[:] = np.frombuffer(data, np.uint8)


class ArgsHandle:
    """An argument block under construction: open, then (place holder data), then finalised.

    `aclrtKernelArgsInit` gives the same handle again in the same thread, reset; older parameters become stale.
    """

    def __init__(self, function: Function, buffer: HostBuffer, most: int) -> None:
        self.handle = 0
        self.generation = 0
        self.reset(function, buffer, most)

    def describe(self) -> str:
        """The handle in words."""
        return f"the args handle of kernel `{self.function.kernel.name}`"

    def reset(self, function: Function, buffer: HostBuffer, most: int) -> None:
        """Start again for *function*."""
        self.function = function
        self.buffer = buffer
        self.most = most
        self.step = 1 if function.cpu else 8
        self.generation += 1
        self.parameters: list[ArgsParameter] = []
        self.used = 0
        self.state = "open"

    def _room(self, size: int) -> int:
        """The offset for *size* more bytes. Raises AclError 107000 when they do not fit."""
        offset = -(-self.used // self.step) * self.step
        if offset + size > self.buffer.size:
            holds = f"{self.describe()} holds {self.buffer.size}, {self.used} are used"
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{size} bytes do not fit: {holds}")
        return offset

    def _appendable(self) -> None:
        if self.state != "open":
            raise AclError(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{self.describe()} is {self.state}: parameters come before that"
            )
        if len(self.parameters) >= self.most:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"{self.describe()} has {self.most} parameters: no more are possible"
            )

    def append(self, data: bytes) -> ArgsParameter:
        """Add a parameter; its value is copied. Raises AclError 207000 (too late), 107000 (full)."""
        self._appendable()
        offset = self._room(len(data))
        self.buffer.write(offset, data)
        return self._add(ArgsParameter(self, offset, len(data), False))

    def append_place_holder(self) -> ArgsParameter:
        """Add an 8-byte slot that a launch fills with the device address of its data. Raises AclError as `append`."""
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
        if not parameter.place_holder:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{parameter.describe()} is no place holder")
        if self.state in ("finalised", "updated"):
            raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{self.describe()} is {self.state}")
        self.step = 8
        offset = self._room(size)
        self.state = "past its parameters"
        parameter.data, parameter.data_size = offset, size
        self.used = offset + size
        return self.buffer.address + offset

    def update(self, parameter: ArgsParameter, data: bytes) -> None:
        """Replace the value of a parameter. Raises AclError 107000: a place holder, or another size."""
        if parameter.place_holder or parameter.size != len(data):
            what = "a place holder" if parameter.place_holder else f"{parameter.size} bytes long, not {len(data)}"
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{parameter.describe()} is {what}")
        self.buffer.write(parameter.offset, data)
        if self.state == "finalised":
            self.state = "updated"

    def finalize(self) -> None:
        """Ready to launch."""
        self.state = "finalised"

    def check_launchable(self) -> None:
        """Raises AclError 107000: not finalised, updated since, or without any argument."""
        if self.state != "finalised":
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                f"{self.describe()} is {self.state}, not finalised: call aclrtKernelArgsFinalize",
            )
        if not self.used:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{self.describe()} holds no argument")
