"""Each program of scenarios.py, many times in a process of its own: every run leaves the same trace.

Times are virtual; no run sleeps. ``python scenarios.py NAME 200`` does more of the same by hand.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NAMES = re.findall(r"^@scenario\ndef (\w+)", (HERE / "scenarios.py").read_text(), re.MULTILINE)
TIMES = {
    "absent_module_lock": 4, "absent_socket": 4, "absent_spin": 2, "compute_outside": 5, "old_pool": 4,
    "spin_on_queue": 8,
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_run_leaves_the_same_trace(name: str) -> None:
    times = TIMES.get(name, 30)
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[3]), "PYTHONHASHSEED": "random"}
    command = [sys.executable, "-X", "faulthandler", str(HERE / "scenarios.py"), name, str(times)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{name} same 0 "), done.stdout
