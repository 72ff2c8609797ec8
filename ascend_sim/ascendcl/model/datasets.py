"""Models: datasets (docs/semantics/models.md#datasets)."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.models.datasets import Dataset, Entry
from ascend_sim.runtime.tensors.descriptors import desc_of, required
from ascend_sim.runtime.thread_state import ThreadState


def _checked(t: ThreadState, handle: int) -> Dataset:
    return required(t, handle, Dataset, "dataset", "dataset")


def _place(dataset: Dataset, index: int) -> Entry:
    if index >= len(dataset.entries):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: {dataset.describe()}", "acl")
    return dataset.entries[index]


@api("aclmdlCreateDataset")
def create_dataset(t: ThreadState) -> int:
    """A dataset without buffers; aclmdlAddDatasetBuffer adds them in the order of the model."""
    made = Dataset()
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclmdlDestroyDataset")
def destroy_dataset(t: ThreadState, handle: int) -> None:
    """Its tensor descriptors go with it, the data buffers stay. Codes: 100000 NULL."""
    _checked(t, handle).drop(t)


@api("aclmdlAddDatasetBuffer")
def add_dataset_buffer(t: ThreadState, handle: int, buffer: int) -> None:
    """One more data buffer, which is not looked at before an execution. Codes: 100000 NULL."""
    dataset = _checked(t, handle)
    require(buffer, "dataBuffer")
    dataset.entries.append(Entry(buffer))


@api("aclmdlGetDatasetNumBuffers")
def get_dataset_num_buffers(t: ThreadState, handle: int) -> int:
    """How many there are; 0 for NULL."""
    return len(_checked(t, handle).entries)


@api("aclmdlGetDatasetBuffer")
def get_dataset_buffer(t: ThreadState, handle: int, index: int) -> int:
    """The data buffer at *index*; NULL behind the end and for NULL."""
    return _place(_checked(t, handle), index).buffer


@api("aclmdlSetDatasetTensorDesc")
def set_dataset_tensor_desc(t: ThreadState, handle: int, desc: int, index: int) -> None:
    """Keep a copy of *desc* for the tensor at *index*; NULL: none. Codes: 100000 NULL dataset, behind the end."""
    dataset = _checked(t, handle)
    _place(dataset, index)
    dataset.set_desc(t, index, desc_of(t, desc))


@api("aclmdlGetDatasetTensorDesc")
def get_dataset_tensor_desc(t: ThreadState, handle: int, index: int) -> int:
    """The dataset's own descriptor; NULL before one was set or an execution made one, behind the end, and for NULL."""
    desc = _place(_checked(t, handle), index).desc
    return 0 if desc is None else desc.handle
