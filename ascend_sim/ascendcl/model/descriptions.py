"""Models: descriptions (docs/semantics/models.md#descriptions)."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.structs import aclmdlBatch, aclmdlHW, aclmdlIODims, aclmdlIODimsRange
from ascend_sim.constants.errors import (
    ACL_ERROR_API_NOT_SUPPORT,
    ACL_ERROR_FAILURE,
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_STORAGE_OVER_LIMIT,
)
from ascend_sim.errors import AclError
from ascend_sim.models.descs import ANY_INDEX, MOST, Desc, desc_of_model
from ascend_sim.models.loading import describe, from_file, from_memory
from ascend_sim.models.model import DYNAMIC
from ascend_sim.models.registry import ModelRegistry, check_initialised
from ascend_sim.models.shapes import output_dims
from ascend_sim.om import OmFile
from ascend_sim.runtime.thread_state import ThreadState

UNDEFINED = -1
ORIGINAL_NAMES = "_datadump_original_op_names"


@api("aclmdlCreateDesc")
def create_desc(t: ThreadState) -> int:
    """A description of no model yet; aclmdlGetDesc fills it."""
    made = Desc()
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclmdlDestroyDesc")
def destroy_desc(t: ThreadState, handle: int) -> None:
    """Destroy a description of aclmdlCreateDesc. Codes: 100000 NULL."""
    t.sim.drop_handle(desc_of_model(t, handle).handle)


@api("aclmdlGetDesc")
def get_desc(t: ThreadState, handle: int, number: int) -> None:
    """Describe a loaded model; a failure leaves the description empty.

    Codes: 100000 NULL; 145001 (static models); 145003 unknown.
    """
    desc = desc_of_model(t, handle)
    desc.clear()
    model = t.sim.part(ModelRegistry).get_static(t, number)
    desc.fill(model.description, number)


def _fill(desc: Desc, file: OmFile) -> None:
    desc.fill(file.models[0], 0)


@api("aclmdlGetDescFromFile")
def get_desc_from_file(t: ThreadState, handle: int, path: str | None) -> None:
    """Describe a model without loading it. Codes: 100000 NULL; 145002; 145006."""
    desc = desc_of_model(t, handle)
    desc.clear()
    _fill(desc, describe(t, from_file(t, path)))


@api("aclmdlGetDescFromMem")
def get_desc_from_mem(t: ThreadState, handle: int, model: int, size: int) -> None:
    """Describe a model in host memory. Codes: 100000 NULL or 0; 145006."""
    desc = desc_of_model(t, handle)
    desc.clear()
    _fill(desc, describe(t, from_memory(t, model, size)))


# -- numbers, sizes, names, types -------------------------------------------------------------------------------------


@api("aclmdlGetNumInputs")
def get_num_inputs(t: ThreadState, handle: int) -> int:
    """How many inputs, the one of the gear included; 0 for NULL."""
    return len(desc_of_model(t, handle).inputs)


@api("aclmdlGetNumOutputs")
def get_num_outputs(t: ThreadState, handle: int) -> int:
    """How many outputs; 0 for NULL."""
    return len(desc_of_model(t, handle).outputs)


def _size(t: ThreadState, handle: int, index: int, outputs: bool) -> int:
    desc = desc_of_model(t, handle)
    desc.tensor(outputs, index)
    return desc.sizes[outputs][index]


@api("aclmdlGetInputSizeByIndex")
def get_input_size_by_index(t: ThreadState, handle: int, index: int) -> int:
    """Bytes: of the largest gear, or at the ends of the ranges, 0 when one has no end; 0 for NULL, behind the end."""
    return _size(t, handle, index, False)


@api("aclmdlGetOutputSizeByIndex")
def get_output_size_by_index(t: ThreadState, handle: int, index: int) -> int:
    """Bytes of an output, as aclmdlGetInputSizeByIndex counts them."""
    return _size(t, handle, index, True)


@api("aclmdlGetInputNameByIndex")
def get_input_name_by_index(t: ThreadState, handle: int, index: int) -> str:
    """The name; empty for NULL and behind the end."""
    return _or_empty(t, handle, index, False)


@api("aclmdlGetOutputNameByIndex")
def get_output_name_by_index(t: ThreadState, handle: int, index: int) -> str:
    """The name of an output; empty for NULL and behind the end."""
    return _or_empty(t, handle, index, True)


def _or_empty(t: ThreadState, handle: int, index: int, outputs: bool) -> str:
    try:
        return desc_of_model(t, handle).tensor(outputs, index).name
    except AclError as error:
        raise AclError(error.code, error.reason, error.layer, ("",)) from None


def _number(t: ThreadState, handle: int, index: int, outputs: bool, field: str) -> int:
    try:
        return int(getattr(desc_of_model(t, handle).tensor(outputs, index), field))
    except AclError as error:
        raise AclError(error.code, error.reason, error.layer, (UNDEFINED,)) from None


@api("aclmdlGetInputFormat")
def get_input_format(t: ThreadState, handle: int, index: int) -> int:
    """The format; -1 for NULL and behind the end."""
    return _number(t, handle, index, False, "format")


@api("aclmdlGetOutputFormat")
def get_output_format(t: ThreadState, handle: int, index: int) -> int:
    """The format of an output; -1 for NULL and behind the end."""
    return _number(t, handle, index, True, "format")


@api("aclmdlGetInputDataType")
def get_input_data_type(t: ThreadState, handle: int, index: int) -> int:
    """The data type; -1 for NULL and behind the end."""
    return _number(t, handle, index, False, "data_type")


@api("aclmdlGetOutputDataType")
def get_output_data_type(t: ThreadState, handle: int, index: int) -> int:
    """The data type of an output; -1 for NULL and behind the end."""
    return _number(t, handle, index, True, "data_type")


@api("aclmdlGetInputIndexByName")
def get_input_index_by_name(t: ThreadState, handle: int, name: str | None) -> int:
    """The index of an input. Codes: 100000 NULL, unknown."""
    return _index(t, handle, name, False)


@api("aclmdlGetOutputIndexByName")
def get_output_index_by_name(t: ThreadState, handle: int, name: str | None) -> int:
    """The index of an output. Codes: 100000 NULL, unknown."""
    return _index(t, handle, name, True)


def _index(t: ThreadState, handle: int, name: str | None, outputs: bool) -> int:
    desc = desc_of_model(t, handle)
    require(name, "name")
    assert name is not None
    return desc.index_of(outputs, name)


@api("aclmdlGetTensorRealName")
def get_tensor_real_name(t: ThreadState, handle: int, name: str | None) -> str | None:
    """The name behind one that aclmdlGet*Dims replaced because it was too long; NULL for NULL and unknown ones."""
    desc = desc_of_model(t, handle)
    require(name, "name")
    return desc.real_name(name or "")


@api("aclmdlGetOpAttr")
def get_op_attr(t: ThreadState, handle: int, op_name: str | None, attribute: str | None) -> str | None:
    """The original names of an operator (``_datadump_original_op_names``, the only attribute); NULL for all else."""
    desc = desc_of_model(t, handle)
    require(op_name, "opName")
    require(attribute, "attr")
    known = desc.model.attributes.get("original_op_names") if desc.model is not None else None
    if attribute != ORIGINAL_NAMES or not isinstance(known, dict):
        return None
    found = known.get(op_name)
    return found if isinstance(found, str) else None


# -- dims -------------------------------------------------------------------------------------------------------------


def _dims(desc: Desc, outputs: bool, index: int, packed: bool = False) -> aclmdlIODims:
    dims = desc.packed_dims(index) if packed else desc.dims(outputs, index)
    if len(dims) > MOST:
        raise AclError(ACL_ERROR_STORAGE_OVER_LIMIT, f"there are {len(dims)} dims, {MOST} fit", "acl")
    return aclmdlIODims(desc.alias(outputs, index), len(dims), list(dims))


@api("aclmdlGetInputDims")
def get_input_dims(t: ThreadState, handle: int, index: int) -> aclmdlIODims:
    """Dims, open ones -1; a name of 128 characters or more is replaced. Codes: 100000 NULL, behind the end, 300000."""
    return _dims(desc_of_model(t, handle), False, index)


@api("aclmdlGetInputDimsV2")
def get_input_dims_v2(t: ThreadState, handle: int, index: int) -> aclmdlIODims:
    """Dims of an input; of images for static preprocessing (AIPP) their product is the size: YUV420SP has 1.5 H rows.

    Codes: as aclmdlGetInputDims.
    """
    return _dims(desc_of_model(t, handle), False, index, packed=True)


@api("aclmdlGetOutputDims")
def get_output_dims(t: ThreadState, handle: int, index: int) -> aclmdlIODims:
    """Dims of an output, with gears of the largest one. Codes: as aclmdlGetInputDims."""
    return _dims(desc_of_model(t, handle), True, index)


@api("aclmdlGetInputDimsRange")
def get_input_dims_range(t: ThreadState, handle: int, index: int) -> aclmdlIODimsRange:
    """[least, most] of each dim; none for a model with gears, whatever the index.

    Codes: 100000 NULL, behind the end; 500000 another number of ranges than of dims, or more than 128.
    """
    desc = desc_of_model(t, handle)
    if desc.has_gears():
        return aclmdlIODimsRange()
    ranges = desc.ranges(index)
    return aclmdlIODimsRange(len(ranges), [list(pair) for pair in ranges])


@api("aclmdlGetCurOutputDims")
def get_cur_output_dims(t: ThreadState, handle: int, index: int) -> aclmdlIODims:
    """Dims of an output in the gear that the model remembers; else as aclmdlGetOutputDims.

    Codes: 100000 NULL, behind the end; 200001 a dynamic model; 145001, 145003 the model is not loaded.
    """
    desc = desc_of_model(t, handle)
    known = t.sim.part(ModelRegistry).loaded.get(desc.number)
    if known is not None and known.executor == DYNAMIC:
        raise AclError(
            ACL_ERROR_API_NOT_SUPPORT,
            f"{known.describe()} is dynamic: look at the descriptors of the output dataset",
            "acl",
        )
    desc.tensor(True, index)
    check_initialised(t)
    model = t.sim.part(ModelRegistry).get(desc.number)
    if model.gear is None:
        return _dims(desc, True, index)
    dims = output_dims(model.description, model.gear)[index]
    return aclmdlIODims(desc.alias(True, index), len(dims), list(dims))


# -- gears ------------------------------------------------------------------------------------------------------------


@api("aclmdlGetDynamicBatch")
def get_dynamic_batch(t: ThreadState, handle: int) -> aclmdlBatch:
    """The batch gears; none without. Codes: 100000 NULL, 300000 more than 128."""
    gears = desc_of_model(t, handle).gears("batch")
    return aclmdlBatch(len(gears), [gear[0] for gear in gears])


@api("aclmdlGetDynamicHW")
def get_dynamic_hw(t: ThreadState, handle: int, index: int) -> aclmdlHW:
    """The gears of height and width; *index* is not looked at. Codes: 100000 NULL, 300000 more than 128."""
    gears = desc_of_model(t, handle).gears("hw")
    return aclmdlHW(len(gears), [list(gear) for gear in gears])


def _any_index(index: int) -> None:
    if index != ANY_INDEX:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: (size_t)-1 is required", "acl")


@api("aclmdlGetInputDynamicGearCount")
def get_input_dynamic_gear_count(t: ThreadState, handle: int, index: int) -> int:
    """How many gears of dims. Codes: 100000 NULL or another index than (size_t)-1, 300000 more than 128."""
    desc = desc_of_model(t, handle)
    _any_index(index)
    return len(desc.gears("dims"))


@api("aclmdlGetInputDynamicDims")
def get_input_dynamic_dims(t: ThreadState, handle: int, index: int, count: int) -> list[aclmdlIODims]:
    """The dims of all inputs for each gear. Codes: 100000 NULL, index, too few places; 500001 over 128 dims."""
    desc = desc_of_model(t, handle)
    _any_index(index)
    gears = desc.gears("dims")
    if count < len(gears):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"gearCount is {count}: there are {len(gears)} gears", "acl")
    made = []
    for gear in gears:
        dims = desc.gear_dims(gear)
        if len(dims) > MOST:
            raise AclError(ACL_ERROR_FAILURE, f"all inputs together have {len(dims)} dims, {MOST} fit", "acl")
        made.append(aclmdlIODims("", len(dims), dims))
    return made
