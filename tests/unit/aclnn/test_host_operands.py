"""Operands in host memory: the device reaches them by the address that a registration gives, and by no other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.machine import host_memory

MAPPED, FLOAT = 0, 0
SIZE = 4096


@pytest.fixture
def sim() -> Iterator[Simulator]:
    with Simulator() as simulator:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        yield simulator


def _tensor(address: int, number: int = 4) -> int:
    return C.aclCreateTensor((number,), 1, FLOAT, None, 0, 2, (number,), 1, address)


def _queue_square(address: int, stream: int) -> None:
    """x * x -> x of four floats at *address*."""
    x = _tensor(address)
    executor = C.aclnnMulGetWorkspaceSize(x, x, x)[1]
    assert C.aclnnMul(None, 0, executor, stream) == 0


def _square(address: int) -> int:
    stream = C.aclrtCreateStream()[0]
    _queue_square(address, stream)
    return C.aclrtSynchronizeStream(stream)


def _pinned() -> tuple[int, np.ndarray]:
    address, code = C.aclrtMallocHost(SIZE)
    assert code == 0
    values = host_memory.view(address, 16).view(np.float32)
    values[:] = [1, 2, 3, 4]
    return address, values


def test_the_devices_address_of_registered_memory(sim: Simulator) -> None:
    address, values = _pinned()
    shown, code = C.aclrtHostRegister(address, SIZE, MAPPED)
    assert code == 0 and shown != address
    for expected in ([1, 4, 9, 16], [1, 16, 81, 256]):
        assert _square(shown) == 0
        assert values.tolist() == expected
    values[:] = 3
    assert _square(shown + 4) == 0  # an address inside
    assert values.tolist() == [3, 9, 9, 9]
    assert not list(sim.findings)


def test_the_host_address_of_registered_memory_is_a_fault(sim: Simulator) -> None:
    memory = np.zeros(2 * SIZE, np.uint8)
    address = memory.ctypes.data + -memory.ctypes.data % SIZE
    shown, code = C.aclrtHostRegister(address, SIZE, MAPPED)
    assert code == 0
    assert _square(address) == 507035
    assert "pass what aclrtHostGetDevicePointer gives" in C.aclGetRecentErrMsg()
    assert _square(shown) == 0


def test_memory_that_acl_does_not_know_is_a_fault(sim: Simulator) -> None:
    memory = np.zeros(64, np.uint8)
    assert _square(memory.ctypes.data) == 507035


def test_beyond_the_registration_is_a_fault(sim: Simulator) -> None:
    address, _ = _pinned()
    shown, _ = C.aclrtHostRegister(address, SIZE, MAPPED)
    assert _square(shown + SIZE - 8) == 507035
    assert "8 bytes past the end" in C.aclGetRecentErrMsg()


@pytest.mark.parametrize(
    ("mode", "code", "kinds"),
    [("mapped", 0, []), ("finding", 0, ["undefined-use"]), ("fault", 507035, ["out-of-bounds"])],
)
def test_page_locked_memory_that_nobody_registered_goes_by_the_switch(mode: str, code: int, kinds: list[str]) -> None:
    with Simulator(switches={"pinned_memory_in_kernel": mode}) as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        address, values = _pinned()
        assert _square(address) == code
        assert [finding.kind for finding in sim.findings] == kinds
        assert values.tolist() == ([1, 4, 9, 16] if not code else [1, 2, 3, 4])


def test_a_registration_that_ends_while_the_operator_is_queued(sim: Simulator) -> None:
    address, _ = _pinned()
    shown, _ = C.aclrtHostRegister(address, SIZE, MAPPED)
    stream = C.aclrtCreateStream()[0]
    _queue_square(shown, stream)
    assert C.aclrtHostUnregister(address) == 0
    C.aclrtSynchronizeStream(stream)
    assert "use-after-free" in {finding.kind for finding in sim.findings}


def test_operators_and_copies_meet_in_it(sim: Simulator) -> None:
    address, _ = _pinned()
    shown, _ = C.aclrtHostRegister(address, SIZE, MAPPED)
    device, _ = C.aclrtMalloc(SIZE, 0)
    first, second = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
    _queue_square(shown, first)
    assert C.aclrtMemcpyAsync(device, 16, address, 16, 1, second) == 0
    C.aclrtSynchronizeDevice()
    assert "race" in {finding.kind for finding in sim.findings}


def test_one_address_for_host_and_device(sim: Simulator) -> None:
    values = C.aclrtMallocAttrValue()
    values.vaFlag = 1
    config = C.aclrtMallocConfig([C.aclrtMallocAttribute(3, values)], 1)
    address, code = C.aclrtMallocHostWithCfg(SIZE, config)
    assert code == 0
    shown, code = C.aclrtHostRegister(address, SIZE, MAPPED)
    assert (shown, code) == (address, 0)
    assert C.aclrtHostGetDevicePointer(address, 0) == (address, 0)
    host_memory.view(address, 16).view(np.float32)[:] = 2
    assert _square(shown) == 0
    assert host_memory.view(address, 16).view(np.float32).tolist() == [4] * 4
    assert not list(sim.findings)
