"""Host threads that run one at a time, in an order that only the program decides.

All attached threads of the process share one run token and one virtual time, whatever simulators they work with. One
thread alone drives the device itself and pays for none of this. ``patches/install.py`` makes the threads, locks, queues
and clocks of the standard library work in this group.

Each thread waits at a gate of its own, a real lock; who gives up the run token opens the gate of the one that is next.
Scheduling policy: the thread that gives it up decides, in a loop: the earliest of the next device event, the next
deadline and the next ready thread goes, in this order at equal times. Nothing depends on the operating system, except
while a thread is blocked there: then virtual deadlines keep the pace of real time. A thread that was blocked in the OS,
a foreign thread and a signal handler leave a message; the next thread that decides reads it.
"""

from __future__ import annotations

import threading
from _thread import allocate_lock
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ascend_sim.errors import SimulatedHang
from ascend_sim.machine.arrays import load
from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.threads import other_processes, wait_graph
from ascend_sim.runtime.threads.blocked_threads import Monitor, thread_state
from ascend_sim.runtime.threads.child_processes import WANTS_TO_RUN, ChildProcesses
from ascend_sim.runtime.threads.foreign_threads import ForeignThreads
from ascend_sim.runtime.threads.host_threads import (
    ENDLESS_POLLS,
    ENDLESS_WAITS,
    FOREVER,
    POLLS_WITHOUT_PROGRESS,
    DeviceSide,
    HostThread,
    HostThreads,
    ThreadFactory,
    finalizing,
    poll_step,
    thread_title,
)
from ascend_sim.runtime.threads.os_thread import (
    ENDED,
    OS_BLOCKED,
    READY,
    RUNNING,
    STARTING,
    WAITING,
    Here,
    JoinWait,
    Life,
    OSThread,
)
from ascend_sim.runtime.threads.other_processes import SLICE
from ascend_sim.runtime.threads.real_time import HANG_LOOKS, HANG_NS, IDLE_SECONDS, STUCK_NS, Pace, real_ns
from ascend_sim.runtime.threads.signal_handlers import HANDLERS
from ascend_sim.source.callsite import points_of

if TYPE_CHECKING:
    from types import FrameType

    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.scheduler import Awaitable, Reason

__all__ = ["DeterministicThreads"]

SLICE_WITH_THREADS: Final = 0.005
"""Real seconds of a wait for other processes while a thread of this one is blocked in the OS: it rings another bell."""
SLICE_NS: Final = 1_000_000
"""Virtual ns that a thread may run ahead of the others before an API call makes it yield."""
LOCK_NS: Final = 50
"""Virtual ns of an operation on a patched lock, so that a loop of nothing else comes to an end of its slice."""
LARGEST_LOCK_NS: Final = 100_000
"""Virtual ns of an operation on a patched lock in a loop that does nothing else."""
TOO_MANY_HANGS: Final = 100
"""A thread that swallows so many hangs stays blocked."""

Entry = tuple[int, int, int, OSThread]
"""(virtual ns, number, token, thread)"""

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


class DeterministicThreads(HostThreads):
    """The deterministic group of the process."""

    installed: ClassVar[DeterministicThreads | None] = None
    """The group for which the patches are in place: the one of the process."""

    def __init__(self, factory: ThreadFactory = HostThread) -> None:
        super().__init__(factory)
        self.here = Here()
        self.os_threads: dict[int, OSThread] = {}
        """The living threads by number."""
        self._threads: list[HostThread] = []
        """The host threads of all open simulators."""
        self._numbers = 0
        self._locks_named = 0
        self.patches: Any = None
        """What ``patches/install.py`` put in place for this group."""
        self.multi = False
        """More than one thread lives; as long as it is False nothing below is ever used, but for the clocks."""
        self.is_child = False
        """The process was forked with the group in it."""
        self.active = True
        self.now = 0
        """The latest virtual time (ns) that was decided on."""
        self.epoch = 0
        """Virtual ns of former simulators, for clocks that must not go back."""
        self.date_ns: int | None = None
        """The date at virtual time 0 (ns since 1970), set before the patches are installed; None: the real one then."""
        self.pace = Pace()
        # the run token
        self.holder: OSThread | None = None
        self.vacant = True
        """Nobody has the run token, and nobody is there to decide: whoever comes takes it."""
        self._mutex = allocate_lock()
        # the scheduling policy
        self._ready: list[Entry] = []
        self._deadlines: list[Entry] = []
        self.lazy = False
        """A schedule reorders device steps: ready threads go first whatever their clocks."""
        self.moves = 0
        """Counts what could change the answer to a poll."""
        self.driving = False
        self._stop = Signal()
        # messages from threads without the run token
        self._messages: deque[tuple[str, OSThread]] = deque()
        self._bell = allocate_lock()
        self._bell.acquire()
        self.idle = False
        HANDLERS.groups.add(self)
        # threads blocked in the OS, and foreign ones
        self.monitor: Monitor | None = None
        """Sees who sleeps where the group cannot see it; made when a second thread comes."""
        self.os_blocked: dict[int, int] = {}
        """Threads that are blocked in the OS, by number, and since when (real ns)."""
        self._idle_since = self._stuck_since = self._idle_looks = 0
        self._reported_stuck: set[int] = set()
        """The numbers of the threads that `report_stuck` has reported."""
        self._foreign = ForeignThreads()
        self._children = ChildProcesses()

    @property
    def ordered(self) -> bool:
        """Whether the library's threads and locks are this group's, so that all that orders threads is known."""
        return DeterministicThreads.installed is self

    # -- attaching -----------------------------------------------------------------------------------------------------

    def adopt(self) -> OSThread:
        """The `OSThread` of the calling thread; one that the group did not start is new, and waits for the run token."""
        r = self.here.os_thread
        if r is not None:
            return r
        main = threading.get_ident() == HANDLERS.main_thread
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
        if len(self.os_threads) > 1:
            rests = not self.multi
            if rests:
                self.set_multi(True)
            if self.monitor is None:
                self.monitor = Monitor(self)
            if rests or not self.monitor.started:
                self.monitor.wake()
        return r

    def attach(self, sim: Runtime) -> HostThread:
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

    def close(self, sim: Runtime) -> None:
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

    def set_multi(self, multi: bool) -> None:
        """More than one thread lives, or only one."""
        if multi:
            load()  # from now on locks are told of, those of imports among them: who hears of one must import nothing
        self.multi = self.locked = multi
        self.running = None
        if multi and self.holder is not None:
            self.holder.inside = 0
            self.new_slice(self.holder, self.holder.host.clock)

    # -- API calls -----------------------------------------------------------------------------------------------------

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
        if not r.inside and (t.clock > r.slice_end or self._messages):
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
            if self.others and not self.multi and self._wait_for_another_process(t, w, deadline, why):
                return True
            if deadline is None:
                self._let_foreign_threads_come(t)
            if not self.multi:
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

    def _wait_for_another_process(self, t: HostThread, w: Awaitable, deadline: int | None, why: Reason | None) -> bool:
        """One thread alone, and another process may end its wait; whether *w* is done. Time is real meanwhile."""
        scheduler, limit = t.scheduler, FOREVER if deadline is None else deadline
        t.awaited, t.why, t.deadline = w, why, deadline
        try:
            while not self.multi and other_processes.awaited(self.others):
                self.pace.begin(max(t.clock, scheduler.now))
                other_processes.look(self.others)
                scheduler.run(limit, w)
                left = SLICE if deadline is None else self.pace.left(deadline) / 1e9
                if w.done or left <= 0 or any(one.hopeless() for one in self.others):
                    break
                if scheduler.heap and scheduler.heap[0][0] <= limit:
                    continue
                other_processes.wait(self.others, min(left, SLICE))
                if HANDLERS.pending:
                    self.run_signals(t.os_thread)
            scheduler.run(limit, w)
        finally:
            t.awaited = t.why = t.deadline = None
            self._keep_or_end_pace()
        if w.done:
            t.clock = max(t.clock, w.end)
            scheduler.run(t.clock, None)
        return w.done

    def _keep_or_end_pace(self) -> None:
        """Virtual time is free again, unless something outside still needs time."""
        if not self.os_blocked and not self._needs_real_time():
            self.pace.end()

    def _needs_real_time(self) -> bool:
        """Whether another process of the run is there for which deadlines must not come faster than in real time."""
        return (self.company is not None and self.company()) or other_processes.awaited(self.others)

    def _let_foreign_threads_come(self, t: HostThread) -> None:
        """One thread alone would wait for ever: let real time pass until one that nobody knows calls, or all of them stand.

        The wait itself is the same however long that takes.
        """
        while not self.multi and self.foreign_threads_act():
            self.let_idle(IDLE_SECONDS)
            if HANDLERS.pending:
                self.run_signals(t.os_thread)

    def _stuck(self, t: HostThread, w: Awaitable, deadline: int | None, why: Reason | None) -> bool:
        """One thread alone, and its device has nothing more to do until *deadline*."""
        t.awaited, t.why, t.deadline = w, why, deadline
        try:
            if deadline is None:
                t.clock = max(t.clock, t.scheduler.now)  # until then the device did something
                lines = wait_graph.lines([t])
                self.say_deadlock([t], lines)
                raise SimulatedHang(self.words("\n".join(lines)))
            may = getattr(why, "may_time_out", False) or other_processes.awaited(self.others)
            if why is not None and not t.scheduler.heap and not may:
                self.say_deadlock([t], wait_graph.lines([t]))
        finally:
            t.awaited = t.why = t.deadline = None
        t.clock = max(t.clock, deadline)
        self._waited_in_vain(t.os_thread, why, ENDLESS_POLLS)
        return False

    def _waited_in_vain(self, r: OSThread, why: Reason | None, most: int) -> None:
        """The time-out of *r* is over. Again and again, and nothing can end such a wait: a hang like that of a poll."""
        if self.driving or why is None or (self.controller is not None and self.controller.decides):
            return
        t = r.host
        if self.moves != r.poll_moves:
            r.poll_moves = self.moves
            t.polls.clear()
        count = self.equal_polls(t, ("time-out", why.describe()))
        if (
            (count >= most or (most == ENDLESS_POLLS and self._endless(count)))
            and self.next_time(r) is None
            and not self.others_can_act(r)
            and not self.foreign_threads_act()
        ):
            wait_graph.report_endless_poll(t, None, count, why)

    def _endless(self, count: int) -> bool:
        """Whether *count* equal polls are too many; fewer are when only time-outs have come for long."""
        return count >= ENDLESS_POLLS or (count >= POLLS_WITHOUT_PROGRESS and self.pace.no_progress())

    def next_lock_name(self) -> str:
        """Names for locks in the order in which reports mention them."""
        self._locks_named += 1
        return f"lock L{self._locks_named}"

    # -- threads that the group starts ---------------------------------------------------------------------------------

    def new_child(self, parent: OSThread, title: str, daemon: bool) -> OSThread:
        """A place for a thread that *parent* starts now; its number and clock are fixed here.

        Raises RuntimeError when the operating system has no thread for the monitor.
        """
        child = self._new_os_thread(f"T{self._numbers}{f' ({title})' if title else ''}", parent.host.clock)
        assert self.monitor is not None
        if not self.monitor.started:
            self.abandon(child)
            raise RuntimeError("can't start new thread")
        child.daemon = child.host.daemon = daemon
        return child

    def abandon(self, child: OSThread) -> None:
        """Its operating-system thread could not be started, or ended before it had begun."""
        child.state = ENDED
        child.ended.done, child.ended.end = True, child.host.clock
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
        """The calling thread is *child*: wait until it gets the run token for the first time."""
        self._park(child)
        self._resume(child)
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
        for number in self.os_blocked:
            spinning = self.os_threads[number].spun
            if spinning is not None:
                spinning.setdefault(r, -1)
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

    def note_end(self, r: OSThread, child: OSThread, kind: str = "join") -> None:
        """*r* has joined *child*: it knows what that did. *kind* ``ended``: it has only seen that it ended."""
        r.host.clock = max(r.host.clock, child.ended.end)
        if self.controller is not None:
            self.controller.thread_joined(r, child)
        if self.on_edge is not None:
            self.on_edge(kind, child.host, r.host, None)

    def spawn_service(
        self, sim: Runtime, body: Callable[[HostThread], None], name: str, work: Callable[[], bool] | None = None
    ) -> None:
        """Start an engine-owned daemon thread that runs *body* as a host thread of *sim*."""
        from ascend_sim.runtime.threads.start import start_service

        start_service(self, sim, body, name, work)

    # -- states of a thread --------------------------------------------------------------------------------------------

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

    def wake(self, t: HostThread, time: int) -> None:
        """What *t* waits for happened at virtual *time* (ns)."""
        self.wake_thread(t.os_thread, time)

    # -- the run token -------------------------------------------------------------------------------------------------

    def take_token(self, r: OSThread) -> None:
        """*r* uses the group: it has the run token afterwards."""
        r.operations += 1
        if self.holder is not r:
            self._rejoin(r)

    def reschedule(self, r: OSThread) -> None:
        """*r* is ready or waits: run the scheduling policy and hand the run token over, until *r* has it again."""
        following = self._next(r)
        if following is not r:
            self._hand_token_to(following)
            self._park(r)
        self._resume(r)

    def _park(self, r: OSThread) -> None:
        r.parked = True
        try:
            self._wait_for_token(r)
        finally:
            r.parked = False

    def _wait_for_token(self, r: OSThread) -> None:
        """Block until *r* is granted the run token; decide for others meanwhile, when it is woken for that."""
        while True:
            try:
                r.gate.acquire()
            except BaseException:  # a signal handler raised
                r.granted = False
                if self.holder is r:  # the run token came at the same moment
                    r.gate.acquire(False)
                else:  # the thread leaves the group and comes back later
                    self.mark_os_blocked(r)
                raise
            if r.granted:
                r.granted = False
                return
            following = self._next(r)
            if following is r:
                return
            self._hand_token_to(following)

    def _resume(self, r: OSThread) -> None:
        """*r* has the run token and runs on, at its clock or at the time at which it became ready."""
        r.state = RUNNING
        self.new_slice(r, r.key)
        r.host.clock = max(r.host.clock, r.key)

    def new_slice(self, r: OSThread, clock: int) -> None:
        """From virtual *clock* (ns) on, *r* may run ahead of the others for a while."""
        decides = self.controller is not None and self.controller.decides
        r.slice_end = FOREVER if decides else clock + SLICE_NS
        r.cost = LOCK_NS

    def _hand_token_to(self, r: OSThread) -> None:
        """Open the gate of *r*, which is the next to run."""
        if finalizing():
            raise SimulatedHang("the interpreter goes away: no other thread can run any more")
        r.granted = True
        self.holder = r
        r.gate.release()

    def pass_token(self) -> None:
        """Let a parked thread decide (the caller ends, or is the monitor); without any the run token is free."""
        with self._mutex:
            self.read_messages()
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
                self._resume(r)
                return
            self._messages.append(("join", r))
        self.wake_idle()
        self._park(r)
        self._resume(r)
        if HANDLERS.pending:
            self.run_signals(r)

    def _readmit(self, r: OSThread) -> None:
        """*r* is back: the real time for which it was away has passed for it, too."""
        since = self.os_blocked.pop(r.number, None)
        clock = max(r.host.clock, self.now)
        if since is not None and not (self.controller is not None and self.controller.decides):
            clock = max(clock, r.host.clock + real_ns() - since)
        if not self.os_blocked:
            self.pace.end()
        self._idle_since = 0
        if r.spun is not None:
            before, r.spun = r.spun, None
            self.note_end_of_spin(r, before)
        self.set_ready(r, clock)

    def steps_of_others(self) -> dict[OSThread, int] | None:
        """How many steps each thread but the calling one has made; None: nobody asks who knows what."""
        if not self.multi or self.on_edge is None:
            return None
        me = self.here.os_thread
        return {other: other.operations for other in self.os_threads.values() if other is not me}

    def note_end_of_spin(self, r: OSThread, before: dict[OSThread, int]) -> None:
        """*r* waited in a loop: it knows what those did that made a step since *before*, for one of them has ended that."""
        if self.on_edge is None or self.on_release is None:
            return
        for other in {**before, **dict.fromkeys(self.os_threads.values(), 0)}:
            if other is not r and other.operations != before.get(other):
                self.on_edge("poll", other.host, r.host, self.on_release(other.host))

    # -- messages from threads without the run token -------------------------------------------------------------------

    def post(self, r: OSThread) -> None:
        """Leave a message (without the run token, or in a signal handler): *r* is to test its wait again."""
        self._messages.append(("look", r))
        self.wake_idle()

    def wake_idle(self) -> None:
        """Wake the thread that sleeps in `_idle`, if there is one."""
        self._stop.done = True
        if self.idle:
            try:
                self._bell.release()
            except RuntimeError:
                pass  # rung already

    def has_messages(self) -> bool:
        """Whether a thread without the run token has left a message."""
        return bool(self._messages)

    def messages(self) -> list[tuple[str, OSThread]]:
        """What such threads want: ``join`` or ``look``, and who."""
        return list(self._messages)

    def read_messages(self) -> None:
        """Let threads that came back in (``join``), or whose wait may be over (``look``), be ready."""
        while self._messages:
            kind, r = self._messages.popleft()
            if kind == "join":
                self._readmit(r)
            elif r.state == WAITING:
                self.set_ready(r, max(r.host.clock, self.now))
            self.moves += 1

    def let_idle(self, seconds: float) -> None:
        """Nothing to decide: sleep until a message comes."""
        self.idle = True
        try:
            if not self._messages:
                self._bell.acquire(timeout=seconds)
        finally:
            self.idle = False

    # -- signal handlers -----------------------------------------------------------------------------------------------

    def run_signals(self, r: OSThread) -> None:
        """A safe point for Python signal handlers: they run in the main thread while it has the run token."""
        if r.ident != HANDLERS.main_thread:
            return
        inside, r.inside = r.inside, 0
        try:
            r.state = RUNNING
            r.token += 1
            HANDLERS.run()
        finally:
            r.inside = inside

    def signal_came(self, frame: FrameType | None) -> bool:
        """Let the calling thread look soon, when it waits or decides for others; it can be interrupted at its gate."""
        r = self.here.os_thread
        if r is None or not self.active or not (r.parked or r.state in (READY, WAITING)):
            return False
        self.post(r)
        return frame is not None and frame.f_code is DeterministicThreads._wait_for_token.__code__

    # -- the scheduling policy -----------------------------------------------------------------------------------------

    def _next(self, me: OSThread) -> OSThread:
        """Run device events and fire deadlines until a thread is next; that one is taken out of the heap."""
        if self.controller is not None and self.controller.decides:
            return self.controller.pick(me)
        stalled = False
        while True:
            if self._messages:
                self.read_messages()
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
                if (self.others or self.company is not None) and self._needs_real_time():
                    self.pace.begin(self.now)
                self.pace.catch_up(self.now)
                if self.pace.begun is not None and not self._may_fire(deadline):
                    continue
                heappop(self._deadlines)
                self.fire(late[3], deadline)
                stalled = False
            elif ready is not None:
                heappop(self._ready)
                self.now = max(self.now, clock)
                self._idle_since = 0
                return ready[3]
            elif self.others and self._idle_for_others():
                continue
            elif self.os_blocked:
                self.wait_for_os_blocked()
            else:
                self.break_hang()

    def _idle_for_others(self) -> bool:
        """Nothing here can run: let another process end a wait. False: none is waited for, or none can."""
        if not other_processes.awaited(self.others):
            return False
        if other_processes.look(self.others):
            return True
        if any(one.hopeless() for one in self.others):
            return False
        self._wait_for_others(SLICE)
        return True

    def _wait_for_others(self, seconds: float) -> None:
        """Sleep until a message comes, of a thread or of another process."""
        if self.os_blocked or self._messages:  # a thread may come back, and can only ring the bell
            self.let_idle(min(seconds, SLICE_WITH_THREADS))
        else:
            other_processes.wait(self.others, seconds)

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
            waiting = [r for r in self.os_threads.values() if r.state == WAITING and r.awaited is not None]
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
        self.pace.progress()
        return stop.done or self._stop.done or after is None or after > limit or (len(side.heap), after) != before

    def fire(self, r: OSThread, deadline: int) -> None:
        """The deadline of *r* (virtual ns) has come."""
        if r.awaited is None:
            deadline = self.pace.late(deadline, deadline - r.host.clock)
        self.now = max(self.now, deadline)
        why = r.host.why
        if why is not None and r.host.awaited is not None and not getattr(why, "may_time_out", False):
            nothing_else = _first(self._ready, READY) is None and _first(self._deadlines, WAITING) is None
            others = self.os_blocked or other_processes.awaited(self.others)
            if nothing_else and not others and not any(side.heap for side in self.sides):
                self.say_deadlock([r.host], wait_graph.lines(self.blocked()))
        r.timed_out = True
        self.set_ready(r, deadline)
        self.pace.fired(deadline)

    def _may_fire(self, deadline: int) -> bool:
        """Whether virtual *deadline* (ns) may fire while time is real; otherwise sleep towards it."""
        others = (bool(self.others) or self.company is not None) and self._needs_real_time()
        if not self.os_blocked and not others:
            self.pace.end()
        left = self.pace.left(deadline)
        if left <= 0:
            return True
        seconds = min(left / 1e9, IDLE_SECONDS)
        if not others or not self.others:
            self.let_idle(seconds)
        elif not other_processes.look(self.others):
            self._wait_for_others(seconds)
        return False

    # -- hangs ---------------------------------------------------------------------------------------------------------

    def blocked(self) -> list[HostThread]:
        """Those that wait, in a call or for each other."""
        return [r.host for r in self.os_threads.values() if r.state == WAITING and not r.given_up]

    def wait_for_os_blocked(self) -> None:
        """Only real time can go on. Threads blocked in the OS in a wait for other threads make it a hang."""
        if not self._idle_since:
            self._idle_since = self._stuck_since = real_ns()
            self._idle_looks = 0
        self.let_idle(IDLE_SECONDS)
        self._idle_looks += 1  # where the computer stood still, the threads have had no time either
        now = real_ns()
        if self._messages or now - self._idle_since < HANG_NS or self._idle_looks < HANG_LOOKS:
            return
        away = [self.os_threads[number] for number in self.os_blocked if number in self.os_threads]
        if all(wait_graph.waits_for_threads(wait_graph.innermost(r.ident)) for r in away):
            self._idle_since = 0
            if any(thread_state(r.native_id)[0] in WANTS_TO_RUN for r in away):
                return  # it comes as soon as it gets a processor
            self.break_hang()
            return
        if now - self._stuck_since > STUCK_NS:
            self.report_stuck(away)
        self._idle_since = now
        self._idle_looks = 0

    def report_stuck(self, away: Sequence[OSThread]) -> None:
        """The threads *away* have long been blocked in the OS, and the main thread waits for them: report each once.

        It is a note and no hang: a thread that waits for a network does come back.
        """
        main = self.os_threads.get(0)
        unreported = [r for r in away if r.number not in self._reported_stuck]
        if main is None or main.state != WAITING or main.deadline is not None or main.given_up or not unreported:
            return
        if self._children.quiet_ns() < STUCK_NS:  # a worker that starts or computes answers when it is ready
            return
        self._reported_stuck.update(r.number for r in unreported)
        names = " and ".join(r.host.name for r in unreported)
        does, come = ("stands", "comes") if len(unreported) == 1 else ("stand", "come")
        why = main.host.why
        wanted = why.describe() if why is not None else "another thread"
        self.note(
            "stuck-thread",
            f"{names} {does} outside the runtime, and {main.host.name} waits: if nothing {come} from there, "
            "the program never ends",
            *((f"{r.host.name} stands here", points_of(wait_graph.innermost(r.host.os_ident))) for r in unreported),
            (f"{main.host.name} waits for {wanted}", points_of(wait_graph.innermost(main.host.os_ident), 16)),
        )

    def foreign_threads_act(self) -> bool:
        """Whether threads that the group does not know may still end a wait."""
        return self._foreign.act({*Monitor.idents, *(r.ident for r in self.os_threads.values())}, younger_stand=True)

    def break_hang(self) -> None:
        """Nothing runs, nothing is due, no deadline: report it, and raise SimulatedHang in the victims."""
        if self.foreign_threads_act():
            self.let_idle(IDLE_SECONDS)
            return
        blocked = self.blocked()
        victims = wait_graph.victims(blocked)
        if not victims:
            self.let_idle(IDLE_SECONDS)
            return
        lines = wait_graph.lines(blocked)
        self.say_deadlock(victims, lines)
        for t in victims:
            r: OSThread = t.os_thread
            r.hangs += 1
            if r.hangs > TOO_MANY_HANGS and r.number:
                r.given_up = True
                continue
            r.hang = SimulatedHang(self.words("\n".join(lines)))
            self.set_ready(r, max(t.clock, self.now))

    # -- waiting and yielding ------------------------------------------------------------------------------------------

    def wait(self, r: OSThread, w: Awaitable | None, deadline: int | None, why: Reason | None) -> bool:
        """`block` for a thread that has the run token, also for waits that are no calls. *w* None: only time passes."""
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
                self.reschedule(r)
                self._raise_pending(r)
                if w is not None and w.done:
                    if w.end <= host.clock:
                        return True
                elif r.timed_out:
                    break
        finally:
            r.timed_out = False
            host.why = outer[4]
            if w is not None and not w.done and w.waiters and host in w.waiters:
                w.waiters = [waiter for waiter in w.waiters if waiter is not host] or None
            self._restore(r, outer)
        if w is not None and deadline is not None:
            self._waited_in_vain(r, why, ENDLESS_POLLS if host.awaited is w else ENDLESS_WAITS)
        return False

    def _restore(self, r: OSThread, outer: tuple[int, Awaitable | None, int | None, int, Any]) -> None:
        """Go back to the state of *r* before a wait: running; or deciding for others, while it waits or is ready itself."""
        if r.state == OS_BLOCKED:
            return
        state, r.awaited, deadline, key, _ = outer
        if state == RUNNING or not self.driving:
            r.token += 1
            r.state = RUNNING
        elif state == WAITING and not (r.awaited is not None and r.awaited.done):
            self.set_waiting(r, deadline)
        else:
            self.set_ready(r, max(key, r.host.clock))

    def yield_(self, r: OSThread) -> None:
        """Let everything run first that is earlier in virtual time than *r*."""
        if self.driving:
            return
        self.set_ready(r, r.host.clock)
        self.reschedule(r)
        self._raise_pending(r)

    def _raise_pending(self, r: OSThread) -> None:
        """Raise or run what others left for *r*, which has the run token now: a hang, signal handlers."""
        if r.hang is not None:
            hang, r.hang = r.hang, None
            raise hang
        if HANDLERS.pending:
            self.run_signals(r)

    def operation(self, r: OSThread) -> None:
        """*r* used a patched lock: that costs a little, and ends its slice when it does nothing else."""
        host = r.host
        host.clock += r.cost
        if self.controller is not None and self.controller.decides:
            return
        if host.clock > r.slice_end and not r.inside and not self.driving and r.state == RUNNING:
            cost = min(r.cost * 2, LARGEST_LOCK_NS)
            self.take_token(r)
            if self.lazy and cost == LARGEST_LOCK_NS:
                self.wait(r, None, host.clock + cost, None)  # only then a schedule that is in no hurry lets devices go
            else:
                self.yield_(r)
            r.cost = cost

    # -- polling -------------------------------------------------------------------------------------------------------

    def poll(
        self, t: HostThread, key: Hashable = None, pending: bool = True, final: Callable[[], bool] | None = None,
        until: Callable[[], bool] | None = None,
    ) -> None:
        """Run what is due at the clock of *t*; equal polls move the clock further and further."""
        if self.controller is not None and self.controller.decides:
            self.controller.poll(t, key, final or (lambda: not pending), until)
            return
        if not pending:
            key = None
        if self.multi:
            self._poll(t.os_thread, t, key)
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
                if self.others and self._poll_others(t, step):
                    return
                if self._endless(count):
                    wait_graph.report_endless_poll(t, key, count)
                t.clock += step
            else:
                t.clock = min(t.clock + step, due)
                if t.clock == due:
                    scheduler.run(due, None)

    def _poll_others(self, t: HostThread, step: int) -> bool:
        """A poll that only another process can answer otherwise: let real time pass. False: no other process lives."""
        if not any(one.others_live() for one in self.others):
            return False
        found = other_processes.look(self.others)
        if not found:
            other_processes.wait(self.others, min(step / 1e9, SLICE))
            found = other_processes.look(self.others)
        if found:
            t.polls.clear()
        t.clock += step
        t.scheduler.run(t.clock, None)
        return True

    def _poll(self, r: OSThread, t: HostThread, key: Hashable, endless: bool = True) -> None:
        self.take_token(r)
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
        due = self.next_time(r)
        if due is not None:
            step = min(step, max(due - t.clock, 0))
        elif self.others and self._poll_others(t, step):
            return
        elif endless and self._endless(count) and not self.others_can_act(r):
            wait_graph.report_endless_poll(t, key, count)
        if step:
            self.wait(r, None, t.clock + step, None)

    def ask(self, r: OSThread, key: Hashable) -> None:
        """A poll of the standard library (is the lock free, does the thread live): never a hang by itself."""
        r.operations += 1
        if not self.multi or self.driving or r.state == STARTING:
            return
        if self.controller is not None and self.controller.decides:  # it was asked before
            return
        if self.moves == r.poll_moves and key in r.host.polls:
            self._poll(r, r.host, key, endless=False)
        else:  # asked once: the program goes on with the answer
            r.poll_moves = self.moves
            r.host.polls.clear()
            self.equal_polls(r.host, key)

    def next_time(self, r: OSThread) -> int | None:
        """Virtual time (ns) of the next device event or of the next deadline of another thread; None: there is none."""
        others = [o.deadline for o in self.os_threads.values() if o is not r and o.state == WAITING]
        times = [side.next_time() for side in self.sides] + others
        return min((time for time in times if time is not None), default=None)

    def others_can_act(self, r: OSThread) -> bool:
        """Whether a thread but *r* does anything, or will without its help."""
        return bool(self.os_blocked) or any(
            o is not r and not (o.state == WAITING and o.deadline is None) for o in self.os_threads.values()
        )

    # -- sleeping ------------------------------------------------------------------------------------------------------

    def sleep(self, t: HostThread, ns: int) -> None:
        """Let *ns* of virtual time pass for *t*."""
        self.sleep_os_thread(t.os_thread, ns)

    def sleep_os_thread(self, r: OSThread, ns: int) -> None:
        """Let *ns* of virtual time pass for *r*."""
        host = r.host
        if self.controller is not None and self.controller.before_sleep(r, ns):
            return
        if self.multi:
            self.take_token(r)
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
        if not busy and (self.others or self.company is not None) and self._needs_real_time():
            self.pace.begin(max(self.now, host.clock))
        self.pace.catch_up(max(self.now, host.clock))
        host.clock = self.now = max(until, self.now)
        if busy:
            self.pace.progress()
            return
        self.pace.fired(until)
        if self.pace.begun is not None:
            while not self._may_fire(until):
                if HANDLERS.pending:
                    self.run_signals(host.os_thread)

    # -- forks ---------------------------------------------------------------------------------------------------------

    def fork_child(self) -> None:
        """The process was forked, and this is the child: only the calling thread is left."""
        r = self.here.os_thread
        if r is None:
            self.active = False
            return
        self.after_fork(r)
        self._threads = [t for t in self._threads if t.os_thread is r]
        self.monitor = None
        self.is_child = True
        r.host.call = ""  # none of this process
        if self.sides:
            self.forked(r.host)

    def after_fork(self, r: OSThread) -> None:
        """In the child of a fork only *r* lives."""
        for other in self.os_threads.values():
            if other is not r:
                other.state = ENDED
                other.ended.done = True
        self.os_threads = {r.number: r}
        r.gate = allocate_lock()
        r.gate.acquire()
        r.granted = r.parked = False
        r.state = RUNNING
        r.begin()
        self.holder, self.vacant, self.active = r, False, True
        self.set_multi(False)
        self.os_blocked.clear()
        self.forget_queues()
        self._messages.clear()
        self._mutex = allocate_lock()
        self._bell = allocate_lock()
        self._bell.acquire()
        self.idle = False
        self.pace = Pace()


def _first(heap: list[Entry], state: int) -> Entry | None:
    """The first entry of *heap* that still holds; stale ones are dropped."""
    while heap:
        entry = heap[0]
        r = entry[3]
        if r.token == entry[2] and r.state == state:
            return entry
        heappop(heap)
    return None
