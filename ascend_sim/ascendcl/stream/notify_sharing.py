"""Chapter 08, last part: keys by which notifies are shared.

The simulator is one process: a key opens the notify in the program that made it, and nowhere else. Lists of processes
are taken and not looked at.
"""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers
from ascend_sim.ascendcl.device.identity import put_text
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
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
