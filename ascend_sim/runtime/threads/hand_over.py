"""The run token: who has it, how it goes from thread to thread, and how a thread without it asks for it.

Every thread stands at a gate of its own, a real lock. Whoever gives up the run token opens the gate of the one that is
next. A thread that was blocked in the OS, a foreign thread and a signal handler leave a message; the next one that decides
reads it.
"""

from __future__ import annotations

import threading
from _thread import allocate_lock
from collections import deque
from collections.abc import Callable
from heapq import heappush
from typing import Final

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.threads.host_threads import FOREVER, HostThread, HostThreads, ThreadFactory, finalizing
from ascend_sim.runtime.threads.os_thread import ENDED, OS_BLOCKED, READY, RUNNING, STARTING, WAITING, Here, OSThread
from ascend_sim.runtime.threads.real_time import ForeignThreads, Pace, real_ns
from ascend_sim.runtime.waiting import Signal

__all__ = ["Entry", "HandOver"]

SLICE_NS: Final = 1_000_000
"""Virtual ns that a thread may run ahead of the others before an API call makes it yield."""

LOCK_NS: Final = 50
"""Virtual ns of an operation on a patched lock, so that a loop of nothing else comes to an end of its slice."""

Entry = tuple[int, int, int, OSThread]
"""(virtual ns, number, token, thread)"""


class HandOver(HostThreads):
    """The part of the deterministic group that moves the run token; `Turns` says to whom."""

    def __init__(self, factory: ThreadFactory = HostThread) -> None:
        super().__init__(factory)
        self.here = Here()
        self.os_threads: dict[int, OSThread] = {}
        """The living threads by number."""
        self.multi = False
        """More than one lives; as long as it is False nothing below is ever used."""
        self.active = True
        self.holder: OSThread | None = None
        self.vacant = True
        """Nobody has the run token, and nobody is there to decide: whoever comes takes it."""
        self.lazy = False
        """A schedule reorders device steps: ready threads go first whatever their clocks."""
        self.now = 0
        """The latest virtual time (ns) that was decided on."""
        self.moves = 0
        """Counts what could change the answer to a poll."""
        self.driving = False
        self.os_blocked: dict[int, int] = {}
        """Threads that are blocked in the OS, by number, and since when (real ns)."""
        self.pending_signals: list[Callable[[], None]] = []
        """Python signal handlers that came while the main thread stood in the group."""
        self._ready: list[Entry] = []
        self._deadlines: list[Entry] = []
        self._stop = Signal()
        self._mail: deque[tuple[str, OSThread]] = deque()
        self._mutex = allocate_lock()
        self._bell = allocate_lock()
        self._bell.acquire()
        self.idle = False
        self._idle_since = self._stuck_since = 0
        self._told_stuck: set[int] = set()
        """The numbers of the threads that `say_stuck` has told of."""
        self.pace = Pace()
        self._foreign = ForeignThreads()

    def set_multi(self, multi: bool) -> None:
        """More than one thread lives, or only one."""
        self.multi = self.locked = multi
        self.running = None
        if multi and self.holder is not None:
            self.holder.inside = 0
            self.new_slice(self.holder, self.holder.host.clock)

    # -- states of a thread -------------------------------------------------------------------------------------------

    def set_ready(self, r: OSThread, time: int) -> None:
        """*r* can go on from virtual *time* (ns)."""
        r.token += 1
        r.state = READY
        r.key = time
        heappush(self._ready, (time, r.number, r.token, r))

    def take_from_ready(self, r: OSThread) -> None:
        """*r* goes on though it is not the first of those that are ready."""
        self._ready[:] = [entry for entry in self._ready if entry[3] is not r]

    def forget_queues(self) -> None:
        """Nothing of threads that are gone stays in the queues of ready threads and of deadlines."""
        self._ready.clear()
        self._deadlines.clear()

    def set_waiting(self, r: OSThread, deadline: int | None) -> None:
        """*r* waits, at most until virtual *deadline* (ns)."""
        r.token += 1
        r.state = WAITING
        r.deadline = deadline
        r.timed_out = False
        if deadline is not None:
            heappush(self._deadlines, (deadline, r.number, r.token, r))

    def wake_thread(self, r: OSThread, time: int) -> None:
        """What *r* waits for may have happened at virtual *time* (ns); the caller has the run token."""
        if r.state == WAITING:
            clock = r.host.clock
            self.set_ready(r, time if time > clock else clock)
            if self.controller is not None:
                self.controller.thread_woken(r)
            self._stop.done = True
            self.moves += 1
            self.pace.progress()

    # -- the run token ----------------------------------------------------------------------------------------------------

    def take_token(self, r: OSThread) -> None:
        """A step of *r* into the group: it has the run token afterwards."""
        r.operations += 1
        if self.holder is not r:
            self._rejoin(r)

    def give_way(self, r: OSThread) -> None:
        """*r* is ready or waits: decide who goes, until it is *r*."""
        following = self._next(r)
        if following is not r:
            self._hand_token_to(following)
            self._park(r)
        self._picked(r)

    def _park(self, r: OSThread) -> None:
        r.parked = True
        try:
            self._stand(r)
        finally:
            r.parked = False

    def _stand(self, r: OSThread) -> None:
        """Until *r* is picked."""
        while True:
            try:
                r.gate.acquire()
            except BaseException:  # a signal handler raised
                r.picked = False
                if self.holder is r:  # the run token came at the same moment
                    r.gate.acquire(False)
                else:  # the thread leaves the group and comes back later
                    self.mark_os_blocked(r)
                raise
            if r.picked:
                r.picked = False
                return
            following = self._next(r)
            if following is r:
                return
            self._hand_token_to(following)

    def _picked(self, r: OSThread) -> None:
        r.state = RUNNING
        self.new_slice(r, r.key)
        r.host.clock = max(r.host.clock, r.key)

    def new_slice(self, r: OSThread, clock: int) -> None:
        """From virtual *clock* (ns) on, *r* may run ahead of the others for a while."""
        decides = self.controller is not None and self.controller.decides
        r.slice_end = FOREVER if decides else clock + SLICE_NS
        r.cost = LOCK_NS

    def _hand_token_to(self, r: OSThread) -> None:
        if finalizing():
            raise SimulatedHang("the interpreter goes away: no other thread can run any more")
        r.picked = True
        self.holder = r
        r.gate.release()

    def pass_token(self) -> None:
        """Let a parked thread decide (the caller ends, or is the monitor); without any the run token is free."""
        with self._mutex:
            self.read_mail()
            parked = [r for r in self.os_threads.values() if r.state in (READY, WAITING)]
            if not parked:
                self.holder = None
                self.vacant = True
                return
        chosen = min(parked, key=lambda r: (r.state, r.key if r.state == READY else 0, r.number))
        self.holder = chosen
        chosen.gate.release()

    def mark_os_blocked(self, r: OSThread) -> None:
        """*r* is blocked in the operating system from now on."""
        r.state = OS_BLOCKED
        self.os_blocked[r.number] = real_ns()
        self.pace.begin(self.now)

    def _rejoin(self, r: OSThread) -> None:
        """*r* does not have the run token: it was blocked in the OS, or is new here. Wait for it."""
        if r.state == STARTING and r.number in self.os_threads:
            return  # inside the hand-shake of its start: its parent stands still meanwhile
        with self._mutex:
            if self.holder is r:
                return
            if self.vacant:
                self.vacant = False
                self.holder = r
                self._readmit(r)
                self._picked(r)
                return
            self._mail.append(("join", r))
        self.ring()
        self._park(r)
        self._picked(r)
        if self.pending_signals:
            self.run_signals(r)

    def run_signals(self, r: OSThread) -> None:
        """A safe point for Python signal handlers: they run in the main thread while it has the run token."""
        if r.ident != threading.main_thread().ident:
            return
        inside, r.inside = r.inside, 0
        try:
            while self.pending_signals:
                r.state = RUNNING
                r.token += 1
                self.pending_signals.pop(0)()
        finally:
            r.inside = inside

    def stands(self, r: OSThread) -> bool:
        """Whether *r* waits or decides for others now: no moment for a signal handler that may call."""
        return r.parked or r.state in (READY, WAITING)

    def _readmit(self, r: OSThread) -> None:
        """*r* is back: the real time for which it was away has passed for it, too."""
        since = self.os_blocked.pop(r.number, None)
        clock = max(r.host.clock, self.now)
        if since is not None:
            clock = max(clock, r.host.clock + real_ns() - since)
        if not self.os_blocked:
            self.pace.end()
        self._idle_since = 0
        self.set_ready(r, clock)

    # -- messages from threads that do not have the run token -------------------------------------------------------------

    def post(self, r: OSThread) -> None:
        """Let *r* look again (from a thread that does not have the run token, or a signal handler)."""
        self._mail.append(("look", r))
        self.ring()

    def ring(self) -> None:
        """Wake whoever idles."""
        self._stop.done = True
        if self.idle:
            try:
                self._bell.release()
            except RuntimeError:
                pass  # rung already

    def has_mail(self) -> bool:
        """Whether someone without the run token wants something."""
        return bool(self._mail)

    def read_mail(self) -> None:
        while self._mail:
            kind, r = self._mail.popleft()
            if kind == "join":
                self._readmit(r)
            elif r.state == WAITING:
                self.set_ready(r, max(r.host.clock, self.now))
            self.moves += 1

    def _idle(self, seconds: float) -> None:
        """Nothing to decide: sleep until a message comes."""
        self.idle = True
        try:
            if not self._mail:
                self._bell.acquire(timeout=seconds)
        finally:
            self.idle = False

    def after_fork(self, r: OSThread) -> None:
        """In the child of a fork only *r* lives."""
        for other in self.os_threads.values():
            if other is not r:
                other.state = ENDED
                other.ended.done = True
        self.os_threads = {r.number: r}
        r.gate = allocate_lock()
        r.gate.acquire()
        r.picked = r.parked = False
        r.state = RUNNING
        r.begin()
        self.holder, self.vacant, self.active = r, False, True
        self.set_multi(False)
        self.os_blocked.clear()
        self.forget_queues()
        self._mail.clear()
        self.pending_signals.clear()
        self._mutex = allocate_lock()
        self._bell = allocate_lock()
        self._bell.acquire()
        self.idle = False
        self.pace = Pace()

    # -- what Turns decides --------------------------------------------------------------------------------------------

    def _next(self, me: OSThread) -> OSThread:
        """The thread that goes on now, taken out of the heap; *me* has the run token and decides."""
        raise NotImplementedError
