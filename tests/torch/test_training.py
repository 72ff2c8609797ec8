"""Networks trained for twenty steps have the losses that they have on the CPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.torch_guest import checks_in, needs_torch, run_checks

PROGRAM = Path(__file__).parent / "programs" / "training.py"


@pytest.fixture(scope="module")
def results() -> dict[str, str]:
    return run_checks(PROGRAM)


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("check", [*checks_in(PROGRAM), "exit"])
def test_training(results: dict[str, str], check: str) -> None:
    assert results.get(check, f"it never ran: {results['exit']}") == ""
