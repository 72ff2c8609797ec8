"""One execution of a model as a task of a stream: it reads its inputs and writes its outputs at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_sim.constants.errors import ACL_ERROR_GE_FAILURE, ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_MODEL_EXECUTE
from ascend_sim.errors import AclError
from ascend_sim.models.bodies import BodyError
from ascend_sim.models.image_inputs import ImageInput
from ascend_sim.models.shapes import GEAR_INPUT, Dims, all_inputs, data_input_of
from ascend_sim.ops.computation import BLOCK_BYTES, PLAIN_FORMATS, Tensor, tensor
from ascend_sim.ops.operator import same_shape
from ascend_sim.runtime.settings.core_limits import CUBE, cores_of_stream
from ascend_sim.runtime.task import Access, Op, Task, TaskFault
from ascend_sim.runtime.tensors.descriptors import DataBuffer, TensorDesc

if TYPE_CHECKING:
    from ascend_sim.models.bodies import Run
    from ascend_sim.models.model import Model
    from ascend_sim.om import TensorDescription
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Execution", "infer_outputs", "operation", "run_of"]

"""ACL_ERROR_RT_MODEL_EXECUTE: what the wait for a model returns whose body failed."""
"""What touching memory that is not there gives."""
INT32, UINT8, INT64, ND = 3, 4, 9, 2


class Execution:
    """The action of the task."""

    __slots__ = ("extras", "inputs", "model", "name", "outputs", "run", "stopped")

    def __init__(
        self, model: Model, run: Run, inputs: list[Tensor | ImageInput], outputs: list[Tensor], extras: list[Tensor]
    ) -> None:
        self.model = model
        self.name = model.describe()
        self.run = run
        self.inputs = inputs
        self.outputs = outputs
        self.extras = extras
        """What else it touches: the gear's value, work memory and weights."""
        self.stopped: tuple[str, int | str | None] = ("", None)
        """Where it failed: at an ``input`` or ``output`` of this index, or in a ``node`` of this index or name."""

    def __call__(self, task: Task, time: int) -> None:
        """Read, compute, write. Raises TaskFault."""
        for extra in self.extras:
            extra.reach(task, ACL_ERROR_RT_AICORE_EXCEPTION)
        values: list[Any] = []
        try:
            for part in self.inputs:
                values.append(part.read(task, ACL_ERROR_RT_AICORE_EXCEPTION))
        except TaskFault:
            self.stopped = "input", len(values)
            raise
        try:
            results = self.run(values)
        except BodyError as error:
            self.stopped = "node", error.node
            raise TaskFault(ACL_ERROR_RT_MODEL_EXECUTE, str(error)) from None
        if len(results) < len(self.outputs):
            text = f"{self.name} gives {len(results)} outputs, {len(self.outputs)} are described"
            raise TaskFault(ACL_ERROR_RT_MODEL_EXECUTE, text)
        made = [self._fit(i, np.asarray(results[i]), part) for i, part in enumerate(self.outputs)]
        dumping = self.model.dumping
        if dumping is not None and dumping.live:
            dumping.model(task, self.model.id, self.model.description.name, values, made)
        written = 0
        try:
            for array, target in zip(made, self.outputs, strict=True):
                target.write(task, array, ACL_ERROR_RT_AICORE_EXCEPTION)
                written += 1
        except TaskFault:
            self.stopped = "output", written
            raise

    def _fit(self, index: int, made: Any, part: Tensor) -> Any:
        """A result with the type that is described; it is a copy where it could be a view of what others overwrite."""
        assert part.type is not None
        same_kind = made.dtype == part.type or (made.dtype.kind in "fV" and part.type.kind in "fV")
        if not same_shape(made.shape, part.shape) or not same_kind:
            got, said = f"{made.dtype}{list(made.shape)}", f"{part.type}{list(part.shape)}"
            raise TaskFault(ACL_ERROR_RT_MODEL_EXECUTE, f"output {index} of {self.name} is {got}, {said} was expected")
        several = len(self.outputs) > 1
        return np.array(made, part.type, order="C") if several else np.asarray(made, part.type, order="C")


def run_of(t: ThreadState, model: Model) -> Run:
    """The body of *model*. Raises AclError 500002, with a finding, for one that can be described only."""
    if model.run is None:
        text = f"{model.describe()} has no body: it can be described, not run"
        t.sim.report_call(t, "not-modelled", "warning", text, code=(t.call, ACL_ERROR_GE_FAILURE))
        raise AclError(ACL_ERROR_GE_FAILURE, text, "acl")
    return model.run


def infer_outputs(t: ThreadState, model: Model, dims: Sequence[Dims]) -> list[Dims]:
    """The dims of the outputs of a dynamic model for these inputs: its body runs on zeros once for each choice.

    Shapes that depend on values are found out when it runs, as a failure. Raises AclError 500002.
    """
    described = [t.dims for t in model.description.outputs]
    if not any(dim < 0 for found in described for dim in found):
        return described
    key = tuple(dims)
    found = model.inferred.get(key)
    if found is None:
        run = run_of(t, model)
        listed = zip(all_inputs(model.description), dims, strict=True)
        zeros = [_zeros(model, said, d) for said, d in listed if not said.is_setting]
        try:
            made = run(zeros)
        except BodyError as error:
            raise AclError(ACL_ERROR_GE_FAILURE, f"the shapes of the outputs cannot be told: {error}", "acl") from None
        if len(made) < len(described):
            raise AclError(
                ACL_ERROR_GE_FAILURE, f"{model.describe()} gives {len(made)} outputs, {len(described)} described", "acl"
            )
        found = model.inferred[key] = [tuple(int(n) for n in array.shape) for array in made[: len(described)]]
    return found


def _zeros(model: Model, said: TensorDescription, dims: Dims) -> Any:
    from ascend_sim.machine.data_types import numpy_type

    try:
        return np.zeros(dims, numpy_type(said.data_type))
    except (ValueError, MemoryError) as error:
        raise AclError(ACL_ERROR_GE_FAILURE, f"input {said.name!r} of {model.describe()}: {error}", "acl") from None


def operation(
    t: ThreadState, model: Model, stream: Stream, ins: Sequence[DataBuffer], in_dims: Sequence[Dims],
    outs: Sequence[DataBuffer], out_dims: Sequence[Dims],
) -> Op:  # fmt: skip
    """The operation of an execution on *stream*. Raises AclError 500002 for what cannot run: no body, no numpy type."""
    run = run_of(t, model)
    device = stream.context.device.index
    listed = all_inputs(model.description)
    buffers = {said.name: buffer for said, buffer in zip(listed, ins, strict=False)}
    read: list[Tensor | ImageInput] = []
    extras, written = [], []
    for i, (said, dims, buffer) in enumerate(zip(listed, in_dims, ins, strict=False)):
        what = f"input {i} ({said.name}) of {model.describe()}"
        if said.aipp is not None:
            settings = buffers.get(data_input_of(model.description, said))
            read.append(ImageInput(t, said, dims, buffer, settings, device, what))
        elif said.name == GEAR_INPUT:
            extras.append(_gear_tensor(t, buffer, dims[0], device, what))
        elif not said.is_setting:  # settings are read with the images that they are for
            read.append(_tensor(t, said, dims, buffer, False, device, what))
    for i, (said, dims, buffer) in enumerate(zip(model.description.outputs, out_dims, outs, strict=False)):
        what = f"output {i} ({said.name}) of {model.describe()}"
        written.append(_tensor(t, said, dims, buffer, True, device, what))
    for memory in model.memory:
        if memory.block is None or memory.use == "work":  # two runs at once, or a free, would spoil it
            what = f"{memory.use} memory of {model.describe()}"
            desc = TensorDesc(UINT8, [memory.nbytes], ND)
            place = DataBuffer(memory.address, memory.nbytes)
            extras.append(tensor(t, desc, place, memory.use == "work", device, what))
    costs = t.sim.profile.costs
    operands = [part for one in read for part in (one.parts if isinstance(one, ImageInput) else (one,))]
    everything = [*operands, *written, *extras]
    nbytes = sum(part.nbytes for part in everything)
    cost = model.description.cost_ns or costs.kernel_ns + nbytes * 1000 // costs.d2d_rate
    accesses = tuple(
        Access(part.place.address, part.place.address + part.nbytes, part.place.write)
        for part in everything
        if part.place is not None
    )
    cores = cores_of_stream(stream, CUBE) or t.sim.profile.vector_slots
    action = Execution(model, run, read, written, extras)
    slots = max(1, min(cores, -(-nbytes // BLOCK_BYTES)))
    return Op("model", cost, action, engine="aic", slots=slots, least=1, accesses=accesses)


def _tensor(
    t: ThreadState, said: TensorDescription, dims: Dims, buffer: DataBuffer, write: bool, device: int, what: str
) -> Tensor:
    if said.format not in PLAIN_FORMATS:
        text = f"{what} has the internal format {said.format}"
        t.sim.report_call(t, "not-modelled", "warning", text, fix="describe it as ND, NCHW or NHWC")
        raise AclError(ACL_ERROR_GE_FAILURE, text, "acl")
    made = tensor(t, TensorDesc(said.data_type, list(dims), said.format), buffer, write, device, what)
    if made.type is None:
        raise AclError(ACL_ERROR_GE_FAILURE, f"{what} has no data type", "acl")
    return made


def _gear_tensor(t: ThreadState, buffer: DataBuffer, count: int, device: int, what: str) -> Tensor:
    wide = buffer.size >= 8 * count
    return tensor(t, TensorDesc(INT64 if wide else INT32, [count], ND), buffer, False, device, what)
