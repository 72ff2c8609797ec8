"""Nondeterminism points: what this run decided and another schedule could decide differently, without any fault.

A poll that the program's own order does not answer, a time limit that passed, a contended lock. They are no findings,
and users read of them as "order marks". They say how far "no race was found" reaches: it holds for all schedules that
decide these points alike.
"""

from __future__ import annotations

from typing import Any

__all__ = ["WORDS", "NondeterminismPoints"]

WORDS = {
    "poll": ("query whose answer depends on time", "queries whose answer depends on time"),
    "time limit": ("time limit that passed", "time limits that passed"),
    "lock": ("lock taken in an order that nothing fixes", "locks taken in an order that nothing fixes"),
    "queue": ("item handed over through a queue", "items handed over through queues"),
    "full queue": ("call that waited for room", "calls that waited for room"),
    "pool": (
        "call of a memory pool in an order that nothing fixes", "calls of memory pools in an order that nothing fixes",
    ),
    "process": ("object of another process", "objects of other processes"),
    "callback": (
        "callback of several streams served by one thread", "callbacks of several streams served by one thread",
    ),
}  # fmt: skip
"""What is counted, for one and for more."""


class NondeterminismPoints:
    """The nondeterminism points of one run: how many of each kind, and where the first was."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.first: dict[str, Any] = {}

    def add(self, kind: str, site: Any) -> None:
        """One more point of *kind*, at the call of *site*."""
        count = self.counts.get(kind, 0)
        if not count:
            self.first[kind] = site
        self.counts[kind] = count + 1

    def __bool__(self) -> bool:
        return bool(self.counts)

    def text(self) -> str:
        """``order marks: 3 queries whose answer depends on time``; empty without any."""
        if not self.counts:
            return ""
        words = ((count, *WORDS.get(kind, (kind, kind))) for kind, count in self.counts.items())
        parts = ", ".join(f"{count} {one if count == 1 else more}" for count, one, more in words)
        return f"order marks: {parts}"
