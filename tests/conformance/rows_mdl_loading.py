"""Rows of models: loading, options, sizes, bundles, attributes."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

from ascend_sim import ascendcl as C
from ascend_sim.ascendcl.structs import aclmdlAttrValue_t
from ascend_sim.om import write
from tests.conformance.model_files import dynamic_model, file, in_memory, load, model, set_up, three
from tests.conformance.registry import row, rows
from tests.conformance.world import World


@rows(("mdl-0001",), ("mdl-case-028",), faces="c")
def path_null(w: World) -> None:
    w.refuse(100000, "aclmdlLoadFromFile", None)
    w.refuse(100000, "aclmdlLoadFromFileWithMem", None, 0, 0, 0, 0)
    w.refuse(100000, "aclmdlLoadFromFileWithQ", None, [1], 1, [1], 1)
    w.refuse(100000, "aclmdlBundleLoadFromFile", None)


@row("mdl-0003")
def no_file(w: World) -> None:
    for name in ("/no/such/model.om", ".", ""):
        w.expect("aclmdlLoadFromFile", name)
        w.refuse(145002, "aclmdlLoadFromFileWithMem", name, 0, 0, 0, 0)


@row("mdl-0004")
def short_file(w: World) -> None:
    for data in (b"", b"OMO"):
        w.expect("aclmdlLoadFromFile", file(w, data))
        w.refuse(145006, "aclmdlLoadFromFileWithMem", file(w, data), 0, 0, 0, 0)


@row("mdl-0005")
def wrong_header(w: World) -> None:
    set_up(w)
    good = write(model())
    for data in (b"abcd" + good[4:], good[:4] + struct.pack("<I", 255) + good[8:], good[:200]):
        w.expect("aclmdlLoadFromFile", file(w, data))


@row("mdl-0006", faces="c")
def load_before_init(w: World) -> None:
    w.refuse(145001, "aclmdlLoadFromFile", file(w))
    w.refuse(145001, "aclmdlLoadFromMem", *in_memory(w))
    w.ok("aclmdlLoadFromFile", file(w, dynamic_model()))


@row("mdl-0008", faces="c")
def memory_null(w: World) -> None:
    there, size = in_memory(w)
    for address, length in ((0, size), (there, 0)):
        w.expect("aclmdlLoadFromMem", address, length)
        w.refuse(100000, "aclmdlLoadFromMemWithMem", address, length, 0, 0, 0, 0)
        w.refuse(100000, "aclmdlLoadFromMemWithQ", address, length, [1], 1, [1], 1)


@row("mdl-0009")
def memory_below_header(w: World) -> None:
    there, _ = in_memory(w)
    w.expect("aclmdlLoadFromMem", there, 255)
    w.expect("aclmdlLoadFromMem", there, 4)
    w.refuse(145006, "aclmdlLoadFromMem", there, 3)


@row("mdl-0010", faces="c")
def memory_too_small(w: World) -> None:
    set_up(w)
    large = model(work_size=1000, weight_size=500)
    work, weight = w.device(1000), w.device(500)
    for given in ((work, 999, weight, 500), (work, 1000, weight, 499), (work, 999, 0, 0)):
        w.refuse(145000, "aclmdlLoadFromFileWithMem", file(w, large), *given)
        w.refuse(145000, "aclmdlLoadFromMemWithMem", *in_memory(w, large), *given)
    w.ok("aclmdlLoadFromFileWithMem", file(w, large), work, 1000, weight, 500)
    w.ok("aclmdlLoadFromFileWithMem", file(w, large), 0, 1, 0, 0)


@rows(("mdl-0011",), ("mdl-case-031",), ("mdl-case-032",), faces="c")
def queues(w: World) -> None:
    set_up(w)
    w.refuse(100000, "aclmdlLoadFromFileWithQ", None, None, 0, None, 0)
    w.refuse(100000, "aclmdlLoadFromMemWithQ", 0, 0, None, 0, None, 0)
    for given in ((None, 1, [2], 1), ([1], 0, [2], 1), ([1], 1, None, 1), ([1], 1, [2], 0)):
        w.refuse(100000, "aclmdlLoadFromFileWithQ", file(w), *given)
        w.refuse(100000, "aclmdlLoadFromMemWithQ", *in_memory(w), *given)


@row("mdl-case-029")
def memory_size_0(w: World) -> None:
    w.refuse(100000, "aclmdlLoadFromMem", in_memory(w)[0], 0)


@row("mdl-case-030", faces="c")
def with_mem_null(w: World) -> None:
    w.refuse(100000, "aclmdlLoadFromFileWithMem", None, 0, 0, 0, 0)


# -- options -----------------------------------------------------------------------------------------------------------


class Options:
    """A config handle and words for setting its options."""

    def __init__(self, w: World) -> None:
        self.w = w
        self.handle = int(w.value("aclmdlCreateConfigHandle"))
        self.kept: list[Any] = []

    def _value(self, attribute: int, value: Any) -> tuple[int, int]:
        if isinstance(value, str):
            text = ctypes.create_string_buffer(value.encode())
            self.kept.append(text)
            value = ctypes.addressof(text)
        size = 4 if attribute in (C.ACL_MDL_PRIORITY_INT32, C.ACL_MDL_WITHOUT_GRAPH_INT32) else 8
        cell = ctypes.create_string_buffer((value & (1 << 8 * size) - 1).to_bytes(size, "little"), size)
        self.kept.append(cell)
        return ctypes.addressof(cell), size

    def set(self, attribute: int, value: Any, code: int = 0) -> None:
        """aclmdlSetConfigOpt, which answers *code*."""
        self.w.refuse(code, "aclmdlSetConfigOpt", self.handle, attribute, *self._value(attribute, value))

    def sized(self, attribute: int, size: int, code: int) -> None:
        """aclmdlSetConfigOpt with a *size* of the test's, which answers *code*."""
        there, _ = self._value(attribute, 1)
        self.w.refuse(code, "aclmdlSetConfigOpt", self.handle, attribute, there, size)


@rows(("mdl-0012",), ("mdl-case-035",), ("mdl-case-036",), faces="c")
def mandatory(w: World) -> None:
    set_up(w)
    options = Options(w)
    w.refuse(100000, "aclmdlLoadWithConfig", options.handle)
    there, size = in_memory(w)
    options.set(C.ACL_MDL_MEM_ADDR_PTR, there)
    options.set(C.ACL_MDL_MEM_SIZET, size)
    w.refuse(100000, "aclmdlLoadWithConfig", options.handle)  # no load type
    for kind in (C.ACL_MDL_LOAD_FROM_FILE, C.ACL_MDL_LOAD_FROM_FILE_WITH_MEM, C.ACL_MDL_LOAD_FROM_MEM_WITH_Q):
        options.set(C.ACL_MDL_LOAD_TYPE_SIZET, kind)
        w.refuse(100000, "aclmdlLoadWithConfig", options.handle)
    options.set(C.ACL_MDL_LOAD_TYPE_SIZET, C.ACL_MDL_LOAD_FROM_MEM)
    w.ok("aclmdlLoadWithConfig", options.handle)


@rows(("mdl-0013",), ("mdl-case-040",), faces="c")
def weight_path(w: World) -> None:
    set_up(w)
    options = Options(w)
    options.set(C.ACL_MDL_PATH_PTR, file(w))
    options.set(C.ACL_MDL_LOAD_TYPE_SIZET, C.ACL_MDL_LOAD_FROM_FILE)
    w.ok("aclmdlLoadWithConfig", options.handle)
    options.set(C.ACL_MDL_WEIGHT_PATH_PTR, "weights")
    w.refuse(100000, "aclmdlLoadWithConfig", options.handle)


@row("mdl-0014", faces="c")
def without_graph(w: World) -> None:
    set_up(w)
    options = Options(w)
    options.set(C.ACL_MDL_PATH_PTR, file(w, dynamic_model()))
    options.set(C.ACL_MDL_LOAD_TYPE_SIZET, C.ACL_MDL_LOAD_FROM_FILE)
    w.ok("aclmdlLoadWithConfig", options.handle)
    options.set(C.ACL_MDL_WITHOUT_GRAPH_INT32, 1)
    w.expect("aclmdlLoadWithConfig", options.handle)
    options.set(C.ACL_MDL_PATH_PTR, file(w))
    w.ok("aclmdlLoadWithConfig", options.handle)


@row("mdl-0015", faces="c")
def no_model(w: World) -> None:
    set_up(w)
    options = Options(w)
    options.set(C.ACL_MDL_MEM_SIZET, 4)
    w.expect("aclmdlLoadWithConfig", options.handle)
    options.set(C.ACL_MDL_MEM_ADDR_PTR, in_memory(w)[0])
    options.set(C.ACL_MDL_LOAD_TYPE_SIZET, C.ACL_MDL_LOAD_FROM_MEM)
    options.set(C.ACL_MDL_PATH_PTR, "/no/such/model.om")
    w.refuse(145002, "aclmdlLoadWithConfig", options.handle)  # the path decides


@rows(("mdl-0016",), ("mdl-case-033",), ("mdl-case-034",), ("mdl-case-037",), ("mdl-case-038",), ("mdl-case-039",),
      faces="c")  # fmt: skip
def options_refused(w: World) -> None:
    options = Options(w)
    cell = w.host(8)
    w.refuse(100000, "aclmdlSetConfigOpt", 0, C.ACL_MDL_LOAD_TYPE_SIZET, cell, 8)
    w.refuse(100000, "aclmdlSetConfigOpt", options.handle, C.ACL_MDL_LOAD_TYPE_SIZET, 0, 8)
    w.refuse(100000, "aclmdlSetConfigOpt", options.handle, 99, cell, 8)
    for attribute in range(C.ACL_MDL_WEIGHT_PATH_PTR + 1):
        options.sized(attribute, 0, 100000)
        options.sized(attribute, 8 if attribute == C.ACL_MDL_PRIORITY_INT32 else 4, 100000)
    pointers = (
        C.ACL_MDL_PATH_PTR, C.ACL_MDL_MEM_ADDR_PTR, C.ACL_MDL_INPUTQ_ADDR_PTR, C.ACL_MDL_OUTPUTQ_ADDR_PTR,
        C.ACL_MDL_WEIGHT_PATH_PTR,
    )  # fmt: skip
    for attribute in pointers:
        options.set(attribute, 0, 100000)
    for attribute in (C.ACL_MDL_WEIGHT_ADDR_PTR, C.ACL_MDL_WORKSPACE_ADDR_PTR):
        options.set(attribute, 0)
    for value, code in ((0, 100000), (1, 0), (6, 0), (7, 100000), (99, 100000)):
        options.set(C.ACL_MDL_LOAD_TYPE_SIZET, value, code)
    for value, code in ((0, 0), (1, 0), (2, 100000), ((1 << 64) - 1, 100000)):
        options.set(C.ACL_MDL_WORKSPACE_MEM_OPTIMIZE, value, code)
    for value, code in ((0, 0), (1, 0), (2, 100000)):
        options.set(C.ACL_MDL_WITHOUT_GRAPH_INT32, value, code)
    for value, code in ((0, 0), (7, 0), (8, 100000), (-1, 100000)):
        options.set(C.ACL_MDL_PRIORITY_INT32, value, code)


@row("mdl-0017", faces="c")
def external_weights(w: World) -> None:
    handle, there = Options(w).handle, w.device(64)
    for given in ((0, "w", there, 32), (handle, None, there, 32), (handle, "w", 0, 32), (handle, "w", there, 0),
                  (handle, "w", there, 33)):  # fmt: skip
        w.expect("aclmdlSetExternalWeightAddress", *given)
    w.ok("aclmdlSetExternalWeightAddress", handle, "w", there, 64)


@rows(("mdl-0018",), ("mdl-case-044",), faces="c")
def execution_options(w: World) -> None:
    handle = int(w.value("aclmdlCreateExecConfigHandle"))
    cell = ctypes.c_int32(-2)
    there = ctypes.addressof(cell)
    w.refuse(100000, "aclmdlSetExecConfigOpt", 0, 0, there, 4)
    w.refuse(100000, "aclmdlSetExecConfigOpt", handle, 0, 0, 4)
    for attribute in (0, 1):
        w.refuse(100000, "aclmdlSetExecConfigOpt", handle, attribute, there, 4)
    cell.value = 10
    w.refuse(100000, "aclmdlSetExecConfigOpt", handle, 0, there, 99)
    w.refuse(100000, "aclmdlSetExecConfigOpt", handle, 100, there, 4)
    w.ok("aclmdlSetExecConfigOpt", handle, 0, there, 4)


@row("mdl-case-045", faces="c")
def execution_defaults(w: World) -> None:
    handle = int(w.value("aclmdlCreateExecConfigHandle"))
    found: Any = w.sim.handles[handle]
    w.same(found.values, {0: -1, 1: -1}, "the limits")


@row("mdl-0019")
def destroy_configs(w: World) -> None:
    w.expect("aclmdlDestroyConfigHandle", 0)
    w.expect("aclmdlDestroyExecConfigHandle", 0)


# -- sizes and attributes ----------------------------------------------------------------------------------------------


@row("mdl-0079", faces="c")
def size_null(w: World) -> None:
    w.expect("aclmdlQuerySize", None)


@row("mdl-0080")
def size_null_memory(w: World) -> None:
    w.expect("aclmdlQuerySizeFromMem", 0, 256)
    w.expect("aclmdlQuerySizeFromMem", w.host(256), 0)


@row("mdl-0081")
def size_no_model(w: World) -> None:
    set_up(w)
    w.expect("aclmdlQuerySizeFromMem", w.host(300), 300)
    w.refuse(145000, "aclmdlQuerySize", file(w, bytes(300)))
    w.refuse(145006, "aclmdlLoadFromFile", file(w, bytes(300)))


@row("mdl-0082")
def size_no_file(w: World) -> None:
    w.expect("aclmdlQuerySize", "/no/such/model.om")


@row("mdl-0083")
def size_short(w: World) -> None:
    w.expect("aclmdlQuerySize", file(w, b"OM"))


def headed(body: bytes) -> bytes:
    """The header of a stand-in, made to fit *body*."""
    raw = bytearray(write(model())[:256])
    struct.pack_into("<I", raw, 76, len(body))
    struct.pack_into("<Q", raw, 184, len(body))
    return bytes(raw) + body


@rows(("mdl-0084", b"", 545003), ("mdl-0085", b"\xff" * 64, 545004))
def size_partition(w: World, body: bytes, code: int) -> None:
    set_up(w)
    w.expect("aclmdlQuerySizeFromMem", *in_memory(w, headed(body)))
    w.refuse(code, "aclmdlQuerySize", file(w, headed(body)))


@rows(("mdl-0086",), ("mdl-case-001",), ("mdl-case-003",), faces="c")
def attribute_null(w: World) -> None:
    set_up(w)
    number = load(w)
    w.refuse(100000, "aclmdlSetAttribute", number, 0, None)
    w.refuse(100000, "aclmdlSetAttribute", number, 999, aclmdlAttrValue_t())
    w.refuse(100000, "aclmdlGetAttribute", number, 1)


@rows(("mdl-0087",), ("mdl-case-004",), faces="c")
def priority(w: World) -> None:
    set_up(w)
    number = load(w)
    for value in (8, -1):
        w.refuse(100000, "aclmdlSetAttribute", number, 0, aclmdlAttrValue_t(mdlPriority=value))
    w.ok("aclmdlSetAttribute", number, 0, aclmdlAttrValue_t(mdlPriority=7))
    w.same(w.ok("aclmdlGetAttribute", number, 0).mdlPriority, 7, "the priority")


@row("mdl-0088", faces="c")
def attribute_of_nobody(w: World) -> None:
    set_up(w)
    for number in (99, load(w, dynamic_model())):
        w.expect("aclmdlSetAttribute", number, 0, aclmdlAttrValue_t())
        w.refuse(145003, "aclmdlGetAttribute", number, 0)


@row("mdl-case-002", faces="c")
def size_of_a_value(w: World) -> None:
    size = 4 * len(aclmdlAttrValue_t().reserved)
    w.same(size, 32, "bytes of aclmdlAttrValue_t")
    w.answers.append(("sizeof", size))  # the row is about a number, not about a call


# -- bundles -----------------------------------------------------------------------------------------------------------


@rows(("mdl-0089",), ("mdl-case-050",), faces="c")
def bundle_arguments(w: World) -> None:
    set_up(w)
    there, size = in_memory(w, three())
    for given in ((0, size), (there, 0), in_memory(w, model()), (there, size - 1)):
        w.refuse(100000, "aclmdlBundleLoadFromMem", *given)
    w.refuse(100000, "aclmdlBundleLoadFromFile", None)
    w.refuse(100000, "aclmdlBundleLoadFromFile", file(w, model()))
    w.refuse(100000, "aclmdlBundleLoadFromFile", file(w, three()[:-1]))
    w.ok("aclmdlBundleLoadFromFile", file(w, three()))


@rows(("mdl-0090",), ("mdl-case-051",), faces="c")
def no_bundle(w: World) -> None:
    w.refuse(148053, "aclmdlBundleGetModelNum", 7)
    w.refuse(148053, "aclmdlBundleGetModelId", 7, 0)
    w.refuse(148053, "aclmdlBundleUnload", 7)
    w.refuse(148053, "aclmdlBundleUnloadModel", 7, 1)


def bundle(w: World) -> int:
    set_up(w)
    return int(w.ok("aclmdlBundleLoadFromMem", *in_memory(w, three())))


@row("mdl-0091")
def bundle_index(w: World) -> None:
    number = bundle(w)
    w.ok("aclmdlBundleGetModelId", number, 2)
    w.expect("aclmdlBundleGetModelId", number, 3)


@row("mdl-case-052", faces="c")
def bundle_index_case(w: World) -> None:
    w.refuse(100000, "aclmdlBundleGetModelId", bundle(w), 999)
    w.refuse(148053, "aclmdlBundleGetModelId", 7, 0)


@row("mdl-0092")
def bundle_opened(w: World) -> None:
    set_up(w)
    number = w.ok("aclmdlBundleInitFromMem", *in_memory(w, three()), 0, 0)
    w.ok("aclmdlBundleLoadModel", number, 0)
    w.expect("aclmdlBundleGetModelId", number, 0)


@row("mdl-0093", faces="c")
def foreign_member(w: World) -> None:
    number = bundle(w)
    w.expect("aclmdlBundleUnloadModel", number, load(w))
    w.ok("aclmdlBundleUnloadModel", number, w.ok("aclmdlBundleGetModelId", number, 0))


@row("mdl-case-053")
def bundle_of_three(w: World) -> None:
    w.same(w.ok("aclmdlBundleGetModelNum", bundle(w)), 3, "models")


@row("mdl-case-054", faces="c")
def bundle_size(w: World) -> None:
    query = w.value("aclmdlBundleCreateQueryInfo")
    w.ok("aclmdlBundleQueryInfoFromMem", *in_memory(w, three()), query)
    w.same(w.ok("aclmdlBundleGetQueryModelNum", query), 3, "models")
    w.same(w.ok("aclmdlBundleGetSize", query, 2), (200, 20), "sizes")
    w.refuse(100000, "aclmdlBundleGetSize", query, 10)


# -- unloading ---------------------------------------------------------------------------------------------------------


@row("mdl-0077")
def unload_member(w: World) -> None:
    number = bundle(w)
    w.expect("aclmdlUnload", w.ok("aclmdlBundleGetModelId", number, 0))


@row("mdl-0078")
def unload_twice(w: World) -> None:
    set_up(w)
    number = load(w)
    w.ok("aclmdlUnload", number)
    w.expect("aclmdlUnload", number)
    w.expect("aclmdlUnload", 99)
    w.refuse(145003, "aclmdlUnload", w.ok("aclmdlBundleLoadFromMem", *in_memory(w, three())))


# -- constants ---------------------------------------------------------------------------------------------------------


@row("mdl-case-055", faces="c")
def sizes_of_structs(w: World) -> None:
    names = ("MAX_DIM_CNT", "MAX_TENSOR_NAME_LEN", "MAX_BATCH_NUM", "MAX_HW_NUM", "MAX_SHAPE_COUNT")
    w.same([getattr(C, f"ACL_{name}") for name in names], [128] * 5, "limits")


@row("mdl-case-056", faces="c")
def load_types(w: World) -> None:
    names = ("FILE", "FILE_WITH_MEM", "MEM", "MEM_WITH_MEM", "FILE_WITH_Q", "MEM_WITH_Q")
    w.same([getattr(C, f"ACL_MDL_LOAD_FROM_{name}") for name in names], [1, 2, 3, 4, 5, 6], "load types")


@row("mdl-case-057", faces="c")
def invalid_node(w: World) -> None:
    w.same(C.ACL_INVALID_NODE_INDEX, 0xFFFFFFFF, "the index of no node")
    w.answers.append(("constant", C.ACL_INVALID_NODE_INDEX))
