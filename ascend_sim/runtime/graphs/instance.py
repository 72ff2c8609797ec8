"""Model running instances: graphs that can be executed, captured ones and hand-built ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ascend_sim.runtime.graphs.graph import Graph, Node
from ascend_sim.runtime.graphs.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.graphs.building import Building
    from ascend_sim.runtime.graphs.capture import Capture
    from ascend_sim.runtime.graphs.conditions import Condition
    from ascend_sim.runtime.graphs.replay import Replay
    from ascend_sim.runtime.graphs.task_groups import TaskGroup
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.source.callsite import CallSite

__all__ = ["BUILDING", "CAPTURING", "INVALIDATED", "READY", "UPDATING", "RunningInstance"]

CAPTURING = "capturing"
INVALIDATED = "invalidated"
"""Still being captured, but an error has broken it: its end returns 507903."""
BUILDING = "building"
"""Made by aclmdlRIBuildBegin, before aclmdlRIBuildEnd."""
READY = "ready"
UPDATING = "updating"


class RunningInstance:
    """A model running instance (aclmdlRI): a graph, what may be done with it, and its replays.

    *capture*: what records it; None: it is built by hand.
    """

    __slots__ = (
        "at_destroy",
        "building",
        "capture",
        "captured",
        "conditions",
        "context",
        "frees",
        "graph",
        "groups",
        "handle",
        "kept",
        "lanes",
        "name",
        "number",
        "parent",
        "replays",
        "site",
        "state",
        "task_handles",
    )

    def __init__(self, context: Context, captured: bool, site: CallSite) -> None:
        sim = context.device.sim
        self.context = context
        self.captured = captured
        self.capture: Capture | None = None
        """The open capture that records it."""
        self.building: Building | None = None
        """What streams record with that are bound to a hand-built model."""
        self.at_destroy: dict[Callable[[object], object], object] = {}
        """Callbacks for its destruction, each with its user data."""
        self.conditions: list[Condition] = []
        self.parent: RunningInstance | None = None
        """Of a sub-graph: the graph whose conditional task runs it."""
        self.graph = Graph()
        self.state = CAPTURING if captured else BUILDING
        self.number = sim.next_number("graph")
        self.site = site
        self.name = ""
        self.handle = sim.new_handle(self)
        context.instances[self] = None
        self.groups: list[TaskGroup] = []
        """Its task groups."""
        self.kept: list[Callable[[], None]] = []
        """Called when it is destroyed: they give back what its nodes use."""
        self.frees = 0
        """`AddressSpace.frees` when it was looked whether the memory of its nodes is still theirs."""
        self.replays: dict[Replay, None] = {}
        """Launched and not over."""
        self.task_handles: dict[Node, int] = {}
        """Of the nodes that the program asked for (aclmdlRITask)."""
        self.lanes: dict[Stream, list[Lane]] = {}
        """The streams of its replays, by the stream that these were launched on: replays there follow each other."""

    @property
    def leaks_as(self) -> str:
        """What it is called when it is left behind."""
        return "open capture" if self.capturing() else "graph"

    def kept_by_another(self) -> bool:
        """Whether it dies with something else."""
        return False

    def describe(self) -> str:
        """The instance in words."""
        return f"graph {self.number}"

    def capturing(self) -> bool:
        """Being captured, broken or not."""
        return self.state is CAPTURING or self.state is INVALIDATED

    def running(self) -> bool:
        """Launched and not over."""
        return bool(self.replays)

    def lanes_on(self, stream: Stream) -> list[Lane]:
        """The lanes for replays that are launched on *stream*, one for each line of the graph."""
        lanes = self.lanes.get(stream)
        if lanes is None:
            lanes = self.lanes[stream] = []
        for line in self.graph.lines[len(lanes) :]:
            lanes.append(Lane(self, stream, line))
        return lanes

    def drop_line(self, stream: Stream) -> None:
        """What *stream* recorded is no part of it any more."""
        number = self.graph.drop(stream)
        for lanes in self.lanes.values():
            if number < len(lanes):
                lanes.pop(number).end_for_good()

    def stream_ended(self, stream: Stream) -> None:
        """*stream* is destroyed: nothing is launched there again."""
        for lane in self.lanes.pop(stream, ()):
            lane.end_for_good()
            for condition in self.conditions:
                for sub_graph in condition.sub_graphs:
                    sub_graph.stream_ended(lane)

    def context_ended(self) -> None:
        """Its context goes down: so does it, and the capture that records it."""
        if self.capture is not None:
            self.capture.leave()
        for replay in list(self.replays):
            replay.over()
        self.retire()

    def retire(self) -> None:
        """It is destroyed."""
        for condition in self.conditions:
            condition.retire(self.context.device.sim)
        if self.building is not None:
            self.building.unbind_all()
        sim = self.context.device.sim
        kept, self.kept = self.kept, []
        for release in kept:
            release()
        for handle in (self.handle, *(group.handle for group in self.groups), *self.task_handles.values()):
            sim.drop_handle(handle)
        self.context.instances.pop(self, None)
        for stream in list(self.lanes):
            self.stream_ended(stream)
