"""Chapter 13: faults of a whole device: what is wrong, and repairing it. Simulated devices have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.device.device import device_of, open_device
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.thread_state import ThreadState

if TYPE_CHECKING:
    from ascend_sim.ascendcl.structs import aclrtErrorInfo

REPAIRING = ("A2", "A3", "950")
NO_ERROR, MEMORY = 0, 1
MOST_INFOS = 128


def _repairs(t: ThreadState) -> None:
    if t.sim.profile.product not in REPAIRING:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} cannot repair faults", "state")


@api("aclrtGetErrorVerbose")
def get_error_verbose(t: ThreadState, device_id: int) -> aclrtErrorInfo:
    """What is wrong with a device: always nothing (0). Codes: 207000 the chip lacks it, 107001."""
    from ascend_sim.ascendcl.structs import aclrtErrorInfo

    _repairs(t)
    device_of(t, device_id)
    return aclrtErrorInfo()


@api("aclrtRepairError")
def repair_error(t: ThreadState, device_id: int, info: Any) -> None:
    """Repair what aclrtGetErrorVerbose told, after aclrtDeviceTaskAbort.

    Codes: 100000 NULL, 207000 the chip lacks it, 107000 tryRepair is 0, or a fault that cannot be repaired; 107001,
    507033 the device is not up.
    """
    if info is None or isinstance(info, int):
        raise AclError(ACL_ERROR_INVALID_PARAM, "errorInfo is NULL, or no aclrtErrorInfo", "acl")
    _repairs(t)
    if not info.tryRepair:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "errorInfo.tryRepair is 0: 1 is required")
    open_device(t, device_id)
    if info.errorType not in (NO_ERROR, MEMORY):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"errorInfo.errorType is {info.errorType}: 0 (no error) or 1 (memory) is required",
        )


@api("aclrtGetMemUceInfo")
def get_mem_uce_info(t: ThreadState, device_id: int, size: int) -> tuple[list[Any], int]:
    """Addresses with memory faults that cannot be corrected, and how many: none here.

    Codes: 207000 the chip lacks it, 107001.
    """
    _repairs(t)
    device_of(t, device_id)
    return [], 0


@api("aclrtMemUceRepair")
def mem_uce_repair(t: ThreadState, device_id: int, infos: Any, size: int) -> None:
    """Repair such addresses.

    Codes: 100000 NULL, more than 128, or something in a reserved field; 207000 the chip lacks it; 107001.
    """
    if not isinstance(infos, list):
        raise AclError(ACL_ERROR_INVALID_PARAM, "memUceInfoArray is NULL, or no list of aclrtMemUceInfo", "acl")
    if size > MOST_INFOS:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"arraySize is {size}: at most {MOST_INFOS} is required", "acl")
    for index, info in enumerate(infos[:size]):
        if any(getattr(info, "reserved", ())):
            raise AclError(ACL_ERROR_INVALID_PARAM, f"memUceInfoArray[{index}].reserved is not all zero", "acl")
    _repairs(t)
    device_of(t, device_id)
