"""Chapter 12: aclrtReduceAsync."""

import ctypes

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.runtime.memory.reduction import combine

SUM, MAX, MIN, EQUAL = 10, 11, 12, 13
FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, BF16 = 0, 1, 2, 3, 4, 6, 7, 8, 9, 27
TYPES = {FLOAT: np.float32, FLOAT16: np.float16, INT8: np.int8, INT32: np.int32, INT16: np.int16, UINT32: np.uint32}
STALE = 0x1234
H2D, D2H = 1, 2


def up(world, array):
    address = world.must(C.aclrtMalloc(array.nbytes, 0))
    world.must(C.aclrtMemcpy(address, array.nbytes, array.ctypes.data, array.nbytes, H2D))
    return address


def down(world, address, like):
    out = np.empty_like(like)
    world.must(C.aclrtMemcpy(out.ctypes.data, out.nbytes, address, out.nbytes, D2H))
    return out


@pytest.mark.parametrize("data_type", [FLOAT, FLOAT16, INT8, INT32, INT16])
@pytest.mark.parametrize(("kind", "function"), [(SUM, np.add), (MAX, np.maximum), (MIN, np.minimum), (EQUAL, np.equal)])
def test_kinds_and_types(world, kind, function, data_type):
    dtype = TYPES[data_type]
    a = np.array([1, 2, 3, -4, 100], dtype)
    b = np.array([1, 5, -3, -4, 100], dtype)
    dst, src, stream = up(world, a), up(world, b), world.stream()
    assert C.aclrtReduceAsync(dst, src, a.nbytes, kind, data_type, stream, None) == 0
    assert world.sync(stream) == 0
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(down(world, dst, a), function(a, b).astype(dtype))
    np.testing.assert_array_equal(down(world, src, b), b)


def test_integers_wrap_around():
    a, b = np.array([127, -128], np.int8), np.array([1, -1], np.int8)
    result = combine(SUM, INT8, a.view(np.uint8), b.view(np.uint8)).view(np.int8)
    assert result.tolist() == [-128, 127]


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        (0x3F80, 0x3F80, 0x4000),  # 1 + 1
        (0x3F80, 0x3B80, 0x3F80),  # 1 + 2**-8: half of the last place goes to even
        (0x3F81, 0x3B80, 0x3F82),
        (0x7F7F, 0x7F7F, 0x7F80),  # beyond the largest: infinity
        (0x7F80, 0xFF80, None),  # infinity - infinity: not a number
    ],
)
def test_bf16_rounds_to_nearest_even(a, b, result):
    got = combine(SUM, BF16, np.array([a], np.uint16).view(np.uint8), np.array([b], np.uint16).view(np.uint8))
    bits = int(got.view(np.uint16)[0])
    if result is None:
        assert bits & 0x7F80 == 0x7F80
        assert bits & 0x7F
    else:
        assert bits == result


def test_it_reads_memory_when_it_runs(world):
    a, b = np.arange(8, dtype=np.int32), np.arange(8, dtype=np.int32)
    dst, src, stream = up(world, a), up(world, b), world.stream()
    world.must(C.aclrtMemsetAsync(src, 32, 0, 32, stream))
    world.must(C.aclrtReduceAsync(dst, src, 32, SUM, INT32, stream, None))
    world.must(C.aclrtReduceAsync(dst, dst, 32, SUM, INT32, stream, None))
    world.must(world.sync(stream))
    np.testing.assert_array_equal(down(world, dst, a), 2 * a)


def test_a_part_of_an_element_is_left_alone(world):
    a, b = np.array([1, 1], np.int32), np.array([2, 2], np.int32)
    dst, src = up(world, a), up(world, b)
    world.must(C.aclrtReduceAsync(dst, src, 6, SUM, INT32, 0, None))
    world.must(C.aclrtSynchronizeDevice())
    assert down(world, dst, a).tolist() == [3, 1]


def test_order_of_checks(world):
    dst, foreign = world.device(), world.stream()
    src = dst + 32
    world.must(C.aclrtCreateContext(0))

    def reduce(dst=dst, src=src, count=4, kind=SUM, data_type=INT32, stream=0, reserve=None):
        return C.aclrtReduceAsync(dst, src, count, kind, data_type, stream, reserve)

    assert reduce(dst=0, stream=STALE) == reduce(src=0, stream=STALE) == 100000
    assert reduce(reserve=dst, stream=STALE) == 100000
    assert reduce(data_type=INT64, stream=STALE) == 100000
    assert reduce(stream=STALE, count=0) == 107017
    assert reduce(count=0, stream=foreign) == 107000
    assert reduce(kind=9, stream=foreign) == reduce(kind=14, stream=foreign) == 107000
    assert reduce(count=(4 << 30) + 4, stream=foreign) == 107000
    assert reduce(stream=foreign, data_type=UINT8) == 107003
    assert reduce(data_type=UINT8, dst=dst + 1) == 207000
    assert reduce(dst=dst + 2) == reduce(src=src + 1) == 107008
    assert reduce(data_type=FLOAT16, dst=dst + 2) == 0
    world.t.drop_context()
    assert reduce(count=0) == 107000
    assert reduce(data_type=UINT8) == 107002
    assert reduce(stream=foreign) == 107002


@pytest.mark.parametrize(
    ("soc", "able"),
    [
        ("Ascend950PR_9599", {INT8, INT16, INT32, FLOAT16, FLOAT, BF16, UINT32}),
        ("Ascend910B1", {INT8, INT16, INT32, FLOAT16, FLOAT, BF16}),
        ("Ascend310B1", {INT8, INT16, INT32, FLOAT16, FLOAT}),
        ("Ascend310P3", {INT16, FLOAT16, FLOAT}),
        ("Ascend910A", {FLOAT}),
    ],
)
def test_types_of_the_chips(build, soc, able):
    world = build(soc=soc)
    dst = world.device()
    types = (FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, BF16)
    codes = {kind: C.aclrtReduceAsync(dst, dst + 32, 8, SUM, kind, 0, None) for kind in types}
    assert codes == {kind: 0 if kind in able else 207000 for kind in types}


@pytest.mark.parametrize(("soc", "code"), [("Ascend910A", 107000), ("Ascend310P3", 107000), ("Ascend910B1", 0)])
def test_chips_that_only_have_sums(build, soc, code):
    dst = build(soc=soc).device()
    assert C.aclrtReduceAsync(dst, dst + 32, 8, MAX, FLOAT, 0, None) == code


def test_host_memory_is_reported(world):
    dst, host = world.device(), world.must(C.aclrtMallocHost(64))
    ctypes.memset(host, 0, 64)
    assert C.aclrtReduceAsync(dst, host, 32, SUM, FLOAT, 0, None) == 0
    assert world.kinds() == ["undefined-use"]
