"""An exploration by many workers: any `concurrent.futures.Executor` runs the schedules, this process decides which.

A worker gets a batch of branches with the steps that lead to them, and sends back what it did from there on. All
analysis stays here, so that no class is run twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.block_splits import Split, Splits
from ascend_sim.explore.runs import Run, Runner
from ascend_sim.explore.search import Branch, Search
from ascend_sim.explore.trace import Trace
from ascend_sim.explore.tree import Node, Step
from ascend_sim.explore.values import Cells, Known
from ascend_sim.findings import from_json
from ascend_sim.runtime.real_time import real_ns

if TYPE_CHECKING:
    from ascend_sim.explore.explorer import Exploration

__all__ = ["Campaign", "run_batch"]

LARGEST_BATCH = 64
IN_FLIGHT = 8
"""Batches that are on their way at once."""

Packed = tuple[str, tuple[str, ...], tuple[int, ...], Any, Any, Any]
"""A step: process, who could have gone on, causes, items, check, watched values."""


class Told(Exception):
    """An exception of the program in a worker, as text."""


@attrs.frozen
class Job:
    """A branch on its way: the steps to it, what is asleep there, and its older siblings' steps."""

    path: list[Packed]
    enabled: tuple[str, ...]
    asleep: dict[str, Any]
    older: list[tuple[str, Any]]
    process: str


@attrs.frozen
class Done:
    """What a worker did for a job."""

    steps: list[Packed]
    run: Run
    findings: list[dict[str, Any]]
    cut: bool
    trouble: str
    known: Known
    sharing: frozenset[str]
    """The launches that may miss cores which others hold."""


def pack(step: Step) -> Packed:
    """*step* as it travels."""
    return step.process, step.node.enabled, step.causes, step.items, step.check, step.cells


def _unpack(packed: Packed, node: Node) -> Step:
    process, node.enabled, causes, items, check, cells = packed
    step = Step(node, process)
    step.causes, step.items, step.check, step.cells = causes, items, check, cells
    node.children[process] = items
    return step


def run_batch(
    program: Callable[..., Any], options: Mapping[str, Any], all_hosts: bool, known: Known,
    way: str, apart: Mapping[str, Split], left: int, jobs: list[Job],
) -> list[Done]:  # fmt: skip
    """In a worker: run *jobs* within *left* ns. *way*: how far launches are taken apart; *apart*: those that are."""
    from ascend_sim.explore.explorer import quiet_group

    runner = Runner(program, options)
    runner.end = real_ns() + left
    splits = Splits(way, apart)
    done = []
    with quiet_group():
        for job in jobs:
            cells = Cells(known, splits)
            node = Node(None, 0, 0)
            for packed in job.path:
                step = _unpack(packed, node)
                node = Node(step, node.depth + 1, 0)
            node.enabled, node.asleep = job.enabled, job.asleep
            for process, items in job.older:
                node.children[process] = items
            node.children[job.process] = None
            trace = Trace(Search(), Branch(0, 0, 0, node, job.process))
            run = runner.run(trace, cells, all_hosts)
            trace.reached_branch()
            findings = [finding.to_json() for finding in run.findings]
            error = None if run.error is None else Told(f"{type(run.error).__name__}: {run.error}")
            steps = [pack(step) for step in trace.steps[trace.fresh :]]
            run = attrs.evolve(run, findings=(), error=error)
            done.append(Done(steps, run, findings, trace.cut, trace.trouble, cells.travelling(), splits.shared()))
    return done


class Campaign:
    """The side that decides."""

    def __init__(self, exploration: Exploration, executor: Executor) -> None:
        self._exploration = exploration
        self._executor = executor
        self._running: dict[Future[list[Done]], list[Branch]] = {}

    def search(self, all_hosts: bool) -> None:
        """Every class once, as far as the budget goes."""
        exploration = self._exploration
        report, cells = exploration.report, exploration.cells
        search = self._begin(all_hosts)
        while search is not None:
            self._send(search, all_hosts)
            if not self._running:
                break
            finished, _ = wait(self._running, return_when=FIRST_COMPLETED)
            for future in finished:
                for branch, done in zip(self._running.pop(future), future.result(), strict=True):
                    cells.join(done.known)
                    for launch in sorted(done.sharing):
                        cells.splits.share(launch)
                    if not cells.grown and not cells.splits.grown and not report.trouble:
                        self._take(search, branch, done)
            report.pending = len(search.pending) + sum(len(branches) for branches in self._running.values())
            if cells.grown or cells.splits.grown or report.trouble:
                wait(self._running)
                self._running.clear()
                search = None if report.trouble else self._begin(all_hosts)
        if search is not None:
            if not search.pending and not report.unfinished:
                report.finished()
            report.left(search)

    def _begin(self, all_hosts: bool) -> Search | None:
        """The first run, here; None when the program is not deterministic."""
        from ascend_sim.explore.explorer import quiet_group

        exploration = self._exploration
        report, cells = exploration.report, exploration.cells
        with quiet_group():
            while True:
                search = Search()
                report.begin(all_hosts)
                trace = Trace(search, None)
                cells.grown = cells.splits.grown = False
                run = exploration.runner.run(trace, cells, all_hosts)
                if run.late:
                    report.unfinished = len(trace.steps)
                    return None
                if cells.grown or exploration.learn(search, trace, run):
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
        while len(self._running) < IN_FLIGHT and not exploration.over():
            size = max(min(len(search.pending) // IN_FLIGHT, LARGEST_BATCH), 1)
            branches = search.several(size)
            if not branches:
                return
            runner, known, splits = exploration.runner, exploration.cells.travelling(), exploration.cells.splits
            jobs = [_job(branch) for branch in branches]
            options = {name: value for name, value in runner.options.items() if name != "threads"}
            left = max(runner.end - real_ns(), 1)
            future = self._executor.submit(
                run_batch, runner.program, options, all_hosts, known, splits.way, dict(splits.chosen), left, jobs
            )
            self._running[future] = branches

    def _take(self, search: Search, branch: Branch, done: Done) -> None:
        """A run came back."""
        exploration = self._exploration
        if done.run.late:
            exploration.report.unfinished = branch.node.depth + len(done.steps)
            return
        if done.trouble:
            exploration.report.trouble = done.trouble
            return
        trace = Trace(search, branch)
        steps = branch.node.path()
        node = branch.node
        for packed in done.steps:
            step = _unpack(packed, node)
            steps.append(step)
            node = node.after(step)
        trace.steps, trace.cut = steps, done.cut
        if exploration.learn(search, trace, done.run):
            return
        findings = tuple(from_json(value) for value in done.findings)
        exploration.add(trace, attrs.evolve(done.run, findings=findings))


def _job(branch: Branch) -> Job:
    node = branch.node
    older = []
    for process, items in node.children.items():
        if process == branch.process:
            break
        older.append((process, items))
    return Job([pack(step) for step in node.path()], node.enabled, node.asleep, older, branch.process)
