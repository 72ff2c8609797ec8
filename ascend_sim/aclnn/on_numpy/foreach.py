"""Operators upon lists of tensors, as optimisers use them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, store

__all__: list[str] = []

Tensors = Sequence[Array]


def _each(function: Callable[..., Any], out: Tensors, *lists: Tensors) -> None:
    for target, *operands in zip(out, *lists, strict=True):
        store(target, function(*operands))


def _typed(value: Any, like: Array) -> Any:
    """A scalar of the tensor's type; 1 where none is given."""
    return np.asarray(1 if value is None else value).astype(like.dtype)


@numpy_body("aclnnForeachMulScalarV2")
def multiply(x: Tensors, scalar: Any, out: Tensors) -> None:
    _each(lambda one: one * _typed(scalar, one), out, x)


@numpy_body("aclnnForeachAddListV2")
def add(x: Tensors, y: Tensors, alpha: Any, out: Tensors) -> None:
    _each(lambda one, other: one + other * _typed(alpha, one), out, x, y)


@numpy_body("aclnnForeachAddcdivScalarV2")
def add_quotient(x: Tensors, y: Tensors, z: Tensors, scalar: Any, out: Tensors) -> None:
    _each(lambda one, over, under: one + over / under * _typed(scalar, one), out, x, y, z)
