"""Chapter 08: notifies; chapter 09: counting notifies, which only the 950 has."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_NO_NOTIFY_RESOURCE,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.flags import ACL_NOTIFY_DEFAULT, ACL_NOTIFY_DEVICE_USE_ONLY
from ascend_sim.errors import AclError
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


def _not_counted(t: ThreadState, name: str) -> AclError:
    """207000: by the chip, or on the 950 because the simulator has none."""
    profile = t.sim.profile
    if "counting_notify" in profile.supports:
        t.sim.report_call(t, "not-modelled", "warning", f"`{name}` is not modelled: it does nothing here")
        return AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "this function is not modelled by the simulator", "acl")
    return AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{profile.name} has no counting notifies")


def _live(t: ThreadState, handle: int, stream: int = 0) -> None:
    """The handle tests: there never is a live counting notify, so any handle but NULL is dead."""
    if handle:
        raise t.stale(handle, "counting notify")
    if stream:
        t.stream(stream)
    raise AclError(ACL_ERROR_RT_PARAM_INVALID, "cntNotify is NULL")


@api("aclrtCntNotifyCreate")
def cnt_notify_create(t: ThreadState, flag: int) -> int:
    """Codes: 107000 a flag other than 0, 107002 no context, 207000."""
    if flag:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flag is {flag:#x}: 0 is required")
    _context_device(t)
    raise _not_counted(t, "aclrtCntNotifyCreate")


@api("aclrtCntNotifyDestroy")
def cnt_notify_destroy(t: ThreadState, handle: int) -> None:
    """Codes: 107017, 107000 NULL."""
    _live(t, handle)


@api("aclrtCntNotifyRecord")
def cnt_notify_record(t: ThreadState, handle: int, stream: int, info: Any) -> None:
    """Codes: 100000 NULL info, 107017, 107000 NULL."""
    require(info, "info")
    _live(t, handle, stream)


@api("aclrtCntNotifyWaitWithTimeout")
def cnt_notify_wait_with_timeout(t: ThreadState, handle: int, stream: int, info: Any) -> None:
    """Codes: 100000 NULL info, 107017, 107000 NULL."""
    require(info, "info")
    _live(t, handle, stream)


@api("aclrtCntNotifyReset")
def cnt_notify_reset(t: ThreadState, handle: int, stream: int) -> None:
    """Codes: 107017, 107000 NULL."""
    _live(t, handle, stream)


@api("aclrtCntNotifyGetId")
def cnt_notify_get_id(t: ThreadState, handle: int) -> int:
    """Codes: 107017, 107000 NULL."""
    _live(t, handle)
    return 0
