"""The limit of one run: a program that goes on for ever in some order must not keep the search.

This is the only place where the real clock has a say while a program runs: it ends the run, and such a run does not count.
"""

from __future__ import annotations

import sys
from collections.abc import Sized
from types import FrameType

from ascend_sim.errors import Unwinding
from ascend_sim.runtime.threads.real_time import real_ns
from ascend_sim.source.callsite import Point, points_of

__all__ = ["OutOfTime", "RunLimit"]

OFTEN = 0xFF
"""So many calls and steps of threads go by between two looks at the clock."""
MOST = 1_000_000
"""Calls of one run: each is a step that is kept, a kilobyte or so."""


class OutOfTime(Unwinding):
    """Raised in the program's threads where they call next. No Exception: programs that go on after these must end, too."""


class RunLimit:
    """*end*: real ns; 0: never. *passed*: it was noticed that the run is over it. *left*: calls and steps of threads up to
    the next look, which who takes one counts down; below 0: now. *findings*: those of the run, of which the first *met*
    were there when it was left; *stands*: where the program was then."""

    __slots__ = ("_looks", "end", "findings", "left", "met", "passed", "stands")

    def __init__(self, end: int = 0) -> None:
        self.end = end
        self.passed = False
        self.left = OFTEN
        self.findings: Sized = ()
        self.met = 0
        self.stands: tuple[Point, ...] = ()
        self._looks = 0

    def is_over(self, grace: int = 0) -> bool:
        """Whether the time is over, since *grace* ns at least."""
        return 0 < self.end <= real_ns() - grace

    def leave(self, frame: FrameType | None) -> None:
        """The run is left, in *frame*: what the program does while it is sent away is none of its faults."""
        if not self.passed:
            self.met = len(self.findings)
            self.stands = points_of(frame)
            self.passed = True
        self.left = -1

    def check(self) -> None:
        """Raises OutOfTime when the time is over, or the run too long; from then on whenever it is asked."""
        self._looks += 1
        if self.passed or 0 < self.end <= real_ns() or self._looks * OFTEN >= MOST:
            self.leave(sys._getframe())
            raise OutOfTime
        self.left = OFTEN
