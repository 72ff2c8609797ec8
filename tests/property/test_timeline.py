"""Random programs under every schedule: the timeline's tracks, edges and counters agree with what ran."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.observers.observer import Observer
from ascend_sim.timeline.trace import Trace, Track

SCHEDULES = st.sampled_from(["virtual-time", "late", "early", "random(1)", "random(2)"])
SIZE = 1 << 16


@kernel
def touch(b: Block, x: gm.InOut[np.uint8], n: np.uint32) -> None:
    s = b.slice(n)
    x[s] = x[s]


STREAM = st.integers(0, 2)
STEP = st.one_of(
    st.tuples(st.just("copy in"), STREAM, st.integers(1, SIZE)),
    st.tuples(st.just("copy out"), STREAM, st.integers(1, SIZE)),
    st.tuples(st.just("set"), STREAM, st.integers(1, SIZE)),
    st.tuples(st.just("kernel"), STREAM, st.integers(1, 60)),
    st.tuples(st.just("record"), STREAM, st.integers(0, 2)),
    st.tuples(st.just("wait"), STREAM, st.integers(0, 2)),
    st.tuples(st.just("host"), STREAM, st.just(0)),
    st.tuples(st.just("sync"), STREAM, st.just(0)),
    st.tuples(st.just("query"), STREAM, st.just(0)),
    st.tuples(st.just("malloc"), STREAM, st.integers(1, SIZE)),
)


class Ran(Observer):
    """An independent witness of what ended when."""

    def __init__(self) -> None:
        self.ends: list[tuple[int, int]] = []

    def completed(self, task: Any, fault: Any) -> None:
        self.ends.append((task.stream.number, task.end))


def run(steps: list[tuple[str, int, int]]) -> None:
    assert C.aclrtSetDevice(0) == 0
    streams = [C.aclrtCreateStream()[0] for _ in range(3)]
    events = [C.aclrtCreateEventExWithFlag(1)[0] for _ in range(3)]
    host, device = C.aclrtMallocHost(SIZE)[0], C.aclrtMalloc(SIZE, 0)[0]
    for kind, number, value in steps:
        stream = streams[number]
        if kind == "copy in":
            C.aclrtMemcpyAsync(device, value, host, value, 1, stream)
        elif kind == "copy out":
            C.aclrtMemcpyAsync(host, value, device, value, 2, stream)
        elif kind == "set":
            C.aclrtMemsetAsync(device, value, 0, value, stream)
        elif kind == "kernel":
            touch[value, stream](device, SIZE)
        elif kind == "record":
            C.aclrtRecordEvent(events[value], stream)
        elif kind == "wait":
            C.aclrtStreamWaitEvent(stream, events[value])
        elif kind == "host":
            C.aclrtLaunchHostFunc(stream, lambda _: C.aclrtGetDevice(), None)
        elif kind == "sync":
            C.aclrtSynchronizeStream(stream)
        elif kind == "query":
            C.aclrtStreamQuery(stream)
        else:
            C.aclrtFree(C.aclrtMalloc(value, 0)[0])
    assert C.aclrtSynchronizeDevice() == 0


def check_tracks(trace: Trace, ends: list[tuple[int, int]]) -> None:
    found = []
    for track in trace.tracks:
        rows: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for s in track.slices:
            assert trace.start <= s.start <= s.end <= trace.end
            for row in range(s.depth, s.depth + s.rows):
                rows[row].append((s.start, s.end))
        for spans in rows.values():
            for (_, end), (start, _) in pairwise(spans):
                assert end <= start, f"two things at once in a row of {track.name}"
        if track.kind in ("engine", "cores"):
            assert max(rows) < track.rows, "no more than there are"
        if track.kind == "thread":
            check_nesting(track)
        if track.kind == "stream":
            found += [(track.number, s.end) for s in track.slices if s.category != "wait"]
    assert sorted(found) == sorted(ends)


def check_nesting(track: Track) -> None:
    for s in track.slices:
        if s.depth:
            assert any(o.depth == s.depth - 1 and o.start <= s.start and s.end <= o.end for o in track.slices), s


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, max_size=25), SCHEDULES)
def test_tracks_edges_and_counters_agree_with_what_ran(steps: list[tuple[str, int, int]], schedule: str) -> None:
    with Simulator(schedule=schedule, threads="deterministic", checks="none") as sim:
        witness, timeline = Ran(), sim.timeline()
        sim.attach(witness)
        run(steps)
        trace = timeline.trace()
        check_tracks(trace, witness.ends)
        for edge in trace.edges:
            assert edge.cause is not None and edge.effect is not None
            assert edge.cause in trace.tracks[edge.source].slices and edge.effect in trace.tracks[edge.to].slices
            if schedule == "virtual-time":
                assert edge.start <= edge.end
        (memory,) = [counter for counter in trace.counters if counter.name == "memory"]
        assert memory.points[-1][1] == sim.memory.arena(0).used
        assert json.dumps(timeline.trace_events()) == json.dumps(timeline.trace_events())
        assert timeline.text(80).isascii()
        str(sim.show())
