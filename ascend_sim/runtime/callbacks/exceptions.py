"""Callbacks for failed tasks: called by a thread of the runtime, one failure after the other.

The thread is made when the first failure has somebody to hear of it. Host calls that return the failure wait until the
callbacks have returned, as the library calls them before it stores the code of the stream.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_END_OF_SEQUENCE, ACL_ERROR_RT_MODEL_ABORT_NORMAL
from ascend_sim.errors import Unwinding
from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.task import NO_TASK, task_id
from ascend_sim.source.fence import fenced

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Task, TaskFault
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["ExceptionInfo", "FaultReports", "listen", "settle"]

Function = Callable[[int], Any]

NORMAL_ENDS = frozenset({ACL_ERROR_RT_END_OF_SEQUENCE, ACL_ERROR_RT_MODEL_ABORT_NORMAL})
"""End of a sequence, normal end of a model: no exceptions."""


class ExceptionInfo:
    """What the getters of an exception tell; its handle lives as long as the callbacks of one failure run."""

    __slots__ = ("code", "device_id", "stream_id", "task", "task_id", "thread_id")

    def __init__(self, task: Task | None, code: int, device_id: int) -> None:
        self.task = task
        """The failed task; None for a fault of the whole device."""
        self.code = code
        self.device_id = device_id
        self.task_id = NO_TASK if task is None else task_id(task.thread.number, task.number)
        self.stream_id = NO_TASK if task is None else task.stream.stream_id
        self.thread_id = NO_TASK if task is None else task.thread.number
        """The number of the host thread that queued the task, which is the same in every run."""

    def describe(self) -> str:
        """The exception in words."""
        return f"the exception of {self.task.describe()}" if self.task is not None else "the exception of a device"


class FaultReports:
    """The queue of failures whose callbacks have not run, and the thread that runs them."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.pending: deque[ExceptionInfo] = deque()
        self.teller: HostThread | None = None
        self.started = False
        self.work: Signal | None = None
        self.quiet: Signal | None = None
        """Host threads that wait until the callbacks of all failures have returned."""
        self.busy = False

    def describe(self) -> str:
        """What its thread waits for when it is idle."""
        return "a task to fail"

    def holders(self) -> list[object]:
        """Nothing ends this wait but a failure; it is no fault by itself."""
        return []

    def add(self, task: Task, fault: TaskFault) -> None:
        """A task failed: let the thread tell it, unless nobody is to hear of such an end."""
        device = task.stream.context.device
        if fault.code in NORMAL_ENDS or device.tasks_aborted:
            return
        if self.sim.threads.controller is not None:
            self.sim.threads.controller.before_work_given(self)
        self.pending.append(ExceptionInfo(task, fault.code, device.index))
        if not self.started:  # without a thread nobody is told until a later failure gets one
            self.started = self.sim.threads.try_service(self.sim, self.tell, "exception callbacks", self.has_work)
        if self.work is not None and not self.work.done:
            self.sim.scheduler.complete(self.work, task.end)

    def has_work(self) -> bool:
        """There is a failure to tell."""
        return bool(self.pending)

    def tell(self, t: HostThread) -> None:
        """The body of the thread."""
        sim = self.sim
        self.teller = t
        while not sim.closed:
            if sim.threads.controller is not None:
                sim.threads.controller.before_work_taken(self)
            if not self.pending:
                if self.quiet is not None and not self.quiet.done:
                    sim.scheduler.complete(self.quiet, t.clock)
                self.work = Signal()
                sim.threads.block(t, self.work, None, self)
                self.work = None
                continue
            self._tell_one(t, self.pending.popleft())

    def _tell_one(self, t: HostThread, info: ExceptionInfo) -> None:
        """Call all functions for one failure, and let them go: the thread goes on to wait."""
        sim = self.sim
        self.busy = True
        if info.task is not None:
            t.clock = max(t.clock, info.task.end)
        handle = sim.new_handle(info)
        for function in registered(sim):
            self._call(t, function, handle)
        own = getattr(info.task.op, "exception_callback", None) if info.task is not None else None
        if own is not None:  # a kernel's binary may have one of its own
            self._call(t, own, handle)
        sim.drop_handle(handle)
        self.busy = False

    def _call(self, t: HostThread, function: Function, handle: int) -> None:
        try:
            with self.sim.threads.user_code(t):
                function(handle)
        except Unwinding:
            raise
        except BaseException as error:  # noqa: BLE001 - user code in a thread of ours: nobody else could report it
            _print(error)

    def settle(self, t: HostThread) -> None:
        """Wait until the callbacks of all failures so far have returned."""
        if t is self.teller:
            return
        if self.started and self.sim.threads.controller is not None:
            self.sim.threads.controller.before_work_taken(self)
        while self.pending or self.busy:
            if self.quiet is None or self.quiet.done:
                self.quiet = Signal()
            self.sim.threads.block(t, self.quiet, None, _CallbacksWait(self))


@fenced(lambda error: None)
def _print(error: BaseException) -> None:
    import traceback  # nearly no program comes here

    traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)


class _CallbacksWait:
    """Why a host thread waits for exception callbacks."""

    __slots__ = ("reports",)

    def __init__(self, reports: FaultReports) -> None:
        self.reports = reports

    def describe(self) -> str:
        """The wait in words."""
        return "the exception callbacks to return"

    def holders(self) -> list[object]:
        """The thread that runs them."""
        return [self.reports.teller] if self.reports.teller is not None else []


def registered(sim: Runtime) -> list[Function]:
    """The functions to call, the one of aclrtSetExceptionInfoCallback first."""
    process = sim.process
    first = [process.exception_callback] if process.exception_callback is not None else []
    return first + list(process.exception_callbacks)


def listen(sim: Runtime) -> None:
    """The registered functions changed: failures are kept for them, or for nobody."""
    if not registered(sim) and not sim.process.binary_callbacks:
        sim.on_fault = None
        return
    if sim.fault_reports is None:
        sim.fault_reports = FaultReports(sim)
    sim.on_fault = sim.fault_reports.add


def settle(t: HostThread) -> None:
    """A call is about to return the failure of a task: the callbacks run first."""
    reports = t.sim.fault_reports
    if reports is not None:
        reports.settle(t)
