"""The history of flags, notifies and watched values: each set, reset and passed wait, with its vector clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.observers.races.vector_clocks import Known, Track, View, known_to

if TYPE_CHECKING:
    from ascend_sim.observers.races.accesses import HostCall
    from ascend_sim.runtime.task import Task

__all__ = ["Change", "Flag", "keep"]

KEPT = 128


class Change:
    """A set or a reset of a flag that a task made, or a wait that passed: epoch (c, q) with what it knew."""

    __slots__ = ("bound", "c", "host", "kind", "q", "task", "value", "view")

    def __init__(self, kind: str, task: Task, track: Track, bound: Change | None = None) -> None:
        self.kind = kind
        self.task: Task | HostCall = task
        self.c = task.c
        self.q = task.q
        self.host = track.host.c
        self.view: View = track.view
        self.bound = bound
        self.value: Any = None
        """Of a write: the 64 bits; of a wait for a value: its gate."""

    @classmethod
    def of_host(cls, kind: str, call: HostCall, view: View) -> Change:
        """A change that a call of the host made, which knows *view*."""
        change: Change = object.__new__(cls)
        change.kind = kind
        change.task = call
        change.c = change.host = call.c
        change.q = call.q
        change.view = view
        change.bound = change.value = None
        return change

    def known(self) -> Known:
        """What follows from knowing it."""
        return Known(self.c, self.host, self.q, self.view)

    def knows(self, other: Change) -> bool:
        """Whether *other* happens before this."""
        return known_to(self.view, other.c, other.q)


class Flag:
    """The changes of one flag and the waits that passed it, in the order in which they ran."""

    __slots__ = ("changes", "setter", "waits")

    def __init__(self) -> None:
        self.setter: Change | None = None
        """Of a notify: what set the flag since it was clear; None while it is clear."""
        self.changes: list[Change] = []
        self.waits: list[Change] = []


def keep(changes: list[Change], change: Change) -> None:
    """Append; the older half goes when there are many."""
    changes.append(change)
    if len(changes) > KEPT:
        del changes[: KEPT // 2]
