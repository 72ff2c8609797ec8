"""Task groups: kernels of a graph that can be replaced by others after the capture (docs/semantics/graphs.md#task-groups).

The update is work of a stream: it writes the nodes anew when it runs, for the runs of the graph that come to them later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
    ACL_ERROR_RT_STREAM_NOT_CAPTURED,
    ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
    ACL_ERROR_STREAM_TASK_GROUP_INTR,
    ACL_ERROR_STREAM_TASK_GROUP_STATUS,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.allocations import Allocation
from ascend_sim.runtime.graphs.graph import Node, Recorder
from ascend_sim.runtime.graphs.instance import INVALIDATED
from ascend_sim.runtime.task import Op, Task

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.graphs.capture import Capture
    from ascend_sim.runtime.graphs.instance import RunningInstance
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["TaskGroup", "Updating", "begin_group", "begin_update", "end_group", "end_update", "runs_on_cores"]


NOWHERE = 1 << 60
"""The offset of what is no memory that a program can have."""


def runs_on_cores(op: Op) -> bool:
    """Whether *op* is what a group may hold: a kernel or an operator on the cube or vector cores."""
    return op.kind.startswith(("kernel ", "operator ")) and op.engine is not None and op.engine != "cpu"


class TaskGroup:
    """The nodes of one group, in the order in which they were recorded."""

    __slots__ = ("block", "handle", "instance", "nodes", "number", "site", "updated_by")

    def __init__(self, t: HostThread, instance: RunningInstance) -> None:
        self.instance = instance
        self.nodes: list[Node] = []
        self.site = t.site
        self.number = t.sim.next_number("task group")
        self.handle = 0
        self.updated_by: Stream | None = None
        self.block: Allocation | None = None
        """Stands for what the device keeps of its tasks, one byte each: updates write it, runs read it."""

    def finish(self, t: HostThread) -> None:
        """It is complete: it gets its handle, and its updates and runs are watched from now on."""
        sim, device = t.sim, self.instance.context.device.index
        self.handle = sim.new_handle(self)
        count = len(self.nodes)
        self.block = block = Allocation(0, count, count, device, "task group", t.site, t.number, -self.number)
        block.offset = NOWHERE
        sim.part(RunsOfGroups).watch()

    def touch(self, who: Task, place: int, write: bool) -> None:
        """Tell who listens that task *who* uses or replaces the task at *place*."""
        for observe in who.stream.hooks.accessed or ():
            observe(who, self.block, place, place + 1, write)

    def describe(self) -> str:
        """The group in words."""
        return f"task group {self.number} of {self.instance.describe()}"


class RunsOfGroups:
    """Tells that a task of a group starts, which reads what updates write: so that an unordered update is a race."""

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self._watches = False

    def watch(self) -> None:
        """There is a group."""
        if not self._watches and self._sim.hooks.accessed is not None:
            self._watches = True
            self._sim.hooks.add("started", self._started)

    def _started(self, task: Task, time: int) -> None:
        replay = getattr(task.stream, "replay", None)
        if replay is not None and replay.grouped:
            found = replay.grouped.get(task)
            if found is not None:
                found[0].touch(task, found[1], False)


class Updating(Recorder):
    """A stream between aclmdlRICaptureTaskUpdateBegin and its end: what is queued there replaces nodes of *group*."""

    __slots__ = ("done", "group", "site", "stream")

    def __init__(self, t: HostThread, stream: Stream, group: TaskGroup) -> None:
        self.stream = stream
        self.group = group
        self.site = t.site
        self.done = 0
        """How many nodes have got their new operation."""

    def record(self, t: HostThread, stream: Stream, op: Op) -> Task:
        """Queue the replacement of the next node by *op*; other work than kernels is refused.

        Raises AclError 507009, 507000 more tasks than the group has, and what `Stream.submit` raises.
        """
        group = self.group
        if not runs_on_cores(op):
            raise AclError(
                ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
                f"{op.kind}: only kernels and operators can replace tasks of a group",
            )
        if self.done >= len(group.nodes):
            raise AclError(
                ACL_ERROR_RT_INTERNAL_ERROR, f"{group.describe()} has {len(group.nodes)} tasks: this is one more"
            )
        node = group.nodes[self.done]
        self.done += 1
        update = Op("task-update", stream.sim.profile.costs.task_ns, Replacement(group, node, op))
        stream.record_with(None)
        try:
            return stream.submit(t, update)
        finally:
            stream.record_with(self)

    def keep(self, release: object) -> None:
        """What the new tasks use is given back with the graph."""
        self.group.instance.kept.append(release)  # type: ignore[arg-type]


class Replacement:
    """The action of an update: *node* is *op* from now on, also in runs that have not come to it."""

    __slots__ = ("group", "node", "op")

    def __init__(self, group: TaskGroup, node: Node, op: Op) -> None:
        self.group = group
        self.node = node
        self.op = op

    def __call__(self, task: Task, time: int) -> None:
        """Write the node anew."""
        node, instance = self.node, self.group.instance
        self.group.touch(task, self.group.nodes.index(node), True)
        node.op = self.op
        instance.graph.uses[node] = self.op.uses()
        node.site = task.site
        instance.graph.changed()
        for replay in instance.replays:
            replay.replace(node, self.op, task.site)


def _refuse(t: HostThread, capture: Capture | None, code: int, text: str) -> NoReturn:
    if capture is not None:
        capture.refuse(t, code, text)
    raise AclError(code, text)


def begin_group(t: HostThread, stream: Stream, capture: Capture | None) -> None:
    """The next tasks of *stream* form a group. Raises AclError 107029, 107033."""
    if capture is None:
        raise AclError(ACL_ERROR_RT_STREAM_NOT_CAPTURED, f"{stream.describe()} is not being captured")
    if stream in capture.groups:
        _refuse(t, capture, ACL_ERROR_STREAM_TASK_GROUP_STATUS, f"a task group of {stream.describe()} is open already")
    capture.groups[stream] = TaskGroup(t, capture.instance)


def end_group(t: HostThread, stream: Stream, capture: Capture | None) -> TaskGroup:
    """The group of *stream* is complete. Raises AclError 107029, 107033, 107034, 507903."""
    if capture is None:
        raise AclError(ACL_ERROR_RT_STREAM_NOT_CAPTURED, f"{stream.describe()} is not being captured")
    group = capture.groups.pop(stream, None)
    if group is None:
        _refuse(t, capture, ACL_ERROR_STREAM_TASK_GROUP_STATUS, f"{stream.describe()} has no open task group")
    if capture.group_error:
        _refuse(t, capture, ACL_ERROR_STREAM_TASK_GROUP_INTR, "a task on another stream came into the group")
    if capture.instance.state is INVALIDATED:
        _refuse(t, capture, ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, "a call before has broken the capture")
    group.finish(t)
    capture.instance.groups.append(group)
    return group


def begin_update(t: HostThread, stream: Stream, group: TaskGroup) -> None:
    """What is queued on *stream* from now on replaces the tasks of *group*. Raises AclError 107033."""
    if isinstance(stream.recorder, Updating):
        text = f"{stream.describe()} updates {stream.recorder.group.describe()} already"
        raise AclError(ACL_ERROR_STREAM_TASK_GROUP_STATUS, text)
    if group.updated_by is not None:
        text = f"{group.describe()} is being updated by {group.updated_by.describe()}"
        raise AclError(ACL_ERROR_STREAM_TASK_GROUP_STATUS, text)
    group.updated_by = stream
    stream.record_with(Updating(t, stream, group))


def end_update(t: HostThread, stream: Stream) -> None:
    """The update is complete. Raises AclError 107033, 507000 tasks of the group are missing."""
    updating = stream.recorder
    if not isinstance(updating, Updating):
        raise AclError(ACL_ERROR_STREAM_TASK_GROUP_STATUS, f"{stream.describe()} updates no task group")
    stream.record_with(None)
    group = updating.group
    group.updated_by = None
    if updating.done != len(group.nodes):
        text = f"{group.describe()} has {len(group.nodes)} tasks, {updating.done} were queued"
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, text)
