"""Pairs of programs, as separate processes of one run: memory, physical memory, notifies and events between them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from ascend_sim.machine.virtual_memory import VirtualMemory

PROGRAMS = Path(__file__).parent / "processes"

pytestmark = pytest.mark.skipif(not VirtualMemory.supported(), reason="this system cannot show pages of others")


@pytest.mark.parametrize(
    ("first", "second", "prints"),
    [
        ("ipc_memory.py owner", "ipc_memory.py user", ["owner: told that all is read", "user: sees 123"]),
        ("ipc_notify.py waiter", "ipc_notify.py worker", ["waiter: reads 123"]),
        ("ipc_event.py owner", "ipc_event.py user", ["owner: status 1", "owner: status 1", "user: status 1"]),
        ("physical.py owner listed", "physical.py user listed", ["user: sees 123"]),
        ("physical.py owner open", "physical.py user open", ["user: sees 123"]),
        (
            "physical.py owner early", "physical.py user early",
            ["user: a second import answers 107017", "user: sees 123"],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_two_programs(first: str, second: str, prints: list[str], ascend_sim: Any, tmp_path: Path) -> None:
    for path in PROGRAMS.glob("*.py"):
        shutil.copy(path, tmp_path)
    run = ascend_sim("run", "--devices", "2", "launch.py", first, second, folder=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert sorted(run.stdout.splitlines()) == prints
    said = [line for line in run.stderr.splitlines() if not line.startswith("ascend-sim")]
    assert said == [], run.stderr
