"""Chapter 04: the life of devices: setting, resetting, waiting for them."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_CONTEXT_NULL,
    ACL_ERROR_RT_DEV_SETUP_ERROR,
    ACL_ERROR_RT_INVALID_DEVICEID,
    ACL_ERROR_RT_NO_DEVICE,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
)
from ascend_sim.constants.execution import ACL_DEVICE, ACL_HOST, ACL_TS_ID_AICORE, ACL_TS_ID_AIVECTOR
from ascend_sim.errors import AclError
from ascend_sim.runtime.callbacks.states import SET_POST
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.device import Device
from ascend_sim.runtime.synchronize import trim_pools
from ascend_sim.runtime.thread_state import ThreadState

FOREVER_MS = -1


def device_of(t: ThreadState, device_id: int) -> Device:
    """The device of a user's id. Raises AclError 107001 outside the visible ones."""
    devices = t.sim.devices
    if not 0 <= device_id < len(devices):
        number = len(devices)
        there = "is 1 device (id 0)" if number == 1 else f"are {number} devices (ids 0 to {number - 1})"
        raise AclError(ACL_ERROR_RT_INVALID_DEVICEID, f"deviceId is {device_id}: there {there}")
    return devices[device_id]


def open_device(t: ThreadState, device_id: int) -> Device:
    """The device of an id, which has to be up: set, or with a living context. Raises AclError 507033 for one that is not."""
    device = device_of(t, device_id)
    if not device.contexts_open:
        raise AclError(
            ACL_ERROR_RT_DEV_SETUP_ERROR, f"device {device_id} is not up: call aclrtSetDevice({device_id}) first"
        )
    return device


def deadline_of(t: ThreadState, timeout_ms: int) -> int | None:
    """The virtual deadline (ns) of a timeout in ms; None: for ever.

    Raises AclError 107000 below -1 (the acl layer) and for 0 (the layer below; profile switch ``zero_timeout``).
    """
    if timeout_ms == FOREVER_MS:
        return None
    if timeout_ms < FOREVER_MS:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"timeout is {timeout_ms}: -1 (for ever) or more is required", "acl")
    if timeout_ms == 0 and t.sim.profile.switches["zero_timeout"] == "refused":
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "timeout is 0: -1 (for ever) or more than 0 is required")
    return t.clock + timeout_ms * 1_000_000


@api("aclrtSetDevice")
def set_device(t: ThreadState, device_id: int) -> None:
    """Bind this thread to the device's primary context; counts.

    Codes: 107001 bad id, 507033 the device cannot come up (a stack limit too large), 207008 no stream left.
    """
    device = device_of(t, device_id)
    device.set(t.site)
    t.bind(device)
    t.sim.state_changed("device", device_id, SET_POST)


@api("aclrtResetDevice")
def reset_device(t: ThreadState, device_id: int) -> None:
    """Count down; at zero the primary context goes down. Codes: 107001 bad id, 507007 not set."""
    if device_of(t, device_id).reset(t, force=False):
        t.binding = None


@api("aclrtResetDeviceForce")
def reset_device_force(t: ThreadState, device_id: int) -> None:
    """As aclrtResetDevice, whatever the count. Codes: 107001, 507007 (not the thread's last error)."""
    try:
        device_of(t, device_id).reset(t, force=True)
    except AclError as error:
        raise AclError(error.code, error.reason, "state") from None
    t.binding = None


@api("aclrtGetDevice")
def get_device(t: ThreadState) -> int:
    """The device of the current context. Codes: 107002 none and no default device."""
    context = t.bound_context()
    if context is not None:
        return context.device.index
    default = t.sim.process.default_device
    if default is not None:
        return default
    why = t.no_context_reason()
    t.drop_context()
    raise AclError(ACL_ERROR_RT_CONTEXT_NULL, why, "state")


@api("aclrtGetDeviceCount")
def get_device_count(t: ThreadState) -> int:
    """How many devices the process sees. Codes: 207004 none."""
    if not t.sim.devices:
        most = t.sim.installed - 1
        raise AclError(
            ACL_ERROR_RT_NO_DEVICE,
            f"no device is visible: ASCEND_RT_VISIBLE_DEVICES must name devices of 0 to {most}, in ascending order",
        )
    return len(t.sim.devices)


@api("aclrtGetRunMode")
def get_run_mode(t: ThreadState) -> int:
    """ACL_HOST: programs run on the host of a card; ACL_DEVICE by the switch ``run_mode``. Never fails."""
    return ACL_DEVICE if t.sim.profile.switches["run_mode"] == "device" else ACL_HOST


@api("aclrtGetSocName")
def get_soc_name(t: ThreadState) -> str:
    """The name of the SoC."""
    return t.sim.profile.name


@api("aclrtSynchronizeDevice")
def synchronize_device(t: ThreadState) -> None:
    """Wait for every stream of the current context. Codes: 107002, the first task failure met."""
    _synchronize(t, None)


@api("aclrtSynchronizeDeviceWithTimeout")
def synchronize_device_with_timeout(t: ThreadState, timeout: int) -> None:
    """Wait for every stream of the current context, at most *timeout* ms; -1: no limit.

    Codes: 107000 bad limit, 507046 not done in time.
    """
    if not _synchronize(t, deadline_of(t, timeout)):
        raise AclError(
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, f"the streams of the context were not done within {timeout} ms"
        )


def _synchronize(t: ThreadState, deadline: int | None) -> bool:
    """Wait for the current context, or for all contexts of its device (profile switch ``device_sync_scope``)."""
    context = t.current_context()
    others: list[Context] = []
    if t.sim.profile.switches["device_sync_scope"] == "device":
        others = [c for c in t.sim.contexts.values() if c.device is context.device and c is not context and not c.dead]
    try:
        return all(each.synchronize(t, deadline) for each in (context, *others))
    finally:
        trim_pools(t)


@api("aclrtSetTsDevice")
def set_ts_device(t: ThreadState, ts_id: int) -> None:
    """Choose the task scheduler: 0 AI core, 1 vector core. No effect: the chips here have one. Codes: 100000 others."""
    if ts_id not in (ACL_TS_ID_AICORE, ACL_TS_ID_AIVECTOR):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"tsId is {ts_id}: 0 (AI core) or 1 (vector core) is required", "acl")
