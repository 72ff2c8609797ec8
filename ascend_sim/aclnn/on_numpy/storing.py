"""How bodies compute and leave their results: conversion to the type of the output, and operators in all their forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ascend_sim.aclnn.bodies import numpy_body

__all__ = ["Array", "elementwise", "floating", "store"]

Array = npt.NDArray[Any]


def store(out: Array | None, values: Any) -> None:
    """Convert to the type of *out*, as C does, and put there; values of one element fill it.

    None is an output that was not asked for.
    """
    if out is None:
        return
    if out.dtype.kind != "c" and getattr(values, "dtype", out.dtype).kind == "c":
        values = values.real
    np.copyto(out, values, casting="unsafe")


def floating(values: Any) -> Array:
    """The values as numbers that functions are computed of: integers and bools become float32."""
    array = np.asarray(values)
    return array if array.dtype.kind in "fc" else array.astype(np.float32)


def elementwise(function: Callable[..., Any], *names: str) -> None:
    """Register *function* as what these operators compute: of all operands but the output, which comes last; the first one
    is the output of those whose names begin with Inplace."""

    def into_last(*operands: Any) -> None:
        store(operands[-1], function(*operands[:-1]))

    def into_first(*operands: Any) -> None:
        store(operands[0], function(*operands))

    for name in names:
        numpy_body(f"aclnn{name}")(into_first if name.startswith("Inplace") else into_last)
