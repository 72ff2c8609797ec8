"""Faults of torch programs in many shapes: each is found at its line, in words of torch; the corrected ones are silent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kit.torch_guest import needs_torch

PROGRAM = Path(__file__).parent / "programs" / "variations.py"
UNSEEN: dict[str, set[str]] = {"0": set(), "1": {"rewritten_slice"}}
"""docs/semantics/torch.md#page-locked-memory"""


def marked() -> dict[int, str]:
    """The lines where a fault is to be found, with the case that makes it."""
    found, case = {}, ""
    for number, line in enumerate(PROGRAM.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("def ") and line.endswith("(right):"):
            case = line.removeprefix("def ").removesuffix("(right):")
        if line.endswith("# FAULT"):
            found[number] = case
    return found


def findings(how: str, queue: str, report: Path) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "ascend_sim", "run", "--devices", "2", "--json", str(report), str(PROGRAM), how],
        capture_output=True, text=True, check=False, timeout=900, env={**os.environ, "TASK_QUEUE_ENABLE": queue},
    )  # fmt: skip
    assert done.stdout.split() == [word for case in marked().values() for word in (case, "0")], done.stdout + done.stderr
    found: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["findings"]
    return [one for one in found if one["severity"] != "note"]


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("queue", ["0", "1"])
def test_each_fault_is_found_at_its_line(queue: str, tmp_path: Path) -> None:
    places = set()
    for finding in findings("wrong", queue, tmp_path / "wrong.json"):
        frame = next(site for site in finding["sites"] if site["primary"])["frames"][0]
        places.add((Path(frame["file"]).name, frame["line"]))
        assert "aclrt" not in finding["title"] + finding["fix"] + finding["order"]
    assert places == {(PROGRAM.name, line) for line, case in marked().items() if case not in UNSEEN[queue]}


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("queue", ["0", "1"])
def test_the_corrected_programs_are_silent(queue: str, tmp_path: Path) -> None:
    assert findings("right", queue, tmp_path / "right.json") == []
