"""Which file a path stands for, what is refused, what a description says."""

import json
import os
import struct
from pathlib import Path

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.cli import main
from ascend_sim.om import Body, Gears, ModelDescription, TensorDescription, read, save, write
from ascend_sim.om.zipped import read_zip, write_zip
from ascend_sim.runtime.path_aliases import fitting
from ascend_sim.simulator import Simulator
from tests.unit.models.conftest import Models, batches, neg


def compiled() -> bytes:
    """The header of a compiled model, and content that nobody here understands."""
    raw = bytearray(write(neg(name="resnet50")))
    struct.pack_into("<I", raw, 8, 0x10000000)
    return bytes(raw)


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/a/model/resnet50.om", ["model/resnet50.om"]),
        ("/a/b/resnet50.om", ["resnet50.om"]),
        ("resnet50.om", ["resnet50.om"]),
        ("./x/other.om", ["*.om"]),
        ("other.bin", []),
    ],
)
def test_the_longest_tail_fits(path: str, wanted: list[str]) -> None:
    assert fitting(["*.om", "resnet50.om", "model/resnet50.om"], path) == wanted


def test_two_patterns_that_fit_equally_well_are_refused(models: Models) -> None:
    models.sim.models["re*.om"] = neg()
    models.sim.models["*50.om"] = neg()
    assert C.aclmdlLoadFromFile("resnet50.om") == (None, 145002)
    assert "fits two" in C.aclGetRecentErrMsg()
    with pytest.raises(TypeError):
        models.sim.models["x.om"] = 3  # type: ignore[assignment]


def test_variables_register_models_and_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "stand_in.om", neg())
    monkeypatch.setenv("ASCEND_SIM_MODELS", f"resnet50.om={tmp_path / 'stand_in.om'},other.om=/no/such")
    monkeypatch.setenv("ASCEND_SIM_MODEL_MODULES", "one,two")
    with Simulator() as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        assert C.aclmdlLoadFromFile("../model/resnet50.om") == (1, 0)
        assert C.aclmdlLoadFromFile("other.om") == (None, 145002)
        assert sim.models.allowed == ["one", "two"]


def test_a_compiled_model_is_refused_and_described(
    models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "real.om"
    path.write_bytes(compiled())
    assert C.aclmdlLoadFromFile(str(path)) == (None, 145006)
    assert models.kinds() == ["not-modelled"]
    (finding,) = models.sim.findings
    assert "compiled model" in finding.title
    assert finding.fix is not None and "--models" in finding.fix
    assert main(["om", "describe", str(path)]) == 1
    out = capsys.readouterr()
    assert "compiled model 'resnet50': model type 0, version 0x10000000, 1 models, known shapes" in out.out
    assert "only a stand-in can be run" in out.err


def test_describe_says_what_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(tmp_path / "m.om", [batches(1, 2), neg((-1,), ((1, 4),))])
    assert main(["om", "describe", str(tmp_path / "m.om")]) == 0
    text = capsys.readouterr().out
    assert "bundle of 2 models" in text
    assert "static model with 2 gears of batch 'neg': graph body (1 nodes)" in text
    assert "dynamic model 'neg'" in text
    assert "input ascend_mbatch_shape_data: int32 [1] ND, 4 bytes" in text
    assert main(["om", "describe", str(tmp_path / "m.om"), "--json"]) == 0
    assert [m["name"] for m in json.loads(capsys.readouterr().out)] == ["neg", "neg"]
    assert main(["om", "describe", str(tmp_path / "none.om")]) == 1
    assert main(["om", "from-onnx", str(tmp_path / "none.onnx"), "-o", str(tmp_path / "x.om")]) == 1


def test_bundles_keep_their_blobs_apart() -> None:
    file = read(write([neg(name="a"), neg(name="b")], [b"first", b"second"]))
    assert [file.blob_of(i) for i in range(2)] == [b"first", b"second"]
    assert file.single(1).blob_of(0) == b"second"
    assert file.single(1).models[0].name == "b"


def test_archives_are_models_of_another_executor(models: Models) -> None:
    data = write_zip(batches(1, 2), b"blob")
    assert read_zip(data).blob == b"blob"
    number = models.load(data)
    assert number >= 1 << 31
    models.sim.models["b.om"] = data
    assert C.aclmdlLoadFromFileWithQ("b.om", [1], 1, [2], 1) == (None, 200001)
    assert C.aclmdlBundleLoadFromFile("b.om") == (None, 200001)


def test_long_names_are_replaced_and_found_again(models: Models) -> None:
    name = "n" * 200
    number = models.load(neg(inputs=(TensorDescription(name, 0, (4,)),), body=Body("none")))
    desc = C.aclmdlCreateDesc()
    models.must(C.aclmdlGetDesc(desc, number))
    alias = models.must(C.aclmdlGetInputDims(desc, 0)).name
    assert alias == f"acl_modelId_{number}_input_0"
    assert C.aclmdlGetTensorRealName(desc, alias) == name
    assert C.aclmdlGetTensorRealName(desc, "y") == "y"
    assert C.aclmdlGetTensorRealName(desc, "z") is None
    assert models.must(C.aclmdlGetInputIndexByName(desc, name)) == 0


def test_two_datasets_share_the_gear_of_the_model(models: Models) -> None:
    number = models.load(batches(1, 2, 8))
    x, y, v, w = models.memory([1] * 32), models.memory([0] * 32), models.memory([0]), models.memory([0])
    small, large = models.dataset((x, 128), (v, 4)), models.dataset((x, 128), (w, 4))
    models.must(C.aclmdlSetDynamicBatchSize(number, small, 1, 1))
    models.must(C.aclmdlSetDynamicBatchSize(number, large, 1, 8))
    desc = C.aclmdlCreateDesc()
    models.must(C.aclmdlGetDesc(desc, number))
    models.must(C.aclmdlExecute(number, small, models.dataset((y, 128))))
    assert models.floats(y, 5) == [-1] * 4 + [0]  # the dataset's own gear ran
    assert models.must(C.aclmdlGetCurOutputDims(desc, 0)).dims == [8, 4]  # the model's is the other


def test_a_bundle_that_fails_half_way_leaves_nothing(models: Models) -> None:
    models.sim.models["b.om"] = write([neg(), neg(weight_size=1 << 47)])
    free = models.sim.memory.memory_of(0)[0]
    assert C.aclmdlBundleLoadFromFile("b.om") == (None, 245000)
    assert models.sim.models.loaded == {}
    assert models.sim.memory.memory_of(0)[0] == free
    models.sim.models["good.om"] = write([neg(), neg((-1,), ((1, 4),))])
    bundle = models.must(C.aclmdlBundleLoadFromFile("good.om"))
    ids = [models.must(C.aclmdlBundleGetModelId(bundle, i)) for i in range(2)]
    assert ids[0] < 1 << 31 <= ids[1]
    assert C.aclmdlUnload(ids[0]) == 100000
    models.must(C.aclmdlBundleUnload(bundle))
    assert C.aclmdlBundleUnload(bundle) == 148053
    assert models.sim.models.loaded == {}


def test_files_without_an_end_are_never_read(
    models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe, endless, large = (str(tmp_path / name) for name in ("pipe.om", "endless.om", "large.om"))
    os.mkfifo(pipe)
    os.symlink("/dev/zero", endless)
    with open(large, "wb") as file:
        file.truncate(1 << 36)
    for path, code in ((pipe, 145002), (endless, 145002), (str(tmp_path), 145002), (large, 145006)):
        assert C.aclmdlLoadFromFile(path) == (None, code)
        assert C.aclmdlQuerySize(path)[-1] == code
        for command in (["describe", path], ["from-onnx", path, "-o", str(tmp_path / "made.om")]):
            assert main(["om", *command]) == 1
    assert C.aclopSetModelDir(str(tmp_path)) == 0  # it skips them all
    assert "is too large" in capsys.readouterr().err
    assert not (tmp_path / "made.om").exists()


def test_each_tensor_has_the_size_of_its_own_largest_gear(models: Models) -> None:
    """GE sizes the inputs and the outputs of the gears one by one: none of the gears has all the largest."""
    nodes = ({"op": "Neg", "inputs": ["a"], "outputs": ["p"], "attributes": {}},
             {"op": "Neg", "inputs": ["b"], "outputs": ["q"], "attributes": {}})  # fmt: skip
    described = ModelDescription(
        "two", (TensorDescription("a", 0, (-1, 2)), TensorDescription("b", 1, (-1,))),
        (TensorDescription("p", 0, (-1, 2)), TensorDescription("q", 1, (-1,))), Body("graph", nodes=nodes),
        Gears("dims", ((1, 64), (8, 16), (4, 128)), (((1, 2), (64,)), ((8, 2), (16,)), ((4, 2), (128,)))),
    )  # fmt: skip
    number = models.load(described)
    desc = C.aclmdlCreateDesc()
    models.must(C.aclmdlGetDesc(desc, number))
    assert [C.aclmdlGetInputSizeByIndex(desc, i) for i in range(3)] == [8 * 2 * 4, 128 * 2, 2 * 4]
    assert [C.aclmdlGetOutputSizeByIndex(desc, i) for i in range(2)] == [8 * 2 * 4, 128 * 2]
    assert [models.must(C.aclmdlGetOutputDims(desc, i)).dims for i in range(2)] == [[8, 2], [128]]
