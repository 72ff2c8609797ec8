"""Chapter 06: calls that act on what a stream holds: abort, stop, clean, activate, switch."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.graph.labels import bound
from ascend_sim.ascendcl.stream.attributes import control_stream
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_ABORT,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.graphs.branches import COMPARED_BYTES, CONDITIONS, activate_op, switch_op
from ascend_sim.runtime.graphs.building import building_of
from ascend_sim.runtime.stream import PERSISTENT
from ascend_sim.runtime.stream_failures import abort, kill_head
from ascend_sim.runtime.stream_waits import tell_ended
from ascend_sim.runtime.thread_state import ThreadState


@api("aclrtStreamAbort")
def stream_abort(t: ThreadState, handle: int) -> None:
    """Kill the running task and drop the queue; the stream is usable again.

    Host threads that wait for it, for one of its records or for room in it get 107023. Dropped records never complete.
    Codes: 107017, 107000 NULL without a default stream, 107002, 107003, 507000 bound to a model, 207000 the firmware
    lacks it.
    """
    stream = control_stream(t, handle, "aborted")
    t.current_context()
    t.check_own(stream)
    if building_of(stream) is not None:
        text = f"{stream.describe()} is bound to a model: it cannot be aborted"
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, text)
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

    Codes: 107017, 107000 NULL, 207000 the chip lacks it, 507000 not PERSISTENT, or not bound to a model.
    """
    if not handle:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "stream is NULL")
    stream = t.stream(handle)
    if "task_abort" not in t.sim.profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} cannot clean streams", "state")
    if not stream.flags & PERSISTENT:
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"{stream.describe()} was not created PERSISTENT")
    building = building_of(stream)
    if building is None:
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"{stream.describe()} is not bound to a model")
    building.clear(stream)


@api("aclrtActiveStream")
def active_stream(t: ThreadState, active: int, handle: int) -> None:
    """Start a stream of a model from another one.

    Codes: 100000 NULL, 107017, 107002, 107005 not bound to a model.
    """
    require(active, "activeStream")
    require(handle, "stream")
    other, stream = t.stream(active), t.stream(handle)
    t.current_context()
    bound(stream)
    bound(other)
    stream.submit(t, activate_op(t.sim, other))


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
    if not 0 <= condition < len(CONDITIONS):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"cond is {condition}: 0 (equal) to {len(CONDITIONS) - 1} (less or equal) is required",
        )
    if not 0 <= data_type < len(COMPARED_BYTES):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"dataType is {data_type}: 0 (int32) or 1 (int64) is required")
    bound(other)
    bound(stream)
    stream.submit(t, switch_op(t.sim, left, condition, right, data_type, other))
