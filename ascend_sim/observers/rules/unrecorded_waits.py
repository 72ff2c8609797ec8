"""Waits for events that were never recorded: a mistake, or the first round of a loop that hands a buffer back.

In such a loop (wait until the buffer is free, fill it, hand it over; the other stream records that it is free) the record
comes after what the wait let through, and could not have come before. So it is told when the record comes, or never.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Site
from ascend_sim.observers.plain_findings import tells
from ascend_sim.runtime.event import IPC

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.event import Event
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["UnrecordedWaits"]


class _Wait:
    """A wait that did nothing: what is to say about it, and the streams that come after it by now."""

    __slots__ = ("after", "sites", "stream", "time", "title")

    def __init__(self, stream: Stream, title: str, sites: list[Site], time: int) -> None:
        self.stream = stream
        self.title = title
        self.sites = sites
        self.time = time
        self.after = {stream}


class UnrecordedWaits:
    """Those of one simulator whose event has not been recorded yet."""

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self._waits: dict[Event, list[_Wait]] = {}

    def host(self, t: HostThread, event: Any) -> None:
        """The host waits for *event*."""
        name = self._sim.names.event(event)
        title = f"{t.call} waits for {name}, which was never recorded: the call returns at once"
        self._report(title, self._sites(t, event, name), t.clock)

    def stream(self, t: HostThread, event: Event, stream: Stream) -> None:
        """*stream* is to wait for *event*."""
        name = self._sim.names.event(event)
        title = f"{self._sim.names.stream(stream)} waits for {name}, which was never recorded: the call does nothing"
        sites = self._sites(t, event, name)
        if event.family is IPC and event.shared is not None:  # another process may record it
            self._report(title, sites, t.clock)
        else:
            self._waits.setdefault(event, []).append(_Wait(stream, title, sites, t.clock))

    def follows(self, stream: Stream, record: Task) -> None:
        """*stream* waits for *record*: it comes after what that comes after."""
        for waits in self._waits.values():
            for wait in waits:
                if record.stream in wait.after:
                    wait.after.add(stream)

    def recorded(self, event: Event, stream: Stream) -> None:
        """*event* is recorded on *stream*, for the first time."""
        for wait in self._waits.pop(event, ()):
            if stream is wait.stream or stream not in wait.after:
                self._report(wait.title, wait.sites, wait.time)

    def at_end(self) -> None:
        """What has not been recorded by now never will be."""
        waits, self._waits = self._waits, {}
        for wait in (wait for of_event in waits.values() for wait in of_event):
            self._report(wait.title, wait.sites, wait.time)

    @staticmethod
    def _sites(t: HostThread, event: Any, name: str) -> list[Site]:
        return [Site("wait", "does nothing", t.site, primary=True), Site("alloc", f"{name} was made here", event.site)]

    @tells("unrecorded-wait", "warning")
    def _report(self, title: str, sites: list[Site], time: int) -> None:
        fix = "record the event before the wait"
        self._sim.report("unrecorded-wait", "warning", title, sites, fix=fix, time_ns=time)
