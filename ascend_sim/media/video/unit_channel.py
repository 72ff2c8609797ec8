"""What the unit of a device does for one channel of video: pieces go in, results come out, on a private stream.

Who takes the results differs: callbacks (callback_channel.py), or calls that ask for them (polled_channel.py).
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar

from ascend_sim.constants.errors import ACL_ERROR_FEATURE_UNSUPPORTED, ACL_ERROR_RT_STREAM_ABORT
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.media.video.video_library import INSTALL, MissingLibrary, video_library
from ascend_sim.runtime.stream_failures import abort
from ascend_sim.runtime.stream_waits import wait_for
from ascend_sim.runtime.task import Op, Steps, Task

if TYPE_CHECKING:
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["END_STREAM", "Due", "Job", "UnitChannel", "need_library", "private_stream"]

IN_FLIGHT = 2
"""So many pieces may lie in front of the unit; a send waits until one is done (not in the sources)."""
END_STREAM = "send the end of the stream (eos 1), or destroy the channel, which does so"


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


class Due:
    """A wait for results, or for the unit to take a piece, in words."""

    def __init__(self, words: str, stream: Stream | None) -> None:
        self._words = words
        self._stream = stream

    def describe(self) -> str:
        """What is waited for."""
        return self._words

    def holders(self) -> list[object]:
        """The stream that works on it."""
        return [self._stream] if self._stream is not None else []


class UnitChannel:
    """A channel while it is open. It belongs to the context that made it, whoever sends."""

    kind: ClassVar[str] = ""
    """The kind of its tasks."""
    failure: ClassVar[int] = 1
    """The code of a piece that could not be worked on."""

    def __init__(self, t: ThreadState, name: str, context: Context) -> None:
        self.name = name
        self.context = context
        self._default = context.default
        """A primary context that went down comes up again with another one."""
        self.site: CallSite = t.site
        self.sim = t.sim
        self._sent = 0
        self._jobs: dict[int, Job] = {}
        """Those without a result."""
        self._results: deque[Job] = deque()
        self.work = private_stream(t, context, f"the stream of {name}")
        self.sim.at_close.append(self._look)
        self.sim.hang_notes.append(self._hint)

    @property
    def lost(self) -> bool:
        """It went down with its context."""
        return self.context.dead or self.context.default is not self._default

    # -- sending ------------------------------------------------------------------------------------------------------

    def wait_for_room(self, t: ThreadState) -> None:
        """Until the unit can take one more piece."""
        while len(self.work.queue) >= IN_FLIGHT:
            wait_for(self.work, t, self.work.queue[0], None, Due(f"{self.name} to take a piece", self.work))

    def send(self, t: ThreadState, job: Job, cost: int) -> Task:
        """Queue *job* for the unit; *cost* in ns, if it is known by now."""
        job.number = self._sent
        self._sent += 1
        self._jobs[job.number] = job

        def act(task: Task, time: int) -> Steps:
            return self._work(task, job)

        job.task = self.submit(t, Op(self.kind, cost, act))
        return job.task

    def submit(self, t: ThreadState, op: Op) -> Task:
        """Queue work of the unit."""
        return self.work.submit(t, op)

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
        """*job* has its result."""
        self._jobs.pop(job.number, None)
        job.task, job.code = task, code
        self._results.append(job)

    def job(self, number: int) -> Job | None:
        """The one of this number, if it has no result."""
        return self._jobs.get(number)

    def next_result(self) -> Job | None:
        """The first result that nobody took. A task that failed before it began gives one, too."""
        if not self._results:
            for job in list(self._jobs.values()):
                if job.task is not None and job.task.done and not job.begun:
                    self.finished(job.task, job, self.failure)
        return self._results[0] if self._results else None

    # -- the end ------------------------------------------------------------------------------------------------------

    def end_stream(self, t: ThreadState) -> None:
        """Queue the end of the stream: what the unit keeps comes out, and what does not has failed."""

        def act(task: Task, time: int) -> None:
            self.drain(task)
            for job in list(self._jobs.values()):
                self.finished(task, job, self.failure)
            self._signal(task)

        self.submit(t, Op(f"{self.kind}-end", self.sim.profile.costs.task_ns, act))

    def wait_until_empty(self, t: ThreadState, stream: Stream, what: str) -> None:
        """Wait for all that is queued on *stream*, a private one."""
        if stream.queue:
            wait_for(stream, t, stream.queue[-1], None, Due(what, stream))
        for observe in self.sim.hooks.waited or ():
            observe(t, stream)

    def shut(self) -> None:
        """Give everything back; nothing is waited for."""
        self.give_back(self.work)
        self.sim.at_close.remove(self._look)
        self.sim.hang_notes.remove(self._hint)

    def give_back(self, stream: Stream) -> None:
        """A private stream is not needed any more."""
        abort(stream, ACL_ERROR_RT_STREAM_ABORT)
        if not self.lost:
            self.context.device.return_stream(stream)

    def kept(self) -> int:
        """Pieces that were sent and whose results nobody took."""
        return len(self._jobs) + len(self._results)

    def awaited_result(self) -> str:
        """What is waited for, of results that do not come."""
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
        """The simulator closes: results that nobody took were lost without a word."""
        if self.lost or not self.kept():
            return
        waiting = list(self._jobs.values()) + list(self._results)
        count = len(waiting)
        first = min(waiting, key=lambda job: job.number)
        self.sim.report(
            "unawaited-work",
            "warning",
            f"of {count} piece{'s' if count > 1 else ''} sent to {self.name} the results were not taken until the end",
            [
                Site("submit", "the first of them was sent here", first.site, primary=True),
                Site("alloc", "the channel was created here", self.site),
            ],
            fix=END_STREAM,
            time_ns=self.sim.scheduler.now,
        )


def private_stream(t: ThreadState, context: Context, title: str) -> Stream:
    """A stream that no program sees, and nobody has to destroy. Raises AclError 207008."""
    stream = context.device.new_stream(context, 0, 0, t.site)
    del t.sim.handles[stream.handle]
    stream.title = title
    return stream
