"""Chapter 15: capturing the work of streams into a model running instance."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import (
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_MODEL,
    ACL_ERROR_RT_STREAM_NOT_CAPTURED,
)
from ascend_sim.constants.execution import (
    ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE,
    ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED,
    ACL_MODEL_RI_CAPTURE_STATUS_NONE,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.graphs import capture
from ascend_sim.runtime.graphs.instance import INVALIDATED
from ascend_sim.runtime.graphs.modes import RELAXED, thread_modes
from ascend_sim.runtime.thread_state import ThreadState


def check_mode(mode: int) -> None:
    """Raises AclError 107000 for a mode of capture that there is not."""
    if not 0 <= mode <= RELAXED:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"mode is {mode}: 0 (GLOBAL), 1 (THREAD_LOCAL) or 2 (RELAXED)")


@api("aclmdlRICaptureBegin")
def capture_begin(t: ThreadState, stream: int, mode: int) -> None:
    """Record what is queued on the stream from now on instead of running it.

    Codes: 100000 NULL, 107017, 107000 mode, 507000 CPU_SCHEDULE or DEVICE_USE_ONLY streams, 107002, 107003, 107005
    bound to a model, 207000 a default stream, 107027 captured already.
    """
    require(stream, "stream")
    target = t.stream(stream)
    check_mode(mode)
    capture.check_supports_capture(target)
    capture.begin(t, target, mode)


@api("aclmdlRICaptureGetInfo")
def capture_get_info(t: ThreadState, stream: int) -> tuple[int, int]:
    """Status (0 none, 1 active, 2 invalidated) and model of the capture of the stream. Codes: 100000 NULL, 107017."""
    require(stream, "stream")
    found = capture.capture_of(t.stream(stream))
    if found is None:
        return ACL_MODEL_RI_CAPTURE_STATUS_NONE, 0
    broken = found.instance.state is INVALIDATED
    status = ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED if broken else ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE
    return status, found.instance.handle


@api("aclmdlRICaptureEnd")
def capture_end(t: ThreadState, stream: int) -> int:
    """End the capture and give out its model.

    Codes: 100000 NULL, 107017, 507000, 107002, 107003, 107005, 207000 a default stream, 107029 not captured, 107036 not
    the stream where it began (it goes on), 107038 not the thread that began it (it is lost), 507903 broken before,
    107033 an open task group, 107025 a stream that does not lead back.
    """
    require(stream, "stream")
    target = t.stream(stream)
    capture.check_supports_capture(target)
    t.check_own(target)
    found = capture.capture_of(target)
    if target.recorder is not None and found is None:
        raise AclError(ACL_ERROR_RT_STREAM_MODEL, f"{target.describe()} is bound to a model running instance")
    if target is target.context.default:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{target.describe()} cannot be captured")
    if found is None:
        raise AclError(ACL_ERROR_RT_STREAM_NOT_CAPTURED, f"{target.describe()} is not being captured")
    return found.end(t, target).handle


@api("aclmdlRICaptureThreadExchangeMode")
def capture_thread_exchange_mode(t: ThreadState, mode: int) -> int:
    """Set which unsafe calls this thread may make while others capture; gives the mode before.

    Codes: 100000 NULL, 107000 mode, 107002.
    """
    check_mode(mode)
    t.current_context()
    modes = thread_modes(t)
    before, modes.exchange = modes.exchange, mode
    return before
