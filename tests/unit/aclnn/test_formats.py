"""Sizes of storage by format, what the function of the library answers, and empty operands for absent ones."""

from __future__ import annotations

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.aclnn.formats import converts, storage_dims

HALF, INT8, FLOAT, INT32, NZ, ND = 1, 2, 0, 3, 29, 2


@pytest.mark.parametrize("dims, format_, data_type, wanted", [
    ((20, 40), NZ, HALF, [3, 2, 16, 16]),
    ((20, 40), NZ, INT8, [2, 2, 16, 32]),
    ((3, 16, 16), NZ, FLOAT, [3, 2, 1, 16, 8]),
    ((40,), NZ, HALF, [3, 1, 16, 16]),
    ((0, 16), NZ, HALF, [1, 0, 16, 16]),
    ((4, 5), ND, HALF, [4, 5]),
    ((2, 20, 3, 4, 5), 32, HALF, [2, 3, 2, 4, 5, 16]),
    ((20, 20, 3, 4, 5), 33, HALF, [120, 2, 16, 16]),
    ((2, 20, 3, 4, 5), 30, HALF, [2, 20, 3, 4, 5]),
    ((4, 5), 33, HALF, None),
    ((4, 5), 3, HALF, None),
    ((), NZ, HALF, None),
])  # fmt: skip
def test_sizes(dims, format_, data_type, wanted):
    assert storage_dims(dims, format_, data_type) == wanted


def test_the_library_s_function():
    with Simulator():
        C.aclInit(None)
        C.aclrtSetDevice(0)
        tensor = C.aclCreateTensor((20, 40), 2, HALF, None, 0, ND, (20, 40), 2, 0)
        ask = C.aclnnNpuFormatCastCalculateSizeAndFormat
        assert ask(tensor, NZ, -1) == ((3, 2, 16, 16), 4, NZ, 0)
        assert ask(tensor, NZ, INT8) == ((2, 2, 16, 32), 4, NZ, 0)
        assert ask(tensor, 33, -1)[-1] == 361001
        assert ask(0, NZ, -1)[-1] == 161001
        tiled = C.aclCreateTensor((20, 40), 2, HALF, None, 0, NZ, (3, 2, 16, 16), 4, 0)
        assert ask(tiled, ND, -1) == ((20, 40), 2, ND, 0)
        assert ask(tiled, NZ, -1)[-1] == 361001  # a cast of it to its own format would leave what is to be copied
        volume = C.aclCreateTensor((4, 5), 2, HALF, None, 0, 30, (20,), 1, 0)
        assert ask(volume, 33, -1)[-1] == 161002


@pytest.mark.parametrize("source, target, same_type, wanted", [
    (ND, NZ, False, True), (47, NZ, False, True), (NZ, ND, True, True),
    (0, NZ, True, True), (0, NZ, False, False), (30, NZ, True, True), (30, NZ, False, False),
    (30, 32, True, True), (32, 30, True, True), (30, 33, True, True), (33, 30, True, True),
    (NZ, NZ, True, False), (ND, ND, True, False), (ND, 32, True, False), (32, 33, True, False), (NZ, 0, True, False),
    (1, NZ, True, False), (0, 3, True, False),
])  # fmt: skip
def test_casts(source, target, same_type, wanted):
    assert converts(source, target, same_type) is wanted


def test_an_empty_operand_is_as_good_as_none_where_it_may_be_null():
    with Simulator():
        C.aclInit(None)
        C.aclrtSetDevice(0)
        make = C.aclCreateTensor
        x, w = make((1, 4), 2, INT8, None, 0, ND, (4,), 1, 0), make((4, 1), 2, INT8, None, 0, ND, (4,), 1, 0)
        scale, out = make((1,), 1, FLOAT, None, 0, ND, (1,), 1, 0), make((1, 1), 2, HALF, None, 0, ND, (1,), 1, 0)
        empty, wrong = make((0,), 1, INT32, None, 0, ND, (0,), 1, 0), make((1,), 1, INT32, None, 0, ND, (1,), 1, 0)
        first = C.aclnnQuantMatmulV5GetWorkspaceSize
        for offset, code in ((empty, 0), (wrong, 161002)):
            pytest.importorskip("torch", reason="the body needs torch")
            assert first(x, w, None, scale, None, None, None, offset, None, False, False, 0, out)[-1] == code
