"""`ascend-sim run` and its checkers: options, suppression, SARIF, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import acl


def must(result):
    code = result[-1] if isinstance(result, tuple) else result
    assert code == 0, code
    return result[0] if isinstance(result, tuple) else None


def step():
    must(acl.rt.memset_async(out, 64, 1, 64, a))
    must(acl.rt.memset_async(out, 64, 2, 64, b))


must(acl.rt.set_device(0))
a, b = must(acl.rt.create_stream()), must(acl.rt.create_stream())
out = must(acl.rt.malloc(64, 0))
step()
for stream in (a, b):
    must(acl.rt.destroy_stream(stream))
must(acl.rt.free(out))
must(acl.rt.reset_device(0))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program with one race."""
    path = tmp_path / "racy.py"
    path.write_text(PROGRAM)
    return path


def run(program: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run it in its folder."""
    command = [sys.executable, "-m", "ascend_sim", "run", *options, program.name]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=program.parent, check=False)


def test_all_checks_run_by_default(program: Path) -> None:
    done = run(program)
    assert done.returncode == 1
    assert "error[race]: a memset on `b` writes `out` while a memset on `a` may still be writing it" in done.stderr
    assert "acl.rt.record_event(ready, a)" in done.stderr and "acl.rt.stream_wait_event(b, ready)" in done.stderr
    assert "ascend-sim explain race" in done.stderr


@pytest.mark.parametrize(
    ("options", "code"),
    [(["--check", "none"], 0), (["--check", "memory,rules"], 0), (["--check", "races"], 1), (["--error-exitcode", "7"], 7)],
)
def test_choosing_checks_and_exit_codes(program: Path, options: list[str], code: int) -> None:
    assert run(program, *options).returncode == code


def test_an_unknown_check_is_refused(program: Path) -> None:
    done = run(program, "--check", "racse")
    assert done.returncode == 2 and "memory, races, rules" in done.stderr


def test_the_policy_raise_stops_the_program(program: Path) -> None:
    done = run(program, "--check", "races=raise")
    assert done.returncode == 1 and "FindingError" in done.stderr and "destroy_stream" in done.stderr


def test_suppression_by_option_and_pyproject(program: Path) -> None:
    assert run(program, "--suppress", "race:racy.py:step").returncode == 0
    done = run(program, "--suppress", "race:other.py")
    assert done.returncode == 1 and "nothing was suppressed by race:other.py" in done.stderr
    (program.parent / "pyproject.toml").write_text('[tool.ascend_sim]\nsuppress = ["race"]\n')
    done = run(program)
    assert done.returncode == 0 and "1 suppressed" in done.stderr and "error[race]" not in done.stderr


def test_sarif_and_json(program: Path) -> None:
    run(program, "--sarif", "out.sarif", "--json", "out.json")
    report = json.loads((program.parent / "out.sarif").read_text())
    (result,) = report["runs"][0]["results"]
    assert result["ruleId"] == "race"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "racy.py", "uriBaseId": "SRCROOT"} and place["region"]["startLine"] == 12
    value = json.loads((program.parent / "out.json").read_text())
    (finding,) = value["findings"]
    assert finding["bytes"]["object"] == "out" and finding["streams"] == ["a", "b"] and "order_marks" not in value["run"]
