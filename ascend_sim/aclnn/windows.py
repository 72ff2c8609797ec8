"""Tensors as arrays upon the memory that they lie in, and what observers hear of their bytes.

A window is one layout at one address. Programs run the same operators on the same tensors over and over, so windows are
kept: the second use finds the block and the array made. That is so for blocks of memory of their own; what lies in a pool,
in mapped or in registered memory is looked up at each use. Host memory is the device's only by the address that its
registration gave (docs/semantics/aclnn.md#memory).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from ascend_sim.machine import host_memory
from ascend_sim.machine.allocations import FREED
from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.memory.told import tell_access, tell_parts, tell_rows
from ascend_sim.runtime.memory.transfers import Place

if TYPE_CHECKING:
    from ascend_sim.aclnn.objects import Layout
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.hooks import Hooks
    from ascend_sim.runtime.task import Task

__all__ = ["Window", "Windows"]

Array = npt.NDArray[Any]
KEPT: Final = 2048


class Window:
    """One operand: a layout at an address, and the array upon its bytes."""

    __slots__ = (
        "address", "array", "block", "fault", "layout", "made_tensor", "offset", "own", "pinned", "shown", "sim",
    )  # fmt: skip

    def __init__(self, sim: Runtime, layout: Layout, address: int, device: int) -> None:
        self.sim = sim
        self.layout = layout
        self.address = address + layout.low
        """The first byte that it reaches; of registered host memory its true address, though the device has another."""
        self.block: Allocation | None = None
        self.offset = 0
        """That byte in its block."""
        self.own = False
        """The block is memory of its own: nothing but its free takes the bytes away."""
        self.shown: Allocation | None = None
        """The registration by which the device reaches host memory."""
        self.pinned = False
        """It is page-locked host memory by its host address, which not every driver maps for devices."""
        self.fault = ""
        """Why the device cannot use the address."""
        self.array: Array | None = None
        """The array, when it is good until the block is freed."""
        self.made_tensor: Any = None
        """What `tensor` has made of `array`."""
        if layout.nbytes:
            self._find(device)
        else:
            self.array = np.empty(layout.dims, layout.element.carrier if layout.element is not None else np.uint8)

    def _find(self, device: int) -> None:
        memory, nbytes = self.sim.memory, self.layout.nbytes
        aliased = memory.aliased(self.address)
        if aliased is not None:
            self.shown, inside = aliased
            over = inside + nbytes - self.shown.capacity
            if over > 0:
                self.fault = f"{nbytes} bytes that end {over} bytes past the end of {self.shown.describe()}"
                return
            self.address = self.shown.address + inside
        try:
            block = memory.check(self.address, nbytes)
        except AddressFault as fault:
            self.fault = fault.text
            return
        if block is None:
            self.fault = f"{memory.describe(self.address)}: no memory of device {device}"
        elif block.device not in (device, -1, *self.sim.devices[device].peers) and device not in block.allowed:
            self.fault = f"memory of device {block.device}, the operator runs on device {device}"
        elif self.shown is None and self._is_hosts(block):
            cure = "pass what aclrtHostGetDevicePointer gives"
            self.fault = f"{memory.describe(self.address)}: a host address; {cure}"
        else:
            self.block = block
            self.offset = self.address - block.address
            self.own = self.shown is None and block.pool is None and block.pieces is None
            self.pinned = (
                self.shown is None
                and block.kind == "host"
                and self.sim.profile.switches["pinned_memory_in_kernel"] == "finding"
            )

    def _is_hosts(self, block: Allocation) -> bool:
        """Whether the host address of *block* is none for a device."""
        faults = self.sim.profile.switches["pinned_memory_in_kernel"] == "fault"
        return block.kind == "registered" or (block.kind == "host" and faults)

    def settle(self) -> None:
        """Keep the array, if nothing but a free of the block can make it wrong."""
        block, lo = self.block, self.offset
        if block is None or not self.own or block.freed or block.bytes is None:
            return
        if block.holds(lo, lo + self.layout.nbytes):
            self.array = self._upon(block.bytes[lo : lo + self.layout.nbytes])

    def _upon(self, memory: Any) -> Array:
        layout = self.layout
        assert layout.element is not None
        made: Array = np.ndarray(layout.dims, layout.element.carrier, memory, layout.shift, layout.steps)
        return made

    def elements(self, task: Task, write: bool) -> Array:
        """The array, now that *task* runs; of a window without a `fault`."""
        array, block = self.array, self.block
        if array is not None and (block is None or not block.freed):
            return array
        nbytes = self.layout.nbytes
        gone = self.shown is not None and self.shown.freed
        place = Place(self.sim, self.shown if gone else block, self.address, nbytes, write)
        address = place.reach(task, whole=write and not self.layout.bands and self.layout.parts is None)
        if not address:  # the memory belongs to nobody any more
            return self._upon(np.full(nbytes, FREED, np.uint8))
        if array is None:
            self.settle()
            if self.array is not None:
                return self.array
        return self._upon(host_memory.view(address, nbytes))

    def tensor(self, array: Array, make: Callable[[Array, Layout], Any]) -> Any:
        """The tensor of another library that *make* makes of the *array* of `elements`; kept with it."""
        if array is not self.array:
            return make(array, self.layout)
        if self.made_tensor is None:
            self.made_tensor = make(array, self.layout)
        return self.made_tensor

    def tell(self, hooks: Hooks, task: Task, write: bool) -> None:
        """Tell observers which bytes *task* reads or writes: each of them, and none between."""
        block, layout, lo = self.block, self.layout, self.offset
        if block is None or not layout.nbytes:
            return
        if layout.parts is not None:
            tell_parts(hooks, task, block, [(lo + a, lo + b) for a, b in layout.parts], write)
        elif layout.bands:
            for start, width, pitch, rows in layout.bands:
                tell_rows(hooks, task, block, lo + start, width, pitch, rows, write)
        else:
            tell_access(hooks, task, block, lo, lo + layout.nbytes, write)


class Windows:
    """The windows of a simulator that are kept."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.kept: dict[tuple[Layout, int, int], Window] = {}

    def find(self, layout: Layout, address: int, device: int) -> Window:
        """The window of *layout* at *address*, as *device* sees it."""
        key = (layout, address, device)
        known = self.kept.get(key)
        if known is not None and (known.block is None or (known.own and not known.block.freed)):
            return known
        made = Window(self.sim, layout, address, device)
        if made.block is not None or not layout.nbytes:
            if len(self.kept) >= KEPT:
                self.kept.clear()
            self.kept[key] = made
        return made
