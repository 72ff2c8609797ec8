"""Enabledness of stream transitions: whether the head of a stream could run, what it waits for, what made it possible."""

from __future__ import annotations

from heapq import heapify
from typing import TYPE_CHECKING

from ascend_sim.explore.search.dependence import TAKE, WAIT, Item, was_possible
from ascend_sim.explore.search.dpor import Blocked
from ascend_sim.runtime.event import FlagGate, RecordGate
from ascend_sim.runtime.memory.pools.tasks import FreeGate
from ascend_sim.runtime.notify import NotifyGate
from ascend_sim.runtime.scheduler import FOREVER, TIMER

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
    from ascend_sim.runtime.scheduler import Entry, Scheduler
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Gate, Task

__all__ = ["Dropped", "TaskPlaces", "blocked_streams", "fire", "fire_head", "needs", "passable"]

Dropped = tuple["Task", int, int]
"""A task that was dropped as the head of its stream, the place of the step of the stream before (-1: none), and where."""


class TaskPlaces:
    """At which steps of a run its tasks were submitted, ended and dropped."""

    def __init__(self) -> None:
        self._submitted: dict[Task, int] = {}
        self._last: dict[Stream, Task] = {}
        self._ends: dict[Stream, list[int]] = {}
        """Where the tasks of streams that get full ended."""
        self.ended: dict[Task, int] = {}
        """Where each task that is over ended."""
        self.dropped: list[Dropped] = []
        self._joins: dict[Task, list[Task]] = {}
        """Executions of graphs that have begun, each with the last task of each lane."""

    def submit(self, task: Task, place: int) -> None:
        """*task* was queued in the step at *place*."""
        self._submitted[task] = place
        self._last[task.stream] = task

    def fork(self, task: Task, firsts: list[Task], lasts: list[Task], place: int) -> None:
        """The step at *place* begins *task*, the execution of a graph, whose lanes begin and end with these."""
        for first in firsts:
            self._submitted[first] = place
        self._joins[task] = lasts

    def count_end(self, stream: Stream, place: int) -> None:
        """A task of *stream*, which gets full, is over with the step at *place*."""
        self._ends.setdefault(stream, []).append(place)

    def drop(self, task: Task, before: int, place: int) -> None:
        """The step at *place* drops *task*, the head of its stream, whose last step was the one at *before* (-1: none)."""
        self.dropped.append((task, before, place))

    def last_of(self, stream: Stream) -> Task | None:
        """The task that was queued last in *stream*."""
        return self._last.get(stream)

    def causes(self, task: Task) -> tuple[int, ...]:
        """The places of the steps that make *task* possible: its submission, and what alone opens its gate."""
        submitted = (self._submitted.get(task, 0),)
        lasts = self._joins.get(task)
        if lasts is not None:
            return submitted + tuple([self.ended[last] for last in lasts if last in self.ended])
        gate = task.op.gate
        if gate is None:
            return submitted
        return submitted + tuple([self.ended[opener] for opener in _openers(gate) if opener in self.ended])

    def submission(self, task: Task) -> tuple[int, ...]:
        """The place of the submission of *task*, as causes."""
        return (self._submitted.get(task, 0),)

    def room_from(self, stream: Stream) -> int | None:
        """The place of the step that made room for the last task of *stream*; None when it needed none."""
        ends = self._ends.get(stream, ())
        number = len(ends) + len(stream.queue) - stream.depth
        return ends[number - 1] if 0 < number <= len(ends) else None


def _openers(gate: Gate) -> tuple[Task, ...]:
    """The tasks that open *gate*, when no others can."""
    if isinstance(gate, RecordGate):
        return (gate.record,)
    return gate.frees if isinstance(gate, FreeGate) else ()


def passable(gate: Gate, task: Task) -> bool:
    """Whether *task* could pass *gate* now; takes nothing."""
    if isinstance(gate, RecordGate):
        return gate.record.over()
    if isinstance(gate, FlagGate):
        return gate.event.flag
    if isinstance(gate, NotifyGate):
        return gate.notify.flag
    return gate.passes(task, 0)


def fire(scheduler: Scheduler, entry: Entry) -> None:
    """Let the stream, or the timer, of *entry* take its step now."""
    heap = scheduler.heap
    heap.remove(entry)
    heapify(heap)
    scheduler.now = max(entry[0], scheduler.now)
    entry[3].fire(scheduler.now)


def fire_head(schedule: ControlledSchedule, stream: Stream, task: Task) -> None:
    """Let *task*, the head of *stream*, go on as far as it can, or as its launch is to go in this step."""
    scheduler = schedule.scheduler
    heap = scheduler.heap
    mine = others = heap[:]
    heap.clear()  # with nobody else there its start and its end come at once
    outer, scheduler.limit = scheduler.limit, FOREVER
    try:
        while True:
            place = 0
            while mine[place][3] is not stream:
                place += 1
            time = mine.pop(place)[0]
            mine = heap
            if time > scheduler.now:
                scheduler.now = time
            stream.fire(scheduler.now)
            if task.done or not stream.armed or not stream.queue or stream.queue[0] is not task:
                return
            if schedule.blocks.open and schedule.blocks.pauses(stream):
                return
    finally:
        scheduler.limit = outer
        if others:
            here = [entry[3] for entry in heap] if heap else ()
            for entry in others:
                if entry[1] == TIMER or (entry[3].armed and entry[3] not in here):  # type: ignore[attr-defined]
                    heap.append(entry)
        if len(heap) > 1:
            heapify(heap)


def needs(gate: Gate, schedule: ControlledSchedule) -> Item | None:
    """What a wait needs: the item by which it conflicts with who changes that."""
    ids = schedule.ids
    if isinstance(gate, FlagGate):
        return Item(("flag", ids.of(gate.event)), WAIT, 0, 1, True, was_possible)
    if isinstance(gate, NotifyGate):
        return Item(("notify", ids.of(gate.notify)), TAKE, 0, 1, True, was_possible)
    return schedule.known_state.item(gate, ids)


def blocked_streams(schedule: ControlledSchedule) -> list[Blocked]:
    """The streams whose head waits for what others may do."""
    found = []
    for context in schedule.sim.contexts.values():
        for stream in context.every_stream():
            head = stream.queue[0] if stream.queue else None
            if head is None or head.op.gate is None or stream.running or stream.resting:
                continue
            item = needs(head.op.gate, schedule)
            if item is not None and not passable(head.op.gate, head):
                causes = schedule.tasks.submission(head)
                found.append(Blocked(schedule.place + 1, schedule.ids.of(stream), causes, (item,)))
    return found
