"""Tensor descriptors: what they remember, sizes, ranges, conversions of shapes, NULL in every place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.runtime.tensors.descriptors import TensorDesc
from tests.kit.calls import simulator

FLOAT, FLOAT16, INT8, STRING, COMPLEX128 = 0, 1, 2, 13, 17
NCHW, NHWC, ND, NC1HWC0, FRACTAL_Z, CHWN, HWCN, NZ = 0, 1, 2, 3, 4, 14, 16, 29


sim = simulator(device=None)


def make(dims: list[int], data_type: int = FLOAT, format_: int = ND) -> int:
    desc = C.aclCreateTensorDesc(data_type, len(dims), dims, format_)
    assert desc
    return int(desc)


def stored(sim: Simulator, desc: int) -> TensorDesc:
    found = sim.handles[desc]
    assert isinstance(found, TensorDesc)
    return found


def dims_of(desc: int) -> list[int]:
    return [C.aclGetTensorDescDimV2(desc, i)[0] for i in range(C.aclGetTensorDescNumDims(desc))]


def test_what_it_was_made_with(sim: Simulator) -> None:
    desc = make([2, 3], FLOAT16, NCHW)
    assert C.aclGetTensorDescType(desc) == FLOAT16
    assert C.aclGetTensorDescFormat(desc) == NCHW
    assert dims_of(desc) == [2, 3]
    assert C.aclGetTensorDescElementCount(desc) == 6
    assert C.aclGetTensorDescSize(desc) == 12
    assert C.aclGetTensorDescAddress(desc) == 0


@pytest.mark.parametrize("dims", [[4, 5], (4, 5), np.array([4, 5], np.int64), [4, 5, 6]])
def test_dims_come_from_lists_tuples_and_arrays(sim: Simulator, dims: Any) -> None:
    assert dims_of(C.aclCreateTensorDesc(FLOAT, 2, dims, ND)) == [4, 5]


def test_dims_come_from_an_address(sim: Simulator) -> None:
    dims = np.array([7, -1], np.int64)
    assert dims_of(C.aclCreateTensorDesc(FLOAT, 2, int(dims.ctypes.data), ND)) == [7, -1]


@pytest.mark.parametrize(("count", "dims"), [(-1, [1]), (-1, None), (1, None), (2, 0), (3, [1, 2]), (1, ["x"])])
def test_it_cannot_be_made(sim: Simulator, count: int, dims: Any) -> None:
    assert C.aclCreateTensorDesc(FLOAT, count, dims, ND) == 0


def test_types_and_formats_are_not_looked_at(sim: Simulator) -> None:
    desc = C.aclCreateTensorDesc(4711, 0, None, -4711)
    assert (C.aclGetTensorDescType(desc), C.aclGetTensorDescFormat(desc)) == (4711, -4711)


@pytest.mark.parametrize(
    ("dims", "data_type", "elements", "size"),
    [
        ([], FLOAT, 1, 4),
        ([0, 5], FLOAT, 0, 0),
        ([-1, 5], FLOAT, 0, 0),
        ([-2], FLOAT, 0, 0),
        ([4], STRING, 4, 0),
        ([3], -1, 3, 0),
        ([3], COMPLEX128, 3, 48),
        ([1 << 62], FLOAT, 1 << 62, 0),
        ([1 << 32, 1 << 32], INT8, 0, 0),
        ([3], 999, 3, 24),
    ],
)
def test_elements_and_bytes(sim: Simulator, dims: list[int], data_type: int, elements: int, size: int) -> None:
    desc = make(dims, data_type)
    assert C.aclGetTensorDescElementCount(desc) == elements
    assert C.aclGetTensorDescSize(desc) == size


def test_unknown_rank(sim: Simulator) -> None:
    assert C.aclGetTensorDescNumDims(make([-2])) == 0xFFFF_FFFF_FFFF_FFFE
    assert C.aclGetTensorDescNumDims(make([3, -2])) == 2


def test_null_descriptors(sim: Simulator) -> None:
    assert C.aclDestroyTensorDesc(0) is None
    assert C.aclGetTensorDescType(0) == -1
    assert C.aclGetTensorDescFormat(0) == -1
    assert C.aclGetTensorDescElementCount(0) == 0
    assert C.aclGetTensorDescSize(0) == 0
    assert C.aclGetTensorDescNumDims(0) == 0
    assert C.aclGetTensorDescDim(0, 0) == -1
    assert C.aclGetTensorDescDimV2(0, 0) == (None, 100000)
    assert C.aclGetTensorDescDimRange(0, 0, 2) == (None, 100000)
    assert C.aclSetTensorDescName(0, "hello") is None
    assert C.aclGetTensorDescName(0) == ""
    assert C.aclGetTensorDescByIndex(0, 0) == 0
    assert C.aclGetTensorDescAddress(0) == 0
    assert C.aclTransTensorDescFormat(0, NHWC) == (0, 100000)
    assert C.aclSetTensorShapeRange(0, 1, [[1, 2]]) == 100000
    assert C.aclSetTensorValueRange(0, 1, [[1, 2]]) == 100000
    assert C.aclSetTensorDynamicInput(0, "x") == 100000
    assert C.aclSetTensorConst(0, 1, 1) == 100000
    assert C.aclSetTensorPlaceMent(0, 0) == 100000
    for setter in (C.aclSetTensorFormat, C.aclSetTensorStorageFormat, C.aclSetTensorOriginFormat):
        assert setter(0, ND) == 0
    for setter in (C.aclSetTensorShape, C.aclSetTensorStorageShape, C.aclSetTensorOriginShape):
        assert setter(0, 1, [1]) == 100000
        assert setter(make([]), 1, None) == 100000
    assert not sim.findings


def test_a_dead_descriptor_is_answered_like_null_and_found(sim: Simulator) -> None:
    desc = make([1])
    C.aclDestroyTensorDesc(desc)
    assert C.aclGetTensorDescNumDims(desc) == 0
    C.aclDestroyTensorDesc(desc)
    assert C.aclSetTensorFormat(desc, ND) == 0
    assert len(sim.findings) == 3


def test_a_data_buffer_is_no_descriptor(sim: Simulator) -> None:
    buffer = C.aclCreateDataBuffer(0, 0)
    assert C.aclGetTensorDescType(buffer) == -1
    assert "it is data buffer" in next(iter(sim.findings)).title


def test_dims_behind_the_last(sim: Simulator) -> None:
    desc = make([5])
    assert C.aclGetTensorDescDim(desc, 0) == 5
    assert C.aclGetTensorDescDim(desc, 1) == -1
    assert C.aclGetTensorDescDimV2(desc, 1) == (None, 100000)


def test_names(sim: Simulator) -> None:
    desc = make([])
    assert C.aclGetTensorDescName(desc) == ""
    C.aclSetTensorDescName(desc, "x")
    assert C.aclGetTensorDescName(desc) == "x"
    C.aclSetTensorDescName(desc, None)
    assert C.aclGetTensorDescName(desc) == ""


def test_origin_changes_what_the_getters_say_and_storage_does_not(sim: Simulator) -> None:
    desc = make([1, 2], FLOAT, ND)
    assert C.aclSetTensorShape(desc, 3, [9, 9, 9]) == 0
    assert C.aclSetTensorStorageShape(desc, 1, [16]) == 0
    assert C.aclSetTensorFormat(desc, NZ) == 0
    assert (dims_of(desc), C.aclGetTensorDescFormat(desc)) == ([1, 2], ND)
    assert C.aclSetTensorOriginShape(desc, 1, [8]) == 0
    assert C.aclSetTensorOriginFormat(desc, NHWC) == 0
    assert (dims_of(desc), C.aclGetTensorDescFormat(desc)) == ([8], NHWC)
    kept = stored(sim, desc)
    assert (kept.storage_dims, kept.storage_format) == ([16], NZ)


def test_a_negative_number_of_dims_clears_them(sim: Simulator) -> None:
    desc = make([1, 2])
    assert C.aclSetTensorOriginShape(desc, -1, [5]) == 0
    assert C.aclGetTensorDescNumDims(desc) == 0


@pytest.mark.parametrize("ranges", [[[1, 8], [2, -1]], [1, 8, 2, -1], np.array([[1, 8], [2, -1]], np.int64)])
def test_ranges_nested_flat_and_in_memory(sim: Simulator, ranges: Any) -> None:
    desc = make([-1, -1])
    assert C.aclSetTensorShapeRange(desc, 2, ranges) == 0
    assert C.aclGetTensorDescDimRange(desc, 0, 2) == ([1, 8], 0)
    assert C.aclGetTensorDescDimRange(desc, 1, 4) == ([2, -1], 0)
    assert C.aclSetTensorValueRange(desc, 2, ranges) == 0
    assert stored(sim, desc).value_range == [(1, 8), (2, -1)]


def test_faults_of_ranges(sim: Simulator) -> None:
    desc = make([-1])
    assert C.aclGetTensorDescDimRange(desc, 0, 2) == (None, 100000)  # no range was set
    assert C.aclSetTensorShapeRange(desc, 1, [[1, 8]]) == 0
    assert C.aclGetTensorDescDimRange(desc, 1, 2) == (None, 100000)
    assert C.aclGetTensorDescDimRange(desc, 0, 1) == (None, 100000)
    assert C.aclSetTensorShapeRange(desc, 2, [[1, 8]]) == 100000
    assert C.aclSetTensorShapeRange(desc, 1, None) == 100000
    assert C.aclSetTensorShapeRange(desc, 0, None) == 0
    assert C.aclGetTensorDescDimRange(desc, 0, 2) == (None, 100000)


def test_by_index(sim: Simulator) -> None:
    desc = make([])
    assert C.aclGetTensorDescByIndex(desc, 0) == desc
    assert not sim.findings
    assert C.aclGetTensorDescByIndex(desc, 1) == 0
    assert [finding.kind for finding in sim.findings] == ["undefined-use"]


def test_a_constant_is_copied(sim: Simulator) -> None:
    desc = make([4], INT8)
    values = np.array([1, 2, 3, 4], np.uint8)
    assert C.aclSetTensorConst(desc, values, 0) == 100000
    assert C.aclSetTensorConst(desc, 0, 4) == 100000
    assert C.aclSetTensorConst(desc, 16, 4) == 100000  # no memory there
    assert stored(sim, desc).const is None
    assert C.aclSetTensorConst(desc, values, 4) == 0
    values[:] = 0
    assert stored(sim, desc).const == b"\1\2\3\4"


def test_a_constant_in_device_memory_is_found(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    memory, _ = C.aclrtMalloc(64, 0)
    assert C.aclSetTensorConst(make([4]), memory, 4) == 100000
    assert [finding.kind for finding in sim.findings] == ["undefined-use"]


@pytest.mark.parametrize("kind", [0, 1, 2, 77])
def test_placements_are_stored(sim: Simulator, kind: int) -> None:
    desc = make([])
    assert C.aclSetTensorPlaceMent(desc, kind) == 0
    assert stored(sim, desc).placement == kind


@pytest.mark.parametrize(
    ("dims", "data_type", "source", "target", "expected"),
    [
        ([1, 3, 224, 200], FLOAT, NCHW, NHWC, [1, 224, 200, 3]),
        ([1, 2, 3, 4], FLOAT, HWCN, NCHW, [4, 3, 1, 2]),
        ([1, 2, 3, 4], FLOAT, NHWC, CHWN, [4, 2, 3, 1]),
        ([8, 17, 5, 6], FLOAT16, NCHW, NC1HWC0, [8, 2, 5, 6, 16]),
        ([8, 5, 6, 33], INT8, NHWC, NC1HWC0, [8, 2, 5, 6, 32]),
        ([40], FLOAT16, ND, NZ, [3, 1, 16, 16]),
        ([17, 33], FLOAT16, ND, NZ, [3, 2, 16, 16]),
        ([7, 17, 33], INT8, ND, NZ, [7, 2, 2, 16, 32]),
        ([2, 3, 17, 33], FLOAT, NCHW, NZ, [2, 3, 3, 2, 16, 16]),
        ([20, 17, 3, 3], FLOAT16, NCHW, FRACTAL_Z, [18, 2, 16, 16]),
        ([3, 3, 17, 20], FLOAT16, HWCN, FRACTAL_Z, [18, 2, 16, 16]),
        ([20, 3, 3, 17], FLOAT16, NHWC, FRACTAL_Z, [18, 2, 16, 16]),
    ],
)
def test_shapes_in_other_formats(
    sim: Simulator, dims: list[int], data_type: int, source: int, target: int, expected: list[int]
) -> None:
    desc, code = C.aclTransTensorDescFormat(make(dims, data_type, source), target)
    assert code == 0
    assert dims_of(desc) == expected
    assert C.aclGetTensorDescFormat(desc) == source  # not the target: so does the real one
    assert C.aclGetTensorDescType(desc) == data_type


@pytest.mark.parametrize(
    ("dims", "data_type", "source", "target", "code"),
    [
        ([1, 2, 3, 4], FLOAT, NCHW, NCHW, 145020),
        ([1, 2, 3, 4, 16], FLOAT, NC1HWC0, NCHW, 145020),
        ([1], STRING, ND, NHWC, 145020),  # the pair before the type
        ([1], STRING, NCHW, NHWC, 145022),  # the type before the shape
        ([1, 2, 3], FLOAT, NCHW, NHWC, 145021),
        ([1, 2, 3, -1], FLOAT, NCHW, NC1HWC0, 145021),
        ([], FLOAT, ND, NZ, 145021),
        ([1, 2, 3], FLOAT, NCHW, NZ, 145021),
    ],
)
def test_faults_of_conversions(
    sim: Simulator, dims: list[int], data_type: int, source: int, target: int, code: int
) -> None:
    assert C.aclTransTensorDescFormat(make(dims, data_type, source), target) == (0, code)
