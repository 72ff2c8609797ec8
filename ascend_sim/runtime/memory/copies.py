"""Copies and sets: the memory kinds of both ends, the direction that follows, what runs at once and what is queued.

The rules are in docs/semantics/copies.md; the order of the tests is part of them.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC,
    ACL_ERROR_RT_CONTEXT_NULL,
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.engines import copy_cost, memset_cost
from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.graphs.capture import check_safe
from ascend_sim.runtime.memory import host_buffers
from ascend_sim.runtime.memory.allocation import (
    fault_error,
    lost_by_reset,
    mapped_for_nobody,
    out_of_object,
    still_kept,
    used_after_free,
)
from ascend_sim.runtime.memory.directions import (
    BUFFERED,
    CORRECTION,
    H2H,
    HOST_TO_HOST,
    KIND_NAMES,
    PAGEABLE,
    QUEUED,
    REFUSED,
)
from ascend_sim.runtime.memory.told import Part, Shape, tell_access, tell_copied, tell_rows
from ascend_sim.runtime.memory.transfers import (
    Place,
    Transfer,
    copy_kind,
    copy_op,
    copy_rows,
    fill_op,
    fill_range,
    report_dead_owner,
)
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.synchronize import synchronize_stream

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.task import Op
    from ascend_sim.runtime.thread_state import ThreadState

    End = tuple[int, Allocation | None]
    """An address of a copy, and the block that was found there."""

__all__ = [
    "Shape", "copy_async", "copy_now", "early_context", "fill_async",
    "fill_now", "location", "pinned_detection", "queue_again",
]  # fmt: skip


def pinned_detection(t: ThreadState) -> bool:
    """Whether the driver can tell page-locked from other host memory."""
    return t.sim.profile.switches["pinned_detection"] == "yes"


def early_context(t: ThreadState) -> Context:
    """The context, for the layer that knows no default device. Raises AclError 107002."""
    context = t.bound_context()
    if context is None:
        why = t.no_context_reason()
        t.drop_context()
        raise AclError(ACL_ERROR_RT_CONTEXT_NULL, why)
    return context


def location(t: ThreadState, address: int, what: str) -> str:
    """``"device"``, ``"host"``, ``"managed"`` or ``"unregistered"``. Raises AclError 507899: no live block there."""
    return kind_of(t, t.sim.memory.find(address), address, what)


HOST_KINDS = ("host", "registered")
"""The kinds of blocks that lie in host memory."""


def kind_of(t: ThreadState, block: Allocation | None, address: int, what: str) -> str:
    """As `location`, for an *address* at which *block* was found."""
    memory = t.sim.memory
    kind: str = memory.kind_of(block, address)
    if kind == "unallocated":
        if block is not None and block.freed and not lost_by_reset(t, block):
            used_after_free(t, block, what)
        mapped_for_nobody(t, address, what)
        text = f"{what} is {memory.describe(address)}: the driver finds no memory there"
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text, "driver")
    return kind


def _check(
    t: ThreadState, block: Allocation | None, address: int, nbytes: int, what: str, write: bool, queued: bool = False
) -> None:
    """That the range of *address*, at which *block* was found, can be used. Raises AclError as `fault_error` says."""
    if block is not None and block.bytes is not None and not block.freed and block.contains(address + nbytes - 1):
        return  # most are like this
    try:
        if block is None:  # before its pages are asked for: what lies behind it is chance
            _check_python_object(t, address, nbytes, what, write)
        t.sim.memory.check_in(block, address, nbytes, write)
    except AddressFault as fault:
        late = still_kept(fault)
        if late is None:
            raise fault_error(t, fault, what) from None
        if not queued:  # else that is said when it runs
            used_after_free(t, late, what)


def _check_python_object(t: ThreadState, address: int, nbytes: int, what: str, write: bool) -> None:
    """Host memory of an object that the program showed us must not be left: behind it lies the interpreter's own.

    A read-only object as the destination itself is refused as well; its address (``acl.util.bytes_to_ptr``) is not:
    samples receive into bytes. Raises AclError with the code of a copy that leaves its block.
    """
    kept = host_buffers.find(address)
    if kept is None:
        return
    if write and kept.passed and kept.read_only():
        raise AddressFault("unmapped", f"{kept.describe()} is read-only", address, nbytes)
    over = kept.past_end(address, nbytes)
    if over:
        raise out_of_object(t, kept, address, nbytes, what, over)


def check_peers(t: ThreadState, to: Allocation | None, source: Allocation | None) -> str:
    """Which way the copy goes. Raises AclError (a switch says which) between devices that may not see each other.

    A3 does not ask for it (docs/semantics/process.md#peer-access).
    """
    kind = copy_kind(to, source)
    if kind == "peer" and t.sim.profile.product != "A3":
        assert to is not None and source is not None
        devices = t.sim.devices
        if source.device not in devices[to.device].peers and to.device not in devices[source.device].peers:
            code = int(t.sim.profile.switches["copy_without_peer_access"])
            t.sim.report_call(
                t, "peer-access", "error",
                f"{t.call} copies from device {source.device} to device {to.device}, and peer access is not enabled",
                fix=f"with device {to.device} current, once: aclrtDeviceEnablePeerAccess({source.device}, 0)",
            )  # fmt: skip
            if code:
                raise AclError(
                    code,
                    f"src is {source.describe()} on device {source.device}, dst on device {to.device}: call "
                    f"aclrtDeviceEnablePeerAccess({source.device}, 0) with device {to.device} current first",
                    "driver",
                )
    return kind


def copy_now(t: ThreadState, dst: int, src: int, shape: Shape) -> None:
    """Copy at once, in no order with any stream. Raises AclError for ranges that cannot be used."""
    sim = t.sim
    sim.threads.poll(t)
    memory = sim.memory
    to = memory.find(dst)
    _check(t, to, dst, shape.dst_extent, "dst", True)
    source = memory.find(src)
    _check(t, source, src, shape.src_extent, "src", False)
    kind = check_peers(t, to, source)
    if to is None:
        _check_owner(t, dst, True)
    if source is None:
        _check_owner(t, src, False)
    if sim.hooks.copied is not None:
        at_to, at_source = 0 if to is None else dst - to.address, 0 if source is None else src - source.address
        tell_copied(sim.hooks, t, to, source, Part(at_to, at_source, shape))
    if shape.height == 1:
        memory.copy_checked(dst, to, src, source, shape.width)
    else:
        from_address = src if source is None else memory.reach(source, src - source.address, shape.src_extent)
        to_address = dst if to is None else memory.reach(to, dst - to.address, shape.dst_extent)
        copy_rows(to_address, shape.dpitch, from_address, shape.spitch, shape.width, shape.height)
    t.clock += copy_cost(sim.profile, kind, shape.nbytes)
    hooks = sim.hooks
    if hooks.accessed is not None or hooks.accessed_rows is not None:
        _tell(t, source, src, shape, shape.spitch, False)
        _tell(t, to, dst, shape, shape.dpitch, True)


def _check_owner(t: ThreadState, address: int, write: bool) -> None:
    """Report when the Python object behind a host address is held by the simulator only."""
    kept = host_buffers.find(address)
    if kept is not None and not kept.passed and kept.abandoned():
        report_dead_owner(t.sim, kept, t.call, t.site, write)


def _tell(t: ThreadState, block: Allocation | None, address: int, shape: Shape, pitch: int, write: bool) -> None:
    if block is None:
        return
    lo = address - block.address
    if shape.height == 1 or shape.width == pitch:
        tell_access(t.sim.hooks, t, block, lo, lo + shape.nbytes, write)
    else:
        tell_rows(t.sim.hooks, t, block, lo, shape.width, pitch, shape.height, write)


def route(t: ThreadState, to: str, source: str, kind: int) -> str:
    """QUEUED, PAGEABLE or HOST_TO_HOST for an asynchronous copy between these kinds of memory. Raises AclError 107000."""
    if kind == BUFFERED:
        if source == "device" or to != "device":
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                f"kind is HOST_TO_BUF_TO_DEVICE: src must be host memory and dst device memory, not {source} and {to}",
            )
        return QUEUED
    if not pinned_detection(t):
        return HOST_TO_HOST if kind == H2H else QUEUED
    if "managed" in (to, source):
        return HOST_TO_HOST if kind == H2H else QUEUED
    leads = CORRECTION[source, to].get(kind, REFUSED)
    if leads == REFUSED:
        allowed = ", ".join(KIND_NAMES[k] for k, way in sorted(CORRECTION[source, to].items()) if way != HOST_TO_HOST)
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"kind is {KIND_NAMES[kind]} but src is {_words(source)} and dst is {_words(to)}: use {allowed}",
        )
    if leads == PAGEABLE and t.sim.profile.switches["pageable_async_copy"] == "queued":
        return QUEUED
    return leads


def _words(place: str) -> str:
    words = {"host": "page-locked host memory", "unregistered": "host memory not from aclrtMallocHost"}
    return words.get(place, f"{place} memory")


def queue_again(t: ThreadState, op: Op, handle: int) -> bool:
    """Queue *op*, which was found in `AddressSpace.plans`, once more, on the stream of *handle*.

    False when something is to be said against thread, context or stream: the whole way says it, in its order.
    """
    context = t.context
    if context is None:
        device = t.binding
        if device is None or not device.count:
            return False
        context = device.primary
        assert context is not None
    stream = t.sim.handles.get(handle) if handle else context.default
    if type(stream) is not Stream or stream.context is not context or context.dead:
        return False
    task = stream.submit(t, op)
    observers = stream.hooks.copy_queued
    if observers is not None and op.kind == "copy" and stream.recorder is None:
        for observe in observers:
            observe(task, op.action.source)  # type: ignore[union-attr]
    return True


def copy_async(
    t: ThreadState, context: Context, stream: Stream, dst: int, src: int, kind: int, shape: Shape,
    key: Hashable = None,
) -> None:  # fmt: skip
    """An asynchronous copy after the tests of arguments and *context*: correct the kind, then queue it or do it.

    With host memory that is not page-locked it waits for the stream, which may belong to another context, and returns
    the failure of an earlier task. *key*: the plan of what is queued is kept by it. Raises AclError: 507899 freed
    memory, 107000 a kind that the places forbid, 207000 host to host, 107003, and what the ranges are refused with.
    """
    find = t.sim.memory.find
    to, source = find(dst), find(src)
    copy_between(t, context, stream, (dst, to), (src, source), kind, shape, key)


def copy_between(
    t: ThreadState, context: Context, stream: Stream, to: End, source: End, kind: int, shape: Shape,
    key: Hashable = None,
) -> None:  # fmt: skip
    """As `copy_async`, for ends at which the blocks were looked up."""
    dst, src = to[0], source[0]
    to_kind = kind_of(t, to[1], dst, "dst")
    leads = route(t, to_kind, kind_of(t, source[1], src, "src"), kind)
    if leads == HOST_TO_HOST and t.sim.profile.switches["host_to_host_async"] == "refused":
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            "src and dst are both host memory: an asynchronous copy has a device side (use aclrtMemcpy)",
        )
    if dst == src:
        return
    if leads == PAGEABLE:
        if stream.recorder is not None:
            stream.recorder.refuse_pageable(t, stream)
        synchronize_stream(t, stream, None)
        check_safe(t, ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC)
        copy_now(t, dst, src, shape)
        return
    if stream.context is not context:
        t.check_own(stream)
    _queue_copy(t, stream, to, source, shape, kind == BUFFERED, key)


def _queue_copy(
    t: ThreadState, stream: Stream, to: End, source: End, shape: Shape, buffered: bool, key: Hashable
) -> None:
    """Queue a copy; *buffered*: its source is read now."""
    sim = t.sim
    (dst, to_block), (src, source_block) = to, source
    _check(t, to_block, dst, shape.dst_extent, "dst", True, True)
    _check(t, source_block, src, shape.src_extent, "src", False, True)
    way = check_peers(t, to_block, source_block)
    target = Place(sim, to_block, dst, shape.dst_extent, True)
    if buffered:
        held = sim.memory.view(src, shape.src_extent).copy()
        stream.submit(t, copy_op(sim, target, None, Transfer(target, None, shape, held), way))
        return
    origin = Place(sim, source_block, src, shape.src_extent, False)
    op = copy_op(sim, target, origin, Transfer(target, origin, shape), way)
    if key is not None and way != "peer":  # who may see whom can change
        sim.memory.plan(key, op, to_block, source_block)
    task = stream.submit(t, op)
    if sim.hooks.copy_queued is not None and stream.recorder is None:
        for observe in sim.hooks.copy_queued:
            observe(task, origin)


def fill_now(t: ThreadState, address: int, nbytes: int, value: int, wide: bool = False) -> None:
    """Set memory at once, in no order with any stream. Raises AclError for a range that cannot be used."""
    sim = t.sim
    sim.threads.poll(t)
    block = sim.memory.find(address)
    _check(t, block, address, nbytes, "devPtr", True)
    true = address if block is None else sim.memory.reach(block, address - block.address, nbytes, True)
    fill_range(true, nbytes, value, wide)
    t.clock += memset_cost(sim.profile, nbytes)
    if sim.hooks.accessed is not None:
        _tell(t, block, address, Shape(nbytes), 0, True)


def fill_async(
    t: ThreadState, stream: Stream, address: int, nbytes: int, value: int, wide: bool = False, key: Hashable = None
) -> None:
    """Queue a set of device memory; host memory is written at once, before earlier tasks of the stream."""
    sim = t.sim
    t.check_own(stream)
    block = sim.memory.find(address)
    if (block is None or block.freed or block.kind in HOST_KINDS) and (
        kind_of(t, block, address, "devPtr") in ("host", "unregistered")
    ):
        fill_now(t, address, nbytes, value, wide)
        return
    _check(t, block, address, nbytes, "devPtr", True, True)
    op = fill_op(sim, Place(sim, block, address, nbytes, True), value, wide)
    if key is not None:
        sim.memory.plan(key, op, block)
    stream.submit(t, op)
