"""A search that is handed out in parts finds what one search finds, whoever is faster and however small the parts are."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import attrs
import pytest

from ascend_sim.explore import parallel
from ascend_sim.explore.explorer import Exploration
from ascend_sim.explore.report import Report
from ascend_sim.explore.runs import Runner, quiet_group
from tests.kit.scale import SCALE
from tests.property import thread_programs
from tests.property.race_programs import Player, Step, make_program

MOST = 120
"""Larger searches are left out."""


class Limited(Exploration):
    """A search that ends after so many runs, whatever the time."""

    most = MOST

    def over(self) -> bool:
        return self.report.runs >= self.most


class AnyOrder(Executor):
    """Works when somebody waits for it, on what was submitted, in any order; what it gets and gives travels."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._waiting: list[tuple[Future[Any], Callable[..., Any], bytes]] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        (task,) = args
        future = Asked(self)
        travels = pickle.dumps(attrs.evolve(task, program=None))
        work = lambda raw: function(attrs.evolve(pickle.loads(raw), program=task.program))  # noqa: E731
        self._waiting.append((future, work, travels))
        return future

    def work(self) -> None:
        future, function, task = self._waiting.pop(self._rng.randrange(len(self._waiting)))
        if not future.cancelled():
            future.set_result(pickle.loads(pickle.dumps(function(task))))


class Asked(Future[Any]):
    def __init__(self, pool: AnyOrder) -> None:
        super().__init__()
        self._pool = pool

    def result(self, timeout: float | None = None) -> Any:
        while not self.done():
            self._pool.work()
        return super().result(timeout)


def found(report: Report) -> Any:
    outcomes = sorted((repr(result.outcome), result.count) for result in report.outcomes)
    failures = sorted(
        (f.kind, f.title if f.finding is None else f.finding.fingerprint, f.count) for f in report.failures
    )
    return report.classes, report.host_classes, report.exhausted, report.hosts_exhausted, report.trouble, outcomes, failures


def played(steps: list[Step]) -> Callable[[], Any]:
    def program() -> Any:
        player = Player(3)
        for step in steps:
            player.step(step)
        return player.result()

    return program


def drawn(rng: random.Random, threads: bool, all_hosts: bool) -> Callable[[], Any]:
    if threads:
        return thread_programs.played(thread_programs.make_program(rng, 1 if all_hosts else rng.choice([1, 2, 3])))
    kinds = rng.choice(["statics", "flags", "all", "times"])
    return played(make_program(rng, rng.choice([8, 10, 12]), streams=rng.choice([2, 3]), kinds=kinds))


@pytest.mark.parametrize("threads", [False, True])
def test_parts_find_what_the_whole_finds(threads: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(SCALE + threads)
    programs = runs = cut = larger = 0
    while programs < 25 * SCALE:
        all_hosts = threads and rng.random() < 0.4
        options = {"soc": "Ascend950PR_9599", "checks": rng.choice(["none", "races", "all"])}
        depth = rng.choice([0, 0, 1, 2])
        runner = Runner(drawn(rng, threads, all_hosts), {**options, "limits": {"stream_depth": depth}} if depth else options)
        whole = Limited(runner, 2, 0, differing="table")
        with quiet_group():
            whole.search(all_hosts)
        if whole.report.pending:
            continue
        monkeypatch.setattr(parallel, "LEAST_SHARE", rng.choice([1, 2, 3, 8]))
        monkeypatch.setattr(parallel, "LARGEST_SHARE", rng.choice([8, 64]))
        monkeypatch.setattr(parallel, "IN_FLIGHT", rng.choice([1, 2, 8]))
        parts = Limited(runner, 2, 0, differing="table")
        parts.most = 10 * MOST
        parallel.Campaign(parts, AnyOrder(random.Random(programs))).search(all_hosts)
        assert found(parts.report) == found(whole.report)
        programs += 1
        runs += parts.report.runs
        cut += parts.report.cut
        larger += parts.report.runs > 8
    print(f"threads {threads}: {programs} programs, {runs} runs, {cut} cut short, {larger} with more than 8 runs")
    assert larger >= programs // 10
    assert cut <= max(0.05 * runs, 1)


def test_the_same_campaign_twice_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "LEAST_SHARE", 2)
    steps = make_program(random.Random(4), 14, streams=3, kinds="all")
    reports = []
    for seed in (1, 2):  # who is faster
        exploration = Limited(Runner(played(steps), {"soc": "Ascend950PR_9599"}), 2, 0)
        parallel.Campaign(exploration, AnyOrder(random.Random(seed))).search(False)
        reports.append(exploration.report)
    one, two = reports
    assert one.runs > 10
    assert (one.text(), one.cut, one.pending) == (two.text(), two.cut, two.pending)
    assert [r.choices for r in one.outcomes] == [r.choices for r in two.outcomes]
