"""Replays: one execution of a graph is one item of the stream that it was launched on, and a task for each node.

The item starts as any task does; then its lanes run beside all other streams, with the order, costs and engine slots of
their tasks, and the item ends when they are empty. See docs/semantics/graphs.md#replays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_MODEL_ABORT_NORMAL
from ascend_sim.runtime.event import RecordGate
from ascend_sim.runtime.graphs.lane import InsideWait
from ascend_sim.runtime.graphs.memory import look_at_memory
from ascend_sim.runtime.stream_failures import drop_queue
from ascend_sim.runtime.stream_waits import wait_for
from ascend_sim.runtime.task import Op, Pause, Steps, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.runtime.graphs.graph import Node
    from ascend_sim.runtime.graphs.instance import RunningInstance
    from ascend_sim.runtime.graphs.lane import Lane
    from ascend_sim.runtime.graphs.task_groups import TaskGroup
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.source.callsite import CallSite

__all__ = ["Replay", "abort", "launch", "wait_until_over"]


new = object.__new__


class Replay:
    """One execution of a running instance. *task* is its item, `tasks` are those of its nodes, by `Node.index`."""

    __slots__ = ("fault", "grouped", "instance", "lanes", "left", "queues", "task", "tasks")

    def __init__(self, instance: RunningInstance) -> None:
        self.instance = instance
        self.task: Task
        self.tasks: list[Task] = []
        self.lanes: list[Lane] = []
        self.queues: list[Sequence[Task]] = []
        """The tasks of each lane, until they start."""
        self.left = 0
        """Lanes with tasks that are not done."""
        self.fault: TaskFault | None = None
        self.grouped: dict[Task, tuple[TaskGroup, int]] = {}
        """Tasks of task groups, each with its place there."""

    def make_tasks(self, t: HostThread, launched: Task) -> None:
        """Make the tasks of all nodes, as if thread *t* had submitted each of them with the launch."""
        self.task = launched
        instance = self.instance
        self.lanes = lanes = instance.lanes_on(launched.stream)
        tasks = self.tasks
        add = tasks.append
        number, ready, knows = t.submits, t.clock, t.knows
        if knows is not None:  # a race detector watches
            view, q = knows.view, knows.q
        for op, place, site, follows, node in instance.graph.steps():
            if follows >= 0:
                op = InsideWait(op, RecordGate(tasks[follows], node.event))  # type: ignore[arg-type]
            elif node.renew is not None:
                op = node.renew.operation(t, node)
            number += 1
            task = new(Task)  # without a call of its constructor: there are many of them
            task.op = op
            task.stream = lanes[place]
            task.thread = t
            task.number = number
            task.ready = ready
            task.site = site
            task.done = False
            task.waiters = None
            task.launch = launched
            if knows is not None:
                q += 2
                task.know, task.q = view, q
            add(task)
        for node in instance.graph.renewed:
            assert node.renew is not None
            tasks[node.index].waiters = []  # others may look at it: no lane runs ahead through it
            node.renew.made(t, node, tasks[node.index])
        for group in instance.groups:
            for place, node in enumerate(group.nodes):
                self.grouped[tasks[node.index]] = (group, place)
        if launched.stream.hooks.copy_queued is not None:
            for place, source in instance.graph.pinned_reads:
                for observe in launched.stream.hooks.copy_queued:
                    observe(tasks[place], source)
        if launched.stream.hooks.replayed is not None:
            for observe in launched.stream.hooks.replayed:
                observe(launched, tasks)
        self.queues = [take(tasks) for take in instance.graph.takers]
        t.submits = number
        if knows is not None:
            knows.q = q

    # -- running ------------------------------------------------------------------------------------------------------

    def run(self, task: Task, time: int) -> Steps | None:
        """The action of the item: start the lanes, then wait until they are empty."""
        task.start = time
        if not self.tasks:
            self.over()
            return None
        return self.steps(task, time)

    def steps(self, task: Task, time: int) -> Steps:
        """Start the lanes for *task* at virtual *time* (ns), and wait until they are empty."""
        look_at_memory(task, self.instance)
        busy = [lane for lane, queue in zip(self.lanes, self.queues, strict=True) if queue]
        hooks = task.stream.hooks
        self.left = len(busy)
        firsts = [queue[0] for queue in self.queues if queue]
        lasts = [queue[-1] for queue in self.queues if queue]
        try:
            if hooks.forked is not None:
                for observe in hooks.forked:
                    observe(task, firsts, lasts)
            for last in lasts:
                if last.waiters is None:
                    last.waiters = [self]
                else:
                    last.waiters.append(self)
            for lane, queue in zip(self.lanes, self.queues, strict=True):
                if queue:
                    lane.replay = self
                    lane.free = time
                    lane.passes = False
                    lane.queue.extend(queue)
                    op = queue[0].op
                    lane.arm_at(time + op.cost if op.plain else time)
            self.queues = []
            yield Pause(f"waits for the end of {self.instance.describe()}", tuple(busy))
            if self.fault is not None:
                raise self.fault
            if hooks.joined is not None:
                for observe in hooks.joined:
                    observe(task, lasts)
        finally:
            self._stop()
            self.over()

    def wake(self, time: int) -> None:
        """The last task of a lane is done."""
        self.left -= 1
        if not self.left:
            self.task.stream.resume(time)

    def replace(self, node: Node, op: Op, site: CallSite) -> None:
        """*node* has another operation: so has its task, if it has not begun."""
        if node.index >= len(self.tasks):
            return
        task = self.tasks[node.index]
        lane = self.lanes[node.line.number]
        if task.done or (lane.queue and lane.queue[0] is task and (lane.running or lane.armed)):
            return
        task.op, task.site = op, site

    def failed(self, task: Task, fault: TaskFault) -> None:
        """*task* of a lane failed: nothing more of the replay runs, and its item fails with the same code."""
        sim = self.instance.context.device.sim
        if self.fault is None:
            self.fault = TaskFault(fault.code, fault.text, reported=True)
            self.fault.heard = True
        self._stop()
        sim.task_failed(task, fault)
        self.task.stream.resume(sim.scheduler.now)

    def abort(self, time: int) -> None:
        """End it at virtual *time* (ns) if it runs: what has not run is dropped, its item ends as aborted."""
        stream = self.task.stream
        if self.fault is None and stream.pause is not None and stream.queue[0] is self.task:
            self.fault = TaskFault(ACL_ERROR_RT_MODEL_ABORT_NORMAL, f"{self.instance.describe()} was aborted", True)
            self.fault.heard = True
            self._stop()
            stream.resume(time)

    def _stop(self) -> None:
        """Drop what the lanes still hold."""
        for lane in self.lanes:
            if lane.queue:
                drop_queue(lane)

    def over(self) -> None:
        """Nothing of it runs any more."""
        self.grouped = {}
        self.tasks = []  # else they would live until the collector finds them
        self.instance.replays.pop(self, None)


def launch(t: HostThread, replay: Replay, stream: Stream) -> Task:
    """Queue *replay* on *stream*. Raises AclError as `Stream.submit`."""
    instance = replay.instance
    sim = stream.sim
    task = stream.submit(t, Op("graph", sim.profile.costs.task_ns, replay.run))
    instance.replays[replay] = None
    replay.make_tasks(t, task)
    return task


def abort(instance: RunningInstance, time: int) -> None:
    """End what runs of *instance* at virtual *time* (ns); executions that are queued behind it stay."""
    for replay in list(instance.replays):
        replay.abort(time)


def wait_until_over(t: HostThread, instance: RunningInstance, deadline: int) -> bool:
    """Let *t* wait until *instance* does not run; False when virtual *deadline* (ns) passed first.

    It learns nothing of what the device did: the real call looks at a counter.
    """
    for replay in list(instance.replays):
        if not wait_for(replay.task.stream, t, replay.task, deadline, StillRuns(replay)):
            return False
    return True


class StillRuns:
    """A host thread waits for the end of *replay*."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay

    def describe(self) -> str:
        """The wait in words."""
        return f"the end of {self.replay.instance.describe()}"

    def holders(self) -> list[object]:
        """The stream that it was launched on."""
        return [self.replay.task.stream]
