"""What aclnn operators get: tensors that are views of memory, scalars, arrays and lists of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from operator import index
from typing import Any

import numpy as np

from ascend_sim.aclnn.element_types import ElementType, element_type

__all__ = ["Layout", "NumberArray", "ObjectList", "Scalar", "TensorView", "contiguous", "layout_of", "scalar_of"]

KEPT_LAYOUTS = 8192
MOST_BANDS = 16
"""So many bands of rows are told one by one; more as their rows."""


class Layout:
    """How a tensor lies in its storage: shape, strides and offset (in elements), types and formats.

    Tensors that lie in the same way share one, so what was found out about it is found out once.
    """

    __slots__ = (
        "bands", "contiguous", "data_type", "dims", "element", "format", "low", "nbytes", "numel", "offset", "parts",
        "shift", "steps", "storage_dims", "strides", "words",
    )  # fmt: skip

    def __init__(
        self, dims: tuple[int, ...], data_type: int, strides: tuple[int, ...], offset: int, format_: int,
        storage_dims: tuple[int, ...],
    ) -> None:  # fmt: skip
        self.dims = dims
        self.data_type = data_type
        self.strides = strides
        self.offset = offset
        self.format = format_
        self.storage_dims = storage_dims
        self.element: ElementType | None = element_type(data_type)
        """None for a type that no body computes with."""
        self.words = f"{self.element.name if self.element is not None else f'data type {data_type}'} {list(dims)}"
        """Type and shape, for texts: made once, since each destroyed tensor leaves them behind."""
        self.numel = math.prod(dims)
        width = self.element.carrier.itemsize if self.element is not None else 1
        self.steps = tuple(stride * width for stride in strides)
        """The strides in bytes."""
        self.contiguous = strides == contiguous(dims)
        low = high = offset
        for size, stride in zip(dims, strides, strict=True):
            low += min(0, (size - 1) * stride)
            high += max(0, (size - 1) * stride)
        self.low = low * width if self.numel else 0
        """The first byte that it reaches, from the beginning of the storage."""
        self.nbytes = (high + 1 - low) * width if self.numel else 0
        """How many there are from that one to the last that it reaches."""
        self.shift = (offset - low) * width if self.numel else 0
        """Its first element, from the first byte."""
        self.bands: tuple[tuple[int, int, int, int], ...] = ()
        """The bytes as bands of rows: (first byte, width, pitch, rows) each; none when it reaches all bytes."""
        self.parts: list[tuple[int, int]] | None = None
        """The bytes as ranges, when there are too many bands."""
        if self.numel and not self.contiguous:
            self._cut(width)

    def _cut(self, width: int) -> None:
        """Neighbours are merged from the inside out: the bytes of a transposed matrix are one range."""
        pairs = sorted((abs(step), size) for step, size in zip(self.steps, self.dims, strict=True) if step and size > 1)
        outer: list[tuple[int, int]] = []
        for step, size in pairs:
            if not outer and step <= width:
                width += (size - 1) * step
            elif outer and step == outer[-1][0] * outer[-1][1]:
                outer[-1] = outer[-1][0], outer[-1][1] * size
            else:
                outer.append((step, size))
        if not outer:
            return
        (pitch, rows), *rest = outer
        starts = [sum(place) for place in product(*(range(0, step * size, step) for step, size in rest))]
        if len(starts) <= MOST_BANDS:
            self.bands = tuple((start, width, pitch, rows) for start in sorted(starts))
        else:
            found = sorted(start + row * pitch for start in starts for row in range(rows))
            self.parts = [(start, start + width) for start in found]

    def describe(self) -> str:
        """Type and shape in words."""
        return self.words


@lru_cache(maxsize=KEPT_LAYOUTS)
def layout_of(
    dims: tuple[int, ...], data_type: int, strides: tuple[int, ...] | None = None, offset: int = 0, format_: int = 2,
    storage_dims: tuple[int, ...] = (),
) -> Layout:  # fmt: skip
    """The layout with these numbers; without *strides* that of a tensor in C order.

    Raises ValueError for other sizes, TypeError for what is no number.
    """
    dims, storage_dims = tuple(map(index, dims)), tuple(map(index, storage_dims))
    strides = None if strides is None else tuple(map(index, strides))
    if strides is not None and len(strides) != len(dims):
        raise ValueError(f"{len(strides)} strides of {len(dims)} dimensions")
    if any(size < 0 for size in dims):
        raise ValueError(f"the shape {list(dims)}")
    return Layout(dims, data_type, contiguous(dims) if strides is None else strides, offset, format_, storage_dims)


class TensorView:
    """An aclTensor: a layout upon storage that begins at *address*."""

    __slots__ = ("address", "handle", "key")

    argument = None

    def __init__(self, layout: Layout, address: int) -> None:
        self.handle = 0
        self.key = layout
        """Its layout; the shape of an output changes when it is known."""
        self.address = address

    def reshape(self, dims: Sequence[int]) -> None:
        """Have the shape *dims*, in C order: what an operator does whose output depends on the data."""
        layout = self.key
        shape = tuple(int(size) for size in dims)
        self.key = layout_of(shape, layout.data_type, None, layout.offset, layout.format, layout.storage_dims)

    def describe(self) -> str:
        """The tensor in words."""
        return "the tensor of " + self.key.words


class Scalar:
    """An aclScalar."""

    __slots__ = ("argument", "handle", "key")

    def __init__(self, data_type: int, value: complex) -> None:
        self.handle = 0
        self.key = data_type
        self.argument = value
        """The value, as a number of Python."""

    def describe(self) -> str:
        """The scalar in words."""
        return f"the scalar {self.argument}"


class NumberArray:
    """An aclIntArray, aclFloatArray or aclBoolArray."""

    __slots__ = ("argument", "handle")

    def __init__(self, values: Sequence[Any]) -> None:
        self.handle = 0
        self.argument = tuple(values)

    @property
    def key(self) -> tuple[Any, ...]:
        """What the plan of an operator depends on: its values."""
        return self.argument

    def describe(self) -> str:
        """The array in words."""
        return f"the array {list(self.argument)}"


class ObjectList:
    """An aclTensorList or aclScalarList: it owns its elements. NULL among them is None."""

    __slots__ = ("argument", "elements", "handle", "key")

    def __init__(self, elements: Sequence[TensorView | Scalar | None]) -> None:
        self.handle = 0
        self.elements = tuple(elements)
        self.key = tuple(None if thing is None else thing.key for thing in self.elements)
        self.argument = [None if thing is None else thing.argument for thing in self.elements]

    def describe(self) -> str:
        """The list in words."""
        return f"the list of {len(self.elements)}"


def contiguous(dims: Sequence[int]) -> tuple[int, ...]:
    """The strides of a tensor in C order."""
    strides = [1] * len(dims)
    for i in range(len(dims) - 2, -1, -1):
        strides[i] = strides[i + 1] * dims[i + 1]
    return tuple(strides)


def scalar_of(data_type: int, data: bytes) -> Scalar:
    """The scalar whose value has these bytes. Raises ValueError for a type that no operator computes with."""
    element = element_type(data_type)
    if element is None:
        raise ValueError(f"data type {data_type} is not modelled")
    found = np.frombuffer(data, element.carrier, 1)
    return Scalar(data_type, (element.widen(found) if element.widen is not None else found)[0].item())
