"""The memory that a media task uses: found when the task is queued, and once more when the descriptor changed meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_AICPU_EXCEPTION
from ascend_sim.findings.finding import Site
from ascend_sim.machine import host_memory
from ascend_sim.machine.faults import AddressFault
from ascend_sim.media.unit import MediaUnit
from ascend_sim.runtime.memory.told import tell_access, tell_rows
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.task import TaskFault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascend_sim.media.pixels.pixel_formats import Plane
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Memory"]

DEVICE_FAULT = ACL_ERROR_RT_AICPU_EXCEPTION
"""What the wait for a media task returns that failed (reports of users of JPEG decoding)."""


class Memory:
    """*nbytes* from *address*, for a task of the device *device*; *what* is its name in texts."""

    __slots__ = ("address", "device", "fault", "nbytes", "place", "sim", "what", "write")

    def __init__(self, sim: Runtime, address: int, nbytes: int, write: bool, device: int, what: str) -> None:
        self.sim = sim
        self.address = address
        self.nbytes = nbytes
        self.write = write
        self.device = device
        self.what = what
        self.fault = ""
        """Why the device cannot use it."""
        self.place: Place | None = None
        self._find()

    def _find(self) -> None:
        memory, size = self.sim.memory, max(1, self.nbytes)
        try:
            block = memory.check(self.address, size, self.write)
        except AddressFault as fault:
            self.fault = f"{self.what}: {fault.text}"
            return
        device = self.device
        if block is None or block.device < 0:
            self.fault = f"{self.what} is {memory.describe(self.address)}: no memory of device {device}"
        elif block.device not in (device, *self.sim.devices[device].peers) and device not in block.allowed:
            self.fault = f"{self.what} is memory of device {block.device}, the task runs on device {device}"
        else:
            self.place = Place(self.sim, block, self.address, size, self.write)

    def check_family(self, t: ThreadState) -> None:
        """Report memory that does not come from acldvppMalloc, once for each block."""
        unit = self.sim.part(MediaUnit)
        block = None if self.place is None else self.place.block
        if block is None or unit.is_media_memory(block):
            return
        key = f"family {block.address:#x}"
        if key in unit.said:
            return
        unit.said.add(key)
        t.sim.report_call(
            t, "undefined-use", "warning",
            f"{t.call}: {self.what} lies in {t.sim.names.one_of(block)}, which does not come from acldvppMalloc: the "
            "media units may not reach it",
            fix="acldvppMalloc gives memory for pictures and coded bytes",
        )  # fmt: skip

    def at(self, address: int, nbytes: int) -> Memory:
        """This memory, or another one where the descriptor says something else by now."""
        if address == self.address and nbytes <= self.nbytes:
            return self
        return Memory(self.sim, address, nbytes, self.write, self.device, self.what)

    def reach(self, task: Task) -> Any:
        """Its bytes, as an array; None when a write goes to memory that is gone. Raises TaskFault."""
        if self.place is None:
            names = self.sim.names
            self.sim.report(
                "out-of-bounds",
                "error",
                f"{task.op.kind} on {names.described(task.stream)}: {self.fault}",
                [Site("submit", "queued here", task.site, primary=True)],
                streams=(names.described(task.stream),),
                time_ns=self.sim.scheduler.now,
                code=("the next synchronise", DEVICE_FAULT),
            )
            raise TaskFault(DEVICE_FAULT, f"{task.op.kind}: {self.fault}", reported=True)
        address = self.place.reach(task, whole=False)
        return host_memory.view(address, max(1, self.nbytes)) if address else None

    def tell(self, task: Task, planes: Iterable[Plane], write: bool) -> None:
        """Tell observers which rows are touched."""
        place = self.place
        if place is None or place.block is None:
            return
        hooks = self.sim.hooks
        if hooks.accessed is None and hooks.accessed_rows is None:
            return
        for plane in planes:
            lo = place.offset + plane.start
            if plane.rows == 1 or plane.row_bytes == plane.pitch:
                tell_access(hooks, task, place.block, lo, lo + plane.rows * plane.row_bytes, write)
            elif plane.rows:
                tell_rows(hooks, task, place.block, lo, plane.row_bytes, plane.pitch, plane.rows, write)

    def tell_whole(self, task: Task, nbytes: int) -> None:
        """Tell observers that a whole picture of *nbytes* is written, the padding of its rows with it.

        What a unit puts into the padding is not documented; programs copy it along with the pixels.
        """
        place = self.place
        if place is not None and place.block is not None:
            end = min(place.offset + nbytes, place.block.capacity)
            tell_access(self.sim.hooks, task, place.block, place.offset, end, True)

    def tell_bytes(self, task: Task, nbytes: int, write: bool) -> None:
        """Tell observers that the first *nbytes* are touched."""
        place = self.place
        if place is not None and place.block is not None and nbytes:
            tell_access(self.sim.hooks, task, place.block, place.offset, place.offset + nbytes, write)
