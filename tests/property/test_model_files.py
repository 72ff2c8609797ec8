"""Hostile model files: whatever the bytes, loading gives a documented code, runs nothing and leaves nothing behind."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_sim import ascendcl as C
from ascend_sim.om import (
    HEADER_BYTES,
    Aipp,
    Body,
    Constant,
    Gears,
    ModelDescription,
    OmFormatError,
    TensorDescription,
    read,
    write,
)
from ascend_sim.om.description import from_json, to_json
from ascend_sim.om.zipped import read_zip, write_zip
from ascend_sim.simulator import Simulator

LOAD_CODES = {0, 100000, 145000, 145001, 145002, 145006, 207000, 245000, 500002}
QUERY_CODES = {0, 100000, 145000, 145002, 145006, 545003, 545004}
BUNDLE_CODES = LOAD_CODES | {200001}

names = st.text(max_size=12)
dims = st.lists(st.integers(-2, 9), max_size=5).map(tuple)
tensors = st.builds(
    TensorDescription,
    name=names,
    data_type=st.sampled_from([-1, 0, 1, 3, 9, 12, 27, 99]),
    dims=dims,
    format=st.sampled_from([-1, 0, 2, 3]),
    ranges=st.lists(st.tuples(st.integers(-1, 9), st.integers(-1, 9)), max_size=5).map(tuple),
    aipp=st.just(None),
)
images = st.builds(
    TensorDescription,
    name=names,
    data_type=st.sampled_from([0, 1, 4]),
    dims=st.tuples(st.integers(-1, 3), st.integers(1, 3), st.integers(-1, 6), st.integers(-1, 6)),
    format=st.just(0),
    aipp=st.booleans() | st.builds(Aipp, max_src_image_size=st.integers(0, 99)) | st.just(Aipp("static", 3)),
).map(lambda t: evolve(t, aipp=Aipp()) if t.is_dynamic else t)
bodies = st.one_of(
    st.builds(Body, kind=st.sampled_from(["none", "graph", "onnx", "op"]), target=names),
    st.just(Body("python", "os:getcwd")),
    st.just(Body("graph", nodes=({"op": "Neg", "inputs": ["x"], "outputs": ["y"], "attributes": {}},))),
)
gears = st.none() | st.builds(
    Gears, kind=st.just("batch"), choices=st.lists(st.tuples(st.integers(1, 9)), min_size=1, max_size=4).map(tuple)
)
descriptions = st.builds(
    ModelDescription,
    name=names,
    inputs=st.lists(tensors | images, max_size=3).map(tuple),
    outputs=st.lists(tensors, max_size=3).map(tuple),
    body=bodies,
    gears=gears,
    work_size=st.integers(0, 1 << 48),
    weight_size=st.sampled_from([0, 1, 4096, 1 << 48]),
)


@pytest.fixture(scope="module")
def sim() -> Iterator[Simulator]:
    """One simulator for all examples: nothing of one may be left for the next."""
    with Simulator(checks="memory") as made:
        assert C.aclInit(None) == 0
        assert C.aclrtSetDevice(0) == 0
        yield made


def tries(sim: Simulator, data: bytes) -> None:
    """Load, describe and measure *data* in every way."""
    sim.models["fuzz.om"] = data
    free = sim.memory.memory_of(0)
    for call, unload, codes in (
        (C.aclmdlLoadFromFile, C.aclmdlUnload, LOAD_CODES),
        (C.aclmdlBundleLoadFromFile, C.aclmdlBundleUnload, BUNDLE_CODES),
    ):
        number, code = call("fuzz.om")
        assert code in codes, (call.__name__, code, C.aclGetRecentErrMsg())
        if code == 0:
            probe(number)
            assert unload(number) == 0
    *_, code = C.aclmdlQuerySize("fuzz.om")
    assert code in QUERY_CODES, code
    desc = C.aclmdlCreateDesc()
    assert C.aclmdlGetDescFromFile(desc, "fuzz.om") in (0, 145006)
    questions(desc)
    C.aclmdlDestroyDesc(desc)
    assert sim.memory.memory_of(0) == free
    assert not sim.models.loaded and not sim.models.bundles


def probe(number: int) -> None:
    """Ask a loaded model everything, and execute it on nothing."""
    desc = C.aclmdlCreateDesc()
    if C.aclmdlGetDesc(desc, number) == 0:
        questions(desc)
    empty = C.aclmdlCreateDataset()
    assert C.aclmdlExecute(number, empty, empty) in (0, 100000, 145003, 500002, 507011)
    C.aclmdlDestroyDataset(empty)
    preprocessing(number, desc)
    C.aclmdlDestroyDesc(desc)


def preprocessing(number: int, desc: int) -> None:
    """Everything that concerns images, and a run on zeros."""
    ins, outs, aipp = C.aclmdlCreateDataset(), C.aclmdlCreateDataset(), C.aclmdlCreateAIPP(1)
    C.aclmdlSetAIPPInputFormat(aipp, C.ACL_RGB888_U8)
    C.aclmdlSetAIPPSrcImageSize(aipp, 3, 3)
    memory, code = C.aclrtMalloc(4096, 0)
    assert code == 0
    for made, count in ((ins, C.aclmdlGetNumInputs(desc)), (outs, C.aclmdlGetNumOutputs(desc))):
        for _ in range(count):
            C.aclmdlAddDatasetBuffer(made, C.aclCreateDataBuffer(memory, 4096))
    for index in range(C.aclmdlGetNumInputs(desc) + 1):
        assert C.aclmdlGetAippType(number, index)[-1] in (0, 100000)
        assert C.aclmdlGetFirstAippInfo(number, index)[-1] in (0, 100000, 145015, 500002)
        assert C.aclmdlSetInputAIPP(number, ins, index, aipp) in (0, 100000)
        assert C.aclmdlSetAIPPByInputIndex(number, ins, index, aipp) in (0, 100000, 500000)
    assert C.aclmdlExecute(number, ins, outs) in (0, 100000, 145003, 500002, 507011, 507015)
    for made in (ins, outs):
        for index in range(C.aclmdlGetDatasetNumBuffers(made)):
            C.aclDestroyDataBuffer(C.aclmdlGetDatasetBuffer(made, index))
        C.aclmdlDestroyDataset(made)
    assert C.aclmdlDestroyAIPP(aipp) == 0
    assert C.aclrtFree(memory) == 0


def questions(desc: int) -> None:
    """Every question about a description has an answer."""
    any_index = (1 << 64) - 1
    for index in range(C.aclmdlGetNumInputs(desc) + 1):
        assert C.aclmdlGetInputSizeByIndex(desc, index) >= 0
        for name in ("InputDims", "InputDimsV2", "InputDimsRange"):
            assert getattr(C, f"aclmdlGet{name}")(desc, index)[1] in (0, 100000, 300000, 500000)
        C.aclmdlGetInputNameByIndex(desc, index), C.aclmdlGetInputDataType(desc, index)
    for index in range(C.aclmdlGetNumOutputs(desc) + 1):
        assert C.aclmdlGetOutputSizeByIndex(desc, index) >= 0
        assert C.aclmdlGetOutputDims(desc, index)[1] in (0, 100000, 300000)
        assert C.aclmdlGetCurOutputDims(desc, index)[1] in (0, 100000, 145003, 200001)
    assert C.aclmdlGetDynamicBatch(desc)[1] in (0, 300000)
    assert C.aclmdlGetDynamicHW(desc, 0)[1] in (0, 300000)
    assert C.aclmdlGetInputDynamicDims(desc, any_index, 128)[1] in (0, 100000, 300000, 500001)


FIELDS = ("inputs", "body", "gears", "constants", "attributes", "blob", "cost_ns")


def flips_of(most: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Places and what is put over the byte there."""
    return st.lists(st.tuples(st.integers(0, 2000), st.integers(1, 255)), max_size=most)


slow = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@slow
@given(data=st.binary(max_size=600))
def test_any_bytes(sim: Simulator, data: bytes) -> None:
    tries(sim, data)


@slow
@given(description=descriptions, cut=st.integers(0, 600), flips=flips_of(6))
def test_damaged_files(sim: Simulator, description: ModelDescription, cut: int, flips: list[tuple[int, int]]) -> None:
    raw = bytearray(write(description))
    for place, value in flips:
        raw[place % len(raw)] ^= value
    tries(sim, bytes(raw[: max(len(raw) - cut, 0)] if cut < 300 else raw))


@slow
@given(description=descriptions, flips=flips_of(4))
def test_damaged_archives(sim: Simulator, description: ModelDescription, flips: list[tuple[int, int]]) -> None:
    raw = bytearray(write_zip(description, b"blob" * 10))
    for place, value in flips:
        raw[place % len(raw)] ^= value
    sim.models["fuzz.om"] = bytes(raw)
    number, code = C.aclmdlLoadFromFile("fuzz.om")
    assert code in LOAD_CODES
    if code == 0:
        probe(number)
        assert C.aclmdlUnload(number) == 0
    assert C.aclmdlQuerySize("fuzz.om")[-1] in QUERY_CODES


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 70), 1 << 70) | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["ascend_sim", "name", "inputs", "outputs", "dims", "body", "kind"]), inner)
    ),
    max_leaves=20,
)


def framed(value: Any, size: int | None = None) -> bytes:
    """A stand-in with any JSON for its description."""
    text = json.dumps(value).encode()
    body = struct.pack("<Q", (len(text) if size is None else size) & (1 << 64) - 1) + text
    raw = bytearray(write(ModelDescription("n", (), ()))[:HEADER_BYTES])
    struct.pack_into("<I", raw, 76, len(body))
    struct.pack_into("<Q", raw, 184, len(body))
    return bytes(raw) + body


@slow
@given(value=json_values)
def test_any_description(sim: Simulator, value: Any) -> None:
    tries(sim, framed(value))


@slow
@given(size=st.integers(0, (1 << 64) - 1))
def test_any_length_of_a_description(sim: Simulator, size: int) -> None:
    tries(sim, framed(to_json(ModelDescription("n", (), ())), size))


ODD = st.sampled_from(
    [0, 1, -1, -2, 2, 4, 16, 255, 4097, 1 << 31, 1 << 40, (1 << 63) - 1, -(1 << 63), True, None, "", "x", 1.5,
     float("nan"), "static", "dynamic", [], {}, [1] * 9, [-1] * 3]
)  # fmt: skip
NEG = {"op": "Neg", "name": "n", "inputs": ["x"], "outputs": ["y"], "attributes": {}}
IMAGES = ModelDescription(
    "m",
    (TensorDescription("x", 0, (-1, 3, 4, 4), 0, aipp=Aipp("static", 3, csc_switch=True, src_image_size_h=4)),),
    (TensorDescription("y", 0, (-1, 3, 4, 4)),),
    Body("graph", nodes=(NEG,)),
    Gears("batch", ((1,), (2,))),
    constants=(Constant("c", 0, (1,), 0),),
    tensors=(TensorDescription("t", 0, (2,)),),
)
SETTINGS = evolve(IMAGES, inputs=(TensorDescription("x", 1, (1, -1, -1, 3), 1, aipp=Aipp(max_src_image_size=200)),))


def changed(draw: Any, value: Any) -> Any:
    """*value* with something odd in one place."""
    if isinstance(value, dict) and value and draw(st.integers(0, 9)):
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: changed(draw, value[key])}
    if isinstance(value, list) and value and draw(st.integers(0, 9)):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], changed(draw, value[place]), *value[place + 1 :]]
    return draw(ODD)


@slow
@given(start=st.sampled_from([IMAGES, SETTINGS, evolve(SETTINGS, gears=None)]) | descriptions, data=st.data())
def test_odd_values_anywhere(sim: Simulator, start: ModelDescription, data: st.DataObject) -> None:
    value = to_json(start)
    for _ in range(data.draw(st.integers(1, 3))):
        value = changed(data.draw, value)
    tries(sim, framed(value))


@slow
@given(field=st.sampled_from(FIELDS), value=json_values)
def test_any_field(sim: Simulator, field: str, value: Any) -> None:
    described = to_json(ModelDescription("n", (TensorDescription("x", 0, (4,)),), ()))
    tries(sim, framed({**described, field: value}))


@slow
@given(description=descriptions)
def test_what_is_written_is_read(description: ModelDescription) -> None:
    assert read(write(description)).models == (description,)
    assert read_zip(write_zip(description)).models == (description,)
    assert from_json(to_json(description)) == description


@pytest.mark.parametrize("depth", [100, 100_000])
def test_deep_descriptions(sim: Simulator, depth: int) -> None:
    text = b'{"ascend_sim":1,"attributes":' + b"[" * depth + b"]" * depth + b"}"
    raw = bytearray(framed(0)[:HEADER_BYTES])
    struct.pack_into("<Q", raw, 184, len(text) + 8)
    struct.pack_into("<I", raw, 76, len(text) + 8)
    tries(sim, bytes(raw) + struct.pack("<Q", len(text)) + text)


def test_huge_numbers_cost_nothing(sim: Simulator) -> None:
    large = TensorDescription("x", 0, (1 << 40, 1 << 8))
    sim.models["fuzz.om"] = ModelDescription("n", (large,), (large,))
    number, code = C.aclmdlLoadFromFile("fuzz.om")
    assert code == 0
    assert C.aclmdlUnload(number) == 0
    with pytest.raises(ValueError, match="elements"):
        write(ModelDescription("n", (TensorDescription("x", 0, (1 << 40, 1 << 9)),), ()))


def test_constants_behind_the_end(sim: Simulator) -> None:
    outside = Constant("w", 0, (4,), 8)
    with pytest.raises(OmFormatError, match="cut off"):
        read(write(ModelDescription("n", (), (), constants=(outside,)), b"x" * 23))
    read(write(ModelDescription("n", (), (), constants=(outside,)), b"x" * 24))


def test_reading_imports_nothing(sim: Simulator) -> None:
    known = set(sys.modules)
    for target in ("antigravity:x", "this:x"):
        sim.models["fuzz.om"] = ModelDescription("n", (), (), Body("python", target))
        assert C.aclmdlLoadFromFile("fuzz.om")[1] == 500002
    assert not {"antigravity", "this"} & (set(sys.modules) - known)
