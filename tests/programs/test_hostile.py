"""Programs that close, fill, kill and replace what the simulator stands on: it never shows an error of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.programs.hostile import PROGRAMS, START


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_hostile_program_ends_as_it_should(name: str, ascend_sim: Any, tmp_path: Path) -> None:
    code, text, program = PROGRAMS[name]
    (tmp_path / "program.py").write_text(START + program + "\n")
    run = ascend_sim("run", "program.py", "--check", "memory,races,rules", folder=tmp_path)
    assert run.returncode == code, run.stdout + run.stderr
    assert text in run.stderr, run.stdout + run.stderr
    assert "ascend_sim/" not in run.stdout + run.stderr, run.stderr  # a frame of ours
    assert not any(line.startswith(("::", "##")) for line in run.stderr.splitlines())
