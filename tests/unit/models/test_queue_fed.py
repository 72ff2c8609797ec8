"""Models that queues feed (docs/semantics/models.md#models-fed-by-queues)."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.findings.languages import untranslated
from ascend_sim.om import Body, ModelDescription, TensorDescription, write
from tests.kit.forks import HANG
from tests.unit.models.conftest import Models, batches, neg

FLOAT, ND = 0, 2
COST = 1_000_000


def add() -> ModelDescription:
    """z = x + y."""
    node = {"op": "Add", "inputs": ["x", "y"], "outputs": ["z"], "attributes": {}}
    x, y, z = (TensorDescription(name, FLOAT, (4,), ND) for name in "xyz")
    return neg(name="add", inputs=(x, y), outputs=(z,), body=Body("graph", nodes=(node,)))


def queue(depth: int = 8) -> int:
    """The id of a queue."""
    attr = C.acltdtCreateQueueAttr()
    assert C.acltdtSetQueueAttr(attr, C.ACL_TDT_QUEUE_DEPTH_UINT32, 4, depth.to_bytes(4, "little")) == 0
    number, code = C.acltdtCreateQueue(attr)
    assert code == 0
    return int(number)


def put(number: int, *values: float, timeout: int = 0) -> int:
    """The code of a message with these floats."""
    raw = np.array(values, np.float32)
    code: int = C.acltdtEnqueueData(number, raw, raw.nbytes, None, 0, timeout, 0)
    return code


def take(number: int, timeout: int = 0) -> Any:
    """The floats of a message, or the code."""
    into = np.zeros(4, np.float32)
    _, code = C.acltdtDequeueData(number, into, into.nbytes, None, 0, timeout)
    return code or into.tolist()


def load(models: Models, source: ModelDescription, ins: list[int], outs: list[int]) -> int:
    """The model between the queues."""
    models.sim.models["m.om"] = source
    return int(models.must(C.aclmdlLoadFromFileWithQ("m.om", ins, len(ins), outs, len(outs))))


def test_each_message_is_an_execution(models: Models) -> None:
    a, b = queue(), queue()
    number = load(models, neg(), [a], [b])
    for n in (1, 2, 3):
        assert put(a, n, n, n, n) == 0
    assert [take(b, -1) for _ in range(3)] == [[-n] * 4 for n in (1, 2, 3)]
    assert take(b) == 207013
    assert models.sim.time_ns() >= 3 * COST  # they follow each other
    models.must(C.aclmdlUnload(number))
    assert put(a, 1, 1, 1, 1) == 0 and take(b) == 207013
    assert models.kinds() == []


def test_what_is_queued_before_the_load_counts(models: Models) -> None:
    a, b = queue(), queue()
    assert put(a, 5, 6, 7, 8) == 0
    load(models, neg(), [a], [b])
    assert take(b, -1) == [-5, -6, -7, -8]


def test_it_waits_for_a_message_of_each_input(models: Models) -> None:
    a, b, c = queue(), queue(), queue()
    load(models, add(), [a, b], [c])
    assert put(a, 1, 2, 3, 4) == 0 and take(c) == 207013
    assert put(b, 10, 10, 10, 10) == 0
    assert take(c, -1) == [11, 12, 13, 14]


def test_one_queue_for_two_inputs(models: Models) -> None:
    a, c = queue(), queue()
    load(models, add(), [a, a], [c])
    assert put(a, 1, 2, 3, 4) == 0 and take(c) == 207013
    assert put(a, 10, 10, 10, 10) == 0
    assert take(c, -1) == [11, 12, 13, 14]


def test_a_full_output_holds_it_back(models: Models) -> None:
    a, b = queue(8), queue(3)
    load(models, neg(), [a], [b])
    for n in range(6):
        assert put(a, n, n, n, n) == 0
    assert [take(b, -1)[0] for _ in range(6)] == [-n for n in range(6)]


def test_one_model_feeds_the_next(models: Models) -> None:
    a, b, c = queue(), queue(), queue()
    models.sim.models["m.om"] = neg()
    data = write(neg())
    models.must(C.aclmdlLoadFromMemWithQ(data, len(data), [a], 1, [b], 1))
    load(models, neg(), [b], [c])
    assert put(a, 1, 2, 3, 4) == 0
    assert take(c, -1) == [1, 2, 3, 4]


@pytest.mark.parametrize("schedule", ["producer", "consumer"])
def test_threads_at_both_ends(models: Models, schedule: str) -> None:
    a, b = queue(3), queue(3)
    load(models, neg(), [a], [b])
    found: list[Any] = []

    def produce() -> None:
        models.must(C.aclrtSetDevice(0))
        for n in range(10):
            models.must(put(a, n, n, n, n, timeout=-1))

    def consume() -> None:
        models.must(C.aclrtSetDevice(0))
        found.extend(take(b, -1)[0] for _ in range(10))

    threads = [threading.Thread(target=work) for work in (produce, consume)]
    for thread in threads if schedule == "producer" else threads[::-1]:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert found == [-n for n in range(10)] and models.kinds() == []


@pytest.mark.parametrize(
    ("ins", "outs", "code"),
    [([0, 1], [2], 145008), ([0], [1, 2], 145008), ([99], [1], 145008), ([0], [200], 145008)],
)
def test_queues_that_do_not_fit(models: Models, ins: list[int], outs: list[int], code: int) -> None:
    for _ in range(3):
        queue()
    models.sim.models["m.om"] = neg()
    assert C.aclmdlLoadFromFileWithQ("m.om", ins, len(ins), outs, len(outs)) == (None, code)
    assert C.aclmdlUnload(1) == 145003


def test_gears_are_refused(models: Models) -> None:
    models.sim.models["m.om"] = batches(1, 2)
    assert C.aclmdlLoadFromFileWithQ("m.om", [queue()], 1, [queue()], 1) == (None, 207000)


def test_a_message_that_is_too_short(models: Models) -> None:
    a, b = queue(), queue()
    load(models, neg(), [a], [b])
    assert put(a, 1, 2) == 0 and take(b) == 207013
    (found,) = models.sim.findings
    assert list(untranslated(found, "zh")) == []
    assert found.kind == "task-fault" and "has 8 bytes, its tensor 16" in found.title
    assert put(a, 1, 2, 3, 4) == 0 and take(b, -1) == [-1, -2, -3, -4]


def test_a_config_names_the_queues(models: Models) -> None:
    a, b = queue(), queue()
    data = write(neg())
    config = C.aclmdlCreateConfigHandle()
    kept = [np.frombuffer(data, np.uint8).copy(), np.array([a], np.uint32), np.array([b], np.uint32)]
    values = [
        (C.ACL_MDL_LOAD_TYPE_SIZET, C.ACL_MDL_LOAD_FROM_MEM_WITH_Q), (C.ACL_MDL_MEM_ADDR_PTR, kept[0].ctypes.data),
        (C.ACL_MDL_MEM_SIZET, len(data)), (C.ACL_MDL_INPUTQ_ADDR_PTR, kept[1].ctypes.data),
        (C.ACL_MDL_INPUTQ_NUM_SIZET, 1), (C.ACL_MDL_OUTPUTQ_ADDR_PTR, kept[2].ctypes.data),
        (C.ACL_MDL_OUTPUTQ_NUM_SIZET, 1),
    ]  # fmt: skip
    for attribute, value in values:
        raw = np.array([value], np.uint64)
        models.must(C.aclmdlSetConfigOpt(config, attribute, raw, 8))
    models.must(C.aclmdlLoadWithConfig(config))
    assert put(a, 1, 2, 3, 4) == 0 and take(b, -1) == [-1, -2, -3, -4]
