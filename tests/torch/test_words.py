"""Faults of torch programs are found at the user's line, in torch's words; the corrected programs are silent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ascend_sim.findings.finding import Finding, Site
from ascend_sim.torch.words import TorchWords, operators
from tests.kit.torch_guest import needs_torch

PROGRAM = Path(__file__).parent / "programs" / "gallery.py"
TEXT = PROGRAM.read_text(encoding="utf-8")
WORDS = {
    "missing_wait": (
        "`aten::add` on `s2` reads `x` while `aten::fill_` on `s1` may still be writing it",
        "s2.wait_event(ready)",
    ),
    "missing_record_stream": (
        "`aten::zero_` on the default stream writes `w` while `aten::mul` on `side` may still be reading `y`, whose memory "
        "it got",
        "y.record_stream(side)",
    ),
    "pinned_buffer_rewritten": (
        "the program writes `h` while a copy on the default stream may still be reading it",
        "second buffer",
    ),
    "host_read_before_synchronize": (
        "the program reads `h` while a copy on the default stream may still be writing it",
        "torch.npu.default_stream().synchronize()",
    ),
    "event_reused": (
        "`aten::add` on the default stream reads `a` while `aten::add_` on `s1` may still be writing it",
        "done = s1.record_event()",
    ),
    "graph_outlives_its_input": ("which was freed before the graph was executed", "capture again"),
    "side_stream_over_a_parameter": (
        "`aten::mul_` on `side` writes `layer.weight` while `aten::addmm` on the default stream may still be reading it",
        "side.wait_event(ready)",
    ),
}


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ASCEND_SIM_")}
    return subprocess.run(
        [sys.executable, "-m", "ascend_sim", "run", *words], capture_output=True, text=True, check=False, timeout=600,
        env={**kept, **variables},
    )  # fmt: skip


def fault_line(case: str) -> int:
    return TEXT.count("\n", 0, TEXT.index("# FAULT:", TEXT.index(f"def {case}("))) + 1


@needs_torch
@pytest.mark.parametrize("case", WORDS)
def test_a_fault_is_told_in_the_words_of_torch(case: str, tmp_path: Path) -> None:
    report = tmp_path / "findings.json"
    done = run("--json", str(report), str(PROGRAM), case)
    assert report.exists(), done.stderr
    first: dict[str, Any] = json.loads(report.read_text())["findings"][0]
    title, fix = WORDS[case]
    frame = next(site for site in first["sites"] if site["primary"])["frames"][0]
    assert title in first["title"], done.stderr
    assert fix in first["fix"], done.stderr
    assert (Path(frame["file"]).name, frame["line"]) == ("gallery.py", fault_line(case)), done.stderr
    assert "aclrt" not in first["title"] + first["fix"] + first["order"]


@needs_torch
def test_the_corrected_programs_are_silent() -> None:
    done = run(str(PROGRAM))
    assert done.stdout.split() == list(WORDS), done.stderr
    assert done.returncode == 0
    assert not any(line.startswith(("error", "warning", "note")) for line in done.stderr.splitlines()), done.stderr


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("mode", ["1", "2"])
def test_with_the_queue_of_torch_between_the_lines_are_the_same(mode: str, tmp_path: Path) -> None:
    done = run(str(PROGRAM), TASK_QUEUE_ENABLE=mode)
    assert done.returncode == 0, done.stderr
    assert not any(line.startswith(("error", "warning", "note")) for line in done.stderr.splitlines()), done.stderr
    for case in ("missing_wait", "host_read_before_synchronize"):
        report = tmp_path / "findings.json"
        run("--json", str(report), str(PROGRAM), case, TASK_QUEUE_ENABLE=mode)
        first = json.loads(report.read_text())["findings"][0]
        assert WORDS[case][0] in first["title"]
        frame = next(site for site in first["sites"] if site["primary"])["frames"][0]
        if mode == "1" or case != "missing_wait":  # in 2 both phases of an operator run behind the queue
            assert frame["line"] == fault_line(case)


def test_code_of_the_api_becomes_code_of_torch() -> None:
    fix = "\n".join((
        "record on `a` after line 1, wait on `b`:", "aclrtRecordEvent(ready, a)",
        "aclrtStreamWaitEvent(torch.npu.default_stream(), ready)", "aclrtSynchronizeStream(torch.npu.default_stream())",
        "aclrtSynchronizeEvent(ready)", "aclrtSynchronizeDevice()", "aclrtRecordEvent(done[0], a)",
        "aclrtStreamWaitEvent(b, done[0])",
    ))  # fmt: skip
    told = TorchWords().finding(
        Finding("F1", "race", "error", "an operator aclnnMuls", [Site("access", "here")], fix=fix)
    )
    assert told.title == "`aten::mul`"
    assert told.fix.split("\n")[1:] == [
        "ready = a.record_event()", "torch.npu.default_stream().wait_event(ready)",
        "torch.npu.default_stream().synchronize()", "ready.synchronize()", "torch.npu.synchronize()",
        "done[0] = a.record_event()", "b.wait_event(done[0])",
    ]  # fmt: skip


def test_operators_have_the_names_of_torch() -> None:
    named = {
        "aclnnAdd": "add",
        "aclnnInplaceAdds": "add_",
        "aclnnMm": "mm",
        "aclnnLayerNorm": "native_layer_norm",
        "aclnnCat": "cat",
    }
    assert {name: operators()[name] for name in named} == named
    assert len(operators()) > 800
