"""Programs with torch_npu end as they would without the simulator, whatever TASK_QUEUE_ENABLE says, each time.

``ASCEND_SIM_TEST_SCALE=25 python -m pytest -m slow tests/torch/test_ends.py`` runs each of them 50 times in a row.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.scale import SCALE
from tests.kit.torch_guest import needs_torch

PROGRAM = Path(__file__).parent / "programs" / "ends.py"
TIMES = 2 * SCALE
INTERRUPTED = (130, -signal.SIGINT)
CODES = {
    "plain": (0,), "exception": (1,), "exit": (3,), "interrupt": INTERRUPTED, "workers": (0,),
    "interrupt_workers": (*INTERRUPTED, 1), "worker_fails": (1,),
}  # fmt: skip
"""Python swallows a Ctrl-C that comes in a hook of `os.fork`; the DataLoader then says that its workers are gone, with 1."""
MESSAGES = {
    "exception": "ValueError: the program's own", "worker_fails": "ValueError: Caught ValueError in DataLoader worker",
    "interrupt": "KeyboardInterrupt", "interrupt_workers": "KeyboardInterrupt",
}  # fmt: skip


def unclean(end: str, queue: str, number: int) -> str:
    """What is wrong about one end of the program; empty for a clean one. Ctrl-C comes at another moment each time."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "ascend_sim", "run", str(PROGRAM), end, str(number)], start_new_session=True,
            capture_output=True, text=True, check=False, timeout=300, env={**os.environ, "TASK_QUEUE_ENABLE": queue},
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        return f"it did not end: {error.stdout!r} {error.stderr!r}"
    said = done.stdout + done.stderr
    if done.returncode not in CODES[end]:
        return f"exit code {done.returncode}: {said}"
    for message in set(MESSAGES.values()):
        if (message in said) != (MESSAGES.get(end) == message):
            return f"{message!r} is missing, or there: {said}"
    if ("Traceback" in said and end not in MESSAGES) or "error[" in said:
        return said
    return ""


@pytest.mark.slow
@needs_torch
@pytest.mark.parametrize("queue", ["0", "1", "2"])
@pytest.mark.parametrize("end", CODES)
def test_a_program_ends(end: str, queue: str) -> None:
    found = {number: unclean(end, queue, number) for number in range(TIMES)}
    assert not {number: said for number, said in found.items() if said}
