"""Chapter 04: what a device is and can do: cores, memory, features, limits, load."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Final

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.arguments import integers
from ascend_sim.ascendcl.device.device import device_of
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INVALID_DEVICEID,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.execution import ACL_RT_DEVICE_STATUS_NORMAL
from ascend_sim.errors import AclError
from ascend_sim.machine.profiles import Profile
from ascend_sim.runtime.settings.device_limits import LIMIT_NAMES
from ascend_sim.runtime.thread_state import ThreadState

GREATEST, LEAST = 0, 7
"""Stream priorities."""
UNKNOWN_LOAD = -1

# -- attributes -------------------------------------------------------------------------------------------------------

#: SIMT attributes of the 950: warp size, threads and bytes of unified buffer for each vector core, grids and blocks.
_SIMT: Final = {
    202: 32, 203: 2048, 204: (256 - 32 - 8) << 10, 205: 65535, 206: 65535, 207: 65535, 208: 65535,
    209: 2048, 210: 2048, 211: 2048, 212: 2048,
}  # fmt: skip

CONNECTION, FORM_FACTOR = 408, 409
PCIE, PCIE_CARD = 0, 3
CUSTOM_OP_PRIVILEGE = 406

_ATTRIBUTES: Mapping[int, Callable[[Profile, int], int]] = {
    1: lambda profile, index: profile.ai_cpus,
    101: lambda profile, index: profile.ai_cores,
    102: lambda profile, index: profile.cube_cores,
    201: lambda profile, index: profile.vector_cores,
    301: lambda profile, index: profile.memory_bytes,
    302: lambda profile, index: profile.l2_bytes,
    401: lambda profile, index: 0,  # one operating system
    402: lambda profile, index: index // 2 if profile.product == "A3" else index,  # A3: two devices on a chip
    403: lambda profile, index: index,
    404: lambda profile, index: 0,  # one server, one super pod
    405: lambda profile, index: 0,
    CUSTOM_OP_PRIVILEGE: lambda profile, index: 0,
    407: lambda profile, index: 0,
    501: lambda profile, index: 0,  # no virtual machine
    601: lambda profile, index: profile.npu_arch,
}


def _attribute(profile: Profile, attribute: int, index: int) -> int:
    if attribute in _SIMT:
        return _SIMT[attribute] if "simt" in profile.supports else 0
    if attribute in (CONNECTION, FORM_FACTOR):
        if profile.product != "950":
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                f"attr is {attribute}: only the 950 answers it, {profile.name} does not",
                "driver",
            )
        return PCIE if attribute == CONNECTION else PCIE_CARD
    if attribute == CUSTOM_OP_PRIVILEGE and profile.product == "950":
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"attr is {attribute}: {profile.name} does not have it")
    found = _ATTRIBUTES.get(attribute)
    if found is None:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"attr is {attribute}: no device attribute (aclrtDevAttr) has that number"
        )
    return found(profile, index)


@api("aclrtGetDeviceInfo")
def get_device_info(t: ThreadState, device_id: int, attribute: int) -> int:
    """An attribute (aclrtDevAttr): numbers of cores, bytes of memory, SIMT sizes (0 without SIMT), ids.

    Needs no context. Codes: 107000 bad device or attribute, 207000 an attribute that the 950 lacks.
    """
    if device_id >= len(t.sim.devices):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"deviceId is {device_id}: 0 to {len(t.sim.devices) - 1} is required"
        )
    return _attribute(t.sim.profile, attribute, device_id)


@api("aclGetDeviceCapability")
def get_hardware_capability(t: ThreadState, device_id: int, kind: int) -> int:
    """AI cores (0), vector cores (1), bytes of L2 (2). Codes: 100000 bad device or kind."""
    if device_id >= len(t.sim.devices):
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"deviceId is {device_id}: 0 to {len(t.sim.devices) - 1} is required", "acl"
        )
    profile = t.sim.profile
    values = (profile.ai_cores, profile.vector_cores, profile.l2_bytes)
    if not 0 <= kind < len(values):
        raise AclError(
            ACL_ERROR_INVALID_PARAM,
            f"deviceInfo is {kind}: 0 (AI cores), 1 (vector cores) or 2 (L2) is required",
            "acl",
        )
    return values[kind]


TASK_UPDATE, QUEUE_EVENTS, LAST_FEATURE = 1, 21, 20001
_TASK_UPDATE_PRODUCTS = ("950", "A3", "A2", "INF")


@api("aclrtGetDeviceCapability")
def get_device_capability(t: ThreadState, device_id: int, feature: int) -> int:
    """1 when a feature is there, else 0: 1 task update of AI core tasks, 21 queue events across devices.

    Codes: 107000 another feature, 107001 bad device.
    """
    if not 0 <= feature <= LAST_FEATURE:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"devFeatureType is {feature}: {TASK_UPDATE} or {QUEUE_EVENTS} is required"
        )
    if feature == TASK_UPDATE:
        device_of(t, device_id)
        return int(t.sim.profile.product in _TASK_UPDATE_PRODUCTS)
    if feature == QUEUE_EVENTS:
        device_of(t, device_id)
        return 1
    raise AclError(
        ACL_ERROR_RT_PARAM_INVALID, f"devFeatureType is {feature}: {TASK_UPDATE} or {QUEUE_EVENTS} is required", "state"
    )


# -- state ------------------------------------------------------------------------------------------------------------


@api("aclrtDeviceGetStreamPriorityRange")
def device_get_stream_priority_range(t: ThreadState) -> tuple[int, int]:
    """The least and the greatest priority of streams: 7 and 0. Needs no context, never fails."""
    return LEAST, GREATEST


@api("aclrtQueryDeviceStatus")
def query_device_status(t: ThreadState, device_id: int) -> int:
    """0 normal; here no device ever is abnormal (1). Codes: 107001 bad device."""
    device_of(t, device_id)
    return ACL_RT_DEVICE_STATUS_NORMAL


@api("aclrtGetDeviceUtilizationRate")
def get_device_utilization_rate(t: ThreadState, device_id: int) -> Any:
    """The load of cube, vector and AI CPU cores in percent at this moment; -1: not known (memory, a bad device id).

    Never fails.
    """
    from ascend_sim.ascendcl.structs import aclrtUtilizationInfo

    devices = t.sim.devices
    if not 0 <= device_id < len(devices):
        return aclrtUtilizationInfo(UNKNOWN_LOAD, UNKNOWN_LOAD, UNKNOWN_LOAD, UNKNOWN_LOAD, 0)
    t.sim.threads.poll(t)
    engines = devices[device_id].engines
    load = {kind: 100 - 100 * engines.free(kind) // engines.capacity[kind] for kind in ("aic", "aiv")}
    vector = load["aiv"] if t.sim.profile.vector_cores else UNKNOWN_LOAD
    return aclrtUtilizationInfo(load["aic"], vector, 0, UNKNOWN_LOAD, 0)


@api("aclrtDeviceGetBareTgid")
def device_get_bare_tgid(t: ThreadState) -> int:
    """The process id, as it is outside a virtual machine. Never fails."""
    return os.getpid()


# -- limits -----------------------------------------------------------------------------------------------------------


def _limit(limit: int) -> None:
    if limit >= len(LIMIT_NAMES):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"limit is {limit}: 0 to {len(LIMIT_NAMES) - 1} is required", "acl")


@api("aclrtDeviceSetLimit")
def device_set_limit(t: ThreadState, limit: int, value: int) -> None:
    """Set the bytes of a stack or a print buffer for all devices; counts from the next time that they come up.

    Limits: 0 SIMT stack of a thread, 1 SIMT divergence stack, 2 SIMD stack of a core, 3 SIMD print buffer of a core, 4
    SIMT print buffer. Codes: 100000 another limit or more than 32 bits, 207000 products without it, 107000 a print
    buffer out of range or both SIMT stacks 0.
    """
    _limit(limit)
    if value >> 32:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"value is {value}: at most {(1 << 32) - 1} is possible", "acl")
    _unsupported_is_no_error(t, "aclrtDeviceSetLimit")
    t.sim.process.limits.set(t.sim.profile, limit, value)


@api("aclrtDeviceGetLimit")
def device_get_limit(t: ThreadState, limit: int) -> int:
    """What was set last, rounded up, in effect or not; limit 0 answers for a warp of 32 threads.

    Codes: 100000 another limit, 207000 products without it.
    """
    _limit(limit)
    _unsupported_is_no_error(t, "aclrtDeviceGetLimit")
    return t.sim.process.limits.get(t.sim.profile, limit)


def _unsupported_is_no_error(t: ThreadState, name: str) -> None:
    """207000 from these two does not become the thread's last error."""
    try:
        check_product(t, name)
    except AclError as error:
        raise AclError(error.code, error.reason, "state") from None


# -- atomic operations ------------------------------------------------------------------------------------------------

LAST_OPERATION = 44
_SIGNED, _UNSIGNED, _REDUCTION, _8, _16, _32, _64 = 1, 2, 4, 8, 16, 32, 64

#: Operations of the A2 and A3 between devices: DMA add, min, max of signed 8 to 32 bits.
_A2_PEER: Final = dict.fromkeys((30, 31, 32), _SIGNED | _8 | _16 | _32)


def _operations(operations: Any, count: int) -> list[int]:
    if operations is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "operations is NULL")
    if not count:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "count is 0: at least one operation is required")
    return integers(operations, count, "operations", 4)


def _known(operations: list[int]) -> None:
    for i, operation in enumerate(operations):
        if operation > LAST_OPERATION:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"operations[{i}] is {operation}: 0 to {LAST_OPERATION} is required"
            )


@api("aclrtDeviceGetHostAtomicCapabilities")
def device_get_host_atomic_capabilities(t: ThreadState, operations: Any, count: int, device_id: int) -> list[int]:
    """For each operation the data types that work between device and host: none over PCIe, so zeros.

    Codes: 107000 NULL, no operation or an unknown one, 107001 bad device.
    """
    asked = _operations(operations, count)
    device_of(t, device_id)
    _known(asked)
    return [0] * count


@api("aclrtDeviceGetP2PAtomicCapabilities")
def device_get_p2p_atomic_capabilities(
    t: ThreadState, operations: Any, count: int, source_id: int, target_id: int
) -> list[int]:
    """Atomic operations between two devices: bit masks of aclrtAtomicOperationCapability, 0 where nothing works.

    Codes: 107000 NULL, no operation or an unknown one, 107001 bad device or the same one twice.
    """
    asked = _operations(operations, count)
    if source_id == target_id:
        raise AclError(ACL_ERROR_RT_INVALID_DEVICEID, f"both devices are {source_id}: two different ones are required")
    device_of(t, source_id)
    device_of(t, target_id)
    _known(asked)
    table = _A2_PEER if t.sim.profile.product in ("A2", "A3") else {}
    return [table.get(operation, 0) for operation in asked]
