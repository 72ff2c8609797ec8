"""Chapter 04: the names of a device: ids of user, logic and hardware, UUID, PCI bus id, and how two are connected."""

from __future__ import annotations

import os
from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.device.device import device_of
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_INVALID_DEVICEID,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.flags import (
    ACL_RT_DEVS_TOPOLOGY_HCCS,
    ACL_RT_DEVS_TOPOLOGY_HCCS_SW,
    ACL_RT_DEVS_TOPOLOGY_PIX,
    ACL_RT_DEVS_TOPOLOGY_SIO,
)
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.runtime.memory import host_buffers
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.untrusted.digests import sha256

PCI_ID_BYTES = 13
"""``0000:3d:00.0`` and its terminating zero."""
FIRST_BUS = 0x01

# -- one id for another: a user id is a place in ASCEND_RT_VISIBLE_DEVICES; logic and hardware ids are equal ----------


def _user(t: ThreadState, number: int, what: str, code: int) -> int:
    """The hardware's id of user id *number*. Raises AclError: 107000 negative, *code* for one that is not visible."""
    if number < 0:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{what} is {number}: 0 or more is required")
    if number >= len(t.sim.visible):
        text = f"{what} is {number}: 0 to {len(t.sim.visible) - 1} is required"
        raise AclError(code, text, "driver" if code == ACL_ERROR_RT_PARAM_INVALID else "rt")
    return t.sim.visible[number]


def _hardware(t: ThreadState, number: int, what: str, code: int) -> int:
    """The user id of the hardware's id *number*. Raises AclError as `_user`."""
    if number < 0:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{what} is {number}: 0 or more is required")
    if number not in t.sim.visible:
        known = ", ".join(str(device) for device in t.sim.visible) or "none"
        text = f"{what} is {number}: the visible devices are {known}"
        raise AclError(code, text, "driver" if code == ACL_ERROR_RT_PARAM_INVALID else "rt")
    return t.sim.visible.index(number)


@api("aclrtGetLogicDevIdByUserDevId")
def get_logic_dev_id_by_user_dev_id(t: ThreadState, user_id: int) -> int:
    """Codes: 107000 negative, 107001 no such device."""
    return _user(t, user_id, "userDevid", ACL_ERROR_RT_INVALID_DEVICEID)


@api("aclrtGetUserDevIdByLogicDevId")
def get_user_dev_id_by_logic_dev_id(t: ThreadState, logic_id: int) -> int:
    """Codes: 107000 negative, 107001 no such device."""
    return _hardware(t, logic_id, "logicDevId", ACL_ERROR_RT_INVALID_DEVICEID)


@api("aclrtGetLogicDevIdByPhyDevId")
def get_logic_dev_id_by_phy_dev_id(t: ThreadState, physical_id: int) -> int:
    """What it answers is a user id, says the page. Codes: 107000 no such device."""
    return _hardware(t, physical_id, "phyDevId", ACL_ERROR_RT_PARAM_INVALID)


@api("aclrtGetPhyDevIdByLogicDevId")
def get_phy_dev_id_by_logic_dev_id(t: ThreadState, logic_id: int) -> int:
    """What it takes is a user id, says the page. Codes: 107000 no such device."""
    return _user(t, logic_id, "logicDevId", ACL_ERROR_RT_PARAM_INVALID)


@api("aclrtGetUserDevIdByPhyDevId")
def get_user_dev_id_by_phy_dev_id(t: ThreadState, physical_id: int) -> int:
    """Codes: 107000 no such device."""
    return _hardware(t, physical_id, "phyDevId", ACL_ERROR_RT_PARAM_INVALID)


@api("aclrtGetPhyDevIdByUserDevId")
def get_phy_dev_id_by_user_dev_id(t: ThreadState, user_id: int) -> int:
    """Codes: 107000 no such device."""
    return _user(t, user_id, "userDevId", ACL_ERROR_RT_PARAM_INVALID)


# -- names of the hardware --------------------------------------------------------------------------------------------


@api("aclrtDeviceGetUuid")
def device_get_uuid(t: ThreadState, device_id: int) -> Any:
    """16 bytes that are the same in every run for the same SoC and device (an aclrtUuid).

    Codes: 107001 bad device, 207000 products without it.
    """
    from ascend_sim.ascendcl.structs import aclrtUuid

    device_of(t, device_id)
    check_product(t, "aclrtDeviceGetUuid")
    seed = f"ascend_sim {t.sim.profile.name} device {device_id}".encode()
    return aclrtUuid(list(sha256(seed).digest()[:16]))


def _pci_bus_id(device_id: int) -> str:
    return f"0000:{FIRST_BUS + device_id:02x}:00.0"


@api("aclrtDeviceGetPCIBusId")
def device_get_pci_bus_id(t: ThreadState, device_id: int, buffer: int, length: int) -> None:
    """Write ``domain:bus:device.function`` and a zero to *buffer*, *length* >= 13 bytes of host memory.

    Codes: 100000 NULL, 107001 bad device, 107000 a shorter buffer, 207000 products without it.
    """
    require(buffer, "pciBusId")
    if device_id < 0:
        device_of(t, device_id)
    if length < PCI_ID_BYTES:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"len is {length}: at least {PCI_ID_BYTES} bytes are required")
    device_of(t, device_id)
    check_product(t, "aclrtDeviceGetPCIBusId")
    put_text(buffer, _pci_bus_id(device_id), "pciBusId")


@api("aclrtDeviceGetByPCIBusId")
def device_get_by_pci_bus_id(t: ThreadState, bus_id: str | None) -> int:
    """The device of a PCI bus id, compared as text. Codes: 100000 NULL, 107000 unknown, 207000."""
    if bus_id is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "pciBusId is NULL", "acl")
    check_product(t, "aclrtDeviceGetByPCIBusId")
    ids = [_pci_bus_id(device.index) for device in t.sim.devices]
    if bus_id not in ids:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"pciBusId is {bus_id!r}: the devices are {', '.join(ids)}")
    return ids.index(bus_id)


def put_text(address: int, text: str, what: str) -> None:
    """Write *text* and a terminating zero to host memory. Raises AclError 100000 as `put_bytes`."""
    put_bytes(address, os.fsencode(text) + b"\0", what)


def put_bytes(address: int, raw: bytes, what: str) -> None:
    """Write *raw* to host memory.

    Raises AclError 100000 when nothing can be written there, or when the buffer there is known to be shorter.
    """
    kept = host_buffers.find(address)
    end = kept.end() if kept is not None else None
    if end is not None and address + len(raw) > end:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"{what} is a buffer of {end - address} bytes: {len(raw)} are written", "acl"
        )
    if not host_memory.writable(address, len(raw)):
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"{what} is {address:#x}: {len(raw)} bytes cannot be written there", "acl"
        )
    host_memory.view(address, len(raw))[:] = list(raw)


@api("aclrtGetDevicesTopo")
def get_devices_topo(t: ThreadState, device_id: int, other_id: int) -> int:
    """How two devices are connected: one bit of ACL_RT_DEVS_TOPOLOGY_*.

    A3: the two dies of a chip (SIO), else an HCCS switch; A2 and TRN: HCCS; others: one PCIe switch. Codes: 107000 bad
    device.
    """
    devices = len(t.sim.devices)
    for what, number in (("deviceId", device_id), ("otherDeviceId", other_id)):
        if number >= devices:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{what} is {number}: 0 to {devices - 1} is required", "driver")
    product = t.sim.profile.product
    if product == "A3" and device_id != other_id:
        return ACL_RT_DEVS_TOPOLOGY_SIO if device_id // 2 == other_id // 2 else ACL_RT_DEVS_TOPOLOGY_HCCS_SW
    return (
        ACL_RT_DEVS_TOPOLOGY_HCCS
        if product in ("A2", "A3", "TRN") or device_id == other_id
        else ACL_RT_DEVS_TOPOLOGY_PIX
    )
