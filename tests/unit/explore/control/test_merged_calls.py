"""Calls that touch nothing belong to the step before them; those that do after all are steps of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim import ascendcl as C
from ascend_sim import explore
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.control.merged_calls import MERGED
from ascend_sim.explore.runs import Runner
from ascend_sim.explore.search.dpor import Search
from ascend_sim.explore.search.run_path import Trace

SIZE = 16


def begin() -> tuple[int, list[int]]:
    C.aclrtSetDevice(0)
    block, _ = C.aclrtMalloc(SIZE, 0)
    return block, [C.aclrtCreateStream()[0] for _ in range(2)]


def steps_of(program: Callable[[], Any], known_state: KnownState) -> list[tuple[str, Any]]:
    """(who, what it did) of each step of a first run."""
    trace = Trace(Search(), None)
    Runner(program, {}).run(trace, known_state)
    return [(step.process, step.call) for step in trace.steps]


def calls_of(check: Any) -> list[str]:
    return [name for name, _ in check] if isinstance(check[0], tuple) else [check[0]]


def test_what_is_only_queued_is_no_step() -> None:
    def program() -> None:
        block, streams = begin()
        for stream in streams:
            C.aclrtMemsetAsync(block, SIZE, 1, SIZE, stream)
            C.aclrtMemsetAsync(block, SIZE, 2, SIZE, stream)
        C.aclrtStreamQuery(streams[0])
        C.aclrtMemsetAsync(block, SIZE, 3, SIZE, streams[0])
        C.aclrtSynchronizeDevice()

    host = [calls_of(check) for process, check in steps_of(program, KnownState()) if process == "main"]
    assert host[0][-4:] == ["aclrtMemsetAsync"] * 4
    assert host[1] == ["aclrtStreamQuery", "aclrtMemsetAsync"]
    assert host[2] == ["aclrtSynchronizeDevice"]
    apart = [check for process, check in steps_of(program, KnownState((frozenset(), MERGED))) if process == "main"]
    assert len(apart) == len(host) + 4  # the first one that queues still belongs to the start


def test_what_is_made_between_two_questions_makes_the_second_a_new_one() -> None:
    def program() -> list[int]:
        block, streams = begin()
        event, _ = C.aclrtCreateEventExWithFlag(1)
        C.aclrtMemsetAsync(block, SIZE, 1, SIZE, streams[0])
        C.aclrtRecordEvent(event, streams[0])
        answers = []
        for _ in range(3):
            C.aclrtCreateEventExWithFlag(1)
            answers.append(C.aclrtQueryEventStatus(event)[0])
        C.aclrtSynchronizeDevice()
        return answers

    report = explore(program, checks="none", differing="table")
    assert report.exhausted
    assert sorted(one.outcome.value for one in report.outcomes) == [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]


def test_a_call_that_touches_something_after_all_is_a_step() -> None:
    def program() -> None:
        block, streams = begin()
        source, _ = C.aclrtMallocHost(SIZE)
        C.aclrtMemcpyAsync(source, SIZE, block, SIZE, 2, streams[0])
        C.aclrtMemcpyAsync(block, SIZE, bytes(range(SIZE)), SIZE, 1, streams[1])  # pageable: it waits
        C.aclrtSynchronizeDevice()

    known_state, alone = KnownState(), KnownState((frozenset(), MERGED))
    steps_of(program, known_state)
    merged = explore(program, differing="table", checks="none")
    assert merged.exhausted and merged.classes == 2
    assert [c for p, c in steps_of(program, known_state) if p != "main"] == [
        c for p, c in steps_of(program, alone) if p != "main"
    ]


def test_a_failure_that_stops_the_context_is_met_by_every_call() -> None:
    def program() -> tuple[list[int], int]:
        block, streams = begin()
        C.aclrtSetStreamFailureMode(streams[0], 1)
        codes = [C.aclrtMemsetAsync(block, SIZE, 1, SIZE, streams[0]) for _ in range(3)]
        return codes, C.aclrtSynchronizeStream(streams[0])

    report = explore(program, checks="none", differing="table", faults="set:1")
    assert report.exhausted and report.classes == 4  # the synchronisation can begin before it, too
    refused = sorted(sum(code != 0 for code in one.outcome.value[0]) for one in report.outcomes)
    assert refused == [0, 1, 2]  # it may fail before the second is queued, before the third, or later
