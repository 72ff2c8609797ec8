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

    def __call__(self) -> None:
        group, child = self.group, self.child
        group.here.os_thread = child
        child.begin()
        try:
            group.arrive(child)
            self.function(*self.args, **self.kwargs)
        except (SystemExit, ThreadShutdown):
            pass
        except BaseException:
            group.here.life = Life(child, group.finish)  # the interpreter prints the error first: that is its turn, too
            raise
        group.finish(child)

    def __repr__(self) -> str:
        return repr(self.function)


def start_native(
    group: DeterministicThreads, parent: OSThread, function: Callable[..., Any], args: Any, kwargs: Any
) -> int:
    """Start *function* in a thread without a Thread object; its OS ident. Raises what the real function raises."""
    group.take_token(parent)
    child = group.new_child(parent, "", daemon=True)
    try:
        ident = real_start(_NativeStart(group, child, function, args, kwargs), ())
    except BaseException:
        group.abandon(child)
        raise
    child.ident = child.host.os_ident = ident
    group.release_child(parent, child)
    return ident


class _ThreadStart:
    """What the operating-system thread of a ``threading.Thread`` calls instead of its `_bootstrap`."""

    def __init__(self, group: DeterministicThreads, child: OSThread, thread: threading.Thread) -> None:
        self.group = group
        self.child = child
        self.thread = thread
        self.up = allocate_lock()
        self.up.acquire()
        self.came_up = False

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
            self._is_up()
            with suppress(ThreadShutdown):
                group.arrive(child)
                thread.run()

        thread.__dict__["run"] = run
        try:
            thread._bootstrap()  # type: ignore[attr-defined]
        finally:
            self._is_up()
            group.finish(child)

    def _is_up(self) -> None:
        if not self.came_up:
            self.came_up = True
            self.up.release()


def start_thread(
    group: DeterministicThreads, parent: OSThread, thread: threading.Thread, launch: Callable[[Callable[[], None]], Any]
) -> Any:
    """Start *thread* through *launch*, which takes what the new operating-system thread shall call."""
    group.take_token(parent)
    child = group.new_child(parent, thread.name, thread.daemon)
    start = _ThreadStart(group, child, thread)
    has_begun = getattr(getattr(thread, "_started", None), "_cond", None)
    lock = getattr(has_begun, "_lock", None)
    if isinstance(lock, Lock):
        lock.kind = ""
    thread.__dict__["_ascend_sim_os_thread"] = child
    try:
        result = launch(start)
    except BaseException:
        group.abandon(child)
        raise
    parent.exempt = True
    try:
        start.up.acquire()
    finally:
        parent.exempt = False
    group.release_child(parent, child)
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

    try:
        real_start(_NativeStart(group, child, serve, (), {}), ())
    except BaseException:
        group.abandon(child)
        raise
    group.release_child(parent, child, name, work)
