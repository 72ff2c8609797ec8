"""What an operator tells of its operands is each byte of their views, and none between: against numpy's own bytes.

Views are those that programs make: transposed, with steps and backwards, expanded, of overlapping windows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_sim import Observer, Simulator
from ascend_sim import ascendcl as C
from ascend_sim.aclnn.objects import layout_of

FLOAT, HALF, INT32, INT64, INT8 = 0, 1, 3, 9, 2
SIZES = {FLOAT: 4, HALF: 2, INT32: 4, INT64: 8, INT8: 1}
COUNT = 96
"""Elements of each storage."""
View = tuple[tuple[int, ...], tuple[int, ...], int]


class Told(Observer):
    """The bytes that were told, by block: those read and those written."""

    def __init__(self) -> None:
        self.bytes: dict[tuple[int, bool], list[int]] = {}

    def accessed(self, who: Any, block: Any, lo: int, hi: int, write: bool) -> None:
        self.bytes.setdefault((block.address, bool(write)), []).extend(range(lo, hi))

    def accessed_parts(self, who: Any, block: Any, parts: Any, write: bool) -> None:
        for lo, hi in parts:
            self.accessed(who, block, lo, hi, write)

    def accessed_rows(self, who: Any, block: Any, lo: int, width: int, pitch: int, rows: int, write: bool) -> None:
        for row in range(rows):
            self.accessed(who, block, lo + row * pitch, lo + row * pitch + width, write)


@st.composite
def views(draw: Any, most: int = 4, apart: bool = False) -> View:
    """Dims, strides and offset of a view of `COUNT` elements; *apart*: no two elements at one place."""
    if draw(st.booleans()):  # slices with steps of a plain tensor, its axes in any order
        plain = [(8, 12), (4, 4, 6), (2, 4, 3, 4), (96,)][draw(st.integers(0, 3))]
        array: Any = np.arange(COUNT).reshape(plain)
        for axis, size in enumerate(plain):
            start = draw(st.integers(0, size - 1))
            step = draw(st.integers(1, 4))
            stop = draw(st.integers(start + 1, size))
            array = array[(slice(None),) * axis + (slice(start, stop, step),)]
        array = array.transpose(draw(st.permutations(range(array.ndim))))
        offset = int(array.flat[0])
        strides = [stride // array.itemsize for stride in array.strides]
        if not apart and draw(st.booleans()):  # expanded
            return (3, *array.shape), (0, *strides), offset
        return tuple(array.shape), tuple(strides), offset
    if apart:
        return (draw(st.integers(1, COUNT)),), (1,), 0
    dims = tuple(draw(st.lists(st.integers(1, 5), min_size=0, max_size=most)))  # windows that may overlap
    room = (COUNT - 1) // max(sum(size - 1 for size in dims), 1)
    strides = [draw(st.integers(0, min(room, 12))) for _ in dims]
    reach = sum((size - 1) * stride for size, stride in zip(dims, strides, strict=True))
    return dims, tuple(strides), draw(st.integers(0, COUNT - 1 - reach))


def bytes_of(view: View, size: int) -> set[int]:
    """By numpy: the bytes that an array of *view* has."""
    dims, strides, offset = view
    memory = np.arange(COUNT * size).reshape(COUNT, size)
    held = np.lib.stride_tricks.as_strided(memory[offset:], (*dims, size), (*(s * size * 8 for s in strides), 8))
    return set(held.reshape(-1).tolist())


@pytest.fixture(scope="module")
def device() -> Any:
    with Simulator() as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        yield sim


def made(view: View, data_type: int, address: int) -> int:
    dims, strides, offset = view
    return C.aclCreateTensor(dims, len(dims), data_type, strides, offset, 2, (COUNT,), 1, address)


def storage(data_type: int) -> int:
    address, code = C.aclrtMalloc(COUNT * SIZES[data_type], 0)
    assert code == 0
    assert C.aclrtMemset(address, COUNT * SIZES[data_type], 0, COUNT * SIZES[data_type]) == 0
    return int(address)


def told_of(sim: Simulator, name: str, *operands: Any) -> Told:
    """What observers hear of one operator."""
    told = Told()
    _, executor, code = getattr(C, f"{name}GetWorkspaceSize")(*operands)
    assert code == 0, C.aclGetRecentErrMsg()
    sim.attach(told)
    try:
        assert getattr(C, name)(None, 0, executor, None) == 0
        assert C.aclrtSynchronizeStream(None) == 0
    finally:
        sim.detach(told)
    return told


@given(view=views(), data_type=st.sampled_from(list(SIZES)))
def test_bytes_that_are_read(device: Simulator, view: View, data_type: int) -> None:
    source = storage(data_type)
    dims = view[0]
    plain = layout_of(dims, data_type)
    out = C.aclrtMalloc(max(plain.nbytes, 32), 0)[0]
    result = C.aclCreateTensor(dims, len(dims), data_type, None, 0, 2, dims or (1,), max(len(dims), 1), out)
    told = told_of(device, "aclnnInplaceCopy", result, made(view, data_type, source))
    assert set(told.bytes[source, False]) == bytes_of(view, SIZES[data_type])
    assert set(told.bytes[out, True]) == set(range(plain.nbytes))
    for address in (source, out):
        C.aclrtFree(address)


@given(view=views(apart=True), other=views(), data_type=st.sampled_from(list(SIZES)))
def test_bytes_that_are_written(device: Simulator, view: View, other: View, data_type: int) -> None:
    address = storage(data_type)
    told = told_of(device, "aclnnInplaceFillScalar", made(view, data_type, address), C.aclCreateScalar(1.0, FLOAT))
    assert sorted(told.bytes[address, True]) == sorted(bytes_of(view, SIZES[data_type]))
    got = np.empty(COUNT * SIZES[data_type], np.uint8)
    assert C.aclrtMemcpy(got, got.nbytes, address, got.nbytes, 2) == 0
    assert set(np.flatnonzero(got)) <= bytes_of(view, SIZES[data_type])
    told = told_of(device, "aclnnInplaceFillScalar", made(other, data_type, address), C.aclCreateScalar(1.0, FLOAT))
    assert set(told.bytes[address, True]) == bytes_of(other, SIZES[data_type])
    C.aclrtFree(address)
