"""Tells which threads that no group knows could still end a wait: a hang is reported only when none can.

Such threads never called the API and were not started by a thread that did, as far as the group can see. Some belong to
the program (a pool that is older than the simulator, a thread that computes and calls later): they count until they
have stood still for a real second. Others belong to tools (a test runner's channel, a debugger, a notebook's kernel):
threads that are older than the group and run installed code alone. One of these that the kernel shows asleep, and which
has used no processor time since the group was made, has done nothing and does not count. Those that only carry messages
(of a test runner to its worker, of an editor to its debugger) never do: whether one came just now must decide nothing.

A thread stands still that sleeps in every look. One that wants to run and gets no processor, on a busy machine for more
than a second, does not, and neither does one that is just starting another.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Container
from types import FrameType
from typing import Final

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.runtime.threads import wait_graph
from ascend_sim.runtime.threads.blocked_threads import BUSY_SHARE, thread_state
from ascend_sim.runtime.threads.child_processes import WANTS_TO_RUN
from ascend_sim.runtime.threads.signal_handlers import HANDLERS

__all__ = ["STANDING_NS", "ForeignThreads"]

_real_ns = time.monotonic_ns

STANDING_NS: Final = 1_000_000_000
"""Real ns for which a thread must stand in one place before it counts as blocked."""

UNSEEN_NS: Final = 250_000_000
"""The most real ns between two looks that count: for longer this process may have been stopped, and all others with it."""

AWAY_NS: Final = 5_000_000
"""Real ns for which a thread must be seen asleep in one place before it counts as away from the processor."""

LOOK_NS: Final = 50_000_000
"""Real ns of the shortest stretch over which a share of the processor can be measured."""

_OWN = (PACKAGE + os.sep, "<ascendcl>", "<pyacl>")
_LIBRARY = (os.path.dirname(os.path.abspath(os.__file__)) + os.sep, "<frozen ")
_INSTALLED = (
    f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}", f"{os.sep}debugpy{os.sep}", f"{os.sep}pydev",
)  # fmt: skip
"""Where tools are; editors bring their debuggers along in folders of their own."""
_START: Final = threading.Thread.start.__code__
_MESSENGERS = (f"{os.sep}execnet{os.sep}", f"{os.sep}debugpy{os.sep}", f"{os.sep}pydev")
"""Of these the threads that only carry messages: they never call what the program has."""


class ForeignThreads:
    """The threads of the process outside one group, as they were when that was made and as they are now."""

    def __init__(self) -> None:
        self._native: dict[int, int] = {}
        """The kernel's numbers of threads by OS ident."""
        self._asleep: dict[int, int] = {}
        """Threads of tools that slept then: the processor time (ns) that each had used."""
        self._standing: dict[int, _Place] = {}
        """Where threads were seen to stand."""
        found = wait_graph.frames()
        self._older = found.keys() - {HANDLERS.main_thread}
        for ident in self._older:
            if runs_tools_only(found[ident]):
                self._native[ident] = _native_id(ident) or _native_id_of_bare_thread(ident)
                state, used = self._state(ident)
                if state == "S":
                    self._asleep[ident] = used

    def look_again(self) -> None:
        """A wait begins: a thread that stood still before may have been woken just now."""
        self._standing.clear()

    def act(self, known: Container[int], *, younger_stand: bool = False) -> bool:
        """Whether there are any but the OS idents *known* that may do something.

        A thread that is younger than the group stands still only where another thread must end its wait, unless
        *younger_stand*: it may read or sleep, and go on then.
        """
        found = wait_graph.frames()
        self._older &= found.keys()  # idents are used again
        for ident in self._native.keys() - found.keys():
            del self._native[ident]
        act = False
        for ident, frame in found.items():  # each is looked at, so that it can be seen to stand from now on
            anywhere = younger_stand or ident in self._older
            if ident not in known and not self._stands(ident, frame, anywhere, STANDING_NS):
                act = True
        return act

    def are_away(self, idents: Container[int]) -> bool:
        """Whether each of the OS *idents* is asleep, wherever that is, and has been for more than a moment."""
        found = wait_graph.frames()
        away = [self._stands(ident, frame, True, AWAY_NS) for ident, frame in found.items() if ident in idents]
        return all(away)

    def _stands(self, ident: int, frame: FrameType, anywhere: bool, least_ns: int) -> bool:
        place: object
        state, used = self._state(ident)
        if ident in self._older and runs_tools_only(frame):
            if _carries_messages(frame) or (state == "S" and self._asleep.get(ident) == used):
                return True
            place = _stack(frame)  # a loop that looks now and then whether there is work is the same place each time
        elif state not in WANTS_TO_RUN and (anywhere or wait_graph.waits_for_threads(frame)) and not _starts(frame):
            place = frame, frame.f_lasti
        else:
            self._standing.pop(ident, None)
            return False
        now = _real_ns()
        known = self._standing.get(ident)
        if known is None or known.has_moved(place, used, now):
            self._standing[ident] = _Place(place, used, now)  # it computes maybe: a loop gives way at one place only
            return False
        return known.stood(now) >= least_ns

    def _state(self, ident: int) -> tuple[str, int]:
        """The kernel's state letter of a living thread, and the processor time (ns) that it has used."""
        native_id = self._native.get(ident)
        if native_id is None:
            native_id = self._native[ident] = _native_id(ident)
        return thread_state(native_id)


class _Place:
    """Where a thread was seen to stand, first and in every look since; *used*: the processor time (ns) that it had used."""

    __slots__ = ("_begun", "_last", "_place", "_stood", "_used")

    def __init__(self, place: object, used: int, now: int) -> None:
        self._place = place
        self._used = used
        self._begun = self._last = now
        self._stood = 0

    def has_moved(self, place: object, used: int, now: int) -> bool:
        """Whether it stands elsewhere at real *now* (ns), or computes."""
        return self._place != place or used - self._used > max(now - self._begun, LOOK_NS) * BUSY_SHARE

    def stood(self, now: int) -> int:
        """The real ns for which it was seen there until *now*."""
        self._stood += min(now - self._last, UNSEEN_NS)
        self._last = now
        return self._stood


def runs_tools_only(frame: FrameType | None) -> bool:
    """Whether the stack of *frame* has installed code and none of the program (nor of the simulator)."""
    installed = False
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_OWN):
            return False
        if any(part in file for part in _INSTALLED):
            installed = True
        elif not file.startswith(_LIBRARY):
            return False
        frame = frame.f_back
    return installed


def _stack(frame: FrameType | None) -> tuple[tuple[object, int], ...]:
    """The code and the instruction of each frame, the innermost first."""
    places = []
    while frame is not None:
        places.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(places)


def _carries_messages(frame: FrameType | None) -> bool:
    """Whether the outermost installed code on the stack of *frame*, which has no other, is that of a messenger."""
    outermost = ""
    while frame is not None:
        file = frame.f_code.co_filename
        if any(part in file for part in _INSTALLED):
            outermost = file
        frame = frame.f_back
    return any(part in outermost for part in _MESSENGERS)


def _starts(frame: FrameType | None) -> bool:
    """Whether *frame* stands in the start of a thread, which has no frame yet and begins as soon as it gets a processor."""
    for _ in range(4):  # start, Event.wait, Condition.wait
        if frame is None:
            return False
        if frame.f_code is _START:
            return True
        frame = frame.f_back
    return False


def _native_id(ident: int) -> int:
    """The kernel's number of the thread *ident*, which lives; 0 where that cannot be told."""
    thread = threading._active.get(ident)  # type: ignore[attr-defined]
    return thread.native_id or 0 if thread is not None else 0


def _native_id_of_bare_thread(ident: int) -> int:
    """`_native_id` of a thread without a Thread object. Only for one that goes on: the C library reads its memory."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return 0
    try:
        return ~(time.pthread_getcpuclockid(ident) >> 3)  # Linux: the clock of a thread has its number, inverted
    except OSError:  # it has just ended
        return 0
