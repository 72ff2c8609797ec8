"""A model of streams and events, and calls that agree with it (docs/semantics/streams.md, docs/semantics/events.md).

The model is eager: whatever the device can do, it has done. What is then still queued can never have run, and what ran
is *known* once a host call waited for it; between the two either answer is right. Walks keep away from races (resets
beside records, two waiters for one notify), where the page leaves the result open.
"""

from __future__ import annotations

from typing import Any

from hypothesis import note

from ascend_sim import SimulatedHang, Simulator
from ascend_sim import ascendcl as C
from tests.property.walks import Machine

AUTO, LEVEL, EX, STAMP = "AUTO", "LEVEL", "EX", "STAMP"
"""Families: aclrtCreateEvent, ...WithFlag with SYNC, ...ExWithFlag with SYNC, no SYNC."""
LIMITS = {"streams": 7, "events": 4, "notifies": 2, "stream_depth": 3}
STREAM_TIMEOUT, TASK_TIMEOUT = 507046, 107020
LONG = 5000
"""A limit of a wait on the device in seconds, far beyond what all time-outs of a walk add up to."""


class Task:
    """One task; *gate*: the record, the level event or the notify that it waits for."""

    def __init__(self, kind: str, stream: Stream, gate: Any = None, timed: bool = False) -> None:
        self.kind, self.stream, self.gate, self.timed = kind, stream, gate, timed
        self.before = stream.last
        self.state = "queued"  # then done or dropped
        self.known = False


class Stream:
    def __init__(self, handle: int, context: int) -> None:
        self.handle, self.context = handle, context
        self.queue: list[Task] = []
        self.last: Task | None = None
        self.error = 0


class Event:
    def __init__(self, handle: int, family: str, timed: bool) -> None:
        self.handle, self.family, self.timed = handle, family, timed
        self.alive = True
        self.flag = False
        self.latest: Task | None = None
        self.records: list[Task] = []
        self.waits: list[tuple[Task | None, Task]] = []

    def ids(self) -> tuple[int, int]:
        """The fewest and the most hardware events that this one can hold now."""
        if self.family == LEVEL:
            busy = any(t.state == "queued" for t in [*self.records, *(w for _, w in self.waits)])
            return (1, 1) if self.alive else (0, int(busy))
        if self.family == STAMP:
            return 0, 0
        needed = {id(r): r for r, w in self.waits if w.state == "queued"}
        needed |= {id(r): r for r in self.records if r.state == "queued"}
        kept = self.alive and self.latest is not None and id(self.latest) not in needed
        return len(needed), len(needed) + kept


class Notify:
    """A notify; the walks have at most one wait for it outstanding."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.flag = False
        self.waiting: Task | None = None


class StreamMachine(Machine):
    """Streams of the primary context, one stream of another context, and what the device can do with them."""

    def begin(self) -> None:
        self.sim = Simulator(limits=LIMITS, checks="memory").open()
        self.expect(0, "aclrtSetDevice", 0)
        self.contexts = [self.expect(0, "aclrtGetCurrentContext")]
        self.streams = {0: Stream(0, 0)}  # by handle; 0 is the default stream of the primary context
        self.timed: Task | None = None
        self.expect(0, "aclrtCreateContext", 0)
        self.contexts.append(self.expect(0, "aclrtGetCurrentContext"))
        self.foreign = Stream(self.expect(0, "aclrtCreateStream"), 1)
        self.expect(0, "aclrtSetCurrentContext", self.contexts[0])

    def end(self) -> None:
        self.sim.close()

    # -- the device -------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        moved = True
        while moved:
            moved = False
            for stream in self.streams.values():
                while stream.queue and self.passes(stream.queue[0]):
                    self.run(stream.queue.pop(0))
                    moved = True

    def passes(self, task: Task) -> bool:
        if task.kind != "wait":
            return True
        return task.gate.state == "done" if isinstance(task.gate, Task) else bool(task.gate.flag)

    def run(self, task: Task) -> None:
        task.state = "done"
        if task is self.timed:
            self.timed = None
        if task.kind == "record" and task.gate is not None:
            task.gate.flag = True
        elif task.kind == "reset" or (task.kind == "wait" and isinstance(task.gate, Notify)):
            task.gate.flag = False
        if isinstance(task.gate, Notify) and task.gate.waiting is task:
            task.gate.waiting = None

    def let_time_pass(self) -> bool:
        """A call that waits for ever lets the limit of a wait on the device run out. True when it did."""
        task = self.timed
        if task is not None and task.stream.queue and task.stream.queue[0] is task:
            task.stream.queue.pop(0)
            task.stream.error = TASK_TIMEOUT
            self.run(task)
            self.settle()
            return True
        return False

    def know(self, task: Task | None) -> None:
        """The host has waited for *task*: it and what it followed are complete."""
        while task is not None and not task.known:
            if task.state == "done":
                task.known = True
                if isinstance(task.gate, Task):
                    self.know(task.gate)
            task = task.before

    def drop(self, stream: Stream) -> None:
        for task in stream.queue:
            task.state = "dropped"
            if task is self.timed:
                self.timed = None
            if isinstance(task.gate, Notify):
                task.gate.waiting = None
        stream.queue.clear()

    # -- waiting ----------------------------------------------------------------------------------------------------

    def waits_for_ever(self, name: str, *arguments: Any) -> None:
        before = len([f for f in self.sim.findings if f.kind == "deadlock"])
        try:
            result = getattr(C, name)(*arguments)
        except SimulatedHang:
            note(f"{name}{arguments} never returns")
            assert len([f for f in self.sim.findings if f.kind == "deadlock"]) >= max(before, 1)
            return
        raise AssertionError(f"{name}{arguments} returned {result}: nothing can end this wait")

    def wait_for(self, stream: Stream, name: str, arguments: tuple[Any, ...], left: int) -> bool:
        """A call that needs *stream* to have at most *left* tasks; False when that can never be."""
        passed = len(stream.queue) > left and self.let_time_pass()
        if len(stream.queue) <= left:
            return True
        self.waits_for_ever(name, *arguments)
        if passed:
            self.stopped = True  # the device is far ahead of a host that got no answer
        return False

    def synchronize(self, stream: Stream) -> None:
        if self.wait_for(stream, "aclrtSynchronizeStream", (stream.handle,), 0):
            self.expect(stream.error, "aclrtSynchronizeStream", stream.handle)
            assert not stream.error or self.sim.time_ns() >= LONG * 10**9, "the limit is in seconds"
            stream.error = 0
            self.know(stream.last)

    def flush(self, stream: Stream) -> None:
        """Wait for a millisecond: what can run has run then."""
        error, stream.error = (0, stream.error) if stream.queue else (stream.error, 0)
        code = STREAM_TIMEOUT if stream.queue else error
        self.expect(code, "aclrtSynchronizeStreamWithTimeout", stream.handle, 1)
        self.know(stream.last)

    def submit(
        self, kind: str, stream: Stream, gate: Any, code: int, name: str, *arguments: Any, timed: bool = False
    ) -> Task | None:
        """Queue a task with the call *name*; None when the queue is full for ever (the walk ends there)."""
        if code == 0 and not self.wait_for(stream, name, arguments, LIMITS["stream_depth"] - 1):
            self.stopped = True
            return None
        task = Task(kind, stream, gate, timed)
        if code == 0:
            stream.queue.append(task)
            stream.last = task
            if timed:
                self.timed = task
        self.expect(code, name, *arguments)
        self.settle()
        return task if code == 0 else None

    def stream(self) -> Stream:
        """One of the streams of the primary context."""
        return self.pick(list(self.streams.values()))
