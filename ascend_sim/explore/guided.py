"""The schedule of an explored run: it takes every step itself, one address at a time, as its guide says.

A host step is an API call with the Python code up to the next one; a call that waits is two, *begin* and *resume*. A
step of a stream is its head, start and end together. All before the first task is one step: nothing else could run.
"""

from __future__ import annotations

from collections.abc import Hashable
from heapq import heapify
from typing import TYPE_CHECKING, Any, Protocol

from ascend_sim.explore.footprints import END, TAKE, WAIT, Item
from ascend_sim.explore.names import Names, steady
from ascend_sim.explore.values import Cells
from ascend_sim.explore.watching import Watching
from ascend_sim.observers.observer import attach
from ascend_sim.runtime.event import FlagGate, RecordGate
from ascend_sim.runtime.notify import NotifyGate
from ascend_sim.runtime.scheduler import FOREVER, TIMER, Entry
from ascend_sim.runtime.schedules import Schedule
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Gate, Task

if TYPE_CHECKING:
    from ascend_sim.explore.search import Blocked
    from ascend_sim.runtime.host_threads import HostThread
    from ascend_sim.runtime.waiting import Awaitable
    from ascend_sim.simulator import Simulator

__all__ = ["Guide", "Guided"]

MAIN = "main"
RESUME = ("goes on", ())


class Guide(Protocol):
    """Who decides, and keeps what each step did."""

    def choose(self, enabled: tuple[str, ...]) -> str:
        """Which of *enabled* goes on."""

    def taken(self, causes: tuple[int, ...], items: tuple[Item, ...], check: Any, cells: dict[Any, int] | None) -> None:
        """The step that was chosen last is over."""


def _was_possible(step: Any, other: Item) -> bool:
    """Whether a wait for a flag or a notify could have passed just before *step* did *other* to it."""
    return bool(other.before)


class Guided(Schedule):
    """Under it the guide decides each step. *cells*: the values that waits watch, known from runs before."""

    name = "explore"
    reorders = True
    eager = True
    drives = True

    def __init__(self, guide: Guide, cells: Cells) -> None:
        self.guide = guide
        self.cells = cells
        self.items: list[Item] = []
        """What the step that runs now has touched so far."""
        self.place = -1
        """The place of that step in the run."""
        self._causes: tuple[int, ...] = ()
        self._check: tuple[Any, ...] = ()
        self._values: dict[Any, int] | None = None
        self.started = False
        """A task was submitted: from now on there is something to choose."""
        self.submitted_at: dict[Task, int] = {}
        self.done_at: dict[Task, int] = {}
        self.last_task: dict[Stream, Task] = {}
        self.resumed = False
        """The running step of the host went on after a wait."""
        self.flag_before = False
        self.processes: dict[str, int] = {}
        """Where each process took its last step."""
        self._asked: tuple[Hashable, int] = (None, 0)
        self._calls = 0
        self._entries: dict[str, Entry] = {}
        self.finished = False
        self.names: Names
        self.watching: Watching
        self.sim: Simulator

    def watch(self, sim: Simulator) -> None:
        """Begin with *sim*, which is being opened: the first step of the host."""
        self.sim = sim
        self.watching = Watching(self)
        attach(sim, self.watching)
        self.scheduler = sim.scheduler
        self.names = Names(sim, lambda t: MAIN)
        self.guide.choose((MAIN,))
        self._begin(MAIN, (), ())

    # -- steps -------------------------------------------------------------------------------------------------------

    def _begin(self, process: str, causes: tuple[int, ...], check: tuple[Any, ...]) -> None:
        self.place += 1
        self.processes[process] = self.place
        self.items = []
        self._causes = causes
        self._check = check
        if self.cells.known:
            self._values = self.cells.snapshot(self.sim, self.names)

    def _end(self) -> None:
        self.guide.taken(self._causes, tuple(self.items), self._check, self._values)

    def turn(self, causes: tuple[int, ...], check: tuple[Any, ...]) -> None:
        """The host could go on: let others go first as the guide says, then begin its step."""
        self._end()
        while True:
            chosen = self.guide.choose((MAIN, *self._ready()))
            if chosen == MAIN:
                break
            self._step(chosen)
        self._begin(MAIN, causes, check)

    def _ready(self) -> list[str]:
        """The streams whose head could run now."""
        entries = self._entries
        entries.clear()
        for entry in self.scheduler.heap:
            if entry[1] != TIMER:
                stream = entry[3]
                assert isinstance(stream, Stream)
                gate = stream.queue[0].op.gate
                if gate is None or stream.running or passable(gate, stream.queue[0]):
                    entries[self.names.of(stream)] = entry
        return sorted(entries) if len(entries) > 1 else list(entries)

    def _step(self, process: str) -> None:
        """The head of a stream, start and end together."""
        entry = self._entries[process]
        stream = entry[3]
        assert isinstance(stream, Stream)
        task = stream.queue[0]
        op = task.op
        causes: tuple[int, ...] = (self.submitted_at.get(task, 0),)
        gate = op.gate
        if isinstance(gate, RecordGate) and gate.record in self.done_at:
            causes = (*causes, self.done_at[gate.record])
        self._begin(process, causes, (op.kind, ()))
        if gate is not None:
            item = self._gate_item(gate)
            if item is not None:
                self.items.append(item)
        self.flag_before = getattr(getattr(op.action, "__self__", None), "flag", False)
        scheduler = self.scheduler
        heap = scheduler.heap
        while True:
            heap.remove(entry)
            heapify(heap)
            scheduler.now = max(entry[0], scheduler.now)
            stream.fire(scheduler.now)
            if task.done or not stream.armed or not stream.queue or stream.queue[0] is not task:
                break
            entry = next(e for e in heap if e[3] is stream)
        if task.done:
            self.done_at[task] = self.place
        self.items.append(Item(("done", self.names.task(task)), END))
        self._end()

    def _gate_item(self, gate: Gate) -> Item | None:
        """What a wait needs: the item by which it conflicts with who changes that."""
        if isinstance(gate, FlagGate):
            return Item(("flag", self.names.of(gate.event)), WAIT, 0, 1, True, _was_possible)
        if isinstance(gate, NotifyGate):
            return Item(("notify", self.names.of(gate.notify)), TAKE, 0, 1, True, _was_possible)
        return self.cells.item(gate, self.names)

    # -- where the host stops ----------------------------------------------------------------------------------------

    def before_call(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """A new step of the host, unless nothing was queued yet."""
        self._calls += 1
        check = name, steady(arguments)
        if self.started:
            self.turn((), check)
        else:
            self._check = (*self._check, check)
        self.resumed = False

    def drive(self, limit: int, w: Awaitable | None) -> None:
        """The host waits for *w*. Without *w* it only lets time pass: that decides nothing."""
        if w is None:
            return
        self._end()
        while not w.done:
            ready = self._ready()
            if ready:
                self._step(self.guide.choose(tuple(ready)))
            elif not self.last_resort(limit):
                self._resume_later()
                return
        task = getattr(w, "task", None)
        cause = self.done_at.get(task, self.place) if task is not None else self.place
        self._resume(cause)

    def _resume(self, *causes: int) -> None:
        while True:
            chosen = self.guide.choose((MAIN, *self._ready()))
            if chosen == MAIN:
                break
            self._step(chosen)
        self._begin(MAIN, causes, RESUME)
        self.resumed = True

    def _resume_later(self) -> None:
        """Nothing goes on: the host has a time limit, or hangs. That follows from all that ran."""
        self.guide.choose((MAIN,))
        self._begin(MAIN, tuple(self.processes.values()), RESUME)
        self.resumed = True

    def went_on(self, cause: int) -> None:
        """A call has waited for the step at *cause*; when that was over before, it is two steps all the same."""
        if not self.resumed:
            self.turn((cause,), RESUME)
            self.resumed = True
        elif self.items:  # it touched something since the wait before
            self.turn((cause,), RESUME)
        else:
            self._causes = (*self._causes, cause)

    def last_resort(self, limit: int) -> bool:
        """Nothing can go on: let waits park, then a time limit of the device fire that is due by *limit* (ns)."""
        heap = self.scheduler.heap
        for entry in sorted(entry for entry in heap if entry[1] != TIMER):
            heap.remove(entry)
            heapify(heap)
            entry[3].fire(max(entry[0], self.scheduler.now))
        timers = [entry for entry in heap if entry[1] == TIMER and entry[0] <= limit]
        if not timers or any(entry[1] != TIMER for entry in heap):
            return bool(self._ready())
        entry = min(timers)
        heap.remove(entry)
        heapify(heap)
        self.scheduler.now = max(entry[0], self.scheduler.now)
        stream = getattr(entry[3], "stream", None)
        if stream is None or not getattr(entry[3], "live", True):
            entry[3].fire(self.scheduler.now)
            return True
        name = self.names.of(stream)
        self.guide.choose((name,))
        self._begin(name, tuple(self.processes.values()), ("time limit", ()))
        entry[3].fire(self.scheduler.now)
        self._end()
        return True

    def poll(self, t: HostThread, key: Hashable) -> None:
        """One failing answer is explored; asked again at once, the host waits until the answer can change."""
        if key is None:
            return
        asked, calls = self._asked
        self._asked = key, self._calls
        if asked != key or calls != self._calls - 1:
            return
        pending = self._pending(key)
        self._end()
        while any(not task.over() for task in pending) or not pending:
            ready = self._ready()
            if ready:
                self._step(self.guide.choose(tuple(ready)))
                if not pending:
                    break
            elif not self.last_resort(FOREVER):
                self._resume_later()
                t.threads.hopeless(t, key, 2)
        self._resume(*[self.done_at[task] for task in pending if task in self.done_at] or [self.place])

    def _pending(self, key: Hashable) -> list[Task]:
        """The tasks of which one must end before the answer changes."""
        keys = key if isinstance(key, tuple) else (key,)
        tasks: list[Task] = []
        for handle in keys:
            thing: Any = self.sim.handles.get(handle) if isinstance(handle, int) else None
            if isinstance(thing, Stream):
                tasks += list(thing.queue)[-1:]
            elif getattr(thing, "latest", None) is not None:
                waits = [] if not thing.latest.over() else list(thing.waits or ())
                tasks += [thing.latest, *waits]
        return [task for task in tasks if not task.over()]

    # -- the end -----------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """The program has ended: what is still queued runs, as far as it can."""
        if self.finished:
            return
        self.finished = True
        self._end()
        while True:
            ready = self._ready()
            if not ready:
                return
            self._step(self.guide.choose(tuple(ready)))

    def blocked(self) -> list[Blocked]:
        """The streams whose head waits, with what it would touch first."""
        from ascend_sim.explore.search import Blocked

        found = []
        for context in self.sim.contexts.values():
            for stream in (*context.streams, context.default):
                head = stream.queue[0] if stream.queue else None
                if head is None or head.op.gate is None or stream.running or stream.resting:
                    continue
                item = self._gate_item(head.op.gate)
                if item is not None and not passable(head.op.gate, head):
                    found.append(Blocked(self.names.of(stream), (self.submitted_at.get(head, 0),), (item,)))
        return found


def passable(gate: Gate, task: Task) -> bool:
    """Whether *task* could pass *gate* now; takes nothing."""
    if isinstance(gate, RecordGate):
        return gate.record.over()
    if isinstance(gate, FlagGate):
        return gate.event.flag
    if isinstance(gate, NotifyGate):
        return gate.notify.flag
    return gate.passes(task, 0)
