"""Lanes: the streams on which the lines of a graph run."""

from __future__ import annotations

from heapq import heappop, heappush, heappushpop
from typing import TYPE_CHECKING

from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Op

if TYPE_CHECKING:
    from ascend_sim.runtime.event import RecordGate
    from ascend_sim.runtime.graphs.graph import Line
    from ascend_sim.runtime.graphs.instance import RunningInstance
    from ascend_sim.runtime.graphs.replay import Replay
    from ascend_sim.runtime.scheduler import Entry
    from ascend_sim.runtime.task import Task, TaskFault

__all__ = ["InsideWait", "Lane"]

FIRST_NUMBER = 1 << 20
"""Lanes count from here: no stream of the program gets another number because there are lanes."""


class InsideWait(Op):
    """The wait of one replay for a record of the same replay."""

    __slots__ = ("inside",)

    # The same for all of them: one store less each.
    accesses = ()
    action = None
    begin = None
    engine = None
    hosted = False
    kind = "wait"
    least = 0
    plain = False
    slots = 1

    def __init__(self, op: Op, gate: RecordGate) -> None:
        self.cost = op.cost
        self.timeout = op.timeout
        self.gate = self.inside = gate


class Lane(Stream):
    """One line of a graph while it runs, for replays that are launched on one stream: these follow each other.

    It has no handle; programs know it as the stream that recorded the line.
    """

    __slots__ = ("instance", "launcher", "line", "passes", "place", "replay")

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
        self.place = (self.priority, self.number)
        """Where it comes among all that happens at one time."""
        self.passes = False
        """Its head is a wait that comes again when its record is done."""
        self.replay: Replay | None = None
        """What runs here now."""

    def describe(self) -> str:
        """The lane in words: by the stream that recorded it."""
        return f"{self.line.stream.describe()} in {self.instance.describe()}"

    def fire(self, time: int) -> None:
        """Take the next step of the head; then those of other lanes, as long as they come next and only take time.

        Replays are many short tasks side by side: what the scheduler's own loop does between two of them is left out. A
        lane goes on by itself through tasks that nobody waits for and that only take time; a wait for a record that is
        done by this has to look at when it was. So all else comes in the order in which it would come otherwise.
        """
        scheduler = self.sim.scheduler
        if self.hooks.completed is not None or scheduler.schedule.reorders:
            Stream.fire(self, time)
            return
        heap, limit = self.heap, scheduler.limit
        lane = self
        while True:
            queue = lane.queue
            task = queue[0]
            op = task.op
            entry: Entry | None = None
            if op.plain:
                if op.action is not None:
                    Stream.fire(lane, time)
                    return
            elif type(op) is not InsideWait:
                Stream.fire(lane, time)
                return
            elif lane.running:
                lane.running = False
            else:
                parked = lane._wait(task, op, time)
                if parked is None:
                    if not heap:
                        return
                    entry = heappop(heap)
                else:
                    entry = heappushpop(heap, parked)
                    if entry is parked and lane.running and entry[0] <= limit:  # nothing comes before its end
                        time = scheduler.now = entry[0]
                        lane.running = False
                        entry = None
            if entry is None:
                queue.popleft()
                task.end = time
                task.done = True
                waiters = task.waiters
                if waiters is not None:
                    lane.free = time
                    task.waiters = None
                    if queue:
                        op = queue[0].op
                        heappush(heap, (time + op.cost if op.plain else time, lane.priority, lane.number, lane))
                    else:
                        lane.armed = False
                    for waiter in waiters:
                        waiter.wake(time)
                    for waiter in waiters:
                        if type(waiter) is not Lane:
                            return  # a host thread may go on
                    if not heap:
                        return
                    entry = heappop(heap)
                else:
                    while True:  # there is more: somebody waits for the last task
                        task = queue[0]
                        op = task.op
                        if not op.plain:
                            entry = (time, lane.priority, lane.number, lane)
                            break
                        end = time + op.cost
                        if task.waiters is not None or op.action is not None or end > limit:
                            entry = (end, lane.priority, lane.number, lane)
                            break
                        queue.popleft()
                        task.end = time = end
                        task.done = True
                    lane.free = time
                    entry = heappushpop(heap, entry)
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

    def _wait(self, task: Task, op: InsideWait, time: int) -> Entry | None:
        """The head is a wait, and may start at virtual *time* (ns): when it goes on; None: the record says when."""
        record = op.inside.record
        if not record.done:
            if record.waiters is None:
                record.waiters = [self]
            else:
                record.waiters.append(self)
            self.armed = False
            return None
        end, other = record.end, record.stream
        self.armed = True
        if not self.passes and (end > time or (end == time and (other.priority, other.number) > self.place)):
            self.passes = True  # when it comes again, in the moment behind the record
            return end, *max(self.place, (other.priority, other.number - 0.5)), self
        self.passes = False
        self.running = True
        task.start = time
        hooks = self.hooks
        if hooks.passed is not None:
            for observe in hooks.passed:
                observe(task, time)
        if hooks.started is not None:
            for observe in hooks.started:
                observe(task, time)
        return time + op.cost, self.priority, self.number, self

    def fails(self, task: Task, fault: TaskFault) -> None:
        """One task of a replay failed: the replay ends with that (docs/semantics/graphs.md#failing-tasks)."""
        assert self.replay is not None
        self.replay.failed(task, fault)

    def end_for_good(self) -> None:
        """Nothing will run here again."""
        for observe in self.hooks.stream_ended or ():
            observe(self)
