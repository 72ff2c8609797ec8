"""Model directories, loads, compile calls and options, shapes of outputs.

See docs/semantics/operators.md#finding-compiled-operators.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
from typing import Any

from ascend_sim.om.container import HEADER_BYTES, write
from ascend_sim.om.description import Body, ModelDescription
from tests.conformance.operators import Call, buffer, load, stand_in, tensor
from tests.conformance.registry import row, rows
from tests.conformance.world import World

# -- directories -------------------------------------------------------------------------------------------------------


@row("op-0071", faces="c")
def directory_null(w: World) -> None:
    w.expect("aclopSetModelDir", None)


@row("op-0072")
def directory_missing(w: World) -> None:
    with tempfile.TemporaryDirectory() as folder:
        w.expect("aclopSetModelDir", os.path.join(folder, "none"))
        w.ok("aclopSetModelDir", folder)
        w.expect("aclopSetModelDir", os.path.join(folder, "none"))


@row("op-0073", "op-case-048")
def directory_twice(w: World) -> None:
    with tempfile.TemporaryDirectory() as folder:
        w.ok("aclopSetModelDir", folder)
        w.refuse(100002, "aclopSetModelDir", folder)
        w.refuse(100014, "aclopSetModelDir", folder + "/none")


@row("op-0074", "op-case-047")
def directory_empty(w: World) -> None:
    with tempfile.TemporaryDirectory() as folder:
        w.ok("aclopSetModelDir", folder)
        w.refuse(100002, "aclopSetModelDir", folder)


@row("op-0075")
def directory_is_a_file(w: World) -> None:
    with tempfile.NamedTemporaryFile() as file:
        w.expect("aclopSetModelDir", file.name)


@row("op-0076")
def directory_after_a_failure(w: World) -> None:
    with tempfile.TemporaryDirectory() as folder:
        w.refuse(100014, "aclopSetModelDir", folder + "/none")
        with open(os.path.join(folder, "neg.om"), "wb") as file:
            file.write(stand_in())
        w.expect("aclopSetModelDir", folder)
    w.ok("aclopExecuteV2", *Call(w).execute())


# -- loads -------------------------------------------------------------------------------------------------------------


def host_copy(w: World, data: bytes) -> int:
    there = w.host(max(len(data), 1))
    ctypes.memmove(there, data, len(data))
    return there


@row("op-0077")
def load_null(w: World) -> None:
    w.expect("aclopLoad", 0, 300)


@row("op-0078", "op-case-049")
def load_nothing(w: World) -> None:
    w.refuse(100000, "aclopLoad", w.host(16), 0)


@row("op-0079")
def load_length(w: World) -> None:
    data = stand_in()
    for wrong in (data[:HEADER_BYTES], data[:100], data[:-1], data + b"\0"):
        w.expect("aclopLoad", host_copy(w, wrong), len(wrong))


@row("op-0080")
def load_content(w: World) -> None:
    broken = bytearray(stand_in())
    broken[HEADER_BYTES + 20] ^= 0xFF
    whole_model = write(ModelDescription("net", (), (), Body("none")))
    for wrong in (bytes(broken), whole_model):
        w.expect("aclopLoad", host_copy(w, wrong), len(wrong))


@row("op-0081")
def load_without_type(w: World) -> None:
    data = write(ModelDescription("", (), (), Body("op", "")))
    w.expect("aclopLoad", host_copy(w, data), len(data))


@row("op-0082")
def load_without_dynamic_shapes(w: World) -> None:
    data = stand_in(support_dynamicshape=False)
    w.expect("aclopLoad", host_copy(w, data), len(data))


# -- compile -----------------------------------------------------------------------------------------------------------


@row("op-0083", faces="c")
def compile_negative(w: World) -> None:
    w.expect("aclopCompile", *Call(w, n=-1).compiled(flag=7))
    w.expect("aclopCompile", *Call(w, m=-1).compiled())


@row("op-0084", faces="c")
def compile_flag(w: World) -> None:
    w.expect("aclopCompile", *Call(w, op=None).compiled(flag=2))


@row("op-0085", faces="c")
def compile_null(w: World) -> None:
    w.expect("aclopCompile", *Call(w, op=None).compiled())
    w.expect("aclopCompile", *Call(w, in_desc=None).compiled())
    w.expect("aclopCompile", *Call(w, out_desc=[0]).compiled())


def in_host_memory(w: World) -> int:
    desc = tensor(w)
    w.ok("aclSetTensorPlaceMent", desc, 1)
    return desc


@rows(("op-0086",), ("op-case-055",), faces="c")
def compile_host_memory(w: World) -> None:
    w.refuse(200001, "aclopCompile", *Call(w, in_desc=[in_host_memory(w)]).compiled())
    w.refuse(200001, "aclopCompile", *Call(w, out_desc=[in_host_memory(w)]).compiled())


@row("op-0087", faces="c")
def compile_without_path(w: World) -> None:
    w.expect("aclopCompile", *Call(w).compiled(flag=1))


@row("op-0088", faces="c")
def compile_known(w: World) -> None:
    load(w, stand_in())
    w.expect("aclopCompile", *Call(w).compiled())
    w.same(len(w.sim.ops.single.models.static), 1, "the compiled operators")


@row("op-0089", faces="c")
def compile_ranges(w: World) -> None:
    w.expect("aclopCompile", *Call(w, in_desc=[tensor(w, (-1, 4))]).compiled())
    ranked = tensor(w, (-2,))
    w.ok("aclSetTensorShapeRange", ranked, 1, [[1, 4]])
    w.expect("aclopCompile", *Call(w, in_desc=[ranked]).compiled())
    good = tensor(w, (-1,))
    w.ok("aclSetTensorShapeRange", good, 1, [[1, 8]])
    w.ok("aclopCompile", *Call(w, in_desc=[good], out_desc=[tensor(w, (-1,))]).compiled())


@row("op-0090", faces="c")
def compile_fails(w: World) -> None:
    w.expect("aclopCompile", *Call(w, "NoSuchOperator").compiled())
    w.expect("aclopCompile", *Call(w, out_desc=[tensor(w, (5,))]).compiled())


BOTH = ("aclopCompileAndExecute", "aclopCompileAndExecuteV2")


@row("op-0091", faces="c")
def compile_and_execute_null_data(w: World) -> None:
    for name in BOTH:
        w.expect(name, *Call(w, ins=[buffer(w, 16, 0)]).compile_and_execute())


@row("op-0092", faces="c")
def compile_and_execute_empty(w: World) -> None:
    for name in BOTH:
        empty: dict[str, Any] = {"out_desc": [tensor(w, (0,))]}
        w.refuse(100000, name, *Call(w, ins=None, **empty).compile_and_execute())
        w.expect(name, *Call(w, **empty).compile_and_execute())


# -- options -----------------------------------------------------------------------------------------------------------

CACHE_DIR, AUTO_TUNE, DETERMINISTIC, JIT, DEBUG = 8, 2, 11, 10, 16


@row("op-0093", faces="c")
def option_null(w: World) -> None:
    w.expect("aclSetCompileopt", CACHE_DIR, None)


@row("op-0094", "op-case-057", faces="c")
def option_auto_tune(w: World) -> None:
    w.refuse(200006, "aclSetCompileopt", AUTO_TUNE, "1")


@row("op-0095", faces="c")
def option_unknown(w: World) -> None:
    w.expect("aclSetCompileopt", 99, "1")


@rows(("op-case-056", CACHE_DIR, "111"), ("op-case-058", DETERMINISTIC, "1"), faces="c")
def option_set(w: World, option: int, value: str) -> None:
    w.ok("aclSetCompileopt", option, value)


@row("op-0096", faces="c")
def read_option_null(w: World) -> None:
    w.expect("aclGetCompileopt", JIT, 0, 256)


@row("op-0097", "op-case-061", faces="c")
def read_other_option(w: World) -> None:
    w.ok("aclSetCompileopt", CACHE_DIR, "111")
    for option in (CACHE_DIR, DEBUG, 99):
        w.refuse(200001, "aclGetCompileopt", option, w.host(), 256)
    w.ok("aclSetCompileopt", DEBUG, "oom")
    w.ok("aclGetCompileopt", DEBUG, w.host(), 256)


@rows(("op-0098", 1), ("op-case-063", 1 << 31), ("op-case-064", 1), faces="c")
def read_option_length(w: World, length: int) -> None:
    w.refuse(500001, "aclGetCompileopt", JIT, w.host(), length)


@row("op-case-059", "op-case-060", "op-case-062", faces="c")
def option_sizes(w: World) -> None:
    w.same(w.value("aclGetCompileoptSize", JIT), 256, "JIT_COMPILE")
    w.same(w.value("aclGetCompileoptSize", 99), 0, "an unknown one")
    w.same(w.value("aclGetCompileoptSize", DEBUG), 0, "DEBUG_OPTION before it is set")
    w.ok("aclSetCompileopt", DEBUG, "x" * 21)
    w.same(w.value("aclGetCompileoptSize", DEBUG), 22, "DEBUG_OPTION")


@row("op-case-065", faces="c")
def jit_default(w: World) -> None:
    there = w.host(256, 7)
    w.ok("aclGetCompileopt", JIT, there, 256)
    w.same(w.read(there, 8), b"disable\0", "JIT_COMPILE")


@row("op-0099", faces="c")
def compile_flags(w: World) -> None:
    for flag in (0, 1, 7):
        w.expect("aclopSetCompileFlag", flag)


@row("op-0100", faces="c")
def graph_dump_options(w: World) -> None:
    option = w.value("aclCreateGraphDumpOpt")
    *front, _ = Call(w).execute()
    w.expect("aclGenGraphAndDumpForOp", *front, 0, "/tmp/graph", option)


@row("op-0101", faces="c")
def destroy_graph_dump_options(w: World) -> None:
    w.expect("aclDestroyGraphDumpOpt", 0)
    w.ok("aclDestroyGraphDumpOpt", w.value("aclCreateGraphDumpOpt"))


# -- shapes of outputs -------------------------------------------------------------------------------------------------


def inferred(w: World, op_type: str | None = "Neg", **changes: Any) -> tuple[Any, ...]:
    changes.setdefault("ins", [buffer(w, 16, w.host(16))])
    return Call(w, op=op_type, **changes).inferred()


@row("op-0102", faces="c")
def infer_null(w: World) -> None:
    w.expect("aclopInferShape", *inferred(w, None))
    w.expect("aclopInferShape", *inferred(w, n=-1))
    w.expect("aclopInferShape", *inferred(w, m=-1))
    for name in ("in_desc", "ins", "out_desc"):
        w.expect("aclopInferShape", *inferred(w, **{name: None}))


@rows(("op-0103", None), ("op-case-050", ""), switches={"opp_path": "environment"})
def infer_without_packages(w: World, path: str | None) -> None:
    before = os.environ.pop("ASCEND_OPP_PATH", None)
    try:
        if path is not None:
            os.environ["ASCEND_OPP_PATH"] = path
        w.refuse(148049, "aclopInferShape", *inferred(w))
        os.environ["ASCEND_OPP_PATH"] = "/no/such/folder"
        w.refuse(148049, "aclopInferShape", *inferred(w))
        os.environ["ASCEND_OPP_PATH"] = "/"
        w.ok("aclopInferShape", *inferred(w))
    finally:
        os.environ.pop("ASCEND_OPP_PATH", None)
        if before is not None:
            os.environ["ASCEND_OPP_PATH"] = before


@row("op-0105")
def infer_empty_buffer(w: World) -> None:
    w.expect("aclopInferShape", *inferred(w, ins=[buffer(w, 0, 0)]))


@row("op-0106")
def infer_unknown_type(w: World) -> None:
    w.expect("aclopInferShape", *inferred(w, "NoSuchOperator"))


@row("op-0107")
def infer_null_data(w: World) -> None:
    w.expect("aclopInferShape", *inferred(w, ins=[buffer(w, 16, 0)]))


@row("op-0108")
def infer_fails(w: World) -> None:
    w.expect("aclopInferShape", *inferred(w, "MatMul"))


# -- dumps -------------------------------------------------------------------------------------------------------------


@rows(("op-0137", "aclopStartDumpArgs", (1, None)), ("op-0138", "aclopStartDumpArgs", (2, "/tmp")),
      ("op-0139", "aclopStopDumpArgs", (2,)))  # fmt: skip
def dumps(w: World, name: str, arguments: tuple[Any, ...]) -> None:
    if None in arguments:
        w.face.routed.add(name)  # pyACL takes no NULL string
    w.expect(name, *arguments)
