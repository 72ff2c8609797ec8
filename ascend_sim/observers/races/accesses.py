"""Who accesses memory besides tasks as they are: calls of the host, and tasks that update atomically."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.observers.races.vector_clocks import Known, View
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["ATOMIC", "AtomicUpdate", "HostCall"]

ATOMIC = 2
"""In place of whether an access writes: the words for an atomic update."""


class HostCall:
    """A host thread's access: epoch (c, q), with the call that made it, and the task of the callback that it was in.

    *view*: what the thread knew then.
    """

    __slots__ = ("c", "call", "q", "ready", "serving", "site", "thread", "view")

    def __init__(self, c: int, q: int, t: HostThread, view: View) -> None:
        self.c = c
        self.q = q
        self.view = view
        self.thread = t
        self.ready = t.clock
        self.call = t.call
        self.serving = t.serving
        self.site = t.site

    def known(self) -> Known:
        """What who follows the access knows."""
        return Known(self.c, self.c, self.q, self.view)


class AtomicUpdate:
    """A task's atomic update: two of them in no order are no race, with plain accesses they are."""

    __slots__ = ("c", "op", "q", "site", "stream", "task", "thread")

    def __init__(self, task: Task) -> None:
        self.task = task
        self.c = task.c
        self.q = task.q
        self.site = task.site
        self.stream = task.stream
        self.thread = task.thread
        self.op = task.op
