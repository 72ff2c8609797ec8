"""Executing models: the tests of the real calls in their order, then one task.

See docs/semantics/models.md#executing-models.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ascend_sim.constants.errors import ACL_ERROR_GE_FAILURE, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT
from ascend_sim.errors import AclError
from ascend_sim.models.execution import infer_outputs, operation, run_of
from ascend_sim.models.image_inputs import dims_by_settings
from ascend_sim.models.model import ASYNC, BLOCKING, DYNAMIC, Model
from ascend_sim.models.registry import ModelRegistry, check_initialised
from ascend_sim.models.shapes import (
    Dims,
    all_inputs,
    data_input_of,
    input_dims,
    largest_gear,
    open_dims,
    output_dims,
    size_of,
)
from ascend_sim.runtime.memory.allocation import allocate, round_up
from ascend_sim.runtime.memory.allocators.lookup import resolve
from ascend_sim.runtime.synchronize import synchronize_stream
from ascend_sim.runtime.tensors.descriptors import DataBuffer, TensorDesc

if TYPE_CHECKING:
    from ascend_sim.models.datasets import Dataset
    from ascend_sim.om import TensorDescription
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Op
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["execute", "execute_async", "execute_on"]

SLACK: Final = 64
"""Bytes by which a buffer may be too small (DM:6562-6604)."""
FIRST_POLICY: Final = 0


def execute(t: ThreadState, number: int, ins: Dataset, outs: Dataset) -> None:
    """aclmdlExecute behind its NULL tests; it returns when the model has run.

    A static model that keeps the stream of an aclmdlExecuteV2 is only queued there.
    Raises AclError 100000, 145001, 145003, 500002, 107002, and what its task fails with.
    """
    _run(t, number, ins, outs, BLOCKING, 0)


def execute_on(t: ThreadState, number: int, ins: Dataset, outs: Dataset, stream: int) -> None:
    """aclmdlExecuteV2 behind its NULL tests: a static model runs on *stream*, which is then waited for in any case."""
    model = t.sim.part(ModelRegistry).loaded.get(number)
    if not stream or (model is not None and model.is_dynamic):
        _run(t, number, ins, outs, BLOCKING, 0)
        return
    try:
        _run(t, number, ins, outs, BLOCKING, stream)
    finally:
        _wait(t, t.stream(stream))  # a failure of the wait takes the place of the execution's (MD:1717-1725)


def execute_async(t: ThreadState, number: int, ins: Dataset, outs: Dataset, stream: int) -> None:
    """aclmdlExecuteAsync behind its NULL tests: queued on *stream* (NULL: the default stream)."""
    _run(t, number, ins, outs, ASYNC, stream)


def _run(t: ThreadState, number: int, ins: Dataset, outs: Dataset, mode: str, stream: int) -> None:
    model = t.sim.part(ModelRegistry).loaded.get(number)
    if model is not None and model.executor == DYNAMIC:
        _run_dynamic(t, model, ins, outs, mode, stream)
    else:
        _run_static(t, number, ins, outs, mode, stream)


def _wait(t: ThreadState, stream: Stream) -> None:
    limit = t.sim.part(ModelRegistry).timeouts[0]
    deadline = None if limit < 0 else t.clock + limit * 1_000_000
    if not synchronize_stream(t, stream, deadline):
        raise AclError(
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
            f"{stream.describe()} was not done within {limit} ms (aclmdlSetExecConfigOpt)",
        )


# -- static models -----------------------------------------------------------------------------------------------------


def _buffers(t: ThreadState, dataset: Dataset, what: str) -> list[DataBuffer]:
    found = []
    for index in range(len(dataset.entries)):
        buffer = dataset.buffer(t, index)
        if buffer is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} {index} has no data buffer", "acl")
        found.append(buffer)
    return found


def _run_static(t: ThreadState, number: int, ins: Dataset, outs: Dataset, mode: str, stream: int) -> None:
    models = t.sim.part(ModelRegistry)
    read = _buffers(t, ins, "input")
    written = _buffers(t, outs, "output")
    model = models.loaded.get(number)
    if mode == BLOCKING:
        _fill_null(t, model, written)
    check_initialised(t)
    model = models.get(number)
    if model.mode not in ("", mode):
        raise AclError(
            ACL_ERROR_GE_FAILURE, f"{model.describe()} ran {model.mode} before: it cannot run {mode} now", "acl"
        )
    dims, out_dims = _gear_dims(model, ins)
    compared = not (model.description.gears is not None and ins.has_gear)
    compared = compared and not any(t.aipp is not None and not t.aipp.is_static for t in model.description.inputs)
    _check_buffers(model, "input", model.sizes[0], read, compared)
    _check_buffers(model, "output", model.sizes[1], written, compared)
    if model.description.is_dynamic:  # an archive may describe one; its executor knows gears only
        text = f"{model.describe()} has open dims and no gears: no shape of an input can be set for an OM2 model"
        raise AclError(ACL_ERROR_GE_FAILURE, text, "acl")
    keeps = stream or (model.stream if mode == BLOCKING else 0)
    target = t.submit_stream(stream if mode == ASYNC else keeps) if mode == ASYNC or keeps else model.own_stream(t)
    target.refuse_while_recording(t)
    model.last = target.submit(t, operation(t, model, target, read, dims, written, out_dims))
    models.executed.append(model.last)
    model.mode = mode
    if mode == BLOCKING and stream:
        model.stream = stream
    if any(entry.desc is not None for entry in ins.entries):
        _describe_outputs(t, model, outs, out_dims, replace=False)
    if target is model.own:
        _wait(t, target)
    elif mode == BLOCKING and not stream:
        title = f"{model.describe()} keeps the stream of an aclmdlExecuteV2: {t.call} returns before it has run"
        t.sim.report_call(t, "hidden-error", "warning", title, fix="wait for that stream")


def _gear_dims(model: Model, ins: Dataset) -> tuple[list[Dims], list[Dims]]:
    """The dims of inputs and outputs in the gear of the dataset, else of the model, else in the largest one."""
    description = model.description
    gears = description.gears
    gear = largest_gear(description)
    if gears is not None:
        numbers = tuple(d for said, d in zip(open_dims(description), ins.dims, strict=False) if said < 0)
        for choice in ((ins.batch,), (ins.height, ins.width), numbers, model.gear):
            if choice in gears.choices:
                gear = choice
                break
    return input_dims(description, gear), output_dims(description, gear)


def _check_buffers(model: Model, what: str, needed: Sequence[int], found: Sequence[DataBuffer], compared: bool) -> None:
    """Raises AclError 500002: the real library's own 145000 is lost on the way (DM:6562-6604, 7097-7126)."""
    if len(found) != len(needed):
        raise AclError(
            ACL_ERROR_GE_FAILURE, f"{model.describe()} has {len(needed)} {what}s, {len(found)} are given", "acl"
        )
    for i, (size, buffer) in enumerate(zip(needed, found, strict=True)):
        if compared and buffer.size + SLACK < size:
            raise AclError(
                ACL_ERROR_GE_FAILURE, f"{what} {i} has {buffer.size} bytes, {model.describe()} needs {size}", "acl"
            )


def _fill_null(t: ThreadState, model: Model | None, written: list[DataBuffer]) -> None:
    """Outputs without an address: memory is allocated for the caller. Raises AclError 100000 (MD:781-789), 207001."""
    for i, buffer in enumerate(written):
        if buffer.address:
            continue
        if model is None or i >= len(model.description.outputs):
            raise AclError(
                ACL_ERROR_INVALID_PARAM, f"output {i} has no address, and no model says how large it is", "acl"
            )
        _allocate_output(t, buffer, model.sizes[1][i])


def _allocate_output(t: ThreadState, buffer: DataBuffer, size: int) -> None:
    buffer.address = allocate(t, size, round_up(size, t.sim.profile.padding_size), FIRST_POLICY) if size else 0
    buffer.size = size


# -- dynamic models ----------------------------------------------------------------------------------------------------


def _run_dynamic(t: ThreadState, model: Model, ins: Dataset, outs: Dataset, mode: str, stream: int) -> None:
    wanted = all_inputs(model.description)
    if len(ins.entries) < len(wanted):
        text = f"{model.describe()} has {len(wanted)} inputs, {len(ins.entries)} are given"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    read, dims = [], []
    for i, said in enumerate(wanted):  # further ones are ignored
        buffer = ins.buffer(t, i)
        if buffer is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"input {i} has no data buffer", "acl")
        read.append(buffer)
        dims.append(() if said.aipp is not None else _dims_of(i, said, ins.entries[i].desc))
    for i, said in enumerate(wanted):
        if said.aipp is not None:  # no range is compared, as the real call skips such inputs
            dims[i] = _image_dims(t, model, i, read)
    written = _buffers(t, outs, "output")
    if len(written) != len(model.description.outputs):
        text = f"{model.describe()} has {len(model.description.outputs)} outputs, {len(written)} are given"
        raise AclError(ACL_ERROR_GE_FAILURE, text, "acl")
    run_of(t, model)
    target = t.submit_stream(stream) if mode == ASYNC else model.own_stream(t)
    for i, (said, found, buffer) in enumerate(zip(wanted, dims, read, strict=True)):
        if said.aipp is None:
            _check_room(f"input {i}", said, found, buffer)
    out_dims = infer_outputs(t, model, dims)
    for i, (said, found, buffer) in enumerate(zip(model.description.outputs, out_dims, written, strict=True)):
        if not buffer.address:
            _allocate_output(t, buffer, size_of(said.data_type, found))
        _check_room(f"output {i}", said, found, buffer)
    op = operation(t, model, target, read, dims, written, out_dims)
    if mode == ASYNC:
        _submit(t, model, target, stream, op)
    else:
        model.last = target.submit(t, op)
    _describe_outputs(t, model, outs, out_dims, replace=True)
    if mode == BLOCKING:
        _wait(t, target)


def _submit(t: ThreadState, model: Model, target: Stream, stream: int, op: Op) -> None:
    """Queue it with its work memory from the allocator of the stream, if it has one.

    See docs/semantics/models.md#allocators-of-models.
    """
    nbytes = model.description.work_size
    allocator = resolve(t, stream, create_default=False)
    if allocator is None or not nbytes:
        model.last = target.submit(t, op)
        return
    portion = allocator.take(t, target, nbytes)
    try:
        model.last = target.submit(t, op)
        allocator.used(portion, model.last)
    finally:
        allocator.give(t, portion)


def _dims_of(index: int, said: TensorDescription, desc: TensorDesc | None) -> Dims:
    """The dims of an input: its descriptor's, else the model's. Raises AclError 100000 outside the model's range."""
    dims = tuple(desc.dims) if desc is not None else said.dims
    name = f"input {index} ({said.name})"
    if any(dim < 0 for dim in dims):
        text = f"{name} has the open dims {list(dims)}: set its shape with aclmdlSetDatasetTensorDesc"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    if said.dims == (-2,):
        return dims
    fits = len(dims) == len(said.dims)
    for i, (dim, wanted) in enumerate(zip(dims, said.dims, strict=False)):
        low, high = said.ranges[i] if wanted < 0 and i < len(said.ranges) else (0, -1)
        fits = fits and (dim == wanted if wanted >= 0 else dim >= low and (high < 0 or dim <= high))
    if not fits:
        ranges = f" in the ranges {[list(r) for r in said.ranges]}" if said.ranges else ""
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"{name} has dims {list(dims)}: the model takes {list(said.dims)}{ranges}", "acl"
        )
    return dims


def _image_dims(t: ThreadState, model: Model, index: int, read: Sequence[DataBuffer]) -> Dims:
    """The dims that the network gets from images: the model's own, else by the settings that were written for this run.

    Raises AclError 500002 when these are not there yet.
    """
    listed = all_inputs(model.description)
    said = listed[index]
    if not said.is_dynamic:
        return said.dims
    names = [one.name for one in listed]
    found = dims_by_settings(t, said, read[names.index(data_input_of(model.description, said))])
    if found is None:
        text = f"input {index} ({said.name}) has open dims, and no settings of AIPP: aclmdlSetInputAIPP says its size"
        raise AclError(ACL_ERROR_GE_FAILURE, text, "acl")
    return found


def _check_room(what: str, said: TensorDescription, dims: Dims, buffer: DataBuffer) -> None:
    needed = size_of(said.data_type, dims)
    if buffer.size < needed:
        raise AclError(
            ACL_ERROR_GE_FAILURE, f"{what} has {buffer.size} bytes, its dims {list(dims)} need {needed}", "acl"
        )


def _describe_outputs(t: ThreadState, model: Model, outs: Dataset, dims: Sequence[Dims], replace: bool) -> None:
    """Give each output a descriptor with what it really is. *replace*: handles of earlier ones die (MD:818-842)."""
    for i, (said, found) in enumerate(zip(model.description.outputs, dims, strict=True)):
        old = outs.entries[i].desc
        if old is None or replace:
            outs.set_desc(t, i, TensorDesc(said.data_type, list(found), said.format))
        else:
            old.data_type, old.dims, old.format = said.data_type, list(found), said.format
