"""Routes: what comes into one queue is handed on to others, as one entry for each (docs/semantics/queues.md#routes).

On a machine a process of the device does that. Here an entry is handed on as soon as every queue behind has room.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ascend_sim.constants.queues import (
    ACL_TDT_QUEUE_ROUTE_BIND,
    ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL,
    ACL_TDT_QUEUE_ROUTE_UNBIND,
)

if TYPE_CHECKING:
    from ascend_sim.runtime.queues.shared_queue import SharedQueue

__all__ = ["Route", "Routes"]


class Route:
    """From the queue *source* to the queue *target*, by their ids; what the program holds is a copy."""

    __slots__ = ("handle", "source", "status", "target")

    def __init__(self, source: int, target: int, status: int = ACL_TDT_QUEUE_ROUTE_UNBIND) -> None:
        self.source = source
        self.target = target
        self.status = status
        self.handle = 0

    def copy(self) -> Route:
        """A route that says the same."""
        return Route(self.source, self.target, self.status)

    def describe(self) -> str:
        """The route in words."""
        return f"the route from queue {self.source} to queue {self.target}"


class Routes:
    """The bound routes of a device. *find*: the queue of an id."""

    def __init__(self, find: Callable[[int], SharedQueue | None]) -> None:
        self._find = find
        self.bound: list[Route] = []

    def of(self, number: int) -> list[Route]:
        """Those that begin or end at queue *number*."""
        return [route for route in self.bound if number in (route.source, route.target)]

    def bind(self, route: Route, time: int) -> str:
        """Bind *route* at virtual *time* (ns), set its status; returns why it cannot be, empty when it was."""
        route.status = ACL_TDT_QUEUE_ROUTE_UNBIND
        source = self._find(route.source)
        for number in (route.source, route.target):
            if self._find(number) is None:
                return f"there is no queue {number}"
        if route.source == route.target or self._reaches(route.target, route.source):
            return f"{route.describe()} closes a circle"
        if self._known(route) is None:
            self.bound.append(route.copy())
            self.bound[-1].status = ACL_TDT_QUEUE_ROUTE_BIND
            for number in (route.source, route.target):
                queue = self._find(number)
                assert queue is not None
                queue.after = self._pump
        route.status = ACL_TDT_QUEUE_ROUTE_BIND
        assert source is not None
        source.changed(time)
        return ""

    def unbind(self, route: Route) -> str:
        """Undo `bind`, set the status; returns why it cannot be, empty when it was."""
        known = self._known(route)
        if known is None:
            route.status = ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL
            return f"{route.describe()} is not bound"
        self.bound.remove(known)
        route.status = ACL_TDT_QUEUE_ROUTE_UNBIND
        for number in (route.source, route.target):
            queue = self._find(number)
            if queue is not None and not self.of(number):
                queue.after = None
        return ""

    def _known(self, route: Route) -> Route | None:
        return next((r for r in self.bound if (r.source, r.target) == (route.source, route.target)), None)

    def _reaches(self, start: int, goal: int) -> bool:
        seen, to_do = set(), [start]
        while to_do:
            number = to_do.pop()
            if number == goal:
                return True
            if number not in seen:
                seen.add(number)
                to_do += [route.target for route in self.bound if route.source == number]
        return False

    def _pump(self, time: int) -> None:
        """Hand on what can be, at virtual *time* (ns); there are no circles, so this ends."""
        moved = True
        while moved:
            moved = False
            for number in dict.fromkeys(route.source for route in self.bound):
                moved = self._hand_on(number, time) or moved

    def _hand_on(self, number: int, time: int) -> bool:
        source = self._find(number)
        targets = [queue for route in self.bound if route.source == number and (queue := self._find(route.target))]
        if source is None or not source.filled() or not all(queue.has_room() for queue in targets):
            return False
        entry = source.store.pop(None)
        if entry is None:
            return False
        entry.time = max(entry.time, time)
        for place, queue in enumerate(targets):
            queue.store.push(None, entry if place == 0 else entry.copy(queue.sim), queue.room)
        for queue in (source, *targets):
            after, queue.after = queue.after, None
            queue.changed(time)
            queue.after = after
        return True
