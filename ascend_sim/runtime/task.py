"""Operations and their instances: what a stream holds, and one run of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ascend_sim.runtime.scheduler import Waiter

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = [
    "DROPPED",
    "NO_TASK",
    "Access",
    "Action",
    "Gate",
    "Op",
    "Pause",
    "Steps",
    "Task",
    "TaskFault",
    "task_id",
]

DROPPED = -1
"""The end of a task that an abort or a failure took out of its queue."""

NO_TASK = 0xFFFF_FFFF
"""The id of no task: before a thread's first one, and for faults of a whole device."""


class Pause(NamedTuple):
    """A multi-step action stops until somebody calls `Stream.resume`; *why* is what it says to whoever asks.

    *holders*: who could end it, for the wait-for graph: streams, host threads.
    """

    why: str
    holders: tuple[object, ...] = ()


Steps = Generator["int | Pause", None, None]
"""A multi-step action: each yielded number is the virtual time (ns) until the next step."""


def task_id(thread: int, number: int) -> int:
    """The id that programs see of the *number*-th task of host thread *thread*: 32 bits, the same in every run."""
    return (thread << 20 ^ number) & 0xFFFF_FFFF


class Access(NamedTuple):
    """The bytes that an operation touches: half-open ``[lo, hi)``; *write* tells the direction."""

    lo: int
    hi: int
    write: bool


class TaskFault(Exception):
    """An operation that failed on the device; *code* is what the next synchronise returns.

    *reported*: whoever raised it has made the finding already.
    """

    def __init__(self, code: int, text: str = "", reported: bool = False) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text
        self.reported = reported
        self.heard = False
        """Observers and exception callbacks have heard of it, as the fault of another task."""


class Gate:
    """What the head of a stream must pass before it starts: an event, a flag, a notify, a watched value.

    Conditions are re-tested when the stream is picked and never granted at wake-up
    (docs/semantics/streams.md#submitting): between the two another stream may have taken the notify or cleared the
    flag.
    """

    __slots__ = ()

    def passes(self, task: Task, time: int) -> bool:
        """Whether *task* may start at *time*; takes what it waits for when that is consumed."""
        raise NotImplementedError

    def park(self, task: Task) -> None:
        """Remember the stream of *task*, so that a change wakes it."""
        raise NotImplementedError

    def forget(self, task: Task) -> None:
        """Drop the stream of *task* again (time-out, abort)."""
        raise NotImplementedError

    def holders(self) -> list[object]:
        """Who could open the gate: streams, host threads (for the wait-for graph)."""
        return []

    def describe(self) -> str:
        """What is waited for, in words."""
        return "a condition"

    def cure(self, passed: bool) -> str:
        """What the program can do about a head that never goes on: stands at the gate, or (*passed*) waits behind it."""
        return ""


Action = Callable[["Task", int], "Steps | None"]


class Op:
    """A reusable operation: what a graph holds and replays. A Task is one instance of it on a stream.

    *cost* is the time on the device (ns) without declared extras. *engine* names the slots that it holds from start to
    end (``machine/engines.py``), *slots* how many. *gate* holds the stream back until it passes.
    """

    __slots__ = (
        "accesses",
        "action",
        "begin",
        "cost",
        "engine",
        "gate",
        "hosted",
        "kind",
        "least",
        "plain",
        "slots",
        "timeout",
    )

    def __init__(
        self,
        kind: str,
        cost: int,
        action: Action | None = None,
        *,
        gate: Gate | None = None,
        engine: str | None = None,
        slots: int = 1,
        least: int = 0,
        begin: Callable[[Task, int, int], int] | None = None,
        accesses: tuple[Access, ...] = (),
        timeout: int = 0,
        hosted: bool = False,
    ) -> None:
        self.kind = kind
        self.cost = cost
        self.action = action
        self.gate = gate
        self.engine = engine
        self.slots = slots
        self.least = least
        """With so many slots it may start (a kernel in waves); 0: it needs all of them."""
        self.begin = begin
        """Called at the start with (task, slots held, time) when these are not `slots`: gives the cost then."""
        self.accesses = accesses
        self.timeout = timeout
        """Device-side limit of the wait at the gate (ns); 0: none."""
        self.hosted = hosted
        """Ends when a host thread says so (callbacks): the stream is not armed by time."""
        self.plain = gate is None and engine is None and not hosted

    def uses(self) -> Sequence[Allocation]:
        """The memory that it will look up by its address when it runs, as it is now; not what it holds on to."""
        return ()


class Task:
    """One instance of an operation on a stream. Hot: plain slots, no validators."""

    __slots__ = (
        "c", "done", "end", "know", "launch", "number", "op", "q", "ready", "site", "start", "stream", "thread", "waiters",
    )  # fmt: skip

    def __init__(self, op: Op, stream: Stream, thread: HostThread, number: int) -> None:
        self.op = op
        self.stream = stream
        self.thread = thread
        self.number = number
        """The thread's n-th submit: with the thread, the name of the task in schedules and reports."""
        self.ready = thread.clock
        """Virtual time of the submission (ns)."""
        self.site = thread.site
        self.done = False
        self.waiters: list[Waiter] | None = None

    # Unset until they mean something: two stores less for each task.
    start: int
    """Virtual time (ns) at which it began to run; only operations with a gate, an engine or steps set it."""
    end: int
    """Virtual time (ns) at which its effects appeared, once done. A task that was dropped is never done: `DROPPED`."""

    launch: Task
    """Of a task of a replay: the item that launched it. `site` is then the call that recorded it."""

    c: int
    """Its chain, its number there, and what its submitter knew: set while races are looked for (happens_before.py)."""
    q: int
    know: memoryview

    def over(self) -> bool:
        """Done or dropped: nothing more will come of it."""
        return self.done or getattr(self, "end", 0) == DROPPED

    def describe(self) -> str:
        """The task in words, as reports name it."""
        return f"{self.op.kind} (task {self.number} of {self.thread.name}) on {self.stream.describe()}"
