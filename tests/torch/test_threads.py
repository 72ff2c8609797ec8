"""Threads that torch makes take turns with those of the program, whatever TASK_QUEUE_ENABLE says."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.kit.torch_guest import checks_in, needs_torch, run_checks

PROGRAM = Path(__file__).parent / "programs" / "threads.py"


@cache
def results(queue: str, threads: str) -> dict[str, str]:
    return run_checks(PROGRAM, "--threads", threads, TASK_QUEUE_ENABLE=queue)


@needs_torch
@pytest.mark.parametrize("check", [*checks_in(PROGRAM), "exit"])
@pytest.mark.parametrize(
    ("queue", "threads"),
    [
        ("0", "deterministic"),
        ("1", "deterministic"),
        ("2", "deterministic"),
        pytest.param("1", "free", marks=pytest.mark.slow),
    ],
)
def test_threads(check: str, queue: str, threads: str) -> None:
    found = results(queue, threads)
    assert found.get(check, f"it never ran: {found['exit']}") == ""
    assert "order-depends-on-clock" not in found["exit"]
