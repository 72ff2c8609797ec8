"""A device side of a few lines: streams with a heap of events, and a face that calls the group as the real one does."""

from __future__ import annotations

import threading
from collections import deque
from heapq import heappop, heappush
from itertools import count
from typing import Any

from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.threads.host_threads import HostThread, HostThreads

CALL_NS = 1_000


class _Plain:
    """A schedule that leaves the order to time."""

    drives = False


class FakeScheduler:
    """The heap of device events."""

    schedule = _Plain()

    def __init__(self) -> None:
        self.heap: list[Any] = []
        self.now = 0
        self.numbers = count()

    def next_time(self) -> int | None:
        return self.heap[0][0] if self.heap else None

    def run(self, limit: int, w: Any) -> None:
        while self.heap and self.heap[0][0] <= limit and not (w is not None and w.done):
            time, _, action = heappop(self.heap)
            self.now = time
            action(time)

    def at(self, time: int, action: Any) -> None:
        heappush(self.heap, (time, next(self.numbers), action))

    def complete(self, w: Any, time: int) -> None:
        w.done, w.end = True, time
        waiters, w.waiters = w.waiters, None
        for waiter in waiters or ():
            waiter.wake(time)


class Stream:
    """Runs what is submitted one after the other."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.free = 0
        self.queue: deque[Any] = deque()

    def describe(self) -> str:
        return f"stream {self.number}"

    def holders(self) -> list[object]:
        return []


class Reports:
    """Callbacks that wait for the thread that serves them."""

    def __init__(self) -> None:
        self.pending: deque[Any] = deque()
        self.signal: Signal | None = None
        self.may_time_out = True
        self.server: HostThread | None = None

    def describe(self) -> str:
        return "a callback to be reported"

    def holders(self) -> list[object]:
        return []


class Until:
    """A reason: the end of a task of a stream."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def describe(self) -> str:
        return f"{self.stream.describe()} to finish"

    def holders(self) -> list[object]:
        return [self.stream]


class World:
    """One simulator: calls cost 1 us, tasks as much as they say; every step is noted in `trace`."""

    def __init__(self, group: HostThreads, trace: list[Any] | None = None) -> None:
        self.group = group
        self.scheduler = FakeScheduler()
        self.trace: list[Any] = [] if trace is None else trace
        self.local = threading.local()
        self.closed = False

    def note(self, *what: Any) -> None:
        t = self.thread()
        self.trace.append((t.number, t.clock, *what))

    def thread(self) -> HostThread:
        t: HostThread | None = getattr(self.local, "t", None)
        if t is None:
            t = self.local.t = self.group.attach(self)
        return t

    def enter(self) -> HostThread:
        t = self.thread()
        if self.group.running is not t:
            self.group.enter(t)
        t.clock += CALL_NS
        return t

    def leave(self, t: HostThread) -> None:
        if self.group.locked:
            self.group.leave(t)

    # -- calls --

    def submit(self, stream: Stream, ns: int, action: Any = None) -> Signal:
        t = self.enter()
        try:
            t.submits += 1
            task = Signal()
            stream.queue.append((task, ns, action))
            if len(stream.queue) == 1:
                self._begin(stream, t.clock)
            return task
        finally:
            self.leave(t)

    def _begin(self, stream: Stream, time: int) -> None:
        task, ns, action = stream.queue[0]

        def end(now: int) -> None:
            if action is not None and action(task, now) == "hosted":
                return
            self.finish(stream, now)

        self.scheduler.at(max(time, stream.free) + ns, end)

    def finish(self, stream: Stream, now: int) -> None:
        task = stream.queue.popleft()[0]
        stream.free = now
        self.trace.append(("device", now, stream.number))
        self.scheduler.complete(task, now)
        if stream.queue:
            self._begin(stream, now)

    def sync(self, task: Signal, stream: Stream | None = None, timeout_ns: int | None = None) -> bool:
        t = self.enter()
        try:
            deadline = None if timeout_ns is None else t.clock + timeout_ns
            return self.group.block(t, task, deadline, Until(stream) if stream is not None else None)
        finally:
            self.leave(t)

    def query(self, task: Signal) -> bool:
        t = self.enter()
        try:
            self.group.poll(t, ("query", id(task)))
            return task.done
        finally:
            self.leave(t)

    def callback(self, stream: Stream, reports: Reports, function: Any, ns: int = 100) -> Signal:
        def deliver(task: Signal, now: int) -> str:
            reports.pending.append((function, stream))
            if reports.signal is not None and not reports.signal.done:
                self.scheduler.complete(reports.signal, now)
            return "hosted"

        return self.submit(stream, ns, deliver)

    def process_report(self, reports: Reports, timeout_ns: int | None) -> bool:
        t = self.enter()
        try:
            self.group.poll(t)
            if not reports.pending:
                reports.signal = Signal()
                deadline = None if timeout_ns is None else t.clock + timeout_ns
                self.group.block(t, reports.signal, deadline, reports)
                reports.signal = None
            arrived = bool(reports.pending)
            for _ in range(len(reports.pending)):
                function, stream = reports.pending.popleft()
                with self.group.outside(t):
                    function()
                self.finish(stream, t.clock)
            return arrived
        finally:
            self.leave(t)
