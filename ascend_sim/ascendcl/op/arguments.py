"""Arguments of single operators: arrays of descriptors and buffers, checked in the real order."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import require
from ascend_sim.ascendcl.arguments import integers
from ascend_sim.constants.errors import ACL_ERROR_API_NOT_SUPPORT, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.runtime.tensors.descriptors import DataBuffer, TensorDesc, buffer_of, desc_of
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["check_counts", "check_placement", "empty_outputs", "read_buffers", "read_descs"]

HOST = (1, 2)
"""ACL_MEMTYPE_HOST and ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT."""


def check_counts(inputs: int, outputs: int) -> None:
    """Raises AclError 100000 for a negative one."""
    for name, count in (("numInputs", inputs), ("numOutputs", outputs)):
        if count < 0:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{name} is {count}: 0 or more is required", "acl")


def _handles(value: Any, count: int, what: str) -> list[int]:
    """*count* handles; a count of 0 needs no array. Raises AclError 100000 for a NULL array or element."""
    if not count:
        return []
    require(value, what)
    found = integers(value, count, what)
    for i, handle in enumerate(found):
        require(handle, f"{what}[{i}]")
    return found


def read_descs(t: ThreadState, value: Any, count: int, what: str) -> list[TensorDesc]:
    """The descriptors of an array. Raises AclError 100000 for NULL, and, with a finding, for what is none."""
    made = []
    for i, handle in enumerate(_handles(value, count, what)):
        desc = desc_of(t, handle)
        if desc is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{what}[{i}] is {handle:#x}: no live tensor descriptor", "acl")
        made.append(desc)
    return made


def read_buffers(t: ThreadState, value: Any, count: int, what: str, filled: bool) -> list[DataBuffer]:
    """The data buffers of an array; *filled*: one with a length needs an address. Raises AclError 100000."""
    made = []
    for i, handle in enumerate(_handles(value, count, what)):
        buffer = buffer_of(t, handle)
        if buffer is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{what}[{i}] is {handle:#x}: no live data buffer", "acl")
        if filled and buffer.size and not buffer.address:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{what}[{i}] has {buffer.size} bytes and no address", "acl")
        made.append(buffer)
    return made


def empty_outputs(outputs: list[TensorDesc]) -> bool:
    """Whether there is nothing to compute: every output has a dim of 0."""
    return bool(outputs) and all(0 in desc.dims for desc in outputs)


def check_placement(descs: list[TensorDesc]) -> None:
    """Raises AclError 200001 for a tensor in host memory that is no constant."""
    for desc in descs:
        if desc.placement in HOST and desc.const is None:
            raise AclError(
                ACL_ERROR_API_NOT_SUPPORT, f"{desc.describe()} is placed in host memory and no constant", "acl"
            )
