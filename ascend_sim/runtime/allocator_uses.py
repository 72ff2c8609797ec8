"""Which task uses which bytes of the program's allocators: the rule about one allocator on two streams.

The documentation asks to wait for the first stream before the second runs. Blocks are given back when their user is
queued, so an allocator that hands the same bytes to another stream lets two tasks work on them at once.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING

from ascend_sim.findings import Site
from ascend_sim.runtime.stream import Stream

if TYPE_CHECKING:
    from ascend_sim.runtime.task import Site as CallSite
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["PortionUses"]


class PortionUses:
    """The latest user of each range of bytes that an allocator handed out; ranges do not overlap."""

    __slots__ = ("_starts", "_users")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._users: dict[int, tuple[int, Task]] = {}

    def _overlapping(self, address: int, size: int) -> list[int]:
        starts = self._starts
        first = bisect_left(starts, address)
        if first and starts[first - 1] + self._users[starts[first - 1]][0] > address:
            first -= 1
        return starts[first : bisect_left(starts, address + size)]

    def taken(self, t: ThreadState, stream: Stream, address: int, size: int, registered: CallSite | None) -> None:
        """Memory was handed out for *stream*: report it when a task of another stream still uses some of it."""
        for start in self._overlapping(address, size):
            _, task = self._users[start]
            if task.over() or task.stream is stream or ordered_behind(stream, task.stream):
                continue
            t.sim.report(
                "allocator-two-streams",
                "error",
                f"an allocator hands memory to {stream.describe()} that {task.describe()} still uses",
                [
                    Site("access", "queued here, on the second stream", t.site, primary=True),
                    Site("other", "queued here, on the first stream", task.site),
                    Site("register", "registered here", registered),
                ],
                streams=(task.stream.describe(), stream.describe()),
                fix="synchronise the first stream before the second uses the allocator, or keep free blocks by stream",
                time_ns=t.clock,
            )

    def used(self, address: int, size: int, task: Task) -> None:
        """*task* uses the range from now on."""
        for start in self._overlapping(address, size):
            del self._users[start]
            self._starts.remove(start)
        self._users[address] = (size, task)
        insort(self._starts, address)


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
