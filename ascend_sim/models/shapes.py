"""Shapes and sizes of a model's inputs and outputs: fixed, by gear, or as wide as their ranges (``aclmdl.md`` 3)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from ascend_sim.om.description import Gears, ModelDescription, TensorDescription
from ascend_sim.runtime.data_types import element_bytes

__all__ = [
    "GEAR_INPUT", "all_inputs", "gear_index", "gear_width", "input_dims", "largest_gear", "open_dims", "output_dims",
    "size_of", "sizes",
]  # fmt: skip

GEAR_INPUT: Final = "ascend_mbatch_shape_data"
"""The name of the input through which the value of the gear travels (ACL_DYNAMIC_TENSOR_NAME)."""
INT32: Final = 3
ND: Final = 2

Dims = tuple[int, ...]


def gear_width(gears: Gears) -> int:
    """How many numbers a gear has."""
    return len(gears.choices[0])


def all_inputs(description: ModelDescription) -> tuple[TensorDescription, ...]:
    """The inputs, and the one of the gear behind them when there are gears."""
    gears = description.gears
    if gears is None or any(t.name == GEAR_INPUT for t in description.inputs):
        return description.inputs
    return (*description.inputs, TensorDescription(GEAR_INPUT, INT32, (gear_width(gears),), ND))


def gear_index(description: ModelDescription) -> int:
    """Where the input of the gear stands; -1 without gears."""
    names = [t.name for t in all_inputs(description)]
    return names.index(GEAR_INPUT) if GEAR_INPUT in names else -1


def _filled(dims: Sequence[int], numbers: Iterator[int]) -> Dims:
    return tuple(next(numbers, 1) if dim < 0 else dim for dim in dims)


def open_dims(description: ModelDescription) -> list[int]:
    """The dims of all inputs but the gear's own, one after the other, open ones as -1."""
    return [dim for t in description.inputs if t.name != GEAR_INPUT for dim in t.dims]


def _numbers(gears: Gears, gear: Sequence[int], count: int) -> Iterator[int]:
    """The numbers for *count* open dims of one tensor."""
    if gears.kind == "batch":
        return iter([gear[0]] * count)
    return iter(gear)


def input_dims(description: ModelDescription, gear: Sequence[int] | None) -> list[Dims]:
    """The dims of each input in this gear; open ones stay open without one."""
    gears = description.gears
    if gears is None or gear is None:
        return [t.dims for t in all_inputs(description)]
    shared = iter(gear)  # gears of dims name the open dims of all inputs in order
    made = []
    for t in all_inputs(description):
        numbers = shared if gears.kind == "dims" else _numbers(gears, gear, len(t.dims))
        made.append(t.dims if t.name == GEAR_INPUT else _filled(t.dims, numbers))
    return made


def output_dims(description: ModelDescription, gear: Sequence[int] | None) -> list[Dims]:
    """The dims of each output in this gear."""
    gears = description.gears
    if gears is None or gear is None:
        return [t.dims for t in description.outputs]
    if gears.outputs:
        return list(gears.outputs[gears.choices.index(tuple(gear))])
    return [_filled(t.dims, _numbers(gears, gear, len(t.dims))) for t in description.outputs]


def size_of(data_type: int, dims: Sequence[int]) -> int:
    """Bytes of a tensor without open dims."""
    return math.prod(dims) * element_bytes(data_type)


def largest_gear(description: ModelDescription) -> Dims | None:
    """The gear with the largest inputs, which is what the model says of itself; None without gears."""
    gears = description.gears
    if gears is None:
        return None
    types = [t.data_type for t in all_inputs(description)]

    def total(choice: Dims) -> int:
        return sum(size_of(t, dims) for t, dims in zip(types, input_dims(description, choice), strict=True))

    return max(gears.choices, key=total)


def _widest(tensor: TensorDescription) -> int:
    """Bytes with every open dim at the end of its range; 0 when one has no end (M2:426-458)."""
    dims = []
    for i, dim in enumerate(tensor.dims):
        if dim >= 0:
            dims.append(dim)
        elif i < len(tensor.ranges) and tensor.ranges[i][1] >= 0:
            dims.append(tensor.ranges[i][1])
        else:
            return 0
    return size_of(tensor.data_type, dims)


def sizes(description: ModelDescription, outputs: bool) -> list[int]:
    """The size that the model says of each output, or input: of its largest gear, or by the ends of its ranges."""
    tensors = description.outputs if outputs else all_inputs(description)
    gear = largest_gear(description)
    if gear is None:
        return [_widest(t) for t in tensors]
    dims = output_dims(description, gear) if outputs else input_dims(description, gear)
    return [size_of(t.data_type, d) if min(d, default=0) >= 0 else 0 for t, d in zip(tensors, dims, strict=True)]
