"""Runs that compute on when the time is up, and call nothing: the search ends with its time, and says where they stood."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim import explore
from ascend_sim.explore import explorer
from ascend_sim.explore.control import run_limit
from ascend_sim.runtime.threads.real_time import real_ns


@pytest.fixture(autouse=True)
def real_clock(clock: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks at the clock while a program computes: no number of looks is the end. It may come as late as it likes."""
    for module in (explorer, run_limit):
        monkeypatch.setattr(module, "real_ns", real_ns)


def computes() -> None:
    """Never ends, and calls nothing. A loop of Python 3.10 that jumps back to a `try` lets nobody in: hence two."""
    number = 0
    while True:
        try:
            for _ in range(1_000):
                number += 1
        except Exception:  # noqa: BLE001 - as programs do
            raise AssertionError("the program takes it for an error of its own") from None


@pytest.mark.parametrize("where", ["before the first call", "between calls", "in a thread", "beside a thread"])
@pytest.mark.parametrize("way", ["all", "random"])
def test_a_loop_without_any_call_is_left(words: Any, where: str, way: str) -> None:
    """And the report has its line, and what the run had found."""

    def program() -> None:
        if where == "before the first call":
            computes()
        (stream,) = words.start(1)
        words.fill(words.buffer(), 1, stream)
        C.aclrtFree(0x10)
        if where == "in a thread":
            thread = threading.Thread(target=computes)
            thread.start()
            thread.join()
        elif where == "beside a thread":
            done = threading.Event()
            threading.Thread(target=done.wait, daemon=True).start()
            computes()
        else:
            computes()
        raise AssertionError("goes on")

    report = explore(program, budget=0.2, way=way)
    assert not report.classes and not report.failures and not report.exhausted and not report.trouble
    place = report.left_at[0]
    first = computes.__code__.co_firstlineno
    assert place.function == "computes" and first + 3 <= place.line <= first + 7
    assert f"  at test_late_runs.py:{place.line} computes" in str(report)
    assert [finding.kind for finding in report.met] == ([] if where == "before the first call" else ["bad-free"])


def test_a_loop_that_ends_with_its_budget_over_raises_nothing(words: Any) -> None:
    """What comes when the program is just through, or in the text of its error, stays in the run."""

    class Error(Exception):
        def __str__(self) -> str:
            computes()
            raise AssertionError("goes on")

    def program() -> None:
        words.start(1)
        raise Error

    report = explore(program, budget=0.2)
    assert not report.failures and report.left_at[0].function == "computes"
    for _ in range(3):
        assert explore(lambda: None, budget=1e-9).left_at == ()


TRACED = """
import sys
from ascend_sim import explore

def computes():
    while True:
        pass

assert explore(computes, budget=0.2, progress=False).left_at
sys.settrace(lambda *told: None)
(lambda: None)()
sys.settrace(None)
print("goes on")
"""


def test_nothing_of_it_stays_in_the_interpreter() -> None:
    """CPython 3.11 would stand still at the next function that is traced, as debuggers and coverage do."""
    done = subprocess.run([sys.executable, "-c", TRACED], check=True, capture_output=True, text=True, timeout=600)
    assert done.stdout == "goes on\n"
