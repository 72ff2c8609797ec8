"""``queue.SimpleQueue`` in the deterministic group: what pools and executors hand their work over with.

``queue.Queue`` and its kin are built from locks and need nothing of their own.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections import deque
from queue import Empty
from types import GenericAlias
from typing import TYPE_CHECKING, Any, ClassVar

from ascend_sim.runtime.threads.os_thread import STARTING
from ascend_sim.runtime.threads.patches.locks import ThreadWait, complete, nanoseconds
from ascend_sim.runtime.threads.signal_handlers import open_to_signals

if TYPE_CHECKING:
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.runtime.threads.os_thread import OSThread

__all__ = ["SimpleQueue"]


class SimpleQueue:
    """``queue.SimpleQueue`` in the deterministic group. `put` may be called again while it runs, as in a `__del__`."""

    group: ClassVar[DeterministicThreads]
    __class_getitem__: ClassVar[Any] = classmethod(GenericAlias)

    def __init__(self) -> None:
        self._items: deque[tuple[Any, HostThread | None, int, object]] = deque()
        """(item, who put it, at which virtual time in ns, what it knew then)"""
        self._waits: deque[ThreadWait] = deque()
        self._foreign = allocate_lock()
        self._foreign.acquire()
        self.label = ""
        if self.group.controller is not None:
            self.group.controller.object_made(self)
        """Opened for threads that the group does not know, when something was put."""

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Append *item*; never blocks."""
        group = self.group
        if group.controller is not None:
            group.controller.before_put(self)
        r = group.here.os_thread
        if r is None:
            self._items.append((item, None, 0, None))
        else:
            if group.asked is not None:
                group.changes(r.host, self)
            known = group.on_release(r.host) if group.on_release is not None else None
            self._items.append((item, r.host, r.host.clock, known))
        if self._waits:
            complete(group, self._waits.popleft(), r)
        elif self._foreign.locked():
            try:
                self._foreign.release()
            except RuntimeError:
                pass  # opened meanwhile
        if r is not None and group.multi:
            group.operation(r)

    def put_nowait(self, item: Any) -> None:
        """`put`, which never blocks."""
        self.put(item)

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """The oldest item. Raises queue.Empty when there is none and *block* is false or *timeout* (s) has passed."""
        if timeout is not None and timeout < 0 and block:
            raise ValueError("'timeout' must be a non-negative number")
        group = self.group
        r = group.here.os_thread if group.active else None
        if group.controller is not None:
            group.controller.before_get(self, block, timeout)
        if r is None:
            return self._get_from_outside(block, timeout)
        if not self._items:
            if not block:
                group.ask(r, self)
            else:
                self._wait(group, r, None if timeout is None else r.host.clock + nanoseconds(timeout))
        if not self._items:
            if not block:
                self._saw_size(r)
            elif group.on_mark is not None:
                group.on_mark("time limit", r.host)
            raise Empty
        if group.asked is not None:
            group.changes(r.host, self)
        item, giver, clock, known = self._items.popleft()
        if giver is not None and giver.os_thread is not r:
            r.host.clock = max(r.host.clock, clock)
            if group.on_edge is not None:
                group.on_edge("queue", giver, r.host, known)
        return item

    def _wait(self, group: DeterministicThreads, r: OSThread, deadline: int | None) -> None:
        group.take_token(r)
        while not self._items:
            w = ThreadWait(self, r)
            self._waits.append(w)
            try:
                if not self._items and not group.wait(r, w, deadline, w):
                    return
            except BaseException:
                if w.done and self._items and self._waits:
                    complete(group, self._waits.popleft(), r)
                raise
            finally:
                if w in self._waits:
                    self._waits.remove(w)

    @open_to_signals
    def _get_from_outside(self, block: bool, timeout: float | None) -> Any:
        while True:
            try:
                return self._items.popleft()[0]
            except IndexError:
                if not block or not self._foreign.acquire(timeout=-1 if timeout is None else timeout):
                    raise Empty from None

    def get_nowait(self) -> Any:
        """The oldest item. Raises queue.Empty when there is none."""
        return self.get(False)

    def _saw_size(self, r: OSThread) -> None:
        """*r* saw how many items there are: a nondeterminism point when another thread puts or takes unordered with it."""
        if self.group.on_ask is not None:
            self.group.on_ask("poll", r.host, self, None, 0)

    def empty(self) -> bool:
        """Whether there is nothing in it now."""
        return not self.qsize()

    def qsize(self) -> int:
        """How many items it holds now."""
        group = self.group
        r = group.here.os_thread if group.active else None
        if group.controller is not None:
            group.controller.before_qsize(self)
        if r is None or r.state == STARTING or not group.multi:
            return len(self._items)
        if not self._items:
            group.ask(r, self)
        if group.on_edge is not None:
            for _, giver, _, known in self._items:
                if giver is not None and giver.os_thread is not r:
                    group.on_edge("poll", giver, r.host, known)
        self._saw_size(r)
        return len(self._items)

    def filled(self) -> bool:
        """Whether there is something in it, for a controller: not a poll of the program."""
        return bool(self._items)

    def describe(self) -> str:
        """What a thread waits for in it."""
        return "an item in a queue"

    def owners(self) -> list[object]:
        """Nobody: anyone could put something."""
        return []
