"""Counting notifies of the 950: a number that records change and that waits compare (docs/semantics/events.md#notifies)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from ascend_sim.constants.execution import (
    ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE,
    ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE,
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE,
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE,
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE,
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE,
    ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE,
)
from ascend_sim.runtime.notify import blocked_since
from ascend_sim.runtime.task import Gate, Op, Task

if TYPE_CHECKING:
    from ascend_sim.runtime.device import Device
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.source.callsite import CallSite

__all__ = ["CHANGES", "CONDITIONS", "CountGate", "CountingNotify"]

_WRAP = 1 << 32

CHANGES: dict[int, Callable[[int, int], int]] = {
    ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE: lambda count, value: value,
    ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE: lambda count, value: (count + value) % _WRAP,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE: lambda count, value: count | value,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE: lambda count, value: count & value,
}
"""What a record makes of the count, by its mode."""
CONDITIONS: dict[int, tuple[str, Callable[[int, int], bool]]] = {
    ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE: ("<", lambda count, value: count < value),
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE: ("==", lambda count, value: count == value),
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE: (">", lambda count, value: count > value),
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE: (">=", lambda count, value: count >= value),
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE: ("& its bits ==", lambda count, value: count & value == value),
}
"""When a wait is over, by its mode: in words, and as a test."""


class CountGate(Gate):
    """Passes while the count meets a condition; sets it to 0 then, if asked to."""

    __slots__ = ("clear", "counter", "mode", "value")

    def __init__(self, counter: CountingNotify, mode: int, value: int, clear: bool) -> None:
        self.counter = counter
        self.mode = mode
        self.value = value
        self.clear = clear

    def passes(self, task: Task, time: int) -> bool:
        """Whether the count is right now."""
        counter = self.counter
        if not CONDITIONS[self.mode][1](counter.count, self.value):
            return False
        if self.clear:
            counter.count = 0
        return True

    def park(self, task: Task) -> None:
        """Queue up by (blocked since, stream number)."""
        parked = self.counter.parked
        if task.stream not in parked:
            parked.append(task.stream)
            parked.sort(key=blocked_since)

    def forget(self, task: Task) -> None:
        """Leave the queue."""
        if task.stream in self.counter.parked:
            self.counter.parked.remove(task.stream)

    def holders(self) -> list[object]:
        """The streams on which records are queued."""
        return [record.stream for record in self.counter.unfinished_records()]

    def describe(self) -> str:
        """The wait in words."""
        return f"{self.counter.describe()} to be {CONDITIONS[self.mode][0]} {self.value} (it is {self.counter.count})"


class CountingNotify:
    """A counting notify of a device: 32 bits, 0 at first."""

    leaks_as: ClassVar[str] = "counting notify"

    def __init__(self, device: Device, notify_id: int, number: int, site: CallSite) -> None:
        self.device = device
        self.id = notify_id
        self.number = number
        self.site = site
        self.handle = 0
        self.count = 0
        self.parked: list[Stream] = []
        self.records: list[Task] = []

    def describe(self) -> str:
        """The notify in words."""
        return f"counting notify {self.number}"

    def kept_by_another(self) -> bool:
        """Nothing destroys it but the program."""
        return False

    def unfinished_records(self) -> list[Task]:
        """Records that are queued and not done."""
        self.records = [record for record in self.records if not record.done]
        return self.records

    def record(self, t: HostThread, stream: Stream, mode: int, value: int) -> None:
        """Queue a change of the count on *stream*."""

        def change(task: Task, time: int) -> None:
            self.count = CHANGES[mode](self.count, value)
            for observe in stream.hooks.signalled or ():
                observe(task, self, True)
            parked, self.parked = self.parked, []
            for waiter in parked:
                waiter.wake(time)

        task = stream.submit(t, Op("notify-record", self.device.sim.profile.costs.record_ns, change))
        self.records.append(task)
        if len(self.records) > 64:
            self.unfinished_records()

    def wait(self, t: HostThread, stream: Stream, gate: CountGate, timeout: int) -> None:
        """Make *stream* wait. *timeout* in ns, 0: none."""
        stream.submit(t, Op("notify-wait", self.device.sim.profile.costs.wait_ns, gate=gate, timeout=timeout))
