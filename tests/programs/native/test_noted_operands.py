"""Operands of operators that libraries of a Python process make and end: noted, told in order, and nothing lost."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.kit.compilers import missing
from tests.kit.torch_guest import checks_in, run_checks

PROGRAM = Path(__file__).parent / "noted_operands.py"


@cache
def results(threads: str) -> dict[str, str]:
    return run_checks(PROGRAM, "--threads", threads, "--checks", "memory,races,rules", "--error-exitcode", "0")


@pytest.mark.skipif(bool(missing()), reason=missing() or "-")
@pytest.mark.parametrize("check", [*checks_in(PROGRAM), "exit"])
@pytest.mark.parametrize("threads", ["deterministic", "free"])
def test_operands(check: str, threads: str) -> None:
    found = results(threads)
    assert found.get(check, f"it never ran: {found['exit']}") == ""
