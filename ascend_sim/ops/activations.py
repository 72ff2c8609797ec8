"""Smooth activations and their gradients."""

from __future__ import annotations

import numpy as np

from ascend_sim.ops.elementwise import sigmoid
from ascend_sim.ops.operator import FLOATS, Array, Attributes, Operator, op, same

__all__ = ["OPERATORS"]


def _softplus(x: Array) -> Array:
    result: Array = np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))
    return result


@op("Swish", inputs=1, infer=same, dtypes=FLOATS)
def swish(attributes: Attributes, x: Array) -> Array:
    """x times the sigmoid of ``scale`` x."""
    result: Array = (x * sigmoid(x.dtype.type(attributes.get("scale", 1.0)) * x)).astype(x.dtype)
    return result


@op("SwishGrad", inputs=3, infer=same, dtypes=FLOATS)
def swish_grad(attributes: Attributes, grad: Array, x: Array, y: Array) -> Array:
    """The gradient of x, where y is what Swish gave."""
    scale = x.dtype.type(attributes.get("scale", 1.0))
    slope = sigmoid(scale * x)
    result: Array = (grad * (slope + scale * y * (1 - slope))).astype(grad.dtype)
    return result


@op("Mish", inputs=1, infer=same, dtypes=FLOATS)
def mish(attributes: Attributes, x: Array) -> Array:
    """x times the tanh of its softplus."""
    result: Array = (x * np.tanh(_softplus(x))).astype(x.dtype)
    return result


@op("MishGrad", inputs=(2, 3), infer=same, dtypes=FLOATS)
def mish_grad(attributes: Attributes, grad: Array, x: Array, tanh: Array | None = None) -> Array:
    """The gradient of x; *tanh*: that of its softplus, where it was kept."""
    inner = np.tanh(_softplus(x)) if tanh is None else tanh
    result: Array = (grad * (inner + x * (1 - inner * inner) * sigmoid(x))).astype(grad.dtype)
    return result


OPERATORS: tuple[Operator, ...] = (swish, swish_grad, mish, mish_grad)
