"""The two phases of an operator: the first checks its operands and makes an executor, the second queues a task.

What an operator computes is a body on numpy arrays, by its name; the result is converted to the type of the output.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ascend_sim.aclnn.objects import Scalar, TensorView
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.ops.computation import Tensor, find, operation
from ascend_sim.ops.operator import Array, Attributes, op
from ascend_sim.runtime.task import Task
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["BODIES", "NULL_PARAMETER", "WRONG_PARAMETER", "Executor", "prepare", "queue"]

NULL_PARAMETER: Final = 161001
"""ACLNN_ERR_PARAM_NULLPTR"""
WRONG_PARAMETER: Final = 161002
"""ACLNN_ERR_PARAM_INVALID"""
MOST_DIMS: Final = 8

Body = Callable[..., Array]


def _scaled_sum(x: Array, y: Array, alpha: Any) -> Array:
    total: Array = x + np.asarray(alpha).astype(y.dtype) * y
    return total


def _scaled_difference(x: Array, y: Array, alpha: Any) -> Array:
    rest: Array = x - np.asarray(alpha).astype(y.dtype) * y
    return rest


BODIES: Mapping[str, Body] = {
    "aclnnAdd": _scaled_sum,
    "aclnnAdds": _scaled_sum,
    "aclnnSub": _scaled_difference,
    "aclnnSubs": _scaled_difference,
    "aclnnMul": np.multiply,
    "aclnnMuls": np.multiply,
    "aclnnDiv": np.true_divide,
    "aclnnDivs": np.true_divide,
    "aclnnMaximum": np.maximum,
    "aclnnMinimum": np.minimum,
}
"""What operators of one output compute: two operands, and a factor of the second one where there is a third."""


class Strided(Tensor):
    """An operand whose elements are not next to each other: its place is all that its view reaches."""

    __slots__ = ("view",)

    def __init__(self, view: TensorView) -> None:
        super().__init__(view.type, view.dims)
        self.view = view
        self.nbytes = view.extent()[1]

    def _elements(self, task: Task, code: int) -> Array:
        if not self.nbytes:
            return np.zeros(self.shape, self.type)
        assert self.type is not None
        memory = host_memory.view(self.reach(task, code), self.nbytes)
        width = self.type.itemsize
        begin = self.view.offset * width - self.view.extent()[0]
        first = memory[begin:] if begin else memory
        strides = [stride * width for stride in self.view.strides]
        found: Array = as_strided(first[:width].view(self.type), self.shape, strides)
        return found

    def read(self, task: Task, code: int) -> Array:
        return np.array(self._elements(task, code))

    def write(self, task: Task, values: Array, code: int) -> None:
        self._elements(task, code)[...] = values.reshape(self.shape)


class Executor:
    """What the first phase hands to the second."""

    __slots__ = ("factor", "handle", "inputs", "name", "output", "repeatable")

    def __init__(self, name: str, inputs: list[TensorView | Scalar], factor: Scalar | None, output: TensorView) -> None:
        self.handle = 0
        self.name = name
        self.inputs = inputs
        self.factor = factor
        self.output = output
        self.repeatable = False

    def describe(self) -> str:
        """The executor in words."""
        return f"the executor of {self.name}"


def prepare(t: ThreadState, name: str, operands: list[TensorView | Scalar | None]) -> Executor:
    """The first phase. Raises AclError 161001 for a missing operand, 161002 for shapes and types that do not fit."""
    if any(operand is None for operand in operands):
        raise AclError(NULL_PARAMETER, f"{name}: a parameter is NULL", "acl")
    *inputs, output = [operand for operand in operands if operand is not None]
    factor = inputs.pop() if len(inputs) > 2 else None
    if not isinstance(output, TensorView) or not (factor is None or isinstance(factor, Scalar)):
        raise AclError(WRONG_PARAMETER, f"{name}: a parameter is of another kind", "acl")
    try:
        shape = np.broadcast_shapes(*(value.dims for value in inputs if isinstance(value, TensorView)))
        types = [value.type for value in (*inputs, output) if isinstance(value, TensorView)]
    except ValueError as error:
        raise AclError(WRONG_PARAMETER, f"{name}: {error}", "acl") from None
    if shape != output.dims or len(shape) > MOST_DIMS:
        text = f"{name}: the inputs give {list(shape)}, out is {list(output.dims)}"
        raise AclError(WRONG_PARAMETER, text, "acl")
    if types[-1].kind == "b" and any(kind.kind != "b" for kind in types):
        raise AclError(WRONG_PARAMETER, f"{name}: {types[0]} does not become {types[-1]}", "acl")
    return Executor(name, inputs, factor, output)


def _operand(t: ThreadState, view: TensorView, write: bool, device: int, what: str) -> Tensor:
    begin, nbytes = view.extent()
    made = Strided(view)
    if nbytes:
        find(t, made, view.address + begin, write, device, what)
    return made


def queue(t: ThreadState, executor: Executor, stream: int) -> None:
    """The second phase. Raises AclError for a stream that cannot take a task."""
    target = t.submit_stream(stream)
    device = target.context.device.index
    name, body, output = executor.name, BODIES[executor.name], executor.output
    constants = {i: value.value for i, value in enumerate(executor.inputs) if isinstance(value, Scalar)}
    tensors = [
        _operand(t, value, False, device, f"input {i} of {name}")
        for i, value in enumerate(executor.inputs)
        if isinstance(value, TensorView)
    ]
    factor = () if executor.factor is None else (executor.factor.value,)

    def compute(attributes: Attributes, *values: Array) -> Array:
        rest = list(values)
        operands = [constants[i] if i in constants else rest.pop(0) for i in range(len(executor.inputs))]
        like = values[0].dtype
        operands = [np.asarray(value).astype(like) if i in constants else value for i, value in enumerate(operands)]
        result = np.asarray(body(*operands, *factor))
        return np.broadcast_to(result, output.dims).astype(output.type)

    operator = op(name, inputs=len(tensors))(compute)
    written = _operand(t, output, True, device, f"out of {name}")
    target.submit(t, operation(t.sim, operator, {}, tensors, [written], target))
