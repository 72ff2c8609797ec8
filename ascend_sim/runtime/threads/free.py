"""Host threads that run as the operating system likes: one lock, one condition, real threads untouched.

Results depend only on the order of the API calls. A thread that is blocked in a call drives the device; one of
the engine's own that waits for work leaves it to the program's as long as these call. Virtual time-outs fire at once
when every attached thread is blocked in a call, and else at the pace of real time.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from _thread import RLock, allocate_lock, get_ident
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.threads import other_processes, wait_graph
from ascend_sim.runtime.threads.blocked_threads import Monitor
from ascend_sim.runtime.threads.foreign_threads import STANDING_NS, ForeignThreads
from ascend_sim.runtime.threads.host_threads import (
    ENDLESS_POLLS,
    FOREVER,
    HostThread,
    HostThreads,
    ThreadFactory,
    poll_step,
    thread_title,
)
from ascend_sim.runtime.threads.signal_handlers import HANDLERS

if TYPE_CHECKING:
    from types import TracebackType

    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.scheduler import Awaitable, Reason, Scheduler

__all__ = ["FreeThreads"]

_monotonic_ns = time.monotonic_ns

LOOK_AGAIN: Final = 0.05
"""Real seconds after which a blocked thread looks whether the others still do something."""

POLL_PAUSE: Final = 0.001
"""Real seconds between equal polls for something that another thread may do."""

_GROUPS: weakref.WeakSet[FreeThreads] = weakref.WeakSet()
"""All groups, for the one hook below: what is registered for forks can never be taken back."""


def _after_fork_in_child() -> None:
    for group in list(_GROUPS):
        group.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)


class _Life:
    """Lies in the local storage of an attached thread and dies with it."""

    __slots__ = ("thread",)

    def __init__(self, thread: HostThread) -> None:
        self.thread = thread

    def __del__(self) -> None:
        self.thread.dead = True


class _Local(threading.local):
    life: _Life | None = None


class _Outside:
    """The lock given away for the time of user code inside a call."""

    __slots__ = ("group", "thread")

    def __init__(self, group: FreeThreads, thread: HostThread) -> None:
        self.group = group
        self.thread = thread

    def __enter__(self) -> None:
        self.thread.outside += 1
        self.group.leave(self.thread)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.group.enter(self.thread)
        self.thread.outside -= 1


class _Absence:
    """How long the program has left the device alone, for a thread of the engine that waits for work.

    What a call finds must not depend on how soon the operating system lets that thread run. So it drives the device only
    when the program's threads are asleep outside of the API, or nobody has driven it for a second.
    """

    __slots__ = ("_clocks", "_foreign", "_group", "_since", "_time", "pause")

    def __init__(self, group: FreeThreads) -> None:
        self._group = group
        self._foreign = ForeignThreads()
        self._clocks: list[int] = []
        self._time = -1
        self._since = 0
        self.pause = LOOK_AGAIN
        """Real seconds until the next look."""

    def lasts(self, device: Scheduler) -> bool:
        """Whether nobody else will drive *device*, as far as can be told, or there is nothing to drive."""
        if not device.heap:
            return True
        group, now = self._group, _monotonic_ns()
        if group._driver is not None or any(not t.service for t in group.blocked()):
            self.pause = LOOK_AGAIN
            return False
        if device.now != self._time:
            self._time, self._since = device.now, now
        program = [t for t in group.attached() if not t.service]
        clocks = [t.clock for t in program]
        if clocks == self._clocks:
            self.pause = POLL_PAUSE
        else:  # somebody has called since the last look
            self._clocks = clocks
            self._foreign.look_again()
            self.pause = 5 * POLL_PAUSE
        return self._foreign.are_away([t.os_ident for t in program]) or now - self._since >= STANDING_NS


class FreeThreads(HostThreads):
    """The group of one simulator under ``threads="free"``."""

    def __init__(self, factory: ThreadFactory = HostThread) -> None:
        super().__init__(factory)
        self.locked = True
        self._lock = RLock()  # a destructor or a signal handler may call while its thread takes it or gives it back
        self._changed = threading.Condition(self._lock)
        self._threads: list[HostThread] = []
        self._numbers = 0
        self._local = _Local()
        self._driver: HostThread | None = None
        """Who runs device events now. User code in a kernel gives the lock away; nobody else may drive meanwhile."""
        self._foreign = ForeignThreads()
        _GROUPS.add(self)
        self.horizon = 0
        """Virtual time up to which the device was driven: a call that begins later cannot be earlier than that."""

    # -- attaching ----------------------------------------------------------------------------------------------------

    def attach(self, sim: Runtime) -> HostThread:
        """The host thread of *sim* for the calling thread: numbered in the order of the first calls."""
        life = self._local.life
        if life is not None and not life.thread.dead and life.thread.sim is sim:
            return life.thread
        with self._lock:
            t = self.factory(sim, self, self._numbers, thread_title(self._numbers), self.horizon)
            self._numbers += 1
            known = threading._active.get(get_ident())  # type: ignore[attr-defined]
            t.daemon = known.daemon if known is not None else True
            self._threads = [*self.attached(), t]
        self._local.life = _Life(t)
        return t

    def detach(self, t: HostThread) -> None:
        """Forget *t*."""
        t.dead = True

    def attached(self) -> list[HostThread]:
        """The living host threads, by number."""
        return [t for t in self._threads if not t.dead]

    def spawn_service(
        self, sim: Runtime, body: Callable[[HostThread], None], name: str, work: Callable[[], bool] | None = None
    ) -> None:
        """Start an engine-owned daemon thread that runs *body* inside a call of its own host thread of *sim*."""
        ready = allocate_lock()
        ready.acquire()
        attached: list[HostThread] = []

        def attach() -> HostThread:
            number = self._numbers  # our starter is inside a call, holds the lock and waits for us
            self._numbers += 1
            t = self.factory(sim, self, number, f"T{number} ({name})", self.horizon)
            t.daemon = t.service = True
            self._threads.append(t)
            self._local.life = _Life(t)
            attached.append(t)
            return t

        def serve() -> None:
            try:
                t = attach()
            finally:
                ready.release()
            self.enter(t)
            try:
                body(t)
            except SimulatedHang:
                pass  # the simulator closed
            finally:
                self.leave(t)

        threading.Thread(target=serve, name=name, daemon=True).start()
        ready.acquire()
        if not attached:
            raise MemoryError("a thread ended before it had begun")

    def close(self, sim: Runtime) -> None:
        """Wake every thread that still waits: it gets SimulatedHang."""
        with self._lock:
            for t in self._threads:
                if t.sim is sim and t.awaited is not None:
                    t.hang = SimulatedHang("the simulator was closed while this thread waited in it")
            self._changed.notify_all()

    def after_fork(self) -> None:
        """In the child of a fork: new locks, and only the calling thread is left."""
        life = self._local.life
        me = life.thread if life is not None else None
        self._threads = [t for t in self._threads if t is me]
        inside = self.running is not None and self.running is me
        self._lock = RLock()
        self._changed = threading.Condition(self._lock)
        self._driver = self._driver if self._driver is me else None
        if inside:
            self._lock.acquire()
        else:
            self.running = None
        if me is not None:
            self.forked(me)

    # -- the lock -----------------------------------------------------------------------------------------------------

    def enter(self, t: HostThread) -> None:
        """Take the lock."""
        self._lock.acquire()
        self.running = t
        if t.clock < self.horizon:
            t.clock = self.horizon

    def leave(self, t: HostThread) -> None:
        """Give the lock back."""
        self.running = None
        self._lock.release()

    def outside(self, t: HostThread) -> _Outside:
        """User code runs without the lock."""
        return _Outside(self, t)

    def quiet(self) -> AbstractContextManager[Any]:
        """The lock."""
        return self._lock

    # -- waiting ------------------------------------------------------------------------------------------------------

    def wake(self, t: HostThread, time: int) -> None:
        """Let every waiting thread look again (the caller is inside a call and holds the lock)."""
        with self._changed:  # ours already, unless a test moves the device by itself
            self._changed.notify_all()

    def block(self, t: HostThread, w: Awaitable, deadline: int | None = None, why: Reason | None = None) -> bool:
        """Wait until *w* is done; False when virtual *deadline* (ns) passed first. Raises SimulatedHang."""
        if not w.done:
            if self._driver is None and len(self._threads) == 1:  # the device is all there is to wait for
                self._driver = t
                try:
                    t.scheduler.run(FOREVER if deadline is None else deadline, w)
                finally:
                    self._driver = None
            if not w.done and not self._wait(t, w, deadline, why):
                if why is not None and t.scheduler.next_time() is None:
                    count = self.equal_polls(t, ("time-out", why.describe()))
                    still = all(other.deadline is None for other in self.blocked())
                    if count >= ENDLESS_POLLS and still and self._all_blocked(t):
                        wait_graph.report_endless_poll(t, None, count, why)
                return False
        if w.end > t.clock:
            t.clock = w.end
        if t.scheduler.heap:
            self._drive(t, t.clock, None)
        if t.clock > self.horizon:
            self.horizon = t.clock
        return True

    def poll(
        self, t: HostThread, key: Hashable = None, pending: bool = True, final: Callable[[], bool] | None = None,
        until: Callable[[], bool] | None = None,
    ) -> None:
        """Run what is due at the clock of *t*; equal polls move the clock further and further."""
        scheduler = t.scheduler
        due = scheduler.next_time()
        if due is not None and due <= t.clock:
            t.polls.clear()
            self._advance(t)
            return
        if key is None or not pending:
            return
        count = self.equal_polls(t, key)
        step = poll_step(count)
        if not step:
            return
        if due is not None:
            t.clock = min(t.clock + step, due)
            self._advance(t)
        elif any(one.others_live() for one in self.others):
            if other_processes.look(self.others):
                t.polls.clear()
            else:
                self._pause(t, min(step / 1e9, LOOK_AGAIN))
            t.clock += step
            self._advance(t)
        elif all(other.deadline is None for other in self.blocked()) and self._all_blocked(t):
            if count >= ENDLESS_POLLS:
                wait_graph.report_endless_poll(t, key, count)
            t.clock += step
        else:  # another thread may do something: the answer may change, and a poll counts when none can
            t.polls[key] = count - 1
            self._pause(t, POLL_PAUSE)

    def sleep(self, t: HostThread, ns: int) -> None:
        """Let *ns* of virtual time pass for *t*."""
        t.clock += ns
        self._advance(t)

    def _advance(self, t: HostThread) -> None:
        """Run the device up to the clock of *t*."""
        if t.scheduler.heap:
            self._drive(t, t.clock, None)
        if t.clock > self.horizon:
            self.horizon = t.clock

    def _drive(self, t: HostThread, limit: int, w: Awaitable | None) -> None:
        outer = self._driver
        if outer is not None and outer is not t:
            return
        self._driver = t
        try:
            t.scheduler.run(limit, w)
        finally:
            self._driver = outer

    def _pause(self, t: HostThread, seconds: float) -> None:
        """Give the lock away for *seconds*, or until something changes."""
        self.running = None
        try:
            if not self.others or not other_processes.awaited(self.others):
                self._changed.wait(seconds)
            elif len(self._threads) > 1:  # another thread of this process changes something as well, and says it there
                self._changed.wait(min(seconds, 5 * POLL_PAUSE))
                if self._all_blocked():
                    other_processes.wait(self.others, 0.0)
            else:
                lock: Any = self._lock
                held = lock._release_save()  # as a condition does
                try:
                    other_processes.wait(self.others, seconds)
                finally:
                    lock._acquire_restore(held)
        finally:
            self.running = t

    def _wait(self, t: HostThread, w: Awaitable, deadline: int | None, why: Reason | None) -> bool:
        # user code that the simulator runs (callbacks, kernels) may wait too: inside a wait, and while *t* is `outside`
        around = t.awaited, t.deadline, t.why, t.outside
        absence = _Absence(self) if t.service and not t.outside else None
        t.awaited, t.deadline, t.why, t.outside = w, deadline, why, 0
        if w.waiters is None:
            w.waiters = [t]
        else:
            w.waiters.append(t)
        since, clock = _monotonic_ns(), t.clock
        self._foreign.look_again()
        try:
            while not w.done:
                if t.hang is not None:
                    raise t.hang
                if getattr(t.sim, "closed", False):  # a callback that went on while the simulator closed
                    raise SimulatedHang("the simulator was closed while this thread was in it")
                if absence is not None and not absence.lasts(t.scheduler):
                    self._changed.notify_all()  # who waits in a call drives
                    self._pause(t, absence.pause)
                    continue
                earliest = min((b.deadline for b in self.blocked() if b.deadline is not None), default=None)
                if self._driver is None or self._driver is t:
                    self._drive(t, FOREVER if earliest is None else earliest, w)
                    self._changed.notify_all()
                    if w.done:
                        break
                pause = self._decide(t, earliest, since, clock)
                if pause is None:
                    return False
                if pause:
                    self._pause(t, pause)
                    if HANDLERS.pending and get_ident() == HANDLERS.main_thread:
                        with self.outside(t):
                            HANDLERS.run()
            return True
        finally:
            t.awaited, t.deadline, t.why, t.outside = around
            t.hang = None
            if not w.done and w.waiters is not None and t in w.waiters:
                w.waiters.remove(t)

    def _decide(self, t: HostThread, earliest: int | None, since: int, clock: int) -> float | None:
        """What a thread does that finds nothing to run: pause for so many seconds; None: its deadline has passed."""
        if self._driver is t:  # in code that the device runs: the device cannot go on before it returns
            lines = wait_graph.lines([t])
            self.say_deadlock([t], lines)
            raise SimulatedHang(self.words("\n".join(lines)))
        if self._driver is not None:
            return LOOK_AGAIN
        others = bool(self.others) and other_processes.awaited(self.others)
        if others and other_processes.look(self.others):
            return 0.0
        mine = t.deadline
        if mine is not None:
            left = (mine - clock) - (_monotonic_ns() - since)  # the real pace, as long as others are outside
            if left <= 0 or (mine == earliest and not others and self._all_blocked()):
                self._fire(t, mine)
                return None
            return min(left / 1e9, LOOK_AGAIN)
        if others and not any(one.hopeless() for one in self.others):
            return LOOK_AGAIN
        if earliest is None and self._all_blocked():
            self._hang()
            return 0.0 if t.hang is not None else LOOK_AGAIN  # the victims need the lock to hear of it
        return LOOK_AGAIN

    def _fire(self, t: HostThread, deadline: int) -> None:
        alone = not t.scheduler.heap and all(b is t or b.deadline is None for b in self.blocked())
        alone = alone and not other_processes.awaited(self.others)
        if alone and self._all_blocked() and t.why is not None and not getattr(t.why, "may_time_out", False):
            self.say_deadlock([t], wait_graph.lines(self.blocked()))
        t.clock = max(t.clock, deadline)
        self.horizon = max(self.horizon, t.clock)

    # -- who is blocked -----------------------------------------------------------------------------------------------

    def blocked(self) -> list[HostThread]:
        """Those that wait, in a call or for each other."""
        return [t for t in self.attached() if t.awaited is not None and not t.awaited.done and not t.outside]

    def _lasting(self, own: bool) -> list[HostThread]:
        """Those that wait; seen from another group those that wait for a thread: no deadline, no event of the device."""
        return [t for t in self.blocked() if t.hang is None and (own or (t.deadline is None and not t.scheduler.heap))]

    def _all_blocked(self, me: HostThread | None = None) -> bool:
        """Nobody but *me* can do anything: each other thread waits in a call, or has stood still for a second.

        Threads that have not called yet count like those that have: their first call may end the wait.
        """
        self._threads, blocked = self.attached(), {*Monitor.idents, *(() if me is None else (me.os_ident,))}
        blocked.update(t.os_ident for group in list(_GROUPS) for t in group._lasting(group is self))
        return not self._foreign.act(blocked)

    def _hang(self) -> None:
        blocked = self.blocked()
        victims = wait_graph.victims(blocked)
        if not victims:  # only threads of the engine are left
            return
        lines = wait_graph.lines(blocked)
        self.say_deadlock(victims, lines)
        for t in victims:
            t.clock = max(t.clock, t.scheduler.now)  # until then the device did something
            t.hang = SimulatedHang(self.words("\n".join(lines)))
        self._changed.notify_all()
