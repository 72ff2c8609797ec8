"""Two host threads make arbitrary calls at the same time, while devices are reset and the simulator is closed.

Every call ends as in ``test_whole_catalogue.py``; calls of a thread whose simulator another one closes end too, at
once, in SimulatedHang or in a return code. How the threads interleave is up to the operating system.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ascend_sim.runtime.processes import board

EXAMPLES = 120
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["free", "deterministic"])
def test_calls_of_two_threads_end_and_survive_the_end_of_their_simulator(tmp_path: Path, threads: str) -> None:
    """In a process of its own, which ends itself when it hangs, so that a crash is attributed to the latest call."""
    journal, output = tmp_path / "journal", tmp_path / "output"
    words = ["-m", "tests.fuzz.call_sequences", str(EXAMPLES), str(journal), threads]
    with output.open("wb") as out, (tmp_path / "errors").open("wb") as errors:
        ended = subprocess.run(
            [sys.executable, *words],
            stdout=out,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": str(ROOT), board.FIRST: board.NOBODY},  # this process shares nothing with it
            check=False,
        )
    failures = [json.loads(line) for line in output.read_text("utf-8", "replace").splitlines()]
    texts = ["{error}\n  the calls before: {calls}".format(**failure) for failure in failures]
    assert not failures, f"{len(failures)} examples failed:\n" + "\n".join(texts)
    said = (tmp_path / "errors").read_text("utf-8", "replace")[-6000:]
    latest = journal.read_text("utf-8", "replace")
    assert ended.returncode == 0, f"ended with {ended.returncode} in {latest}\n{said}"
    assert latest == "finished\n"
