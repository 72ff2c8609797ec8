"""Processes that torch.multiprocessing starts share tensors and events of a device."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.torch_guest import needs_torch

PROGRAM = Path(__file__).parent / "programs" / "sharing.py"


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("queue", ["0", "1", "2"])
def test_tensors_and_events_of_two_processes(queue: str) -> None:
    words = [sys.executable, "-m", "ascend_sim", "run", str(PROGRAM)]
    variables = {**os.environ, "TASK_QUEUE_ENABLE": queue}
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600, env=variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["the child wrote", "the child waited", "the child ended with 0"], done.stderr
    assert "error" not in done.stderr and "warning[" not in done.stderr, done.stderr
