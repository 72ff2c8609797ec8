"""Failures and aborts of streams: tasks that fail, queues that are dropped, a running head that is killed.

See docs/semantics/streams.md#failing-tasks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.runtime.stream_waits import interrupt
from ascend_sim.runtime.task import DROPPED, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.runtime.stream import Stream

__all__ = ["abort", "drop_queue", "fail", "kill_head"]

"""What waiting host threads get when the stream is aborted."""


def fail(stream: Stream, task: Task, fault: TaskFault) -> None:
    """*task* of *stream* has failed: in continue mode the last failure is kept, in stop mode the context's first."""
    context = stream.context
    if context.stop_mode:
        drop_queue(stream)
        stream.stopped = True
        if not context.failure:
            context.why = fault.text
            context.fail(fault.code)
    else:
        stream.error = fault.code
        stream.why = fault.text
    stream.sim.task_failed(task, fault)


def abort(stream: Stream, code: int) -> None:
    """Kill what runs and drop what is queued; host threads that wait for *stream* get *code*."""
    drop_queue(stream)
    stream.error = 0
    interrupt(stream, code)


def drop_queue(stream: Stream) -> None:
    """Forget everything that is queued; dropped records never complete."""
    controller = stream.sim.threads.controller
    if controller is not None:
        controller.before_drop(stream, tuple(stream.queue))
    if stream.queue:
        _stop_head(stream)
    for task in stream.queue:
        task.end = DROPPED
    stream.queue.clear()


def kill_head(stream: Stream, time: int) -> None:
    """Kill what runs or waits at virtual *time* (ns); the rest of the queue goes on (aclrtStreamStop).

    The killed task has no effects and, if it is a record, never completes.
    """
    controller = stream.sim.threads.controller
    if controller is not None:
        controller.before_drop(stream, tuple(stream.queue)[:1])
    if not stream.queue or stream.resting:
        return
    head = stream.queue[0]
    if stream.armed and not stream.running and max(head.ready, stream.free) > time:
        return  # it has not begun
    _stop_head(stream)
    stream.queue.popleft()
    head.end = DROPPED
    stream.free = max(stream.free, time)
    for wait in [wait for wait in stream.waits if wait.task is head and wait.for_empty]:
        wait.wake(time)
    stream.give_room(time)
    if stream.queue:
        head = stream.queue[0]
        start = max(time, head.ready)
        stream.arm_at(start + head.op.cost if head.op.plain else start)


def _stop_head(stream: Stream) -> None:
    """The head runs and waits no more: its slots, its place at a gate and its next step are given up."""
    head, now = stream.queue[0], stream.sim.scheduler.now
    if stream.steps is not None:
        stream.steps.close()
        stream.steps = stream.pause = None
    if head.op.gate is not None and not stream.running:
        head.op.gate.forget(head)
    if head.op.engine is not None:
        stream.give_slots(head.op.engine, now)
    if stream.timer is not None:
        stream.timer.live = False
        stream.timer = None
    if stream.armed:
        stream.sim.scheduler.remove(stream)
        stream.armed = False
    stream.running = False
