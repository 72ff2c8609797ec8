"""Chapter 11-06: operations on the caches of a device. They move no bytes: a task takes time, and that is all.

See docs/semantics/memory.md#caches.
"""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.flags import ACL_RT_CMO_MAX_BARRIER_NUM
from ascend_sim.constants.memory import (
    ACL_RT_CMO_TYPE_FLUSH,
    ACL_RT_CMO_TYPE_INVALID,
    ACL_RT_CMO_TYPE_PREFETCH,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.memory.allocation import fault_error
from ascend_sim.runtime.memory.told import tell_access
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Access, Op, Task
from ascend_sim.runtime.thread_state import ThreadState

DESCRIPTOR_BYTES = 64
_WORD = 8


def _cost(t: ThreadState, nbytes: int) -> int:
    costs = t.sim.profile.costs
    return costs.task_ns + nbytes * 1000 // costs.d2d_rate


def _queue(t: ThreadState, stream: Stream, address: int, nbytes: int) -> None:
    """Queue an operation on a range; what is no memory of the stream's device is a finding."""
    try:
        block = t.sim.memory.check(address, nbytes)
        fits = block is not None and block.device == stream.context.device.index
    except AddressFault:
        fits = False
    if not fits:
        where = t.sim.memory.describe(address).partition(", ")[2]
        t.sim.report_call(
            t, "undefined-use", "warning",
            f"{t.call}: {nbytes} bytes are not memory of device {stream.context.device.index}: {where}",
            fix="the caches of a device hold its own memory only",
        )  # fmt: skip
    stream.submit(t, Op("cache", _cost(t, nbytes)))


@api("aclrtCmoAsync")
def cmo_async(t: ThreadState, address: int, nbytes: int, kind: int, stream: int) -> None:
    """Queue a prefetch of device memory into the L2 cache. It changes no bytes.

    Codes: 100000 NULL or size 0, 107017, 207000 another type than PREFETCH (0), or not on this product; 107002, 107003.
    """
    require(address, "src")
    require(nbytes, "size")
    target = t.stream(stream) if stream else None
    _prefetch_only(t, "aclrtCmoAsync", kind)
    _queue(t, _own(t, target), address, nbytes)


def _prefetch_only(t: ThreadState, name: str, kind: int) -> None:
    check_product(t, name)
    if kind != ACL_RT_CMO_TYPE_PREFETCH:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"cmoType is {kind}: this chip has PREFETCH (0) only")


def _own(t: ThreadState, target: Stream | None) -> Stream:
    context = t.current_context()
    if target is None:
        return context.default
    t.check_own(target)
    return target


@api("aclrtCmoAsyncWithBarrier")
def cmo_async_with_barrier(t: ThreadState, address: int, nbytes: int, kind: int, barrier: int, stream: int) -> None:
    """Queue a prefetch, write-back, invalidation or flush; an invalidation has a number to wait for.

    Codes: 100000 NULL, 207000 not on this product (200I/500 A2 has it), or no such type; 107000 size 0, an
    invalidation without a number, another type with one; 107017, 107002, 107003.
    """
    require(address, "src")
    check_product(t, "aclrtCmoAsyncWithBarrier")
    if not nbytes:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "size is 0")
    if not ACL_RT_CMO_TYPE_PREFETCH <= kind <= ACL_RT_CMO_TYPE_FLUSH:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"cmoType is {kind}: 0 to 3")
    if (kind == ACL_RT_CMO_TYPE_INVALID) is not bool(barrier):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"barrierId is {barrier}: INVALID has one above 0, the other types have 0"
        )
    target = t.stream(stream) if stream else None
    _queue(t, _own(t, target), address, nbytes)


def _entries(given: Any) -> list[tuple[int, int]]:
    """(type, barrier) of an aclrtBarrierTaskInfo, or of its address. Raises AclError 100000."""
    if isinstance(given, structs.aclrtBarrierTaskInfo):
        number, listed = given.barrierNum, [(entry.cmoType, entry.barrierId) for entry in given.cmoInfo or ()]
    else:
        raw = peek(given, _WORD * (ACL_RT_CMO_MAX_BARRIER_NUM + 1)) or b""
        words = [int.from_bytes(raw[i : i + 4], "little") for i in range(0, len(raw), 4)]
        number, listed = (words[0] if words else 0), list(zip(words[2::2], words[3::2], strict=False))
    if not 0 < number <= ACL_RT_CMO_MAX_BARRIER_NUM or len(listed) < number:
        text = f"taskInfo->barrierNum is {number}: 1 to {ACL_RT_CMO_MAX_BARRIER_NUM} entries are required"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    return listed[:number]


@api("aclrtCmoWaitBarrier")
def cmo_wait_barrier(t: ThreadState, given: Any, stream: int, flag: int) -> None:
    """Queue a wait for invalidations by their numbers. Here they are done when the stream comes to it.

    Codes: 100000 NULL, no entries or more than 6; 107000 an entry of another type than INVALID, or without a number;
    207000 not on this product, 107017, 107002, 107003.
    """
    require(given, "taskInfo")
    for kind, barrier in _entries(given):
        if kind != ACL_RT_CMO_TYPE_INVALID or not barrier:
            text = f"an entry has type {kind} and number {barrier}: INVALID (2) and a number above 0 are required"
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
    check_product(t, "aclrtCmoWaitBarrier")
    target = t.stream(stream) if stream else None
    _own(t, target).submit(t, Op("cache", t.sim.profile.costs.task_ns))


@api("aclrtCmoGetDescSize")
def cmo_get_desc_size(t: ThreadState) -> int:
    """Bytes of device memory that a descriptor needs: 64. Code: 207000 not on this product."""
    check_product(t, "aclrtCmoGetDescSize")
    return DESCRIPTOR_BYTES


@api("aclrtCmoSetDesc")
def cmo_set_desc(t: ThreadState, desc: int, address: int, nbytes: int) -> None:
    """Write a descriptor, address and size, into device memory, at once.

    Codes: 107000 NULL, size 0, no memory for it; 207000 not on this product, 107002.
    """
    for value, what in ((desc, "cmoDesc"), (address, "src"), (nbytes, "size")):
        if not value:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{what} is NULL or zero")
    check_product(t, "aclrtCmoSetDesc")
    t.current_context()
    raw = (address.to_bytes(_WORD, "little") + nbytes.to_bytes(_WORD, "little")).ljust(DESCRIPTOR_BYTES, b"\0")
    memory = t.sim.memory
    try:
        block = memory.check(desc, DESCRIPTOR_BYTES, True)
        memory.view(desc, DESCRIPTOR_BYTES, True)[:] = list(raw)
    except AddressFault as fault:
        raise fault_error(t, fault, "cmoDesc") from None
    if block is not None:
        at = desc - block.address
        tell_access(t.sim.hooks, t, block, at, at + DESCRIPTOR_BYTES, True)


class _Described:
    """The action of an operation by a descriptor: it reads that when it runs."""

    __slots__ = ("place",)

    def __init__(self, place: Place) -> None:
        self.place = place

    def __call__(self, task: Task, time: int) -> None:
        self.place.reach(task)
        self.place.tell(task)


@api("aclrtCmoAsyncWithDesc")
def cmo_async_with_desc(t: ThreadState, desc: int, kind: int, stream: int, reserve: int) -> None:
    """As aclrtCmoAsync, for the range in a descriptor, which is read when the task runs.

    Codes: 107017, 107000 NULL, no device memory, or *reserve* not NULL; 207000, 107002, 107003.
    """
    target = t.stream(stream) if stream else None
    if not desc or reserve:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "cmoDesc is NULL" if not desc else "reserve is not NULL")
    _prefetch_only(t, "aclrtCmoAsyncWithDesc", kind)
    queue = _own(t, target)
    try:
        block = t.sim.memory.check(desc, DESCRIPTOR_BYTES)
    except AddressFault as fault:
        raise fault_error(t, fault, "cmoDesc") from None
    place = Place(t.sim, block, desc, DESCRIPTOR_BYTES, False)
    access = Access(desc, desc + DESCRIPTOR_BYTES, False)
    queue.submit(t, Op("cache", t.sim.profile.costs.task_ns, _Described(place), accesses=(access,)))


@api("aclrtDeviceL2CacheFlush")
def device_l2_cache_flush(t: ThreadState, reserve: int) -> None:
    """Write the L2 cache of the current device back: nothing to do here. No page. Codes: 107000 not NULL, 107002."""
    if reserve:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "rsv is not NULL")
    t.current_context()
