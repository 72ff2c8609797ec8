"""The heads of streams: whether they could run, what they wait for, and which of them cannot go on."""

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
    from ascend_sim.explore.control.controlled_schedule import Guided
    from ascend_sim.runtime.scheduler import Entry, Scheduler
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Gate, Task

__all__ = ["blocked_heads", "fire", "fire_head", "needs", "openers", "passable"]


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


def fire_head(guided: Guided, stream: Stream, task: Task) -> None:
    """Let *task*, the head of *stream*, go on as far as it can, or as the launch on its way there is to."""
    scheduler = guided.scheduler
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
            if guided.blocks.open and guided.blocks.pauses(stream):
                return
    finally:
        scheduler.limit = outer
        if others:
            here = [entry[3] for entry in heap]
            heap += [entry for entry in others if entry[1] == TIMER or (entry[3].armed and entry[3] not in here)]  # type: ignore[attr-defined]
        if len(heap) > 1:
            heapify(heap)


def openers(gate: Gate | None) -> tuple[Task, ...]:
    """The tasks that open *gate*, when no others can."""
    if isinstance(gate, RecordGate):
        return (gate.record,)
    return gate.frees if isinstance(gate, FreeGate) else ()


def needs(gate: Gate, guided: Guided) -> Item | None:
    """What a wait needs: the item by which it conflicts with who changes that."""
    names = guided.names
    if isinstance(gate, FlagGate):
        return Item(("flag", names.of(gate.event)), WAIT, 0, 1, True, was_possible)
    if isinstance(gate, NotifyGate):
        return Item(("notify", names.of(gate.notify)), TAKE, 0, 1, True, was_possible)
    return guided.cells.item(gate, names)


def blocked_heads(guided: Guided) -> list[Blocked]:
    """The streams whose head waits."""
    found = []
    for context in guided.sim.contexts.values():
        for stream in (*context.streams, context.default):
            head = stream.queue[0] if stream.queue else None
            if head is None or head.op.gate is None or stream.running or stream.resting:
                continue
            item = needs(head.op.gate, guided)
            if item is not None and not passable(head.op.gate, head):
                causes = (guided.submitted_at.get(head, 0),)
                found.append(Blocked(guided.place + 1, guided.names.of(stream), causes, (item,)))
    return found
