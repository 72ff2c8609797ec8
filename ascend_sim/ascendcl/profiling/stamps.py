"""Chapter 19-02: marks and ranges of msproftx (docs/semantics/profiling.md#stamps)."""

from __future__ import annotations

import os
import zlib
from typing import Any

from ascend_sim.ascendcl.api import api
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.runtime.profiling.stamps import MOST_STAMPS, Marks, Stamp, refused
from ascend_sim.runtime.task import Op
from ascend_sim.runtime.tensors.descriptors import live
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.untrusted.escaping import escaped

MOST_MESSAGE = 127


def _marks(t: ThreadState) -> Marks:
    return t.sim.part(Marks)


def _stamp(t: ThreadState, handle: int) -> Stamp:
    """Raises AclError -1 for NULL, and, with a finding, for what is no stamp."""
    found = live(t, handle, Stamp, "stamp")
    if found is None:
        raise refused("stamp is NULL" if not handle else f"{handle:#x} is no live stamp")
    return found


@api("aclprofCreateStamp")
def create_stamp(t: ThreadState) -> int:
    """A stamp without a message. NULL: no session takes marks, or 100 stamps exist."""
    marks = _marks(t)
    stamp = marks.create()
    if stamp is None:
        marks.need_on()
        raise refused(f"{MOST_STAMPS} stamps exist: the most there can be")
    return stamp.handle


@api("aclprofDestroyStamp")
def destroy_stamp(t: ThreadState, handle: int) -> None:
    """Give the stamp back; NULL and a session that is over: nothing happens."""
    marks = _marks(t)
    stamp = live(t, handle, Stamp, "stamp") if handle else None
    if stamp is not None and marks.on:
        marks.destroy(stamp)


@api("aclprofSetStampTraceMessage")
def set_stamp_trace_message(t: ThreadState, handle: int, text: str | None, length: int) -> None:
    """What the stamp's marks and ranges are called: *length* bytes of *msg*. Codes: -1 NULL, more than 127."""
    stamp = _stamp(t, handle)
    if text is None or length > MOST_MESSAGE:
        raise refused(f"msg is {text!r}, msgLen {length}: at most {MOST_MESSAGE} bytes are possible")
    stamp.message = os.fsencode(text)[:length].decode("utf-8", "replace")


@api("aclprofMark")
def mark(t: ThreadState, handle: int) -> None:
    """A mark now, in this thread. Codes: -1 no session takes marks, NULL."""
    marks = _marks(t)
    marks.need_on()
    marks.tell(t, "mark", escaped(_stamp(t, handle).message), t.clock)


@api("aclprofMarkEx")
def mark_ex(t: ThreadState, text: str | None, length: int, stream: int) -> None:
    """A mark now, and a task on *stream* that marks when it runs.

    Codes: -1 no session takes marks, NULL, the length is not that of the text, or not 1 to 127, no such stream.
    """
    marks = _marks(t)
    marks.need_on()
    if text is None or not stream or len(os.fsencode(text)) != length or not 0 < length <= MOST_MESSAGE:
        raise refused(f"msg is {text!r}, msgLen {length}, stream {stream:#x}: 1 to {MOST_MESSAGE} bytes, and a stream")
    try:
        found = t.submit_stream(stream)
    except AclError as error:
        raise refused(error.reason) from None
    message = escaped(text)
    marks.tell(t, "mark", message, t.clock)
    found.submit(t, Op(f"mark {message}", t.sim.profile.costs.task_ns))


@api("aclprofPush")
def push(t: ThreadState, handle: int) -> None:
    """A range begins, which the next aclprofPop ends. Codes: 100000 NULL, -1 no session takes marks."""
    if not handle:
        raise AclError(ACL_ERROR_INVALID_PARAM, "stamp is NULL", "acl")
    marks = _marks(t)
    marks.need_on()
    stamp = _stamp(t, handle)
    stamp.start = t.clock
    marks.stack.append((stamp, t))


@api("aclprofPop")
def pop(t: ThreadState) -> None:
    """End the range that was pushed last, by whatever thread. Codes: -1 no session takes marks, nothing was pushed."""
    marks = _marks(t)
    marks.need_on()
    if not marks.stack:
        raise refused("there is no aclprofPush for this aclprofPop")
    stamp, thread = marks.stack.pop()
    if thread is not t:
        title = (
            f"{t.call} in {t.name} ends a range that {thread.name} began: pushes and pops of all threads are one stack"
        )
        t.sim.report_call(
            t, "undefined-use", "warning", title, fix="use aclprofRangeStart and aclprofRangeStop across threads"
        )
    marks.tell(t, "push", escaped(stamp.message), stamp.start)


@api("aclprofRangeStart")
def range_start(t: ThreadState, handle: int) -> int:
    """A range begins; returns its id, for any thread. Codes: 100000 NULL, -1 no session takes marks."""
    if not handle:
        raise AclError(ACL_ERROR_INVALID_PARAM, "stamp is NULL", "acl")
    marks = _marks(t)
    marks.need_on()
    stamp = _stamp(t, handle)
    stamp.start = t.clock
    stamp.enabled = True
    return stamp.slot


@api("aclprofRangeStop")
def range_stop(t: ThreadState, number: int) -> None:
    """End a range. Codes: -1 no session takes marks, no range was ever started with this id."""
    marks = _marks(t)
    marks.need_on()
    stamp = marks.started(number)
    if stamp is None:
        raise refused(f"no range was started with the id {number}")
    marks.tell(t, "range", escaped(stamp.message), stamp.start)


@api("aclprofStr2Id")
def str_to_id(t: ThreadState, text: str | None) -> int:
    """A number for *text*, the same for the same text; the largest number for NULL."""
    if text is None:
        return (1 << 64) - 1
    raw = os.fsencode(text)
    return zlib.crc32(raw) << 32 | zlib.crc32(raw[::-1])


@api("aclprofRangePushEx")
def range_push_ex(t: ThreadState, attributes: Any) -> None:
    """Keep what is said of the tensors of the next operator until aclprofRangePop. Codes: 100000 NULL."""
    if attributes is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "attr is NULL", "acl")
    info = getattr(getattr(attributes, "message", None), "tensorInfo", None)
    count = len(info.tensors or ()) if info is not None else 0
    _marks(t).tensors.append(f"{count} tensors")


@api("aclprofRangePop")
def range_pop(t: ThreadState) -> None:
    """Report what aclprofRangePushEx kept. Codes: 100000 there is nothing."""
    marks = _marks(t)
    if not marks.tensors:
        raise AclError(ACL_ERROR_INVALID_PARAM, "there is no aclprofRangePushEx for this aclprofRangePop", "acl")
    marks.tell(t, "tensors", marks.tensors.pop(), t.clock)
