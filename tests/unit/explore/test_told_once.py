"""A search finds the words of a finding once, and no schedule gets the words of another one that reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.explore.report import Failure, Report
from ascend_sim.explore.runs import Runner
from ascend_sim.observers.races.reports import RaceReports

SIZE = 64


def writers(wait: bool = False) -> None:
    """Three streams write the same bytes, from one line: which pair is met first depends on the schedule."""
    C.aclrtSetDevice(0)
    block, _ = C.aclrtMalloc(SIZE, 0)
    for value in range(3):
        stream, _ = C.aclrtCreateStream()
        C.aclrtMemsetAsync(block, SIZE, value, SIZE, stream)
        if wait:
            C.aclrtSynchronizeStream(stream)
    C.aclrtSynchronizeDevice()


def two_lines() -> None:
    """Two pairs of places on the same two streams, of which one missing wait is the cause."""
    C.aclrtSetDevice(0)
    block, _ = C.aclrtMalloc(SIZE, 0)
    (a, _), (b, _) = C.aclrtCreateStream(), C.aclrtCreateStream()
    C.aclrtMemsetAsync(block, SIZE, 1, SIZE, a)
    C.aclrtMemsetAsync(block, SIZE, 2, SIZE, a)
    C.aclrtMemsetAsync(block, SIZE, 3, SIZE, b)
    C.aclrtMemsetAsync(block, SIZE, 4, SIZE, b)
    C.aclrtSynchronizeDevice()


def freed() -> None:
    """A block is freed under a task, which some schedules run late."""
    C.aclrtSetDevice(0)
    block, _ = C.aclrtMalloc(SIZE, 0)
    stream, _ = C.aclrtCreateStream()
    C.aclrtMemsetAsync(block, SIZE, 1, SIZE, stream)
    C.aclrtFree(block)
    C.aclrtSynchronizeDevice()


def titles(sim: Simulator) -> list[str]:
    writers()
    return [finding.title for finding in sim.findings]


def search(program: Callable[..., Any]) -> Report:
    """Every schedule; without the check of memory, which has words of its own for a free."""
    return explore(program, progress=False, budget=None, hosts="shared", checks="races")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles for which words were made."""
    found: list[str] = []
    tell = RaceReports._tell

    def counted(self: RaceReports, pair: Any) -> Any:
        finding = tell(self, pair)
        found.append(finding.title)
        return finding

    monkeypatch.setattr(RaceReports, "_tell", counted)
    return found


@pytest.mark.parametrize("program", [writers, two_lines])
def test_words_are_made_once_for_each_failure(told: list[str], program: Callable[..., Any]) -> None:
    report = search(program)
    found = [failure for failure in report.failures if failure.finding is not None]
    assert len(told) == len(found) > 0
    assert report.classes > len(told)


@pytest.mark.parametrize("program", [writers, two_lines, freed])
def test_the_report_is_what_it_is_with_words_in_every_schedule(
    monkeypatch: pytest.MonkeyPatch, program: Callable[..., Any]
) -> None:
    once = search(program)
    begin = Runner.__init__

    def always(self: Runner, *given: Any, **named: Any) -> None:
        begin(self, *given, **named)
        self._reads_findings = True

    monkeypatch.setattr(Runner, "__init__", always)
    each = search(program)
    assert once.text() == each.text()
    assert [_told(failure) for failure in once.failures] == [_told(failure) for failure in each.failures]


def _told(failure: Failure) -> tuple[Any, ...]:
    return failure.fingerprint, failure.count, failure.finding and failure.finding.to_json()


def test_a_program_that_reads_its_findings_gets_the_words_of_its_own_schedule(told: list[str]) -> None:
    report = search(titles)
    values = {tuple(outcome.outcome.value) for outcome in report.outcomes}
    assert not report.trouble and len(values) > 1
    assert {title for value in values for title in value} <= set(told)
    assert len(told) > len(report.failures)


def test_the_corrected_program_is_silent(told: list[str]) -> None:
    report = search(lambda: writers(wait=True))
    assert not report.failures and not told
