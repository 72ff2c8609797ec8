"""Parameters that are copied by their size: attributes of queues, routes, queries; and run modes."""

from __future__ import annotations

import ctypes
import os
from typing import TypeVar

from ascend_sim.ascendcl.api import require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.constants.errors import ACL_ERROR_FEATURE_UNSUPPORTED, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.runtime.tensors.descriptors import live
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["device_index", "need_device_mode", "need_shared_group", "needed", "on_chip", "read_value", "write_value"]

T = TypeVar("T")


def needed(t: ThreadState, handle: int, kind: type[T], what: str) -> T:
    """The object of *handle*. Raises AclError 100000 for NULL, and, with a finding, for what is none."""
    found = live(t, handle, kind, what)
    if found is None:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"{what} is NULL" if not handle else f"{handle:#x} is no live {what}", "acl"
        )
    return found


def read_value(address: int, length: int, room: int) -> bytes:
    """*length* bytes that the program gives for a field of *room* bytes. Raises AclError 100000."""
    require(address, "param")
    if length > room:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"len is {length}: at most {room} is possible", "acl")
    raw = peek(address, length)
    if raw is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{length} bytes cannot be read at {address:#x}", "acl")
    return raw


def write_value(address: int, length: int, raw: bytes) -> int:
    """Write a field where the program has *length* bytes; returns its size. Raises AclError 100000."""
    if len(raw) > length:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"len is {length}: {len(raw)} is required", "acl")
    if raw and not host_memory.writable(address, len(raw)):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{len(raw)} bytes cannot be written at {address:#x}", "acl")
    ctypes.memmove(address, raw, len(raw))
    return len(raw)


def on_chip(t: ThreadState) -> bool:
    """Whether the program runs on the CPU of the chip (switch ``run_mode``)."""
    return t.sim.profile.switches["run_mode"] == "device"


def device_index(t: ThreadState) -> int:
    """The device of the queues that a call means: the current one, on the chip the only one. Raises AclError 107002."""
    return 0 if on_chip(t) else t.current_context().device.index


def need_device_mode(t: ThreadState) -> None:
    """Raises AclError 200006 on the host: shared buffers exist on the CPU of the chip only."""
    if not on_chip(t):
        raise AclError(
            ACL_ERROR_FEATURE_UNSUPPORTED,
            f"{t.call} works on the CPU of the chip only, not on the host (switch run_mode)", "acl",
        )  # fmt: skip


def need_shared_group(t: ThreadState) -> None:
    """Raises AclError 200006 where processes share nothing: without SHAREGROUP_PRECONFIG in the environment."""
    need_device_mode(t)
    if not in_shared_group(t):
        raise AclError(ACL_ERROR_FEATURE_UNSUPPORTED, f"{t.call} needs SHAREGROUP_PRECONFIG in the environment", "acl")


def in_shared_group(t: ThreadState) -> bool:
    """Whether queues can be granted to other processes."""
    return on_chip(t) and "SHAREGROUP_PRECONFIG" in os.environ
