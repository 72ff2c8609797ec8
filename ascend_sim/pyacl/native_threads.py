"""``acl.util.start_thread`` and ``stop_thread``: native threads that run a Python function.

See docs/semantics/pyacl.md#threads.

``stop_thread`` joins, it stops nothing. The thread is made by ``_thread.start_new_thread`` and its end is a lock, both
looked up when they are needed: under ``ascend-sim run`` they are the ones that the scheduler knows. Not modelled: each
``start_thread`` of the real module resets SIGINT to the system default, so that Ctrl-C ends the process without a
KeyboardInterrupt.
"""

from __future__ import annotations

import _thread
import errno
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

from ascend_sim.errors import SimulatedHang
from ascend_sim.pyacl.letters import CONVERT

__all__ = ["FUNCTIONS"]


class _Native:
    """One thread: a lock that is free when it ended, and the text of the exception that ended it."""

    __slots__ = ("alive", "arguments", "begun", "error", "function")

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.function = function
        self.arguments = arguments
        self.error = ""
        self.alive = threading.Lock()
        self.begun = None
        if hasattr(self.alive, "kind"):  # a lock of the scheduler, which knows the thread from its start on
            self.alive.kind = "end"
        else:
            self.begun = threading.Lock()
            self.begun.acquire()
        self.alive.acquire()

    def __repr__(self) -> str:
        return f"acl.util.start_thread({getattr(self.function, '__name__', 'function')})"  # shown when a hang ends it

    def run(self) -> None:
        if self.begun is not None:
            self.begun.release()
        try:
            self.function(*self.arguments)
        except SimulatedHang:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever ends the user's function is kept for stop_thread
            traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
            self.error = f"exception={type(error).__name__},msg=thread call failed;"
        finally:
            self.alive.release()


class _Threads:
    """The threads that nobody has joined yet, by ident: a static variable of the real module."""

    def __init__(self) -> None:
        # Python's threads are detached, so an ident can come back before its first owner was joined
        self._by_ident: dict[int, list[_Native]] = {}

    def start(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> int:
        native = _Native(function, arguments)
        ident = _thread.start_new_thread(native.run, ())
        if native.begun is not None:  # until then nobody could tell that it is there, and may end a wait
            native.begun.acquire()
        self._by_ident.setdefault(ident, []).append(native)
        return ident

    def take(self, ident: int) -> _Native | None:
        """The oldest thread with that ident; it is no longer known afterwards."""
        waiting = self._by_ident.get(ident)
        if not waiting:
            return None
        native = waiting.pop(0)
        if not waiting:
            del self._by_ident[ident]
        return native


_THREADS = _Threads()


def start_thread(*given: Any, **keywords: Any) -> tuple[int, int]:
    """acl.util.start_thread(func, args_list)

    Runs ``func(args_list)`` (``func()`` when *args_list* is None) in a new thread that has no context yet. Returns the
    thread's id, which ``subscribe_report`` takes, and the code of pthread_create. TypeError when *func* is no callable.
    """
    if keywords:
        raise TypeError("start_thread() takes no keyword arguments")
    if len(given) != 2:
        raise TypeError(f"function takes exactly 2 arguments ({len(given)} given)")
    function, arguments = given
    if not callable(function):
        raise TypeError("parameter must be callable")
    try:
        ident = _THREADS.start(function, () if arguments is None else (arguments,))
    except RuntimeError:  # the system has no thread left
        return 0, errno.EAGAIN
    return ident, 0


def stop_thread(*given: Any, **keywords: Any) -> int:
    """acl.util.stop_thread(thread_id)

    Waits for the end of a thread of ``start_thread``; returns the code of pthread_join: ESRCH (3) for an unknown id,
    EDEADLK (35) for the caller's own. RuntimeError when the thread's function raised.
    """
    if keywords:
        raise TypeError("stop_thread() takes no keyword arguments")
    text = "acl.util.stop_thread args parse failed"
    if len(given) != 1:
        raise TypeError(text)
    ident: int = CONVERT["K"](given[0], text)
    if ident == _thread.get_ident():
        return errno.EDEADLK
    native = _THREADS.take(ident)
    if native is None:
        return errno.ESRCH
    native.alive.acquire()
    if native.error:
        raise RuntimeError(native.error)
    return 0


FUNCTIONS: dict[str, Callable[..., Any]] = {"start_thread": start_thread, "stop_thread": stop_thread}
for _function in FUNCTIONS.values():
    _function.__module__ = "acl.util"
