"""What aclnn operators get: tensors that are views of memory, scalars, arrays and lists of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ascend_sim.machine.data_types import numpy_type

__all__ = ["NumberArray", "ObjectList", "Scalar", "TensorView"]


class TensorView:
    """An aclTensor: shape, strides and offset (in elements) upon storage that begins at *address*."""

    __slots__ = ("address", "data_type", "dims", "format", "handle", "offset", "storage_dims", "strides")

    def __init__(
        self, dims: Sequence[int], data_type: int, strides: Sequence[int] | None, offset: int, format_: int,
        storage_dims: Sequence[int], address: int,
    ) -> None:  # fmt: skip
        self.handle = 0
        self.dims = tuple(dims)
        self.data_type = data_type
        self.strides = tuple(strides) if strides is not None else contiguous(dims)
        self.offset = offset
        self.format = format_
        self.storage_dims = tuple(storage_dims)
        self.address = address

    @property
    def type(self) -> np.dtype[Any]:
        """The type of its elements in numpy. Raises ValueError for one that numpy has not."""
        return numpy_type(self.data_type)

    def extent(self) -> tuple[int, int]:
        """The first byte that the view reaches, from the storage's beginning, and how many from there on."""
        low = high = self.offset
        for size, stride in zip(self.dims, self.strides, strict=True):
            if not size:
                return 0, 0
            low += min(0, (size - 1) * stride)
            high += max(0, (size - 1) * stride)
        width = self.type.itemsize
        return low * width, (high + 1 - low) * width

    def describe(self) -> str:
        """The tensor in words."""
        return f"the tensor of {self.type} {list(self.dims)}"


class Scalar:
    """An aclScalar."""

    __slots__ = ("data_type", "handle", "value")

    def __init__(self, data_type: int, data: bytes) -> None:
        self.handle = 0
        self.data_type = data_type
        self.value = np.frombuffer(data, numpy_type(data_type))[0]

    def describe(self) -> str:
        """The scalar in words."""
        return f"the scalar {self.value}"


class NumberArray:
    """An aclIntArray, aclFloatArray or aclBoolArray."""

    __slots__ = ("handle", "values")

    def __init__(self, values: Sequence[Any]) -> None:
        self.handle = 0
        self.values = tuple(values)

    def describe(self) -> str:
        """The array in words."""
        return f"the array {list(self.values)}"


class ObjectList:
    """An aclTensorList or aclScalarList: it owns its elements."""

    __slots__ = ("elements", "handle")

    def __init__(self, elements: Sequence[TensorView | Scalar]) -> None:
        self.handle = 0
        self.elements = tuple(elements)

    def describe(self) -> str:
        """The list in words."""
        return f"the list of {len(self.elements)}"


def contiguous(dims: Sequence[int]) -> tuple[int, ...]:
    """The strides of a tensor in C order."""
    strides = [1] * len(dims)
    for i in range(len(dims) - 2, -1, -1):
        strides[i] = strides[i + 1] * dims[i + 1]
    return tuple(strides)
