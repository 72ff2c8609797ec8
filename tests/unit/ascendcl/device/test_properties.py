"""Chapter 04: what devices are and can do, what they are called, their limits."""

from __future__ import annotations

import ctypes
import os

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

SOCS = ("Ascend950PR_9599", "Ascend910_9391", "Ascend910B3", "Ascend310B1", "Ascend310P3", "Ascend910A")


sim = simulator(device=None, devices=2)


# -- attributes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        (C.ACL_DEV_ATTR_AICPU_CORE_NUM, 6),
        (C.ACL_DEV_ATTR_AICORE_CORE_NUM, 20),
        (C.ACL_DEV_ATTR_CUBE_CORE_NUM, 20),
        (C.ACL_DEV_ATTR_VECTOR_CORE_NUM, 40),
        (C.ACL_DEV_ATTR_WARP_SIZE, 0),
        (C.ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, 64 << 30),
        (C.ACL_DEV_ATTR_PHY_CHIP_ID, 1),
    ],
)
def test_attributes(sim: Simulator, attribute: int, value: int) -> None:
    assert C.aclrtGetDeviceInfo(1, attribute) == (value, 0)


def test_what_only_some_products_answer() -> None:
    with Simulator("Ascend950PR_9599"):
        assert C.aclrtGetDeviceInfo(0, C.ACL_DEV_ATTR_WARP_SIZE) == (32, 0)
        assert C.aclrtGetDeviceInfo(0, 408) == (0, 0)
        assert C.aclrtGetDeviceInfo(0, 406) == (None, 207000)
    with Simulator("Ascend910B3"):
        assert C.aclrtGetDeviceInfo(0, 408) == (None, 107000)
        assert C.aclrtGetDeviceInfo(0, 406) == (0, 0)


def test_faults_of_attributes(sim: Simulator) -> None:
    assert C.aclrtGetDeviceInfo(2, 101) == (None, 107000)
    assert C.aclrtGetDeviceInfo(0, 9999) == (None, 107000)
    assert C.aclrtGetDeviceInfo(-1, 101) == (None, 107000)  # an unsigned id


@pytest.mark.parametrize(("kind", "value"), [(0, 20), (1, 40), (2, 201326592)])
def test_sizes_of_the_hardware(sim: Simulator, kind: int, value: int) -> None:
    assert C.aclGetDeviceCapability(0, kind) == (value, 0)
    assert C.aclGetDeviceCapability(2, kind) == (None, 100000)


@pytest.mark.parametrize("kind", [-1, 3])
def test_other_sizes_of_the_hardware(sim: Simulator, kind: int) -> None:
    assert C.aclGetDeviceCapability(0, kind) == (None, 100000)


@pytest.mark.parametrize("soc", SOCS)
def test_features(soc: str) -> None:
    with Simulator(soc):
        assert C.aclrtGetDeviceCapability(0, 1) == (int(soc not in ("Ascend310B1", "Ascend910A")), 0)
        assert C.aclrtGetDeviceCapability(0, 21) == (1, 0)
        assert C.aclrtGetDeviceCapability(1, 1) == (None, 107001)
        assert C.aclrtGetDeviceCapability(1, 2) == (None, 107000)  # the feature first
        assert C.aclrtGetDeviceCapability(0, -1) == (None, 107000)
        assert C.aclrtGetDeviceCapability(0, 20002) == (None, 107000)


# -- state ------------------------------------------------------------------------------------------------------------


def test_what_needs_no_context(sim: Simulator) -> None:
    assert C.aclrtDeviceGetStreamPriorityRange() == (7, 0, 0)
    assert C.aclrtQueryDeviceStatus(1) == (0, 0)
    assert C.aclrtQueryDeviceStatus(2) == (None, 107001)
    assert C.aclrtDeviceGetBareTgid() == (os.getpid(), 0)
    assert C.aclrtGetRunMode() == (1, 0)
    assert C.aclrtGetSocName() == "Ascend910B3"
    assert C.aclrtGetDeviceCount() == (2, 0)


@pytest.mark.parametrize(("ts", "code"), [(0, 0), (1, 0), (2, 100000)])
def test_task_schedulers(sim: Simulator, ts: int, code: int) -> None:
    assert C.aclrtSetTsDevice(ts) == code


def test_load(sim: Simulator) -> None:
    load, code = C.aclrtGetDeviceUtilizationRate(0)
    assert (load.cubeUtilization, load.memoryUtilization, code) == (0, -1, 0)
    load, code = C.aclrtGetDeviceUtilizationRate(7)
    assert (load.cubeUtilization, load.vectorUtilization, code) == (-1, -1, 0)  # never fails


# -- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "value", "stored"),
    [(2, 40_000, 49152), (2, 1000, 32768), (3, 1 << 10, 1 << 10), (3, 1025, 1032), (3, 64 << 20, 64 << 20)],
)
def test_limits_are_rounded_up(sim: Simulator, limit: int, value: int, stored: int) -> None:
    assert C.aclrtDeviceSetLimit(limit, value) == 0
    assert C.aclrtDeviceGetLimit(limit) == (stored, 0)


@pytest.mark.parametrize(("limit", "value", "code"), [(3, 1023, 107000), (3, (64 << 20) + 1, 107000)])
def test_limits_out_of_range(sim: Simulator, limit: int, value: int, code: int) -> None:
    before = C.aclrtDeviceGetLimit(limit)
    assert C.aclrtDeviceSetLimit(limit, value) == code
    assert C.aclrtDeviceGetLimit(limit) == before


def test_limits_of_simt_are_those_of_the_950(sim: Simulator) -> None:
    assert C.aclrtDeviceSetLimit(0, 128) == 207000
    assert C.aclrtDeviceGetLimit(4) == (None, 207000)
    assert C.aclrtPeekAtLastError(0) == 0
    with Simulator("Ascend950PR_9599"):
        assert C.aclrtDeviceGetLimit(0) == (1152 * 32, 0)
        assert C.aclrtDeviceSetLimit(0, 129) == 0
        assert C.aclrtDeviceGetLimit(0) == (256 * 32, 0)  # for a warp
        assert C.aclrtDeviceSetLimit(1, 0) == 0
        assert C.aclrtDeviceSetLimit(0, 0) == 107000  # both are 0 now
        assert C.aclrtDeviceSetLimit(4, (1 << 20) - 1) == 107000


def test_the_order_of_checks_for_limits() -> None:
    with Simulator("Ascend310B1"):
        assert C.aclrtDeviceSetLimit(5, 1 << 40) == 100000
        assert C.aclrtDeviceSetLimit(2, 1 << 40) == 100000
        assert C.aclrtDeviceGetLimit(5) == (None, 100000)


def test_a_stack_too_large_keeps_devices_down(sim: Simulator) -> None:
    assert C.aclrtSetDevice(0) == 0
    assert C.aclrtDeviceSetLimit(2, 300 << 10) == 0  # counts from the next time
    assert C.aclrtSetDevice(0) == 0
    assert C.aclrtSetDevice(1) == 507033
    assert C.aclrtDeviceSetLimit(2, 192 << 10) == 0
    assert C.aclrtSetDevice(1) == 0


# -- names ------------------------------------------------------------------------------------------------------------


def test_ids_are_equal(sim: Simulator) -> None:
    for function in (
        C.aclrtGetLogicDevIdByUserDevId, C.aclrtGetUserDevIdByLogicDevId, C.aclrtGetLogicDevIdByPhyDevId,
        C.aclrtGetPhyDevIdByLogicDevId, C.aclrtGetUserDevIdByPhyDevId, C.aclrtGetPhyDevIdByUserDevId,
    ):  # fmt: skip
        assert function(1) == (1, 0)
        assert function(-1) == (None, 107000)


def test_ids_that_are_not_there(sim: Simulator) -> None:
    assert C.aclrtGetLogicDevIdByUserDevId(2) == (None, 107001)
    assert C.aclrtGetUserDevIdByLogicDevId(2) == (None, 107001)
    assert C.aclrtGetLogicDevIdByPhyDevId(2) == (None, 107000)
    assert C.aclrtGetPhyDevIdByUserDevId(2) == (None, 107000)


def test_uuids_are_the_same_in_every_run(sim: Simulator) -> None:
    first, code = C.aclrtDeviceGetUuid(0)
    assert code == 0
    assert len(first.bytes) == 16
    assert C.aclrtDeviceGetUuid(1)[0].bytes != first.bytes
    assert C.aclrtDeviceGetUuid(2) == (None, 107001)
    with Simulator():
        assert C.aclrtDeviceGetUuid(0)[0].bytes == first.bytes


def test_pci_bus_ids(sim: Simulator) -> None:
    room = ctypes.create_string_buffer(13)
    address = ctypes.addressof(room)
    assert C.aclrtDeviceGetPCIBusId(1, address, 13) == 0
    assert room.value == b"0000:02:00.0"
    assert C.aclrtDeviceGetByPCIBusId("0000:02:00.0") == (1, 0)
    assert C.aclrtDeviceGetByPCIBusId("0000:09:00.0") == (None, 107000)
    assert C.aclrtDeviceGetByPCIBusId(None) == (None, 100000)
    assert C.aclrtDeviceGetPCIBusId(9, 0, 0) == 100000
    assert C.aclrtDeviceGetPCIBusId(-1, address, 0) == 107001
    assert C.aclrtDeviceGetPCIBusId(9, address, 12) == 107000
    assert C.aclrtDeviceGetPCIBusId(9, address, 13) == 107001


def test_a_buffer_shorter_than_it_says(sim: Simulator) -> None:
    assert C.aclrtDeviceGetPCIBusId(0, bytearray(12), 13) == 100000
    assert "a buffer of 12 bytes: 13 are written" in C.aclGetRecentErrMsg()
    assert C.aclrtDeviceGetPCIBusId(0, bytearray(13), 13) == 0


@pytest.mark.parametrize(
    ("soc", "pair", "kind"),
    [
        ("Ascend910_9391", (0, 1), C.ACL_RT_DEVS_TOPOLOGY_SIO),
        ("Ascend910_9391", (1, 2), C.ACL_RT_DEVS_TOPOLOGY_HCCS_SW),
        ("Ascend910B3", (0, 2), C.ACL_RT_DEVS_TOPOLOGY_HCCS),
        ("Ascend310P3", (0, 2), C.ACL_RT_DEVS_TOPOLOGY_PIX),
    ],
)
def test_topology(soc: str, pair: tuple[int, int], kind: int) -> None:
    with Simulator(soc, devices=4):
        assert C.aclrtGetDevicesTopo(*pair) == (kind, 0)
        assert C.aclrtGetDevicesTopo(0, 4) == (None, 107000)


# -- atomic operations ------------------------------------------------------------------------------------------------


def test_atomic_operations(sim: Simulator) -> None:
    found, code = C.aclrtDeviceGetP2PAtomicCapabilities([30, 0], 2, 0, 1)
    assert (list(found), code) == ([1 | 8 | 16 | 32, 0], 0)
    found, code = C.aclrtDeviceGetHostAtomicCapabilities(np.array([30], np.uint32), 1, 0)
    assert (list(found), code) == ([0], 0)


def test_faults_of_atomic_operations(sim: Simulator) -> None:
    assert C.aclrtDeviceGetP2PAtomicCapabilities(None, 1, 0, 0)[1] == 107000
    assert C.aclrtDeviceGetP2PAtomicCapabilities([99], 0, 0, 0)[1] == 107000
    assert C.aclrtDeviceGetP2PAtomicCapabilities([99], 1, 0, 0)[1] == 107001
    assert C.aclrtDeviceGetP2PAtomicCapabilities([99], 1, 0, 2)[1] == 107001
    assert C.aclrtDeviceGetP2PAtomicCapabilities([99], 1, 0, 1)[1] == 107000
    assert C.aclrtDeviceGetHostAtomicCapabilities([99], 1, 2)[1] == 107001
    assert C.aclrtDeviceGetHostAtomicCapabilities([99], 1, 0)[1] == 107000
