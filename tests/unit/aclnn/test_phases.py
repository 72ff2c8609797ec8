"""Operators in two phases: views of memory, types, codes, and the task that the second phase queues."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.aclnn.objects import Scalar, TensorView, contiguous
from ascend_sim.aclnn.phases import NULL_PARAMETER, WRONG_PARAMETER, prepare, queue
from ascend_sim.errors import AclError
from ascend_sim.runtime.current import this_thread

FLOAT, HALF, INT32, BOOL = 0, 1, 3, 12


@pytest.fixture
def sim() -> Iterator[Simulator]:
    with Simulator() as simulator:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        yield simulator


def _tensor(values: np.ndarray, data_type: int, dims=None, strides=None, offset: int = 0) -> TensorView:
    address, _ = C.aclrtMalloc(max(values.nbytes, 1), 0)
    C.aclrtMemcpy(address, values.nbytes, values, values.nbytes, 1)
    return TensorView(dims or values.shape, data_type, strides, offset, 2, values.shape, address)


def _bytes(view: TensorView, values: np.ndarray) -> np.ndarray:
    got = np.empty_like(values)
    assert C.aclrtMemcpy(got, got.nbytes, view.address, got.nbytes, 2) == 0
    return got


def _run(name: str, *operands) -> None:
    t = this_thread()
    stream, _ = C.aclrtCreateStream()
    queue(t, prepare(t, name, list(operands)), stream)
    assert C.aclrtSynchronizeStream(stream) == 0
    C.aclrtDestroyStream(stream)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("aclnnAdd", lambda x, y: x + 3 * y), ("aclnnSub", lambda x, y: x - 3 * y), ("aclnnMul", lambda x, y: x * y)],
)
def test_two_tensors_that_broadcast(name, expected, sim):
    x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([2, 4, 8], np.float32)
    out = _tensor(np.zeros((2, 3), np.float32), FLOAT)
    factor = [] if name == "aclnnMul" else [Scalar(FLOAT, np.float32(3).tobytes())]
    _run(name, _tensor(x, FLOAT), _tensor(y, FLOAT), *factor, out)
    np.testing.assert_array_equal(_bytes(out, x), expected(x, y))
    assert len(sim.findings) == 0


def test_a_scalar_and_half_precision(sim):
    x = np.array([1, 2, 3], np.float16)
    out = _tensor(np.zeros(3, np.float16), HALF)
    _run("aclnnMuls", _tensor(x, HALF), Scalar(FLOAT, np.float32(0.5).tobytes()), out)
    np.testing.assert_array_equal(_bytes(out, x), x / 2)


def test_strided_views_read_and_write_their_elements_alone(sim):
    x = np.arange(12, dtype=np.int32).reshape(3, 4)
    transposed = _tensor(x, INT32, (4, 3), (1, 4))
    storage = np.full(16, -1, np.int32)
    out = _tensor(storage, INT32, (4, 3), (4, 1), 1)
    _run("aclnnMaximum", transposed, _tensor(np.array([5], np.int32), INT32), out)
    wanted = storage.copy().reshape(4, 4)
    wanted[:, 1:] = np.maximum(x.T, 5)
    np.testing.assert_array_equal(_bytes(out, storage).reshape(4, 4), wanted)


def test_an_empty_tensor(sim):
    empty = np.zeros((0, 3), np.float32)
    _run("aclnnMul", _tensor(empty, FLOAT), _tensor(empty, FLOAT), _tensor(empty, FLOAT))


def test_codes_of_the_first_phase(sim):
    t, x = this_thread(), _tensor(np.zeros(3, np.float32), FLOAT)
    wrong = _tensor(np.zeros(4, np.float32), FLOAT)
    flags = _tensor(np.zeros(3, np.bool_), BOOL)
    for operands, code in (
        ([x, None, x], NULL_PARAMETER), ([x, x, wrong], WRONG_PARAMETER), ([x, wrong, x], WRONG_PARAMETER),
        ([x, x, flags], WRONG_PARAMETER), ([x, x, x, x], WRONG_PARAMETER),
    ):  # fmt: skip
        with pytest.raises(AclError) as error:
            prepare(t, "aclnnMul", operands)
        assert error.value.code == code


def test_a_task_that_nobody_waits_for_is_a_race(sim):
    x = np.zeros(1024, np.float32)
    a, out = _tensor(x, FLOAT), _tensor(x, FLOAT)
    first, second = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
    t = this_thread()
    queue(t, prepare(t, "aclnnMul", [a, a, out]), first)
    queue(t, prepare(t, "aclnnMul", [out, out, a]), second)
    C.aclrtSynchronizeDevice()
    assert "race" in {finding.kind for finding in sim.findings}


def test_memory_that_is_gone_fails_the_task(sim):
    a = _tensor(np.zeros(8, np.float32), FLOAT)
    C.aclrtFree(a.address)
    t = this_thread()
    stream, _ = C.aclrtCreateStream()
    queue(t, prepare(t, "aclnnMul", [a, a, a]), stream)
    assert C.aclrtSynchronizeStream(stream) != 0


def test_extents():
    assert contiguous((2, 3, 4)) == (12, 4, 1)
    view = TensorView((2, 3), FLOAT, (-4, 2), 4, 2, (16,), 0)
    assert view.extent() == (0, 36)
    assert TensorView((2, 0), FLOAT, None, 0, 2, (), 0).extent() == (0, 0)
