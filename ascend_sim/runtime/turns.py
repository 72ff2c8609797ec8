"""Whose turn it is: the rule by which the deterministic group picks, and the baton's way from thread to thread.

The thread that gives up the baton decides, in a loop: the earliest of the next device event, the next deadline and the
next ready thread goes, in this order at equal times (design.md 5 "Engine"). Nothing here depends on the operating
system, except while a thread is absent: then virtual deadlines keep the pace of real time.
"""

from __future__ import annotations

import threading
import time
from _thread import allocate_lock
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from typing import TYPE_CHECKING, ClassVar, Final

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime import hangs
from ascend_sim.runtime.host_threads import FOREVER, DeviceSide, HostThread, HostThreads, ThreadFactory, finalizing
from ascend_sim.runtime.runner import ABSENT, ENDED, READY, RUNNING, STARTING, WAITING, Here, Runner
from ascend_sim.runtime.waiting import Signal

if TYPE_CHECKING:
    from types import FrameType

    from ascend_sim.runtime.waiting import Awaitable

__all__ = ["SLICE_NS", "Turns"]

SLICE_NS: Final = 1_000_000
"""Virtual ns that a thread may run ahead of the others before an API call makes it yield."""

LOCK_NS: Final = 50
"""Virtual ns of an operation on a patched lock, so that a loop of nothing else comes to an end of its slice."""

WEARY_ROUNDS: Final = 1_000
WEARY_NS: Final = 600_000_000_000
"""Time-outs that fire so often, over so much virtual time (ns), without any progress fall back to the real pace."""

IDLE_SECONDS: Final = 0.05
HOPELESS_NS: Final = 1_000_000_000
"""Real ns of idleness after which absent threads that wait for other threads count as blocked."""

TOO_MANY_HANGS: Final = 100
"""A thread that swallows so many hangs stays blocked."""

_real_ns = time.monotonic_ns

_Entry = tuple[int, int, int, Runner]
"""(virtual ns, number, token, runner)"""


class Turns(HostThreads):
    """The part of the deterministic group that decides who goes next."""

    locked: ClassVar[bool] = False

    def __init__(self, factory: ThreadFactory = HostThread) -> None:
        super().__init__(factory)
        self.here = Here()
        self.runners: dict[int, Runner] = {}
        """The living runners by number."""
        self.multi = False
        """More than one lives; as long as it is False nothing below is ever used."""
        self.active = True
        self.holder: Runner | None = None
        self.vacant = True
        """Nobody has the baton, and nobody is there to decide: whoever comes takes it."""
        self.sides: list[DeviceSide] = []
        self.lazy = False
        """A schedule reorders device steps: ready threads go first whatever their clocks."""
        self.now = 0
        """The latest virtual time (ns) that was decided on."""
        self.moves = 0
        """Counts what could change the answer to a poll."""
        self.driving = False
        self.away: dict[int, int] = {}
        """Absent runners by number, and since when (real ns)."""
        self.pending_signals: list[Callable[[], None]] = []
        """Python signal handlers that came while the main thread stood in the group."""
        self._ready: list[_Entry] = []
        self._deadlines: list[_Entry] = []
        self._stop = Signal()
        self._mail: deque[tuple[str, Runner]] = deque()
        self._mutex = allocate_lock()
        self._bell = allocate_lock()
        self._bell.acquire()
        self.idle = False
        self._idle_since = 0
        self._rounds = 0
        self._rounds_from = 0
        self.monitor_ident = 0
        self._strangers: tuple[int, dict[int, tuple[FrameType, int]]] = (0, {})
        """Since when (real ns) threads that the group does not know stand where they do."""
        self._pace: tuple[int, int] | None = None
        """Real and virtual ns at which deadlines began to keep the real pace."""

    # -- states of a runner -------------------------------------------------------------------------------------------

    def set_ready(self, r: Runner, time: int) -> None:
        """*r* can go on from virtual *time* (ns)."""
        r.token += 1
        r.state = READY
        r.key = time
        heappush(self._ready, (time, r.number, r.token, r))

    def set_waiting(self, r: Runner, deadline: int | None) -> None:
        """*r* waits, at most until virtual *deadline* (ns)."""
        r.token += 1
        r.state = WAITING
        r.deadline = deadline
        r.timed_out = False
        if deadline is not None:
            heappush(self._deadlines, (deadline, r.number, r.token, r))

    def rouse(self, r: Runner, time: int) -> None:
        """What *r* waits for may have happened at virtual *time* (ns); the caller has the baton."""
        if r.state == WAITING:
            clock = r.host.clock
            self.set_ready(r, time if time > clock else clock)
            self._stop.done = True
            self.moves += 1
            self._rounds = 0

    # -- the baton ----------------------------------------------------------------------------------------------------

    def own(self, r: Runner) -> None:
        """A step of *r* into the group: it has the baton afterwards."""
        r.operations += 1
        if self.holder is not r:
            self._rejoin(r)

    def give_way(self, r: Runner) -> None:
        """*r* is ready or waits: decide who goes, until it is *r*."""
        following = self._next(r)
        if following is not r:
            self._hand_to(following)
            self._park(r)
        self._picked(r)

    def _park(self, r: Runner) -> None:
        r.parked = True
        try:
            self._stand(r)
        finally:
            r.parked = False

    def _stand(self, r: Runner) -> None:
        """Until *r* is picked."""
        while True:
            try:
                r.gate.acquire()
            except BaseException:  # a signal handler raised: the thread leaves the group and comes back later
                if not r.picked:
                    self.lose(r)
                r.picked = False
                raise
            if r.picked:
                r.picked = False
                return
            following = self._next(r)
            if following is r:
                return
            self._hand_to(following)

    def _picked(self, r: Runner) -> None:
        r.state = RUNNING
        self.new_slice(r, r.key)
        r.host.clock = max(r.host.clock, r.key)

    def new_slice(self, r: Runner, clock: int) -> None:
        """From virtual *clock* (ns) on, *r* may run ahead of the others for a while."""
        r.slice_end = clock + SLICE_NS
        r.cost = LOCK_NS

    def _hand_to(self, r: Runner) -> None:
        if finalizing():
            raise SimulatedHang("the interpreter goes away: no other thread can run any more")
        r.picked = True
        self.holder = r
        r.gate.release()

    def appoint(self) -> None:
        """Let a parked runner decide (the caller ends, or is the monitor); without any the baton lies there."""
        with self._mutex:
            self._read_mail()
            parked = [r for r in self.runners.values() if r.state in (READY, WAITING)]
            if not parked:
                self.holder = None
                self.vacant = True
                return
        chosen = min(parked, key=lambda r: (r.state, r.key if r.state == READY else 0, r.number))
        self.holder = chosen
        chosen.gate.release()

    def lose(self, r: Runner) -> None:
        """*r* is absent from now on."""
        r.state = ABSENT
        self.away[r.number] = _real_ns()
        if self._pace is None:
            self.start_pace(self.now)

    def _rejoin(self, r: Runner) -> None:
        """*r* does not have the baton: it was absent, or comes from elsewhere. Wait for it."""
        if r.state == STARTING and r.number in self.runners:
            return  # inside the hand-shake of its start: its parent stands still meanwhile
        with self._mutex:
            if self.holder is r:
                return
            if self.vacant:
                self.vacant = False
                self.holder = r
                self._welcome(r)
                self._picked(r)
                return
            self._mail.append(("join", r))
        self.ring()
        self._park(r)
        self._picked(r)
        if self.pending_signals:
            self.run_signals(r)

    def run_signals(self, r: Runner) -> None:
        """A safe point for Python signal handlers: they run in the main thread while it has the baton."""
        if r.ident != threading.main_thread().ident:
            return
        while self.pending_signals:
            r.state = RUNNING
            r.token += 1
            self.pending_signals.pop(0)()

    def stands(self, r: Runner) -> bool:
        """Whether *r* waits or decides for others now: no moment for a signal handler that may call."""
        return r.parked or r.state in (READY, WAITING)

    def _welcome(self, r: Runner) -> None:
        """*r* is back: the real time for which it was away has passed for it, too."""
        since = self.away.pop(r.number, None)
        clock = max(r.host.clock, self.now)
        if since is not None:
            clock = max(clock, r.host.clock + _real_ns() - since)
        if not self.away and not self._weary():
            self._pace = None
        self._idle_since = 0
        self.set_ready(r, clock)

    # -- messages from threads that do not have the baton ---------------------------------------------------------------

    def post(self, r: Runner) -> None:
        """Let *r* look again (from a thread that does not have the baton, or a signal handler)."""
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
        """Whether someone without the baton wants something."""
        return bool(self._mail)

    def _read_mail(self) -> None:
        while self._mail:
            kind, r = self._mail.popleft()
            if kind == "join":
                self._welcome(r)
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

    def after_fork(self, r: Runner) -> None:
        """In the child of a fork only *r* lives."""
        for other in self.runners.values():
            if other is not r:
                other.state = ENDED
                other.ended.done = True
        self.runners = {r.number: r}
        r.gate = allocate_lock()
        r.gate.acquire()
        r.picked = r.parked = False
        r.state = RUNNING
        r.begin()
        self.holder, self.vacant, self.multi, self.active = r, False, False, True
        self.away.clear()
        self._ready.clear()
        self._deadlines.clear()
        self._mail.clear()
        self.pending_signals.clear()
        self._mutex = allocate_lock()
        self._bell = allocate_lock()
        self._bell.acquire()
        self.idle = False
        self._pace = None

    # -- the rule -----------------------------------------------------------------------------------------------------

    def _next(self, me: Runner) -> Runner:
        """Run device events and fire deadlines until a thread is next; that one is taken out of the heap."""
        stalled = False
        while True:
            if self._mail:
                self._read_mail()
            ready = _first(self._ready, READY)
            late = _first(self._deadlines, WAITING)
            clock = ready[0] if ready is not None else FOREVER
            deadline = late[0] if late is not None else FOREVER
            if not stalled and not self.driving and not (self.lazy and ready is not None):
                side, due, rest = self._device()
                limit = min(clock, deadline, rest)
                if side is not None and due <= limit:
                    stalled = not self._run_device(side, limit)
                    continue
            if late is not None and deadline <= clock:
                if self._pace is not None and not self._in_pace(deadline):
                    continue
                heappop(self._deadlines)
                self._fire(late[3], deadline)
                stalled = False
            elif ready is not None:
                heappop(self._ready)
                self.now = max(self.now, clock)
                self._idle_since = 0
                return ready[3]
            elif self.away:
                self._wait_for_absent()
            else:
                self._break_hang()

    def _device(self) -> tuple[DeviceSide | None, int, int]:
        """The device side with the earliest event, that time, and the earliest time of the others (virtual ns)."""
        best: DeviceSide | None = None
        due = rest = FOREVER
        for side in self.sides:
            time = side.next_time()
            if time is None:
                continue
            if time < due or best is None:
                rest = min(rest, due) if best is not None else rest
                best, due = side, time
            else:
                rest = min(rest, time)
        return best, due, rest

    def _run_device(self, side: DeviceSide, limit: int) -> bool:
        """Run events until one wakes a thread; False when the schedule does not want to run any."""
        stop: Awaitable = self._stop
        stop.done = False
        if self.lazy:
            waiting = [r for r in self.runners.values() if r.state == WAITING and r.awaited is not None]
            if waiting:
                chosen = min(waiting, key=lambda r: (r.host.clock, r.number)).awaited
                assert chosen is not None
                stop = chosen
        before = len(side.heap), side.next_time()
        self.driving = True
        try:
            side.run(limit, stop)
        finally:
            self.driving = False
        after = side.next_time()
        self.moves += 1
        self._rounds = 0
        return stop.done or self._stop.done or after is None or after > limit or (len(side.heap), after) != before

    def _fire(self, r: Runner, deadline: int) -> None:
        """The deadline of *r* (virtual ns) has come."""
        self.now = max(self.now, deadline)
        why = r.host.why
        if why is not None and r.host.awaited is not None and not getattr(why, "may_time_out", False):
            nothing_else = _first(self._ready, READY) is None and _first(self._deadlines, WAITING) is None
            if nothing_else and not self.away and not any(side.heap for side in self.sides):
                self.say_deadlock([r.host], hangs.lines(self._blocked()))
        r.timed_out = True
        self.set_ready(r, deadline)
        if not self._rounds:
            self._rounds_from = deadline
        self._rounds += 1
        if self._pace is None and self._weary():
            self.start_pace(deadline)

    def start_pace(self, virtual: int) -> None:
        """From *virtual* (ns) on, deadlines keep the pace of real time."""
        self._pace = (_real_ns(), virtual)

    def _weary(self) -> bool:
        return self._rounds > WEARY_ROUNDS and self.now - self._rounds_from > WEARY_NS

    def _in_pace(self, deadline: int) -> bool:
        """Whether virtual *deadline* (ns) may fire while time is real; otherwise sleep towards it."""
        if not self.away and not self._weary():
            self._pace = None
            return True
        assert self._pace is not None
        left = (deadline - self._pace[1]) - (_real_ns() - self._pace[0])
        if left <= 0:
            return True
        self._idle(min(left / 1e9, IDLE_SECONDS))
        return False

    # -- hangs --------------------------------------------------------------------------------------------------------

    def _blocked(self) -> list[HostThread]:
        return [r.host for r in self.runners.values() if r.state == WAITING and not r.given_up]

    def _wait_for_absent(self) -> None:
        """Only real time can go on. Absent threads that stand in a wait for other threads make it a hang."""
        if not self._idle_since:
            self._idle_since = _real_ns()
        self._idle(IDLE_SECONDS)
        if self._mail or _real_ns() - self._idle_since < HOPELESS_NS:
            return
        self._idle_since = 0
        away = [self.runners[number] for number in self.away if number in self.runners]
        if all(hangs.waits_for_threads(hangs.innermost(r.ident)) for r in away):
            self._break_hang()

    def strangers_act(self) -> bool:
        """Whether threads that the group does not know may still do something: they have not stood still for a second.

        Such threads were started before the patches or by C code; there are none in most programs.
        """
        known = {r.ident for r in self.runners.values()} | {self.monitor_ident}
        places = {i: (f, f.f_lasti) for i, f in hangs.frames().items() if i not in known}
        if not places:
            return False
        now = _real_ns()
        if places != self._strangers[1]:
            self._strangers = now, places
        return now - self._strangers[0] < HOPELESS_NS

    def _break_hang(self) -> None:
        """Nothing runs, nothing is due, no deadline: report it, and let the guilty threads go on with SimulatedHang."""
        if self.strangers_act():
            self._idle(IDLE_SECONDS)
            return
        blocked = self._blocked()
        guilty = hangs.guilty(blocked)
        if not guilty:
            self._idle(IDLE_SECONDS)
            return
        lines = hangs.lines(blocked)
        self.say_deadlock(guilty, lines)
        for t in guilty:
            r: Runner = t.runner
            r.hangs += 1
            if r.hangs > TOO_MANY_HANGS and r.number:
                r.given_up = True
                continue
            r.hang = SimulatedHang("\n".join(lines))
            self.set_ready(r, max(t.clock, self.now))


def _first(heap: list[_Entry], state: int) -> _Entry | None:
    """The first entry of *heap* that still holds; stale ones are dropped."""
    while heap:
        entry = heap[0]
        r = entry[3]
        if r.token == entry[2] and r.state == state:
            return entry
        heappop(heap)
    return None
