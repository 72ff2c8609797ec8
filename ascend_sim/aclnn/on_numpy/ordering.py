"""Sorting: values, and where they were."""

from __future__ import annotations

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, store

__all__: list[str] = []


def _order(self: Array, dim: int, descending: bool) -> Array:
    """Positions in order along *dim*, of equal values the first one first; NaN is the largest."""
    if not descending:
        return np.argsort(self, dim, kind="stable")
    turned = np.argsort(np.flip(self, dim), dim, kind="stable")
    found: Array = self.shape[dim] - 1 - np.flip(turned, dim)
    return found


@numpy_body("aclnnSort")
def sort(self: Array, stable: bool, dim: int, descending: bool, values: Array | None, indices: Array | None) -> None:
    row = self.reshape(1) if not self.ndim else self
    order = _order(row, dim, bool(descending))
    store(values, np.take_along_axis(row, order, dim).reshape(self.shape))
    store(indices, order.reshape(self.shape))


@numpy_body("aclnnTopk")
def topk(
    self: Array, k: int, dim: int, largest: bool, sorted_: bool, values: Array | None, indices: Array | None
) -> None:
    """The *k* largest or smallest along *dim*, in order whether it was asked for or not."""
    row = self.reshape(1) if not self.ndim else self
    order = np.take(_order(row, dim, bool(largest)), range(k), dim)
    for out, found in ((values, np.take_along_axis(row, order, dim)), (indices, order)):
        store(out, found if out is None else found.reshape(out.shape))
