"""Waiting for a stream on the host: one rule for aclrtSynchronizeStream and for the copies that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_AICORE_OVER_FLOW,
    ACL_ERROR_RT_AIVEC_OVER_FLOW,
    ACL_ERROR_RT_END_OF_SEQUENCE,
    ACL_ERROR_RT_MODEL_ABORT_NORMAL,
    ACL_ERROR_RT_OVER_FLOW,
    ACL_ERROR_RT_STREAM_NOT_COMPLETE,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.callbacks.exceptions import settle
from ascend_sim.runtime.stream import DEVICE_USE_ONLY

if TYPE_CHECKING:
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["synchronize_stream", "trim_pools"]

SPECIAL_STATES = frozenset(
    {
        ACL_ERROR_RT_AICORE_OVER_FLOW,
        ACL_ERROR_RT_AIVEC_OVER_FLOW,
        ACL_ERROR_RT_OVER_FLOW,
        ACL_ERROR_RT_STREAM_NOT_COMPLETE,
        ACL_ERROR_RT_END_OF_SEQUENCE,
        ACL_ERROR_RT_MODEL_ABORT_NORMAL,
    }
)
"""Overflows, the end of a sequence, the normal end of a model: answers, which do not become the thread's last error."""


def synchronize_stream(t: ThreadState, stream: Stream, deadline: int | None) -> bool:
    """Wait until everything queued on *stream* is done; False when virtual *deadline* (ns) passed first.

    A stream of another context is accepted; PERSISTENT, CPU_SCHEDULE and DEVICE_USE_ONLY streams are not waited for
    (docs/semantics/streams.md#waiting-for-a-stream). Raises AclError: 107027 it is captured, 107002 no context,
    the failure of a task (once), 107023.
    """
    stream.refuse_while_recording(t)
    if stream.flags and not stream.awaited():
        if stream.context.failure and stream.flags & DEVICE_USE_ONLY:
            code = int(t.sim.profile.switches["device_use_only_sync"])
            if code:
                raise AclError(code, f"{stream.describe()} is DEVICE_USE_ONLY and its context has failed")
        return True
    t.current_context()
    t.sim.threads.poll(t)
    stream.context.check_works(t)
    if not stream.wait_empty(t, deadline):
        return False
    code = stream.take_error()
    if code:
        settle(t)
        layer = "state" if code in SPECIAL_STATES else "rt"
        said = f": {stream.why}" if stream.why else ""
        raise AclError(code, f"a task of {stream.describe()} failed{said}", layer)
    return True


def trim_pools(t: ThreadState) -> None:
    """What a synchronisation ends with, also one that found a failure: pools give back what is beyond their threshold."""
    pools = t.sim.process.pools
    if pools is not None:
        pools.synchronized(t)
