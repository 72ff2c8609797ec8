"""Sums, products, quotients, powers, bounds: element by element, in the common type of the operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ascend_sim.aclnn.on_numpy.storing import Array, elementwise
from ascend_sim.aclnn.promotion import common_type

__all__: list[str] = []


def _scaled(other: Any, alpha: Any, wide: np.dtype[Any]) -> Array:
    """*other* times *alpha*, both in the type *wide*."""
    if alpha == 1:
        return np.asarray(other).astype(wide, copy=False)
    return np.asarray(np.asarray(other).astype(wide, copy=False) * np.asarray(alpha).astype(wide))


def _add(self: Any, other: Any, alpha: Any) -> Any:
    wide = common_type(self, other)
    return np.add(self, _scaled(other, alpha, wide), dtype=wide, casting="unsafe")


def _subtract(self: Any, other: Any, alpha: Any) -> Any:
    wide = common_type(self, other)
    return np.subtract(self, _scaled(other, alpha, wide), dtype=wide, casting="unsafe")


def _in_common(function: Callable[..., Any]) -> Callable[..., Any]:
    """*function* of operands that have been converted to their common type."""

    def compute(*operands: Any) -> Any:
        wide = common_type(*operands)
        return function(*(np.asarray(operand).astype(wide, copy=False) for operand in operands))

    return compute


def _divide(self: Array, other: Any) -> Any:
    wide = common_type(self, other)
    return np.true_divide(self, other, dtype=wide if wide.kind in "fc" else np.float32, casting="unsafe")


def _clamp(values: Array, low: Any, high: Any) -> Any:
    """The upper bound wins where the lower one is above it; NaN stays. A bound that is NULL bounds nothing."""
    bounds = [one for one in (low, high) if one is not None]
    wide = common_type(values, *bounds)
    result = values.astype(wide, copy=False)
    if low is not None:
        result = np.maximum(result, np.asarray(low).astype(wide, copy=False))
    return result if high is None else np.minimum(result, np.asarray(high).astype(wide, copy=False))


def _power(base: Array, exponent: Array) -> Any:
    if base.dtype.kind == "b":
        return np.power(base.astype(np.int8), exponent.astype(np.int8)).astype(bool)
    return np.power(base, exponent)


elementwise(_add, "Add", "Adds", "AddV3", "InplaceAdd", "InplaceAdds")
elementwise(_subtract, "Sub", "Subs", "InplaceSub", "InplaceSubs")
elementwise(_in_common(np.multiply), "Mul", "Muls", "InplaceMul", "InplaceMuls")
elementwise(_divide, "Div", "Divs", "InplaceDiv", "InplaceDivs")
elementwise(_in_common(np.maximum), "Maximum")
elementwise(_in_common(np.minimum), "Minimum")
elementwise(_clamp, "Clamp", "ClampTensor")
elementwise(_in_common(_power), "PowTensorScalar", "PowScalarTensor", "PowTensorTensor")
elementwise(np.negative, "Neg")
elementwise(lambda self: self.copy() if self.dtype == np.bool_ else np.abs(self), "Abs")
