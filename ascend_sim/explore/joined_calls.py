"""Calls that belong to the step before them: those before the first task, and later, of the only host thread there is,
those that touch nothing that a stream could touch.

Where such a call stands among the steps of streams makes no difference: it queues something, or makes an object of its
own. So a step begins only before calls that may see what the device has done. Should one of them touch something all
the same (a copy that reads its source at once), it is a step of its own from then on; and once a failure has stopped a
context, all are, since they fail after it and not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.explore.call_effects import effects
from ascend_sim.explore.footprints import READ, WRITE, Item

if TYPE_CHECKING:
    from ascend_sim.explore.guided import Guided
    from ascend_sim.runtime.task import Task

__all__ = ["JOINED", "JoinedCalls"]

JOINED = frozenset({
    "aclrtCreateEvent", "aclrtCreateEventExWithFlag", "aclrtCreateEventWithFlag", "aclrtCreateNotify",
    "aclrtCreateStream", "aclrtCreateStreamWithConfig", "aclrtMalloc", "aclrtMallocAlign32", "aclrtMallocHost",
    "aclrtMallocWithCfg", "aclrtMemcpy2dAsync", "aclrtMemcpyAsync", "aclrtMemsetAsync", "aclrtRecordEvent",
    "aclrtRecordNotify", "aclrtResetEvent", "aclrtStreamWaitEvent", "aclrtStreamWaitEventWithTimeout", "aclrtValueWait",
    "aclrtValueWrite", "aclrtWaitAndResetNotify", "aclrtLaunchKernel", "aclrtLaunchKernelV2",
    "aclrtLaunchKernelWithConfig", "aclrtLaunchKernelWithHostArgs",
})  # fmt: skip
"""Functions that only queue or make something."""
START = ("start", ())
STOPPED = "stopped contexts"
"""Among what gets full: from now on every call looks whether its context goes on."""
_STOPPED = "context", "stopped"


class JoinedCalls:
    """The calls of the running step after its first."""

    def __init__(self, guided: Guided) -> None:
        self._guided = guided
        self._calls: list[tuple[Any, ...]] = [START]
        self._name = ""
        """The call that joined the step and has not returned."""
        self._place = self._items = 0
        self.stopped = STOPPED in guided.full
        """A failure stops contexts in this program."""

    def early(self, call: tuple[Any, ...]) -> None:
        """Nothing was queued and no thread started yet."""
        self._calls.append(call)

    def join(self, name: str, call: tuple[Any, ...]) -> bool:
        """Whether *call*, of the only host thread, belongs to the step that runs."""
        guided = self._guided
        if name not in JOINED or not (guided.in_step and guided.by_host) or name in guided.full or self.stopped:
            return False
        if effects(name).about_tasks:
            return False
        self._calls.append(call)
        self._name, self._place, self._items = name, guided.place, len(guided.items)
        return True

    def returned(self) -> None:
        """A call has returned: if it had joined a step, did it touch anything?"""
        if not self._name:
            return
        guided = self._guided
        if guided.place == self._place:
            if len(guided.items) != self._items:
                guided.cells.fills(self._name)
            guided.worked[guided.running] = guided.place + 1  # it came after the question that the step may be
        self._name = ""

    def checked(self, check: Any) -> Any:
        """What the step that is over did: *check*, and what joined it."""
        if not self._calls:
            return check
        calls = tuple(self._calls) if self._calls[0] is START else (check, *self._calls)
        self._calls = []
        return calls

    def failed(self, task: Task) -> None:
        """*task* has failed."""
        guided = self._guided
        if task.stream.context.failure:
            if self.stopped:
                guided.items.append(Item(_STOPPED, WRITE))
            else:
                guided.cells.fills(STOPPED)

    def begins(self, name: str) -> None:
        """A call begins that is a step of its own."""
        if self.stopped:
            self._guided.items.append(Item(_STOPPED, WRITE if name == "aclrtDeviceTaskAbort" else READ))
