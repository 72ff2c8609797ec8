"""Exploring programs with one host thread: what is found, how many classes there are, and what is reported."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.explore.explorer import seconds

EX, LEVEL = 1, 1


def stale_event(words: Any, fixed: bool) -> Any:
    """MEM-04: a pool merges A's blocks into B's, and C waits for what B had recorded before the merge."""

    def program() -> int:
        a, b, c = words.start(3)
        block = words.buffer()
        on_a, on_b = (words.must(C.aclrtCreateEvent()) for _ in range(2))
        words.fill(block, 0xAA, a)
        words.must(C.aclrtRecordEvent(on_a, a))
        words.must(C.aclrtRecordEvent(on_b, b))
        words.must(C.aclrtStreamWaitEvent(b, on_a))
        if fixed:
            words.must(C.aclrtRecordEvent(on_b, b))
        words.must(C.aclrtStreamWaitEvent(c, on_b))
        words.fill(block, 0xCC, c)
        words.must(C.aclrtSynchronizeDevice())
        return words.read(block)  # type: ignore[no-any-return]

    return program


def early_reset(words: Any, fixed: bool) -> Any:
    """EVT-05: the reset behind the first waiter may clear the flag before the second one looks."""

    def program() -> tuple[int, int]:
        s1, s2, s3 = words.start(3)
        block = words.buffer()
        flag = words.must(C.aclrtCreateEventWithFlag(LEVEL))
        back = words.must(C.aclrtCreateEventExWithFlag(EX))
        words.must(C.aclrtRecordEvent(flag, s1))
        words.must(C.aclrtStreamWaitEvent(s2, flag))
        if not fixed:
            words.must(C.aclrtResetEvent(flag, s2))
        words.fill(block, 1, s3)
        words.must(C.aclrtStreamWaitEvent(s3, flag))
        if fixed:
            words.must(C.aclrtRecordEvent(back, s3))
            words.must(C.aclrtStreamWaitEvent(s2, back))
            words.must(C.aclrtResetEvent(flag, s2))
        return C.aclrtSynchronizeStreamWithTimeout(s2, 500), C.aclrtSynchronizeStreamWithTimeout(s3, 500)

    return program


def test_a_stale_event_is_found_and_the_space_exhausted(words: Any) -> None:
    report = explore(stale_event(words, fixed=False))
    assert report.exhausted and report.classes == 2
    assert [failure.kind for failure in report.failures] == ["race"]
    assert sorted(result.outcome.value for result in report.outcomes) == [0xAA, 0xCC]
    text = str(report)
    assert "exhausted: 2 classes of schedules" in text
    assert "2 different results" in text and "returns: 204 or 170" in text


def test_the_corrected_pool_has_one_class(words: Any) -> None:
    report = explore(stale_event(words, fixed=True))
    assert report.exhausted and report.classes == 1 and not report.failures and not report.differing
    assert str(report) == "exhausted: 1 class of schedules"


def test_a_reset_that_starves_a_waiter_is_found(words: Any) -> None:
    report = explore(early_reset(words, fixed=False))
    assert report.exhausted and report.classes == 2
    assert {"deadlock", "sync-race"} == {failure.kind for failure in report.failures}  # nothing but a time-out ends it
    assert {result.outcome.value for result in report.outcomes} == {(0, 0), (0, 507046)}


def test_the_corrected_reset_is_silent(words: Any) -> None:
    report = explore(early_reset(words, fixed=True))
    assert report.exhausted and report.classes == 1 and not report


def test_a_poll_has_two_answers_and_is_no_failure(words: Any) -> None:
    def program() -> int:
        (stream,) = words.start(1)
        event = words.must(C.aclrtCreateEventExWithFlag(EX))
        words.must(C.aclrtRecordEvent(event, stream))
        return words.must(C.aclrtQueryEventStatus(event))  # type: ignore[no-any-return]

    report = explore(program)
    assert report.exhausted and report.classes == 2 and not report.failures
    assert {result.outcome.value for result in report.outcomes} == {0, 1}
    assert all(result.marks for result in report.outcomes)
    assert "1 x returns 0 (order marks: 1 query whose answer depends on time)" in str(report)
    asked = explore(program, differing="error")
    assert [(failure.kind, failure.title) for failure in asked.failures] == [
        ("result", "results differ: returns: 0 or 1")
    ]
    assert len(asked.failures[0].recording.choices) <= 1


def test_what_a_race_leads_to_is_no_failure_of_its_own(words: Any) -> None:
    def program() -> int:
        one, two = words.start(2)
        block = words.buffer()
        words.fill(block, 1, one)
        words.fill(block, 2, two)
        words.must(C.aclrtSynchronizeDevice())
        return words.read(block)  # type: ignore[no-any-return]

    assert [failure.kind for failure in explore(program).failures] == ["race"]
    assert not explore(program, checks="none").failures  # nobody looks for reasons
    assert [failure.kind for failure in explore(program, differing="error").failures] == ["race", "result"]


def test_a_loop_of_polls_ends(words: Any) -> None:
    def program() -> int:
        (stream,) = words.start(1)
        block = words.buffer()
        words.fill(block, 7, stream)
        while words.must(C.aclrtStreamQuery(stream)):
            pass
        return words.read(block)  # type: ignore[no-any-return]

    report = explore(program)
    assert report.exhausted and report.classes == 2 and not report
    assert [result.outcome.value for result in report.outcomes] == [7]


def test_only_a_question_that_one_line_repeats_waits_for_another_answer(words: Any) -> None:
    def ask(stream: int) -> int:
        return words.must(C.aclrtStreamQuery(stream))  # type: ignore[no-any-return]

    def start() -> int:
        (stream,) = words.start(1)
        words.fill(words.buffer(), 7, stream)
        return stream  # type: ignore[no-any-return]

    def on_two_lines() -> tuple[int, ...]:
        stream = start()
        first = ask(stream)
        second = ask(stream)
        return first, second

    def on_one_line() -> tuple[int, ...]:
        stream = start()
        return tuple([ask(stream) for _ in range(2)])

    for program, answers in ((on_two_lines, [(0, 0), (1, 0), (1, 1)]), (on_one_line, [(0, 0), (1, 0)])):
        report = explore(program)
        assert report.exhausted and not report
        assert sorted({result.outcome.value for result in report.outcomes}) == answers


def test_a_poll_that_never_succeeds_is_a_deadlock(words: Any) -> None:
    def program() -> None:
        (stream,) = words.start(1)
        flag = words.must(C.aclrtCreateEventWithFlag(LEVEL))
        words.must(C.aclrtStreamWaitEvent(stream, flag))
        while words.must(C.aclrtStreamQuery(stream)):
            pass

    report = explore(program)
    assert report.exhausted and [failure.kind for failure in report.failures] == ["deadlock"]


def test_an_exception_in_one_order_only(words: Any) -> None:
    def program() -> None:
        one, two = words.start(2)
        block = words.buffer()
        words.fill(block, 1, one)
        words.fill(block, 2, two)
        words.must(C.aclrtSynchronizeDevice())
        if words.read(block) == 1:
            raise KeyError("block")

    report = explore(program, checks="none")
    (failure,) = report.failures
    assert (failure.kind, failure.title, failure.count) == ("exception", "KeyError: 'block'", 1)
    assert report.classes == 2
    stopped = explore(program, checks="none", stop="finding")
    assert len(stopped.failures) == 1


def test_a_hang_of_the_host_is_one_failure(words: Any) -> None:
    def program() -> None:
        one, two = words.start(2)
        notify = words.must(C.aclrtCreateNotify(0))
        words.must(C.aclrtRecordNotify(notify, one))
        words.must(C.aclrtWaitAndResetNotify(notify, one, 0))
        words.must(C.aclrtWaitAndResetNotify(notify, two, 0))
        words.must(C.aclrtSynchronizeDevice())

    report = explore(program, checks="none")
    assert report.exhausted
    assert [failure.kind for failure in report.failures] == ["deadlock", "deadlock"]  # stream 1 starves, or stream 2


def test_a_budget_that_is_too_small_is_said(words: Any) -> None:
    def program() -> None:
        streams = words.start(4)
        block = words.buffer()
        for value, stream in enumerate(streams):
            words.fill(block, value, stream)
            words.fill(block, value + 10, stream)
        words.must(C.aclrtSynchronizeDevice())

    report = explore(program, budget=0.01, checks="none")
    assert not report.exhausted and report.pending > 0
    assert "branches pending (estimate: at least" in str(report)


def test_a_program_that_draws_lots_is_named_not_deterministic(words: Any) -> None:
    draws = iter(range(1000))

    def program() -> None:
        one, two = words.start(2)
        block = words.buffer()
        words.fill(block, next(draws), one)
        words.fill(block, 2, two)
        words.must(C.aclrtSynchronizeDevice())

    report = explore(program, checks="none")
    assert "aclrtMemsetAsync" in report.trouble
    assert "not deterministic" in str(report)


def test_the_program_may_take_the_simulator_and_an_open_one_is_left_alone(words: Any) -> None:
    def program(sim: Simulator) -> str:
        words.start(1)
        return sim.profile.name

    with Simulator(threads="deterministic") as outer:
        words.start(1)
        report = explore(program, soc="Ascend910B3")
        assert report.outcomes[0].outcome.value == "Ascend910B3"
        assert outer.threads.sides == [outer.scheduler]  # type: ignore[attr-defined]
        words.must(C.aclrtSynchronizeDevice())


def test_a_time_limit_fires_only_when_nothing_else_can(words: Any) -> None:
    def program() -> int:
        (stream,) = words.start(1)
        block = words.buffer()
        words.fill(block, 1, stream)
        return C.aclrtSynchronizeStreamWithTimeout(stream, 1)

    report = explore(program)
    assert report.exhausted and [result.outcome.value for result in report.outcomes] == [0]


@pytest.mark.parametrize(("text", "value"), [("20s", 20), ("500ms", 0.5), ("2m", 120), (3, 3), ("1.5", 1.5)])
def test_budgets(text: Any, value: float) -> None:
    assert seconds(text) == value


@pytest.mark.parametrize("text", ["", "soon", "-1s", 0, "s"])
def test_bad_budgets(text: Any) -> None:
    with pytest.raises(ValueError, match="budget"):
        seconds(text)


def test_random_schedules_need_a_budget() -> None:
    with pytest.raises(ValueError, match="budget is None"):
        explore(lambda: None, way="random", budget=None)


def test_a_bad_stop_is_refused() -> None:
    with pytest.raises(ValueError, match="stop"):
        explore(lambda: None, stop="soon")
