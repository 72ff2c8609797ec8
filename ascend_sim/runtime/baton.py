"""Host threads that run one at a time, in an order that only the program decides."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, ClassVar

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime import hangs
from ascend_sim.runtime.host_threads import (
    FOREVER,
    HOPELESS_POLLS,
    HostThread,
    HostThreads,
    ThreadFactory,
    poll_step,
    thread_title,
)

if TYPE_CHECKING:
    from ascend_sim.runtime.waiting import Awaitable, Reason

__all__ = ["DeterministicThreads"]

_NOTHING = nullcontext()


class DeterministicThreads(HostThreads):
    """One baton for all attached threads of the process. (First version: one thread.)"""

    locked: ClassVar[bool] = False

    def __init__(self, factory: ThreadFactory = HostThread) -> None:
        super().__init__(factory)
        self._threads: list[HostThread] = []

    def attach(self, sim: Any) -> HostThread:
        """The host thread of *sim* for the calling thread."""
        for t in self._threads:
            if t.sim is sim:
                return t
        t = self.factory(sim, self, 0, thread_title(0), 0)
        self._threads.append(t)
        return t

    def detach(self, t: HostThread) -> None:
        """Forget *t*."""
        self._threads.remove(t)

    def attached(self) -> list[HostThread]:
        """The living host threads, by number."""
        return list(self._threads)

    def enter(self, t: HostThread) -> None:
        """Make *t* the running thread; its clock goes on where the thread was."""
        before = self.running
        if before is not None and before.clock > t.clock:
            t.clock = before.clock
        self.running = t

    def outside(self, t: HostThread) -> Any:
        """User code keeps the baton."""
        return _NOTHING

    def close(self, sim: Any) -> None:
        """*sim* closes."""
        self._threads = [t for t in self._threads if t.sim is not sim]
        if self.running is not None and self.running.sim is sim:
            self.running = None

    def spawn_service(self, sim: Any, body: Callable[[HostThread], None], name: str) -> None:
        """Not in this first version."""
        raise NotImplementedError

    def wake(self, t: HostThread, time: int) -> None:
        """Nothing to do: the one thread drives the device itself."""

    def block(self, t: HostThread, w: Awaitable, deadline: int | None = None, why: Reason | None = None) -> bool:
        """Wait until *w* is done; False when virtual *deadline* (ns) passed first. Raises SimulatedHang."""
        scheduler = t.scheduler
        if not w.done:
            scheduler.run(FOREVER if deadline is None else deadline, w)
            if not w.done:
                return self._stuck(t, w, deadline, why)
        if w.end > t.clock:
            t.clock = w.end
        if scheduler.heap:
            scheduler.run(t.clock, None)
        return True

    def _stuck(self, t: HostThread, w: Awaitable, deadline: int | None, why: Reason | None) -> bool:
        if deadline is not None:
            if why is not None and not t.scheduler.heap and not getattr(why, "may_time_out", False):
                self._say(t, w, why)
            t.clock = max(t.clock, deadline)
            return False
        raise SimulatedHang("\n".join(self._say(t, w, why)))

    def _say(self, t: HostThread, w: Awaitable, why: Reason | None) -> list[str]:
        t.awaited, t.why = w, why
        lines = hangs.lines([t])
        self.say_deadlock([t], lines)
        t.awaited = t.why = None
        return lines

    def poll(self, t: HostThread, key: Hashable = None) -> None:
        """Run what is due at the clock of *t*; equal polls move the clock further and further."""
        scheduler = t.scheduler
        due = scheduler.next_time()
        if due is not None and due <= t.clock:
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

    def sleep(self, t: HostThread, ns: int) -> None:
        """Let *ns* of virtual time pass for *t*."""
        t.clock += ns
        t.scheduler.run(t.clock, None)
