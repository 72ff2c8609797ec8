"""Channels whose results come in callbacks of a thread of the program: those of the first interface.

The unit of the device works on the one stream, callbacks wait on another until there is something for them. So a
program that ends its thread, or forgets the end of the stream, hangs here as it does on a device, and the wait-for
graph says why. See docs/semantics/media_video.md#channels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.media.video.unit_channel import END_STREAM, Due, Job, UnitChannel, private_stream
from ascend_sim.runtime.callbacks.stream import Reports, forget_subscription, subscribe
from ascend_sim.runtime.stream_waits import wait_for
from ascend_sim.runtime.task import Gate, Op, Task

if TYPE_CHECKING:
    from ascend_sim.media.descriptors import MediaObject
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["CallbackChannel"]

UNSERVED = 64
"""So many results may wait for their callback before a send waits, too (not in the sources)."""
STOP_LATER = "destroy the channel before its thread is told to stop: that thread has to run the callbacks"


class ResultGate(Gate):
    """Holds a callback back until the channel has a result for it."""

    __slots__ = ("channel", "record")

    def __init__(self, channel: CallbackChannel) -> None:
        self.channel = channel
        self.record: Task | None = None
        """What gave the result: it happens before the callback."""

    def passes(self, task: Task, time: int) -> bool:
        """The first result that no callback took; each callback takes one when it starts."""
        ready = self.channel.next_result()
        if ready is None:
            return False
        self.record = ready.task
        return True

    def park(self, task: Task) -> None:
        """Each task of the unit wakes the stream at its end."""

    def forget(self, task: Task) -> None:
        """Nothing was remembered."""

    def holders(self) -> list[object]:
        """The stream of the unit, while it works."""
        return [self.channel.work] if self.channel.work.queue else []

    def describe(self) -> str:
        """``the next picture of VDEC channel 3, which keeps 2 until the end of its stream``."""
        return self.channel.awaited_result()

    def cure(self, passed: bool) -> str:
        """What the program has to do."""
        return STOP_LATER if passed else END_STREAM


class _HandedOver:
    """The end of a callback: what it got is known to the whole program from now on.

    Callbacks hand pictures on through lists and other plain objects, which nobody sees. Whoever uses a picture after its
    callback has it from there: a race that is lost, never a false one.
    """

    __slots__ = ("channel", "gate")

    def __init__(self, channel: CallbackChannel, gate: ResultGate) -> None:
        self.channel = channel
        self.gate = gate

    def wake(self, time: int) -> None:
        """The callback has returned."""
        sim = self.channel.sim
        for thread in sim.threads.attached():
            if thread.sim is sim:
                for observe in sim.hooks.polled or ():
                    observe(thread, self.channel, self.gate.record, True, True)


class CallbackChannel(UnitChannel):
    """A channel with a thread and a callback."""

    def __init__(
        self, t: ThreadState, name: str, thread_id: int, callback: Callable[..., Any], context: Context
    ) -> None:
        super().__init__(t, name, context)
        self.callback = callback
        self.calls = private_stream(t, context, f"the callback stream of {name}")
        try:
            subscribe(t, thread_id, self.calls)
        except AclError:
            self.shut()
            raise
        self._reports: Reports = self.sim.reports[thread_id]

    def wait_for_room(self, t: ThreadState) -> None:
        """Until the unit can take one more piece, and not too many results wait."""
        super().wait_for_room(t)
        what = f"the callbacks of {self.name}: {UNSERVED} results wait for them"
        while len(self.calls.queue) >= UNSERVED and self._results:
            wait_for(self.calls, t, self.calls.queue[0], None, Due(what, self.calls))

    def send(self, t: ThreadState, job: Job, cost: int) -> Task:
        """Queue *job* for the unit, and its callback."""
        task = super().send(t, job, cost)
        gate = ResultGate(self)
        op = Op("callback", self.sim.profile.costs.callback_ns, self._deliver, gate=gate, hosted=True)
        self.calls.submit(t, op).waiters = [_HandedOver(self, gate)]
        return task

    def submit(self, t: ThreadState, op: Op) -> Task:
        """Whatever becomes of the task, callbacks look again."""
        task = super().submit(t, op)
        task.waiters = [self.calls]
        return task

    def _deliver(self, task: Task, time: int) -> None:
        job = self._results.popleft()
        self.present(task, job)
        self._reports.deliver(self.sim, self._call, job, task, time)

    def present(self, task: Task, job: Job) -> None:
        """Fill in what the callback of *job* looks at; it is the next to run."""
        raise NotImplementedError

    def _call(self, job: Job) -> None:
        arguments = job.arguments()
        job.user_data = None  # who remembers the task keeps no object of the program
        self.callback(*arguments)

    def check_alive(self, job: Job, thing: MediaObject, what: str) -> bool:
        """Whether *thing*, which the callback is to get, was not destroyed; if it was, that is said."""
        if self.sim.handles.get(thing.handle) is thing:
            return True
        sites = [Site("submit", "sent here", job.site, primary=True)]
        title = f"{what} was destroyed while {self.name} was at work on it: the callback gets its dead handle"
        fix = "destroy it in the callback, or after it"
        self.sim.report("stale-registration", "error", title, sites, fix=fix, time_ns=self.sim.scheduler.now)
        return False

    def finish(self, t: ThreadState) -> None:
        """The end of the stream: wait until the unit has given everything out and all callbacks have run."""
        if self.lost:
            return
        self.end_stream(t)
        self.wait_until_empty(t, self.work, f"{self.name} to come to its end")
        count = len(self.calls.queue)
        self.wait_until_empty(t, self.calls, f"{count} callback{'s' if count > 1 else ''} of {self.name}")

    def close(self, t: ThreadState) -> None:
        """Wait as `finish`, then let the streams and the thread go."""
        self.finish(t)
        self.shut()

    def shut(self) -> None:
        super().shut()
        forget_subscription(self.sim, self.calls)
        self.give_back(self.calls)
