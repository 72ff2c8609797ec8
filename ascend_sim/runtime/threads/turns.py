"""Whose turn it is: the rule by which the deterministic group picks.

The thread that gives up the run token decides, in a loop: the earliest of the next device event, the next deadline and the
next ready thread goes, in this order at equal times (design.md 5 "Engine"). Nothing here depends on the operating
system, except while a thread is blocked in the OS: then virtual deadlines keep the pace of real time.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop
from typing import TYPE_CHECKING, Final

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.threads import wait_graph
from ascend_sim.runtime.threads.blocked_threads import Monitor
from ascend_sim.runtime.threads.hand_over import Entry, HandOver
from ascend_sim.runtime.threads.host_threads import FOREVER, DeviceSide, HostThread
from ascend_sim.runtime.threads.os_thread import READY, WAITING, OSThread
from ascend_sim.runtime.threads.real_time import HOPELESS_NS, IDLE_SECONDS, STUCK_NS, real_ns
from ascend_sim.source.callsite import points_of

if TYPE_CHECKING:
    from ascend_sim.runtime.waiting import Awaitable

__all__ = ["Turns"]

TOO_MANY_HANGS: Final = 100
"""A thread that swallows so many hangs stays blocked."""


class Turns(HandOver):
    """The part of the deterministic group that decides who goes next."""

    def _next(self, me: OSThread) -> OSThread:
        """Run device events and fire deadlines until a thread is next; that one is taken out of the heap."""
        if self.controller is not None and self.controller.decides:
            return self.controller.pick(me)
        stalled = False
        while True:
            if self._mail:
                self.read_mail()
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
                if self.pace.begun is not None and not self._in_pace(deadline):
                    continue
                heappop(self._deadlines)
                self.fire(late[3], deadline)
                stalled = False
            elif ready is not None:
                heappop(self._ready)
                self.now = max(self.now, clock)
                self._idle_since = 0
                return ready[3]
            elif self.os_blocked:
                self.wait_for_os_blocked()
            else:
                self.break_hang()

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
        self.now = max(self.now, deadline)
        why = r.host.why
        if why is not None and r.host.awaited is not None and not getattr(why, "may_time_out", False):
            nothing_else = _first(self._ready, READY) is None and _first(self._deadlines, WAITING) is None
            if nothing_else and not self.os_blocked and not any(side.heap for side in self.sides):
                self.say_deadlock([r.host], wait_graph.lines(self._blocked()))
        r.timed_out = True
        self.set_ready(r, deadline)
        self.pace.fired(deadline)

    def _in_pace(self, deadline: int) -> bool:
        """Whether virtual *deadline* (ns) may fire while time is real; otherwise sleep towards it."""
        if not self.os_blocked:
            self.pace.end()
        left = self.pace.left(deadline)
        if left <= 0:
            return True
        self._idle(min(left / 1e9, IDLE_SECONDS))
        return False

    # -- hangs --------------------------------------------------------------------------------------------------------

    def _blocked(self) -> list[HostThread]:
        return [r.host for r in self.os_threads.values() if r.state == WAITING and not r.given_up]

    def wait_for_os_blocked(self) -> None:
        """Only real time can go on. Threads blocked in the OS in a wait for other threads make it a hang."""
        if not self._idle_since:
            self._idle_since = self._stuck_since = real_ns()
        self._idle(IDLE_SECONDS)
        now = real_ns()
        if self._mail or now - self._idle_since < HOPELESS_NS:
            return
        away = [self.os_threads[number] for number in self.os_blocked if number in self.os_threads]
        if all(wait_graph.waits_for_threads(wait_graph.innermost(r.ident)) for r in away):
            self._idle_since = 0
            self.break_hang()
            return
        if now - self._stuck_since > STUCK_NS:
            self.say_stuck(away)
        self._idle_since = now

    def say_stuck(self, away: Sequence[OSThread]) -> None:
        """The threads *away* have long been outside, and the main thread can only go on when they do: say so, once each.

        Whether they ever come back nobody can tell: who waits for a network does.
        """
        main = self.os_threads.get(0)
        told = [r for r in away if r.number not in self._told_stuck]
        if main is None or main.state != WAITING or main.deadline is not None or main.given_up or not told:
            return
        self._told_stuck.update(r.number for r in told)
        names = " and ".join(r.host.name for r in told)
        does, come = ("stands", "comes") if len(told) == 1 else ("stand", "come")
        why = main.host.why
        wanted = why.describe() if why is not None else "another thread"
        self.note(
            "stuck-thread",
            f"{names} {does} outside the runtime, and {main.host.name} waits: if nothing {come} from there, "
            "the program never ends",
            *((f"{r.host.name} stands here", points_of(wait_graph.innermost(r.host.os_ident))) for r in told),
            (f"{main.host.name} waits for {wanted}", points_of(wait_graph.innermost(main.host.os_ident), 16)),
        )

    def foreign_threads_act(self) -> bool:
        """Whether threads that the group does not know may still end a wait."""
        return self._foreign.act({*Monitor.idents, *(r.ident for r in self.os_threads.values())})

    def break_hang(self) -> None:
        """Nothing runs, nothing is due, no deadline: report it, and let the guilty threads go on with SimulatedHang."""
        if self.foreign_threads_act():
            self._idle(IDLE_SECONDS)
            return
        blocked = self._blocked()
        guilty = wait_graph.guilty(blocked)
        if not guilty:
            self._idle(IDLE_SECONDS)
            return
        lines = wait_graph.lines(blocked)
        self.say_deadlock(guilty, lines)
        for t in guilty:
            r: OSThread = t.os_thread
            r.hangs += 1
            if r.hangs > TOO_MANY_HANGS and r.number:
                r.given_up = True
                continue
            r.hang = SimulatedHang(self.words("\n".join(lines)))
            self.set_ready(r, max(t.clock, self.now))


def _first(heap: list[Entry], state: int) -> Entry | None:
    """The first entry of *heap* that still holds; stale ones are dropped."""
    while heap:
        entry = heap[0]
        r = entry[3]
        if r.token == entry[2] and r.state == state:
            return entry
        heappop(heap)
    return None
