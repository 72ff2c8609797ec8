"""What a host thread or a stream can wait for."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Awaitable", "Reason", "Signal", "Waiter"]


class Waiter(Protocol):
    """Whoever waits: a host thread or a stream."""

    def wake(self, time: int) -> None:
        """Look again: what was waited for happened at virtual *time* (ns)."""


class Awaitable(Protocol):
    """A thing that becomes done once and stays done; tasks and signals are such things."""

    done: bool
    end: int
    waiters: list[Waiter] | None


class Reason(Protocol):
    """Why a thread waits, for the wait-for graph and its report."""

    def describe(self) -> str:
        """What is waited for, in the words of the user's program."""

    def holders(self) -> list[object]:
        """Who could end the wait: streams, host threads, or further reasons."""


class Signal:
    """A one-shot condition without a task: room in a queue, a callback that arrived, a lock that was given back."""

    __slots__ = ("done", "end", "waiters")

    def __init__(self) -> None:
        self.done = False
        self.end = 0
        self.waiters: list[Waiter] | None = None
