"""Custom kernels of operators: selectors, kernels, launches (docs/semantics/operators.md#selectors-and-kernels)."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

from tests.conformance.operators import AICORE, VECTOR, Call, create_kernel, custom, kernel_file, selector, tensor
from tests.conformance.registry import row, rows
from tests.conformance.world import World


def nothing(*_: Any) -> int:
    return 0


# -- selectors ---------------------------------------------------------------------------------------------------------


@rows(("op-0001", None, nothing), ("op-0002", "Custom", None), faces="c")
def register_null(w: World, op_type: str | None, function: Any) -> None:
    w.expect("aclopRegisterCompileFunc", op_type, function)


@row("op-0003")
def register_twice(w: World) -> None:
    w.ok("aclopRegisterCompileFunc", "Custom", nothing)
    w.expect("aclopRegisterCompileFunc", "Custom", nothing)
    w.expect("aclopRegisterCompileFunc", "Custom", selector(w))


@row("op-case-029")
def register_twice_case(w: World) -> None:
    w.ok("aclopRegisterCompileFunc", "Custom", nothing)
    w.refuse(100030, "aclopRegisterCompileFunc", "Custom", nothing)


@row("op-0004")
def register_new(w: World) -> None:
    w.expect("aclopRegisterCompileFunc", "Custom", nothing)


@row("op-0005", faces="c")
def unregister_null(w: World) -> None:
    w.expect("aclopUnregisterCompileFunc", None)


@row("op-0006", "op-case-030")
def unregister_unknown(w: World) -> None:
    w.expect("aclopUnregisterCompileFunc", "Custom")


# -- kernels -----------------------------------------------------------------------------------------------------------


@rows(("op-0007", 0), ("op-0008", 1), ("op-0009", 2), ("op-0010", 3))
def create_null(w: World, position: int) -> None:
    arguments: list[Any] = ["Custom", "k", "add_one", *kernel_file(w), AICORE, None]
    arguments[position] = None
    if position < 3 and w.face.name == "pyacl":  # a NULL string cannot be said there
        w.face.routed.add("aclopCreateKernel")
    w.expect("aclopCreateKernel", *arguments)


@row("op-0011")
def create_engine(w: World) -> None:
    data = kernel_file(w)
    for engine in (0, 3, 100):
        w.expect("aclopCreateKernel", "Custom", "k", "add_one", *data, engine, None)
    create_kernel(w)
    w.refuse(100031, "aclopCreateKernel", "Custom", "k", "add_one", *data, 0, None)


@row("op-0012", faces="c")
def create_duplicate(w: World) -> None:
    freed: list[int] = []
    create_kernel(w)
    w.expect(
        "aclopCreateKernel", "Custom", "k", "add_one", *kernel_file(w), AICORE, lambda data, size: freed.append(data)
    )
    w.same(freed, [], "what the deallocator was called with")
    w.same([f.kind for f in w.sim.findings], ["hidden-error"], "the findings")


@row("op-0013", faces="c")
def create_refused(w: World) -> None:
    freed: list[int] = []
    data = kernel_file(w)
    for name, where in (("no_such_kernel", data), ("add_one", (w.host(64, 7), 64))):
        free = lambda data, size: freed.append(data)  # noqa: E731 - as a program would write it
        w.refuse(107000, "aclopCreateKernel", "Custom", "k", name, *where, AICORE, free)
    w.same(freed, [], "what the deallocator was called with")


@row("op-0014")
def create_same_id(w: World) -> None:
    create_kernel(w)
    w.expect("aclopCreateKernel", "Other", "k", "add_one", *kernel_file(w), AICORE, None)


@row("op-0015")
def create_without_size(w: World) -> None:
    there, _ = kernel_file(w)
    w.expect("aclopCreateKernel", "Custom", "a", "add_one", there, 0, AICORE, None)
    w.expect("aclopCreateKernel", "Custom", "b", "add_one", there, -1, AICORE, None)


@rows(("op-case-034", AICORE), ("op-case-036", VECTOR))
def create(w: World, engine: int) -> None:
    w.ok("aclopCreateKernel", "Custom", "k", "add_one", *kernel_file(w), engine, None)


@row("op-case-035")
def create_again(w: World) -> None:
    create_kernel(w)
    w.refuse(100031, "aclopCreateKernel", "Custom", "k", "add_one", *kernel_file(w), AICORE, None)


# -- aclopUpdateParams -------------------------------------------------------------------------------------------------


@row("op-0016", faces="c")
def update_null_type(w: World) -> None:
    w.expect("aclopUpdateParams", *Call(w, op=None).described())


@row("op-0017", faces="c")
def update_negative(w: World) -> None:
    w.expect("aclopUpdateParams", *Call(w, "Custom", n=-1).described())
    w.expect("aclopUpdateParams", *Call(w, "Custom", m=-1).described())


@rows(("op-0018",), ("op-case-031",), faces="c")
def update_null_descs(w: World) -> None:
    w.ok("aclopRegisterCompileFunc", "Custom", nothing)
    for side in ("in_desc", "out_desc"):
        w.refuse(100000, "aclopUpdateParams", *Call(w, "Custom", **{side: None}).described())
        w.refuse(100000, "aclopUpdateParams", *Call(w, "Custom", **{side: [0]}).described())


@row("op-0019", "op-case-032")
def update_without_selector(w: World) -> None:
    w.refuse(100028, "aclopUpdateParams", *Call(w, "opType").described())


@row("op-0020", faces="c")
def selector_fails(w: World) -> None:
    w.ok("aclopRegisterCompileFunc", "Custom", selector(w, code=77))
    create_kernel(w)
    call = Call(w, "Custom")
    w.refuse(77, "aclopUpdateParams", *call.described())
    w.refuse(100024, "aclopExecuteV2", *call.execute())


@row("op-0021")
def unknown_kernel(w: World) -> None:
    create_kernel(w, kernel_id="other")
    w.ok("aclopRegisterCompileFunc", "Custom", selector(w))
    w.expect("aclopUpdateParams", *Call(w, "Custom").described())
    w.ok("aclopRegisterCompileFunc", "Second", nothing)
    create_kernel(w, "Second")
    w.expect("aclopUpdateParams", *Call(w, "Second").described())


@row("op-0022", faces="c")
def second_update_is_dropped(w: World) -> None:
    blocks = [1, 2]

    def select(n: int, ins: Any, m: int, outs: Any, attr: int, desc: int) -> int:
        return int(selector(w, blocks=blocks.pop(0))(n, ins, m, outs, attr, desc))

    w.ok("aclopRegisterCompileFunc", "Custom", select)
    create_kernel(w)
    call = Call(w, "Custom")
    w.ok("aclopUpdateParams", *call.described())
    w.expect("aclopUpdateParams", *call.described())
    kept = list(w.sim.ops.single.custom.descs)
    w.same([desc.blocks for desc in kept], [1], "the blocks of what is kept")
    w.same([f.kind for f in w.sim.findings], ["hidden-error"], "the findings")


# -- inside the selector -----------------------------------------------------------------------------------------------


def in_selector(w: World, body: Any) -> None:
    """Run *body* with a kernel descriptor, inside a selector."""

    def select(n: int, ins: Any, m: int, outs: Any, attr: int, desc: int) -> int:
        body(desc)
        return 0

    w.ok("aclopRegisterCompileFunc", "Custom", select)
    create_kernel(w)
    w.call("aclopUpdateParams", *Call(w, "Custom").described())


@row("op-0023", faces="c")
def args_null(w: World) -> None:
    args = w.host(8)

    def body(desc: int) -> None:
        w.expect("aclopSetKernelArgs", 0, "k", 1, args, 4)
        w.expect("aclopSetKernelArgs", desc, None, 1, args, 4)
        w.expect("aclopSetKernelArgs", desc, "k", 1, 0, 4)
        w.expect("aclopSetKernelArgs", desc, "k", 1, 0, 0)

    in_selector(w, body)


@row("op-0024")
def args_unchecked(w: World) -> None:
    args = w.host(8)
    in_selector(w, lambda desc: w.expect("aclopSetKernelArgs", desc, "no such kernel", 0, args, 4))


@row("op-0025")
def args_twice(w: World) -> None:
    args = w.host(8)

    def body(desc: int) -> None:
        w.expect("aclopSetKernelArgs", desc, "k", 3, args, 4)
        w.expect("aclopSetKernelArgs", desc, "k", 5, args, 8)

    in_selector(w, body)
    (kept,) = w.sim.ops.single.custom.descs
    w.same((kept.blocks, len(kept.tiling)), (5, 8), "what is kept")


def sizes_of(w: World, *sizes: int) -> int:
    """The address of an array of sizes."""
    there = w.host(8 * len(sizes))
    ctypes.memmove(there, struct.pack(f"<{len(sizes)}Q", *sizes), 8 * len(sizes))
    return there


@rows(
    ("op-0026", True, 1, (32,)), ("op-0027", False, -1, (32,)), ("op-0028", False, 2, ()), ("op-0029", False, 0, ()),
    ("op-0030", False, 17, (32,) * 17), ("op-0032", False, 2, (0, 32)), ("op-case-033", False, 2, (1, 2)),
)  # fmt: skip
def workspace_sizes(w: World, without: bool, count: int, sizes: tuple[int, ...]) -> None:
    there = sizes_of(w, *sizes) if sizes else 0
    in_selector(w, lambda desc: w.expect("aclopSetKernelWorkspaceSizes", 0 if without else desc, count, there))


@row("op-0031")
def workspaces_append(w: World) -> None:
    there, args = sizes_of(w, 32, 64), w.host(8)

    def body(desc: int) -> None:
        w.expect("aclopSetKernelWorkspaceSizes", desc, 2, there)
        w.expect("aclopSetKernelWorkspaceSizes", desc, 1, there)
        w.ok("aclopSetKernelArgs", desc, "k", 1, args, 4)

    in_selector(w, body)
    (kept,) = w.sim.ops.single.custom.descs
    w.same(kept.workspaces, [32, 64, 32], "the workspaces")


@rows(("op-0033", 0), ("op-0034", 1))
def queue_length(w: World, most: int) -> None:
    w.expect("aclopSetMaxOpQueueNum", most)


# -- launches ----------------------------------------------------------------------------------------------------------


def handle_of(w: World, call: Call) -> int:
    return int(w.ok("aclopCreateHandle", *call.described()))


def launched(w: World, call: Call, stream: int | None = None) -> tuple[Any, ...]:
    """The arguments of an execution through a handle."""
    return handle_of(w, call), 1, call["ins"], 1, call["outs"], stream or 0


SIZE_MAX = (1 << 64) - 1


@rows(
    ("op-0035", (32,) * 17, 100000), ("op-0036", (SIZE_MAX - 32,), 100000),
    ("op-0037", (1 << 63,), 500001), ("op-case-041", (32,) * 18, 100000), ("op-case-043", (32,) * 18, 100000),
)  # fmt: skip
def too_many_workspaces(w: World, sizes: tuple[int, ...], code: int) -> None:
    call = custom(w, workspaces=sizes)
    w.refuse(code, "aclopExecWithHandle", *launched(w, call))


@row("op-0038", limits={"memory": 8 << 20})
def no_room_for_workspaces(w: World) -> None:
    call = custom(w, workspaces=(16 << 20,))
    w.refuse(207001, "aclopExecWithHandle", *launched(w, call))


@row("op-0039")
def launch_without_context(w: World) -> None:
    arguments = launched(w, custom(w))
    w.in_thread(lambda: w.refuse(107002, "aclopExecWithHandle", *arguments))


@row("op-0041")
def error_is_lost(w: World) -> None:
    call = custom(w, workspaces=(32,) * 17)
    w.refuse(100024, "aclopExecute", *call.execute())
    w.refuse(100024, "aclopExecuteV2", *call.execute())
    lost = [f.code for f in w.sim.findings if f.code is not None]
    w.same([code for _, code in lost], [100024] * len(lost), "the codes of the findings")
    w.same(bool(lost), True, "a finding says what was lost")


def result_of(w: World, call: Call) -> list[float]:
    w.ok("aclrtSynchronizeDevice")
    there = w.value("aclGetDataBufferAddr", call["outs"][0])
    return list(struct.unpack("<4f", w.peek(there, 16)))


@row("op-case-037")
def handle_runs(w: World) -> None:
    call = custom(w)
    w.ok("aclopExecWithHandle", *launched(w, call))
    w.same(result_of(w, call), [1.0] * 4, "the result")


@row("op-case-038")
def selector_runs(w: World) -> None:
    call = custom(w)
    w.ok("aclopExecuteV2", *call.execute())
    w.same(result_of(w, call), [1.0] * 4, "the result")


@row("op-case-039", faces="c")
def one_entry(w: World) -> None:
    w.ok("aclopSetMaxOpQueueNum", 1)
    call = custom(w)
    w.ok("aclopUpdateParams", *call.described())
    w.same(len(w.sim.ops.single.custom.descs), 1, "the entries")


@row("op-case-040", faces="c")
def other_type_evicts(w: World) -> None:
    w.ok("aclopSetMaxOpQueueNum", 1)
    call = custom(w)
    w.ok("aclopRegisterCompileFunc", "Second", selector(w))
    create_kernel(w, "Second")
    w.ok("aclopUpdateParams", *Call(w, "Second").described())
    w.same([desc.op_type for desc in w.sim.ops.single.custom.descs], ["Second"], "the entries")
    w.refuse(100024, "aclopExecuteV2", *call.execute())


@row("op-case-042")
def one_workspace(w: World) -> None:
    call = custom(w, workspaces=(32,))
    w.ok("aclopExecWithHandle", *launched(w, call))
    w.same(result_of(w, call), [1.0] * 4, "the result")


@row("op-case-044")
def never_updated(w: World) -> None:
    custom(w)
    other = Call(w, "Custom", in_desc=[tensor(w, (2, 2))])
    w.refuse(100024, "aclopExecuteV2", *other.execute())
