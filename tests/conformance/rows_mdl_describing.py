"""Rows of models: descriptions, datasets."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.structs import aclmdlIODims
from ascend_sim.om import Gears
from tests.conformance.model_files import (
    batch_model,
    dataset,
    desc,
    dims_model,
    dynamic_model,
    entry,
    hw_model,
    load,
    model,
    set_up,
    tensor,
)
from tests.conformance.registry import row, rows
from tests.conformance.world import World

ANY = (1 << 64) - 1


@row("mdl-0007", faces="c")
def before_init(w: World) -> None:
    set_up(w)
    number = load(w, dims_model())
    dynamic = load(w, dynamic_model())
    empty = int(w.value("aclmdlCreateDesc"))
    full = int(w.value("aclmdlCreateDesc"))
    w.ok("aclmdlGetDesc", full, number)
    ins, outs = dataset(w, entry(w, 100), entry(w, 8)), dataset(w, entry(w, 100))
    dims = aclmdlIODims("", 3, [1, 5, 2])
    w.ok("aclFinalize")
    for known in (number, 99):
        w.refuse(145001, "aclmdlGetDesc", empty, known)
        w.refuse(145001, "aclmdlExecute", known, ins, outs)
        w.refuse(145001, "aclmdlExecuteAsync", known, ins, outs, 0)
        w.refuse(145001, "aclmdlSetInputDynamicDims", known, ins, 1, dims)
    w.refuse(145001, "aclmdlGetCurOutputDims", full, 0)
    w.refuse(145003, "aclmdlSetDynamicBatchSize", 99, ins, 1, 2)
    w.ok("aclmdlGetDesc", empty, dynamic)
    w.ok("aclmdlUnload", number)


@rows(("mdl-0020",), ("mdl-case-007",))
def desc_null(w: World) -> None:
    set_up(w)
    w.refuse(100000, "aclmdlGetDesc", 0, load(w))


@row("mdl-0021")
def desc_unknown(w: World) -> None:
    set_up(w)
    made = desc(w)
    w.expect("aclmdlGetDesc", made, 99)
    w.same(w.value("aclmdlGetNumInputs", made), 0, "inputs after a failure")


@rows(("mdl-0022",), ("mdl-case-006",))
def destroy_null(w: World) -> None:
    w.ok("aclmdlDestroyDesc", w.value("aclmdlCreateDesc"))
    w.refuse(100000, "aclmdlDestroyDesc", 0)


@row("mdl-0023")
def numbers_null(w: World) -> None:
    w.same(w.value("aclmdlGetNumInputs", 0), 0, "inputs")
    w.same(w.value("aclmdlGetNumOutputs", 0), 0, "outputs")


@row("mdl-case-005")
def empty(w: World) -> None:
    made = w.value("aclmdlCreateDesc")
    assert made
    w.same((w.value("aclmdlGetNumInputs", made), w.value("aclmdlGetNumOutputs", made)), (0, 0), "inputs, outputs")


@row("mdl-0024")
def sizes_null(w: World) -> None:
    set_up(w)
    made = desc(w)
    for side in ("Input", "Output"):
        w.same(w.value(f"aclmdlGet{side}SizeByIndex", made, 0), 16, "size")
        w.same(w.value(f"aclmdlGet{side}SizeByIndex", made, 1), 0, "size behind the end")
        w.same(w.value(f"aclmdlGet{side}SizeByIndex", 0, 0), 0, "size of nothing")


@row("mdl-0025")
def dims_null(w: World) -> None:
    set_up(w)
    made = desc(w)
    for name in ("aclmdlGetInputDims", "aclmdlGetInputDimsV2", "aclmdlGetOutputDims"):
        w.ok(name, made, 0)
        w.expect(name, made, 1)
        w.expect(name, 0, 0)


@row("mdl-0026")
def dims_many(w: World) -> None:
    set_up(w)
    made = desc(w, model((1,) * 129))
    w.expect("aclmdlGetInputDims", made, 0)
    w.expect("aclmdlGetOutputDims", made, 0)


@rows(("mdl-0027",), ("mdl-case-008",), faces="c")
def names(w: World) -> None:
    set_up(w)
    made = desc(w)
    for side, name in (("Input", "x"), ("Output", "y")):
        w.same(w.ok(f"aclmdlGet{side}IndexByName", made, name), 0, "index")
        w.refuse(100000, f"aclmdlGet{side}IndexByName", made, "z")
        w.refuse(100000, f"aclmdlGet{side}IndexByName", made, None)
        w.refuse(100000, f"aclmdlGet{side}IndexByName", 0, name)


@row("mdl-0028")
def range_null(w: World) -> None:
    set_up(w)
    w.expect("aclmdlGetInputDimsRange", 0, 0)
    w.expect("aclmdlGetInputDimsRange", desc(w), 1)


@rows(("mdl-0029",), ("mdl-case-018",), ("mdl-case-019",))
def range_wrong(w: World) -> None:
    set_up(w)
    w.refuse(500000, "aclmdlGetInputDimsRange", desc(w, model((-1,) * 10, ranges=((1, 2),) * 4)), 0)
    w.refuse(500000, "aclmdlGetInputDimsRange", desc(w, model((1,) * 129)), 0)


@row("mdl-0030", faces="c")
def range_of_gears(w: World) -> None:
    set_up(w)
    w.same(w.ok("aclmdlGetInputDimsRange", desc(w, batch_model()), 77).rangeCount, 0, "ranges")


@rows(("mdl-case-016", (-1,), ((1, 3),), [[1, 3]]), ("mdl-case-017", (1,), (), [[1, 1]]), faces="c")
def ranges(w: World, dims: Any, given: Any, wanted: Any) -> None:
    set_up(w)
    found = w.ok("aclmdlGetInputDimsRange", desc(w, model(dims, ranges=given)), 0)
    w.same((found.rangeCount, found.range), (1, wanted), "the ranges")


@rows(("mdl-0031",), ("mdl-case-011",))
def batch_many(w: World) -> None:
    set_up(w)
    w.refuse(300000, "aclmdlGetDynamicBatch", desc(w, batch_model(range(1, 130))))


@row("mdl-0032", faces="c")
def no_gears(w: World) -> None:
    set_up(w)
    made = desc(w)
    w.same(w.ok("aclmdlGetDynamicBatch", made).batchCount, 0, "batches")
    w.same(w.ok("aclmdlGetDynamicHW", made, 0).hwCount, 0, "sizes")


@rows(("mdl-0033",), ("mdl-case-010",))
def sizes_many(w: World) -> None:
    set_up(w)
    w.refuse(300000, "aclmdlGetDynamicHW", desc(w, hw_model([(n, n) for n in range(1, 130)])), 0)


@row("mdl-0034", faces="c")
def size_index(w: World) -> None:
    set_up(w)
    made = desc(w, hw_model())
    for index in (0, 5, ANY):
        w.same(w.ok("aclmdlGetDynamicHW", made, index).hw, [[2, 3], [4, 6]], "gears")


@row("mdl-case-009")
def size_null(w: World) -> None:
    w.refuse(100000, "aclmdlGetDynamicHW", 0, ANY)


@row("mdl-0035")
def gear_index(w: World) -> None:
    set_up(w)
    made = desc(w, dims_model())
    w.expect("aclmdlGetInputDynamicGearCount", made, 0)
    w.same(w.ok("aclmdlGetInputDynamicGearCount", made, ANY), 2, "gears")


@rows(("mdl-0036",), ("mdl-case-012",))
def gears_many(w: World) -> None:
    set_up(w)
    made = desc(w, dims_model([(n, n) for n in range(1, 130)]))
    w.refuse(300000, "aclmdlGetInputDynamicGearCount", made, ANY)


@rows(("mdl-0037",), ("mdl-case-013",))
def gear_dims_index(w: World) -> None:
    set_up(w)
    made = desc(w, dims_model())
    for index in (2, 1, 0):
        w.refuse(100000, "aclmdlGetInputDynamicDims", made, index, 2)


@rows(("mdl-0038",), ("mdl-case-014",), faces="c")
def gear_dims_few(w: World) -> None:
    set_up(w)
    made = desc(w, dims_model())
    w.refuse(100000, "aclmdlGetInputDynamicDims", made, ANY, 1)
    found = w.ok("aclmdlGetInputDynamicDims", made, ANY, 2)
    w.same([d.dims for d in found], [[1, 5, 2], [3, 5, 4]], "dims")


@rows(("mdl-0039",), ("mdl-case-015",))
def gear_dims_many(w: World) -> None:
    set_up(w)
    many = model((-1,) + (1,) * 128, gears=Gears("dims", ((1,), (2,))))
    w.refuse(500001, "aclmdlGetInputDynamicDims", desc(w, many), ANY, 2)


@row("mdl-0040")
def current_null(w: World) -> None:
    set_up(w)
    w.expect("aclmdlGetCurOutputDims", 0, 0)
    w.expect("aclmdlGetCurOutputDims", desc(w), 1)


@rows(("mdl-0041",), ("mdl-case-020",))
def current_dynamic(w: World) -> None:
    set_up(w)
    w.refuse(200001, "aclmdlGetCurOutputDims", desc(w, dynamic_model()), 0)


@row("mdl-0042", faces="c")
def current_unset(w: World) -> None:
    set_up(w)
    number = load(w, batch_model())
    made = int(w.value("aclmdlCreateDesc"))
    w.ok("aclmdlGetDesc", made, number)
    w.same(w.ok("aclmdlGetCurOutputDims", made, 0).dims, [8, 4], "static dims")
    ins = dataset(w, entry(w, 128), entry(w, 4))
    w.ok("aclmdlSetDynamicBatchSize", number, ins, 1, 2)
    w.same(w.ok("aclmdlGetCurOutputDims", made, 0).dims, [2, 4], "dims of the gear")


@rows(("mdl-0094",), ("mdl-case-021",))
def aipp_size(w: World) -> None:
    w.refuse(100000, "aclmdlGetAippDataSize", 0)
    w.same(w.ok("aclmdlGetAippDataSize", 1), 160, "bytes")


# -- datasets ----------------------------------------------------------------------------------------------------------


@rows(("mdl-0043",), ("mdl-case-025",))
def dataset_destroy(w: World) -> None:
    w.refuse(100000, "aclmdlDestroyDataset", 0)
    w.ok("aclmdlDestroyDataset", w.value("aclmdlCreateDataset"))


@rows(("mdl-0044",), ("mdl-case-022",))
def dataset_add_null(w: World) -> None:
    made = w.value("aclmdlCreateDataset")
    w.refuse(100000, "aclmdlAddDatasetBuffer", made, 0)
    w.refuse(100000, "aclmdlAddDatasetBuffer", 0, 0)
    w.refuse(100000, "aclmdlAddDatasetBuffer", 0, entry(w))


@row("mdl-case-023")
def dataset_add_anything(w: World) -> None:
    w.ok("aclmdlAddDatasetBuffer", w.value("aclmdlCreateDataset"), 1)


@row("mdl-0045")
def dataset_count_null(w: World) -> None:
    w.same(w.value("aclmdlGetDatasetNumBuffers", 0), 0, "buffers")
    w.same(w.value("aclmdlGetDatasetNumBuffers", dataset(w, entry(w), entry(w))), 2, "buffers")


@rows(("mdl-0046",), ("mdl-case-024",))
def dataset_buffer(w: World) -> None:
    first = entry(w)
    made = dataset(w, first)
    w.same(w.value("aclmdlGetDatasetBuffer", made, 0), first, "buffer")
    w.same(w.value("aclmdlGetDatasetBuffer", made, 1), 0, "buffer behind the end")
    w.same(w.value("aclmdlGetDatasetBuffer", 0, 0), 0, "buffer of nothing")


@row("mdl-0047")
def dataset_desc_null(w: World) -> None:
    made = dataset(w, entry(w))
    w.expect("aclmdlSetDatasetTensorDesc", 0, tensor(w, 4), 0)
    w.expect("aclmdlSetDatasetTensorDesc", made, tensor(w, 4), 1)


@rows(("mdl-0048",), ("mdl-case-026",))
def dataset_desc_clear(w: World) -> None:
    made = dataset(w, entry(w))
    given = tensor(w, 4)
    w.ok("aclmdlSetDatasetTensorDesc", made, given, 0)
    kept = w.value("aclmdlGetDatasetTensorDesc", made, 0)
    assert kept not in (0, given)
    w.ok("aclmdlSetDatasetTensorDesc", made, 0, 0)
    w.same(w.value("aclmdlGetDatasetTensorDesc", made, 0), 0, "the descriptor")


@rows(("mdl-0049",), ("mdl-case-027",))
def dataset_desc_none(w: World) -> None:
    made = dataset(w, entry(w))
    for handle, index in ((0, 0), (made, 2), (made, 0)):
        w.same(w.value("aclmdlGetDatasetTensorDesc", handle, index), 0, "the descriptor")
