"""Chapters 07 and 08: handle bytes and keys by which processes share events and notifies."""

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
from ascend_sim.runtime.event import IPC
from ascend_sim.runtime.processes import event_sharing, notify_sharing
from ascend_sim.runtime.processes.sharing import KEY_BYTES
from ascend_sim.runtime.thread_state import ThreadState

NO_LIST = 2
"""The flag of aclrtNotifyGetExportKey by which any process may import."""
EXPORT_FLAGS = (0, NO_LIST)
LAST_IMPORT_FLAG = 3
HANDLE_BYTES = 64


@api("aclrtNotifyGetExportKey")
def notify_get_export_key(t: ThreadState, handle: int, key: int, length: int, flags: int) -> None:
    """Write the notify's key and a zero to *key*, *length* >= 65 bytes of host memory. Flag 2: any process may import.

    Codes: 100000 NULL, 107017, 107000 a shorter buffer or flags other than 0 and 2, 107002, 207000 products without it.
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
    put_text(key, notify_sharing.export(t, notify, flags != NO_LIST), "key")


@api("aclrtNotifyImportByKey")
def notify_import_by_key(t: ThreadState, key: str | None, flags: int) -> int:
    """The notify with this key; every handle is destroyed by itself. Flag 2 opens the way between two devices.

    Codes: 100000 NULL, 107000 flags above 3 or a key of no possible length, 107002, 207000 products without it, 507899
    nobody gave the key, its notify is gone, or this process is not on its white list.
    """
    if key is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "key is NULL", "acl")
    if flags > LAST_IMPORT_FLAG:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flags is {flags}: at most {LAST_IMPORT_FLAG} is possible")
    t.current_context()
    check_product(t, "aclrtNotifyImportByKey")
    _length(key)
    return notify_sharing.open_key(t, key)


def _length(key: str) -> None:
    if not 0 < len(key) < KEY_BYTES:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"key has {len(key)} characters: 1 to {KEY_BYTES - 1} are possible", "driver"
        )


@api("aclrtNotifySetImportPid")
def notify_set_import_pid(t: ThreadState, handle: int, pids: Any, count: int) -> None:
    """Name the processes that may import an exported notify.

    Codes: 100000 NULL, 107017, 107000 none or too many, 107002, 207000, 507899 not exported, or only this process named,
    207006 exported without a list.
    """
    require(handle, "notify")
    if pids is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "pid is NULL", "acl")
    notify = t.notify(handle)
    if not count:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "num is 0: one process or more is required")
    t.current_context()
    check_product(t, "aclrtNotifySetImportPid")
    notify_sharing.set_import_pids(t, notify, integers(pids, count, "pid", 4))


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
    name = event_sharing.export(t, event).encode()
    return aclrtIpcEventHandle(list(name.ljust(HANDLE_BYTES, b"\0")))


@api("aclrtIpcOpenEventHandle")
def ipc_open_event_handle(t: ThreadState, handle: Any) -> int:
    """The IPC event that gave these bytes, in any process of the run; each handle is destroyed by itself.

    Codes: 100000 no handle bytes, 207000 the chip has no IPC events, 107002 no context, 107000 bytes that no live event
    gave.
    """
    require(handle, "handle")
    if "event_ipc" not in t.sim.profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no IPC events")
    t.current_context()
    name = bytes(byte & 0xFF for byte in getattr(handle, "reserved", ())[:HANDLE_BYTES]).partition(b"\0")[0]
    return event_sharing.open_name(t, name.decode("ascii", "replace"))
