"""Notifies: binary flags of a device; one record releases one wait (docs/semantics/events.md#notifies)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.runtime.task import Gate, Op, Task
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.runtime.device import Device
    from ascend_sim.runtime.processes.notifies import SharedNotify
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Notify"]


def blocked_since(stream: Stream) -> tuple[int, int]:
    """When the head of *stream* came to its gate (virtual ns), and the stream's number."""
    return (max(stream.queue[0].ready, stream.free), stream.number)


class NotifyGate(Gate):
    """Passes when the flag is set, and clears it: the first waiter by (blocked since, stream number) takes it."""

    __slots__ = ("notify",)

    def __init__(self, notify: Notify) -> None:
        self.notify = notify

    def passes(self, task: Task, time: int) -> bool:
        """Take the flag if it is set."""
        if self.notify.shared is not None:
            return self.notify.shared.take()
        if self.notify.flag:
            self.notify.flag = False
            return True
        return False

    def park(self, task: Task) -> None:
        """Queue up by (blocked since, stream number); a stream that was woken in vain gets its place back."""
        parked = self.notify.parked
        if task.stream not in parked:
            parked.append(task.stream)
            parked.sort(key=blocked_since)

    def forget(self, task: Task) -> None:
        """Leave the queue; a flag that was meant for this stream goes to the next one."""
        if task.stream in self.notify.parked:
            self.notify.parked.remove(task.stream)
        self.notify.wake_first(task.stream.sim.scheduler.now)

    def holders(self) -> list[object]:
        """The streams on which records are queued."""
        return [record.stream for record in self.notify.unfinished_records()]

    def describe(self) -> str:
        """The wait in words."""
        return self.notify.describe()


class Notify:
    """A notify of a device."""

    __slots__ = (
        "device", "flag", "flags", "gate", "handle", "notify_id", "number", "parked", "record_op", "records", "shared",
        "site",
    )  # fmt: skip

    def __init__(self, device: Device, flags: int, notify_id: int, number: int, site: CallSite) -> None:
        self.device = device
        self.flags = flags
        self.notify_id = notify_id
        self.number = number
        self.site = site
        self.handle = 0
        self.flag = False
        self.shared: SharedNotify | None = None
        """What other processes see of it (runtime/processes/notifies.py), from its first export on: the flag is there."""
        self.parked: list[Stream] = []
        self.records: list[Task] = []
        self.gate = NotifyGate(self)
        self.record_op = Op("notify-record", device.sim.profile.costs.record_ns, self._set)

    def describe(self) -> str:
        """The notify in words."""
        return f"notify {self.number}"

    def unfinished_records(self) -> list[Task]:
        """Records that are queued and not done."""
        self.records = [record for record in self.records if not record.done]
        return self.records

    def _set(self, task: Task, time: int) -> None:
        if self.shared is not None:
            self.shared.set(True, time, task)
        self.flag = True
        for observe in task.stream.hooks.signalled or ():
            observe(task, self, True)
        self.wake_first(time)

    def wake_first(self, time: int) -> None:
        """Let the first waiter test again at virtual *time* (ns)."""
        if self.parked and (self.flag if self.shared is None else self.shared.is_set()):
            self.parked.pop(0).wake(time)

    def wake_parked(self, time: int) -> None:
        """The flag was set by another process: let the first waiter test at virtual *time* (ns)."""
        if self.parked:
            self.parked.pop(0).wake(time)

    def record(self, t: HostThread, stream: Stream) -> None:
        """Queue a record on *stream*."""
        task = stream.submit(t, self.record_op)
        self.records.append(task)
        if stream.recorder is None:  # what a graph was given runs when the graph does
            for note in stream.hooks.recorded or ():
                note((self, task))
        for observe in stream.hooks.ordered or ():
            observe("record", t, self, stream, task, None)
        if len(self.records) > 64:
            self.unfinished_records()
        if self.shared is not None:
            self.shared.hand_over(t, task)

    def wait(self, t: HostThread, stream: Stream, timeout: int) -> None:
        """Make *stream* wait for the flag and clear it. *timeout* in ns, 0: none."""
        if self.shared is not None:
            self.shared.neighbours.keep_going()
        op = Op("notify-wait", self.device.sim.profile.costs.wait_ns, gate=self.gate, timeout=timeout)
        task = stream.submit(t, op)
        awaited = stream.hooks.awaited if stream.recorder is None else None
        for observe in (*(awaited or ()), *(stream.hooks.ordered or ())):
            observe("wait", t, self, stream, task, None)

    def reset(self, t: HostThread) -> None:
        """Clear the flag from the host, in thread *t*."""
        for observe in t.sim.hooks.signalled or ():  # they may look at the flag as it was
            observe(t, self, False)
        self.flag = False
        if self.shared is not None:
            self.shared.set(False, t.clock)
