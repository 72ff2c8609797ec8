"""Physical memory that was exported: who may import it, and what an import gives.

`Exports` is for one process alone. What shares memory between processes is its subclass
(runtime/processes/physical_sharing.py): `publish` writes down where the bytes are (the path of the page file, the offset
in it, the size), `find` reads it, `take` opens the file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_DRV_INTERNAL_ERROR, ACL_ERROR_RT_INVALID_HANDLE
from ascend_sim.errors import AclError

if TYPE_CHECKING:
    from ascend_sim.machine.virtual_memory import Physical
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.virtual.handles import PhysicalHandle
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["Export", "Exports"]


class Export:
    """Memory that processes may import under *number*. *device*: of which it is; *pid*: of the process that exported it.

    *allowed*: the processes on its white list; None: no list is asked. *memory* is what this process has of it, if it
    has it. The rest says what it is and where its bytes are: a file, the offset in it, how many.
    """

    __slots__ = (
        "allowed", "device", "importers", "memory", "nbytes", "number", "offset", "page", "path", "pid", "properties",
        "site",
    )  # fmt: skip

    def __init__(
        self, number: int, device: int, pid: int, allowed: set[int] | None, memory: Physical | None,
        properties: tuple[int, int, int, int], site: CallSite = None,
    ) -> None:  # fmt: skip
        self.number = number
        self.device = device
        self.pid = pid
        self.allowed = allowed
        self.memory = memory
        self.properties = properties
        self.site = site
        self.path = memory.pages.path if memory is not None else ""
        self.offset = memory.offset if memory is not None else 0
        self.nbytes = memory.capacity if memory is not None else 0
        self.page = memory.page if memory is not None else 0
        self.importers: dict[int, PhysicalHandle] = {}
        """The handles of this process that came of it, by the device that was named."""

    @property
    def handle(self) -> int:
        """The shareable handle: the number of the export below that of the device, as the driver packs it."""
        return self.number | (self.device & 0xFF) << 32


class Exports:
    """The exports that a process knows of: its own. A subclass knows those of other processes, too.

    All codes are raised here, as the driver has them: 107017 no such export (or its memory is gone), 507899 not allowed.
    """

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.made: dict[int, Export] = {}
        self._last = 0

    # -- the exporter's side ---------------------------------------------------------------------------------------

    def publish(self, t: ThreadState, handle: PhysicalHandle, listed: bool) -> Export:
        """Make an export of *handle*; *listed*: only processes on its white list may import it."""
        number = self.next_number()
        allowed: set[int] | None = set() if listed else None
        made = Export(number, handle.device, self.pid(), allowed, handle.memory, handle.properties, t.site)
        self.made[number] = made
        return made

    def allow(self, t: ThreadState, shareable: int, pids: list[int]) -> None:
        """Put *pids* on the white list. Raises AclError."""
        found = self.find(shareable)
        if found.pid != self.pid():
            text = f"shareableHandle {shareable:#x} was exported by process {found.pid}: only that one has the list"
            raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text, "driver")
        if found.allowed is not None:
            found.allowed.update(pids)

    def withdraw(self, t: ThreadState, handle: PhysicalHandle) -> None:
        """The last handle of the exporter is gone: nobody can import it any more; who has it keeps it."""
        if handle.export is not None:
            self.made.pop(handle.export.number, None)

    # -- the importer's side ---------------------------------------------------------------------------------------

    def find(self, shareable: int) -> Export:
        """The export of a shareable handle. Raises AclError 107017."""
        found = self.made.get(shareable & 0xFFFF_FFFF)
        if found is None or found.handle != shareable:
            text = f"shareableHandle is {shareable:#x}: nothing is exported under it, or its memory was freed"
            raise AclError(ACL_ERROR_RT_INVALID_HANDLE, text, "driver")
        return found

    def check(self, found: Export, device: int) -> None:
        """Whether this process may import *found* on *device*. Raises AclError 507899."""
        pid = self.pid()
        if found.pid == pid and found.device == device:
            text = f"{_name(found)} was exported by this process, on the same device: another process imports it"
            raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text, "driver")
        if found.allowed is not None and pid not in found.allowed:
            text = f"process {pid} is not on the white list of {_name(found)}: aclrtMemSetPidToShareableHandle adds it"
            raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text, "driver")

    def take(self, t: ThreadState, found: Export) -> Physical:
        """The memory of *found* as this process sees it. Raises AclError 107017 when its process has ended."""
        assert found.memory is not None
        return found.memory

    def leave(self, t: ThreadState, handle: PhysicalHandle) -> None:
        """*handle*, an import, is gone."""
        if handle.imported is not None:
            handle.imported.importers.pop(handle.device, None)

    # -- numbers ---------------------------------------------------------------------------------------------------

    def next_number(self) -> int:
        """A number that no export of the run has: here 1, 2, 3, ..."""
        self._last += 1
        return self._last

    @staticmethod
    def pid() -> int:
        """What aclrtDeviceGetBareTgid says of this process."""
        return os.getpid()


def _name(found: Export) -> str:
    return f"shareable handle {found.handle:#x}"
