"""Events between a graph and what is outside of it: each launch binds them afresh (aclrtRecordEventWithFlag, EXTERNAL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.runtime.event import RecordGate
from ascend_sim.runtime.task import Op, Task

if TYPE_CHECKING:
    from ascend_sim.runtime.graphs.graph import Node
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["RecordOutside", "Renewal", "WaitOutside"]


class Renewal:
    """What a node needs anew for each run, at its launch: `Node.renew`."""

    __slots__ = ()

    def operation(self, t: HostThread, node: Node) -> Op:
        """The operation of *node* in the run that thread *t* launches."""
        return node.op

    def made(self, t: HostThread, node: Node, task: Task) -> None:
        """*task* is what will run."""


class RecordOutside(Renewal):
    """A record that waits outside bind to: those that are queued behind the launch."""

    __slots__ = ()

    def made(self, t: HostThread, node: Node, task: Task) -> None:
        """The event has this record from now on."""
        event = node.event
        assert event is not None
        event.latest = task
        hooks = task.stream.hooks
        for note in hooks.recorded or ():
            note((event, task))
        for observe in hooks.ordered or ():
            observe("record", t, event, task.stream, task, None)


class WaitOutside(Renewal):
    """A wait for the record that is the latest at the launch; for none, when there was none."""

    __slots__ = ()

    def operation(self, t: HostThread, node: Node) -> Op:
        """A wait with the gate of that record."""
        event = node.event
        assert event is not None
        record = event.latest
        if record is None:
            return node.op
        return Op("wait", node.op.cost, gate=RecordGate(record, event))

    def made(self, t: HostThread, node: Node, task: Task) -> None:
        """Tell who listens what the wait is bound to."""
        event = node.event
        assert event is not None
        gate = task.op.gate
        record = gate.record if isinstance(gate, RecordGate) else None
        hooks = task.stream.hooks
        for observe in (*(hooks.awaited or ()), *(hooks.ordered or ())):
            observe("wait", t, event, task.stream, task if record is not None else None, record)
