"""Steps of several host threads: the deterministic group asks here who goes on, whenever a thread could lose the baton.

A thread stops before each API call, each patched lock and queue, and each question that it asks again and again. What
its next step needs (a free lock, an item, room in a stream) decides whether it can be picked: so no step is ever taken
in vain, and a lock changes hands in one step.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.footprints import END, LOCK, POLL, PUT, READ, SUBMIT, TAKE, UNLOCK, Item, was_possible
from ascend_sim.explore.search import Blocked
from ascend_sim.runtime import patched_locks, patched_queues
from ascend_sim.runtime.runner import READY, STARTING, WAITING, Runner
from ascend_sim.runtime.scheduler import FOREVER
from ascend_sim.runtime.stream_waits import Room, StreamWait

if TYPE_CHECKING:
    from ascend_sim.explore.guided import Guided
    from ascend_sim.runtime.baton import DeterministicThreads
    from ascend_sim.runtime.host_threads import HostThread
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.waiting import Awaitable

__all__ = ["ANY_HOST", "MAIN", "RESUME", "HostSteps"]

MAIN = "main"
ANY_HOST = Item(("host", "all"), LOCK)
"""What every step of a host thread touches when all are dependent."""
RESUME = ("goes on", ())
ASKS = ("asks", ())


LIBRARY = frozenset({__file__, threading.__file__, queue.__file__, patched_locks.__file__, patched_queues.__file__})


def function_outside() -> str:
    """The function that called into the library of threads."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename in LIBRARY and frame.f_back is not None:
        frame = frame.f_back
    code = frame.f_code
    return f"{os.path.basename(code.co_filename)} {code.co_name}"


@attrs.define
class Next:
    """The next step of a thread: what made it possible, what it is, and what must hold when it is taken."""

    causes: tuple[int, ...]
    check: tuple[Any, ...]
    lock: Any = None
    fifo: Any = None
    room: Any = None
    after: int = -1
    """It can go on when another process has taken a step after this place; -1: at once."""


class HostSteps:
    """The driver of a deterministic group during one run."""

    def __init__(self, guided: Guided, group: DeterministicThreads) -> None:
        self.guided = guided
        self.group = group
        self.active = False
        """A second thread was started: from now on it matters what threads share."""
        self.over = False
        """The run has ended, threads that are left are sent away: nothing is recorded."""
        self._names: dict[int, str] = {}
        self._children: dict[str, int] = {}
        self._next: dict[Runner, Next] = {}
        self._asked: dict[Runner, tuple[frozenset[Hashable], int]] = {}
        """What a thread has asked in a row, and its last step."""
        self._bound: dict[Runner | None, StreamWait] = {}
        self._made: dict[str, int] = {}
        """How many locks and queues a thread has made in a function."""
        self._labels: dict[int, tuple[Any, str]] = {}
        if not group.multi:  # entries of threads that are gone
            group._ready.clear()
            group._deadlines.clear()

    # -- names -------------------------------------------------------------------------------------------------------

    def name(self, r: Runner | None) -> str:
        """A thread by its parent and how many that had started before."""
        return MAIN if r is None else self._names.get(r.number, MAIN)

    def made(self, thing: Any) -> None:
        """A lock or a queue was made: it is named by its maker, and by the function where that was.

        What a module makes when it is imported, which is once for many runs, does not count for others.
        """
        if not self.over:
            self.label(thing)

    def label(self, thing: Any) -> str:
        """The name of a lock or a queue."""
        known = self._labels.get(id(thing))
        if known is not None and known[0] is thing:
            return known[1]
        where = f"{self.name(self.group.here.runner)} in {function_outside()}"
        number = self._made[where] = self._made.get(where, 0) + 1
        name = f"{number} of {where}"
        self._labels[id(thing)] = thing, name
        return name

    # -- threads -----------------------------------------------------------------------------------------------------

    def started(self, parent: Runner, child: Runner) -> None:
        """*parent* has started *child*."""
        if self.over:
            return
        parents = self.name(parent)
        number = self._children[parents] = self._children.get(parents, 0) + 1
        self._names[child.number] = f"thread {number}" if parents == MAIN else f"{parents}.{number}"
        self._next[child] = Next((self.guided.place,), ("begins", ()))
        self.active = True

    def ended(self, r: Runner) -> None:
        """*r* does its last step now."""
        if not self.over:
            self.guided.items.append(Item(("end", self.name(r)), END))

    def joined(self, r: Runner, child: Runner) -> None:
        """*r* has seen *child* end."""
        place = self.guided.processes.get(self.name(child))
        if place is not None and not self.over and self.name(r) in self.guided.processes:
            self.guided.went_on(place)

    def roused(self, r: Runner) -> None:
        """What *r* waits for happened in the step that runs now."""
        if r not in self._next:
            self._next[r] = Next((self.guided.place,), RESUME)

    # -- where a thread stops ----------------------------------------------------------------------------------------

    def turn(self, r: Runner, step: Next) -> None:
        """*r* could go on with *step*: let others go first as the guide says."""
        group = self.group
        if not group.multi or group.driving or self.over:
            if not self.over and not group.driving:
                self.guided.alone(self.name(r), step.causes, step.check)
            return
        group.own(r)
        self._next[r] = step
        group.yield_(r)

    def waits(self, r: Runner, w: Awaitable) -> None:
        """*r* begins to wait for *w* in a call."""
        guided = self.guided
        self.binds(w)
        if isinstance(w, StreamWait):
            if w.done:
                self._next[r] = Next((guided.done_at.get(w.task, guided.place),), RESUME)
        elif isinstance(w, Room):
            self._next[r] = Next((), RESUME, room=w.stream)

    def binds(self, w: Awaitable) -> None:
        """A wait for a stream binds to the last task there."""
        if isinstance(w, StreamWait) and w.for_empty:
            self._bound[self.group.here.runner] = w
            if self.active:
                self.guided.items.append(Item(("last", self.guided.names.of(w.stream)), POLL))

    def was_bound(self, t: HostThread, stream: Stream) -> bool:
        """Whether *t* has just waited for what was the last task of *stream*."""
        w = self._bound.pop(t.runner, None)
        return w is not None and w.done and w.stream is stream

    def asks_about(self, event: Any) -> None:
        """The call that runs now refers to the latest record of *event*."""
        if self.active and not self.over:
            self.guided.items.append(Item(("slot", self.guided.names.of(event)), READ))

    def submits(self, t: HostThread, stream: Stream) -> bool:
        """Thread *t* is about to queue something in *stream*: a step of its own where the queue gets full.

        Returns whether others may have come between.
        """
        guided = self.guided
        if not self.active or self.over or guided.finished or self.group.driving:
            return False
        name = guided.names.of(stream)
        if name not in guided.full:
            if len(stream.queue) >= stream.depth:
                guided.cells.fills(name)
            return False
        if guided.items == [ANY_HOST]:  # the call has done nothing yet
            guided.items = []
        if self.group.multi:
            self.turn(t.runner, Next((), RESUME, room=stream))
        else:
            guided.alone(self.name(t.runner), (), RESUME, stream)
        return True

    def room_from(self, stream: Stream) -> int | None:
        """The place of the step that made room for the last task of *stream*; None when it needed none."""
        ends = self.guided.ends.get(stream, ())
        number = len(ends) + len(stream.queue) - stream.depth
        return ends[number - 1] if 0 < number <= len(ends) else None

    def sleeps(self, r: Runner) -> None:
        """Sleeping only lets others go first; a second time in a row somebody has to, or nobody can."""
        self.asks(r, "sleep")

    def asks(self, r: Runner, key: Any) -> None:
        """*r* looks at something that others may change; *key*: what. A second time in a row others must move first."""
        if not self.active or self.over or r.state == STARTING:
            return
        what = key if isinstance(key, str) else id(key)
        guided, me = self.guided, self.name(r)
        asked, place = self._asked.get(r, (frozenset(), -1))
        if guided.processes.get(me) != place or self._moved(me, place):
            asked = frozenset()
        again = what in asked
        self.turn(r, Next((), ASKS, after=place if again else -1))
        self._asked[r] = (frozenset() if again else asked) | {what}, guided.processes.get(me, -1)
        if isinstance(key, Runner):
            guided.items.append(Item(("end", self.name(key)), POLL))
        elif hasattr(key, "release"):
            guided.items.append(Item(("lock", self.label(key)), LOCK, 0, 1, not key.locked()))

    def acquires(self, lock: Any, blocking: bool) -> None:
        """The calling thread is about to take *lock*."""
        r = self.group.here.runner
        if r is None or not self.active or self.over or r.state == STARTING or self.group.driving:
            return
        self.turn(r, Next((), ("acquire", ()), lock=lock if blocking else None))
        free = not lock.locked()
        test = was_possible if blocking else None
        self.guided.items.append(Item(("lock", self.label(lock)), LOCK, 0, 1, free, test))

    def released(self, lock: Any) -> None:
        """The running thread gives *lock* back: no step of its own."""
        if self.active and not self.over:
            self.guided.items.append(Item(("lock", self.label(lock)), UNLOCK, 0, 1, False))

    def puts(self, fifo: Any) -> None:
        """The calling thread is about to put something into *fifo*."""
        r = self.group.here.runner
        if r is None or not self.active or self.over or self.group.driving:
            return
        self.turn(r, Next((), ("put", ())))
        self.guided.items.append(Item(("items", self.label(fifo)), PUT, 0, 1, not fifo.empty()))

    def gets(self, fifo: Any, blocking: bool) -> None:
        """The calling thread is about to take something out of *fifo*."""
        r = self.group.here.runner
        if r is None or not self.active or self.over or self.group.driving:
            return
        self.turn(r, Next((), ("get", ()), fifo=fifo if blocking else None))
        test = was_possible if blocking else None
        self.guided.items.append(Item(("items", self.label(fifo)), TAKE, 0, 1, not fifo.empty(), test))

    # -- who goes on -------------------------------------------------------------------------------------------------

    def pick(self, me: Runner) -> Runner:
        """The thread that goes on now; streams take their steps here. *me* has given up the baton."""
        group, guided = self.group, self.guided
        guided.end_step()
        while True:
            if group.has_mail():
                group._read_mail()
            threads = self._ready()
            if self.over:
                if threads:
                    return self._taken(next(iter(threads.values())))
                r = self._nothing_goes_on()
                if r is not None:
                    return r
                continue
            enabled = (*threads, *guided.ready())
            if not enabled:
                r = self._nothing_goes_on()
                if r is not None:
                    return r
                continue
            chosen = guided.decide(enabled)
            if chosen in threads:
                return self._begin(threads[chosen], chosen)
            group.driving = True
            try:
                guided.step(chosen)
            finally:
                group.driving = False
            group.moves += 1

    def _ready(self) -> dict[str, Runner]:
        """The threads that can go on, by name: the main thread, then the others."""
        found = {}
        for r in self.group.runners.values():
            if r.state == READY and (self.over or self._can(r)):
                found[self.name(r)] = r
        return dict(sorted(found.items())) if len(found) > 1 else found

    def _can(self, r: Runner) -> bool:
        step = self._next.get(r)
        if step is None:
            return True
        if step.lock is not None:
            return not step.lock.locked()
        if step.fifo is not None:
            return not step.fifo.empty()
        if step.room is not None:
            return bool(len(step.room.queue) < step.room.depth)
        return step.after < 0 or self._moved(self.name(r), step.after)

    def _moved(self, me: str, since: int) -> bool:
        """Whether another process than *me* has taken a step after the one at *since*."""
        return any(place > since for name, place in self.guided.processes.items() if name != me)

    def _begin(self, r: Runner, name: str) -> Runner:
        step = self._next.pop(r, None)
        if step is None:
            step = Next(tuple(self.guided.processes.values()), RESUME)
        self.guided.begin(name, step.causes, step.check)
        return self._taken(r)

    def _taken(self, r: Runner) -> Runner:
        self.group._ready[:] = [entry for entry in self.group._ready if entry[3] is not r]
        return r

    def _nothing_goes_on(self) -> Runner | None:
        """Time limits fire now; then those who wait in vain hear of it."""
        group, guided = self.group, self.guided
        late = min((r.deadline for r in self._waiting() if r.deadline is not None), default=FOREVER)
        if not self.over and guided.last_resort(late):
            return None
        for r in sorted((r for r in group.runners.values() if r.state == READY), key=self.name):
            name = self.name(r)  # it finds its lock taken, its queue empty, and waits as the group has it
            self._next.pop(r, None)
            if not self.over:
                guided.decide((name,))
                guided.begin(name, tuple(guided.processes.values()), RESUME)
            return self._taken(r)
        waiting = [r for r in self._waiting() if r.deadline is not None]
        if waiting:
            first = min(waiting, key=lambda r: (r.deadline or 0, self.name(r)))
            self._next[first] = Next(tuple(guided.processes.values()), RESUME)
            group._fire(first, first.deadline or 0)
        elif group.away:
            group._wait_for_absent()
        else:
            group._break_hang()
        return None

    def _waiting(self) -> list[Runner]:
        return [r for r in self.group.runners.values() if r.state == WAITING]

    def blocked(self) -> list[Blocked]:
        """The threads that cannot go on for what others did with a lock or a queue."""
        if not self.active or self.over:
            return []
        found = []
        for r in self.group.runners.values():
            step = self._next.get(r)
            if r.state == WAITING and isinstance(r.awaited, Room):
                step = Next((), RESUME, room=r.awaited.stream)
            elif r.state != READY or step is None:
                continue
            if self._can(r):
                continue
            if step.lock is not None:
                item = Item(("lock", self.label(step.lock)), LOCK, 0, 1, True, was_possible)
            elif step.fifo is not None:
                item = Item(("items", self.label(step.fifo)), TAKE, 0, 1, True, was_possible)
            elif step.room is not None:
                item = Item(("queue", self.guided.names.of(step.room)), SUBMIT)
            else:
                continue
            found.append(Blocked(self.guided.place + 1, self.name(r), step.causes, (item,)))
        return found
