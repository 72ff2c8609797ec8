"""The model behind the pictures: tracks with slices, edges between them, marks of findings, counters of memory."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.findings.languages import ENGLISH, translated

if TYPE_CHECKING:
    from ascend_sim.findings.finding import Finding

__all__ = ["CATEGORIES", "HOST", "Counter", "Edge", "Mark", "Slice", "Trace", "Track", "counted"]

HOST = -1
"""The group of the host's tracks; devices have their own number."""

CATEGORIES = (
    "call", "sync", "callback", "range", "copy in", "copy out", "copy", "kernel", "operator", "mark", "wait", "pending",
)  # fmt: skip
"""What a slice is: an API call, a call that waited for a stream, a callback; a range that the
program named (msproftx); host to device, device to host, other
copies and sets; kernels, operators and models; records and other tasks without length; a stream that waits; what never
came."""

_GAP = 0.7
"""A gap of this share of the time leaves too little to see of what is on its sides."""


def counted(tasks: int, calls: int) -> str:
    """``1 task, 8 calls``."""
    return f"{tasks} task{'s' if tasks != 1 else ''}, {calls} call{'s' if calls != 1 else ''}"


@attrs.define
class Slice:
    """A stretch of virtual time (ns) on a track. *depth* counts what it lies inside of; on tracks of cores it is the
    first core, and *rows* how many there are. *lines* are (label, value) pairs that explain it.
    """

    start: int
    end: int
    name: str
    category: str
    site: Any = None
    lines: tuple[tuple[str, str], ...] = ()
    depth: int = 0
    rows: int = 1
    fault: bool = False


@attrs.define
class Track:
    """A line of the picture. *kind*: ``thread``, ``stream``, ``engine`` or ``cores``; *group*: the device, or HOST."""

    kind: str
    group: int
    number: int
    name: str
    slices: list[Slice] = attrs.field(factory=list)
    rows: int = 1
    """How deep calls lie in each other, or how many cores there are."""


@attrs.define
class Edge:
    """Something on track *to* could go on at time *end* because of what ended at time *start* on track *source*.

    *kind*: ``event``, ``flag``, ``notify``, ``value``, ``sync`` (a thread waited), ``callback``,
    ``replay`` (the execution of a graph and a lane of it: from what *began* then) or ``submit``. Tracks are numbers in
    :attr:`Trace.tracks`.
    """

    kind: str
    source: int
    start: int
    to: int
    end: int
    name: str = ""
    cause: Slice | None = None
    effect: Slice | None = None
    """The slices at both ends, where they are known."""


@attrs.define
class Mark:
    """A finding, at its time, on a track (number in :attr:`Trace.tracks`)."""

    time: int
    track: int
    finding: Finding


@attrs.define
class Counter:
    """Memory in use over time: (time, bytes, what happened then)."""

    name: str
    group: int
    points: list[tuple[int, int, str, Any]] = attrs.field(factory=list)


@attrs.define
class Trace:
    """All of a timeline. Times are virtual nanoseconds."""

    profile: str
    devices: int
    seed: int
    schedule: str
    start: int = 0
    end: int = 0
    """Where the picture ends."""
    last: int = 0
    """When the last thing happened."""
    tracks: list[Track] = attrs.field(factory=list)
    edges: list[Edge] = attrs.field(factory=list)
    marks: list[Mark] = attrs.field(factory=list)
    counters: list[Counter] = attrs.field(factory=list)
    tasks: int = 0
    calls: int = 0
    """Of the whole run, those that are left out included."""
    left_out: str = ""
    """What was too much to keep, in words; empty when everything is shown."""
    program: str = ""
    language: str = ENGLISH
    """Of its texts (`speech.spoken`)."""

    def said(self, text: str) -> str:
        """*text*, of a form that shows the trace, in its language."""
        return translated(text, self.language)

    def group_name(self, group: int) -> str:
        """``host`` or ``device 0``."""
        return self.said("host" if group == HOST else f"device {group}")

    def count(self) -> str:
        """``1 task, 8 calls``."""
        return self.said(counted(self.tasks, self.calls))

    def busiest(self) -> tuple[int, int]:
        """The part of virtual time (ns) to look at first: all of it, or the fuller side of gaps in which nothing happens.

        A time-out of a second behind a millisecond of work would leave nothing to see.
        """
        times = [
            time for track in self.tracks if track.kind in ("thread", "stream") for s in track.slices
            for time in (s.start, s.end)
        ]  # fmt: skip
        times = sorted([*times, *(mark.time for mark in self.marks)])
        while len(times) > 2:
            wide, at = max((b - a, i) for i, (a, b) in enumerate(pairwise(times), 1))
            if wide < (times[-1] - times[0]) * _GAP:
                break
            times = times[:at] if at * 2 >= len(times) else times[at:]
        low, high = (times[0], times[-1]) if times else (self.start, self.end)
        if (high - low) > (self.end - self.start) * (1 - _GAP):
            return self.start, self.end
        room = max((high - low) // 12, 1)
        return max(low - room, self.start), min(high + room, self.end)
