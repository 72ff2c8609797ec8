"""One execution of an operator as a task of a stream: it reads its inputs and writes its outputs when it ends.

Where a tensor lies is looked up when the task is queued, its bytes are read when it runs. The result is numpy's, with
half precision computed in float32 and rounded once: not the numerics of an AI Core.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ascend_sim.constants.errors import ACL_ERROR_GE_FAILURE, ACL_ERROR_OP_NOT_FOUND
from ascend_sim.errors import AclError
from ascend_sim.kernels.launching.faults import EXCEPTION
from ascend_sim.machine import host_memory
from ascend_sim.machine.data_types import UNDEFINED, numpy_type
from ascend_sim.machine.faults import AddressFault
from ascend_sim.machine.profiles import COUPLED
from ascend_sim.ops.operator import Array, Operator, OperatorError, same_shape
from ascend_sim.runtime.memory.transfers import Place, unreachable
from ascend_sim.runtime.settings.core_limits import CUBE, VECTOR, cores_of_stream
from ascend_sim.runtime.task import Access, Op, Task, TaskFault
from ascend_sim.runtime.tensors.descriptors import UNDEFINED_FORMAT
from ascend_sim.runtime.tensors.formats import FORMAT_NAMES

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.tensors.descriptors import DataBuffer, TensorDesc
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Tensor", "check_formats", "find", "operation", "tensor", "workspace"]

PLAIN_FORMATS: Final = (UNDEFINED_FORMAT, 0, 1, 2, 14, 16, 27, 30, 35)
"""Formats whose bytes are the tensor in C order; all others cut it into parts."""
CUBE_TYPES: Final = frozenset({"MatMul", "MatMulV2", "BatchMatMul", "GEMM", "Conv2D", "Conv3D"})
"""Types that run on the cube cores; the others run on the vector cores."""
BLOCK_BYTES: Final = 32 << 10
"""A core is used for each so many bytes: a guess at the tiling of the real operators."""
HOST: Final = 1
"""Placements from here on are host memory."""


class Tensor:
    """One operand: its type and shape, and where its bytes are. Absent optional inputs have no type."""

    __slots__ = ("fault", "held", "nbytes", "place", "shape", "type")

    def __init__(self, type_: np.dtype[Any] | None, shape: tuple[int, ...]) -> None:
        self.type = type_
        self.shape = shape
        self.nbytes = 0 if type_ is None else math.prod(shape) * type_.itemsize
        self.place: Place | None = None
        self.held: bytes | None = None
        """The values, when they were taken from host memory at the call."""
        self.fault = ""
        """Why the device cannot use the address."""

    def read(self, task: Task, code: int) -> Array | None:
        """The values as they are now. Raises TaskFault *code* when they are not to be had."""
        if self.type is None:
            return None
        if self.held is not None:
            return np.frombuffer(self.held, self.type, self.nbytes // self.type.itemsize).reshape(self.shape)
        if not self.nbytes:
            return np.zeros(self.shape, self.type)
        address = self.reach(task, code)
        values: Array = host_memory.view(address, self.nbytes).view(self.type).reshape(self.shape)
        values.flags.writeable = False
        return values

    def write(self, task: Task, values: Array, code: int) -> None:
        """Store the values, which may end earlier than the tensor. Raises TaskFault as `read`."""
        if self.nbytes:
            address = self.reach(task, code)
            if address and values.nbytes:
                host_memory.view(address, values.nbytes)[:] = values.reshape(-1).view(np.uint8)

    def reach(self, task: Task, code: int) -> int:
        """The true address of the bytes, observers told. Raises TaskFault."""
        if self.place is None:
            raise unreachable(task, self.fault, code)
        address = self.place.reach(task)
        self.place.tell(task)
        return address


def tensor(t: ThreadState, desc: TensorDesc, buffer: DataBuffer, write: bool, device: int, what: str) -> Tensor:
    """The operand of a descriptor and a buffer. Raises AclError 500002 for a type that numpy has not."""
    if desc.data_type == UNDEFINED:
        return Tensor(None, ())
    try:
        made = Tensor(numpy_type(desc.data_type), tuple(desc.dims))
    except ValueError as error:
        t.sim.report_call(t, "not-modelled", "warning", f"{what}: {error}")
        raise AclError(ACL_ERROR_GE_FAILURE, f"{what}: {error}", "acl") from None
    if desc.const is not None and not write and not buffer.address:
        made.held = desc.const[: made.nbytes].ljust(made.nbytes, b"\0")
        return made
    if not made.nbytes:
        return made
    if desc.placement >= HOST and not write:
        if not host_memory.readable(buffer.address, made.nbytes):
            raise AclError(
                ACL_ERROR_GE_FAILURE, f"{what}: {made.nbytes} bytes of host memory cannot be read there", "acl"
            )
        made.held = host_memory.view(buffer.address, made.nbytes).tobytes()
        return made
    find(t, made, buffer.address, write, device, what)
    return made


def find(t: ThreadState, made: Tensor, address: int, write: bool, device: int, what: str) -> None:
    """Look up where the bytes are, or why the device cannot use them."""
    memory = t.sim.memory
    try:
        block = memory.check(address, made.nbytes, write)
    except AddressFault as fault:
        made.fault = f"{what}: {fault.text}"
        return
    if block is None:
        made.fault = f"{what} is {memory.describe(address)}: no memory of device {device}"
    elif block.device not in (device, -1, *t.sim.devices[device].peers) and device not in block.allowed:
        made.fault = f"{what} is memory of device {block.device}, the operator runs on device {device}"
    else:
        made.place = Place(t.sim, block, address, made.nbytes, write)


def workspace(t: ThreadState, address: int, nbytes: int, device: int, op_type: str) -> Tensor:
    """The workspace of an execution."""
    made = Tensor(np.dtype(np.uint8), (nbytes,))
    find(t, made, address, True, device, f"the workspace of {op_type}")
    return made


def check_formats(t: ThreadState, op_type: str, descs: Sequence[TensorDesc]) -> None:
    """Raises AclError 100024 for a format of cut tensors: no operator here computes on one.

    One that only the storage has does not count: values lie there in the order of the plain one
    (docs/semantics/fused_operators.md#internal-formats).
    """
    for desc in descs:
        if desc.format not in PLAIN_FORMATS:
            name = FORMAT_NAMES.get(desc.format, desc.format)
            text = f"{op_type}: format {name} is internal, operators here take plain ones"
            t.sim.report_call(t, "not-modelled", "warning", text, fix="use ND, NCHW or NHWC")
            raise AclError(ACL_ERROR_OP_NOT_FOUND, text, "acl")


class Computation:
    """The action of an operator's task."""

    __slots__ = ("attributes", "code", "inputs", "operator", "outputs", "scratch", "shapes")

    def __init__(
        self, operator: Operator, attributes: dict[str, Any], inputs: list[Tensor], outputs: list[Tensor]
    ) -> None:
        self.operator = operator
        self.attributes = attributes
        self.inputs = inputs
        self.outputs = outputs
        self.code = 0
        """What a failure of the task gives."""
        self.scratch: Tensor | None = None
        """Its workspace: counts as written, though numpy needs none and leaves the bytes alone."""
        self.shapes: list[tuple[int, ...]] = []
        """What the outputs came to, once it has run."""

    def __call__(self, task: Task, time: int) -> None:
        """Read, compute, write. Raises TaskFault."""
        name = self.operator.name
        if self.scratch is not None:
            self.scratch.reach(task, self.code)
        values = [tensor.read(task, self.code) for tensor in self.inputs]
        while values and values[-1] is None:
            values.pop()
        wanted = [tensor.type for tensor in self.outputs]
        try:
            results = self.operator.run(self.attributes, values, wanted, [tensor.shape for tensor in self.outputs])
        except OperatorError as error:
            raise TaskFault(self.code, str(error)) from None
        if len(results) < len(self.outputs):
            raise TaskFault(self.code, f"{name} gives {len(results)} outputs, {len(self.outputs)} are described")
        for i, (made, tensor) in enumerate(zip(results, self.outputs, strict=False)):
            if not self._fits(made.shape, tensor.shape) or made.dtype != tensor.type:
                got, said = f"{made.dtype}{list(made.shape)}", f"{tensor.type}{list(tensor.shape)}"
                raise TaskFault(self.code, f"output {i} of {name} is {got}, its descriptor says {said}")
        if len(results) > 1:  # a result may be a view of an input that another output overwrites
            results = tuple(np.array(made) for made in results)
        dumping = task.stream.sim.process.dumping
        if dumping is not None and dumping.takes_operators():
            dumping.operator(task, name, values, results[: len(self.outputs)])
        for made, tensor in zip(results, self.outputs, strict=False):
            tensor.write(task, made, self.code)
        self.shapes = [made.shape for made in results[: len(self.outputs)]]

    def _fits(self, made: tuple[int, ...], said: tuple[int, ...]) -> bool:
        if not self.operator.counted:
            return same_shape(made, said)
        return len(made) == len(said) and all(n <= most for n, most in zip(made, said, strict=True))


def operation(sim: Runtime, action: Computation, stream: Stream, cost_ns: int = 0) -> Op:
    """The operation of an execution. *cost_ns*: what it takes; 0: a kernel's base and a pass over its bytes."""
    operator, scratch = action.operator, action.scratch
    tensors = (*action.inputs, *action.outputs)
    nbytes = sum(tensor.nbytes for tensor in tensors)
    coupled = sim.profile.family in COUPLED
    cube = operator.name in CUBE_TYPES
    engine = "aic" if cube else "aiv"
    action.code = EXCEPTION["aic" if cube or coupled else "aiv"]
    cores = cores_of_stream(stream, CUBE if cube else VECTOR) or sim.profile.vector_slots
    cost = cost_ns or sim.profile.costs.kernel_ns + nbytes * 1000 // sim.profile.costs.d2d_rate
    accesses = tuple(
        Access(tensor.place.address, tensor.place.address + tensor.nbytes, tensor.place.write)
        for tensor in (*tensors, *((scratch,) if scratch is not None else ()))
        if tensor.place is not None
    )
    slots = max(1, min(cores, -(-nbytes // BLOCK_BYTES)))
    return Op(f"operator {operator.name}", cost, action, engine=engine, slots=slots, least=1, accesses=accesses)
