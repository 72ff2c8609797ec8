"""Threads of the C++ libraries of a Python program in the deterministic group (`c/waits.c` asks).

They take turns with the threads of the program. What such a library waits for is an address or a file: who waits is
parked at it, who changes it wakes those that are parked there, and they look again. That a library orders its threads
rightly is taken for granted: every hand-over of calls to or from one of its threads is a happens-before edge.
"""

from __future__ import annotations

import _thread
import ctypes
import signal
from collections.abc import Callable
from contextlib import suppress

from ascend_sim.native.threads import FOR_EVER, ProgramThreads
from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.os_thread import READY, WAITING, JoinWait, OSThread

__all__ = ["GuestThreads"]

ONE, INSIDE = 1, 2
MOST_PLACES = 4096
MOST_TURNS = 1000
"""A thread of a library that is never done with its work does not hold the others up."""


class LibraryWait:
    """Waiting inside a library for another thread."""

    def describe(self) -> str:
        """What for, as far as it is known."""
        return "another thread, inside a library"

    def holders(self) -> list[object]:
        """Nobody knows whom."""
        return []


_WAIT = LibraryWait()


class GuestThreads(ProgramThreads):
    """The threads that the libraries made, and who is parked."""

    def __init__(self, group: DeterministicThreads, library: ctypes.CDLL) -> None:
        super().__init__(group, library)
        self.parked: dict[int, list[Signal]] = {}
        self.missed: dict[int, None] = {}
        """Places where somebody outside of the order has called while nobody was parked."""
        self.over = False
        self.libraries_own: set[int] = set()
        """The numbers of threads that a library made."""
        self.waiting: list[OSThread] = []
        """Threads of the program that wait inside a library, the latest one last."""

    def create(self, a: int, b: int, c: int) -> int:
        """A library will start a thread."""
        if self.over:
            return 0
        if self.group.active:
            self.group.adopt()
        token = super().create(a, b, c)
        if token:
            child = self.starting[token][1]
            child.service = child.host.service = True  # it waits for work for ever, and that is no fault
            self.libraries_own.add(child.number)
        return token

    def ended(self, token: int, b: int, c: int) -> int:
        """The thread is over; it may have left the order before."""
        if token in self.starting:
            super().ended(token, b, c)
        return 0

    def known(self, a: int, b: int, c: int) -> int:
        """Whether the calling thread takes part in the order."""
        caller = self.caller()
        if caller is None or not self.over:
            return int(caller is not None)
        if caller.number in self.libraries_own:
            self._go(caller)
        return 0

    def _go(self, caller: OSThread) -> None:
        """*caller*, of a library, leaves the order."""
        self.group.finish(caller)
        self.group.here.os_thread = None

    def park(self, place: int, b: int, limit: int) -> int:
        """Wait at *place*, at most *limit* ns. Returns 1 when it is to look again, 0 for too late, -1 for an unknown thread.

        It has looked before this call. What came since, it is told of: when it was outside of the order then, or when
        somebody called who was, such as a collection of garbage that began in this very function.
        """
        caller = self.caller()
        if caller is None or self.over:
            return -1
        group = self.group
        in_order = group.holder is caller
        group.take_token(caller)
        awaited = Signal()
        awaited.waiters = [caller.host]
        self.parked.setdefault(place, []).append(awaited)
        if not in_order or self.missed.pop(place, self) is None:
            self._unregister(place, awaited)
            return 1
        deadline = None if limit == FOR_EVER else caller.host.clock + max(limit, 1)
        of_program = caller.number not in self.libraries_own
        if of_program:
            self.waiting.append(caller)
        interrupted = False
        try:
            while True:
                try:
                    woken = group.wait(caller, awaited, deadline, _WAIT)
                    break
                except KeyboardInterrupt:  # a library goes on with its wait, and Python code hears of it afterwards
                    interrupted = True
        finally:
            if of_program:
                self.waiting.remove(caller)
            self._unregister(place, awaited)
        if interrupted:
            _thread.interrupt_main(signal.SIGINT)
        if self.over and not of_program:
            self._go(caller)
            return -1
        return int(woken)

    def _unregister(self, place: int, awaited: Signal) -> None:
        there = self.parked.get(place)
        if there is not None:
            with suppress(ValueError):  # who woke it has done so
                there.remove(awaited)
            if not there:
                self.parked.pop(place, None)

    def unpark(self, place: int, how: int, c: int) -> int:
        """Let one of those that are parked at *place* look again (bit 0 of *how*), or all.

        Bit 1: the thread is in the middle of a call, in which a collection of garbage has ended what calls here.
        """
        there = self.parked.get(place)
        caller = None if how & INSIDE else self.caller()
        if not there:
            if self.group.holder is not caller:
                self.missed[place] = None
                if len(self.missed) > MOST_PLACES:
                    del self.missed[next(iter(self.missed))]
            return 0
        woken = there[:1] if how & ONE else there[:]
        if caller is not None:
            self.group.take_token(caller)
        for awaited in woken:
            with suppress(ValueError):
                there.remove(awaited)
            awaited.done, awaited.end = True, caller.host.clock if caller is not None else 0
            for waiter in awaited.waiters or ():
                thread: OSThread = waiter.os_thread  # type: ignore[attr-defined]
                if caller is not None:
                    self.group.wake_thread(thread, awaited.end)
                else:
                    self.group.post(thread)
        return 0

    def turn(self, a: int, b: int, c: int) -> int:
        """Let the threads of libraries do what they can do now, before the calling thread goes on."""
        caller = self.caller()
        if caller is None or self.over or caller.number in self.libraries_own:
            return 0
        self.group.take_token(caller)
        for _ in range(MOST_TURNS):
            ready = [
                child for _, child in self.starting.values()
                if child.number in self.libraries_own and child.state == READY
            ]  # fmt: skip
            if not ready:
                break
            until = max(caller.host.clock, *(child.host.clock for child in ready)) + 1
            self.group.wait(caller, Signal(), until, _WAIT)
        return 0

    def leave(self) -> None:
        """The simulator ends: threads of libraries wait as the C library lets them from now on."""
        self.over = True
        me = self.group.here.os_thread
        if me is None or not self.group.active:
            return
        own = [child for _, child in self.starting.values() if child.number in self.libraries_own]
        for place in list(self.parked):
            self.unpark(place, 0, 0)
        for thread in own:
            if not thread.ended.done and thread.state in (READY, WAITING):
                self.group.wait(me, thread.ended, None, JoinWait(thread))

    def operations(self) -> tuple[Callable[[int, int, int], int], ...]:
        """What the library asks for, in the order of its numbers."""
        return (*super().operations(), self.park, self.unpark, self.known, self.turn)
