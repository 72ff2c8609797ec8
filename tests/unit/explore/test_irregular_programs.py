"""Exploring what is awkward: lost signals, threads made in a loop, programs that differ from run to run, Ctrl-C."""

from __future__ import annotations

import threading
from itertools import count, cycle
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim import explore
from ascend_sim.explore.counterexamples.files import load
from ascend_sim.runtime.threads.deterministic import DeterministicThreads


def test_a_notify_that_merges_with_another_leaves_a_waiter(words: Any) -> None:
    def program() -> None:
        first, second, waiter = words.start(3)
        notify = words.must(C.aclrtCreateNotify(0))
        words.must(C.aclrtRecordNotify(notify, first))
        words.must(C.aclrtRecordNotify(notify, second))
        words.must(C.aclrtWaitAndResetNotify(notify, waiter, 0))
        words.must(C.aclrtWaitAndResetNotify(notify, waiter, 0))
        words.must(C.aclrtSynchronizeDevice())

    report = explore(program)
    assert report.exhausted and report.classes == 4
    hangs = [failure for failure in report.failures if failure.kind == "deadlock"]
    assert sum(failure.count for failure in hangs) == 2
    assert "nobody can end it" in str(report)


def test_whether_a_thread_of_the_test_runner_acts_just_then_changes_nothing(
    words: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wait for ever looks whether a thread that nobody knows could end it: only the answer is a matter of time."""

    def program() -> None:
        first, second = words.start(2)
        block, notify = words.buffer(), words.must(C.aclrtCreateNotify(0))
        words.fill(block, 1, first)
        words.fill(block, 2, second)
        words.must(C.aclrtWaitAndResetNotify(notify, first, 0))
        words.must(C.aclrtSynchronizeDevice())

    alone = explore(program)
    acts = cycle([True, False, False, True, True, False])
    monkeypatch.setattr(DeterministicThreads, "foreign_threads_act", lambda group: next(acts))
    monkeypatch.setattr(DeterministicThreads, "let_idle", lambda group, seconds: None)
    report = explore(program)
    assert report.exhausted and report.classes == alone.classes == 2
    assert str(report) == str(alone)


def writers(words: Any, many: int) -> Any:
    """Threads made in a loop, each with a task on the one stream."""

    def program() -> None:
        (stream,) = words.start(1)
        block = words.buffer()
        context = words.must(C.aclrtGetCurrentContext())

        def write(value: int) -> None:
            words.must(C.aclrtSetCurrentContext(context))
            words.fill(block, value, stream)

        threads = [threading.Thread(target=write, args=(value,)) for value in range(many)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        words.must(C.aclrtSynchronizeStream(stream))

    return program


def test_threads_that_a_loop_starts(words: Any) -> None:
    report = explore(writers(words, 3), hosts="shared")
    assert report.exhausted and report.classes == 6  # the orders of three submits to one stream
    assert {failure.kind for failure in report.failures} == {"race"}


@pytest.mark.parametrize("source", ["time", "places"])
def test_a_program_that_differs_from_run_to_run_is_named_with_its_step(words: Any, source: str) -> None:
    ticks = count(1)  # stands for a clock
    alive: list[object] = []

    def number() -> int:
        if source == "time":
            return next(ticks)
        alive.append(object())
        return id(alive[-1]) // 16 % (1 << 30)

    def program() -> None:
        one, two = words.start(2)
        block = words.buffer()
        words.fill(block, 1, one)
        words.must(C.aclrtMemsetAsync(block, 16, number(), 16, two))
        words.must(C.aclrtSynchronizeDevice())

    report = explore(program)
    assert report.trouble.startswith("step ") and "aclrtMemsetAsync" in report.trouble
    assert "once and" in report.trouble


def test_an_interrupt_leaves_no_thread_and_keeps_the_file(words: Any, tmp_path: Path) -> None:
    inner = writers(words, 2)
    runs = count()

    def program() -> None:
        if next(runs) == 4:
            raise KeyboardInterrupt
        inner()

    before = threading.enumerate()
    file = tmp_path / "race.json"
    with pytest.raises(KeyboardInterrupt):
        explore(program, save=file)
    assert threading.enumerate() == before
    assert load(file).kind == "race"
    assert explore(inner, hosts="shared").classes == 2  # nothing of it is left in the way
