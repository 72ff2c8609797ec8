"""Calls of a Python program that come through libraries in C++: their place, and what orders the threads that make them.

The place is the line of the program: frames of the libraries' own Python code are left out. A thread that a library made
has no line; it works for a thread of the program that waits in the library, and that one's line stands for it
(docs/semantics/torch.md#places).
"""

from __future__ import annotations

import _thread
import ctypes
import os
import signal
import sys
import threading
from types import CodeType, FrameType
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_INTERNAL_ERROR
from ascend_sim.errors import SimulatedHang
from ascend_sim.machine.page_guard import GUARDS, PageGuard
from ascend_sim.native.guest_threads import GuestThreads
from ascend_sim.native.threads import order_threads
from ascend_sim.runtime.current import LOCAL, attach_thread, enter
from ascend_sim.runtime.threads.blocked_threads import Monitor
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.host_threads import HostThread
from ascend_sim.runtime.threads.signal_handlers import HANDLERS, is_of_handler
from ascend_sim.source.callsite import BY_C, BY_TORCH, CallSite, Point, own_code

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime

__all__ = ["Guest", "interrupted"]

_PACKAGES = ("torch", "torch_npu", "torchvision", "torchaudio")
_MOST_FRAMES = 6
_MOST_STEPS = 100
_MOST_SITES = 1 << 16

_getframe, _ident = sys._getframe, _thread.get_ident


class Caller:
    """A thread that has called."""

    __slots__ = ("host", "is_librarys", "last", "seen")

    def __init__(self, host: HostThread, is_librarys: bool) -> None:
        self.host = host
        self.is_librarys = is_librarys
        """A library made it."""
        self.last = 0
        """The number of its last run of calls, and of the last that it came behind."""
        self.seen = 0


class Guest:
    """What the process of such a program keeps."""

    def __init__(self, path: str, library: ctypes.CDLL, sim: Runtime) -> None:
        self.sim = sim
        self.library = library
        self._holding = ctypes.PyDLL(path)
        """The library, for functions that need Python's lock."""
        HANDLERS.through_libraries = True
        self.ordered: GuestThreads | None = None
        if isinstance(sim.threads, DeterministicThreads) and not library.ascend_sim_stands_before_python():
            self.ordered = GuestThreads(sim.threads, library)
            order_threads(self.ordered, library)
            held = ctypes.PyDLL(library._name)  # its functions are called with Python's lock
            Monitor.collection = held.ascend_sim_pause_collection, held.ascend_sim_resume_collection
        self._face = BY_TORCH if "torch" in sys.modules else BY_C
        self._folders: tuple[str, ...] = ()
        self._left_out: dict[CodeType, bool] = {}
        self._sites: dict[tuple[int, ...], tuple[Point, ...]] = {}
        self._callers: dict[int, Caller] = {}
        self._last = 0
        """The thread that called last."""
        self._runs = 0
        self._given: dict[int, tuple[HostThread, object]] = {}
        """What was known when a mutex was let go."""
        GUARDS[:] = [PageGuard(library)]
        library.ascend_sim_hear_of_pages.argtypes = [ctypes.py_object]
        library.ascend_sim_hear_of_pages(self._touched)
        self._begin_noting()

    # -- operands --------------------------------------------------------------------------------------------------------

    def _begin_noting(self) -> None:
        """Lines of the program and operands of operators are kept in the library, as long as nobody looks at each call."""
        from ascend_sim.native import operands  # not every program runs operators

        held, sim = self._holding, self.sim
        held.ascend_sim_keep_lines.argtypes = [ctypes.py_object]
        held.ascend_sim_keep_lines(self._leaves_out)
        held.ascend_sim_hear_operands.argtypes = [ctypes.py_object, ctypes.py_object]
        held.ascend_sim_hear_operands(operands.pattern, operands.listener(sim, self._thread_of))
        sim.on_watched.append(self._set_noting)
        sim.at_close.append(held.ascend_sim_tell_operands)
        sim.hooks.add("finalized", self._finalized)
        self._set_noting()

    def _set_noting(self) -> None:
        from ascend_sim.native import operands

        self._holding.ascend_sim_note_operands(int(operands.allowed(self.sim)))

    def _finalized(self, sim: object) -> None:
        self._holding.ascend_sim_note_operands(0)

    def _thread_of(self, ident: int) -> HostThread | None:
        caller = self._callers.get(ident)
        return caller.host if caller is not None else None

    # -- places --------------------------------------------------------------------------------------------------------

    def site(self, caller: int) -> CallSite:
        """The place of the call that the calling thread makes now. *caller*: an address in the library."""
        frame: FrameType | None = _getframe().f_back
        ident = _ident()
        if ident != self._last:
            self._hand_over(ident, frame is None)
        if frame is None:
            frame = self._awaiting_frame()
        points: list[Point] = []
        key: list[int] = []
        known = self._left_out
        innermost = frame
        steps = 0
        while frame is not None and steps < _MOST_STEPS:
            code = frame.f_code
            out = known.get(code)
            if out is None:
                out = self._leaves_out(code)
            if not out:
                points.append((code, frame.f_lasti))
                key += (id(code), frame.f_lasti)
                if len(points) == _MOST_FRAMES:
                    break
            frame = frame.f_back
            steps += 1
        if not points and innermost is not None:
            points.append((innermost.f_code, innermost.f_lasti))
            key += (id(innermost.f_code), innermost.f_lasti)
        found = self._sites.get(tuple(key))
        if found is None:
            if len(self._sites) > _MOST_SITES:
                self._sites.clear()
            found = self._sites[tuple(key)] = (*points, self._face)
        return found

    def _leaves_out(self, code: CodeType) -> bool:
        """Whether frames of *code* are none of the program."""
        out = self._left_out[code] = self._is_left_out(code.co_filename)
        return out

    def _awaiting_frame(self) -> FrameType | None:
        """Where the thread stands for which a thread without Python code works."""
        waiting = self.ordered.waiting if self.ordered is not None else ()
        ident = waiting[-1].ident if waiting else threading.main_thread().ident
        return sys._current_frames().get(ident or 0)

    def _is_left_out(self, file: str) -> bool:
        if not self._folders:
            paths = [getattr(sys.modules.get(name), "__file__", None) for name in _PACKAGES]
            self._folders = tuple(os.path.dirname(path) + os.sep for path in paths if path)
        return own_code(file) or file.startswith((*self._folders, "<frozen "))

    # -- memory that the program touches ---------------------------------------------------------------------------------

    def _touched(self, number: int, write: int) -> None:
        """The calling thread touches memory that a copy is still writing: as a call of its own, that takes no time."""
        site = self.site(0)
        t = getattr(LOCAL, "state", None) or attach_thread()
        hear = GUARDS[0].heard
        if t is None or hear is None:
            return
        leave = None
        if t.threads.running is not t:
            t = enter(t)
            if t is None:
                return
            leave = t.threads.leave if t.threads.locked else None
        before = t.site, t.call
        t.site, t.call = site, "the program"
        try:
            hear(number, bool(write))
        finally:
            t.site, t.call = before
            if leave is not None:
                leave(t)

    # -- the order of calls ----------------------------------------------------------------------------------------------

    def _hand_over(self, ident: int, without_frame: bool) -> None:
        """Another thread calls than before. Threads of libraries know what they wait for: their calls come in order."""
        me = self._callers.get(ident)
        if me is None or me.host.dead:
            host = getattr(LOCAL, "state", None) or attach_thread()
            if host is None:
                return
            me = self._callers[ident] = Caller(host, without_frame)
            if sum(not caller.is_librarys for caller in self._callers.values()) == 2:
                self.library.ascend_sim_order_mutexes.argtypes = [ctypes.py_object]
                self.library.ascend_sim_order_mutexes((self._took, self._gave))
        self._runs += 1
        before = self._callers.get(self._last)
        if before is not None:
            before.last = self._runs
        self._last = ident
        group = me.host.threads
        for other in self._callers.values():
            if other is me or other.last <= me.seen or not (other.is_librarys or me.is_librarys):
                continue
            if me.is_librarys:  # it works off what that thread wanted, and cannot have begun before
                me.host.clock = max(me.host.clock, other.host.clock)
            if group.on_edge is not None and group.on_release is not None:
                group.on_edge("end", other.host, me.host, group.on_release(other.host))
        me.seen = self._runs

    def _took(self, mutex: int, former: int) -> None:
        """The calling thread has taken a mutex that the thread *former* had."""
        me, other = self._callers.get(_ident()), self._callers.get(former)
        known = self._given.get(mutex)
        if me is None or (known is None and other is None):
            return
        group = me.host.threads
        if group.on_edge is None or group.on_release is None:
            return
        if known is None and other is not None:  # it changes hands for the first time
            known = other.host, group.on_release(other.host)
        if known is not None:
            group.on_edge("end", known[0], me.host, known[1])

    def _gave(self, mutex: int, unused: int) -> None:
        """The calling thread lets a mutex go that changes hands."""
        me = self._callers.get(_ident())
        if me is not None and me.host.threads.on_release is not None:
            self._given[mutex] = me.host, me.host.threads.on_release(me.host)

    def thread_ended(self) -> None:
        """The calling thread, which a library made, is over."""
        gone = self._callers.pop(_ident(), None)
        if gone is not None and self._last == _ident():
            self._last = 0

    def leave(self) -> None:
        """The simulator is about to end: what libraries call from now on does nothing."""
        if self.ordered is not None:
            self.ordered.leave()
            self.library.ascend_sim_leave_threads()
        self.library.ascend_sim_leave_guest()


def interrupted(error: BaseException) -> int:
    """The code of a call that *error* has left: Python code of the thread gets it as soon as the library returns.

    That is so for Ctrl-C, for a hang, and for whatever a signal handler of the program raises: a time limit, `sys.exit`.
    """
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if isinstance(error, KeyboardInterrupt) and (usual or not is_of_handler(error)):
        _thread.interrupt_main(signal.SIGINT)
        return 0
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(_ident()), ctypes.py_object(_maker_of(error)))
    return ACL_ERROR_RT_INTERNAL_ERROR if isinstance(error, SimulatedHang) else 0


def _maker_of(error: BaseException) -> type[BaseException]:
    """A class that makes *error* itself: Python raises classes alone in a thread from outside."""
    kind = type(error)
    names = {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "__new__": lambda cls: error}
    return type(kind.__name__, (kind,), names)
