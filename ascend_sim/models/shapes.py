"""Shapes and sizes of a model's inputs and outputs: fixed, by gear, or as wide as their ranges.

See docs/semantics/models.md#descriptions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from ascend_sim.machine.data_types import element_bytes
from ascend_sim.models.aipp_parameters import data_bytes
from ascend_sim.om.aipp import image_bytes
from ascend_sim.om.description import AIPP_INPUT, GEAR_INPUT, Gears, ModelDescription, TensorDescription, dims_in_gear

__all__ = [
    "GEAR_INPUT", "all_inputs", "data_input_of", "gear_width", "input_dims", "largest_dims", "largest_gear", "largest_image",
    "open_dims", "output_dims", "size_of", "sizes",
]  # fmt: skip

INT32: Final = 3
UINT8: Final = 4
ND: Final = 2
NCHW: Final = 0
LARGEST_PIXEL: Final = 2
"""The format with the most bytes: XRGB8888_U8."""

Dims = tuple[int, ...]


def gear_width(gears: Gears) -> int:
    """How many numbers a gear has."""
    return len(gears.choices[0])


def all_inputs(description: ModelDescription) -> tuple[TensorDescription, ...]:
    """The inputs; behind them those of the gear and of dynamic preprocessing, where the model has not its own."""
    gears, made = description.gears, description.inputs
    if gears is not None and not any(t.name == GEAR_INPUT for t in made):
        made = (*made, TensorDescription(GEAR_INPUT, INT32, (gear_width(gears),), ND))
    for image in description.inputs:
        name = data_input_of(description, image)
        if name and not any(t.name == name for t in made):
            batch = image.dims[0]
            if batch < 0 and gears is not None:
                batch = max(choice[0] for choice in gears.choices) if gears.kind == "batch" else -1
            made = (*made, TensorDescription(name, UINT8, (data_bytes(batch) if batch > 0 else -1,), ND))
    return made


def data_input_of(description: ModelDescription, image: TensorDescription) -> str:
    """The name of the input with the settings for *image*; empty when it has no dynamic preprocessing."""
    if image.aipp is None or image.aipp.is_static:
        return ""
    first = next(t for t in description.inputs if t.aipp is not None and not t.aipp.is_static)
    return AIPP_INPUT if image is first else f"{AIPP_INPUT}_{image.name}_0_aipp"


def largest_image(tensor: TensorDescription, dims: Sequence[int]) -> int:
    """Bytes of the images for an input of these dims: exact when static, else the most that the model takes.

    0 when that depends on a dimension that is open.
    """
    aipp = tensor.aipp
    assert aipp is not None
    if not aipp.is_static and aipp.max_src_image_size:
        return aipp.max_src_image_size
    rows, columns = (dims[2], dims[3]) if tensor.format == NCHW else (dims[1], dims[2])
    height, width = aipp.source_size(rows, columns)
    if min(height, width, dims[0]) < 0:
        return 0
    return dims[0] * image_bytes(aipp.input_format if aipp.is_static else LARGEST_PIXEL, height, width)


def _filled(dims: Sequence[int], numbers: Iterator[int]) -> Dims:
    return tuple(next(numbers, 1) if dim < 0 else dim for dim in dims)


def open_dims(description: ModelDescription) -> list[int]:
    """The dims of all inputs but the gear's own, one after the other, open ones as -1."""
    return [dim for t in description.body_inputs for dim in t.dims]


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
    return dims_in_gear(all_inputs(description), gears.kind, gear)


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
    """The gear with the largest inputs together, in which a model runs that was told none; None without gears."""
    gears = description.gears
    if gears is None:
        return None
    listed = all_inputs(description)

    def total(choice: Dims) -> int:
        made = zip(listed, input_dims(description, choice), strict=True)
        return sum(size_of(t.data_type, dims) for t, dims in made if min(dims, default=0) >= 0)

    return max(gears.choices, key=total)


def _widest(tensor: TensorDescription) -> int:
    """Bytes with every open dim at the end of its range; 0 when one has no end (M2:426-458)."""
    dims: list[int] = []
    for i, dim in enumerate(tensor.dims):
        if dim >= 0:
            dims.append(dim)
        elif i < len(tensor.ranges) and tensor.ranges[i][1] >= 0:
            dims.append(tensor.ranges[i][1])
        elif tensor.aipp is not None:
            dims.append(-1)
        else:
            return 0
    return _bytes(tensor, dims)


def _bytes(tensor: TensorDescription, dims: Sequence[int]) -> int:
    if tensor.aipp is not None:
        return largest_image(tensor, dims)
    return size_of(tensor.data_type, dims) if min(dims, default=0) >= 0 else 0


def largest_dims(description: ModelDescription, outputs: bool) -> list[Dims]:
    """The dims of each output, or input, in the gear where this one is largest: gears need not agree on which that is.

    The compiler sizes each input and each output of the branches on its own. Open dims stay open without gears.
    """
    gears, dims_of = description.gears, output_dims if outputs else input_dims
    if gears is None:
        return dims_of(description, None)
    tensors = description.outputs if outputs else all_inputs(description)
    of_gears = [dims_of(description, choice) for choice in gears.choices]
    return [max(found, key=lambda dims, t=t: _bytes(t, dims)) for t, *found in zip(tensors, *of_gears, strict=True)]  # type: ignore[misc]


def sizes(description: ModelDescription, outputs: bool) -> list[int]:
    """The size that the model says of each output, or input: of its own largest gear, or by the ends of its ranges."""
    tensors = description.outputs if outputs else all_inputs(description)
    if description.gears is None:
        return [_widest(t) for t in tensors]
    return [_bytes(t, d) for t, d in zip(tensors, largest_dims(description, outputs), strict=True)]
