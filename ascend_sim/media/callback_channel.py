"""What channels for video have in common: two private streams, and callbacks in a thread of the program.

The unit of the device works on the one stream, callbacks wait on the other until there is something for them. So a
program that ends its thread, or forgets the end of the stream, hangs here as it does on a device, and the wait-for
graph says why. See docs/semantics/media_video.md#channels.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from ascend_sim.constants.errors import ACL_ERROR_FEATURE_UNSUPPORTED, ACL_ERROR_RT_STREAM_ABORT
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.media.video_library import INSTALL, MissingLibrary, video_library
from ascend_sim.runtime.callbacks.stream import Reports, forget_subscription, subscribe
from ascend_sim.runtime.stream_failures import abort
from ascend_sim.runtime.stream_waits import wait_for
from ascend_sim.runtime.task import Gate, Op, Steps, Task

if TYPE_CHECKING:
    from ascend_sim.media.descriptors import MediaObject
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["CallbackChannel", "Job", "need_library"]

IN_FLIGHT = 2
"""So many pieces may lie in front of the unit; a send waits until one is done (not in the sources)."""
UNSERVED = 64
"""So many results may wait for their callback before a send waits, too (not in the sources)."""

END_STREAM = "send the end of the stream (eos 1), or destroy the channel, which does so"
STOP_LATER = "destroy the channel before its thread is told to stop: that thread has to run the callbacks"


def need_library(t: ThreadState, what: str) -> None:
    """Raises AclError 200006, with a finding, where the library for video is missing."""
    try:
        video_library()
    except MissingLibrary as error:
        text = f"{what} needs the extra `media`: {error}"
        t.sim.report_call(t, "not-modelled", "warning", text, code=(t.call, ACL_ERROR_FEATURE_UNSUPPORTED), fix=INSTALL)
        raise AclError(ACL_ERROR_FEATURE_UNSUPPORTED, text, "acl") from None


class Job:
    """One send: what goes in, what comes out, and what its callback gets."""

    __slots__ = ("begun", "code", "number", "site", "task", "user_data")

    def __init__(self, t: ThreadState, user_data: Any) -> None:
        self.user_data = user_data
        self.site: CallSite = t.site
        self.number = 0
        self.code = 0
        self.begun = False
        """The unit has taken it."""
        self.task: Task | None = None
        """The task that gave its result; first the one that takes it in."""

    def arguments(self) -> tuple[Any, Any, Any]:
        """What the callback is called with."""
        raise NotImplementedError


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


class _Due:
    """A wait for callbacks, or for the unit to take a piece, in words."""

    def __init__(self, words: str, stream: Stream) -> None:
        self._words = words
        self._stream = stream

    def describe(self) -> str:
        return self._words

    def holders(self) -> list[object]:
        return [self._stream]


class CallbackChannel:
    """A channel while it is open. It belongs to the context that made it, whoever sends."""

    kind: ClassVar[str] = ""
    """Its word in texts, and the kind of its tasks."""

    def __init__(
        self, t: ThreadState, name: str, thread_id: int, callback: Callable[..., Any], context: Context
    ) -> None:
        self.name = name
        self.callback = callback
        self.context = context
        self._default = context.default
        """A primary context that went down comes up again with another one."""
        self.site: CallSite = t.site
        self.sim = t.sim
        self._sent = 0
        self._jobs: dict[int, Job] = {}
        """Those without a result."""
        self._results: deque[Job] = deque()
        self.work = _private_stream(t, context)
        self.calls = _private_stream(t, context)
        try:
            subscribe(t, thread_id, self.calls)
        except AclError:
            self._return_streams()
            raise
        self.work.title = f"the stream of {name}"
        self.calls.title = f"the callback stream of {name}"
        self._reports: Reports = self.sim.reports[thread_id]
        self.sim.at_close.append(self._look)
        self.sim.hang_notes.append(self._hint)

    @property
    def lost(self) -> bool:
        """It went down with its context."""
        return self.context.dead or self.context.default is not self._default

    # -- sending ------------------------------------------------------------------------------------------------------

    def wait_for_room(self, t: ThreadState) -> None:
        """Until the unit can take one more piece."""
        for stream, most, what in (
            (self.work, IN_FLIGHT, f"{self.name} to take a piece"),
            (self.calls, UNSERVED, f"the callbacks of {self.name}: {UNSERVED} results wait for them"),
        ):
            while len(stream.queue) >= most and self._waits_here(stream):
                wait_for(stream, t, stream.queue[0], None, _Due(what, stream))

    def _waits_here(self, stream: Stream) -> bool:
        return stream is self.work or bool(self._results)

    def send(self, t: ThreadState, job: Job, cost: int) -> Task:
        """Queue *job* for the unit, and its callback; *cost* in ns, if it is known by now."""
        job.number = self._sent
        self._sent += 1
        self._jobs[job.number] = job

        def act(task: Task, time: int) -> Steps:
            return self._work(task, job)

        job.task = self._submit(t, Op(self.kind, cost, act))
        costs = self.sim.profile.costs
        gate = ResultGate(self)
        self.calls.submit(t, Op("callback", costs.callback_ns, self._deliver, gate=gate, hosted=True))
        return job.task

    def _submit(self, t: ThreadState, op: Op) -> Task:
        task = self.work.submit(t, op)
        task.waiters = [self.calls]  # whatever becomes of it, callbacks look again
        return task

    def _work(self, task: Task, job: Job) -> Steps:
        job.begun = True
        if self.lost:
            return
        yield from self.process(task, job)
        self._signal(task)

    def _signal(self, task: Task) -> None:
        for observe in self.sim.hooks.signalled or ():
            observe(task, None, None)

    def process(self, task: Task, job: Job) -> Steps:
        """What the unit does with *job*; results go to `finished`."""
        raise NotImplementedError

    def drain(self, task: Task) -> None:
        """The end of the stream: what is kept comes out; results go to `finished`."""
        raise NotImplementedError

    def finished(self, task: Task, job: Job, code: int) -> None:
        """*job* has its result: its callback may come."""
        self._jobs.pop(job.number, None)
        job.task, job.code = task, code
        self._results.append(job)

    def job(self, number: int) -> Job | None:
        """The one of this number, if it has no result."""
        return self._jobs.get(number)

    # -- callbacks ----------------------------------------------------------------------------------------------------

    def next_result(self) -> Job | None:
        """The first result that no callback took. A task that failed before it began gives one, too."""
        if not self._results:
            for job in list(self._jobs.values()):
                if job.task is not None and job.task.done and not job.begun:
                    self.finished(job.task, job, self.failure)
        return self._results[0] if self._results else None

    failure: ClassVar[int] = 1
    """The code of a piece that could not be worked on."""

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

    # -- the end ------------------------------------------------------------------------------------------------------

    def finish(self, t: ThreadState) -> None:
        """The end of the stream: wait until the unit has given everything out and all callbacks have run."""
        if self.lost:
            return

        def act(task: Task, time: int) -> None:
            self.drain(task)
            for job in list(self._jobs.values()):
                self.finished(task, job, self.failure)
            self._signal(task)

        self._submit(t, Op(f"{self.kind}-end", self.sim.profile.costs.task_ns, act))
        for stream, what in ((self.work, f"{self.name} to come to its end"), (self.calls, self._callbacks_due())):
            if stream.queue:
                wait_for(stream, t, stream.queue[-1], None, _Due(what, stream))
            for observe in self.sim.hooks.waited or ():
                observe(t, stream)

    def _callbacks_due(self) -> str:
        count = len(self.calls.queue)
        return f"{count} callback{'s' if count > 1 else ''} of {self.name}"

    def close(self, t: ThreadState) -> None:
        """Wait as `finish`, then let the streams and the thread go."""
        self.finish(t)
        self._return_streams()
        self.sim.at_close.remove(self._look)
        self.sim.hang_notes.remove(self._hint)

    def _return_streams(self) -> None:
        for stream in (self.work, self.calls):
            abort(stream, ACL_ERROR_RT_STREAM_ABORT)
            forget_subscription(self.sim, stream)
            if not self.lost:
                self.context.device.return_stream(stream)

    def kept(self) -> int:
        """Pieces that were sent and have not come to their callback."""
        return len(self._jobs) + len(self._results)

    def awaited_result(self) -> str:
        """What a callback waits for that cannot start."""
        kept = len(self._jobs)
        more = f", which keeps {kept} until more comes or its stream ends" if not self.work.queue and kept else ""
        return f"the next result of {self.name}{more}"

    def _hint(self) -> str:
        """What a report of a hang says of pieces that wait for others."""
        kept = len(self._jobs)
        if self.lost or self.work.queue or not kept:
            return ""
        number = f"{kept} result{'s' if kept > 1 else ''}"
        return f"{self.name} keeps {number} until more is sent: {END_STREAM}"

    def _look(self) -> None:
        """The simulator closes: results that no callback got were lost without a word."""
        if self.lost or not self.kept():
            return
        waiting = list(self._jobs.values()) + list(self._results)
        count = len(waiting)
        first = min(waiting, key=lambda job: job.number)
        self.sim.report(
            "unawaited-work",
            "warning",
            f"{count} piece{'s' if count > 1 else ''} sent to {self.name} had not come to the callback at the end",
            [
                Site("submit", "the first of them was sent here", first.site, primary=True),
                Site("alloc", "the channel was created here", self.site),
            ],
            fix=END_STREAM,
            time_ns=self.sim.scheduler.now,
        )


def _private_stream(t: ThreadState, context: Context) -> Stream:
    """A stream that no program sees, and nobody has to destroy. Raises AclError 207008."""
    stream = context.device.new_stream(context, 0, 0, t.site)
    del t.sim.handles[stream.handle]
    return stream
