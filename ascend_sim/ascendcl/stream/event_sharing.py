"""Chapter 07, last part: handle bytes of IPC events, which open them here in the process that made them."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.structs import aclrtIpcEventHandle
from ascend_sim.constants.errors import ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.runtime.event import IPC, Event
from ascend_sim.runtime.thread_state import ThreadState


@api("aclrtIpcGetEventHandle")
def ipc_get_event_handle(t: ThreadState, handle: int) -> Any:
    """The 64 bytes by which another process opens an IPC event.

    Codes: 100000 NULL, 207000 the chip has no IPC events, 107017, 107000 not made with ACL_EVENT_IPC.
    """
    require(handle, "event")
    if "event_ipc" not in t.sim.profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no IPC events")
    event = t.event(handle)
    if event.family is not IPC:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{event.describe()} was not created with ACL_EVENT_IPC")
    name = event.number.to_bytes(8, "little") + event.device.index.to_bytes(8, "little")
    return aclrtIpcEventHandle(list(name.ljust(64, b"\0")))


@api("aclrtIpcOpenEventHandle")
def ipc_open_event_handle(t: ThreadState, handle: Any) -> int:
    """A further handle of an IPC event; each one is destroyed by itself.

    Codes: 100000 no handle bytes, 207000 the chip has no IPC events, 107002 no context, 107000 bytes that no live event
    of this process gave.
    """
    require(handle, "handle")
    if "event_ipc" not in t.sim.profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no IPC events")
    t.current_context()
    name = bytes(byte & 0xFF for byte in getattr(handle, "reserved", ())[:16])
    number, device = int.from_bytes(name[:8], "little"), int.from_bytes(name[8:], "little")
    for thing in t.sim.handles.values():
        if isinstance(thing, Event) and thing.family is IPC and thing.number == number and thing.device.index == device:
            return t.sim.new_handle(thing)
    raise AclError(ACL_ERROR_RT_PARAM_INVALID, "no live IPC event of this process gave these bytes", "driver")
