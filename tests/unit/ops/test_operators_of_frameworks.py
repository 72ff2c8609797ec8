"""Single operators that torch_npu compiles by name: literals, plain loops, and torch on the CPU where it is installed."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim.ops.operator import Array, OperatorError
from ascend_sim.ops.registry import builtin
from tests.kit.single_operators import RANDOM, close, floats, run

TORCH = importlib.util.find_spec("torch") is not None


# -- literals ----------------------------------------------------------------------------------------------------------


def test_activations() -> None:
    x = np.array([-200.0, -1.0, 0.0, 1.0, 200.0], np.float32)
    close(run("Swish", x), [0, -0.26894143, 0, 0.7310586, 200])
    close(run("Mish", x), [0, -0.30340144, 0, 0.86509836, 200])


@pytest.mark.parametrize(("name", "gradient"), [("Swish", "SwishGrad"), ("Mish", "MishGrad")])
def test_gradients_of_activations(name: str, gradient: str) -> None:
    x, grad, step = floats(40).astype(np.float64), floats(40).astype(np.float64), 1e-6
    slopes = (run(name, x + step) - run(name, x - step)) / (2 * step)
    more = [run(name, x)] if name == "Swish" else []
    close(run(gradient, grad, x, *more), grad * slopes, 1e-6)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_activations_keep_the_type(dtype: type) -> None:
    for name in ("Swish", "Mish"):
        assert run(name, np.ones(3, dtype)).dtype == dtype


def test_element_by_element() -> None:
    x = np.array([1.0, np.inf, -np.inf, np.nan, -2.0], np.float32)
    assert run("IsFinite", x).tolist() == [True, False, False, False, True]
    assert run("IsClose", x, x + np.float32(1e-7)).tolist() == [True, True, True, False, True]
    assert run("IsClose", x, x, equal_nan=True).all()
    assert run("IsClose", np.array([1, 5]), np.array([2, 8]), rtol=0.0, atol=1.0).tolist() == [True, False]
    assert run("Square", np.array([-3, 2], np.int32)).tolist() == [9, 4]
    assert run("OnesLike", x).tolist() == [1] * 5


PLAIN: dict[str, Callable[..., float]] = {
    "Ceil": math.ceil, "Floor": math.floor, "Trunc": math.trunc, "Expm1": math.expm1, "Sin": math.sin, "Cos": math.cos,
    "Tan": math.tan, "Atan": math.atan, "Sinh": math.sinh, "Cosh": math.cosh, "Asinh": math.asinh,
    "Reciprocal": lambda x: 1 / x, "Sign": lambda x: (x > 0) - (x < 0), "Asin": lambda x: math.asin(x / 4),
    "Acos": lambda x: math.acos(x / 4), "Atanh": lambda x: math.atanh(x / 4), "Acosh": lambda x: math.acosh(abs(x) + 1),
    "Log1p": lambda x: math.log1p(abs(x)), "Rsqrt": lambda x: 1 / math.sqrt(abs(x)),
}  # fmt: skip
"""One element at a time."""
INSIDE: dict[str, Callable[[Array], Array]] = {
    "Asin": lambda x: x / 4, "Acos": lambda x: x / 4, "Atanh": lambda x: x / 4, "Acosh": lambda x: abs(x) + 1, "Log1p": abs,
    "Rsqrt": abs,
}  # fmt: skip
"""What keeps the argument where the function is defined."""


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_functions_of_one_element(name: str, dtype: str) -> None:
    x = np.array([-3.5, -1.25, -0.5, 0.25, 1.0, 2.75], dtype)
    found = run(name, INSIDE.get(name, lambda x: x)(x))
    assert found.dtype == dtype
    close(found, [PLAIN[name](float(n)) for n in x], 2e-3 if dtype == "float16" else 1e-6)


def test_rounding_and_truth() -> None:
    assert run("Round", np.array([-1.5, 0.5, 1.5, 2.5], np.float32)).tolist() == [-2, 0, 2, 2]
    assert run("Round", np.array([1.25, -0.371]), decimals=1).tolist() == [1.2, -0.4]
    yes, no = np.array([True, True, False, False]), np.array([True, False, True, False])
    assert run("LogicalAnd", yes, no).tolist() == [True, False, False, False]
    assert run("LogicalOr", yes, no).tolist() == [True, True, True, False]
    assert run("LogicalNot", yes).tolist() == [False, False, True, True]


def test_functions_of_two_elements() -> None:
    x, y = np.array([7, -7, 7, -7], np.int32), np.array([2, 2, -2, -2], np.int32)
    assert run("FloorDiv", x, y).tolist() == [3, -4, -4, 3]
    assert run("Mod", x, y).tolist() == [1, -1, 1, -1]
    assert run("FloorMod", x, y).tolist() == [1, 1, -1, -1]
    assert run("BitwiseXor", np.array([6, 5], np.int16), np.array([3, 5], np.int16)).tolist() == [5, 0]
    assert run("FloorDiv", x.astype(np.float32), np.float32(2)).tolist() == [3, -4, 3, -4]
    close(run("Atan2", np.array([1.0, -1.0]), np.array([-1.0, 1.0])), [3 * math.pi / 4, -math.pi / 4])
    found = run("Xlogy", np.array([0.0, 0.0, 2.0, 0.0]), np.array([0.0, -1.0, math.e, np.nan]))
    assert found[:3].tolist() == [0, 0, 2]
    assert np.isnan(found[3])


@pytest.mark.parametrize(("axes", "keep"), [([0], False), ([1], True), ([0, 2], False), ([], False), ([-1], False)])
def test_reductions(axes: list[int], keep: bool) -> None:
    x = RANDOM.integers(0, 3, (2, 3, 4))
    over = {axis % 3 for axis in axes} or {0, 1, 2}
    plain: dict[str, Any] = {"ReduceAll": all, "ReduceAny": any, "ReduceMin": min, "ReduceProd": math.prod}
    for name, function in plain.items():
        values = x > 0 if name in ("ReduceAll", "ReduceAny") else x
        found = run(name, values, np.array(axes, np.int64), keep_dims=keep)
        assert found.dtype == values.dtype
        kept = [range(1) if axis in over else range(n) for axis, n in enumerate(x.shape)]
        each = [
            function(
                values[place]
                for place in itertools.product(*(range(n) if i in over else [at[i]] for i, n in enumerate(x.shape)))
            )
            for at in itertools.product(*kept)
        ]
        assert found.shape == tuple(1 if i in over else n for i, n in enumerate(x.shape) if keep or i not in over)
        assert found.reshape(-1).tolist() == each


def test_places_and_masks() -> None:
    x = np.array([[0, 2.0, 0], [np.nan, 0, -1]], np.float32)
    assert run("NonZero", x).tolist() == [[0, 1], [1, 0], [1, 2]]
    assert run("NonZero", x, transpose=True, dtype=3).tolist() == [[0, 1, 1], [1, 0, 2]]
    assert run("NonZero", x).dtype == np.int64
    assert run("NonZero", x, dtype=3).dtype == np.int32
    assert run("NonZero", np.zeros((4, 5), bool)).shape == (0, 2)
    assert run("MaskedSelect", np.arange(6).reshape(2, 3), np.array([True, False, True])).tolist() == [0, 2, 3, 5]
    assert run("MaskedSelect", np.ones(3), np.zeros(3, bool)).shape == (0,)


def test_unequal_elements() -> None:
    x = np.array([2, 2, 1, 2, 2, 2], np.int32)
    kept, runs, lengths = run("UniqueConsecutive", x, return_idx=True, return_counts=True)
    assert (kept.tolist(), runs.tolist(), lengths.tolist()) == ([2, 1, 2], [0, 0, 1, 2, 2, 2], [2, 1, 3])
    kept, runs, lengths = run("UniqueConsecutive", x)
    assert (kept.tolist(), runs.tolist(), lengths.tolist()) == ([2, 1, 2], [0] * 6, [])
    rows = np.array([[1, 1, 0], [5, 5, 5]])
    kept, runs, lengths = run("UniqueConsecutive", rows, axis=-1, return_idx=True, return_counts=True)
    assert (kept.tolist(), runs.tolist(), lengths.tolist()) == ([[1, 0], [5, 5]], [0, 0, 1], [2, 1])
    described = [(6,), (2, 3), (6,)]
    kept, places, lengths = run("UniqueWithCountsAndSorting", x.reshape(2, 3), return_counts=True, described=described)
    assert (kept.tolist(), places.tolist(), lengths.tolist()) == ([1, 2], [[1, 1, 0], [1, 1, 1]], [1, 5])
    slices = np.array([[[3, 1, 3, 0]], [[4, 1, 4, 9]]], np.int32)
    kept, places, lengths, again = run("UniqueWithCountsExt2", slices, np.array(2))
    assert kept.tolist() == [[[0, 1, 3]], [[9, 1, 4]]]
    assert (places.tolist(), lengths.tolist(), again.tolist()) == ([2, 1, 2, 0], [1, 1, 2], [2, 1, 2, 0])
    assert kept.dtype == np.int32


def test_parts_of_arrays() -> None:
    x = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
    assert run("Tril", x).tolist() == [[1, 0, 0], [4, 5, 0]]
    assert run("Triu", x, diagonal=1).tolist() == [[0, 2, 3], [0, 0, 6]]
    assert run("Cumsum", x, np.array(1)).tolist() == [[1, 3, 6], [4, 9, 15]]
    assert run("Cumsum", x, np.array(1)).dtype == np.int32
    assert run("ReverseV2", x, np.array([0, 1])).tolist() == [[6, 5, 4], [3, 2, 1]]
    assert run("GatherElements", x, np.array([[2, 0]]), dim=1).tolist() == [[3, 1]]
    assert run("GatherElements", x, np.array([[1, 0]]), dim=0).tolist() == [[4, 2]]
    with pytest.raises(OperatorError, match="an index lies outside"):
        run("GatherElements", x, np.array([[3]]), dim=1)
    assert run("MaskedFill", x, x > 2, np.float32(9)).tolist() == [[1, 2, 9], [9, 9, 9]]
    assert run("MaskedFill", x, np.array([True, False, False]), 9).dtype == np.int32
    assert run("Select", x > 3, x, -x).tolist() == [[-1, -2, -3], [4, 5, 6]]
    assert run("TensorEqual", x, x.copy())
    assert not run("TensorEqual", x, x + 1)
    assert not run("TensorEqual", np.array([np.nan]), np.array([np.nan]))
    assert run("BitwiseAnd", x, 5 + 0 * x).tolist() == [[1, 0, 1], [4, 5, 4]]
    assert run("BitwiseOr", x, 5 + 0 * x).tolist() == [[5, 7, 7], [5, 5, 7]]


def test_shapes_without_values() -> None:
    """What `run` tests: a rule that is not told the values of the second input says that it does not know."""
    x = np.arange(24).reshape(2, 3, 4)
    assert run("Transpose", x, np.array([0, 2, 1])).shape == (2, 4, 3)
    assert run("Reshape", x, np.array([4, -1])).shape == (4, 6)
    assert run("Tile", x, np.array([1, 2, 1])).shape == (2, 6, 4)
    assert run("Slice", x, np.array([0, 1, 0]), np.array([1, 2, 4])).shape == (1, 2, 4)
    assert run("StridedSlice", x, np.array([0, 0, 0]), np.array([2, 3, 4]), np.array([1, 2, 2])).shape == (2, 2, 2)
    assert run("GatherV2", x, np.array([1]), np.array(1)).shape == (2, 1, 4)
    assert run("TopKV2", x, np.array(2))[0].shape == (2, 3, 2)
    assert run("PadV3", x, np.array([0, 0, 1, 1, 0, 2])).shape == (2, 5, 6)
    assert run("ArgMaxV2", x, np.array(1)).shape == (2, 4)
    assert run("OneHot", np.array([1, 0]), np.array(3), np.array(1), np.array(0)).shape == (2, 3)
    assert run("Fill", np.array([2, 3]), np.array(7)).shape == (2, 3)
    assert run("ReduceSum", x, np.array([1])).shape == (2, 4)


def test_made_arrays() -> None:
    assert run("Range", np.float32(1), np.float32(2.2), np.float32(0.5)).tolist() == [1, 1.5, 2]
    assert run("Range", np.int64(5), np.int64(-1), np.int64(-2)).tolist() == [5, 3, 1]
    assert run("Range", np.int64(5), np.int64(5), np.int64(1)).shape == (0,)
    assert run("LinSpace", np.float32(0), np.float32(1), np.array([5])).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert run("Eye", num_rows=2, num_columns=3, dtype=3).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert run("Eye", num_rows=2).dtype == np.float32


def test_sorting_with_places() -> None:
    x = np.array([[3, 1, np.nan, 3, 1]], np.float32)
    values, places = run("Sort", x)
    assert (values[0, :4].tolist(), places.tolist()) == ([1, 1, 3, 3], [[1, 4, 0, 3, 2]])
    values, places = run("Sort", x, descending=True)
    assert (values[0, 1:].tolist(), places.tolist()) == ([3, 3, 1, 1], [[2, 0, 3, 1, 4]])
    assert places.dtype == np.int32
    values, places = run("Sort", x.T, axis=0, descending=True)
    assert places.T.tolist() == [[2, 0, 3, 1, 4]]


def test_random_numbers_by_key_and_counter() -> None:
    sizes, key, one = np.array([300, 400]), np.array([7], np.uint64), np.int32(1)

    def draw(name: str, offset: int, **words: int) -> Array:
        found: Array = run(name, sizes, key, np.array([0, offset], np.uint64), one, **words)
        return found

    x, again, other = (draw("StatelessRandomNormalV2", offset, dtype=0) for offset in (10, 10, 20))
    assert x.dtype == np.float32
    assert np.array_equal(x, again)
    assert not np.intersect1d(x, other).size > x.size // 100
    close([x.mean(), x.std(), (abs(x) < 1).mean(), (abs(x) > 2).mean()], [0, 1, 0.6827, 0.0455], 0.01)
    short = [(27, 8)] if importlib.util.find_spec("ml_dtypes") else []
    for kind, bits in ((0, 24), (1, 11), *short):
        u = draw("StatelessRandomUniformV2", 10, dtype=kind).astype(np.float64)
        close([u.mean(), u.std()], [0.5, 12**-0.5], 0.01)
        assert u.min() >= 0
        assert u.max() <= 1 - 2.0**-bits
    chance = np.linspace(0, 1, 400, dtype=np.float32) * np.ones((300, 1), np.float32)
    seed, offset = np.array([7]), np.array([10])
    hits = run("StatelessBernoulli", sizes, chance, seed, offset, dtype=9)
    assert hits.dtype == np.int64
    close(hits.mean(axis=0)[[0, 399]], [0, 1])
    close(hits.reshape(300, 8, 50).mean(axis=(0, 2)), chance[0].reshape(8, 50).mean(axis=1), 0.02)
    close(run("StatelessBernoulli", sizes, np.array([0.25]), seed, offset, dtype=0).mean(), 0.25, 0.01)
    assert run("StatelessBernoulli", sizes, np.array([0.25]), seed, offset, dtype=12).dtype == np.bool_


def test_permutations() -> None:
    seed, offset = np.array([3]), np.array([10])
    found = run("StatelessRandperm", np.array([50_000]), seed, offset, dtype=9)
    assert sorted(found.tolist()) == list(range(50_000))
    assert abs(np.corrcoef(found, np.arange(50_000))[0, 1]) < 0.02
    assert found.tolist() != run("StatelessRandperm", np.array([50_000]), seed, offset + 10, dtype=9).tolist()
    assert run("StatelessRandperm", np.array([5]), seed, offset, dtype=3).dtype == np.int32
    assert run("StatelessRandperm", np.array([0]), seed, offset).shape == (0,)


def test_masks_of_dropout_with_a_bit_for_each_element() -> None:
    def mask(keep: float, count: int, offset: int = 10) -> Array:
        counter = np.array([0, offset])
        inputs = (np.array([count]), np.float32(keep), np.int32(7), np.int32(0), counter)
        found: Array = run("StatelessDropOutGenMask", *inputs, described=[(-(-count // 128) * 16,)])
        return found

    bits = np.unpackbits(mask(0.75, 100_000), bitorder="little")
    close(bits[:100_000].mean(), 0.75, 0.01)
    assert not bits[100_000:].any()
    assert np.array_equal(mask(0.75, 100), mask(0.75, 100))
    assert not np.array_equal(mask(0.75, 100), mask(0.75, 100, 20))
    assert np.unpackbits(mask(1.0, 11), bitorder="little").sum() == 11
    assert not mask(0.0, 11).any()


def test_rotary_products() -> None:
    x, cosine, sine = floats(2, 3, 8), floats(1, 3, 8), floats(1, 3, 8)
    for mode, partner in ({}, lambda i: (i + 4) % 8), ({"mode": "interleave"}, lambda i: i ^ 1):
        other = np.stack([x[..., partner(i)] * (-1 if partner(i) > i else 1) for i in range(8)], -1)
        close(run("RotaryMul", x, cosine, sine, **mode), x * cosine + other * sine, 1e-6)


def test_largest_with_places() -> None:
    x = np.array([[3, 7, 7], [9, -1, 2]], np.float32)
    places, values = run("ArgMaxWithValue", x, dimension=1)
    assert places.tolist() == [1, 0] and values.tolist() == [7, 9] and places.dtype == np.int32
    places, values = run("ArgMinWithValue", x, dimension=0, keep_dims=True)
    assert places.tolist() == [[0, 1, 1]] and values.tolist() == [[3, -1, 2]]


def test_updates_at_places() -> None:
    found = run("ArgMaxGrad", np.zeros((2, 3), np.float32), np.array([2, 0], np.int32), [5.0, 6.0], dimension=1)
    assert found.tolist() == [[0, 0, 5], [6, 0, 0]]


def test_sorting() -> None:
    assert run("SortV2", np.array([[3, 1, 2]]), axis=-1).tolist() == [[1, 2, 3]]
    assert run("SortV2", np.array([[3, 1, 2]]), axis=1, descending=True).tolist() == [[3, 2, 1]]


BOXES = np.array([[0, 0, 10, 10], [10, 10, 20, 20], [32, 32, 38, 42]], np.float32)
TRUTHS = np.array([[0, 0, 10, 20], [10, 10, 20, 20]], np.float32)


def test_overlaps() -> None:
    found = run("Iou", BOXES, TRUTHS, mode="iou", eps=0.0)
    close(found, [[0.5, 0, 0], [0, 1, 0]])
    close(run("Iou", BOXES, TRUTHS, mode="iof", eps=0.01), [[100 / (10.01 * 20.01), 0, 0], [0, 100 / 10.01**2, 0]])


def test_generalised_overlaps() -> None:
    two, one = np.array([[0, 2], [0, 2], [2, 4], [2, 4]], np.float32), np.array([[1], [1], [3], [3]], np.float32)
    close(run("GIoU", two, one, is_cross=True), [[1 / 7 - 2 / 9, 1 / 7 - 2 / 9]])
    close(run("DIoU", two, one, is_cross=True), [[1 / 7 - 2 / 18, 1 / 7 - 2 / 18]])
    centred = np.array([[1], [1], [2], [2]], np.float32), np.array([[2], [2], [2], [2]], np.float32)
    close(run("GIoU", *centred, trans=True, is_cross=False), [[1 / 7 - 2 / 9]])


def test_boxes_are_decoded_as_coded() -> None:
    anchors = np.array([[1, 2, 3, 4], [3, 4, 5, 6]], np.float32)
    truths = np.array([[5, 6, 7, 8], [2, 8, 9, 16]], np.float32)
    words: dict[str, Any] = {"means": (0.1, 0.0, 0.2, 0.0), "stds": (0.1, 0.1, 0.2, 0.2)}
    coded = run("BoundingBoxEncode", anchors, truths, **words)
    close(coded[0], [(4 / 3 - 0.1) / 0.1, 4 / 0.3, -1, 0])
    close(run("BoundingBoxDecode", anchors, coded, **words, wh_ratio_clip=1e-4), truths, 1e-4)
    clipped = run("BoundingBoxDecode", anchors, [[5.0, 6, 7, 8], [7, 8, 9, 6]], max_shape=(10, 10), wh_ratio_clip=0.1)
    close(clipped, [[2.5, 6.5, 9, 9], [9, 9, 9, 9]])


def test_suppression() -> None:
    boxes = np.array([[0, 0, 10, 10], [1, 1, 10, 10], [20, 20, 30, 30], [40, 40, 41, 41]], np.float32)
    scores = np.array([0.5, 0.9, 0.6, 0.1], np.float32)
    places, count = run("NonMaxSuppressionV4", boxes, scores, np.array(4, np.int32), [0.5], [0.3])
    assert places.tolist() == [1, 2, 0, 0] and int(count) == 2
    found, places, kept = run("NMSWithMask", np.c_[boxes, scores], iou_threshold=0.5)
    assert places.tolist() == [1, 2, 0, 3] and kept.tolist() == [1, 1, 0, 1]
    assert found[:, 4].tolist() == sorted(scores.tolist(), reverse=True)


def test_loss() -> None:
    loss, grad = run("SoftmaxCrossEntropyWithLogits", [[1.0, 2, 3, 4]], [[1.0, 2, 3, 4]])
    close(loss, [14.401897], 1e-6)
    close(grad, [[0.0320586 - 1, 0.08714432 - 2, 0.23688282 - 3, 0.64391426 - 4]], 1e-6)


def test_dropout_with_a_mask() -> None:
    x = np.arange(1, 11, dtype=np.float16)
    mask = np.array([0b10000101, 0b10], np.uint8)
    assert run("DropOutDoMask", x, mask, np.array([0.5], np.float16)).tolist() == [2, 0, 6, 0, 0, 0, 0, 16, 0, 20]
    assert run("DropOutDoMaskV3", x[:3], np.array([1, 0, 1], np.uint8), np.array(0.5, np.float16)).tolist() == [2, 0, 6]


def test_masks_of_dropout() -> None:
    mask = run("DropOutGenMaskV3", [40, 50], np.array(0.75, np.float16), seed=3)
    assert mask.dtype == np.uint8 and set(mask.reshape(-1).tolist()) == {0, 1} and 0.7 < mask.mean() < 0.8
    assert (run("DropOutGenMaskV3", [40, 50], np.array(0.75, np.float16), seed=3) == mask).all()
    assert (run("DropOutGenMaskV3", [40, 50], np.array(0.75, np.float16), seed=4) != mask).any()


def test_adam() -> None:
    one = np.ones(1, np.float32)
    numbers = [0.1 * one, 0.9 * one, 0.99 * one, 0 * one]
    moved, m, v = run("ApplyAdamV2", one, 0 * one, 0 * one, *numbers, 4 * one, 2 * one, 4 * one, 0.5 * one)
    close([m, v], [[0.2], [0.04]])  # the norm 4 is twice the allowed one: the gradient is halved
    close(moved, [1 - 0.1 * (0.2 / 0.2 + 0.5)])
    moved, m, v = run(
        "ApplyAdamV2", one, 0 * one, 0 * one, *numbers, 4 * one, -one, 4 * one, 0 * one, 0 * one, adam_mode="mbart_adam"
    )
    close([moved, m, v], [[1], [0.4], [0.16]])


def test_normalised_batches() -> None:
    x, lengths = floats(3, 4, 6), np.array([3, 6, 2], np.int32)
    each, whole = run("NormalizeBatch", x, lengths), run("NormalizeBatch", x, lengths, normalize_type="all_features")
    for i, n in enumerate(lengths):
        for feature in range(4):
            row = x[i, feature, :n]
            close(each[i, feature], (x[i, feature] - row.mean()) / (row.std(ddof=1) + 1e-5), 1e-4)
        close(whole[i], (x[i] - x[i, :, :n].mean()) / (x[i, :, :n].std(ddof=1) + 1e-5), 1e-4)


def test_borders_and_broadcasting() -> None:
    assert run("Pad", np.ones((1, 2), np.int32), [0, 1, 2, 0]).tolist() == [[0, 0, 1, 1], [0, 0, 0, 0]]
    assert run("Pad", np.arange(4), [-1, 0]).tolist() == [1, 2, 3]
    assert run("BroadcastTo", np.array([[1], [2]]), [2, 3]).tolist() == [[1, 1, 1], [2, 2, 2]]


def test_strided_views() -> None:
    assert run("AsStrided", np.arange(12), [2, 3], [1, 2], [3]).tolist() == [[3, 5, 7], [4, 6, 8]]
    with pytest.raises(OperatorError, match="AsStrided"):
        builtin()["AsStrided"].run({}, [np.arange(3), np.array([4]), np.array([1])])


def test_filled_ranges() -> None:
    zeros = np.zeros((2, 4), np.int32)
    found = run("MaskedFillRange", zeros, [[0, 1], [3, 3]], [[2, 3], [4, 3]], np.array([5, 6], np.int32), axis=1)
    assert found.tolist() == [[5, 5, 0, 6], [0, 5, 5, 0]]
    assert run("MaskedFillRange", zeros, [[1]], [[2]], np.array([9], np.int32), axis=0).tolist() == [[0] * 4, [9] * 4]


def test_signs_as_bits() -> None:
    x = np.array([1, -1, 0, 2, -3, -4, 5, 6, 7, -1, -1, -1, -1, -1, -1, 1], np.float16)
    packed = run("SignBitsPack", x, size=2)
    assert packed.tolist() == [[0b11001101], [0b10000001]]
    signs = run("SignBitsUnpack", packed.reshape(-1), size=2, dtype=1)
    assert signs.dtype == np.float16 and signs.reshape(-1).tolist() == [1 if n >= 0 else -1 for n in x]


def test_groups_of_channels() -> None:
    one = np.ones((1, 1, 2), np.float32)
    found = run("StrideAdd", one, one, x1_c1_offset=0, x2_c1_offset=0, c1_len=1)
    assert found[0, :, 0].tolist() == [2] + [0] * 15
    wide = floats(1, 48, 2)
    close(run("StrideAdd", wide, wide, x1_c1_offset=0, x2_c1_offset=2, c1_len=1), wide[:, :16] + wide[:, 32:])


def test_evaluated_layer_norm() -> None:
    x, gamma, beta = floats(2, 3, 4), floats(3, 4), floats(3, 4)
    y, mean, rstd = run("LayerNormV3", x, gamma, beta, begin_norm_axis=1, epsilon=1e-3)
    flat = x.reshape(2, -1)
    close(mean.reshape(-1), flat.mean(1))
    close(rstd.reshape(-1), 1 / np.sqrt(flat.var(1) + 1e-3))
    close(y, (x - mean) * rstd * gamma + beta)


def convolved(x: Array, weights: Array, strides: tuple[int, int], pads: tuple[int, int], dilations: tuple[int, int],
              groups: int) -> Array:  # fmt: skip
    """A convolution in plain loops, float64."""
    n, _, h, w = x.shape
    out, each, kh, kw = weights.shape
    rows = (h + 2 * pads[0] - dilations[0] * (kh - 1) - 1) // strides[0] + 1
    columns = (w + 2 * pads[1] - dilations[1] * (kw - 1) - 1) // strides[1] + 1
    found = np.zeros((n, out, rows, columns))
    for b, o, r, c in np.ndindex(found.shape):
        for i, k, j in np.ndindex(each, kh, kw):
            row, column = r * strides[0] + k * dilations[0] - pads[0], c * strides[1] + j * dilations[1] - pads[1]
            if 0 <= row < h and 0 <= column < w:
                source = x[b, o // (out // groups) * each + i, row, column]
                found[b, o, r, c] += float(source) * float(weights[o, i, k, j])
    return found


@pytest.mark.parametrize(
    ("strides", "pads", "dilations", "groups"),
    [
        ((1, 1), (0, 0), (1, 1), 1),
        ((2, 1), (1, 2), (1, 1), 2),
        ((2, 3), (1, 0), (2, 1), 1),
        ((3, 3), (0, 1), (1, 2), 2),
    ],
)
def test_gradients_of_convolutions(
    strides: tuple[int, int], pads: tuple[int, int], dilations: tuple[int, int], groups: int
) -> None:
    """What is linear has these gradients: <g, conv(x, w)> is <x, input gradient> and <w, weight gradient>."""
    x, weights = floats(2, 4, 7, 8), floats(4, 4 // groups, 3, 2)
    made = convolved(x, weights, strides, pads, dilations, groups)
    grad = floats(*made.shape)
    words: dict[str, Any] = {
        "strides": (1, 1, *strides), "pads": (pads[0], pads[0], pads[1], pads[1]), "dilations": (1, 1, *dilations),
        "groups": groups,
    }  # fmt: skip
    of_input = run("Conv2DBackpropInput", np.array(x.shape, np.int32), weights, grad, **words)
    of_weights = run("Conv2DBackpropFilter", x, np.array(weights.shape, np.int32), grad, **words)
    for found, place in ((of_input, x), (of_weights, weights)):
        for _ in range(12):
            one = np.zeros_like(place)
            index = tuple(int(RANDOM.integers(n)) for n in place.shape)
            one[index] = 1
            pair = (one, weights) if place is x else (x, one)
            close(found[index], (convolved(*pair, strides, pads, dilations, groups) * grad).sum(), 1e-4)
    transposed = run("Conv2DTranspose", np.array(x.shape, np.int32), grad, weights, np.ones(4, np.float32), **words)
    close(transposed, of_input + 1, 1e-4)


def test_room_for_a_status() -> None:
    assert run("NPUAllocFloatStatus").tolist() == [0] * 8


def test_one_step_of_a_memory_by_hand() -> None:
    x = np.zeros((1, 1, 1), np.float32)
    bias = np.array([0, 100, np.arctanh(0.5), -100], np.float32)  # i 1/2, f 1, j 1/2, o 0
    y, h, c, i, j, f, o, tanh = (
        float(value.reshape(-1)[0])
        for value in run("DynamicRNNV2", x, np.ones((1, 4)), np.ones((1, 4)), bias, None, x, x + 3)
    )
    close([y, h, c, i, j, f, o, tanh], [0, 0, 3.25, 0.5, 0.5, 1, 0, np.tanh(3.25)])


def test_gradients_of_a_step() -> None:
    """Against differences, in float64: of the sum of h and c with weights."""
    size, sides = 3, {"x": (1, 2, 4), "wi": (4, 12), "wh": (3, 12), "h": (1, 2, 3), "c": (1, 2, 3)}
    values = {name: RANDOM.standard_normal(shape) for name, shape in sides.items()}
    bias, of_y, of_c = (
        RANDOM.standard_normal(4 * size),
        RANDOM.standard_normal((1, 2, 3)),
        RANDOM.standard_normal((1, 2, 3)),
    )

    def ahead(v: dict[str, Array], b: Array) -> tuple[Array, ...]:
        found: tuple[Array, ...] = run("DynamicRNNV2", v["x"], v["wi"], v["wh"], b, None, v["h"], v["c"])
        return found

    def total(v: dict[str, Array], b: Array) -> float:
        made = ahead(v, b)
        return float((made[0] * of_y).sum() + (made[2] * of_c).sum())

    y, h, c, i, j, f, o, tanh = ahead(values, bias)
    given = (values["x"], values["wi"], values["wh"], y, values["h"], values["c"], h, c, of_y, 0 * of_y, of_c)
    found = run("DynamicRNNV2Grad", *given, i, j, f, o, tanh)
    for name, grad in zip(("wi", "wh", "", "x", "h", "c"), found, strict=True):
        place = values[name] if name else bias
        index = tuple(int(RANDOM.integers(n)) for n in place.shape)
        steps = []
        for side in (1e-6, -1e-6):
            moved = np.array(place)
            moved[index] += side
            steps.append(total({**values, name: moved} if name else values, bias if name else moved))
        close(grad[index], (steps[0] - steps[1]) / 2e-6, 1e-6)


# -- torch on the CPU --------------------------------------------------------------------------------------------------


def _torch_rows() -> list[tuple[str, Callable[[Any], tuple[Any, Any]]]]:
    def activation(name: str) -> Callable[[Any], tuple[Any, Any]]:
        def row(torch: Any) -> tuple[Any, Any]:
            x = floats(5, 6)
            return run({"silu": "Swish", "mish": "Mish"}[name], x), getattr(torch.nn.functional, name)(torch.tensor(x))

        return row

    def largest(torch: Any) -> tuple[Any, Any]:
        x = floats(4, 5, 6)
        return run("ArgMaxWithValue", x, dimension=1)[1], torch.tensor(x).max(1).values

    def ordered(torch: Any) -> tuple[Any, Any]:
        x = floats(4, 5)
        return run("SortV2", x, axis=-1, descending=True), torch.tensor(x).sort(-1, descending=True).values

    def loss(torch: Any) -> tuple[Any, Any]:
        x, labels = floats(4, 5), floats(4, 5)
        labels = np.exp(labels) / np.exp(labels).sum(1, keepdims=True)
        wanted = torch.nn.functional.cross_entropy(torch.tensor(x), torch.tensor(labels), reduction="none")
        return run("SoftmaxCrossEntropyWithLogits", x, labels)[0], wanted

    def transposed(torch: Any) -> tuple[Any, Any]:
        x, weights = floats(2, 4, 5, 6), floats(4, 3, 3, 2)
        wanted = torch.nn.functional.conv_transpose2d(
            torch.tensor(x), torch.tensor(weights), None, (2, 1), (1, 0), (1, 0)
        )
        found = run("Conv2DTranspose", np.array(wanted.shape), x, weights, strides=(1, 1, 2, 1), pads=(1, 1, 0, 0))
        return found, wanted

    return [("silu", activation("silu")), ("mish", activation("mish")), ("max", largest), ("sort", ordered),
            ("cross_entropy", loss), ("conv_transpose2d", transposed)]  # fmt: skip


def _over_types_and_views() -> list[Array]:
    """Halves and floats: as they are, every other column turned round, nothing, places that are equal, no number."""
    made = []
    for dtype in (np.float16, np.float32, np.float64):
        x = (floats(4, 6) * 3).astype(dtype)
        made += [x, x[:, ::2].T, x[:0], x[:, :0], np.repeat(x[:, :1], 3, 1)]
    return [*made, np.array([[1, np.nan, 5], [-np.inf, 2, np.inf]], np.float32)]


@pytest.mark.skipif(not TORCH, reason="torch is not installed")
@pytest.mark.parametrize("x", _over_types_and_views())
def test_compiled_types_as_torch_over_types_and_views(x: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
    torch = importlib.import_module("torch")
    near = 2e-3 if x.dtype == np.float16 else 1e-5
    t = torch.tensor(x)

    def alike(found: Array, wanted: Any) -> None:
        assert found.dtype == wanted.numpy().dtype
        close(found, wanted.numpy(), near)

    alike(run("Swish", x), torch.nn.functional.silu(t))
    for name, function in (("ArgMaxWithValue", torch.max), ("ArgMinWithValue", torch.min)):
        for dim in [dim for dim in (0, 1) if x.shape[dim]]:
            places, values = run(name, x, dimension=dim, keep_dims=dim == 0)
            wanted = function(t, dim, keepdim=dim == 0)
            alike(values, wanted.values)
            alike(places, wanted.indices.int())
    numbers = [np.array([n], x.dtype) for n in (0.1, 0.9, 0.99, 1e-3)]
    nothing = [np.array([n], x.dtype) for n in (-1.0, 0.0, 0.25)]
    moved, m, v = run("ApplyAdamV2", x, np.zeros_like(x), np.zeros_like(x), *numbers, x, *nothing)
    rate, beta1, beta2, epsilon = (float(n[0]) for n in numbers)
    first, second = (1 - beta1) * t.double(), (1 - beta2) * t.double() ** 2
    alike(m, first.to(t.dtype))
    alike(v, second.to(t.dtype))
    alike(moved, (t - rate * (first / (second.sqrt() + epsilon) + 0.25 * t)).to(t.dtype))


@pytest.mark.skipif(not TORCH, reason="torch is not installed")
@pytest.mark.parametrize("p", [0.5, 1.0, 2.0, 3.0, -1.0])
def test_gradient_of_distances_as_torch(p: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
    torch = importlib.import_module("torch")
    one, two, grad = floats(2, 5, 3), floats(2, 4, 3), floats(2, 5, 4)
    two[1, 0] = one[1, 3]
    x = torch.tensor(one, requires_grad=True)
    distance = torch.cdist(x, torch.tensor(two), np.inf if p < 0 else p, "donot_use_mm_for_euclid_dist")
    distance.backward(torch.tensor(grad))
    whole = (2, 5, 4, 3)
    repeated = [np.broadcast_to(held, whole) for held in (
        grad[..., None], one[:, :, None], two[:, None], distance.detach().numpy()[..., None]
    )]  # fmt: skip
    close(run("CdistGrad", *repeated, p=p), x.grad.numpy(), 1e-4)


@pytest.mark.skipif(not TORCH, reason="torch is not installed")
@pytest.mark.parametrize(("name", "row"), _torch_rows())
def test_as_torch_on_the_cpu(name: str, row: Callable[[Any], tuple[Any, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
    assert os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] == "0"
    found, wanted = row(importlib.import_module("torch"))
    close(found, wanted.numpy(), 1e-5)
