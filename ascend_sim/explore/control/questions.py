"""Questions of the host that have another answer once a task has ended."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ascend_sim.runtime.stream import Stream

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime

__all__ = ["QUERIES", "QUESTIONS", "answered"]

QUERIES = frozenset({
    "aclrtQueryEvent", "aclrtQueryEventStatus", "aclrtQueryEventWaitStatus", "aclrtStreamQuery",
    "aclrtEventElapsedTime", "aclrtEventGetTimestamp",
})  # fmt: skip
"""Calls that first bind to a record and then ask about it: two steps when other threads may come between."""
QUESTIONS = {
    "flag": "Event.is_set", "end": "Thread.is_alive", "lock": "a lock or a queue", "items": "a queue",
    "semaphore": "a semaphore",
}  # fmt: skip
"""What a thread asks, in words, by the kind of what it asks about."""


def answered(sim: Runtime, key: Hashable) -> bool:
    """Whether the question *key* (the handle, or handles, that it is about) has no negative answer any more."""
    for handle in key if isinstance(key, tuple) else (key,):
        thing: Any = sim.handles.get(handle) if isinstance(handle, int) else None
        if isinstance(thing, Stream):
            done = not thing.queue
        else:
            latest = getattr(thing, "latest", None)
            done = latest is not None and latest.over() and all(wait.over() for wait in thing.waits or ())
        if not done:
            return False
    return True
