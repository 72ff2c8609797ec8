"""Where virtual time meets real time: the pace of deadlines while threads are blocked in the OS.

Only programs that wait for something outside (a socket, a process, a user) ever get here.
"""

from __future__ import annotations

import time
from _thread import allocate_lock, start_new_thread
from typing import Final

__all__ = ["HANG_LOOKS", "HANG_NS", "IDLE_SECONDS", "STUCK_NS", "Pace", "real_lock", "real_ns", "start_real_thread"]

NO_PROGRESS_ROUNDS: Final = 1_000
NO_PROGRESS_NS: Final = 600_000_000_000
"""Time-outs that fire so often, over so much virtual time (ns), without any progress fall back to the real pace: a loop
like a server's must burn neither a core nor years of virtual time."""

MOST_SLEEPS: Final = 500
"""A thread makes up for so many of its sleeps; those of ordinary length end at their times, the same in each run."""
IDLE_SECONDS: Final = 0.05
HANG_NS: Final = 1_000_000_000
"""Real ns without a step after which threads in the OS that wait for other threads there make a hang,"""
HANG_LOOKS: Final = 15
"""when they were seen there so often."""
STUCK_NS: Final = 5_000_000_000
"""Real ns of idleness after which the user hears who stands outside, and who waits for that."""

real_ns = time.monotonic_ns
real_lock = allocate_lock
start_real_thread = start_new_thread
"""As they are without the patches, which know virtual time."""


class Pace:
    """The pace of virtual deadlines: as fast as they like, or not before the real clock has reached them."""

    def __init__(self) -> None:
        self.begun: tuple[int, int] | None = None
        """Real and virtual ns at which the two clocks began to go together; None: virtual time does as it likes."""
        self._reached = 0
        """Virtual ns that the real clock had reached when the clocks went together for the last time."""
        self._rounds = 0
        self._from = self._latest = 0

    def begin(self, virtual: int) -> None:
        """From *virtual* (ns) on, deadlines wait."""
        if self.begun is None:
            self.begun = real_ns(), virtual

    def progress(self) -> None:
        """Something happened that is no time-out."""
        self._rounds = 0

    def fired(self, deadline: int) -> None:
        """A deadline (virtual ns) has come, and nothing else."""
        if not self._rounds:
            self._from = deadline
        self._rounds += 1
        self._latest = deadline
        if self.no_progress():
            self.begin(deadline)

    def no_progress(self) -> bool:
        """Whether so many time-outs in a row have fired, with nothing else, that virtual time must not run away."""
        return self._rounds > NO_PROGRESS_ROUNDS and self._latest - self._from > NO_PROGRESS_NS

    def end(self) -> None:
        """No thread is blocked in the OS any more: virtual time is free again."""
        if self.begun is not None and not self.no_progress():
            self._reached = self._together()
            self.begun = None

    def _together(self) -> int:
        """Where the real clock is now, in virtual ns."""
        if self.begun is None:
            return self._reached
        real, virtual = self.begun
        return virtual + real_ns() - real

    def catch_up(self, virtual: int) -> None:
        """The clocks go together from *virtual* (ns) on if that is ahead of the real one: nobody sleeps for a jump.

        The device of a process that waits for another one jumps to the time of that, which may be hours older.
        """
        if self.begun is not None:
            real = real_ns()
            if virtual - self.begun[1] > real - self.begun[0]:
                self.begun = real, virtual

    def late(self, deadline: int, length: int) -> int:
        """When a sleep of *length* ns until *deadline* (virtual ns) is over.

        A thread that sleeps for less than its turn takes falls behind the real clock, and who comes back from the operating
        system, at the time of that, would wait for it: it skips what it is behind by many sleeps.
        """
        reached = self._together()
        return reached if reached - deadline > MOST_SLEEPS * length else deadline

    def left(self, deadline: int) -> int:
        """How many real ns *deadline* (virtual ns) still has to wait."""
        return 0 if self.begun is None else deadline - self._together()
