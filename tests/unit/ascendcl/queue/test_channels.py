"""Tensor channels, data items and datasets."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import SimulatedHang, Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import in_thread, must, simulator

sim = simulator()


def channel(capacity: int = 4, name: str = "frames") -> int:
    """A channel with a capacity."""
    made: int = C.acltdtCreateChannelWithCapacity(0, name, capacity)
    assert made
    return made


def dataset(*arrays: np.ndarray) -> int:
    """A dataset of tensors."""
    made: int = C.acltdtCreateDataset()
    for array in arrays:
        item = C.acltdtCreateDataItem(0, list(array.shape) or None, array.ndim, C.ACL_FLOAT, array, array.nbytes)
        must(C.acltdtAddDataItem(made, item))
    return made


def held(made: int) -> list[np.ndarray]:
    """The tensors of a dataset."""
    found = []
    for index in range(C.acltdtGetDatasetSize(made)):
        item = C.acltdtGetDataItem(made, index)
        dims = must(C.acltdtGetDimsFromItem(item, C.acltdtGetDimNumFromItem(item)))
        raw = ctypes.string_at(C.acltdtGetDataAddrFromItem(item), C.acltdtGetDataSizeFromItem(item))
        found.append(np.frombuffer(raw, np.float32).reshape(dims))
    return found


def test_what_is_sent_is_received(sim: Simulator) -> None:
    pipe, a, b = channel(), np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(5, np.float32)
    sent, received = dataset(a, b), C.acltdtCreateDataset()
    must(C.acltdtSendTensor(pipe, sent, -1))
    a[:] = 0
    assert must(C.acltdtQueryChannelSize(pipe)) == 1
    must(C.acltdtReceiveTensor(pipe, received, -1))
    first, second = held(received)
    assert first.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert second.tolist() == [1.0] * 5
    item = C.acltdtGetDataItem(received, 0)
    assert (C.acltdtGetTensorTypeFromItem(item), C.acltdtGetDataTypeFromItem(item)) == (0, C.ACL_FLOAT)
    assert C.acltdtGetSliceInfoFromItem(item) == (0, 0, 0)
    assert C.acltdtGetDatasetName(received) == ""
    assert must(C.acltdtQueryChannelSize(pipe)) == 0
    assert [C.acltdtDestroyDataset(received), C.acltdtDestroyChannel(pipe)] == [0, 0]
    assert C.acltdtGetDataItem(sent, 0), "items of the program stay"
    assert not sim.findings


def test_the_end_of_a_sequence_is_an_item(sim: Simulator) -> None:
    pipe, made, received = channel(), C.acltdtCreateDataset(), C.acltdtCreateDataset()
    end = C.acltdtCreateDataItem(C.ACL_TENSOR_DATA_END_OF_SEQUENCE, None, 0, C.ACL_FLOAT, None, 0)
    must(C.acltdtAddDataItem(made, end))
    must(C.acltdtSendTensor(pipe, made, 0))
    must(C.acltdtReceiveTensor(pipe, received, 0))
    item = C.acltdtGetDataItem(received, 0)
    assert C.acltdtGetTensorTypeFromItem(item) == C.ACL_TENSOR_DATA_END_OF_SEQUENCE
    assert (C.acltdtGetDataTypeFromItem(item), C.acltdtGetDataSizeFromItem(item)) == (-1, 0)


def test_a_dataset_uses_its_memory_again(sim: Simulator) -> None:
    pipe, received = channel(), C.acltdtCreateDataset()
    addresses = []
    for value in (1.0, 2.0):
        must(C.acltdtSendTensor(pipe, dataset(np.full(4, value, np.float32)), 0))
        must(C.acltdtReceiveTensor(pipe, received, 0))
        addresses.append(C.acltdtGetDataAddrFromItem(C.acltdtGetDataItem(received, 0)))
    assert addresses[0] == addresses[1]
    assert held(received)[0].tolist() == [2.0] * 4
    first = C.acltdtGetDataItem(received, 0)
    must(C.acltdtDestroyDataset(received))
    assert C.acltdtGetDataSizeFromItem(first) == 0
    assert [f.kind for f in sim.findings] == ["undefined-use"]
    assert not sim.memory.blocks()


def test_a_full_channel_and_an_empty_one(sim: Simulator) -> None:
    pipe = channel(2)
    one = dataset(np.ones(1, np.float32))
    assert [C.acltdtSendTensor(pipe, one, 0), C.acltdtSendTensor(pipe, one, 10)] == [0, 207014]
    must(C.acltdtCleanChannel(pipe))
    assert C.acltdtReceiveTensor(pipe, C.acltdtCreateDataset(), 10) == 207013
    assert C.acltdtStopChannel(pipe) == 0
    with pytest.raises(SimulatedHang):
        C.acltdtReceiveTensor(pipe, C.acltdtCreateDataset(), -1)
    assert 'an entry of tensor channel "frames"' in sim.findings[-1].title


def test_a_message_is_gone_when_the_dataset_cannot_take_it(sim: Simulator) -> None:
    pipe, one = channel(), dataset(np.ones(1, np.float32))
    must(C.acltdtSendTensor(pipe, one, 0))
    assert C.acltdtReceiveTensor(pipe, one, 0) == 100000
    assert must(C.acltdtQueryChannelSize(pipe)) == 0


def test_a_thread_without_a_context_gets_one(sim: Simulator) -> None:
    pipe, received = channel(), C.acltdtCreateDataset()
    must(C.acltdtSendTensor(pipe, dataset(np.ones(2, np.float32)), 0))

    def receive() -> Any:
        return C.aclrtGetCurrentContext()[1], C.acltdtReceiveTensor(pipe, received, 0), C.aclrtGetCurrentContext()[1]

    assert in_thread(receive) == (107002, 0, 0)
    must(C.acltdtDestroyChannel(pipe))


@pytest.mark.parametrize(
    "call",
    [
        lambda: C.acltdtCreateChannelWithCapacity(0, None, 4), lambda: C.acltdtCreateChannelWithCapacity(0, "a" * 128, 4),
        lambda: C.acltdtCreateChannelWithCapacity(9, "a", 4), lambda: C.acltdtCreateChannelWithCapacity(0, "a", 1),
        lambda: C.acltdtCreateChannelWithCapacity(0, "a", 8193), lambda: C.acltdtCreateChannel(0, "a"),
        lambda: C.acltdtCreateDataItem(0, None, 1, 0, None, 0), lambda: C.acltdtCreateDataItem(0, [1], 0, 0, None, 0),
        lambda: C.acltdtCreateDataItem(0, [1] * 129, 129, 0, None, 0),
        lambda: C.acltdtCreateDataItem(1, [1], 1, 0, None, 0), lambda: C.acltdtGetDataItem(C.acltdtCreateDataset(), 0),
    ],
)  # fmt: skip
def test_null_is_the_answer(sim: Simulator, call: Callable[[], int]) -> None:
    assert call() == 0
    assert not sim.findings


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: C.acltdtStopChannel(0), 100000), (lambda: C.acltdtDestroyChannel(0), 100000),
        (lambda: C.acltdtCleanChannel(0), 100000), (lambda: C.acltdtSendTensor(0, 0, 0), 100000),
        (lambda: C.acltdtSendTensor(channel(), 0, 0), 100000), (lambda: C.acltdtReceiveTensor(0, 0, 0), 100000),
        (lambda: C.acltdtQueryChannelSize(0)[1], 100000), (lambda: C.acltdtDestroyDataItem(0), 100000),
        (lambda: C.acltdtDestroyDataset(0), 100000), (lambda: C.acltdtAddDataItem(0, 0), 100000),
        (lambda: C.acltdtGetSliceInfoFromItem(0)[2], 100000), (lambda: C.acltdtGetDatasetSize(0), 0),
        (lambda: C.acltdtGetTensorTypeFromItem(0), -1), (lambda: C.acltdtGetDataTypeFromItem(0), -1),
        (lambda: C.acltdtGetDataAddrFromItem(0), 0), (lambda: C.acltdtGetDimNumFromItem(0), 0),
        (lambda: C.acltdtSendTensor(channel(), C.acltdtCreateDataset(), 0), 100000),
    ],
)  # fmt: skip
def test_null_and_empty(sim: Simulator, call: Callable[[], int], code: int) -> None:
    assert call() == code


def test_what_a_dataset_refuses(sim: Simulator) -> None:
    made, memory = dataset(np.ones(1, np.float32)), must(C.aclrtMalloc(64, 0))
    on_device = C.acltdtCreateDataItem(0, [16], 1, C.ACL_FLOAT, memory, 64)
    assert C.acltdtAddDataItem(made, on_device) == 100000
    slices = C.acltdtCreateDataItem(C.ACL_TENSOR_DATA_SLICE_TENSOR, None, 0, 0, None, 0)
    must(C.acltdtAddDataItem(made, slices))
    pipe = channel()
    assert C.acltdtSendTensor(pipe, made, 0) == 100000
    received = C.acltdtCreateDataset()
    must(C.acltdtSendTensor(pipe, dataset(np.ones(1, np.float32)), 0))
    must(C.acltdtReceiveTensor(pipe, received, 0))
    assert C.acltdtAddDataItem(received, on_device) == 200006
    item = C.acltdtGetDataItem(received, 0)
    assert C.acltdtGetDimsFromItem(item, 0)[1] == 100000


def test_device_tensors_are_copied(sim: Simulator) -> None:
    memory = must(C.aclrtMalloc(64, 0))
    must(C.aclrtMemset(memory, 64, 0, 64))
    pipe, made, received = channel(), C.acltdtCreateDataset(), C.acltdtCreateDataset()
    must(C.acltdtAddDataItem(made, C.acltdtCreateDataItem(0, [16], 1, C.ACL_FLOAT, memory, 64)))
    must(C.acltdtSendTensor(pipe, made, 0))
    must(C.acltdtReceiveTensor(pipe, received, 0))
    assert held(received)[0].tolist() == [0.0] * 16


def test_channels_of_training_cards_have_no_capacity() -> None:
    with Simulator(soc="Ascend910B", devices=1) as sim:
        must(C.aclrtSetDevice(0))
        sending, receiving = C.acltdtCreateChannel(0, "in"), C.acltdtCreateChannel(0, "TF_RECEIVE_out")
        one = dataset(np.ones(1, np.float32))
        assert C.acltdtSendTensor(sending, one, 0) == 100000
        assert C.acltdtSendTensor(sending, one, -1) == 0
        assert C.acltdtReceiveTensor(sending, C.acltdtCreateDataset(), -1) == 100000
        assert [C.acltdtCleanChannel(sending), C.acltdtQueryChannelSize(sending)[1]] == [200006] * 2
        assert C.acltdtStopChannel(receiving) == 0
        assert C.acltdtReceiveTensor(receiving, C.acltdtCreateDataset(), -1) == 500001
        assert [C.acltdtDestroyChannel(sending), C.acltdtDestroyChannel(receiving)] == [0, 0]
        assert not sim.findings
