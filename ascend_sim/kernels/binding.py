"""From argument bytes to what a kernel function gets: references to memory, numbers of their C type, structs."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_sim.errors import AclError
from ascend_sim.kernels import gm
from ascend_sim.kernels.block import Block, Blocks
from ascend_sim.kernels.structs import Struct
from ascend_sim.machine.faults import AddressFault

if TYPE_CHECKING:
    from ascend_sim.kernels.kernel import Kernel, Parameter
    from ascend_sim.kernels.running import Launch
    from ascend_sim.machine.address_space import AddressSpace
    from ascend_sim.machine.blocks import Block as Allocation

__all__ = ["ArgumentFault", "Bound", "bind", "make_blocks"]

_CODES = {
    "u1": "B",
    "i1": "b",
    "u2": "H",
    "i2": "h",
    "u4": "I",
    "i4": "i",
    "u8": "Q",
    "i8": "q",
    "f4": "f",
    "f8": "d",
    "f2": "e",
    "b1": "?",
}


class ArgumentFault(Exception):
    """An argument that names no memory the device can use."""

    def __init__(self, parameter: str, text: str, fault: AddressFault | None = None) -> None:
        super().__init__(text)
        self.parameter = parameter
        self.fault = fault


class CopyingIn(gm.In[Any]):
    """Memory that the kernel reads and also writes through another parameter: loads are copies."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(key).copy()


class Bound:
    """The arguments of one launch, ready for every block; kept for launches with the same bytes."""

    __slots__ = ("allocations", "arguments", "blocks", "memories")

    def __init__(self, arguments: list[Any], memories: list[gm.Memory[Any]], allocations: list[Allocation]) -> None:
        self.arguments = arguments
        self.memories = memories
        self.allocations = allocations
        self.blocks: list[Any] = []

    def live(self) -> bool:
        """Whether the memory is still what it was when the arguments were bound."""
        return not any(allocation.freed for allocation in self.allocations)


def unpacker(kernel: Kernel) -> struct.Struct:
    """The arguments as a `struct` format, padding included: several times faster than a numpy record."""
    at, parts = 0, ["<"]
    for parameter in kernel.parameters:
        stored, offset = kernel.fields[parameter.name]
        if offset > at:
            parts.append(f"{offset - at}x")
        code = _CODES.get(stored.str[1:]) if stored.names is None else None
        parts.append(code if code is not None else f"{stored.itemsize}s")
        at = offset + stored.itemsize
    return struct.Struct("".join(parts))


def bind(kernel: Kernel, raw: bytes, memory: AddressSpace, device: int, log: list[int] | None) -> Bound:
    """Resolve the arguments in *raw* (at least `kernel.needed` bytes) on *device*.

    Raises ArgumentFault: a pointer that is no device memory, or freed, or misaligned.
    """
    arguments: list[Any] = []
    memories: list[gm.Memory[Any]] = []
    allocations: list[Allocation] = []
    written = set()
    values = unpacker(kernel).unpack_from(raw)
    found: list[tuple[Parameter, int, Allocation]] = []
    for parameter, value in zip(kernel.parameters, values, strict=True):
        if parameter.form == "memory":
            allocation = _allocation(parameter, value, memory, device)
            found.append((parameter, value, allocation))
            if parameter.memory.writes:
                written.add(allocation)
    places = iter(found)
    for parameter, value in zip(kernel.parameters, values, strict=True):
        if parameter.form == "memory":
            _, address, allocation = next(places)
            kind = CopyingIn if parameter.memory is gm.In and allocation in written else parameter.memory
            start = address - allocation.address
            if allocation.kind == "registered":
                start = address - allocation.alias
            memory.reach(allocation, 0, 0)
            count = max(allocation.size - start, 0) // parameter.dtype.itemsize
            whole = allocation.bytes
            assert whole is not None
            array = whole[start : start + count * parameter.dtype.itemsize].view(parameter.dtype)
            reference = kind(parameter.name, allocation, array, start, log, 4 * len(memories))
            arguments.append(reference)
            memories.append(reference)
            allocations.append(allocation)
        elif parameter.form == "struct":
            arguments.append(_struct(parameter, value))
        elif isinstance(value, bytes):
            arguments.append(np.frombuffer(value, parameter.dtype, 1)[0])
        else:
            arguments.append(parameter.dtype.type(value))
    return Bound(arguments, memories, allocations)


def _struct(parameter: Parameter, raw: bytes) -> Any:
    kind = parameter.struct
    return kind.unpack(raw) if issubclass(kind, Struct) else kind.from_buffer_copy(raw)


def _allocation(parameter: Parameter, address: int, memory: AddressSpace, device: int) -> Allocation:
    name = parameter.name
    block = memory.find(address)
    if block is None:
        aliased = memory.aliased(address)
        if aliased is not None:
            return aliased[0]
        raise ArgumentFault(
            name, f"`{name}` is {memory.describe(address) if address else 'NULL'}: no memory of the device"
        )
    if block.device < 0 and block.kind != "managed":
        if block.kind == "host":
            return block  # page-locked memory is mapped for the device (memory/semantics.md 2)
        raise ArgumentFault(name, f"`{name}` is {memory.describe(address)}: host memory, a kernel needs device memory")
    if block.freed:
        fault = AddressFault("freed", f"`{name}` is {memory.describe(address)}", address, 0, block)
        raise ArgumentFault(name, str(fault), fault)
    if block.device not in (device, -1):
        raise ArgumentFault(name, f"`{name}` is memory of device {block.device}, the kernel runs on device {device}")
    alignment = parameter.dtype.alignment if parameter.dtype.names else parameter.dtype.itemsize
    if address % max(alignment, 1):
        raise ArgumentFault(name, f"`{name}` is {address:#x}: {parameter.dtype} needs a multiple of {alignment}")
    return block


def make_blocks(launch: Launch, kernel: Kernel, num: int) -> list[Any]:
    """The Block objects of a launch with *num* blocks (groups), cube cores of a group before its vector cores."""
    if kernel.batch:
        return [Blocks(launch, num)]
    if kernel.kind == "aiv":
        return [Block(launch, i, num, False, 0, 1) for i in range(num)]
    if kernel.kind == "aic":
        return [Block(launch, i, num, True, 0, 1) for i in range(num)]
    subs = 2 if kernel.kind == "mix12" else 1
    made = []
    for i in range(num):
        made.append(Block(launch, i, num, True, 0, subs))
        made += [Block(launch, i, num, False, sub, subs) for sub in range(subs)]
    return made


def check_size(kernel: Kernel, given: int) -> None:
    """Raises AclError 107000 when an argument block of *given* bytes is too short for *kernel*."""
    if given < kernel.needed:
        raise AclError(
            107000, f"kernel `{kernel.name}` needs {kernel.needed} bytes of arguments, the launch gave {given}"
        )
