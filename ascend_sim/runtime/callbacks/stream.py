"""Host callbacks: reports served by a subscribed thread, and host functions served by the runtime's own thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_REPORT_TIMEOUT,
    ACL_ERROR_RT_STREAM_NO_CB_REG,
    ACL_ERROR_RT_STREAM_SUBSCRIBE,
    ACL_ERROR_RT_THREAD_SUBSCRIBE,
)
from ascend_sim.errors import AclError, Unwinding
from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.task import Op, Task, TaskFault
from ascend_sim.source.fence import said

if TYPE_CHECKING:
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.source.callsite import CallSite

__all__ = [
    "HOST_FUNC",
    "Reports",
    "launch_callback",
    "launch_host_func",
    "process_report",
    "run_reported",
    "subscribe",
    "unsubscribe",
]

Function = Callable[[Any], Any]
MAX_SERVING_THREADS = 1024
_RAN = {(op.kind, op.hosted): op for op in (
    Op("callback", 0), Op("callback", 0, hosted=True), Op("host-func", 0, hosted=True),
)}  # fmt: skip
"""What a task has as its operation when its function has returned: who remembers the task keeps no object of the program."""
HOST_FUNC = "host-func"
"""The subscription of a stream that the runtime's own thread serves."""


class Reports:
    """What has been reported to one serving thread and not been run; `thread_id` is the user's pthread id."""

    __slots__ = ("device", "pending", "signal", "streams", "thread_id")

    may_time_out = True
    """A serving thread that hears nothing for its time-out is an ordinary thing."""

    def __init__(self, thread_id: int, device: int) -> None:
        self.thread_id = thread_id
        self.device = device
        self.streams: dict[Stream, CallSite] = {}
        """With the call that subscribed."""
        self.pending: deque[tuple[Function, Any, Task]] = deque()
        self.signal: Signal | None = None

    def describe(self) -> str:
        """The wait of the serving thread in words."""
        return "a callback to be reported"

    def holders(self) -> list[object]:
        """The streams that could report one."""
        return list(self.streams)

    def deliver(self, sim: Runtime, function: Function, argument: Any, task: Task, time: int) -> None:
        """A callback is due at virtual *time* (ns): wake the thread that serves it."""
        if sim.threads.controller is not None:
            sim.threads.controller.before_work_given(self)
        self.pending.append((function, argument, task))
        if self.signal is not None and not self.signal.done:
            sim.scheduler.complete(self.signal, time)


class Served:
    """The subscription of a stream: who runs its callbacks; also a node of the wait-for graph."""

    __slots__ = ("reports", "sim")

    def __init__(self, reports: Reports, sim: Runtime) -> None:
        self.reports = reports
        self.sim = sim

    def holders(self) -> list[object]:
        """The serving thread, when it is attached."""
        return [thread for thread in self.sim.threads.attached() if thread.os_ident == self.reports.thread_id]


def subscribe(t: HostThread, thread_id: int, stream: Stream) -> None:
    """Let thread *thread_id* serve *stream*.

    Raises AclError 107011 (the stream is served already), 107012 (the thread serves another device), 507000 (too many).
    """
    sim = t.sim
    if stream.subscription is not None:
        who = (
            "the runtime's own thread (aclrtLaunchHostFunc)"
            if stream.subscription is HOST_FUNC
            else "a subscribed thread"
        )
        raise AclError(ACL_ERROR_RT_STREAM_SUBSCRIBE, f"{stream.describe()} is already served by {who}")
    reports = sim.reports.get(thread_id)
    device = stream.context.device.index
    if reports is None:
        if len(sim.reports) >= MAX_SERVING_THREADS:
            raise AclError(
                ACL_ERROR_RT_INTERNAL_ERROR, f"{MAX_SERVING_THREADS} threads serve callbacks: the most there can be"
            )
        reports = sim.reports[thread_id] = Reports(thread_id, device)
    elif reports.device != device:
        raise AclError(
            ACL_ERROR_RT_THREAD_SUBSCRIBE,
            f"thread {thread_id:#x} serves streams of device {reports.device}: it cannot serve device {device} too",
        )
    reports.streams[stream] = t.site
    stream.subscription = Served(reports, sim)


def unsubscribe(sim: Runtime, thread_id: int, stream: Stream) -> None:
    """Undo `subscribe`. Raises AclError 107011 (not subscribed), 107012 (by another thread)."""
    served = stream.subscription
    if not isinstance(served, Served):
        raise AclError(ACL_ERROR_RT_STREAM_SUBSCRIBE, f"{stream.describe()} has no subscribed thread")
    if served.reports.thread_id != thread_id:
        raise AclError(
            ACL_ERROR_RT_THREAD_SUBSCRIBE, f"{stream.describe()} is served by another thread than {thread_id:#x}"
        )
    forget_subscription(sim, stream)


def forget_subscription(sim: Runtime, stream: Stream) -> None:
    """The stream is not served any more (also part of its destruction)."""
    served, stream.subscription = stream.subscription, None
    if isinstance(served, Served):
        served.reports.streams.pop(stream, None)
        if not served.reports.streams and not served.reports.pending:
            sim.reports.pop(served.reports.thread_id, None)


def launch_callback(t: HostThread, function: Function | None, argument: Any, block: bool, stream: Stream) -> None:
    """Queue a callback. *block*: later tasks of the stream wait until it has run.

    Raises AclError 107000 (no function), 107015 (nobody subscribed), 107011 (the stream is served by host functions).
    """
    if function is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "fn is NULL")
    served = stream.subscription
    if served is None:
        raise AclError(
            ACL_ERROR_RT_STREAM_NO_CB_REG,
            f"no thread is subscribed for {stream.describe()}: call aclrtSubscribeReport first",
        )
    if not isinstance(served, Served):
        raise AclError(
            ACL_ERROR_RT_STREAM_SUBSCRIBE,
            f"{stream.describe()} is served by aclrtLaunchHostFunc: the two families of callbacks cannot be mixed",
        )
    reports, sim = served.reports, stream.sim

    def deliver(task: Task, time: int) -> None:
        if not block:
            for observe in sim.hooks.signalled or ():
                observe(task, None, None)
        reports.deliver(sim, function, argument, task, time)

    stream.submit(t, Op("callback", sim.profile.costs.callback_ns, deliver, hosted=block))


def process_report(t: HostThread, timeout_ns: int | None) -> None:
    """Run every callback that has been reported to this thread; wait up to *timeout_ns* (None: for ever) for the first.

    Raises AclError 107012 (the thread serves nothing), 507012 (nothing came in time).
    """
    sim = t.sim
    reports = sim.reports.get(t.os_ident)
    if reports is None:
        sim.threads.poll(t, ("aclrtProcessReport", "nothing"))  # a loop around it may never end
        raise AclError(
            ACL_ERROR_RT_THREAD_SUBSCRIBE,
            f"{t.name} serves no stream: aclrtSubscribeReport names other threads or was never called",
        )
    sim.threads.poll(t)
    controller = sim.threads.controller
    if controller is not None:
        controller.before_work_taken(reports)
    if not reports.pending:
        reports.signal = Signal()
        deadline = None if timeout_ns is None else t.clock + timeout_ns
        arrived = sim.threads.block(t, reports.signal, deadline, reports)
        reports.signal = None
        if controller is not None:
            controller.before_work_taken(reports)
        if not arrived and not reports.pending:
            for observe in sim.hooks.timed_out or ():
                observe(t, reports.describe())
            raise AclError(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback was reported within the time")
    for _ in range(len(reports.pending)):
        run_reported(t, *reports.pending.popleft())


def run_reported(t: HostThread, function: Function, argument: Any, task: Task) -> None:
    """Run one callback as host code of thread *t*; a blocked stream goes on when it returns."""
    sim = t.sim
    if sim.hooks.callback_started is not None:
        for observe in sim.hooks.callback_started:
            observe(t, task)
    before, t.serving = t.serving, task
    try:
        with sim.threads.user_code(t):
            function(argument)
    finally:
        t.serving = before
        if sim.hooks.callback_ended is not None:
            for observe in sim.hooks.callback_ended:
                observe(t, task)
        if task.op.hosted:
            _end_hosted(task, t.clock)
        task.op = _RAN[task.op.kind, task.op.hosted]


def _end_hosted(task: Task, time: int, fault: TaskFault | None = None) -> None:
    controller = task.stream.sim.threads.controller
    if controller is not None:
        controller.before_host_task_ends(task)
    task.stream.end_hosted(task, time, fault)


class Service:
    """The runtime's own thread of one context: runs host functions one after the other."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.pending: deque[tuple[Function, Any, Task]] = deque()
        self.signal: Signal | None = None
        self.server: HostThread | None = None
        """Its thread, while that runs a function."""

    def describe(self) -> str:
        """What its thread waits for when it is idle."""
        return f"a host function of {self.context.describe()}"

    def holders(self) -> list[object]:
        """Nothing ends this wait but new work; it is no fault by itself."""
        return []

    def deliver(self, task: Task, time: int, function: Function, argument: Any) -> None:
        """A host function is due at virtual *time* (ns)."""
        controller = self.context.device.sim.threads.controller
        if controller is not None:
            controller.before_work_given(self)
        self.pending.append((function, argument, task))
        self.wake(time)

    def wake(self, time: int) -> None:
        """There is work, or the context has ended: let the thread look again at virtual *time* (ns)."""
        if self.signal is not None and not self.signal.done:
            self.context.device.sim.scheduler.complete(self.signal, time)

    def has_work(self) -> bool:
        """There is a function to run, or nothing to wait for any more."""
        return bool(self.pending) or self.context.dead

    def serve(self, t: HostThread) -> None:
        """The body of the thread: it ends with its context, or with the simulator.

        It works in the primary context, so that a host function can wait for its own stream
        (docs/semantics/callbacks.md#host-functions).
        """
        sim = self.context.device.sim
        if self.context.primary:
            t.binding = self.context.device
        while not (self.context.dead or sim.closed):
            if sim.threads.controller is not None:
                sim.threads.controller.before_work_taken(self)
            if not self.pending:
                self.signal = Signal()
                sim.threads.block(t, self.signal, None, self)
                self.signal = None
                continue
            self._run(t, *self.pending.popleft())

    def _run(self, t: HostThread, function: Function, argument: Any, task: Task) -> None:
        """One function. What it was called with is let go here: the thread goes on to wait."""
        sim = self.context.device.sim
        fault = None
        t.clock = max(t.clock, task.start)
        if sim.hooks.callback_started is not None:
            for observe in sim.hooks.callback_started:
                observe(t, task)
        self.server, t.serving = t, task
        try:
            with sim.threads.user_code(t):
                function(argument)
        except Unwinding:
            raise
        # user code in a thread of ours: the stream must learn of it
        except BaseException as error:  # noqa: BLE001
            fault = TaskFault(
                ACL_ERROR_RT_INTERNAL_ERROR, f"the host function raised {type(error).__name__}: {said(error)}"
            )
        self.server = t.serving = None
        if sim.hooks.callback_ended is not None:
            for observe in sim.hooks.callback_ended:
                observe(t, task)
        _end_hosted(task, t.clock, fault)
        task.op = _RAN[task.op.kind, task.op.hosted]


def launch_host_func(t: HostThread, function: Function | None, argument: Any, stream: Stream) -> None:
    """Queue a host function; later tasks of the stream wait until the runtime's own thread has run it.

    Raises AclError 107000 (no function), 107011 (the stream has a subscribed thread), 507000 (no thread can be started).
    """
    if function is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "fn is NULL")
    if stream.subscription is not None and stream.subscription is not HOST_FUNC:
        raise AclError(
            ACL_ERROR_RT_STREAM_SUBSCRIBE,
            f"{stream.describe()} has a subscribed thread: the two families of callbacks cannot be mixed",
        )
    context, sim = stream.context, stream.sim
    service = context.service
    if not isinstance(service, Service):
        service = Service(context)
        name = f"host functions of {context.describe()}"
        if not sim.threads.try_service(sim, service.serve, name, service.has_work):
            raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, "the operating system has no thread for host functions")
        context.service = service
    stream.subscription = HOST_FUNC
    keeper = service

    def deliver(task: Task, time: int) -> None:
        keeper.deliver(task, time, function, argument)

    stream.submit(t, Op("host-func", sim.profile.costs.callback_ns, deliver, hosted=True))
