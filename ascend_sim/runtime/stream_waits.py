"""Who waits for a stream, and what ends such a wait early.

Host threads wait until a stream is empty, has room, or has done one task; an abort or a stopped context ends that with
a code. A wait on the device ends by its limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_TASK_TIMEOUT
from ascend_sim.errors import AclError
from ascend_sim.runtime.callbacks.exceptions import settle
from ascend_sim.runtime.scheduler import Signal, Timer
from ascend_sim.runtime.task import Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.runtime.scheduler import Reason
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Room", "StreamWait", "WaitLimit", "interrupt", "tell_ended", "wait_for", "why_interrupted"]

"""A wait on the device that took longer than its limit, as the next synchronise returns it."""


class StreamWait(Signal):
    """A host thread that waits for *task* of a stream; also ended by an abort, with *code*.

    *for_empty*: it waits for the queue to run empty, not for what the task does.
    """

    __slots__ = ("code", "for_empty", "stream", "task")

    def __init__(self, stream: Stream, task: Task, for_empty: bool) -> None:
        super().__init__()
        self.stream = stream
        self.task = task
        self.for_empty = for_empty
        self.code = 0

    def wake(self, time: int) -> None:
        """The task is done."""
        if not self.done:
            self.stream.waits.remove(self)
            self.stream.sim.scheduler.complete(self, time)

    def describe(self) -> str:
        """The wait in words."""
        return self.stream.describe()

    def holders(self) -> list[object]:
        """The stream is what could end it."""
        return [self.stream]


class Room(Signal):
    """A host thread that waits for room in a full queue; also ended by an abort, with *code*."""

    __slots__ = ("code", "stream")

    def __init__(self, stream: Stream) -> None:
        super().__init__()
        self.stream = stream
        self.code = 0

    def describe(self) -> str:
        """The wait in words."""
        return f"room in the full queue of {self.stream.describe()} ({self.stream.depth} tasks)"

    def holders(self) -> list[object]:
        """The stream is what could end it."""
        return [self.stream]


class WaitLimit(Timer):
    """The limit of a wait on the device: the task fails, and the next synchronise returns 107020."""

    __slots__ = ("stream", "task")

    def __init__(self, stream: Stream, task: Task) -> None:
        super().__init__()
        self.stream = stream
        self.task = task

    def expire(self, time: int) -> None:
        """The head still waits: it ends as failed."""
        stream, task = self.stream, self.task
        stream.timer = None
        if stream.queue and stream.queue[0] is task and not stream.running:
            gate = task.op.gate
            assert gate is not None
            gate.forget(task)
            for observe in stream.hooks.timed_out or ():
                observe(task, gate.describe())
            stream.fail_head(
                time,
                TaskFault(
                    ACL_ERROR_RT_TASK_TIMEOUT, f"{stream.sim.names.described(gate)} did not come within the limit"
                ),
            )


def wait_for(stream: Stream, t: HostThread, task: Task, deadline: int | None, why: Reason | None = None) -> bool:
    """Block thread *t* until *task* of *stream* is done; False when virtual *deadline* (ns) passed first.

    A record that was dropped is never done. *why*: the wait in the user's words; None: it is for an empty queue.
    Raises AclError: 107023 when the stream is aborted meanwhile, the failure when its context stops meanwhile.
    """
    wait = StreamWait(stream, task, why is None)
    stream.waits.append(wait)
    if task.waiters is None:
        task.waiters = [wait]
    else:
        task.waiters.append(wait)
    arrived = stream.sim.threads.block(t, wait, deadline, why or wait)
    if not arrived:
        stream.waits.remove(wait)
        if task.waiters is not None:
            task.waiters.remove(wait)
        stream.give_up()
        if stream.hooks.timed_out is not None:
            for observe in stream.hooks.timed_out:
                observe(t, stream.describe())
    if wait.code:
        if wait.code == stream.context.failure:
            stream.context.check_works(t)
        tell_ended(stream, t)
        settle(t)
        raise AclError(wait.code, why_interrupted(stream, wait.code))
    return arrived


def tell_ended(stream: Stream, t: HostThread) -> None:
    """*t* is told that *stream* was stopped or aborted: what it had queued there has run, or was dropped."""
    if not stream.queue:
        for observe in stream.hooks.stopped or ():
            observe(t, stream)


def interrupt(stream: Stream, code: int) -> None:
    """Host threads that wait for *stream*, or for room in it, get *code*."""
    now, complete = stream.sim.scheduler.now, stream.sim.scheduler.complete
    waits, stream.waits = stream.waits, []
    rooms, stream.room = stream.room or [], None
    ended: list[StreamWait | Room] = [*waits, *rooms]
    for wait in ended:
        wait.code = code
        complete(wait, now)


def why_interrupted(stream: Stream, code: int) -> str:
    """Why a wait ended with *code*, in words."""
    if code == stream.context.failure:
        return stream.context.why_stopped()
    return f"{stream.describe()} was aborted during the wait"
