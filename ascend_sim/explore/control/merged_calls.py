"""Merged calls: those that belong to the step before them. Everything before the first task, and later, of the only host
thread there is, calls that touch nothing which a stream could touch.

Where such a call stands among the steps of streams makes no difference: it queues something, or makes an object of its
own. So a step begins only before calls that may see what the device has done. Should a merged call touch something all
the same (a copy that reads its source at once, any call where a failure can stop the context), calls of its function
are steps of their own from then on.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ascend_sim.catalogue.effects import effects

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import ControlledSchedule

__all__ = ["MERGED", "MergedCalls"]

MERGED = frozenset({
    "aclrtCreateEvent", "aclrtCreateEventExWithFlag", "aclrtCreateEventWithFlag", "aclrtCreateNotify",
    "aclrtCreateStream", "aclrtCreateStreamWithConfig", "aclrtMalloc", "aclrtMallocAlign32", "aclrtMallocHost",
    "aclrtMallocWithCfg", "aclrtMemcpy2dAsync", "aclrtMemcpyAsync", "aclrtMemsetAsync", "aclrtRecordEvent",
    "aclrtRecordNotify", "aclrtResetEvent", "aclrtStreamWaitEvent", "aclrtStreamWaitEventWithTimeout", "aclrtValueWait",
    "aclrtValueWrite", "aclrtWaitAndResetNotify", "aclrtLaunchKernel", "aclrtLaunchKernelV2",
    "aclrtLaunchKernelWithConfig", "aclrtLaunchKernelWithHostArgs",
})  # fmt: skip
"""Functions that only queue or make something."""
START = ("start", ())


@cache
def _mergeable() -> frozenset[str]:
    """Those of them that do not set what tasks look at."""
    return frozenset(name for name in MERGED if not effects(name).about_tasks)


class MergedCalls:
    """The calls of the running step after its first."""

    def __init__(self, schedule: ControlledSchedule) -> None:
        self._schedule = schedule
        self.calls: list[tuple[Any, ...]] = [START]
        """Of the running step, those after its first."""
        self.pending = ""
        """The call that was merged and has not returned."""
        self._place = self._items = 0

    def merge_early(self, call: tuple[Any, ...]) -> None:
        """Merge *call* into the first step: nothing was queued and no thread started yet."""
        self.calls.append(call)

    def merge(self, name: str, call: tuple[Any, ...]) -> bool:
        """Merge *call*, of the only host thread, into the running step; False when it has to be a step of its own."""
        schedule = self._schedule
        if name not in _mergeable() or not (schedule.running and schedule.step.host) or name in schedule.relevant:
            return False
        self.calls.append(call)
        self.pending, self._place, self._items = name, schedule.place, len(schedule.items)
        return True

    def returned(self) -> None:
        """The call that is pending has returned: did it touch anything?"""
        schedule = self._schedule
        if schedule.place == self._place:
            if len(schedule.items) != self._items:
                schedule.known_state.add_relevant(self.pending)
            schedule.progresses(True)  # it came after the poll that the step may be
        self.pending = ""

    def call_of_step(self, first: Any) -> Any:
        """What the step that is over did: the call *first*, and those that were merged into it (there are some)."""
        calls = tuple(self.calls) if self.calls[0] is START else (first, *self.calls)
        self.calls = []
        return calls
