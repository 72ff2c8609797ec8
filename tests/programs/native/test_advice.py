"""Independent faults and handed memory in C++: each an error of its own, at the access that did not wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.kit.advice import C, check
from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import SOURCES, tool

pytestmark = needs_compiler
Built = Callable[[str], Path]


def test_each_fault_is_an_error_of_its_own(built: Built, tmp_path: Path) -> None:
    report = tmp_path / "findings.json"
    done = tool("run", "--json", str(report), str(built("advice.cpp")), "wrong")
    assert done.stdout == "done\n", done.stderr
    check(SOURCES / "advice.cpp", report, C)


def test_the_corrected_programs_are_silent(built: Built) -> None:
    done = tool("run", str(built("advice.cpp")), "right")
    assert (done.stdout, done.returncode) == ("done\n", 0)
    assert "error[" not in done.stderr, done.stderr
