"""What the recorder notes: rows of plain values, as tuples while the program runs and with names when they are read.

A task is never kept: it holds what the program gave to it, and buffers would live longer than without a timeline. Times
are virtual nanoseconds. A task is named by (number of its thread, its number there).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ascend_sim.findings.finding import Finding
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = [
    "Allocated", "Bytes", "Called", "Found", "Launched", "Learned", "LeftOut", "Marked", "Ran", "Served", "TaskName",
    "Thing", "Waited", "task_name",
]  # fmt: skip

TaskName = tuple[int, int]


class Called(NamedTuple):
    """An outermost API call that returned; `start` includes what the call itself costs."""

    thread: HostThread
    name: str
    start: int
    end: int
    site: Any
    code: Any
    """What it returned last, if that is an int: a code, for functions that return one."""


class Ran(NamedTuple):
    """A task that ended."""

    stream: Stream
    kind: str
    start: int
    end: int
    ready: int
    """When it was submitted."""
    thread: HostThread
    number: int
    site: Any
    cost: int
    """The operation's own cost; what it took is `end` - `start`."""
    engine: str | None
    slots: int
    """Engine slots that it held from its start on."""
    detail: Any
    """`Bytes`, `Launched`, `Waited`, or None."""
    fault: tuple[int, str] | None


class Bytes(NamedTuple):
    """What a copy, a set or an operator moves; *way* as ``copy_kind`` says, ``set``, or ``pass``: a pass over all."""

    way: str
    nbytes: int


class Launched(NamedTuple):
    """What decides on the time of a kernel: *wave_ns* for each wave of blocks, and what its slowest block declared.

    *waits*: its blocks wait for each other, so that all of them must have a core at the same time.
    """

    blocks: int
    wave_ns: int
    limit_ns: int
    cycles: int
    waits: bool


class Thing(NamedTuple):
    """An event or a notify: *kind*, its number, the site that made it."""

    kind: str
    number: int
    site: Any


class Waited(NamedTuple):
    """What a task with a gate waited for, and which task (or host thread at a time) let it pass, as far as known."""

    kind: str
    """``event``, ``flag``, ``notify`` or ``value``."""
    thing: Thing | None
    text: str
    task: TaskName | None
    host: tuple[int, int] | None


class Learned(NamedTuple):
    """A host thread waited for a stream, or got to know that a record is done: at `time`, of what ended at `end`."""

    thread: HostThread
    time: int
    stream: Stream
    end: int


class Served(NamedTuple):
    """A callback that a host thread ran."""

    thread: HostThread
    start: int
    end: int
    task: TaskName | None


class Marked(NamedTuple):
    """A mark or a range of the program's profiler; *kind* as the hook ``marked`` says."""

    thread: HostThread
    kind: str
    text: str
    start: int
    end: int


class Allocated(NamedTuple):
    """Memory handed out (*taken* > 0) or given back (< 0); *device* -1 is page-locked host memory."""

    time: int
    device: int
    taken: int
    size: int
    number: int
    site: Any


class Found(NamedTuple):
    """A finding, when it was new; *thread* is who was in a call then."""

    finding: Finding
    time: int
    thread: int | None


class LeftOut:
    """What a timeline that is full no longer keeps: how many tasks and calls, and the time that they took."""

    __slots__ = ("calls", "end", "ends", "start", "tasks")

    def __init__(self) -> None:
        self.tasks = self.calls = 0
        self.start = self.end = 0
        self.ends: dict[int, int] = {}
        """Number of a stream -> the end of its last task of these."""

    def cover(self, start: int, end: int) -> None:
        """The stretch from the first of them to the last one grows."""
        if self.tasks + self.calls == 1:
            self.start, self.end = start, end
        self.start, self.end = min(self.start, start), max(self.end, end)


def task_name(who: Any) -> TaskName:
    """The name of a task."""
    return (who.thread.number, who.number)
