"""A finding as an exception, for checks whose policy is ``raise``."""

from __future__ import annotations

from ascend_sim.findings.finding import Finding
from ascend_sim.findings.rendering import full

__all__ = ["FindingError"]


class FindingError(Exception):
    """Raised from the call in which an error was found, when the policy of its check is ``raise``.

    `finding` is the finding; the text is the full report.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding

    def __str__(self) -> str:
        return "\n" + full(self.finding)
