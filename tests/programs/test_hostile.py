"""Programs that close, fill, kill and replace what the simulator stands on: it never shows an error of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.programs.hostile import PROGRAMS, START

AS_MODULES = [name for name in PROGRAMS if "destructor" in name or "generator" in name]


@pytest.mark.parametrize(
    ("name", "words"), [*((name, ["program.py"]) for name in PROGRAMS), *((name, ["-m", "program"]) for name in AS_MODULES)]
)
def test_a_hostile_program_ends_as_it_should(name: str, words: list[str], ascend_sim: Any, tmp_path: Path) -> None:
    code, text, program = PROGRAMS[name]
    (tmp_path / "program.py").write_text(START + program + "\n")
    run = ascend_sim("run", "--check", "memory,races,rules", *words, folder=tmp_path)
    assert "[leak]" not in run.stderr or not ("global" in name or "error" in name), run.stderr
    assert run.returncode == code, run.stdout + run.stderr
    assert text in run.stderr, run.stdout + run.stderr
    assert "ascend_sim/" not in run.stdout + run.stderr, run.stderr  # a frame of ours
    assert not any(line.startswith(("::", "##")) for line in run.stderr.splitlines())
    assert max(map(len, run.stderr.splitlines()), default=0) < 5000
