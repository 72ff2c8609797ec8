"""A thousand steps of training in flat memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.torch_guest import needs_torch


@pytest.mark.slow
@needs_torch
def test_a_thousand_steps_take_no_more_memory() -> None:
    program = Path(__file__).parent / "programs" / "flat.py"
    words = [sys.executable, "-m", "ascend_sim", "run", str(program)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600)
    line = next((line for line in done.stdout.splitlines() if line.startswith("sizes ")), "")
    assert line, done.stdout + done.stderr
    early, late = json.loads(line.removeprefix("sizes "))
    assert late - early < 8 << 20, f"{(late - early) / 700:.0f} bytes for each step"
