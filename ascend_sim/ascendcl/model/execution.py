"""Models: dynamic gears, and execution (docs/semantics/models.md#gears)."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.model.config import exec_config
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.models.datasets import Dataset
from ascend_sim.models.gears import set_batch_or_size, set_dims
from ascend_sim.models.registry import ModelRegistry
from ascend_sim.models.submit import execute, execute_async, execute_on
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState


def _dataset(t: ThreadState, handle: int, what: str) -> Dataset:
    return required(t, handle, Dataset, "dataset", what)


# -- gears ------------------------------------------------------------------------------------------------------------


@api("aclmdlSetDynamicBatchSize")
def set_dynamic_batch_size(t: ThreadState, number: int, dataset: int, index: int, batch: int) -> None:
    """Choose the batch size; it is written to the buffer at *index*, the input ``ascend_mbatch_shape_data``.

    The dataset changes before the checks behind the first. Codes: 100000 NULL, 0, no buffer or address there; 145012
    less than 4 bytes; 145003 unknown or dynamic model; 145013 no gear.
    """
    found = _dataset(t, dataset, "dataset")
    set_batch_or_size(t, number, found, index, "batch", (batch,))


@api("aclmdlSetDynamicHWSize")
def set_dynamic_hw_size(t: ThreadState, number: int, dataset: int, index: int, height: int, width: int) -> None:
    """Choose the gear of height and width of an image. Codes: as aclmdlSetDynamicBatchSize; 145012 less than 8 bytes."""
    found = _dataset(t, dataset, "dataset")
    set_batch_or_size(t, number, found, index, "hw", (height, width))


@api("aclmdlSetInputDynamicDims")
def set_input_dynamic_dims(t: ThreadState, number: int, dataset: int, index: int, dims: Any) -> None:
    """Choose the gear of the dims of all inputs, one after the other; the dataset notes them at the very end.

    Codes: 100000 NULL, no dims, no buffer or address; 145001; 145003 unknown or dynamic model; 145012 a wrong number
    of dims, another fixed dim, or too short a buffer; 145013 no gear.
    """
    found = _dataset(t, dataset, "dataset")
    require(dims, "dims")
    if isinstance(dims, int):
        raise AclError(ACL_ERROR_INVALID_PARAM, "dims is an address: pass an aclmdlIODims", "acl")
    require(dims.dimCount, "dims.dimCount")
    if dims.dimCount > len(dims.dims):
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"dims announces {dims.dimCount} dims and holds {len(dims.dims)}", "acl"
        )
    set_dims(t, number, found, index, list(dims.dims[: dims.dimCount]))


# -- executing --------------------------------------------------------------------------------------------------------


@api("aclmdlExecute")
def mdl_execute(t: ThreadState, number: int, ins: int, outs: int) -> None:
    """Run a model and wait for it. Outputs without an address get memory, which the caller frees with aclrtFree.

    Codes: 100000 NULL, a place without a data buffer, a dynamic model with too few inputs or a shape outside its range;
    145001; 145003; 500002 other numbers of buffers, too small ones, run async before; 107002; what its task fails with.
    """
    execute(t, number, _dataset(t, ins, "input"), _dataset(t, outs, "output"))


@api("aclmdlExecuteV2")
def mdl_execute_v2(t: ThreadState, number: int, ins: int, outs: int, stream: int, handle: int) -> None:
    """Execute with options. A static model runs on *stream*, which is waited for even when it could not run.

    The time limits of the options stay for the whole process. Codes: as aclmdlExecute; 100000 NULL options;
    507046 not done in time.
    """
    read, written = _dataset(t, ins, "input"), _dataset(t, outs, "output")
    config = exec_config(t, handle)
    t.sim.part(ModelRegistry).timeouts.update(config.values)
    execute_on(t, number, read, written, stream)


@api("aclmdlExecuteAsync")
def mdl_execute_async(t: ThreadState, number: int, ins: int, outs: int, stream: int) -> None:
    """Queue a model on *stream* (NULL: the default stream); only dynamic models ask the stream's allocator.

    Codes: as aclmdlExecute; 500002 run blocking before; 107017, 107003.
    """
    execute_async(t, number, _dataset(t, ins, "input"), _dataset(t, outs, "output"), stream)


@api("aclmdlExecuteAsyncV2")
def mdl_execute_async_v2(t: ThreadState, number: int, ins: int, outs: int, stream: int, handle: int) -> None:
    """Queue an execution with options, on the IPV350 only. Codes: 100000 NULL, 207000 on other products."""
    _dataset(t, ins, "input"), _dataset(t, outs, "output")
    exec_config(t, handle)
    check_product(t, "aclmdlExecuteAsyncV2")
    execute_async(t, number, _dataset(t, ins, "input"), _dataset(t, outs, "output"), stream)
