"""Preprocessing of a loaded model: what it says of an input, and settings for a run.

See docs/semantics/models.md#image-preprocessing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ascend_sim.constants.errors import (
    ACL_ERROR_GE_AIPP_NOT_EXIST,
    ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID,
    ACL_ERROR_GE_FAILURE,
    ACL_ERROR_INTERNAL_ERROR,
    ACL_ERROR_INVALID_PARAM,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.data_types import element_bytes
from ascend_sim.models.aipp_parameters import Parameters, check, data_bytes, output_size
from ascend_sim.models.descs import MOST
from ascend_sim.models.device_writes import put
from ascend_sim.models.registry import ModelRegistry
from ascend_sim.models.shapes import NCHW, Dims, all_inputs, data_input_of, input_dims

if TYPE_CHECKING:
    from ascend_sim.models.datasets import Dataset
    from ascend_sim.models.model import Model
    from ascend_sim.om import TensorDescription
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["input_of", "network_shapes", "set_by_input", "set_settings", "type_of"]

WITHOUT, STATIC, DYNAMIC, SETTINGS = 0, 1, 2, 3
"""The members of aclmdlInputAippType."""
NO_INDEX: Final = 0xFFFF_FFFF


def input_of(t: ThreadState, number: int, index: int) -> tuple[Model, TensorDescription]:
    """The model and one input. Raises AclError 145001, 145003, 100000 behind the end."""
    model = t.sim.part(ModelRegistry).get_static(t, number)
    listed = all_inputs(model.description)
    if index >= len(listed):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: {model.describe()} has {len(listed)} inputs", "acl")
    return model, listed[index]


def _settings_of(model: Model, name: str) -> TensorDescription | None:
    """The input whose settings travel in the input *name*."""
    for said in model.description.inputs if name else ():
        if data_input_of(model.description, said) == name:
            return said
    return None


def type_of(model: Model, said: TensorDescription) -> tuple[int, int]:
    """An aclmdlInputAippType, and the index of the input with the settings of a dynamic one."""
    if _settings_of(model, said.name) is not None:
        return SETTINGS, NO_INDEX
    if said.aipp is None:
        return WITHOUT, NO_INDEX
    if said.aipp.is_static:
        return STATIC, NO_INDEX
    names = [one.name for one in all_inputs(model.description)]
    return DYNAMIC, names.index(data_input_of(model.description, said))


def network_shapes(model: Model, said: TensorDescription) -> list[tuple[Dims, int]]:
    """Dims and bytes of what the network takes, in every gear, in their order (one without gears).

    Raises AclError 145015 for an input without preprocessing, 500002 for more gears than a struct holds.
    """
    if said.aipp is None:
        raise AclError(ACL_ERROR_GE_AIPP_NOT_EXIST, f"input {said.name!r} of {model.describe()} has no AIPP", "acl")
    description = model.description
    index = [one.name for one in all_inputs(description)].index(said.name)
    gears = description.gears.choices if description.gears is not None else (None,)
    if len(gears) > MOST:
        raise AclError(ACL_ERROR_GE_FAILURE, f"{model.describe()} has {len(gears)} gears, {MOST} fit", "acl")
    found = []
    for gear in gears:
        dims = input_dims(description, gear)[index]
        size = element_bytes(said.data_type)
        for dim in dims:
            size *= max(dim, 0)
        found.append((dims, size))
    return found


def set_by_input(t: ThreadState, number: int, dataset: Dataset | None, index: int, given: Parameters) -> None:
    """aclmdlSetAIPPByInputIndex behind its NULL test of the settings.

    Raises AclError 100000 (dataset, index), 145001, 145003, 500000 (no dynamic AIPP), and as `set_settings`.
    """
    if dataset is None or index >= len(dataset.entries):
        count = 0 if dataset is None else len(dataset.entries)
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: the dataset has {count} buffers", "acl")
    model, said = input_of(t, number, index)
    kind, where = type_of(model, said)
    if kind != DYNAMIC:
        raise AclError(
            ACL_ERROR_INTERNAL_ERROR, f"input {index} ({said.name}) of {model.describe()} has no dynamic AIPP", "acl"
        )
    set_settings(t, number, dataset, where, given)


def set_settings(t: ThreadState, number: int, dataset: Dataset, index: int, given: Parameters) -> None:
    """aclmdlSetInputAIPP behind its NULL tests: the settings go to the device, where the next run reads them.

    Raises AclError 145001, 145003, 100000 (index, settings that do not fit, no buffer), 145012 (its length), and as a
    copy to the device.
    """
    model, said = input_of(t, number, index)
    image = _settings_of(model, said.name)
    if image is None:
        text = f"input {index} ({said.name}) of {model.describe()} does not carry settings of AIPP"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    _check_source(model, image, given)
    _check_output(t, model, image, given)
    check(given, t.sim.profile.npu_arch)
    buffer = dataset.buffer(t, index)
    if buffer is None or not buffer.address:
        missing = "no data buffer" if buffer is None else "no address"
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index {index} of {dataset.describe()} has {missing}", "acl")
    needed = data_bytes(len(given.images))
    if buffer.size < needed:
        text = f"the buffer has {buffer.size} bytes, the settings of {len(given.images)} images {needed}"
        raise AclError(ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID, text, "acl")
    put(t, buffer.address, given.pack())


def _check_source(model: Model, image: TensorDescription, given: Parameters) -> None:
    most = image.aipp.max_src_image_size if image.aipp is not None else 0
    if most and given.source_bytes > most:
        text = f"{len(given.images)} images of {given.width} x {given.height} have {given.source_bytes} bytes"
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"{text}: {model.describe()} takes {most} at most (max_src_image_size)", "acl"
        )


def _check_output(t: ThreadState, model: Model, image: TensorDescription, given: Parameters) -> None:
    """What becomes of the images is what the network takes, of the largest gear; models with ranges are not compared."""
    if model.is_dynamic:
        return
    width, height = output_size(given, 0, t.sim.profile.npu_arch)
    dims, _ = max(network_shapes(model, image), key=lambda shape: shape[1])
    batch, rows, columns = (dims[0], dims[2], dims[3]) if image.format == NCHW else dims[:3]
    if (len(given.images), width, height) != (batch, columns, rows):
        text = f"the settings make {len(given.images)} images of {width} x {height}"
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"{text}: {model.describe()} takes {batch} of {columns} x {rows}", "acl"
        )
