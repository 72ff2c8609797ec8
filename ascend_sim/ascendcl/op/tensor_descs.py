"""Tensor descriptors: type, format and shape of what operators and models take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.arguments import integers, peek
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.types import ACL_UNKNOWN_RANK
from ascend_sim.errors import AclError
from ascend_sim.runtime.tensors.descriptors import UNKNOWN_RANK, TensorDesc, desc_of, required
from ascend_sim.runtime.tensors.formats import transformed_shape
from ascend_sim.runtime.thread_state import ThreadState

NO_DIM = -1
UNDEFINED = -1
"""ACL_DT_UNDEFINED and ACL_FORMAT_UNDEFINED."""


def signed(value: int) -> int:
    """*value*, 64 bits, as an int64."""
    return value - (1 << 64) if value >> 63 else value


def _dims(value: Any, count: int) -> list[int]:
    return [signed(dim) for dim in integers(value, count, "dims")] if count > 0 else []


def _pairs(value: Any, count: int, what: str) -> list[tuple[int, int]]:
    """*count* pairs [low, high]: nested, or flat as they lie in memory."""
    if not count:
        return []
    if value is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} is NULL, {count} pairs are announced", "acl")
    flat = value
    if isinstance(value, Sequence) and value and isinstance(value[0], (Sequence, range)):
        flat = []
        for pair in value[:count]:
            flat.extend(integers(pair, 2, what))
    numbers = [signed(number) for number in integers(flat, 2 * count, what)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _checked(t: ThreadState, handle: int, *failure: Any) -> TensorDesc:
    return required(t, handle, TensorDesc, "tensor descriptor", "desc", failure or None)


# -- life and what it was made with -----------------------------------------------------------------------------------


@api("aclCreateTensorDesc")
def create_tensor_desc(t: ThreadState, data_type: int, count: int, dims: Any, format_: int) -> int:
    """A descriptor of a tensor with *count* dims; without dims it is a scalar. 0 when it cannot be made.

    That is with a negative *count*, or without *dims* while *count* is larger than 0. Types and formats are not looked
    at.
    """
    if count < 0:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"numDims is {count}: 0 or more is required", "acl")
    if count > 0 and dims is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"dims is NULL, numDims is {count}", "acl")
    return _new(t, TensorDesc(data_type, _dims(dims, count), format_))


def _new(t: ThreadState, desc: TensorDesc) -> int:
    desc.handle = t.sim.new_handle(desc)
    return desc.handle


@api("aclDestroyTensorDesc")
def destroy_tensor_desc(t: ThreadState, handle: int) -> None:
    """Destroy a tensor descriptor, or a whole array by its first one; NULL is allowed."""
    desc = desc_of(t, handle)
    if desc is not None:
        for one in desc.array[1:]:
            t.sim.drop_handle(one.handle)
        t.sim.drop_handle(handle)


@api("aclGetTensorDescType")
def get_tensor_desc_type(t: ThreadState, handle: int) -> int:
    """The data type; -1 for NULL."""
    return _checked(t, handle, UNDEFINED).data_type


@api("aclGetTensorDescFormat")
def get_tensor_desc_format(t: ThreadState, handle: int) -> int:
    """The format of the original tensor; -1 for NULL."""
    return _checked(t, handle, UNDEFINED).format


@api("aclGetTensorDescElementCount")
def get_tensor_desc_element_count(t: ThreadState, handle: int) -> int:
    """The number of elements: 1 for a scalar, 0 for NULL, unknown dims, and what does not fit in 64 bits."""
    return _checked(t, handle).elements


@api("aclGetTensorDescSize")
def get_tensor_desc_size(t: ThreadState, handle: int) -> int:
    """Bytes, with aclDataTypeSize for each element; 0 like the number of elements."""
    return _checked(t, handle).bytes


@api("aclGetTensorDescNumDims")
def get_tensor_desc_num_dims(t: ThreadState, handle: int) -> int:
    """The number of dims; 0xFFFFFFFFFFFFFFFE (ACL_UNKNOWN_RANK) when it is unknown, 0 for NULL."""
    dims = _checked(t, handle).dims
    return ACL_UNKNOWN_RANK if dims and dims[0] == UNKNOWN_RANK else len(dims)


def _dim(desc: TensorDesc, index: int, *failure: int) -> int:
    if index >= len(desc.dims):
        raise AclError(
            ACL_ERROR_INVALID_PARAM,
            f"index is {index}: {desc.describe()} has {len(desc.dims)} dims",
            "acl",
            failure or None,
        )
    return desc.dims[index]


@api("aclGetTensorDescDim")
def get_tensor_desc_dim(t: ThreadState, handle: int, index: int) -> int:
    """One dim, the first has index 0; -1 for NULL and behind the last one, which is what a dynamic dim gives, too."""
    return _dim(_checked(t, handle, NO_DIM), index, NO_DIM)


@api("aclGetTensorDescDimV2")
def get_tensor_desc_dim_v2(t: ThreadState, handle: int, index: int) -> int:
    """One dim, the first has index 0. Codes: 100000 NULL or behind the last one."""
    return _dim(_checked(t, handle), index)


@api("aclGetTensorDescByIndex")
def get_tensor_desc_by_index(t: ThreadState, handle: int, index: int) -> int:
    """The descriptor at *index* of the array that *handle* points to (aclmdlCreateAndGetOpDesc); 0 for NULL.

    A descriptor of aclCreateTensorDesc is an array of one. What is behind the end is undefined: a finding, and 0.
    """
    desc = _checked(t, handle)
    listed = desc.array or [desc]
    if index >= len(listed):
        title = f"aclGetTensorDescByIndex with index {index} reads behind {desc.describe()}, the first of {len(listed)}"
        t.sim.report_call(t, "undefined-use", "error", title)
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: there are {len(listed)} descriptors", "acl")
    return listed[index].handle


@api("aclGetTensorDescAddress")
def get_tensor_desc_address(t: ThreadState, handle: int) -> int:
    """The address of the tensor; only the runtime itself ever sets it. 0 for NULL."""
    return _checked(t, handle).address


@api("aclSetTensorDescName")
def set_tensor_desc_name(t: ThreadState, handle: int, name: str | None) -> None:
    """Name it; a NULL name is the empty one. A NULL descriptor: nothing happens."""
    desc = _checked(t, handle)
    desc.name = name or ""


@api("aclGetTensorDescName")
def get_tensor_desc_name(t: ThreadState, handle: int) -> str:
    """Its name, empty when it has none; also for NULL."""
    desc = desc_of(t, handle)
    return desc.name if desc is not None else ""


# -- format and shape in memory, and of the original ------------------------------------------------------------------


def _set_storage_format(t: ThreadState, handle: int, format_: int) -> None:
    desc = desc_of(t, handle)
    if desc is not None:
        desc.storage_format = format_


def _new_dims(t: ThreadState, handle: int, count: int, dims: Any) -> tuple[TensorDesc, list[int]]:
    desc = _checked(t, handle)
    if dims is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "dims is NULL", "acl")
    return desc, _dims(dims, count)


def _set_storage_shape(t: ThreadState, handle: int, count: int, dims: Any) -> None:
    desc, found = _new_dims(t, handle, count, dims)
    desc.storage_dims = found


@api("aclSetTensorStorageFormat")
def set_tensor_storage_format(t: ThreadState, handle: int, format_: int) -> None:
    """Set the format in memory, any number. Never fails: a NULL descriptor is answered with 0, too."""
    _set_storage_format(t, handle, format_)


@api("aclSetTensorFormat")
def set_tensor_format(t: ThreadState, handle: int, format_: int) -> None:
    """Another name of aclSetTensorStorageFormat."""
    _set_storage_format(t, handle, format_)


@api("aclSetTensorOriginFormat")
def set_tensor_origin_format(t: ThreadState, handle: int, format_: int) -> None:
    """Set the format of the original tensor, any number. Never fails: a NULL descriptor is answered with 0, too."""
    desc = desc_of(t, handle)
    if desc is not None:
        desc.format = format_


@api("aclSetTensorStorageShape")
def set_tensor_storage_shape(t: ThreadState, handle: int, count: int, dims: Any) -> None:
    """The dims in memory; none with a negative *count*. Codes: 100000 NULL descriptor or dims."""
    _set_storage_shape(t, handle, count, dims)


@api("aclSetTensorShape")
def set_tensor_shape(t: ThreadState, handle: int, count: int, dims: Any) -> None:
    """Another name of aclSetTensorStorageShape."""
    _set_storage_shape(t, handle, count, dims)


@api("aclSetTensorOriginShape")
def set_tensor_origin_shape(t: ThreadState, handle: int, count: int, dims: Any) -> None:
    """The dims of the original tensor; none with a negative *count*. Codes: 100000 NULL descriptor or dims."""
    desc, found = _new_dims(t, handle, count, dims)
    desc.dims = found


@api("aclTransTensorDescFormat")
def trans_tensor_desc_format(t: ThreadState, source: int, format_: int) -> int:
    """A new descriptor with the dims that the tensor has in *format_*; its format is that of the source all the same.

    Codes: 100000 NULL, 145020 no such conversion, 145021 dims that do not fit the format, 145022 a type without size.
    """
    desc = _checked(t, source)
    dims = transformed_shape(desc.dims, desc.format, format_, desc.data_type)
    return _new(t, TensorDesc(desc.data_type, dims, desc.format))


# -- what the compiler is told ----------------------------------------------------------------------------------------


@api("aclSetTensorShapeRange")
def set_tensor_shape_range(t: ThreadState, handle: int, count: int, ranges: Any) -> None:
    """[lowest, highest] of each dim, highest -1: any. Codes: 100000 NULL."""
    desc = _checked(t, handle)
    desc.shape_range = _pairs(ranges, count, "dimsRange")


@api("aclSetTensorValueRange")
def set_tensor_value_range(t: ThreadState, handle: int, count: int, ranges: Any) -> None:
    """[lowest, highest] of values that are known only when it runs. Codes: 100000 NULL."""
    desc = _checked(t, handle)
    desc.value_range = _pairs(ranges, count, "valueRange")


@api("aclGetTensorDescDimRange")
def get_tensor_desc_dim_range(t: ThreadState, handle: int, index: int, room: int) -> list[int]:
    """[lowest, highest] of a dim as aclSetTensorShapeRange set them; *room*: numbers that fit in the output.

    Codes: 100000 NULL, an index without a range, room for less than 2.
    """
    desc = _checked(t, handle)
    if index >= len(desc.shape_range):
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"index is {index}: {desc.describe()} has {len(desc.shape_range)} ranges", "acl"
        )
    if room < 2:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"dimRangeNum is {room}: 2 or more is required", "acl")
    return list(desc.shape_range[index])


@api("aclSetTensorDynamicInput")
def set_tensor_dynamic_input(t: ThreadState, handle: int, name: str | None) -> None:
    """The name of the dynamic input that it belongs to. Codes: 100000 NULL."""
    desc = _checked(t, handle)
    if name is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "dynamicInputName is NULL", "acl")
    desc.dynamic_input = name


@api("aclSetTensorConst")
def set_tensor_const(t: ThreadState, handle: int, address: int, size: int) -> None:
    """Make it a constant: *size* bytes at host *address* are copied now. Codes: 100000 NULL or size 0."""
    desc = _checked(t, handle)
    if not address:
        raise AclError(ACL_ERROR_INVALID_PARAM, "dataBuffer is NULL", "acl")
    if not size:
        raise AclError(ACL_ERROR_INVALID_PARAM, "length is 0", "acl")
    values = peek(address, size)
    if values is None:
        where = t.sim.memory.describe(address)
        title = f"aclSetTensorConst copies {size} bytes of host memory from {where}, which the host cannot read"
        t.sim.report_call(t, "undefined-use", "error", title)
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"dataBuffer is {where}: {size} bytes of host memory are required", "acl"
        )
    desc.const = values


@api("aclSetTensorPlaceMent")
def set_tensor_place_ment(t: ThreadState, handle: int, memory_type: int) -> None:
    """Where the tensor lies: 0 device, 1 host, 2 host and unknown to the compiler; not checked. Codes: 100000 NULL."""
    _checked(t, handle).placement = memory_type
