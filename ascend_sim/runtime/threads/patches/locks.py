"""Locks that know the deterministic group.

Each wraps a real lock. Without contention an operation is one real `acquire`; with one attached thread there is nothing
else. A thread that the group does not know uses the real lock alone. ``threading.Condition``, `Event`, `Semaphore`,
`Barrier`, ``queue.Queue``, `Timer` and the pools are built from these by the standard library itself.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock, get_ident
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.threads import wait_graph
from ascend_sim.runtime.threads.os_thread import ENDED, STARTING
from ascend_sim.runtime.threads.signal_handlers import open_to_signals

if TYPE_CHECKING:
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.runtime.threads.os_thread import OSThread

__all__ = ["Lock", "RLock", "ThreadWait", "complete", "nanoseconds"]

IMPORTS = "<frozen importlib._bootstrap>"
TIMEOUT_MAX = sys.maxsize / 1e9


def nanoseconds(seconds: float) -> int:
    """*seconds* in ns, rounded up: a loop with a time-out must not keep a rest that rounds to nothing."""
    return -int(-seconds * 1_000_000_000 // 1)


class ThreadWait(Signal):
    """One thread's wait for a lock, or for an item in a queue."""

    __slots__ = ("granted", "lock", "os_thread", "woken")

    def __init__(self, lock: Any, os_thread: OSThread) -> None:
        super().__init__()
        self.lock = lock
        self.os_thread = os_thread
        self.woken = False
        self.granted = False

    def describe(self) -> str:
        """What is waited for: the call of the library if there is one, else a lock."""
        return wait_graph.library_call(self.os_thread.ident) or self.lock.describe()

    def holders(self) -> list[object]:
        """Who has the lock. Nobody for a condition, an event or a queue: their locks are tokens without owner. What a
        program in C makes of them may know its own."""
        ident = self.os_thread.ident
        if wait_graph.library_call(ident):
            return list(wait_graph.owners_in_call(ident))
        owners: list[object] = self.lock.owners()
        return owners


def complete(group: DeterministicThreads, w: ThreadWait, by: OSThread | None) -> None:
    """*w* can go on; *by* did it (None: a thread that the group does not know)."""
    r = w.os_thread
    w.woken = True
    if by is not None and group.holder is by:
        w.end = by.host.clock
        w.done = True
        group.wake_thread(r, w.end)
    else:
        w.done = True
        group.post(r)


class Lock:
    """``threading.Lock`` in the deterministic group."""

    __slots__ = (
        "__weakref__", "_at", "_clock", "_from", "_holder", "_imports", "_known", "_name", "_owner", "_real", "_waits",
        "kind", "label",
    )  # fmt: skip
    group: ClassVar[DeterministicThreads]

    def __init__(self) -> None:
        self._real = allocate_lock()
        self._waits: list[ThreadWait] = []
        self._owner = 0
        self._holder: HostThread | None = None
        self._at = 0
        """Who has it or had it last, and at which number of its clock that took it; None: nobody else was there then."""
        self._from: HostThread | None = None
        self._clock = 0
        """Who released it last, and at which virtual time (ns)."""
        self._known: object = None
        """What that thread knew then, for observers."""
        self._name = ""
        self.kind = "lock"
        """What is told of taking it: a ``lock``, the ``end`` of a thread, or nothing (a thread's start is told anyhow)."""
        self.label = ""
        """Its name for a controller that took notice of it when it was made."""
        self._imports = _made_by_imports()
        """It guards the import of a module, which happens once, and in no run after that: it takes no virtual time."""
        controller = self.group.controller
        if controller is not None:
            if self._imports:
                self.kind = ""
            controller.object_made(self)

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock; False when it is taken and *blocking* is false or *timeout* (s) has passed."""
        controller = self.group.controller
        if controller is not None and self.kind:
            controller.before_acquire(self, blocking, timeout)
        if timeout == -1 and self._real.acquire(False):
            if self.group.multi or self._from is not None:
                self._take()
            else:
                self._owner = get_ident()
                self._holder = None
            return True
        return self._acquire_slowly(blocking, timeout)

    __enter__ = acquire

    def acquire_lock(self, blocking: bool = True, timeout: float = -1) -> bool:
        """An old name of `acquire`."""
        return self.acquire(blocking, timeout)

    def _take(self) -> None:
        """The bookkeeping of a lock that was free: its last holder's clock and knowledge go to the taker."""
        self._owner = get_ident()
        group = self.group
        r = group.here.os_thread
        if r is None:
            return
        if group.on_ask is not None:
            self._holder = r.host
            knows = r.host.knows
            self._at = knows.q if knows is not None else 0
            if group.asked is not None:
                group.changes(r.host, self)
        last, self._from = self._from, None
        if last is not None and last.os_thread is not r:
            if self._clock > r.host.clock:
                r.host.clock = self._clock
            if group.on_edge is not None and self.kind:
                group.on_edge(self.kind, last, r.host, self._known)
        if not self._imports:
            group.operation(r)

    @open_to_signals
    def _acquire_slowly(self, blocking: bool, timeout: float) -> bool:
        group = self.group
        r = group.here.os_thread if group.active else None
        if r is None or r.state == STARTING:
            return self._took(self._real.acquire(blocking, timeout))
        if timeout != -1:
            if not blocking:
                raise ValueError("can't specify a timeout for a non-blocking call")
            if timeout < 0:
                raise ValueError("timeout value must be a non-negative number")
            if timeout > TIMEOUT_MAX:
                raise OverflowError("timestamp too large to convert to C _PyTime_t")
            if self._real.acquire(False):
                self._take()
                return True
        if not blocking:
            group.ask(r, self)
            if self._took(self._real.acquire(False)):
                return True
            self._saw_taken(r)
            return False
        return self._contend(group, r, None if timeout == -1 else r.host.clock + nanoseconds(timeout))

    def _took(self, taken: bool) -> bool:
        if taken:
            self._take()
        return taken

    def _contend(self, group: DeterministicThreads, r: OSThread, deadline: int | None) -> bool:
        group.take_token(r)
        w = ThreadWait(self, r)
        self._waits.append(w)
        try:
            while not self._real.acquire(False):  # again: someone without the run token may have released it just now
                if not group.wait(r, w, deadline, w):
                    self._waits.remove(w)
                    if group.on_mark is not None:
                        group.on_mark("time limit", r.host)
                    return False
                if w.granted:
                    break
                w.done = False
        except BaseException:
            self._leave(w)
            raise
        if w in self._waits:
            self._waits.remove(w)
        self._take()
        return True

    def _leave(self, w: ThreadWait) -> None:
        """A waiting thread is torn away: nobody may miss the wake-up that it got."""
        if w in self._waits:
            self._waits.remove(w)
        if w.granted:
            self.release()
        elif w.done and self._waits and not self._real.locked():
            complete(self.group, self._waits[0], self.group.here.os_thread)

    def release(self) -> None:
        """Give the lock back; any thread may. Raises RuntimeError when it is free."""
        group = self.group
        if group.multi:
            r = group.here.os_thread
            if r is not None:
                self._from, self._clock = r.host, r.host.clock
                if group.on_release is not None:
                    self._known = group.on_release(r.host)
                if group.asked is not None:
                    group.changes(r.host, self)
        if group.controller is not None and self.kind:
            group.controller.lock_released(self)
        if self._waits and self._real.locked():
            self._release_to_waiter(group, group.here.os_thread)
            return
        self._real.release()

    release_lock = release

    def __exit__(self, *error: object) -> None:
        self.release()

    def _release_to_waiter(self, group: DeterministicThreads, r: OSThread | None) -> None:
        """The first waiter may try again. One that tried in vain gets the lock itself, or it could starve."""
        while self._waits and self._waits[0].os_thread.state == ENDED:  # left behind by a fork
            del self._waits[0]
        if not self._waits:
            self._real.release()
            return
        w = self._waits[0]
        if w.woken:
            w.granted = True
            self._waits.remove(w)
        else:
            self._real.release()
        complete(group, w, r)

    def tell(self, r: OSThread) -> None:
        """*r* has seen, without taking the lock, what its last holder did before the release."""
        if self._known is not None and self.kind and self.group.on_edge is not None:
            self.group.on_edge("poll", r.host, r.host, self._known)

    def _saw_taken(self, r: OSThread) -> None:
        """*r* saw that the lock is taken: a nondeterminism point, unless acquire and next release are ordered with it."""
        on_ask = self.group.on_ask
        if on_ask is not None and self.kind and self._owner != get_ident():  # nobody else decides about its own lock
            on_ask("lock", r.host, self, self._holder, self._at)

    def free(self) -> bool:
        """Whether nobody has it, for a controller: not a poll of the program."""
        return not self._real.locked()

    def locked(self) -> bool:
        """Whether the lock is taken."""
        group = self.group
        r = group.here.os_thread if group.active else None
        if r is None or r.state == STARTING or not group.multi:
            return self._real.locked()
        if group.controller is not None and self.kind:
            group.controller.before_acquire(self, False, -1)  # it looks at the lock as one does who tries to take it
        if self._real.locked():
            group.ask(r, self)
            if self._real.locked():
                self._saw_taken(r)
                return True
        self.tell(r)
        if group.on_ask is not None and self.kind:
            group.on_ask("lock", r.host, self, None, 0)
        return False

    locked_lock = locked

    def _is_owned(self) -> bool:
        """What a condition asks before it waits or notifies; otherwise it would try to take the lock."""
        return self._real.locked()

    def _at_fork_reinit(self) -> None:
        self._real = allocate_lock()
        self._waits = []
        self._from = None

    def describe(self) -> str:
        """Its name in reports, numbered in the order of appearance there, and who has it."""
        if not self._name:
            self._name = self.group.next_lock_name()
        owners = [t.name for t in self.group.attached() if t.os_ident == self._owner]
        return f"{self._name} held by {owners[0] if owners else 'a thread that has ended'}"

    def owners(self) -> list[object]:
        """The host thread that has it."""
        return [t for t in self.group.attached() if t.os_ident == self._owner]

    def __repr__(self) -> str:
        state = "locked" if self._real.locked() else "unlocked"
        return f"<{state} _thread.lock object at {hex(id(self))}>"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("cannot pickle '_thread.lock' object")


def _made_by_imports() -> bool:
    """Whether the import system makes the lock whose ``__init__`` asks, or the one that it is a part of."""
    frame = sys._getframe(2)
    if frame.f_code is RLock.__init__.__code__ and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename == IMPORTS


class RLock:
    """``threading.RLock`` in the deterministic group."""

    __slots__ = ("__weakref__", "_count", "_lock", "_owner")
    lock_class: ClassVar[type[Lock]]

    def __init__(self) -> None:
        self._lock = self.lock_class()
        self._owner = 0
        self._count = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock, once more when the calling thread has it."""
        me = get_ident()
        if self._owner == me:
            self._count += 1
            return True
        if self._lock.acquire(blocking, timeout):
            self._owner = me
            self._count = 1
            return True
        return False

    __enter__ = acquire

    def release(self) -> None:
        """Undo one `acquire`. Raises RuntimeError in a thread that does not have it."""
        if self._owner != get_ident():
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if not self._count:
            self._owner = 0
            self._lock.release()

    def __exit__(self, *error: object) -> None:
        self.release()

    def locked(self) -> bool:
        """Whether the lock is taken."""
        return not self._lock.free()

    # What threading.Condition and the import system use.

    def _is_owned(self) -> bool:
        return self._owner == get_ident()

    def _release_save(self) -> tuple[int, int]:
        if not self._count:
            raise RuntimeError("cannot release un-acquired lock")
        state = self._count, self._owner
        self._count = self._owner = 0
        self._lock.release()
        return state

    def _acquire_restore(self, state: tuple[int, int]) -> None:
        self._lock.acquire()
        self._count, self._owner = state

    def _recursion_count(self) -> int:
        return self._count if self._owner == get_ident() else 0

    def _at_fork_reinit(self) -> None:
        self._lock._at_fork_reinit()
        self._owner = self._count = 0

    def __repr__(self) -> str:
        state = "unlocked" if self._lock.free() else "locked"
        return f"<{state} _thread.RLock object owner={self._owner} count={self._count} at {hex(id(self))}>"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("cannot pickle '_thread.RLock' object")
