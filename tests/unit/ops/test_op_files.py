"""Stand-ins of operators: from ATC's descriptions, in directories, in memory; what is skipped is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_sim import ascendcl as C
from ascend_sim.om.container import read, save, write
from ascend_sim.om.description import TensorDescription
from ascend_sim.ops.op_files import describe_op, from_atc, write_stand_ins
from ascend_sim.simulator import Simulator
from tests.unit.ops.conftest import Device

A = np.arange(4, dtype=np.int32)
ADD: dict[str, Any] = {
    "op": "Add",
    "input_desc": [{"format": "ND", "shape": [4], "type": "int32"}] * 2,
    "output_desc": [{"format": "ND", "shape": [4], "type": "int32"}],
}


def test_a_description_of_atc_becomes_a_file_that_runs(device: Device, tmp_path: Any) -> None:
    source = tmp_path / "add.json"
    source.write_text(json.dumps([ADD]))
    (path,) = write_stand_ins(str(source), str(tmp_path / "models" / "deeper"))
    device.must(C.aclopSetModelDir(str(tmp_path)))
    (total,) = device.run("Add", [A, A], [A])
    assert np.array_equal(total, 2 * A)
    assert device.kinds() == []
    assert read(Path(path).read_bytes()).models[0].body.target == "Add"


def test_attributes_keep_their_kinds() -> None:
    attributes = [
        {"name": "a", "type": "bool", "value": True}, {"name": "b", "type": "list_int", "value": []},
        {"name": "c", "type": "data_type", "value": "float16"},
        {"name": "d", "type": "list_list_int", "value": [[1], []]},
    ]  # fmt: skip
    (made,) = from_atc(json.dumps([{**ADD, "attr": attributes}]))
    assert made.attributes["c"] == ["data_type", 1]
    with Simulator() as sim:
        data = write(made)
        assert C.aclopLoad(data, len(data)) == 0
        (model,) = sim.ops.single.models.static
        assert model.attributes.key() == (
            ("a", "bool", True), ("b", "list_int", ()), ("c", "data_type", 1), ("d", "list_list_int", ((1,), ())),
        )  # fmt: skip


ARG_MAX: dict[str, Any] = {
    "op": "ArgMaxV2",
    "input_desc": [
        {"format": "ND", "shape": [4], "type": "float16"},
        {"format": "ND", "shape": [1], "type": "int32", "is_const": True, "const_value": [0]},
    ],
    "output_desc": [{"format": "ND", "shape": [1], "type": "int32"}],
}


@pytest.mark.parametrize(("axis", "code"), [(0, 0), (1, 100024)])
def test_constants_of_a_description_are_part_of_the_match(device: Device, axis: int, code: int) -> None:
    (made,) = from_atc(json.dumps([ARG_MAX]))
    data = write(made)
    assert C.aclopLoad(data, len(data)) == 0
    x = device.put(np.array([1, 5, 2, 3], np.float16))
    out = device.put(np.zeros(1, np.int32))
    descs = [C.aclCreateTensorDesc(1, 1, [4], 2), C.aclCreateTensorDesc(3, 1, [1], 2)]
    device.must(C.aclSetTensorConst(descs[1], np.array([axis], np.int32), 4))
    buffers = [C.aclCreateDataBuffer(x, 8), C.aclCreateDataBuffer(0, 0)]
    result = C.aclCreateTensorDesc(3, 1, [1], 2), C.aclCreateDataBuffer(out, 4)
    attributes = C.aclopCreateAttr()
    call = C.aclopExecuteV2("ArgMaxV2", 2, descs, buffers, 1, [result[0]], [result[1]], attributes, 0)
    assert (call if isinstance(call, int) else call[-1]) == code
    if code:
        assert "constant [0]" in C.aclGetRecentErrMsg()
        return
    device.must(C.aclrtSynchronizeDevice())
    found = np.zeros(1, np.int32)
    device.must(C.aclrtMemcpy(found, 4, out, 4, 2))
    assert found[0] == 1  # a scalar, described as one element


WRONG: list[Any] = [
    {}, {"op": "Add", "input_desc": [{"type": "int33"}]},
    {"op": "Add", "input_desc": [{"type": "int8", "format": "?"}]},
    {**ADD, "attr": [{"name": "a", "type": "tensor", "value": 1}]},
    {**ADD, "input_desc": [{"shape": [1], "type": "int8", "is_const": True, "const_value": [300]}]},
    {**ADD, "input_desc": [{"shape": [1], "type": "float16", "is_const": True, "const_value": [-(2**63)]}]},
    None, 1, [], {**ADD, "op": ""}, {**ADD, "op": None}, {**ADD, "input_desc": 1}, {**ADD, "input_desc": {"type": "int8"}},
    {**ADD, "input_desc": [None]}, {**ADD, "input_desc": [{}]}, {**ADD, "input_desc": [{"type": "int8", "shape": None}]},
    {**ADD, "input_desc": [{"type": "int8", "shape": ["1"]}]}, {**ADD, "input_desc": [{"type": "int8", "shape": [1.5]}]},
    {**ADD, "input_desc": [{"type": "int8", "shape": [1], "shape_range": [[1]]}]},
    {**ADD, "input_desc": [{"type": "int8", "shape": [1], "shape_range": [1]}]},
    {**ADD, "input_desc": [{"type": "int8", "name": 1}]}, {**ADD, "attr": {}}, {**ADD, "attr": [1]}, {**ADD, "attr": [{}]},
    {**ADD, "attr": [{"name": "a", "type": "int"}]}, {**ADD, "attr": [{"name": "a", "type": "int", "value": True}]},
    {**ADD, "attr": [{"name": "a", "type": "int", "value": 1 << 63}]},
    {**ADD, "attr": [{"name": "a", "type": "list_int", "value": [1, "b"]}]}, {**ADD, "work_size": None},
    {**ADD, "cost_ns": float("inf")}, {**ADD, "work_size": -1}, {**ADD, "op": "x" * 5000}, {**ADD, "op": "\ud800"},
    {**ADD, "input_desc": [{"type": "int8", "shape": [1 << 49]}]},
    {**ADD, "input_desc": [{"type": "int8", "shape": [1], "is_const": True, "const_value": {"a": 1}}]},
    {**ADD, "input_desc": [{"type": "int8", "shape": [2], "is_const": True, "const_value": [[1], 2]}]},
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_bad_descriptions_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError):
        from_atc(json.dumps([wrong]))


def test_no_name_of_an_operator_leads_out_of_the_directory(tmp_path: Path) -> None:
    (tmp_path / "op.json").write_text(json.dumps([{**ADD, "op": "../../x"}, {**ADD, "op": "a/b\0c"}]))
    written = write_stand_ins(str(tmp_path / "op.json"), str(tmp_path / "out"))
    assert [Path(path).parent for path in written] == [tmp_path / "out"] * 2
    assert [Path(path).name.partition("_3_2")[0] for path in written] == ["0_.._.._x", "1_a_b_c"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["op.json", "out"]


ODD: list[Any] = [
    None, {"a": 1}, [[1, "a"]], [{"a": 1}], [1, "a"], [None], ["list_int", [None]], 1 << 63, [[[1]]],
]  # fmt: skip


@pytest.mark.parametrize("value", ODD)
def test_attributes_that_no_operator_can_have(device: Device, value: Any) -> None:
    """A dict among them could not be hashed: TypeError left the call."""
    one = TensorDescription("x", 3, (4,))
    data = write(describe_op("Neg", [one], [one], {"a": value}))
    assert C.aclopLoad(data, len(data)) == 100012
    assert "attribute a is" in C.aclGetRecentErrMsg()


def test_what_a_directory_cannot_load_is_skipped_and_told(device: Device, tmp_path: Any) -> None:
    deep = tmp_path / "1" / "2" / "3"
    deep.mkdir(parents=True)
    one = TensorDescription("x", 3, (4,))
    save(tmp_path / "1" / "2" / "good.om", describe_op("Neg", [one], [one]))
    save(deep / "too_deep.om", describe_op("Abs", [one], [one]))
    (tmp_path / "bad.om").write_bytes(b"no model" * 100)
    device.must(C.aclopSetModelDir(str(tmp_path)))
    assert [model.op_type for model in device.sim.ops.single.models.static] == ["Neg"]
    assert device.kinds() == ["hidden-error"]
    assert "bad.om" in device.finding("hidden-error").title


def test_a_genuine_model_is_refused_with_advice(device: Device) -> None:
    one = TensorDescription("x", 3, (4,))
    data = bytearray(write(describe_op("Neg", [one], [one])))
    data[8:12] = (0x10000000).to_bytes(4, "little")  # the version that real files have
    assert C.aclopLoad(bytes(data), len(data)) == 100012
    assert "from-singleop" in device.finding("not-modelled").fix


def test_a_loaded_operator_that_nobody_wrote(device: Device) -> None:
    one = TensorDescription("x", 3, (4,))
    data = write(describe_op("FancyThing", [one], [one]))
    device.must(C.aclopLoad(data, len(data)))
    arguments, _ = device.arguments("FancyThing", [A], [A])
    assert C.aclopExecuteV2(*arguments) == 500002
    assert "sim.ops.register" in device.finding("not-modelled").fix


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=600), st.integers(0, 600), st.integers(0, 255))
def test_no_file_does_anything_but_answer(junk: bytes, position: int, value: int) -> None:
    one = TensorDescription("x", 3, (4,))
    good = bytearray(write(describe_op("Neg", [one], [one], {"a": 1})))
    good[position % len(good)] = value
    with Simulator():
        for data in (bytes(good), junk, bytes(good) + junk, bytes(good)[: position % len(good)]):
            code = C.aclopLoad(data, len(data)) if data else 100000
            assert code in (0, 100000, 100012, 100013, 100016, 148050)
