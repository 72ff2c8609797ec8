"""Chapter 07: events: making, recording, waiting for and resetting them."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_NO_EVENT_RESOURCE,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_NOT_CAPTURED,
)
from ascend_sim.constants.flags import (
    ACL_EVENT_CAPTURE_STREAM_PROGRESS,
    ACL_EVENT_DEVICE_USE_ONLY,
    ACL_EVENT_EXTERNAL,
    ACL_EVENT_IPC,
    ACL_EVENT_SYNC,
    ACL_EVENT_TIME_LINE,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.event import AUTO, DEVICE_ONLY, EX, EXTERNAL, IPC, LEVEL, STAMP, Event
from ascend_sim.runtime.graphs.graph import Recorder
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.thread_state import ThreadState

RESERVED = 4
AUTO_FLAGS = ACL_EVENT_TIME_LINE | ACL_EVENT_CAPTURE_STREAM_PROGRESS | RESERVED
WITH_FLAG_BITS = 0x3F
EX_LARGEST = 0x4F
EX_ABILITIES = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | RESERVED | ACL_EVENT_TIME_LINE | ACL_EVENT_IPC
ALONE = ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_EXTERNAL | ACL_EVENT_IPC
"""Flags that cannot be or-ed with any other."""

DEFAULT, EXTERNAL_USE = 0, 1
SECOND = 1_000_000_000
PROCESS_LIMIT = 0xFFFF_FFFF
"""As the time-out of aclrtStreamWaitEventWithFlag: the limit of aclrtSetOpWaitTimeout."""
NO_WAIT_LIMIT = "910"
"""The family whose waits for events have no limit at all."""
NO_OWN_LIMIT = ("910", "310p", "310")
"""Families that ignore a limit given with one wait."""


def _create(t: ThreadState, family: str, flags: int, made_ex: bool = False) -> int:
    context = t.current_context()
    device = context.device
    if family in (LEVEL, EXTERNAL) and not device.take_event_id(t, None):
        raise AclError(
            ACL_ERROR_RT_NO_EVENT_RESOURCE,
            f"all {device.event_limit} hardware events of device {device.index} are in use",
        )
    event = Event(context, family, flags, t.sim.next_number("event"), t.site, made_ex)
    event.handle = t.sim.new_handle(event)
    return event.handle


@api("aclrtCreateEvent")
def create_event(t: ThreadState) -> int:
    """An event that takes a hardware id at each record. Codes: 107002 no context."""
    return _create(t, AUTO, AUTO_FLAGS)


@api("aclrtCreateEventWithFlag")
def create_event_with_flag(t: ThreadState, flag: int) -> int:
    """An event with a hardware flag of its own when SYNC is among *flag*.

    Codes: 107000 zero, unknown bits, or a flag that must stand alone; 207000 the firmware lacks it; 207007 no hardware
    event left; 107002.
    """
    if flag == 0 or flag & ~WITH_FLAG_BITS:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"flag is {flag:#x}: one or more bits of {WITH_FLAG_BITS:#x} and no others are required",
        )
    _alone(flag)
    if flag == ACL_EVENT_DEVICE_USE_ONLY:
        t.current_context()
        if "device_use_only" not in t.sim.profile.supports:
            raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no DEVICE_USE_ONLY events")
        return _create(t, DEVICE_ONLY, flag)
    if flag == ACL_EVENT_EXTERNAL:
        return _create(t, EXTERNAL, flag)
    if flag & ACL_EVENT_SYNC:
        return _create(t, LEVEL, flag)
    return _create(t, AUTO if flag & RESERVED else STAMP, flag)  # aclrtCreateEvent itself asks for 0xE


@api("aclrtCreateEventExWithFlag")
def create_event_ex_with_flag(t: ThreadState, flag: int) -> int:
    """An event whose waits are bound to the record that is current when they are queued.

    Codes: 107000 no known ability, too large, or a flag that must stand alone; 207000 no IPC events; 107002.
    """
    if not flag & EX_ABILITIES or flag > EX_LARGEST:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"flag is {flag:#x}: one of SYNC, PROGRESS, TIME_LINE or IPC is required"
        )
    if flag == ACL_EVENT_IPC:
        if "event_ipc" not in t.sim.profile.supports:
            raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no IPC events", "state")
        return _create(t, IPC, flag, True)
    _alone(flag)
    return _create(t, EX if flag & (ACL_EVENT_SYNC | RESERVED) else STAMP, flag, True)


def _alone(flag: int) -> None:
    if flag & ALONE and flag & (flag - 1):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"flag is {flag:#x}: DEVICE_USE_ONLY, EXTERNAL and IPC must stand alone"
        )


@api("aclrtDestroyEvent")
def destroy_event(t: ThreadState, handle: int) -> None:
    """Destroy; returns at once, outstanding tasks go on. Codes: 100000 NULL, 107017 dead."""
    require(handle, "event")
    event = t.event(handle)
    t.sim.drop_handle(handle)
    if event.family is IPC and event.shared is not None:
        event.shared.destroyed(t)
    event.retire()


# -- recording ---------------------------------------------------------------------------------------------------------


@api("aclrtRecordEvent")
def record_event(t: ThreadState, event: int, stream: int) -> None:
    """Queue a record. Codes: 100000, 107017, 107000 DEVICE_USE_ONLY, 107002, 107003, 207007."""
    if not event:
        raise AclError(ACL_ERROR_INVALID_PARAM, "event is NULL", "acl")
    found = t.sim.handles.get(event)
    if type(found) is not Event:
        raise t.stale(event, "event")
    if found.record_flag != DEFAULT:
        _fix_record(t, found, stream, DEFAULT)
    found.record(t, t.submit_stream(stream))


@api("aclrtRecordEventWithFlag")
def record_event_with_flag(t: ThreadState, event: int, stream: int, flag: int) -> None:
    """Record with a use: 0 plain, 1 EXTERNAL (captures only). The first call fixes it for the event.

    Codes: 100000 other flags, 107000 fixed differently, 207000 not an Ex event with SYNC alone, 107029 not capturing.
    """
    require(event, "event")
    _use_flag(flag)
    found = t.event(event)
    _fix_record(t, found, stream, flag)
    target = t.submit_stream(stream)
    if flag == EXTERNAL_USE:
        _recorder(target).record_external(t, found, target)
        return
    found.record(t, target)


def _recorder(stream: Stream) -> Recorder:
    """What *stream* is recorded by. Raises AclError 107029."""
    if stream.recorder is None:
        raise AclError(ACL_ERROR_RT_STREAM_NOT_CAPTURED, f"{stream.describe()} is not being captured")
    return stream.recorder


def _use_flag(flag: int) -> None:
    if flag not in (DEFAULT, EXTERNAL_USE):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"flag is {flag}: 0 or 1 is required", "acl")


def _fix_record(t: ThreadState, event: Event, stream: int, flag: int) -> None:
    """What is tested before the context: the handles, whether the host may record it, the use that was fixed."""
    if stream:
        t.stream(stream)
    _host_use(event, "recorded")
    event.record_flag = _fix_use(event, event.record_flag, flag, "recorded")


def _host_use(event: Event, verb: str) -> None:
    if event.family is DEVICE_ONLY:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"{event.describe()} was created DEVICE_USE_ONLY: it cannot be {verb} from the host",
        )


def _fix_use(event: Event, fixed: int | None, flag: int, verb: str) -> int:
    """The use of the event from now on: the first call decides, even if it fails later.

    See docs/semantics/events.md#record-and-wait-flags.
    """
    if flag == EXTERNAL_USE and not (event.family is EX and event.flags == ACL_EVENT_SYNC):
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{event.describe()} is no Ex event made with SYNC alone", "state"
        )
    if fixed is not None and fixed != flag:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{event.describe()} was {verb} with flag {fixed} before: it stays that way"
        )
    return flag


@api("aclrtResetEvent")
def reset_event(t: ThreadState, event: int, stream: int) -> None:
    """Queue a reset of the flag. Codes: 100000, 107017, 107000 DEVICE_USE_ONLY, 207000 Ex or no SYNC, 107002, 107003.

    On an event of aclrtCreateEvent it is accepted and undefined.
    """
    require(event, "event")
    found = t.event(event)
    if stream:
        t.stream(stream)
    _host_use(found, "reset")
    if found.family in (IPC, STAMP):
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{found.describe()} ({found.family}) cannot be reset", "state"
        )
    t.current_context()
    if found.family is EX:
        text = f"{found.describe()} was made by aclrtCreateEventExWithFlag: it cannot be reset"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "state")
    target = t.submit_stream(stream)
    if found.family is AUTO:
        which = t.sim.names.described(found)
        text = f"aclrtResetEvent on {which}, which aclrtCreateEvent made: the manual calls that undefined"
        t.sim.report_call(t, "undefined-use", "warning", text)
    if target.recorder is not None:
        target.recorder.reset_event(t, found, target)
    found.reset(t, target)


# -- waiting on the device ---------------------------------------------------------------------------------------------


@api("aclrtStreamWaitEvent")
def stream_wait_event(t: ThreadState, stream: int, event: int) -> None:
    """Make later tasks of the stream wait, at most as long as aclrtSetOpWaitTimeout says.

    Codes: 100000, 107017, 107000 DEVICE_USE_ONLY, 207000 no SYNC ability, 107002, 107003, 107000 never recorded
    (aclrtCreateEvent).
    """
    if not event:
        raise AclError(ACL_ERROR_INVALID_PARAM, "event is NULL", "acl")
    found = t.sim.handles.get(event)
    if type(found) is not Event:
        raise t.stale(event, "event")
    if found.wait_flag != DEFAULT:
        _fix_wait(t, found, stream, DEFAULT)
    found.wait(t, t.submit_stream(stream), _process_limit(t))


@api("aclrtStreamWaitEventWithTimeout")
def stream_wait_event_with_timeout(t: ThreadState, stream: int, event: int, timeout: int) -> None:
    """As aclrtStreamWaitEvent, with a limit of its own in seconds, 0: none. Codes: 107000 negative, or NULL event."""
    if timeout < 0:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"timeout is {timeout}: 0 (for ever) or more seconds are required", "acl"
        )
    if not event:
        if stream:
            t.stream(stream)
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "event is NULL")
    _wait(t, t.event(event), stream, timeout)


@api("aclrtStreamWaitEventWithFlag")
def stream_wait_event_with_flag(t: ThreadState, stream: int, event: int, timeout: int, flag: int) -> None:
    """Wait with a use: 0 plain, 1 EXTERNAL (captures only). Codes as aclrtRecordEventWithFlag.

    *timeout* in seconds, 0: none, 0xFFFFFFFF: the limit of aclrtSetOpWaitTimeout.
    """
    require(event, "event")
    _use_flag(flag)
    if flag == EXTERNAL_USE and timeout:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"timeout is {timeout}: an EXTERNAL wait has none", "acl")
    found = t.event(event)
    if flag == DEFAULT:
        _wait(t, found, stream, timeout)
        return
    _fix_wait(t, found, stream, flag)
    target = t.submit_stream(stream)
    _recorder(target).wait_external(t, found, target)


def _wait(t: ThreadState, event: Event, stream: int, timeout_s: int) -> None:
    _fix_wait(t, event, stream, DEFAULT)
    if timeout_s == PROCESS_LIMIT:
        limit = _process_limit(t)
    else:
        limit = 0 if t.sim.profile.family in NO_OWN_LIMIT else timeout_s * SECOND
    event.wait(t, t.submit_stream(stream), limit)


def _fix_wait(t: ThreadState, event: Event, stream: int, flag: int) -> None:
    """What is tested before the context, as for a record, and whether the event can synchronise at all."""
    if stream:
        t.stream(stream)
    _host_use(event, "waited for")
    if event.family is STAMP:
        text = f"{event.describe()} has no SYNC ability: it was created with flags {event.flags:#x}"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "state")
    event.wait_flag = _fix_use(event, event.wait_flag, flag, "waited for")


def _process_limit(t: ThreadState) -> int:
    seconds = t.sim.process.op_wait_timeout_s
    if not seconds or t.sim.profile.family == NO_WAIT_LIMIT:
        return 0
    return seconds * SECOND


@api("aclrtSetOpWaitTimeout")
def set_op_wait_timeout(t: ThreadState, timeout: int) -> None:
    """The limit of later waits for events in seconds, 0: none; for the process.

    Codes: 107002 no context and 207000 on the inference series, which has no such limit.
    """
    if t.sim.profile.product == "INF":
        t.current_context()
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no limit for waits", "state")
    t.sim.process.op_wait_timeout_s = timeout
