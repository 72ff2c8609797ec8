"""Questions of the host that have another answer once a task has ended."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ascend_sim.runtime.stream import Stream

if TYPE_CHECKING:
    from ascend_sim.runtime.task import Task
    from ascend_sim.simulator import Simulator

__all__ = ["QUERIES", "pending"]

QUERIES = frozenset({
    "aclrtQueryEvent", "aclrtQueryEventStatus", "aclrtQueryEventWaitStatus", "aclrtStreamQuery",
    "aclrtEventElapsedTime", "aclrtEventGetTimestamp",
})  # fmt: skip
"""Calls that first bind to a record and then ask about it: two steps when other threads may come between."""


def pending(sim: Simulator, key: Hashable) -> list[Task]:
    """The tasks that must end before the answer to the question *key* (the handles that it is about) changes."""
    keys = key if isinstance(key, tuple) else (key,)
    tasks: list[Task] = []
    for handle in keys:
        thing: Any = sim.handles.get(handle) if isinstance(handle, int) else None
        if isinstance(thing, Stream):
            tasks += list(thing.queue)[-1:]
        elif getattr(thing, "latest", None) is not None:
            waits = [] if not thing.latest.over() else list(thing.waits or ())
            tasks += [thing.latest, *waits]
    return [task for task in tasks if not task.over()]
