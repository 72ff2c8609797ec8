"""Largest and smallest elements along a dimension, with their places; sorting."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ascend_sim.ops.operator import Array, Attributes, Operator, op, same

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]


def _two_reduced(attributes: Attributes, shapes: list[Shape], values: list[Array | None]) -> list[Shape]:
    shape = list(shapes[0])
    axis = int(attributes["dimension"]) % len(shape) if shape else 0
    if shape:
        shape[axis : axis + 1] = [1] if attributes.get("keep_dims", False) else []
    return [tuple(shape), tuple(shape)]


def _with_value(name: str, place_of: Callable[..., Array]) -> Operator:
    def compute(attributes: Attributes, x: Array) -> tuple[Array, Array]:
        if not x.ndim:
            return np.zeros((), np.int32), x
        axis, keep = int(attributes["dimension"]), bool(attributes.get("keep_dims", False))
        places = np.expand_dims(place_of(x, axis=axis), axis)
        found = np.take_along_axis(x, places, axis)
        kept = places.astype(np.int32)
        return (kept, found) if keep else (kept.squeeze(axis), found.squeeze(axis))

    return op(name, inputs=1, outputs=2, infer=_two_reduced, result=("int32", "first"))(compute)


@op("ArgMaxGrad", inputs=3, infer=same)
def arg_max_grad(attributes: Attributes, x: Array, places: Array, updates: Array) -> Array:
    """x with the updates put at their places along ``dimension``."""
    axis = int(attributes["dimension"])
    result = np.array(x)
    np.put_along_axis(
        result, np.expand_dims(places, axis).astype(np.int64), np.expand_dims(updates, axis).astype(x.dtype), axis
    )
    return result


@op("SortV2", inputs=1, infer=same)
def sort(attributes: Attributes, x: Array) -> Array:
    """Sorted along ``axis``, upwards or ``descending``."""
    axis = int(attributes.get("axis", -1))
    result: Array = np.sort(x, axis=axis, kind="stable")
    return np.flip(result, axis) if attributes.get("descending", False) else result


@op(
    "Sort", inputs=1, outputs=2, infer=lambda attributes, shapes, values: [shapes[0]] * 2, result=("first", "int32")
)
def sort_with_places(attributes: Attributes, x: Array) -> tuple[Array, Array]:
    """x in order along ``axis`` (the last), largest first with ``descending``, and the places; equal elements stay in order.

    NaN counts as the largest.
    """
    axis = int(attributes.get("axis", -1))
    if not x.ndim:
        return x, np.zeros((), np.int32)
    if attributes.get("descending", False):
        places = x.shape[axis] - 1 - np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)
    else:
        places = np.argsort(x, axis, kind="stable")
    return np.take_along_axis(x, places, axis), places.astype(np.int32)


OPERATORS: tuple[Operator, ...] = (
    _with_value("ArgMaxWithValue", np.argmax),
    _with_value("ArgMinWithValue", np.argmin),
    arg_max_grad,
    sort,
    sort_with_places,
)
