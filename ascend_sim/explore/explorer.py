"""`explore`: run a program under every schedule that could make a difference, as far as the budget goes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import Any

import attrs

from ascend_sim.explore.control.blocks.granularity import BLOCKS, Splits
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.counterexamples.minimise import Minimiser
from ascend_sim.explore.report import DIFFERING, Failure, Part, Report, Result
from ascend_sim.explore.runs import Run, Runner, runner_of
from ascend_sim.explore.search.dpor import Search
from ascend_sim.explore.search.pct import PCT
from ascend_sim.explore.search.run_path import Trace
from ascend_sim.findings.levels import parse_levels
from ascend_sim.progress import Progress
from ascend_sim.runtime.threads.real_time import real_ns
from ascend_sim.runtime.threads.signal_handlers import in_program

__all__ = ["Exploration", "explore", "minimise_failures", "seconds"]

WAYS = ("all", "random")
HOSTS = ("both", "shared", "all")


def explore(
    program: Callable[..., Any],
    bound: int | None = 2,
    budget: str | float | None = "20s",
    *,
    stop: str = "never",
    save: str | os.PathLike[str] | None = None,
    way: str = "all",
    hosts: str = "both",
    blocks: str = "few",
    differing: str = "unmarked",
    executor: Any = None,
    progress: bool | None = None,
    most: int = 0,
    error_on: str | Iterable[str] = (),
    baseline: Iterable[str] = (),
    **options: Any,
) -> Report:
    """Run *program* under every meaningfully different order of its tasks and host threads.

    >>> from ascend_sim import ascendcl as C, explore
    >>> def program():
    ...     C.aclrtSetDevice(0)
    ...     (a, _), (b, _), (x, _) = C.aclrtCreateStream(), C.aclrtCreateStream(), C.aclrtMalloc(64, 0)
    ...     C.aclrtMemsetAsync(x, 64, 1, 64, a)
    ...     C.aclrtMemsetAsync(x, 64, 2, 64, b)  # nothing orders it behind the first
    ...     C.aclrtSynchronizeDevice()
    >>> report = explore(program, progress=False)
    >>> report.exhausted, report.classes, [failure.kind for failure in report.failures]
    (True, 2, ['race'])

    *program* is called again and again, each time in a fresh simulator made with *options* (those of Simulator); a
    parameter without default gets that simulator. It has to do the same whenever the order is the same: no clock, no
    random numbers but seeded ones. *bound*: how many preemptions a schedule must not exceed for the search to count as
    complete; orders with more come later, none is dropped. *budget*: seconds, or text such as ``"20s"`` or ``"2m"``;
    None: as long as it takes.
    *stop*: ``never``, or ``finding``: end at the first failure. *save*: the file for the schedule of the first failure;
    those of others get a number in their names. They are written at once, and again when they were made shorter.

    *differing*: when results that depend on the order are a failure of kind ``result``. ``unmarked``: when two schedules
    without error finding, exception and order mark disagree, so that nothing gives the program leave to; ``error``:
    always; ``table``: never. All that were seen are in the report's table.

    *way*: ``all``, or ``random``: schedules drawn by random priorities (PCT), for what is too large to be exhausted.
    *hosts*: what host threads share. ``shared``: locks, queues and API objects; ``all``: anything, so that no two of
    their steps may change places; ``both``: first the one, then, while the budget lasts, the other. ``shared`` does not
    see what only Python knows, clocks, and the numbers of handles. *executor*: a `concurrent.futures.Executor` that
    runs the schedules, with *program* importable in its workers. *progress*: a line on stderr; None: when that is a
    terminal. Ctrl-C in the main thread ends the search: the report has what was found so far, and `interrupted` is true; a
    second one raises KeyboardInterrupt.

    *blocks*: what is a step in a launch of a kernel. Blocks that conflict with another block, or with anything that may
    run at the same time, go in every order, and what else conflicts may come between; the others cannot make a
    difference. ``few``: of a launch with more than five such blocks the first two and the last two go alone, and what is
    left of them goes together (the report says so); ``all``: each goes alone, which may be more orders than anybody can
    run; ``whole``: a launch is one step. A part of a block between two waits is a step, whatever flags it sets on the
    way. Blocks start in their order, when a core of their own launch is free. The cores that other launches hold are
    counted only between kernels whose blocks wait: with too few for both, each may hold some. Atomic updates have no
    order, as for the race detector; with ``all`` those of floats do, since a sum in another order may differ in its last
    bits. Kernels with ``batch=True`` are one step. When a block fails, those that would go after it do not run.

    *most*: so many runs at most (0: no limit), which ends the search in the same place on every machine.

    *error_on*: what is a failure besides error findings: ``"warning"``, or kinds of findings. *baseline*: fingerprints
    of failures that are known: the report has them, marked, but they do not make it true, nor end a search for the first.

    Returns a `Report`: true when something failed; `failures`, `outcomes`, `classes`, `exhausted`, `text()`. A program
    that raises is a failure of kind ``exception``, not an error of `explore`. Raises ValueError for a bad budget or option.
    """
    for name, value, known in (
        ("stop", stop, ("never", "finding")), ("way", way, WAYS), ("hosts", hosts, HOSTS),
        ("differing", differing, DIFFERING), ("blocks", blocks, BLOCKS),
    ):  # fmt: skip
        if value not in known:
            raise ValueError(f"{name} is {value!r}: {' or '.join(known)} is required")
    if executor is not None and way == "random":
        raise ValueError("random schedules are drawn in this process: way 'all' is required for an executor")
    if budget is None and way == "random":
        raise ValueError("budget is None: random schedules are drawn until a time is up")
    end = 0 if budget is None else real_ns() + int(seconds(budget) * 1e9)
    shown = Progress.wanted(progress, "classes")
    runner = runner_of(program, options, parse_levels(error_on))
    exploration = Exploration(runner, bound, end, stop, save, shown, differing, blocks, frozenset(baseline), most)
    search = exploration.search
    if executor is not None:
        from ascend_sim.explore.parallel import Campaign

        search = Campaign(exploration, executor).search
    with exploration.interruptible(), nullcontext() if executor is not None else runner.quiet():
        try:
            if way == "random":
                exploration.draw(int(options.get("seed", 0)))
            else:
                search(hosts == "all")
                if hosts == "both" and exploration.wants_more():
                    search(True)
        finally:
            exploration.progress.end()
        if executor is None:
            minimise_failures(exploration.runner, exploration.report)
    if executor is not None:
        with runner.quiet():
            minimise_failures(exploration.runner, exploration.report)
    return exploration.report


SAME_NS = 300_000_000
"""Real ns in which a second interrupt is the first one: who started us passes on what the terminal has sent to all."""


class Exploration:
    """One call of `explore`: where its runs are counted and judged. *end*: real ns; 0: never."""

    def __init__(
        self,
        runner: Runner,
        bound: int | None,
        end: int,
        stop: str = "never",
        save: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
        differing: str = "unmarked",
        blocks: str = "few",
        baseline: frozenset[str] = frozenset(),
        most: int = 0,
    ) -> None:
        self._most = most
        self.runner = runner
        self.known_state = KnownState(splits=Splits(blocks))
        self.report = Report(bound, runner.options, runner.title, differing, self.known_state.splits, baseline)
        self.progress = progress if progress is not None else Progress(None)
        self._end = runner.end = end
        self._stop = stop
        self._save = save

    def over(self) -> bool:
        """The time is up, or what was looked for is found."""
        if 0 < self._most <= self.report.runs:
            return True
        return self.report.interrupted or 0 < self._end <= real_ns() or (self._stop == "finding" and bool(self.report))

    @property
    def stops(self) -> bool:
        """The first failure ends the search."""
        return self._stop == "finding"

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """While it lasts Ctrl-C ends the search, and not the program that is just run; a second one is as ever."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        first = 0

        def interrupted(number: int, frame: FrameType | None) -> None:
            nonlocal first
            if self.report.interrupted and real_ns() - first >= SAME_NS:
                raise KeyboardInterrupt
            if self.report.interrupted:
                return
            first = real_ns()
            self.report.interrupted = True
            self.runner.leave()
            if in_program(frame):
                self.runner.leave_now()

        before = signal.signal(signal.SIGINT, interrupted)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def wants_more(self) -> bool:
        """Whether the host threads' other steps are still to be looked at."""
        report = self.report
        return report.exhausted and report.threads and not report.trouble and not self.over()

    def add(self, trace: Trace, run: Run) -> None:
        """One more run: write the schedules of new failures, show how far we are."""
        self._keep(self.report.add(trace, run))

    def join(self, part: Part) -> None:
        """Add what another process has run."""
        self._keep(self.report.join(part))

    def _keep(self, fresh: list[Failure]) -> None:
        report = self.report
        for failure in fresh:
            if self._save is not None:
                failure.path = _numbered(os.fspath(self._save), report.failures.index(failure) + 1)
                failure.save(failure.path)
        failed = f"{len(report.failures)} failures" if report.failures else ""
        done = report.host_classes if report.all_hosts else report.classes
        self.progress.show(done, 0 if report.drawn else report.estimate, failed, self._end)

    def search(self, all_hosts: bool) -> None:
        """Every class once, as far as the budget goes."""
        report, known_state = self.report, self.known_state
        search, branch = Search(), None
        report.begin(all_hosts)
        while True:
            trace = Trace(search, branch)
            known_state.grown = known_state.splits.grown = False
            run = self.runner.run(trace, known_state, all_hosts)
            if run.late:
                report.leave(trace, run)
                break
            trace.reached_branch()
            grown = known_state.grown
            if not trace.trouble and not grown:
                grown = self.learn(search, trace, run)
            if branch is None and not trace.trouble and not grown:
                self.check_again(trace, run, all_hosts)
            if trace.trouble or report.trouble:
                report.trouble = report.trouble or trace.trouble
                break
            if grown and not self.over():  # earlier runs did not look at that value, or at those blocks: begin again
                search, branch = Search(), None
                report.begin(all_hosts)
                continue
            self.add(trace, run)
            report.pending = len(search.pending)
            if search.pending and self.over():
                break
            branch = search.next()
            if branch is None:
                report.finished()
                break
        report.left(search)

    def learn(self, search: Search, trace: Trace, run: Run) -> bool:
        """Take in a run. True: launches have to be taken apart further, the search begins again."""
        search.learn(trace.steps, trace.fresh, run.blocked)
        self.known_state.splits.look(trace.steps, trace.fresh, run.launches)
        return self.known_state.splits.grown

    def check_again(self, trace: Trace, run: Run, all_hosts: bool) -> None:
        """The first schedule twice: is the program deterministic?"""
        again = Trace(trace.search, None, trace.steps)
        second = self.runner.run(again, self.known_state, all_hosts)
        if second.late:
            return
        if not again.same_end():
            self.report.trouble = again.trouble
        elif second.outcome != run.outcome:
            what, one, two = run.outcome.differences(second.outcome, second.outcome.names)[0]
            self.report.trouble = f"the same steps give different results: {what}: {one} or {two}"

    def draw(self, seed: int) -> None:
        """Schedules by random priorities until the budget is spent."""
        report = self.report
        report.drawn = True
        number = 0
        length = 0
        while True:
            search = Search()
            trace = PCT(search, seed + number, length)
            run = self.runner.run(trace, self.known_state)
            if run.late:
                report.leave(trace, run)
                break
            length = max(length, len(trace.steps))
            self.known_state.splits.look(trace.steps, 0, run.launches, ordered=False)
            self.add(trace, run)
            number += 1
            if self.over():
                break


MINIMISED = 5
MINIMISING_NS = 10_000_000_000
"""Real ns that minimising all failures may take together."""


def minimise_failures(runner: Runner, report: Report) -> None:
    """Take away the choices that a failure does not need; also of the first two results."""
    if report.trouble or report.interrupted:
        return
    runner.end = real_ns() + MINIMISING_NS  # with fewer choices the program may go on for ever
    minimiser = Minimiser(runner)
    shown: list[Failure | Result] = [*report.failures[:MINIMISED]]
    if report.differing:
        shown += report.outcomes[:2]
    plain = None if report.all_hosts or not report.outcomes else report.outcomes[0]
    if plain is not None and (plain.recording.choices or plain.recording.full or plain.recording.blocks):
        plain = None
    for one in shown:
        if one is plain:
            continue  # it comes without any choice, and was run twice
        recording = one.recording
        first = plain is None or one.choices == plain.choices
        found = minimiser.minimise(recording.choices, one.shown_by, recording.full, recording.blocks, first=first)
        if found is None and real_ns() >= runner.end:
            return
        if found is None:
            report.trouble = report.trouble or f"its schedule does not lead to it again: {one.recording.title}"
            continue
        one.recording = attrs.evolve(
            one.recording,
            choices=tuple(found.choices),
            default=found.default,
            steps=tuple(found.strategy.summaries),
            blocks=found.apart,
            words=found.words,
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
