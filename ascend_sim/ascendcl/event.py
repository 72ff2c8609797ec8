"""Chapter 07: events."""

from __future__ import annotations

import struct

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.device import deadline_of
from ascend_sim.errors import AclError
from ascend_sim.runtime.device import Device
from ascend_sim.runtime.event import AUTO, DEVICE_ONLY, EX, EXTERNAL, IPC, LEVEL, STAMP, Event
from ascend_sim.runtime.thread_state import ThreadState

SYNC, PROGRESS, RESERVED, TIME_LINE, DEVICE_USE, EXTERNAL_FLAG, IPC_FLAG = 1, 2, 4, 8, 0x10, 0x20, 0x40
AUTO_FLAGS = TIME_LINE | PROGRESS | RESERVED
WITH_FLAG_BITS = 0x3F
EX_LARGEST = 0x4F
EX_ABILITIES = SYNC | PROGRESS | RESERVED | TIME_LINE | IPC_FLAG
ALONE = DEVICE_USE | EXTERNAL_FLAG | IPC_FLAG
"""Flags that cannot be or-ed with any other."""

# aclrtEventStatus, aclrtEventRecordedStatus and aclrtEventWaitStatus: opposite meanings (surprises.md 1).
OLD_COMPLETE, OLD_NOT_READY = 0, 1
RECORDED_NOT_READY, RECORDED_COMPLETE = 0, 1
WAIT_COMPLETE, WAIT_NOT_READY = 0, 1
DEFAULT, EXTERNAL_USE = 0, 1
SECOND = 1_000_000_000


def _create(t: ThreadState, family: str, flags: int, made_ex: bool = False) -> int:
    device: Device = t.current_context().device
    if family in (LEVEL, EXTERNAL) and not device.take_event_id(t, None):
        raise AclError(207007, f"all {device.event_limit} hardware events of device {device.index} are in use")
    event = Event(device, family, flags, t.sim.next_number("event"), t.site, made_ex)
    event.handle = t.sim.new_handle(event)
    return event.handle


@api("aclrtCreateEvent")
def create_event(t: ThreadState) -> int:
    """An event that takes a hardware id at each record. Codes: 107002 no context (07_...md:30)."""
    return _create(t, AUTO, AUTO_FLAGS)


@api("aclrtCreateEventWithFlag")
def create_event_with_flag(t: ThreadState, flag: int) -> int:
    """An event with a hardware flag of its own when SYNC is among *flag*.

    Codes: 107000 zero, unknown bits, or a flag that must stand alone; 207000 the firmware lacks it; 207007 no hardware
    event left; 107002 (07_...md:116).
    """
    if flag == 0 or flag & ~WITH_FLAG_BITS:
        raise AclError(107000, f"flag is {flag:#x}: one or more of {WITH_FLAG_BITS:#x} are required")
    _alone(flag)
    if flag == DEVICE_USE:
        if "device_use_only" not in t.sim.profile.supports:
            raise AclError(207000, f"{t.sim.profile.name} has no DEVICE_USE_ONLY events")
        return _create(t, DEVICE_ONLY, flag)
    if flag == EXTERNAL_FLAG:
        return _create(t, EXTERNAL, flag)
    return _create(t, LEVEL if flag & SYNC else STAMP, flag)


@api("aclrtCreateEventExWithFlag")
def create_event_ex_with_flag(t: ThreadState, flag: int) -> int:
    """An event whose waits are bound to the record that is current when they are queued.

    Codes: 107000 no known ability, too large, or a flag that must stand alone; 207000 no IPC events; 107002
    (07_...md:217).
    """
    if not flag & EX_ABILITIES or flag > EX_LARGEST:
        raise AclError(107000, f"flag is {flag:#x}: one of SYNC, PROGRESS, TIME_LINE or IPC is required")
    _alone(flag)
    if flag == IPC_FLAG:
        if "event_ipc" not in t.sim.profile.supports:
            raise AclError(207000, f"{t.sim.profile.name} has no IPC events")
        return _create(t, IPC, flag, True)
    return _create(t, EX if flag & SYNC else STAMP, flag, True)


def _alone(flag: int) -> None:
    if flag & ALONE and flag & (flag - 1):
        raise AclError(107000, f"flag is {flag:#x}: DEVICE_USE_ONLY, EXTERNAL and IPC must stand alone")


@api("aclrtDestroyEvent")
def destroy_event(t: ThreadState, handle: int) -> None:
    """Destroy; returns at once, outstanding tasks go on. Codes: 100000 NULL, 107017 dead (07_...md:304)."""
    require(handle, "event")
    event = t.event(handle)
    t.sim.drop_handle(handle)
    event.retire()


@api("aclrtRecordEvent")
def record_event(t: ThreadState, event: int, stream: int) -> None:
    """Queue a record. Codes: 100000, 107017, 107000 DEVICE_USE_ONLY, 107002, 107003, 207007 (07_...md:359)."""
    if not event:
        raise AclError(100000, "event is NULL", "acl")
    found = t.sim.handles.get(event)
    if type(found) is not Event:
        raise t.stale(event, "event")
    found.record(t, t.submit_stream(stream))


@api("aclrtRecordEventWithFlag")
def record_event_with_flag(t: ThreadState, event: int, stream: int, flag: int) -> None:
    """Record with a use: 0 plain, 1 EXTERNAL (captures only). The first call fixes it for the event.

    Codes: 100000 other flags, 107000 fixed differently, 207000 not an Ex event with SYNC alone, 107029 not capturing
    (07_...md:420; semantics.md 3.6).
    """
    require(event, "event")
    _use_flag(flag, 0)
    found = t.event(event)
    if stream:
        t.stream(stream)
    found.record_flag = _fix_use(found, found.record_flag, flag, "recorded")
    if flag == EXTERNAL_USE:
        raise AclError(107029, f"{t.stream(stream).describe()} is not being captured")
    found.record(t, t.submit_stream(stream))


def _use_flag(flag: int, timeout: int) -> None:
    if flag not in (DEFAULT, EXTERNAL_USE):
        raise AclError(100000, f"flag is {flag}: 0 or 1 is required", "acl")
    if flag == EXTERNAL_USE and timeout:
        raise AclError(100000, f"timeout is {timeout}: an EXTERNAL wait has none", "acl")


def _fix_use(event: Event, fixed: int | None, flag: int, verb: str) -> int:
    if flag == EXTERNAL_USE and not (event.family is EX and event.flags == SYNC):
        raise AclError(207000, f"{event.describe()} is no Ex event made with SYNC alone")
    if fixed is not None and fixed != flag:
        raise AclError(107000, f"{event.describe()} was {verb} with flag {fixed} before: it stays that way")
    return flag


@api("aclrtResetEvent")
def reset_event(t: ThreadState, event: int, stream: int) -> None:
    """Queue a reset of the flag. Codes: 100000, 107017, 107000, 207000 Ex or no SYNC, 107003 (07_...md:482)."""
    require(event, "event")
    found = t.event(event)
    target = t.stream(stream) if stream else None
    if found.family is AUTO:
        t.sim.report_call(
            t, "undefined-use", "warning", f"aclrtResetEvent on {found.describe()}, which aclrtCreateEvent made: the manual calls that undefined"
        )
    if target is not None and found.family not in (DEVICE_ONLY, EX, IPC, STAMP):
        t.check_own(target)
    found.reset(t, target or t.current_context().default)


@api("aclrtStreamWaitEvent")
def stream_wait_event(t: ThreadState, stream: int, event: int) -> None:
    """Make later tasks of the stream wait, at most as long as aclrtSetOpWaitTimeout says.

    Codes: 100000, 107017, 207000 no SYNC ability, 107000 never recorded (aclrtCreateEvent) or DEVICE_USE_ONLY, 107002,
    107003 (07_...md:870).
    """
    if not event:
        raise AclError(100000, "event is NULL", "acl")
    found = t.sim.handles.get(event)
    if type(found) is not Event:
        raise t.stale(event, "event")
    found.wait(t, t.submit_stream(stream), t.sim.process.op_wait_timeout_s * SECOND)


@api("aclrtStreamWaitEventWithTimeout")
def stream_wait_event_with_timeout(t: ThreadState, stream: int, event: int, timeout: int) -> None:
    """The same with a limit of its own in seconds, 0: none. Codes: 107000 negative, or NULL event (07_...md:991)."""
    if timeout < 0:
        raise AclError(107000, f"timeout is {timeout}: 0 (for ever) or more seconds are required", "acl")
    if not event:
        raise AclError(107000, "event is NULL")
    t.event(event).wait(t, t.submit_stream(stream), timeout * SECOND)


@api("aclrtStreamWaitEventWithFlag")
def stream_wait_event_with_flag(t: ThreadState, stream: int, event: int, timeout: int, flag: int) -> None:
    """Wait with a use: 0 plain, 1 EXTERNAL (captures only). Codes as aclrtRecordEventWithFlag (07_...md:420)."""
    require(event, "event")
    _use_flag(flag, timeout)
    found = t.event(event)
    if stream:
        t.stream(stream)
    found.wait_flag = _fix_use(found, found.wait_flag, flag, "waited for")
    if flag == EXTERNAL_USE:
        raise AclError(107029, f"{t.stream(stream).describe()} is not being captured")
    found.wait(t, t.submit_stream(stream), timeout * SECOND)


@api("aclrtSetOpWaitTimeout")
def set_op_wait_timeout(t: ThreadState, timeout: int) -> None:
    """The limit of later waits for events in seconds, 0: none; for the process (07_...md:1044)."""
    t.sim.process.op_wait_timeout_s = timeout


# -- what the host sees -----------------------------------------------------------------------------------------------


def _seen(t: ThreadState, handle: int, refused: tuple[str, ...] = (EXTERNAL,)) -> Event:
    """The event of a host query. Raises AclError 100000, 107017, 207000 for a family in *refused*."""
    require(handle, "event")
    event = t.event(handle)
    if event.family in refused:
        raise AclError(207000, f"{event.describe()} ({event.family}) cannot be used in this call")
    return event


def _polled(t: ThreadState, event: Event) -> None:
    """A query is a poll; in stop mode it answers the first failure of the context that holds the record."""
    t.sim.threads.poll(t, event.handle)
    latest = event.latest
    if latest is not None and latest.stream.context.failure:
        context = latest.stream.context
        raise AclError(context.failure, f"a task failed in {context.describe()}, which stops on failure")


@api("aclrtQueryEvent")
def query_event(t: ThreadState, handle: int) -> int:
    """COMPLETE 0 (also never recorded) or NOT_READY 1. Codes: 207000 Ex, EXTERNAL, IPC (07_...md:544)."""
    event = _seen(t, handle, (EX, EXTERNAL, IPC))
    _polled(t, event)
    return OLD_COMPLETE if event.latest is None or event.latest.done else OLD_NOT_READY


@api("aclrtQueryEventStatus")
def query_event_status(t: ThreadState, handle: int) -> int:
    """COMPLETE 1 or NOT_READY 0; never recorded: COMPLETE for Ex events only. Codes: 207000 EXTERNAL (07_...md:598)."""
    event = _seen(t, handle)
    _polled(t, event)
    if event.latest is None:
        return RECORDED_COMPLETE if event.made_ex else RECORDED_NOT_READY
    return RECORDED_COMPLETE if event.latest.done else RECORDED_NOT_READY


@api("aclrtQueryEventWaitStatus")
def query_event_wait_status(t: ThreadState, handle: int) -> int:
    """COMPLETE 0 unless a wait for the event is outstanding. Codes: 207000 Ex, EXTERNAL, IPC (07_...md:654)."""
    event = _seen(t, handle, (EX, EXTERNAL, IPC))
    _polled(t, event)
    return WAIT_NOT_READY if event.has_waits() else WAIT_COMPLETE


class _RecordWait:
    """Why a host thread waits in aclrtSynchronizeEvent."""

    __slots__ = ("event",)

    def __init__(self, event: Event) -> None:
        self.event = event

    def describe(self) -> str:
        """The wait in words."""
        return f"the record of {self.event.describe()}"

    def holders(self) -> list[object]:
        """The stream that holds the record."""
        return [self.event.latest.stream] if self.event.latest is not None else []


def _synchronize(t: ThreadState, event: Event, deadline: int | None) -> bool:
    record = event.latest
    if record is None or record.done:
        t.sim.threads.poll(t)
        return True
    if record.stream.context.failure:
        context = record.stream.context
        raise AclError(context.failure, f"a task failed in {context.describe()}, which stops on failure")
    return bool(t.sim.threads.block(t, record, deadline, _RecordWait(event)))


@api("aclrtSynchronizeEvent")
def synchronize_event(t: ThreadState, handle: int) -> None:
    """Wait for the record that is the latest now; at once when there is none. Codes: 207000 EXTERNAL (07_...md:710)."""
    _synchronize(t, _seen(t, handle), None)


@api("aclrtSynchronizeEventWithTimeout")
def synchronize_event_with_timeout(t: ThreadState, handle: int, timeout: int) -> None:
    """The same with a limit in ms. Codes: 107000 bad limit, 507047 not done in time (07_...md:710)."""
    require(handle, "event")
    if timeout < -1:
        deadline_of(t, timeout)
    event = _seen(t, handle)
    if not _synchronize(t, event, deadline_of(t, timeout)):
        raise AclError(507047, f"the record of {event.describe()} was not done within {timeout} ms")


@api("aclrtEventElapsedTime")
def event_elapsed_time(t: ThreadState, start: int, end: int) -> float:
    """Milliseconds between two records, as a C float; may be negative.

    Codes: 100000, 107017, 507000 never recorded, 107006 not complete or no TIME_LINE, 207000 EXTERNAL, IPC
    (07_...md:815). The stamp counts ticks: 20 ns each on A2 and A3.
    """
    require(start, "startEvent")
    require(end, "endEvent")
    first, second = t.event(start), t.event(end)
    t.sim.threads.poll(t, (start, end))
    ticks_per_ms = t.sim.profile.event_ticks_per_ms
    ticks = second.time_stamp() * ticks_per_ms // 1_000_000 - first.time_stamp() * ticks_per_ms // 1_000_000
    milliseconds: float = struct.unpack("f", struct.pack("f", ticks / ticks_per_ms))[0]
    return milliseconds


@api("aclrtEventGetTimestamp")
def event_get_timestamp(t: ThreadState, handle: int) -> int:
    """The record's time in microseconds. Codes: 507000 never recorded, 107006 not complete (07_...md:1101)."""
    require(handle, "event")
    event = t.event(handle)
    t.sim.threads.poll(t, handle)
    return event.time_stamp() // 1000


@api("aclrtGetEventId")
def get_event_id(t: ThreadState, handle: int) -> int:
    """The hardware id. Codes: 507000 none yet, 207000 IPC (07_...md:1207)."""
    event = _seen(t, handle, (IPC,))
    if event.family is STAMP or (event.family in (AUTO, EX) and event.latest is None):
        raise AclError(507000, f"{event.describe()} has no hardware id yet")
    return event.number % event.device.event_limit


@api("aclrtGetEventAvailNum")
def get_event_avail_num(t: ThreadState) -> int:
    """Hardware events left on the current device. Codes: 107002 no context (07_...md:1207)."""
    device: Device = t.current_context().device
    for lender in list(device.lenders):
        lender.give_back()
    return device.event_limit - device.events_used
