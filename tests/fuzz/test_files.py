"""Files that are nearly right: every reader answers with a documented code, or says what is wrong; nothing else leaves it.

84,000 such files were tried by hand; the suite keeps a slice of them (``ASCEND_SIM_TEST_SCALE=100`` tries as many again).
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ascend_sim import Simulator, cli
from ascend_sim import ascendcl as C
from ascend_sim.om import Aipp, Body, Constant, Gears, ModelDescription, TensorDescription, container, write
from ascend_sim.om.description import to_json
from ascend_sim.om.insert_op import read_insert_op
from tests.fuzz.mutations import mutated_bytes, mutated_json
from tests.kit.scale import SCALE

FILES = 60 * SCALE
LOAD_CODES = {0, 100000, 107002, 145000, 145001, 145002, 145006, 200001, 207000, 245000, 500002, 545003, 545004}
OPERATOR_CODES = {0, 100000, 100012, 100013, 100016, 148050}
INIT_CODES = {0, 100000, 100003, 100006, 100009, 107000, 107001, 207000, 500001}

X, Y = TensorDescription("x", 0, (2, 2)), TensorDescription("y", 0, (2, 2))
OPEN = TensorDescription("x", 0, (-1, 2), 2, ((1, 4), (2, 2)))
NEG = Body("graph", nodes=({"op": "Neg", "inputs": ["x"], "outputs": ["y"], "attributes": {"a": 1}},))
IMAGE = TensorDescription("x", 0, (1, 3, 4, 4), 0, aipp=Aipp("static", 3, src_image_size_w=4, src_image_size_h=4))
MODELS = [
    ModelDescription("neg", (X,), (Y,), NEG, None, 64, 32),
    ModelDescription("weights", (X,), (Y,), NEG, constants=(Constant("c", 0, (2, 2), 0),)),
    ModelDescription("gears", (OPEN,), (OPEN,), NEG, Gears("batch", ((1,), (2,)))),
    ModelDescription("open", (OPEN,), (OPEN,), NEG),
    ModelDescription("image", (IMAGE,), (Y,)),
    ModelDescription("op", (X,), (Y,), Body("op", "Neg"), attributes={"a": 1, "l": ["list_int", [1, 2]], "f": 1.5}),
]
OPERATOR = {
    "op": "Add", "work_size": 4, "cost_ns": 3,
    "input_desc": [
        {"format": "ND", "shape": [-1, 4], "shape_range": [[1, 4], [4, 4]], "type": "int32", "name": "x"},
        {"format": "NCHW", "shape": [1], "type": "float16", "is_const": True, "const_value": [1.5]},
    ],
    "output_desc": [{"format": "ND", "shape": [4], "type": "int32"}],
    "attr": [
        {"name": "a", "type": "list_int", "value": [1, 2]}, {"name": "d", "type": "data_type", "value": "float16"},
        {"name": "l", "type": "list_list_int", "value": [[1], []]}, {"name": "f", "type": "float", "value": 1.5},
    ],
}  # fmt: skip
CONFIGURATION = {
    "err_msg_mode": "0", "max_opqueue_num": "100", "StackSize": {"aicore_stack_size": 32768}, "profiler": {"switch": "on"},
    "defaultDevice": {"default_device": "0"}, "simt_printf_fifo_size": 1048576, "acl_graph": {"event_mode": "0"},
    "dump": {"dump_list": [{"model_name": "a", "layer": ["x"]}], "dump_path": "/tmp", "dump_step": "0|1-3"},
}  # fmt: skip
AIPP = """aipp_op { aipp_mode: static related_input_rank: 0 input_format: RGB888_U8 src_image_size_w: 4 crop: true
  crop_size_w: 4 csc_switch: true matrix_r0c0: 256 input_bias_0: 0 mean_chn_0: 1 var_reci_chn_0: 0.003 }
aipp_op { aipp_mode: dynamic related_input_name: "x" max_src_image_size: 100 }"""


def stand_in(random: Random) -> bytes:
    """A stand-in with a description that is nearly right, and a header that fits."""
    whole = write(MODELS[0])
    text = json.dumps(mutated_json(random, to_json(random.choice(MODELS)))).encode()
    body = len(text).to_bytes(8, "little") + text + bytes(32)
    fields = list(container._LAYOUT.unpack_from(whole))
    fields[4] = fields[17] = len(body)
    data = container._LAYOUT.pack(*fields) + body
    return mutated_bytes(random, data) if random.random() < 0.3 else data


def use(number: int) -> None:
    """Describe a model, run it, and let it go."""
    desc = C.aclmdlCreateDesc()
    C.aclmdlGetDesc(desc, number)
    sets: list[Any] = []
    for count, size in ((C.aclmdlGetNumInputs, C.aclmdlGetInputSizeByIndex),
                        (C.aclmdlGetNumOutputs, C.aclmdlGetOutputSizeByIndex)):  # fmt: skip
        sets.append(C.aclmdlCreateDataset())
        for index in range(min(count(desc), 4)):
            nbytes = min(max(size(desc, index), 16), 1 << 16)
            address, _ = C.aclrtMalloc(nbytes, 0)
            C.aclmdlAddDatasetBuffer(sets[-1], C.aclCreateDataBuffer(address, nbytes))
    C.aclmdlExecute(number, *sets)
    C.aclmdlUnload(number)


@pytest.mark.parametrize("seed", range(3))
def test_models_in_memory(seed: int) -> None:
    random = Random(seed)
    for _ in range(FILES // 3):
        data = stand_in(random)
        with Simulator():
            assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
            number, code = C.aclmdlLoadFromMem(data, len(data))
            assert code in LOAD_CODES
            if number:
                use(number)
            assert C.aclmdlQuerySizeFromMem(data, len(data))[2] in LOAD_CODES
            assert C.aclmdlBundleLoadFromMem(data, len(data))[1] in LOAD_CODES
            assert C.aclopLoad(data, len(data)) in OPERATOR_CODES


def test_operators_for_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random, source, out = Random(1), tmp_path / "op.json", tmp_path / "out"
    for _ in range(FILES):
        text = json.dumps(mutated_json(random, [OPERATOR])).encode()
        source.write_bytes(mutated_bytes(random, text) if random.random() < 0.3 else text)
        failed = cli.main(["om", "from-singleop", str(source), "-o", str(out)])
        said = capsys.readouterr().err
        assert said.startswith("ascend-sim om: ") if failed else said == ""
        for path in out.glob("*") if out.is_dir() else ():
            data = path.read_bytes()
            with Simulator():
                assert C.aclopLoad(data, len(data)) in OPERATOR_CODES - {100013}
            assert cli.main(["om", "describe", str(path)]) == 0
            path.unlink()
    assert sorted(tmp_path.iterdir()) in ([source], [source, out])


def test_preprocessing_files() -> None:
    random = Random(2)
    for _ in range(FILES):
        text = mutated_bytes(random, AIPP.encode()).decode(errors="replace")
        try:
            assert read_insert_op(text)
        except ValueError as error:
            assert str(error)


def test_files_of_aclinit(tmp_path: Path) -> None:
    random, path = Random(3), tmp_path / "acl.json"
    for _ in range(FILES):
        text = json.dumps(mutated_json(random, CONFIGURATION)).encode()
        path.write_bytes(mutated_bytes(random, text) if random.random() < 0.3 else text)
        with Simulator():
            assert C.aclInit(str(path)) in INIT_CODES


@pytest.mark.parametrize("path", ["\ud800", "a\0b", "x" * 5000, "/dev/zero"])
def test_what_is_no_path(path: str) -> None:
    with Simulator():
        assert C.aclInit(path) == 100003
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        assert C.aclopSetModelDir(path) == 100014
        assert C.aclmdlLoadFromFile(path)[1] == C.aclmdlQuerySize(path)[2] == 145002
        assert C.aclmdlBundleLoadFromFile(path)[1] == 145002
        assert C.aclrtBinaryLoadFromFile(path, None)[1] == 107000
