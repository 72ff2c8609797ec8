"""Which queued tasks still need a descriptor, and what is said of who changes, reads or destroys it meanwhile.

A task reads its descriptors when it runs and writes its output's fields at its end
(docs/semantics/media.md#what-a-task-reads-and-when).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import queued

if TYPE_CHECKING:
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Pending"]


class Described(Protocol):
    """What can say what it is."""

    def describe(self) -> str:
        """In words, for texts."""
        ...


class Pending:
    """The tasks of one descriptor that are not over."""

    __slots__ = ("_reported", "_tasks")

    def __init__(self) -> None:
        self._tasks: list[tuple[Task, bool]] = []
        """Each with whether it will write the descriptor."""
        self._reported = False

    def add(self, task: Task, writes: bool) -> None:
        """*task* was queued."""
        if self._tasks:
            self._tasks = [entry for entry in self._tasks if not entry[0].over()]
        self._tasks.append((task, writes))

    def task(self, writes: bool = False) -> Task | None:
        """The first that is not over; with *writes* the first that will write it."""
        for task, writing in self._tasks:
            if not task.over() and (writing or not writes):
                return task
        return None

    def disturbed(self, t: ThreadState, thing: Described, how: str) -> None:
        """Report that the current call does *how* (``changes``, ``destroys``) to *thing*, if a task still needs it."""
        if self._tasks:
            self._report(t, thing, how, self.task())

    def read_early(self, t: ThreadState, thing: Described, what: str) -> None:
        """Report that the current call reads *what* before the task that writes it is over."""
        if self._tasks:
            self._report(t, thing, f"reads {what} of", self.task(writes=True))

    def _report(self, t: ThreadState, thing: Described, how: str, task: Task | None) -> None:
        if task is None or self._reported:  # one mistake, many fields
            return
        self._reported = True
        names = t.sim.names
        early = how.startswith("reads")
        t.sim.report(
            "descriptor-in-use",
            "warning" if early else "error",
            f"{t.call} {how} {thing.describe()} while {task.op.kind} on {names.described(task.stream)} is not done, "
            f"which {'fills it in at its end' if early else 'reads it when it runs'}",
            [
                Site("access", "called here", t.site, primary=True),
                Site("submit", f"{queued(task)} here", task.site),
            ],
            fix=f"before that: aclrtSynchronizeStream({names.plain(task.stream, t.site, (task.site,))})",
            streams=(names.described(task.stream),),
            time_ns=t.clock,
        )
