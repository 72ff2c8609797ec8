"""Chapter 17-02: shared queues (docs/semantics/queues.md#queues)."""

from __future__ import annotations

import os

import numpy as np

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.queue.attributes import QueueAttr, RouteList, RouteQuery
from ascend_sim.ascendcl.queue.parameters import (
    device_index,
    in_shared_group,
    need_device_mode,
    need_shared_group,
    needed,
    write_value,
)
from ascend_sim.constants.errors import (
    ACL_ERROR_FAILURE,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_QUEUE_EMPTY,
    ACL_ERROR_RT_QUEUE_FULL,
)
from ascend_sim.constants.queues import (
    ACL_TDT_QUEUE_PERMISSION_DEQUEUE,
    ACL_TDT_QUEUE_PERMISSION_ENQUEUE,
    ACL_TDT_QUEUE_PERMISSION_MANAGE,
    ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL,
    ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL,
    ACL_TDT_QUEUE_ROUTE_QUERY_DST,
    ACL_TDT_QUEUE_ROUTE_QUERY_SRC,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.copies import Shape, copy_now
from ascend_sim.runtime.queues.buffers import SharedBuffer, allocate_buffer
from ascend_sim.runtime.queues.entries import USER_BYTES, Entry, copied
from ascend_sim.runtime.queues.registry import DEFAULT_DEPTH, QueueRegistry
from ascend_sim.runtime.queues.shared_queue import SharedQueue
from ascend_sim.runtime.tensors.descriptors import live
from ascend_sim.runtime.thread_state import ThreadState

ALL_PERMISSIONS = ACL_TDT_QUEUE_PERMISSION_MANAGE | ACL_TDT_QUEUE_PERMISSION_DEQUEUE | ACL_TDT_QUEUE_PERMISSION_ENQUEUE
_NOTHING = np.empty(0, np.uint8)


def _queue(t: ThreadState, number: int) -> SharedQueue:
    return t.sim.part(QueueRegistry).find(device_index(t), number)


@api("acltdtCreateQueue")
def create_queue(t: ThreadState, handle: int) -> int:
    """A queue of the current device; *attr* NULL: no name, depth 8. Returns its id.

    Codes: 107002, 107000 a depth outside 2 to 8192, 207012 128 queues exist.
    """
    attr = live(t, handle, QueueAttr, "queue attribute") if handle else None
    device = device_index(t)
    name, depth = ("", DEFAULT_DEPTH) if attr is None else (attr.name, attr.depth)
    return t.sim.part(QueueRegistry).create(t, device, name, depth, in_shared_group(t)).number


@api("acltdtDestroyQueue")
def destroy_queue(t: ThreadState, number: int) -> None:
    """Destroy a queue and what is in it; who waits for it fails. One that does not exist: 0, with a finding.

    Codes: 107002, 500001 a route begins or ends there, 107000 no possible id, 507899 no queue was ever made.
    """
    t.sim.part(QueueRegistry).destroy(t, device_index(t), number)


@api("acltdtEnqueueData")
def enqueue_data(
    t: ThreadState, number: int, data: int, size: int, user: int, user_size: int, timeout: int, rsv: int
) -> None:
    """Put a copy of *size* bytes of host or device memory, with up to 96 bytes of user data, into a queue.

    *timeout*, ms: negative waits for room for ever, 0 not at all. Codes: 100000 NULL or size 0, 107002, 107000 and
    507899 no such queue, 207014 still full, 107000 memory that cannot be read.
    """
    require(data, "data")
    require(size, "dataSize")
    queue = _queue(t, number)
    private = b""
    if user and user_size:
        private = peek(user, min(user_size, USER_BYTES)) or b""
        if user_size > USER_BYTES:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"userDataSize is {user_size}: {USER_BYTES} bytes are the most", "driver"
            )
    queue.need(ACL_TDT_QUEUE_PERMISSION_ENQUEUE, "enqueue")
    queue.put(t, Entry(copied(t, [(data, size)]), private), timeout)


@api("acltdtDequeueData")
def dequeue_data(t: ThreadState, number: int, data: int, room: int, user: int, user_room: int, timeout: int) -> int:
    """Copy the oldest entry of a queue to *data*, its user data to *user*; returns the size of the entry.

    An entry larger than *dataSize* is cut, and the rest is lost, with a finding. *timeout*, ms: negative waits for an
    entry for ever, 0 not at all. Codes: 100000 NULL or size 0, 107002, 107000 and 507899 no such queue, 207013 empty.
    """
    require(data, "data")
    require(room, "dataSize")
    queue = _queue(t, number)
    queue.need(ACL_TDT_QUEUE_PERMISSION_DEQUEUE, "dequeue")
    entry = queue.take(t, timeout)
    if entry.buffer is not None:
        area, entry.user = entry.buffer.area, bytes(entry.buffer.user)
        size, source = entry.buffer.length, area.block.address
    else:
        size, source = entry.data.nbytes, int(entry.data.ctypes.data)
    if size > room:
        title = f"{t.call} has room for {room} of the {size} bytes of an entry of {queue.describe()}: the rest is lost"
        t.sim.report_call(t, "undefined-use", "warning", title)
    if size:
        copy_now(t, data, source, Shape(min(size, room)))
    if user and user_room:
        write_value(user, user_room, entry.user[:user_room])
    entry.drop(t)
    return size


@api("acltdtEnqueue")
def enqueue(t: ThreadState, number: int, handle: int, timeout: int) -> None:
    """Put a shared buffer (a whole chain) into a queue: the handle is no longer the caller's.

    Codes: 200006 on the host, 100000 NULL, 107000 no live buffer or inside a chain, 507899 no such queue, 500001 full
    until the time was over.
    """
    need_device_mode(t)
    require(handle, "buf")
    buffer = live(t, handle, SharedBuffer, "shared buffer")
    if buffer is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{handle:#x} is no live shared buffer", "driver")
    buffer.need_head()
    queue = _queue(t, number)
    queue.need(ACL_TDT_QUEUE_PERMISSION_ENQUEUE, "enqueue")
    try:
        queue.put(t, Entry(_NOTHING, buffer=buffer), timeout)
    except AclError as error:
        raise _in_time(error, ACL_ERROR_RT_QUEUE_FULL) from None
    if not queue.store.shared:
        buffer.rename(t.sim)


@api("acltdtDequeue")
def dequeue(t: ThreadState, number: int, timeout: int) -> int:
    """The oldest buffer of a queue; it belongs to the caller, who frees it.

    Codes: 200006 on the host, 507899 no such queue, 500001 empty until the time was over.
    """
    need_device_mode(t)
    queue = _queue(t, number)
    queue.need(ACL_TDT_QUEUE_PERMISSION_DEQUEUE, "dequeue")
    try:
        entry = queue.take(t, timeout)
    except AclError as error:
        raise _in_time(error, ACL_ERROR_RT_QUEUE_EMPTY) from None
    if entry.buffer is None:
        entry.buffer = allocate_buffer(t, max(entry.data.nbytes, 1))
        entry.buffer.length = entry.data.nbytes
        entry.buffer.user[: len(entry.user)] = entry.user
        copy_now(t, entry.buffer.area.block.address, int(entry.data.ctypes.data), Shape(entry.data.nbytes))
    return entry.buffer.handle


def _in_time(error: AclError, code: int) -> AclError:
    """A loop of the acl layer asks again and again: it has one code for a time that is over."""
    return AclError(ACL_ERROR_FAILURE, error.reason, "acl") if error.code == code else error


@api("acltdtGrantQueue")
def grant_queue(t: ThreadState, number: int, pid: int, permission: int, timeout: int) -> None:
    """Let process *pid* of the run use a queue, which it attaches then (docs/semantics/queues.md#grants).

    Codes: 200006 on the host and without SHAREGROUP_PRECONFIG, 107000 a bad pid, 507899 no such queue, or one of another
    process that did not let this one manage it.
    """
    need_shared_group(t)
    if pid <= 0:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"pid is {pid}: a process id is required", "driver")
    queue = _queue(t, number)
    queue.need(ACL_TDT_QUEUE_PERMISSION_MANAGE, "grant")
    if pid != os.getpid():
        from ascend_sim.runtime.processes.queue_sharing import grant  # few programs share: the others load no sockets

        grant(t, queue, pid, permission & ALL_PERMISSIONS)


@api("acltdtAttachQueue")
def attach_queue(t: ThreadState, number: int, timeout: int) -> int:
    """What this process may do with a queue: all, when it made it, else what the process that made it has granted.

    *timeout*, ms: so long it waits for the grant, negative for ever. Codes: 200006 on the host and without
    SHAREGROUP_PRECONFIG, 107000 no possible id, 507899 not granted.
    """
    need_shared_group(t)
    registry, device = t.sim.part(QueueRegistry), device_index(t)
    known = registry.get(device, number)
    if known is not None:
        return known.bits
    from ascend_sim.runtime.processes.queue_sharing import attach  # as above

    queue, bits = attach(t, device, number, timeout)
    registry.adopt(queue)
    return bits


# -- routes -----------------------------------------------------------------------------------------------------------


def _routes(t: ThreadState, handle: int) -> RouteList:
    return needed(t, handle, RouteList, "route list")


@api("acltdtBindQueueRoutes")
def bind_queue_routes(t: ThreadState, handle: int) -> None:
    """Bind the routes of a list, and set the status of each. Codes: 100000 NULL, 107002, 500001 one could not be bound."""
    found = _routes(t, handle)
    routes = t.sim.part(QueueRegistry).routes_of(device_index(t))
    faults = [routes.bind(route, t.clock) for route in found.routes]
    _all_well(faults)


@api("acltdtUnbindQueueRoutes")
def unbind_queue_routes(t: ThreadState, handle: int) -> None:
    """Undo acltdtBindQueueRoutes, and set the status of each route. Codes: 100000 NULL, 107002, 500001 one was not bound."""
    found = _routes(t, handle)
    routes = t.sim.part(QueueRegistry).routes_of(device_index(t))
    _all_well([routes.unbind(route) for route in found.routes])


def _all_well(faults: list[str]) -> None:
    told = "; ".join(fault for fault in faults if fault)
    if told:
        raise AclError(ACL_ERROR_FAILURE, told, "acl")


@api("acltdtQueryQueueRoutes")
def query_queue_routes(t: ThreadState, query_handle: int, handle: int) -> None:
    """Fill a list with the bound routes that a query names; what was in it is dropped.

    Codes: 100000 NULL, no mode, a mode without its queues; 107002.
    """
    found = _routes(t, handle)
    query = needed(t, query_handle, RouteQuery, "route query")
    found.routes.clear()
    query.check()
    bound = t.sim.part(QueueRegistry).routes_of(device_index(t)).bound
    for route in bound:
        if query.mode == ACL_TDT_QUEUE_ROUTE_QUERY_SRC:
            match = route.source == query.source
        elif query.mode == ACL_TDT_QUEUE_ROUTE_QUERY_DST:
            match = route.target == query.target
        elif query.mode == ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL:
            match = route.status == ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL
        else:
            match = (route.source, route.target) == (query.source, query.target)
        if match:
            found.routes.append(route.copy())
