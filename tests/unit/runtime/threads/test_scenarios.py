"""Each program of scenarios.py, many times in a process of its own (a fork): every run leaves the same trace.

Times are virtual; no run sleeps. ``python scenarios.py NAME 200`` does more of the same by hand.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.kit import forks

HERE = Path(__file__).parent
NAMES = re.findall(r"^@scenario\ndef (\w+)", (HERE / "scenarios.py").read_text(), re.MULTILINE)
TIMES = {
    "absent_module_lock": 4, "absent_socket": 4, "absent_spin": 2, "compute_outside": 3, "old_pool": 4,
    "spin_on_queue": 4,
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_run_leaves_the_same_trace(name: str) -> None:
    times = TIMES.get(name, 20)
    done = forks.run("scenarios", [name, str(times)], env={**os.environ, "PYTHONPATH": str(HERE.parents[3])})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{name} same 0 "), done.stdout
