"""Handles of physical memory, and how long it lives: as long as a handle is held or something is mapped.

See docs/semantics/virtual_memory.md#references.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_INVALID_HANDLE,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.allocation import tell_freed

if TYPE_CHECKING:
    from ascend_sim.machine.virtual_memory import Physical, VirtualMemory
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.virtual.exports import Export
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["PhysicalHandle", "driver", "handle_of", "hold", "let_go"]


class PhysicalHandle:
    """What aclrtMallocPhysical, an import or a retain gives. *device*: of which it is (-1: the host); for an import that
    is the one that was named. *holds*: how often it must be freed; each mapping holds it, too.

    *properties* are those of its making: (memory attribute, type and id of the location, reserve).
    """

    __slots__ = (
        "device", "export", "handle", "holds", "imported", "mapped", "memory", "number", "properties", "site",
    )  # fmt: skip

    def __init__(
        self, sim: Runtime, memory: Physical, device: int, properties: tuple[int, int, int, int], site: CallSite,
        imported: Export | None = None,
    ) -> None:  # fmt: skip
        self.memory = memory
        self.device = device
        self.properties = properties
        self.site = site
        self.holds = 1
        self.mapped = 0
        self.imported = imported
        """The export that it came from."""
        self.export: Export | None = None
        """The export that was made of it."""
        self.number = sim.next_number("physical memory")
        memory.holders += 1
        self.handle: int = sim.new_handle(self)

    def describe(self) -> str:
        """``physical memory 1``."""
        return f"physical memory {self.number}"


def driver(t: ThreadState) -> VirtualMemory:
    """The driver's side, which is there when a device is. Raises AclError 107017."""
    sim = t.sim
    if not any(device.contexts_open for device in sim.devices):
        raise AclError(
            ACL_ERROR_RT_INVALID_HANDLE, "no device is open in this process: call aclrtSetDevice first", "driver"
        )
    return sim.memory.virtual_memory()


def handle_of(t: ThreadState, handle: int) -> PhysicalHandle:
    """The physical memory of *handle*. Raises AclError 107000 when it is none, or was freed."""
    found = t.sim.handles.get(handle)
    if isinstance(found, PhysicalHandle):
        return found
    was = t.sim.tombstone(handle)
    _report_stale(t, handle, was)
    raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"handle is {handle:#x}: {was or 'no physical memory'}", "driver")


def _report_stale(t: ThreadState, handle: int, was: str) -> None:
    """The driver trusts the pointer that a handle is: a stale one is undefined on hardware."""
    for observe in t.sim.hooks.stale_used or ():
        observe(t, handle, "physical memory")


def hold(t: ThreadState, found: PhysicalHandle) -> None:
    """One more free is due. Raises AclError 207005: nothing holds it any more."""
    if not found.holds + found.mapped:
        raise AclError(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, f"{found.describe()} is gone", "driver")
    found.holds += 1


def let_go(t: ThreadState, found: PhysicalHandle, by_unmap: bool = False) -> None:
    """A free, or an unmapping: the last of both ends it. Raises AclError 107000: more frees than there were handles."""
    if not by_unmap and not found.holds:
        text = f"{found.describe()} was freed as often as it was handed out; it only lives until it is unmapped"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text, "driver")
    if by_unmap:
        found.mapped -= 1
    else:
        found.holds -= 1
    if not found.holds + (0 if found.memory.freed else found.mapped):  # freed already: its device was reset
        end(t, found)


def end(t: ThreadState, found: PhysicalHandle) -> None:
    """Nothing holds *found* any more: the handle is gone, and the memory with the last handle that has it."""
    sim = t.sim
    exports: Any = sim.process.exports
    if found.imported is not None:
        exports.leave(t, found)
    if found.export is not None:
        exports.withdraw(t, found)
    sim.drop_handle(found.handle)
    memory = found.memory
    memory.holders -= 1
    if not memory.holders and not memory.freed:
        sim.memory.virtual_memory().give_back(memory, t.site)
        memory.free_ns = t.clock
        tell_freed(t, memory)
