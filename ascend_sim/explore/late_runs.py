"""Ends a run that is late and makes no call: a loop between two calls, which nobody asks for the time.

A thread beside the searches looks now and then. It does nothing until a run is late; then whoever stands in code of the
program gets `OutOfTime` there, in each look again until the run is over. A loop inside of a C function goes on: the
interpreter tells it nothing; so does one of Python 3.10 that jumps back to a `try` and calls nothing, Ctrl-C or not.

A search of a small program takes no longer than a thread takes to start and to end. So a process has one such thread,
which ends when it has looked and found nobody who searches.
"""

from __future__ import annotations

import ctypes
import os
import sys
from _thread import LockType, get_ident
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from ascend_sim.explore.control.run_limit import OutOfTime, RunLimit
from ascend_sim.runtime.threads.blocked_threads import Monitor
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.real_time import real_lock, start_real_thread
from ascend_sim.runtime.threads.signal_handlers import in_program

__all__ = ["LateRuns"]

LOOK_SECONDS: Final = 0.2
GRACE_NS: Final = 300_000_000
"""Real ns for which a run may be late: one that calls is left at one of its next calls."""


class _Watch:
    """The thread of the process that looks for late runs, while anybody is watched."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Nobody is watched, and no thread looks: also in the child of a fork, which has none."""
        self._watched: list[LateRuns] = []
        self._looks = False
        self._gate = real_lock()

    def begin(self, runs: LateRuns) -> None:
        """Look for late runs among *runs*. Where no thread can be started, nobody does."""
        with self._gate:
            self._watched.append(runs)
            if not self._looks:
                with suppress(RuntimeError, MemoryError):
                    start_real_thread(self._look, (real_lock(),))
                    self._looks = True

    def end(self, runs: LateRuns) -> None:
        """No longer."""
        with self._gate, suppress(ValueError):  # the child of a fork
            self._watched.remove(runs)

    def _look(self, never: LockType) -> None:
        """The thread. *never*: a lock that nobody releases."""
        try:
            Monitor.idents.add(get_ident())  # no group takes it for a thread of the program
            never.acquire()
            looks = True
            while looks:
                never.acquire(timeout=LOOK_SECONDS)
                with suppress(MemoryError, RuntimeError):  # that may be over at the next look
                    looks = self._look_once()
        except BaseException:
            self._looks = False  # the next search starts another one
            raise
        finally:
            Monitor.idents.discard(get_ident())

    def _look_once(self) -> bool:
        """Whether anybody is watched."""
        with self._gate:
            watched = list(self._watched)
            if not watched:
                self._looks = False
                return False
        for runs in watched:
            runs.look()
        return True


_WATCH: Final = _Watch()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_WATCH.restart)


class LateRuns:
    """The runs of one runner, of which one is under way at a time. *ask*: called now and then: it may end them all."""

    def __init__(self, ask: Callable[[], object]) -> None:
        self._ask = ask
        self._limit: RunLimit | None = None
        """That of the run whose program is under way."""
        self._gate = real_lock()
        self._raised = False
        """Something was raised in a thread of a run that is not known to have come."""

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While it lasts runs that are late come to an end. Where no thread can be started they do only where they call."""
        _WATCH.begin(self)
        try:
            yield
        finally:
            _WATCH.end(self)

    def begin(self, limit: RunLimit) -> None:
        """The program of a run starts in the calling thread."""
        self._limit = limit

    def end(self) -> None:
        """It has ended: what was raised too late to reach it ends here.

        An exception that is taken back, or whose thread ended before it came, leaves a mark in the interpreter that none
        clears but one that comes; and with the mark CPython 3.11 stands still where it traces. So one more comes here.
        """
        clean = False
        while not clean:
            try:
                with self._gate:
                    self._limit = None  # from now on nobody raises
                clean = not self._raised
                if self._raised:
                    self._raised = False
                    _raise_in(get_ident(), OutOfTime)
                    while True:  # it comes where the loop goes back
                        pass
            except OutOfTime:
                pass  # that one, or one that was on its way

    def look(self) -> None:
        """Raise OutOfTime in the program of a run that is late."""
        self._ask()
        limit = self._limit
        group = DeterministicThreads.installed
        if limit is None or group is None or not limit.is_over(GRACE_NS):
            return
        frames = sys._current_frames()
        for r in list(group.os_threads.values()):
            frame = frames.get(r.ident)
            if frame is None or not in_program(frame):
                continue
            with self._gate:
                if self._limit is not limit:
                    return
                limit.leave(frame)
                self._raised = True
                _raise_in(r.ident, OutOfTime)


def _raise_in(ident: int, error: type[BaseException]) -> None:
    """Let *error* come in the thread *ident*, at the next place where the interpreter looks."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(error))
