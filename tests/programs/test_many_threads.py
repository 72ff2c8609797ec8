"""A program with report threads, workers, queues and a pool runs the same way each time, to the nanosecond."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).parent / "whole" / "many_threads.py"


def test_many_threads_run_the_same_way_each_time(ascend_sim: Any) -> None:
    runs = [ascend_sim("run", PROGRAM, "--devices", "2", fresh=fresh) for fresh in (True, False, False, False, True)]
    assert runs[0].returncode == 0, runs[0].stdout + runs[0].stderr
    assert runs[0].stdout.count("callback") == 60
    assert {run.stdout for run in runs} == {runs[0].stdout}
    assert "order-depends-on-clock" not in runs[0].stderr
