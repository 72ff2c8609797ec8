"""The life of a native process: exits of all kinds, crashes, hangs, fork, threads. No finding that was made is lost."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ascend_sim.native.compilers import c_compiler
from tests.kit.compilers import needs_compiler
from tests.kit.forks import HANG
from tests.programs.native.conftest import SOURCES, tool

pytestmark = needs_compiler
Built = Callable[[str], Path]


def _run(built: Built, way: str, tmp_path: Path, *options: str) -> tuple[int, list[str], str, dict[str, Any]]:
    """The exit code, lines of output, stderr, findings by kind."""
    report = tmp_path / "findings.json"
    done = tool("run", "--json", str(report), *options, str(built("life.cpp")), way)
    found = {finding["kind"]: finding for finding in json.loads(report.read_text())["findings"]}
    return done.returncode, done.stdout.splitlines(), done.stderr, found


@pytest.mark.parametrize(
    ("way", "code", "output", "kinds"),
    [
        ("destructor", 4, ["begun", "handler 0", "destructor 0"], ["leak"]),
        ("throw", 134, [], ["crash"]),
        ("hostfunc-exit", 7, ["begun"], ["leak", "unawaited-work"]),
        ("hostfunc-crash", 139, [], ["crash", "double-free"]),
        ("stack-overflow", 139, [], ["crash", "double-free"]),
        ("hang", 1, ["begun"], ["deadlock", "leak"]),
        ("closed", 1, ["begun", "synchronised 0", "end 0", "again 100037"], ["double-free"]),
        ("fork", 0, ["begun", "child 0", "of child 5", "synchronised 0", "end 0", "again 100037"], ["fork-after-init"]),
    ],
)
def test_ends(way: str, code: int, output: list[str], kinds: list[str], built: Built, tmp_path: Path) -> None:
    returned, lines, errors, found = _run(built, way, tmp_path)
    assert (returned, lines, sorted(found)) == (code, output, kinds), errors


def test_what_underscore_exit_leaves_unsaid_is_told(built: Built, tmp_path: Path) -> None:
    code, lines, errors, found = _run(built, "_exit", tmp_path)
    assert (code, lines, list(found)) == (4, ["begun"], ["double-free"])
    assert "ended without its exit handlers" in errors


def test_a_hang_says_which_call_never_returns(built: Built, tmp_path: Path) -> None:
    _, _, errors, found = _run(built, "hang", tmp_path)
    assert "aclrtSynchronizeStream never returns on a device; the program ends here" in errors
    assert "`notify`" in found["deadlock"]["title"]


@pytest.mark.parametrize("way", ["thread", "threads"])
def test_threads_that_call_come_and_go(way: str, built: Built, tmp_path: Path) -> None:
    code, lines, errors, _ = _run(built, way, tmp_path)
    assert (code, lines[-3:]) == (0, ["synchronised 0", "end 0", "again 100037"]), errors


def test_a_check_that_raises_ends_the_program_at_the_call(built: Built, tmp_path: Path) -> None:
    code, lines, errors, found = _run(built, "closed", tmp_path, "--check", "memory=raise")
    assert (code, lines, list(found)) == (1, ["begun"], ["double-free", "leak"])
    assert "the program ends in aclrtFree" in errors


def test_settings_that_are_wrong_are_told_before_the_program_goes_on(built: Built, tmp_path: Path) -> None:
    done = tool("run", str(built("life.cpp")), "none", ASCEND_SIM_SOC="Ascend1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Ascend1" in done.stderr


def test_a_plug_in_keeps_the_names_of_the_library_to_itself(tmp_path: Path) -> None:
    program, report = tmp_path / "plugin", tmp_path / "findings.json"
    words = [*c_compiler(), "-g", str(SOURCES / "plugin.c"), "-o", str(program), "-ldl"]
    subprocess.run(words, check=True, timeout=HANG)
    done = tool("run", "--json", str(report), str(program))
    assert (done.returncode, done.stdout) == (1, "0 0 0 0 1\n"), done.stderr
    assert [found["kind"] for found in json.loads(report.read_text())["findings"]] == ["double-free"]
    explored = tool("explore", "--budget", "1h", str(program))
    assert "double-free in 1 of 1" in explored.stdout, explored.stderr
