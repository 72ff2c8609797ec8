"""Event loops in virtual time: selectors that wait for nothing but a wake-up by other threads.

An asyncio loop sleeps in a selector. When that watches only the loop's own pipe, the wait is like any other: it ends at
its virtual deadline, or when a thread calls ``call_soon_threadsafe``. A selector that watches more (sockets, processes)
waits in real time: its thread is blocked in the OS meanwhile (blocked_threads.py), and virtual time goes on with it.
"""

from __future__ import annotations

import selectors
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.runtime.threads.os_thread import STARTING
from ascend_sim.runtime.threads.patches.locks import ThreadWait, complete, nanoseconds
from ascend_sim.runtime.threads.signal_handlers import open_to_signals

if TYPE_CHECKING:
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads
    from ascend_sim.runtime.threads.os_thread import OSThread

__all__ = ["select_function", "selector_classes"]

_real_ns = time.monotonic_ns
_WAIT = "_ascend_sim_wait"


def selector_classes() -> list[Any]:
    """The selectors of this platform that event loops sleep in."""
    names = ("EpollSelector", "PollSelector", "SelectSelector", "KqueueSelector", "DevpollSelector")
    return [getattr(selectors, name) for name in names if hasattr(selectors, name)]


class _Wakeup:
    """What an idle event loop waits for."""

    def describe(self) -> str:
        """In words."""
        return "another thread, in its event loop"

    def owners(self) -> list[object]:
        """Anyone could."""
        return []


def _loop_of(selector: Any) -> Any:
    """The asyncio loop whose pipe is all that *selector* watches; None when it watches anything else."""
    keys = list(selector.get_map().values())
    if len(keys) != 1 or not isinstance(keys[0].data, tuple) or not keys[0].data:
        return None
    callback = getattr(keys[0].data[0], "_callback", None)
    if getattr(callback, "__name__", "") != "_read_from_self":
        return None
    loop = callback.__self__  # type: ignore[union-attr]
    return None if getattr(loop, "_signal_handlers", None) else loop


def _watch_wakeups(group: DeterministicThreads, put: Callable[[Any, str, Any], None], select: Any) -> None:
    """Let ``call_soon_threadsafe`` end a wait of ours; asyncio was imported by now. *select*: that of the selector."""
    loops: Any = sys.modules["asyncio.selector_events"].BaseSelectorEventLoop
    real = loops._write_to_self
    if getattr(real, "group", None) is group:
        return

    def _write_to_self(self: Any) -> None:
        if group.controller is not None:
            sleeper = next((r for r in group.os_threads.values() if r.ident == self._thread_id), None)
            group.controller.loop_woken(sleeper, lambda: bool(select(self._selector, 0)))
        real(self)
        w = self._selector.__dict__.pop(_WAIT, None)
        if w is not None:
            complete(group, w, group.here.os_thread)

    _write_to_self.group = group  # type: ignore[attr-defined]
    put(loops, "_write_to_self", _write_to_self)


def select_function(group: DeterministicThreads, real: Any, put: Callable[[Any, str, Any], None]) -> Any:
    """A replacement for the `select` method of a selector class. *put* installs further replacements."""

    def select(self: Any, timeout: float | None = None) -> Any:
        r = group.here.os_thread
        if r is None or not group.active or r.state == STARTING:
            return real(self, timeout)
        at_once = timeout is not None and timeout <= 0
        if at_once and group.controller is None:
            return real(self, timeout)
        if _loop_of(self) is None:
            return real(self, timeout) if at_once else _select_outside(group, r, real, self, timeout)
        _watch_wakeups(group, put, real)
        if group.controller is not None:
            group.controller.before_select(lambda: bool(real(self, 0)), timeout)
        if at_once:
            return real(self, timeout)
        events = real(self, 0)
        if events:
            return events
        w = ThreadWait(_Wakeup(), r)
        self.__dict__[_WAIT] = w
        group.take_token(r)
        try:
            group.wait(r, w, None if timeout is None else r.host.clock + nanoseconds(timeout), w)
        finally:
            self.__dict__.pop(_WAIT, None)
        return real(self, 0)

    return select


@open_to_signals
def _select_outside(group: DeterministicThreads, r: OSThread, real: Any, selector: Any, timeout: float | None) -> Any:
    """The real thing; the virtual time that it takes is the real one, or all of *timeout* (s) when nothing came."""
    began, clock = _real_ns(), r.host.clock
    events = real(selector, timeout)
    gone = _real_ns() - began if events or timeout is None else nanoseconds(timeout)
    group.take_token(r)
    r.host.clock = max(r.host.clock, clock + gone)
    return events
