"""Replays of hand-built models: only head streams start by themselves, and tasks decide where to go on.

Each lane runs its line piece by piece: up to a task that may branch, then on from where that said. See
docs/semantics/graphs.md#branches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.runtime.graphs.lane import Lane
from ascend_sim.runtime.graphs.memory import look_at_memory
from ascend_sim.runtime.graphs.replay import Replay
from ascend_sim.runtime.task import Op, Pause, Steps, Task

if TYPE_CHECKING:
    from ascend_sim.runtime.graphs.graph import Node
    from ascend_sim.runtime.graphs.instance import RunningInstance
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["BRANCHES", "BuiltReplay", "built_replay_of", "end_op"]

BRANCHES = frozenset({"switch-stream", "switch-label"})
"""Kinds of operations after which a lane may go on elsewhere."""
PASS = 40
"""A node that runs for the n-th time in one replay has n shifted by this in its number: beyond the id that programs see."""


class BuiltReplay(Replay):
    """One execution of a hand-built model. *heads*: the streams that start with it."""

    __slots__ = ("base", "busy", "decided", "ended", "heads", "passes")

    def __init__(self, instance: RunningInstance, heads: tuple[Stream, ...]) -> None:
        super().__init__(instance)
        self.heads = heads
        self.base = 0
        """The number of the launch: those of the tasks follow."""
        self.busy: dict[Lane, None] = {}
        self.decided: dict[Lane, tuple[Lane, int]] = {}
        """Where a lane goes on: what the branch at its head said."""
        self.ended: Task | None = None
        """The end mark, once it ran."""
        self.passes: dict[Node, int] = {}

    def make_tasks(self, t: HostThread, launched: Task) -> None:
        """Take the numbers of the tasks; each is made when it is reached."""
        self.task = launched
        self.lanes = self.instance.lanes_on(launched.stream)
        self.base = t.submits
        t.submits += len(self.instance.graph.nodes)

    def run(self, task: Task, time: int) -> Steps:
        """The action of the item: start the head lanes, then wait for the end mark and until all lanes are empty."""
        task.start = time
        return self._go(task, time)

    def _go(self, task: Task, time: int) -> Steps:
        hooks = task.stream.hooks
        look_at_memory(task, self.instance)
        try:
            entered = [self.enter(lane, 0, time) for lane in self.lanes if lane.line.stream in self.heads]
            firsts = [first for first in entered if first is not None]
            for observe in hooks.forked or ():
                observe(task, firsts, [])
            yield Pause(f"runs {self.instance.describe()}, whose end mark has not run", tuple(self.lanes))
            if self.fault is not None:
                raise self.fault
            assert self.ended is not None
            for observe in hooks.joined or ():
                observe(task, [self.ended])
        finally:
            self._stop()
            self.over()

    # -- lanes --------------------------------------------------------------------------------------------------------

    def lane_of(self, stream: Stream) -> Lane | None:
        """The lane that runs what *stream* recorded; None when it is not bound to the model."""
        return next((lane for lane in self.lanes if lane.line.stream is stream), None)

    def enter(self, lane: Lane, position: int, time: int) -> Task | None:
        """Let *lane* run from the node at *position* up to its next branch. Returns the first task, if there is one."""
        piece: list[Task] = []
        for node in lane.line.nodes[position:]:
            position += 1
            piece.append(self._task(lane, node, time))
            if node.op.kind in BRANCHES:
                break
        if not piece:
            return None
        self.busy[lane] = None
        piece[-1].waiters = [_Piece(self, lane, piece[-1], position)]
        lane.replay = self
        lane.free = max(lane.free, time)
        lane.queue.extend(piece)
        op = piece[0].op
        lane.arm_at(time + op.cost if op.plain else time)
        return piece[0]

    def _task(self, lane: Lane, node: Node, time: int) -> Task:
        launched = self.task
        thread = launched.thread
        count = self.passes.get(node, 0)
        self.passes[node] = count + 1
        task = Task(node.op, lane, thread, self.base + node.index + 1 + (count << PASS))
        task.ready = time
        task.site = node.site
        task.launch = launched
        knows = thread.knows
        if knows is not None:  # what its launch knew, in the order in which they run
            knows.q += 2
            task.know, task.q = launched.know, knows.q
        for observe in lane.hooks.replayed or ():
            observe(launched, [task])
        return task

    def start_beside(self, stream: Stream, by: Task, time: int) -> None:
        """*by* activates *stream*: it runs from its beginning, beside everything else. One that runs goes on."""
        lane = self.lane_of(stream)
        if lane is not None and lane not in self.busy:
            self._cross(by, self.enter(lane, 0, time))

    def _cross(self, by: Task, first: Task | None) -> None:
        if first is not None:
            for observe in by.stream.hooks.forked or ():
                observe(by, [first], [])

    def piece_done(self, lane: Lane, last: Task, position: int, time: int) -> None:
        """*lane* has run up to *position*: it goes on behind it, elsewhere, or it ends."""
        goes_on = self.decided.pop(lane, (lane, position))
        del self.busy[lane]
        target, start = goes_on
        if target not in self.busy:
            first = self.enter(target, start, time)
            if target is not lane:
                self._cross(last, first)
        if self.ended is not None and not self.busy:
            self.task.stream.resume(time)


class _Piece:
    """Waits for the last task of a piece of a lane."""

    __slots__ = ("lane", "last", "position", "replay")

    def __init__(self, replay: BuiltReplay, lane: Lane, last: Task, position: int) -> None:
        self.replay = replay
        self.lane = lane
        self.last = last
        self.position = position

    def wake(self, time: int) -> None:
        """It is done."""
        self.replay.piece_done(self.lane, self.last, self.position, time)


def built_replay_of(task: Task) -> tuple[BuiltReplay, Lane]:
    """The replay of a hand-built model that *task* belongs to, and its lane."""
    lane = task.stream
    assert isinstance(lane, Lane) and isinstance(lane.replay, BuiltReplay)
    return lane.replay, lane


def end_op(cost: int) -> Op:
    """The operation of an end mark."""

    def end(task: Task, time: int) -> None:
        replay, _ = built_replay_of(task)
        replay.ended = task

    return Op("model-end", cost, end)
