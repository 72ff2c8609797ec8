"""`explore`: run a program under every schedule that could make a difference, as far as the budget goes."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import attrs

from ascend_sim.explore.report import Failure, Report, Result
from ascend_sim.explore.runs import Runner
from ascend_sim.explore.search import Search
from ascend_sim.explore.shrinking import shrink
from ascend_sim.explore.trace import Trace
from ascend_sim.explore.values import Cells
from ascend_sim.runtime.baton import DeterministicThreads
from ascend_sim.runtime.real_time import real_ns
from ascend_sim.runtime.thread_patches import install_patches, uninstall_patches
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["collect", "explore", "quiet_group", "seconds", "shorten"]


def explore(
    program: Callable[..., Any],
    bound: int | None = 2,
    budget: str | float = "20s",
    stop: str = "never",
    save: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Report:
    """Run *program* under every meaningfully different order of its tasks.

    *program* is called again and again, each time in a fresh simulator made with *options* (those of Simulator); a
    parameter without default gets that simulator. It has to do the same whenever the order is the same: no clock, no
    random numbers but seeded ones. *bound*: how many preemptions a schedule must not exceed for the search to count as
    complete; orders with more come later, none is dropped. *budget*: seconds, or text such as ``"20s"`` or ``"2m"``.
    *stop*: ``never``, or ``finding``: end at the first failure. *save*: the file for the schedule of the first failure;
    those of others get a number in their names. They are written at once, and again when they were made shorter.

    Raises ValueError for a bad budget or option.
    """
    if stop not in ("never", "finding"):
        raise ValueError(f"stop is {stop!r}: never or finding is required")
    end = real_ns() + int(seconds(budget) * 1e9)
    runner = Runner(program, options)
    with quiet_group():
        report = _search(runner, bound, end, stop, save)
        shorten(runner, report)
    return report


def _search(runner: Runner, bound: int | None, end: int, stop: str, save: str | os.PathLike[str] | None) -> Report:
    search, report = Search(), Report(bound, runner.options, runner.title)
    cells = Cells()
    branch = None
    while True:
        trace = Trace(search, branch)
        cells.grown = False
        run = runner.run(trace, cells)
        collect(report.runs)
        trace.reached_branch()
        if trace.trouble:
            report.trouble = trace.trouble
            break
        if cells.grown:  # earlier runs did not look at that value: begin again
            search, branch, report = Search(), None, Report(bound, runner.options, runner.title)
            continue
        if branch is None:  # the first schedule twice: is the program deterministic?
            again = Trace(search, None, trace.steps)
            second = runner.run(again, cells)
            if not again.same_end():
                report.trouble = again.trouble
                break
            if second.outcome != run.outcome:
                what, one, two = run.outcome.differences(second.outcome)[0]
                report.trouble = f"the same steps give different results: {what}: {one} or {two}"
                break
        search.learn(trace.steps, trace.fresh, run.blocked)
        for failure in report.add(trace, run):
            if save is not None:
                failure.path = _numbered(os.fspath(save), report.failures.index(failure) + 1)
                failure.save(failure.path)
        if stop == "finding" and report.failures:
            break
        if search.pending and real_ns() >= end:
            break
        branch = search.next()
        if branch is None:
            report.exhausted = True
            break
    report.left(search)
    return report


SHORTENED = 5


def shorten(runner: Runner, report: Report) -> None:
    """Take away forced choices that a failure does not need; also of the second result."""
    shown: list[Failure | Result] = [*report.failures[:SHORTENED]]
    if report.differing:
        shown += report.outcomes[:2]
    for one in shown:
        found = shrink(runner, one.recording.choices, one.shown_by)
        if found is None:
            report.trouble = report.trouble or f"its schedule does not lead to it again: {one.recording.title}"
            continue
        choices, default, guide = found
        one.recording = attrs.evolve(
            one.recording, choices=tuple(choices), default=default, steps=tuple(guide.told)
        )
        if isinstance(one, Failure) and one.path:
            one.save(one.path)


def _numbered(path: str, number: int) -> str:
    if number == 1:
        return path
    stem, dot, end = path.rpartition(".")
    return f"{stem}-{number}.{end}" if dot else f"{path}-{number}"


def seconds(budget: str | float) -> float:
    """The seconds of ``"20s"``, ``"500ms"``, ``"2m"``, ``"1h"`` or a number. Raises ValueError."""
    if isinstance(budget, (int, float)):
        value = float(budget)
    else:
        text = budget.strip().lower()
        for unit, factor in (("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)):
            if text.endswith(unit):
                try:
                    value = float(text[: len(text) - len(unit)]) * factor
                except ValueError:
                    raise ValueError(f"budget is {budget!r}: seconds are required, such as 20s or 2m") from None
                break
    if not value > 0:
        raise ValueError(f"budget is {budget!r}: it must be more than 0")
    return value


def collect(runs: int) -> None:
    """Take away what the run left behind; what stays is not looked at again."""
    gc.collect(0)
    if runs % 256 == 0:
        gc.freeze()


@contextmanager
def quiet_group() -> Iterator[None]:
    """A deterministic group in place for the runs, without the simulators that are open; no collector in between."""
    group = DeterministicThreads.installed
    mine = group is None
    if group is None:
        group = DeterministicThreads(ThreadState)
        install_patches(group)
    sides, group.sides = group.sides, []
    lazy, now = group.lazy, group.now
    collecting = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
        gc.unfreeze()
        group.sides, group.lazy, group.now = sides, lazy, now
        if mine:
            uninstall_patches()

