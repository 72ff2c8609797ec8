"""Runs of the program: each under a strategy, in a simulator of its own."""

from __future__ import annotations

import gc
import inspect
import itertools
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import attrs

from ascend_sim.errors import SimulatedHang
from ascend_sim.explore.control.blocks.granularity import Ran, Split
from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.control.run_limit import OutOfTime, RunLimit
from ascend_sim.explore.control.stable_hashes import restart, stable_hashes
from ascend_sim.explore.late_runs import LateRuns
from ascend_sim.explore.outcome import Outcome, plain, without_addresses
from ascend_sim.explore.search.dpor import Blocked
from ascend_sim.explore.search.strategy import Strategy
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.levels import ERRORS, Levels
from ascend_sim.machine.allocations import Allocation
from ascend_sim.machine.arena import Backing
from ascend_sim.machine.profiles import DEFAULT_SOC
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.os_thread import JoinWait
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches
from ascend_sim.runtime.threads.real_time import real_ns
from ascend_sim.runtime.threads.shutdown import shut_down
from ascend_sim.simulator import Simulator
from ascend_sim.source.callsite import Activation, Frame
from ascend_sim.source.fence import said
from ascend_sim.source.frames import frames_of

__all__ = ["ForeignProgram", "Run", "Runner", "quiet_group", "runner_of"]


MOST_NAMED = 64
"""Allocations of outcomes that are called as the program calls them, of one search."""
FULL_COLLECTION = 64
"""So often (in runs) also what was still held when its run was over is taken away: by a thread that came to its end."""


@attrs.frozen
class Run:
    """What came of one run."""

    outcome: Outcome
    findings: tuple[Finding, ...]
    """Findings of the program that fail it (errors, unless more does), without those that follow from others."""
    marks: str
    """What the run decided that another could decide otherwise, in words."""
    blocked: tuple[Blocked, ...]
    relevant: frozenset[str]
    """What it knew to be relevant (`KnownState.relevant`)."""
    error: BaseException | None
    """The exception that ended the program."""
    threads: bool
    """It started a second thread."""
    launches: tuple[Ran, ...] = ()
    """Its launches of several blocks."""
    apart: Mapping[str, Split] = attrs.field(factory=dict)
    """The launches that were taken apart."""
    late: bool = False
    """It was left under way since the time was up: nothing of it counts."""
    left_at: tuple[Frame, ...] = ()
    """Where the program was then: at most one place."""


_ENVIRONMENT: dict[Any, Any] = vars(os.environ)["_data"]
"""The variables as `os.environ` keeps them: to read them all through that takes a hundredth of a run."""


def _restore(before: dict[Any, Any]) -> None:
    """A run has changed variables: the next one begins with the same environment."""
    changed = _ENVIRONMENT.items() ^ before.items()
    for key in {key for key, _ in changed}:
        name = os.environ.decodekey(key)
        if key in before:
            os.environ[name] = os.environ.decodevalue(before[key])
        else:
            del os.environ[name]


class ForeignProgram:
    """Base class of programs that do not run in the process of the search: they bring who runs them."""

    def make_runner(self, options: Mapping[str, Any], levels: Levels) -> Runner:
        """Who runs it. *options* are those of Simulator; *levels*: which findings fail a run."""
        raise NotImplementedError

    def __call__(self) -> Any:
        raise TypeError("this program runs in processes of its own")


def runner_of(program: Callable[..., Any], options: Mapping[str, Any], levels: Levels) -> Runner:
    """Who runs *program*."""
    if isinstance(program, ForeignProgram):
        return program.make_runner(options, levels)
    return Runner(program, options, levels)


class Runner:
    """Runs *program*, again and again. *options* are those of Simulator; *levels*: which findings fail a run."""

    def __init__(self, program: Callable[..., Any], options: Mapping[str, Any], levels: Levels = ERRORS) -> None:
        self.program = program
        self.levels = levels
        self.options = {"soc": DEFAULT_SOC, "checks": "all", **options, "threads": "deterministic"}
        self.title = str(getattr(program, "__qualname__", type(program).__name__))
        self._takes_simulator = _parameters(program) > 0
        self.end = 0
        """When runs that are still under way are left: real ns; 0: never."""
        self._runs = 0
        self._limit: RunLimit | None = None
        """That of the run whose program is under way."""
        self.mark = ""
        """A file: where there is one, somebody else has ended the search."""
        self._late_runs = LateRuns(self.leave_if_marked)
        self._stacks: dict[int, Activation] = {}
        """The call sites of runs before, which are those of the next one."""
        self._backing = Backing()
        self._told: dict[str, Finding] = {}
        """What runs before have found, by fingerprint."""
        self._reads_findings = False
        self.shows_each = False
        """The outcome of the first run is also told to somebody who has others."""
        self._first: Outcome | None = None
        self._names: dict[str, str] = {}
        """What the program calls the allocations of outcomes that differ."""

    def leave(self) -> None:
        """Let the run that is under way end at its next call, and let none begin."""
        self.end = 1
        if self._limit is not None:
            self._limit.end = 1

    def leave_if_marked(self) -> None:
        """End the run that is under way where there is a `mark`."""
        if self.mark and os.path.exists(self.mark):
            self.leave()

    def ended(self) -> bool:
        """Whether the search is over: its time, or somebody else has ended it."""
        self.leave_if_marked()
        return 0 < self.end <= real_ns()

    def leave_now(self) -> None:
        """The main thread stands in code of the program, which may never call again: raises OutOfTime, in a run."""
        if self._limit is not None:
            self._limit.check()

    def quiet(self) -> AbstractContextManager[None]:
        """What has to hold around runs."""
        return quiet_group(self._late_runs)

    def clear(self) -> None:
        """Take away what the run before left behind, before the next one makes anything."""
        self._runs += 1
        gc.collect(0 if self._runs % FULL_COLLECTION else 1)

    def run(
        self, strategy: Strategy, known_state: KnownState, all_hosts: bool = False,
        schedule: ControlledSchedule | None = None,
    ) -> Run:  # fmt: skip
        """One run: *strategy* chooses its steps. *schedule*: a special one for it, made after `clear`."""
        given = schedule
        if schedule is None:
            self.clear()
            schedule = ControlledSchedule(strategy, known_state, all_hosts)
        schedule.limit.end = self.end
        self._limit = schedule.limit
        sim = Simulator(schedule=schedule, **self.options)
        schedule.limit.findings = sim.findings
        sim.follow_environment()
        sim.outermost = _RUN
        sim.stacks = self._stacks
        sim.memory.backing = self._backing
        if not self._reads_findings:
            sim.findings.told = self._told
        value: Any = None
        ended = "returned"
        error: BaseException | None = None
        restart()
        environment = dict(_ENVIRONMENT)
        with _errors_of_threads() as errors:
            try:
                sim.open()
                try:
                    try:
                        self._late_runs.begin(schedule.limit)
                        value = self.program(sim) if self._takes_simulator else self.program()
                        _wait_for_threads(schedule.hosts.group)
                        schedule.hosts.last_of_main()
                    except SimulatedHang as hang:
                        ended, error = "deadlock", hang
                    except SystemExit as out:
                        ended = "returned" if not out.code else f"exit {out.code}"
                    except Exception as raised:  # noqa: BLE001 - whatever the program raises is its result
                        ended, error = f"{type(raised).__name__}: {said(raised)}", raised
                    finally:
                        self._limit = None  # what comes now cannot be left
                        self._late_runs.end()
                except OutOfTime:  # also in the text of what was raised
                    ended = "out of time"
                schedule.finish()
                recorder = schedule.recorder
                if errors and error is None and not schedule.limit.passed:
                    name, error = errors[0]
                    ended = f"{name}: {type(error).__name__}: {said(error)}"
                    if isinstance(error, SimulatedHang):
                        ended = "deadlock"
                outcome = Outcome(
                    without_addresses(ended), plain(value), recorder.reads(), recorder.codes(), tuple(recorder.memory())
                )
                if outcome != self._first:
                    outcome = self._named(outcome, sim, schedule.ids.blocks)
            finally:
                schedule.abandon()
                sim.close()
                shut_down(schedule.hosts.group)
                if environment != _ENVIRONMENT:
                    _restore(environment)
        self._reads_findings = self._reads_findings or sim.findings.read
        told = list(sim.findings)[: schedule.limit.met if schedule.limit.passed else None]
        schedule.limit.findings = ()
        findings = [f for f in told if self.levels.fails(f)]
        if not self._reads_findings:
            for one in findings:
                if one.fingerprint not in self._told:  # as it was when it was new
                    self._told[one.fingerprint] = one.evolved(count=1, followers=(), more_followers=0)
        marks = sim.checks.nondeterminism() if sim.checks is not None else ""
        found = Run(
            outcome, tuple(findings), marks, tuple(schedule.blocked), schedule.relevant, error, schedule.hosts.active,
            tuple(schedule.blocks.ran), dict(schedule.blocks.splits.chosen), schedule.limit.passed,
            frames_of(schedule.limit.stands)[:1],
        )  # fmt: skip
        if given is None and not schedule.hosts.group.multi:  # most goes at once then, and the collector has less to look at
            schedule.__dict__.clear()
            sim.hooks.clear()
        return found

    def _named(self, outcome: Outcome, sim: Simulator, blocks: Mapping[str, Allocation]) -> Outcome:
        """*outcome* with names for its allocations, which are *blocks* in *sim*: they are shown where outcomes differ.

        To look a name up takes longer than a run: those of a search with one outcome are none, and no allocation is
        looked up twice.
        """
        if self._first is None:
            self._first = outcome
            if not self.shows_each:
                return outcome
        for name in (*self._first.blocks(), *outcome.blocks()):
            if len(self._names) == MOST_NAMED:
                break
            if name in blocks and name not in self._names:
                called = sim.names.called(blocks[name])
                self._names[name] = called if called and called not in self._names.values() else name
        return attrs.evolve(outcome, names={name: text for name, text in self._names.items() if text != name})


_RUN = Runner.run.__code__


def _wait_for_threads(group: DeterministicThreads) -> None:
    """The program's last line was reached: the process would wait for threads that are no daemons."""
    me = group.here.os_thread
    while me is not None and group.multi:
        r = next((r for r in group.os_threads.values() if r is not me and not r.daemon), None)
        if r is None:
            return
        group.wait(me, r.ended, None, JoinWait(r))


@contextmanager
def _errors_of_threads() -> Iterator[list[tuple[str, BaseException]]]:
    """What ends threads other than the main one, by the thread's name; names of threads begin anew."""
    errors: list[tuple[str, BaseException]] = []

    def hook(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and args.exc_type is not SystemExit:  # as the library has it
            errors.append((args.thread.name if args.thread is not None else "a thread", args.exc_value))

    counter = getattr(threading, "_counter", None)
    before = threading.excepthook
    threading.excepthook = hook
    if counter is not None:
        threading._counter = itertools.count(1).__next__  # type: ignore[attr-defined]
    try:
        yield errors
    finally:
        threading.excepthook = before
        if counter is not None:
            threading._counter = counter  # type: ignore[attr-defined]


def _parameters(program: Callable[..., Any]) -> int:
    try:
        parameters = inspect.signature(program).parameters.values()
    except (TypeError, ValueError):
        return 0
    return sum(p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


@contextmanager
def quiet_group(late_runs: LateRuns | None = None) -> Iterator[None]:
    """A deterministic group in place for the runs, without the simulators that are open; the collector only when told."""
    group = DeterministicThreads.installed
    mine = group is None
    if group is None:
        group = DeterministicThreads(ThreadState)
        install_patches(group)
    sides, group.sides = group.sides, []
    lazy, now = group.lazy, group.now
    collecting = gc.isenabled()
    gc.collect(1)
    gc.freeze()
    gc.disable()
    try:
        with stable_hashes(), late_runs.watched() if late_runs is not None else nullcontext():
            yield
    finally:
        gc.collect(0)
        if collecting:
            gc.enable()
        gc.unfreeze()
        group.sides, group.lazy, group.now = sides, lazy, now
        if mine:
            uninstall_patches()
