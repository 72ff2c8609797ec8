"""Host threads as a simulator sees them, and what the two ways of running them have in common.

A *group* decides when a host thread goes on. `FreeThreads` (free.py) leaves that to the operating system and takes one
lock; `DeterministicThreads` (deterministic.py) passes one run token, so that a program runs the same way each time.
"""

from __future__ import annotations

import sys
import threading
from _thread import get_ident
from collections.abc import Callable, Hashable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final, Protocol

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.scheduler import FOREVER
from ascend_sim.runtime.threads.signal_handlers import HANDLERS
from ascend_sim.source.callsite import CallSite, Point, points_of

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.graphs.modes import ThreadModes
    from ascend_sim.runtime.scheduler import Awaitable, Reason
    from ascend_sim.runtime.threads.controller import Controller
    from ascend_sim.runtime.threads.other_processes import OtherProcesses

__all__ = ["FOREVER", "DeviceSide", "HostThread", "HostThreads", "Simulated", "Stand", "ThreadFactory"]

EQUAL_POLLS: Final = 16
"""So many equal polls cost only their call; then the step of the virtual clock doubles.

See docs/semantics/threads.md#polling.
"""

ENDLESS_POLLS: Final = 1000
"""So many equal polls with nothing left that could change the answer are a hang."""

ENDLESS_WAITS: Final = 100_000
"""As many for waits of Python's own (a lock, a queue) whose time-outs ended: loops that count them end by themselves."""

POLLS_WITHOUT_PROGRESS: Final = 100
"""As many are enough when nothing but time-outs has come for so long that virtual time goes with the real clock now."""
FIRST_STEP: Final = 1_000
LARGEST_STEP: Final = 1_000_000_000
"""Virtual ns by which a poll beyond `EQUAL_POLLS` moves the clock, when nothing stops it before."""


class DeviceSide(Protocol):
    """What a group needs of a simulator's scheduler."""

    heap: list[Any]
    """True while a device event exists."""

    def next_time(self) -> int | None:
        """Virtual time (ns) of the next device event."""

    def run(self, limit: int, w: Awaitable | None) -> None:
        """Run device events in order while they are due at or before *limit* (ns) and *w* is not done."""


class Simulated(Protocol):
    """What a group needs of a simulator."""

    @property
    def scheduler(self) -> DeviceSide:
        """Its device side."""


class HostThread:
    """One operating-system thread as one simulator sees it. Hot: plain slots.

    `clock` is its virtual time in ns. While it is blocked, `why` says what it waits for, and `deadline` until when.
    """

    __slots__ = (
        "awaited",
        "binding",
        "call",
        "capture_modes",
        "clock",
        "context",
        "daemon",
        "dead",
        "deadline",
        "former_site",
        "hang",
        "knows",
        "last_error",
        "name",
        "number",
        "os_ident",
        "os_thread",
        "outside",
        "poll_submits",
        "polls",
        "scheduler",
        "service",
        "serving",
        "sim",
        "site",
        "submits",
        "texts",
        "threads",
        "why",
    )

    def __init__(
        self, sim: Runtime | None, threads: HostThreads, number: int, name: str, clock: int
    ) -> None:  # fmt: skip
        self.sim: Runtime = sim  # type: ignore[assignment]  # None only of a thread that has not called yet
        self.threads: Any = threads
        self.scheduler: Any = sim.scheduler if sim is not None else None
        self.number = number
        self.name = name
        self.clock = clock
        self.context: Any = None
        self.binding: Any = None
        self.last_error = 0
        self.texts: list[Any] = []
        self.site: Any = None
        self.former_site: Any = None
        """The one before, when it was another."""
        self.call = ""
        self.capture_modes: ThreadModes | None = None
        """Its exchange mode and the captures that it opened, once it had to do with one (graphs/modes.py)."""
        self.serving: Any = None
        """The task whose callback this thread runs in aclrtProcessReport."""
        self.submits = 0
        self.knows: Any = None
        """Its clock of what happened before (observers/races/vector_clocks.py), while a race detector watches."""
        self.os_ident = threading.get_ident()
        self.daemon = False
        self.service = False
        """An engine-owned thread: waiting for work for ever is no fault of it."""
        self.os_thread: Any = None
        self.awaited: Awaitable | None = None
        self.deadline: int | None = None
        self.why: Reason | None = None
        self.hang: SimulatedHang | None = None
        self.outside = 0
        self.dead = False
        self.polls: dict[Hashable, int] = {}
        self.poll_submits = 0

    def wake(self, time: int) -> None:
        """What this thread waits for happened at virtual *time* (ns): let it look again."""
        self.threads.wake(self, time)

    def describe(self) -> str:
        """The thread's name in reports."""
        return self.name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} at {self.clock} ns>"


ThreadFactory = Callable[[Any, Any, int, str, int], HostThread]
"""Makes the host thread of (simulator, group, number, name, clock in ns)."""


Stand = tuple[str, tuple[Point, ...]]
"""What a thread does, in words, and where: its call and the callers of that."""


class HostThreads:
    """What both groups share. Subclasses say when a thread goes on."""

    @property
    def ordered(self) -> bool:
        """Whether `on_edge` tells everything that orders the threads of the program."""
        return False

    def __init__(self, factory: ThreadFactory = HostThread) -> None:
        self.factory = factory
        self.controller: Controller | None = None
        """Decides in place of the group who goes on, hears of all that threads share (an explorer); None: nobody."""
        self.locked = False
        """Whether `leave` must be called at the end of each API call; may change from call to call."""
        self.running: HostThread | None = None
        """The thread that may call the API without `enter`."""
        self.sides: list[DeviceSide] = []
        """The device sides of all open simulators, for groups that several share."""
        self.others: list[OtherProcesses] = []
        """What other processes can do for threads that wait here; empty as long as nothing is shared with any."""
        self.company: Callable[[], bool] | None = None
        """Whether other processes of the run live, for which sleeps take real time; None: this is the only one."""
        self.on_deadlock: Callable[[list[HostThread], list[str]], None] | None = None
        """Called with the threads that will get SimulatedHang (or whose time-out ended a hopeless wait) and one line
        for each blocked thread. A thread that never called the API has no `sim`."""
        self.words: Callable[[str], str] = str
        """Puts the program's names for streams and events into what a hang says."""
        self.on_note: Callable[[str, str, Sequence[Stand]], None] | None = None
        """Called with (kind, text, stands) for what is worth saying once: ``order-depends-on-clock``,
        ``fork-after-init``, ``stuck-thread``."""
        self.on_release: Callable[[HostThread], object] | None = None
        """Called when a thread gives a lock back or puts something into a queue: what it knows now."""
        self.on_edge: Callable[[str, HostThread, HostThread, object], None] | None = None
        """Called with (kind, from, to, known) for each happens-before edge between host threads: ``start``, ``join``,
        ``ended`` (a thread was seen to have ended), ``lock``, ``queue``, ``poll`` (an event seen set, an item seen in a
        queue), ``end`` (of a thread, seen by a lock). *known*: what `on_release` gave, but for the first three."""
        self.on_mark: Callable[[str, HostThread], None] | None = None
        """Called with (kind, thread) when the order of the threads decided an answer: a ``time limit`` that passed."""
        self.on_ask: Callable[[str, HostThread, Any, HostThread | None, int], None] | None = None
        """Called with (kind, thread, thing, who, number) when a thread has seen the state of *thing*: that an event is set
        or not, a queue is empty, another thread lives, a lock is taken (by *who*, when that was at *number*)."""
        self.on_change: Callable[[HostThread, Any], None] | None = None
        """Called with (thread, thing) when a thread changes what is in `asked`."""
        self.unseen_order: Callable[[Iterable[CallSite | None]], str | None] | None = None
        """Says what may order threads that call at the given sites and is told to nobody, such as an atomic of a program in
        C; None: nothing there does. Without it everything that orders threads is told."""
        self.asked: MutableMapping[Any, Any] | None = None
        """The things that were asked for since somebody listens; None: none."""

    def note(self, kind: str, text: str, *stands: Stand) -> None:
        """Tell what is worth saying once about threads that stand at *stands*."""
        if self.on_note is not None:
            self.on_note(kind, text, stands)

    def forked(self, t: HostThread) -> None:
        """In the child of a fork that *t* made: what it inherits is in use."""
        here = points_of(sys._getframe(1))
        self.note("fork-after-init", f"{t.name} forked a process whose runtime was in use", ("forked here", here))

    def changes(self, t: HostThread, thing: Any) -> None:
        """*t* changes *thing*: in another order, a thread that has seen its state could have seen another."""
        if self.asked is not None and self.on_change is not None and thing in self.asked:
            self.on_change(t, thing)

    # -- what subclasses do -------------------------------------------------------------------------------------------

    def attach(self, sim: Runtime) -> HostThread:
        """The host thread of *sim* for the calling operating-system thread; made when it is new."""
        raise NotImplementedError

    def detach(self, t: HostThread) -> None:
        """Forget *t*: its operating-system thread does not use the simulator any more."""
        raise NotImplementedError

    def attached(self) -> list[HostThread]:
        """The living host threads in the order of their numbers."""
        raise NotImplementedError

    def enter(self, t: HostThread) -> None:
        """An API call of *t* begins and it was not `running`: wait for the run token, or the lock."""
        raise NotImplementedError

    def leave(self, t: HostThread) -> None:
        """The API call ends (only when the group is `locked`)."""

    def outside(self, t: HostThread) -> AbstractContextManager[Any]:
        """A context for user code (callbacks, kernels) inside an API call: no lock is held there."""
        raise NotImplementedError

    @contextmanager
    def user_code(self, t: HostThread) -> Iterator[None]:
        """`outside`, for code that may call: the call that *t* is in stands where it stood, whatever is called there."""
        before = t.site, t.call
        try:
            with self.outside(t):
                yield
        finally:
            t.site, t.call = before

    def quiet(self) -> AbstractContextManager[Any]:
        """A context in which no other thread is in the middle of a call; one that is blocked in a call may be there."""
        return nullcontext()

    def block(self, t: HostThread, w: Awaitable, deadline: int | None = None, why: Reason | None = None) -> bool:
        """Wait until *w* is done; False when virtual *deadline* (ns) passed first. Raises SimulatedHang."""
        raise NotImplementedError

    def poll(
        self, t: HostThread, key: Hashable = None, pending: bool = True, final: Callable[[], bool] | None = None,
        until: Callable[[], bool] | None = None,
    ) -> None:
        """Let everything happen that is due at the clock of *t*. *key*: what is polled (call, handle), if anything is.

        *pending*: the answer can still be another one later. For a controller, which lets others go first: *final* asks the
        opposite of that, where it depends on them, and *until* what has to happen before it is worth while to ask again
        (None: that it is final).
        """
        raise NotImplementedError

    def sleep(self, t: HostThread, ns: int) -> None:
        """Let *ns* of virtual time pass for *t*."""
        raise NotImplementedError

    def wake(self, t: HostThread, time: int) -> None:
        """What *t* waits for happened at virtual *time* (ns)."""
        raise NotImplementedError

    def spawn_service(
        self, sim: Runtime, body: Callable[[HostThread], None], name: str, work: Callable[[], bool] | None = None
    ) -> None:
        """Start an engine-owned daemon thread that runs *body* as a host thread of *sim*.

        *work*: whether there is any for it; without it nobody has to see it begin. Raises RuntimeError or MemoryError
        when the operating system has no thread.
        """
        raise NotImplementedError

    def try_service(
        self, sim: Runtime, body: Callable[[HostThread], None], name: str, work: Callable[[], bool] | None = None
    ) -> bool:
        """`spawn_service`; False when the operating system has no thread."""
        try:
            self.spawn_service(sim, body, name, work)
        except (RuntimeError, MemoryError):
            return False
        return True

    def close(self, sim: Runtime) -> None:
        """*sim* closes: threads that still wait in it get SimulatedHang."""
        raise NotImplementedError

    # -- polling ------------------------------------------------------------------------------------------------------

    def equal_polls(self, t: HostThread, key: Hashable) -> int:
        """How often *t* has asked *key* since it submitted anything or the device moved, this time included."""
        polls = t.polls
        if t.submits != t.poll_submits:
            t.poll_submits = t.submits
            polls.clear()
        count = polls.get(key, 0) + 1
        if len(polls) > 100_000:  # a program that polls new things for ever
            polls.clear()
        polls[key] = count
        return count

    def blocked(self) -> list[HostThread]:
        """Those that wait, in a call or for each other."""
        return []

    def say_deadlock(self, threads: list[HostThread], lines: list[str]) -> None:
        """Tell the simulator."""
        if self.on_deadlock is None:
            return
        controller, self.controller = self.controller, None  # what a report does is no step of the program
        try:
            self.on_deadlock(threads, lines)
        finally:
            self.controller = controller


def poll_step(count: int) -> int:
    """By how much (virtual ns) the *count*-th equal poll moves the clock beyond the cost of its call."""
    if count <= EQUAL_POLLS:
        return 0
    return min(FIRST_STEP << min(count - EQUAL_POLLS - 1, 40), LARGEST_STEP)


def thread_title(number: int) -> str:
    """The name in reports of the calling thread, as number *number* of its group."""
    ident = get_ident()
    if ident == HANDLERS.main_thread:
        return f"T{number} (main)"
    known = getattr(threading, "_active", {}).get(ident)
    return f"T{number} ({known.name})" if known is not None else f"T{number}"


def finalizing() -> bool:
    """True when the interpreter goes away: no other thread can run any more."""
    return sys.is_finalizing()
