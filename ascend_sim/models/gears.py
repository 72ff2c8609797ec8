"""Choosing a gear of a static model, with the effects that the real calls have before they fail.

The order of effects is that of docs/semantics/models.md#gears: batch and image size change the dataset first, dims
change it last; the model remembers a gear even when its value cannot be written. Models of the OM2 kind differ.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID,
    ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID,
    ACL_ERROR_GE_EXEC_MODEL_ID_INVALID,
    ACL_ERROR_INVALID_PARAM,
)
from ascend_sim.errors import AclError
from ascend_sim.models.device_writes import put
from ascend_sim.models.model import DYNAMIC, OM2, Model
from ascend_sim.models.registry import ModelRegistry
from ascend_sim.models.shapes import Dims, gear_width, open_dims

if TYPE_CHECKING:
    from ascend_sim.models.datasets import Dataset
    from ascend_sim.runtime.tensors.descriptors import DataBuffer
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["set_batch_or_size", "set_dims"]


def _buffer(t: ThreadState, dataset: Dataset, index: int) -> DataBuffer:
    buffer = dataset.buffer(t, index)
    if buffer is None or not buffer.address:
        missing = "no data buffer" if buffer is None else "no address"
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index {index} of {dataset.describe()} has {missing}", "acl")
    return buffer


def _write(t: ThreadState, buffer: DataBuffer, values: Sequence[int]) -> None:
    """Write *values* to the device, 8 bytes wide when there is room, else 4. Raises AclError as a copy does."""
    wide = buffer.size >= 8 * len(values)
    mask = (1 << (64 if wide else 32)) - 1
    put(t, buffer.address, struct.pack(f"<{len(values)}{'Q' if wide else 'I'}", *(value & mask for value in values)))


def _of_kind(model: Model, kind: str, choice: Dims) -> bool:
    gears = model.description.gears
    return gears is not None and gears.kind == kind and choice in gears.choices


def _no_gear(model: Model, choice: Sequence[int]) -> AclError:
    gears = model.description.gears
    known = "it has none" if gears is None else f"it has {gears.kind} gears {[list(c) for c in gears.choices]}"
    return AclError(
        ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID, f"{list(choice)} is no gear of {model.describe()}: {known}", "acl"
    )


def set_batch_or_size(
    t: ThreadState, number: int, dataset: Dataset, index: int, kind: str, choice: tuple[int, ...]
) -> None:
    """aclmdlSetDynamicBatchSize (*kind* ``"batch"``) and aclmdlSetDynamicHWSize (``"hw"``) behind their NULL tests.

    Raises AclError 100000 (zero, no buffer), 145012 (its length), 145003, 145013, and as a copy to the device.
    """
    if not all(choice):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{list(choice)} has a zero", "acl")
    buffer = _buffer(t, dataset, index)
    model = t.sim.part(ModelRegistry).loaded.get(number)
    if model is not None and model.executor == OM2:
        if not _of_kind(model, kind, choice):
            raise _no_gear(model, choice)
        model.gear = choice  # switched before the length is looked at (M2:1347-1361)
        _check_length(buffer, len(choice))
        _note(dataset, choice)
        _write(t, buffer, choice)
        return
    _note(dataset, choice)
    _check_length(buffer, len(choice))
    if model is None or model.executor == DYNAMIC:
        raise AclError(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, f"model id {number} is no static model", "acl")
    if not _of_kind(model, kind, choice):
        raise _no_gear(model, choice)
    model.gear = choice
    _write(t, buffer, choice)


def _note(dataset: Dataset, choice: tuple[int, ...]) -> None:
    dataset.clear_gear()
    if len(choice) == 1:
        dataset.batch = choice[0]
    else:
        dataset.height, dataset.width = choice


def _check_length(buffer: DataBuffer, count: int) -> None:
    if buffer.size < 4 * count:
        raise AclError(
            ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID,
            f"the buffer has {buffer.size} bytes: {4 * count} or more are required",
            "acl",
        )


def set_dims(t: ThreadState, number: int, dataset: Dataset, index: int, dims: list[int]) -> None:
    """aclmdlSetInputDynamicDims behind its NULL tests.

    Raises AclError 100000 (no buffer; OM2: a wrong count), 145001, 145003, 145012, 145013, and as a copy to the device.
    """
    buffer = _buffer(t, dataset, index)
    model = t.sim.part(ModelRegistry).loaded.get(number)
    zipped = model is not None and model.executor == OM2
    if not zipped:
        dataset.clear_gear()
        model = t.sim.part(ModelRegistry).get_static(t, number)
    assert model is not None
    if model.executor == DYNAMIC:
        raise AclError(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, f"model id {number} is no static model", "acl")
    wanted = open_dims(model.description)
    if len(dims) != len(wanted) or (zipped and not any(dim < 0 for dim in wanted)):
        text = f"{len(dims)} dims are given: the inputs of {model.describe()} have {wanted}"
        raise AclError(ACL_ERROR_INVALID_PARAM if zipped else ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID, text, "acl")
    if not zipped and any(said not in (dim, -1) for said, dim in zip(wanted, dims, strict=True)):
        raise AclError(
            ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID,
            f"dims are {dims}: the inputs of {model.describe()} have {wanted}",
            "acl",
        )
    choice = tuple(dim for said, dim in zip(wanted, dims, strict=True) if said < 0)
    if not _of_kind(model, "dims", choice):
        raise _no_gear(model, choice)
    model.gear = choice
    assert model.description.gears is not None
    _check_length(buffer, gear_width(model.description.gears))
    _write(t, buffer, choice)
    if not zipped:
        dataset.dims = tuple(dims)
