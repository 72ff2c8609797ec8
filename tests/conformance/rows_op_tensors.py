"""Tensor descriptors, data buffers, and the registry of allocators as operators see them.

See docs/semantics/operators.md#descriptors.
"""

from __future__ import annotations

from typing import Any

from tests.conformance.operators import FLOAT16, ND, tensor
from tests.conformance.registry import row, rows
from tests.conformance.rows_memory_allocators import SETTERS, VALUES, complete, desc, registered
from tests.conformance.world import World

NCHW, NC1HWC0 = 0, 3


@rows(("op-0140", -1, [4]), ("op-0141", 1, None), ("op-case-009", 1, None), faces="c")
def no_descriptor(w: World, count: int, dims: Any) -> None:
    w.same(w.value("aclCreateTensorDesc", FLOAT16, count, dims, ND), 0, "the descriptor")


@row("op-case-001", faces="c")
def scalar(w: World) -> None:
    w.same(bool(w.value("aclCreateTensorDesc", FLOAT16, 0, None, ND)), True, "a descriptor")


@row("op-case-002")
def name_of_null(w: World) -> None:
    w.value("aclSetTensorDescName", 0, "hello")


@rows(("op-case-003", "hello", "hello"), ("op-case-004", None, ""), faces="c")
def names(w: World, name: str | None, wanted: str) -> None:
    made = tensor(w)
    w.value("aclSetTensorDescName", made, name)
    w.same(w.value("aclGetTensorDescName", made), wanted, "the name")


@row("op-0142", "op-case-008")
def destroy_null(w: World) -> None:
    w.value("aclDestroyTensorDesc", 0)


@row("op-0143", faces="c")
def ranges_of_null(w: World) -> None:
    w.expect("aclSetTensorShapeRange", 0, 1, [[1, 2]])
    w.expect("aclSetTensorValueRange", 0, 1, [[1, 2]])


@row("op-case-007", faces="c")
def value_range(w: World) -> None:
    w.ok("aclSetTensorValueRange", tensor(w), 2, [[1, 2], [3, 4]])


@row("op-0144", "op-case-012", "op-case-013")
def element_counts(w: World) -> None:
    w.same(w.value("aclGetTensorDescElementCount", 0), 0, "NULL")
    most = (1 << 63) - 1
    for dims in ((-1,), (most, most)):
        w.same(w.value("aclGetTensorDescElementCount", tensor(w, dims)), 0, str(dims))
    w.same(w.value("aclGetTensorDescElementCount", tensor(w, ())), 1, "a scalar")


@rows(("op-0145", "aclGetTensorDescSize"), ("op-case-015", "aclGetTensorDescSize"),
      ("op-0146", "aclGetTensorDescNumDims"), ("op-case-014", "aclGetTensorDescNumDims"))  # fmt: skip
def nothing_of_null(w: World, name: str) -> None:
    w.same(w.value(name, 0), 0, "NULL")


@row("op-case-010")
def type_of_null(w: World) -> None:
    w.same(w.value("aclGetTensorDescType", 0), -1, "the type of NULL")


@row("op-case-011")
def formats(w: World) -> None:
    for format_ in (ND, NC1HWC0):
        w.same(w.value("aclGetTensorDescFormat", tensor(w, (4,), FLOAT16, format_)), format_, "the format")


@row("op-case-023", faces="c")
def address_of_null(w: World) -> None:
    w.same(w.value("aclGetTensorDescAddress", 0), 0, "the address of NULL")


def ranged(w: World) -> int:
    made = tensor(w, (16, -1))
    w.ok("aclSetTensorShapeRange", made, 2, [[16, 16], [1, 8]])
    return made


@row("op-0147", "op-case-019", faces="c")
def dim_ranges(w: World) -> None:
    w.refuse(100000, "aclGetTensorDescDimRange", 0, 0, 2)
    w.refuse(100000, "aclGetTensorDescDimRange", ranged(w), 2, 2)
    w.refuse(100000, "aclGetTensorDescDimRange", ranged(w), 0, 1)


@row("op-case-020", faces="c")
def dim_range(w: World) -> None:
    w.same(list(w.ok("aclGetTensorDescDimRange", ranged(w), 1, 2)), [1, 8], "the range")


@row("op-0148", "op-case-016", "op-case-018")
def dims(w: World) -> None:
    w.same(w.value("aclGetTensorDescDim", 0, 0), -1, "NULL")
    made = tensor(w, (16, 32))
    w.same([w.value("aclGetTensorDescDim", made, i) for i in range(3)], [16, 32, -1], "the dims")


@row("op-0149")
def dims_with_a_code(w: World) -> None:
    w.expect("aclGetTensorDescDimV2", 0, 0)
    w.expect("aclGetTensorDescDimV2", tensor(w, (16,)), 1)


@row("op-case-017")
def dims_of_a_scalar(w: World) -> None:
    made = tensor(w, ())
    w.same(w.value("aclGetTensorDescDim", made, 0), -1, "the dim")
    w.refuse(100000, "aclGetTensorDescDimV2", made, 0)


@row("op-0150", faces="c")
def formats_of_null(w: World) -> None:
    for name in ("aclSetTensorFormat", "aclSetTensorStorageFormat", "aclSetTensorOriginFormat"):
        w.expect(name, 0, ND)


SHAPES = ("aclSetTensorShape", "aclSetTensorStorageShape", "aclSetTensorOriginShape")


@row("op-0151", faces="c")
def shapes_null(w: World) -> None:
    for name in SHAPES:
        w.expect(name, 0, 1, [4])
        w.expect(name, tensor(w), 1, None)


@row("op-0152", faces="c")
def shapes_negative(w: World) -> None:
    made = tensor(w)
    for name in SHAPES:
        w.expect(name, made, -1, [4])
    w.same(w.value("aclGetTensorDescNumDims", made), 0, "the number of dims")


@row("op-case-021", faces="c")
def storage(w: World) -> None:
    made = tensor(w)
    w.ok("aclSetTensorStorageFormat", made, NCHW)
    w.ok("aclSetTensorStorageShape", made, 2, [2, 2])


@row("op-0153", faces="c")
def dynamic_input_null(w: World) -> None:
    w.expect("aclSetTensorDynamicInput", 0, "x")
    w.expect("aclSetTensorDynamicInput", tensor(w), None)


@row("op-case-022")
def dynamic_input(w: World) -> None:
    w.ok("aclSetTensorDynamicInput", tensor(w), "x")


@row("op-0154", "op-case-005")
def const_null(w: World) -> None:
    w.refuse(100000, "aclSetTensorConst", 0, w.host(16), 16)
    w.refuse(100000, "aclSetTensorConst", tensor(w), 0, 16)
    w.refuse(100000, "aclSetTensorConst", tensor(w), w.host(16), 0)


@row("op-case-006")
def const(w: World) -> None:
    w.ok("aclSetTensorConst", tensor(w), w.host(16), 1)


@row("op-0155")
def placement_null(w: World) -> None:
    w.expect("aclSetTensorPlaceMent", 0, 1)


@row("op-0156")
def transposed_null(w: World) -> None:
    w.expect("aclTransTensorDescFormat", 0, NCHW)


# -- data buffers ------------------------------------------------------------------------------------------------------


@row("op-0157")
def any_buffer(w: World) -> None:
    for address, size in ((0, 0), (1, 1 << 63), (w.device(16), 5)):
        made = w.value("aclCreateDataBuffer", address, size)
        w.same(w.value("aclGetDataBufferAddr", made), address, "the address")


@row("op-0158")
def destroy_null_buffer(w: World) -> None:
    w.expect("aclDestroyDataBuffer", 0)


@row("op-0159", faces="c")
def update_null_buffer(w: World) -> None:
    w.expect("aclUpdateDataBuffer", 0, 16, 16)


@row("op-0160")
def address_of_null_buffer(w: World) -> None:
    w.same(w.value("aclGetDataBufferAddr", 0), 0, "NULL")


@row("op-0161", "op-case-076")
def size_of_null_buffer(w: World) -> None:
    w.same(w.value("aclGetDataBufferSize", 0), 0, "NULL")
    w.same(w.value("aclGetDataBufferSizeV2", 0), 0, "NULL")


@row("op-0162")
def size_of_a_large_buffer(w: World) -> None:
    made = w.value("aclCreateDataBuffer", 0, (1 << 32) + 5)
    w.same(w.value("aclGetDataBufferSize", made), 5, "the size")
    w.same(w.value("aclGetDataBufferSizeV2", made), (1 << 32) + 5, "the size")


# -- allocators --------------------------------------------------------------------------------------------------------


@row("op-0163")
def destroy_null_desc(w: World) -> None:
    w.expect("aclrtAllocatorDestroyDesc", 0)


@row("op-0164", faces="c")
def set_null(w: World) -> None:
    made = desc(w)
    for field, name in SETTERS.items():
        w.refuse(100000, name, 0, VALUES[field])
        w.refuse(100000, name, made, None)


@row("op-0165")
def register_null(w: World) -> None:
    w.expect("aclrtAllocatorRegister", 0, complete(w))
    w.expect("aclrtAllocatorRegister", w.stream(), 0)


@row("op-0166")
def register_incomplete(w: World) -> None:
    needed = ("obj", "alloc", "free", "get")
    for missing in needed:
        made = desc(w, *(field for field in needed if field != missing))
        w.expect("aclrtAllocatorRegister", w.stream(), made)


@row("op-0167")
def register_without_advise(w: World) -> None:
    w.expect("aclrtAllocatorRegister", w.stream(), desc(w, "obj", "alloc", "free", "get"))


@row("op-0168", faces="c")
def register_again(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtAllocatorRegister", stream, complete(w))
    second = complete(w)
    w.expect("aclrtAllocatorRegister", stream, second)
    registered(w, stream, second)


@row("op-0169", faces="c")
def get_null(w: World) -> None:
    w.expect("aclrtAllocatorGetByStream", 0)


@row("op-0170", faces="c")
def get_nothing(w: World) -> None:
    w.expect("aclrtAllocatorGetByStream", w.stream())


@row("op-0171")
def unregister_null(w: World) -> None:
    w.expect("aclrtAllocatorUnregister", 0)


@row("op-0172")
def unregister_nothing(w: World) -> None:
    w.expect("aclrtAllocatorUnregister", w.stream())


@row("op-0173", faces="c")
def get_after_destroy(w: World) -> None:
    stream = w.stream()
    made = complete(w)
    w.ok("aclrtAllocatorRegister", stream, made)
    w.ok("aclrtDestroyStream", stream)
    registered(w, stream, made)
    w.same([f.kind for f in w.sim.findings], ["stale-registration"], "the findings")
