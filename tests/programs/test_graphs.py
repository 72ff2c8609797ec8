"""Programs of the kinds of the runtime's examples about models, labels, conditions and random numbers."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = Path(__file__).parent / "graphs"

PRINTS = {
    "labels": ["0 [1, 2, 3]", "2 [0, 0, 3]", "1 [0, 2, 3]", "7 [0, 0, 3]"],
    "switches": ["1 [11, 0, 0]", "2 [0, 20, 0]", "3 [0, 0, 2]"],
    "conditions": ["if 1", "else 100", "while 15"],
    "external_events": ["waits for the program: 1", "the program waits for it: 2", "one waits for the other: 3"],
    "updates": ["None 11", "20 21", "30 31"],
    "random_numbers": [
        "uniform in [-1, 1): True True", "normal about 5: True", "within two deviations: True",
        "in a graph, the counter as before: True", "with another counter: True",
    ],
}  # fmt: skip


@pytest.mark.parametrize("schedule", ["virtual-time", "late", "random(4)"])
@pytest.mark.parametrize("name", PRINTS)
def test_a_program_does_the_same_in_every_order(name: str, schedule: str, ascend_sim: Any, tmp_path: Path) -> None:
    """And no checker has anything to say about it."""
    for path in (PROGRAMS / f"{name}.py", PROGRAMS / "calls.py"):
        shutil.copy(path, tmp_path)
    run = ascend_sim("run", "--schedule", schedule, f"{name}.py", folder=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines() == PRINTS[name]
    assert "error[" not in run.stderr and "warning[" not in run.stderr, run.stderr
