"""What may run, and what runs: Python functions, graphs, ONNX files."""

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim import model_body
from ascend_sim.cli import main
from ascend_sim.om import Body, Constant, Gears, ModelDescription, TensorDescription, save, write
from tests.unit.models.conftest import Models, neg


def run(models: Models, number: int, x: Any, outputs: int) -> list[float]:
    address, made = models.memory(x), models.memory([0] * outputs)
    size = np.asarray(x, np.float32).nbytes
    ins = models.dataset((address, size))
    models.must(C.aclmdlExecute(number, ins, models.dataset((made, 4 * outputs))))
    return models.floats(made, outputs)


def test_python_code_runs_only_from_allowed_modules(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_model_code.py").write_text("def double(x):\n    return x + x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    described = neg(body=Body("python", "my_model_code:double"))
    models.sim.models["m.om"] = described
    assert C.aclmdlLoadFromFile("m.om") == (None, 500002)
    assert "sim.models.allow('my_model_code')" in C.aclGetRecentErrMsg()
    assert "my_model_code" not in sys.modules
    assert models.kinds() == ["not-modelled"]
    models.sim.models.allow("my_model_*")
    assert run(models, models.load(described), [1, 2, 3, 4], 4) == [2, 4, 6, 8]
    monkeypatch.delitem(sys.modules, "my_model_code")


@pytest.mark.parametrize("target", ["no_such_module_here:f", "math:no_such", "math", "math:pi"])
def test_a_python_body_that_is_not_there(models: Models, target: str) -> None:
    models.sim.models.allow("*")
    models.sim.models["m.om"] = neg(body=Body("python", target))
    number, code = C.aclmdlLoadFromFile("m.om")
    assert (number, code) == (None, 500002)


@pytest.mark.parametrize(
    "line", ["from os.path import exists as f", "f = exec", "from subprocess import Popen as f", "class f: pass",
             "import functools, os; f = functools.partial(os.system, 'exit')", "f = len.__call__",
             "def __getattr__(name):\n    def f(x): return x\n    return f if name == 'f' or 1 / 0 else 0"],
)  # fmt: skip
def test_what_a_module_imported_is_no_body(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    (tmp_path / "my_imports.py").write_text(f"{line}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_imports", raising=False)
    models.sim.models.allow("my_imports")
    models.sim.models["m.om"] = neg(body=Body("python", "my_imports:f"))
    assert C.aclmdlLoadFromFile("m.om") == (None, 500002)
    assert "is no function that module 'my_imports' defines" in C.aclGetRecentErrMsg()


@pytest.mark.parametrize(
    "source",
    ["def f(x): return -x", "f = lambda x: -x", "class F:\n    def __call__(self, x): return -x\nf = F()",
     "import functools, operator\nfrom ascend_sim import model_body\nf = model_body(functools.partial(operator.mul, -1))",
     "import functools\n@functools.lru_cache\ndef g(): return 1\ndef f(x): return -x * g()"],
)  # fmt: skip
def test_what_it_defines_or_marks_is_one(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    (tmp_path / "my_bodies.py").write_text(f"{source}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_bodies", raising=False)
    models.sim.models.allow("my_bodies")
    number = models.load(neg(body=Body("python", "my_bodies:f")))
    assert run(models, number, [1, 2, 3, 4], 4) == [-1, -2, -3, -4]


def test_a_builtin_cannot_be_marked() -> None:
    with pytest.raises(TypeError, match="define a function that calls it"):
        model_body(len)


@pytest.mark.parametrize(
    "source", ["import sys; sys.exit(0)", "raise RecursionError", "1/0", "def f(x): raise SystemExit",
               "def f(x): raise TypeError", "def f(x): return f(x)", "def f(x): return [[1], [1, 2]]",
               "def f(x): return {}", "def f(x): return object()", "def f(x): return 'no'"],
)  # fmt: skip
def test_whatever_a_body_does_is_a_code(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    (tmp_path / "my_odd_bodies.py").write_text(f"{source}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_odd_bodies", raising=False)
    models.sim.models.allow("my_odd_bodies")
    models.sim.models["m.om"] = neg(body=Body("python", "my_odd_bodies:f"))
    number, code = C.aclmdlLoadFromFile("m.om")
    assert code in (0, 500002)
    if not code:
        x, y = models.memory([1] * 4), models.memory([0] * 4)
        assert C.aclmdlExecute(number, models.dataset((x, 16)), models.dataset((y, 16))) > 0


@pytest.mark.parametrize("pattern", ["*", "_*", "_pickl?", "[_]pickle", ""])
@pytest.mark.parametrize("target", ["_pickle:loads", "builtins:exec", "posix:system", "marshal:loads", "os.path:join"])
def test_a_wildcard_allows_nothing_of_the_standard_library(models: Models, pattern: str, target: str) -> None:
    """What such a module defines itself may run what an input holds."""
    models.sim.models.allow(pattern)
    models.sim.models["m.om"] = neg(body=Body("python", target))
    assert C.aclmdlLoadFromFile("m.om") == (None, 500002)
    assert "which is not allowed" in C.aclGetRecentErrMsg()


def test_a_body_gets_its_inputs_to_read(models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_writing_body.py").write_text(
        "def f(x):\n    try:\n        x[:] = 7\n    except ValueError:\n        return -x\n    return x\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    models.sim.models.allow("my_writing_body")
    number = models.load(neg(body=Body("python", "my_writing_body:f")))
    x, y = models.memory([1, 2, 3, 4]), models.memory([0] * 4)
    models.must(C.aclmdlExecute(number, models.dataset((x, 16)), models.dataset((y, 16))))
    assert (models.floats(x, 4), models.floats(y, 4)) == ([1, 2, 3, 4], [-1, -2, -3, -4])
    monkeypatch.delitem(sys.modules, "my_writing_body")


@pytest.mark.parametrize("target", [".relative:f", ":f", "a..b:f", "\0:f", "x" * 4000 + ":f", "os:", "os:path:join"])
def test_odd_targets(models: Models, target: str) -> None:
    models.sim.models.allow("*")
    models.sim.models["m.om"] = neg(body=Body("python", target))
    assert C.aclmdlLoadFromFile("m.om") == (None, 500002)


def test_a_graph_has_constants_in_the_blob(models: Models) -> None:
    weights = np.arange(12, dtype=np.float32).reshape(3, 4)
    described = ModelDescription(
        "dense",
        (TensorDescription("x", 0, (2, 3)),),
        (TensorDescription("y", 0, (2, 4)),),
        Body(
            "graph",
            nodes=(
                {"op": "MatMul", "inputs": ["x", "w"], "outputs": ["t"], "attributes": {}},
                {"op": "Relu", "inputs": ["t"], "outputs": ["y"], "attributes": {}},
            ),
        ),
        constants=(Constant("w", 0, (3, 4), 4),),
    )
    number = models.load(write(described, b"gap." + weights.tobytes()))
    x = np.array([[1, 0, -1], [0, 1, 0]], np.float32)
    assert run(models, number, x, 8) == list(np.maximum(x @ weights, 0).ravel())


def test_a_graph_with_unknown_parts_is_refused(models: Models) -> None:
    for body in (
        Body("graph", nodes=({"op": "NoSuchOp", "inputs": ["x"], "outputs": ["y"], "attributes": {}},)),
        Body("graph", nodes=({"op": "Neg", "inputs": ["z"], "outputs": ["y"], "attributes": {}},)),
        Body("graph", nodes=({"op": "Neg", "inputs": ["x"], "outputs": ["z"], "attributes": {}},)),
    ):
        models.sim.models["m.om"] = neg(body=body)
        assert C.aclmdlLoadFromFile("m.om") == (None, 500002)


def test_a_model_without_a_body_is_described_only(models: Models) -> None:
    number = models.load(neg(body=Body("none")))
    x = models.dataset((models.memory([1] * 4), 16))
    assert C.aclmdlExecute(number, x, x) == 500002
    assert models.kinds() == ["not-modelled"]


# -- ONNX --------------------------------------------------------------------------------------------------------------


def onnx_file(path: Path, batch: Any) -> tuple[str, Any]:
    """y = relu(x @ w), and w."""
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    w = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["t"]), helper.make_node("Relu", ["t"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [batch, 3])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [batch, 4])],
        [onnx.numpy_helper.from_array(w, "w")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return str(path), w


X = np.array([[1, 2, 3], [-1, 0, 1]], np.float32)


@pytest.fixture(params=["onnxruntime", "onnx"])
def runtime(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With onnxruntime, and without it: onnx's reference evaluator."""
    name = str(request.param)
    pytest.importorskip(name)
    if name == "onnx":
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
    return name


def test_an_onnx_file_through_the_command(
    models: Models, tmp_path: Path, runtime: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source, w = onnx_file(tmp_path / "in.onnx", 2)
    assert main(["om", "from-onnx", source, "-o", str(tmp_path / "out.om"), "--cost-us", "20"]) == 0
    assert main(["om", "describe", str(tmp_path / "out.om")]) == 0
    assert "input x: float [2, 3] ND, 24 bytes" in capsys.readouterr().out
    number = models.load(tmp_path / "out.om")
    assert run(models, number, X, 8) == pytest.approx(list(np.maximum(X @ w, 0).ravel()), rel=1e-6)


def test_an_onnx_file_stands_for_a_model(models: Models, tmp_path: Path, runtime: str) -> None:
    source, w = onnx_file(tmp_path / "in.onnx", 2)
    number = models.load(source)
    assert run(models, number, X, 8) == pytest.approx(list(np.maximum(X @ w, 0).ravel()), rel=1e-6)


def test_onnx_with_gears_of_the_batch(models: Models, tmp_path: Path, runtime: str) -> None:
    source, w = onnx_file(tmp_path / "in.onnx", "N")
    assert main(["om", "from-onnx", source, "-o", str(tmp_path / "o.om"), "--dynamic-batch", "1,2,4"]) == 0
    number = models.load(tmp_path / "o.om")
    x, y, value = models.memory(X, 48), models.memory([9] * 16), models.memory([0])
    ins, outs = models.dataset((x, 48), (value, 4)), models.dataset((y, 64))
    models.must(C.aclmdlSetDynamicBatchSize(number, ins, 1, 2))
    models.must(C.aclmdlExecute(number, ins, outs))
    expected = np.maximum(X @ w, 0).ravel()
    assert models.floats(y, 9) == pytest.approx([*expected, 9], rel=1e-6)


def test_onnx_with_an_open_batch(models: Models, tmp_path: Path, runtime: str) -> None:
    source, _ = onnx_file(tmp_path / "in.onnx", "N")
    assert main(["om", "from-onnx", source, "-o", str(tmp_path / "o.om"), "--range", "x:1~8,3"]) == 0
    number = models.load(tmp_path / "o.om")
    ins, outs = models.dataset((models.memory(X), 24)), models.dataset((0, 0))
    models.shape(ins, 2, 3)
    models.must(C.aclmdlExecute(number, ins, outs))
    desc = C.aclmdlGetDatasetTensorDesc(outs, 0)
    assert [C.aclGetTensorDescDim(desc, i) for i in range(2)] == [2, 4]
    models.shape(ins, 9, 3)
    assert C.aclmdlExecute(number, ins, outs) == 100000


def test_without_any_onnx_package_a_model_is_refused_clearly(models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("onnxruntime", "onnx", "onnx.reference"):
        monkeypatch.setitem(sys.modules, name, None)
    models.sim.models["m.om"] = neg(body=Body("onnx"))
    assert C.aclmdlLoadFromFile("m.om") == (None, 500002)
    assert "ascend-sim[ort]" in C.aclGetRecentErrMsg()


def outside(model: Any, where: str) -> Any:
    """*model* with a tensor whose values are in the file ``secret``, in one of the places where tensors can be."""
    import onnx

    tensor = onnx.numpy_helper.from_array(np.zeros(4, np.float32), "w2")
    tensor.ClearField("raw_data")
    onnx.external_data_helper.set_external_data(_with_raw(tensor), "secret")
    inner = onnx.helper.make_graph([], "inner", [], [], [tensor])
    if where == "initializer":
        model.graph.initializer.append(tensor)
    elif where == "attribute":
        model.graph.node[0].attribute.append(onnx.helper.make_attribute("value", tensor))
    elif where == "graph":
        model.graph.node[0].attribute.append(onnx.helper.make_attribute("body", inner))
    elif where == "graphs":
        model.graph.node[0].attribute.add(name="bodies", type=10).graphs.append(inner)
    elif where == "tensors":
        model.graph.node[0].attribute.add(name="values", type=9).tensors.append(tensor)
    elif where in ("sparse", "sparse attribute"):
        indices = onnx.numpy_helper.from_array(np.arange(4, dtype=np.int64), "i")
        sparse = onnx.helper.make_sparse_tensor(tensor, indices, [4])
        if where == "sparse":
            model.graph.sparse_initializer.append(sparse)
        else:
            model.graph.node[0].attribute.add(name="value", type=11).sparse_tensor.CopyFrom(sparse)
    elif where == "training":
        model.training_info.add().initialization.CopyFrom(inner)
    elif where == "no location":  # the fields alone, without the mark that they count
        tensor.data_location = 0
        model.graph.initializer.append(tensor)
    else:
        model.functions.add(name="f").node.add(op_type="If").attribute.append(onnx.helper.make_attribute("b", inner))
    return model


def _with_raw(tensor: Any) -> Any:
    tensor.raw_data = bytes(16)  # set_external_data asks for it
    return tensor


PLACES = [
    "initializer", "attribute", "graph", "function", "graphs", "tensors", "sparse", "sparse attribute", "training",
    "no location",
]  # fmt: skip


@pytest.mark.parametrize("where", PLACES)
def test_weights_in_other_files_are_never_read(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runtime: str, where: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    import onnx

    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret").write_bytes(bytes(16))
    source, _ = onnx_file(tmp_path / "in.onnx", 2)
    model = outside(onnx.load(source), where)
    (tmp_path / "out.onnx").write_bytes(model.SerializeToString())
    assert main(["om", "from-onnx", "out.onnx", "-o", "out.om"]) == 1
    assert "in another file" in capsys.readouterr().err
    described = neg((2, 3), body=Body("onnx"))
    models.sim.models["m.om"] = write(described, model.SerializeToString())
    assert C.aclmdlLoadFromFile("m.om") == (None, 500002)
    assert "in another file" in C.aclGetRecentErrMsg()


def test_bytes_of_two_formats_are_read_as_the_one_that_was_looked_at(models: Models) -> None:
    """A name in the first field is the mark of onnxruntime's own format, which nobody has looked through."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    make = onnx.helper
    shapes = [make.make_tensor_value_info(name, 1, [4]) for name in "xy"]
    graph = make.make_graph([make.make_node("Neg", ["x"], ["y"])], "g", shapes[:1], shapes[1:])
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=8)
    blob = b"\x12\x06\x10\x00ORTM" + model.SerializeToString()
    number = models.load(write(neg(body=Body("onnx")), blob))
    assert run(models, number, [1, 2, 3, 4], 4) == [-1, -2, -3, -4]


@pytest.mark.parametrize("blob", [b"", b"garbage" * 9, b"\x08\x08"])
def test_a_blob_that_is_no_onnx(models: Models, blob: bytes, runtime: str) -> None:
    models.sim.models["m.om"] = write(neg(body=Body("onnx")), blob)
    number, code = C.aclmdlLoadFromFile("m.om")
    assert (number, code) == (None, 500002)


def test_gears_may_name_the_shapes_of_outputs(open_models: Callable[..., Models]) -> None:
    models = open_models()
    models.sim.models.allow("tests.unit.models.test_bodies")
    described = neg(
        (-1, 4), gears=Gears("batch", ((1,), (2,)), (((2, 2),), ((4, 2),))),
        body=Body("python", "tests.unit.models.test_bodies:folded"),
    )  # fmt: skip
    number = models.load(described)
    x, y, value = models.memory([1] * 8), models.memory([0] * 8), models.memory([0])
    ins, outs = models.dataset((x, 32), (value, 4)), models.dataset((y, 32))
    models.must(C.aclmdlSetDynamicBatchSize(number, ins, 1, 1))
    desc = C.aclmdlCreateDesc()
    models.must(C.aclmdlGetDesc(desc, number))
    assert models.must(C.aclmdlGetCurOutputDims(desc, 0)).dims == [2, 2]
    models.must(C.aclmdlExecute(number, ins, outs))
    assert models.floats(y, 5) == [1, 1, 1, 1, 0]


MODELS = {
    "a second symbol": ("Relu a x|Neg b y", {"a": ["M", 4], "b": ["N", 2]}, {"x": ["M", 4], "y": ["N", 2]}),
    "swapped": ("Transpose a x", {"a": ["M", "N"]}, {"x": ["N", "M"]}),
    "a sum of symbols": ("Concat a,b x", {"a": ["M", 2], "b": ["N", 2]}, {"x": ["K", 2]}),
}


@pytest.mark.parametrize("gear", [(1, 8), (6, 2), (3, 3)])
@pytest.mark.parametrize("name", MODELS)
def test_outputs_have_the_dims_that_their_own_inputs_give_them(
    name: str, gear: tuple[int, int], models: Models, tmp_path: Path, runtime: str
) -> None:
    """The first number of a gear need not be the first open dim of an output, and none of them may be."""
    helper = pytest.importorskip("onnx").helper
    nodes, ins, outs = MODELS[name]
    made = [
        helper.make_node(op, sources.split(","), [to], **({"axis": 0} if op == "Concat" else {}))
        for op, sources, to in (node.split() for node in nodes.split("|"))
    ]
    ends = [[helper.make_tensor_value_info(n, 1, dims) for n, dims in side.items()] for side in (ins, outs)]
    graph = helper.make_graph(made, "g", *ends)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    source, out = tmp_path / "in.onnx", tmp_path / "out.om"
    source.write_bytes(model.SerializeToString())
    assert main(["om", "from-onnx", str(source), "-o", str(out), "--dynamic-dims", "1,8;6,2;3,3"]) == 0
    number = models.load(out)
    desc = C.aclmdlCreateDesc()
    models.must(C.aclmdlGetDesc(desc, number))

    def shapes(m: int, n: int) -> list[list[int]]:
        return [[{"M": m, "N": n, "K": m + n}.get(dim, dim) for dim in dims] for dims in outs.values()]

    buffers = [(models.memory([1] * 64), C.aclmdlGetInputSizeByIndex(desc, i)) for i in range(len(ins) + 1)]
    results = [(models.memory([0] * 64), C.aclmdlGetOutputSizeByIndex(desc, i)) for i in range(len(outs))]
    in_gears = zip(shapes(1, 8), shapes(6, 2), shapes(3, 3), strict=True)
    assert [size for _, size in results] == [4 * max(map(math.prod, of_one)) for of_one in in_gears]
    left = list(gear)
    dims = [left.pop(0) if isinstance(part, str) else part for side in ins.values() for part in side]
    datasets = models.dataset(*buffers), models.dataset(*results)
    models.must(
        C.aclmdlSetInputDynamicDims(number, datasets[0], len(ins), C.aclmdlIODims(dims=dims, dimCount=len(dims)))
    )
    models.must(C.aclmdlExecute(number, *datasets))
    assert [models.must(C.aclmdlGetCurOutputDims(desc, i)).dims for i in range(len(outs))] == shapes(*gear)


def test_a_gear_without_a_number_for_each_open_dim_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, _ = onnx_file(tmp_path / "in.onnx", "N")
    assert main(["om", "from-onnx", source, "-o", str(tmp_path / "o.om"), "--dynamic-dims", "1,2;3,4"]) == 1
    assert "a gear has 2 numbers, [1, 2]: the inputs have 1 open dimensions" in capsys.readouterr().err


def folded(x: Any) -> Any:
    """The model above."""
    return x.reshape(-1, 2)


def test_save_and_load_a_path(models: Models, tmp_path: Path) -> None:
    save(tmp_path / "m.om", neg())
    number = models.must(C.aclmdlLoadFromFile(str(tmp_path / "m.om")))
    assert run(models, number, [1, 2, 3, 4], 4) == [-1, -2, -3, -4]
