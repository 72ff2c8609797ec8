"""What host threads share: an operation on a lock, a queue, an event or a semaphore is one step, and so is a question.

What an operation needs (a free lock, an item, a set flag) decides whether its thread can be picked. A question that is
asked again in vain, with nothing else done between, waits until its answer can be another: so loops that poll end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.control.callers import function_outside
from ascend_sim.explore.control.host_transitions import ANY_HOST, HostSteps, Next
from ascend_sim.explore.control.questions import QUESTIONS
from ascend_sim.explore.control.shared_objects import is_given
from ascend_sim.explore.search import dependence as fp
from ascend_sim.explore.search.default_rule import is_stream
from ascend_sim.explore.search.dependence import Item, dependent, was_possible
from ascend_sim.runtime.scheduler import TIMER
from ascend_sim.runtime.threads.host_threads import HOPELESS_POLLS
from ascend_sim.runtime.threads.os_thread import READY, STARTING, WAITING, OSThread
from ascend_sim.runtime.threads.patches.locks import nanoseconds

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import Guided
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads

__all__ = ["Sharing"]

SLEEP = ("sleep", ())
SPINS = 50
"""A thread that took so many steps in a row without any work lets others go first."""
SLEEPS = 10
"""A thread that slept so often and worked between lets others go first, too."""
VAIN = 10_000
"""So many vain questions when nothing else can happen are a hang,"""
VAIN_STEPS = 1_000
"""and so are so many steps, when threads ask in turn,"""
VAIN_SPINS = 50_000
"""or so many of a thread that spins."""


def _works(item: Item) -> bool:
    """Whether what does *item* is more than a question."""
    return bool(fp.WORK >> item.mode & 1 or (item.mode == fp.TAKE and _got(item)))


@attrs.define
class Asked:
    """What a thread did last, as long as it has only asked and slept."""

    last: int
    """Its last step of that kind: a place in the run."""
    key: Hashable = None
    """The question that had no good answer."""
    slept: int = -1
    """Where it slept last."""


class Sharing(HostSteps):
    """The controller of a deterministic group during one run, with all that its threads do to what they share."""

    def __init__(self, guided: Guided, group: DeterministicThreads) -> None:
        super().__init__(guided, group)
        self._made: dict[str, int] = {}
        """How many locks and queues a thread has made in a function."""
        self._labels: dict[int, tuple[Any, str]] = {}
        self._asked: dict[OSThread, Asked] = {}
        self._spins: dict[OSThread, tuple[int, int]] = {}
        """How many steps a thread has taken in a row, and the place of the last."""
        self._sleeps: dict[OSThread, tuple[int, int]] = {}
        """Where a thread slept last, and how often it had since anybody else did anything."""
        self._failed: dict[OSThread, tuple[Any, int]] = {}
        """The call of a thread that failed, if that was its last step, and its place."""
        self._repeated = False
        """The question was no step: nothing has happened since it was asked in vain."""
        self.silent = 0
        """The library is at work for the step that runs: the locks that it takes are no steps."""

    # -- names -------------------------------------------------------------------------------------------------------

    def object_made(self, thing: Any) -> None:
        """A lock or a queue was made: it is named by its maker, and by the function where that was."""
        function = function_outside()
        if not self.over and not function.endswith(" <module>"):  # a module is imported once for many runs
            thing.label = self._numbered(f"{self.name(self.group.here.os_thread)} in {function}")

    def label(self, thing: Any) -> str:
        """The name of a lock or a queue; one that is older than all runs is named by who uses it first."""
        if thing.label:
            return str(thing.label)
        known = self._labels.get(id(thing))
        if known is None or known[0] is not thing:
            user = self.name(self.group.here.os_thread)
            known = self._labels[id(thing)] = thing, self._numbered(f"others, used by {user} in {function_outside()}")
        return known[1]

    def _numbered(self, where: str) -> str:
        number = self._made[where] = self._made.get(where, 0) + 1
        return f"{number} of {where}"

    def atomically(self, real: Callable[..., Any], *args: Any) -> Any:
        """Call *real* as a part of the step that runs."""
        self.silent += 1
        try:
            return real(*args)
        finally:
            self.silent -= 1

    # -- operations --------------------------------------------------------------------------------------------------

    def watches(self) -> bool:
        """Whether what the calling thread does now is a step."""
        r = self.group.here.os_thread
        return (
            r is not None and self.active and not self.over and not self.silent
            and r.state != STARTING and not self.group.driving
        )  # fmt: skip

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
        """The calling thread is about to do *what* (`footprints.WORDS`) to *thing*.

        *state*: what is kept of the object for those who wait for it. *can*: what the thread waits for, at most for
        *timeout* (s), and *test* whether that held in a kept state.
        """
        r = self._caller()
        deadline = None if timeout is None else r.host.clock + nanoseconds(timeout)
        item = Item(
            (kind, self.label(thing)), fp.WORDS[what], 0, 1, None, None if can is None else test or was_possible
        )
        self.turn(r, Next((), (what, ()), can, () if can is None else (item,), deadline))
        self.guided.items.append(item._replace(before=state()))

    def before_acquire(self, lock: Any, blocking: bool, timeout: float) -> None:
        """The calling thread is about to take *lock*."""
        if not self.watches():
            return
        free = lambda: not lock.taken()  # noqa: E731
        if blocking and timeout != 0:
            self.before_operation("lock", "lock", lock, free, free, None if timeout < 0 else timeout)
        else:
            self.before_question("lock", "lock", lock, free, free)

    def lock_released(self, lock: Any) -> None:
        """The running thread gives *lock* back: no step of its own."""
        if self.active and not self.over and not self.silent:
            self.guided.items.append(Item(("lock", self.label(lock)), fp.UNLOCK, 0, 1, False))

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
            self.before_question("take", "items", fifo, fifo.filled, fifo.filled)

    def before_qsize(self, fifo: Any) -> None:
        """The calling thread asks how much is in *fifo*."""
        if self.watches():
            self.before_question("lock", "items", fifo, fifo.filled, fifo.filled)

    def loop_woken(self, sleeper: OSThread | None, woken: Callable[[], bool]) -> None:
        """The running thread ends the sleep of an event loop, in *sleeper*, or its next one: no step of its own."""
        if self.active and not self.over and not self.silent and sleeper is not None:
            self.guided.items.append(Item(("wake-up", self.name(sleeper)), fp.PUT, 0, 1, woken()))

    def before_select(self, woken: Callable[[], bool], timeout: float | None) -> None:
        """The event loop of the calling thread looks what others want of it; it waits for that at most *timeout* (s)."""
        if not self.watches():
            return
        r = self._caller()
        item = Item(("wake-up", self.name(r)), fp.TAKE)
        step = Next((), ("take", ()))
        if timeout is None or timeout > 0:
            item = item._replace(test=was_possible)
            deadline = None if timeout is None else r.host.clock + nanoseconds(timeout)
            step = Next((), ("take", ()), woken, (item,), deadline)
        self.turn(r, step)
        self.guided.items.append(item._replace(before=woken()))

    # -- questions ---------------------------------------------------------------------------------------------------

    def before_question(
        self,
        what: str,
        kind: str,
        thing: Any,
        state: Callable[[], Any],
        good: Callable[[], bool],
        test: Callable[..., bool] | None = None,
    ) -> None:
        """The step of what the calling thread may ask again until the answer is *good*."""
        test = test or was_possible
        name = self.name(thing) if isinstance(thing, OSThread) else self.label(thing)
        item = Item((kind, name), fp.WORDS[what], 0, 1, None, test)
        again = self.ask(self._caller(), (what, ()), item.key, (item,), good)
        if not self._repeated:
            self.guided.items.append(item._replace(before=state(), test=test if again else None))

    def before_is_alive(self, child: OSThread) -> None:
        """The calling thread asks whether *child* lives."""
        if self.watches():
            self.before_question("end", "end", child, lambda: None, lambda: child.ended.done)

    def ask(
        self,
        r: OSThread,
        check: tuple[Any, ...],
        key: Hashable,
        items: tuple[Item, ...],
        good: Callable[[], bool],
        free: bool = False,
    ) -> bool:
        """The step of a question; whether it was asked before, with no work between, and now waits for a *good* answer.

        *free*: the first time it is no step of its own.
        """
        asked = self._row(r)
        again = key == asked.key
        if again:
            self.turn(r, Next((), check, good, items, None, True, key))
        elif not free:
            self.turn(r, Next((), check))
        asked.last = self.guided.place
        asked.key = None if good() else key
        return again

    def before_sleep(self, r: OSThread, ns: int) -> bool:
        """Sleeping lets others go first; a second time, with nothing but questions between, what they asked must change."""
        if not self.active:
            return False
        r.host.clock += max(ns, 1)
        if self.watches():
            self._sleep(r)
        return True

    def _sleep(self, r: OSThread) -> None:
        me, asked = self.name(r), self._row(r)
        since, (last, count) = asked.slept, self._sleeps.get(r, (-1, 0))
        count = 0 if self._moved(me, last) else count + 1
        if since >= 0:
            self.turn(r, Next((), SLEEP, lambda: self._changed(me, since), (), None, True))
        elif count > SLEEPS:
            self.turn(r, Next((), SLEEP, lambda: self._moved(me, last), (), None, True))
        else:
            self.turn(r, Next((), SLEEP))
        asked.last = asked.slept = self.guided.place
        self._sleeps[r] = self.guided.place, count

    def _moved(self, me: str, since: int) -> bool:
        """Whether another process than *me* has taken a step after the one at *since*."""
        return any(place > since for name, place in self.guided.processes.items() if name != me)

    def other(self, r: OSThread) -> None:
        """*r* does something else than ask: the next question is a new one."""
        if r in self._asked:
            self._asked[r].key = None

    def _row(self, r: OSThread) -> Asked:
        """What *r* has asked in a row."""
        asked = self._asked.get(r)
        if asked is None or self._worked(self.name(r), asked.last):
            asked = self._asked[r] = Asked(self.guided.place)
        return asked

    def _worked(self, me: str, since: int) -> bool:
        """Whether thread *me* has done more than ask after the step at *since*."""
        guided = self.guided
        if guided.worked.get(me, -1) > since or (guided.running == me and any(map(_works, guided.items))):
            return True
        return any(name == me and any(map(_works, items)) for name, items in guided.log[since + 1 :])

    def failed(self, r: OSThread | None) -> None:
        """The call that runs has failed: the same one fails again until what it looked at is another.

        Not so those that found a time over, or a task: their answer may come from a stream.
        """
        if r is not None:
            self._failed[r] = self.guided.check, self.guided.place

    def _idle_steps(self) -> int:
        """How many steps in a row, with the one that runs, were no work: not more than matter."""
        guided = self.guided
        items: Iterable[Item] = guided.items
        for count in range(SPINS):
            if any(_works(item) for item in items):
                return count
            items = guided.log[guided.place - 1 - count][1]
        return SPINS

    def _changed(self, me: str, since: int, objects: bool = False) -> bool:
        """Whether others have touched what thread *me* has looked at from the step at *since* on, after that.

        If it has looked at nothing, it may have asked for what only Python knows: then another thread has to have moved.
        *objects*: what its calls have just been given counts as well.
        """
        mine: list[Item] = []
        others = False
        guided = self.guided
        running = [(guided.running, guided.items)] if guided.in_step else []
        for name, items in (*guided.log[since:], *running):
            if name == me:
                mine += [item for item in items if item is not ANY_HOST and (objects or not is_given(item))]
            elif dependent(mine, items):
                return True
            else:
                others = others or not is_stream(name)
        return others and not mine

    def calls(self, r: OSThread, check: tuple[Any, ...]) -> None:
        """*r* is about to call: `turn`, in short for the only thread there is, when it neither spins nor has failed."""
        group, guided = self.group, self.guided
        count, last = self._spins.get(r, (0, -1))
        if group.multi or group.driving or self.over or count >= SPINS or r in self._failed:
            self.turn(r, Next((), check))
            return
        self._repeated = False
        if guided.place != last:
            count = 0
        guided.call_alone(self.name(r), check)
        self._spins[r] = count + 1, guided.place

    def turn(self, r: OSThread, step: Next) -> None:
        """*r* could go on with *step*; when it does nothing but spin, others go first."""
        if step.poll and self._vain.get(r) == self._moves and not step.possible() and self._nothing_but(r):
            self.vain += 1  # it would be the same step again and again
            self._repeated = True
            self._despair(r, step)
            return
        self._repeated = False
        count, last = self._spins.get(r, (0, -1))
        spun = False
        failed = self._failed.get(r)
        if (
            failed is not None
            and failed[0] == step.check
            and not step.poll
            and not self._worked(self.name(r), failed[1])
        ):
            me, since = self.name(r), failed[1]
            step.can = lambda: self._changed(me, since, True)
            step.poll = spun = True
        if not step.poll:
            me, guided = self.name(r), self.guided
            if guided.place != last or guided.running != me:  # others came between
                count = 0
            elif count >= SPINS:
                count = self._idle_steps()
            if count >= SPINS:
                can, since = step.can, guided.place - SPINS
                step.can = lambda: (can is None or can()) and self._changed(me, since)
                step.poll = spun = True
                count = 0
        super().turn(r, step)
        self._spins[r] = count + 1, self.guided.place
        if spun and self.guided.place - self._moved_at < VAIN_SPINS:
            self.vain = 0  # a long loop of calls that do nothing is no question without an answer: it may well end
        elif step.poll and self.vain:
            self._despair(r, step)

    def _nothing_but(self, r: OSThread) -> bool:
        """Whether nothing can ever happen unless *r* does it."""
        group, guided = self.group, self.guided
        if (
            group.has_mail()
            or group.os_blocked
            or guided.ready()
            or any(entry[1] == TIMER for entry in guided.scheduler.heap)
        ):
            return False
        for other in group.os_threads.values():
            step = self._next.get(other)
            if other is r or (other.state == WAITING and other.deadline is None):
                continue
            if other.state != READY or step is None or step.poll or step.deadline is not None or step.possible():
                return False
        return True

    def _despair(self, r: OSThread, step: Next) -> None:
        """*r* has asked in vain: is that for ever?"""
        if self.vain > VAIN or self.guided.place - self._moved_at > VAIN_STEPS:
            asked = self._row(r)
            about = asked.key if step.about is None else step.about
            if isinstance(about, tuple) and about[0] in QUESTIONS:
                r.host.call = QUESTIONS[about[0]]
            elif about is None and asked.slept >= 0:
                r.host.call = "time.sleep"
            self.group.hopeless(r.host, about, HOPELESS_POLLS)


def _got(item: Item) -> bool:
    """Whether there was something to take."""
    return bool(item.before[0] if isinstance(item.before, tuple) else item.before)
