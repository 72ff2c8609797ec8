"""What fails the tests of a session: ``--ascend-error-on``, ``--ascend-baseline``, ``--ascend-update-baseline``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import attrs
import pytest

from ascend_sim.findings.baseline import Baseline, Entry, entry_of, read_baseline, worth_keeping
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.languages import in_lines
from ascend_sim.findings.levels import Levels, parse_levels

__all__ = ["SessionFindings", "session_findings"]


class SessionFindings:
    """What the options say, and what the tests of this process found: by node id, in the order of the tests."""

    def __init__(self, levels: Levels, path: str, baseline: Baseline, update: bool) -> None:
        self.levels = levels
        self.baseline = baseline.fingerprints
        self.update = update
        self.found: dict[str, set[Entry]] = {}
        self._path = path
        self._written = baseline

    def fails(self, finding: Finding) -> bool:
        """Whether *finding* fails its test."""
        return not self.update and self.levels.fails(finding)

    def take(self, test: str, findings: Iterable[Finding]) -> None:
        """A simulator of *test* has ended."""
        if self.update:
            entries = self.found.setdefault(test, set())
            entries.update(entry_of(finding, test) for finding in findings if worth_keeping(finding, self.levels))

    def sent(self) -> list[list[str]]:
        """What a process of xdist sends home: a row for each test, and for each finding."""
        rows = [[test] for test in self.found]
        return rows + [list(attrs.astuple(entry)) for entries in self.found.values() for entry in entries]

    def receive(self, rows: Iterable[list[str]]) -> None:
        """What another process has sent."""
        for test, *rest in rows:
            entries = self.found.setdefault(test, set())
            if rest:
                entries.add(Entry(test, *rest))

    def write(self) -> str:
        """Write the file, if that is asked for; a line for the summary. Tests that did not run keep what they had."""
        if not self.update:
            return ""
        found = [entry for entries in self.found.values() for entry in entries]
        try:
            self._written.updated(self.found, found).write(self._path)
        except OSError as error:
            return "ascend_sim: " + in_lines(f"{self._path!r} was not written: {error.strerror}")
        many, tests = len(found), len(self.found)
        return "ascend_sim: " + in_lines(
            f"{many} finding{'s' if many != 1 else ''} of {tests} test{'s' if tests != 1 else ''} "
            f"{'are' if many != 1 else 'is'} now in {os.path.relpath(self._path)}"
        )


_KEY = pytest.StashKey[SessionFindings]()


def session_findings(config: Any) -> SessionFindings:
    """Those of this session; the options are read at the first call. Raises pytest.UsageError for a bad one."""
    known: SessionFindings | None = config.stash.get(_KEY, None)
    if known is None:
        known = config.stash[_KEY] = _made(config.option, str(config.invocation_params.dir))
    return known


def _made(options: Any, folder: str) -> SessionFindings:
    given, update = options.ascend_baseline, bool(options.ascend_update_baseline)
    if update and not given:
        raise pytest.UsageError("--ascend-update-baseline needs --ascend-baseline FILE")
    path = os.path.join(folder, given) if given else ""
    baseline = Baseline()
    try:
        if path and (os.path.exists(path) or not update):
            baseline = read_baseline(path)
        return SessionFindings(parse_levels(options.ascend_error_on), path, baseline, update)
    except OSError as error:
        raise pytest.UsageError(f"the baseline {given!r} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
