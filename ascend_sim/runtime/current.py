"""Which simulator is current: the stack of open ones, and the one that each thread works with.

The stack belongs to the process, not to a context variable: programs start threads and expect them to find the same
devices. A thread is pinned to the simulator that it first called.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["LOCAL", "STACK", "attach_thread", "current", "enter", "this_thread"]

LOCAL = threading.local()
"""`LOCAL.state`: the ThreadState of this OS thread in the simulator that it works with."""


class _Stack:
    """The current simulators of the process, innermost last: the package's only mutable module state."""

    def __init__(self) -> None:
        self.open: list[Runtime] = []
        self.used = False
        """A simulator exists or existed: a late call must not make a new one."""
        self.make_default: Callable[[], Runtime] | None = None
        """Makes the simulator of a process that had none at its first call; `simulator.py` sets it when imported."""


STACK = _Stack()


def current() -> Runtime | None:
    """The current simulator of the process: the innermost open one; None when there is none."""
    return STACK.open[-1] if STACK.open else None


def attach_thread() -> ThreadState | None:
    """Pin the calling thread to the current simulator; None when the last one is closed.

    A first call in a process without a simulator makes one from the ``ASCEND_SIM_*`` variables.
    """
    sim = current()
    if sim is None:
        if STACK.used or STACK.make_default is None:
            return None
        sim = STACK.make_default()
    state: ThreadState = sim.threads.attach(sim)  # type: ignore[assignment]
    LOCAL.state = state
    return state


def this_thread() -> ThreadState:
    """The calling thread in its simulator, for the object API. Raises RuntimeError when there is no simulator."""
    state: ThreadState | None = getattr(LOCAL, "state", None)
    if state is None or state.sim.closed:
        state = attach_thread()
    if state is None:
        raise RuntimeError("no simulator is open: use `with Simulator(): ...`")
    return state


def enter(t: ThreadState) -> ThreadState | None:
    """The slow way into a call: another thread has the run token, threads are free, or the simulator was closed."""
    while True:
        if t.sim.closed:
            del LOCAL.state
            fresh = attach_thread()
            if fresh is None or fresh.threads.running is fresh:
                return fresh
            t = fresh
        t.threads.enter(t)
        if not t.sim.closed:
            return t
        t.threads.leave(t)  # another thread closed it while this one waited
