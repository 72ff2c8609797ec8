"""Programs with torch_npu end as they would without the simulator, whatever TASK_QUEUE_ENABLE says, each time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.torch_guest import needs_torch

PROGRAM = Path(__file__).parent / "programs" / "ends.py"
TIMES = 2
CODES = {"plain": (0,), "exception": (1,), "interrupt": (130, -signal.SIGINT), "workers": (0,)}


@pytest.mark.slow
@needs_torch
@pytest.mark.parametrize("queue", ["0", "1", "2"])
@pytest.mark.parametrize("end", CODES)
def test_a_program_ends(end: str, queue: str) -> None:
    for _ in range(TIMES):
        done = subprocess.run(
            [sys.executable, "-m", "ascend_sim", "run", str(PROGRAM), end],
            capture_output=True, text=True, check=False, timeout=300, env={**os.environ, "TASK_QUEUE_ENABLE": queue},
        )  # fmt: skip
        said = done.stdout + done.stderr
        assert done.returncode in CODES[end], said
        assert ("ValueError: the program's own" in said) == (end == "exception"), said
        assert ("KeyboardInterrupt" in said) == (end == "interrupt"), said
        assert "Traceback" not in said or end in ("exception", "interrupt"), said
        assert "error[" not in said, said
