"""Every built-in operator: the shape rule gives what a run gives, and the numbers are numpy's own."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_sim.ops.operator import OperatorError
from ascend_sim.ops.registry import OperatorRegistry, builtin
from ascend_sim.ops.stores import Store

OF_FRAMEWORKS = Path(__file__).parents[1] / "unit" / "ops"
OPERATORS = builtin()
REGISTRY = OperatorRegistry()
SIZES = st.integers(1, 5)
Case = tuple[dict[str, Any], list[Any]]


def values(draw: Any, shape: tuple[int, ...], dtype: str = "float32", low: int = -8, high: int = 8) -> Any:
    """An array of small numbers, halves among the floats."""
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    whole = random.integers(low, high + 1, shape)
    return (whole / (2 if dtype.startswith("float") else 1)).astype(dtype)


def shapes(draw: Any, low: int = 1, high: int = 4) -> tuple[int, ...]:
    return tuple(draw(st.lists(SIZES, min_size=low, max_size=high)))


def axis_of(draw: Any, shape: tuple[int, ...]) -> int:
    return int(draw(st.integers(-len(shape), len(shape) - 1)))


def unary(draw: Any, low: int = -8) -> Case:
    return {}, [values(draw, shapes(draw, 0), low=low)]


def pair(draw: Any, low: int = -8) -> Case:
    shape = shapes(draw, 1)
    other = tuple(1 if draw(st.booleans()) else n for n in shape[draw(st.integers(0, len(shape) - 1)) :])
    return {}, [values(draw, shape, low=low), values(draw, other, low=low)]


def positive_pair(draw: Any) -> Case:
    return pair(draw, 1)


def cast(draw: Any) -> Case:
    _, inputs = unary(draw)
    return {"dst_type": draw(st.sampled_from([0, 1, 2, 3, 9, 12]))}, inputs


def clip(draw: Any) -> Case:
    return {}, [values(draw, shapes(draw)), np.float32(-1).reshape(1), np.float32(2).reshape(1)]


def reduction(draw: Any) -> Case:
    shape = shapes(draw)
    axes = draw(st.lists(st.integers(0, len(shape) - 1), unique=True))
    x = values(draw, shape)
    keep = draw(st.booleans())
    if draw(st.booleans()) or not axes:
        return {"axes": axes, "keep_dims": keep}, [x]
    return {"keep_dims": keep}, [x, np.array(axes, np.int64)]


def reduction_by_attribute(draw: Any) -> Case:
    shape = shapes(draw)
    axes = draw(st.lists(st.integers(0, len(shape) - 1), unique=True))
    return {"axes": axes, "keep_dims": draw(st.booleans())}, [values(draw, shape)]


def arg_max(draw: Any) -> Case:
    shape = shapes(draw)
    return {}, [values(draw, shape), np.array(axis_of(draw, shape), np.int32)]


def transpose(draw: Any) -> Case:
    shape = shapes(draw)
    return {"perm": draw(st.permutations(range(len(shape))))}, [values(draw, shape)]


def reshape(draw: Any) -> Case:
    shape = shapes(draw)
    total = math.prod(shape)
    wanted = draw(st.sampled_from([[total], [1, total], [-1, 1], [0, -1]]))
    return {}, [values(draw, shape), np.array(wanted, np.int64)]


def sliced(draw: Any) -> Case:
    shape = shapes(draw)
    offsets = [draw(st.integers(0, n)) for n in shape]
    counts = [draw(st.integers(0, n - o)) for n, o in zip(shape, offsets, strict=True)]
    sizes = [-1 if draw(st.booleans()) else c for c in counts]
    if draw(st.booleans()):
        return {"offsets": offsets, "size": sizes}, [values(draw, shape)]
    return {}, [values(draw, shape), np.array(offsets, np.int64), np.array(sizes, np.int64)]


def strided(draw: Any) -> Case:
    shape = shapes(draw)
    begin = [draw(st.integers(0, n)) for n in shape]
    end = [draw(st.integers(0, n)) for n in shape]
    steps = [draw(st.sampled_from([1, 2])) for _ in shape]
    return {}, [values(draw, shape), *(np.array(v, np.int64) for v in (begin, end, steps))]


def concat(draw: Any) -> Case:
    shape = shapes(draw)
    axis = axis_of(draw, shape)
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        size = list(shape)
        size[axis] = draw(SIZES)
        parts.append(values(draw, tuple(size)))
    return {"concat_dim": axis}, parts


def pack(draw: Any) -> Case:
    shape = shapes(draw)
    axis = draw(st.integers(-len(shape) - 1, len(shape)))
    return {"axis": axis}, [values(draw, shape) for _ in range(draw(st.integers(1, 3)))]


def gather(draw: Any) -> Case:
    shape = shapes(draw)
    axis = axis_of(draw, shape)
    indices = values(draw, shapes(draw, 0, 2), "int32", 0, shape[axis] - 1)
    return {}, [values(draw, shape), indices, np.array(axis, np.int64)]


def fill(draw: Any) -> Case:
    return {}, [np.array(shapes(draw), np.int64), values(draw, (1,))]


def tile(draw: Any) -> Case:
    shape = shapes(draw)
    return {}, [values(draw, shape), np.array([draw(st.integers(1, 3)) for _ in shape], np.int64)]


def top_k(draw: Any) -> Case:
    shape = shapes(draw)
    return {}, [values(draw, shape), np.array(draw(st.integers(0, shape[-1])), np.int32)]


def one_hot(draw: Any) -> Case:
    shape = shapes(draw, 1, 3)
    axis = draw(st.integers(-1, len(shape)))
    depth = np.array(draw(SIZES), np.int32)
    return {"axis": axis}, [values(draw, shape, "int32", 0, 6), depth, np.ones(1, np.float32), np.zeros(1, np.float32)]


def pad(draw: Any) -> Case:
    shape = shapes(draw)
    pads = [draw(st.integers(0, 2)) for _ in range(2 * len(shape))]
    return {"mode": draw(st.sampled_from(["constant", "edge"]))}, [values(draw, shape), np.array(pads, np.int64)]


def product(first: str, second: str, rank: int) -> Callable[[Any], Case]:
    def draw_case(draw: Any) -> Case:
        batch = shapes(draw, rank, rank) if rank else ()
        m, k, n = (draw(SIZES) for _ in range(3))
        turn_a, turn_b = draw(st.booleans()), draw(st.booleans())
        a = values(draw, (*batch, k, m) if turn_a else (*batch, m, k))
        b = values(draw, (*batch, n, k) if turn_b else (*batch, k, n))
        return {first: turn_a, second: turn_b}, [a, b]

    return draw_case


def gemm(draw: Any) -> Case:
    attributes, (a, b) = product("transpose_a", "transpose_b", 0)(draw)
    m = a.shape[1] if attributes["transpose_a"] else a.shape[0]
    n = b.shape[0] if attributes["transpose_b"] else b.shape[1]
    return attributes, [a, b, values(draw, (m, n)), values(draw, (1,)), values(draw, (1,))]


def softmax(draw: Any) -> Case:
    shape = shapes(draw)
    return {"axes": [axis_of(draw, shape)]}, [values(draw, shape)]


def batch_norm(draw: Any) -> Case:
    n, c, h, w = (draw(SIZES) for _ in range(4))
    channel = [values(draw, (c,), low=1) for _ in range(4)]
    return {"is_training": draw(st.booleans())}, [values(draw, (n, c, h, w)), *channel]


def layer_norm(draw: Any) -> Case:
    shape = shapes(draw)
    axis = axis_of(draw, shape)
    scale = [values(draw, shape[axis % len(shape) :]) for _ in range(2)]
    return {"begin_norm_axis": axis}, [values(draw, shape), *scale]


def conv2d(draw: Any) -> Case:
    n, c, out = (draw(st.integers(1, 3)) for _ in range(3))
    kernel = draw(st.integers(1, 2))
    size = draw(st.integers(kernel, 5))
    stride, padding = draw(st.integers(1, 2)), draw(st.integers(0, 1))
    attributes = {"strides": [1, 1, stride, stride], "pads": [padding] * 4}
    return attributes, [values(draw, (n, c, size, size)), values(draw, (out, c, kernel, kernel))]


BINARY = (
    "Add", "Sub", "Mul", "Maximum", "Minimum", "Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual",
)  # fmt: skip
UNARY = ("Neg", "Abs", "Relu", "Sigmoid", "Tanh", "Exp", "Gelu", "LeakyRelu", "ZerosLike", "Identity")
CASES: dict[str, Callable[[Any], Case]] = {
    **dict.fromkeys(BINARY, pair), **dict.fromkeys(("RealDiv", "Div", "Pow", "FloorMod"), positive_pair),
    **dict.fromkeys(UNARY, unary), **dict.fromkeys(("Log", "Sqrt"), lambda draw: unary(draw, 1)),
    "Cast": cast, "ClipByValueV2": clip,
    **dict.fromkeys(("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"), reduction),
    **dict.fromkeys(
        ("ReduceSumD", "ReduceMeanD", "ReduceMaxD", "ReduceMinD", "ReduceProdD"), reduction_by_attribute
    ),
    "ArgMaxV2": arg_max, "Transpose": transpose, "TransposeD": transpose, "Reshape": reshape, "Slice": sliced,
    "StridedSlice": strided, "ConcatD": concat, "Pack": pack, "GatherV2": gather, "Fill": fill, "Tile": tile,
    "TopKV2": top_k, "OneHot": one_hot, "PadV3": pad,
    "MatMul": product("transpose_x1", "transpose_x2", 0), "MatMulV2": product("transpose_x1", "transpose_x2", 0),
    "BatchMatMul": product("adj_x1", "adj_x2", 2), "GEMM": gemm, "SoftmaxV2": softmax,
    "BNInfer": batch_norm, "BatchNorm": batch_norm, "LayerNorm": layer_norm, "Conv2D": conv2d,
}  # fmt: skip


def test_every_operator_has_a_case() -> None:
    """Those that only frameworks name are run there, each against its shape rule as well."""
    assert set(OPERATORS) == set(REGISTRY)
    texts = [path.read_text("utf-8") for path in OF_FRAMEWORKS.glob("test_*.py")]
    elsewhere = {name for text in texts for name in re.findall(r'"([A-Z]\w+)"', text)}
    assert set(OPERATORS) - set(CASES) <= elsewhere
    assert set(CASES) <= set(OPERATORS)
    assert len(CASES) >= 58


@pytest.mark.parametrize("name", sorted(CASES))
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_shape_rule_gives_what_a_run_gives(name: str, data: st.DataObject) -> None:
    attributes, inputs = CASES[name](data.draw)
    results = OPERATORS[name].run(attributes, inputs)
    known = OPERATORS[name].shapes(attributes, [x.shape for x in inputs], inputs)
    assert [result.shape for result in results] == known
    guessed = OPERATORS[name].shapes(attributes, [x.shape for x in inputs], [None] * len(inputs))
    for result, shape in zip(results, guessed, strict=True):
        if shape != (-2,):
            assert len(result.shape) == len(shape)
            assert all(there == said or said == -1 for there, said in zip(result.shape, shape, strict=True))


NUMPY: dict[str, Callable[..., Any]] = {
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Maximum": np.maximum, "Minimum": np.minimum,
    "Equal": np.equal, "NotEqual": np.not_equal, "Less": np.less, "LessEqual": np.less_equal, "Greater": np.greater,
    "GreaterEqual": np.greater_equal, "RealDiv": np.divide, "Pow": np.power, "FloorMod": np.mod, "Neg": np.negative,
    "Abs": np.abs, "Exp": np.exp, "Log": np.log, "Sqrt": np.sqrt, "Tanh": np.tanh,
    "Relu": lambda x: np.maximum(x, np.float32(0)), "ZerosLike": np.zeros_like, "Identity": lambda x: x,
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(NUMPY))
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_element_by_element_the_numbers_are_numpys(name: str, data: st.DataObject) -> None:
    attributes, inputs = CASES[name](data.draw)
    (result,) = OPERATORS[name].run(attributes, inputs)
    assert np.array_equal(result, NUMPY[name](*inputs), equal_nan=True)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), name=st.sampled_from(["Add", "Mul", "Exp", "MatMul", "SoftmaxV2", "ReduceSum"]))
def test_halves_are_computed_in_single_precision_and_rounded_once(data: st.DataObject, name: str) -> None:
    attributes, inputs = CASES[name](data.draw)
    halves = [x.astype(np.float16) if x.dtype == np.float32 else x for x in inputs]
    singles = [x.astype(np.float32) if x.dtype == np.float16 else x for x in halves]
    (half,) = OPERATORS[name].run(attributes, halves)
    (single,) = OPERATORS[name].run(attributes, singles)
    assert half.dtype == np.float16
    assert np.array_equal(half, single.astype(np.float16), equal_nan=True)
    (wide,) = OPERATORS[name].run(attributes, halves, [np.dtype(np.float32)])
    assert np.array_equal(wide, single, equal_nan=True)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_products_by_hand(data: st.DataObject) -> None:
    attributes, (a, b) = CASES["BatchMatMul"](data.draw)
    (result,) = OPERATORS["BatchMatMul"].run(attributes, [a, b])
    left = np.swapaxes(a, -1, -2) if attributes["adj_x1"] else a
    right = np.swapaxes(b, -1, -2) if attributes["adj_x2"] else b
    assert np.allclose(result, np.einsum("xyij,xyjk->xyik", left, right))


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_convolution_by_hand(data: st.DataObject) -> None:
    attributes, (x, weights) = CASES["Conv2D"](data.draw)
    (result,) = OPERATORS["Conv2D"].run(attributes, [x, weights])
    stride, padding = attributes["strides"][2], attributes["pads"][0]
    wide = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    size = weights.shape[2]
    for (n, o, i, j), value in np.ndenumerate(result):
        part = wide[n, :, i * stride : i * stride + size, j * stride : j * stride + size]
        assert math.isclose(value, float((part * weights[o]).sum()), abs_tol=1e-3)


@settings(max_examples=200, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(OPERATORS)))
def test_what_does_not_fit_is_an_operator_error(data: st.DataObject, name: str) -> None:
    """Inputs of other shapes and attributes of other kinds: a result, or OperatorError, and nothing else."""
    inputs = [
        values(data.draw, shapes(data.draw, 0, 3), data.draw(st.sampled_from(["float32", "int32", "int8"])))
        for _ in range(data.draw(st.integers(0, 5)))
    ]
    value = st.one_of(st.integers(-3, 9), st.booleans(), st.lists(st.integers(-3, 9), max_size=4), st.text(max_size=2))
    names = ["axes", "axis", "perm", "dst_type", "strides", "pads", "offsets", "size", "keep_dims", "concat_dim"]
    attributes = data.draw(st.dictionaries(st.sampled_from(names), value))
    for ask in (
        lambda: OPERATORS[name].run(attributes, inputs),
        lambda: OPERATORS[name].shapes(attributes, [x.shape for x in inputs], [None] * len(inputs)),
    ):
        try:
            ask()
        except OperatorError as error:
            assert name in str(error)


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=60), st.integers(1, 5))
def test_a_store_keeps_what_was_used_last(steps: list[tuple[int, bool]], bound: int) -> None:
    store: Store[int] = Store(bound)
    order: list[int] = []
    for key, add in steps:
        if add:
            store.add(key, key + 100)
        elif store.get(key) is None:
            continue
        order = [k for k in order if k != key] + [key]
        order = order[-bound:]
        assert [value - 100 for value in store] == order
        assert len(store) <= bound
