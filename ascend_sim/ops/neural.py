"""Operators of networks: products of matrices, normalisation, softmax."""

from __future__ import annotations

import numpy as np

from ascend_sim.ops.operator import CHANNELS_SECOND, FLOATS, Array, Attributes, Compute, Operator, ShapeRule, op, same

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]


def _sides(attributes: Attributes, first: str, second: str) -> tuple[bool, bool]:
    return bool(attributes.get(first, False)), bool(attributes.get(second, False))


def _turned(x: Array, turn: bool) -> Array:
    return np.swapaxes(x, -1, -2) if turn else x


def _product_shape(first: str, second: str) -> ShapeRule:
    def infer(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
        turn_a, turn_b = _sides(attributes, first, second)
        a = (*shapes[0][:-2], shapes[0][-1], shapes[0][-2]) if turn_a else shapes[0]
        b = (*shapes[1][:-2], shapes[1][-1], shapes[1][-2]) if turn_b else shapes[1]
        if a[-1] != b[-2] and -1 not in (a[-1], b[-2]):
            raise ValueError(f"the inner dimensions are {a[-1]} and {b[-2]}")
        rank = max(len(a), len(b)) - 2
        batch_a, batch_b = (1,) * (rank - len(a) + 2) + a[:-2], (1,) * (rank - len(b) + 2) + b[:-2]
        batch = tuple(m if n == 1 else n for m, n in zip(batch_a, batch_b, strict=True))
        return [(*batch, a[-2], b[-1])]

    return infer


def _product(first: str, second: str) -> Compute:
    def compute(attributes: Attributes, a: Array, b: Array, bias: Array | None = None) -> Array:
        turn_a, turn_b = _sides(attributes, first, second)
        left, right = _turned(a, turn_a), _turned(b, turn_b)
        if a.dtype == np.int8:
            left, right = left.astype(np.int32), right.astype(np.int32)
        result: Array = np.matmul(left, right)
        return result if bias is None else result + bias

    return compute


@op("GEMM", inputs=5, infer=lambda attributes, shapes, values: [shapes[2]], result="third")
def gemm(attributes: Attributes, a: Array, b: Array, c: Array, alpha: Array, beta: Array) -> Array:
    """alpha * A x B + beta * C; ``transpose_a`` and ``transpose_b`` turn A and B."""
    turn_a, turn_b = _sides(attributes, "transpose_a", "transpose_b")
    wide = np.int32 if a.dtype == np.int8 else a.dtype
    product = np.matmul(_turned(a, turn_a).astype(wide), _turned(b, turn_b).astype(wide))
    result: Array = (alpha.reshape(-1)[0] * product + beta.reshape(-1)[0] * c).astype(c.dtype)
    return result


@op("SoftmaxV2", inputs=1, infer=same, dtypes=FLOATS)
def softmax(attributes: Attributes, x: Array) -> Array:
    """Over ``axes`` (default: the last)."""
    axes = tuple(int(n) for n in np.atleast_1d(attributes.get("axes", [-1])))
    shifted = np.exp(x - x.max(axis=axes, keepdims=True))
    result: Array = shifted / shifted.sum(axis=axes, keepdims=True)
    return result


def _channel(x: Array, values: Array) -> Array:
    """One value a channel, against NCHW or (N, C)."""
    return values.reshape((1, -1) + (1,) * (x.ndim - 2))


@op("BNInfer", inputs=(3, 5), infer=same, dtypes=FLOATS, formats=CHANNELS_SECOND)
def bn_infer(
    attributes: Attributes,
    x: Array,
    mean: Array,
    variance: Array,
    scale: Array | None = None,
    offset: Array | None = None,
) -> Array:
    """(x - mean) / sqrt(variance + epsilon) for each channel, then scaled and shifted."""
    epsilon = np.float32(attributes.get("epsilon", 1e-5))
    result = (x - _channel(x, mean)) / np.sqrt(_channel(x, variance) + epsilon)
    if scale is not None:
        result = result * _channel(x, scale)
    if offset is not None:
        result = result + _channel(x, offset)
    return np.asarray(result, x.dtype)


def _batch_norm_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[0], shapes[1], shapes[1]]


@op(
    "BatchNorm", inputs=(3, 5), outputs=3, infer=_batch_norm_shapes, result=("first", "second", "second"),
    dtypes=FLOATS, formats=CHANNELS_SECOND,
)  # fmt: skip
def batch_norm(
    attributes: Attributes,
    x: Array,
    scale: Array,
    offset: Array,
    mean: Array | None = None,
    variance: Array | None = None,
) -> tuple[Array, Array, Array]:
    """Normalised x with the mean and variance used: those of the batch when ``is_training``, else the given ones."""
    axes = (0, *range(2, x.ndim))
    if bool(attributes.get("is_training", mean is None)) or mean is None or variance is None:
        mean, variance = x.mean(axis=axes), x.var(axis=axes)
    epsilon = np.float32(attributes.get("epsilon", 1e-4))
    y = (x - _channel(x, mean)) / np.sqrt(_channel(x, variance) + epsilon) * _channel(x, scale) + _channel(x, offset)
    return np.asarray(y, x.dtype), np.asarray(mean, scale.dtype), np.asarray(variance, scale.dtype)


def _layer_norm_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    axis = int(attributes.get("begin_norm_axis", -1)) % len(shapes[0])
    kept = tuple(n if i < axis else 1 for i, n in enumerate(shapes[0]))
    return [shapes[0], kept, kept]


@op("LayerNorm", inputs=3, outputs=3, infer=_layer_norm_shapes, result=("first", "first", "first"), dtypes=FLOATS)
def layer_norm(attributes: Attributes, x: Array, gamma: Array, beta: Array) -> tuple[Array, Array, Array]:
    """Normalised from ``begin_norm_axis`` on, with mean and variance."""
    axes = tuple(range(int(attributes.get("begin_norm_axis", -1)) % x.ndim, x.ndim))
    mean, variance = x.mean(axis=axes, keepdims=True), x.var(axis=axes, keepdims=True)
    epsilon = np.float32(attributes.get("epsilon", 1e-7))
    y = (x - mean) / np.sqrt(variance + epsilon) * gamma + beta
    return np.asarray(y, x.dtype), mean, variance


@op("LayerNormV3", inputs=3, outputs=3, infer=_layer_norm_shapes, result=("first", "first", "first"), dtypes=FLOATS)
def layer_norm_v3(attributes: Attributes, x: Array, gamma: Array, beta: Array) -> tuple[Array, Array, Array]:
    """As LayerNorm; the third output is one over the deviation."""
    y, mean, variance = layer_norm.compute(attributes, x, gamma, beta)
    return y, mean, 1 / np.sqrt(variance + x.dtype.type(attributes.get("epsilon", 1e-7)))


def _gradients_of_norm(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[1], shapes[4], shapes[4]]


@op("LayerNormGrad", inputs=5, outputs=3, infer=_gradients_of_norm, result=("first",) * 3, dtypes=FLOATS)
def layer_norm_gradient(
    attributes: Attributes, grad: Array, x: Array, rstd: Array, mean: Array, gamma: Array
) -> tuple[Array, Array, Array]:
    """The gradients of x, gamma and beta; *rstd*: one over the deviation, as torch_npu hands it over."""
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    before = tuple(range(x.ndim - gamma.ndim))
    norm = (x - mean) * rstd
    inner = grad * gamma
    along = (inner * norm).mean(axis=axes, keepdims=True)
    of_x = rstd * (inner - inner.mean(axis=axes, keepdims=True) - norm * along)
    return np.asarray(of_x, x.dtype), (grad * norm).sum(axis=before), grad.sum(axis=before)


OPERATORS: tuple[Operator, ...] = (
    op("MatMul", inputs=(2, 3), infer=_product_shape("transpose_x1", "transpose_x2"))(
        _product("transpose_x1", "transpose_x2")
    ),
    op("MatMulV2", inputs=(2, 4), infer=_product_shape("transpose_x1", "transpose_x2"))(
        _product("transpose_x1", "transpose_x2")
    ),
    op("BatchMatMul", inputs=2, infer=_product_shape("adj_x1", "adj_x2"))(_product("adj_x1", "adj_x2")),
    gemm,
    softmax,
    bn_infer,
    batch_norm,
    layer_norm,
    layer_norm_v3,
    layer_norm_gradient,
)
