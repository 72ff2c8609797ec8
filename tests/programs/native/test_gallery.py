"""The gallery of faults in C++: each is found at its line, the corrected programs are silent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import SOURCES, tool

pytestmark = needs_compiler
Built = Callable[[str], Path]
TEXT = (SOURCES / "gallery.cpp").read_text(encoding="utf-8")
CASES = re.findall(r"^static void (\w+)\(bool right\)\n\{(.*?)^\}", TEXT, re.MULTILINE | re.DOTALL)


def _fault(name: str, body: str) -> tuple[str, int]:
    """The kind that the mark in *body* names, and its line."""
    (mark,) = re.finditer(r"// FAULT: ([a-z-]+)", body)
    begin = TEXT.index(f"static void {name}(bool right)")
    return mark[1], TEXT.count("\n", 0, TEXT.index("// FAULT:", begin)) + 1


def test_there_are_enough() -> None:
    assert len(CASES) >= 18
    assert len({_fault(name, body)[0] for name, body in CASES}) >= 12


@pytest.mark.parametrize("name, body", CASES, ids=[name for name, _ in CASES])
def test_a_fault_is_found_at_its_line(name: str, body: str, built: Built, tmp_path: Path) -> None:
    report = tmp_path / "findings.json"
    done = tool("run", "--check", "all", "--json", str(report), str(built("gallery.cpp")), name)
    found = json.loads(report.read_text())["findings"]
    assert found, done.stderr
    kind, line = _fault(name, body)
    first = found[0]
    frame = next(site for site in first["sites"] if site["primary"])["frames"][0]
    assert (first["kind"], Path(frame["file"]).name, frame["line"]) == (kind, "gallery.cpp", line), done.stderr
    assert not any(f["file"].startswith("/usr/") for each in found for site in each["sites"] for f in site["frames"])


def test_the_corrected_programs_are_silent(built: Built) -> None:
    done = tool("run", "--check", "all", str(built("gallery.cpp")))
    assert done.stdout.split() == sorted(name for name, _ in CASES)
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1), done.stderr


def test_help_has_the_variables_of_the_calls(built: Built) -> None:
    done = tool("run", str(built("gallery.cpp")), "two_streams")
    assert "aclrtRecordEvent(ready, d.a)" in done.stderr
    assert "aclrtStreamWaitEvent(d.b, ready)" in done.stderr
    done = tool("run", str(built("gallery.cpp")), "host_does_not_wait")
    assert "aclrtSynchronizeStream(d.a)" in done.stderr
