"""Chapter 13: callbacks for failed tasks, and what they can ask about the failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.api import api
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.runtime.callbacks.exceptions import ExceptionInfo, listen
from ascend_sim.runtime.thread_state import ThreadState

NO_INFO = 0xFFFF_FFFF
Function = Callable[[int], Any]


@api("aclrtSetExceptionInfoCallback")
def set_exception_info_callback(t: ThreadState, callback: Function | None) -> None:
    """Call ``callback(info)`` from a thread of the runtime when a task fails; NULL clears, a later call replaces it.

    For the process; never fails. Not for the end of a sequence, the normal end of a model, or while
    aclrtDeviceTaskAbort is at work.
    """
    t.sim.process.exception_callback = callback
    listen(t.sim)


@api("aclrtExceptionInfoCallbackRegister")
def exception_info_callback_register(t: ThreadState, callback: Function | None) -> None:
    """One more such function; the same one again changes nothing. Codes: 107000 NULL."""
    functions = t.sim.process.exception_callbacks
    function = _function(callback)
    if function not in functions:
        functions.append(function)
    listen(t.sim)


@api("aclrtExceptionInfoCallbackUnregister")
def exception_info_callback_unregister(t: ThreadState, callback: Function | None) -> None:
    """Forget one; an unknown one is no failure. Codes: 107000 NULL."""
    functions = t.sim.process.exception_callbacks
    function = _function(callback)
    if function in functions:
        functions.remove(function)
    listen(t.sim)


def _function(callback: Function | None) -> Function:
    if callback is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "callback is NULL", "acl")
    return callback


def _info(t: ThreadState, handle: int) -> ExceptionInfo | None:
    """The exception of *handle*; None for NULL, and after its callback returned, which is reported."""
    if not handle:
        t.sim.note_error(t, t.call, AclError(ACL_ERROR_INVALID_PARAM, "info is NULL", "acl"))
        return None
    info = t.sim.handles.get(handle)
    if not isinstance(info, ExceptionInfo):
        text = f"{t.call}: {handle:#x} is no exception now: {t.sim.tombstone(handle) or 'it never was one'}"
        t.sim.report_call(t, "undefined-use", "error", f"{text}; it only lives while the callback runs")
        return None
    return info


@api("aclrtGetTaskIdFromExceptionInfo")
def get_task_id_from_exception_info(t: ThreadState, handle: int) -> int:
    """What aclrtGetThreadLastTaskId answered after the task was queued; UINT32_MAX for NULL."""
    info = _info(t, handle)
    return NO_INFO if info is None else info.task_id


@api("aclrtGetStreamIdFromExceptionInfo")
def get_stream_id_from_exception_info(t: ThreadState, handle: int) -> int:
    """The id of its stream (aclrtStreamGetId); UINT32_MAX for NULL."""
    info = _info(t, handle)
    return NO_INFO if info is None else info.stream_id


@api("aclrtGetThreadIdFromExceptionInfo")
def get_thread_id_from_exception_info(t: ThreadState, handle: int) -> int:
    """The number of the host thread that queued it, 0 for the first; UINT32_MAX for NULL."""
    info = _info(t, handle)
    return NO_INFO if info is None else info.thread_id


@api("aclrtGetDeviceIdFromExceptionInfo")
def get_device_id_from_exception_info(t: ThreadState, handle: int) -> int:
    """Its device; UINT32_MAX for NULL."""
    info = _info(t, handle)
    return NO_INFO if info is None else info.device_id


@api("aclrtGetErrorCodeFromExceptionInfo")
def get_error_code_from_exception_info(t: ThreadState, handle: int) -> int:
    """The code that a synchronise will return; UINT32_MAX for NULL."""
    info = _info(t, handle)
    return NO_INFO if info is None else info.code
