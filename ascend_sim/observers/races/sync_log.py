"""The latest calls that order streams, for reports: records, waits and what they were bound to, synchronisations."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from ascend_sim.observers.races.vector_clocks import known_to
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.observers.races.happens_before import HappensBefore
    from ascend_sim.observers.races.vector_clocks import HostClock
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["SyncCall", "SyncLog"]

KEPT = 512
"""Calls that are remembered; older ones are rarely what a report needs."""


class SyncCall:
    """One call: *name* is ``record``, ``wait`` or ``reset``; *host* and *q* say where its submitter was."""

    __slots__ = ("host", "name", "q", "record", "site", "stream", "task", "thing")

    def __init__(self, entry: tuple[Any, ...], clocks: HappensBefore) -> None:
        self.name: str
        self.task: Task | None
        self.record: Task | None
        self.stream: Stream
        self.host: HostClock
        self.q: int
        if len(entry) == 2:
            self.thing, task = entry
            self.name, self.task, self.record = "record", task, None
            self.stream, self.site = task.stream, task.site
            self.host, self.q = clocks.host(task.thread), task.q
            return
        self.name, self.thing, self.stream, self.task, self.record, self.site, self.host, self.q = entry
        if self.name == "wait" and self.task is not None and self.record is None:
            gate = self.task.op.gate  # a flag: the record that the event had then
            self.record = getattr(getattr(gate, "event", None), "latest", None)

    def before(self, task: Task) -> bool:
        """Whether the program fixes that the call came before the submit of *task*."""
        if task.thread.knows is self.host:
            return self.q < task.q
        return known_to(task.know, self.host.c, self.q)


class SyncLog:
    """A ring of the latest calls of one simulator."""

    def __init__(self, clocks: HappensBefore) -> None:
        self.clocks = clocks
        self.calls: deque[tuple[Any, ...]] = deque(maxlen=KEPT)
        """What `SyncCall` takes, appended by the detector: of records (event, task), of others all that it holds."""
        self._waits: dict[tuple[int, Stream], tuple[Any, int]] = {}
        self._latest: Any = None
        self._made: list[SyncCall] = []
        self._by_task: dict[Task, SyncCall] = {}

    def waited(self, t: HostThread, stream: Stream) -> None:
        """*t* has waited for *stream*."""
        self._waits[t.number, stream] = (t.site, self.clocks.host(t).q)
        if len(self._waits) > KEPT:
            del self._waits[next(iter(self._waits))]

    def last_wait(self, t: HostThread, stream: Stream) -> tuple[Any, int] | None:
        """(site, number) of the last time that *t* waited for *stream*."""
        return self._waits.get((t.number, stream))

    def clock_of(self, who: Any) -> HostClock:
        """The clock of the thread that submitted a task, or made a host call."""
        return self.clocks.host(who.thread)

    def called_before(self, one: Any, other: Any) -> bool:
        """Whether the program fixes that *one*, a task or a host call, was submitted or made before *other*."""
        host = self.clock_of(one)
        if host is self.clock_of(other):
            return bool(one.q < other.q)
        knew = other.know if isinstance(other, Task) else other.view
        return known_to(knew, host.c, one.q)

    def all(self) -> list[SyncCall]:
        """All calls that are remembered, oldest first."""
        self._read()
        return self._made

    def of(self, stream: Stream) -> list[SyncCall]:
        """Those that queued something on *stream*, or would have."""
        return [call for call in self.all() if call.stream is stream]

    def call_of(self, record: Task | None) -> SyncCall | None:
        """The call that queued *record*."""
        self._read()
        return self._by_task.get(record) if record is not None else None

    def _read(self) -> None:
        """Make objects of the entries; a report asks many times, and nothing is called meanwhile."""
        latest = self.calls[-1] if self.calls else None
        if latest is not self._latest or len(self._made) != len(self.calls):
            self._latest = latest
            self._made = [SyncCall(entry, self.clocks) for entry in self.calls]
            self._by_task = {call.task: call for call in self._made if call.task is not None}
            if len(self._made) < KEPT:
                self._pair_notifies()

    def _pair_notifies(self) -> None:
        """A wait for a notify takes one record: for reports the n-th takes the n-th, as they were called."""
        records: dict[Any, list[Task | None]] = {}
        waits: dict[Any, list[SyncCall]] = {}
        for call in self._made:
            if hasattr(call.thing, "notify_id"):
                if call.name == "record":
                    records.setdefault(call.thing, []).append(call.task)
                elif call.name == "wait":
                    waits.setdefault(call.thing, []).append(call)
        for notify, calls in waits.items():
            for call, record in zip(calls, records.get(notify, ()), strict=False):
                call.record = record
