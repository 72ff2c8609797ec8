"""The limit of one run: a program that goes on for ever in some order must not keep the search.

This is the only place where the real clock has a say while a program runs: it ends the run, and such a run does not count.
"""

from __future__ import annotations

from ascend_sim.errors import Unwinding
from ascend_sim.runtime.threads.real_time import real_ns

__all__ = ["OutOfTime", "RunLimit"]

OFTEN = 0xFF
MOST = 1_000_000
"""Calls of one run: each is a step that is kept, a kilobyte or so."""


class OutOfTime(Unwinding):
    """Raised in the program's threads where they call next. No Exception: programs that go on after these must end, too."""


class RunLimit:
    """*end*: real ns; 0: never. *passed*: it was noticed that the run is over it."""

    __slots__ = ("_asked", "end", "passed")

    def __init__(self, end: int = 0) -> None:
        self.end = end
        self.passed = False
        self._asked = 0

    def check(self) -> None:
        """Raises OutOfTime when the time is over, or the run too long; the clock is looked at every 256th time."""
        self._asked += 1
        if self.passed or (not self._asked & OFTEN and (0 < self.end <= real_ns() or self._asked >= MOST)):
            self.passed = True
            raise OutOfTime
