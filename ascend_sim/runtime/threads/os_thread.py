"""An operating-system thread as the deterministic group sees it, whatever simulators it works with.

Throughout this folder *t* is a `HostThread` (a thread in one simulator), *r* an `OSThread`.
"""

from __future__ import annotations

import threading
from _thread import allocate_lock
from collections.abc import Callable
from typing import Final

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.scheduler import Awaitable, Signal
from ascend_sim.runtime.threads.host_threads import HostThread
from ascend_sim.source.callsite import CallSite

__all__ = [
    "ENDED", "OS_BLOCKED", "READY", "RUNNING", "STARTING", "WAITING", "Here", "JoinWait", "Life", "OSThread",
    "ThreadShutdown",
]  # fmt: skip

RUNNING: Final = 0
"""Has the run token."""
READY: Final = 1
"""Could go on: lies in the heap of ready threads."""
WAITING: Final = 2
"""Waits for something, perhaps with a deadline."""
OS_BLOCKED: Final = 3
"""Blocked in the operating system, where the group cannot see for what: its run token was released."""
STARTING: Final = 4
"""Its operating-system thread comes up; its parent stands in ``Thread.start`` meanwhile."""
ENDED: Final = 5


class OSThread:
    """One operating-system thread in the group.

    `host` is its host thread in the simulator that it called last (or a placeholder without simulator); the virtual
    clock of the thread is the clock of that. `token` numbers its waits, so that heap entries of former ones are
    recognised.
    """

    __slots__ = (
        "__weakref__",
        "awaited",
        "cost",
        "daemon",
        "deadline",
        "ended",
        "exempt",
        "gate",
        "given_up",
        "granted",
        "hang",
        "hangs",
        "host",
        "ident",
        "inside",
        "joined",
        "key",
        "native_id",
        "number",
        "operations",
        "parked",
        "poll_moves",
        "reads",
        "service",
        "slice_end",
        "spun",
        "stands",
        "state",
        "timed_out",
        "token",
    )

    def __init__(self, number: int, host: HostThread) -> None:
        self.number = number
        self.host = host
        self.state = STARTING
        self.gate = allocate_lock()
        self.gate.acquire()
        self.granted = False
        """Whether the open gate means "go on" (True) or "decide who goes" (False)."""
        self.parked = False
        self.token = 0
        self.key = 0
        """Virtual time (ns) at which it became ready."""
        self.awaited: Awaitable | None = None
        self.deadline: int | None = None
        self.timed_out = False
        self.hang: SimulatedHang | None = None
        self.hangs = 0
        self.given_up = False
        self.ended = Signal()
        self.joined = False
        """Somebody has joined it."""
        self.daemon = False
        self.service = False
        self.ident = 0
        self.native_id = 0
        self.operations = 0
        """Counts its steps into the group; the monitor takes the run token only from one that made none meanwhile."""
        self.inside = 0
        """It is in an API call, and others are as well (known while more than one lives): it keeps the run token unless
        the call itself waits."""
        self.exempt = False
        """Sleeps for a reason that the group knows (another thread comes up, or is about to be gone)."""
        self.slice_end = 0
        self.cost = 0
        """Virtual ns of its next operation on a patched lock; grows while it does nothing else."""
        self.reads: tuple[int, int, int, int] = (-1, 0, 0, 0)
        """Of its reads of the clock in a row: clock after the last, how many, real and virtual ns of the first."""
        self.poll_moves = 0
        self.spun: dict[OSThread, int] | None = None
        """While it is away because it spins: how many steps the others had made when it went; a step of one of them ends
        that."""
        self.stands: CallSite | None = None
        """Where it waits, or waited last, if it is a thread of a program in C: that has no frames of Python."""

    def begin(self) -> None:
        """The calling operating-system thread is this one from now on."""
        self.ident = self.host.os_ident = threading.get_ident()
        self.native_id = threading.get_native_id()

    def __repr__(self) -> str:
        return f"<OSThread {self.host.name} state {self.state}>"


class ThreadShutdown(SimulatedHang):
    """Raised in a thread that outlives its program, to end it (shutdown.py); it is not reported."""


class Life:
    """Lies in the local storage of a thread that the group did not start, and dies with it."""

    __slots__ = ("end", "os_thread")

    def __init__(self, os_thread: OSThread, end: Callable[[OSThread], None]) -> None:
        self.os_thread = os_thread
        self.end = end

    def __del__(self) -> None:
        if self.os_thread.state != ENDED:
            self.end(self.os_thread)


class Here(threading.local):
    """What a group keeps for each operating-system thread."""

    os_thread: OSThread | None = None
    life: Life | None = None


class JoinWait:
    """Waiting for another host thread to end."""

    __slots__ = ("os_thread",)

    def __init__(self, os_thread: OSThread) -> None:
        self.os_thread = os_thread

    def describe(self) -> str:
        """Which thread."""
        return f"{self.os_thread.host.name} to end"

    def holders(self) -> list[object]:
        """That thread."""
        return [self.os_thread.host]
