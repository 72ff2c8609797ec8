"""A program that loads a compiled model finds what the command names, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ascend_sim.om import Body, ModelDescription, TensorDescription, save

PROGRAM = Path(__file__).parent / "whole" / "model_runner.py"


def stand_in(path: Path, body: Body) -> Path:
    """A stand-in of 4 floats to 4 floats."""
    save(path, ModelDescription("m", (TensorDescription("x", 0, (4,)),), (TensorDescription("y", 0, (4,)),), body))
    return path


def test_a_graph_stands_for_the_model(tmp_path: Path, ascend_sim: Any) -> None:
    nodes = ({"op": "Neg", "inputs": ["x"], "outputs": ["y"], "attributes": {}},)
    path = stand_in(tmp_path / "stand_in.om", Body("graph", nodes=nodes))
    run = ascend_sim("run", "--models", f"resnet50.om={path}", PROGRAM)
    assert run.stdout == "[-1.0, -2.0, -3.0, -4.0]\n", run.stderr
    assert run.returncode == 0
    assert len(run.stderr.splitlines()) == 1, run.stderr


def test_a_model_is_profiled_and_dumped(
    tmp_path: Path, ascend_sim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its operators come through a pipe, its ranges to the results, its tensors to files; a part of the trace alike."""
    monkeypatch.chdir(tmp_path)
    nodes = ({"op": "Neg", "inputs": ["x"], "outputs": ["y"], "attributes": {}},)
    stand_in(tmp_path / "model.om", Body("graph", nodes=nodes))
    (tmp_path / "results").mkdir()
    run = ascend_sim("run", "--timeline", tmp_path / "page.html", PROGRAM.parent / "profiled.py")
    assert run.returncode == 0, run.stderr
    tensors = [("input", "[1.0, 2.0, 3.0, 4.0]"), ("output", "[-1.0, -2.0, -3.0, -4.0]")]
    assert run.stdout.splitlines() == [
        "operators: ['Neg']", "trace: ['load', 'outer', 'prepare', 'running']",
        *[f"{number} {side}.0.npy {values}" for number in (0, 1) for side, values in tensors],
    ]  # fmt: skip
    page = (tmp_path / "page.html").read_text()
    assert all(name in page for name in ("outer", "prepare", "running"))


def test_without_it_the_load_fails(ascend_sim: Any) -> None:
    run = ascend_sim("run", PROGRAM)
    assert (run.returncode, run.stdout) == (3, "load: 145002\n")


@pytest.mark.parametrize("allowed", [True, False])
def test_python_code_runs_only_when_it_is_allowed(tmp_path: Path, ascend_sim: Any, allowed: bool) -> None:
    (tmp_path / "bodies_of_mine.py").write_text("print('imported')\n\n\ndef twice(x):\n    return x + x\n")
    path = stand_in(tmp_path / "stand_in.om", Body("python", "bodies_of_mine:twice"))
    allow = ["--allow-model-module", "bodies_of_mine"] if allowed else []
    run = ascend_sim("run", "--models", f"resnet50.om={path}", *allow, PROGRAM, PYTHONPATH=str(tmp_path))
    if allowed:
        assert (run.returncode, run.stdout) == (0, "imported\n[2.0, 4.0, 6.0, 8.0]\n"), run.stderr
    else:
        assert (run.returncode, run.stdout) == (3, "load: 500002\n")
        assert "--allow-model-module bodies_of_mine" in run.stderr


def test_an_onnx_file_stands_for_the_model(tmp_path: Path, ascend_sim: Any) -> None:
    onnx = pytest.importorskip("onnx")
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [helper.make_node("Abs", ["x"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", kind, [4])],
        [helper.make_tensor_value_info("y", kind, [4])],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), tmp_path / "m.onnx")
    run = ascend_sim("run", "--models", f"*50.om={tmp_path / 'm.onnx'}", PROGRAM)
    assert (run.returncode, run.stdout) == (0, "[1.0, 2.0, 3.0, 4.0]\n"), run.stderr
