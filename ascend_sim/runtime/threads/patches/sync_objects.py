"""Events, semaphores and queues of the standard library, for a controller that takes an operation on one as one step.

They are built from locks, and without a controller that is all they are. A controller hears of the operation first,
lets its thread go on when what it needs is there, and takes no notice of the locks. What it needs may still not be
there, when nothing else could go on: then the library waits, lock by lock.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from ascend_sim.runtime.threads.patches.locks import Lock

if TYPE_CHECKING:
    from ascend_sim.runtime.threads.controller import Controller
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads

__all__ = ["object_functions", "watching"]

Functions = Iterator[tuple[Any, str, Callable[..., Any]]]


class Was:
    """Whether a queue was as an operation needs it: the *part*-th of what is kept of it. Of its lock less is kept."""

    __slots__ = ("part",)

    def __init__(self, part: int) -> None:
        self.part = part

    def __call__(self, x: int, other: Any, steps: object, touches: object) -> bool:
        """Before the step at *x* did *other*."""
        before = other.before
        return bool(before[self.part] if isinstance(before, tuple) else before)


NOT_EMPTY: Final = Was(0)
NOT_FULL: Final = Was(1)
ALL_DONE: Final = Was(2)
FREE: Final = Was(3)


def object_functions(group: DeterministicThreads) -> Functions:
    """(class, name of the method, what takes its place) for all of them; of queues where they are loaded."""
    yield from _events(group)
    yield from _semaphores(group)
    if "queue" in sys.modules:
        yield from _queues(group)


def watching(group: DeterministicThreads, lock: Any) -> Controller | None:
    """The controller that wants to hear of an object with this *lock*; None: nobody does."""
    controller = group.controller
    if controller is None or not isinstance(lock, Lock) or not lock.kind or not controller.watches():
        return None
    return controller


def _events(group: DeterministicThreads) -> Functions:
    cls: Any = threading.Event
    real_set, real_clear, real_wait = cls.set, cls.clear, cls.wait

    def set_(self: Any) -> Any:
        controller = watching(group, self._cond._lock)
        if controller is None:
            return real_set(self)
        controller.before_operation("set", "flag", self._cond._lock, lambda: self._flag)
        return controller.atomically(real_set, self)

    def clear(self: Any) -> Any:
        controller = watching(group, self._cond._lock)
        if controller is None:
            return real_clear(self)
        controller.before_operation("clear", "flag", self._cond._lock, lambda: self._flag)
        return controller.atomically(real_clear, self)

    def wait(self: Any, timeout: float | None = None) -> Any:
        controller = watching(group, self._cond._lock)
        if controller is None:
            return real_wait(self, timeout)
        if timeout is not None and timeout <= 0:
            controller.before_poll("wait", "flag", self._cond._lock, lambda: self._flag, lambda: self._flag)
        else:
            controller.before_operation(
                "wait", "flag", self._cond._lock, lambda: self._flag, lambda: self._flag, timeout
            )
            if not self._flag:
                return real_wait(self, timeout)
        return controller.atomically(real_wait, self, timeout)

    yield cls, "set", set_
    yield cls, "clear", clear
    yield cls, "wait", wait


def _semaphores(group: DeterministicThreads) -> Functions:
    cls: Any = threading.Semaphore
    real_acquire = cls.acquire

    def acquire(self: Any, blocking: bool = True, timeout: float | None = None) -> Any:
        controller = watching(group, self._cond._lock)
        if controller is None or (not blocking and timeout is not None):
            return real_acquire(self, blocking, timeout)
        lock = self._cond._lock
        if not blocking or (timeout is not None and timeout <= 0):
            controller.before_poll("take", "semaphore", lock, lambda: self._value > 0, lambda: self._value > 0)
        else:
            controller.before_operation(
                "take", "semaphore", lock, lambda: self._value > 0, lambda: self._value > 0, timeout
            )
            if not self._value:
                return real_acquire(self, blocking, timeout)
        return controller.atomically(real_acquire, self, blocking, timeout)

    yield cls, "acquire", acquire
    yield cls, "__enter__", acquire
    for owner in (cls, threading.BoundedSemaphore):
        yield owner, "release", _release(group, owner.release)


def _release(group: DeterministicThreads, real: Callable[..., Any]) -> Callable[..., Any]:
    def release(self: Any, n: int = 1) -> Any:
        controller = watching(group, self._cond._lock)
        if controller is None:
            return real(self, n)
        controller.before_operation("put", "semaphore", self._cond._lock, lambda: self._value > 0)
        return controller.atomically(real, self, n)

    return release


def _state(self: Any) -> tuple[bool, bool, bool, bool]:
    """What is kept of a queue; in the order of `Was`. One that was shut down lets everybody go."""
    size, over = self._qsize(), getattr(self, "is_shutdown", False)
    return size > 0 or over, not 0 < self.maxsize <= size or over, not self.unfinished_tasks, True


def _queues(group: DeterministicThreads) -> Functions:
    cls: Any = sys.modules["queue"].Queue
    real_put, real_get, real_done, real_join = cls.put, cls.get, cls.task_done, cls.join

    def operation(
        controller: Controller, self: Any, what: str, need: Was, block: bool, timeout: float | None = None
    ) -> bool:
        """Whether the step of an operation that needs *need* can be taken as a whole."""

        def state() -> Any:
            return self.mutex.free() and _state(self)

        def can() -> bool:
            return self.mutex.free() and _state(self)[need.part]

        if block and (timeout is None or timeout > 0):
            controller.before_operation(what, "lock", self.mutex, state, can, timeout, need)
            return can()
        controller.before_poll(what, "lock", self.mutex, state, can, need)
        return bool(self.mutex.free())

    def put(self: Any, item: Any, block: bool = True, timeout: float | None = None) -> Any:
        controller = watching(group, self.mutex)
        if controller is not None and operation(controller, self, "put", NOT_FULL, block, timeout):
            return controller.atomically(real_put, self, item, block, timeout)
        return real_put(self, item, block, timeout)

    def get(self: Any, block: bool = True, timeout: float | None = None) -> Any:
        controller = watching(group, self.mutex)
        if controller is not None and operation(controller, self, "take", NOT_EMPTY, block, timeout):
            return controller.atomically(real_get, self, block, timeout)
        return real_get(self, block, timeout)

    def task_done(self: Any) -> Any:
        controller = watching(group, self.mutex)
        if controller is not None and operation(controller, self, "put", FREE, True):
            return controller.atomically(real_done, self)
        return real_done(self)

    def join(self: Any) -> Any:
        controller = watching(group, self.mutex)
        if controller is not None and operation(controller, self, "lock", ALL_DONE, True):
            return controller.atomically(real_join, self)
        return real_join(self)

    def asked(name: str, need: Was) -> tuple[Any, str, Callable[..., Any]]:
        real = getattr(cls, name)

        def ask(self: Any) -> Any:
            controller = watching(group, self.mutex)
            if controller is not None and operation(controller, self, "lock", need, False):
                return controller.atomically(real, self)
            return real(self)

        return cls, name, ask

    yield cls, "put", put
    yield cls, "get", get
    yield cls, "task_done", task_done
    yield cls, "join", join
    yield asked("qsize", NOT_EMPTY)
    yield asked("empty", NOT_EMPTY)
    yield asked("full", NOT_FULL)
