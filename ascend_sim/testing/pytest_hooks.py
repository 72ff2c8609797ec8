"""The hooks of the pytest plugin, registered when a test that was collected wants the simulator."""

from __future__ import annotations

import copy
import os
from collections.abc import Generator
from typing import Any

import pytest
from _pytest.runner import runtestprotocol  # what plugins that run a test again use; there is no public name

from ascend_sim.findings.languages import in_lines
from ascend_sim.progress import Progress
from ascend_sim.runtime.threads.real_time import real_ns
from ascend_sim.source.tracebacks import strip
from ascend_sim.testing.examples import judged_one_by_one
from ascend_sim.testing.guard import refusal
from ascend_sim.testing.pytest_options import requested_options
from ascend_sim.testing.pytest_simulators import RUN, SCHEDULE
from ascend_sim.testing.recorded_tests import REPLAYED

__all__: list[str] = []

PATIENCE_NS = 1_000_000_000


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """After the last line of a test: no error finding, no other `acl`."""
    run = item.stash.get(RUN, None)
    if run is None:
        return (yield)
    try:
        with judged_one_by_one(run, getattr(item, "obj", None)):
            result = yield
    except BaseException as error:
        if os.environ.get("ASCEND_SIM_TRACEBACK") != "full":
            strip(error)
        raise
    reason = refusal()
    if reason is not None:
        raise pytest.fail.Exception(reason, pytrace=False)
    run.judge()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, Any, Any]:
    """Put the findings, the seed and how to repeat it into the report."""
    report = yield
    run = item.stash.get(RUN, None)
    if run is not None:
        if report.failed or (call.when == "call" and len(run.sim.findings)):
            text = [*_notes(call.excinfo), run.text()]
            if report.failed:
                text.append(run.record(call.excinfo.value if call.excinfo is not None else None))
            report.sections.append(("ascend_sim", "\n".join(text)))
            run.errors()  # told: the end of the test is no second failure
        if call.when == "teardown":
            del item.stash[RUN]
    return report


def _notes(error: pytest.ExceptionInfo[BaseException] | None) -> list[str]:
    """What hypothesis says of the example, which pytest leaves out where it shows no traceback."""
    if error is None or not isinstance(error.value, pytest.fail.Exception) or error.value.pytrace:
        return []
    return [*getattr(error.value, "__notes__", ())]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """A test whose failure was to be repeated has passed: say so."""
    recording = config.stash.get(REPLAYED, None)
    passed = {report.nodeid for report in terminalreporter.stats.get("passed", ())}
    if recording is not None and recording.test in passed:
        what = f"{recording.kind}: {recording.title}"
        text = in_lines(f"{recording.test} passes under the recorded schedule ({what})")
        terminalreporter.write_line(f"ascend_sim: {text}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test under all its schedules, up to the first in which it fails. It counts as one test."""
    if "ascend" not in getattr(item, "fixturenames", ()):
        return None
    try:
        schedules = requested_options(item).schedules
    except ValueError:
        return None  # the fixture says it
    if len(schedules) < 2:
        return None
    again = copy.copy(item)
    """Stands for the next run: all but the test's own fixtures stay."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    spent: dict[str, float] = {}
    reports: list[pytest.TestReport] = []
    shown = _line_of(item.config)
    for number, schedule in enumerate(schedules):
        if shown is not None:
            shown.show(number, len(schedules), item.name)
        item.stash[SCHEDULE] = schedule
        following = nextitem if schedule is schedules[-1] else again
        reports = runtestprotocol(item, log=False, nextitem=following)
        for report in reports:
            spent[report.when] = spent.get(report.when, 0) + report.duration
        if _decides(reports):
            if following is again:
                reports += _outer_teardown(item, nextitem)
            break
    if shown is not None:
        shown.end()
    del item.stash[SCHEDULE]
    for report in reports:
        report.duration = spent.get(report.when, report.duration)
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


class _LineBelow(Progress):
    """A line below that of the dots, which stays as it is: written when a test takes longer than a second."""

    def __init__(self, writer: Any) -> None:
        super().__init__(writer._file, "schedules", rich=False)
        self._writer = writer
        self._wait_until = real_ns() + PATIENCE_NS
        self._below = False

    def show(self, done: int, total: int = 0, note: str = "", end_ns: int = 0) -> None:
        if real_ns() >= self._wait_until:
            if not self._below:
                self._raw("\n")
                self._below = True
            super().show(done, total, note, end_ns)

    def end(self) -> None:
        super().end()
        if self._below:
            width = self._writer.width_of_current_line
            self._raw("\x1b[1A\r" + (f"\x1b[{width}C" if width else ""))


def _line_of(config: pytest.Config) -> Progress | None:
    """The line for a test under many schedules: on a terminal, without ``-q``."""
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or config.option.verbose < 0 or not reporter.isatty:
        return None
    return _LineBelow(config.get_terminal_writer())


def _outer_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> list[pytest.TestReport]:
    """End what the next test does not share, as the last run would have done; a report when that fails."""
    call = pytest.CallInfo.from_call(
        lambda: item.session._setupstate.teardown_exact(nextitem),
        "teardown",
        (pytest.exit.Exception, KeyboardInterrupt),
    )
    report = item.ihook.pytest_runtest_makereport(item=item, call=call)
    return [report] if report.failed else []


def _decides(reports: list[pytest.TestReport]) -> bool:
    """Whether the other schedules need not be tried: it failed, was skipped, or failed as expected."""
    return any(r.skipped or (r.failed and not str(r.longrepr).startswith("[XPASS(strict)]")) for r in reports)
