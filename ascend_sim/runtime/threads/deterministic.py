"""Host threads that run one at a time, in an order that only the program decides.

All attached threads of the process share one run token and one virtual time, whatever simulators they work with. One thread
alone drives the device itself and pays for none of this. `thread_patches.install_patches` makes the threads, locks,
queues and clocks of the standard library work in this group.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, ClassVar

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.threads import wait_graph
from ascend_sim.runtime.threads.blocked_threads import Monitor
from ascend_sim.runtime.threads.host_threads import FOREVER, HostThread, ThreadFactory, thread_title
from ascend_sim.runtime.threads.os_thread import ENDED, OS_BLOCKED, READY, STARTING, WAITING, JoinWait, Life, OSThread
from ascend_sim.runtime.threads.waits import Waits

if TYPE_CHECKING:
    from ascend_sim.runtime.waiting import Awaitable, Reason

__all__ = ["DeterministicThreads"]

_NOTHING = nullcontext()


class _Outside:
    """User code inside a call."""

    __slots__ = ("inside", "os_thread")

    def __init__(self, os_thread: OSThread) -> None:
        self.os_thread = os_thread
        self.inside = os_thread.inside

    def __enter__(self) -> None:
        self.os_thread.inside = 0

    def __exit__(self, *error: object) -> None:
        self.os_thread.inside = self.inside


class DeterministicThreads(Waits):
    """The deterministic group of the process."""

    installed: ClassVar[DeterministicThreads | None] = None
    """The group for which the patches are in place: the one of the process."""

    def __init__(self, factory: ThreadFactory = HostThread) -> None:
        super().__init__(factory)
        self._threads: list[HostThread] = []
        """The host threads of all open simulators."""
        self._numbers = 0
        self._locks_named = 0
        self.epoch = 0
        """Virtual ns of former simulators, for clocks that must not go back."""
        self.patches: Any = None
        """What `thread_patches` put in place for this group."""
        self.monitor: Monitor | None = None
        """Sees who sleeps where the group cannot see it; made when a second thread comes."""

    @property
    def ordered(self) -> bool:
        """Whether the library's threads and locks are this group's, so that all that orders threads is known."""
        return DeterministicThreads.installed is self

    # -- attaching ----------------------------------------------------------------------------------------------------

    def adopt(self) -> OSThread:
        """What stands for the calling thread; one that the group did not start is new, and waits for its turn."""
        r = self.here.os_thread
        if r is not None:
            return r
        main = threading.get_ident() == threading.main_thread().ident
        if not self.os_threads and not self._threads:
            self._numbers = 0
        r = self._new_os_thread(thread_title(self._numbers), self.now)
        r.begin()
        r.daemon = r.host.daemon = not main
        r.state = OS_BLOCKED
        self.here.os_thread = r
        if not main:
            self.here.life = Life(r, self.finish)
            if r.number:
                self._note_foreign(r)
        self.take_token(r)
        return r

    def _note_foreign(self, r: OSThread) -> None:
        self.note(
            "order-depends-on-clock",
            f"{r.host.name} was not started by a thread of the simulator: the operating system says when it calls",
        )

    def _new_os_thread(self, title: str, clock: int) -> OSThread:
        number = self._numbers
        self._numbers += 1
        host = HostThread(None, self, number, title, clock)
        r = OSThread(number, host)
        host.os_thread = r
        self.os_threads[number] = r
        if len(self.os_threads) > 1 and not self.multi:
            self.set_multi(True)
            if self.monitor is None:
                self.monitor = Monitor(self)
            self.monitor.wake()
        return r

    def attach(self, sim: Any) -> HostThread:
        """The host thread of *sim* for the calling thread; its clock goes on where the thread was."""
        r = self.adopt()
        for t in self._threads:
            if t.sim is sim and t.os_thread is r:
                return t
        if not self.sides and not self.multi:  # a new simulator in a process that has no other: time begins again
            self.epoch += r.host.clock
            self.now = r.host.clock = r.slice_end = 0
            self._numbers = r.number + 1
        t = self.factory(sim, self, r.number, r.host.name, r.host.clock)
        t.os_thread, t.daemon, t.service = r, r.daemon, r.service
        r.host = t
        self._threads.append(t)
        side = sim.scheduler
        if side not in self.sides:
            self.sides.append(side)
            self.lazy = any(getattr(getattr(s, "schedule", None), "reorders", False) for s in self.sides)
        return t

    def detach(self, t: HostThread) -> None:
        """Forget *t*; its thread stays in the group."""
        self._threads = [other for other in self._threads if other is not t]
        r: OSThread = t.os_thread
        if r.host is t:
            r.host = self._placeholder(t)
        if self.running is t:
            self.running = None

    def _placeholder(self, t: HostThread) -> HostThread:
        """What stands for a thread that works with no simulator."""
        host = HostThread(None, self, t.number, t.name, t.clock)
        host.os_thread, host.daemon, host.service, host.os_ident = t.os_thread, t.daemon, t.service, t.os_ident
        host.awaited, host.why = t.awaited, t.why
        return host

    def attached(self) -> list[HostThread]:
        """The living host threads, by number; a thread that never called has no `sim`."""
        return [r.host for r in self.os_threads.values()]

    def close(self, sim: Any) -> None:
        """*sim* closes: who waits or polls in it gets SimulatedHang, its service threads end, its device stands still."""
        mine = [t for t in self._threads if t.sim is sim]
        me = self.here.os_thread
        if me is not None and self.multi:
            self.take_token(me)
            for t in mine:
                r: OSThread = t.os_thread
                if r.host is t and r.state == WAITING and t.awaited is not None:
                    r.hang = SimulatedHang("the simulator was closed while this thread waited in it")
                    self.wake_thread(r, me.host.clock)
                elif r.host is t and r.state == READY and (r.inside or t.service):  # it polls, or was just woken
                    r.hang = SimulatedHang("the simulator was closed while this thread polled in it")
            for t in mine:
                if t.service and t.os_thread is not me and t.os_thread.hang is not None:
                    self.wait(me, t.os_thread.ended, None, JoinWait(t.os_thread))
        if sim.scheduler in self.sides:
            self.sides.remove(sim.scheduler)
        for t in mine:
            self.detach(t)
        if not self.sides:  # nothing of the last simulator stays
            self.on_deadlock, self.on_note, self.words = None, None, str

    # -- calls --------------------------------------------------------------------------------------------------------

    def enter(self, t: HostThread) -> None:
        """Make *t* what its thread works with; wait for the run token; yield when its slice is over."""
        r: OSThread = t.os_thread
        r.operations += 1
        if self.holder is not r:
            self._rejoin(r)
        if r.host is not t:
            t.clock = max(t.clock, r.host.clock)
            r.host = t
        if not self.multi:
            self.running = t
            return
        if not r.inside and (t.clock > r.slice_end or self._mail):
            self.yield_(r)
        r.inside += 1

    def leave(self, t: HostThread) -> None:
        """The call is over: the thread may lose the run token again wherever it uses a lock, or sleeps."""
        r: OSThread = t.os_thread
        r.inside = max(r.inside - 1, 0)

    def outside(self, t: HostThread) -> AbstractContextManager[Any]:
        """User code keeps the run token, but is no part of the call."""
        return _Outside(t.os_thread) if self.multi else _NOTHING

    def block(self, t: HostThread, w: Awaitable, deadline: int | None = None, why: Reason | None = None) -> bool:
        """Wait until *w* is done; False when virtual *deadline* (ns) passed first. Raises SimulatedHang."""
        if not self.multi:
            scheduler = t.scheduler
            if not w.done:
                scheduler.run(FOREVER if deadline is None else deadline, w)
            if w.done:
                if w.end > t.clock:
                    t.clock = w.end
                if scheduler.heap:
                    scheduler.run(t.clock, None)
                return True
            if not self.multi and (deadline is not None or not self.foreign_threads_act()):
                return self._stuck(t, w, deadline, why)
        r: OSThread = t.os_thread
        self.take_token(r)
        if self.controller is not None:
            self.controller.before_wait(r, w)
        t.awaited, t.deadline = w, deadline
        try:
            return self.wait(r, w, deadline, why)
        finally:
            t.awaited = t.deadline = None

    def _stuck(self, t: HostThread, w: Awaitable, deadline: int | None, why: Reason | None) -> bool:
        """One thread alone, and its device has nothing more to do until *deadline*."""
        t.awaited, t.why = w, why
        try:
            if deadline is None:
                t.clock = max(t.clock, t.scheduler.now)  # until then the device did something
                lines = wait_graph.lines([t])
                self.say_deadlock([t], lines)
                raise SimulatedHang(self.words("\n".join(lines)))
            if why is not None and not t.scheduler.heap and not getattr(why, "may_time_out", False):
                self.say_deadlock([t], wait_graph.lines([t]))
        finally:
            t.awaited = t.why = None
        t.clock = max(t.clock, deadline)
        return False

    def next_lock_name(self) -> str:
        """Names for locks in the order in which reports mention them."""
        self._locks_named += 1
        return f"lock L{self._locks_named}"

    # -- threads that the group starts --------------------------------------------------------------------------------

    def new_child(self, parent: OSThread, title: str, daemon: bool) -> OSThread:
        """A place for a thread that *parent* starts now; its number and clock are fixed here."""
        child = self._new_os_thread(f"T{self._numbers}{f' ({title})' if title else ''}", parent.host.clock)
        child.daemon = child.host.daemon = daemon
        return child

    def abandon(self, child: OSThread) -> None:
        """Its operating-system thread could not be started."""
        child.state = ENDED
        del self.os_threads[child.number]
        if len(self.os_threads) <= 1:
            self.set_multi(False)

    def release_child(
        self, parent: OSThread, child: OSThread, service: str = "", work: Callable[[], bool] | None = None
    ) -> None:
        """*child* may run from the clock of its parent on (the parent has the run token).

        *service*: what a thread of the engine's own does, *work*: whether there is any for it.
        """
        self.moves += 1
        if self.on_edge is not None:
            self.on_edge("start", parent.host, child.host, None)
        if self.controller is not None:
            self.controller.thread_started(parent, child, service, work)
        if child.state == STARTING:
            self.set_ready(child, max(child.host.clock, parent.host.clock))

    def arrive(self, child: OSThread) -> None:
        """The calling thread is *child*: wait for its first turn."""
        self._park(child)
        self._picked(child)
        if child.hang is not None:
            self._raise_pending(child)

    def finish(self, r: OSThread) -> None:
        """The thread of *r* ends: who joins it goes on, and so does the rest."""
        if r.state == ENDED or self.os_threads.get(r.number) is not r:
            return
        if not self.active:
            r.state = ENDED
            del self.os_threads[r.number]
            return
        self.take_token(r)
        if self.controller is not None:
            self.controller.thread_ended(r)
        if self.asked is not None:
            self.changes(r.host, r)
        r.state = ENDED
        r.token += 1
        self.os_blocked.pop(r.number, None)
        del self.os_threads[r.number]
        self._threads = [t for t in self._threads if t.os_thread is not r]
        self.moves += 1
        w = r.ended
        w.done, w.end = True, r.host.clock
        waiters, w.waiters = w.waiters, None
        for waiter in waiters or ():
            assert isinstance(waiter, HostThread)
            self.wake_thread(waiter.os_thread, w.end)
        if len(self.os_threads) <= 1:
            self.set_multi(False)
        self.pass_token()

    def take_over(self, r: OSThread, child: OSThread, kind: str = "join") -> None:
        """*r* has joined *child*: it knows what that did. *kind* ``ended``: it has only seen that it ended."""
        r.host.clock = max(r.host.clock, child.ended.end)
        if self.controller is not None:
            self.controller.thread_joined(r, child)
        if self.on_edge is not None:
            self.on_edge(kind, child.host, r.host, None)

    def fork_child(self) -> None:
        """The process was forked, and this is the child: only the calling thread is left."""
        r = self.here.os_thread
        if r is None:
            self.active = False
            return
        self.after_fork(r)
        self._threads = [t for t in self._threads if t.os_thread is r]
        self.monitor = None
        if self.sides:
            self.forked(r.host)

    def spawn_service(
        self, sim: Any, body: Callable[[HostThread], None], name: str, work: Callable[[], bool] | None = None
    ) -> None:
        """Start an engine-owned daemon thread that runs *body* as a host thread of *sim*."""
        from ascend_sim.runtime.threads.start import start_service

        start_service(self, sim, body, name, work)
