"""Independent faults and handed memory in torch: each an error of its own, at the access that did not wait."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.advice import TORCH, check
from tests.kit.torch_guest import needs_torch

PROGRAM = Path(__file__).parent / "programs" / "advice.py"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ascend_sim", "run", *words], capture_output=True, text=True, check=False, timeout=600,
        env={**os.environ, "TASK_QUEUE_ENABLE": "0"},
    )  # fmt: skip


@needs_torch
@pytest.mark.slow
def test_each_fault_is_an_error_of_its_own(tmp_path: Path) -> None:
    report = tmp_path / "findings.json"
    done = run("--json", str(report), str(PROGRAM), "wrong")
    assert report.exists(), done.stderr
    check(PROGRAM, report, TORCH)
    assert "aclrt" not in done.stderr, done.stderr


@needs_torch
@pytest.mark.slow
def test_the_corrected_programs_are_silent() -> None:
    done = run(str(PROGRAM), "right")
    assert (done.returncode, "error[" in done.stderr, "aclrt" in done.stderr) == (0, False, False), done.stderr
