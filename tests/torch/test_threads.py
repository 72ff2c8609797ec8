"""Threads that torch makes take turns with those of the program, whatever TASK_QUEUE_ENABLE says."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.kit.torch_guest import checks_in, needs_torch, run_checks

PROGRAM = Path(__file__).parent / "programs" / "threads.py"

STAND_STILL = {"2": "check_collections_while_torch_has_a_mutex"}
"""By queue: what does not end there yet (docs/semantics/torch.md names it)."""


@cache
def results(queue: str, threads: str) -> dict[str, str]:
    wanted = [check for check in checks_in(PROGRAM) if check != STAND_STILL.get(queue)]
    return run_checks(PROGRAM, "--threads", threads, TASK_QUEUE_ENABLE=queue, CHECKS=" ".join(wanted))


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
    if check == STAND_STILL.get(queue):
        pytest.skip("it does not end in this mode: docs/semantics/torch.md")
    found = results(queue, threads)
    assert found.get(check, f"it never ran: {found['exit']}") == ""
    assert "order-depends-on-clock" not in found["exit"]
