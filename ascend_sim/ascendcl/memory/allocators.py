"""Chapters 11-08 and 25-03: custom allocators of streams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.allocators.registry import AllocatorDesc
from ascend_sim.runtime.thread_state import ThreadState

Function = Callable[..., Any]


def _desc(t: ThreadState, handle: int, value: Any, what: str) -> AllocatorDesc:
    """The descriptor of a setter. Raises AclError 100000 for a NULL descriptor or value, or a dead descriptor."""
    require(handle, "allocatorDesc")
    if value is None or (type(value) is int and not value):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} is NULL", "acl")
    return _find(t, handle)


def _find(t: ThreadState, handle: int) -> AllocatorDesc:
    """Raises AclError 100000 for a dead descriptor: real code would use freed memory, a code is what C could see."""
    found = t.sim.handles.get(handle)
    if not isinstance(found, AllocatorDesc):
        t.sim.report_call(
            t,
            "undefined-use",
            "error",
            "an allocator descriptor is used that was destroyed or never made: the real library does not check it",
        )
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{handle:#x} is no live allocator descriptor", "acl")
    return found


@api("aclrtAllocatorCreateDesc")
def allocator_create_desc(t: ThreadState) -> int:
    """A descriptor with nothing set."""
    desc = AllocatorDesc(t.sim.next_number("allocator descriptor"), t.site)
    desc.handle = t.sim.new_handle(desc)
    return desc.handle


@api("aclrtAllocatorDestroyDesc")
def allocator_destroy_desc(t: ThreadState, handle: int) -> None:
    """Destroy it; registrations keep their copy. Codes: 100000 NULL; a second time is undefined."""
    require(handle, "allocatorDesc")
    _find(t, handle)
    t.sim.drop_handle(handle)


@api("aclrtAllocatorSetObjToDesc", raw=("allocator",))
def allocator_set_obj(t: ThreadState, handle: int, allocator: Any) -> None:
    """The first argument of alloc and free: a number as in C, or any Python object. Codes: 100000 NULL."""
    _desc(t, handle, allocator, "allocator").obj = allocator


@api("aclrtAllocatorSetAllocFuncToDesc")
def allocator_set_alloc(t: ThreadState, handle: int, function: Function | None) -> None:
    """``alloc(obj, size) -> block``; NULL means failure. Codes: 100000 NULL."""
    _desc(t, handle, function, "func").alloc = function


@api("aclrtAllocatorSetFreeFuncToDesc")
def allocator_set_free(t: ThreadState, handle: int, function: Function | None) -> None:
    """``free(obj, block)``. Codes: 100000 NULL."""
    _desc(t, handle, function, "func").free = function


@api("aclrtAllocatorSetAllocAdviseFuncToDesc")
def allocator_set_alloc_advise(t: ThreadState, handle: int, function: Function | None) -> None:
    """``alloc_advise(obj, size, address) -> block``; optional. Codes: 100000 NULL."""
    _desc(t, handle, function, "func").advise = function


@api("aclrtAllocatorSetGetAddrFromBlockFuncToDesc")
def allocator_set_get_addr_from_block(t: ThreadState, handle: int, function: Function | None) -> None:
    """``get_addr(block) -> device address``. Codes: 100000 NULL."""
    _desc(t, handle, function, "func").get_address = function


@api("aclrtAllocatorRegister")
def allocator_register(t: ThreadState, stream: int, handle: int) -> None:
    """Register a copy of the descriptor for a stream handle; the last one wins. The handle is only a key.

    Codes: 100000 NULL, or object, alloc, free or get-address not set.
    """
    require(stream, "stream")
    require(handle, "allocatorDesc")
    t.sim.allocators.register(t, stream, _find(t, handle))


@api("aclrtAllocatorGetByStream")
def allocator_get_by_stream(
    t: ThreadState, stream: int
) -> tuple[int, Any, Function | None, Function | None, Function | None, Function | None]:
    """Descriptor, object, alloc, free, alloc-advise and get-address, as they were when registered.

    Codes: 100000 NULL, or no registration: outputs untouched.
    """
    require(stream, "stream")
    entry = t.sim.allocators.get(stream)
    if entry is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"no allocator is registered for stream {stream:#x}", "acl")
    return entry.desc, entry.obj, entry.alloc, entry.free, entry.advise, entry.get_address


@api("aclrtAllocatorUnregister")
def allocator_unregister(t: ThreadState, stream: int) -> None:
    """Forget the registration; none is no error. Codes: 100000 NULL."""
    require(stream, "stream")
    t.sim.allocators.unregister(stream)
