"""What a graph is: operations in the order of their calls, each on a line, and the waits between the lines.

A line is what one stream of the program recorded. Its nodes run in their order; a wait for a record of the same graph is
the only other edge inside. See docs/semantics/graphs.md#what-a-graph-is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from ascend_sim.runtime.task import DROPPED, Op, Task

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.event import Event
    from ascend_sim.runtime.graphs.external import Renewal
    from ascend_sim.runtime.graphs.task_groups import TaskGroup
    from ascend_sim.runtime.memory.transfers import Place
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.source.callsite import CallSite

__all__ = ["Graph", "Line", "Node", "Recorder"]


class Node(Task):
    """An operation that was recorded: a task which never runs, and after which each replay makes one that does.

    `site` is the call that recorded it. It is over from the beginning: nobody waits for it, nobody counts it.
    """

    __slots__ = ("event", "follows", "group", "index", "joins_origin", "line", "renew", "waited")

    def __init__(self, op: Op, line: Line, t: HostThread, number: int, index: int) -> None:
        super().__init__(op, line.stream, t, number)
        self.end = DROPPED
        self.line = line
        self.index = index
        """Its place in `Graph.nodes`."""
        self.follows: Node | None = None
        """The record of this graph that it waits for."""
        self.event: Event | None = None
        """Of a record or a wait."""
        self.waited = False
        """A record that some wait of the graph waits for."""
        self.joins_origin = False
        """One of these waits is on the line of the origin, which this one is not."""
        self.renew: Renewal | None = None
        """Makes the operation of each replay afresh, at its launch; None: `op` serves all of them."""
        self.group: TaskGroup | None = None
        """The task group that it was recorded in."""


class Line:
    """The part of a graph that one stream of the program recorded."""

    __slots__ = ("graph", "nodes", "number", "stream")

    def __init__(self, graph: Graph, stream: Stream, number: int) -> None:
        self.graph = graph
        self.stream = stream
        self.number = number
        """Its place in `Graph.lines`."""
        self.nodes: list[Node] = []


Step = tuple[Op, int, "CallSite", int, Node]


class Graph:
    """Nodes in the order of the calls that recorded them; so a record stands before the waits for it."""

    __slots__ = ("lines", "nodes", "of_stream", "pinned_reads", "plan", "renewed", "takers", "uses")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.lines: list[Line] = []
        """The first one is the origin's, if the graph was captured."""
        self.of_stream: dict[Stream, Line] = {}
        self.plan: list[Step] | None = None
        """What a launch goes through; None: it has to be made, since nodes were added or changed."""
        self.pinned_reads: list[tuple[int, Place]] = []
        """Copies out of page-locked memory: places of their nodes, and what they read."""
        self.renewed: list[Node] = []
        """Those with a `renew`."""
        self.uses: dict[Node, Sequence[Allocation]] = {}
        """Memory that nodes look up by addresses when they run: what was there when they were recorded."""
        self.takers: list[Callable[[list[Task]], Sequence[Task]]] = []
        """For each line what takes its tasks out of those of all nodes."""

    def line(self, stream: Stream) -> Line:
        """The line of *stream*, made at first use."""
        line = self.of_stream.get(stream)
        if line is None:
            line = self.of_stream[stream] = Line(self, stream, len(self.lines))
            self.lines.append(line)
        return line

    def add(self, t: HostThread, stream: Stream, op: Op) -> Node:
        """Record *op* as the next node of *stream*'s line."""
        line = self.of_stream.get(stream)
        if line is None:
            line = self.line(stream)
        t.submits = number = t.submits + 1
        nodes = self.nodes
        node = Node(op, line, t, number, len(nodes))
        nodes.append(node)
        line.nodes.append(node)
        uses = op.uses()
        if uses:
            self.uses[node] = uses
        return node

    def steps(self) -> list[Step]:
        """The nodes as a launch needs them: operation, place of the line, call site, place of the record waited for."""
        plan = self.plan
        if plan is None or len(plan) != len(self.nodes):
            plan = self.plan = [
                (node.op, node.line.number, node.site, -1 if node.follows is None else node.follows.index, node)
                for node in self.nodes
            ]
            self.pinned_reads = [
                (node.index, source)
                for node in self.nodes
                if (source := getattr(node.op.action, "source", None)) is not None
                and source.block is not None
                and source.block.kind == "host"
            ]
            self.renewed = [node for node in self.nodes if node.renew is not None]
            self.takers = [_taker([node.index for node in line.nodes]) for line in self.lines]
        return plan

    def changed(self) -> None:
        """A node has another operation than before."""
        self.plan = None

    def drop(self, stream: Stream) -> int:
        """Forget what *stream* recorded. Returns the number that its line had."""
        gone = self.of_stream.pop(stream)
        self.lines.remove(gone)
        for number, line in enumerate(self.lines):
            line.number = number
        self.nodes = [node for node in self.nodes if node.line is not gone]
        self.uses = {node: blocks for node, blocks in self.uses.items() if node.line is not gone}
        for index, node in enumerate(self.nodes):
            node.index = index
        self.changed()
        return gone.number


def _taker(places: list[int]) -> Callable[[list[Task]], Sequence[Task]]:
    if len(places) > 1:
        take: Callable[[list[Task]], Sequence[Task]] = itemgetter(*places)
        return take
    return lambda tasks: [tasks[place] for place in places]


class Recorder:
    """What a stream does with submissions instead of queueing them: `Stream.recorder`, set with `Stream.record_with`.

    A capture and a model that is built by hand are such things.
    """

    __slots__ = ()

    def record(self, t: HostThread, stream: Stream, op: Op) -> Task:
        """Thread *t* submits *op* to *stream*. Returns its node. Raises AclError where that is not possible."""
        raise NotImplementedError

    def record_event(self, t: HostThread, event: Event, stream: Stream) -> bool:
        """*t* records *event* on *stream*: True when that is all; False: its usual operation is submitted."""
        return False

    def wait_event(self, t: HostThread, event: Event, stream: Stream) -> bool:
        """*t* lets *stream* wait for *event*, which no open capture has recorded; True and False as `record_event`."""
        return False

    def reset_event(self, t: HostThread, event: Event, stream: Stream) -> None:
        """*t* resets the flag of *event* on *stream*. Raises AclError where that cannot be recorded."""

    def record_external(self, t: HostThread, event: Event, stream: Stream) -> None:
        """*t* lets each run record *event* for waits outside. Raises AclError."""
        raise NotImplementedError

    def wait_external(self, t: HostThread, event: Event, stream: Stream) -> None:
        """*t* lets each run wait for a record of *event* outside. Raises AclError."""
        raise NotImplementedError

    def refuse_use(self, t: HostThread, stream: Stream) -> None:
        """*t* waits for *stream*, asks about it, or would change it. Raises AclError where the recording forbids that."""

    def refuse_pageable(self, t: HostThread, stream: Stream) -> None:
        """*t* copies host memory that is not page-locked, which cannot be queued on *stream*. Raises AclError."""

    def refuse_event(self, t: HostThread, event: Event) -> None:
        """*t* asks about or waits for *event*, which this has recorded. Raises AclError."""

    def line(self, stream: Stream) -> Line | None:
        """The line on which *stream* records; None when this writes nodes anew."""
        return None

    def keep(self, release: Callable[[], None]) -> None:
        """*release* is to be called when what was recorded is gone, not before."""
        raise NotImplementedError

    def wait_inside(self, t: HostThread, event: Event, stream: Stream) -> None:
        """*t* lets *stream* wait for *event*, which this has recorded. Raises AclError."""
        raise NotImplementedError
