"""What ends work early or lets it end elsewhere: dropped tasks, contexts that stop on failure, functions of the host.

Most programs do nothing of the kind, so steps look at these things only where some run has met one: as with streams
that get full, the search begins again then (`Cells`).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.catalogue.effects import SEEN_BY_TASKS
from ascend_sim.explore.control.stream_transitions import needs, openers
from ascend_sim.explore.search.dependence import END, PUT, READ, TAKE, WRITE, Item
from ascend_sim.explore.search.dpor import Blocked
from ascend_sim.runtime.threads.controller import Controller

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import Guided
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task

__all__ = ["Interruptions", "asked", "dropped_heads", "looked_at"]


def _tasks(stream: str) -> str:
    """The tasks that are left in a stream, in the list of what matters."""
    return f"tasks of {stream}"


def asked(limit: str, device: int) -> str:
    """How much of a limit is left, in the same list."""
    return f"{limit} left on device {device}"


def _works(context: str) -> str:
    """Whether a context works, in the same list."""
    return f"mode of {context}"


def looked_at(guided: Guided, task: Task, failed: bool = False) -> list[Item]:
    """What a step of *task* has to do with those who may drop it, stop its context, or set what it looks at."""
    found, stream = [], task.stream
    key = _tasks(guided.names.of(stream))
    if key in guided.full:
        found.append(Item(("setting", key), READ))
    key = _works(guided.names.of(stream.context))
    if key in guided.full:
        found.append(Item(("setting", key), WRITE if failed else READ))
    for setting in SEEN_BY_TASKS:
        if setting in guided.full:
            found.append(Item(("setting", setting), READ))
    if task.op.kind == "record":  # it gives its hardware event back
        device = stream.context.device.index
        if asked("events", device) in guided.full:
            found.append(Item(("asked", "events", device), END))
    return found


@attrs.frozen
class NotAfter:
    """Whether a task that was dropped at *place* could have run just before a step that drops tasks, too."""

    place: int

    def __call__(self, step: Any, other: Item) -> bool:
        return bool(step.node.depth <= self.place)


def dropped_heads(guided: Guided) -> list[Blocked]:
    """The tasks that would have run, had nobody dropped them: each with the step of its stream before."""
    found = []
    for task, last, place in guided.dropped:
        gate, name = task.op.gate, guided.names.of(task.stream)
        causes: tuple[int, ...] = (guided.submitted_at.get(task, 0),)
        items: tuple[Item, ...] = (Item(("setting", _tasks(name)), READ, 0, 1, None, NotAfter(place)),)
        if gate is not None:
            causes += tuple([guided.done_at[opener] for opener in openers(gate) if opener in guided.done_at])
            need = needs(gate, guided)
            items = items if need is None else (*items, need)
        found.append(Blocked(guided.place + 1, name, causes, items, last))
    return found


class Interruptions(Controller):
    """The part of a controller that the runtime tells of them."""

    guided: Guided
    over: bool
    gone: dict[int, str]
    """The names of threads that have ended, by their numbers in the operating system."""

    def _listens(self) -> bool:
        return not self.over and not self.guided.finished

    def _matters(self, key: str) -> None:
        """A step changes what *key* says: from now on those that look at it say so."""
        guided = self.guided
        if key not in guided.full:
            guided.cells.fills(key)
        guided.items.append(Item(("setting", key), WRITE))

    def before_drop(self, stream: Stream, tasks: tuple[Task, ...]) -> None:
        """What runs now drops *tasks*, all or the first of *stream*, or would if they were still there."""
        guided = self.guided
        if self._listens():
            name = guided.names.of(stream)
            self._matters(_tasks(name))
            if tasks:
                guided.dropped.append((tasks[0], guided.processes.get(name, -1), guided.place))
            for task in tasks:
                guided.ended(task, stream)

    def before_host_task_ends(self, task: Task) -> None:
        """What runs now ends *task*, of which a function of the host was part; if nobody has dropped it."""
        guided = self.guided
        if self._listens():
            if guided.full:
                guided.items += looked_at(guided, task)
            if not task.over():
                guided.ended(task, task.stream)

    def before_work_given(self, work: Any) -> None:
        """What runs now gives something to do to the thread that serves *work*."""
        if self._listens():
            self.guided.items.append(Item(self._work(work), PUT, 0, 1, bool(work.pending)))

    def before_work_taken(self, work: Any) -> None:
        """What runs now looks for something to do, or has waited for it."""
        if self._listens():
            self.guided.items.append(Item(self._work(work), TAKE, 0, 1, bool(work.pending)))
            if "exception-callbacks" in self.guided.full:
                self.guided.items.append(Item(("setting", "exception-callbacks"), READ))

    def _work(self, work: Any) -> Hashable:
        """The key of what waits for a thread: that of a context, of one that serves, of the process."""
        if hasattr(work, "context"):
            return "work", self.guided.names.of(work.context)
        if hasattr(work, "thread_id"):
            served = (t for t in self.guided.hosts.group.attached() if t.os_ident == work.thread_id)
            t = next(served, None)
            return "work", self.guided.names.thread(t) if t is not None else self.gone.get(work.thread_id, "nobody")
        return "work", "exceptions"

    def before_context_changes(self, context: Context) -> None:
        """Whether *context* works is about to change, or what happens to it when a task fails."""
        if self._listens():
            self._matters(_works(self.guided.names.of(context)))

    def looks_for_tasks(self, stream: Stream) -> None:
        """What happens now depends on which tasks *stream* has."""
        guided = self.guided
        if guided.full:
            key = _tasks(guided.names.of(stream))
            if key in guided.full:
                guided.items.append(Item(("setting", key), READ))

    def before_context_check(self, context: Context) -> None:
        """What happens now depends on whether *context* works."""
        guided = self.guided
        if guided.full:
            key = _works(guided.names.of(context))
            if key in guided.full:
                guided.items.append(Item(("setting", key), READ))
