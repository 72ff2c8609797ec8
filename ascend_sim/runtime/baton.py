"""Host threads that run one at a time, in an order that only the program decides.

All attached threads of the process share one baton and one virtual time, whatever simulators they work with. One thread
alone drives the device itself and pays for none of this. `thread_patches.install_patches` makes the threads, locks,
queues and clocks of the standard library work in this group.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Final

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime import hangs
from ascend_sim.runtime.host_threads import (
    FOREVER,
    HOPELESS_POLLS,
    HostThread,
    poll_step,
    thread_title,
)
from ascend_sim.runtime.runner import ABSENT, ENDED, RUNNING, STARTING, WAITING, JoinWait, Life, Runner
from ascend_sim.runtime.turns import Turns

if TYPE_CHECKING:
    from ascend_sim.runtime.waiting import Awaitable, Reason

__all__ = ["DeterministicThreads"]

_NOTHING = nullcontext()
LARGEST_LOCK_NS: Final = 100_000


class DeterministicThreads(Turns):
    """The deterministic group of the process."""

    def __init__(self, factory: Any = HostThread) -> None:
        super().__init__(factory)
        self._threads: list[HostThread] = []
        """The host threads of all open simulators."""
        self._numbers = 0
        self._locks_named = 0
        self.epoch = 0
        """Virtual ns of former simulators, for clocks that must not go back."""
        self.when_multi: Callable[[], None] | None = None
        """Called when a second thread comes: the monitor of absent threads wakes up."""

    @property
    def ordered(self) -> bool:
        """Whether the library's threads and locks are this group's, so that all that orders threads is known."""
        from ascend_sim.runtime.thread_patches import installed_group

        return installed_group() is self

    # -- attaching ----------------------------------------------------------------------------------------------------

    def adopt(self) -> Runner:
        """The runner of the calling thread; a thread that the group did not start gets one, and waits for its turn."""
        r = self.here.runner
        if r is not None:
            return r
        main = threading.get_ident() == threading.main_thread().ident
        if not self.runners and not self._threads:
            self._numbers = 0
        r = self._new_runner(thread_title(self._numbers), self.now)
        r.begin()
        r.daemon = r.host.daemon = not main
        r.state = ABSENT
        self.here.runner = r
        if not main:
            self.here.life = Life(r, self.finish)
            if r.number:
                self._note_foreign(r)
        self.own(r)
        return r

    def _note_foreign(self, r: Runner) -> None:
        if self.on_note is not None:
            self.on_note(
                "order-depends-on-clock",
                f"{r.host.name} was not started by a thread of the simulator: when it calls is up to the operating system",
            )

    def _new_runner(self, title: str, clock: int) -> Runner:
        number = self._numbers
        self._numbers += 1
        host = HostThread(None, self, number, title, clock)
        r = Runner(number, host)
        host.runner = r
        self.runners[number] = r
        if len(self.runners) > 1 and not self.multi:
            self.multi = True
            self.running = None
            if self.holder is not None:
                self.new_slice(self.holder, self.holder.host.clock)
            if self.when_multi is not None:
                self.when_multi()
        return r

    def attach(self, sim: Any) -> HostThread:
        """The host thread of *sim* for the calling thread; its clock goes on where the thread was."""
        r = self.adopt()
        for t in self._threads:
            if t.sim is sim and t.runner is r:
                return t
        if not self.sides and not self.multi:  # a new simulator in a process that has no other: time begins again
            self.epoch += r.host.clock
            self.now = r.host.clock = r.slice_end = 0
            self._numbers = r.number + 1
        t = self.factory(sim, self, r.number, r.host.name, r.host.clock)
        t.runner, t.daemon, t.service = r, r.daemon, r.service
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
        r: Runner = t.runner
        if r.host is t:
            r.host = self._placeholder(t)
        if self.running is t:
            self.running = None

    def _placeholder(self, t: HostThread) -> HostThread:
        """What stands for a thread that works with no simulator."""
        host = HostThread(None, self, t.number, t.name, t.clock)
        host.runner, host.daemon, host.service, host.os_ident = t.runner, t.daemon, t.service, t.os_ident
        host.awaited, host.why = t.awaited, t.why
        return host

    def attached(self) -> list[HostThread]:
        """The living host threads, by number; a thread that never called has no `sim`."""
        return [r.host for r in self.runners.values()]

    def close(self, sim: Any) -> None:
        """*sim* closes: who waits in it gets SimulatedHang, its service threads end, its device stands still."""
        mine = [t for t in self._threads if t.sim is sim]
        me = self.here.runner
        if me is not None and self.multi:
            self.own(me)
            for t in mine:
                r: Runner = t.runner
                if r.host is t and r.state == WAITING and t.awaited is not None:
                    r.hang = SimulatedHang("the simulator was closed while this thread waited in it")
                    self.rouse(r, me.host.clock)
            for t in mine:
                if t.service and t.runner is not me and t.runner.hang is not None:
                    self.wait(me, t.runner.ended, None, JoinWait(t.runner))
        if sim.scheduler in self.sides:
            self.sides.remove(sim.scheduler)
        for t in mine:
            self.detach(t)

    # -- calls --------------------------------------------------------------------------------------------------------

    def enter(self, t: HostThread) -> None:
        """Make *t* what its thread works with; wait for the baton; yield when its slice is over."""
        r: Runner = t.runner
        r.operations += 1
        if self.holder is not r:
            self._rejoin(r)
        if r.host is not t:
            t.clock = max(t.clock, r.host.clock)
            r.host = t
        if not self.multi:
            self.running = t
        elif t.clock > r.slice_end or self._mail:
            self.yield_(r)

    def outside(self, t: HostThread) -> AbstractContextManager[Any]:
        """User code keeps the baton."""
        return _NOTHING

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
            if not self.multi and (deadline is not None or not self.strangers_act()):
                return self._stuck(t, w, deadline, why)
        r: Runner = t.runner
        self.own(r)
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
                lines = hangs.lines([t])
                self.say_deadlock([t], lines)
                raise SimulatedHang("\n".join(lines))
            if why is not None and not t.scheduler.heap and not getattr(why, "may_time_out", False):
                self.say_deadlock([t], hangs.lines([t]))
        finally:
            t.awaited = t.why = None
        t.clock = max(t.clock, deadline)
        return False

    def wait(self, r: Runner, w: Awaitable | None, deadline: int | None, why: Reason | None) -> bool:
        """The same for a runner that has the baton, also for waits that are no calls. *w* None: only time passes."""
        host = r.host
        outer = r.state, r.awaited, r.deadline, r.key, host.why  # user code of a kernel runs while its driver waits
        host.why = why
        r.awaited = w
        try:
            while True:
                if w is None or not w.done:
                    if w is not None and (w.waiters is None or host not in w.waiters):
                        w.waiters = [host] if w.waiters is None else [*w.waiters, host]
                    self.set_waiting(r, deadline)
                else:
                    self.set_ready(r, max(host.clock, w.end))
                self.give_way(r)
                self._raise_pending(r)
                if w is not None and w.done:
                    if w.end <= host.clock:
                        return True
                elif r.timed_out:
                    return False
        finally:
            r.timed_out = False
            host.why = outer[4]
            if w is not None and not w.done and w.waiters and host in w.waiters:
                w.waiters = [waiter for waiter in w.waiters if waiter is not host] or None
            self._restore(r, outer)

    def _restore(self, r: Runner, outer: tuple[int, Awaitable | None, int | None, int, Any]) -> None:
        """Go back to what *r* did before a wait: run; or decide for others, while it waits or is ready itself."""
        if r.state == ABSENT:
            return
        state, r.awaited, deadline, key, _ = outer
        if state == RUNNING or not self.driving:
            r.token += 1
            r.state = RUNNING
        elif state == WAITING and not (r.awaited is not None and r.awaited.done):
            self.set_waiting(r, deadline)
        else:
            self.set_ready(r, max(key, r.host.clock))

    def yield_(self, r: Runner) -> None:
        """Let everything go first that is earlier than *r*."""
        if self.driving:
            return
        self.set_ready(r, r.host.clock)
        self.give_way(r)
        self._raise_pending(r)

    def _raise_pending(self, r: Runner) -> None:
        """What others left for *r*, now that it is its turn: a hang, signal handlers."""
        if r.hang is not None:
            hang, r.hang = r.hang, None
            raise hang
        if self.pending_signals:
            self.run_signals(r)

    def poll(self, t: HostThread, key: Hashable = None) -> None:
        """Run what is due at the clock of *t*; equal polls move the clock further and further."""
        if self.multi:
            self._poll(t.runner, t, key)
            return
        scheduler = t.scheduler
        due = scheduler.next_time()
        if due is not None and due <= t.clock:
            if t.polls:
                t.polls.clear()
            scheduler.run(t.clock, None)
            return
        if key is None:
            return
        count = self.equal_polls(t, key)
        step = poll_step(count)
        if step:
            if due is None:
                if count >= HOPELESS_POLLS:
                    self.hopeless(t, key, count)
                t.clock += step
            else:
                t.clock = min(t.clock + step, due)
                if t.clock == due:
                    scheduler.run(due, None)

    def _poll(self, r: Runner, t: HostThread, key: Hashable, hopeless: bool = True) -> None:
        self.own(r)
        self.yield_(r)
        if key is None:
            return
        if self.moves != r.poll_moves:
            r.poll_moves = self.moves
            t.polls.clear()
        count = self.equal_polls(t, key)
        step = poll_step(count)
        if not step or self.driving:
            return
        soonest = self.soonest(r)
        if soonest is not None:
            step = min(step, max(soonest - t.clock, 0))
        elif hopeless and count >= HOPELESS_POLLS and not self.others_can_act(r):
            self.hopeless(t, key, count)
        if step:
            self.wait(r, None, t.clock + step, None)

    def ask(self, r: Runner, key: Hashable) -> None:
        """A question that is no call (is the lock free, does the thread live): a poll, and never a hang by itself."""
        r.operations += 1
        if not self.multi or self.driving or r.state == STARTING:
            return
        if self.moves == r.poll_moves and key in r.host.polls:
            self._poll(r, r.host, key, hopeless=False)
        else:  # asked once: the program goes on with the answer
            r.poll_moves = self.moves
            r.host.polls.clear()
            self.equal_polls(r.host, key)

    def next_lock_name(self) -> str:
        """Names for locks in the order in which reports mention them."""
        self._locks_named += 1
        return f"lock L{self._locks_named}"

    def soonest(self, r: Runner) -> int | None:
        """Virtual time (ns) of the next device event or of the next deadline of another thread; None: there is none."""
        times = [time for side in self.sides if (time := side.next_time()) is not None]
        times += [o.deadline for o in self.runners.values() if o is not r and o.state == WAITING and o.deadline is not None]
        return min(times, default=None)

    def others_can_act(self, r: Runner) -> bool:
        """Whether a thread but *r* does anything, or will without its help."""
        return bool(self.away) or any(
            o is not r and not (o.state == WAITING and o.deadline is None) for o in self.runners.values()
        )

    def sleep(self, t: HostThread, ns: int) -> None:
        """Let *ns* of virtual time pass for *t*."""
        self.sleep_runner(t.runner, ns)

    def sleep_runner(self, r: Runner, ns: int) -> None:
        """The same for a runner."""
        host = r.host
        if self.multi:
            self.own(r)
            if not self.driving:
                self.wait(r, None, host.clock + max(ns, 1), None)
            return
        if not self.driving:
            self._sleep_alone(host, host.clock + ns)

    def _sleep_alone(self, host: HostThread, until: int) -> None:
        busy = False
        for side in self.sides:
            if side.heap:
                busy = True
                side.run(until, None)
        host.clock = self.now = max(until, self.now)
        if busy:
            self._rounds = 0
            return
        if not self._rounds:
            self._rounds_from = until
        self._rounds += 1
        if self._weary():  # a server-like loop: years of virtual time and a busy core help nobody
            if self._pace is None:
                self.start_pace(until)
            while self._pace is not None and not self._in_pace(until):
                pass

    def wake(self, t: HostThread, time: int) -> None:
        """What *t* waits for happened at virtual *time* (ns)."""
        self.rouse(t.runner, time)

    def operation(self, r: Runner) -> None:
        """*r* used a patched lock: that costs a little, and ends its slice when it does nothing else."""
        host = r.host
        host.clock += r.cost
        if host.clock > r.slice_end and not self.driving and r.state == RUNNING:
            cost = min(r.cost * 2, LARGEST_LOCK_NS)
            self.own(r)
            self.yield_(r)
            r.cost = cost

    # -- threads that the group starts ----------------------------------------------------------------------------------

    def new_child(self, parent: Runner, title: str, daemon: bool) -> Runner:
        """A place for a thread that *parent* starts now; its number and clock are fixed here."""
        child = self._new_runner(f"T{self._numbers}{f' ({title})' if title else ''}", parent.host.clock)
        child.daemon = child.host.daemon = daemon
        return child

    def abandon(self, child: Runner) -> None:
        """Its operating-system thread could not be started."""
        child.state = ENDED
        del self.runners[child.number]
        self.multi = len(self.runners) > 1

    def release_child(self, parent: Runner, child: Runner) -> None:
        """*child* may run from the clock of its parent on (the parent has the baton)."""
        self.moves += 1
        if self.on_edge is not None:
            self.on_edge("start", parent.host, child.host, None)
        if child.state == STARTING:
            self.set_ready(child, max(child.host.clock, parent.host.clock))

    def arrive(self, child: Runner) -> None:
        """The calling thread is *child*: wait for its first turn."""
        self._park(child)
        self._picked(child)

    def finish(self, r: Runner) -> None:
        """The thread of *r* ends: who joins it goes on, and so does the rest."""
        if r.state == ENDED or self.runners.get(r.number) is not r:
            return
        if not self.active:
            r.state = ENDED
            del self.runners[r.number]
            return
        self.own(r)
        r.state = ENDED
        r.token += 1
        self.away.pop(r.number, None)
        del self.runners[r.number]
        self._threads = [t for t in self._threads if t.runner is not r]
        self.moves += 1
        w = r.ended
        w.done, w.end = True, r.host.clock
        waiters, w.waiters = w.waiters, None
        for waiter in waiters or ():
            assert isinstance(waiter, HostThread)
            self.rouse(waiter.runner, w.end)
        if len(self.runners) <= 1:
            self.multi = False
        self.appoint()

    def take_over(self, r: Runner, child: Runner) -> None:
        """*r* has joined *child*: it knows what that did."""
        r.host.clock = max(r.host.clock, child.ended.end)
        if self.on_edge is not None:
            self.on_edge("join", child.host, r.host, None)

    def fork_child(self) -> None:
        """The process was forked, and this is the child: only the calling thread is left."""
        r = self.here.runner
        if r is None:
            self.active = False
            return
        self.after_fork(r)
        self._threads = [t for t in self._threads if t.runner is r]
        if self.sides and self.on_note is not None:
            self.on_note("fork-after-init", f"{r.host.name} forked a process whose simulator was in use")

    def spawn_service(self, sim: Any, body: Callable[[HostThread], None], name: str) -> None:
        """Start an engine-owned daemon thread that runs *body* as a host thread of *sim*."""
        from ascend_sim.runtime.thread_start import start_service

        start_service(self, sim, body, name)

