"""Sums, products, quotients, the larger and the smaller of two: element by element, in the common type of the operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import store
from ascend_sim.aclnn.promotion import common_type

__all__: list[str] = []

Array = npt.NDArray[Any]


def _scaled(other: Any, alpha: Any, wide: np.dtype[Any]) -> Array:
    """*other* times *alpha*, both in the type *wide*."""
    if alpha == 1:
        return np.asarray(other, wide)
    factor = np.asarray(alpha).astype(wide)
    return np.asarray(np.multiply(np.asarray(other).astype(wide, copy=False), factor))


@numpy_body("aclnnAdd", "aclnnAdds", "aclnnAddV3")
def add(self: Any, other: Any, alpha: Any, out: Array) -> None:
    wide = common_type(self, other)
    store(out, np.add(self, _scaled(other, alpha, wide), dtype=wide, casting="unsafe"))


@numpy_body("aclnnSub", "aclnnSubs")
def subtract(self: Array, other: Any, alpha: Any, out: Array) -> None:
    wide = common_type(self, other)
    store(out, np.subtract(self, _scaled(other, alpha, wide), dtype=wide, casting="unsafe"))


@numpy_body("aclnnMul", "aclnnMuls")
def multiply(self: Array, other: Any, out: Array) -> None:
    store(out, np.multiply(self, other, dtype=common_type(self, other), casting="unsafe"))


def _float(wide: np.dtype[Any]) -> np.dtype[Any]:
    """The type of a quotient: integers become float32."""
    return wide if wide.kind in "fc" else np.dtype(np.float32)


@numpy_body("aclnnDiv", "aclnnDivs")
def divide(self: Array, other: Any, out: Array) -> None:
    store(out, np.true_divide(self, other, dtype=_float(common_type(self, other)), casting="unsafe"))


@numpy_body("aclnnMaximum")
def maximum(self: Array, other: Array, out: Array) -> None:
    store(out, np.maximum(self, other, dtype=common_type(self, other), casting="unsafe"))


@numpy_body("aclnnMinimum")
def minimum(self: Array, other: Array, out: Array) -> None:
    store(out, np.minimum(self, other, dtype=common_type(self, other), casting="unsafe"))
