"""Executing operators, handles, casts, CBLAS (docs/semantics/operators.md#executing)."""

from __future__ import annotations

from typing import Any

from tests.conformance.operators import FLOAT, FLOAT16, Call, buffer, load, stand_in, tensor
from tests.conformance.registry import row, rows
from tests.conformance.world import World

EXECUTE = ("aclopExecute", "aclopExecuteV2")


@rows(("op-0042", EXECUTE[0]), ("op-0048", EXECUTE[1]), faces="c")
def null_type(w: World, name: str) -> None:
    w.expect(name, *Call(w, op=None).execute())


@rows(("op-0043", EXECUTE[0]), ("op-0049", EXECUTE[1]), faces="c")
def negative(w: World, name: str) -> None:
    w.expect(name, *Call(w, n=-1).execute())
    w.expect(name, *Call(w, m=-1).execute())


@rows(("op-0044", EXECUTE[0]), ("op-0050", EXECUTE[1]), faces="c")
def null_descs(w: World, name: str) -> None:
    for side in ("in_desc", "out_desc"):
        w.expect(name, *Call(w, **{side: None}).execute())
        w.expect(name, *Call(w, **{side: [0]}).execute())


@row("op-0045", faces="c")
def empty_outputs(w: World) -> None:
    call = Call(w, out_desc=[tensor(w, (4, 0))], ins=None, outs=None)
    w.expect("aclopExecute", *call.execute())


@row("op-0046", faces="c")
def null_buffers(w: World) -> None:
    for side in ("ins", "outs"):
        w.expect("aclopExecute", *Call(w, **{side: None}).execute())
        w.expect("aclopExecute", *Call(w, **{side: [0]}).execute())


@rows(("op-0051",), ("op-case-045",), faces="c")
def null_data(w: World) -> None:
    for side in ("ins", "outs"):
        w.refuse(100000, "aclopExecuteV2", *Call(w, **{side: [0]}).execute())
        w.refuse(100000, "aclopExecuteV2", *Call(w, **{side: [buffer(w, 16, 0)]}).execute())


@row("op-0047")
def nothing_matches(w: World) -> None:
    w.expect("aclopExecute", *Call(w).execute())
    load(w, stand_in(dims=(5,)))
    w.expect("aclopExecute", *Call(w).execute())
    w.refuse(100024, "aclopExecuteV2", *Call(w).execute())


@row("op-0052")
def null_data_of_length_0(w: World) -> None:
    """It passes the check of the buffers: an empty input is one of a compiled operator with a dim of 0."""
    load(w, stand_in("Fill", dims=(0,)))
    call = Call(w, "Fill", in_desc=[tensor(w, (0,))], ins=[buffer(w, 0, 0)])
    w.refuse(100024, "aclopExecuteV2", *call.execute())  # the output fits nothing: the search was reached
    empty = Call(w, "Fill", in_desc=[tensor(w, (0,))], out_desc=[tensor(w, (0,))], ins=[buffer(w, 0, 0)])
    w.expect("aclopExecuteV2", *empty.execute())


@row("op-0053")
def unknown_dim_static_first(w: World) -> None:
    w.expect("aclopExecuteV2", *Call(w, in_desc=[tensor(w, (-1,))]).execute())
    w.expect("aclopExecuteV2", *Call(w, out_desc=[tensor(w, (-2,))]).execute())


@row("op-0054", faces="c")
def unknown_dim_dynamic_first(w: World) -> None:
    w.ok("aclopSetCompileFlag", 1)
    w.expect("aclopExecuteV2", *Call(w, in_desc=[tensor(w, (-1,))]).execute())


# -- handles -----------------------------------------------------------------------------------------------------------


@rows(("op-0055",), ("op-case-024",), faces="c")
def handle_null_type(w: World) -> None:
    w.refuse(100000, "aclopCreateHandle", *Call(w, op=None).described())


@row("op-0057", faces="c")
def handle_negative(w: World) -> None:
    w.expect("aclopCreateHandle", *Call(w, n=-1).described())
    w.expect("aclopCreateHandle", *Call(w, m=-1).described())


@rows(("op-0058",), ("op-case-025",), faces="c")
def handle_null_descs(w: World) -> None:
    w.refuse(100000, "aclopCreateHandle", *Call(w, in_desc=None).described())
    w.refuse(100000, "aclopCreateHandle", *Call(w, n=3, in_desc=[tensor(w), 0, tensor(w)]).described())


def placed(w: World, memory: int) -> int:
    desc = tensor(w)
    w.ok("aclSetTensorPlaceMent", desc, memory)
    return desc


@rows(("op-0059", "in_desc", 1), ("op-case-027", "in_desc", 2), ("op-case-028", "out_desc", 1))
def handle_in_host_memory(w: World, side: str, memory: int) -> None:
    w.refuse(200001, "aclopCreateHandle", *Call(w, **{side: [placed(w, memory)]}).described())
    constant = placed(w, memory)
    w.ok("aclSetTensorConst", constant, w.host(16), 16)
    w.refuse(100024, "aclopCreateHandle", *Call(w, **{side: [constant]}).described())


@row("op-0060", "op-case-026")
def handle_nothing_matches(w: World) -> None:
    w.refuse(100024, "aclopCreateHandle", *Call(w).described())


def handle(w: World, call: Call) -> int:
    load(w, stand_in())
    return int(w.ok("aclopCreateHandle", *call.described()))


@row("op-0061")
def with_null_handle(w: World) -> None:
    call = Call(w)
    w.expect("aclopExecWithHandle", 0, 1, call["ins"], 1, call["outs"], 0)


@row("op-0062", faces="c")
def with_negative(w: World) -> None:
    call = Call(w)
    made = handle(w, call)
    w.expect("aclopExecWithHandle", made, -1, call["ins"], 1, call["outs"], 0)
    w.expect("aclopExecWithHandle", made, 1, call["ins"], -1, call["outs"], 0)


@row("op-0063", faces="c")
def with_null_buffers(w: World) -> None:
    call = Call(w)
    made = handle(w, call)
    for wrong in (None, [0]):
        w.expect("aclopExecWithHandle", made, 1, wrong, 1, call["outs"], 0)
        w.expect("aclopExecWithHandle", made, 1, call["ins"], 1, wrong, 0)


@rows(("op-0064", 2, 1), ("op-0065", 1, 2))
def with_other_counts(w: World, inputs: int, outputs: int) -> None:
    call = Call(w)
    made = handle(w, call)
    w.expect("aclopExecWithHandle", made, inputs, call["ins"] * inputs, outputs, call["outs"] * outputs, 0)


@row("op-0066")
def with_empty_outputs(w: World) -> None:
    call = Call(w)
    made = handle(w, call)
    w.expect("aclopExecWithHandle", made, 5, call["ins"] * 5, 1, [buffer(w, 0, 0)], 0)


@row("op-0067")
def destroy_null(w: World) -> None:
    w.value("aclopDestroyHandle", 0)


# -- compiled operators ------------------------------------------------------------------------------------------------


@row("op-0068")
def buffer_too_small(w: World) -> None:
    load(w, stand_in(dims=(100,)))
    descs: dict[str, Any] = {"in_desc": [tensor(w, (100,))], "out_desc": [tensor(w, (100,))]}
    small, whole = buffer(w, 336), buffer(w, 400)
    w.refuse(145000, "aclopExecuteV2", *Call(w, ins=[small], outs=[whole], **descs).execute())
    w.refuse(145000, "aclopExecuteV2", *Call(w, ins=[whole], outs=[small], **descs).execute())
    forgiven = buffer(w, 353, w.device(400, 0))  # (353 + 63) // 32 * 32 is 416
    w.ok("aclopExecuteV2", *Call(w, ins=[whole], outs=[forgiven], **descs).execute())


@row("op-0069")
def no_allocators(w: World) -> None:
    load(w, stand_in())
    call = Call(w)
    w.in_thread(lambda: w.refuse(100000, "aclopExecuteV2", *call.execute()))


@row("op-0070", "memory-0288", faces="c")
def allocator_gives_nothing(w: World) -> None:
    load(w, stand_in(work_size=64))
    stream = w.stream()
    desc = w.value("aclrtAllocatorCreateDesc")
    w.ok("aclrtAllocatorSetObjToDesc", desc, 1)
    w.ok("aclrtAllocatorSetAllocFuncToDesc", desc, lambda obj, size: 0)
    w.ok("aclrtAllocatorSetFreeFuncToDesc", desc, lambda obj, block: None)
    w.ok("aclrtAllocatorSetGetAddrFromBlockFuncToDesc", desc, lambda block: block)
    w.ok("aclrtAllocatorRegister", stream, desc)
    w.refuse(500002, "aclopExecuteV2", *Call(w, stream=stream).execute())


# -- casts -------------------------------------------------------------------------------------------------------------


@row("op-0129")
def cast_null(w: World) -> None:
    w.expect("aclopCast", tensor(w), buffer(w), 0, buffer(w), 0, 0)


@row("op-0130", "op-case-075")
def cast_nothing(w: World) -> None:
    half = tensor(w, data_type=FLOAT16)
    w.refuse(100024, "aclopCast", tensor(w), buffer(w), half, buffer(w), 0, 0)
    if "case" not in w.row.name:
        w.refuse(100024, "aclopCreateHandleForCast", tensor(w), half, 0)


# -- CBLAS -------------------------------------------------------------------------------------------------------------


def gemm(w: World, **changes: int) -> tuple[int, ...]:
    """The arguments of aclblasGemmEx for 2 x 2 matrices."""
    values = {
        "trans_a": 0, "trans_b": 0, "trans_c": 0, "m": 2, "n": 2, "k": 2, "alpha": w.device(4, 0), "a": w.device(16, 0),
        "lda": -1, "type_a": FLOAT, "b": w.device(16, 0), "ldb": -1, "type_b": FLOAT, "beta": w.device(4, 0),
        "c": w.device(16, 0), "ldc": -1, "type_c": FLOAT, "precision": 0, "stream": 0,
    }  # fmt: skip
    values.update(changes)
    return tuple(values.values())


def gemv(w: World, **changes: int) -> tuple[int, ...]:
    """The arguments of aclblasGemvEx."""
    values = {
        "trans_a": 0, "m": 2, "n": 2, "alpha": w.device(4, 0), "a": w.device(16, 0), "lda": -1, "type_a": FLOAT,
        "x": w.device(8, 0), "incx": -1, "type_x": FLOAT, "beta": w.device(4, 0), "y": w.device(8, 0), "incy": -1,
        "type_y": FLOAT, "precision": 0, "stream": 0,
    }  # fmt: skip
    values.update(changes)
    return tuple(values.values())


def hgemm(w: World, **changes: int) -> tuple[int, ...]:
    """The arguments of aclblasHgemm and aclblasS8gemm."""
    values = {
        "trans_a": 0, "trans_b": 0, "trans_c": 0, "m": 2, "n": 2, "k": 2, "alpha": w.device(4, 0), "a": w.device(16, 0),
        "lda": -1, "b": w.device(16, 0), "ldb": -1, "beta": w.device(4, 0), "c": w.device(16, 0), "ldc": -1,
        "precision": 0, "stream": 0,
    }  # fmt: skip
    values.update(changes)
    return tuple(values.values())


def hgemv(w: World, **changes: int) -> tuple[int, ...]:
    """The arguments of aclblasHgemv and aclblasS8gemv."""
    values = {
        "trans_a": 0, "m": 2, "n": 2, "alpha": w.device(4, 0), "a": w.device(16, 0), "lda": -1, "x": w.device(8, 0),
        "incx": -1, "beta": w.device(4, 0), "y": w.device(8, 0), "incy": -1, "precision": 0, "stream": 0,
    }  # fmt: skip
    values.update(changes)
    return tuple(values.values())


EXECUTIONS: dict[str, Any] = {
    "aclblasGemmEx": gemm, "aclblasHgemm": hgemm, "aclblasS8gemm": hgemm, "aclblasGemvEx": gemv, "aclblasHgemv": hgemv,
    "aclblasS8gemv": hgemv,
}  # fmt: skip


@row("op-0131", faces="c")
def blas_null(w: World) -> None:
    for name, arguments in EXECUTIONS.items():
        pointers = ("alpha", "a", "b", "beta", "c") if "emm" in name else ("alpha", "a", "x", "beta", "y")
        for pointer in pointers:
            w.refuse(100000, name, *arguments(w, **{pointer: 0}))


@row("op-0132", faces="c")
def blas_sizes(w: World) -> None:
    for name, arguments in EXECUTIONS.items():
        for size in ("m", "n", *(("k",) if "emm" in name else ())):
            for value in (0, -1):
                w.refuse(100000, name, *arguments(w, **{size: value}))
    w.refuse(100000, "aclblasCreateHandleForGemmEx", 0, 0, 0, 0, 2, 2, FLOAT, FLOAT, FLOAT, 0)


@row("op-0133", faces="c")
def blas_transpositions(w: World) -> None:
    for name, arguments in EXECUTIONS.items():
        w.refuse(100000, name, *arguments(w, trans_a=3))
        if "emm" in name:
            w.refuse(100000, name, *arguments(w, trans_b=3))
            w.refuse(100000, name, *arguments(w, trans_c=1))


@row("op-0134", faces="c")
def blas_strides(w: World) -> None:
    for name, arguments in EXECUTIONS.items():
        for stride in ("lda", "ldb", "ldc") if "emm" in name else ("lda", "incx", "incy"):
            w.refuse(100000, name, *arguments(w, **{stride: 1}))


@row("op-0135", faces="c")
def blas_precision(w: World) -> None:
    for name, arguments in EXECUTIONS.items():
        w.refuse(100000, name, *arguments(w, precision=1))


@row("op-0136", faces="c")
def blas_nothing(w: World) -> None:
    for name, arguments in EXECUTIONS.items():
        w.refuse(100024, name, *arguments(w))
    w.refuse(100024, "aclblasCreateHandleForHgemv", 0, 2, 2, 0)
    w.refuse(100024, "aclblasCreateHandleForS8gemv", 0, 2, 2, 0)
    w.refuse(100024, "aclblasCreateHandleForGemvEx", 0, 2, 2, FLOAT, FLOAT, FLOAT, 0)
    w.refuse(100024, "aclblasCreateHandleForS8gemm", 0, 0, 0, 2, 2, 2, 0)


@rows(("op-case-068", (0, 0, 0, 2, 2, 2, 0), 100024), ("op-case-069", (0, 0, 0, 2, 2, 2, 1), 100000),
      ("op-case-070", (0, 0, 0, -1, -1, 2, 0), 100000))  # fmt: skip
def handle_for_hgemm(w: World, arguments: tuple[int, ...], code: int) -> None:
    w.refuse(code, "aclblasCreateHandleForHgemm", *arguments)


@row("op-case-071")
def hgemm_null(w: World) -> None:
    for name in ("a", "b", "c"):
        w.refuse(100000, "aclblasHgemm", *hgemm(w, **{name: 0}))


@row("op-case-072")
def hgemm_nothing(w: World) -> None:
    w.refuse(100024, "aclblasHgemm", *hgemm(w))


@rows(("op-case-073", {"trans_a": 1, "trans_b": 1}, 100024), ("op-case-074", {"lda": 1}, 100000))
def gemm_case(w: World, changes: dict[str, int], code: int) -> None:
    w.refuse(code, "aclblasGemmEx", *gemm(w, **changes))
