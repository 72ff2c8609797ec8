"""`explore`: run a program under every schedule that could make a difference, as far as the budget goes."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ascend_sim.explore.report import Failure, Report
from ascend_sim.explore.runs import Run, Runner
from ascend_sim.explore.search import Search
from ascend_sim.explore.trace import Trace
from ascend_sim.explore.values import Cells
from ascend_sim.runtime.baton import DeterministicThreads
from ascend_sim.runtime.real_time import real_ns
from ascend_sim.runtime.thread_patches import install_patches, uninstall_patches
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["explore", "seconds"]


def explore(
    program: Callable[..., Any], bound: int | None = 2, budget: str | float = "20s", stop: str = "never", **options: Any
) -> Report:
    """Run *program* under every meaningfully different order of its tasks.

    *program* is called again and again, each time in a fresh simulator made with *options* (those of Simulator); a
    parameter without default gets that simulator. It has to do the same whenever the order is the same: no clock, no
    random numbers but seeded ones. *bound*: how many preemptions a schedule must not exceed for the search to count as
    complete; orders with more come later, none is dropped. *budget*: seconds, or text such as ``"20s"`` or ``"2m"``.
    *stop*: ``never``, or ``finding``: end at the first failure.

    Raises ValueError for a bad budget or option.
    """
    if stop not in ("never", "finding"):
        raise ValueError(f"stop is {stop!r}: never or finding is required")
    end = real_ns() + int(seconds(budget) * 1e9)
    runner = Runner(program, options)
    with quiet_group():
        return _search(runner, Search(), bound, end, stop)


def _search(runner: Runner, search: Search, bound: int | None, end: int, stop: str) -> Report:
    report = Report(bound, runner.options)
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
            search, branch, report = Search(), None, Report(bound, runner.options)
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
        report.add(trace, run)
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


__all__ += ["Failure", "Run", "collect", "quiet_group"]
