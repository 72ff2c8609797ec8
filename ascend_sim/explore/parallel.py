"""An exploration by many workers: any `concurrent.futures.Executor` searches parts of the tree, this process hands them out.

A worker gets a few branches with the steps that lead to them, and a share of runs. It searches what comes after these
branches, and sends back what it found and what is left (`subtrees.py`). What comes back is taken in in the order in which
it was sent out, so that the search does not depend on who was faster.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures import TimeoutError as NotYet  # of its own on Python 3.10
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.control.blocks.granularity import Splits
from ascend_sim.explore.control.known_state import KnownSets, KnownState
from ascend_sim.explore.report import Part, Report
from ascend_sim.explore.runs import runner_of
from ascend_sim.explore.search.dpor import Branch, Search
from ascend_sim.explore.search.run_path import Trace
from ascend_sim.explore.search.subtrees import Job, Left, Subtree, job_of, take_in
from ascend_sim.findings.finding import from_json
from ascend_sim.findings.levels import Levels
from ascend_sim.runtime.threads.real_time import real_ns
from ascend_sim.source.callsite import Frame

if TYPE_CHECKING:
    from ascend_sim.explore.explorer import Exploration

__all__ = ["Campaign", "run_jobs"]

IN_FLIGHT = 8
"""Batches that are on their way at once."""
LARGEST_BATCH = 16
"""Branches in one."""
LEAST_SHARE, LARGEST_SHARE = 8, 256
"""Runs for one batch: few at first, so that there is soon something to do for everyone."""


class WorkerLost(Exception):
    """The process that ran a batch died: the batch is as it was, and can be run again."""


ATTEMPTS = 3
"""So often a batch is handed out whose processes die."""
GATHERING_NS = 10_000_000_000
"""Real ns after Ctrl-C for what workers have found so far."""
PATIENCE = 0.1
"""Seconds between two looks whether Ctrl-C was pressed."""


class RemoteError(Exception):
    """An exception of the program in a worker, as text."""


@attrs.frozen
class Batch:
    """What a worker is to do. *share*: runs; *left_ns*: real time, 0: without end; *stops*: the first failure ends it.

    *known*, *splits*: what runs have to know. *levels*, *baseline*: what counts as a failure, and which are known.
    """

    program: Callable[..., Any]
    options: Mapping[str, Any]
    all_hosts: bool
    known: KnownSets
    splits: Splits
    share: int
    left_ns: int
    stops: bool
    jobs: list[Job]
    levels: Levels
    baseline: frozenset[str]
    mark: str = ""
    """A file: where there is one, the search was interrupted."""

    def work(self) -> tuple[Any, ...]:
        """What is the same in all batches of an exploration."""
        return self.program, self.options, self.levels, self.baseline

    def without_work(self) -> Batch:
        """Without `work`, which goes to a worker once."""
        return attrs.evolve(self, program=_no_program, options={}, levels=Levels(), baseline=frozenset())

    def with_work(self, work: tuple[Any, ...]) -> Batch:
        """The whole again."""
        program, options, levels, baseline = work
        return attrs.evolve(self, program=program, options=options, levels=levels, baseline=baseline)


def _no_program() -> None:
    """Stands for the program where it is known."""


@attrs.frozen
class Done:
    """What a worker did: what is *left* of each job, and what it *found*, the findings as JSON."""

    left: list[Left]
    found: Part
    findings: list[dict[str, Any] | None]
    trouble: str
    unfinished: int
    """How many steps a run had when the time was up; 0: that did not happen."""
    left_at: tuple[Frame, ...]
    met: list[dict[str, Any]]
    """Where the program of that run was then, and what it had found."""
    known: KnownSets
    splits: Splits


def run_jobs(batch: Batch) -> Done:
    """In a worker: search below the branches of *batch*."""
    worker = _Worker(batch)
    with worker.runner.quiet():
        left = [worker.search(Subtree(job)) if worker.goes_on() else Left() for job in batch.jobs]
    found = worker.report.part()
    findings: list[dict[str, Any] | None] = []
    for _, failure in found.failures:
        findings.append(None if failure.finding is None else failure.finding.to_json())
        failure.finding = None
        if failure.error is not None:
            failure.error = RemoteError(f"{type(failure.error).__name__}: {failure.error}")
    known_state = worker.known_state
    report = worker.report
    return Done(
        left, found, findings, worker.trouble, report.unfinished, report.left_at,
        [finding.to_json() for finding in report.met], known_state.sets(), known_state.splits.copy(),
    )  # fmt: skip


class _Worker:
    """One batch in a worker."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.runner = runner_of(batch.program, batch.options, batch.levels)
        self.runner.shows_each = True
        self.known_state = KnownState(batch.known, batch.splits)
        self.report = Report(None, self.runner.options, self.runner.title, "table", batch.splits, batch.baseline)
        self.report.begin(batch.all_hosts)
        self.trouble = ""
        self.grown = False
        self.runner.end = real_ns() + batch.left_ns if batch.left_ns else 0
        self.runner.mark = batch.mark

    def goes_on(self) -> bool:
        """Whether there is anything more to run."""
        report, batch = self.report, self.batch
        if self.trouble or self.grown or report.unfinished or report.runs >= batch.share:
            return False
        return not (batch.stops and report.new) and not self.runner.ended()

    def search(self, search: Subtree) -> Left:
        """Run *search*, until the share is used up."""
        known_state = self.known_state
        branch: Branch | None = search.first
        while branch is not None:
            trace = Trace(search, branch)
            known_state.grown = known_state.splits.grown = False
            run = self.runner.run(trace, known_state, self.batch.all_hosts)
            if run.late:
                self.report.leave(trace, run)
                return search.left(None)
            trace.reached_branch()
            if trace.trouble:
                self.trouble = trace.trouble
                return Left()
            if not known_state.grown:
                search.learn(trace.steps, trace.fresh, run.blocked)
                known_state.splits.look(trace.steps, trace.fresh, run.launches)
            self.grown = known_state.grown or known_state.splits.grown
            self.report.add(trace, run)
            branch = search.next()
            if not self.goes_on():
                break
        return search.left(branch)


class Campaign:
    """The side that decides."""

    def __init__(self, exploration: Exploration, executor: Executor) -> None:
        self._exploration = exploration
        self._executor = executor
        self._running: deque[tuple[Future[Done], list[Branch], Batch]] = deque()
        self._folder = ""
        """Where the mark of Ctrl-C is put; empty: it could not be made."""

    def search(self, all_hosts: bool) -> None:
        """Every class once, as far as the budget goes."""
        report, known_state = self._exploration.report, self._exploration.known_state
        search = self._begin(all_hosts)
        with suppress(OSError):
            self._folder = tempfile.mkdtemp(prefix="ascend-sim-explore-")
        try:
            while search is not None:
                self._send(search, all_hosts)
                if not self._running:
                    break
                future, branches, batch = self._running.popleft()
                done = self._done(future, batch)
                if report.interrupted:
                    if done is None:
                        self._running.appendleft((future, branches, batch))
                    else:
                        self._take(search, branches, done)
                    self._gather(search)
                    report.pending = len(search.pending)
                    break
                if done is None:
                    report.lost += len(branches)
                else:
                    self._take(search, branches, done)
                report.pending = len(search.pending) + self._away()
                if report.trouble:
                    search = None
                elif (known_state.grown or known_state.splits.grown) and not self._exploration.over():
                    self._end()
                    search = self._begin(all_hosts)
        finally:
            self._end()
            shutil.rmtree(self._folder, ignore_errors=True)
        if search is not None and report.interrupted:
            report.unfinished, left = report.unfinished, report.pending
            report.left(search)
            report.pending = max(report.pending, left)
        elif search is not None:
            if not search.pending and not report.unfinished and not report.lost:
                report.finished()
            report.left(search)

    def _gather(self, search: Search) -> None:
        """Ctrl-C: workers leave what they run, and what they have found so far is taken in."""
        if self._folder:
            with suppress(OSError):
                open(self._mark, "xb").close()
        end = real_ns() + GATHERING_NS
        while self._running:
            future, branches, _ = self._running.popleft()
            done = None
            if not future.cancel():
                with suppress(NotYet, WorkerLost, BrokenExecutor, CancelledError):
                    done = future.result(max(end - real_ns(), 0) / 1e9)
            if done is not None and not done.trouble:
                self._take(search, branches, done)
            else:
                for branch in branches:
                    search.again(branch)

    @property
    def _mark(self) -> str:
        return os.path.join(self._folder, "interrupted") if self._folder else ""

    def _away(self) -> int:
        """How many branches are on their way."""
        return sum(len(branches) for _, branches, _ in self._running)

    def _done(self, future: Future[Done], batch: Batch) -> Done | None:
        """What came back: handed out again when its process died; None after too many deaths, or Ctrl-C."""
        for left in reversed(range(ATTEMPTS)):
            try:
                return self._result(future)
            except WorkerLost:
                if left:
                    future = self._executor.submit(run_jobs, batch)
        return None

    def _result(self, future: Future[Done]) -> Done | None:
        """What came back; None after Ctrl-C, which a wait without end would not notice."""
        while True:
            if self._exploration.report.interrupted:
                return None
            try:
                return future.result(PATIENCE)
            except NotYet:
                if future.done():
                    raise

    def _end(self) -> None:
        """Nothing of what is on its way is of use any more."""
        for future, *_ in self._running:
            future.cancel()
        self._running.clear()

    def _begin(self, all_hosts: bool) -> Search | None:
        """The first run, here; None when the program is not deterministic."""
        exploration = self._exploration
        report, known_state = exploration.report, exploration.known_state
        with exploration.runner.quiet():
            while True:
                search = Search()
                report.begin(all_hosts)
                trace = Trace(search, None)
                known_state.grown = known_state.splits.grown = False
                run = exploration.runner.run(trace, known_state, all_hosts)
                if run.late:
                    report.leave(trace, run)
                    return None
                if known_state.grown or exploration.learn(search, trace, run):
                    continue
                exploration.check_again(trace, run, all_hosts)
                break
        if report.trouble:
            return None
        exploration.add(trace, run)
        return search

    def _send(self, search: Search, all_hosts: bool) -> None:
        """Keep the workers busy, unless the time is up."""
        exploration = self._exploration
        runner, known_state = exploration.runner, exploration.known_state
        options = {name: value for name, value in runner.options.items() if name != "threads"}
        while len(self._running) < IN_FLIGHT and not exploration.over():
            branches = search.several(max(min(len(search.pending) // IN_FLIGHT, LARGEST_BATCH), 1))
            if not branches:
                return
            share = max(min(exploration.report.runs // IN_FLIGHT, LARGEST_SHARE), LEAST_SHARE)
            left_ns = max(runner.end - real_ns(), 1) if runner.end else 0
            jobs = [job_of(search, branch) for branch in branches]
            batch = Batch(
                runner.program, options, all_hosts, known_state.sets(), known_state.splits.copy(), share,
                left_ns, exploration.stops, jobs, runner.levels, exploration.report.baseline, self._mark,
            )  # fmt: skip
            self._running.append((self._executor.submit(run_jobs, batch), branches, batch))

    def _take(self, search: Search, branches: list[Branch], done: Done) -> None:
        """A batch came back."""
        exploration = self._exploration
        known_state = exploration.known_state
        if done.trouble:
            exploration.report.trouble = done.trouble
            return
        known_state.join(done.known)
        known_state.splits.join(done.splits)
        for branch, left in zip(branches, done.left, strict=True):
            take_in(search, branch, left)
        for (_, failure), finding in zip(done.found.failures, done.findings, strict=True):
            failure.finding = None if finding is None else from_json(finding)
        exploration.join(done.found)
        if done.unfinished:
            exploration.report.left_elsewhere(done.unfinished, done.left_at, map(from_json, done.met))
