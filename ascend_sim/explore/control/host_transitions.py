"""Host transitions: steps of several host threads. The group of threads asks here who goes on, whenever one could lose
the run token.

A thread stops before each API call, each operation on what it shares with others (a lock, a queue, an event, a semaphore
of the library), and each poll that is repeated. What its next step needs (a free lock, an item, room in a stream) decides
whether it is enabled: so no step is ever taken in vain, and a lock changes hands in one step. A poll that is repeated in
vain is enabled again when its answer can be another (`polls.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.control.aborts import looks_at, mode_key, tasks_key
from ascend_sim.explore.control.polls import (
    ANY_HOST,
    SPINS,
    IdleSteps,
    PollRow,
    changed,
    has_progressed,
    idle_steps,
    others_moved,
    same_lines,
)
from ascend_sim.explore.control.returning_threads import ReturningThreads
from ascend_sim.explore.control.stable_ids import MAIN, LockIds
from ascend_sim.explore.search.dependence import (
    END,
    POLL,
    PUT,
    READ,
    SUBMIT,
    TAKE,
    UNLOCK,
    WORDS,
    WRITE,
    Item,
    was_possible,
)
from ascend_sim.explore.search.dpor import Blocked
from ascend_sim.runtime.scheduler import FOREVER, TIMER
from ascend_sim.runtime.stream_waits import Room, StreamWait
from ascend_sim.runtime.threads import wait_graph
from ascend_sim.runtime.threads.controller import Controller
from ascend_sim.runtime.threads.host_threads import ENDLESS_POLLS
from ascend_sim.runtime.threads.os_thread import READY, STARTING, WAITING, OSThread
from ascend_sim.runtime.threads.patches.locks import nanoseconds
from ascend_sim.source.callsite import points_of

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.scheduler import Awaitable
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["ASKS", "RESUME", "HostTransitions", "Transition"]

RESUME = ("goes on", ())
ASKS = ("asks", ())
SLEEP = ("sleep", ())
SLEEPS = 10
"""A thread that slept so often, and made progress between, lets others go first, too."""
VAIN = 10_000
"""So many polls in vain when nothing else can happen are a hang,"""
VAIN_STEPS = 1_000
"""and so are so many steps, when threads poll in turn,"""
VAIN_SPINS = 50_000
"""or so many of a thread that spins."""
POLLED = {
    "flag": "Event.is_set", "end": "Thread.is_alive", "lock": "a lock or a queue", "items": "a queue",
    "semaphore": "a semaphore",
}  # fmt: skip
"""What a thread polls, in words, by the kind of what the poll is about."""


@attrs.define
class Transition:
    """The next step of a thread: what made it possible, what it is, and what must hold when it is taken."""

    causes: tuple[int, ...]
    call: tuple[Any, ...]
    can: Callable[[], bool] | None = None
    """What must hold; None: nothing."""
    items: tuple[Item, ...] = ()
    """What it touches first, for when it never can."""
    deadline: int | None = None
    """The virtual time (ns) until which it waits for that."""
    poll: bool = False
    """It only polls again, which it may do in vain when nothing else is enabled."""
    about: Hashable = None
    """What that is about."""
    woken: bool = False
    """It has waited, and what it waited for has happened."""

    def enabled(self) -> bool:
        """Whether it can be taken now."""
        return self.can is None or self.can()


class HostTransitions(Controller):
    """The controller of a deterministic group during one run, with all that its threads do to what they share."""

    decides = True

    def __init__(self, schedule: ControlledSchedule, group: DeterministicThreads) -> None:
        self.schedule = schedule
        self.group = group
        self.active = False
        """A second thread was started: from now on it matters what threads share."""
        self.over = False
        """The run has ended, threads that are left are sent away: nothing is recorded."""
        self._silent = 0
        """The library is at work for the step that runs: the locks that it takes are no steps."""
        self._names: dict[int, str] = {}
        self.started: set[str] = set()
        """The names of the threads that the program has started."""
        self._gone: dict[int, str] = {}
        """The names of threads that have ended, by their numbers in the operating system."""
        self._children: dict[str, int] = {}
        self._lock_ids = LockIds()
        self._returning = ReturningThreads(group)
        self._next: dict[OSThread, Transition] = {}
        self._moves = 0
        """Counts the steps that were more than polls."""
        self._idle = IdleSteps(schedule)
        self._vain: dict[OSThread, int] = {}
        """For a thread that polled in vain, how many of them there were then."""
        self._vain_polls = 0
        """How many polls in vain there were in a row when nothing else could happen."""
        self._polls: dict[OSThread, PollRow] = {}
        self._spins: dict[OSThread, tuple[int, int]] = {}
        """How many steps a thread has taken in a row, and the place of the last."""
        self._sleeps: dict[OSThread, tuple[int, int]] = {}
        """Where a thread slept last, and how often it had since anybody else did anything."""
        self._failed: dict[OSThread, tuple[Any, int]] = {}
        """The call of a thread that failed, if that was its last step, and its place."""
        self._repeated = False
        """The poll was no step: nothing has happened since it was answered in vain."""
        if not group.multi:  # entries of threads that are gone
            group.forget_queues()

    # -- names -------------------------------------------------------------------------------------------------------

    def name(self, r: OSThread | None) -> str:
        """A thread by its parent and how many that had started before."""
        return MAIN if r is None else self._names.get(r.number, MAIN)

    def name_of(self, t: HostThread | None) -> str:
        """The name of a host thread of the simulator."""
        return MAIN if t is None or t.os_thread is None else self._names.get(t.os_thread.number, MAIN)

    def object_made(self, thing: Any) -> None:
        """A lock or a queue was made."""
        if not self.over:
            self._lock_ids.made(thing, self.name(self.group.here.os_thread))

    def label(self, thing: Any) -> str:
        """The name of a lock or a queue."""
        return self._lock_ids.of(thing, self.name(self.group.here.os_thread))

    # -- threads -----------------------------------------------------------------------------------------------------

    def thread_started(
        self, parent: OSThread, child: OSThread, service: str = "", work: Callable[[], bool] | None = None
    ) -> None:
        """*parent* has started *child*, or had to start it for *service*, which begins when there is *work*."""
        if self.over:
            return
        parents = service or self.name(parent)
        number = self._children[parents] = self._children.get(parents, 0) + 1
        name = self._names[child.number] = f"thread {number}" if parents == MAIN else f"{parents}.{number}"
        if not service:
            self.started.add(name)
        self._next[child] = Transition((self.schedule.place,), ("begins", ()), work)
        self.active = True

    def thread_ended(self, r: OSThread) -> None:
        """*r* does its last step now."""
        if not self.over:
            self._gone[r.ident] = self.name(r)
            self.schedule.touch(Item(("end", self.name(r)), END))

    def last_of_main(self) -> None:
        """The program's last line was reached: the engine's own threads still do what they have been given."""
        r, runners = self.group.here.os_thread, self.group.os_threads
        if r is not None and (
            self.schedule.sim.on_fault is not None or any(other.service for other in runners.values())
        ):
            self.offer(r, Transition((), ("ends", ()), self._quiet))

    def _quiet(self) -> bool:
        """Neither the device nor a thread of the engine's own can go on."""
        return not self.schedule.ready() and not any(
            r.service and r.state == READY and self._can(r) for r in self.group.os_threads.values()
        )

    def thread_joined(self, r: OSThread, child: OSThread) -> None:
        """*r* has seen *child* end."""
        place = self.schedule.last_places.get(self.name(child))
        if place is not None and not self.over and self.name(r) in self.schedule.last_places:
            self.schedule.wait_returned(place)

    def thread_woken(self, r: OSThread) -> None:
        """What *r* waits for happened in the step that runs now."""
        if r not in self._next:
            self._next[r] = Transition((self.schedule.place,), RESUME, woken=True)

    # -- where a thread stops ----------------------------------------------------------------------------------------

    def _reschedule(self, r: OSThread, step: Transition) -> None:
        """*r* stops before *step*: let others go first as the strategy says."""
        group = self.group
        if not group.multi or group.driving or self.over:
            if not self.over and not group.driving:
                self.schedule.alone(self.name(r), step)
            return
        limit = self.schedule.limit
        limit.left = left = limit.left - 1
        if left < 0:
            limit.check()
        group.take_token(r)
        self._next[r] = step
        group.yield_(r)

    def go_on(self, step: Transition) -> None:
        """As `offer`, for the calling thread, which is not alone any more."""
        r = self.group.here.os_thread
        if r is not None:
            self._reschedule(r, step)

    def before_wait(self, r: OSThread, w: Awaitable) -> None:
        """*r* begins to wait for *w* in a call."""
        schedule = self.schedule
        self.binds(w)
        if isinstance(w, StreamWait):
            if w.done:
                self._next[r] = Transition((schedule.tasks.ended.get(w.task, schedule.place),), RESUME, woken=True)
        elif isinstance(w, Room):
            self._next[r] = self._room(w.stream)

    def binds(self, w: Awaitable) -> None:
        """A wait for a stream binds to the last task there."""
        if isinstance(w, StreamWait) and w.for_empty and self.active:
            self.schedule.touch(Item(("last", self.schedule.ids.of(w.stream)), POLL))
            self.looks_for_tasks(w.stream)

    def before_record_lookup(self, event: Any) -> None:
        """The call that runs now refers to the latest record of *event*."""
        if self.active and not self.over:
            self.schedule.touch(Item(("slot", self.schedule.ids.of(event)), READ))

    def before_record_test(self, record: Task) -> None:
        """Whether *record* is done decides what the call that runs now answers."""
        if not self.over and not self.schedule.finished:
            test = was_possible if self.schedule.poll_repeats else None
            self.schedule.touch(Item(("done", self.schedule.ids.task(record)), POLL, 0, 1, None, test))

    def before_submit(self, t: HostThread, stream: Stream) -> bool:
        """Thread *t* is about to queue something in *stream*: a step of its own where the queue gets full.

        Returns whether others may have come between.
        """
        schedule = self.schedule
        if not self.active or self.over or schedule.finished or self.group.driving:
            return False
        name = schedule.ids.of(stream)
        if name not in schedule.relevant:
            if len(stream.queue) >= stream.depth:
                schedule.known_state.add_relevant(name)
            return False
        schedule.withdraw(ANY_HOST)
        self.offer(t.os_thread, self._room(stream))
        return True

    def _room(self, stream: Stream) -> Transition:
        """The step of a thread that needs room in *stream*."""
        item = Item(("queue", self.schedule.ids.of(stream)), SUBMIT)
        return Transition((), RESUME, lambda: len(stream.queue) < stream.depth, (item,))

    def moved(self) -> None:
        """The device did something, a time limit came, or a thread made progress."""
        self._moves += 1
        self._vain_polls = 0

    def repeats_poll(self, r: OSThread) -> None:
        """*r* repeats a poll whose answer cannot have changed, since nothing else is enabled."""
        self._vain[r] = self._moves
        self._vain_polls += 1

    # -- what the runtime tells of the step that runs ---------------------------------------------------------------

    def _listens(self) -> bool:
        return not self.over and not self.schedule.finished

    def _matters(self, key: str) -> None:
        """A step writes the setting *key*: from the next search on it is relevant, and steps that read it touch it."""
        schedule = self.schedule
        if key not in schedule.relevant:
            schedule.known_state.add_relevant(key)
        schedule.touch(Item(("setting", key), WRITE))

    def before_drop(self, stream: Stream, tasks: tuple[Task, ...]) -> None:
        """What runs now drops *tasks*, all or the first of *stream*, or would if they were still there."""
        schedule = self.schedule
        if self._listens():
            name = schedule.ids.of(stream)
            self._matters(tasks_key(name))
            if tasks:
                schedule.tasks.drop(tasks[0], schedule.last_places.get(name, -1), schedule.place)
            for task in tasks:
                schedule.ended(task, stream)

    def before_host_task_ends(self, task: Task) -> None:
        """What runs now ends *task*, of which a function of the host was part; if nobody has dropped it."""
        schedule = self.schedule
        if self._listens():
            if schedule.relevant:
                schedule.touch_all(looks_at(schedule, task))
            if not task.over():
                schedule.ended(task, task.stream)

    def before_work_given(self, work: Any) -> None:
        """What runs now gives something to do to the thread that serves *work*."""
        if self._listens():
            self.schedule.touch(Item(self._work(work), PUT, 0, 1, bool(work.pending)))

    def before_work_taken(self, work: Any) -> None:
        """What runs now looks for something to do, or has waited for it."""
        if self._listens():
            self.schedule.touch(Item(self._work(work), TAKE, 0, 1, bool(work.pending)))
            if "exception-callbacks" in self.schedule.relevant:
                self.schedule.touch(Item(("setting", "exception-callbacks"), READ))

    def _work(self, work: Any) -> Hashable:
        """The key of what waits for a thread: that of a context, of one that serves, of the process."""
        if hasattr(work, "context"):
            return "work", self.schedule.ids.of(work.context)
        if hasattr(work, "thread_id"):
            served = (t for t in self.group.attached() if t.os_ident == work.thread_id)
            t = next(served, None)
            return "work", self.schedule.ids.thread(t) if t is not None else self._gone.get(work.thread_id, "nobody")
        return "work", "exceptions"

    def before_context_changes(self, context: Context) -> None:
        """Whether *context* works is about to change, or what happens to it when a task fails."""
        if self._listens():
            self._matters(mode_key(self.schedule.ids.of(context)))

    def looks_for_tasks(self, stream: Stream) -> None:
        """What happens now depends on which tasks *stream* has."""
        schedule = self.schedule
        if schedule.relevant:
            key = tasks_key(schedule.ids.of(stream))
            if key in schedule.relevant:
                schedule.touch(Item(("setting", key), READ))

    def before_context_check(self, context: Context) -> None:
        """What happens now depends on whether *context* works."""
        schedule = self.schedule
        if schedule.relevant:
            key = mode_key(schedule.ids.of(context))
            if key in schedule.relevant:
                schedule.touch(Item(("setting", key), READ))

    # -- operations --------------------------------------------------------------------------------------------------

    def watches(self) -> bool:
        """Whether what the calling thread does now is a step."""
        r = self.group.here.os_thread
        return (
            r is not None and self.active and not self.over and not self._silent
            and r.state != STARTING and not self.group.driving
        )  # fmt: skip

    def atomically(self, real: Callable[..., Any], *args: Any) -> Any:
        """Call *real* as a part of the step that runs."""
        self._silent += 1
        try:
            return real(*args)
        finally:
            self._silent -= 1

    def _caller(self) -> OSThread:
        r = self.group.here.os_thread
        assert r is not None
        return r

    def before_operation(
        self,
        what: str,
        kind: str,
        thing: Any,
        state: Callable[[], Any],
        can: Callable[[], bool] | None = None,
        timeout: float | None = None,
        test: Callable[..., bool] | None = None,
    ) -> None:
        """The calling thread is about to do *what* (`dependence.WORDS`) to *thing*.

        *state*: what is kept of the object for those who wait for it. *can*: what the thread waits for, at most for
        *timeout* (s), and *test* whether that held in a kept state.
        """
        r = self._caller()
        deadline = None if timeout is None else r.host.clock + nanoseconds(timeout)
        item = Item((kind, self.label(thing)), WORDS[what], 0, 1, None, None if can is None else test or was_possible)
        self.offer(r, Transition((), (what, ()), can, () if can is None else (item,), deadline))
        self.schedule.touch(item._replace(before=state()))

    def before_acquire(self, lock: Any, blocking: bool, timeout: float) -> None:
        """The calling thread is about to take *lock*."""
        if not self.watches():
            return
        free = lock.free
        if blocking and timeout != 0:
            self.before_operation("lock", "lock", lock, free, free, None if timeout < 0 else timeout)
        else:
            self.before_poll("lock", "lock", lock, free, free)

    def lock_released(self, lock: Any) -> None:
        """The running thread gives *lock* back: no step of its own."""
        if self.active and not self.over and not self._silent:
            self.schedule.touch(Item(("lock", self.label(lock)), UNLOCK, 0, 1, False))

    def before_put(self, fifo: Any) -> None:
        """The calling thread is about to put something into *fifo*."""
        if self.watches():
            self.before_operation("put", "items", fifo, fifo.filled)

    def before_get(self, fifo: Any, blocking: bool, timeout: float | None) -> None:
        """The calling thread is about to take something out of *fifo*."""
        if not self.watches():
            return
        if blocking and (timeout is None or timeout > 0):
            self.before_operation("take", "items", fifo, fifo.filled, fifo.filled, timeout)
        else:
            self.before_poll("take", "items", fifo, fifo.filled, fifo.filled)

    def before_qsize(self, fifo: Any) -> None:
        """The calling thread polls how much is in *fifo*."""
        if self.watches():
            self.before_poll("lock", "items", fifo, fifo.filled, fifo.filled)

    def loop_woken(self, sleeper: OSThread | None, woken: Callable[[], bool]) -> None:
        """The running thread ends the sleep of an event loop, in *sleeper*, or its next one: no step of its own."""
        if self.active and not self.over and not self._silent and sleeper is not None:
            self.schedule.touch(Item(("wake-up", self.name(sleeper)), PUT, 0, 1, woken()))

    def before_select(self, woken: Callable[[], bool], timeout: float | None) -> None:
        """The event loop of the calling thread looks what others want of it; it waits for that at most *timeout* (s)."""
        if not self.watches():
            return
        r = self._caller()
        item = Item(("wake-up", self.name(r)), TAKE)
        step = Transition((), ("take", ()))
        if timeout is None or timeout > 0:
            item = item._replace(test=was_possible)
            deadline = None if timeout is None else r.host.clock + nanoseconds(timeout)
            step = Transition((), ("take", ()), woken, (item,), deadline)
        self.offer(r, step)
        self.schedule.touch(item._replace(before=woken()))

    # -- polls -------------------------------------------------------------------------------------------------------

    def before_poll(
        self,
        what: str,
        kind: str,
        thing: Any,
        state: Callable[[], Any],
        good: Callable[[], bool],
        test: Callable[..., bool] | None = None,
    ) -> None:
        """The calling thread is about to do *what* to *thing*, and may do it again until the answer is *good*: a poll."""
        test = test or was_possible
        name = self.name(thing) if isinstance(thing, OSThread) else self.label(thing)
        item = Item((kind, name), WORDS[what], 0, 1, None, test)
        asked = points_of(sys._getframe(1))
        again = self.poll_step(self._caller(), (what, ()), item.key, (item,), good, site=asked)
        if not self._repeated:
            self.schedule.touch(item._replace(before=state(), test=test if again else None))

    def before_is_alive(self, child: OSThread) -> None:
        """The calling thread polls whether *child* lives."""
        if self.watches():
            self.before_poll("end", "end", child, lambda: None, lambda: child.ended.done)

    def poll_step(
        self,
        r: OSThread,
        call: tuple[Any, ...],
        key: Hashable,
        items: tuple[Item, ...],
        good: Callable[[], bool],
        free: bool = False,
        site: object = None,
        until: Callable[[], bool] | None = None,
    ) -> bool:
        """The step of a poll; whether it repeats one, with no progress between, and now waits for a *good* answer.

        *free*: the first time it is no step of its own. *site*: from where it is asked. *until*: what it waits for when that
        is not the answer.
        """
        row = self._row(r)
        again = key == row.key and any(same_lines(site, one) for one in row.sites)
        if again:
            self.offer(r, Transition((), call, until or good, items, None, True, key))
        elif not free:
            self.offer(r, Transition((), call))
        row.last = self.schedule.place
        if good():
            row.key = None
        elif key != row.key:
            row.key, row.sites = key, [site]
        elif not again:
            row.sites.append(site)
        return again

    def before_sleep(self, r: OSThread, ns: int) -> bool:
        """Sleeping lets others go first; a second time, with nothing but polls between, what they looked at must change."""
        if not self.active:
            return False
        r.host.clock += max(ns, 1)
        if self.watches():
            self._sleep(r)
        return True

    def _sleep(self, r: OSThread) -> None:
        me, row = self.name(r), self._row(r)
        since, (last, count) = row.slept, self._sleeps.get(r, (-1, 0))
        count = 0 if others_moved(self.schedule, me, last) else count + 1
        if since >= 0:
            self.offer(r, Transition((), SLEEP, lambda: changed(self.schedule, me, since), (), None, True))
        elif count > SLEEPS:
            self.offer(r, Transition((), SLEEP, lambda: others_moved(self.schedule, me, last), (), None, True))
        else:
            self.offer(r, Transition((), SLEEP))
        row.last = row.slept = self.schedule.place
        self._sleeps[r] = self.schedule.place, count

    def other(self, r: OSThread) -> None:
        """*r* does something else than poll: its next poll is a new one."""
        if r in self._polls:
            self._polls[r].key = None

    def _row(self, r: OSThread) -> PollRow:
        """What *r* has polled in a row."""
        row = self._polls.get(r)
        if row is None or has_progressed(self.schedule, self.name(r), row.last):
            row = self._polls[r] = PollRow(self.schedule.place)
        return row

    def failed(self, r: OSThread | None) -> None:
        """The call that runs has failed: the same one fails again until what it looked at is another.

        Not so those that found a time over, or a task: their answer may come from a stream.
        """
        if r is not None:
            self._failed[r] = self.schedule.step.call, self.schedule.place

    def calls(self, r: OSThread, call: tuple[Any, ...]) -> None:
        """*r* is about to call: `offer`, in short for the only thread there is, when it neither spins nor has failed."""
        group, schedule = self.group, self.schedule
        count, last = self._spins.get(r, (0, -1))
        if group.multi or group.driving or self.over or count >= SPINS or r in self._failed:
            self.offer(r, Transition((), call))
            return
        self._repeated = False
        if schedule.place != last:
            count = 0
        schedule.call_alone(self.name(r), call)
        self._spins[r] = count + 1, schedule.place

    def offer(self, r: OSThread, step: Transition) -> None:
        """*step* is the next transition of *r*; return when the strategy has chosen it. A spinning thread is disabled."""
        if step.poll and self._vain.get(r) == self._moves and not step.enabled() and self._nothing_but(r):
            self._vain_polls += 1  # it would be the same step again and again
            self._repeated = True
            self._report_if_endless(r, step)
            return
        self._repeated = False
        count, last = self._spins.get(r, (0, -1))
        spun = False
        failed = self._failed.get(r)
        if (
            failed is not None
            and failed[0] == step.call
            and not step.poll
            and not has_progressed(self.schedule, self.name(r), failed[1])
        ):
            me, since = self.name(r), failed[1]
            step.can = lambda: changed(self.schedule, me, since, True)
            step.poll = spun = True
        if not step.poll:
            me, schedule = self.name(r), self.schedule
            if schedule.place != last or schedule.step.process != me:  # others came between
                count = 0
            elif count >= SPINS:
                count = idle_steps(schedule)
            if count >= SPINS:
                can, since = step.can, schedule.place - SPINS
                step.can = lambda: (can is None or can()) and changed(self.schedule, me, since)
                step.poll = spun = True
                count = 0
        self._reschedule(r, step)
        self._spins[r] = count + 1, self.schedule.place
        if spun and self._idle.of(self.name(r)) < VAIN_SPINS:
            self._vain_polls = 0  # a long loop of calls that do nothing is no poll without an answer: it may well end
        elif step.poll and self._vain_polls:
            self._report_if_endless(r, step)

    def _nothing_but(self, r: OSThread) -> bool:
        """Whether no other thread, stream or timer can ever take a step unless *r* does."""
        group, schedule = self.group, self.schedule
        if (
            group.has_messages()
            or group.os_blocked
            or schedule.ready()
            or any(entry[1] == TIMER for entry in schedule.scheduler.heap)
        ):
            return False
        for other in group.os_threads.values():
            step = self._next.get(other)
            if other is r or (other.state == WAITING and other.deadline is None):
                continue
            if other.state != READY or step is None or step.poll or step.deadline is not None or step.enabled():
                return False
        return True

    def _report_if_endless(self, r: OSThread, step: Transition) -> None:
        """*r* has repeated a poll in vain; after so many times that is an endless poll, a hang."""
        if self._vain_polls > VAIN or self._idle.of(self.name(r)) > VAIN_STEPS:
            row = self._row(r)
            about = row.key if step.about is None else step.about
            if isinstance(about, tuple) and about[0] in POLLED:
                r.host.call = POLLED[about[0]]
            elif about is None and row.slept >= 0:
                r.host.call = "time.sleep"
            wait_graph.report_endless_poll(r.host, about, ENDLESS_POLLS)

    # -- who goes on -------------------------------------------------------------------------------------------------

    def poll(
        self, t: HostThread, key: Hashable, final: Callable[[], bool], until: Callable[[], bool] | None
    ) -> None:
        """Thread *t* polls *key*."""
        self.schedule.poll(t, key, final, until)

    def pick(self, me: OSThread) -> OSThread:
        """The thread that goes on now; streams take their steps here. *me* has given up the run token."""
        group, schedule = self.group, self.schedule
        schedule.end_step()
        while True:
            if group.os_blocked and not self.over:
                self._returning.wait()
            if group.has_messages():
                group.read_messages()
            threads = self._ready()
            if self.over:
                if threads:
                    return self._taken(next(iter(threads.values())))
                r = self._none_enabled()
                if r is not None:
                    return r
                continue
            enabled = (*threads, *schedule.ready())
            if not enabled:
                r = self._none_enabled()
                if r is not None:
                    return r
                continue
            chosen = schedule.decide(enabled)
            if chosen in threads:
                return self._begin(threads[chosen], chosen)
            group.driving = True
            try:
                schedule.take(chosen)
            finally:
                group.driving = False
            group.moves += 1

    def _ready(self) -> dict[str, OSThread]:
        """The threads that can go on, by name: the main thread, then the others."""
        found = {}
        steps, names, over = self._next, self._names, self.over
        for number, r in self.group.os_threads.items():  # at each step of an explored run: no frames but those of waits
            if r.state == READY:
                step = None if over else steps.get(r)
                if step is None or step.can is None or step.can():
                    found[names.get(number, MAIN)] = r
        if len(found) < 2:
            return found
        hung = [name for name, r in found.items() if r.hang is not None]
        if hung and not self.over:  # of a hang they hear one by one, the main thread last, as its end ends the program
            name = max(hung)
            return {name: found[name]}
        return dict(sorted(found.items()))

    def _can(self, r: OSThread) -> bool:
        step = self._next.get(r)
        return step is None or step.enabled()

    def _begin(self, r: OSThread, name: str) -> OSThread:
        step = self._next.pop(r, None)
        if step is None:
            step = Transition(tuple(self.schedule.last_places.values()), RESUME)
        self.schedule.begin(name, step.causes, step.call, True, step.woken)
        self.group.take_from_ready(r)
        return r

    def _taken(self, r: OSThread) -> OSThread:
        self.group.take_from_ready(r)
        return r

    def _none_enabled(self) -> OSThread | None:
        """Nothing is enabled: repeat a poll in vain, else pass a time limit, else report the deadlock."""
        group, schedule = self.group, self.schedule
        blocked = sorted((r for r in group.os_threads.values() if r.state == READY), key=self.name)
        polling = [] if self.over else [r for r in blocked if r in self._next and self._next[r].poll]
        for r in polling:
            if self._vain.get(r) != self._moves:
                self.repeats_poll(r)
                return self._begin_disabled(r)
        limited = [r for r in self._waiting() if r.deadline is not None]
        limits = {r: r.deadline or 0 for r in limited}
        limits.update(
            (r, step.deadline) for r, step in self._next.items() if r in blocked and step.deadline is not None
        )
        if not self.over and schedule.pass_time_limit(min(limits.values(), default=FOREVER)):
            return None
        if limits:
            self.moved()
            first = min(limits, key=lambda r: (limits[r], self.name(r)))
            if first.state == READY:
                return self._begin_disabled(first)
            self._next[first] = Transition(tuple(schedule.last_places.values()), RESUME)
            group.fire(first, limits[first])
            return None
        if polling and not group.os_blocked:
            first = min(polling, key=lambda r: schedule.last_places.get(self.name(r), -1))
            self.repeats_poll(first)
            return self._begin_disabled(first)
        if blocked:
            return self._begin_disabled(blocked[0])
        if group.os_blocked:
            group.wait_for_os_blocked()
        else:
            group.break_hang()
        return None

    def _begin_disabled(self, r: OSThread) -> OSThread:
        """*r* takes a step that is not enabled: it repeats a poll, or waits for its lock as without a controller."""
        schedule = self.schedule
        step = self._next.pop(r, None)
        if not self.over:
            schedule.decide((self.name(r),))
            call = step.call if step is not None and step.poll else RESUME
            schedule.begin(self.name(r), tuple(schedule.last_places.values()), call)
        return self._taken(r)

    def _waiting(self) -> list[OSThread]:
        return [r for r in self.group.os_threads.values() if r.state == WAITING]

    def living(self) -> list[tuple[str, tuple[int, ...]]]:
        """The program's threads but for the calling one that could take a step: their names, and what led there."""
        me = self.group.here.os_thread
        return [
            (self.name(r), step.causes) for r, step in self._next.items()
            if r is not me and not r.service and r.state == READY and step.enabled()
        ]  # fmt: skip

    def blocked(self, alone: tuple[str, Transition] | None) -> list[Blocked]:
        """The threads that are disabled by what others did with what they share.

        *alone*: the only host thread by its name, and what it is about to do.
        """
        if not self.active or self.over:
            return []
        steps = [(self.name(r), step) for r, step in self._next.items() if r.state in (READY, WAITING)]
        if alone is not None:
            steps.append(alone)
        place = self.schedule.place + 1
        return [
            Blocked(place, name, step.causes, step.items) for name, step in steps if step.items and not step.enabled()
        ]
