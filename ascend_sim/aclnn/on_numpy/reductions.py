"""Sums, means, extremes and norms over dims, and running sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.element_types import element_type
from ascend_sim.aclnn.on_numpy.storing import Array, floating, store

__all__: list[str] = []

Dims = Sequence[int]


def _axes(self: Array, dims: Dims) -> tuple[int, ...]:
    """The axes of *dims*; all of them for none."""
    rank = self.ndim
    if not rank:
        return ()
    return tuple(dim % rank for dim in dims) or tuple(range(rank))


def _as(self: Array, data_type: int) -> Array:
    element = element_type(data_type)
    return self if element is None else self.astype(element.wide, copy=False)


@numpy_body("aclnnReduceSum")
def reduce_sum(self: Array, dims: Dims, keep: bool, data_type: int, out: Array) -> None:
    store(out, np.sum(_as(self, data_type), _axes(self, dims), keepdims=bool(keep)))


@numpy_body("aclnnMean")
def mean(self: Array, dims: Dims, keep: bool, data_type: int, out: Array) -> None:
    """In the given type; integers in float32."""
    store(out, np.mean(floating(_as(self, data_type)), _axes(self, dims), keepdims=bool(keep)))


@numpy_body("aclnnMax")
def largest(self: Array, out: Array) -> None:
    store(out, np.max(self))


@numpy_body("aclnnMin")
def smallest(self: Array, out: Array) -> None:
    store(out, np.min(self))


@numpy_body("aclnnAmax")
def largest_of_dims(self: Array, dims: Dims, keep: bool, out: Array) -> None:
    store(out, np.max(self, _axes(self, dims), keepdims=bool(keep)))


@numpy_body("aclnnAmin")
def smallest_of_dims(self: Array, dims: Dims, keep: bool, out: Array) -> None:
    store(out, np.min(self, _axes(self, dims), keepdims=bool(keep)))


def _with_place(self: Array, places: Array, dim: int, keep: bool, out: Array, indices: Array) -> None:
    values = np.take_along_axis(self, places, dim)
    store(out, values if keep else values.squeeze(dim))
    store(indices, places if keep else places.squeeze(dim))


@numpy_body("aclnnMaxDim")
def largest_and_place(self: Array, dim: int, keep: bool, out: Array, indices: Array) -> None:
    """The first of equal ones; NaN is the largest."""
    row = self.reshape(1) if not self.ndim else self
    _with_place(row, row.argmax(dim, keepdims=True), dim, bool(keep) and self.ndim > 0, out, indices)


@numpy_body("aclnnMinDim")
def smallest_and_place(self: Array, dim: int, keep: bool, out: Array, indices: Array) -> None:
    row = self.reshape(1) if not self.ndim else self
    _with_place(row, row.argmin(dim, keepdims=True), dim, bool(keep) and self.ndim > 0, out, indices)


@numpy_body("aclnnArgMax")
def place_of_largest(self: Array, dim: int, keep: bool, out: Array) -> None:
    store(out, self.argmax(dim, keepdims=bool(keep)) if self.ndim else 0)


@numpy_body("aclnnAll")
def all_of_dims(self: Array, dims: Dims, keep: bool, out: Array) -> None:
    store(out, np.all(self, _axes(self, dims), keepdims=bool(keep)))


@numpy_body("aclnnAny")
def any_of_dims(self: Array, dims: Dims, keep: bool, out: Array) -> None:
    store(out, np.any(self, _axes(self, dims), keepdims=bool(keep)))


def _norm(self: Array, order: float, axes: tuple[int, ...], keep: bool) -> Any:
    size = np.abs(self)
    if order == 0:
        return np.sum(size != 0, axes, keepdims=keep)
    if np.isinf(order):
        return (np.max if order > 0 else np.min)(size, axes, keepdims=keep)
    if order == 1:
        return np.sum(size, axes, keepdims=keep)
    if order == 2:
        return np.sqrt(np.sum(size * size, axes, keepdims=keep))
    return np.sum(size**order, axes, keepdims=keep) ** (1 / order)


@numpy_body("aclnnNorm")
def norm(self: Array, order: Any, dims: Dims, keep: bool, out: Array) -> None:
    store(out, _norm(floating(self), float(order), _axes(self, dims), bool(keep)))


@numpy_body("aclnnLinalgVectorNorm")
def vector_norm(self: Array, order: Any, dims: Dims, keep: bool, data_type: int, out: Array) -> None:
    store(out, _norm(floating(_as(self, data_type)), float(order), _axes(self, dims), bool(keep)))


@numpy_body("aclnnCumsum")
def running_sum(self: Array, dim: int, data_type: int, out: Array) -> None:
    values = _as(self, data_type)
    store(out, np.cumsum(values, dim, dtype=values.dtype).reshape(self.shape) if self.ndim else values)
