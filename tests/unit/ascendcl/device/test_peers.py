"""Chapter 04: access of one device to the memory of another."""

from __future__ import annotations

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

sim = simulator(device=None, devices=3)


def test_devices_can_reach_each_other(sim: Simulator) -> None:
    assert C.aclrtDeviceCanAccessPeer(0, 1) == (1, 0)  # without a context
    assert C.aclrtDevicePeerAccessStatus(0, 1) == (0, 0)


def test_access_has_a_direction(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    assert C.aclrtDeviceEnablePeerAccess(1, 0) == 0
    assert C.aclrtDevicePeerAccessStatus(0, 1) == (1, 0)
    assert C.aclrtDevicePeerAccessStatus(1, 0) == (0, 0)
    assert C.aclrtDeviceDisablePeerAccess(1) == 0
    assert C.aclrtDevicePeerAccessStatus(0, 1) == (0, 0)


def test_the_drivers_header_wants_both_directions() -> None:
    with Simulator(devices=2, switches={"peer_status": "both"}):
        C.aclrtSetDevice(0)
        C.aclrtDeviceEnablePeerAccess(1, 0)
        assert C.aclrtDevicePeerAccessStatus(0, 1) == (0, 0)
        C.aclrtSetDevice(1)
        C.aclrtDeviceEnablePeerAccess(0, 0)
        assert C.aclrtDevicePeerAccessStatus(0, 1) == (1, 0)


def test_enabling_counts(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    assert [C.aclrtDeviceEnablePeerAccess(1, 0) for _ in range(2)] == [0, 0]
    assert C.aclrtDeviceDisablePeerAccess(1) == 0
    assert C.aclrtDevicePeerAccessStatus(0, 1) == (1, 0)
    assert C.aclrtDeviceDisablePeerAccess(1) == 0
    assert C.aclrtDeviceDisablePeerAccess(1) == 507899
    assert "was not called with device 0 current" in C.aclGetRecentErrMsg()


def test_the_order_of_checks(sim: Simulator) -> None:
    assert C.aclrtDeviceEnablePeerAccess(9, 1) == 200006
    assert C.aclrtDeviceEnablePeerAccess(9, 0) == 107002
    assert C.aclrtDeviceDisablePeerAccess(9) == 107002
    C.aclrtSetDevice(0)
    assert C.aclrtDeviceEnablePeerAccess(0, 0) == 100000
    assert C.aclrtDeviceEnablePeerAccess(9, 0) == 107000
    assert C.aclrtDeviceEnablePeerAccess(-1, 0) == 107000
    assert C.aclrtDeviceCanAccessPeer(9, 9) == (None, 100000)
    assert C.aclrtDeviceCanAccessPeer(9, 0) == (None, 107000)
    assert C.aclrtDeviceCanAccessPeer(0, 3) == (None, 107000)


def test_status_of_devices_that_are_not_there(sim: Simulator) -> None:
    assert C.aclrtDevicePeerAccessStatus(0, 63) == (0, 0)
    assert C.aclrtDevicePeerAccessStatus(1, 1) == (0, 0)
    assert C.aclrtDevicePeerAccessStatus(0, 64) == (None, 107000)
    assert C.aclrtDevicePeerAccessStatus(-1, 0) == (None, 107000)


def test_a_product_without_peers() -> None:
    with Simulator("Ascend310B1", devices=2):
        C.aclrtSetDevice(0)
        assert C.aclrtDeviceCanAccessPeer(0, 0) == (None, 100000)
        assert C.aclrtDeviceCanAccessPeer(0, 1) == (None, 207000)
        assert C.aclrtDeviceEnablePeerAccess(1, 0) == 207000
        assert C.aclrtDeviceEnablePeerAccess(2, 0) == 107000  # the driver is asked first
        assert C.aclrtDevicePeerAccessStatus(0, 1) == (None, 207000)
