"""Programs that run on the chip: device memory at true addresses."""

import ctypes

import numpy as np
import pytest

import ascend_sim.ascendcl as C
from ascend_sim import Simulator, pyacl

ON_CHIP = ("Ascend310B1", "Ascend310B4")


@pytest.mark.parametrize("soc", ON_CHIP)
def test_boards_say_where_programs_run(soc):
    with Simulator(soc):
        assert C.aclrtGetRunMode() == (0, 0)
    with Simulator(soc, switches={"run_mode": "host"}):
        assert C.aclrtGetRunMode() == (1, 0)


@pytest.mark.parametrize("soc", ["Ascend910B3", "Ascend310P3", "Ascend310", "Ascend910A"])
def test_cards_have_a_host(soc):
    with Simulator(soc):
        assert C.aclrtGetRunMode() == (1, 0)
    with Simulator(soc, switches={"run_mode": "device"}):
        assert C.aclrtGetRunMode() == (0, 0)


@pytest.fixture
def board():
    with Simulator("Ascend310B4") as sim:
        assert C.aclrtSetDevice(0) == 0
        yield sim


@pytest.mark.parametrize("size", [1, 100, 4096, 3 << 20])
def test_numpy_and_ctypes_use_a_device_address(board, size):
    address, ret = C.aclrtMalloc(size, 0)
    assert ret == 0
    shown = np.frombuffer((ctypes.c_uint8 * size).from_address(address), np.uint8)
    shown[:] = np.arange(size) % 251
    back = bytearray(size)
    assert C.aclrtMemcpy(back, size, address, size, 3) == 0  # DEVICE_TO_DEVICE, as such programs do
    assert back == shown.tobytes()
    assert C.aclrtMemset(address, size, 7, size) == 0
    assert set(shown.tolist()) == {7}
    assert C.aclrtFree(address) == 0
    assert not list(board.findings)


def test_a_task_writes_what_the_program_then_reads(board):
    address, _ = C.aclrtMalloc(64, 0)
    other, _ = C.aclrtMalloc(64, 0)
    ctypes.memset(address, 5, 64)
    stream, _ = C.aclrtCreateStream()
    assert C.aclrtMemcpyAsync(other, 64, address, 64, 3, stream) == 0
    assert ctypes.string_at(other, 4) != b"\5\5\5\5"
    assert C.aclrtSynchronizeStream(stream) == 0
    assert ctypes.string_at(other, 64) == b"\5" * 64


def test_fresh_memory_is_the_same_in_every_run(board):
    small, _ = C.aclrtMalloc(1000, 0)
    large, _ = C.aclrtMalloc(8 << 20, 0)
    assert ctypes.string_at(small, 1000) == b"\xff" * 1000
    assert ctypes.string_at(large, 8 << 20) == bytes(8 << 20)


def test_faults_are_found_as_elsewhere(board):
    address, _ = C.aclrtMalloc(100, 0)
    assert board.memory.where(address) == "device"
    assert board.memory.of_devices(address + 4096) and not board.memory.of_devices(id(board))
    assert C.aclrtMemset(address, 200, 0, 200) != 0
    assert C.aclrtFree(address) == 0
    assert C.aclrtFree(address) == 107000
    assert {finding.kind for finding in board.findings} >= {"out-of-bounds", "double-free"}


def test_a_block_that_no_call_knows_is_no_device_memory(board):
    own = bytearray(8)
    address, _ = C.aclrtMalloc(8, 0)
    assert C.aclrtMemcpy(address, 8, own, 8, 1) == 0
    assert board.memory.where(ctypes.addressof(ctypes.c_char.from_buffer(own))) == "unregistered"


def test_devices_have_memory_of_their_own():
    with Simulator("Ascend310", devices=2, switches={"run_mode": "device"}) as sim:
        found = []
        for device in range(2):
            assert C.aclrtSetDevice(device) == 0
            address, _ = C.aclrtMalloc(64, 0)
            ctypes.memset(address, device, 64)
            found.append(address)
        assert [sim.memory.find(a).device for a in found] == [0, 1]
        assert [ctypes.string_at(a, 1)[0] for a in found] == [0, 1]


def test_addresses_of_util_are_device_memory(board):
    util = pyacl.modules()["acl"].util
    address, _ = C.aclrtMalloc(64, 0)
    with pytest.warns(Warning, match="deprecated"):
        shown = util.ptr_to_numpy(address, (64,), 2)
    shown[:] = 9
    assert util.ptr_to_bytes(address, 64) == b"\t" * 64
    assert C.aclrtFree(address) == 0
    util.ptr_to_bytes(address, 64)
    assert [finding.kind for finding in board.findings] == ["undefined-use"]


def test_who_frees_what_a_copy_still_needs_is_told(board):
    address, _ = C.aclrtMalloc(64, 0)
    other, _ = C.aclrtMalloc(64, 0)
    stream, _ = C.aclrtCreateStream()
    assert C.aclrtMemcpyAsync(other, 64, address, 64, 3, stream) == 0
    assert C.aclrtFree(address) == 0
    C.aclrtSynchronizeStream(stream)
    assert "use-after-free" in {finding.kind for finding in board.findings}
