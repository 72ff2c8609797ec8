"""Chapter 07: events from the host: queries, synchronisation, time stamps."""

from __future__ import annotations

import struct
from collections.abc import Hashable
from typing import TYPE_CHECKING

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.device.device import deadline_of
from ascend_sim.constants.errors import (
    ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.execution import (
    ACL_EVENT_RECORDED_STATUS_COMPLETE,
    ACL_EVENT_RECORDED_STATUS_NOT_READY,
    ACL_EVENT_STATUS_COMPLETE,
    ACL_EVENT_STATUS_NOT_READY,
    ACL_EVENT_WAIT_STATUS_COMPLETE,
    ACL_EVENT_WAIT_STATUS_NOT_READY,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.device import Device
from ascend_sim.runtime.event import AUTO, EX, EXTERNAL, IPC, STAMP, Event
from ascend_sim.runtime.graphs.building import building_of
from ascend_sim.runtime.stream_waits import wait_for
from ascend_sim.runtime.synchronize import trim_pools
from ascend_sim.runtime.task import Task
from ascend_sim.runtime.thread_state import ThreadState

if TYPE_CHECKING:
    from ascend_sim.runtime.processes.events import SharedEvent

# aclrtEventStatus, aclrtEventRecordedStatus and aclrtEventWaitStatus: opposite meanings
# (docs/semantics/events.md#what-the-host-sees).


def _seen(t: ThreadState, handle: int, refused: tuple[str, ...] = (EXTERNAL,)) -> Event:
    """The event of a host query. Raises AclError 100000, 107017, 207000 for a family in *refused*."""
    require(handle, "event")
    event = t.event(handle)
    if event.family in refused:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            f"{event.describe()} ({event.family}) cannot be used in this call",
            "state",
        )
    event.refuse_captured(t)
    return event


def _polled(t: ThreadState, event: Event, pending: bool) -> Task | None:
    """The record that a query is about. It is a poll, and only an answer that is still *pending* counts as asking again.

    In stop mode it answers the first failure of the event's context.
    """
    record = event.latest
    if t.sim.threads.controller is not None:
        t.sim.threads.controller.before_record_lookup(event)
    final, until = (record.over, None) if record is not None else (None, event.is_recorded if pending else None)
    t.sim.threads.poll(t, event.handle, pending, final, until)
    _works(t, event)
    _tell(t, event, record, False)
    return record


def _tell(t: ThreadState, event: Event, record: Task | None, waited: bool) -> None:
    """Tell who listens which record the call was about, and whether it is done."""
    hooks = t.sim.hooks.polled
    if hooks is not None:
        for observe in hooks:
            observe(t, event, record, record is None or record.done, waited)


def _works(t: ThreadState, event: Event) -> None:
    if not event.context.dead:
        event.context.check_works(t)


@api("aclrtQueryEvent")
def query_event(t: ThreadState, handle: int) -> int:
    """COMPLETE 0 (also never recorded) or NOT_READY 1. Codes: 207000 Ex, EXTERNAL, IPC."""
    event = _seen(t, handle, (EX, EXTERNAL, IPC))
    record = _polled(t, event, event.latest is not None and not event.latest.done)
    return ACL_EVENT_STATUS_COMPLETE if record is None or record.done else ACL_EVENT_STATUS_NOT_READY


@api("aclrtQueryEventStatus")
def query_event_status(t: ThreadState, handle: int) -> int:
    """COMPLETE 1 or NOT_READY 0; never recorded: COMPLETE for Ex events only. Codes: 207000 EXTERNAL."""
    event = _seen(t, handle)
    if event.family is IPC and event.shared is not None:
        return _shared_status(t, event, event.shared)
    record = _polled(t, event, not event.made_ex if event.latest is None else not event.latest.done)
    if record is None:
        return ACL_EVENT_RECORDED_STATUS_COMPLETE if event.made_ex else ACL_EVENT_RECORDED_STATUS_NOT_READY
    return ACL_EVENT_RECORDED_STATUS_COMPLETE if record.done else ACL_EVENT_RECORDED_STATUS_NOT_READY


def _shared_status(t: ThreadState, event: Event, shared: SharedEvent) -> int:
    """The status of an event that other processes have as well: its newest record may be one of theirs."""
    record = shared.latest(t)
    t.sim.threads.poll(t, None if record is None else event.handle)
    _works(t, event)
    record = shared.latest(t)
    if isinstance(record, Task):
        _tell(t, event, record, False)
    elif shared.newest_is_own:  # or it was never recorded
        _tell(t, event, event.latest, False)
    elif record is None:
        shared.neighbours.order.acquired(t, shared.newest_stamp)
    return ACL_EVENT_RECORDED_STATUS_COMPLETE if record is None else ACL_EVENT_RECORDED_STATUS_NOT_READY


@api("aclrtQueryEventWaitStatus")
def query_event_wait_status(t: ThreadState, handle: int) -> int:
    """COMPLETE 0 unless a wait for the event is outstanding. Codes: 207000 Ex, EXTERNAL, IPC."""
    event = _seen(t, handle, (EX, EXTERNAL, IPC))
    t.sim.threads.poll(t, event.handle, event.has_waits(), lambda: not event.has_waits())
    current = t.bound_context()
    if current is not None:  # here the thread's context counts, not the event's
        current.check_works(t)
    _tell(t, event, event.latest, False)
    return ACL_EVENT_WAIT_STATUS_NOT_READY if event.has_waits() else ACL_EVENT_WAIT_STATUS_COMPLETE


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
    t.sim.threads.poll(t)
    _works(t, event)
    record = event.latest
    if record is not None and building_of(record.stream) is not None:
        text = f"the latest record of {event.describe()} is part of a model: the host cannot wait for it"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
    if t.sim.threads.controller is not None:
        t.sim.threads.controller.before_record_lookup(event)
    if event.family is IPC and event.shared is not None:
        reached = event.shared.synchronize(t, deadline)
        if reached is not None:
            return reached
    if not (record is None or record.done or wait_for(record.stream, t, record, deadline, _RecordWait(event))):
        return False
    if t.sim.hooks.polled is not None:
        for observe in t.sim.hooks.polled:
            observe(t, event, record, True, True)
    if record is None:
        for observe in t.sim.hooks.ordered or ():
            observe("synchronize", t, event, None, None, None)
    trim_pools(t)
    return True


@api("aclrtSynchronizeEvent")
def synchronize_event(t: ThreadState, handle: int) -> None:
    """Wait for the record that is the latest now; at once when there is none.

    Codes: 207000 EXTERNAL, 107000 its latest record is on a stream that is bound to a model.
    """
    _synchronize(t, _seen(t, handle), None)


@api("aclrtSynchronizeEventWithTimeout")
def synchronize_event_with_timeout(t: ThreadState, handle: int, timeout: int) -> None:
    """Wait as aclrtSynchronizeEvent, at most *timeout* ms; -1: no limit.

    Codes: 107000 bad limit, 507047 not done in time.
    """
    if timeout < -1:
        deadline_of(t, timeout)
    require(handle, "event")
    event = t.event(handle)
    deadline = deadline_of(t, timeout)
    if not _synchronize(t, _seen(t, handle), deadline):
        raise AclError(
            ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, f"the record of {event.describe()} was not done within {timeout} ms"
        )


@api("aclrtEventElapsedTime")
def event_elapsed_time(t: ThreadState, start: int, end: int) -> float:
    """Milliseconds between two records, as a C float; may be negative.

    Codes: 100000, 107017, 507000 never recorded, 107006 not complete or no TIME_LINE, 207000 EXTERNAL, IPC.
    The stamp counts ticks: 20 ns each on A2 and A3.
    """
    require(start, "startEvent")
    require(end, "endEvent")
    t.event(start)
    t.event(end)
    first, second = _stamps(t, (_stamped(t, start), _stamped(t, end)), (start, end))
    ticks_per_ms = t.sim.profile.event_ticks_per_ms
    ticks = second * ticks_per_ms // 1_000_000 - first * ticks_per_ms // 1_000_000
    milliseconds: float = struct.unpack("f", struct.pack("f", ticks / ticks_per_ms))[0]
    return milliseconds


@api("aclrtEventGetTimestamp")
def event_get_timestamp(t: ThreadState, handle: int) -> int:
    """The record's time in microseconds. Codes: 507000 never recorded, 107006 not complete."""
    require(handle, "event")
    (time,) = _stamps(t, (_stamped(t, handle),), handle)
    return time // 1000


def _stamped(t: ThreadState, handle: int) -> Event:
    return _seen(t, handle, (EXTERNAL, IPC))


def _stamps(t: ThreadState, events: tuple[Event, ...], key: Hashable) -> list[int]:
    """The times (ns) of the latest records of *events*, as they are when the call begins; a poll about *key*."""
    controller = t.sim.threads.controller
    if controller is not None:
        for event in events:
            controller.before_record_lookup(event)
    records = [_recorded(t, event) for event in events]
    t.sim.threads.poll(t, key, not _done(records), lambda: _done(records))
    if controller is not None:
        for record in records:
            controller.before_record_test(record)
    for event, record in zip(events, records, strict=True):
        _tell(t, event, record, False)
    return [event.time_stamp(record) for event, record in zip(events, records, strict=True)]


def _done(records: list[Task]) -> bool:
    return all(record.done for record in records)


def _recorded(t: ThreadState, event: Event) -> Task:
    if event.latest is None:
        _tell(t, event, None, False)
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"{event.describe()} has never been recorded")
    return event.latest


@api("aclrtGetEventId")
def get_event_id(t: ThreadState, handle: int) -> int:
    """The hardware id. Codes: 507000 none (yet), 207000 IPC."""
    event = _seen(t, handle, (IPC,))
    without = event.latest is None or (event.family is EX and event.is_over())  # an Ex event gives it back at the end
    if event.family is STAMP or (event.family in (AUTO, EX) and without):
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"{event.describe()} has no hardware id yet")
    return event.number % event.device.event_limit


@api("aclrtGetEventAvailNum")
def get_event_avail_num(t: ThreadState) -> int:
    """Hardware events left on the current device. Codes: 107002 no context."""
    device: Device = t.current_context().device
    for lender in list(device.lenders):
        lender.give_back()
    return device.event_limit - device.events_used
