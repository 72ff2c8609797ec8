"""Models whose loops do not end are stopped by a limit of real time, which decides nothing in a run that ends."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.cli import main
from ascend_sim.models.time_limit import Alarm, limit_from_environment
from ascend_sim.om import ModelDescription, write
from ascend_sim.om.from_onnx import from_onnx, has_loops
from ascend_sim.om.zipped import write_zip
from tests.unit.models.conftest import Models, neg

onnx = pytest.importorskip("onnx")


@pytest.fixture(params=["onnxruntime", "onnx"])
def runtime(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With onnxruntime, and without it: onnx's reference evaluator."""
    name = str(request.param)
    pytest.importorskip(name)
    if name == "onnx":
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
    return name


def looping(turns: int | None) -> tuple[ModelDescription, bytes]:
    """y = -x, *turns* times over; without a number for ever."""
    h = onnx.helper
    boolean, number, real = onnx.TensorProto.BOOL, onnx.TensorProto.INT64, onnx.TensorProto.FLOAT
    info = h.make_tensor_value_info
    body = h.make_graph(
        [h.make_node("Identity", ["c"], ["c2"]), h.make_node("Neg", ["s"], ["s2"])], "body",
        [info("i", number, []), info("c", boolean, []), info("s", real, [4])],
        [info("c2", boolean, []), info("s2", real, [4])],
    )  # fmt: skip
    graph = h.make_graph(
        [h.make_node("Loop", ["turns" if turns is not None else "", "go", "x"], ["y"], body=body)], "loop",
        [info("x", real, [4])], [info("y", real, [4])],
        [h.make_tensor("go", boolean, [], [True]), h.make_tensor("turns", number, [], [turns or 0])],
    )  # fmt: skip
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], ir_version=8)
    return from_onnx(model.SerializeToString(), "loop")


def execute(models: Models, number: int, values: list[float]) -> tuple[int, int]:
    """The code, and where the output is."""
    y = models.memory([0] * 4)
    ins, outs = models.dataset((models.memory(values), 16)), models.dataset((y, 16))
    return C.aclmdlExecute(number, ins, outs), y


def test_a_loop_without_end_is_stopped_and_told(models: Models, runtime: str) -> None:
    models.sim.models.seconds = 0.05
    number = models.load(write(*looping(None)))
    for _ in range(2):
        assert execute(models, number, [1, 2, 3, 4])[0] == 507011
    title = next(found.title for found in models.sim.findings if found.kind == "task-fault")
    assert "model 'loop' ran for more than 0.05 s of real time (--model-seconds N allows more, 0 any time)" in title


@pytest.mark.parametrize("seconds", [0, 300, 1e300])
@pytest.mark.parametrize(("turns", "sign"), [(3, -1), (4, 1)])
def test_a_run_within_the_limit_is_the_same_run(
    models: Models, runtime: str, seconds: float, turns: int, sign: int
) -> None:
    models.sim.models.seconds = seconds
    number = models.load(write(*looping(turns)))
    code, y = execute(models, number, [1, 2, 3, 4])
    assert code == 0
    assert models.floats(y, 4) == [sign * n for n in (1, 2, 3, 4)]


def test_only_models_with_loops_need_a_thread(models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime")
    asked: list[float] = []
    monkeypatch.setattr(Alarm, "__enter__", lambda self: asked.append(self._seconds) or self._over.acquire())
    description, blob = looping(3)
    assert has_loops(onnx.load_model_from_string(blob))
    number = models.load(write(description, blob))
    monkeypatch.setattr(Alarm, "__exit__", lambda self, *_: None)
    execute(models, number, [1, 2, 3, 4])
    assert asked == [300]
    h = onnx.helper
    info = h.make_tensor_value_info
    graph = h.make_graph([h.make_node("Neg", ["x"], ["y"])], "g", [info("x", 1, [4])], [info("y", 1, [4])])
    plain = h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], ir_version=8)
    number = models.load(write(*from_onnx(plain.SerializeToString())))
    assert execute(models, number, [1, 2, 3, 4])[0] == 0
    assert asked == [300]


@pytest.mark.parametrize("text", ["-1", "inf", "nan", "x", "1e999"])
def test_what_is_no_limit_is_refused(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASCEND_SIM_MODEL_SECONDS", text)
    with pytest.raises(ValueError, match="ASCEND_SIM_MODEL_SECONDS is"):
        limit_from_environment()
    with pytest.raises(SystemExit):
        main(["run", "--model-seconds", text, "x.py"])
    assert "a number of seconds is required" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "seconds"), [("", 300.0), ("0", 0.0), ("2.5", 2.5)])
def test_the_variable_sets_it(text: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_SIM_MODEL_SECONDS", text)
    with Simulator() as sim:
        assert sim.models.seconds == seconds


def test_an_archive_with_open_dims_is_loaded_and_never_run(models: Models) -> None:
    """Reading an input of -8 bytes raised ValueError inside of the call."""
    data = write_zip(neg((-1, 2), ((1, 4), (2, 2))))
    number, code = C.aclmdlLoadFromMem(data, len(data))
    assert code == 0
    ins: Any = models.dataset((models.memory([1, 2]), 16))
    assert C.aclmdlExecute(number, ins, models.dataset((models.memory([0]), 16))) == 500002
    assert "has open dims and no gears" in C.aclGetRecentErrMsg()
