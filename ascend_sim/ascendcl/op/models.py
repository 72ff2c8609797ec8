"""Single operators: model directories, loads, compile calls and their options.

See docs/semantics/operators.md#finding-compiled-operators.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, Final

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.op.arguments import check_counts, check_placement, empty_outputs, read_buffers, read_descs
from ascend_sim.constants.errors import (
    ACL_ERROR_API_NOT_SUPPORT,
    ACL_ERROR_FAILURE,
    ACL_ERROR_FEATURE_UNSUPPORTED,
    ACL_ERROR_INTERNAL_ERROR,
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_PARSE_MODEL,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
)
from ascend_sim.constants.models import (
    ACL_AUTO_TUNE_MODE,
    ACL_COMPILE_SYS,
    ACL_COMPILE_UNREGISTERED,
    ACL_OP_DEBUG_OPTION,
    ACL_OP_JIT_COMPILE,
)
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.ops.op_attributes import attributes_of
from ascend_sim.ops.registry import OperatorRegistry
from ascend_sim.runtime.tensors.descriptors import TensorDesc
from ascend_sim.runtime.thread_state import ThreadState

LAST_OPTION = 16
JIT_VALUE_BYTES = 256
"""What aclGetCompileoptSize answers for JIT_COMPILE, whatever the value is."""
JIT_FAMILIES: Final = ("910", "310p", "310b", "310")
"""Chips whose default is to compile for each shape; the others look for dynamic operators first."""
SIZE_LIMIT = (1 << 31) - 1


@api("aclopSetModelDir")
def set_model_dir(t: ThreadState, path: str | None) -> None:
    """Load every compiled operator below a directory, three levels deep; possible once.

    Codes: 100000 NULL, 100014 no such directory, 100002 one was set before. A directory without any is a success.
    """
    require(path, "modelDir")
    assert path is not None
    from ascend_sim.ops.op_files import load_directory  # only programs with model files pay for it

    load_directory(t, t.sim.part(OperatorRegistry).single.models, path)


@api("aclopLoad")
def load(t: ThreadState, address: int, size: int) -> None:
    """Load one compiled operator from host memory.

    Codes: 100000 NULL or size 0, 100013 another length than the header says, 100012 content, 100016, 148050.
    """
    require(address, "model")
    require(size, "modelSize")
    data = peek(address, size, "model")
    if data is None:
        raise AclError(ACL_ERROR_PARSE_MODEL, f"model: {size} bytes cannot be read at {address:#x}", "acl")
    from ascend_sim.ops.op_files import load_bytes

    load_bytes(t, t.sim.part(OperatorRegistry).single.models, data)


# -- compile ----------------------------------------------------------------------------------------------------------


def _check_flags(op_type: str | None, inputs: int, outputs: int, flag: int) -> str:
    check_counts(inputs, outputs)
    if flag not in (ACL_COMPILE_SYS, ACL_COMPILE_UNREGISTERED):
        raise AclError(
            ACL_ERROR_API_NOT_SUPPORT, f"compileFlag is {flag}: SYS (0) or UNREGISTERED (1) is required", "acl"
        )
    require(op_type, "opType")
    assert op_type is not None
    return op_type


def _compile(
    t: ThreadState, op_type: str, read: list[TensorDesc], written: list[TensorDesc], attr: int, flag: int,
    path: str | None,
) -> None:  # fmt: skip
    if flag == ACL_COMPILE_UNREGISTERED:
        require(path, "opPath")
    for desc in read:
        ranges = len(desc.shape_range)
        unknown_rank = bool(desc.dims) and desc.dims[0] == -2
        if (unknown_rank and ranges) or (not unknown_rank and -1 in desc.dims and ranges != len(desc.dims)):
            text = f"{desc.describe()} has {ranges} ranges: one for each dim is required, none for an unknown rank"
            raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    models = t.sim.part(OperatorRegistry).single.models
    models.jit = jit_default(t) == "enable"
    attributes = attributes_of(t, attr)
    unknown = any(desc.is_dynamic for desc in (*read, *written))
    if unknown or models.find(op_type, read, written, attributes) is None:
        models.compile(op_type, read, written, attributes)


@api("aclopCompile")
def compile_(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, outputs: int, output_descs: Any, attr: int,
    engine: int, flag: int, path: str | None,
) -> None:  # fmt: skip
    """Make an operator of these descriptors available: a registered type with shapes that fit.

    Codes: 100000 negative, 200001 flag, 100000 NULL, 200001 a tensor in host memory, 100000 ranges that do not belong
    to the dims, 500002 the compiler fails.
    """
    title = _check_flags(op_type, inputs, outputs, flag)
    read = read_descs(t, input_descs, inputs, "inputDesc")
    written = read_descs(t, output_descs, outputs, "outputDesc")
    check_placement([*read, *written])
    _compile(t, title, read, written, attr, flag, path)


def _compile_and_execute(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, ins: Any, outputs: int, output_descs: Any,
    outs: Any, attr: int, flag: int, path: str | None, stream: int, exact: bool,
) -> None:  # fmt: skip
    title = _check_flags(op_type, inputs, outputs, flag)
    read = read_descs(t, input_descs, inputs, "inputDesc")
    written = read_descs(t, output_descs, outputs, "outputDesc")
    given = read_buffers(t, ins, inputs, "inputs", True)
    made = read_buffers(t, outs, outputs, "outputs", True)
    if empty_outputs(written):
        return
    _compile(t, title, read, written, attr, flag, path)
    ops = t.sim.part(OperatorRegistry).single
    ops.execute(t, title, read, given, written, made, attributes_of(t, attr), stream, exact)


@api("aclopCompileAndExecute")
def compile_and_execute(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, ins: Any, outputs: int, output_descs: Any,
    outs: Any, attr: int, engine: int, flag: int, path: str | None, stream: int,
) -> None:  # fmt: skip
    """Compile when it is not known, then queue. Codes: as aclopCompile, but host memory is taken; as aclopExecuteV2."""
    _compile_and_execute(
        t, op_type, inputs, input_descs, ins, outputs, output_descs, outs, attr, flag, path, stream, False
    )  # fmt: skip


@api("aclopCompileAndExecuteV2")
def compile_and_execute_v2(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, ins: Any, outputs: int, output_descs: Any,
    outs: Any, attr: int, engine: int, flag: int, path: str | None, stream: int,
) -> None:  # fmt: skip
    """As aclopCompileAndExecute; outputs whose length the values decide as aclopExecuteV2. Codes as there."""
    _compile_and_execute(
        t, op_type, inputs, input_descs, ins, outputs, output_descs, outs, attr, flag, path, stream, True
    )  # fmt: skip


# -- options ----------------------------------------------------------------------------------------------------------


def jit_default(t: ThreadState) -> str:
    """``enable`` or ``disable``: what the chip does by default."""
    return "enable" if t.sim.profile.family in JIT_FAMILIES else "disable"


@api("aclSetCompileopt")
def set_compileopt(t: ThreadState, option: int, value: str | None) -> None:
    """Keep an option of the compiler. Codes: 100000 NULL, 200006 AUTO_TUNE_MODE, 500000 no such option."""
    if value is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "value is NULL", "acl")
    if option == ACL_AUTO_TUNE_MODE:
        raise AclError(ACL_ERROR_FEATURE_UNSUPPORTED, "ACL_AUTO_TUNE_MODE is not supported any more", "acl")
    if not 0 <= option <= LAST_OPTION:
        raise AclError(ACL_ERROR_INTERNAL_ERROR, f"opt is {option}: 0 to {LAST_OPTION} are known", "acl")
    t.sim.part(OperatorRegistry).single.options[option] = value


def _option(t: ThreadState, option: int) -> str | None:
    if option == ACL_OP_JIT_COMPILE:
        return jit_default(t)
    return t.sim.part(OperatorRegistry).single.options.get(option) if option == ACL_OP_DEBUG_OPTION else None


@api("aclGetCompileoptSize")
def get_compileopt_size(t: ThreadState, option: int) -> int:
    """Room that aclGetCompileopt needs; 0 for options that cannot be read."""
    value = _option(t, option)
    return 0 if value is None else JIT_VALUE_BYTES if option == ACL_OP_JIT_COMPILE else len(os.fsencode(value)) + 1


@api("aclGetCompileopt")
def get_compileopt(t: ThreadState, option: int, room: int, length: int) -> None:
    """Write an option as text to host memory: JIT_COMPILE (the chip's default), DEBUG_OPTION once it was set.

    Codes: 100000 NULL, 200001 any other option, 500001 too little room, or more than 2^31 - 1.
    """
    require(room, "value")
    value = _option(t, option)
    if value is None:
        raise AclError(ACL_ERROR_API_NOT_SUPPORT, f"option {option} cannot be read", "acl")
    text = os.fsencode(value) + b"\0"
    if length < len(text) or length > SIZE_LIMIT:
        raise AclError(ACL_ERROR_FAILURE, f"length is {length}: {len(text)} to {SIZE_LIMIT} is required", "acl")
    if not host_memory.writable(room, len(text)):
        raise AclError(ACL_ERROR_FAILURE, f"value: {len(text)} bytes cannot be written at {room:#x}", "acl")
    ctypes.memmove(room, text, len(text))


@api("aclopSetCompileFlag")
def set_compile_flag(t: ThreadState, flag: int) -> None:
    """FUZZ (1) lets dynamic operators be looked for first. Any number is taken; never fails."""
    t.sim.part(OperatorRegistry).single.models.fuzzy = flag == 1


class GraphDumpOption:
    """What aclCreateGraphDumpOpt makes; it has no settings."""

    def describe(self) -> str:
        """In words."""
        return "graph dump options"


@api("aclCreateGraphDumpOpt")
def create_graph_dump_opt(t: ThreadState) -> int:
    """Options of aclGenGraphAndDumpForOp, which is not modelled."""
    return t.sim.new_handle(GraphDumpOption())


@api("aclGenGraphAndDumpForOp")
def gen_graph_and_dump_for_op(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, ins: Any, outputs: int, output_descs: Any,
    outs: Any, attr: int, engine: int, path: str | None, option: int,
) -> None:  # fmt: skip
    """Not modelled: there is no graph to dump. Codes: 100000 *graphDumpOpt* given, else 207000."""
    if option:
        raise AclError(ACL_ERROR_INVALID_PARAM, "graphDumpOpt must be NULL", "acl")
    t.sim.report_call(t, "not-modelled", "warning", f"`{t.call}` is not modelled: there is no graph to dump")
    raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "there is no graph to dump", "acl")


@api("aclDestroyGraphDumpOpt")
def destroy_graph_dump_opt(t: ThreadState, handle: int) -> None:
    """Destroy the options. Codes: 100000 NULL."""
    require(handle, "graphDumpOpt")
    if isinstance(t.sim.handles.get(handle), GraphDumpOption):
        t.sim.drop_handle(handle)
