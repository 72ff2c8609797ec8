"""Conditional tasks of captured graphs: a number in device memory says which of their sub-graphs runs, and how often.

See docs/semantics/graphs.md#conditional-tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_NOT_CAPTURED,
)
from ascend_sim.constants.execution import (
    ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT,
    ACL_MODEL_RI_COND_TYPE_IF,
    ACL_MODEL_RI_COND_TYPE_SWITCH,
    ACL_MODEL_RI_COND_TYPE_WHILE,
)
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.runtime.event import RecordGate
from ascend_sim.runtime.graphs.branches import Number
from ascend_sim.runtime.graphs.capture import capture_of
from ascend_sim.runtime.graphs.instance import READY, RunningInstance
from ascend_sim.runtime.graphs.lane import InsideWait
from ascend_sim.runtime.graphs.replay import Replay
from ascend_sim.runtime.task import Op, Steps, Task

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["Condition", "add_conditional_task", "assign_defaults", "check_size"]

WIDTH = 8
"""Bytes of the number."""
DIGITS = 40
"""A task that a conditional task makes has its number above that one's, in whole digits of so many bits."""
SUB_GRAPHS = {ACL_MODEL_RI_COND_TYPE_IF: (1, 2), ACL_MODEL_RI_COND_TYPE_WHILE: (1, 1)}
"""How many sub-graphs each type takes; a switch takes any number from 1 on."""


class Condition:
    """A condition of a graph (aclmdlRICondHandle): eight bytes of device memory, and sub-graphs to choose from."""

    __slots__ = ("block", "default", "handle", "instance", "number", "site", "sub_graphs", "type")

    def __init__(self, t: ThreadState, instance: RunningInstance, default: int | None) -> None:
        sim = t.sim
        self.instance = instance
        self.default = default
        """What each execution sets it to; None: the program does."""
        self.site: CallSite = t.site
        self.number = sim.next_number("condition")
        self.sub_graphs: list[RunningInstance] = []
        self.type = ACL_MODEL_RI_COND_TYPE_IF
        device = instance.context.device.index
        try:
            self.block = sim.memory.allocate(device, WIDTH, 32)
        except OutOfMemory as error:
            raise AclError(ACL_ERROR_RT_MEMORY_ALLOCATION, str(error), "driver") from None
        self._put(sim, 0)
        self.handle = sim.new_handle(self)
        instance.conditions.append(self)

    def describe(self) -> str:
        """The condition in words."""
        return f"condition {self.number} of {self.instance.describe()}"

    def _put(self, sim: Runtime, value: int) -> None:
        true = sim.memory.reach(self.block, 0, WIDTH, True)
        host_memory.view(true, WIDTH)[:] = list(value.to_bytes(WIDTH, "little"))

    def assign_default(self, t: ThreadState) -> None:
        """Set the number as the call of *t*, which executes the graph, does it: at once, whatever still runs."""
        if self.default is not None:
            self._put(t.sim, self.default)
            for observe in t.sim.hooks.accessed or ():
                observe(t, self.block, 0, WIDTH, True)

    def retire(self, sim: Runtime) -> None:
        """Its graph is destroyed: the memory and the sub-graphs go, too."""
        sim.drop_handle(self.handle)
        if not self.block.freed:
            sim.memory.free(self.block)
        for sub_graph in self.sub_graphs:
            sub_graph.retire()

    def chosen(self, value: int) -> RunningInstance | None:
        """The sub-graph that runs for *value*."""
        subs = self.sub_graphs
        if self.type == ACL_MODEL_RI_COND_TYPE_SWITCH:
            return subs[value] if value < len(subs) else None
        if value:
            return subs[0]
        return subs[1] if len(subs) > 1 else None


class SubReplay(Replay):
    """One run of a sub-graph: the conditional task is its item."""

    __slots__ = ()

    def make_tasks_of(self, item: Task, run: int, time: int) -> None:
        """Make the tasks of all nodes for the *run*-th run of *item*, at virtual *time* (ns)."""
        self.task = item
        thread, launch = item.thread, item.launch
        graph = self.instance.graph
        self.lanes = lanes = self.instance.lanes_on(item.stream)
        queues: list[list[Task]] = [[] for _ in lanes]
        self.queues = list(queues)
        shift = -(-item.number.bit_length() // DIGITS) * DIGITS
        first = run * len(graph.nodes) + 1
        knows = thread.knows
        for node in graph.nodes:
            op = node.op
            if node.follows is not None:
                assert node.event is not None
                record = self.tasks[node.follows.index]
                op = InsideWait(op, RecordGate(record, node.event))
            elif node.renew is not None:
                op = node.renew.operation(thread, node)
            task = Task(op, lanes[node.line.number], thread, item.number + (first + node.index << shift))
            task.ready = time
            task.site = node.site
            task.launch = launch
            if knows is not None:  # what the launch knew, in the order in which they run
                knows.q += 2
                task.know, task.q = item.know, knows.q
            self.tasks.append(task)
            queues[node.line.number].append(task)
            if node.renew is not None:
                task.waiters = []  # others may look at it: no lane runs ahead through it
                node.renew.made(thread, node, task)
        for observe in item.stream.hooks.replayed or ():
            observe(item, self.tasks)


def check_size(kind: int, size: int) -> None:
    """Raises AclError 107000 when a conditional task of type *kind* cannot have *size* sub-graphs."""
    least, most = SUB_GRAPHS.get(kind, (1, None))
    if size < least or (most is not None and size > most):
        wanted = f"{least} to {most}" if most is not None else f"{least} or more"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"size is {size}: {wanted} is required for type {kind}")


def add_conditional_task(t: ThreadState, condition: Condition, kind: int, size: int, stream: Stream) -> None:
    """Record the conditional task on *stream*, with *size* new sub-graphs. Raises AclError 107000 for another graph."""
    capture = capture_of(stream)
    if capture is None:
        raise AclError(ACL_ERROR_RT_STREAM_NOT_CAPTURED, f"{stream.describe()} is not being captured")
    if capture.instance is not condition.instance:
        text = f"{condition.describe()} is not of the graph that {stream.describe()} records"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
    check_size(kind, size)
    context = condition.instance.context
    condition.type = kind
    condition.sub_graphs = [RunningInstance(context, True, t.site) for _ in range(size)]
    for sub_graph in condition.sub_graphs:
        sub_graph.parent = condition.instance
        sub_graph.state = READY  # an empty one, until it is captured
    stream.submit(t, _op(t.sim, condition))


def _op(sim: Runtime, condition: Condition) -> Op:
    number = Number(sim, condition.block.address, WIDTH, False)

    def run(task: Task, time: int) -> Steps:
        return _runs(task, number, condition)

    return Op("condition", sim.profile.costs.task_ns, run, accesses=(number.access,))


def _runs(task: Task, number: Number, condition: Condition) -> Steps:
    scheduler = task.stream.sim.scheduler
    task.start = scheduler.now
    count = 0
    while True:
        sub_graph = condition.chosen(number.read(task))
        if sub_graph is None:
            return
        replay = SubReplay(sub_graph)
        replay.make_tasks_of(task, count, scheduler.now)
        if replay.tasks:
            yield from replay.steps(task, scheduler.now)
        elif condition.type == ACL_MODEL_RI_COND_TYPE_WHILE:
            yield task.op.cost  # an empty body that nobody ends: time goes on
        count += 1
        if condition.type != ACL_MODEL_RI_COND_TYPE_WHILE:
            return


def assign_defaults(t: ThreadState, instance: RunningInstance) -> None:
    """An execution of *instance* begins: set its conditions, and those of its sub-graphs, to their defaults."""
    for condition in _all(instance):
        condition.assign_default(t)


def _all(instance: RunningInstance) -> Iterator[Condition]:
    for condition in instance.conditions:
        yield condition
        for sub_graph in condition.sub_graphs:
            yield from _all(sub_graph)


def flag_means_default(flag: int) -> bool:
    """Whether aclmdlRICondHandleFlag *flag* lets executions set the number. Raises AclError 107000 for unknown ones."""
    if not 0 <= flag <= ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flag is {flag}: 0 or 1 (ASSIGN_DEFAULT) is required")
    return flag == ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT
