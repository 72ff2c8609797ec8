"""The shared queues of a simulator by device and id, and the routes between them (docs/semantics/queues.md#queues)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ascend_sim.constants.errors import (
    ACL_ERROR_FAILURE,
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_OVER_LIMIT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.queues import ACL_TDT_QUEUE_PERMISSION_MANAGE
from ascend_sim.errors import AclError
from ascend_sim.runtime.queues.routes import Routes
from ascend_sim.runtime.queues.shared_queue import SharedQueue

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["DEFAULT_DEPTH", "NAME_BYTES", "QueueRegistry"]

MOST_QUEUES: Final = 128
"""Of one device."""
DEFAULT_DEPTH: Final = 8
LEAST_DEPTH, MOST_DEPTH = 2, 8192
NAME_BYTES: Final = 128
"""With the zero at the end."""


class QueueRegistry:
    """The queues of one simulator."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self._queues: dict[tuple[int, int], SharedQueue] = {}
        self._last: dict[int, int] = {}
        """For each device the id that was given out last: they go round."""
        self.routes: dict[int, Routes] = {}
        """By device."""

    def create(self, t: ThreadState, device: int, name: str, depth: int, shared: bool = False) -> SharedQueue:
        """A new queue. *shared*: it could be granted, so its id is one that no other process of the run has given out.

        Raises AclError 107000 (depth, name), 207012 (no id left).
        """
        if not LEAST_DEPTH <= depth <= MOST_DEPTH:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"the depth is {depth}: {LEAST_DEPTH} to {MOST_DEPTH} is required", "driver"
            )
        if len(os.fsencode(name)) >= NAME_BYTES:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"the name has more than {NAME_BYTES - 1} bytes", "driver")
        last = self._last.get(device, -1)
        taken = _taken_ids(t, device) if shared else set()
        ids = ((last + 1 + n) % MOST_QUEUES for n in range(MOST_QUEUES))
        number = next((n for n in ids if (device, n) not in self._queues and n not in taken), -1)
        if number < 0:
            raise AclError(
                ACL_ERROR_RT_OVER_LIMIT,
                f"device {device} has {MOST_QUEUES} queues: the most there can be", "driver",
            )  # fmt: skip
        queue = SharedQueue(self.sim, device, number, name, depth, t.site)
        queue.handle = self.sim.new_handle(queue)
        self._queues[device, number] = queue
        self._last[device] = number
        if shared:
            _say_id(t, device, number)
        return queue

    def adopt(self, queue: SharedQueue) -> None:
        """*queue* is one of another process."""
        queue.handle = self.sim.new_handle(queue)
        self._queues[queue.device, queue.number] = queue

    def get(self, device: int, number: int) -> SharedQueue | None:
        """The queue of an id; None: there is none. Raises AclError 107000 (no id that can be)."""
        queue = self._queues.get((device, number))
        return self.find(device, number) if queue is None and number >= MOST_QUEUES else queue

    def find(self, device: int, number: int) -> SharedQueue:
        """The queue of an id. Raises AclError 107000 (no id that can be), 507899 (no such queue)."""
        queue = self._queues.get((device, number))
        if queue is not None:
            return queue
        if number >= MOST_QUEUES:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"qid is {number}: ids go from 0 to {MOST_QUEUES - 1}", "driver")
        other = next((d for d, n in self._queues if n == number), None)
        hint = "" if other is None else f" (device {other} has one: ids count for each device)"
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"device {device} has no queue {number}{hint}", "driver")

    def destroy(self, t: ThreadState, device: int, number: int) -> None:
        """Drop a queue with what is in it; one that does not exist is no error, once the device had any.

        Raises AclError 107000 (no id that can be), 500001 (a route begins or ends there), 507899 (there was never one).
        """
        queue = self._queues.get((device, number))
        if queue is None:
            if number >= MOST_QUEUES or device not in self._last:
                self.find(device, number)
            title = f"{t.call} got queue {number}, which does not exist on device {device}: the driver answers 0"
            t.sim.report_call(t, "undefined-use", "warning", title)
            return
        bound = self.routes[device].of(number) if device in self.routes else []
        if bound:
            raise AclError(
                ACL_ERROR_FAILURE, f"{queue.describe()} is part of {bound[0].describe()}: unbind that first", "acl"
            )
        queue.need(ACL_TDT_QUEUE_PERMISSION_MANAGE, "destroy")
        del self._queues[device, number]
        queue.end(t)

    def routes_of(self, device: int) -> Routes:
        """The routes of a device."""
        if device not in self.routes:
            self.routes[device] = Routes(lambda number: self._queues.get((device, number)))
        return self.routes[device]


def _taken_ids(t: ThreadState, device: int) -> set[int]:
    from ascend_sim.runtime.processes.queue_sharing import taken_ids  # few programs share: the others load no sockets

    return taken_ids(t, device)


def _say_id(t: ThreadState, device: int, number: int) -> None:
    from ascend_sim.runtime.processes.queue_sharing import say_id  # as above

    say_id(t, device, number)
