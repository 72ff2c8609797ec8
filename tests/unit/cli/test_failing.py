"""`--baseline` and `--update-baseline` of `ascend-sim run`: files that cannot be used, runs that did not end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ascend_sim.cli import run
from ascend_sim.cli.failing import failing
from ascend_sim.findings.finding import Finding


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--update-baseline"], 2, "--update-baseline needs --baseline FILE"),
        (["--baseline", "gone.json"], 2, "there is no baseline 'gone.json'"),
        (["--baseline", "."], 2, "the baseline '.' cannot be read: Is a directory"),
        (["--baseline", "bad.json"], 2, "is no baseline file"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_told_before_the_run(
    words: list[str], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.json").write_text("\x1b[31m")
    (tmp_path / "p.py").write_text("raise SystemExit('it ran')")
    assert run.main(["p.py", *words]) == code
    assert said in capsys.readouterr().err


def test_a_run_that_was_killed_leaves_the_baseline_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = run.parser().parse_args(["--baseline", "b.json", "--update-baseline"])
    leak = Finding("F1", "leak", "warning", "t")
    assert run._conclude(-15, [leak], options, ["p.py"]) == 143
    assert run._conclude(0, [leak], options, ["p.py"], lost="lost") == 1
    assert not (tmp_path / "b.json").exists()
    assert run._conclude(0, [Finding("F1", "race", "error", "t")], options, ["p.py"]) == 0
    assert '"kind": "race"' in (tmp_path / "b.json").read_text()
    judging = failing(options)
    (tmp_path / "b.json").unlink()
    (tmp_path / "b.json").mkdir()
    assert run._conclude(0, [leak], options, ["p.py"], judging=judging) == 1  # it cannot be written
