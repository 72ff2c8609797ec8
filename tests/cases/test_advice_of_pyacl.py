"""Independent faults and handed memory in pyACL: each an error of its own, at the access that did not wait."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.kit import forks
from tests.kit.advice import ACL, check, faults

PROGRAM = Path(__file__).parent / "programs" / "advice.py"


def tool(*words: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("ASCEND_SIM_")}
    return forks.run("ascend_sim", words, env=env)


@pytest.mark.parametrize("schedule", ["virtual-time", "late", "early", "random(1)"])
def test_each_fault_is_an_error_of_its_own(schedule: str, tmp_path: Path) -> None:
    report, log = tmp_path / "findings.json", tmp_path / "findings.sarif"
    done = tool("run", "--schedule", schedule, "--json", str(report), "--sarif", str(log), str(PROGRAM), "wrong")
    check(PROGRAM, report, ACL)
    marks = len(faults(PROGRAM))
    assert done.stderr.count("\nerror[") == marks
    assert f"ascend-sim: {marks} errors; first cause F1 race" in done.stderr
    results = json.loads(log.read_text(encoding="utf-8"))["runs"][0]["results"]
    assert sum(result["level"] == "error" for result in results) == marks


def test_the_corrected_programs_are_silent(tmp_path: Path) -> None:
    done = tool("run", str(PROGRAM), "right")
    assert (done.returncode, done.stderr.count("[")) == (0, 0), done.stderr
