"""Chapter 11-04: physical memory that is shared by handles; both forms of them."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers, peek
from ascend_sim.ascendcl.device.identity import put_bytes
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INVALID_DEVICEID,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.flags import ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION
from ascend_sim.constants.memory import (
    ACL_MEM_HANDLE_TYPE_NONE,
    ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT,
    ACL_MEM_SHARE_HANDLE_TYPE_FABRIC,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.virtual import sharing
from ascend_sim.runtime.thread_state import ThreadState

_FORMS = {ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT: 8, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC: 128}
"""Bytes of a shareable handle by its type."""
_FABRIC = 3
"""What the first word of a handle between servers says; the handle of this server is in the second eight bytes."""


def _check_flags(flags: int) -> None:
    if flags > ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flags is {flags}: 0 or DISABLE_PID_VALIDATION (1) is required")


def _check_form(t: ThreadState, form: int) -> None:
    """Raises AclError: 107000 no such type, 207000 between servers on products that cannot."""
    if form not in _FORMS:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"shareType is {form}: DEFAULT (1) or FABRIC (2) is required")
    if form == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC and t.sim.profile.product != "A3":
        text = f"{t.sim.profile.name} shares no memory between servers (FABRIC)"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "driver")


def _read(t: ThreadState, address: int, form: int) -> int:
    """The handle in the caller's memory. Raises AclError 107000: nothing of that type can be read there."""
    raw = peek(address, _FORMS[form])
    if raw is not None and form == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC:
        raw = raw[8:16] if int.from_bytes(raw[:8], "little") == _FABRIC else None
    if raw is None:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"shareableHandle is {address:#x}: no such handle is there", "driver"
        )
    return int.from_bytes(raw, "little")


@api("aclrtMemExportToShareableHandle")
def mem_export_to_shareable_handle(t: ThreadState, handle: int, handle_type: int, flags: int) -> int:
    """A number by which other processes import the memory of *handle*; once for each handle.

    Flags 0: only processes on a white list may; 1: all. Codes: 100000 NULL or a handle type, 107000 flags, no live
    handle; 507899 exported before.
    """
    require(handle, "handle")
    if handle_type != ACL_MEM_HANDLE_TYPE_NONE:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"handleType is {handle_type}: NONE (0) is required", "acl")
    _check_flags(flags)
    return sharing.export(t, handle, not flags).handle


@api("aclrtMemExportToShareableHandleV2")
def mem_export_to_shareable_handle_v2(t: ThreadState, handle: int, flags: int, form: int, output: int) -> None:
    """As the first form; the number goes to *shareableHandle*: 8 bytes, or with FABRIC (A3) an aclrtMemFabricHandle.

    Codes: 100000 NULL, 107000 flags, type, no live handle; 107002 (FABRIC), 207000 FABRIC elsewhere; 507899.
    """
    require(handle, "handle")
    require(output, "shareableHandle")
    if form in _FORMS:
        _check_flags(flags)
    if form == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC:
        t.current_context()
    _check_form(t, form)
    number = sharing.export(t, handle, not flags).handle
    raw = number.to_bytes(8, "little")
    if form == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC:
        raw = (_FABRIC.to_bytes(8, "little") + raw).ljust(_FORMS[form], b"\0")
    put_bytes(output, raw, "shareableHandle")


def _check_device(t: ThreadState, device: int) -> None:
    if not 0 <= device < len(t.sim.devices):
        raise AclError(
            ACL_ERROR_RT_INVALID_DEVICEID, f"deviceId is {device}: there are {len(t.sim.devices)} devices, from 0"
        )


@api("aclrtMemImportFromShareableHandle")
def mem_import_from_shareable_handle(t: ThreadState, shareable: int, device: int) -> int:
    """A handle of *deviceId* for memory that was exported; it is freed as any other.

    Codes: 107001, 107002, 107017 no such export, 507899 this process may not: not on the white list, or it is the
    exporter itself (on another device it may).
    """
    _check_device(t, device)
    t.current_context()
    return sharing.import_(t, shareable, device).handle


@api("aclrtMemImportFromShareableHandleV2")
def mem_import_from_shareable_handle_v2(t: ThreadState, address: int, form: int, flags: int) -> int:
    """As the first form, on the current device, of the handle in the caller's memory.

    Codes: 100000 NULL or flags, 107002, 107000 a type that does not exist; 207000, 107017, 507899 as there.
    """
    require(address, "shareableHandle")
    if flags:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"flags is {flags}: 0 is required", "acl")
    device = t.current_context().device.index
    _check_form(t, form)
    return sharing.import_(t, _read(t, address, form), device).handle


@api("aclrtMemSetPidToShareableHandle")
def mem_set_pid_to_shareable_handle(t: ThreadState, shareable: int, pids: Any, count: int) -> None:
    """Put processes on the white list of an export of this one. Codes: 100000 NULL or 0, 107000, 107017, 507899."""
    require(pids, "pid")
    require(count, "pidNum")
    sharing.allow(t, shareable, integers(pids, count, "pid", 4))


@api("aclrtMemSetPidToShareableHandleV2")
def mem_set_pid_to_shareable_handle_v2(t: ThreadState, address: int, form: int, pids: Any, count: int) -> None:
    """As the first form, of the handle in the caller's memory. Codes as there, and 107000 a type that does not exist."""
    require(address, "shareableHandle")
    require(pids, "pid")
    require(count, "pidNum")
    _check_form(t, form)
    sharing.allow(t, _read(t, address, form), integers(pids, count, "pid", 4))
