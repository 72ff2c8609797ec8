"""Chapter 06: streams."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.device.device import deadline_of
from ascend_sim.constants.errors import (
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_ABORT,
    ACL_ERROR_RT_STREAM_MODEL,
    ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
)
from ascend_sim.constants.execution import ACL_STREAM_STATUS_COMPLETE, ACL_STREAM_STATUS_NOT_READY
from ascend_sim.errors import AclError
from ascend_sim.runtime.callbacks.states import DESTROY_PRE
from ascend_sim.runtime.callbacks.stream import forget_subscription
from ascend_sim.runtime.graphs.building import building_of
from ascend_sim.runtime.stream import DEVICE_USE_ONLY, HUGE, Stream
from ascend_sim.runtime.stream_failures import abort, drop_queue
from ascend_sim.runtime.synchronize import synchronize_stream as wait_for
from ascend_sim.runtime.synchronize import trim_pools
from ascend_sim.runtime.thread_state import ThreadState

LEAST_PRIORITY = 7
KNOWN_FLAGS = 0x3F


@api("aclrtCreateStream")
def create_stream(t: ThreadState) -> int:
    """A stream of the current context. Codes: 107002 no context, 207008 no stream left."""
    return t.current_context().create_stream(0, 0, t.site).handle


@api("aclrtCreateStreamWithConfig")
def create_stream_with_config(t: ThreadState, priority: int, flag: int) -> int:
    """A stream with a priority (0 greatest; clamped to 0..7) and flags; unknown bits are ignored.

    Codes: 107000 DEVICE_USE_ONLY with another flag, 207000 a flag that the chip lacks, 107002, 207008.
    """
    signed = priority - (1 << 32) if priority >= 1 << 31 else priority
    flags = flag & KNOWN_FLAGS
    supports = t.sim.profile.supports
    if flags & HUGE and "deep_queue" not in supports:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no deep queues (ACL_STREAM_HUGE)", "state"
        )
    if flags & DEVICE_USE_ONLY and flags != DEVICE_USE_ONLY:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"flag is {flag:#x}: DEVICE_USE_ONLY cannot be combined with another flag"
        )
    context = t.current_context()
    if flags & DEVICE_USE_ONLY and context.device.stop_mode:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            "the device is in stop-on-failure mode: no DEVICE_USE_ONLY streams",
            "state",
        )
    if flags & DEVICE_USE_ONLY and "device_use_only" not in supports:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no DEVICE_USE_ONLY streams", "state"
        )
    return context.create_stream(min(max(signed, 0), LEAST_PRIORITY), flags, t.site).handle


def _own_stream(t: ThreadState, handle: int) -> Stream:
    require(handle, "stream")
    stream = t.sim.handles.get(handle)
    if type(stream) is not Stream:
        raise t.stale(handle, "stream")
    stream.refuse_while_recording(t)
    t.check_own(stream)
    if stream is stream.context.default and t.sim.profile.switches["destroy_default_stream"] == "refused":
        t.sim.report_call(
            t, "undefined-use", "error", f"{stream.describe()} is destroyed through its handle, which the guide forbids"
        )
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{stream.describe()} ends with its context only")
    return stream


@api("aclrtDestroyStream")
def destroy_stream(t: ThreadState, handle: int) -> None:
    """Wait for the queue, then destroy; failures of its tasks are not returned.

    Codes: 100000 NULL, 107017 dead, 107027 captured, 107002 no context, 107003 of another context, 107005 bound to a
    model.
    """
    stream = _own_stream(t, handle)
    _check_unbound(stream)
    t.sim.state_changed("stream", handle, DESTROY_PRE)
    if stream.awaited():
        stream.wait_empty(t, None)
    _destroy(t, stream)


@api("aclrtDestroyStreamForce")
def destroy_stream_force(t: ThreadState, handle: int) -> None:
    """Destroy without waiting: what is queued is dropped. Codes as aclrtDestroyStream."""
    stream = _own_stream(t, handle)
    _check_unbound(stream)
    t.sim.state_changed("stream", handle, DESTROY_PRE)
    if stream.queue:
        for observe in t.sim.hooks.dropped or ():
            observe(t, stream)
    abort(stream, ACL_ERROR_RT_STREAM_ABORT)
    _destroy(t, stream)


def _check_unbound(stream: Stream) -> None:
    """Raises AclError 107005 while *stream* is bound to a model: its handle stays good."""
    if building_of(stream) is not None:
        text = f"{stream.describe()} is bound to a model: unbind it first (aclmdlRIUnbindStream)"
        raise AclError(ACL_ERROR_RT_STREAM_MODEL, text)


def _destroy(t: ThreadState, stream: Stream) -> None:
    controller = t.sim.threads.controller
    if stream.queue or (controller is not None and controller.active):
        drop_queue(stream)
    forget_subscription(t.sim, stream)
    stream.context.forget_stream(stream)


def _wait_for(t: ThreadState, stream: Stream, deadline: int | None) -> bool:
    try:
        return wait_for(t, stream, deadline)
    finally:
        trim_pools(t)


@api("aclrtSynchronizeStream")
def synchronize_stream(t: ThreadState, handle: int) -> None:
    """Wait until everything queued is done. Codes: a task's failure (once), 107017, 107027, 107002, 107023."""
    _wait_for(t, t.stream(handle), None)


@api("aclrtSynchronizeStreamWithTimeout")
def synchronize_stream_with_timeout(t: ThreadState, handle: int, timeout: int) -> None:
    """Wait as aclrtSynchronizeStream, at most *timeout* ms; -1: no limit.

    Codes: 107000 bad limit, 507046 not done in time.
    """
    if timeout < -1:
        deadline_of(t, timeout)
    if handle:
        t.stream(handle)
    deadline = deadline_of(t, timeout)
    if not _wait_for(t, t.stream(handle), deadline):
        raise AclError(
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, f"{t.stream(handle).describe()} was not done within {timeout} ms"
        )


@api("aclrtStreamQuery")
def stream_query(t: ThreadState, handle: int) -> int:
    """COMPLETE 0 or NOT_READY 1; at once COMPLETE for a stream that a synchronise does not wait for.

    Codes: 107017, 107027 captured, 107002, the first failure in stop mode.
    """
    stream = t.stream(handle)
    stream.refuse_while_recording(t)
    if stream.flags and not stream.awaited():
        return ACL_STREAM_STATUS_COMPLETE
    t.current_context()
    t.sim.threads.poll(t, stream.handle, bool(stream.queue), stream.is_empty)  # a complete answer is no asking again
    stream.context.check_works(t)
    if t.sim.hooks.polled is not None:
        for observe in t.sim.hooks.polled:
            observe(t, stream, None, not stream.queue, False)
    return ACL_STREAM_STATUS_NOT_READY if stream.queue else ACL_STREAM_STATUS_COMPLETE


@api("aclrtStreamGetId")
def stream_get_id(t: ThreadState, handle: int) -> int:
    """The stream's id. Codes: 107017; 107002 for NULL without a context."""
    return t.stream(handle).stream_id


@api("aclrtStreamGetPriority")
def stream_get_priority(t: ThreadState, handle: int) -> int:
    """The stream's priority, 0 greatest. Codes: 107017; 107002 for NULL without a context."""
    return t.stream(handle).priority


@api("aclrtStreamGetFlags")
def stream_get_flags(t: ThreadState, handle: int) -> int:
    """The flags of its creation. Codes: 107017; 107002 for NULL without a context."""
    return t.stream(handle).flags


@api("aclrtGetStreamAvailableNum")
def get_stream_available_num(t: ThreadState) -> int:
    """Streams left on the current device. Codes: 107002 no context."""
    ids = t.current_context().device.stream_ids
    return ids.limit - ids.used
