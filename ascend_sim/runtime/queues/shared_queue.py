"""A shared queue: entries in order, host threads that wait for one or for room (docs/semantics/queues.md#waiting)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from ascend_sim.constants.errors import (
    ACL_ERROR_FAILURE,
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_QUEUE_EMPTY,
    ACL_ERROR_RT_QUEUE_FULL,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.queues.stores import Store
from ascend_sim.runtime.threads.patches.sync_objects import NOT_EMPTY, NOT_FULL

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.queues.entries import Entry
    from ascend_sim.runtime.scheduler import Waiter
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.source.callsite import CallSite

__all__ = ["QueueWait", "SharedQueue"]

MS: Final = 1_000_000


class QueueWait:
    """A host thread waits for an entry of a queue, or for room in it: what ends the wait, and its words in reports."""

    __slots__ = ("done", "end", "thread", "waiters", "wanted")

    may_time_out = True
    """Who waits with a limit takes the answer "empty" or "full" for an ordinary one."""

    def __init__(self, wanted: str, thread: HostThread | None = None) -> None:
        self.wanted = wanted
        self.thread = thread
        self.done = False
        self.end = 0
        self.waiters: list[Waiter] | None = None

    def describe(self) -> str:
        """The wait in words."""
        return self.wanted

    def holders(self) -> list[object]:
        """Nobody: any thread could put or take something."""
        return []


class SharedQueue:
    """A queue of a device. *depth* is what the program asked for; `room` how many entries it holds.

    Entries hold bytes, or a buffer that all who know the queue may reach; so they could be kept by another process.
    """

    leaks_as: ClassVar[str] = "queue"

    def __init__(self, sim: Runtime, device: int, number: int, name: str, depth: int, site: CallSite) -> None:
        self.sim = sim
        self.device = device
        self.number = number
        """Its id: what programs call it by."""
        self.name = name
        self.depth = depth
        self.room = depth - 1 if sim.profile.switches["queue_depth"] == "ring" else depth
        self.site = site
        self.handle = 0
        self.label = ""
        """Its name for a controller of the threads."""
        self.store = Store()
        self.bits = 7
        """What this process may do with it: all (ACL_TDT_QUEUE_PERMISSION_*), unless another one has made it."""
        self.dead = False
        self.lost = ""
        """Why nothing will end a wait any more."""
        self.stopped = False
        """Whoever waits for an entry is sent away."""
        self.title = ""
        """What it is part of, for texts."""
        self.after: Callable[[int], None] | None = None
        """Called with the virtual time (ns) after each change, while routes begin or end here."""
        self.feeds: list[Callable[[int], None]] = []
        """Called after each change as well: models that take from it, or put into it."""
        self._takers: deque[QueueWait] = deque()
        self._givers: deque[QueueWait] = deque()
        if sim.threads.controller is not None:
            sim.threads.controller.object_made(self)

    def describe(self) -> str:
        """The queue in words."""
        if self.title:
            return self.title
        return f"queue {self.number}" + (f' "{self.name}"' if self.name else "")

    def kept_by_another(self) -> bool:
        """Whether it is destroyed with something else: a tensor channel."""
        return bool(self.title)

    def need(self, bit: int, what: str) -> None:
        """Raises AclError 507899: another process has made it, and did not let this one do *what*."""
        if not self.bits & bit:
            text = f"{self.describe()}: this process was not granted to {what} it"
            raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text, "driver")

    # -- what is in it ------------------------------------------------------------------------------------------------

    def filled(self) -> bool:
        """Whether there is something in it."""
        return len(self.store) > 0

    def has_room(self) -> bool:
        """Whether one more entry fits."""
        return len(self.store) < self.room

    def _state(self) -> tuple[bool, bool]:
        return self.filled(), self.has_room()

    # -- operations of host threads -----------------------------------------------------------------------------------

    def put(self, t: HostThread, entry: Entry, timeout: int) -> None:
        """Append *entry*; wait for room at most *timeout* ms (negative: for ever).

        Raises AclError 207014 (still full), 507899 (the queue was destroyed meanwhile).
        """
        threads = self.sim.threads
        while True:
            if not self._reach(t, "put", self.has_room, timeout):
                raise AclError(
                    ACL_ERROR_RT_QUEUE_FULL, f"{self.describe()} is full: it holds {len(self.store)} entries"
                )
            if threads.asked is not None:
                threads.changes(t, self)
            entry.giver, entry.time = t, t.clock
            entry.known = threads.on_release(t) if threads.on_release is not None else None
            if self.store.push(t, entry, self.room):
                break
        self.changed(t.clock)

    def take(self, t: HostThread, timeout: int) -> Entry:
        """The oldest entry; wait for one at most *timeout* ms (negative: for ever).

        Raises AclError 207013 (still empty), 507899 (the queue was destroyed meanwhile).
        """
        threads = self.sim.threads
        entry = None
        while entry is None:
            if not self._reach(t, "take", self.filled, timeout):
                raise AclError(ACL_ERROR_RT_QUEUE_EMPTY, f"{self.describe()} is empty")
            if threads.asked is not None:
                threads.changes(t, self)
            entry = self.store.pop(t)
        t.clock = max(t.clock, entry.time)
        if entry.giver is not t and entry.giver is not None and threads.on_edge is not None:
            threads.on_edge("queue", entry.giver, t, entry.known)
        self.changed(t.clock)
        return entry

    def size(self, t: HostThread) -> int:
        """How many entries it holds: a poll."""
        threads = self.sim.threads
        if threads.controller is not None and threads.controller.watches():
            threads.controller.before_poll("lock", "items", self, self._state, self.filled, NOT_EMPTY)
        else:  # a poll of a controlled thread is one step, in which it sees the answer
            threads.poll(t, ("size", self.describe()))
        self._saw(t)
        return len(self.store)

    def clear(self, t: HostThread) -> None:
        """Drop what is in it."""
        threads = self.sim.threads
        if threads.controller is not None and threads.controller.watches():
            threads.controller.before_operation("take", "items", self, self._state)
        if threads.asked is not None:
            threads.changes(t, self)
        self.store.clear(t)
        self.changed(t.clock)

    def end(self, t: HostThread) -> None:
        """The queue is destroyed: who waits for it fails."""
        self.clear(t)
        self.store.end(t)
        self.dead = True
        self.send_away(t.clock)
        self.sim.drop_handle(self.handle)

    def send_away(self, time: int) -> None:
        """All waits are over at virtual *time* (ns): who waits sees why not."""
        for waits in (self._takers, self._givers):
            while waits:
                self.sim.scheduler.complete(waits.popleft(), time)

    def waiting(self) -> list[QueueWait]:
        """The waits of threads of this process."""
        return [*self._takers, *self._givers]

    def stop(self, t: HostThread) -> None:
        """Send away who waits for an entry."""
        self.stopped = True
        while self._takers:
            self.sim.scheduler.complete(self._takers.popleft(), t.clock)

    def changed(self, time: int) -> None:
        """Something came or went at virtual *time* (ns): routes go on, and the first who waits for it looks again."""
        if self.after is not None:
            self.after(time)
        for pump in self.feeds:
            pump(time)
        if self._takers and self.filled():
            self.sim.scheduler.complete(self._takers.popleft(), time)
        if self._givers and self.has_room():
            self.sim.scheduler.complete(self._givers.popleft(), time)

    # -- waiting ------------------------------------------------------------------------------------------------------

    def _reach(self, t: HostThread, what: str, can: Callable[[], bool], timeout: int) -> bool:
        """Wait until *can*; False when that takes longer than *timeout* ms."""
        threads = self.sim.threads
        test = NOT_EMPTY if what == "take" else NOT_FULL
        controller = threads.controller
        watched = controller is not None and controller.watches()
        if controller is not None and watched:
            if timeout:
                limit = None if timeout < 0 else timeout / 1000
                controller.before_operation(what, "items", self, self._state, can, limit, test)
            else:
                controller.before_poll(what, "items", self, self._state, can, test)
        if not timeout:
            if not watched:
                threads.poll(t, None if can() else (t.call, self.describe()))
            if not can():
                self._saw(t)
            return can()
        threads.poll(t)
        deadline = None if timeout < 0 else t.clock + timeout * MS
        waited = False
        while not can():
            if self.dead:
                raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"{self.describe()} was destroyed during the wait")
            gone = self.lost or self.store.gone()
            if gone:
                raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"{self.describe()} is gone: {gone}", "driver")
            if self.stopped and what == "take":
                raise AclError(ACL_ERROR_FAILURE, f"{self.describe()} was stopped", "acl")
            if not self._wait(t, what, deadline) and not can():
                if threads.on_mark is not None:
                    threads.on_mark("time limit", t)
                return False
            waited = True
        if waited and what == "put":
            for observe in self.sim.hooks.stalled or ():
                observe(t, self.describe())
        return True

    def _wait(self, t: HostThread, what: str, deadline: int | None) -> bool:
        waits = self._takers if what == "take" else self._givers
        wanted = f"{'an entry of' if what == 'take' else 'room in'} {self.describe()}"
        wait = QueueWait(wanted, t)
        waits.append(wait)
        try:
            return self.sim.threads.block(t, wait, deadline, wait)
        finally:
            if wait in waits:
                waits.remove(wait)

    def _saw(self, t: HostThread) -> None:
        """*t* saw how much is in it: a nondeterminism point when another thread puts or takes unordered with it."""
        threads = self.sim.threads
        if threads.on_edge is not None:
            for entry in self.store.known():
                if entry.giver is not None and entry.giver is not t:
                    threads.on_edge("poll", entry.giver, t, entry.known)
        if threads.on_ask is not None:
            threads.on_ask("poll", t, self, None, 0)
