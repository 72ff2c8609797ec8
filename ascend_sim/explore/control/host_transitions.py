"""Steps of several host threads: the deterministic group asks here who goes on, whenever one could lose the run token.

A thread stops before each API call, each patched lock and queue, and each question that it asks again and again. What
its next step needs (a free lock, an item, room in a stream) decides whether it can be picked: so no step is ever taken
in vain, and a lock changes hands in one step.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.control.aborts import Interruptions
from ascend_sim.explore.search.dependence import END, LOCK, POLL, READ, SUBMIT, Item, was_possible
from ascend_sim.explore.search.dpor import Blocked
from ascend_sim.runtime.scheduler import FOREVER
from ascend_sim.runtime.stream_waits import Room, StreamWait
from ascend_sim.runtime.threads.os_thread import READY, WAITING, OSThread

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import Guided
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.runtime.waiting import Awaitable

__all__ = ["ANY_HOST", "MAIN", "RESUME", "HostSteps"]

MAIN = "main"
ANY_HOST = Item(("host", "all"), LOCK)
"""What every step of a host thread touches when all are dependent."""
RESUME = ("goes on", ())
ASKS = ("asks", ())


@attrs.define
class Next:
    """The next step of a thread: what made it possible, what it is, and what must hold when it is taken."""

    causes: tuple[int, ...]
    check: tuple[Any, ...]
    can: Callable[[], bool] | None = None
    """What must hold; None: nothing."""
    items: tuple[Item, ...] = ()
    """What it touches first, for when it never can."""
    deadline: int | None = None
    """The virtual time (ns) until which it waits for that."""
    poll: bool = False
    """It only asks again, which it may do in vain when nothing else can go on."""
    about: Hashable = None
    """What that is about."""
    woken: bool = False
    """It has waited, and what it waited for has happened."""

    def possible(self) -> bool:
        """Whether it can be taken now."""
        return self.can is None or self.can()


class HostSteps(Interruptions):
    """The controller of a deterministic group during one run."""

    decides = True

    def __init__(self, guided: Guided, group: DeterministicThreads) -> None:
        self.guided = guided
        self.group = group
        self.active = False
        """A second thread was started: from now on it matters what threads share."""
        self.over = False
        """The run has ended, threads that are left are sent away: nothing is recorded."""
        self._names: dict[int, str] = {}
        self.gone = {}
        self._children: dict[str, int] = {}
        self._next: dict[OSThread, Next] = {}
        self.only: tuple[str, Next] | None = None
        """What the only host thread is about to do."""
        self._moves = 0
        """Counts the steps that were more than questions."""
        self._moved_at = 0
        self._vain: dict[OSThread, int] = {}
        """For a thread that asked in vain, how many of them there were then."""
        self.vain = 0
        """How many vain questions there were in a row when nothing else could happen."""
        if not group.multi:  # entries of threads that are gone
            group.forget_queues()

    # -- names -------------------------------------------------------------------------------------------------------

    def name(self, r: OSThread | None) -> str:
        """A thread by its parent and how many that had started before."""
        return MAIN if r is None else self._names.get(r.number, MAIN)

    def name_of(self, t: HostThread | None) -> str:
        """The same for a host thread of the simulator."""
        return MAIN if t is None or t.os_thread is None else self._names.get(t.os_thread.number, MAIN)

    # -- threads -----------------------------------------------------------------------------------------------------

    def thread_started(
        self, parent: OSThread, child: OSThread, service: str = "", work: Callable[[], bool] | None = None
    ) -> None:
        """*parent* has started *child*, or had to start it for *service*, which begins when there is *work*."""
        if self.over:
            return
        parents = service or self.name(parent)
        number = self._children[parents] = self._children.get(parents, 0) + 1
        self._names[child.number] = f"thread {number}" if parents == MAIN else f"{parents}.{number}"
        self._next[child] = Next((self.guided.place,), ("begins", ()), work)
        self.active = True

    def thread_ended(self, r: OSThread) -> None:
        """*r* does its last step now."""
        if not self.over:
            self.gone[r.ident] = self.name(r)
            self.guided.items.append(Item(("end", self.name(r)), END))

    def last_of_main(self) -> None:
        """The program's last line was reached: the engine's own threads still do what they have been given."""
        r, os_threads = self.group.here.os_thread, self.group.os_threads
        if r is not None and (
            self.guided.sim.on_fault is not None or any(other.service for other in os_threads.values())
        ):
            self.turn(r, Next((), ("ends", ()), self._quiet))

    def _quiet(self) -> bool:
        """Neither the device nor a thread of the engine's own can go on."""
        return not self.guided.ready() and not any(
            r.service and r.state == READY and self._can(r) for r in self.group.os_threads.values()
        )

    def thread_joined(self, r: OSThread, child: OSThread) -> None:
        """*r* has seen *child* end."""
        place = self.guided.processes.get(self.name(child))
        if place is not None and not self.over and self.name(r) in self.guided.processes:
            self.guided.went_on(place)

    def thread_woken(self, r: OSThread) -> None:
        """What *r* waits for happened in the step that runs now."""
        if r not in self._next:
            self._next[r] = Next((self.guided.place,), RESUME, woken=True)

    # -- where a thread stops ----------------------------------------------------------------------------------------

    def turn(self, r: OSThread, step: Next) -> None:
        """*r* could go on with *step*: let others go first as the guide says."""
        group = self.group
        if not group.multi or group.driving or self.over:
            if not self.over and not group.driving:
                self.guided.alone(self.name(r), step)
            return
        self.guided.deadline.check()
        group.take_token(r)
        self._next[r] = step
        group.yield_(r)

    def go_on(self, step: Next) -> None:
        """The calling thread, which is not alone any more, could go on with *step*."""
        r = self.group.here.os_thread
        if r is not None:
            HostSteps.turn(self, r, step)

    def before_wait(self, r: OSThread, w: Awaitable) -> None:
        """*r* begins to wait for *w* in a call."""
        guided = self.guided
        self.binds(w)
        if isinstance(w, StreamWait):
            if w.done:
                self._next[r] = Next((guided.done_at.get(w.task, guided.place),), RESUME, woken=True)
        elif isinstance(w, Room):
            self._next[r] = self._room(w.stream)

    def binds(self, w: Awaitable) -> None:
        """A wait for a stream binds to the last task there."""
        if isinstance(w, StreamWait) and w.for_empty and self.active:
            self.guided.items.append(Item(("last", self.guided.names.of(w.stream)), POLL))
            self.looks_for_tasks(w.stream)

    def before_record_lookup(self, event: Any) -> None:
        """The call that runs now refers to the latest record of *event*."""
        if self.active and not self.over:
            self.guided.items.append(Item(("slot", self.guided.names.of(event)), READ))

    def before_record_test(self, record: Task) -> None:
        """Whether *record* is done decides what the call that runs now answers."""
        if not self.over and not self.guided.finished:
            test = was_possible if self.guided.again else None
            self.guided.items.append(Item(("done", self.guided.names.task(record)), POLL, 0, 1, None, test))

    def before_submit(self, t: HostThread, stream: Stream) -> bool:
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
        self.turn(t.os_thread, self._room(stream))
        return True

    def _room(self, stream: Stream) -> Next:
        """The step of a thread that needs room in *stream*."""
        item = Item(("queue", self.guided.names.of(stream)), SUBMIT)
        return Next((), RESUME, lambda: len(stream.queue) < stream.depth, (item,))

    def room_from(self, stream: Stream) -> int | None:
        """The place of the step that made room for the last task of *stream*; None when it needed none."""
        ends = self.guided.ends.get(stream, ())
        number = len(ends) + len(stream.queue) - stream.depth
        return ends[number - 1] if 0 < number <= len(ends) else None

    def moved(self) -> None:
        """The device did something, a time limit came, or a thread did more than ask."""
        self._moves += 1
        self._moved_at = self.guided.place
        self.vain = 0

    def asked_in_vain(self, r: OSThread) -> None:
        """*r* asked again though the answer was the same, since nothing else could go on."""
        self._vain[r] = self._moves
        self.vain += 1

    # -- who goes on -------------------------------------------------------------------------------------------------

    def poll(self, t: HostThread, key: Hashable) -> None:
        """Thread *t* asks a question; *key*: which one, when the answer is still open."""
        self.guided.poll(t, key)

    def pick(self, me: OSThread) -> OSThread:
        """The thread that goes on now; streams take their steps here. *me* has given up the run token."""
        group, guided = self.group, self.guided
        guided.end_step()
        while True:
            if group.has_mail():
                group.read_mail()
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

    def _ready(self) -> dict[str, OSThread]:
        """The threads that can go on, by name: the main thread, then the others."""
        found = {}
        for r in self.group.os_threads.values():
            if r.state == READY and (self.over or self._can(r)):
                found[self.name(r)] = r
        if len(found) < 2:
            return found
        told = [name for name, r in found.items() if r.hang is not None]
        if told and not self.over:  # of a hang they hear one by one, the main thread last, as its end ends the program
            name = max(told)
            return {name: found[name]}
        return dict(sorted(found.items()))

    def _can(self, r: OSThread) -> bool:
        step = self._next.get(r)
        return step is None or step.possible()

    def _begin(self, r: OSThread, name: str) -> OSThread:
        step = self._next.pop(r, None)
        if step is None:
            step = Next(tuple(self.guided.processes.values()), RESUME)
        self.guided.begin(name, step.causes, step.check)
        self.guided.woken = step.woken
        return self._taken(r)

    def _taken(self, r: OSThread) -> OSThread:
        self.group.take_from_ready(r)
        return r

    def _nothing_goes_on(self) -> OSThread | None:
        """Questions are asked in vain, time limits come; then those who wait for ever hear of it."""
        group, guided = self.group, self.guided
        blocked = sorted((r for r in group.os_threads.values() if r.state == READY), key=self.name)
        asking = [] if self.over else [r for r in blocked if r in self._next and self._next[r].poll]
        for r in asking:
            if self._vain.get(r) != self._moves:
                self.asked_in_vain(r)
                return self._forced(r)
        limited = [r for r in self._waiting() if r.deadline is not None]
        limits = {r: r.deadline or 0 for r in limited}
        limits.update(
            (r, step.deadline) for r, step in self._next.items() if r in blocked and step.deadline is not None
        )
        if not self.over and guided.last_resort(min(limits.values(), default=FOREVER)):
            return None
        if limits:
            self.moved()
            first = min(limits, key=lambda r: (limits[r], self.name(r)))
            if first.state == READY:
                return self._forced(first)
            self._next[first] = Next(tuple(guided.processes.values()), RESUME)
            group.fire(first, limits[first])
            return None
        if asking and not group.os_blocked:
            first = min(asking, key=lambda r: guided.processes.get(self.name(r), -1))
            self.asked_in_vain(first)
            return self._forced(first)
        if blocked:
            return self._forced(blocked[0])
        if group.os_blocked:
            group.wait_for_os_blocked()
        else:
            group.break_hang()
        return None

    def _forced(self, r: OSThread) -> OSThread:
        """*r* goes on without what it needs: it asks in vain, or finds its lock taken and waits as the group has it."""
        guided = self.guided
        step = self._next.pop(r, None)
        if not self.over:
            guided.decide((self.name(r),))
            check = step.check if step is not None and step.poll else RESUME
            guided.begin(self.name(r), tuple(guided.processes.values()), check)
        return self._taken(r)

    def _waiting(self) -> list[OSThread]:
        return [r for r in self.group.os_threads.values() if r.state == WAITING]

    def blocked(self) -> list[Blocked]:
        """The threads that cannot go on for what others did with what they share."""
        if not self.active or self.over:
            return []
        steps = [(self.name(r), step) for r, step in self._next.items() if r.state in (READY, WAITING)]
        if self.only is not None:
            steps.append(self.only)
        place = self.guided.place + 1
        return [
            Blocked(place, name, step.causes, step.items) for name, step in steps if step.items and not step.possible()
        ]
