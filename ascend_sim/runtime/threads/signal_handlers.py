"""Defers signal handlers of the program until its own code runs: never inside the simulator.

Behind a C library a Python handler runs when the call has returned; CPython runs it between any two instructions of the
main thread, and ours are such. A handler that raises there, or calls the API again, would leave the runtime half
changed. So while a simulator is open each handler is wrapped: one that comes inside the simulator waits until code of
the program goes on (the call returns, or calls a callback), or until the call waits for other threads.

Nothing is paid for that before a signal comes: only then the main thread gets a profile function, which sees functions
return, and takes itself away.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found, unused-ignore] # that of the interpreter: no names of an enum
import os
import signal
import sys
import threading
from _thread import get_ident
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from types import CodeType, FrameType
from typing import Any, Protocol, TypeVar
from weakref import WeakSet

from ascend_sim.errors import OF_HANDLER
from ascend_sim.source.callsite import own_code

__all__ = ["HANDLERS", "INSTALLED", "Handlers", "hands_on", "in_program", "is_of_handler", "open_to_signals"]

F = TypeVar("F", bound=Callable[..., Any])
Handler = Callable[[int, "FrameType | None"], Any]

_LIBRARY = (os.path.dirname(os.path.abspath(os.__file__)) + os.sep, "<frozen ", "<attrs ")
INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_NUMPY = (f"{os.sep}numpy{os.sep}",)
_USUAL = range(1, 32)
"""Signals whose handlers may be older than the simulator; the real-time ones above would cost more to look at."""
_OPEN: set[CodeType] = set()
_HANDING_ON: set[CodeType] = set()


def open_to_signals(function: F) -> F:
    """Mark *function* of the simulator: it runs the program, or waits for it in the operating system.

    A handler runs there at once, since nothing of ours is half changed then, and nobody else would end the wait.
    """
    _OPEN.add(function.__code__)
    return function


def hands_on(function: F) -> F:
    """Mark *function* of the simulator: it stands between two frames of the program, or of ours, and is of neither."""
    _HANDING_ON.add(function.__code__)
    return function


def is_of_handler(error: BaseException) -> bool:
    """Whether a handler of the program has raised *error*: it is the program's, wherever it comes out."""
    return getattr(error, OF_HANDLER, False) is True


def _run(handler: Handler, number: int, frame: FrameType | None) -> None:
    try:
        handler(number, frame)
    except BaseException as error:
        with suppress(AttributeError):  # a class with slots alone
            setattr(error, OF_HANDLER, True)
        raise


def in_program(frame: FrameType | None, own_packages: tuple[str, ...] = _NUMPY) -> bool:
    """Whether code of the program goes on in *frame*: libraries that both use belong to whoever called them.

    *own_packages*: parts of the names of installed files that may be such a library.
    """
    while frame is not None:
        code = frame.f_code
        file = code.co_filename
        if own_code(file):
            if code not in _HANDING_ON:
                return code in _OPEN
            frame = frame.f_back
            continue
        is_installed = any(part in file for part in INSTALLED)
        if (is_installed or not file.startswith(_LIBRARY)) and not any(part in file for part in own_packages):
            return True
        frame = frame.f_back
    return True


def _returns_to_library(code: CodeType) -> bool:
    """Whether *code* is a function of the API that native code has called (`runtime/entry.py`), or its call site."""
    return own_code(code.co_filename) and code not in _OPEN


class Group(Protocol):
    """A group of threads that holds its threads back."""

    def signal_came(self, frame: FrameType | None) -> bool:
        """A handler waits, and the main thread stood at *frame*: make it look. True: it can be interrupted there."""


class _Deferred:
    """What stands in place of one *handler* of the program."""

    __slots__ = ("handler", "owner")

    def __init__(self, owner: Handlers, handler: Handler) -> None:
        self.owner = owner
        self.handler = handler

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if in_program(frame):
            _run(self.handler, number, frame)
        else:
            self.owner.defer(number, frame, self.handler)


class Handlers:
    """The handlers of the process, while somebody holds them."""

    def __init__(self) -> None:
        self.pending: deque[tuple[Handler, int, FrameType | None]] = deque()
        """What came inside the simulator, and has not run yet."""
        self.groups: WeakSet[Group] = WeakSet()
        """Told of each that is to wait."""
        self.main_thread = threading.main_thread().ident
        """The OS ident of the thread in which handlers run; `threading` has it, too, two calls away."""
        self.through_libraries = False
        """Calls come through libraries of the program in C++: what returns to them must return, whatever waits here."""
        self._holders = 0
        self._in_place = False
        self._numbers: set[int] = set()
        """The signals whose handlers are wrapped."""
        self._profile: Any = None
        self._profiling = False
        self._real = signal.signal, signal.getsignal
        self._ours = self._replacements()

    # -- being in place -----------------------------------------------------------------------------------------------

    def hold(self) -> None:
        """Somebody needs the handlers to wait: a simulator is open, a group of threads is installed."""
        self._holders += 1
        if not self._in_place and get_ident() == self.main_thread:
            self._install()

    def release(self) -> None:
        """Undo one `hold`; after the last one the program's handlers are in place again."""
        self._holders -= 1
        if self._holders or not self._in_place or self.pending or get_ident() != self.main_thread:
            return
        self._in_place = False
        signal.signal, signal.getsignal = self._real
        for number in self._numbers:
            handler = _signal.getsignal(number)
            if type(handler) is _Deferred:
                _signal.signal(number, handler.handler)
        self._numbers.clear()

    def _install(self) -> None:
        self._in_place = True
        for number, handler in zip(_USUAL, map(_signal.getsignal, _USUAL), strict=True):
            if type(handler) is not int and handler is not None:
                _signal.signal(number, self._wrapped(handler))
                self._numbers.add(number)
        self._real = signal.signal, signal.getsignal
        signal.signal, signal.getsignal = self._ours

    def _replacements(self) -> tuple[Any, Any]:
        @wraps(signal.signal)
        def set_signal(signalnum: Any, handler: Any) -> Any:
            before = self._real[0](signalnum, self._wrapped(handler))
            self._numbers.add(int(signalnum))
            return before.handler if type(before) is _Deferred else before

        @wraps(signal.getsignal)
        def getsignal(signalnum: Any) -> Any:
            handler = self._real[1](signalnum)
            return handler.handler if type(handler) is _Deferred else handler

        return set_signal, getsignal

    def _wrapped(self, handler: Any) -> Any:
        usual = callable(handler) and type(handler) is not _Deferred and not isinstance(handler, signal.Handlers)
        return _Deferred(self, handler) if usual else handler

    # -- waiting ------------------------------------------------------------------------------------------------------

    def defer(self, number: int, frame: FrameType | None, handler: Handler) -> None:
        """Let *handler* run when the program goes on."""
        can = [group.signal_came(frame) for group in list(self.groups)]
        if any(can) and self.pending and number == signal.SIGINT:  # the second Ctrl-C: the user is in a hurry
            _run(handler, number, frame)
            return
        self.pending.append((handler, number, frame))
        if not self._profiling or sys.getprofile() != self._look:
            self._profile = sys.getprofile()
            self._profiling = True
            sys.setprofile(self._look)

    def _look(self, frame: FrameType, event: str, argument: Any) -> None:
        """The profile function of the main thread while a handler waits."""
        if callable(self._profile):
            self._profile(frame, event, argument)
        if self.pending:
            if event == "return":
                going_on = in_program(frame.f_back) and not (
                    self.through_libraries and _returns_to_library(frame.f_code)
                )
            elif event == "c_return":
                going_on = self.through_libraries and in_program(frame)
            else:
                going_on = event == "call" and in_program(frame)
            if not going_on:
                return
        self._profiling = False
        before, self._profile = self._profile, None
        if before is None or callable(before):
            sys.setprofile(before)
        else:  # an object of C code, which can only put itself in place
            sys.setprofile(None)
            before.enable()
        self.run()

    def run(self) -> None:
        """Run what waits, in the main thread. Raises what the first of them raises, when all have run."""
        raised: BaseException | None = None
        while self.pending:
            handler, number, frame = self.pending.popleft()
            try:
                _run(handler, number, frame)
            except BaseException as error:  # noqa: BLE001 - it goes on to where the program stands
                raised = raised or error
        if raised is not None:
            raise raised

    def forked(self) -> None:
        """In the child of a fork: what came for the parent is the parent's, and who forked is the main thread."""
        self.pending.clear()
        self.main_thread = get_ident()


HANDLERS = Handlers()
"""Signal handlers belong to the process, as their table in the interpreter does."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=HANDLERS.forked)
