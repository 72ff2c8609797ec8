"""Chapters 07 and 08: handle bytes and keys by which processes share events and notifies.

The simulator is one process: they open the event or notify in the program that made it, and nowhere else. Lists of
processes are taken and not looked at.
"""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers
from ascend_sim.ascendcl.device.identity import put_text
from ascend_sim.ascendcl.products import check_product
from ascend_sim.ascendcl.structs import aclrtIpcEventHandle
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.event import IPC, Event
from ascend_sim.runtime.notify import Notify
from ascend_sim.runtime.thread_state import ThreadState

KEY_BYTES = 65
EXPORT_FLAGS = (0, 2)
LAST_IMPORT_FLAG = 3


def _key(notify: Notify) -> str:
    return f"ascend_sim-notify-{notify.device.index}-{notify.number}".ljust(KEY_BYTES - 1, "-")


@api("aclrtNotifyGetExportKey")
def notify_get_export_key(t: ThreadState, handle: int, key: int, length: int, flags: int) -> None:
    """Write the notify's key and a zero to *key*, *length* >= 65 bytes of host memory.

    Codes: 100000 NULL, 107017, 107000 a shorter buffer or flags other than 0 and 2 (no list of processes), 107002,
    207000 products without it.
    """
    require(handle, "notify")
    require(key, "key")
    notify = t.notify(handle)
    if flags not in EXPORT_FLAGS:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flags is {flags}: 0 or 2 (any process may open it) is required")
    if not length:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "len is 0")
    t.current_context()
    check_product(t, "aclrtNotifyGetExportKey")
    if length < KEY_BYTES:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"len is {length}: at least {KEY_BYTES} bytes are required", "driver"
        )
    put_text(key, _key(notify), "key")


@api("aclrtNotifyImportByKey")
def notify_import_by_key(t: ThreadState, key: str | None, flags: int) -> int:
    """A further handle of the notify with this key; each one is destroyed by itself.

    Codes: 100000 NULL, 107000 flags above 3 or an unknown key, 107002, 207000 products without it.
    """
    if key is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "key is NULL", "acl")
    if flags > LAST_IMPORT_FLAG:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flags is {flags}: at most {LAST_IMPORT_FLAG} is possible")
    t.current_context()
    check_product(t, "aclrtNotifyImportByKey")
    for thing in t.sim.handles.values():
        if isinstance(thing, Notify) and _key(thing) == key:
            return t.sim.new_handle(thing)
    raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"key is {key!r}: no live notify of this process has it", "driver")


@api("aclrtNotifySetImportPid")
def notify_set_import_pid(t: ThreadState, handle: int, pids: Any, count: int) -> None:
    """Name the processes that may open a notify. Codes: 100000 NULL, 107017, 107000 none, 207000."""
    require(handle, "notify")
    if pids is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "pid is NULL", "acl")
    t.notify(handle)
    if not count:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "num is 0: one process or more is required")
    t.current_context()
    check_product(t, "aclrtNotifySetImportPid")
    integers(pids, count, "pid", 4)


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
