"""The timeline: slices match tasks and calls, arrows match waits, and copies and kernels overlap where they should."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.observers.timeline import FIRST_DEVICE, HOST, Timeline

MIB = 1 << 20
H2D, D2H = 1, 2


def _run(sim: Simulator) -> None:
    """A pipeline of two streams: while one computes (here: sets), the other copies."""
    assert C.aclrtSetDevice(0) == 0
    copies, work = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
    event = C.aclrtCreateEvent()[0]
    host, _ = C.aclrtMallocHost(4 * MIB)
    device, _ = C.aclrtMalloc(4 * MIB, 0)
    other, _ = C.aclrtMalloc(64 * MIB, 0)
    assert C.aclrtMemsetAsync(other, 64 * MIB, 1, 64 * MIB, work) == 0
    assert C.aclrtMemcpyAsync(device, 4 * MIB, host, 4 * MIB, H2D, copies) == 0
    assert C.aclrtRecordEvent(event, copies) == 0
    assert C.aclrtStreamWaitEvent(work, event) == 0
    assert C.aclrtMemsetAsync(device, 4 * MIB, 2, 4 * MIB, work) == 0
    assert C.aclrtSynchronizeDevice() == 0


def _traced() -> tuple[Timeline, Simulator]:
    with Simulator() as sim:
        timeline = Timeline()
        sim.attach(timeline)
        _run(sim)
    return timeline, sim


def _slices(timeline: Timeline, category: str) -> list[dict[str, Any]]:
    return [event for event in timeline.events if event["ph"] == "X" and event["cat"] == category]


def test_every_task_has_its_slice_and_they_do_not_overlap_on_a_stream() -> None:
    timeline, _ = _traced()
    tasks = _slices(timeline, "task")
    assert len(tasks) == 5
    for track in {event["tid"] for event in tasks}:
        ends = 0.0
        for event in sorted((e for e in tasks if e["tid"] == track), key=lambda e: e["ts"]):
            assert event["ts"] >= ends - 1e-9
            ends = event["ts"] + event["dur"]


def test_the_streams_of_a_pipeline_overlap() -> None:
    timeline, _ = _traced()
    tasks = _slices(timeline, "task")
    copy = next(e for e in tasks if "copy" in e["name"])
    first_set = min((e for e in tasks if e["tid"] != copy["tid"] and "set" in e["name"]), key=lambda e: e["ts"])
    assert first_set["ts"] < copy["ts"] + copy["dur"], "the first set begins while the copy runs"


def test_an_arrow_goes_from_the_record_to_the_wait() -> None:
    timeline, _ = _traced()
    starts = [e for e in timeline.events if e["ph"] == "s"]
    ends = [e for e in timeline.events if e["ph"] == "f"]
    assert len(starts) == len(ends) == 1
    assert starts[0]["id"] == ends[0]["id"]
    assert starts[0]["ts"] <= ends[0]["ts"]
    assert starts[0]["tid"] != ends[0]["tid"]


def test_calls_are_slices_of_their_thread_with_code_and_place() -> None:
    timeline, sim = _traced()
    calls = _slices(timeline, "call")
    assert {e["pid"] for e in calls} == {HOST}
    assert all(e["args"]["code"] == 0 and e["args"]["at"].startswith("test_timeline.py:") for e in calls)
    assert [e["name"] for e in calls][:2] == ["aclrtSetDevice", "aclrtCreateStream"]
    assert all(e["dur"] >= sim.host_call_ns / 1000 - 1e-9 for e in calls)


def test_memory_in_use_is_counted() -> None:
    timeline, _ = _traced()
    counts = [e["args"]["bytes"] for e in timeline.events if e["ph"] == "C"]
    assert counts == sorted(counts)
    assert counts[-1] >= 68 * MIB


def test_elapsed_time_of_events_is_the_length_in_the_trace() -> None:
    with Simulator() as sim:
        timeline = Timeline()
        sim.attach(timeline)
        assert C.aclrtSetDevice(0) == 0
        stream = C.aclrtCreateStream()[0]
        start, end = C.aclrtCreateEvent()[0], C.aclrtCreateEvent()[0]
        device, _ = C.aclrtMalloc(32 * MIB, 0)
        C.aclrtRecordEvent(start, stream)
        C.aclrtMemsetAsync(device, 32 * MIB, 0, 32 * MIB, stream)
        C.aclrtRecordEvent(end, stream)
        assert C.aclrtSynchronizeStream(stream) == 0
        milliseconds, code = C.aclrtEventElapsedTime(start, end)
    assert code == 0
    records = [e for e in _slices(timeline, "task") if e["name"] == "record"]
    between = (records[1]["ts"] + records[1]["dur"]) - (records[0]["ts"] + records[0]["dur"])
    assert np.isclose(milliseconds * 1000, between, atol=0.04), "the same clock, within two ticks of 20 ns"


def test_the_file_is_json_of_the_trace_event_format(tmp_path: Path) -> None:
    timeline, sim = _traced()
    path = tmp_path / "trace.json"
    timeline.save(path, sim)
    trace = json.loads(path.read_text(encoding="utf-8"))
    named = {(e["pid"], e.get("tid")) for e in trace["traceEvents"] if e["ph"] == "M"}
    for event in trace["traceEvents"]:
        assert event["ph"] in "XsfiCM"
        assert isinstance(event["pid"], int)
        if event["ph"] != "M":
            assert event["ts"] >= 0
        if event["ph"] == "X":
            assert (event["pid"], event["tid"]) in named
    assert {e["pid"] for e in trace["traceEvents"] if e["ph"] == "C"} == {FIRST_DEVICE}
