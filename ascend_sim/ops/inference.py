"""Shapes of outputs from shapes and values of inputs: aclopInferShape.

See docs/semantics/operators.md#inferring-shapes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ascend_sim.constants.errors import (
    ACL_ERROR_FAILURE,
    ACL_ERROR_GE_FAILURE,
    ACL_ERROR_INVALID_OPP_PATH,
    ACL_ERROR_INVALID_PARAM,
)
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.machine.data_types import numpy_type
from ascend_sim.ops.operator import Array, Operator, OperatorError

if TYPE_CHECKING:
    from ascend_sim.ops.op_attributes import OpAttributes
    from ascend_sim.runtime.tensors.descriptors import DataBuffer, TensorDesc
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["check_packages", "infer", "result_type"]

FIXED: Final = {"bool": 12, "int32": 3, "int64": 9, "uint8": 4, "float": 0}


def check_packages(t: ThreadState) -> None:
    """The folder of the operator packages. Raises AclError 148049 when ASCEND_OPP_PATH is empty or leads nowhere.

    When it is not set at all, the switch ``opp_path`` decides: a laptop has none, and the operators here are built in.
    """
    path = os.environ.get("ASCEND_OPP_PATH")
    if path is None and t.sim.profile.switches["opp_path"] == "built-in":
        return
    if not path or not os.path.exists(path):
        raise AclError(
            ACL_ERROR_INVALID_OPP_PATH,
            f"ASCEND_OPP_PATH is {path!r}: the folder of the operator packages is required",
            "acl",
        )


def _value(desc: TensorDesc, buffer: DataBuffer, what: str) -> Array | None:
    """The values of an input in host memory. Raises AclError 100000 (length 0), 500001 (no address)."""
    if not buffer.size:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} has length 0", "acl")
    if not buffer.address:
        raise AclError(ACL_ERROR_FAILURE, f"{what} has no address", "acl")
    try:
        kind = numpy_type(desc.data_type)
    except ValueError:
        return None
    count = desc.elements
    if count * kind.itemsize > buffer.size or not host_memory.readable(buffer.address, count * kind.itemsize):
        return None  # dims are unknown, or it is no host memory: nothing can be told from the values
    values: Array = host_memory.view(buffer.address, count * kind.itemsize).copy().view(kind)
    return values.reshape(desc.dims) if not desc.is_dynamic else values


def infer(
    operator: Operator, inputs: Sequence[TensorDesc], buffers: Sequence[DataBuffer], outputs: Sequence[TensorDesc],
    attributes: OpAttributes,
) -> None:  # fmt: skip
    """Write type, format, dims and ranges to the output descriptors. Raises AclError 100000, 500001, 500002."""
    values = [
        _value(desc, buffer, f"inputs[{i}]") for i, (desc, buffer) in enumerate(zip(inputs, buffers, strict=True))
    ]
    low, high = operator.inputs
    try:
        if not low <= len(inputs) <= high:
            raise OperatorError(f"{operator.name} takes {low} to {high} inputs, {len(inputs)} are given")
        shapes = operator.shapes(attributes.plain(), [tuple(desc.dims) for desc in inputs], values)
    except OperatorError as error:
        raise AclError(ACL_ERROR_GE_FAILURE, str(error), "acl") from None
    results = operator.result if isinstance(operator.result, tuple) else (operator.result,) * len(outputs)
    for desc, shape, rule in zip(outputs, shapes, results, strict=False):
        desc.data_type = result_type(rule, [one.data_type for one in inputs], attributes.plain())
        desc.format = inputs[0].format if inputs else desc.format
        desc.dims = list(shape)
        unknown_rank = list(shape) == [-2]
        desc.shape_range = [] if unknown_rank or -1 not in shape else [(0, -1) if n == -1 else (n, n) for n in shape]


def result_type(rule: str, inputs: Sequence[int], attributes: Mapping[str, Any]) -> int:
    """The aclDataType of an output by the rule of its operator, from those of the inputs."""
    if rule in FIXED:
        return FIXED[rule]
    if rule == "attribute":
        return int(attributes.get("dst_type", attributes.get("dtype", -1)))
    if rule == "index":
        return int(attributes.get("dtype", FIXED["int64"]))
    place = {"first": 0, "second": 1, "third": 2}[rule]
    return inputs[place] if place < len(inputs) else inputs[0]
