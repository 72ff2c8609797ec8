"""Chapter 25-03: data items and datasets of tensor channels (docs/semantics/queues.md#items)."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers
from ascend_sim.ascendcl.queue.parameters import needed
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.queues import ACL_TENSOR_DATA_TENSOR, ACL_TENSOR_DATA_UNDEFINED
from ascend_sim.constants.types import ACL_DT_UNDEFINED
from ascend_sim.errors import AclError
from ascend_sim.runtime.queues.tensors import DataItem, TensorDataset
from ascend_sim.runtime.thread_state import ThreadState

MOST_DIMS = 128
_SIGN, _WIDTH = 1 << 63, 1 << 64


def _item(t: ThreadState, handle: int) -> DataItem:
    return needed(t, handle, DataItem, "data item")


def _dataset(t: ThreadState, handle: int) -> TensorDataset:
    return needed(t, handle, TensorDataset, "tensor dataset")


@api("acltdtCreateDataItem")
def create_data_item(
    t: ThreadState, tensor_type: int, dims: Any, count: int, data_type: int, address: int, size: int
) -> int:
    """A tensor of *size* bytes at *address*, which stay the program's; or, without dims, another kind of item.

    NULL: dims and dimNum do not fit, more than 128 dims, dims for what is no tensor.
    """
    if (dims is None) != (count == 0):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"dimNum is {count}: dims is NULL exactly when it is 0", "acl")
    if count > MOST_DIMS:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"dimNum is {count}: {MOST_DIMS} are the most", "acl")
    if tensor_type != ACL_TENSOR_DATA_TENSOR:
        if dims is not None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"tdtType is {tensor_type}: only tensors have dims", "acl")
        data_type, address, size = ACL_DT_UNDEFINED, 0, 0
    values = [d - _WIDTH if d & _SIGN else d for d in integers(dims, count, "dims")] if count else []
    item = DataItem(tensor_type, values, data_type, address, size, t.site)
    item.number = t.sim.next_number("data item")
    item.handle = t.sim.new_handle(item)
    return item.handle


@api("acltdtDestroyDataItem")
def destroy_data_item(t: ThreadState, handle: int) -> None:
    """Its memory stays; a dataset that still holds the item refers to nothing. Codes: 100000 NULL."""
    t.sim.drop_handle(_item(t, handle).handle)


@api("acltdtGetTensorTypeFromItem")
def get_tensor_type_from_item(t: ThreadState, handle: int) -> int:
    """The acltdtTensorType; -1 for NULL."""
    return _or(t, handle, "tensor_type", ACL_TENSOR_DATA_UNDEFINED)


@api("acltdtGetDataTypeFromItem")
def get_data_type_from_item(t: ThreadState, handle: int) -> int:
    """The aclDataType; -1 for NULL, and for what is no tensor."""
    return _or(t, handle, "data_type", ACL_DT_UNDEFINED)


@api("acltdtGetDataAddrFromItem")
def get_data_addr_from_item(t: ThreadState, handle: int) -> int:
    """Where the bytes are; NULL for NULL. What was received is good until the next receive into the dataset."""
    return _or(t, handle, "address", 0)


@api("acltdtGetDataSizeFromItem")
def get_data_size_from_item(t: ThreadState, handle: int) -> int:
    """The size in bytes; 0 for NULL."""
    return _or(t, handle, "size", 0)


def _or(t: ThreadState, handle: int, name: str, missing: int) -> int:
    """A field of an item; *missing* for NULL."""
    try:
        value: int = getattr(_item(t, handle), name)
    except AclError as error:
        raise AclError(error.code, error.reason, "acl", (missing,)) from None
    return value


@api("acltdtGetDimNumFromItem")
def get_dim_num_from_item(t: ThreadState, handle: int) -> int:
    """How many dims there are; 0 for NULL."""
    return len(_item(t, handle).dims)


@api("acltdtGetDimsFromItem")
def get_dims_from_item(t: ThreadState, handle: int, count: int) -> list[int]:
    """The dims. Codes: 100000 NULL, *dimNum* smaller than their number."""
    item = _item(t, handle)
    if count < len(item.dims):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"dimNum is {count}: {item.describe()} has more dims", "acl")
    return list(item.dims)


@api("acltdtGetSliceInfoFromItem")
def get_slice_info_from_item(t: ThreadState, handle: int) -> tuple[int, int]:
    """Into how many slices a tensor was cut, and which one this is; 0 of 0 for a whole one. Codes: 100000 NULL."""
    item = _item(t, handle)
    return item.slices, item.slice_id


@api("acltdtCreateDataset")
def create_dataset(t: ThreadState) -> int:
    """An empty dataset."""
    made = TensorDataset(t.sim.next_number("tensor dataset"), t.site)
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("acltdtDestroyDataset")
def destroy_dataset(t: ThreadState, handle: int) -> None:
    """Items that it received go with it, and their memory; those of the program stay. Codes: 100000 NULL."""
    _dataset(t, handle).destroy(t)


@api("acltdtAddDataItem")
def add_data_item(t: ThreadState, handle: int, item: int) -> None:
    """Append an item. Codes: 100000 NULL, host and device memory in one dataset; 200006 a dataset that has received."""
    dataset = _dataset(t, handle)
    require(item, "dataItem")
    dataset.add(t, _item(t, item))


@api("acltdtGetDataItem")
def get_data_item(t: ThreadState, handle: int, index: int) -> int:
    """The item at *index*; NULL for NULL and behind the end."""
    dataset = _dataset(t, handle)
    if index >= len(dataset.items):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: {dataset.describe()}", "acl")
    return dataset.items[index].handle


@api("acltdtGetDatasetSize")
def get_dataset_size(t: ThreadState, handle: int) -> int:
    """How many items there are; 0 for NULL."""
    return len(_dataset(t, handle).items)


@api("acltdtGetDatasetName")
def get_dataset_name(t: ThreadState, handle: int) -> str:
    """The name that a message of the device brought; empty otherwise, NULL for NULL."""
    return _dataset(t, handle).name
