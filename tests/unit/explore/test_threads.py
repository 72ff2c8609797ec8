"""Exploring programs with several host threads: locks, queues, joins, polls, hangs in one order only."""

from __future__ import annotations

import queue
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim import explore
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.counterexamples.files import load
from ascend_sim.explore.counterexamples.preemptions import PreemptionStrategy
from ascend_sim.explore.runs import Runner, quiet_group

EX = 1
MOST_CHOICES = 3


def kinds(report: Any) -> set[str]:
    return {failure.kind for failure in report.failures}


def run_threads(*bodies: Any) -> None:
    threads = [threading.Thread(target=body) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def early_publication(words: Any, fixed: bool) -> Any:
    """MEM-05: a block is in the free list before its event is recorded."""

    def program() -> int:
        a, b = words.start(2)
        block, copy = words.buffer(), words.buffer()
        event = words.must(C.aclrtCreateEventExWithFlag(EX))
        lock, cache = threading.Lock(), []

        def gives() -> None:
            words.must(C.aclrtSetDevice(0))
            words.must(C.aclrtMemcpyAsync(copy, 16, block, 16, 3, a))
            with lock:
                if fixed:
                    words.must(C.aclrtRecordEvent(event, a))
                cache.append(block)
            if not fixed:
                words.must(C.aclrtRecordEvent(event, a))

        def takes() -> None:
            words.must(C.aclrtSetDevice(0))
            with lock:
                taken = cache.pop() if cache else None
            if taken is not None and words.must(C.aclrtQueryEventStatus(event)):
                words.fill(taken, 9, b)

        run_threads(gives, takes)
        words.must(C.aclrtSynchronizeDevice())
        return words.read(copy)  # type: ignore[no-any-return]

    return program


def overtaking(words: Any, fixed: bool) -> Any:
    """STR-03: launches wait in a queue of the host, and one goes straight to the stream."""

    def program() -> int:
        (stream,) = words.start(1)
        block, copy = words.buffer(), words.buffer()
        jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        done: queue.SimpleQueue[int] = queue.SimpleQueue()

        def consumer() -> None:
            words.must(C.aclrtSetDevice(0))
            jobs.get()()
            done.put(1)

        thread = threading.Thread(target=consumer)
        thread.start()
        jobs.put(lambda: words.fill(block, 1, stream))
        if fixed:
            done.get()
        words.must(C.aclrtMemcpyAsync(copy, 16, block, 16, 3, stream))
        words.must(C.aclrtSynchronizeStream(stream))
        thread.join()
        return words.read(copy)  # type: ignore[no-any-return]

    return program


@pytest.mark.parametrize(("make", "classes"), [(early_publication, 5), (overtaking, 3)])
def test_a_bug_that_threads_make_is_found_shortened_and_the_space_exhausted(
    words: Any, make: Any, classes: int
) -> None:
    report = explore(make(words, fixed=False), hosts="shared")
    assert report.exhausted and report.classes == classes, str(report)
    assert "race" in kinds(report)
    assert all(len(failure.recording.choices) <= MOST_CHOICES for failure in report.failures)
    assert not report.trouble


@pytest.mark.parametrize("make", [early_publication, overtaking])
def test_the_corrected_programs_are_exhausted_without_a_failure(words: Any, make: Any) -> None:
    report = explore(make(words, fixed=True), hosts="shared")
    assert report.exhausted and not report.failures and not report.trouble
    assert "as far as threads share locks, queues and API objects" in str(report)


def test_locks_taken_in_opposite_order() -> None:
    def program() -> None:
        one, two = threading.Lock(), threading.Lock()

        def forth() -> None:
            with one, two:
                pass

        def back() -> None:
            with two, one:
                pass

        run_threads(forth, back)

    report = explore(program, hosts="shared")
    assert report.exhausted and kinds(report) == {"deadlock"}
    (failure,) = report.failures
    assert "wait for each other" in failure.title and len(failure.recording.choices) == 1


def test_an_exception_in_a_thread_in_one_order() -> None:
    def program() -> None:
        lock, seen = threading.Lock(), []

        def first() -> None:
            with lock:
                seen.append(1)

        def second() -> None:
            with lock:
                if not seen:
                    raise ValueError("too early")

        run_threads(first, second)

    report = explore(program, hosts="shared")
    assert report.exhausted
    assert [failure.title for failure in report.failures] == ["Thread-2 (second): ValueError: too early"]


def test_python_state_outside_locks_needs_all_host_steps(words: Any) -> None:
    def program() -> int:
        words.start(1)
        shared = [0]

        def adds() -> None:
            words.must(C.aclrtSetDevice(0))
            value = shared[0]
            words.must(C.aclrtGetDevice())
            shared[0] = value + 1

        run_threads(adds, adds)
        return shared[0]

    coarse = explore(program, hosts="shared")
    assert coarse.exhausted and coarse.classes == 1 and not coarse.differing
    fine = explore(program)
    assert fine.exhausted and fine.hosts_exhausted and fine.host_classes > 1
    assert {result.outcome.value for result in fine.outcomes} == {1, 2}
    assert "of all host steps" in str(fine)
    (lost,) = fine.failures  # no lock, no query, no race: nothing gives leave to differ
    assert lost.kind == "result" and lost.title in (
        "results differ: returns: 2 or 1",
        "results differ: returns: 1 or 2",
    )
    assert lost.outcome == fine.outcomes[1].outcome and lost.count == fine.outcomes[1].count
    assert not explore(program, differing="table").failures


def test_a_call_may_answer_with_a_function(words: Any) -> None:
    """A video channel's callback is asked for: no code, and nothing that failed."""
    same: list[bool] = []

    def program() -> None:
        same.clear()
        words.must(C.aclrtSetDevice(0))
        desc = C.aclvdecCreateChannelDesc()
        C.aclvdecSetChannelDescCallback(desc, print)

        def asks() -> None:
            same.append(C.aclvdecGetChannelDescCallback(desc) is print)

        run_threads(asks, asks)
        words.must(C.aclvdecDestroyChannelDesc(desc))

    report = explore(program, hosts="shared", soc="Ascend310P3")
    assert report.exhausted and not report.failures and same == [True, True]


def test_many_results_are_one_failure_that_can_be_shown() -> None:
    def program() -> list[int]:
        order: list[int] = []
        lock = threading.Lock()

        def add(number: int) -> None:
            with lock:
                order.append(number)

        run_threads(*(lambda number=number: add(number) for number in range(3)))
        return order

    report = explore(program, hosts="shared", differing="error")
    assert report.exhausted and len(report.outcomes) == 6 and not report.trouble
    (failure,) = report.failures
    assert failure.kind == "result" and failure.count == 5
    assert failure.recording.words and failure.outcome == report.outcomes[1].outcome
    assert "takes a lock" in failure.recording.words[0] or "begins" in failure.recording.words[0]


def test_conditions_events_and_sleeping_threads() -> None:
    def program() -> list[str]:
        ready, told = threading.Event(), []

        def tells() -> None:
            time.sleep(0.5)
            told.append("told")
            ready.set()

        thread = threading.Thread(target=tells)
        thread.start()
        ready.wait()
        told.append("heard")
        thread.join()
        return told

    report = explore(program, hosts="shared")
    assert report.exhausted and not report.failures
    assert [result.outcome.value for result in report.outcomes] == [("told", "heard")]


def test_a_loop_that_looks_and_sleeps_ends() -> None:
    def program() -> str:
        done = threading.Event()
        thread = threading.Thread(target=done.set)
        thread.start()
        while not done.is_set():
            time.sleep(0.01)
        thread.join()
        return "seen"

    report = explore(program, hosts="shared", budget=5)
    assert not report.failures and not report.trouble
    assert [result.outcome.value for result in report.outcomes] == ["seen"]


def test_threads_that_the_program_leaves_behind() -> None:
    def program() -> None:
        jobs: queue.SimpleQueue[int] = queue.SimpleQueue()
        threading.Thread(target=jobs.get, daemon=True).start()

    before = threading.active_count()
    report = explore(program, hosts="shared")
    assert report.exhausted and not report.failures
    assert threading.active_count() == before


def test_two_threads_fill_a_queue_of_one_task(words: Any) -> None:
    def program() -> int:
        (stream,) = words.start(1)
        block = words.buffer()

        def fills(value: int) -> Any:
            def body() -> None:
                words.must(C.aclrtSetDevice(0))
                words.fill(block, value, stream)

            return body

        run_threads(fills(1), fills(2))
        words.must(C.aclrtSynchronizeStream(stream))
        return words.read(block)  # type: ignore[no-any-return]

    report = explore(program, hosts="shared", checks="none", limits={"stream_depth": 1})
    assert report.exhausted and {result.outcome.value for result in report.outcomes} == {1, 2}


def test_a_full_queue_that_hangs_in_one_order_is_found_and_replayed(words: Any, tmp_path: Path) -> None:
    def program() -> None:
        (stream,) = words.start(1)
        notify = words.must(C.aclrtCreateNotify(0))

        def waits() -> None:
            words.must(C.aclrtSetDevice(0))
            words.must(C.aclrtWaitAndResetNotify(notify, stream, 0))

        def records() -> None:
            words.must(C.aclrtSetDevice(0))
            words.must(C.aclrtRecordNotify(notify, stream))

        run_threads(waits, records)
        words.must(C.aclrtSynchronizeStream(stream))

    path = tmp_path / "full.json"
    report = explore(program, hosts="shared", limits={"stream_depth": 1}, save=path)
    assert report.exhausted and report.classes == 2 and not report.trouble
    assert "deadlock" in kinds(report)
    recording = load(path)
    assert recording.full == ("stream 2",)
    strategy = PreemptionStrategy(recording.choices, recording.default, recording.steps)
    with quiet_group():
        run = Runner(program, report.options).run(strategy, KnownState((frozenset(), frozenset(recording.full))))
    assert run.outcome.ended == "deadlock"
    assert strategy.difference == "" and not strategy.left_over()


def test_random_priorities(words: Any) -> None:
    report = explore(early_publication(words, fixed=False), way="random", budget=0.3, stop="finding")
    assert report.drawn and report.failures
    assert "drawn at random" in str(report)
