"""Chapter 12: execution control: callbacks and host functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.api import api
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_SUBSCRIBE,
)
from ascend_sim.constants.execution import ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK
from ascend_sim.errors import AclError
from ascend_sim.runtime.callbacks import stream as stream_callbacks
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import NO_TASK, task_id
from ascend_sim.runtime.thread_state import ThreadState

EVENT_CALLBACKS = ("A2", "A3", "950", "200I")
"""Products where a subscription makes an internal event, which needs a context."""


def _not_mixed(stream: Stream, hosted: bool) -> None:
    """The test of the argument layer: a stream has one family of callbacks. Raises AclError 107011."""
    served = stream.subscription
    if served is not None and (served is stream_callbacks.HOST_FUNC) == hosted:
        who = "aclrtLaunchHostFunc" if hosted else "a subscribed thread"
        text = f"{stream.describe()} is served by {who}: the two families of callbacks cannot be mixed"
        raise AclError(ACL_ERROR_RT_STREAM_SUBSCRIBE, text)


def _where_to_call(t: ThreadState, function: Callable[[Any], Any] | None, stream: int, hosted: bool) -> Stream:
    """The stream that is to run *function*, looked at in the order of the argument layer. Raises AclError."""
    found = t.stream(stream) if stream else None
    if function is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "fn is NULL")
    if found is None:
        return t.current_context().default
    _not_mixed(found, hosted)
    t.check_own(found)
    return found


@api("aclrtSubscribeReport")
def subscribe_report(t: ThreadState, thread_id: int, stream: int) -> None:
    """Let thread *thread_id* serve the callbacks of *stream* (NULL: the default stream).

    Codes: 107017, 107002, 107011 served already, 107012 serves another device, 507000 too many threads.
    """
    found = t.stream(stream)
    _not_mixed(found, hosted=True)
    if t.sim.profile.product in EVENT_CALLBACKS:
        t.current_context()
    stream_callbacks.subscribe(t, thread_id, found)


@api("aclrtUnSubscribeReport")
def unsubscribe_report(t: ThreadState, thread_id: int, stream: int) -> None:
    """Undo it. Codes: 107017, 107011 not subscribed, 107012 by another thread."""
    stream_callbacks.unsubscribe(t.sim, thread_id, t.stream(stream))


@api("aclrtLaunchCallback", raw=("userData",))
def launch_callback(
    t: ThreadState, function: Callable[[Any], Any] | None, user_data: Any, block_type: int, stream: int
) -> None:
    """Queue a callback for the subscribed thread; BLOCK: later tasks wait for it.

    Codes: 100000 bad block type, 107000 NULL function, 107015 nobody subscribed, 107011, 107003.
    """
    if block_type not in (ACL_CALLBACK_NO_BLOCK, ACL_CALLBACK_BLOCK):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"blockType is {block_type}: 0 or 1 is required", "acl")
    found = _where_to_call(t, function, stream, hosted=True)
    stream_callbacks.launch_callback(t, function, user_data, block_type == ACL_CALLBACK_BLOCK, found)


@api("aclrtProcessReport")
def process_report(t: ThreadState, timeout: int) -> None:
    """Run the callbacks reported to this thread; wait up to *timeout* ms (-1: for ever) for the first.

    Codes: 100000 for 0 or below -1, 107012 the thread serves nothing, 507012 nothing came.
    """
    if timeout == 0 or timeout < -1:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"timeout is {timeout}: -1 (for ever) or more than 0 ms is required", "acl"
        )
    stream_callbacks.process_report(t, None if timeout == -1 else timeout * 1_000_000)


@api("aclrtLaunchHostFunc", raw=("args",))
def launch_host_func(t: ThreadState, stream: int, function: Callable[[Any], Any] | None, args: Any) -> None:
    """Queue a host function; later tasks wait until the runtime's own thread has run it.

    Codes: 107017, 107000 NULL function, 107011 the stream has a subscribed thread, 107003, 507000 no thread for it.
    """
    stream_callbacks.launch_host_func(t, function, args, _where_to_call(t, function, stream, hosted=False))


@api("aclrtGetThreadLastTaskId")
def get_thread_last_task_id(t: ThreadState) -> int:
    """The id of the task that this thread queued last; UINT32_MAX before the first. Never fails.

    An exception callback gets the same number for the task (aclrtGetTaskIdFromExceptionInfo).
    """
    return task_id(t.number, t.submits) if t.submits else NO_TASK
