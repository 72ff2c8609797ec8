"""What makes two executions the same: operator type, descriptors and attributes, compared exactly.

See docs/semantics/operators.md#keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ascend_sim.ops.op_attributes import OpAttributes
from ascend_sim.runtime.tensors.descriptors import UNDEFINED_FORMAT, TensorDesc

__all__ = ["OpKey", "desc_key", "key_of", "same_but_shapes"]

OpKey = tuple[Any, ...]


def desc_key(desc: TensorDesc) -> tuple[Any, ...]:
    """Type, formats, dims, ranges, constant values and placement; names do not count."""
    return (*_fixed(desc), tuple(desc.dims), tuple(desc.shape_range))


def _fixed(desc: TensorDesc) -> tuple[Any, ...]:
    """All but the shape. A storage format that was never set is the format."""
    storage = desc.storage_format if desc.storage_format != UNDEFINED_FORMAT else desc.format
    return desc.data_type, desc.format, storage, desc.const, desc.placement


def key_of(
    op_type: str, inputs: Sequence[TensorDesc], outputs: Sequence[TensorDesc], attributes: OpAttributes
) -> OpKey:
    """The key of an execution."""
    return (
        op_type, tuple(desc_key(d) for d in inputs), tuple(desc_key(d) for d in outputs), attributes.key(),
    )  # fmt: skip


def same_but_shapes(wanted: TensorDesc, given: TensorDesc) -> bool:
    """Whether *given* fits a descriptor with unknown dims: all but the dims equal, each dim in its range."""
    if _fixed(wanted) != _fixed(given):
        return False
    if wanted.dims and wanted.dims[0] == -2:
        return True
    if len(wanted.dims) != len(given.dims):
        return False
    for axis, (dim, here) in enumerate(zip(wanted.dims, given.dims, strict=True)):
        if dim >= 0:
            if dim != here:
                return False
        elif axis < len(wanted.shape_range):
            low, high = wanted.shape_range[axis]
            if here < low or (high >= 0 and here > high):
                return False
    return True
