"""Prints the counts of the conformance run after the tests."""

from __future__ import annotations

from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Rows passed, deferred and to which issue, not expressible, not written: by chapter."""
    reports = [
        r
        for group in terminalreporter.stats.values()
        for r in group
        if "test_conformance.py" in getattr(r, "nodeid", "")
    ]
    if len(reports) < 100:  # a few rows chosen by hand: no counts
        return
    from tests.conformance.report import lines

    terminalreporter.section("conformance")
    for line in lines():
        terminalreporter.write_line(line)
