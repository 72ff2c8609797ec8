"""Groups return codes under their root cause: one line each, at the finding of the fault that made calls return them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.wording import called, in_pyacl, line_of
from ascend_sim.observers.observer import Observer

if TYPE_CHECKING:
    from ascend_sim.findings.finding import Finding
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Consequences"]

MOST = 20


class Consequences(Observer):
    """Ties the code of a failed task, when a call returns it, to the finding that was made when the task failed."""

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self._causes: dict[int, list[Finding]] = {}
        """By the code that they make a call return."""
        self._reported: dict[str, int] = {}

    def found(self, finding: Finding) -> None:
        """A fault that a later call will return."""
        if finding.code is not None and finding.code[0] == "the next synchronise":
            if not self._causes:  # only now is there something to look for in every call
                self._sim.hooks.add("api_returned", self._returned)
            self._causes.setdefault(finding.code[1], []).append(finding)

    def _returned(self, t: HostThread, name: str, result: Any) -> None:
        """Does it return one?"""
        code = result[-1] if type(result) is tuple and result else result
        causes = self._causes.get(code) if type(code) is int else None
        if causes is None or "LastError" in name:
            return
        cause = causes[-1]
        if len(causes) > 1 and t.texts and t.texts[-1][:2] == (name, code):
            said = self._sim.names.text(t.texts[-1][2])
            cause = next((c for c in causes if c.title in said or c.title in in_pyacl(said)), cause)
        count = self._reported.get(cause.id, 0)
        self._reported[cause.id] = count + 1
        if count < MOST:
            self._sim.findings.follow(cause.id, f"{code} from {called(name, t.site)} at {line_of(t.site, ())}")
