"""The JSON is in the trace-event format of Chrome and Perfetto, and its slices are the tasks.

The format is checked by the rules of its description, not by a viewer: the trace processor is a program of its own, which
the Python package of that name would have to download.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.timeline import Timeline
from ascend_sim.timeline.trace_events import process_of

REQUIRED = {
    "X": {"name", "cat", "pid", "tid", "ts", "dur", "args"}, "M": {"name", "pid", "args"},
    "C": {"name", "pid", "ts", "args"}, "i": {"name", "cat", "pid", "tid", "ts", "s"},
    "s": {"name", "cat", "id", "pid", "tid", "ts"}, "f": {"name", "cat", "id", "pid", "tid", "ts", "bp"},
}  # fmt: skip
METADATA = {"process_name", "process_sort_index", "thread_name", "thread_sort_index"}


def check_format(trace: dict[str, Any]) -> None:
    """What a viewer relies on: fields and their types, names of tracks, nesting, both ends of a flow inside a slice."""
    assert trace["displayTimeUnit"] in ("ns", "ms")
    assert isinstance(trace["otherData"], dict)
    tracks: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    named, flows, processes = set(), defaultdict(list), set()
    for event in trace["traceEvents"]:
        phase = event["ph"]
        assert REQUIRED[phase] <= event.keys(), event
        assert isinstance(event["pid"], int) and isinstance(event.get("tid", 0), int)
        if phase == "M":
            assert event["name"] in METADATA
            named.add((event["pid"], event.get("tid")))
            processes.add(event["pid"])
            continue
        assert isinstance(event["ts"], (int, float)) and event["ts"] >= 0
        if phase == "X":
            assert event["dur"] >= 0
            start = round(event["ts"] * 1000)
            tracks[event["pid"], event["tid"]].append((start, start + round(event["dur"] * 1000)))
        elif phase == "C":
            assert all(isinstance(value, (int, float)) and value >= 0 for value in event["args"].values())
        elif phase in "sf":
            flows[event["id"]].append(event)
        elif phase == "i":
            assert event["s"] in ("t", "p", "g")
    for track, spans in tracks.items():
        assert track in named and track[0] in processes
        open_: list[int] = []
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            while open_ and open_[-1] <= start:
                open_.pop()
            assert not open_ or end <= open_[-1], f"slices of {track} overlap without nesting"
            open_.append(end)
    for ends in flows.values():
        assert [event["ph"] for event in ends] == ["s", "f"]
        assert ends[0]["ts"] <= ends[1]["ts"]
        for event in ends:
            spans = tracks[event["pid"], event["tid"]]
            time = round(event["ts"] * 1000)
            assert any(start <= time <= end for start, end in spans), f"a flow ends beside all slices: {event}"


def test_the_trace_follows_the_format(recorded: Timeline) -> None:
    trace = recorded.trace_events()
    check_format(json.loads(json.dumps(trace)))
    assert {event["ph"] for event in trace["traceEvents"]} == set("XMCsf")


def test_slices_match_the_tasks(recorded: Timeline) -> None:
    streams = {track.number for track in recorded.trace().tracks if track.kind == "stream"}
    events = recorded.trace_events()["traceEvents"]
    found = sorted(
        (event["tid"], event["ts"], event["dur"])
        for event in events
        if event["ph"] == "X" and event["pid"] == process_of(0) and event["tid"] in streams and event["cat"] != "wait"
    )
    ran = sorted((task.stream.number, task.start / 1000, (task.end - task.start) / 1000) for task in recorded.tasks)
    assert found == ran


def test_every_core_has_a_track_of_its_own(recorded: Timeline) -> None:
    events = recorded.trace_events()["traceEvents"]
    names = [event["args"]["name"] for event in events if event["name"] == "thread_name"]
    assert [name for name in names if name.startswith("vector core")] == [f"vector core {n}" for n in range(8)]
    assert {"copies", "work", "copy engine H2D 0", "T0 (main)"} <= set(names)


def test_flows_say_what_kind_of_edge_they_are(recorded: Timeline) -> None:
    events = recorded.trace_events()["traceEvents"]
    kinds = [event["name"] for event in events if event["ph"] == "s"]
    assert kinds.count("event") == 6
    assert kinds.count("submit") == len(list(recorded.tasks))


def test_an_execution_of_a_graph_has_an_arrow_to_each_of_its_lanes() -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        assert C.aclrtSetDevice(0) == 0
        (s, _), (t, _), (u, _) = C.aclrtCreateStream(), C.aclrtCreateStream(), C.aclrtCreateStream()
        forks, joins = C.aclrtCreateEventExWithFlag(1)[0], C.aclrtCreateEventExWithFlag(1)[0]
        x = C.aclrtMalloc(64, 0)[0]
        C.aclmdlRICaptureBegin(s, 2)
        C.aclrtMemsetAsync(x, 64, 1, 64, s)
        C.aclrtRecordEvent(forks, s)
        C.aclrtStreamWaitEvent(t, forks)
        C.aclrtMemsetAsync(x, 64, 2, 64, t)
        C.aclrtRecordEvent(joins, t)
        C.aclrtStreamWaitEvent(s, joins)
        model, _ = C.aclmdlRICaptureEnd(s)
        for _ in range(2):
            C.aclmdlRIExecuteAsync(model, u)
        C.aclrtSynchronizeStream(u)
        trace = timeline.trace()
        arrows = [edge for edge in trace.edges if edge.kind == "replay"]
        names = [(trace.tracks[edge.source].name, trace.tracks[edge.to].name) for edge in arrows]
        assert names == [("`u`", "`s in graph 1`"), ("`u`", "`t in graph 1`")] * 2
        for edge in arrows:
            assert edge.cause is not None and edge.effect is not None
            assert edge.cause.name == "graph" and edge.cause.start <= edge.effect.start <= edge.cause.end
        check_format(json.loads(json.dumps(timeline.trace_events())))
        assert timeline.html().count('"replay"') >= 1


def test_the_formula_is_in_the_arguments(recorded: Timeline) -> None:
    events = recorded.trace_events()["traceEvents"]
    copy = next(event for event in events if event["name"] == "copy H2D 2 MiB" and "cost" in event["args"])
    assert copy["args"]["cost"] == "4 us + 2097152 B / 25 B/ns = 87.886 us"
    assert copy["args"]["at"].startswith("conftest.py:")
    assert "aclrtMemcpyAsync" in copy["args"]["source"]


def test_the_end_of_the_name_says_the_form(recorded: Timeline, tmp_path: Path) -> None:
    recorded.save(tmp_path / "run.json")
    check_format(json.loads((tmp_path / "run.json").read_text(encoding="utf-8")))
    recorded.save(tmp_path / "run.txt")
    assert (tmp_path / "run.txt").read_text(encoding="utf-8") == recorded.text() + "\n"


def test_a_run_of_nothing_is_a_trace_as_well() -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        check_format(timeline.trace_events())
        assert timeline.text()
        assert "<html" in timeline.html()
