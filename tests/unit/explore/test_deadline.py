"""Programs that go on for ever in some order: the search ends with its time, and says so."""

from __future__ import annotations

import signal
import threading
from itertools import count
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim import explore
from ascend_sim.explore.late_runs import LateRuns


def endless(words: Any, where: str) -> Any:
    """A program that never ends: *where* says in which thread, before or after the first task, with calls that do what."""

    def turns() -> None:
        for _ in count():
            if where == "allocating":
                C.aclrtFree(C.aclrtMalloc(16, 0)[0])
            else:
                C.aclrtSetDevice(0)

    def program() -> None:
        if where == "early":
            turns()
        (stream,) = words.start(1)
        block = words.buffer()
        words.fill(block, 1, stream)
        if where == "thread":
            thread = threading.Thread(target=turns)
            thread.start()
            thread.join()
        turns()

    return program


@pytest.mark.parametrize("where", ["early", "late", "thread", "allocating"])
@pytest.mark.parametrize("way", ["all", "random"])
def test_a_run_without_end_is_left(words: Any, where: str, way: str) -> None:
    before = threading.enumerate()
    report = explore(endless(words, where), budget=0.1, way=way)
    assert not report.exhausted and not report.failures and not report.trouble
    assert report.classes == 0 and report.unfinished >= 1
    assert "a run was left at step " in str(report)
    assert threading.enumerate() == before


def test_what_a_run_had_found_when_it_was_left_is_told(words: Any) -> None:
    """But nothing that the program does while it is sent away."""

    def program() -> None:
        (stream,) = words.start(1)
        block, other = words.buffer(), words.buffer()
        C.aclrtFree(block)
        C.aclrtFree(block)
        words.fill(other, 1, stream)
        try:
            for _ in count():
                C.aclrtFree(C.aclrtMalloc(16, 0)[0])
        finally:
            C.aclrtFree(other)

    report = explore(program, budget=0.2)
    assert report and not report.failures and not report.classes
    (finding,) = report.met
    assert finding.kind == "double-free" and "double-free in the run that was left: " in str(report)
    known = explore(program, budget=0.2, baseline={finding.fingerprint})
    assert not known and known.met


def test_a_call_that_is_left_has_its_line(words: Any) -> None:
    report = explore(endless(words, "late"), budget=0.1)
    assert report.left_at[0].function.endswith("turns")


@pytest.mark.parametrize("calls", [True, False])
def test_an_interrupt_leaves_a_run_and_tells_what_it_had_found(words: Any, calls: bool) -> None:
    """Also where the program calls nothing any more; a second interrupt that comes with the first is the same one."""

    def program() -> None:
        (stream,) = words.start(1)
        block = words.buffer()
        words.fill(block, 1, stream)
        C.aclrtFree(0x10)
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)
        for _ in count():
            if calls:
                C.aclrtSetDevice(0)

    report = explore(program, budget=60)
    assert report.interrupted and [finding.kind for finding in report.met] == ["bad-free"]


def test_a_search_without_any_run_says_so(words: Any) -> None:
    report = explore(endless(words, "early"), budget=1e-9)
    assert not report.runs and not report.exhausted
    assert str(report).startswith(("no schedule was run to its end", "a run was left at step "))
    report.unfinished, report.left_at = 0, ()
    assert str(report) == "no schedule was run to its end: the time was up before"


@pytest.mark.parametrize("threads", [False, True])
def test_a_long_loop_of_calls_that_change_nothing_is_no_deadlock(words: Any, threads: bool) -> None:
    def program() -> None:
        (stream,) = words.start(1)
        words.fill(words.buffer(), 1, stream)

        def asks() -> None:
            for _ in range(300):
                C.aclrtGetDevice()

        if threads:
            thread = threading.Thread(target=asks)
            thread.start()
            thread.join()
        asks()
        words.must(C.aclrtSynchronizeDevice())

    report = explore(program, hosts="shared")
    assert report.exhausted and report.classes == 1 and not report.failures


def test_a_program_that_is_endless_in_one_order_only(words: Any) -> None:
    def program() -> None:
        one, two = words.start(2)
        block = words.buffer()
        words.fill(block, 1, one)
        words.fill(block, 2, two)
        words.must(C.aclrtSynchronizeDevice())
        while words.read(block) == 1:
            words.must(C.aclrtGetDevice())

    report = explore(program, budget=0.05, checks="none")
    assert report.classes == 1 and report.unfinished and report.pending >= 1 and not report.exhausted
    assert not report.trouble


@pytest.mark.parametrize("error", [MemoryError, RecursionError])
def test_who_looks_for_late_runs_goes_on_after_want_of_memory(
    words: Any, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    asked: list[int] = []

    def look(runs: LateRuns) -> None:
        asked.append(1)
        if len(asked) == 1:
            raise error
        real(runs)

    real = LateRuns.look
    monkeypatch.setattr(LateRuns, "look", look)

    def program() -> None:
        (stream,) = words.start(1)
        words.fill(words.buffer(), 1, stream)
        for _ in count():
            pass

    report = explore(program, budget=0.5)
    assert len(asked) > 1
    assert not report.exhausted
