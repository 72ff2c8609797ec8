"""Operators whose outputs are as long as the values say: places that are not 0, elements under a mask, unequal elements.

Their descriptors say the largest shapes (docs/semantics/operators.md#executing).
"""

from __future__ import annotations

import numpy as np

from ascend_sim.machine.data_types import numpy_type
from ascend_sim.ops.operator import Array, Attributes, Operator, op

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]
INT64 = 9


def _places(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    rank = len(shapes[0])
    return [(rank, -1) if attributes.get("transpose", False) else (-1, rank)]


@op("NonZero", inputs=1, infer=_places, result="index", counted=True)
def nonzero(attributes: Attributes, x: Array) -> Array:
    """The places of the elements that are not 0, a line for each (``transpose``: a column), of the type ``dtype``."""
    found = np.argwhere(x).astype(numpy_type(int(attributes.get("dtype", INT64))))
    return found.T if attributes.get("transpose", False) else found


@op("MaskedSelect", inputs=2, infer=lambda attributes, shapes, values: [(-1,)], counted=True)
def masked_select(attributes: Attributes, x: Array, mask: Array) -> Array:
    """The elements of x where the mask is true, in a line; both are broadcast."""
    wide, chosen = np.broadcast_arrays(x, mask)
    found: Array = wide[chosen.astype(bool)]
    return found


def _runs_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    if "axis" not in attributes:
        return [(-1,), shapes[0], (-1,)]
    axis = int(attributes["axis"]) % len(shapes[0])
    return [tuple(-1 if i == axis else n for i, n in enumerate(shapes[0])), shapes[0][axis : axis + 1], (-1,)]


@op(
    "UniqueConsecutive", inputs=1, outputs=3, infer=_runs_shapes, result=("first", "int64", "int64"), counted=True,
    described=True,
)  # fmt: skip
def unique_consecutive(attributes: Attributes, shapes: list[Shape], x: Array) -> tuple[Array, Array, Array]:
    """The first of each run of equal elements (or slices along ``axis``), in which run each lies, how long the runs are.

    The second has the described shape, and zeros without ``return_idx``; the third is empty without ``return_counts``.
    """
    axis = int(attributes["axis"]) % x.ndim if "axis" in attributes else 0
    lines = np.moveaxis(x, axis, 0) if "axis" in attributes else x.reshape(-1)
    changes = (lines[1:] != lines[:-1]).reshape(max(len(lines) - 1, 0), -1).any(axis=1)
    first = np.concatenate((np.ones(min(len(lines), 1), bool), changes))
    runs = np.cumsum(first) - 1
    lengths = np.bincount(runs, minlength=0) if len(lines) else np.zeros(0, np.int64)
    kept = np.moveaxis(lines[first], 0, axis)
    return kept, _inverse(attributes, "return_idx", runs, shapes[1]), _counts(attributes, lengths)


@op(
    "UniqueWithCountsAndSorting", inputs=1, outputs=3, infer=lambda attributes, shapes, values: [(-1,), (-2,), (-1,)],
    result=("first", "int64", "int64"), counted=True, described=True,
)  # fmt: skip
def unique(attributes: Attributes, shapes: list[Shape], x: Array) -> tuple[Array, Array, Array]:
    """The elements of x, each once, which of them each element is, and how often each is there; sorted in any case.

    The second has the described shape, and zeros without ``return_inverse`` and ``return_counts``; the third is empty
    without ``return_counts``.
    """
    kept, places, lengths = np.unique(x.reshape(-1), return_inverse=True, return_counts=True, equal_nan=False)
    name = "return_counts" if attributes.get("return_counts", False) else "return_inverse"
    return kept, _inverse(attributes, name, places, shapes[1]), _counts(attributes, lengths)


def _slices_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    if values[1] is None:
        return [(-1,) * len(shapes[0]), (-1,), (-1,), (-1,)]
    axis = int(values[1].reshape(-1)[0]) % len(shapes[0])
    length = shapes[0][axis : axis + 1]
    return [tuple(-1 if i == axis else n for i, n in enumerate(shapes[0])), length, (-1,), length]


@op(
    "UniqueWithCountsExt2", inputs=2, outputs=4, infer=_slices_shapes, result=("first", "int64", "int64", "int64"),
    counted=True,
)  # fmt: skip
def unique_slices(attributes: Attributes, x: Array, axis: Array) -> tuple[Array, Array, Array, Array]:
    """The slices of x along *axis*, each once and sorted, which of them each is, how often each is there."""
    kept, places, lengths = np.unique(
        x, axis=int(axis.reshape(-1)[0]), return_inverse=True, return_counts=True, equal_nan=False
    )
    which = places.reshape(-1).astype(np.int64)
    return kept, which, lengths.astype(np.int64), which


def _inverse(attributes: Attributes, name: str, places: Array, shape: Shape) -> Array:
    if attributes.get(name, False):
        return places.astype(np.int64).reshape(shape)
    return np.zeros(shape, np.int64)


def _counts(attributes: Attributes, lengths: Array) -> Array:
    return lengths.astype(np.int64) if attributes.get("return_counts", False) else np.zeros(0, np.int64)


OPERATORS: tuple[Operator, ...] = (nonzero, masked_select, unique_consecutive, unique, unique_slices)
