"""Calls that belong to the step before them: those before the first task, and later, of the only host thread there is,
those that touch nothing that a stream could touch.

Where such a call stands among the steps of streams makes no difference: it queues something, or makes an object of its
own. So a step begins only before calls that may see what the device has done. Should one of them touch something all
the same (a copy that reads its source at once, any call where a failure can stop the context), it is a step of its own
from then on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.catalogue.effects import effects

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import Guided

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


class JoinedCalls:
    """The calls of the running step after its first."""

    def __init__(self, guided: Guided) -> None:
        self._guided = guided
        self._calls: list[tuple[Any, ...]] = [START]
        self._name = ""
        """The call that joined the step and has not returned."""
        self._place = self._items = 0

    def early(self, call: tuple[Any, ...]) -> None:
        """Nothing was queued and no thread started yet."""
        self._calls.append(call)

    def join(self, name: str, call: tuple[Any, ...]) -> bool:
        """Whether *call*, of the only host thread, belongs to the step that runs."""
        guided = self._guided
        if name not in JOINED or not (guided.in_step and guided.by_host) or name in guided.full:
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
