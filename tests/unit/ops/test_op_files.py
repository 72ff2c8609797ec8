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
    device.ok(C.aclopSetModelDir(str(tmp_path)))
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


WRONG: list[Any] = [
    {}, {"op": "Add", "input_desc": [{"type": "int33"}]},
    {"op": "Add", "input_desc": [{"type": "int8", "format": "?"}]},
    {**ADD, "attr": [{"name": "a", "type": "tensor", "value": 1}]},
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_bad_descriptions_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError):
        from_atc(json.dumps([wrong]))


def test_what_a_directory_cannot_load_is_skipped_and_told(device: Device, tmp_path: Any) -> None:
    deep = tmp_path / "1" / "2" / "3"
    deep.mkdir(parents=True)
    one = TensorDescription("x", 3, (4,))
    save(tmp_path / "1" / "2" / "good.om", describe_op("Neg", [one], [one]))
    save(deep / "too_deep.om", describe_op("Abs", [one], [one]))
    (tmp_path / "bad.om").write_bytes(b"no model" * 100)
    device.ok(C.aclopSetModelDir(str(tmp_path)))
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
    device.ok(C.aclopLoad(data, len(data)))
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
