"""Who is there and who waits for whom, taken down at one moment: threads, contexts, streams, events, notifies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.runtime.event import Event, RecordGate
from ascend_sim.runtime.memory.pools.tasks import MALLOC, PoolOp
from ascend_sim.runtime.memory.transfers import Fill, Transfer, copy_kind
from ascend_sim.runtime.notify import Notify
from ascend_sim.runtime.stream import PERSISTENT, Stream
from ascend_sim.runtime.task import Op, Task
from ascend_sim.runtime.threads.host_threads import HostThread
from ascend_sim.timeline.costs import amount, duration
from ascend_sim.timeline.labels import place_of

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime

__all__ = ["ContextState", "Relations", "SignalState", "StreamState", "ThreadState", "WaitState", "look"]

SHOWN_TASKS = 4


@attrs.frozen
class ThreadState:
    """A host thread: what it waits for, empty when it runs; the context that is current in it."""

    key: str
    name: str
    clock: int
    waits: str
    call: str
    at: str
    context: str


@attrs.frozen
class StreamState:
    """A stream: *status* in words, *queue* the first of its tasks, *more* how many follow."""

    key: str
    name: str
    title: str
    """Its name below the one of its context."""
    status: str
    state: str
    """``idle``, ``ready``, ``runs``, ``waits``, ``held`` or ``failed``."""
    queue: tuple[str, ...]
    more: int
    at: str


@attrs.frozen
class ContextState:
    """A context and its streams; *threads* have it current."""

    name: str
    device: int
    handle: int
    failure: int
    threads: tuple[str, ...]
    streams: tuple[StreamState, ...]


@attrs.frozen
class SignalState:
    """An event or a notify. *busy*: a record or a wait of it is queued."""

    key: str
    name: str
    device: int
    status: str
    busy: bool
    at: str


@attrs.frozen
class WaitState:
    """*waiter* goes on when *holder* has done something.

    *kind*: ``waits`` (its next step), ``queued`` (it will wait, behind other tasks), ``records`` (from a signal to the
    stream on which a record of it is queued).
    """

    waiter: str
    holder: str
    kind: str


@attrs.frozen
class Relations:
    """All of it. *now* is how far the devices have come, *time* the clock of the calling thread (virtual ns)."""

    time: int
    now: int
    threads: tuple[ThreadState, ...]
    contexts: tuple[ContextState, ...]
    signals: tuple[SignalState, ...]
    waits: tuple[WaitState, ...]

    def name_of(self, key: str) -> str:
        """The name behind a key."""
        things: list[Any] = [*self.threads, *self.signals, *(s for c in self.contexts for s in c.streams)]
        return next((thing.name for thing in things if thing.key == key), key)


def look(sim: Runtime) -> Relations:
    """Take down what there is now; changes nothing."""
    return _RelationsBuilder(sim).look()


class _RelationsBuilder:
    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.names = sim.names.anew()
        self.waits: list[WaitState] = []
        self.contexts = list(sim.contexts.values())
        self.alone = sum(not c.dead for c in self.contexts) < 2
        self.streams = [s for c in self.contexts if not c.dead for s in (c.default, *c.streams)]
        self.events = [thing for thing in sim.handles.values() if isinstance(thing, (Event, Notify))]
        self.records = self._records()
        self.threads = [t for t in sim.threads.attached() if t.sim is sim]

    def look(self) -> Relations:
        threads = tuple(self._thread(t) for t in self.threads)
        contexts = tuple(self._context(c) for c in self.contexts if not c.dead)
        signals = tuple(self._signal(thing) for thing in self.events)
        time = max([t.clock for t in self.threads], default=0) if self.sim.closed else self.sim.time_ns()
        return Relations(time, self.sim.scheduler.now, threads, contexts, signals, tuple(self.waits))

    def _records(self) -> dict[Task, Any]:
        """The queued tasks that record something, with what they record."""
        found: dict[Task, Any] = {}
        own = {thing.record_op: thing for thing in self.events}
        for thing in self.events:
            if isinstance(thing, Event):
                for task in (thing.latest, *(task for task, _ in thing.lent or ())):
                    if task is not None and not task.over():
                        found[task] = thing
        for stream in self.streams:
            for task in stream.queue:
                owner = own.get(task.op)
                if owner is not None and task.op is not self.sim.plain_record:
                    found[task] = owner
        return found

    # -- names ---------------------------------------------------------------------------------------------------------

    def _key(self, thing: Any) -> str:
        kind = {"ThreadState": "thread"}.get(type(thing).__name__, type(thing).__name__.lower())
        return f"{kind} {thing.number}"

    def _named(self, thing: Any) -> str:
        if isinstance(thing, Stream):
            if thing is thing.context.default and self.alone:
                return "the default stream"
            return self.names.stream(thing)
        return self.names.event(thing) if isinstance(thing, (Event, Notify)) else str(thing.describe())

    def _title(self, task: Task) -> str:
        """A task in a few words."""
        op: Op = task.op
        action: Any = op.action
        if isinstance(op, PoolOp):
            does = "allocate" if op.kind == MALLOC else "give back"
            return f"{does} {amount(op.block.size)} of {self.names.thing(op.block.pool.owner)}"
        if op.gate is not None:
            return f"wait {self._awaited(op.gate)}"
        if task in self.records:
            return f"record {self._named(self.records[task])}"
        if type(action) is Transfer:
            way = copy_kind(action.to.block, None if action.source is None else action.source.block)
            return f"copy {way.upper()} {amount(action.shape.nbytes)}"
        if type(action) is Fill:
            return f"memset {amount(action.place.nbytes)}"
        plan = getattr(op, "plan", None)
        return op.kind if plan is None else f"kernel `{op.kind[7:]}` <{plan.num}>"

    def _awaited(self, gate: Any) -> str:
        thing = getattr(gate, "event", None) or getattr(gate, "notify", None)
        return str(gate.describe()) if thing is None else self._named(thing)

    # -- what there is -------------------------------------------------------------------------------------------------

    def _thread(self, t: HostThread) -> ThreadState:
        waits, call = "", ""
        reason = t.why
        if reason is not None:
            call, waits = t.call, reason.describe()
            for holder in reason.holders():
                self._waits(t, holder)
                waits = self._named(holder)
        context = _current(t)
        name = context.describe() if context is not None else ""
        return ThreadState(self._key(t), t.name, t.clock, waits, call, place_of(t.site) if reason else "", name)

    def _waits(self, waiter: Any, holder: Any) -> None:
        if isinstance(holder, (Stream, HostThread)):
            self.waits.append(WaitState(self._key(waiter), self._key(holder), "waits"))

    def _context(self, context: Any) -> ContextState:
        threads = tuple(t.name for t in self.threads if _current(t) is context)
        streams = tuple(self._stream(stream) for stream in (context.default, *context.streams))
        number = context.device.index
        return ContextState(context.describe(), number, context.handle, context.failure, threads, streams)

    def _stream(self, stream: Stream) -> StreamState:
        titles = tuple(self._title(task) for task, _ in zip(stream.queue, range(SHOWN_TASKS), strict=False))
        status, state = self._status(stream)
        me = self._key(stream)
        for number, task in enumerate(stream.queue):
            thing = self.records.get(task)
            if thing is not None:
                self.waits.append(WaitState(self._key(thing), me, "records"))
            signal = _signal_of(task)
            if signal is not None:
                self.waits.append(WaitState(me, self._key(signal), "queued" if number else "waits"))
        more = max(0, len(stream.queue) - SHOWN_TASKS)
        name = self._named(stream)
        title = "the default stream" if stream is stream.context.default else name
        return StreamState(me, name, title, status, state, titles, more, place_of(stream.site))

    def _status(self, stream: Stream) -> tuple[str, str]:
        if stream.stopped or stream.context.failure:
            return f"stopped after a failure ({stream.error or stream.context.failure})", "failed"
        recorded_by = getattr(stream.recorder, "instance", None)
        if recorded_by is not None:
            return f"recorded in {recorded_by.describe()}: nothing runs", "held"
        if not stream.queue:
            text = f"idle since {duration(stream.free)}" if stream.free else "idle"
            return text, "idle"
        task = stream.queue[0]
        title = self._title(task)
        if stream.resting:
            return ("persistent: runs in a model" if stream.flags & PERSISTENT else "held by a test"), "held"
        if stream.running:
            why = f", {stream.pause.why}" if stream.pause is not None else ""
            return f"runs {title} since {duration(task.start)}{why}", "runs"
        if stream.armed:
            return f"goes on with {title} when the host waits", "ready"
        gate = task.op.gate
        if gate is None and task.op.engine is not None:
            return self._slots(stream, task.op.engine), "waits"
        if gate is None:
            return "waits for its host side", "waits"
        thing = _signal_of(task)
        if thing is not None:
            at = f", recorded on {self._named(gate.record.stream)}" if isinstance(gate, RecordGate) else ""
            flag = "" if isinstance(gate, RecordGate) or isinstance(thing, Notify) else "the flag of "
            return f"waits for {flag}{self._named(thing)}{at}", "waits"
        for holder in gate.holders():
            self._waits(stream, holder)
        return f"waits for {gate.describe()}", "waits"

    def _slots(self, stream: Stream, engine: str) -> str:
        """The head finds no free core or copy engine: those wait for who holds some of the same pool."""
        device = stream.context.device
        wanted = device.engines.demand(engine).keys()
        for other in self.streams:
            head = other.queue[0].op.engine if other.queue and other.running else None
            if head is not None and other.context.device is device and wanted & device.engines.demand(head).keys():
                self._waits(stream, other)
        return "waits for cores" if engine in ("aic", "aiv", "mix") else f"waits for a copy engine ({engine.upper()})"

    def _signal(self, thing: Any) -> SignalState:
        queued = [task for task, recorded in self.records.items() if recorded is thing]
        streams = sorted({task.stream.number for task in queued})
        busy = bool(queued)
        if queued:
            by = {task.stream.number: task.stream for task in queued}
            status = f"record queued on {', '.join(self._named(by[number]) for number in streams)}"
        elif isinstance(thing, Event) and thing.latest is not None:
            task = thing.latest
            done = f"done at {duration(task.end)}" if task.done else "dropped"
            status = f"recorded on {self._named(task.stream)}, {done}"
        elif isinstance(thing, Event):
            status = "never recorded"
        else:
            status = "not recorded"
        if getattr(thing, "flag", False):
            status += ", flag set"
        waiting = [s for s in self.streams for task in s.queue if _signal_of(task) is thing]
        if waiting:
            busy = True
            status += f"; waited for by {', '.join(dict.fromkeys(self._named(s) for s in waiting))}"
        return SignalState(self._key(thing), self._named(thing), thing.device.index, status, busy, place_of(thing.site))


def _signal_of(task: Task) -> Any:
    """The event or notify that a task waits for."""
    gate: Any = task.op.gate
    return None if gate is None else getattr(gate, "event", None) or getattr(gate, "notify", None)


def _current(t: HostThread) -> Any:
    """The context that calls of the thread work in; None when there is none."""
    bound = getattr(t, "bound_context", None)
    return t.context if bound is None else bound()
