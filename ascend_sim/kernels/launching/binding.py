"""From argument bytes to what a kernel function gets: references to memory, numbers of their C type, structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_sim.kernels.language import gm
from ascend_sim.kernels.language.errors import BadPointer
from ascend_sim.kernels.language.memory import CODES, Log, Memory
from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.memory.pools.tasks import meant_by

if TYPE_CHECKING:
    from ascend_sim.kernels.language.kernel import Kernel
    from ascend_sim.kernels.language.signature import Parameter
    from ascend_sim.kernels.launching.launch import Launch
    from ascend_sim.machine.address_space import AddressSpace
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.device import Device
    from ascend_sim.runtime.task import Task

__all__ = ["PINNED", "Bound", "look_at_pinned"]


_NOWHERE = (0, 0)


class Bound:
    """The arguments of launches of a kernel on a device, ready for every block.

    The same objects serve one launch after the other: `bind` moves those that changed. *log* is where accesses go.
    """

    __slots__ = (
        "_aliases", "_buffer", "_device", "_index", "_kernel", "_needed", "_numbers", "_pointers", "_ranges", "_space",
        "_structs", "_unpack", "arguments", "frees", "log", "memories", "raw",
    )  # fmt: skip

    def __init__(self, kernel: Kernel, space: AddressSpace, device: Device, log: Log | None = None) -> None:
        self._kernel = kernel
        self._space = space
        self._device = device
        self._index = device.index
        self.frees = -1
        """`AddressSpace.frees` when they were bound: after another free the memory may be gone."""
        self.log = log
        self.raw: bytes | None = None
        """The bytes that `arguments` were made from."""
        self.memories: list[Memory[Any]] = []
        self.arguments: list[Any] = []
        self._unpack = kernel.unpack_pointers
        self._needed = kernel.needed
        self._buffer = memoryview(bytearray(kernel.needed))
        self._ranges: list[tuple[int, int]] = []
        """For each address the allocation that it led to last, as long as nothing is freed."""
        self._pointers: list[tuple[int, int, int]] = []
        """Parameters that are memory: place among all and among the addresses, alignment of the elements."""
        self._numbers: list[tuple[int, Any]] = []
        """Numbers: place, and an array that sees it in the buffer. It gives numpy scalars quickest."""
        self._structs: list[tuple[int, Parameter, int, int]] = []
        for i, parameter in enumerate(kernel.parameters):
            dtype, offset = kernel.fields[parameter.name]
            argument: Any = None
            if parameter.form == "memory":
                argument = parameter.memory(
                    parameter.name, parameter.dtype, None, 0, space, log, CODES * len(self.memories), parameter.struct
                )
                self._pointers.append((i, len(self.memories), parameter.alignment))
                self.memories.append(argument)
                self._ranges.append(_NOWHERE)
            elif parameter.form == "number":
                self._numbers.append((i, np.frombuffer(self._buffer, dtype, 1, offset)))
            else:
                self._structs.append((i, parameter, offset, offset + dtype.itemsize))
            self.arguments.append(argument)
        self._aliases = len({memory.writes for memory in self.memories}) == 2

    def bind(self, raw: bytes, frees: int, launch: Launch, task: Task) -> None:
        """Take the arguments in *raw* (at least `kernel.needed` bytes) for *task*; *frees* is `AddressSpace.frees`.

        Pointers that lead nowhere raise only when the kernel uses them.
        """
        self.raw = raw
        ranges = self._ranges
        if self.frees != frees:
            ranges[:] = [_NOWHERE] * len(ranges)
            self.frees = frees
        self._buffer[:] = raw if len(raw) == self._needed else raw[: self._needed]
        arguments = self.arguments
        for i, number in self._numbers:
            arguments[i] = number[0]
        if self._structs:
            for i, parameter, offset, end in self._structs:
                arguments[i] = parameter.unpack_struct(raw[offset:end])
        moved = False
        addresses = self._unpack(raw)
        for i, n, alignment in self._pointers:  # zip would cost as much as all the rest
            value = addresses[n]
            low, high = ranges[n]
            if low <= value < high and not value % alignment:
                memory = arguments[i]
                base = value - low
                if base != memory.base:
                    memory.base = base
                    if memory.shown:
                        memory.move(memory.allocation, base)
            else:
                moved = True
                ranges[n] = self._find(arguments[i], value, self._kernel.parameters[i], launch, task)
        if moved and self._aliases:
            self._copy_aliased()

    def _find(
        self, memory: Memory[Any], address: int, parameter: Parameter, launch: Launch, task: Task
    ) -> tuple[int, int]:
        """Look for *address*; returns the addresses within which *memory* may just be moved while nothing is freed."""
        space = self._space
        allocation = space.find(address)
        base = 0
        fixed = True
        if allocation is not None and allocation.pool is not None:
            fixed = not allocation.former  # else tasks that were queued before mean another allocation at this address
            allocation = meant_by(allocation, task, address)  # type: ignore[arg-type]
        if allocation is None:
            aliased = space.aliased(address)
            if aliased is not None:
                allocation, base = aliased
        else:
            base = address - allocation.address
        memory.move(allocation, base)
        if allocation is None or allocation.freed or allocation.device != self._index or address % parameter.alignment:
            try:
                _look(parameter, address, allocation, space, self._device)
            except BadPointer as error:
                goes_on = allocation is not None and (allocation.freed or error.kind == PINNED)
                memory.trouble = _BadArgument(error, launch if goes_on else None, task)
                self.frees = -1  # bind again before the next launch
                return _NOWHERE
        if not fixed:
            self.frees = -1  # as well
        elif allocation is not None and not allocation.alias:
            return allocation.address, allocation.address + allocation.capacity
        return _NOWHERE

    def _copy_aliased(self) -> None:
        """An In whose allocation is also written through another parameter gives copies."""
        written = {memory.allocation for memory in self.memories if memory.writes}
        for n, memory in enumerate(self.memories):
            if memory.writes:
                continue
            kind = gm.CopyingIn if memory.allocation in written and memory.allocation is not None else gm.In
            if type(memory) is not kind:
                other: Memory[Any] = kind(
                    memory.name, memory.dtype, memory.allocation, memory.base, memory.space, memory.log, memory.code,
                    memory.struct,
                )  # fmt: skip
                other.trouble = memory.trouble
                self.memories[n] = other
                at = next(i for i, argument in enumerate(self.arguments) if argument is memory)
                self.arguments[at] = other


PINNED = "undefined-use"
"""The kind of finding about page-locked memory, where a driver may have mapped it."""


class _BadArgument:
    """A pointer that leads to no usable memory of the device: reported at the first access, if there is one."""

    __slots__ = ("error", "launch", "task")

    def __init__(self, error: BadPointer, launch: Launch | None, task: Task) -> None:
        self.error = error
        self.launch = launch
        """Set for freed and for page-locked memory: it decides what comes of it."""
        self.task = task

    def __call__(self, memory: Memory[Any]) -> None:
        if self.launch is None:
            raise self.error
        self.launch.used_all_the_same(self.task, memory, self.error)


def look_at_pinned(device: Device, text: str, allocation: Allocation) -> None:
    """Page-locked host memory where the device expects its own. Raises BadPointer, as the profile's switch says."""
    mode = device.sim.profile.switches["pinned_memory_in_kernel"]
    if mode != "mapped":
        cure = "use device memory, or register it and pass what aclrtHostGetDevicePointer gives"
        raise BadPointer(f"{text}: a host address; {cure}", "out-of-bounds" if mode == "fault" else PINNED, allocation)


def _look(
    parameter: Parameter, address: int, allocation: Allocation | None, memory: AddressSpace, device: Device
) -> None:
    """Why kernels on *device* may not use *address*. Raises BadPointer."""
    name = parameter.name
    if not address:
        raise BadPointer(f"`{name}` is NULL")
    what = memory.describe(address).partition(", ")[2]  # reports name no addresses: they change between runs
    if allocation is None:
        shown = memory.virtual.mapping_at(address) if memory.virtual is not None else None
        if shown is not None:
            raise BadPointer(f"`{name}` is {what}", "peer-access", shown)
        raise BadPointer(f"`{name}` points to no memory of device {device.index}: it is {what}")
    if allocation.freed:
        raise BadPointer(f"`{name}` is {what}", "use-after-free", allocation)
    if allocation.kind == "registered":
        if not allocation.alias <= address < allocation.alias + allocation.capacity:
            cure = "pass what aclrtHostGetDevicePointer gives"
            raise BadPointer(f"`{name}` is {what}: a host address; {cure}", "out-of-bounds", allocation)
        try:
            memory.check(allocation.address, allocation.capacity, parameter.memory.writes)
        except AddressFault as fault:
            raise BadPointer(f"`{name}` is registered host memory that is not mapped: {fault}") from None
    elif (
        allocation.device >= 0
        and allocation.device != device.index
        and allocation.device not in device.peers
        and device.index not in allocation.allowed
    ):
        text = f"`{name}` is {what} on device {allocation.device}, the kernel runs on {device.index}"
        raise BadPointer(f"{text}: no peer access was enabled", "peer-access", allocation)
    if address % parameter.alignment:
        over = address % parameter.alignment
        text = f"`{name}` is misaligned: {parameter.dtype} needs a multiple of {parameter.alignment} bytes"
        raise BadPointer(f"{text}, the address is {over} past one; it is {what}", "misaligned", allocation)
    if allocation.kind == "host" and memory.aliased(address) is None:  # registered, it may have one address for both
        look_at_pinned(device, f"`{name}` is {what}", allocation)
