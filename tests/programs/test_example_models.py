"""The stand-ins of the examples are what their program writes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

MODELS = Path(__file__).parents[2] / "examples" / "models"


def test_the_committed_models_are_fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["make_models.py", str(tmp_path)])
    runpy.run_path(str(MODELS / "make_models.py"), run_name="__main__")
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in MODELS.glob("*.om")}
    assert made
