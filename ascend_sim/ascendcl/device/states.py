"""Chapters 04, 06 and 13: callbacks for creation and destruction of devices and streams; aborting all of a device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.device.device import device_of
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_CONTEXT_NULL,
    ACL_ERROR_RT_DEVICE_TASK_ABORT,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_WAIT_TIMEOUT,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.callbacks.states import ABORT_POST, ABORT_PRE, notify, register
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.device import Device
from ascend_sim.runtime.stream_failures import abort
from ascend_sim.runtime.stream_waits import tell_ended
from ascend_sim.runtime.thread_state import ThreadState

LONGEST_ABORT_MS = 36 * 60 * 1000


def _name(name: str | None) -> str:
    if name is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "regName is NULL", "acl")
    return name


@api("aclrtRegDeviceStateCallback", raw=("args",))
def reg_device_state_callback(
    t: ThreadState, name: str | None, callback: Callable[[int, int, Any], Any] | None, args: Any
) -> None:
    """Call ``callback(deviceId, state, args)`` when a device is set or reset; NULL forgets the name.

    States: 0 before it comes up, 1 after each aclrtSetDevice, 2 before and 3 after it goes down. Codes: 100000 NULL
    name, 107000 a name that is taken.
    """
    register(t, "device", _name(name), callback, args)


@api("aclrtRegStreamStateCallback", raw=("args",))
def reg_stream_state_callback(
    t: ThreadState, name: str | None, callback: Callable[[int, int, Any], Any] | None, args: Any
) -> None:
    """Call ``callback(stream, state, args)`` after a stream was made (1) and before it ends (2), default ones too.

    Codes as aclrtRegDeviceStateCallback.
    """
    register(t, "stream", _name(name), callback, args)


@api("aclrtSetDeviceTaskAbortCallback", raw=("args",))
def set_device_task_abort_callback(
    t: ThreadState, name: str | None, callback: Callable[[int, int, int, Any], Any] | None, args: Any
) -> None:
    """Call ``callback(deviceId, stage, timeout, args)`` in aclrtDeviceTaskAbort; a result other than 0 ends that call.

    Stages: 0 before, 1 after the tasks were stopped; *timeout*: ms that are left, 0: no limit. Codes: 100000 NULL name,
    107000 a name that is taken, 207000 products without task abort.
    """
    known = _name(name)
    check_product(t, "aclrtSetDeviceTaskAbortCallback")
    register(t, "abort", known, callback, args)


@api("aclrtDeviceTaskAbort")
def device_task_abort(t: ThreadState, device_id: int, timeout: int) -> None:
    """Stop what runs on a device and drop what is queued, in every context; stored failures are forgotten.

    *timeout* in ms, 0: for ever, at most 36 minutes. While it is at work (in its callbacks), submitting answers 107022,
    and so it stays when it fails. Codes: 207000 products without it, 107000 a longer limit, 107001 bad device, 107002
    no context on the device, 107019 not done in time, the result of a callback.
    """
    check_product(t, "aclrtDeviceTaskAbort")
    if timeout > LONGEST_ABORT_MS:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"timeout is {timeout} ms: at most {LONGEST_ABORT_MS} (36 minutes) is possible"
        )
    device = device_of(t, device_id)
    contexts = [context for context in t.sim.contexts.values() if context.device is device and not context.dead]
    if not contexts:
        raise AclError(ACL_ERROR_RT_CONTEXT_NULL, f"device {device_id} has no context: there is nothing to stop")
    began = t.clock
    t.sim.threads.poll(t)
    device.tasks_aborted = True
    for context in contexts:
        context.fail(ACL_ERROR_RT_DEVICE_TASK_ABORT)
        for stream in (*context.streams, context.default):
            abort(stream, ACL_ERROR_RT_DEVICE_TASK_ABORT)
            tell_ended(stream, t)
    try:
        for stage in (ABORT_PRE, ABORT_POST):
            result = notify(t, "abort", device_id, stage, _left(t, began, timeout))
            if result:
                raise AclError(result, f"a callback of aclrtSetDeviceTaskAbortCallback answered {result}")
            _left(t, began, timeout)
    except AclError:
        raise
    except BaseException:  # a callback in C cannot raise: the device is as if it had answered 0
        _aborted(device, contexts)
        raise
    _aborted(device, contexts)


def _aborted(device: Device, contexts: list[Context]) -> None:
    """The tasks of *device* were aborted, and it works again."""
    device.tasks_aborted = False
    for context in contexts:
        context.clear_failure()


def _left(t: ThreadState, began: int, timeout: int) -> int:
    """Milliseconds of *timeout* that are left at the clock of *t*, 0: no limit. Raises AclError 107019 for none."""
    if not timeout:
        return 0
    spent = (t.clock - began) // 1_000_000
    if spent > timeout:
        raise AclError(ACL_ERROR_RT_WAIT_TIMEOUT, f"the tasks were not stopped within {timeout} ms")
    return timeout - spent
