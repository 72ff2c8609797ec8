"""Which task uses which bytes of the program's allocators: the rule about one allocator on two streams.

The documentation asks to wait for the first stream before the second runs. Blocks are given back when their user is
queued, so an allocator that hands the same bytes to another stream lets two tasks work on them at once. A first user
that happens to be done counts as well, unless somebody has waited for it: a host thread, or the second stream.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING

from ascend_sim.findings.finding import Site
from ascend_sim.runtime.stream import Stream

if TYPE_CHECKING:
    from ascend_sim.runtime.event import Event
    from ascend_sim.runtime.hooks import Hooks
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["PortionUses"]


class PortionUses:
    """The latest user of each range of bytes that an allocator handed out; ranges do not overlap."""

    __slots__ = ("_passed", "_starts", "_users")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._users: dict[int, tuple[int, Task]] = {}
        self._passed: dict[Stream, int] = {}
        """When each stream last passed a gate (ns): what was done by then may be what it waited for."""

    def _overlapping(self, address: int, size: int) -> list[int]:
        starts = self._starts
        first = bisect_left(starts, address)
        if first and starts[first - 1] + self._users[starts[first - 1]][0] > address:
            first -= 1
        return starts[first : bisect_left(starts, address + size)]

    def taken(self, t: ThreadState, stream: Stream, address: int, size: int, registered: CallSite) -> None:
        """Memory was handed out for *stream*: report it when a task of another stream still uses some of it."""
        for start in self._overlapping(address, size):
            _, task = self._users[start]
            over = task.over()
            if task.stream is stream or (over and self._passed.get(stream, -1) >= task.end):
                continue
            if not over and ordered_behind(stream, task.stream):
                continue
            state = "used, and nobody has waited for it" if over else "still uses"
            names = t.sim.names
            t.sim.report(
                "allocator-two-streams",
                "warning" if over else "error",
                f"an allocator hands memory to {names.described(stream)} that {names.described(task)} {state}",
                [
                    Site("access", "queued here, on the second stream", t.site, primary=True),
                    Site("other", "queued here, on the first stream", task.site),
                    Site("register", "registered here", registered),
                ],
                streams=(names.described(task.stream), names.described(stream)),
                fix="synchronise the first stream before the second uses the allocator, or keep free blocks by stream",
                time_ns=t.clock,
            )

    def used(self, address: int, size: int, task: Task) -> None:
        """*task* uses the range from now on."""
        if not self._users:
            self._listen(task.stream.hooks)
        for start in self._overlapping(address, size):
            del self._users[start]
            self._starts.remove(start)
        self._users[address] = (size, task)
        insort(self._starts, address)

    # -- who knows that a user is done ---------------------------------------------------------------------------------

    def _listen(self, hooks: Hooks) -> None:
        if self._waited in (hooks.waited or ()):
            return
        hooks.add("waited", self._waited)
        hooks.add("stopped", self._waited)
        hooks.add("polled", self._polled)
        hooks.add("passed", self._gate)
        hooks.add("stream_ended", self._ended)
        hooks.add("callback_started", self._called)

    def _forget(self, stream: Stream | None, until: int) -> None:
        """The users on *stream* (None: on any) that were done at *until* are known to be done."""
        known = [
            start
            for start, (_, task) in self._users.items()
            if (stream is None or task.stream is stream) and task.over() and task.end <= until
        ]
        for start in known:
            del self._users[start]
            self._starts.remove(start)

    def _waited(self, t: ThreadState, stream: Stream) -> None:
        self._forget(stream, t.clock)
        self._forget(None, self._passed.get(stream, -1))

    def _polled(self, t: ThreadState, thing: Event | Stream, record: Task | None, done: bool, waited: bool) -> None:
        if not done:
            return
        if isinstance(thing, Stream):
            self._waited(t, thing)
        elif record is not None:
            self._forget(record.stream, record.end)
            self._forget(None, min(self._passed.get(record.stream, -1), record.end))

    def _gate(self, task: Task, time: int) -> None:
        self._passed[task.stream] = time

    def _ended(self, stream: Stream) -> None:
        self._forget(stream, 1 << 63)
        self._passed.pop(stream, None)

    def _called(self, t: ThreadState, task: Task | None) -> None:
        if task is not None:
            self._waited(t, task.stream)


def ordered_behind(stream: Stream, first: Stream) -> bool:
    """Whether something queued on *stream* waits for *first*, perhaps through other streams."""
    seen: list[Stream] = []
    left = [stream]
    while left:
        here = left.pop()
        seen.append(here)
        for task in here.queue:
            if task.op.gate is None:
                continue
            for holder in task.op.gate.holders():
                if holder is first:
                    return True
                if isinstance(holder, Stream) and holder not in seen:
                    left.append(holder)
    return False
