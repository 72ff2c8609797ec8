"""Aborts: what ends work early, so that a task does not run at all: tasks that are dropped, contexts that stop on failure.

Most programs do nothing of the kind, so steps look at these things only where some run has met one: as with streams
that get full, the search begins again then (`KnownState.relevant`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.catalogue.effects import SEEN_BY_TASKS
from ascend_sim.explore.control.stream_transitions import needs
from ascend_sim.explore.search.dependence import END, READ, WRITE, Item
from ascend_sim.explore.search.dpor import Blocked

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
    from ascend_sim.runtime.task import Task

__all__ = ["dropped_tasks", "limit_key", "looks_at", "mode_key", "tasks_key"]


def tasks_key(stream: str) -> str:
    """The tasks that are left in a stream, as something that is relevant."""
    return f"tasks of {stream}"


def limit_key(limit: str, device: int) -> str:
    """How much of a limit is left, as something that is relevant."""
    return f"{limit} left on device {device}"


def mode_key(context: str) -> str:
    """Whether a context works, as something that is relevant."""
    return f"mode of {context}"


def looks_at(schedule: ControlledSchedule, task: Task, failed: bool = False) -> list[Item]:
    """What a step of *task* has to do with those who may drop it, stop its context, or set what it looks at."""
    found, stream, relevant = [], task.stream, schedule.relevant
    key = tasks_key(schedule.ids.of(stream))
    if key in relevant:
        found.append(Item(("setting", key), READ))
    key = mode_key(schedule.ids.of(stream.context))
    if key in relevant:
        found.append(Item(("setting", key), WRITE if failed else READ))
    for setting in SEEN_BY_TASKS:
        if setting in relevant:
            found.append(Item(("setting", setting), READ))
    if task.op.kind == "record":  # it gives its hardware event back
        device = stream.context.device.index
        if limit_key("events", device) in relevant:
            found.append(Item(("asked", "events", device), END))
    return found


@attrs.frozen
class NotAfter:
    """Whether a task that was dropped at *place* could have run just before a step that drops tasks, too."""

    place: int

    def __call__(self, x: int, other: Item, steps: Sequence[Any], touches: object) -> bool:
        return bool(steps[x].node.depth <= self.place)


def dropped_tasks(schedule: ControlledSchedule) -> list[Blocked]:
    """The tasks that would have run, had nobody dropped them: each with the step of its stream before."""
    found = []
    for task, last, place in schedule.tasks.dropped:
        gate, name = task.op.gate, schedule.ids.of(task.stream)
        items: tuple[Item, ...] = (Item(("setting", tasks_key(name)), READ, 0, 1, None, NotAfter(place)),)
        if gate is not None:
            need = needs(gate, schedule)
            items = items if need is None else (*items, need)
        found.append(Blocked(schedule.place + 1, name, schedule.tasks.causes(task), items, last))
    return found
