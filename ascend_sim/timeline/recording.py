"""The recorder of the timeline: an observer that notes what happens and draws nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ascend_sim.findings.output import tell
from ascend_sim.observers.guarded import ended_by, guards_itself
from ascend_sim.observers.observer import Observer
from ascend_sim.runtime.current import LOCAL
from ascend_sim.runtime.event import RecordGate
from ascend_sim.runtime.memory.transfers import Fill, Transfer, copy_kind
from ascend_sim.runtime.task import Op
from ascend_sim.runtime.threads.host_threads import HostThread
from ascend_sim.timeline.records import (
    Allocated,
    Bytes,
    Called,
    Found,
    Launched,
    Learned,
    LeftOut,
    Marked,
    Ran,
    Served,
    TaskName,
    Thing,
    Waited,
    task_name,
)

if TYPE_CHECKING:
    from ascend_sim.errors import AclError
    from ascend_sim.findings.finding import Finding
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.event import Event
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task, TaskFault
    from ascend_sim.timeline.trace import Trace

__all__ = ["MOST_TASKS", "Timeline"]

MOST_TASKS = 100_000
"""The page of so many tasks, each with its call, has some 22 MB: browsers still draw it at once."""


RUN_LANES = ("graph", "condition")
"""Kinds of tasks that go on while the lanes of a graph run."""


class Timeline(Observer):
    """What a simulator did in virtual time, from the moment on at which the timeline was attached.

    `sim.timeline()` gives the one of a simulator; it can be asked at any moment, also after the simulator was closed:

    - `save("run.html")` writes it, as the end of the name says (:data:`saving.FORMATS`);
    - `text()`, `html()`, `trace_events()`, `figure()` give one form each;
    - `trace()` gives the model behind them: tracks with slices, edges, marks, counters;
    - in a notebook it shows itself.

    *path*: a file to write when the simulator closes; ``-`` prints the lanes to standard output. *program*: what the page
    is called. *most*: so many tasks, and as many calls, are kept. Of a longer run these are the first half of them and
    the latest half; what lies between is counted, and every form of output says where it would be.
    """

    guarded = True
    title = "the timeline"

    def __init__(
        self, sim: Runtime, path: str | os.PathLike[str] | None = None, program: str = "", most: int = MOST_TASKS
    ) -> None:
        if most < 2:
            raise ValueError(f"most is {most}: a timeline keeps two tasks or more")
        self.sim = sim
        self.path = path
        self.program = program
        self.most = most
        self.left_out = LeftOut()
        # Rows are taken out a quarter at a time, so that each one is moved a few times at most.
        rows = most + max(most // 4, 1)
        self._full_tasks = rows * len(Ran._fields)
        self._full_calls = rows * len(Called._fields)
        # Flat lists, one value after the other: a hundred thousand tuples would keep the garbage collector busy.
        self._calls: list[Any] = []
        self._tasks: list[Any] = []
        self._records: list[Any] = []
        self.served: list[Served] = []
        self.learned: list[Learned] = []
        self.marked_rows: list[Marked] = []
        self.forks: list[tuple[TaskName, TaskName]] = []
        """An execution of a graph, or a task that goes on in two places, and the first task of a lane."""
        self.memory: list[Allocated] = []
        self.findings: list[Found] = []
        self.notes: list[tuple[HostThread, int, str]] = []
        """What is worth saying about the call that a thread was in."""
        self._stuck: list[tuple[HostThread, tuple[str, int, Any]]] = []
        self.began = sim.time_ns()
        self._open: dict[HostThread, list[tuple[str, int, Any]]] = {}
        self._callbacks: dict[HostThread, list[int]] = {}
        self._slots: dict[Stream, int] = {}
        self._kept: dict[Any, Any] = {}
        """Details that many tasks share: one each is kept."""
        self._plan: Any = None
        self._cycles: Any = 0
        self._launched: Any = None
        """The latest launch: loops launch the same again and again."""
        self._setter: dict[tuple[type, int], TaskName] = {}
        self._passed: dict[Stream, tuple[TaskName | None, tuple[int, int] | None]] = {}

    # -- hooks: as little as possible, since most run for every task ----------------------------------------------------

    @guards_itself
    def api_entered(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """A call begins; calls inside a callback lie inside the call that serves it."""
        try:
            try:
                begun = self._open[t]
            except KeyError:
                begun = self._open[t] = []
            begun.append((name, t.clock, t.site))
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.api_entered)

    @guards_itself
    def api_returned(self, t: HostThread, name: str, result: Any) -> None:
        """It ends at the thread's clock."""
        try:
            try:
                begun = self._open[t]
            except KeyError:  # it had begun before this was attached
                return
            while begun:
                entered, start, site = begun.pop()
                if entered == name:  # others were left by an exception
                    if type(result) is not int:
                        result = result[-1] if type(result) is tuple else None
                    calls = self._calls
                    calls += (t, name, start, t.clock, site, result)
                    if len(calls) >= self._full_calls:
                        self._thin()
                    return
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.api_returned)

    @guards_itself
    def started(self, task: Task, time: int) -> None:
        """A task holds its slots from now on (it only runs as if it held them when the number is negative)."""
        try:
            if task.op.engine is not None:
                self._slots[task.stream] = abs(task.stream.held)
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.started)

    @guards_itself
    def completed(self, task: Task, fault: TaskFault | None) -> None:
        """A task ended."""
        try:
            op, end, stream = task.op, task.end, task.stream
            cost, engine, action = op.cost, op.engine, op.action
            if op.plain:
                start = end - cost if action is None or op.kind not in RUN_LANES else getattr(task, "start", end)
            else:
                try:
                    start = task.start
                except AttributeError:  # it failed at its gate
                    start = end
            tasks = self._tasks
            tasks += (
                stream, op.kind, start, end, task.ready, task.thread, task.number, task.site, cost, engine,
                0 if engine is None else self._slots.get(stream, 0),
                None if action is None and op.gate is None else self._detail(task, op),
                None if fault is None else (fault.code, fault.text),
            )  # fmt: skip
            if len(tasks) >= self._full_tasks:
                self._thin()
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.completed)

    def _detail(self, task: Task, op: Op) -> Any:
        if op.gate is not None:
            return self._waited(task, op.gate)
        if type(op) is not Op:
            plan = getattr(op, "plan", None)
            if plan is not None:
                grid = plan.grid
                cycles = grid.slowest if grid.declared and not grid.busy else 0
                if plan is self._plan and cycles == self._cycles:
                    return self._launched
                found = (Launched, plan.num, plan.cost_ns, plan.timeout_ns, cycles, plan.kernel.waits)
                self._plan, self._cycles = plan, cycles
                self._launched = self._kept.setdefault(found, found)
                return self._launched
        action: Any = op.action
        if type(action) is Transfer:
            origin = None if action.source is None else action.source.block
            moved = (Bytes, copy_kind(action.to.block, origin), action.shape.nbytes)
            return self._kept.setdefault(moved, moved)
        if type(action) is Fill:
            return (Bytes, "set", action.place.nbytes)
        if hasattr(action, "inputs") and hasattr(action, "outputs"):  # an operator or a model
            tensors = (*action.inputs, *action.outputs, *getattr(action, "extras", ()))
            return (Bytes, "pass", sum(tensor.nbytes for tensor in tensors))
        source: Any = getattr(action, "source", None)  # a reduction
        return (Bytes, "d2d", source.nbytes) if hasattr(source, "nbytes") else None

    def _waited(self, task: Task, gate: Any) -> Any:
        if type(gate) is RecordGate:
            event, record = gate.event, gate.record
            name = (record.thread.number, record.number)
            return (Waited, "event", (Thing, "event", event.number, event.site), "", name, None)
        by, host = self._passed.pop(task.stream, (None, None))
        for kind in ("event", "notify"):
            thing = getattr(gate, kind, None)
            if thing is not None:
                known = (Thing, kind, thing.number, thing.site)
                return (Waited, "flag" if kind == "event" else kind, known, "", by, host)
        return (Waited, "value", None, gate.describe(), by, host)

    @guards_itself
    def signalled(self, task: Task | HostThread, thing: Any, value: bool | None) -> None:
        """Who set a flag last."""
        try:
            number = getattr(thing, "number", None)
            if value and number is not None and not isinstance(task, HostThread):
                self._setter[type(thing), number] = task_name(task)
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.signalled)

    def forked(self, task: Task, firsts: list[Task], lasts: list[Task]) -> None:
        """Lanes of a graph begin."""
        by = task_name(task)
        self.forks += [(by, task_name(first)) for first in firsts]

    @guards_itself
    def passed(self, task: Task, time: int) -> None:
        """Who let a task pass."""
        try:
            gate: Any = task.op.gate
            if type(gate) is RecordGate:
                return
            thing = getattr(gate, "event", None) or getattr(gate, "notify", None)
            if thing is not None:
                self._passed[task.stream] = (self._setter.get((type(thing), thing.number)), None)
                return
            writer = getattr(gate, "writer", None)
            if hasattr(writer, "op"):
                self._passed[task.stream] = (task_name(writer), None)
            elif writer is not None:
                self._passed[task.stream] = (None, (writer.number, writer.clock))
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.passed)

    @guards_itself
    def recorded(self, pair: tuple[Any, Task]) -> None:
        """What a record records."""
        try:
            thing, task = pair
            self._records += (task.thread.number, task.number, type(thing), thing.number, thing.site)
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.recorded)

    def awaited(
        self, call: str, t: HostThread, thing: Any, stream: Stream, task: Task | None, record: Task | None
    ) -> None:
        """A wait that was dropped is worth a note."""
        if task is None:
            why = "the event was never recorded"
            if record is not None:
                why = "its record is done" if record.done else "the stream waits for itself anyway"
            self.notes.append((t, t.clock, f"nothing was queued: {why}"))

    def stalled(self, t: HostThread, what: str) -> None:
        """A call had to wait for room."""
        self.notes.append((t, t.clock, f"waited for room: {what}"))

    def call_failed(self, t: HostThread, name: str, error: AclError) -> None:
        """Why it fails."""
        self.notes.append((t, t.clock, error.reason))

    def dropped(self, t: HostThread, stream: Stream) -> None:
        """What was queued on a stream goes with it."""
        count = len(stream.queue)
        if count:
            self.notes.append((t, t.clock, f"drops {count} queued task{'s' if count != 1 else ''}"))

    def timed_out(self, t: HostThread | Task, what: str) -> None:
        """A wait ended by its limit; that of a task is its fault."""
        if isinstance(t, HostThread):
            self.notes.append((t, t.clock, f"timed out: {what}"))

    def waited(self, t: HostThread, stream: Stream) -> None:
        """The thread knows now that the stream is empty."""
        self.learned.append((t, t.clock, stream, stream.free))  # type: ignore[arg-type]

    def polled(self, t: HostThread, thing: Event | Stream, record: Task | None, done: bool, waited: bool) -> None:
        """The thread knows now that a record is done."""
        if done and record is not None and record.done:
            self.learned.append((t, t.clock, record.stream, record.end))  # type: ignore[arg-type]

    def callback_started(self, t: HostThread, task: Task | None) -> None:
        """A callback begins on its serving thread."""
        self._callbacks.setdefault(t, []).append(t.clock)

    def callback_ended(self, t: HostThread, task: Task | None) -> None:
        """It ends."""
        begun = self._callbacks.get(t)
        start = begun.pop() if begun else t.clock
        self.served.append(Served(t, start, t.clock, None if task is None else task_name(task)))

    def marked(self, t: HostThread, kind: str, text: str, start: int, end: int) -> None:
        """The program marks something, or a range of its is over."""
        self.marked_rows.append(Marked(t, kind, text, start, end))

    def allocated(self, t: HostThread | None, block: Allocation) -> None:
        """Memory in use goes up."""
        self._counted(t, block, block.taken)

    def freed(self, t: HostThread | None, block: Allocation) -> None:
        """And down."""
        self._counted(t, block, -block.taken)

    def _counted(self, t: HostThread | None, block: Allocation, taken: int) -> None:
        if block.kind == "registered":
            return  # the program's own memory
        time = self.sim.scheduler.now if t is None else t.clock
        site = block.site if taken > 0 else block.free_site
        self.memory.append((time, block.device, taken, block.size, block.number, site))  # type: ignore[arg-type]

    def found(self, finding: Finding) -> None:
        """Where a finding was made; a deadlock shows in the calls that hang."""
        state: Any = getattr(LOCAL, "state", None)
        mine = state is not None and state.sim is self.sim
        time = finding.time_ns if finding.time_ns is not None else self.sim.time_ns()
        if finding.count == 1:
            self.findings.append(Found(finding, time, state.number if mine else None))
        if finding.kind == "deadlock":
            for t, begun in self._open.items():
                if begun and t.why is not None:
                    self._stuck.append((t, begun[-1]))

    def closed(self, sim: Runtime) -> None:
        """Write the file that was asked for; the program's end is no place for a traceback."""
        if self.path is not None:
            try:
                self.save(self.path)
            except (OSError, ValueError) as error:  # ValueError: its folder is gone, or a standard stream is closed
                with suppress(OSError, ValueError):
                    tell(f"the timeline was not written: {error}")

    # -- a bounded size ------------------------------------------------------------------------------------------------

    def _thin(self) -> None:
        """Take rows between the first and the latest ones out of every list that has more than it may keep."""
        gone, half = self.left_out, self.most // 2
        tasks = map(Ran._make, _rows(_cut(self._tasks, half, self.most - half, len(Ran._fields)), len(Ran._fields)))
        for task in tasks:
            gone.tasks += 1
            gone.cover(task.start, task.end)
            gone.ends[task.stream.number] = task.end
        for call in _rows(_cut(self._calls, half, self.most - half, len(Called._fields)), len(Called._fields)):
            gone.calls += 1
            gone.cover(call[2], call[3])
        _cut(self._records, half, self.most - half, 5)
        for rows in (self.served, self.learned, self.notes, self.marked_rows, self.forks):
            _cut(rows, half, self.most - half)
        sums: dict[int, tuple[int, int]] = {}
        for time, device, taken, *_ in _cut(self.memory, half, self.most - half):
            sums[device] = (time, sums.get(device, (0, 0))[1] + taken)
        self.memory[half:half] = [
            Allocated(time, device, taken, abs(taken), 0, None) for device, (time, taken) in sums.items()
        ]

    # -- reading -----------------------------------------------------------------------------------------------------

    @property
    def calls(self) -> Iterator[Called]:
        """The calls that returned, in that order."""
        return map(Called._make, _rows(self._calls, len(Called._fields)))

    @property
    def tasks(self) -> Iterator[Ran]:
        """The tasks that ended, in that order."""
        return map(Ran._make, _rows(self._tasks, len(Ran._fields)))

    @property
    def hung(self) -> list[tuple[HostThread, str, int, Any]]:
        """Calls that a deadlock was found in and that did not return: thread, name, start, site."""
        stuck = {id(entry): (t, *entry) for t, entry in self._stuck if any(e is entry for e in self._open[t])}
        return list(stuck.values())

    @property
    def things(self) -> dict[TaskName, Thing]:
        """What the tasks of records record."""
        return {
            (thread, task): Thing(kind.__name__.lower(), number, site)
            for thread, task, kind, number, site in _rows(self._records, 5)
        }

    def trace(self) -> Trace:
        """What was recorded up to now, as tracks with slices, edges, marks and counters."""
        from ascend_sim.timeline.building import build

        return build(self)

    def text(self, width: int = 100) -> str:
        """Lanes of characters, *width* columns wide, with a legend, in the language that is chosen."""
        from ascend_sim.timeline.lanes import lanes
        from ascend_sim.timeline.speech import spoken

        return lanes(spoken(self.trace()), width)

    def html(self) -> str:
        """A page with everything in it, in the language that is chosen: it needs no network and no other file."""
        from ascend_sim.timeline.page import page
        from ascend_sim.timeline.speech import spoken

        return page(spoken(self.trace()))

    def trace_events(self) -> dict[str, Any]:
        """The trace-event format of Chrome and Perfetto as plain values."""
        from ascend_sim.timeline.trace_events import trace_events

        return trace_events(self.trace())

    def figure(self, width: float = 12.0) -> Any:
        """A matplotlib Figure, *width* inches wide. Raises ImportError without ``pip install 'ascend-sim[plot]'``."""
        from ascend_sim.timeline.figure import figure

        return figure(self.trace(), width)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to *path* as its end says (:data:`saving.FORMATS`); ``-``: text to standard output.

        Raises ValueError for another end.
        """
        from ascend_sim.timeline.saving import save

        save(self, path)

    def _repr_html_(self) -> str:
        from ascend_sim.timeline.page import frame

        return frame(self.html())

    def _repr_png_(self) -> bytes | None:
        from ascend_sim.timeline.saving import png

        return png(self)

    def __repr__(self) -> str:
        tasks = self.left_out.tasks + len(self._tasks) // len(Ran._fields)
        calls = self.left_out.calls + len(self._calls) // len(Called._fields)
        return f"<Timeline: {tasks} tasks, {calls} calls>"


def _cut(flat: list[Any], first: int, latest: int, fields: int = 1) -> list[Any]:
    """Take all but the *first* and the *latest* rows out of *flat*; returns them."""
    middle = slice(first * fields, max(len(flat) - latest * fields, first * fields))
    gone = flat[middle]
    del flat[middle]
    return gone


def _rows(flat: list[Any], fields: int) -> Iterator[tuple[Any, ...]]:
    return zip(*[iter(flat)] * fields, strict=True)
