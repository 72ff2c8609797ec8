"""Products of matrices, single, in batches and in groups; all sums in float32 or better."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, store

__all__: list[str] = []


@numpy_body("aclnnMatmul", "aclnnMm", "aclnnBatchMatMul", "aclnnMatmulWeightNz", "aclnnBatchMatMulWeightNz")
def matmul(self: Array, other: Array, out: Array, cube: int) -> None:
    store(out, np.matmul(self, other))


@numpy_body("aclnnAddmm", "aclnnAddmmWeightNz")
def addmm(self: Array, first: Array, second: Array, beta: Any, alpha: Any, out: Array, cube: int) -> None:
    """*beta* times the tensor and *alpha* times the product; with a beta of 0 the tensor does not count, NaN neither."""
    product = np.matmul(first, second) * np.asarray(1 if alpha is None else alpha).astype(first.dtype)
    factor = 1 if beta is None else beta
    store(out, product if factor == 0 else product + np.asarray(factor).astype(self.dtype) * self)


@numpy_body("aclnnGroupedMatmul")
def grouped_matmul(
    x: Sequence[Array], weight: Sequence[Array], bias: Sequence[Array] | None, scale: Any, offset: Any, other_scale: Any,
    other_offset: Any, groups: Sequence[int] | None, split: int, y: Sequence[Array],
) -> None:  # fmt: skip
    """A product a group. One tensor of rows for all groups is cut at *groups*, the ends of the parts; one output for all
    gets them one below the other. Raises NotImplementedError for quantised weights: the body on torch has them."""
    if any(values for values in (scale, offset, other_scale, other_offset)):
        raise NotImplementedError("quantised groups are computed where torch is installed")
    weights = [part for one in weight for part in (one if one.ndim == 3 else [one])]
    rows = list(x)
    if len(rows) == 1 and len(weights) > 1:
        rows = [x[0][a:b] for a, b in pairwise([0, *(groups or ())])]
    made = [np.matmul(part, matrix) for part, matrix in zip(rows, weights, strict=True)]
    if bias:
        made = [product + one for product, one in zip(made, bias, strict=True)]
    if len(y) == 1 and len(made) > 1:
        store(y[0], np.concatenate(made))
    else:
        for out, product in zip(y, made, strict=True):
            store(out, product)
