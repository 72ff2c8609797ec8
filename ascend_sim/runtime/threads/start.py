"""Starting operating-system threads for the deterministic group.

A new thread gets its number and clock from its parent at `start`, not when the operating system runs it. It comes up
while its parent stands still, so that what ``Thread.start`` promises (ident, `is_alive`, `threading.enumerate`) holds
in every run, and waits for the run token just before the user's `run`.
"""

from __future__ import annotations

import threading
from _thread import allocate_lock
from _thread import start_new_thread as real_start
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.threads.os_thread import Life, OSThread, ThreadShutdown
from ascend_sim.runtime.threads.patches.locks import Lock

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["start_native", "start_service", "start_thread"]

_MISSING = object()
_ENDED = "can't start new thread: it ended before it had begun"
"""For want of memory, mostly."""


class _NativeStart:
    """What a thread of ``_thread.start_new_thread`` calls. Shows itself as the user's function in error messages."""

    def __init__(
        self, group: DeterministicThreads, child: OSThread, function: Callable[..., Any], args: Any, kwargs: Any
    ) -> None:
        self.group = group
        self.child = child
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.begun = self.lost = False

    def __call__(self) -> None:
        group, child = self.group, self.child
        try:
            group.here.os_thread = child
            child.begin()
            self.begun = True
        finally:
            self.gone()
        try:
            group.arrive(child)
            self.function(*self.args, **self.kwargs)
        except (SystemExit, ThreadShutdown):
            pass
        except BaseException:
            group.here.life = Life(child, group.finish)  # the interpreter prints the error first: that is its turn, too
            raise
        group.finish(child)

    def gone(self) -> None:
        """The operating-system thread is over. Without memory it may end before it has begun: its turn is to end."""
        group, child = self.group, self.child
        if self.begun or group.os_threads.get(child.number) is not child:
            return
        if group.here.os_thread not in (None, child):
            self.lost = True  # the parent was the last to hold it
            return
        with suppress(ThreadShutdown):
            group.arrive(child)
        group.finish(child)

    def __repr__(self) -> str:
        return repr(self.function)


class _Carrier:
    """What an operating-system thread is given to call: it lives as long as that, whether or not its code ever ran."""

    __slots__ = ("_start",)

    def __init__(self, start: _NativeStart | _ThreadStart) -> None:
        self._start = start

    def __call__(self) -> None:
        self._start()

    def __del__(self) -> None:
        self._start.gone()

    def __repr__(self) -> str:
        return repr(self._start)


def start_native(
    group: DeterministicThreads, parent: OSThread, function: Callable[..., Any], args: Any, kwargs: Any
) -> int:
    """Start *function* in a thread without a Thread object; its OS ident. Raises what the real function raises."""
    group.take_token(parent)
    child = group.new_child(parent, "", daemon=True)
    ident = _begin(group, _NativeStart(group, child, function, args, kwargs))
    child.ident = child.host.os_ident = ident
    group.release_child(parent, child)
    return ident


def _begin(group: DeterministicThreads, start: _NativeStart) -> int:
    """Let an operating-system thread make *start*; its ident. Raises RuntimeError when none can be started."""
    carrier = _Carrier(start)
    try:
        ident = real_start(carrier, ())
        del carrier
        if start.lost:
            raise RuntimeError(_ENDED)
    except BaseException:
        group.abandon(start.child)
        raise
    return ident


class _ThreadStart:
    """What the operating-system thread of a ``threading.Thread`` calls instead of its `_bootstrap`."""

    def __init__(self, group: DeterministicThreads, child: OSThread, thread: threading.Thread) -> None:
        self.group = group
        self.child = child
        self.thread = thread
        self.up = allocate_lock()
        self.up.acquire()
        self.over = False
        """The parent was let go on,"""
        self.arrived = False
        """and the thread waits for the run token, or is further."""
        self.error: BaseException | None = None
        """Why it did not come so far, where that is known."""

    def __call__(self) -> None:
        group, child, thread = self.group, self.child, self.thread
        group.here.os_thread = child
        child.begin()
        own_run = thread.__dict__.get("run", _MISSING)

        def run() -> None:
            # Thread._bootstrap_inner has registered the thread; the parent goes on, and we wait for the run token.
            if own_run is _MISSING:
                del thread.__dict__["run"]
            else:
                thread.__dict__["run"] = own_run
            self.arrived = True
            self.gone()
            with suppress(ThreadShutdown):
                group.arrive(child)
                thread.run()

        thread.__dict__["run"] = run
        try:
            thread._bootstrap()  # type: ignore[attr-defined]
        except BaseException as error:
            if not self.arrived:
                self.error = error
            raise
        finally:
            if self.arrived:
                group.finish(child)
            self.gone()

    def gone(self) -> None:
        """The operating-system thread is over, or needs its parent no more: that goes on."""
        if not self.over:
            self.over = True
            self.up.release()

    def __repr__(self) -> str:
        return repr(self.thread)


def start_thread(
    group: DeterministicThreads, parent: OSThread, thread: threading.Thread, launch: Callable[[Callable[[], None]], Any]
) -> Any:
    """Start *thread* through *launch*, which takes what the new operating-system thread shall call."""
    group.take_token(parent)
    child = group.new_child(parent, thread.name, thread.daemon)
    start = _ThreadStart(group, child, thread)
    event = getattr(thread, "_started", None)
    has_begun = getattr(event, "_cond", None)
    lock = getattr(has_begun, "_lock", None)
    if isinstance(lock, Lock):
        lock.kind = ""
    thread.__dict__["_ascend_sim_os_thread"] = child
    try:
        result = launch(_Carrier(start))
    except BaseException:
        group.abandon(child)
        del thread.__dict__["_ascend_sim_os_thread"]
        raise
    parent.exempt = True
    try:
        start.up.acquire()
    finally:
        parent.exempt = False
    if start.arrived:
        group.release_child(parent, child)
        return result
    group.abandon(child)
    if not getattr(event, "_flag", False):  # the library would wait for that flag for ever
        del thread.__dict__["_ascend_sim_os_thread"]
        raise RuntimeError(_ENDED) from start.error
    return result


def start_service(
    group: DeterministicThreads,
    sim: Runtime,
    body: Callable[[HostThread], None],
    name: str,
    work: Callable[[], bool] | None = None,
) -> None:
    """Start an engine-owned daemon thread that runs *body* as a host thread of *sim*. *work*: whether there is some."""
    parent = group.adopt()
    group.take_token(parent)
    child = group.new_child(parent, name, daemon=True)
    child.service = child.host.service = True

    def serve() -> None:
        if getattr(sim, "closed", False):
            return
        try:
            body(group.attach(sim))
        except SimulatedHang:
            pass  # the simulator closed

    _begin(group, _NativeStart(group, child, serve, (), {}))
    group.release_child(parent, child, name, work)
