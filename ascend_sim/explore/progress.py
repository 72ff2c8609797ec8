"""One line on a terminal that says how far an exploration is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from ascend_sim.runtime.threads.real_time import real_ns

if TYPE_CHECKING:
    from ascend_sim.explore.report import Report

__all__ = ["Progress"]

EVERY_NS = 100_000_000
WIDTH = 24


class Progress:
    """A bar on *stream*; None: no bar."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._shown = 0

    @classmethod
    def wanted(cls, wanted: bool | None) -> Progress:
        """The bar for `explore`: None means when stderr is a terminal."""
        terminal = sys.stderr is not None and sys.stderr.isatty()
        return cls(sys.stderr if (terminal if wanted is None else wanted) else None)

    def show(self, report: Report) -> None:
        """Write the line again, ten times a second at most."""
        if self._stream is None or real_ns() - self._shown < EVERY_NS:
            return
        self._shown = real_ns()
        done = WIDTH * report.classes // max(report.estimate, 1)
        failed = f", {len(report.failures)} failures" if report.failures else ""
        text = f"[{'#' * done:<{WIDTH}}] {report.classes} classes run, {report.pending} pending{failed}"
        self._stream.write(f"\r{text[:79]:<79}")
        self._stream.flush()

    def end(self) -> None:
        """Take the line away."""
        if self._stream is not None and self._shown:
            self._stream.write("\r" + " " * 79 + "\r")
            self._stream.flush()
