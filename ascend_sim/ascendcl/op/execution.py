"""Single operators: executing by type, by handle, and casts (docs/semantics/operators.md#executing)."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.op.arguments import check_counts, check_placement, empty_outputs, read_buffers, read_descs
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.ops.op_attributes import BOOL, INT, OpAttributes, attributes_of
from ascend_sim.ops.registry import OperatorRegistry
from ascend_sim.ops.single_ops import OpHandle
from ascend_sim.runtime.thread_state import ThreadState


def _execute(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, ins: Any, outputs: int, output_descs: Any,
    outs: Any, attr: int, stream: int, second: bool,
) -> None:  # fmt: skip
    require(op_type, "opType")
    assert op_type is not None
    check_counts(inputs, outputs)
    read = read_descs(t, input_descs, inputs, "inputDesc")
    written = read_descs(t, output_descs, outputs, "outputDesc")
    if empty_outputs(written):
        return
    given = read_buffers(t, ins, inputs, "inputs", second)
    made = read_buffers(t, outs, outputs, "outputs", second)
    ops = t.sim.part(OperatorRegistry).single
    ops.execute(t, op_type, read, given, written, made, attributes_of(t, attr), stream, exact=second)


@api("aclopExecute")
def execute(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, ins: Any, outputs: int, output_descs: Any,
    outs: Any, attr: int, stream: int,
) -> None:  # fmt: skip
    """Queue an operator. Outputs with a dim of 0 throughout: 0, and the buffers are not looked at.

    Codes: 100000 NULL or negative; 100024 nothing fits, or the custom kernel failed, whatever with; 145000 a buffer
    that is too small, 500002 the stream's allocator gives no workspace; 107002, 107003, 107017.
    """
    _execute(t, op_type, inputs, input_descs, ins, outputs, output_descs, outs, attr, stream, False)


@api("aclopExecuteV2")
def execute_v2(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, ins: Any, outputs: int, output_descs: Any,
    outs: Any, attr: int, stream: int,
) -> None:  # fmt: skip
    """As aclopExecute; a buffer with a length and no address is 100000, too.

    Where the values decide how long an output is, it waits for the stream and writes that into the descriptor.
    """
    _execute(t, op_type, inputs, input_descs, ins, outputs, output_descs, outs, attr, stream, True)


# -- handles ----------------------------------------------------------------------------------------------------------


def new_handle(t: ThreadState, made: OpHandle) -> int:
    """The number that names *made*."""
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclopCreateHandle")
def create_handle(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, outputs: int, output_descs: Any, attr: int
) -> int:
    """What an execution would find, kept: the choice of a selector, or a compiled operator.

    Codes: 100000 NULL or negative, 200001 a tensor in host memory that is no constant, 100024 nothing fits.
    """
    require(op_type, "opType")
    assert op_type is not None
    check_counts(inputs, outputs)
    read = read_descs(t, input_descs, inputs, "inputDesc")
    written = read_descs(t, output_descs, outputs, "outputDesc")
    check_placement([*read, *written])
    return new_handle(
        t, t.sim.part(OperatorRegistry).single.make_handle(op_type, read, written, attributes_of(t, attr))
    )


@api("aclopDestroyHandle")
def destroy_handle(t: ThreadState, handle: int) -> None:
    """Destroy a handle of aclopCreateHandle; NULL is allowed."""
    if isinstance(t.sim.handles.get(handle), OpHandle):
        t.sim.drop_handle(handle)
    elif handle:
        t.sim.report_call(t, "undefined-use", "error", f"{t.call} got {handle:#x}, which is no live operator handle")


@api("aclopExecWithHandle")
def exec_with_handle(t: ThreadState, handle: int, inputs: int, ins: Any, outputs: int, outs: Any, stream: int) -> None:
    """Queue the operator of a handle; descriptors are not compared again. Outputs of length 0 throughout: 0.

    Codes: 100000 NULL or negative, 100021 and 100022 other numbers of inputs and outputs, a custom kernel's own code,
    else as aclopExecuteV2.
    """
    require(handle, "handle")
    check_counts(inputs, outputs)
    given = read_buffers(t, ins, inputs, "inputs", False)
    made = read_buffers(t, outs, outputs, "outputs", False)
    found = t.sim.handles.get(handle)
    if not isinstance(found, OpHandle):
        why = t.sim.tombstone(handle) or "no such handle was ever given out"
        t.sim.report_call(t, "undefined-use", "error", f"{t.call} got {handle:#x} for an operator handle: {why}")
        raise AclError(ACL_ERROR_INVALID_PARAM, f"handle is {handle:#x}: {why}", "acl")
    if made and not any(buffer.size for buffer in made):
        return
    t.sim.part(OperatorRegistry).single.execute_handle(t, found, given, made, stream)


# -- casts ------------------------------------------------------------------------------------------------------------


def _cast_attributes(t: ThreadState, target: int, truncate: int) -> OpAttributes:
    """``dst_type``; ``truncate`` only when a loaded Cast operator knows it."""
    made = OpAttributes({"dst_type": (INT, target)})
    models = t.sim.part(OperatorRegistry).single.models
    if any(m.op_type == "Cast" and "truncate" in m.attributes.values for m in (*models.static, *models.dynamic)):
        made.set("truncate", BOOL, bool(truncate))
    return made


@api("aclopCast")
def cast(
    t: ThreadState, source: int, source_buffer: int, target: int, target_buffer: int, truncate: int, stream: int
) -> None:
    """Queue operator Cast to the type of *dstDesc*. Codes: 100000 NULL, else as aclopExecuteV2."""
    require(target, "dstDesc")
    (desc,) = read_descs(t, [target], 1, "dstDesc")
    attributes = _cast_attributes(t, desc.data_type, truncate)
    (read,) = read_descs(t, [source], 1, "srcDesc")
    if empty_outputs([desc]):
        return
    (given,) = read_buffers(t, [source_buffer], 1, "srcBuffer", True)
    (made,) = read_buffers(t, [target_buffer], 1, "dstBuffer", True)
    t.sim.part(OperatorRegistry).single.execute(t, "Cast", [read], [given], [desc], [made], attributes, stream)


@api("aclopCreateHandleForCast")
def create_handle_for_cast(t: ThreadState, source: int, target: int, truncate: int) -> int:
    """A handle of operator Cast. Codes: 100000 NULL, 200001, 100024 as aclopCreateHandle."""
    require(target, "dstDesc")
    (desc,) = read_descs(t, [target], 1, "dstDesc")
    (read,) = read_descs(t, [source], 1, "srcDesc")
    check_placement([read, desc])
    attributes = _cast_attributes(t, desc.data_type, truncate)
    return new_handle(t, t.sim.part(OperatorRegistry).single.make_handle("Cast", [read], [desc], attributes))
