"""The simulator of one test: made before its other fixtures, judged after its last line, closed at its end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from ascend_sim.findings import rendering
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.languages import in_lines
from ascend_sim.findings.project_file import listed
from ascend_sim.findings.suppressions import Suppressions
from ascend_sim.runtime.processes.neighbours import enter_run
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches
from ascend_sim.runtime.threads.shutdown import shut_down
from ascend_sim.simulator import Simulator
from ascend_sim.source.callsite import SKIP_FRAMES
from ascend_sim.source.fence import said
from ascend_sim.testing.baselines import session_findings
from ascend_sim.testing.guard import refusal
from ascend_sim.testing.pytest_options import RequestedOptions, requested_options
from ascend_sim.testing.recorded_tests import REPLAYED, keep, recorded

__all__ = ["RUN", "SCHEDULE", "Run", "simulator"]


class Run:
    """One run of a test under one schedule."""

    def __init__(self, item: pytest.Item, wanted: RequestedOptions, schedule: str) -> None:
        self.item = item
        self.wanted = wanted
        self.schedule = schedule
        self._session = session_findings(item.config)
        self._known = _suppressed(item.config)
        if SKIP_FRAMES not in os.environ:
            os.environ[SKIP_FRAMES] = "\n".join(listed(str(item.config.rootpath), "skip-frames")[1])
        self._patched = False
        self.sim = self._make()

    def _make(self) -> Simulator:
        sim = Simulator(schedule=self.schedule, **self.wanted.options)
        sim.findings.suppressions = Suppressions(self._known, self._session.baseline)
        self._judged = 0
        return sim

    def open(self) -> Simulator:
        """Make it the current simulator; threads that the test starts run one at a time."""
        threads = self.sim.threads
        if isinstance(threads, DeterministicThreads) and DeterministicThreads.installed is None:
            install_patches(threads)
            self._patched = True
        return self._enter()

    def _enter(self) -> Simulator:
        sim = self.sim.open()
        sim.follow_environment()
        enter_run(sim)
        return sim

    def close(self) -> None:
        """End it, and the threads that the test left behind."""
        try:
            self._end()
        finally:
            if self._patched:
                uninstall_patches()

    def _end(self) -> None:
        try:
            self.sim.close()
            self._session.take(self.item.nodeid, self.sim.findings)
        finally:
            group = DeterministicThreads.installed
            if self._patched and group is not None:
                shut_down(group)

    def restart(self) -> None:
        """Another simulator in its place, as fresh as the first one was."""
        self._end()
        self.sim = self._make()
        self._enter()

    def errors(self) -> list[Finding]:
        """Findings that fail the test, each told once."""
        found = list(self.sim.findings)
        fresh, self._judged = found[self._judged :], len(found)
        return [f for f in fresh if self._counts(f)]

    def _counts(self, finding: Finding) -> bool:
        return self._session.fails(finding) and finding.kind not in self.wanted.allow

    def judge(self) -> None:
        """Fail the test when there is an error finding that nobody was told of."""
        errors = self.errors()
        if errors:
            kinds = ", ".join(dict.fromkeys(f.kind for f in errors))
            many = f"{len(errors)} findings" if len(errors) > 1 else "a finding"
            raise pytest.fail.Exception(in_lines(f"{many} of the simulator: {kinds}"), pytrace=False)

    def text(self) -> str:
        """What the report of a failure says: the findings, what it ran on, how to repeat it."""
        lines = []
        shown = [f for f in self.sim.findings if f.suppressed is None and f.cause is None]
        lines += [rendering.full(finding) + "\n" for finding in shown[: rendering.FULL_REPORTS]]
        lines += [rendering.short(finding).split("\n")[0] for finding in shown[rendering.FULL_REPORTS :]]
        marks = self.sim.checks.nondeterminism() if self.sim.checks is not None else ""
        if marks:
            lines.append(in_lines(marks))
        devices = f"{len(self.sim.devices)} device{'s' if len(self.sim.devices) != 1 else ''}"
        many = self.wanted.schedules.index(self.schedule) + 1, len(self.wanted.schedules)
        of = f" ({many[0]} of {many[1]})" if many[1] > 1 else ""
        lines.append(
            in_lines(
                f"simulated {self.sim.profile.name}, {devices}, seed {self.sim.seed}, schedule {self.schedule}{of}"
            )
        )
        command = f'pytest "{self.item.nodeid}" --ascend-schedules "{self.schedule}" --ascend-seed {self.sim.seed}'
        lines.append(f"{in_lines('again:')} {command}")
        return "\n".join(lines)

    def record(self, error: BaseException | None) -> str:
        """Keep the schedule of this failure in a file; of one that was in a file, say whether it is the same.

        Returns a line for the report.
        """
        found = next((f for f in self.sim.findings if self._counts(f)), None)
        options = {**self.wanted.options, "seed": self.sim.seed, "soc": self.sim.profile.name}
        text = f"{type(error).__name__}: {said(error)}" if error is not None else ""
        now = recorded(self.item.nodeid, self.schedule, options, found, text, self.sim.time_ns())
        before = self.item.config.stash.get(REPLAYED, None)
        if before is not None:
            difference = before.difference(now)
            return in_lines(f"not as recorded: {difference}" if difference else "as recorded")
        try:
            return f'{in_lines("or:")} pytest "{self.item.nodeid}" --ascend-replay "{keep(self.item.config, now)}"'
        except OSError as trouble:
            return in_lines(f"the file of this schedule could not be written: {trouble}")


_SUPPRESSED = pytest.StashKey[list[str]]()


def _suppressed(config: pytest.Config) -> list[str]:
    """What the project's file suppresses: it is looked for once in a session, not for every test."""
    patterns = config.stash.get(_SUPPRESSED, None)
    if patterns is None:
        patterns = config.stash[_SUPPRESSED] = listed(str(config.rootpath), "suppress")[1]
    return patterns


RUN = pytest.StashKey[Run]()
"""The run that an item is in."""
SCHEDULE = pytest.StashKey[str]()
"""The schedule that its next run is to have, when there are several."""


def simulator(request: pytest.FixtureRequest) -> Iterator[Simulator]:
    """The life of the fixture ``ascend``."""
    item: Any = request.node
    reason = refusal()
    if reason is not None:
        raise pytest.fail.Exception(reason, pytrace=False)
    try:
        wanted = requested_options(item)
        run = Run(item, wanted, item.stash.get(SCHEDULE, wanted.schedules[0]))
    except (ValueError, KeyError, TypeError) as error:
        text = in_lines(str(error.args[0] if error.args else error))
        raise pytest.fail.Exception(f"{item.nodeid}: {text}", pytrace=False) from None
    item.stash[RUN] = run
    sim = run.open()
    try:
        yield sim
    finally:
        run.close()
    run.judge()
