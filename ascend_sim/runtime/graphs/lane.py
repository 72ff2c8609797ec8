"""Lanes: the streams on which the lines of a graph run."""

from __future__ import annotations

from heapq import heappush, heappushpop
from typing import TYPE_CHECKING

from ascend_sim.runtime.stream import Stream

if TYPE_CHECKING:
    from ascend_sim.runtime.graphs.graph import Line
    from ascend_sim.runtime.graphs.instance import RunningInstance
    from ascend_sim.runtime.graphs.replay import Replay
    from ascend_sim.runtime.scheduler import Entry
    from ascend_sim.runtime.task import Task, TaskFault

__all__ = ["Lane"]

FIRST_NUMBER = 1 << 20
"""Lanes count from here: no stream of the program gets another number because there are lanes."""


class Lane(Stream):
    """One line of a graph while it runs, for replays that are launched on one stream: these follow each other.

    It has no handle; programs know it as the stream that recorded the line.
    """

    __slots__ = ("instance", "launcher", "line", "replay")

    def __init__(self, instance: RunningInstance, launcher: Stream, line: Line) -> None:
        stream = line.stream
        number = FIRST_NUMBER + stream.sim.next_number("lane")
        super().__init__(instance.context, number, stream.stream_id, stream.priority, 0, stream.site)
        self.instance = instance
        self.launcher = launcher
        """The stream on which its replays are launched."""
        self.line = line
        self.overflow_check = stream.overflow_check
        self.res_limits = stream.res_limits
        self.subscription = stream.subscription
        self.replay: Replay | None = None
        """What runs here now."""

    def describe(self) -> str:
        """The lane in words: by the stream that recorded it."""
        return f"{self.line.stream.describe()} in {self.instance.describe()}"

    def fire(self, time: int) -> None:
        """Take the next step of the head; then those of other lanes, as long as they come next and only take time.

        Replays are many short tasks side by side: what the scheduler's own loop does between two of them is left out.
        """
        heap, scheduler = self.heap, self.sim.scheduler
        limit = scheduler.limit
        lane = self
        entry: Entry
        watched = self.hooks.completed is not None or scheduler.schedule.reorders
        while True:
            queue = lane.queue
            task = queue[0]
            op = task.op
            if not op.plain or op.action is not None or watched:
                Stream.fire(lane, time)
                return
            queue.popleft()
            lane.free = task.end = time
            task.done = True
            waiters = task.waiters
            if queue:
                op = queue[0].op
                entry = (time + op.cost if op.plain else time, lane.priority, lane.number, lane)
                if waiters is None:
                    entry = heappushpop(heap, entry)
                else:
                    lane.armed = True
                    heappush(heap, entry)
            else:
                lane.armed = False
            if waiters is not None:
                task.waiters = None
                for waiter in waiters:
                    waiter.wake(time)
                return
            if not queue:
                return
            time = entry[0]
            if time > limit:
                heappush(heap, entry)
                return
            scheduler.now = time
            what = entry[3]
            if type(what) is not Lane:
                what.fire(time)
                return
            lane = what

    def fails(self, task: Task, fault: TaskFault) -> None:
        """One task of a replay failed: the replay ends with that (docs/semantics/graphs.md#failing-tasks)."""
        assert self.replay is not None
        self.replay.failed(task, fault)

    def end_for_good(self) -> None:
        """Nothing will run here again."""
        for observe in self.hooks.stream_ended or ():
            observe(self)
