"""``ascend-sim om bundle``: what it writes is what aclmdlBundle* loads."""

import pytest

import ascend_sim.ascendcl as C
from ascend_sim import Simulator
from ascend_sim.cli.om import main
from ascend_sim.om import Body, ModelDescription, TensorDescription, save


def stand_in(path, name, length):
    node = {"op": "Neg", "inputs": ["x"], "outputs": ["y"], "attributes": {}}
    tensors = {side: (TensorDescription(n, 0, (length,), 2, ()),) for side, n in (("inputs", "x"), ("outputs", "y"))}
    save(path, ModelDescription(name=name, body=Body("graph", nodes=(node,)), **tensors), b"blob of " + name.encode())
    return str(path)


@pytest.fixture
def pair(tmp_path):
    return [stand_in(tmp_path / f"{name}.om", name, length) for name, length in (("prefill", 8), ("decode", 4))]


def test_the_models_keep_their_order_their_blobs_and_their_sizes(tmp_path, pair, capsys):
    out = str(tmp_path / "llm.om")
    assert main(["bundle", *pair, "-o", out, "--variable-weights", "4096"]) == 0
    assert "bundle of 2 models: 'prefill', 'decode'" in capsys.readouterr().out
    assert main(["describe", out]) == 0
    text = capsys.readouterr().out
    assert text.startswith("bundle of 2 models\n") and "blob 15 bytes" in text and "blob 14 bytes" in text
    with Simulator():
        assert C.aclInit(None) == 0 and C.aclrtSetDevice(0) == 0
        bundle, ret = C.aclmdlBundleLoadFromFile(out)
        assert ret == 0
        assert C.aclmdlBundleGetModelNum(bundle) == (2, 0)
        sizes = []
        for index in range(2):
            model, ret = C.aclmdlBundleGetModelId(bundle, index)
            assert ret == 0
            desc = C.aclmdlCreateDesc()
            assert C.aclmdlGetDesc(desc, model) == 0
            sizes.append(C.aclmdlGetInputSizeByIndex(desc, 0))
        assert sizes == [32, 16]
        asked = C.aclmdlBundleCreateQueryInfo()
        asked = asked[0] if isinstance(asked, tuple) else asked
        assert C.aclmdlBundleQueryInfoFromFile(out, asked) == 0
        assert C.aclmdlBundleGetVarWeightSize(asked) == (4096, 0)


@pytest.mark.parametrize("what", ["missing", "broken", "bundle"])
def test_what_is_no_stand_in_is_named_and_nothing_is_written(tmp_path, pair, what, capsys):
    bad = tmp_path / "bad.om"
    if what == "broken":
        bad.write_bytes(b"no model")
    if what == "bundle":
        assert main(["bundle", *pair, "-o", str(bad)]) == 0
    out = tmp_path / "out.om"
    assert main(["bundle", pair[0], str(bad), "-o", str(out)]) == 1
    assert str(bad) in capsys.readouterr().err
    assert not out.exists()
