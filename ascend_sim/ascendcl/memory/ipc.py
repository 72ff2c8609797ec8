"""Chapter 11-07: device memory that processes share by a key."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers
from ascend_sim.ascendcl.device.identity import put_text
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.processes.memory_sharing import MemorySharing
from ascend_sim.runtime.processes.sharing import KEY_BYTES
from ascend_sim.runtime.thread_state import ThreadState

NO_LIST = 1
"""The export flag by which any process may import."""
PEER_ACCESS = 1
"""The import flag that opens the way between the two devices."""
ATTRIBUTES = LINKS = 1
"""Known attribute types, the link of the access (0), and the largest value of it."""


def _key(key: str | None) -> str:
    if key is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "key is NULL", "acl")
    return key


def _length(key: str) -> None:
    if not 0 < len(key) < KEY_BYTES:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"key has {len(key)} characters: 1 to {KEY_BYTES - 1} are possible", "driver"
        )


@api("aclrtIpcMemGetExportKey")
def ipc_mem_get_export_key(t: ThreadState, address: int, size: int, key: int, length: int, flags: int) -> None:
    """Write a key for *size* bytes of device memory, and a zero, to *key*, *length* >= 65 bytes of host memory.

    Flag 0: only processes that aclrtIpcMemSetImportPid names may import it; 1: all. Codes: 100000 NULL, 107000 size or
    len 0, other flags, a shorter buffer, 107002, 207000 products without it, 507899 no live device memory, not from the
    start of a page on, or beyond the end of the block.
    """
    require(address, "devPtr")
    require(key, "key")
    if not size or not length:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"size is {size}, len {length}: both must be above 0")
    if flags not in (0, NO_LIST):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flags is {flags}: 0 or 1 (any process may import it) is required")
    t.current_context()
    check_product(t, "aclrtIpcMemGetExportKey")
    if length < KEY_BYTES:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"len is {length}: at least {KEY_BYTES} bytes are required", "driver"
        )
    put_text(key, t.sim.part(MemorySharing).export(t, address, size, flags != NO_LIST), "key")


@api("aclrtIpcMemImportByKey")
def ipc_mem_import_by_key(t: ThreadState, key: str | None, flags: int) -> int:
    """The address in this process of what *key* names; the same one for each further import, which counts.

    Flag 1 opens the way between the two devices; with 0 aclrtDeviceEnablePeerAccess does. Codes: 100000 NULL, 107000
    other flags or a key of no possible length, 107002, 207000, 507899 nobody gave the key, its memory is gone, or this
    process is not on its white list.
    """
    text = _key(key)
    if flags not in (0, PEER_ACCESS):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flags is {flags}: 0 or 1 (enable peer access) is required")
    t.current_context()
    check_product(t, "aclrtIpcMemImportByKey")
    _length(text)
    return t.sim.part(MemorySharing).open_key(t, text, flags == PEER_ACCESS)


@api("aclrtIpcMemSetImportPid")
def ipc_mem_set_import_pid(t: ThreadState, key: str | None, pids: Any, count: int) -> None:
    """Name the processes that may import the key; only the one that exported it can.

    Codes: 100000 NULL, 107000 none or too many, or a key of no possible length, 107002, 207000, 507899 not this process's
    key, or nobody but this process named, 207006 exported without a list.
    """
    text = _key(key)
    if pids is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "pid is NULL", "acl")
    if count <= 0:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"num is {count}: one process or more is required")
    t.current_context()
    check_product(t, "aclrtIpcMemSetImportPid")
    _length(text)
    t.sim.part(MemorySharing).set_import_pids(t, text, integers(pids, count, "pid", 4))


@api("aclrtIpcMemClose")
def ipc_mem_close(t: ThreadState, key: str | None) -> None:
    """Close the key: importers first, then the process that exported it, then comes aclrtFree.

    Codes: 100000 NULL, 107002, 207000, 107000 a key of no possible length, 507899 this process has it no more, or never
    had.
    """
    text = _key(key)
    check_product(t, "aclrtIpcMemClose")
    t.current_context()
    _length(text)
    t.sim.part(MemorySharing).close_key(t, text)


@api("aclrtIpcMemSetAttr")
def ipc_mem_set_attr(t: ThreadState, key: str | None, kind: int, value: int) -> None:
    """The link by which two dies of one A3 chip reach the memory: it changes no result here.

    Codes: 100000 NULL, 107000 another attribute than 0 or a value above 1, 107002, 207000 products without it.
    """
    _key(key)
    if not 0 <= kind < ATTRIBUTES or not 0 <= value <= LINKS:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"type is {kind}, attr {value}: type 0 (the link), and 0 or 1 are possible"
        )
    t.current_context()
    check_product(t, "aclrtIpcMemSetAttr")


def _servers(t: ThreadState, name: str) -> None:
    """White lists of other servers: a run has one."""
    check_product(t, name)
    t.sim.report_call(t, "not-modelled", "warning", f"`{name}` is not modelled: a run has one server")
    raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "the simulator has one server", "driver")


@api("aclrtIpcMemImportPidInterServer")
def ipc_mem_import_pid_inter_server(t: ThreadState, key: str | None, servers: Any, count: int) -> None:
    """Codes: 207000, on products without it as well as here, where there is one server."""
    _servers(t, "aclrtIpcMemImportPidInterServer")


@api("aclrtNotifySetImportPidInterServer")
def notify_set_import_pid_inter_server(t: ThreadState, notify: int, servers: Any, count: int) -> None:
    """Codes: 207000, on products without it as well as here, where there is one server."""
    _servers(t, "aclrtNotifySetImportPidInterServer")
