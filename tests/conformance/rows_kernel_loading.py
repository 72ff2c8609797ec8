"""Chapter 14: binaries and functions (docs/semantics/kernels.md#how-a-program-finds-its-kernels)."""

from __future__ import annotations

from ascend_sim.ascendcl import structs
from tests.conformance.kernel_files import KERNELS, cpu_binary, function, loaded, options, stored
from tests.conformance.registry import row, rows
from tests.conformance.world import STALE, World


@rows(("memory-0289",), ("memory-case-094",), bare=True)
def create_of_null(w: World) -> None:
    w.same(w.value("aclrtCreateBinary", 0, 0), 0, "the handle")
    w.same(w.value("aclrtCreateBinary", 0, 8), 0, "the handle")


@row("memory-0290")
def create_of_nothing(w: World) -> None:
    binary = w.value("aclrtCreateBinary", w.host(), 0)
    w.same(bool(binary), True, "a handle")
    w.refuse(107000, "aclrtBinaryLoad", binary)


@row("memory-case-095", bare=True)
def create_and_destroy(w: World) -> None:
    binary = w.value("aclrtCreateBinary", stored(w, KERNELS), len(KERNELS))
    w.same(bool(binary), True, "a handle")
    w.ok("aclrtDestroyBinary", binary)


@rows(
    ("memory-0291", "aclrtDestroyBinary"),
    ("memory-0292", "aclrtBinaryLoad"),
    ("memory-0298", "aclrtBinaryUnLoad"),
    ("memory-0304", "aclrtBinaryGetDevAddress"),
    ("memory-0311", "aclrtGetFunctionAddr"),
    ("memory-case-097", "aclrtBinaryLoad"),
    ("memory-case-098", "aclrtBinaryUnLoad"),
    ("memory-case-113", "aclrtGetFunctionAddr"),
    bare=True,
)
def null_handle(w: World, name: str) -> None:
    w.refuse(100000, name, 0)


@rows(
    ("memory-0300", "aclrtBinaryGetFunction", "fill"),
    ("memory-0302", "aclrtBinaryGetFunctionByEntry", 7),
    ("memory-0314", "aclrtGetFunctionAttribute", 1),
    ("memory-case-112", "aclrtBinaryGetFunctionByEntry", 7),
    bare=True,
)
def null_handle_with_more(w: World, name: str, rest: object) -> None:
    w.refuse(100000, name, 0, rest)


@row("memory-0293")
def load_of_something_else(w: World) -> None:
    text = b"no device ELF, no kernel file"
    binary = w.value("aclrtCreateBinary", stored(w, text), len(text))
    w.expect("aclrtBinaryLoad", binary)
    w.expect("aclrtBinaryLoad", w.value("aclrtCreateBinary", w.host(), 0))


@rows(("memory-0294",), ("memory-case-110",), bare=True, faces="c")
def load_from_no_path(w: World) -> None:
    w.refuse(100000, "aclrtBinaryLoadFromFile", None, None)


@row("memory-0295", faces="c")
def load_from_bad_files(w: World) -> None:
    w.sim.kernels["known.o"] = __file__.replace("rows_kernel_loading", "kernel_files")
    w.expect("aclrtBinaryLoadFromFile", "/no/such/file.o", None)
    no_list = structs.aclrtBinaryLoadOptions(None, 1)
    for given in (no_list, options((0, 0)), options((4, 0)), options((1, 2)), options((2, 1)), options((3, 2))):
        w.expect("aclrtBinaryLoadFromFile", "known.o", given)


@rows(("memory-0296",), ("memory-case-137",), bare=True)
def load_from_null(w: World) -> None:
    w.refuse(100000, "aclrtBinaryLoadFromData", 0, 8, None)


@row("memory-0297")
def load_from_bad_data(w: World) -> None:
    address = stored(w, KERNELS)
    w.expect("aclrtBinaryLoadFromData", address, 0, None)
    for mode in (0, 1, 3):
        w.expect("aclrtBinaryLoadFromData", address, len(KERNELS), options((3, mode)))
    w.ok("aclrtBinaryLoadFromData", address, len(KERNELS), options((3, 2)))


@row("memory-0299")
def unload_twice(w: World) -> None:
    binary = loaded(w)
    kernel = function(w, binary=binary)
    for foreign in (kernel, w.stream(), STALE):
        w.expect("aclrtBinaryUnLoad", foreign)
    w.ok("aclrtBinaryUnLoad", binary)
    w.expect("aclrtBinaryUnLoad", binary)


@row("memory-0301")
def unknown_kernel(w: World) -> None:
    w.same(w.expect("aclrtBinaryGetFunction", loaded(w), "subtract"), (0,), "the handle")


@row("memory-0303")
def unknown_entry(w: World) -> None:
    w.expect("aclrtBinaryGetFunctionByEntry", loaded(w), 8)
    w.expect("aclrtBinaryGetFunctionByEntry", cpu_binary(w), 7)
    w.ok("aclrtBinaryGetFunctionByEntry", loaded(w), 7)


@row("memory-0306", faces="c")
def register_nothing(w: World) -> None:
    binary = cpu_binary(w)
    for inputs in ((0, "fill", "fill"), (binary, None, "fill"), (binary, "fill", None)):
        w.expect("aclrtRegisterCpuFunc", *inputs)
    w.ok("aclrtRegisterCpuFunc", binary, "fill", "fill")


@row("memory-0307")
def register_in_another_binary(w: World) -> None:
    w.expect("aclrtRegisterCpuFunc", loaded(w), "fill", "fill")


@rows(("memory-0309", "aclrtGetFunctionName"), ("memory-0313", "aclrtGetFunctionSize"), faces="c")
def null_function(w: World, name: str) -> None:
    w.expect(name, 0, *((64, w.host(64)) if name == "aclrtGetFunctionName" else ()))


@rows(("memory-0308",), ("memory-case-136",), faces="c")
def name_without_a_buffer(w: World) -> None:
    w.refuse(100000, "aclrtGetFunctionName", function(w), 64, 0)
    w.refuse(100000, "aclrtGetFunctionName", 0, 64, 0)


@row("memory-0310", faces="c")
def short_buffers(w: World) -> None:
    kernel, here = function(w), w.host(64)
    for most in (0, 1, 4):
        w.expect("aclrtGetFunctionName", kernel, most, here)
    w.ok("aclrtGetFunctionName", kernel, 5, here)
    w.same(w.read(here, 5), b"fill\0", "the name")


@row("memory-0312")
def address_of_a_cpu_kernel(w: World) -> None:
    w.expect("aclrtGetFunctionAddr", function(w, binary=cpu_binary(w)))


@row("memory-0315")
def unknown_attributes(w: World) -> None:
    kernel, cpu = function(w), function(w, binary=cpu_binary(w))
    for attribute in (0, 4, 100):
        w.expect("aclrtGetFunctionAttribute", kernel, attribute)
    w.expect("aclrtGetFunctionAttribute", cpu, 2)
    for attribute in (1, 2, 3):
        w.ok("aclrtGetFunctionAttribute", kernel, attribute)


@row("memory-0317")
def parameters_beyond(w: World) -> None:
    kernel = function(w)
    for index in (2, 3, 100):
        w.expect("aclrtFunctionGetParamInfo", kernel, index)
    w.ok("aclrtFunctionGetParamInfo", kernel, 1)
