"""A thousand steps of training in flat memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.torch_guest import needs_torch


@pytest.mark.slow
@needs_torch
@pytest.mark.parametrize("queue", ["0", "1", "2"])
def test_a_thousand_steps_take_no_more_memory(queue: str) -> None:
    program = Path(__file__).parent / "programs" / "flat.py"
    words = [sys.executable, "-m", "ascend_sim", "run", str(program)]
    environment = {**os.environ, "TASK_QUEUE_ENABLE": queue}
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=900, env=environment)
    line = next((line for line in done.stdout.splitlines() if line.startswith("sizes ")), "")
    assert line, done.stdout + done.stderr
    early, late = json.loads(line.removeprefix("sizes "))
    assert late["host"] - early["host"] < 8 << 20, f"{(late['host'] - early['host']) / 700:.0f} bytes for each step"
    assert late["device"] == early["device"]
    assert late["findings"] == 0
