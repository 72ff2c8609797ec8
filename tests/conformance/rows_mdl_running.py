"""Rows of models: gears and executions."""

from __future__ import annotations

import struct
from typing import Any

from ascend_sim.ascendcl.structs import aclmdlIODims
from ascend_sim.om.zipped import write_zip
from tests.conformance.model_files import (
    batch_model,
    dataset,
    dims_model,
    dynamic_model,
    entry,
    executable,
    hw_model,
    load,
    model,
    set_up,
    tensor,
)
from tests.conformance.registry import row, rows
from tests.conformance.world import STALE, World


def current(w: World, number: int) -> list[int]:
    made = w.value("aclmdlCreateDesc")
    w.ok("aclmdlGetDesc", made, number)
    found = w.sim.models.loaded[number]
    return list(found.gear or ())


# -- batch and image size ----------------------------------------------------------------------------------------------


@rows(("mdl-0050", "aclmdlSetDynamicBatchSize", (1,), ((0,),)),
      ("mdl-case-046", "aclmdlSetDynamicBatchSize", (1,), ((0,),)),
      ("mdl-0054", "aclmdlSetDynamicHWSize", (2, 3), ((0, 3), (2, 0), (0, 0))),
      ("mdl-case-047", "aclmdlSetDynamicHWSize", (2, 3), ((0, 0),)),
      ("mdl-case-048", "aclmdlSetDynamicHWSize", (2, 3), ((0, 0),)))  # fmt: skip
def setter_null(w: World, name: str, good: Any, zeros: Any) -> None:
    set_up(w)
    number = load(w, batch_model() if len(good) == 1 else hw_model())
    ins = dataset(w, entry(w, 128), entry(w, 16), entry(w, 16, 0))
    w.refuse(100000, name, number, 0, 1, *good)
    for values in zeros:
        w.refuse(100000, name, number, ins, 1, *values)
    w.refuse(100000, name, number, ins, 3, *good)
    w.refuse(100000, name, number, ins, 2, *good)
    w.ok(name, number, ins, 1, *good)


@rows(("mdl-0051", "aclmdlSetDynamicBatchSize", (2,), 4), ("mdl-0055", "aclmdlSetDynamicHWSize", (2, 3), 8))
def setter_short(w: World, name: str, good: Any, least: int) -> None:
    """The dataset has changed by then, the model has not."""
    set_up(w)
    number = load(w, batch_model() if len(good) == 1 else hw_model())
    ins = dataset(w, entry(w, 128), entry(w, least - 1), entry(w, least))
    w.expect(name, number, ins, 1, *good)
    w.same(current(w, number), [], "the gear")
    changed: Any = w.sim.handles[ins]
    w.same((changed.batch, changed.height, changed.width), (2, 0, 0) if len(good) == 1 else (0, 2, 3), "the dataset")
    w.refuse(145012, name, 99, ins, 1, *good)  # before the model is looked at
    w.ok(name, number, ins, 2, *good)


@rows(("mdl-0052", "aclmdlSetDynamicBatchSize", (2,)), ("mdl-0057", "aclmdlSetDynamicHWSize", (2, 3)))
def setter_of_nobody(w: World, name: str, good: Any) -> None:
    set_up(w)
    ins = dataset(w, entry(w, 16), entry(w, 16))
    w.expect(name, 99, ins, 1, *good)
    w.expect(name, load(w, dynamic_model()), ins, 1, *good)


@rows(("mdl-0053", "aclmdlSetDynamicBatchSize", (3,)), ("mdl-0056", "aclmdlSetDynamicHWSize", (3, 2)))
def setter_no_gear(w: World, name: str, wrong: Any) -> None:
    set_up(w)
    ins = dataset(w, entry(w, 128), entry(w, 16))
    for described in (batch_model(), hw_model(), model()):
        w.expect(name, load(w, described), ins, 1, *wrong)


# -- dims --------------------------------------------------------------------------------------------------------------


def dims(*values: int) -> aclmdlIODims:
    return aclmdlIODims("", len(values), list(values))


NAME = "aclmdlSetInputDynamicDims"


@rows(("mdl-0058",), ("mdl-case-049",), faces="c")
def dims_null(w: World) -> None:
    set_up(w)
    number = load(w, dims_model())
    ins = dataset(w, entry(w, 100), entry(w, 16), entry(w, 16, 0))
    good = dims(1, 5, 2)
    for given in ((0, 1, good), (ins, 1, None), (ins, 1, dims()), (ins, 3, good), (ins, 2, good)):
        w.refuse(100000, NAME, number, *given)
    w.ok(NAME, number, ins, 1, good)


@row("mdl-0059", faces="c")
def dims_wrong(w: World) -> None:
    set_up(w)
    number = load(w, dims_model())
    ins = dataset(w, entry(w, 100), entry(w, 16))
    for given in (dims(1, 5), dims(1, 5, 2, 1), dims(1, 4, 2)):
        w.expect(NAME, number, ins, 1, given)
    w.same(current(w, number), [], "the gear")


@row("mdl-0060", faces="c")
def dims_short(w: World) -> None:
    set_up(w)
    number = load(w, dims_model())
    ins = dataset(w, entry(w, 100), entry(w, 7))
    w.expect(NAME, number, ins, 1, dims(3, 5, 4))
    w.same(current(w, number), [3, 4], "the gear")
    changed: Any = w.sim.handles[ins]
    w.same(changed.dims, (), "the dataset")


@row("mdl-0061", faces="c")
def dims_of_nobody(w: World) -> None:
    set_up(w)
    ins = dataset(w, entry(w, 100), entry(w, 1))
    w.expect(NAME, 99, ins, 1, dims(1))
    w.expect(NAME, load(w, dynamic_model()), ins, 1, dims(1))


@row("mdl-0062", faces="c")
def dims_no_gear(w: World) -> None:
    set_up(w)
    number = load(w, dims_model())
    ins = dataset(w, entry(w, 100), entry(w, 16))
    w.ok(NAME, number, ins, 1, dims(1, 5, 2))
    changed: Any = w.sim.handles[ins]
    w.same(changed.dims, (1, 5, 2), "the dataset")
    w.expect(NAME, number, ins, 1, dims(1, 5, 4))
    w.same((current(w, number), changed.dims), ([1, 2], ()), "the gear of the model, the dataset")


# -- models of the newer kind ------------------------------------------------------------------------------------------


@row("mdl-0095")
def zipped_batch(w: World) -> None:
    number = load(w, write_zip(batch_model()))
    ins = dataset(w, entry(w, 128), entry(w, 3))
    w.expect("aclmdlSetDynamicBatchSize", number, ins, 1, 2)
    w.same(w.sim.models.loaded[number].gear, (2,), "the gear")
    changed: Any = w.sim.handles[ins]
    w.same(changed.batch, 0, "the dataset")


@row("mdl-0096", faces="c")
def zipped_dims(w: World) -> None:
    number = load(w, write_zip(dims_model()))
    ins = dataset(w, entry(w, 100), entry(w, 16))
    w.expect(NAME, number, ins, 1, dims(1, 5))
    w.ok(NAME, number, ins, 1, dims(1, 77, 2))
    w.expect(NAME, load(w, write_zip(model())), ins, 1, dims(4))


# -- executing ---------------------------------------------------------------------------------------------------------


@row("mdl-0063", "mdl-case-041", "mdl-case-042")
def run_null(w: World) -> None:
    set_up(w)
    number, ins, outs = executable(w)
    for given in ((0, outs), (ins, 0), (0, 0)):
        if "case-042" not in w.row.name:
            w.refuse(100000, "aclmdlExecute", number, *given)
        w.refuse(100000, "aclmdlExecuteAsync", number, *given, 0)
    w.refuse(100000, "aclmdlExecute", 1, 0, 0)


@row("mdl-0064")
def run_no_buffer(w: World) -> None:
    set_up(w)
    number, ins, outs = executable(w)
    hollow = dataset(w, STALE)
    for given in ((hollow, outs), (ins, hollow)):
        w.expect("aclmdlExecute", number, *given)
        w.expect("aclmdlExecuteAsync", number, *given, 0)
        w.refuse(100000, "aclmdlExecute", load(w, dynamic_model()), *given)


@row("mdl-0065")
def run_unknown(w: World) -> None:
    set_up(w)
    _, ins, outs = executable(w)
    w.expect("aclmdlExecute", 99, ins, outs)
    w.expect("aclmdlExecuteAsync", 99, ins, outs, 0)
    w.refuse(100000, "aclmdlExecute", 99, ins, dataset(w, entry(w, 16, 0)))
    w.refuse(145003, "aclmdlExecuteAsync", 99, ins, dataset(w, entry(w, 16, 0)), 0)


@row("mdl-0066")
def run_null_address(w: World) -> None:
    set_up(w)
    number, ins, _ = executable(w)
    two = dataset(w, entry(w), entry(w, 16, 0))
    w.expect("aclmdlExecute", number, ins, two)
    w.expect("aclmdlExecute", 99, ins, two)


@row("mdl-0067")
def run_both_ways(w: World) -> None:
    set_up(w)
    number, ins, outs = executable(w)
    w.ok("aclmdlExecute", number, ins, outs)
    w.expect("aclmdlExecuteAsync", number, ins, outs, 0)
    w.ok("aclmdlExecute", number, ins, outs)
    other, stream = load(w), w.stream()
    w.ok("aclmdlExecuteAsync", other, ins, outs, stream)
    w.expect("aclmdlExecute", other, ins, outs)
    w.ok("aclrtSynchronizeStream", stream)
    free = load(w, dynamic_model())
    w.ok("aclmdlSetDatasetTensorDesc", ins, tensor(w, 4), 0)
    w.ok("aclmdlExecute", free, ins, outs)
    w.ok("aclmdlExecuteAsync", free, ins, outs, stream)
    w.ok("aclrtSynchronizeStream", stream)


def shaped(w: World, *dims: int) -> int:
    made = dataset(w, entry(w, 64))
    w.ok("aclmdlSetDatasetTensorDesc", made, tensor(w, *dims), 0)
    return made


@row("mdl-0068")
def dynamic_few(w: World) -> None:
    w.expect("aclmdlExecute", load(w, dynamic_model()), dataset(w), dataset(w, entry(w)))


@row("mdl-0069")
def dynamic_range(w: World) -> None:
    number, outs = load(w, dynamic_model()), dataset(w, entry(w, 64))
    for wrong in ((9,), (0,), (2, 2), (-1,)):
        w.expect("aclmdlExecute", number, shaped(w, *wrong), outs)
    w.ok("aclmdlExecute", number, shaped(w, 8), outs)


@row("mdl-0070")
def dynamic_more(w: World) -> None:
    ins = shaped(w, 4)
    w.ok("aclmdlAddDatasetBuffer", ins, entry(w))
    w.ok("aclmdlExecute", load(w, dynamic_model()), ins, dataset(w, entry(w)))


@row("mdl-0071")
def dynamic_outputs(w: World) -> None:
    number = load(w, dynamic_model())
    w.expect("aclmdlExecute", number, shaped(w, 4), dataset(w, entry(w), entry(w)))
    w.expect("aclmdlExecute", number, shaped(w, 4), dataset(w))


@row("mdl-0072")
def static_wrong(w: World) -> None:
    set_up(w)
    number, ins, outs = executable(w, model((100,)), 400)
    for given in ((dataset(w), outs), (dataset(w, entry(w, 400), entry(w)), outs), (ins, dataset(w)),
                  (ins, dataset(w, entry(w, 400), entry(w))), (dataset(w, entry(w, 335)), outs),
                  (ins, dataset(w, entry(w, 335)))):  # fmt: skip
        w.expect("aclmdlExecute", number, *given)
    forgiven = entry(w, 336, w.device(400, 0))
    w.ok("aclmdlExecute", number, dataset(w, forgiven), outs)
    geared = load(w, batch_model((1, 100)))
    value = entry(w, 4)
    small, out = dataset(w, entry(w, 16), value), dataset(w, entry(w, 16))
    w.expect("aclmdlExecute", geared, small, out)
    w.ok("aclmdlSetDynamicBatchSize", geared, small, 1, 1)
    w.ok("aclmdlExecute", geared, small, out)


@row("mdl-0073")
def static_larger(w: World) -> None:
    set_up(w)
    number, _, _ = executable(w)
    w.ok("aclmdlExecute", number, dataset(w, entry(w, 4096)), dataset(w, entry(w, 4096)))


@row("mdl-0074", "mdl-case-043")
def null_output(w: World) -> None:
    set_up(w)
    number, _, _ = executable(w)
    there = w.device(16, 0)
    values = w.host(16)
    import ctypes

    ctypes.memmove(values, struct.pack("<4f", 1, 2, 3, 4), 16)
    w.ok("aclrtMemcpy", there, 16, values, 16, 1)
    out = entry(w, 0, 0)
    w.ok("aclmdlExecute", number, dataset(w, entry(w, 16, there)), dataset(w, out))
    made = w.value("aclGetDataBufferAddr", out)
    w.same(struct.unpack("<4f", w.peek(made, 16)), (-1, -2, -3, -4), "the output")
    w.ok("aclrtFree", made)


@row("mdl-0075")
def config_null(w: World) -> None:
    set_up(w)
    w.expect("aclmdlExecuteV2", *executable(w), 0, 0)


@row("mdl-0076", faces="c")
def waits_anyway(w: World) -> None:
    set_up(w)
    number, ins, outs = executable(w)
    config, stream = w.value("aclmdlCreateExecConfigHandle"), w.stream()
    w.fault(stream, 507011)
    w.refuse(507011, "aclmdlExecuteV2", 99, ins, outs, stream, config)  # not 145003
    w.refuse(145003, "aclmdlExecuteV2", 99, ins, outs, stream, config)
    w.refuse(107017, "aclmdlExecuteV2", number, ins, outs, STALE, config)
    w.ok("aclmdlExecuteV2", number, ins, outs, stream, config)


@row("mdl-0097", faces="c")
def codes_never_seen(w: World) -> None:
    """What the old manuals promise for wrong numbers, sizes and ids is answered with other codes."""
    set_up(w)
    number, ins, outs = executable(w)
    w.refuse(500002, "aclmdlExecute", number, dataset(w), outs)
    w.refuse(500002, "aclmdlExecute", number, ins, dataset(w))
    w.refuse(145003, "aclmdlExecute", 99, ins, outs)
    w.refuse(145013, "aclmdlSetDynamicBatchSize", number, ins, 0, 1)
    w.refuse(145006, "aclmdlLoadFromMem", w.host(300), 300)
