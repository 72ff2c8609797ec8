"""Functions of single elements, activations among them, and their gradients."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ascend_sim.aclnn.on_numpy.error_function import erf
from ascend_sim.aclnn.on_numpy.storing import Array, elementwise, floating

__all__: list[str] = []

_TO_NORMAL = math.sqrt(0.5)
_TANH_SCALE = math.sqrt(2 / math.pi)
_TANH_CUBE = 0.044715


def _of_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *operands: function(*map(floating, operands))


def _sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def _gelu(x: Array) -> Array:
    found: Array = 0.5 * x * (1 + erf(x * x.dtype.type(_TO_NORMAL)))
    return found


def _gelu_v2(x: Array, approximate: int) -> Array:
    """0: with the error function; 1: with tanh."""
    if not approximate:
        return _gelu(x)
    found: Array = 0.5 * x * (1 + np.tanh(_TANH_SCALE * (x + _TANH_CUBE * x * x * x)))
    return found


def _gelu_gradient(gradient: Array, x: Array) -> Array:
    density = np.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
    found: Array = gradient * (0.5 * (1 + erf(x * x.dtype.type(_TO_NORMAL))) + x * density)
    return found


def _threshold_gradient(gradient: Array, self: Array, threshold: Any) -> Array:
    return np.where(self > threshold, gradient, np.zeros((), gradient.dtype))


def _whole(function: Callable[..., Any]) -> Callable[..., Any]:
    """Rounding: integers are whole already."""
    return lambda x: function(x) if x.dtype.kind == "f" else x.copy()


def _relu(x: Array) -> Array:
    return np.maximum(x, np.zeros((), x.dtype))


elementwise(_of_floats(np.exp), "Exp")
elementwise(_of_floats(np.log), "Log")
elementwise(_of_floats(np.sqrt), "Sqrt")
elementwise(_of_floats(lambda x: 1 / np.sqrt(x)), "Rsqrt")
elementwise(_of_floats(lambda x: 1 / x), "Reciprocal")
elementwise(_of_floats(np.sin), "Sin")
elementwise(_of_floats(np.cos), "Cos")
elementwise(_of_floats(np.tanh), "Tanh")
elementwise(_of_floats(erf), "Erf")
elementwise(_of_floats(_sigmoid), "Sigmoid")
elementwise(_of_floats(lambda x: x * _sigmoid(x)), "Silu")
elementwise(_of_floats(_gelu), "Gelu")
elementwise(_gelu_v2, "GeluV2")
elementwise(_whole(np.floor), "Floor")
elementwise(_whole(np.ceil), "Ceil")
elementwise(_relu, "Relu")
elementwise(_of_floats(np.isfinite), "IsFinite")
elementwise(lambda gradient, output: gradient * np.conj(1 - output) * np.conj(output), "SigmoidBackward")
elementwise(lambda gradient, output: gradient * (1 - output * output), "TanhBackward")
elementwise(_gelu_gradient, "GeluBackward")
elementwise(_threshold_gradient, "ThresholdBackward")
