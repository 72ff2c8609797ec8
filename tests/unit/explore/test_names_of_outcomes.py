"""What a report calls the memory that results differ in: as findings do, by the variables of the program."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim import explore
from ascend_sim.explore.parallel import run_jobs
from tests.kit.calls import must


def named() -> None:
    must(C.aclrtSetDevice(0))
    data = must(C.aclrtMalloc(1536, 0))
    one, two = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
    C.aclrtMemsetAsync(data, 1536, 1, 1536, one)
    C.aclrtMemsetAsync(data, 1536, 2, 1536, two)
    C.aclrtSynchronizeDevice()


def of_a_loop() -> None:
    must(C.aclrtSetDevice(0))
    one, two = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
    rows = [must(C.aclrtMalloc(64, 0)) for _ in range(2)]
    for row in rows:
        C.aclrtMemsetAsync(row, 64, 1, 64, one)
        C.aclrtMemsetAsync(row, 64, 2, 64, two)
    C.aclrtSynchronizeDevice()


def without_a_name() -> None:
    must(C.aclrtSetDevice(0))
    one, two = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
    blocks: list[int] = []
    blocks.append(C.aclrtMalloc(64, 0)[0])
    for stream, value in ((one, 1), (two, 2)):
        C.aclrtMemsetAsync(blocks[0], 64, value, 64, stream)
    C.aclrtSynchronizeDevice()


class Here(Executor):
    """Runs batches at once, in this process."""

    def submit(self, function: Any, /, *given: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(run_jobs(*given))
        return done


@pytest.mark.parametrize("executor", [None, Here()])
@pytest.mark.parametrize("checks", ["all", "none"])
def test_a_variable(executor: Any, checks: str) -> None:
    report = explore(named, budget=None, executor=executor, checks=checks, progress=False)
    assert len(report.outcomes) == 2
    assert "at the end data[0, 1536): check sum" in str(report)
    assert "block 1" not in str(report)


def test_a_failure_is_called_so() -> None:
    report = explore(named, budget=None, checks="none", differing="error", progress=False)
    (failure,) = report.failures
    assert failure.title.startswith("results differ: at the end data[0, 1536): ")


def test_two_of_a_line_have_two_names() -> None:
    text = str(explore(of_a_loop, budget=None, checks="none", progress=False))
    names = {line.split("[0, 64)")[0].strip() for line in text.splitlines() if line.startswith("  at the end")}
    assert len(names) == 2 and not [name for name in names if "block" in name]


def test_without_a_name_it_has_its_number() -> None:
    text = str(explore(without_a_name, budget=None, checks="none", progress=False))
    assert "at the end block 1 [0, 64): check sum" in text


def test_one_outcome_looks_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def program() -> None:
        must(C.aclrtSetDevice(0))
        data = must(C.aclrtMalloc(64, 0))
        C.aclrtMemset(data, 64, 1, 64)

    asked: list[int] = []
    monkeypatch.setattr("ascend_sim.findings.wording.Names.called", lambda self, block: asked.append(1))
    assert len(explore(program, budget=None, progress=False).outcomes) == 1
    assert not asked
