"""Chapter 06: calls that act on what a stream holds: abort, stop, clean, activate, switch."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.stream.attributes import control_stream
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_ABORT,
    ACL_ERROR_RT_STREAM_MODEL,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.stream import PERSISTENT, Stream
from ascend_sim.runtime.stream_failures import abort, kill_head
from ascend_sim.runtime.stream_waits import tell_ended
from ascend_sim.runtime.thread_state import ThreadState

CONDITIONS = range(6)
"""EQ, NE, GT, GE, LT, LE."""
COMPARED_TYPES = range(2)
"""int32, int64."""


@api("aclrtStreamAbort")
def stream_abort(t: ThreadState, handle: int) -> None:
    """Kill the running task and drop the queue; the stream is usable again.

    Host threads that wait for it, for one of its records or for room in it get 107023. Dropped records never complete.
    Codes: 107017, 107000 NULL without a default stream, 107002, 107003, 207000 the firmware lacks it.
    """
    stream = control_stream(t, handle, "aborted")
    t.current_context()
    t.check_own(stream)
    if "stream_abort" not in t.sim.profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} cannot abort streams")
    t.sim.threads.poll(t)
    abort(stream, ACL_ERROR_RT_STREAM_ABORT)
    tell_ended(stream, t)


@api("aclrtStreamStop")
def stream_stop(t: ThreadState, handle: int) -> None:
    """Kill the task that runs or waits at the head of the queue; the rest of the queue stays and goes on.

    Codes: 107017, 107000 NULL, 107002, 207000 the chip lacks it, 107003.
    """
    if not handle:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "stream is NULL: a default stream cannot be stopped")
    stream = t.stream(handle)
    t.current_context()
    if "stream_abort" not in t.sim.profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} cannot stop streams")
    t.check_own(stream)
    t.sim.threads.poll(t)
    kill_head(stream, t.clock)


@api("aclrtPersistentTaskClean")
def persistent_task_clean(t: ThreadState, handle: int) -> None:
    """Empty a PERSISTENT stream of a model that is built, so that it can be filled again.

    Codes: 107017, 107000 NULL, 207000 the chip lacks it, 507000 not PERSISTENT, or not bound to a model, which no
    stream is as long as models are not modelled.
    """
    if not handle:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "stream is NULL")
    stream = t.stream(handle)
    if "task_abort" not in t.sim.profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} cannot clean streams", "state")
    if not stream.flags & PERSISTENT:
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"{stream.describe()} was not created PERSISTENT")
    raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"{stream.describe()} is not bound to a model")


@api("aclrtActiveStream")
def active_stream(t: ThreadState, active: int, handle: int) -> None:
    """Start a stream of a model from another one.

    Codes: 100000 NULL, 107017, 107002, 107005 not bound to a model.
    """
    require(active, "activeStream")
    require(handle, "stream")
    other, stream = t.stream(active), t.stream(handle)
    t.current_context()
    _bound(stream)
    _bound(other)


@api("aclrtSwitchStream")
def switch_stream(
    t: ThreadState,
    left: int,
    condition: int,
    right: int,
    data_type: int,
    true_stream: int,
    false_stream: int,
    handle: int,
) -> None:
    """Go on with another stream of a model when two values of device memory compare as *condition* says.

    Codes: 100000 NULL, or a falseStream; 107017, 107000 unknown condition or type, 107005 not bound.
    """
    require(left, "leftValue")
    require(right, "rightValue")
    require(true_stream, "trueStream")
    require(handle, "stream")
    if false_stream:
        raise AclError(ACL_ERROR_INVALID_PARAM, "falseStream is reserved: NULL is required", "acl")
    other, stream = t.stream(true_stream), t.stream(handle)
    if condition not in CONDITIONS:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"cond is {condition}: 0 (equal) to {CONDITIONS[-1]} (less or equal) is required",
        )
    if data_type not in COMPARED_TYPES:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"dataType is {data_type}: 0 (int32) or 1 (int64) is required")
    _bound(other)
    _bound(stream)


def _bound(stream: Stream) -> None:
    """Raises AclError 107005: no stream is bound to a model as long as models are not modelled."""
    raise AclError(ACL_ERROR_RT_STREAM_MODEL, f"{stream.describe()} is not bound to a model (aclmdlRIBindStream)")
