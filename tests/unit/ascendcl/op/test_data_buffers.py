"""Data buffers: pairs of address and size that nobody checks."""

from __future__ import annotations

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

sim = simulator(device=None)


@pytest.mark.parametrize(("address", "size"), [(0, 0), (0, 64), (0x1000, 0), (0x1000, 1 << 63), ((1 << 64) - 1, 1)])
def test_any_address_and_size_is_taken(sim: Simulator, address: int, size: int) -> None:
    buffer = C.aclCreateDataBuffer(address, size)
    assert buffer
    assert C.aclGetDataBufferAddr(buffer) == address
    assert C.aclGetDataBufferSizeV2(buffer) == size
    assert C.aclGetDataBufferSize(buffer) == size % (1 << 32)


def test_none_is_the_null_address(sim: Simulator) -> None:
    assert C.aclGetDataBufferAddr(C.aclCreateDataBuffer(None, 0)) == 0


def test_update_names_other_memory_and_frees_nothing(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    memory, _ = C.aclrtMalloc(64, 0)
    buffer = C.aclCreateDataBuffer(memory, 64)
    assert C.aclUpdateDataBuffer(buffer, 0, 8) == 0
    assert (C.aclGetDataBufferAddr(buffer), C.aclGetDataBufferSizeV2(buffer)) == (0, 8)
    assert C.aclDestroyDataBuffer(buffer) == 0
    assert C.aclrtFree(memory) == 0


def test_null_handles(sim: Simulator) -> None:
    assert C.aclDestroyDataBuffer(0) == 100000
    assert C.aclUpdateDataBuffer(None, 1, 1) == 100000
    assert C.aclGetDataBufferAddr(0) == 0
    assert C.aclGetDataBufferSize(0) == 0
    assert C.aclGetDataBufferSizeV2(0) == 0
    assert not sim.findings


def test_a_dead_handle_is_answered_like_null_and_found(sim: Simulator) -> None:
    buffer = C.aclCreateDataBuffer(1, 1)
    assert C.aclDestroyDataBuffer(buffer) == 0
    assert C.aclDestroyDataBuffer(buffer) == 100000
    assert C.aclGetDataBufferSizeV2(buffer) == 0
    assert [finding.kind for finding in sim.findings] == ["undefined-use", "undefined-use"]
    assert "was destroyed at test_data_buffers.py" in next(iter(sim.findings)).title


def test_no_context_is_needed(sim: Simulator) -> None:
    assert C.aclCreateDataBuffer(0, 0)
    assert C.aclrtGetDevice() == (None, 107002)
