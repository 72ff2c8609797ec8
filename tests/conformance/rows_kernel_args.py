"""Chapter 14: args handles (docs/semantics/kernels.md#args-handles)."""

from __future__ import annotations

from tests.conformance.kernel_files import cpu_binary, function
from tests.conformance.registry import row, rows
from tests.conformance.world import STALE, World

KERNEL_PARAMETERS = 2


@rows(
    ("memory-0358", "aclrtKernelArgsInit", ()),
    ("memory-0360", "aclrtKernelArgsGetMemSize", (64,)),
    ("memory-0361", "aclrtKernelArgsGetHandleMemSize", ()),
    ("memory-0363", "aclrtKernelArgsAppendPlaceHolder", ()),
    ("memory-0366", "aclrtKernelArgsFinalize", ()),
    ("memory-case-115", "aclrtKernelArgsInit", ()),
    ("memory-case-118", "aclrtKernelArgsAppendPlaceHolder", ()),
    ("memory-case-121", "aclrtKernelArgsGetMemSize", (64,)),
    bare=True,
)
def null_handle(w: World, name: str, rest: tuple[int, ...]) -> None:
    w.refuse(100000, name, 0, *rest)


@rows(
    ("memory-0359", "aclrtKernelArgsInitByUserMem"),
    ("memory-0362", "aclrtKernelArgsAppend"),
    ("memory-0364", "aclrtKernelArgsGetPlaceHolderBuffer"),
    ("memory-0365", "aclrtKernelArgsParaUpdate"),
    ("memory-case-116", "aclrtKernelArgsInitByUserMem"),
    ("memory-case-119", "aclrtKernelArgsGetPlaceHolderBuffer"),
    ("memory-case-122", "aclrtKernelArgsParaUpdate"),
    bare=True,
)
def null_or_zero(w: World, name: str) -> None:
    """Each argument alone is NULL or 0, while all handles are dead."""
    here = w.host()
    right = {
        "aclrtKernelArgsInitByUserMem": (STALE, here, here, 64),
        "aclrtKernelArgsAppend": (STALE, here, 8),
        "aclrtKernelArgsGetPlaceHolderBuffer": (STALE, STALE, 8),
        "aclrtKernelArgsParaUpdate": (STALE, STALE, here, 8),
    }[name]
    for at in range(len(right)):
        w.refuse(100000, name, *(0 if i == at else value for i, value in enumerate(right)))


@row("memory-0367")
def init_again(w: World) -> None:
    kernel = function(w)
    (first,) = w.expect("aclrtKernelArgsInit", kernel)
    parameter = w.ok("aclrtKernelArgsAppend", first, w.host(), 8)
    w.same(w.expect("aclrtKernelArgsInit", kernel), (first,), "the handle")
    w.refuse(107017, "aclrtKernelArgsParaUpdate", first, parameter, w.host(), 8)
    w.same(w.in_thread(lambda: w.ok("aclrtKernelArgsInit", kernel)) == first, False, "the handle of another thread")


@row("memory-0368")
def old_parameters(w: World) -> None:
    kernel = function(w)
    args = w.ok("aclrtKernelArgsInit", kernel)
    parameter, holder = w.ok("aclrtKernelArgsAppend", args, w.host(), 8), w.ok("aclrtKernelArgsAppendPlaceHolder", args)
    w.expect("aclrtKernelArgsInit", STALE)
    w.ok("aclrtKernelArgsInit", kernel)
    w.refuse(107017, "aclrtKernelArgsParaUpdate", args, parameter, w.host(), 8)
    w.refuse(107017, "aclrtKernelArgsGetPlaceHolderBuffer", args, holder, 8)


@rows(("memory-0369", "append"), ("memory-0371", "place holder"))
def too_late(w: World, what: str) -> None:
    kernel = function(w)

    def append(args: int) -> None:
        if what == "append":
            w.expect("aclrtKernelArgsAppend", args, w.host(), 8)
        else:
            w.expect("aclrtKernelArgsAppendPlaceHolder", args)

    args = w.ok("aclrtKernelArgsInit", kernel)
    holder = w.ok("aclrtKernelArgsAppendPlaceHolder", args)
    w.ok("aclrtKernelArgsGetPlaceHolderBuffer", args, holder, 8)
    append(args)
    args = w.ok("aclrtKernelArgsInit", kernel)
    w.ok("aclrtKernelArgsAppend", args, w.host(), 8)
    w.ok("aclrtKernelArgsFinalize", args)
    append(args)


@rows(("memory-0370", "append"), ("memory-0372", "place holder"))
def too_much(w: World, what: str) -> None:
    kernel, size = function(w), 8

    def append(args: int, code: int = 0, size: int = 8) -> None:
        if what == "append":
            w.refuse(code, "aclrtKernelArgsAppend", args, w.host(size), size)
        else:
            w.refuse(code, "aclrtKernelArgsAppendPlaceHolder", args)

    args = w.ok("aclrtKernelArgsInit", kernel)
    for _ in range(128):
        append(args)
    append(args, 107000)
    handle = w.host(4096)
    w.ok("aclrtKernelArgsInitByUserMem", kernel, handle, w.host(4096), 4096)
    for _ in range(KERNEL_PARAMETERS):
        append(handle)
    append(handle, 107000)
    small = w.host(4096)
    w.ok("aclrtKernelArgsInitByUserMem", kernel, small, w.host(4096), size + 7)
    append(small)
    append(small, 107000)
    if what == "append":
        append(w.ok("aclrtKernelArgsInit", kernel), 107000, (64 << 10) + 1)


@row("memory-0373")
def data_of_a_parameter(w: World) -> None:
    args = w.ok("aclrtKernelArgsInit", function(w))
    w.expect("aclrtKernelArgsGetPlaceHolderBuffer", args, w.ok("aclrtKernelArgsAppend", args, w.host(), 8), 8)


@row("memory-0374")
def data_after_the_end(w: World) -> None:
    args = w.ok("aclrtKernelArgsInit", function(w))
    holder = w.ok("aclrtKernelArgsAppendPlaceHolder", args)
    w.ok("aclrtKernelArgsFinalize", args)
    w.expect("aclrtKernelArgsGetPlaceHolderBuffer", args, holder, 8)


@row("memory-0375")
def too_much_data(w: World) -> None:
    args = w.ok("aclrtKernelArgsInit", function(w))
    holder = w.ok("aclrtKernelArgsAppendPlaceHolder", args)
    w.expect("aclrtKernelArgsGetPlaceHolderBuffer", args, holder, 64 << 10)


@row("memory-0376")
def bad_updates(w: World) -> None:
    args = w.ok("aclrtKernelArgsInit", function(w))
    parameter, holder = w.ok("aclrtKernelArgsAppend", args, w.host(), 8), w.ok("aclrtKernelArgsAppendPlaceHolder", args)
    w.expect("aclrtKernelArgsParaUpdate", args, holder, w.host(), 8)
    for size in (4, 7, 9):
        w.expect("aclrtKernelArgsParaUpdate", args, parameter, w.host(), size)
    w.ok("aclrtKernelArgsParaUpdate", args, parameter, w.host(), 8)


@row("memory-0377")
def update_after_the_end(w: World) -> None:
    kernel = function(w)
    args = w.ok("aclrtKernelArgsInit", kernel)
    parameter = w.ok("aclrtKernelArgsAppend", args, w.host(), 8)
    w.ok("aclrtKernelArgsFinalize", args)
    w.expect("aclrtKernelArgsParaUpdate", args, parameter, w.host(), 8)
    w.refuse(107000, "aclrtLaunchKernelWithConfig", kernel, 1, 0, None, args, 0)


@row("memory-0378")
def finalize_without_a_context(w: World) -> None:
    args = w.ok("aclrtKernelArgsInit", function(w))
    w.in_thread(lambda: w.expect("aclrtKernelArgsFinalize", args))


@row("memory-0379")
def memory_of_arguments(w: World) -> None:
    kernel, cpu = function(w), function(w, binary=cpu_binary(w))
    for size in (1, 64, 4096):
        w.same(w.expect("aclrtKernelArgsGetMemSize", kernel, size), (size + 64 + 8 * KERNEL_PARAMETERS,), "bytes")
        w.same(w.expect("aclrtKernelArgsGetMemSize", cpu, size), (size,), "bytes for a CPU kernel")


@row("memory-0380")
def memory_of_a_handle(w: World) -> None:
    none, two, cpu = function(w, "nothing"), function(w), function(w, binary=cpu_binary(w))
    sizes = [w.expect("aclrtKernelArgsGetHandleMemSize", kernel)[0] for kernel in (none, two, cpu)]
    detail = (sizes[1] - sizes[0]) // 2
    w.same(detail > 0 and sizes[2] == sizes[0] + 128 * detail, True, f"a header, and so much each: {sizes}")
