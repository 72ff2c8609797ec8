"""Which group of host threads a new simulator belongs to."""

from __future__ import annotations

from ascend_sim.runtime.current import current
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.runtime.threads.free import FreeThreads
from ascend_sim.runtime.threads.host_threads import HostThreads

__all__ = ["group_of"]


def group_of(kind: str) -> HostThreads:
    """A group of *kind*, ``free`` or ``deterministic``; the latter is one for all simulators of the process.

    Raises ValueError for another kind.
    """
    if kind == "free":
        return FreeThreads(ThreadState)
    if kind != "deterministic":
        raise ValueError(f"threads is {kind!r}: free or deterministic is required")
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads  # notebooks and plain tests do without

    outer = current()
    shared = DeterministicThreads.installed or (outer.threads if outer is not None else None)
    return shared if isinstance(shared, DeterministicThreads) else DeterministicThreads(ThreadState)
