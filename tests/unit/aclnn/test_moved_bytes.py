"""Operators that only move elements read nothing yet: what nobody wrote is told where it is used, and only there."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.aclnn import moved_bytes

FLOAT = 0
TO_DEVICE, TO_HOST = 1, 2
WIDTH = 4


class Tensor:
    """Floats in memory of their own, of which only some are written."""

    def __init__(self, shape, written, value=1.0):
        self.shape = shape
        self.count = int(np.prod(shape))
        self.address, _ = C.aclrtMalloc(self.count * WIDTH, 0)
        for place in np.flatnonzero(written):
            one = np.array([value], np.float32)
            assert C.aclrtMemcpy(self.address + int(place) * WIDTH, WIDTH, one, WIDTH, TO_DEVICE) == 0
        self.handle = self.view(shape, tuple(int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))))

    def view(self, shape, strides):
        return C.aclCreateTensor(shape, len(shape), FLOAT, strides, 0, 2, (self.count,), 1, self.address)

    def unwritten(self, sim):
        """Which elements are found to be unwritten when the host takes each."""
        found = np.zeros(self.count, bool)
        for place in range(self.count):
            before = told(sim)
            assert C.aclrtMemcpy(np.zeros(1, np.float32), WIDTH, self.address + place * WIDTH, WIDTH, TO_HOST) == 0
            found[place] = told(sim) > before
        return found.reshape(self.shape)


def told(sim):
    return sum(f.count for f in sim.findings if f.kind == "uninitialised-read")


def run(name, *operands):
    _, executor, code = getattr(C, f"{name}GetWorkspaceSize")(*operands)
    assert code == 0, C.aclGetRecentErrMsg()
    assert getattr(C, name)(None, 0, executor, None) == 0
    assert C.aclrtSynchronizeStream(None) == 0


def begun(sim):
    C.aclInit(None)
    C.aclrtSetDevice(0)
    return sim


shapes = st.tuples(st.integers(1, 4), st.integers(1, 4))


@st.composite
def masks(draw, shape):
    count = shape[0] * shape[1]
    return np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)), bool)


@given(data=st.data(), shape=shapes, pads=st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_padded(data, shape, pads):
    written = data.draw(masks(shape))
    with Simulator() as sim:
        begun(sim)
        x = Tensor(shape, written)
        left, right, top, bottom = pads
        whole = np.pad(~written.reshape(shape), ((top, bottom), (left, right)))
        out = Tensor(whole.shape, np.zeros(whole.size, bool))
        value = C.aclCreateScalar(np.float32(1), FLOAT)
        run("aclnnConstantPadNd", x.handle, C.aclCreateIntArray(tuple(pads), 4), value, out.handle)
        assert told(sim) == 0
        assert (out.unwritten(sim) == whole).all()


@given(data=st.data(), shape=shapes, more=st.integers(1, 3))
def test_joined(data, shape, more):
    other = (more, shape[1])
    one, two = data.draw(masks(shape)), data.draw(masks(other))
    with Simulator() as sim:
        begun(sim)
        x, y = Tensor(shape, one), Tensor(other, two)
        whole = np.concatenate((~one.reshape(shape), ~two.reshape(other)))
        out = Tensor(whole.shape, np.zeros(whole.size, bool))
        run("aclnnCat", C.aclCreateTensorList([x.handle, y.handle], 2), 0, out.handle)
        assert told(sim) == 0
        assert (out.unwritten(sim) == whole).all()


@given(data=st.data(), shape=shapes, more=st.integers(1, 3))
def test_of_columns_in_columns(data, shape, more):
    """Both are transposed: rows of bytes with gaps between."""
    written = data.draw(masks(shape))
    with Simulator() as sim:
        begun(sim)
        x = Tensor(shape, written)
        whole = np.pad(~written.reshape(shape).T, ((0, 0), (more, 0)))
        out = Tensor(whole.T.shape, np.zeros(whole.size, bool))
        value, pads = C.aclCreateScalar(np.float32(1), FLOAT), C.aclCreateIntArray((more, 0), 2)
        turned = x.view(shape[::-1], (1, shape[1])), out.view(whole.shape, (1, whole.shape[0]))
        run("aclnnConstantPadNd", turned[0], pads, value, turned[1])
        assert told(sim) == 0
        assert (out.unwritten(sim) == whole.T).all()


def test_beside_what_is_no_number():
    """NaN is not equal to itself, and a value all the same."""
    with Simulator() as sim:
        begun(sim)
        x, out = Tensor((1, 3), np.array([1, 0, 1], bool), np.nan), Tensor((1, 1, 3), np.zeros(3, bool))
        run("aclnnStack", C.aclCreateTensorList([x.handle], 1), 0, out.handle)
        assert out.unwritten(sim).reshape(-1).tolist() == [False, True, False]


def test_large_tensors_are_not_copied(monkeypatch):
    """What is made of them counts as written."""
    monkeypatch.setattr(moved_bytes, "MOST", 31)
    with Simulator() as sim:
        begun(sim)
        x, out = Tensor((2, 2), np.array([1, 0, 1, 1], bool)), Tensor((1, 2, 2), np.zeros(4, bool))
        run("aclnnStack", C.aclCreateTensorList([x.handle], 1), 0, out.handle)
        assert told(sim) == 0 and not out.unwritten(sim).any()


def test_an_operator_that_fails(monkeypatch):
    """The failure is its own; the check goes on."""
    for library in [np, *([sys.modules["torch"]] if "torch" in sys.modules else [])]:
        monkeypatch.setattr(library, "stack", lambda *_: 1 / 0)
    with Simulator() as sim:
        begun(sim)
        x, out = Tensor((2, 2), np.array([1, 0, 1, 1], bool)), Tensor((1, 2, 2), np.zeros(4, bool))
        _, executor, code = C.aclnnStackGetWorkspaceSize(C.aclCreateTensorList([x.handle], 1), 0, out.handle)
        assert (code, C.aclnnStack(None, 0, executor, None)) == (0, 0)
        assert C.aclrtSynchronizeStream(None) == 507035
        assert not [f for f in sim.findings if f.kind == "check-ended"]


def test_over_what_was_written():
    """Bytes that had a value have none any more."""
    with Simulator() as sim:
        begun(sim)
        x, out = Tensor((2, 2), np.array([1, 0, 1, 1], bool)), Tensor((1, 2, 2), np.ones(4, bool))
        run("aclnnStack", C.aclCreateTensorList([x.handle], 1), 0, out.handle)
        assert out.unwritten(sim).reshape(-1).tolist() == [False, True, False, False]


@pytest.mark.parametrize("name", ["aclnnAdd", "aclnnNeg"])
def test_a_computation_uses_them(name):
    with Simulator() as sim:
        begun(sim)
        x, out = Tensor((2, 2), np.array([1, 0, 1, 1], bool)), Tensor((2, 2), np.zeros(4, bool))
        one = C.aclCreateScalar(np.float32(1), FLOAT)
        run(name, x.handle, *([x.handle, one] if name == "aclnnAdd" else []), out.handle)
        assert told(sim) > 0
        assert not out.unwritten(sim).any()
