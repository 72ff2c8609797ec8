"""Chapter 11-03: copying and setting memory."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_DEVICE_TASK_ABORT,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.graphs.capture import check_safe
from ascend_sim.runtime.memory.allocation import fault_error
from ascend_sim.runtime.memory.copies import (
    Shape,
    copy_async,
    copy_now,
    early_context,
    fill_async,
    fill_now,
    location,
    pinned_detection,
    queue_again,
)
from ascend_sim.runtime.memory.directions import BUFFERED, D2D, D2H, DEFAULT, H2D
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.thread_state import ThreadState

WIDEST_ROW, MOST_ROWS = 5_000_000, 5 * 1024 * 1024
_SIZE = (1 << 64) - 1
_KINDS_2D = (H2D, D2H, D2D, DEFAULT)


def _pointers_and_kind(dst: int, src: int, kind: int) -> None:
    """The acl layer's tests of a copy. Raises AclError 100000."""
    require(dst, "dst")
    require(src, "src")
    if not 0 <= kind <= BUFFERED:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"kind is {kind}: 0 (HOST_TO_HOST) to 5 (HOST_TO_BUF_TO_DEVICE) is required", "acl"
        )


def _within(limit: int, count: int, limit_name: str) -> None:
    if count > limit:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"count is {count} but {limit_name} is {limit}: the destination is too small"
        )


def live_stream(t: ThreadState, handle: int) -> Stream | None:
    """The stream of *handle*, before ranges and context are looked at; None: the context's. Raises AclError 107017."""
    if not handle:
        return None
    stream = t.sim.handles.get(handle)
    if type(stream) is not Stream:
        raise t.stale(handle, "stream")
    return stream


def _current_device(t: ThreadState) -> None:
    """The tests of the calls that act at once. Raises AclError 107002, 107022 during aclrtDeviceTaskAbort."""
    if t.current_context().device.tasks_aborted:
        raise AclError(ACL_ERROR_RT_DEVICE_TASK_ABORT, "aclrtDeviceTaskAbort is at work on the device")


@api("aclrtMemcpy")
def memcpy(t: ThreadState, dst: int, dest_max: int, src: int, count: int, kind: int) -> None:
    """Copy at once; ordered with no stream. The direction comes from the addresses, *kind* is only tested.

    Codes: count 0 is 0 before all else; 100000 NULL or bad kind, 107000 count above destMax or a range that cannot be
    used, 107002.
    """
    if not count:
        return
    _pointers_and_kind(dst, src, kind)
    _within(dest_max, count, "destMax")
    if dst == src:
        return
    _current_device(t)
    check_safe(t)
    copy_now(t, dst, src, Shape(count))


def _memcpy_async(t: ThreadState, dst: int, dest_max: int, src: int, count: int, kind: int, stream: int) -> None:
    key = (dst, src, count, kind)
    op = t.sim.memory.plans.get(key)
    if op is not None and count <= dest_max and queue_again(t, op, stream):
        return
    if not count:
        return
    _pointers_and_kind(dst, src, kind)
    target = live_stream(t, stream)
    _within(dest_max, count, "destMax")
    context = early_context(t)
    copy_async(t, context, target or context.default, dst, src, kind, Shape(count), key)


@api("aclrtMemcpyAsync")
def memcpy_async(t: ThreadState, dst: int, dest_max: int, src: int, count: int, kind: int, stream: int) -> None:
    """Queue a copy on *stream* (NULL: default). Its source is read when it runs.

    With host memory that is not page-locked it waits for the stream and copies before it returns. Codes: count 0 is 0;
    100000 NULL or bad kind, 107017 dead stream, 107000 count above destMax or a kind that the places forbid, 107002,
    507899 freed memory, 207000 host to host, 107003 a stream of another context (queued copies).
    """
    _memcpy_async(t, dst, dest_max, src, count, kind, stream)


@api("aclrtMemcpyAsyncWithCondition")
def memcpy_async_with_condition(
    t: ThreadState, dst: int, dest_max: int, src: int, count: int, kind: int, stream: int
) -> None:
    """As aclrtMemcpyAsync; 207000 when the driver cannot tell page-locked memory from other."""
    if count and not pinned_detection(t):
        _pointers_and_kind(dst, src, kind)
        live_stream(t, stream)
        _within(dest_max, count, "destMax")
        early_context(t)
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            "this driver cannot tell page-locked from other host memory: use aclrtMemcpyAsync",
        )
    _memcpy_async(t, dst, dest_max, src, count, kind, stream)


@api("aclrtMemset")
def memset(t: ThreadState, address: int, max_count: int, value: int, count: int) -> None:
    """Set bytes at once; only the low byte of *value* counts.

    Codes: count 0 is 0; 100000 NULL, 107002, 107000 count above maxCount or a bad range.
    """
    if not count:
        return
    require(address, "devPtr")
    _current_device(t)
    check_safe(t)
    _within(max_count, count, "maxCount")
    fill_now(t, address, count, value)


@api("aclrtMemsetAsync")
def memset_async(t: ThreadState, address: int, max_count: int, value: int, count: int, stream: int) -> None:
    """Queue a set of device memory; host memory is set at once, before earlier tasks of the stream.

    Codes: count 0 is 0; 100000 NULL, 107017, 107000 count above maxCount, 107002, 107003, 507899.
    """
    key = (address, count, value)
    op = t.sim.memory.plans.get(key)
    if op is not None and count <= max_count and queue_again(t, op, stream):
        return
    if not count:
        return
    require(address, "devPtr")
    target = live_stream(t, stream)
    _within(max_count, count, "maxCount")
    fill_async(t, target or t.current_context().default, address, count, value, key=key)


def _words(t: ThreadState, address: int, size: int, number: int) -> None:
    """The acl layer's tests of the 32-bit sets. Raises AclError 100000, 507899."""
    require(address, "ptr")
    if address % 4:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"ptr is {address:#x}: it must be a multiple of 4", "acl")
    if size < 4 * number & _SIZE:  # the product wraps as in C
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"memSize is {size}: {4 * number} bytes are needed for {number} values", "acl"
        )
    place = location(t, address, "ptr")
    if place not in ("device", "host"):
        text = f"ptr is {t.sim.memory.describe(address)}: memory from aclrtMalloc or aclrtMallocHost is required"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")


@api("aclrtMemsetD32")
def memset_d32(t: ThreadState, address: int, size: int, value: int, number: int) -> None:
    """Set *number* 32-bit values at once.

    Codes: number 0 is 0; 100000 NULL, not 4-aligned, memSize too small, or no acl memory; 507899 freed; 107002. On
    products without it nothing is set and the answer is 0.
    """
    if not number:
        return
    _words(t, address, size, number)
    if "memset_d32" in t.sim.profile.supports:
        t.current_context()
        fill_now(t, address, 4 * number, value, wide=True)


@api("aclrtMemsetD32Async")
def memset_d32_async(t: ThreadState, address: int, size: int, value: int, number: int, stream: int) -> None:
    """Set words on *stream*; host memory is set at once. Codes: as aclrtMemsetD32, 107017, 107003."""
    if not number:
        return
    _words(t, address, size, number)
    if "memset_d32" in t.sim.profile.supports:
        fill_async(t, t.stream(stream), address, 4 * number, value, wide=True)


def _rows(dst: int, dpitch: int, src: int, spitch: int, width: int, kind: int) -> None:
    require(dst, "dst")
    require(src, "src")
    for name, pitch in (("dpitch", dpitch), ("spitch", spitch)):
        if width > pitch:
            raise AclError(
                ACL_ERROR_INVALID_PARAM, f"width is {width} but {name} is {pitch}: rows would overlap", "acl"
            )
    if kind not in _KINDS_2D:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"kind is {kind}: 1 (HOST_TO_DEVICE) to 4 (DEFAULT) is required", "acl")


def _row_limits(width: int, height: int) -> None:
    if height > MOST_ROWS or width > WIDEST_ROW:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"{height} rows of {width} bytes: at most {MOST_ROWS} of {WIDEST_ROW} are possible",
        )


@api("aclrtMemcpy2d")
def memcpy_2d(t: ThreadState, dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int) -> None:
    """Copy *height* rows of *width* bytes at once, between host and device.

    Codes: width or height 0 is 0; 100000 NULL, rows wider than a pitch, bad kind; 107000 too many or too wide rows, a
    bad range; 207000 device to device; 107002.
    """
    if not width or not height:
        return
    _rows(dst, dpitch, src, spitch, width, kind)
    _row_limits(width, height)
    if kind == D2D:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "kind is DEVICE_TO_DEVICE: only aclrtMemcpy2dAsync copies so")
    _current_device(t)
    to, source = location(t, dst, "dst"), location(t, src, "src")
    if to == source == "device":
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "src and dst are both device memory: only aclrtMemcpy2dAsync copies so"
        )
    if "device" not in (to, source):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, "src and dst are both host memory: one of them must be device memory"
        )
    check_safe(t)
    copy_now(t, dst, src, Shape(width, height, dpitch, spitch))


@api("aclrtMemcpy2dAsync")
def memcpy_2d_async(
    t: ThreadState, dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int, stream: int
) -> None:
    """As aclrtMemcpy2d, on *stream*; device to device on A2, A3 and 950. Codes as aclrtMemcpy2d and aclrtMemcpyAsync."""
    if not width or not height:
        return
    _rows(dst, dpitch, src, spitch, width, kind)
    target = live_stream(t, stream)
    _row_limits(width, height)
    context = early_context(t)
    if kind == D2D and "async_copy_2d_d2d" not in t.sim.profile.supports:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} copies rows only between host and device"
        )
    copy_async(t, context, target or context.default, dst, src, kind, Shape(width, height, dpitch, spitch))


DESCRIPTOR_BYTES = 64
INNER = 6
_KINDS_END = 8
_LARGEST_DESCRIBED = 4 << 30


def _inner_only(t: ThreadState, kind: int) -> None:
    if kind != INNER or "copy_descriptor" not in t.sim.profile.supports:
        text = f"kind is {kind} on {t.sim.profile.name}: only INNER_DEVICE_TO_DEVICE (6) has descriptors"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text)


@api("aclrtGetMemcpyDescSize")
def get_memcpy_desc_size(t: ThreadState, kind: int) -> int:
    """Bytes of device memory for a copy descriptor. Codes: 100000 no such kind, 207000."""
    if not 0 <= kind < _KINDS_END:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"kind is {kind}: 0 to {_KINDS_END - 1} is required", "acl")
    _inner_only(t, kind)
    return DESCRIPTOR_BYTES


@api("aclrtSetMemcpyDesc")
def set_memcpy_desc(t: ThreadState, desc: int, kind: int, src: int, dst: int, count: int, config: int) -> None:
    """Write a copy descriptor into device memory.

    Codes: 100000 NULL, count 0, config not NULL; 207000 another kind; 107002; 107000 the descriptor is not 64-aligned
    or no device memory, src and dst on different devices, more than 4 GiB.
    """
    for value, name in ((desc, "desc"), (src, "srcAddr"), (dst, "dstAddr"), (count, "count")):
        require(value, name)
    if config:
        raise AclError(ACL_ERROR_INVALID_PARAM, "config is not NULL", "acl")
    _inner_only(t, kind)
    t.current_context()
    memory = t.sim.memory
    if desc % DESCRIPTOR_BYTES or memory.where(desc) != "device":
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"desc is {memory.describe(desc)}: 64-byte aligned device memory is required"
        )
    ends = [memory.find(end) for end in (src, dst)]
    devices = {end.device if end is not None and not end.freed else -1 for end in ends}
    if -1 in devices or len(devices) > 1 or count > _LARGEST_DESCRIBED:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"{count} bytes from {src:#x} to {dst:#x}: one device and at most 4 GiB are required",
        )
    held = b"".join(number.to_bytes(8, "little") for number in (src, dst, count))
    _descriptor(t, desc, True)[: len(held)] = list(held)


def _descriptor(t: ThreadState, desc: int, write: bool = False) -> Any:
    """The bytes of a descriptor. Raises AclError 107000 when they cannot be used."""
    try:
        return t.sim.memory.view(desc, DESCRIPTOR_BYTES, write)
    except AddressFault as fault:
        raise fault_error(t, fault, "desc") from None


@api("aclrtMemcpyAsyncWithDesc")
def memcpy_async_with_desc(t: ThreadState, desc: int, kind: int, stream: int) -> None:
    """Queue the copy that a descriptor holds. Codes: 100000 NULL descriptor or stream, 207000, 107017, as the copy."""
    require(desc, "desc")
    require(stream, "stream")
    target = live_stream(t, stream)
    _inner_only(t, kind)
    context = early_context(t)
    location(t, desc, "desc")
    data = _descriptor(t, desc).tobytes()
    src, dst, count = (int.from_bytes(data[i : i + 8], "little") for i in (0, 8, 16))
    copy_async(t, context, target or context.default, dst, src, D2D, Shape(count))
