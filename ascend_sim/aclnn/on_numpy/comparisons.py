"""Comparisons, logic and bits, and choices by conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, elementwise, store
from ascend_sim.aclnn.promotion import common_type

__all__: list[str] = []


def _compared(function: Callable[..., Any]) -> Callable[..., Any]:
    def compare(self: Array, other: Any) -> Any:
        wide = common_type(self, other)
        return function(self.astype(wide, copy=False), np.asarray(other).astype(wide, copy=False))

    return compare


for _name, _function in {
    "Eq": np.equal, "Ne": np.not_equal, "Gt": np.greater, "Ge": np.greater_equal, "Lt": np.less, "Le": np.less_equal,
}.items():  # fmt: skip
    elementwise(_compared(_function), f"{_name}Tensor", f"{_name}Scalar")

elementwise(np.logical_not, "LogicalNot")
elementwise(np.logical_and, "LogicalAnd")
elementwise(np.logical_or, "LogicalOr")
elementwise(_compared(np.bitwise_and), "BitwiseAndTensor", "BitwiseAndScalar")


@numpy_body("aclnnEqual")
def equal(self: Array, other: Array, out: Array) -> None:
    """Whether two tensors have the same shape and elements."""
    store(out, self.shape == other.shape and bool((self == other).all()))


def _chosen(condition: Array, self: Array, other: Array) -> Array:
    wide = common_type(self, other)
    return np.where(condition.astype(bool), self.astype(wide, copy=False), other.astype(wide, copy=False))


elementwise(_chosen, "SWhere")
