"""Chapter 04: overflow modes and the overflow status."""

from __future__ import annotations

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

sim = simulator(device=None, devices=2)


@pytest.mark.parametrize(
    ("soc", "first", "codes"),
    [
        ("Ascend950PR_9599", 1, (207000, 0)),
        ("Ascend910_9391", 1, (0, 0)),
        ("Ascend910B3", 1, (0, 0)),
        ("Ascend310B1", 0, (0, 207000)),
        ("Ascend310P3", 0, (0, 207000)),
        ("Ascend910A", 0, (0, 207000)),
    ],
)
def test_modes_by_product(soc: str, first: int, codes: tuple[int, int]) -> None:
    with Simulator(soc):
        assert C.aclrtGetDeviceSatMode() == (first, 0)
        assert (C.aclrtSetDeviceSatMode(0), C.aclrtSetDeviceSatMode(1)) == codes
        assert C.aclrtSetDeviceSatMode(2) == 107000
        assert C.aclrtSetDeviceSatMode(-1) == 107000


def test_a_mode_is_for_the_process(sim: Simulator) -> None:
    assert C.aclrtSetDeviceSatMode(0) == 0
    C.aclrtSetDevice(1)
    assert C.aclrtGetDeviceSatMode() == (0, 0)


def status(memory: int, stream: int = 0) -> list[int]:
    assert C.aclrtGetOverflowStatus(memory, 64, stream) == 0
    assert C.aclrtSynchronizeDevice() == 0
    words = np.full(16, 77, np.uint32)
    assert C.aclrtMemcpy(words, 64, memory, 64, C.ACL_MEMCPY_DEVICE_TO_HOST) == 0
    return [int(word) for word in words]


def test_the_status_is_a_task(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    memory, _ = C.aclrtMalloc(64, 0)
    stream, _ = C.aclrtCreateStream()
    assert status(memory) == [0] * 16
    sim.devices[0].overflow = True
    assert status(memory, stream) == [1] + [0] * 15
    assert status(memory) == [1] + [0] * 15  # asking does not reset it
    assert C.aclrtResetOverflowStatus(stream) == 0
    assert status(memory, stream) == [0] * 16


def test_the_status_is_that_of_when_the_task_runs(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    memory, _ = C.aclrtMalloc(64, 0)
    stream, _ = C.aclrtCreateStream()
    sim.hold(stream)
    assert C.aclrtGetOverflowStatus(memory, 64, stream) == 0
    sim.devices[0].overflow = True
    sim.release(stream)
    assert C.aclrtSynchronizeStream(stream) == 0
    words = np.zeros(16, np.uint32)
    C.aclrtMemcpy(words, 64, memory, 64, C.ACL_MEMCPY_DEVICE_TO_HOST)
    assert words[0] == 1


def test_devices_overflow_each_for_itself(sim: Simulator) -> None:
    sim.devices[1].overflow = True
    C.aclrtSetDevice(0)
    memory, _ = C.aclrtMalloc(64, 0)
    assert status(memory)[0] == 0


def test_the_order_of_checks(sim: Simulator) -> None:
    assert C.aclrtGetOverflowStatus(0, 32, 1) == 100000
    assert C.aclrtGetOverflowStatus(1, 32, 1) == 107017
    assert C.aclrtGetOverflowStatus(1, 32, 0) == 107000
    assert C.aclrtGetOverflowStatus(1, 64, 0) == 107002
    assert C.aclrtResetOverflowStatus(1) == 107017
    assert C.aclrtResetOverflowStatus(0) == 107002
    C.aclrtSetDevice(0)
    stream, _ = C.aclrtCreateStream()
    C.aclrtCreateContext(0)
    assert C.aclrtGetOverflowStatus(1, 64, stream) == 107003
    assert C.aclrtResetOverflowStatus(stream) == 107003


def test_host_memory_is_refused(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    memory, _ = C.aclrtMallocHost(64)
    assert C.aclrtGetOverflowStatus(memory, 64, 0) == 107000


def test_names_without_a_page(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    memory, _ = C.aclrtMalloc(64, 0)
    sim.devices[0].overflow = True
    assert C.aclrtGetFloatOverflowStatus(memory, 64, 0) == 0
    assert C.aclrtNpuGetFloatOverFlowStatus(memory, 64, 0, 0) == 0
    assert C.aclrtGetFloatOverflowStatus(0, 64, 0) == 107000
    assert C.aclrtNpuClearFloatOverFlowStatus(0, 0) == 0
    assert C.aclrtSynchronizeDevice() == 0
    assert not sim.devices[0].overflow
    sim.devices[0].overflow = True
    assert C.aclrtResetFloatOverflowStatus(0) == 0
    assert C.aclrtSynchronizeDevice() == 0
    assert not sim.devices[0].overflow
