"""Makes the threads, locks, queues and clocks of the standard library work in a deterministic group.

Installed for the life of the process, acting only in attached threads (docs/semantics/threads.md#what-is-replaced).
Locks that were made before, or by C code, stay real: a thread that waits for one is blocked in the OS
(blocked_threads.py).
"""

from __future__ import annotations

import _thread
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from ascend_sim.machine.arrays import load
from ascend_sim.runtime.threads import start
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.os_thread import STARTING, JoinWait, OSThread
from ascend_sim.runtime.threads.patches.clocks import clock_functions, sleep_function
from ascend_sim.runtime.threads.patches.locks import Lock, RLock, nanoseconds
from ascend_sim.runtime.threads.patches.sync_objects import object_functions, watching
from ascend_sim.runtime.threads.signal_handlers import HANDLERS, open_to_signals

__all__ = ["install_patches", "uninstall_patches"]


def install_patches(group: DeterministicThreads, in_python: bool = True) -> None:
    """Let the standard library's threads work in *group*; the calling thread becomes its first one.

    A program that is not *in_python* loads numpy later, with its second thread, or never; the queues and selectors of
    Python stay what they are there, unless they are loaded already. Raises RuntimeError when another group is installed.
    """
    if DeterministicThreads.installed is group:
        return
    if DeterministicThreads.installed is not None:
        raise RuntimeError("another deterministic group is installed in this process")
    if in_python:
        load()
    DeterministicThreads.installed = group
    group.patches = patches = Patches(group)
    patches.install(in_python)


def uninstall_patches() -> None:
    """Undo `install_patches` (tests). Locks made meanwhile go on as real ones."""
    group = DeterministicThreads.installed
    if group is not None:
        DeterministicThreads.installed = None
        group.patches.undo()


class Patches:
    """One set of replacements, and what was there before."""

    def __init__(self, group: DeterministicThreads) -> None:
        self.group = group
        self._before: list[tuple[Any, str, Any]] = []

    def install(self, in_python: bool) -> None:
        """Put everything in place."""
        group = self.group
        group.adopt()
        lock = type("lock", (Lock,), {"__slots__": (), "__module__": "_thread", "group": group})
        rlock = type("RLock", (RLock,), {"__slots__": (), "__module__": "_thread", "lock_class": lock})
        for module, names in ((threading, ("Lock", "_allocate_lock")), (_thread, ("allocate_lock", "allocate"))):
            for name in names:
                self._put(module, name, lock)
        self._put(threading, "RLock", rlock)
        self._put(_thread, "RLock", rlock)
        self._put_starts()
        self._put_clocks()
        if in_python or "queue" in sys.modules:
            self._put_queues()
        if in_python or "selectors" in sys.modules:
            self._put_selectors()
        real_join = threading.Thread.join
        self._put(threading.Thread, "join", self._join(real_join))
        self._put(threading.Thread, "is_alive", self._is_alive(threading.Thread.is_alive, real_join))
        self._put(threading.Event, "is_set", self._is_set(threading.Event.is_set))
        for name in ("set", "clear"):
            self._put(threading.Event, name, self._changing(getattr(threading.Event, name), name == "set"))
        for owner, name, function in object_functions(group):
            _look_like(function, getattr(owner, name))
            self._put(owner, name, function)
        self._put(threading, "_shutdown", self._shutdown(threading._shutdown))  # type: ignore[attr-defined]
        HANDLERS.hold()
        _register_fork_hooks()

    def _put(self, owner: Any, name: str, value: Any) -> None:
        if not hasattr(owner, name):
            return  # a private name that this Python does not have
        self._before.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)

    def undo(self) -> None:
        """Put back what was there."""
        if self.group.monitor is not None:
            self.group.monitor.stop()
            self.group.monitor = None
        self.group.active = False
        self.group.set_multi(False)
        while self._before:
            owner, name, value = self._before.pop()
            setattr(owner, name, value)
        HANDLERS.release()

    # -- threads ------------------------------------------------------------------------------------------------------

    def _put_starts(self) -> None:
        group = self.group
        real = _thread.start_new_thread

        def start_new_thread(function: Callable[..., Any], args: Any, kwargs: Any = None, /) -> int:
            r = group.here.os_thread
            usual = callable(function) and isinstance(args, tuple) and (kwargs is None or isinstance(kwargs, dict))
            if r is None or not group.active or r.state == STARTING or not usual:
                return real(function, args) if kwargs is None else real(function, args, kwargs)
            thread = _thread_of(function)
            if thread is not None:
                ident: int = start.start_thread(group, r, thread, lambda start: real(start, ()))
                return ident
            return start.start_native(group, r, function, args, kwargs or {})

        _look_like(start_new_thread, real)
        self._put(_thread, "start_new_thread", start_new_thread)
        self._put(_thread, "start_new", start_new_thread)
        self._put(threading, "_start_new_thread", start_new_thread)
        if not hasattr(threading, "_start_joinable_thread"):
            return
        joinable = threading._start_joinable_thread  # Python 3.13

        def start_joinable_thread(function: Callable[[], Any], handle: Any = None, daemon: bool = True) -> Any:
            r = group.here.os_thread
            thread = _thread_of(function)
            if r is None or not group.active or r.state == STARTING or thread is None:
                return joinable(function, handle=handle, daemon=daemon)
            return start.start_thread(group, r, thread, lambda start: joinable(start, handle=handle, daemon=daemon))

        self._put(threading, "_start_joinable_thread", start_joinable_thread)

    def _join(self, real: Callable[..., None]) -> Callable[..., None]:
        group = self.group

        @open_to_signals
        def join(self: threading.Thread, timeout: float | None = None) -> None:
            r, child = _pair(group, self)
            if r is None or child is None or child is r:
                real(self, timeout)
                return
            if not child.ended.done:
                group.take_token(r)
                deadline = None if timeout is None else r.host.clock + nanoseconds(max(timeout, 0))
                if not group.wait(r, child.ended, deadline, JoinWait(child)):
                    if group.on_mark is not None:
                        group.on_mark("time limit", r.host)
                    return
            child.joined = True
            group.note_end(r, child)
            with _exempt(r):
                real(self)  # its last steps in the operating system

        _look_like(join, real)
        return join

    def _is_alive(self, real: Callable[..., bool], real_join: Callable[..., None]) -> Callable[..., bool]:
        group = self.group

        @open_to_signals
        def is_alive(self: threading.Thread) -> bool:
            r, child = _pair(group, self)
            if r is None or child is None or child is r:
                return real(self)
            if group.controller is not None:
                group.controller.before_is_alive(child)
            if not child.ended.done:
                group.ask(r, child)
            if not child.ended.done:
                if group.on_ask is not None:
                    group.on_ask("poll", r.host, child, None, 0)
                return True
            group.note_end(r, child, "ended")
            with _exempt(r):
                real_join(self)
            return real(self)

        _look_like(is_alive, real)
        return is_alive

    def _is_set(self, real: Callable[..., bool]) -> Callable[..., bool]:
        group = self.group
        starts = {threading.Thread.start.__code__}

        def is_set(self: threading.Event) -> bool:
            lock = getattr(self._cond, "_lock", None)  # type: ignore[attr-defined]
            controller = watching(group, lock)
            if controller is not None and sys._getframe(1).f_code not in starts:
                controller.before_poll("wait", "flag", lock, lambda: real(self), lambda: real(self))
            answer = real(self)
            if not answer and group.multi:
                r = group.here.os_thread
                if r is not None:
                    r.operations += 1
                    group.operation(r)
                    own = sys._getframe(1).f_globals is threading.__dict__  # Thread.start asks whether it has begun
                    answer = real(self)
                    if not answer and group.on_ask is not None and not own:
                        group.on_ask("poll", r.host, self, None, 0)
            if group.on_edge is not None:
                r, known = group.here.os_thread, self.__dict__.get("_ascend_sim_known")
                if r is not None and known is not None:
                    group.on_edge("poll", r.host, r.host, known)
                if r is not None and answer and group.on_ask is not None and group.multi:
                    group.on_ask("poll", r.host, self, None, 0)
            return answer

        _look_like(is_set, real)
        return is_set

    def _changing(self, real: Callable[..., None], value: bool) -> Callable[..., None]:
        """``Event.set`` and ``Event.clear``: a thread that has seen the event could have seen it otherwise."""
        group = self.group

        def change(self: threading.Event) -> None:
            r = group.here.os_thread
            if r is not None and group.on_release is not None:
                if group.asked is not None:
                    group.changes(r.host, self)
                if self._flag is not value:  # type: ignore[attr-defined]
                    self.__dict__["_ascend_sim_known"] = group.on_release(r.host) if group.multi else None
            real(self)

        _look_like(change, real)
        return change

    def _shutdown(self, real: Callable[[], None]) -> Callable[[], None]:
        group = self.group

        @open_to_signals
        def _shutdown() -> None:
            r = group.here.os_thread
            if r is not None and group.active and group.multi:
                _run_threading_exits()
                while lasting := [c for c in group.os_threads.values() if c is not r and not c.daemon]:
                    group.take_token(r)
                    group.wait(r, lasting[0].ended, None, JoinWait(lasting[0]))
                r.exempt = True
            real()

        return _shutdown

    # -- clocks ------------------------------------------------------------------------------------------------------

    def _put_clocks(self) -> None:
        functions = clock_functions(self.group)
        for name, function in functions.items():
            self._put(time, name, function)
        self._put(time, "sleep", sleep_function(self.group))
        self._put(threading, "_time", functions["monotonic"])

    # -- queues and selectors: modules that not every process has --------------------------------------------------------

    def _put_queues(self) -> None:
        import queue

        from ascend_sim.runtime.threads.patches.queues import SimpleQueue

        simple_queue = type("SimpleQueue", (SimpleQueue,), {"__module__": "_queue", "group": self.group})
        self._put(queue, "SimpleQueue", simple_queue)
        self._put(queue, "time", time.monotonic)

    def _put_selectors(self) -> None:
        from ascend_sim.runtime.threads.patches.selectors import select_function, selector_classes

        for cls in selector_classes():
            self._put(cls, "select", select_function(self.group, cls.select, self._put))


def _thread_of(function: Any) -> threading.Thread | None:
    owner = getattr(function, "__self__", None)
    return owner if isinstance(owner, threading.Thread) and function.__name__ == "_bootstrap" else None


def _pair(group: DeterministicThreads, thread: threading.Thread) -> tuple[OSThread | None, OSThread | None]:
    """The thread that asks about *thread*, and that of *thread*; None where the group does not know it."""
    r = group.here.os_thread if group.active else None
    if r is not None and r.state == STARTING:
        r = None
    return r, thread.__dict__.get("_ascend_sim_os_thread")


@contextmanager
def _exempt(r: OSThread) -> Iterator[None]:
    before, r.exempt = r.exempt, True
    try:
        yield
    finally:
        r.exempt = before


def _run_threading_exits() -> None:
    """What pools registered to run before threads are joined, in threading's own order."""
    exits: list[Callable[[], None]] | None = getattr(threading, "_threading_atexits", None)
    if exits is None:
        return
    threading._SHUTTING_DOWN = True  # type: ignore[attr-defined]
    while exits:
        exits.pop()()


def _look_like(function: Any, real: Any) -> None:
    """Plugins find functions by their names."""
    function.__name__ = getattr(real, "__name__", function.__name__)
    function.__qualname__ = getattr(real, "__qualname__", function.__name__)
    function.__module__ = getattr(real, "__module__", None) or function.__module__
    function.__doc__ = real.__doc__
    function.__wrapped__ = real


# -- fork -------------------------------------------------------------------------------------------------------------


def _register_fork_hooks() -> None:
    """Once for the process: hooks cannot be taken back."""
    flag = "_ascend_sim_fork_hooks"
    module: ModuleType = sys.modules["threading"]
    if hasattr(module, flag) or not hasattr(os, "register_at_fork"):
        return
    setattr(module, flag, True)
    os.register_at_fork(before=_before_fork, after_in_parent=_after_in_parent, after_in_child=_after_in_child)


def _before_fork() -> None:
    """Threading's own hooks run while ours are off: they take patched locks."""
    group = DeterministicThreads.installed
    if group is not None:
        r = group.here.os_thread
        if r is not None:
            group.take_token(r)
        group.active = False


def _after_in_parent() -> None:
    group = DeterministicThreads.installed
    if group is not None:
        group.active = True


def _after_in_child() -> None:
    group = DeterministicThreads.installed
    if group is not None:
        group.fork_child()
