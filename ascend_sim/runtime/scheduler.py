"""The discrete-event engine of the devices: awaitables, one heap of events a simulator, and the loop that runs them."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ascend_sim.runtime.schedules import Schedule

__all__ = ["FOREVER", "TIMER", "Awaitable", "Entry", "Fires", "Reason", "Scheduler", "Signal", "Timer", "Waiter"]

FOREVER = 1 << 62
"""A virtual time (ns) after everything else."""

TIMER = 1 << 30
"""The priority of timers: after every stream that acts at the same time, and how schedules tell them from streams."""


class Waiter(Protocol):
    """Whoever waits: a host thread or a stream."""

    def wake(self, time: int) -> None:
        """Look again: what was waited for happened at virtual *time* (ns)."""


class Awaitable(Protocol):
    """A thing that becomes done once and stays done; tasks and signals are such things."""

    done: bool
    end: int
    waiters: list[Waiter] | None


class Reason(Protocol):
    """Why a thread waits, for the wait-for graph and its report."""

    def describe(self) -> str:
        """What is waited for, in the words of the user's program."""

    def holders(self) -> list[object]:
        """Who could end the wait: streams, host threads, or further reasons."""


class Signal:
    """A one-shot condition without a task: room in a queue, a callback that arrived, a lock that was given back."""

    __slots__ = ("done", "end", "waiters")

    def __init__(self) -> None:
        self.done = False
        self.end = 0
        self.waiters: list[Waiter] | None = None


class Fires(Protocol):
    """What lies in the heap: a stream whose head can take a step, or a timer."""

    def fire(self, time: int) -> None:
        """Take the step that is due at virtual *time* (ns)."""


Entry = tuple[int, int, float, Fires]
"""(virtual time in ns, priority, number, what fires): in this order they go."""


class Scheduler:
    """Runs device events in the order of (time, stream priority, stream number).

    A stream lies in the heap at most once: when its head can take its next step. Streams whose head waits for
    something are not there; whoever ends the wait puts them back. So no loop ever scans all streams.
    """

    __slots__ = ("heap", "limit", "now", "schedule", "timers")

    def __init__(self, schedule: Schedule) -> None:
        self.heap: list[Entry] = []
        self.now = 0
        """Virtual time (ns) of the latest device event that ran."""
        self.limit = -1
        """Virtual time (ns) up to which events may run now: a step before it, with nothing between, needs no event."""
        self.timers = 0
        self.schedule = schedule

    def next_time(self) -> int | None:
        """Virtual time (ns) of the next device event; None when nothing can run."""
        return self.heap[0][0] if self.heap else None

    def run(self, limit: int, w: Awaitable | None = None) -> None:
        """Run device events up to virtual time *limit* (ns), or until *w* is done."""
        if self.schedule.reorders:
            self._run_chosen(limit, w)
            return
        heap = self.heap
        outer, self.limit = self.limit, limit
        try:
            while heap:
                time, _, _, what = entry = heap[0]
                if time > limit:
                    return
                heappop(heap)
                self.now = time
                try:
                    what.fire(time)
                except (RecursionError, MemoryError):
                    # The program is near a limit, and may go on: so must a stream whose step was left, with that step
                    # again. No function can be called here.
                    if getattr(what, "queue", None) and not (getattr(what, "pause", 0) or getattr(what, "resting", 0)):
                        for other in heap:
                            if other[3] is what:
                                break
                        else:
                            heappush(heap, entry)
                            what.armed = True  # type: ignore[attr-defined]
                    raise
                if w is not None and w.done:
                    return
        finally:
            self.limit = outer

    def _run_chosen(self, limit: int, w: Awaitable | None) -> None:
        """`run` under a schedule that chooses among everything that could run, whatever its time."""
        if self.schedule.drives:
            self.schedule.drive(limit, w)
            return
        heap = self.heap
        while heap and (w is None or not w.done):
            ready = sorted(entry for entry in heap if entry[1] != TIMER)
            if ready:
                chosen = self.schedule.choose(ready, limit, w)
            else:  # a time limit on the device fires only when nothing else can happen
                chosen = heap[0] if heap[0][0] <= limit else None
            if chosen is None:
                return
            heap.remove(chosen)
            heapify(heap)
            time = max(chosen[0], self.now)
            self.now = time
            chosen[3].fire(time)

    def push_timer(self, time: int, timer: Timer) -> None:
        """Let *timer* fire at virtual *time* (ns), after the streams that act at the same time."""
        self.timers += 1
        heappush(self.heap, (time, TIMER, self.timers, timer))

    def remove(self, what: Fires) -> None:
        """Take *what* out again (a stream that is aborted)."""
        self.heap[:] = [entry for entry in self.heap if entry[3] is not what]
        heapify(self.heap)

    def complete(self, w: Awaitable, time: int) -> None:
        """*w* became done at virtual *time* (ns): wake who waits for it."""
        w.done = True
        w.end = time
        waiters = w.waiters
        if waiters is not None:
            w.waiters = None
            for waiter in waiters:
                waiter.wake(time)


class Timer:
    """A time limit on the device: when it fires and *what* still waits in the same wait, that wait fails."""

    __slots__ = ("live",)

    def __init__(self) -> None:
        self.live = True

    def fire(self, time: int) -> None:
        """Fail the wait at virtual *time* (ns), unless it ended before."""
        if self.live:
            self.expire(time)

    def expire(self, time: int) -> None:
        """What happens when the limit passes; subclasses say."""
        raise NotImplementedError
