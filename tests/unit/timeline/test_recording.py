"""The timeline: slices match tasks and calls, edges match waits, and copies and kernels overlap where they should."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang
from ascend_sim.observers.observer import Observer
from ascend_sim.timeline import Timeline
from ascend_sim.timeline.trace import Slice, Trace, Track

MIB = 1 << 20


def streams_of(trace: Trace) -> list[Track]:
    return [track for track in trace.tracks if track.kind == "stream"]


def tasks_of(track: Track) -> list[Slice]:
    return [s for s in track.slices if s.category not in ("wait", "pending")]


def overlap(one: list[Slice], other: list[Slice]) -> int:
    """Virtual ns in which both do something."""
    return sum(max(0, min(a.end, b.end) - max(a.start, b.start)) for a in one for b in other)


class Ended(Observer):
    """What the hooks say of every task: an independent witness."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def completed(self, task: Any, fault: Any) -> None:
        self.seen.append((task.stream.number, task.end))


def test_every_task_has_its_slice_and_they_do_not_overlap_on_a_stream(pipeline: Callable[..., float]) -> None:
    with Simulator(checks="none") as sim:
        witness, timeline = Ended(), sim.timeline()
        sim.attach(witness)
        pipeline()
        trace = timeline.trace()
    found = [(track.number, s.end) for track in streams_of(trace) for s in tasks_of(track)]
    assert sorted(found) == sorted(witness.seen)
    assert trace.tasks == len(witness.seen) == 6 * (2 + 2) + 2
    for track in streams_of(trace):
        ends = 0
        for s in track.slices:
            assert s.start >= ends
            ends = s.end


def test_a_pipeline_of_two_streams_overlaps_copies_and_kernels(pipeline: Callable[..., float]) -> None:
    lengths, traces = {}, {}
    for streams in (1, 2):
        with Simulator(checks="none") as sim:
            timeline = sim.timeline()
            lengths[streams] = pipeline(streams)
            traces[streams] = timeline.trace()
    one = streams_of(traces[1])[0].slices
    kernels = [s for s in one if s.category == "kernel"]
    copies = [s for s in one if s.category.startswith("copy")]
    assert overlap(kernels, copies) == 0, "one stream does one thing after the other"
    first, second = streams_of(traces[2])
    copies = [s for s in first.slices if s.category == "copy in"]
    kernels = [s for s in second.slices if s.category == "kernel"]
    assert len(copies) == len(kernels) == 6
    copy, kernel = (s.end - s.start for s in (copies[0], kernels[0]))
    assert copy > kernel, "the copies are what takes long"
    assert overlap(kernels, copies) == 5 * kernel, "every kernel but the last one runs behind the next copy"
    late = 1000 - 100  # the first copy is submitted one call after the first record, which takes 100 ns
    fixed = late + 6 * 100 + 100 + 100  # the records on the way, the last wait and the last record
    assert np.isclose(lengths[2] * 1e6, 6 * copy + kernel + fixed, atol=40), "only the last kernel is not hidden"
    assert np.isclose(lengths[1] * 1e6, 6 * (copy + kernel) + late + 100, atol=40), "nothing is hidden in one stream"


def test_elapsed_time_of_events_is_the_length_in_the_trace(pipeline: Callable[..., float]) -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        milliseconds = pipeline()
        trace = timeline.trace()
    marks = {s.name: s.end for track in streams_of(trace) for s in track.slices if s.category == "mark"}
    assert np.isclose(milliseconds * 1e6, marks["record `stop`"] - marks["record `start`"], atol=40), (
        "two ticks of 20 ns"
    )


def test_costs_are_formulas_that_add_up(recorded: Timeline) -> None:
    profile = recorded.sim.profile
    trace = recorded.trace()
    copy = next(s for track in streams_of(trace) for s in track.slices if s.category == "copy in")
    assert dict(copy.lines)["cost"] == "4 us + 2097152 B / 25 B/ns = 87.886 us"
    assert copy.end - copy.start == 87_886
    kernel = next(s for track in streams_of(trace) for s in track.slices if s.category == "kernel")
    took = 120_000 * 1000 // profile.cube_mhz + 3000
    assert dict(kernel.lines)["cost"] == f"3 us + 120000 cycles / {profile.cube_mhz} MHz = {took / 1000:.3f} us"
    assert kernel.end - kernel.start == took
    record = next(s for track in streams_of(trace) for s in track.slices if s.name.startswith("record"))
    assert dict(record.lines)["cost"] == "100 ns, the profile's record_ns"


def test_an_edge_goes_from_the_record_to_the_wait(recorded: Timeline) -> None:
    trace = recorded.trace()
    edges = [edge for edge in trace.edges if edge.kind == "event"]
    assert len(edges) == 6
    for n, edge in enumerate(edges, 1):
        assert edge.cause is not None and edge.effect is not None
        assert (edge.cause.name, edge.effect.name) == (f"record `arrived#{n}`", f"wait `arrived#{n}`")
        assert edge.cause.end == edge.start <= edge.end == edge.effect.start
        assert edge.source != edge.to


def test_notifies_flags_and_values_have_edges_too() -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        a, b = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
        bell, _ = C.aclrtCreateNotify(0)
        flag, _ = C.aclrtCreateEventWithFlag(1)
        word, _ = C.aclrtMalloc(64, 0)
        C.aclrtMemset(word, 64, 0, 64)
        C.aclrtWaitAndResetNotify(bell, b, 0)
        C.aclrtStreamWaitEvent(b, flag)
        C.aclrtValueWait(word, 7, 1, b)
        C.aclrtRecordNotify(bell, a)
        C.aclrtRecordEvent(flag, a)
        C.aclrtValueWrite(word, 7, 0, a)
        C.aclrtSynchronizeDevice()
        trace = timeline.trace()
    edges = {edge.kind: edge for edge in trace.edges if edge.kind in ("notify", "flag", "value")}
    assert {kind: edge.cause and edge.cause.name for kind, edge in edges.items()} == {
        "notify": "record `bell`", "flag": "record `flag`", "value": "value-write",
    }  # fmt: skip
    assert all(edge.start <= edge.end and edge.source != edge.to for edge in edges.values())


def test_a_wait_of_the_host_has_an_edge_from_what_it_waited_for(recorded: Timeline) -> None:
    trace = recorded.trace()
    edges = [edge for edge in trace.edges if edge.kind == "sync"]
    assert edges
    for edge in edges:
        assert edge.effect is not None and edge.effect.name == "aclrtSynchronizeDevice"
        assert edge.effect.category == "sync"
        assert edge.effect.start <= edge.end <= edge.effect.end


def test_calls_are_slices_with_their_place_and_code(pipeline: Callable[..., float]) -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        C.aclrtSynchronizeStream(1234)
        trace = timeline.trace()
    (thread,) = trace.tracks
    assert [s.name for s in thread.slices] == ["aclrtSetDevice", "aclrtSynchronizeStream"]
    lines = dict(thread.slices[1].lines)
    assert lines["returned"] == "107017" and "0x4d2 is no live stream" in lines["note"]
    assert thread.slices[1].fault and not thread.slices[0].fault
    assert all(s.end - s.start >= sim.host_call_ns for s in thread.slices)


def test_callbacks_lie_inside_the_call_that_serves_them() -> None:
    import threading

    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        stream, _ = C.aclrtCreateStream()
        C.aclrtSubscribeReport(threading.get_ident(), stream)
        C.aclrtLaunchCallback(lambda _: C.aclrtGetDevice(), None, 1, stream)
        assert C.aclrtProcessReport(1000) == 0
        C.aclrtUnSubscribeReport(threading.get_ident(), stream)
        trace = timeline.trace()
    (thread,) = [track for track in trace.tracks if track.kind == "thread"]
    inside = {s.name: s.depth for s in thread.slices}
    assert (inside["aclrtProcessReport"], inside["callback"], inside["aclrtGetDevice"]) == (0, 1, 2)
    (edge,) = [edge for edge in trace.edges if edge.kind == "callback"]
    assert edge.effect is not None and edge.effect.name == "callback"


def test_memory_in_use_goes_up_and_down() -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        first, _ = C.aclrtMalloc(4 * MIB, 0)
        C.aclrtMalloc(2 * MIB, 0)
        C.aclrtFree(first)
        C.aclrtMallocHost(MIB)
        free, total, _ = C.aclrtGetMemInfo(1)
        trace = timeline.trace()
    counters = {counter.name: [used for _, used, _, _ in counter.points] for counter in trace.counters}
    assert len(counters["memory"]) == 4
    assert counters["memory"][-1] == total - free
    assert counters["memory"][0] == 0 and counters["memory"][2] == max(counters["memory"])
    assert counters["pinned memory"][-1] >= MIB


def test_kernels_hold_the_cores_that_they_asked_for(recorded: Timeline) -> None:
    trace = recorded.trace()
    (cores,) = [track for track in trace.tracks if track.kind == "cores"]
    assert cores.rows == recorded.sim.profile.vector_slots
    assert {s.rows for s in cores.slices} == {8}
    for a in cores.slices:
        for b in cores.slices:
            if a is not b and a.start < b.end and b.start < a.end:
                assert a.depth + a.rows <= b.depth or b.depth + b.rows <= a.depth, "two kernels on one core"


def test_a_hang_shows_in_the_call_that_never_returned() -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        worker, _ = C.aclrtCreateStream()
        ready, _ = C.aclrtCreateEventWithFlag(1)
        C.aclrtStreamWaitEvent(worker, ready)
        with pytest.raises(SimulatedHang):
            C.aclrtSynchronizeStream(worker)
        trace = timeline.trace()
    hang = [s for track in trace.tracks for s in track.slices if s.category == "pending"]
    assert [s.name for s in hang] == ["aclrtSynchronizeStream hangs", "waits for the flag of `ready`"]
    (mark,) = trace.marks
    assert mark.finding.kind == "deadlock"
    assert trace.tracks[mark.track].name == "`worker`"


def test_a_hang_that_a_time_limit_ends_is_a_call_that_returned() -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        worker, _ = C.aclrtCreateStream()
        ready, _ = C.aclrtCreateEventWithFlag(1)
        C.aclrtStreamWaitEvent(worker, ready)
        code = C.aclrtSynchronizeStreamWithTimeout(worker, 1)
        trace = timeline.trace()
    assert [mark.finding.kind for mark in trace.marks] == ["deadlock"]
    calls = [s for track in trace.tracks for s in track.slices if s.name.startswith("aclrtSynchronizeStream")]
    assert [s.category for s in calls] == ["call"]
    lines = dict(calls[0].lines)
    assert lines["returned"] == str(code) and calls[0].end - calls[0].start >= 1_000_000


def test_findings_are_marked_on_the_stream_where_they_happened(pipeline: Callable[..., float]) -> None:
    with Simulator(checks="races") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        left, right = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
        block, _ = C.aclrtMalloc(4096, 0)
        C.aclrtMemsetAsync(block, 4096, 1, 4096, left)
        C.aclrtMemsetAsync(block, 4096, 2, 4096, right)
        C.aclrtSynchronizeDevice()
        trace = timeline.trace()
    (mark,) = trace.marks
    assert mark.finding.kind == "race"
    assert trace.tracks[mark.track].name in ("`left`", "`right`")
    assert trace.start <= mark.time <= trace.end


def test_what_is_recorded_keeps_nothing_of_the_program_alive() -> None:
    class Payload:
        pass

    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        stream, _ = C.aclrtCreateStream()
        payload = Payload()
        alive = weakref.ref(payload)
        C.aclrtLaunchHostFunc(stream, lambda _: None, payload)
        C.aclrtSynchronizeStream(stream)
        C.aclrtLaunchHostFunc(stream, lambda _: None, 1)
        C.aclrtSynchronizeStream(stream)
        del payload
        gc.collect()
        assert alive() is None
        assert timeline.trace().tasks == 2


def test_recording_changes_nothing(pipeline: Callable[..., float]) -> None:
    times = []
    for on in (False, True):
        with Simulator(checks="all") as sim:
            if on:
                sim.timeline()
            times.append((pipeline(), sim.time_ns(), [f.kind for f in sim.findings]))
    assert times[0] == times[1]


def test_without_a_timeline_nobody_listens() -> None:
    with Simulator(checks="none") as sim:
        assert sim.hooks.api_returned is None and sim.hooks.completed is None and not sim.watched
        timeline = sim.timeline()
        assert sim.timeline() is timeline
        assert sim.hooks.completed is not None
        sim.detach(timeline)
        assert sim.hooks.api_returned is None and sim.hooks.completed is None and not sim.watched


def test_streams_of_a_loop_keep_their_ordinals_after_they_were_destroyed(pipeline: Callable[..., float]) -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        event, _ = C.aclrtCreateEvent()
        made = [C.aclrtCreateStream()[0] for _ in range(3)]
        for stream in made:
            C.aclrtRecordEvent(event, stream)
        C.aclrtSynchronizeDevice()
        for stream in made:
            C.aclrtDestroyStream(stream)
    assert [track.name for track in streams_of(timeline.trace())] == ["`made#1`", "`made#2`", "`made#3`"]
