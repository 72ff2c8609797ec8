"""Chapter 21: snapshots of the process (docs/semantics/process.md#snapshots)."""

from __future__ import annotations

import os
from typing import Any

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.runtime.snapshots import Snapshots
from ascend_sim.runtime.thread_state import ThreadState


def _of(t: ThreadState, name: str, pid: int, reserved: Any) -> Snapshots:
    """The snapshots of this process. Raises AclError: 100000 another process, a reserved argument; 207000."""
    if pid != os.getpid():
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"pid is {pid}: that of this process ({os.getpid()}) is required", "acl"
        )
    if reserved:
        raise AclError(ACL_ERROR_INVALID_PARAM, "the reserved argument is not NULL", "acl")
    check_product(t, name)
    return t.sim.part(Snapshots)


@api("aclrtSnapShotProcessLock")
def snapshot_process_lock(t: ThreadState, pid: int, reserve: int) -> None:
    """Lock the process before a backup. Calls of other threads are not held back here.

    Codes: 100000 another process, *reserve*; 207000, 507906 it is not running, 507912 a callback refused.
    """
    _of(t, "aclrtSnapShotProcessLock", pid, reserve).lock(t)


@api("aclrtSnapShotProcessUnlock")
def snapshot_process_unlock(t: ThreadState, pid: int, reserve: int) -> None:
    """Let the process go on. Codes: 100000, 207000, 507907 it is running, 507912 a callback refused."""
    _of(t, "aclrtSnapShotProcessUnlock", pid, reserve).unlock(t)


@api("aclrtSnapShotProcessBackup")
def snapshot_process_backup(t: ThreadState, pid: int, args: Any) -> None:
    """Save what is in device memory, on the host. Codes: 100000, 207000, 507908 it is not locked, 507912."""
    _of(t, "aclrtSnapShotProcessBackup", pid, args).back_up(t)


@api("aclrtSnapShotProcessRestore")
def snapshot_process_restore(t: ThreadState, pid: int, args: Any) -> None:
    """Bring back what was saved last. Codes: 100000, 207000, 507909 nothing was saved since the lock, 507912."""
    _of(t, "aclrtSnapShotProcessRestore", pid, args).restore(t)


@api("aclrtSnapShotCallbackRegister", raw=("args",))
def snapshot_callback_register(t: ThreadState, stage: int, callback: Any, args: Any) -> None:
    """Call ``callback(deviceId, args)`` at a stage, once for each open device; other answers than 0 stop the call.

    Codes: 207000, 107000 no such stage, NULL; 507913 it is registered for that stage.
    """
    check_product(t, "aclrtSnapShotCallbackRegister")
    t.sim.part(Snapshots).register(stage, callback, args)


@api("aclrtSnapShotCallbackUnregister")
def snapshot_callback_unregister(t: ThreadState, stage: int, callback: Any) -> None:
    """Undo a registration. Codes: 207000, 107000 no such stage, NULL, not registered."""
    check_product(t, "aclrtSnapShotCallbackUnregister")
    t.sim.part(Snapshots).unregister(stage, callback)
