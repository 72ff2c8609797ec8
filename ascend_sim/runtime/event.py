"""Events of all families: what a record marks and what a wait waits for (docs/semantics/events.md#families)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
    ACL_ERROR_RT_NO_EVENT_RESOURCE,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_CONTEXT,
)
from ascend_sim.constants.flags import ACL_EVENT_TIME_LINE
from ascend_sim.errors import AclError
from ascend_sim.runtime.task import Gate, Op, Task
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.device import Device
    from ascend_sim.runtime.graphs.graph import Node
    from ascend_sim.runtime.processes.events import SharedEvent
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["AUTO", "DEVICE_ONLY", "EX", "EXTERNAL", "IPC", "LEVEL", "STAMP", "Event"]

# Families: the table of docs/semantics/events.md#families and the special kinds below it.
AUTO = "aclrtCreateEvent"
LEVEL = "aclrtCreateEventWithFlag, SYNC"
EX = "aclrtCreateEventExWithFlag, SYNC"
STAMP = "time stamp or progress only"
DEVICE_ONLY = "DEVICE_USE_ONLY"
EXTERNAL = "EXTERNAL"
IPC = "IPC"

KEPT = 64
"""Lists of tasks are cleared of those that are over when they get longer."""


class RecordGate(Gate):
    """Passes once one certain record is done: the record that was the latest when the wait was queued."""

    __slots__ = ("event", "record")

    def __init__(self, record: Task, event: Event) -> None:
        self.record = record
        self.event = event

    def passes(self, task: Task, time: int) -> bool:
        """Whether the record is done."""
        return self.record.done

    def park(self, task: Task) -> None:
        """Let the record wake the stream."""
        if self.record.waiters is None:
            self.record.waiters = [task.stream]
        else:
            self.record.waiters.append(task.stream)

    def forget(self, task: Task) -> None:
        """Take the stream off the record's list."""
        if self.record.waiters is not None and task.stream in self.record.waiters:
            self.record.waiters.remove(task.stream)

    def holders(self) -> list[object]:
        """The stream on which the record is queued."""
        return [self.record.stream]

    def describe(self) -> str:
        """The wait in words."""
        return f"{self.event.describe()}, recorded on {self.record.stream.describe()}"


class FlagGate(Gate):
    """Passes while the hardware flag of a WithFlag event is set: which record set it does not matter."""

    __slots__ = ("event", "parked", "records")

    def __init__(self, event: Event) -> None:
        self.event = event
        self.parked: list[Stream] = []
        self.records: list[Task] = []

    def passes(self, task: Task, time: int) -> bool:
        """Whether the flag is set now."""
        return self.event.flag

    def park(self, task: Task) -> None:
        """Let the next record wake the stream."""
        self.parked.append(task.stream)

    def forget(self, task: Task) -> None:
        """Take the stream off the event's list."""
        if task.stream in self.parked:
            self.parked.remove(task.stream)

    def holders(self) -> list[object]:
        """The streams on which records of the event are queued."""
        return [record.stream for record in self.unfinished_records()]

    def describe(self) -> str:
        """The wait in words."""
        return f"the flag of {self.event.describe()}"

    def unfinished_records(self) -> list[Task]:
        """Records that are queued and not done."""
        self.records = [record for record in self.records if not record.over()]
        return self.records

    def recorded(self, task: Task) -> None:
        """*task* is a new record."""
        self.records.append(task)
        if len(self.records) > KEPT:
            self.unfinished_records()

    def wake(self, time: int) -> None:
        """The flag is set: who waits for that tests again."""
        parked, self.parked = self.parked, []
        for stream in parked:
            stream.wake(time)


def _outstanding(tasks: list[Task] | None) -> list[Task] | None:
    """Those that are not over; None without any."""
    return [task for task in tasks if not task.over()] or None if tasks is not None else None


class Event:
    """An event. `latest` is the task of its newest record, whatever the family."""

    __slots__ = (
        "captured", "context", "device", "family", "flag", "flags", "gate", "handle", "holds", "latest", "lent", "made_ex",
        "number", "record_flag", "record_op", "reset_op", "shared", "site", "wait_flag", "waits",
    )  # fmt: skip

    def __init__(
        self, context: Context, family: str, flags: int, number: int, site: CallSite, made_ex: bool = False
    ) -> None:
        self.context = context
        """Where it was made: in stop mode host queries answer the failure of this context.

        See docs/semantics/streams.md#stop-mode.
        """
        device = self.device = context.device
        self.made_ex = made_ex
        """Made by aclrtCreateEventExWithFlag: before any record it counts as complete."""
        self.family = family
        self.flags = flags
        self.number = number
        self.site = site
        self.handle = 0
        self.latest: Task | None = None
        self.captured: Node | None = None
        """Its latest record in a capture that is open."""
        self.holds = False
        """The newest record holds a hardware id of its own."""
        # None as long as there are none: programs have many events, and the collector looks at every list
        self.waits: list[Task] | None = None
        """Wait tasks bound to the latest record (for the level family: all of them)."""
        self.lent: list[tuple[Task, list[Task] | None]] | None = None
        """Records that hold a hardware id although a newer one exists, each with the waits bound to it."""
        self.record_flag: int | None = None
        self.wait_flag: int | None = None
        self.flag = False
        self.gate: FlagGate | None = None
        costs = device.sim.profile.costs
        if family is LEVEL or family is EXTERNAL:
            self.gate = FlagGate(self)
            self.record_op = Op("record", costs.record_ns, self._set)
            self.reset_op = Op("reset", costs.record_ns, self._clear)
        else:
            self.record_op = device.sim.plain_record
            self.reset_op = device.sim.plain_reset
            if family is IPC:
                self.shared = None

    shared: SharedEvent | None
    """IPC events only: what other processes see of it (runtime/processes/events.py), from its first export on."""

    def describe(self) -> str:
        """The event in words."""
        return f"event {self.number}"

    # -- the flag of the level family: both actions run on the device -------------------------------------------------

    def _set(self, task: Task, time: int) -> None:
        self.flag = True
        for observe in task.stream.hooks.signalled or ():
            observe(task, self, True)
        assert self.gate is not None
        self.gate.wake(time)

    def _clear(self, task: Task, time: int) -> None:
        self.flag = False
        for observe in task.stream.hooks.signalled or ():
            observe(task, self, False)

    # -- queueing ----------------------------------------------------------------------------------------------------

    def record(self, t: HostThread, stream: Stream) -> None:
        """Queue a record on *stream*. Raises AclError 207007 when no hardware id comes free."""
        recorder = stream.recorder
        if recorder is not None and recorder.record_event(t, self, stream):
            return
        family = self.family
        if stream.context.device is not self.device:
            self._may_cross(stream)
        if family is AUTO or family is EX:
            fresh = not self.holds or not self._over()
            if fresh and not self.device.take_event_id(t, self):
                limit = self.device.event_limit
                raise AclError(
                    ACL_ERROR_RT_NO_EVENT_RESOURCE,
                    f"all {limit} hardware events of device {self.device.index} are in use",
                )
            try:
                task = stream.submit(t, self.record_op)
            except AclError:
                if fresh:
                    self.device.return_event_id()
                raise
            if fresh and self.holds:
                self._lend()
            self.holds = True
            self.latest = task
            if family is EX:
                self.device.lenders[self] = None
        else:
            self.latest = task = stream.submit(t, self.record_op)
            if family is IPC and self.shared is not None:
                self.shared.recorded(task)
        hooks = stream.hooks
        if hooks.recorded is not None and recorder is None:  # what a graph was given runs when the graph does
            for note in hooks.recorded:
                note((self, task))
        if hooks.ordered is not None:
            for observe in hooks.ordered:
                observe("record", t, self, stream, task, None)
        if self.gate is not None:
            self.gate.recorded(task)
        elif family is IPC and self.shared is not None:
            self.shared.hand_over(t, task)

    def wait(self, t: HostThread, stream: Stream, timeout: int) -> None:
        """Make later tasks of *stream* wait. *timeout* in ns, 0: none.

        Raises AclError 107000 for a never recorded aclrtCreateEvent event.
        """
        if self.captured is not None:
            capture = self.captured.line.stream.recorder
            if capture is not None:
                capture.wait_inside(t, self, stream)
                return
        elif stream.recorder is not None and stream.recorder.wait_event(t, self, stream):
            return
        family = self.family
        record = self.latest
        device = stream.context.device
        if device is not self.device:
            self._may_cross(stream)
            timeout = 0  # across devices a memory wait does the work, and that has no limit
            if "value_operations" not in device.sim.profile.supports and not (family is AUTO and record is None):
                self._across_devices(t, device)
                return
        if family is IPC and self.shared is not None:
            found = self.shared.wait_op(t, timeout)
            if not isinstance(found, Op):
                self._wait_for_own(t, stream, found, timeout)
                return
            op, record = found, None
        elif self.gate is not None:
            op = Op("wait", device.sim.profile.costs.wait_ns, gate=self.gate, timeout=timeout)
        else:
            if record is None:
                if family is AUTO:
                    for observe in stream.hooks.awaited or ():
                        observe("refused", t, self, stream, None, None)
                    raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{self.describe()} has never been recorded")
                self._tell("wait", t, stream, None, None)
                return
            drives = device.sim.scheduler.schedule.drives  # then the same calls queue the same tasks in every order
            if (record.done and not drives) or (family is EX and record.stream is stream):
                self._tell("wait", t, stream, None, record)
                return  # dropped: the host knows that it is done, or FIFO already gives the order
            op = Op("wait", device.sim.profile.costs.wait_ns, gate=RecordGate(record, self), timeout=timeout)
        task = stream.submit(t, op)
        if self.waits is None:
            self.waits = [task]
        else:
            self.waits.append(task)
            if len(self.waits) > KEPT:
                self.waits = _outstanding(self.waits)
        if stream.hooks.awaited is not None or stream.hooks.ordered is not None:
            self._tell("wait", t, stream, task, record)

    def _wait_for_own(self, t: HostThread, stream: Stream, record: Task | None, timeout: int) -> None:
        """A wait for a shared event whose newest record is one of this process, or done (None)."""
        if record is None:
            assert self.shared is not None
            if self.shared.newest_is_own:  # or it was never recorded
                self._tell("wait", t, stream, None, self.latest)
            else:
                self.shared.neighbours.order.dropped(t, stream, self.shared.newest_stamp)
            return
        op = Op("wait", stream.sim.profile.costs.wait_ns, gate=RecordGate(record, self), timeout=timeout)
        task = stream.submit(t, op)
        self.waits = [*(self.waits or ()), task]
        self._tell("wait", t, stream, task, record)

    def _tell(self, call: str, t: HostThread, stream: Stream, task: Task | None, record: Task | None) -> None:
        hooks = self.device.sim.hooks
        if stream.recorder is None:
            for observe in hooks.awaited or ():
                observe(call, t, self, stream, task, record)
        for observe in hooks.ordered or ():
            observe(call, t, self, stream, task, record)

    def _may_cross(self, stream: Stream) -> None:
        """The switch ``event_across_devices``: the guide says that it fails, the source has a path for it."""
        if self.device.sim.profile.switches["event_across_devices"] == "refused":
            text = f"{self.describe()} belongs to device {self.device.index}, {stream.describe()} to another one"
            raise AclError(ACL_ERROR_RT_STREAM_CONTEXT, text)

    def _across_devices(self, t: HostThread, device: Device) -> None:
        sim = device.sim
        text = f"{sim.profile.name} has no wait between devices: aclrtStreamWaitEvent returns 0 and orders nothing"
        sim.report_call(t, "undefined-use", "warning", text)

    def reset(self, t: HostThread, stream: Stream) -> None:
        """Queue a reset of the flag."""
        self._tell("reset", t, stream, stream.submit(t, self.reset_op), None)

    def _over(self) -> bool:
        """The latest record and all waits for it are done: the next record can have its hardware id."""
        if self.latest is None or not self.latest.done:
            return False
        if self.waits is not None:
            self.waits = _outstanding(self.waits)
        return self.waits is None

    def _lend(self) -> None:
        """A newer record comes while this one is still in use: it keeps its id until it is over."""
        assert self.latest is not None
        if self.lent is None:
            self.lent = []
        self.lent.append((self.latest, self.waits))
        self.waits = None
        self.device.lenders[self] = None

    def give_back(self) -> None:
        """Return the hardware ids of records that are over. Called when ids are scarce.

        An aclrtCreateEvent event keeps the id of its newest record until the next one or its end, an Ex event does not.
        """
        lent = self.lent or ()
        still = [(record, waits) for record, waits in lent if not record.over() or _outstanding(waits) is not None]
        self.device.events_used -= len(lent) - len(still)
        self.lent = still or None
        if self.family is EX and self.holds and self.is_over():
            self.device.events_used -= 1
            self.holds = False
        if not still and not (self.family is EX and self.holds):
            self.device.lenders.pop(self, None)

    def is_over(self) -> bool:
        """Nothing more will come of the newest record and of the waits for it."""
        return self.latest is not None and self.latest.over() and _outstanding(self.waits) is None

    def retire(self) -> None:
        """The handle is gone: ids go back as soon as the outstanding tasks are over."""
        if self.family is LEVEL or self.family is EXTERNAL:
            self.device.return_event_id()
        elif self.holds:
            self._lend()
            self.holds = False
            self.latest = None
            self.give_back()

    def refuse_captured(self, t: HostThread) -> None:
        """Raises AclError 107028 when its latest record is in a capture that is open."""
        if self.captured is not None:
            recorder = self.captured.line.stream.recorder
            if recorder is not None:
                recorder.refuse_event(t, self)

    # -- what the host sees --------------------------------------------------------------------------------------------

    def is_recorded(self) -> bool:
        """Whether it was ever recorded."""
        return self.latest is not None

    def outstanding_waits(self) -> int:
        """How many waits for it are queued and not done."""
        rows = (self.waits, *(waits for _, waits in self.lent or ()))
        return sum(len(_outstanding(waits) or ()) for waits in rows)

    def has_waits(self) -> bool:
        """Whether a wait for this event is queued and not done."""
        self.waits = _outstanding(self.waits)
        return self.waits is not None or any(_outstanding(waits) is not None for _, waits in self.lent or ())

    def time_stamp(self, record: Task) -> int:
        """Virtual time (ns) of a *record*. Raises AclError 107006: not complete, or without TIME_LINE."""
        if not record.done or not self.flags & ACL_EVENT_TIME_LINE:
            why = "its record is not complete" if not record.done else "it was created without TIME_LINE"
            raise AclError(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, f"{self.describe()} has no time stamp: {why}")
        return record.end
