"""Exporting physical memory, and importing what was exported (docs/semantics/virtual_memory.md#sharing)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_DRV_INTERNAL_ERROR, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.virtual.exports import Exports
from ascend_sim.runtime.memory.virtual.handles import PhysicalHandle, handle_of, hold

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.virtual.exports import Export
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["MOST_PIDS", "allow", "export", "exports_of", "import_"]

MOST_PIDS = 65535


def export(t: ThreadState, handle: int, listed: bool) -> Export:
    """Export the memory of *handle*; *listed*: with a white list of processes.

    Raises AclError: 107000 no live handle, 507899 it was exported before, or imported.
    """
    found = handle_of(t, handle)
    if found.export is not None or found.imported is not None:
        text = "is exported already: one shareable handle for each" if found.export is not None else "was imported"
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"{found.describe()} {text}", "driver")
    found.export = exports_of(t.sim).publish(t, found, listed)
    return found.export


def allow(t: ThreadState, shareable: int, pids: list[int]) -> None:
    """Put processes on the white list of a shareable handle; 0 is skipped.

    Raises AclError: 107000 more than 65535, 107017 no such handle, 507899 of another process, or only zeros.
    """
    if len(pids) > MOST_PIDS:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"pidNum is {len(pids)}: at most {MOST_PIDS}", "driver")
    exports = exports_of(t.sim)
    exports.find(shareable)
    real = [pid for pid in pids if pid]
    exports.allow(t, shareable, real)
    if not real:
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "pid holds only zeros: no process was listed", "driver")


def import_(t: ThreadState, shareable: int, device: int) -> PhysicalHandle:
    """A handle of exported memory on *device*; importing once more holds the one there is.

    Raises AclError: 107017 no such export, 507899 this process may not.
    """
    sim = t.sim
    exports = exports_of(sim)
    found = exports.find(shareable)
    known = found.importers.get(device)
    if known is not None:
        hold(t, known)
        return known
    exports.check(found, device)
    memory = exports.take(t, found)
    made = PhysicalHandle(sim, memory, device, found.properties, t.site, imported=found)
    found.importers[device] = made
    if memory.device >= 0 and memory.device != device:  # an import lets the two devices see each other
        peers = sim.devices[device].peers
        peers[memory.device] = peers.get(memory.device, 0) + 1
    return made


def exports_of(sim: Runtime) -> Exports:
    """The exports of the run, as this process knows them; of this process alone where the system cannot share."""
    if sim.process.exports is None:
        from ascend_sim.runtime.processes.neighbours import Neighbours
        from ascend_sim.runtime.processes.physical_sharing import ProcessExports  # sockets, JSON: at the first export

        if Neighbours.possible():
            Neighbours.of(sim)
            sim.process.exports = ProcessExports(sim)
        else:
            sim.process.exports = Exports(sim)
    return sim.process.exports
