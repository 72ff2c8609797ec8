"""Chapter 08: notifies; chapter 09: counting notifies, which only the 950 has."""

from __future__ import annotations

import struct
from typing import Any

from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers, peek
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_NO_NOTIFY_RESOURCE,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.execution import ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE
from ascend_sim.constants.flags import ACL_NOTIFY_DEFAULT, ACL_NOTIFY_DEVICE_USE_ONLY
from ascend_sim.errors import AclError
from ascend_sim.runtime.counting_notify import CHANGES, CONDITIONS, CountGate, CountingNotify
from ascend_sim.runtime.notify import Notify
from ascend_sim.runtime.processes import notify_sharing
from ascend_sim.runtime.thread_state import ThreadState

NO_TIMEOUT = 0xFFFF_FFFF
"""As the time-out of a wait: the system's default, which is no limit but on the inference series."""
RESETTABLE = ("A2", "A3", "950")
SECOND = 1_000_000_000


def _context_device(t: ThreadState) -> Any:
    """The current device, as rtGetDevice looks for it: that failure is not stored.

    See docs/semantics/layers.md#last-error.
    """
    try:
        return t.current_context().device
    except AclError as error:
        raise AclError(error.code, error.reason, "state") from None


@api("aclrtCreateNotify")
def create_notify(t: ThreadState, flag: int) -> int:
    """A notify of the current device: 0 plain, 1 for use on the device only.

    Codes: 107000 other flags, 107002 no context, 207000 the firmware lacks device-only ones, 207009 none left.
    """
    if flag not in (ACL_NOTIFY_DEFAULT, ACL_NOTIFY_DEVICE_USE_ONLY):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flag is {flag:#x}: 0 or 1 (DEVICE_USE_ONLY) is required")
    device = _context_device(t)
    if flag == ACL_NOTIFY_DEVICE_USE_ONLY and "device_use_only" not in t.sim.profile.supports:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no DEVICE_USE_ONLY notifies", "state"
        )
    notify_id = device.notify_ids.take()
    if notify_id is None:
        limit = device.notify_ids.limit
        raise AclError(
            ACL_ERROR_RT_NO_NOTIFY_RESOURCE, f"all {limit} notifies of device {device.index} are in use; destroy some"
        )
    notify = Notify(device, flag, notify_id, t.sim.next_number("notify"), t.site)
    notify.handle = t.sim.new_handle(notify)
    return notify.handle


@api("aclrtDestroyNotify")
def destroy_notify(t: ThreadState, handle: int) -> None:
    """Destroy; its id is free at once. Codes: 100000 NULL, 107017 dead, 107002 no context."""
    require(handle, "notify")
    notify = t.notify(handle)
    t.current_context()
    t.sim.drop_handle(handle)
    if handle == notify.handle and (notify.shared is None or not notify.shared.imported):
        notify.device.notify_ids.give_back(notify.notify_id)  # further handles come from aclrtNotifyImportByKey
    if notify.shared is not None:
        notify_sharing.destroyed(t, notify)


@api("aclrtRecordNotify")
def record_notify(t: ThreadState, handle: int, stream: int) -> None:
    """Queue a record: it sets the flag. Codes: 100000 NULL, 107017, 107002, 107003."""
    require(handle, "notify")
    notify = t.notify(handle)
    target = t.submit_stream(stream)
    if notify.shared is not None:
        notify_sharing.used(t, notify.shared)
    notify.record(t, target)


@api("aclrtWaitAndResetNotify")
def wait_and_reset_notify(t: ThreadState, handle: int, stream: int, timeout: int) -> None:
    """Make *stream* wait for the flag and clear it; *timeout* in seconds, 0: none.

    One record releases one wait. Codes: 100000 NULL, 107017, 107002, 107003; a limit that passes is a failed task,
    107020 at the next synchronise.
    """
    require(handle, "notify")
    notify = t.notify(handle)
    target = t.submit_stream(stream)
    if timeout == NO_TIMEOUT:
        timeout = t.sim.process.op_wait_timeout_s if t.sim.profile.product == "INF" else 0
    if notify.shared is not None:
        notify_sharing.used(t, notify.shared)
    notify.wait(t, target, timeout * SECOND)


@api("aclrtGetNotifyId")
def get_notify_id(t: ThreadState, handle: int) -> int:
    """The id of a notify on its device. Codes: 100000 NULL, 107017."""
    require(handle, "notify")
    return t.notify(handle).notify_id


@api("aclrtNotifyBatchReset")
def notify_batch_reset(t: ThreadState, notifies: Any, count: int) -> None:
    """Clear flags from the host, one after the other; the first that cannot be cleared ends it.

    Codes: 100000 NULL, 107000 none, or one that is NULL, 107017, 107002, 207000 the chip lacks it.
    """
    if notifies is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "notifies is NULL", "acl")
    number = count & 0xFFFF_FFFF
    if not number:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "num is 0: one notify or more is required")
    for index, handle in enumerate(integers(notifies, number, "notifies")):
        notify = t.notify(handle) if handle else None
        if notify is None:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"notifies[{index}] is NULL")
        t.current_context()
        if t.sim.profile.product not in RESETTABLE:
            raise AclError(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} cannot clear notifies from the host"
            )
        t.sim.threads.poll(t)
        notify.reset(t)


# -- counting notifies -------------------------------------------------------------------------------------------------


def _counter(t: ThreadState, handle: int) -> CountingNotify:
    """The counting notify of *handle*. Raises AclError 107017, 107000 NULL."""
    found = t.sim.handles.get(handle) if handle else None
    if isinstance(found, CountingNotify):
        return found
    if handle:
        raise t.stale(handle, "counting notify")
    raise AclError(ACL_ERROR_RT_PARAM_INVALID, "cntNotify is NULL")


def _fields(info: Any, form: str, kind: type[Any]) -> tuple[int, ...]:
    """The fields of a struct, given as one of *kind* or by its address. Raises AclError 100000."""
    if isinstance(info, kind):
        return tuple(getattr(info, name) for name in ("mode", "value", "timeout", "isClear") if hasattr(info, name))
    raw = peek(info, struct.calcsize(form))
    if raw is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"info is {info:#x}: no struct can be read there", "acl")
    return struct.unpack(form, raw)


@api("aclrtCntNotifyCreate")
def cnt_notify_create(t: ThreadState, flag: int) -> int:
    """A counting notify of the current device, at 0. Codes: 107000 a flag other than 0, 107002, 207000, 207009 none left."""
    if flag:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flag is {flag:#x}: 0 is required")
    device = _context_device(t)
    profile = t.sim.profile
    if "counting_notify" not in profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{profile.name} has no counting notifies")
    if t.sim.threads.controller is not None:
        t.sim.report_call(t, "not-modelled", "warning", "counting notifies are not explored: there are none here")
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "the explorer does not know counting notifies", "acl")
    notify_id = device.notify_ids.take()
    if notify_id is None:
        limit = device.notify_ids.limit
        raise AclError(
            ACL_ERROR_RT_NO_NOTIFY_RESOURCE, f"all {limit} notifies of device {device.index} are in use; destroy some"
        )
    made = CountingNotify(device, notify_id, t.sim.next_number("counting notify"), t.site)
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclrtCntNotifyDestroy")
def cnt_notify_destroy(t: ThreadState, handle: int) -> None:
    """Destroy; its id is free at once. Codes: 107017, 107000 NULL."""
    found = _counter(t, handle)
    t.sim.drop_handle(handle)
    found.device.notify_ids.give_back(found.id)


@api("aclrtCntNotifyRecord")
def cnt_notify_record(t: ThreadState, handle: int, stream: int, info: Any) -> None:
    """Queue a change of the count: mode 0 is the value, 1 adds it, 2 sets its bits, 4 keeps its bits.

    Codes: 100000 NULL info, 107017, 107000 NULL or another mode, 107002, 107003.
    """
    require(info, "info")
    found = _counter(t, handle)
    mode, value = _fields(info, "<iI", structs.aclrtCntNotifyRecordInfo)
    if stream:
        t.stream(stream)
    if mode not in CHANGES:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"info->mode is {mode}: 0, 1, 2 or 4 is required")
    found.record(t, t.submit_stream(stream), mode, value)


@api("aclrtCntNotifyWaitWithTimeout")
def cnt_notify_wait_with_timeout(t: ThreadState, handle: int, stream: int, info: Any) -> None:
    """Make *stream* wait until the count is below (0), equal (1), above (2), not below (3) the value, or has its bits (4).

    *info* says for how many seconds (0: no limit), and whether the count is 0 after it. Codes: 100000 NULL info, 107017,
    107000 NULL or another mode, 107002, 107003; a limit that passes is a failed task, 107020 at the next synchronise.
    """
    require(info, "info")
    found = _counter(t, handle)
    mode, value, timeout, clear = _fields(info, "<iIIB", structs.aclrtCntNotifyWaitInfo)
    if stream:
        t.stream(stream)
    if mode not in CONDITIONS:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"info->mode is {mode}: 0 to 4 are known")
    found.wait(t, t.submit_stream(stream), CountGate(found, mode, value, bool(clear)), timeout * SECOND)


@api("aclrtCntNotifyReset")
def cnt_notify_reset(t: ThreadState, handle: int, stream: int) -> None:
    """Queue a change of the count to 0. Codes: 107017, 107000 NULL, 107002, 107003."""
    found = _counter(t, handle)
    found.record(t, t.submit_stream(stream), ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 0)


@api("aclrtCntNotifyGetId")
def cnt_notify_get_id(t: ThreadState, handle: int) -> int:
    """The id on its device. Codes: 107017, 107000 NULL."""
    return _counter(t, handle).id
