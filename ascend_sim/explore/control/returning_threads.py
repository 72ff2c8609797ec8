"""Readmits threads that were blocked in the OS in the step that woke them, not when they happen to get a processor.

The step of one thread (it writes to a pipe) ends the wait of another outside the group. How soon that one calls is up
to the operating system; so the group stands still after each step until everyone who was woken has come back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ascend_sim.runtime.threads.blocked_threads import thread_state
from ascend_sim.runtime.threads.real_time import real_ns

if TYPE_CHECKING:
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads

__all__ = ["ReturningThreads"]

LOOK_SECONDS: Final = 0.005
ASLEEP_NS: Final = 100_000_000
"""Real ns for which a thread that was woken must sleep again to count as blocked again."""
SPUN_NS: Final = 50_000_000
"""Processor time (ns) after which a thread that runs and does not come back counts as one that spins."""


class ReturningThreads:
    """The threads of *group* that are blocked in the operating system."""

    def __init__(self, group: DeterministicThreads) -> None:
        self._group = group
        self._used: dict[int, int] = {}
        """The processor time (ns) that each had used when it was seen blocked, by its number in the group."""

    def wait(self) -> None:
        """Stand still until all that were woken have come back."""
        group = self._group
        for number in list(group.os_blocked):
            r = group.os_threads.get(number)
            if r is None:
                continue
            state, used = thread_state(r.native_id)
            before = self._used.get(number)
            if before is None:  # it was blocked just now
                self._used[number] = used
            elif state not in "S?" or used != before:
                self._until_back(number, r.native_id, used)
        for number in self._used.keys() - group.os_blocked.keys():
            del self._used[number]

    def _until_back(self, number: int, native_id: int, used: int) -> None:
        group = self._group
        began, seen, since = used, used, real_ns()
        while not any(r.number == number for _, r in group.messages()):
            group.let_idle(LOOK_SECONDS)
            state, used = thread_state(native_id)
            if state != "S" or used != seen:
                seen, since = used, real_ns()
            if state == "?" or used - began > SPUN_NS or real_ns() - since > ASLEEP_NS:
                self._used[number] = used
                return
