"""Groups return codes under their root cause: one line each, at the finding of the fault that made calls return them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.wording import called, line_of
from ascend_sim.observers.observer import Observer, listen

if TYPE_CHECKING:
    from ascend_sim.findings.finding import Finding
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task, TaskFault
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Consequences"]

MOST = 20
KEPT = 256
"""Faults that no call has returned yet; a program that never waits may make many."""


class Consequences(Observer):
    """Ties the code of a failed task, when a call returns it, to the finding that was made when the task failed.

    Several faults may give one code. A call that waited for a stream returns what failed on that stream, and the first
    fault there since the last call that told one is enough to explain it.
    """

    guarded = True
    title = "the search for the causes of codes"

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self._faults: list[tuple[Finding, Stream]] = []
        """In the order in which the tasks failed; those that a synchronise has returned are gone."""
        self._told: dict[int, Finding] = {}
        """By the code: what explained it last."""
        self._latest: Finding | None = None
        self._unreported: Task | None = None
        """A task that failed, and whose finding comes next."""
        self._waited: dict[int, list[Stream]] = {}
        """By the number of the thread: the streams that its call has waited for."""
        self._reported: dict[str, int] = {}

    def found(self, finding: Finding) -> None:
        """A fault that a later call will return."""
        if finding.code is not None and finding.code[0] == "the next synchronise":
            self._latest = finding
            if self._unreported is not None:
                task, self._unreported = self._unreported, None
                self._add(finding, task)

    def failed(self, task: Task, fault: TaskFault) -> None:
        """The finding of *task* is the latest one, or comes now."""
        if not fault.reported:
            self._unreported = task
        elif self._latest is not None and self._latest.code is not None and self._latest.code[1] == fault.code:
            self._add(self._latest, task)

    def _add(self, finding: Finding, task: Task) -> None:
        if not self._faults and not self._told:  # only now is there something to look for in every call
            listen(self._sim, self, "api_returned", self._returned)
            listen(self._sim, self, "waited", self._has_waited)
        self._faults.append((finding, task.stream))
        if len(self._faults) > KEPT:
            del self._faults[: KEPT // 2]

    def _has_waited(self, t: HostThread, stream: Stream) -> None:
        self._waited.setdefault(t.number, []).append(stream)

    def _returned(self, t: HostThread, name: str, result: Any) -> None:
        """Does it return one?"""
        streams = self._waited.pop(t.number, ()) if self._waited else ()
        code = result[-1] if type(result) is tuple and result else result
        if type(code) is not int or not code or "LastError" in name:
            return
        cause = self._cause(code, streams)
        if cause is None:
            return
        self._told[code] = cause
        count = self._reported.get(cause.id, 0)
        self._reported[cause.id] = count + 1
        if count < MOST:
            self._sim.findings.follow(
                cause.id, f"{code} from {called(t.call or name, t.site)} at {line_of(t.site, ())}"
            )

    def _cause(self, code: int, streams: list[Stream] | tuple[()]) -> Finding | None:
        """The first fault with *code* of *streams*; of a call that waited for none, the first that is left."""
        contexts = {id(stream.context) for stream in streams if stream.context.failure}
        for finding, stream in self._faults:
            if finding.code is None or finding.code[1] != code:
                continue
            if not streams or stream in streams or id(stream.context) in contexts:
                self._faults = [
                    (f, s)
                    for f, s in self._faults
                    if s.context.failure or (s not in streams if streams else f is not finding)
                ]
                return finding
        return self._told.get(code)
