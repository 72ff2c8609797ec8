"""The timeline in the trace-event format of Chrome and Perfetto: open the file at ui.perfetto.dev or chrome://tracing.

The host is one process and every device another; their tracks are threads. Times are microseconds of virtual time.
"""

from __future__ import annotations

from typing import Any

from ascend_sim.timeline.labels import place_of, source_of
from ascend_sim.timeline.trace import HOST, Slice, Trace, Track

__all__ = ["process_of", "trace_events"]

_FIRST_DEVICE = 10
_FIRST_TRACK = {"thread": 0, "stream": 0, "engine": 1_000_000, "cores": 2_000_000}
_MOST_ON_CORES = 200_000
"""With more slices of single cores than that a kernel is shown on its first core only."""


def process_of(group: int) -> int:
    """The process number of the host or of a device."""
    return 1 if group == HOST else _FIRST_DEVICE + group


def trace_events(trace: Trace) -> dict[str, Any]:
    """The whole trace as plain values, ready for :func:`json.dump`."""
    events: list[dict[str, Any]] = []
    groups = sorted({track.group for track in trace.tracks} | {counter.group for counter in trace.counters})
    for order, group in enumerate(groups):
        process = process_of(group)
        events.append(_named(process, "process_name", name=trace.group_name(group)))
        events.append(_named(process, "process_sort_index", sort_index=order))
    many = sum(s.rows for track in trace.tracks if track.kind in ("engine", "cores") for s in track.slices)
    for track in trace.tracks:
        if track.kind in ("engine", "cores"):
            events += _slots(track, many <= _MOST_ON_CORES)
        else:
            events += _track(track)
    events += _flows(trace)
    for mark in trace.marks:
        track = trace.tracks[mark.track]
        finding = mark.finding
        site = finding.primary.points if finding.primary is not None else None
        arguments = {"title": finding.title, "at": place_of(site), "fix": finding.fix}
        events.append({
            "ph": "i", "s": "t", "pid": process_of(track.group), "tid": _number(track), "ts": mark.time / 1000,
            "cat": "finding", "name": f"{finding.id} {finding.severity}[{finding.kind}]", "args": arguments,
        })  # fmt: skip
    for counter in trace.counters:
        place = {"ph": "C", "pid": process_of(counter.group), "name": f"{counter.name} in use"}
        events += [{**place, "ts": time / 1000, "args": {"bytes": used}} for time, used, _, _ in counter.points]
    about = {"simulator": "ascend_sim", "profile": trace.profile, "seed": trace.seed, "schedule": trace.schedule}
    if trace.left_out:
        about["left_out"] = trace.left_out
    return {"traceEvents": events, "displayTimeUnit": "ns", "otherData": about}


def _named(process: int, what: str, thread: int | None = None, **arguments: Any) -> dict[str, Any]:
    place = {"pid": process} if thread is None else {"pid": process, "tid": thread}
    return {"ph": "M", "name": what, **place, "args": arguments}


def _number(track: Track, row: int = 0) -> int:
    first = _FIRST_TRACK[track.kind]
    return first + (track.number if first == 0 else track.number * 10_000 + row)


def _track(track: Track) -> list[dict[str, Any]]:
    process, thread = process_of(track.group), _number(track)
    events = [
        _named(process, "thread_name", thread, name=track.name.strip("`") if track.kind == "stream" else track.name),
        _named(process, "thread_sort_index", thread, sort_index=thread),
    ]
    events += [_slice(s, process, thread) for s in track.slices]
    return events


def _slots(track: Track, every: bool) -> list[dict[str, Any]]:
    """A track for each engine or core that was used, with what it did."""
    process = process_of(track.group)
    events: list[dict[str, Any]] = []
    used: set[int] = set()
    for s in track.slices:
        for row in range(s.depth, s.depth + (s.rows if every else 1)):
            used.add(row)
            events.append(_slice(s, process, _number(track, row)))
    one = track.name.removesuffix("s")
    for row in sorted(used):
        thread = _number(track, row)
        name = f"{one} {row}" if track.rows > 1 else track.name
        events.append(_named(process, "thread_name", thread, name=name))
        events.append(_named(process, "thread_sort_index", thread, sort_index=thread))
    return events


def _slice(s: Slice, process: int, thread: int) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for label, text in s.lines:
        key = label or "note"
        arguments[key] = f"{arguments[key]}; {text}" if key in arguments else text
    place = place_of(s.site)
    if place:
        arguments["at"] = place
        arguments["source"] = source_of(s.site)
    return {
        "ph": "X", "pid": process, "tid": thread, "ts": s.start / 1000, "dur": max(s.end - s.start, 0) / 1000,
        "cat": s.category, "name": s.name, "args": arguments,
    }  # fmt: skip


def _flows(trace: Trace) -> list[dict[str, Any]]:
    """Two events for each edge; a flow's name is what kind of edge it is."""
    events: list[dict[str, Any]] = []
    for number, edge in enumerate(trace.edges, 1):
        source, target = trace.tracks[edge.source], trace.tracks[edge.to]
        shared = {"cat": "edge", "name": edge.kind, "id": number}
        # An end binds to the slice around it, and a slice ends before its last moment.
        start = max(edge.start - 1, 0)
        for phase, track, time in (("s", source, start), ("f", target, max(edge.end, edge.start))):
            place = {"pid": process_of(track.group), "tid": _number(track), "ts": time / 1000}
            events.append({"ph": phase, **({"bp": "e"} if phase == "f" else {}), **place, **shared})
    return events
