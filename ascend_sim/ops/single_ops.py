"""Executing single operators: the custom kernel, then a compiled operator (docs/semantics/operators.md#executing)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_GE_FAILURE,
    ACL_ERROR_GE_PARAM_INVALID,
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_OP_INPUT_NOT_MATCH,
    ACL_ERROR_OP_OUTPUT_NOT_MATCH,
)
from ascend_sim.errors import AclError
from ascend_sim.ops.computation import Computation, check_formats, operation, tensor, workspace
from ascend_sim.ops.custom_kernels import CustomKernels, KernelDesc
from ascend_sim.ops.custom_launch import launch_custom
from ascend_sim.ops.op_attributes import OpAttributes
from ascend_sim.ops.op_models import OpModel, OpModels
from ascend_sim.ops.op_signatures import key_of
from ascend_sim.ops.operator import Operator, OperatorError
from ascend_sim.ops.workspaces import Workspaces
from ascend_sim.runtime.memory.allocators.lookup import StreamAllocator, resolve
from ascend_sim.runtime.synchronize import synchronize_stream

if TYPE_CHECKING:
    from ascend_sim.ops.registry import OperatorRegistry
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.tensors.descriptors import DataBuffer, TensorDesc
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["OpHandle", "SingleOps"]

KEPT_STREAMS = 128
"""Streams for which a handle keeps its loaded operator."""

Descs = Sequence["TensorDesc"]
Buffers = Sequence["DataBuffer"]


class OpHandle:
    """What aclopCreateHandle makes: the kernel descriptor or the compiled operator that an execution would find."""

    __slots__ = ("attributes", "found", "handle", "inputs", "loaded", "op_type", "outputs")

    def __init__(
        self, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes, found: KernelDesc | OpModel
    ) -> None:
        self.handle = 0
        self.op_type = op_type
        self.inputs = [desc.copy() for desc in inputs]
        self.outputs = [desc.copy() for desc in outputs]
        self.attributes = attributes.copy()
        self.found = found
        self.loaded: OrderedDict[int, None] = OrderedDict()
        """Streams on which it ran, the one used longest ago first."""

    def describe(self) -> str:
        """The handle in words."""
        return f"the operator handle of {self.op_type}"


class SingleOps:
    """What executes single operators in one process."""

    def __init__(self, sim: Runtime, registry: OperatorRegistry) -> None:
        self._sim = sim
        self._registry = registry
        self.custom = CustomKernels(sim)
        self.workspaces = Workspaces(sim)
        self.models = OpModels(registry, sim.process)
        self.options: dict[int, str] = {}
        """What aclSetCompileopt was given."""
        self._stream_allocators: dict[int, StreamAllocator] = {}
        """What the resource of a stream holds: the allocator of the latest load on it."""

    def set_bound(self, most: int) -> None:
        """aclopSetMaxOpQueueNum: how many entries the two stores keep."""
        self._sim.process.max_op_queue = most
        self.custom.descs.bound = most

    def execute(
        self, t: ThreadState, op_type: str, inputs: Descs, ins: Buffers, outputs: Descs, outs: Buffers,
        attributes: OpAttributes, stream: int, exact: bool = False,
    ) -> None:  # fmt: skip
        """aclopExecute after its checks. A custom kernel that fails is followed by the search for a compiled operator.

        *exact*: where the values decide how long the outputs are, wait and write that into their descriptors.
        Raises AclError 107002 (a selector, but no context), 100024, and as `run`.
        """
        if op_type in self.custom.selectors:
            t.current_context()
            desc = self.custom.get(key_of(op_type, inputs, outputs, attributes))
            if desc is not None:
                try:
                    launch_custom(t, self.workspaces, desc, ins, outs, stream)
                except AclError as error:
                    self._lost(t, op_type, inputs, outputs, attributes, error)
                else:
                    return
        model = self.models.match(op_type, inputs, outputs, attributes)
        action = self.run(t, model, inputs, ins, outputs, outs, attributes, stream, None)
        if exact and action.operator.counted:
            synchronize_stream(t, t.stream(stream), None)
            for output, shape in zip(outputs, action.shapes, strict=False):
                output.dims = list(shape)

    def _lost(
        self, t: ThreadState, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes, lost: AclError
    ) -> None:
        """Say what the custom kernel failed with: nobody hears of it, since the search for a model follows."""
        try:
            self.models.match(op_type, inputs, outputs, attributes)
            title = f"the custom kernel of {op_type} failed with {lost.code}: a compiled operator runs instead"
            code = None
        except AclError as error:
            title = f"the custom kernel of {op_type} failed with {lost.code}, {t.call} answers {error.code}"
            code = (t.call, error.code)
        fix = "a handle (aclopCreateHandle, aclopExecWithHandle) returns the kernel's own code"
        t.sim.report_call(t, "hidden-error", "warning", title, notes=(lost.reason,), fix=fix, code=code)

    def run(
        self, t: ThreadState, model: OpModel, inputs: Descs, ins: Buffers, outputs: Descs, outs: Buffers,
        attributes: OpAttributes, stream: int, handle: OpHandle | None,
    ) -> Computation:  # fmt: skip
        """Load *model* on the stream and queue it; what its task does.

        Raises AclError 100000 (no context for the stream's allocators), 145000 (a buffer is too small), 107017, 107002,
        107003, 500002 (the allocator gives nothing; the type is not registered, or not for these inputs).
        """
        allocator = self._allocator(t, stream, handle)
        _check_sizes(inputs, ins, "input")
        _check_sizes(outputs, outs, "output")
        operator = self._registry.get(model.op_type)
        check_formats(t, model.op_type, (*inputs, *outputs))
        if operator is None:
            text = f"operator {model.op_type} was loaded, but the simulator has no function for it"
            fix = f'sim.ops.register(op("{model.op_type}", inputs={len(inputs)})(function))'
            t.sim.report_call(t, "not-modelled", "warning", text, fix=fix)
            raise AclError(ACL_ERROR_GE_FAILURE, text, "acl")
        if operator.dtypes or operator.formats:
            _check_inputs(t, operator, inputs)
        target = t.submit_stream(stream)
        device = target.context.device.index
        read = [
            tensor(t, desc, buffer, False, device, f"input {i} of {model.op_type}")
            for i, (desc, buffer) in enumerate(zip(inputs, ins, strict=True))
        ]
        written = [
            tensor(t, desc, buffer, True, device, f"output {i} of {model.op_type}")
            for i, (desc, buffer) in enumerate(zip(outputs, outs, strict=True))
        ]
        plain = attributes.plain()
        action = Computation(operator, plain, read, written)
        if not model.work_size:
            target.submit(t, operation(t.sim, action, target, model.cost_ns))
            return action
        portion = allocator.take(t, target, model.work_size)
        try:
            action.scratch = workspace(t, portion.address, portion.size, device, model.op_type)
            allocator.used(portion, target.submit(t, operation(t.sim, action, target, model.cost_ns)))
        finally:
            allocator.give(t, portion)
        return action

    def _allocator(self, t: ThreadState, stream: int, handle: OpHandle | None) -> StreamAllocator:
        """The stream's allocator: looked up at every call, by a handle only the first time on a stream."""
        key = stream
        if not stream and t.bound_context() is not None:
            key = t.stream(0).handle
        held = self._stream_allocators.get(key)
        if handle is not None and key in handle.loaded and held is not None:
            handle.loaded.move_to_end(key)
            if self._sim.allocators.resolved.get(key) is not held:
                text = f"{handle.describe()} still uses an allocator that was replaced or unregistered meanwhile"
                t.sim.report_call(t, "hidden-error", "warning", text, notes=("a handle looks once for each stream",))
            return held
        found = resolve(t, stream, True)
        if found is None:
            raise AclError(
                ACL_ERROR_INVALID_PARAM, f"there is no allocator for the stream: {t.no_context_reason()}", "acl"
            )
        self._stream_allocators[found.key] = found
        if handle is not None:
            handle.loaded[found.key] = None
            if len(handle.loaded) > KEPT_STREAMS:
                handle.loaded.popitem(last=False)
        return found

    # -- handles ------------------------------------------------------------------------------------------------------

    def make_handle(self, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes) -> OpHandle:
        """The kernel descriptor when there is one, else a compiled operator. Raises AclError 100024, 100000."""
        found: KernelDesc | OpModel | None = self.custom.get(key_of(op_type, inputs, outputs, attributes))
        if found is None or op_type not in self.custom.selectors:
            found = self.models.match(op_type, inputs, outputs, attributes)
        return OpHandle(op_type, inputs, outputs, attributes, found)

    def execute_handle(self, t: ThreadState, handle: OpHandle, ins: Buffers, outs: Buffers, stream: int) -> None:
        """Run a handle; a custom kernel gives its own code.

        Raises AclError 100021 and 100022 for other numbers of inputs and outputs, and what the execution raises.
        """
        if len(ins) != len(handle.inputs):
            raise AclError(
                ACL_ERROR_OP_INPUT_NOT_MATCH,
                f"{handle.describe()} has {len(handle.inputs)} inputs, {len(ins)} are given",
                "acl",
            )
        if len(outs) != len(handle.outputs):
            raise AclError(
                ACL_ERROR_OP_OUTPUT_NOT_MATCH,
                f"{handle.describe()} has {len(handle.outputs)} outputs, {len(outs)} given",
                "acl",
            )
        found = handle.found
        if isinstance(found, KernelDesc):
            launch_custom(t, self.workspaces, found, ins, outs, stream)
        else:
            self.run(t, found, handle.inputs, ins, handle.outputs, outs, handle.attributes, stream, handle)


def _check_inputs(t: ThreadState, operator: Operator, inputs: Descs) -> None:
    """Raises AclError 500002, with a finding, for types and formats that the function here does not take."""
    try:
        operator.check_inputs([(desc.data_type, desc.format, len(desc.dims)) for desc in inputs])
    except OperatorError as error:
        t.sim.report_call(t, "not-modelled", "warning", str(error))
        raise AclError(ACL_ERROR_GE_FAILURE, str(error), "acl") from None


def _check_sizes(descs: Descs, buffers: Buffers, what: str) -> None:
    """Raises AclError 145000 for a buffer that is too small even after the rounding that the real check forgives."""
    for i, (desc, buffer) in enumerate(zip(descs, buffers, strict=True)):
        room = (buffer.size + 63) // 32 * 32
        if desc.data_type >= 0 and room < desc.bytes:
            raise AclError(
                ACL_ERROR_GE_PARAM_INVALID,
                f"{what} {i} has {buffer.size} bytes, {desc.describe()} needs {desc.bytes}",
                "acl",
            )
