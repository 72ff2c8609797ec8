"""Chapter 25-03: attributes of queues, routes, lists of routes, queries of routes (docs/semantics/queues.md#routes)."""

from __future__ import annotations

import ctypes
import os
import struct

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import read_text
from ascend_sim.ascendcl.queue.parameters import needed, read_value, write_value
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.queues import (
    ACL_TDT_QUEUE_DEPTH_UINT32,
    ACL_TDT_QUEUE_NAME_PTR,
    ACL_TDT_QUEUE_ROUTE_DST_UINT32,
    ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL,
    ACL_TDT_QUEUE_ROUTE_QUERY_DST,
    ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32,
    ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM,
    ACL_TDT_QUEUE_ROUTE_QUERY_SRC,
    ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST,
    ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32,
    ACL_TDT_QUEUE_ROUTE_SRC_UINT32,
    ACL_TDT_QUEUE_ROUTE_STATUS_INT32,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.queues.registry import DEFAULT_DEPTH, NAME_BYTES
from ascend_sim.runtime.queues.routes import Route
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["QueueAttr", "RouteList", "RouteQuery"]


class QueueAttr:
    """What acltdtCreateQueueAttr makes. The name lies in memory of its own, since programs ask for its address."""

    __slots__ = ("depth", "handle", "room")

    def __init__(self) -> None:
        self.depth = DEFAULT_DEPTH
        self.room = ctypes.create_string_buffer(NAME_BYTES)
        self.handle = 0

    @property
    def name(self) -> str:
        """The name; empty: none."""
        return self.room.value.decode("utf-8", "replace")

    def describe(self) -> str:
        """The attributes in words."""
        return f'queue attributes (name "{self.name}", depth {self.depth})'


class RouteList:
    """What acltdtCreateQueueRouteList makes: copies of routes."""

    __slots__ = ("handle", "routes")

    def __init__(self) -> None:
        self.routes: list[Route] = []
        self.handle = 0

    def describe(self) -> str:
        """The list in words."""
        return f"list of {len(self.routes)} routes"


class RouteQuery:
    """What acltdtCreateQueueRouteQueryInfo makes; None: not set."""

    __slots__ = ("handle", "mode", "source", "target")

    def __init__(self) -> None:
        self.mode: int | None = None
        self.source: int | None = None
        self.target: int | None = None
        self.handle = 0

    def describe(self) -> str:
        """The query in words."""
        return f"route query (mode {self.mode}, from {self.source}, to {self.target})"

    def check(self) -> None:
        """Raises AclError 100000 for a query without a mode, or without what its mode needs."""
        needs = {
            ACL_TDT_QUEUE_ROUTE_QUERY_SRC: {"source": self.source},
            ACL_TDT_QUEUE_ROUTE_QUERY_DST: {"target": self.target},
            ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST: {"source": self.source, "target": self.target},
            ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL: {},
        }
        if self.mode not in needs:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"the mode of the query is {self.mode}: 0, 1, 2 or 100", "acl")
        missing = [name for name, value in needs[self.mode].items() if value is None]
        if missing:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"the query has no {' and no '.join(missing)} queue", "acl")


def _destroy(t: ThreadState, handle: int, kind: type, what: str) -> None:
    t.sim.drop_handle(needed(t, handle, kind, what).handle)


# -- attributes of queues ---------------------------------------------------------------------------------------------


@api("acltdtCreateQueueAttr")
def create_queue_attr(t: ThreadState) -> int:
    """Attributes of a queue without a name and of depth 8."""
    made = QueueAttr()
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("acltdtDestroyQueueAttr")
def destroy_queue_attr(t: ThreadState, handle: int) -> None:
    """Codes: 100000 NULL."""
    _destroy(t, handle, QueueAttr, "queue attribute")


@api("acltdtSetQueueAttr")
def set_queue_attr(t: ThreadState, handle: int, kind: int, length: int, param: int) -> None:
    """Set the name (*param* is the address of a pointer to it) or the depth (of 4 bytes).

    Codes: 100000 NULL, no kind, too long a value, a name that is NULL or has more than 127 bytes.
    """
    attr = needed(t, handle, QueueAttr, "queue attribute")
    require(param, "param")
    if kind == ACL_TDT_QUEUE_NAME_PTR:
        pointer = int.from_bytes(read_value(param, length, 8), "little")
        name = read_text(pointer) if pointer else None
        if name is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, "the name is NULL, or cannot be read", "acl")
        if len(os.fsencode(name)) >= NAME_BYTES:
            raise AclError(
                ACL_ERROR_INVALID_PARAM,
                f"the name has {len(os.fsencode(name))} bytes: {NAME_BYTES - 1} are the most",
                "acl",
            )
        attr.room.value = os.fsencode(name)
    elif kind == ACL_TDT_QUEUE_DEPTH_UINT32:
        old = attr.depth.to_bytes(4, "little")
        raw = read_value(param, length, 4)
        attr.depth = int.from_bytes(raw + old[len(raw) :], "little")
    else:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"type is {kind}: 0 (name) or 1 (depth) is required", "acl")


@api("acltdtGetQueueAttr")
def get_queue_attr(t: ThreadState, handle: int, kind: int, length: int, param: int) -> int:
    """Write the address of the name (8 bytes) or the depth (4 bytes) to *param*; returns the size.

    Codes: 100000 NULL, no kind, no room.
    """
    attr = needed(t, handle, QueueAttr, "queue attribute")
    require(param, "param")
    if kind == ACL_TDT_QUEUE_NAME_PTR:
        return write_value(param, length, ctypes.addressof(attr.room).to_bytes(8, "little"))
    if kind == ACL_TDT_QUEUE_DEPTH_UINT32:
        return write_value(param, length, attr.depth.to_bytes(4, "little"))
    raise AclError(ACL_ERROR_INVALID_PARAM, f"type is {kind}: 0 (name) or 1 (depth) is required", "acl")


# -- routes -----------------------------------------------------------------------------------------------------------


@api("acltdtCreateQueueRoute")
def create_queue_route(t: ThreadState, source: int, target: int) -> int:
    """A route between two queues, which are not looked at before it is bound."""
    made = Route(source, target)
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("acltdtDestroyQueueRoute")
def destroy_queue_route(t: ThreadState, handle: int) -> None:
    """Lists keep their copies. Codes: 100000 NULL."""
    _destroy(t, handle, Route, "route")


@api("acltdtGetQueueRouteParam")
def get_queue_route_param(t: ThreadState, handle: int, kind: int, length: int, param: int) -> int:
    """Write the source, the target or the status of a route (4 bytes) to *param*; returns the size.

    Codes: 100000 NULL, no kind, no room.
    """
    route = needed(t, handle, Route, "route")
    require(param, "param")
    values = {
        ACL_TDT_QUEUE_ROUTE_SRC_UINT32: struct.pack("<I", route.source),
        ACL_TDT_QUEUE_ROUTE_DST_UINT32: struct.pack("<I", route.target),
        ACL_TDT_QUEUE_ROUTE_STATUS_INT32: struct.pack("<i", route.status),
    }
    if kind not in values:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"type is {kind}: 0 to 2 is required", "acl")
    return write_value(param, length, values[kind])


@api("acltdtCreateQueueRouteList")
def create_queue_route_list(t: ThreadState) -> int:
    """An empty list of routes."""
    made = RouteList()
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("acltdtDestroyQueueRouteList")
def destroy_queue_route_list(t: ThreadState, handle: int) -> None:
    """Bound routes stay bound. Codes: 100000 NULL."""
    _destroy(t, handle, RouteList, "route list")


@api("acltdtAddQueueRoute")
def add_queue_route(t: ThreadState, handle: int, route: int) -> None:
    """Append a copy of a route. Codes: 100000 NULL."""
    found = needed(t, handle, RouteList, "route list")
    found.routes.append(needed(t, route, Route, "route").copy())


@api("acltdtGetQueueRoute")
def get_queue_route(t: ThreadState, handle: int, index: int, route: int) -> None:
    """Set *route* to what the list has at *index*. Codes: 100000 NULL, behind the end."""
    found = needed(t, handle, RouteList, "route list")
    into = needed(t, route, Route, "route")
    if index >= len(found.routes):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: the list has {len(found.routes)} routes", "acl")
    here = found.routes[index]
    into.source, into.target, into.status = here.source, here.target, here.status


@api("acltdtGetQueueRouteNum")
def get_queue_route_num(t: ThreadState, handle: int) -> int:
    """How many there are; 0 for NULL."""
    return len(needed(t, handle, RouteList, "route list").routes)


# -- queries ----------------------------------------------------------------------------------------------------------


@api("acltdtCreateQueueRouteQueryInfo")
def create_queue_route_query_info(t: ThreadState) -> int:
    """A query of routes that says nothing yet."""
    made = RouteQuery()
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("acltdtDestroyQueueRouteQueryInfo")
def destroy_queue_route_query_info(t: ThreadState, handle: int) -> None:
    """Codes: 100000 NULL."""
    _destroy(t, handle, RouteQuery, "route query")


@api("acltdtSetQueueRouteQueryInfo")
def set_queue_route_query_info(t: ThreadState, handle: int, kind: int, length: int, value: int) -> None:
    """Set the mode, the source or the target of a query (4 bytes each). Codes: 100000 NULL, no kind, too long a value."""
    query = needed(t, handle, RouteQuery, "route query")
    require(value, "value")
    names = {
        ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM: "mode",
        ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32: "source",
        ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32: "target",
    }
    if kind not in names:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"type is {kind}: 0 to 2 is required", "acl")
    setattr(query, names[kind], int.from_bytes(read_value(value, length, 4), "little"))
