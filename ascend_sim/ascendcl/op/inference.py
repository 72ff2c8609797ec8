"""Single operators: shapes of outputs, and the dump of arguments (docs/semantics/operators.md#inferring-shapes)."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.op.arguments import check_counts, read_buffers, read_descs
from ascend_sim.constants.errors import ACL_ERROR_FAILURE, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.ops.inference import check_packages, infer
from ascend_sim.ops.op_attributes import attributes_of
from ascend_sim.ops.registry import OperatorRegistry
from ascend_sim.runtime.thread_state import ThreadState

ARGUMENTS = 1
"""The bit of *dumpType* that the dump of arguments needs."""


@api("aclopInferShape")
def infer_shape(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, ins: Any, outputs: int, output_descs: Any,
    attr: int,
) -> None:  # fmt: skip
    """Work out the outputs' types, formats, dims and ranges from descriptors and values in host memory.

    Codes: 100000 NULL or negative, 148049 no operator packages, 100000 no such type or a buffer of length 0, 500001 a
    buffer without an address, 500002 the rule fails.
    """
    require(op_type, "opType")
    assert op_type is not None
    check_counts(inputs, outputs)
    read = read_descs(t, input_descs, inputs, "inputDesc")
    given = read_buffers(t, ins, inputs, "inputs", False)
    written = read_descs(t, output_descs, outputs, "outputDesc")
    check_packages(t)
    operator = t.sim.part(OperatorRegistry).get(op_type)
    if operator is None:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"there is no operator {op_type}: register one with sim.ops.register", "acl"
        )
    infer(operator, read, given, written, attributes_of(t, attr))


@api("aclopStartDumpArgs")
def start_dump_args(t: ThreadState, kind: int, path: str | None) -> None:
    """Dump the arguments of aclnn calls, of which there are none here. Codes: 500001 NULL path, bit 1 not set."""
    if path is None or not kind & ARGUMENTS:
        raise AclError(
            ACL_ERROR_FAILURE, f"dumpType is {kind:#x}, path {path!r}: bit 0x1 and a path are required", "acl"
        )


@api("aclopStopDumpArgs")
def stop_dump_args(t: ThreadState, kind: int) -> None:
    """End what aclopStartDumpArgs began; without the bit nothing is done, which is no error. Never fails."""
