"""What a thread that has the run token can do: wait, yield, poll, sleep."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Final

from ascend_sim.runtime.threads.host_threads import HOPELESS_POLLS, HostThread, poll_step
from ascend_sim.runtime.threads.os_thread import OS_BLOCKED, RUNNING, STARTING, WAITING, OSThread
from ascend_sim.runtime.threads.turns import Turns

if TYPE_CHECKING:
    from ascend_sim.runtime.waiting import Awaitable, Reason

__all__ = ["Waits"]

LARGEST_LOCK_NS: Final = 100_000
"""Virtual ns of an operation on a patched lock in a loop that does nothing else."""


class Waits(Turns):
    """The part of the deterministic group that lets its threads wait."""

    # -- waiting and yielding -----------------------------------------------------------------------------------------

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

    def _restore(self, r: OSThread, outer: tuple[int, Awaitable | None, int | None, int, Any]) -> None:
        """Go back to what *r* did before a wait: run; or decide for others, while it waits or is ready itself."""
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
        """Let everything go first that is earlier than *r*."""
        if self.driving:
            return
        self.set_ready(r, r.host.clock)
        self.give_way(r)
        self._raise_pending(r)

    def _raise_pending(self, r: OSThread) -> None:
        """What others left for *r*, now that it is its turn: a hang, signal handlers."""
        if r.hang is not None:
            hang, r.hang = r.hang, None
            raise hang
        if self.pending_signals:
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

    def wake(self, t: HostThread, time: int) -> None:
        """What *t* waits for happened at virtual *time* (ns)."""
        self.wake_thread(t.os_thread, time)

    # -- polling ------------------------------------------------------------------------------------------------------

    def poll(self, t: HostThread, key: Hashable = None) -> None:
        """Run what is due at the clock of *t*; equal polls move the clock further and further."""
        if self.controller is not None and self.controller.decides:
            self.controller.poll(t, key)
            return
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
                if count >= HOPELESS_POLLS:
                    self.hopeless(t, key, count)
                t.clock += step
            else:
                t.clock = min(t.clock + step, due)
                if t.clock == due:
                    scheduler.run(due, None)

    def _poll(self, r: OSThread, t: HostThread, key: Hashable, hopeless: bool = True) -> None:
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
        soonest = self.soonest(r)
        if soonest is not None:
            step = min(step, max(soonest - t.clock, 0))
        elif hopeless and count >= HOPELESS_POLLS and not self.others_can_act(r):
            self.hopeless(t, key, count)
        if step:
            self.wait(r, None, t.clock + step, None)

    def ask(self, r: OSThread, key: Hashable) -> None:
        """A question that is no call (is the lock free, does the thread live): a poll, and never a hang by itself."""
        r.operations += 1
        if not self.multi or self.driving or r.state == STARTING:
            return
        if self.controller is not None and self.controller.decides:  # it was asked before
            return
        if self.moves == r.poll_moves and key in r.host.polls:
            self._poll(r, r.host, key, hopeless=False)
        else:  # asked once: the program goes on with the answer
            r.poll_moves = self.moves
            r.host.polls.clear()
            self.equal_polls(r.host, key)

    def soonest(self, r: OSThread) -> int | None:
        """Virtual time (ns) of the next device event or of the next deadline of another thread; None: there is none."""
        others = [o.deadline for o in self.os_threads.values() if o is not r and o.state == WAITING]
        times = [side.next_time() for side in self.sides] + others
        return min((time for time in times if time is not None), default=None)

    def others_can_act(self, r: OSThread) -> bool:
        """Whether a thread but *r* does anything, or will without its help."""
        return bool(self.os_blocked) or any(
            o is not r and not (o.state == WAITING and o.deadline is None) for o in self.os_threads.values()
        )

    # -- sleeping -----------------------------------------------------------------------------------------------------

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
        host.clock = self.now = max(until, self.now)
        if busy:
            self.pace.progress()
            return
        self.pace.fired(until)
        if self.pace.begun is not None:
            while not self._in_pace(until):
                pass
