"""Operators that work element by element: arithmetic, comparisons, activations, casts."""

from __future__ import annotations

import numpy as np

from ascend_sim.machine.data_types import numpy_type
from ascend_sim.ops.operator import FLOATS, Array, Attributes, Operator, OperatorError, op, same

__all__ = ["OPERATORS", "sigmoid"]

BOOL = (12,)


def _division(x: Array, y: Array) -> Array:
    """RealDiv: true for floats; integers round towards zero, as C does."""
    if x.dtype.kind == "f" or y.dtype.kind == "f":
        return x / y
    if not np.all(y):
        raise ValueError("an integer is divided by zero")
    quotient: Array = np.trunc(x / y).astype(x.dtype)
    return quotient


def sigmoid(x: Array) -> Array:
    """Without overflow for large negative numbers."""
    result = np.empty_like(x)
    positive = x >= 0
    result[positive] = 1 / (1 + np.exp(-x[positive]))
    small = np.exp(x[~positive])
    result[~positive] = small / (1 + small)
    return result


def _two(name: str, function: object, result: str = "first", dtypes: tuple[int, ...] = ()) -> Operator:
    def compute(attributes: Attributes, x: Array, y: Array) -> Array:
        z: Array = function(x, y)  # type: ignore[operator]
        return z

    return op(name, inputs=2, result=result, dtypes=dtypes)(compute)


def _one(name: str, function: object, dtypes: tuple[int, ...] = ()) -> Operator:
    def compute(attributes: Attributes, x: Array) -> Array:
        z: Array = function(x)  # type: ignore[operator]
        return z if z.dtype == x.dtype else z.astype(x.dtype)

    return op(name, inputs=1, infer=same, dtypes=dtypes)(compute)


def _xlogy(x: Array, y: Array) -> Array:
    """``x * log(y)``: 0 where x is 0, also for y of 0 or less, and NaN for a y that is NaN."""
    product: Array = np.where((x == 0) & ~np.isnan(y), 0, x * np.log(y)).astype(x.dtype)
    return product


@op("Round", inputs=1, infer=same)
def round_(attributes: Attributes, x: Array) -> Array:
    """To ``decimals`` places behind the point (0), halves to the even neighbour."""
    rounded: Array = np.round(x, int(attributes.get("decimals", 0)))
    return rounded


@op("Cast", inputs=1, infer=same, result="attribute")
def cast(attributes: Attributes, x: Array) -> Array:
    """To the type ``dst_type``; floats become integers towards zero, as on the device."""
    if "dst_type" not in attributes:
        raise OperatorError("Cast needs the attribute dst_type")
    target = numpy_type(int(attributes["dst_type"]))
    if x.dtype.kind == "f" and target.kind in "iu":
        limits = np.iinfo(target)
        whole = np.nan_to_num(np.trunc(x.astype(np.float64)))
        high, low = whole >= float(limits.max), whole <= float(limits.min)  # the largest may be no float of its own
        saturated: Array = np.where(high | low, 0, whole).astype(target)
        saturated[high], saturated[low] = limits.max, limits.min
        return saturated
    converted: Array = x.astype(target)
    return converted


@op("ClipByValueV2", inputs=3, infer=same)
def clip_by_value(attributes: Attributes, x: Array, low: Array, high: Array) -> Array:
    """Each element within [low, high]."""
    clipped: Array = np.minimum(np.maximum(x, low), high).astype(x.dtype)
    return clipped


@op("LeakyRelu", inputs=1, infer=same, dtypes=FLOATS)
def leaky_relu(attributes: Attributes, x: Array) -> Array:
    """x, or ``negative_slope`` times x below zero."""
    slope = np.float32(attributes.get("negative_slope", 0.0))
    kept: Array = np.where(x >= 0, x, (slope * x).astype(x.dtype))
    return kept


@op("Gelu", inputs=1, infer=same, dtypes=FLOATS)
def gelu(attributes: Attributes, x: Array) -> Array:
    """The tanh form."""
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    result: Array = (0.5 * x * (1 + np.tanh(inner))).astype(x.dtype)
    return result


@op("ZerosLike", inputs=1, infer=same)
def zeros_like(attributes: Attributes, x: Array) -> Array:
    """Zeros of the shape and type of x."""
    return np.zeros_like(x)


@op("IsFinite", inputs=1, infer=same, result="bool")
def is_finite(attributes: Attributes, x: Array) -> Array:
    """Which elements are numbers, neither infinite nor NaN."""
    finite: Array = np.isfinite(x)
    return finite


@op("IsClose", inputs=2, result="bool")
def is_close(attributes: Attributes, x: Array, y: Array) -> Array:
    """``|x - y| <= atol + rtol * |y|``; with ``equal_nan`` NaN is close to NaN."""
    rtol, atol = float(attributes.get("rtol", 1e-5)), float(attributes.get("atol", 1e-8))
    equal_nan = bool(attributes.get("equal_nan", False))
    close: Array = np.isclose(x.astype(np.float64), y.astype(np.float64), rtol, atol, equal_nan)
    return close


@op("RotaryMul", inputs=3, infer=same)
def rotary_mul(attributes: Attributes, x: Array, cosine: Array, sine: Array) -> Array:
    """``x * cosine + turned * sine``; *turned* has the second half, negated, before the first; or pairs (``mode``)."""
    wide = x.astype(np.float32)
    if attributes.get("mode", "half") == "interleave":
        turned = np.stack((-wide[..., 1::2], wide[..., ::2]), -1).reshape(x.shape)
    else:
        first, second = np.split(wide, 2, -1)
        turned = np.concatenate((-second, first), -1)
    made: Array = (wide * cosine.astype(np.float32) + turned * sine.astype(np.float32)).astype(x.dtype)
    return made


OPERATORS: tuple[Operator, ...] = (
    cast,
    clip_by_value,
    leaky_relu,
    gelu,
    zeros_like,
    is_finite,
    is_close,
    rotary_mul,
    round_,
    _two("Add", np.add),
    _two("Sub", np.subtract),
    _two("Mul", np.multiply),
    _two("RealDiv", _division),
    _two("Div", _division),
    _two("Pow", np.power),
    _two("Maximum", np.maximum),
    _two("Minimum", np.minimum),
    _two("FloorMod", np.mod),
    _two("FloorDiv", np.floor_divide),
    _two("Mod", np.fmod),
    _two("BitwiseAnd", np.bitwise_and),
    _two("BitwiseOr", np.bitwise_or),
    _two("BitwiseXor", np.bitwise_xor),
    _two("Atan2", np.arctan2),
    _two("Xlogy", _xlogy),
    _two("LogicalAnd", np.logical_and, "bool", BOOL),
    _two("LogicalOr", np.logical_or, "bool", BOOL),
    _two("Equal", np.equal, "bool"),
    _two("NotEqual", np.not_equal, "bool"),
    _two("Less", np.less, "bool"),
    _two("LessEqual", np.less_equal, "bool"),
    _two("Greater", np.greater, "bool"),
    _two("GreaterEqual", np.greater_equal, "bool"),
    _one("Neg", np.negative),
    _one("OnesLike", np.ones_like),
    _one("Square", np.square),
    _one("Abs", np.abs),
    _one("Exp", np.exp, FLOATS),
    _one("Log", np.log, FLOATS),
    _one("Sqrt", np.sqrt, FLOATS),
    _one("Relu", lambda x: np.maximum(x, x.dtype.type(0))),
    _one("Sigmoid", sigmoid, FLOATS),
    _one("Tanh", np.tanh, FLOATS),
    _one("LogicalNot", np.logical_not, BOOL),
    _one("Sign", np.sign),
    _one("Ceil", np.ceil, FLOATS),
    _one("Floor", np.floor, FLOATS),
    _one("Trunc", np.trunc),
    _one("Reciprocal", np.reciprocal, FLOATS),
    _one("Rsqrt", lambda x: 1 / np.sqrt(x), FLOATS),
    _one("Expm1", np.expm1, FLOATS),
    _one("Log1p", np.log1p, FLOATS),
    _one("Sin", np.sin, FLOATS),
    _one("Cos", np.cos, FLOATS),
    _one("Tan", np.tan, FLOATS),
    _one("Asin", np.arcsin, FLOATS),
    _one("Acos", np.arccos, FLOATS),
    _one("Atan", np.arctan, FLOATS),
    _one("Sinh", np.sinh, FLOATS),
    _one("Cosh", np.cosh, FLOATS),
    _one("Asinh", np.arcsinh, FLOATS),
    _one("Acosh", np.arccosh, FLOATS),
    _one("Atanh", np.arctanh, FLOATS),
)
