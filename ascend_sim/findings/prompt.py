"""Findings of a session at a prompt or in a notebook: each is shown when it is found, once."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from ascend_sim.findings.finding import Finding
from ascend_sim.findings.rendering import Printer

__all__ = ["SessionPrinter"]


class _Stderr:
    """What stands for stderr now: notebooks and tests put others in its place."""

    closed = False

    def write(self, text: str) -> int:
        return sys.stderr.write(text) if sys.stderr is not None else 0

    def flush(self) -> None:
        if sys.stderr is not None:
            sys.stderr.flush()

    def isatty(self) -> bool:
        return sys.stderr is not None and sys.stderr.isatty()


class SessionPrinter(Printer):
    """A sink: HTML under the cell that runs in a notebook, text on stderr elsewhere.

    *options*: those of the session's simulator, so that a later wish for others is noticed.
    """

    def __init__(self, options: Mapping[str, object]) -> None:
        super().__init__(_Stderr())  # type: ignore[arg-type]
        self.options = options

    def __call__(self, finding: Finding, first: bool) -> None:
        show = _notebook()
        if show is None:
            super().__call__(finding, first)
        elif first and finding.suppressed is None:
            show(finding)


def _notebook() -> Any:
    """How a notebook shows an object; None where there is none."""
    shell = sys.modules.get("IPython")
    found = shell.get_ipython() if shell is not None else None
    if found is None or getattr(found, "kernel", None) is None:
        return None
    from IPython.display import display

    return display
