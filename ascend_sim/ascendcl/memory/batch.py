"""Chapter 11-03, batches: many copies in one direction."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers, peek
from ascend_sim.ascendcl.memory.copy import live_stream
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.copies import Shape, copy_between, copy_now, early_context, kind_of
from ascend_sim.runtime.memory.directions import D2H, H2D
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.thread_state import ThreadState

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.context import Context

NO_INDEX = (1 << 64) - 1
"""failIndex when no single element is to blame (SIZE_MAX)."""
MOST = 4096
HOST, DEVICE = 0, 1
_ATTRIBUTE_BYTES = 32


class Element(NamedTuple):
    """One copy of a batch with the places that its attribute announces: (location type, device id)."""

    dst: int
    src: int
    nbytes: int
    dst_place: tuple[int, int]
    src_place: tuple[int, int]


def _attributes(value: Any, count: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """(destination, source) places of the attributes. Raises AclError 100000: unreadable, or reserved bytes set."""
    found = []
    if isinstance(value, int):
        data = peek(value, count * _ATTRIBUTE_BYTES)
        if data is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"attrs: {count} attributes cannot be read at {value:#x}", "acl")
        for at in range(0, len(data), _ATTRIBUTE_BYTES):
            if any(data[at + 16 : at + _ATTRIBUTE_BYTES]):
                raise AclError(ACL_ERROR_INVALID_PARAM, "attrs: the reserved bytes of an attribute are not 0", "acl")
            words = [int.from_bytes(data[i : i + 4], "little") for i in range(at, at + 16, 4)]
            found.append(((words[1], words[0]), (words[3], words[2])))
        return found
    if len(value) < count:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"attrs holds {len(value)} attributes, {count} are announced", "acl")
    for attribute in value[:count]:
        if any(attribute.rsv):
            raise AclError(ACL_ERROR_INVALID_PARAM, "attrs: the reserved bytes of an attribute are not 0", "acl")
        to, source = attribute.dstLoc, attribute.srcLoc
        found.append(((to.type, to.id), (source.type, source.id)))
    return found


def _failed(code: int, reason: str, layer: str, index: int, indexed: bool) -> AclError:
    return AclError(code, reason, layer, (index,) if indexed else None)


def _elements(
    t: ThreadState, name: str, indexed: bool, waits: bool, lists: tuple[Any, Any, Any, Any], count: int,
    attrs: Any, indexes: Any, num_attrs: int,
) -> list[Element]:  # fmt: skip
    """The tests of a batch before its elements are looked at; no element: all sizes are 0. Raises AclError."""
    dsts, dest_maxs, srcs, sizes = lists
    try:
        require(sizes, "sizes")
        require(count, "numBatches")
        lengths = integers(sizes, count, "sizes")
        if not any(lengths):
            return []
        for value, what in ((dsts, "dsts"), (dest_maxs, "destMaxs"), (srcs, "srcs")):
            require(value, what)
        require(attrs, "attrs")
        require(indexes, "attrsIndexes")
        rooms = integers(dest_maxs, count, "destMaxs")
        for i, (room, length) in enumerate(zip(rooms, lengths, strict=True)):
            if room < length:
                raise AclError(
                    ACL_ERROR_INVALID_PARAM, f"element {i}: {length} bytes do not fit into destMax {room}", "acl"
                )
        places = _attributes(attrs, num_attrs) if num_attrs <= count else []
        if not 0 < num_attrs <= count or (waits and count > MOST):
            most = f", and at most {MOST}," if waits else ""
            text = f"numAttrs is {num_attrs}, numBatches {count}: 1 to numBatches{most} are required"
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
        starts = integers(indexes, num_attrs, "attrsIndexes")
        rising = all(a < b for a, b in pairwise(starts))
        if starts[0] or not rising or starts[-1] >= count:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                f"attrsIndexes is {starts}: from 0, strictly rising, below {count} is required",
            )
        check_product(t, name)
    except AclError as error:
        raise _failed(error.code, error.reason, error.layer, NO_INDEX, indexed) from None
    ends = [*starts[1:], count]
    which = [k for k, (start, end) in enumerate(zip(starts, ends, strict=True)) for _ in range(start, end)]
    columns = zip(integers(dsts, count, "dsts"), integers(srcs, count, "srcs"), lengths, which, strict=True)
    return [Element(dst, src, nbytes, *places[k]) for dst, src, nbytes, k in columns]


def _direction(t: ThreadState, element: Element, to: Allocation | None, source: Allocation | None) -> int:
    """H2D or D2H by where the pointers are. Raises AclError 107000 when that is not what the attribute says."""
    sides = []
    for what, address, block, (kind, device) in (
        ("dst", element.dst, to, element.dst_place),
        ("src", element.src, source, element.src_place),
    ):
        place = kind_of(t, block, address, what)
        if place == "device":
            fits = kind == DEVICE and block is not None and block.device == device
        else:
            fits = kind == HOST
        if not fits:
            text = f"{what} is {t.sim.memory.describe(address)} ({place}), its attribute says type {kind}, id {device}"
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
        sides.append(place == "device")
    if sides[0] == sides[1]:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, "dst and src are on the same side: a batch copies between host and device"
        )
    return H2D if sides[0] else D2H


def _copy_batch(
    t: ThreadState, elements: list[Element], indexed: bool, context: Context | None = None, stream: Stream | None = None
) -> None:
    """Copy the elements at once, all of them tested before; or queue them on *stream*, one after the other.

    Without a stream an element of size 0 is nothing to do; in a queued batch it fails, and those before it are queued.
    """
    direction: int | None = None
    find = t.sim.memory.find
    tested: list[tuple[int, Element]] = []
    for i, element in enumerate(elements):
        if not element.nbytes and stream is None:
            continue
        try:
            if not element.nbytes:
                raise AclError(ACL_ERROR_RT_PARAM_INVALID, "its size is 0 in a batch with other sizes")
            to, source = find(element.dst), find(element.src)
            way = _direction(t, element, to, source)
            if direction not in (None, way):
                raise AclError(
                    ACL_ERROR_RT_PARAM_INVALID,
                    "this element goes the other way than the ones before: one direction a batch",
                )
            direction = way
            if context is None or stream is None:
                tested.append((i, element))
            else:
                ends = (element.dst, to), (element.src, source)
                copy_between(t, context, stream, *ends, way, Shape(element.nbytes))
        except AclError as error:
            raise _failed(error.code, f"element {i}: {error.reason}", error.layer, i, indexed) from None
    for i, element in tested:
        try:
            copy_now(t, element.dst, element.src, Shape(element.nbytes))
        except AclError as error:
            raise _failed(error.code, f"element {i}: {error.reason}", error.layer, i, indexed) from None
    if t.sim.detects_races:
        _tell_overlap(t, elements)


def _tell_overlap(t: ThreadState, elements: list[Element]) -> None:
    """Report the first element that writes what another of its batch writes or reads: they are copied in no order."""
    ranges = []
    for i, element in enumerate(elements):
        if element.nbytes:
            ranges.append((element.dst, element.dst + element.nbytes, i, "writes"))
            ranges.append((element.src, element.src + element.nbytes, i, "reads"))
    ranges.sort()
    far: dict[str, tuple[int, int, int, str] | None] = {"writes": None, "reads": None}  # who reaches furthest so far
    for lo, hi, i, does in ranges:
        for other in (far["writes"], far["reads"] if does == "writes" else None):
            if other is not None and other[1] > lo and other[2] != i:
                end = min(hi, other[1])
                t.sim.report_call(
                    t, "race", "error",
                    f"elements {min(i, other[2])} and {max(i, other[2])} of one {t.call} use the same {end - lo} bytes, "
                    f"and nothing orders them: one {does} what the other {other[3]}",
                    fix="put them into two calls, one after the other",
                )  # fmt: skip
                return
        before = far[does]
        if before is None or hi > before[1]:
            far[does] = lo, hi, i, does


@api("aclrtMemcpyBatch")
def memcpy_batch(
    t: ThreadState, dsts: Any, dest_maxs: Any, srcs: Any, sizes: Any, count: int, attrs: Any, indexes: Any,
    num_attrs: int,
) -> int:  # fmt: skip
    """Copy all elements at once; returns failIndex: the element to blame, or SIZE_MAX.

    Codes: 100000 NULL lists, destMax too small, reserved bytes; 107000 attributes that are badly indexed or disagree
    with the pointers, two directions; all sizes 0 is 0.
    """
    lists = (dsts, dest_maxs, srcs, sizes)
    elements = _elements(t, "aclrtMemcpyBatch", True, True, lists, count, attrs, indexes, num_attrs)
    if elements:
        t.current_context()
        _copy_batch(t, elements, True)
    return NO_INDEX


@api("aclrtMemcpyBatchV2")
def memcpy_batch_v2(
    t: ThreadState, dsts: Any, dest_maxs: Any, srcs: Any, sizes: Any, count: int, attrs: Any, indexes: Any,
    num_attrs: int,
) -> None:  # fmt: skip
    """As aclrtMemcpyBatch, without failIndex. Codes as there."""
    lists = (dsts, dest_maxs, srcs, sizes)
    elements = _elements(t, "aclrtMemcpyBatchV2", False, True, lists, count, attrs, indexes, num_attrs)
    if elements:
        t.current_context()
        _copy_batch(t, elements, False)


@api("aclrtMemcpyBatchAsync")
def memcpy_batch_async(
    t: ThreadState, dsts: Any, dest_maxs: Any, srcs: Any, sizes: Any, count: int, attrs: Any, indexes: Any,
    num_attrs: int, stream: int,
) -> int:  # fmt: skip
    """Queue all elements; host memory that is not page-locked makes it wait. Elements before a bad one are queued.

    Codes as aclrtMemcpyBatch and aclrtMemcpyAsync; 107000 an element of size 0 beside others.
    """
    lists = (dsts, dest_maxs, srcs, sizes)
    elements = _elements(t, "aclrtMemcpyBatchAsync", True, False, lists, count, attrs, indexes, num_attrs)
    if elements:
        target = live_stream(t, stream)
        context = early_context(t)
        _copy_batch(t, elements, True, context, target or context.default)
    return NO_INDEX


@api("aclrtMemcpyBatchAsyncV2")
def memcpy_batch_async_v2(
    t: ThreadState, dsts: Any, dest_maxs: Any, srcs: Any, sizes: Any, count: int, attrs: Any, indexes: Any,
    num_attrs: int, stream: int,
) -> None:  # fmt: skip
    """As aclrtMemcpyBatchAsync, without failIndex. Codes as there."""
    lists = (dsts, dest_maxs, srcs, sizes)
    elements = _elements(t, "aclrtMemcpyBatchAsyncV2", False, False, lists, count, attrs, indexes, num_attrs)
    if elements:
        target = live_stream(t, stream)
        context = early_context(t)
        _copy_batch(t, elements, False, context, target or context.default)
