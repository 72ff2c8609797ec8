"""Chapter 04: access of one device to the memory of another."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.device.device import get_device
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_FEATURE_UNSUPPORTED,
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.device import Device
from ascend_sim.runtime.thread_state import ThreadState

MOST_DEVICES = 64
"""Ids that the runtime passes to the driver at all."""


def _physical(t: ThreadState, device_id: int, what: str) -> Device:
    """The device as the driver looks it up. Raises AclError 107000."""
    devices = t.sim.devices
    if not 0 <= device_id < len(devices):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{what} is {device_id}: 0 to {len(devices) - 1} is required", "driver"
        )
    return devices[device_id]


def _two(one: int, other: int) -> None:
    if one == other:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"both devices are {one}: peer access is between two different devices", "acl"
        )


@api("aclrtDeviceCanAccessPeer")
def device_can_access_peer(t: ThreadState, device_id: int, peer_device_id: int) -> int:
    """1: the devices can exchange data (here: always). Needs no context.

    Codes: 100000 the same device twice, 107000 an unknown device, 207000 products without peer access.
    """
    _two(device_id, peer_device_id)
    _physical(t, peer_device_id, "peerDeviceId")
    check_product(t, "aclrtDeviceCanAccessPeer")
    _physical(t, device_id, "deviceId")
    return 1


@api("aclrtDeviceEnablePeerAccess")
def device_enable_peer_access(t: ThreadState, peer_device_id: int, flags: int) -> None:
    """Let the current device reach the memory of *peer_device_id*; the other direction is a call of its own.

    Codes: 200006 flags other than 0, 107002 no current device, 100000 the current device itself, 107000 an unknown
    device, 207000 products without peer access.
    """
    if flags:
        raise AclError(
            ACL_ERROR_FEATURE_UNSUPPORTED, f"flags is {flags}: the parameter is reserved, 0 is required", "acl"
        )
    device = _current(t, peer_device_id, "aclrtDeviceEnablePeerAccess")
    device.peers[peer_device_id] = device.peers.get(peer_device_id, 0) + 1


@api("aclrtDeviceDisablePeerAccess")
def device_disable_peer_access(t: ThreadState, peer_device_id: int) -> None:
    """Undo one aclrtDeviceEnablePeerAccess: as the driver counts, the last one takes the access away.

    Codes: 107002, 100000, 107000, 207000 as there; 507899 it was not enabled.
    """
    device = _current(t, peer_device_id, "aclrtDeviceDisablePeerAccess")
    count = device.peers.get(peer_device_id, 0)
    if not count:
        raise AclError(
            ACL_ERROR_RT_DRV_INTERNAL_ERROR,
            f"device {device.index} has no access to device {peer_device_id}: "
            f"aclrtDeviceEnablePeerAccess({peer_device_id}, 0) was not called with device {device.index} current",
            "driver",
        )
    if count == 1:
        del device.peers[peer_device_id]
    else:
        device.peers[peer_device_id] = count - 1


def _current(t: ThreadState, peer_device_id: int, name: str) -> Device:
    current = get_device(t)
    _two(current, peer_device_id)
    _physical(t, peer_device_id, "peerDeviceId")
    check_product(t, name)
    return t.sim.devices[current]


@api("aclrtDevicePeerAccessStatus")
def device_peer_access_status(t: ThreadState, device_id: int, peer_device_id: int) -> int:
    """1 when *device_id* may reach *peer_device_id*, else 0, also for devices that do not exist.

    The page counts each direction by itself, the driver's header answers 1 only when both are enabled (profile switch
    ``peer_status``). Codes: 107000 an id that no machine has, 207000 products without peer access.
    """
    for what, number in (("deviceId", device_id), ("peerDeviceId", peer_device_id)):
        if not 0 <= number < MOST_DEVICES:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{what} is {number}: 0 to {MOST_DEVICES - 1} is possible")
    if "peer_access" not in t.sim.profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no peer access")
    devices = t.sim.devices
    if max(device_id, peer_device_id) >= len(devices):
        return 0
    there = peer_device_id in devices[device_id].peers
    if t.sim.profile.switches["peer_status"] == "both":
        return int(there and device_id in devices[peer_device_id].peers)
    return int(there)
