"""From argument bytes to what a kernel function gets: references to memory, numbers of their C type, structs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_sim.kernels import gm
from ascend_sim.kernels.memory import CODES, Log, Memory
from ascend_sim.kernels.usage import BadPointer
from ascend_sim.machine.faults import AddressFault

if TYPE_CHECKING:
    from ascend_sim.kernels.kernel import Kernel
    from ascend_sim.kernels.signature import Parameter
    from ascend_sim.machine.address_space import AddressSpace
    from ascend_sim.machine.blocks import Block as Allocation
    from ascend_sim.runtime.device import Device

__all__ = ["Bound", "bind"]

UsedAfterFree = Callable[[Memory[Any], BadPointer], None]
"""What happens when freed memory is used: raises, or reports and lets the kernel go on with what is there."""


class Bound:
    """The arguments of one launch, ready for every block; kept for launches with the same bytes."""

    __slots__ = ("allocations", "arguments", "keep", "log", "memories")

    def __init__(self, arguments: list[Any], memories: list[Memory[Any]], log: Log | None) -> None:
        self.arguments = arguments
        self.memories = memories
        self.log = log
        self.keep = log is None and all(memory.trouble is None for memory in memories)
        """Good for further launches with the same bytes."""
        self.allocations = [memory.block for memory in memories if memory.block is not None]

    def live(self) -> bool:
        """Whether the memory is still what it was when the arguments were bound."""
        for allocation in self.allocations:  # noqa: SIM110 - a generator costs four times as much
            if allocation.freed:
                return False
        return True


class _Trouble:
    """A pointer that leads to no usable memory of the device: told at the first access, if there is one."""

    __slots__ = ("error", "used")

    def __init__(self, error: BadPointer, used: UsedAfterFree | None) -> None:
        self.error = error
        self.used = used

    def __call__(self, memory: Memory[Any]) -> None:
        if self.used is None:
            raise self.error
        self.used(memory, self.error)


def bind(
    kernel: Kernel, raw: bytes, memory: AddressSpace, device: Device, log: Log | None, used_after_free: UsedAfterFree
) -> Bound:
    """Resolve the arguments in *raw* (at least `kernel.needed` bytes) on *device*.

    Pointers that lead nowhere raise only when the kernel uses them.
    """
    arguments: list[Any] = []
    memories: list[Memory[Any]] = []
    for parameter, value in zip(kernel.parameters, kernel.unpack(raw), strict=True):
        if parameter.form == "memory":
            reference = _memory(parameter, value, memory, device, log, CODES * len(memories), used_after_free)
            arguments.append(reference)
            memories.append(reference)
        elif parameter.form == "struct":
            arguments.append(parameter.unpack_struct(value))
        elif isinstance(value, bytes):
            arguments.append(np.frombuffer(value, parameter.dtype, 1)[0])
        else:
            arguments.append(parameter.dtype.type(value))
    if len(memories) > 1:
        _copy_aliased(arguments, memories)
    return Bound(arguments, memories, log)


def _copy_aliased(arguments: list[Any], memories: list[Memory[Any]]) -> None:
    """An In whose allocation is also written through another parameter gives copies."""
    written = {memory.block for memory in memories if memory.writes}
    for memory in memories:
        if not memory.writes and memory.block in written and memory.block is not None:
            copying: Memory[Any] = gm.CopyingIn(
                memory.name, memory.dtype, memory.block, memory.base, memory.space, memory.log, memory.code,
                memory.struct,
            )  # fmt: skip
            copying.trouble = memory.trouble
            arguments[arguments.index(memory)] = copying
            memories[memories.index(memory)] = copying


def _memory(
    parameter: Parameter, address: int, memory: AddressSpace, device: Device, log: Log | None, code: int,
    used_after_free: UsedAfterFree,
) -> Memory[Any]:  # fmt: skip
    block = memory.find(address)
    base = 0
    trouble: _Trouble | None = None
    if block is None:
        aliased = memory.aliased(address)
        if aliased is not None:
            block, base = aliased
    else:
        base = address - block.address
    if block is None or block.freed or block.device != device.index or address % parameter.alignment:
        try:
            _look(parameter.name, parameter, address, block, memory, device)
        except BadPointer as error:
            freed = block is not None and block.freed
            trouble = _Trouble(error, used_after_free if freed else None)
    made: Memory[Any] = parameter.memory(
        parameter.name, parameter.dtype, block, base, memory, log, code, parameter.struct
    )
    if trouble is not None:
        made.trouble = trouble
    return made


def _look(
    name: str, parameter: Parameter, address: int, block: Allocation | None, memory: AddressSpace, device: Device
) -> None:
    """Why kernels on *device* may not use *address*. Raises BadPointer."""
    if block is None:
        what = memory.describe(address) if address else "NULL"
        raise BadPointer(f"`{name}` is {what}: no memory of device {device.index}")
    if block.freed:
        raise BadPointer(f"`{name}` is {memory.describe(address)}", "use-after-free", block)
    if block.kind == "registered":
        if not block.alias <= address < block.alias + block.capacity:
            cure = "pass what aclrtHostGetDevicePointer gives"
            raise BadPointer(f"`{name}` is {memory.describe(address)}: host memory; {cure}", "out-of-bounds", block)
        try:
            memory.check(block.address, block.capacity, parameter.memory.writes)
        except AddressFault as fault:
            raise BadPointer(f"`{name}` is registered host memory that is not mapped: {fault}") from None
    elif block.device >= 0 and block.device != device.index and block.device not in device.peers:
        text = f"`{name}` is {memory.describe(address)} on device {block.device}, the kernel runs on {device.index}"
        raise BadPointer(f"{text}: no peer access was enabled", "out-of-bounds", block)
    if address % parameter.alignment:
        text = f"`{name}` is {address:#x}: {parameter.dtype} needs a multiple of {parameter.alignment}"
        raise BadPointer(text, "task-fault", block)
