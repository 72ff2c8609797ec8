"""Capture: what is recorded, who joins, how it ends (docs/semantics/graphs.md)."""

import ctypes

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.catalogue.functions import functions
from tests.kit.calls import in_thread

GLOBAL, THREAD_LOCAL, RELAXED = range(3)
SYNC = 1
D2H, D2D = 2, 3


def test_what_is_captured_runs_with_the_replay_and_not_before(world):
    s, u = world.streams(2)
    a = world.memory()
    world.capture(s)
    world.fill(a, 7, s)
    model = world.end(s)
    world.must(C.aclrtSynchronizeStream(s))
    assert world.peek(a) == 0
    world.run(model, u)
    assert world.peek(a) == 7
    world.must(C.aclmdlRIDestroy(model))
    assert C.aclmdlRIDestroy(model) == 107017
    assert world.kinds() == []


def test_a_joined_stream_is_part_of_the_graph(world):
    s, joins, u = world.streams(3)
    a, b = world.memory(), world.memory()
    world.capture(s)
    world.fill(a, 3, s)
    world.edge(s, joins)
    world.must(C.aclrtMemcpyAsync(b, 64, a, 64, D2D, joins))
    world.edge(joins, s)
    world.fill(a, 4, s)
    model = world.end(s)
    world.run(model, u, 3)
    assert (world.peek(a), world.peek(b)) == (4, 3)
    assert world.kinds() == [], "forks and joins order the tasks, and so does the launching stream"


def test_pinned_memory_is_read_when_the_graph_runs(world):
    s = world.stream()
    a, host = world.memory(), world.must(C.aclrtMallocHost(64))
    world.capture(s)
    world.must(C.aclrtMemcpyAsync(a, 64, host, 64, 1, s))
    model = world.end(s)
    for value in (1, 2):
        ctypes.memset(host, value, 64)
        world.run(model, s)
        assert world.peek(a) == value


def test_the_life_of_a_capture(world):
    s = world.stream()
    assert C.aclmdlRICaptureGetInfo(s) == (0, 0, 0)
    world.capture(s, GLOBAL)
    status, model, _ = C.aclmdlRICaptureGetInfo(s)
    assert status == 1 and model
    assert C.aclmdlRIExecuteAsync(model, world.stream()) == 107026
    assert C.aclmdlRIDestroy(model) == 107026
    assert world.end(s) == model
    assert C.aclmdlRICaptureGetInfo(s) == (0, 0, 0)
    world.run(model, s)


def test_begin_and_end_in_the_wrong_place(world):
    s, joins = world.streams(2)
    default = world.must(C.aclrtCtxGetCurrentDefaultStream())
    assert C.aclmdlRICaptureBegin(None, GLOBAL) == 100000
    assert C.aclmdlRICaptureBegin(default, GLOBAL) == 207000
    assert C.aclmdlRICaptureBegin(s, 3) == 107000
    assert C.aclmdlRICaptureEnd(s) == (0, 107029)
    world.capture(s, GLOBAL)
    assert C.aclmdlRICaptureBegin(s, GLOBAL) == 107027
    world.edge(s, joins)
    assert C.aclmdlRICaptureBegin(joins, GLOBAL) == 107027
    assert C.aclmdlRICaptureEnd(joins) == (0, 107036)

    def end_elsewhere():
        C.aclrtSetDevice(0)
        return C.aclmdlRICaptureEnd(s)

    assert in_thread(end_elsewhere) == (0, 107038)
    assert C.aclmdlRICaptureEnd(s) == (0, 107029)
    assert world.kinds() == ["capture-rule"] * 4


@pytest.mark.parametrize("late_work", [False, True])
def test_a_stream_that_does_not_lead_back(world, late_work):
    s, joins = world.streams(2)
    a = world.memory()
    world.capture(s)
    world.edge(s, joins)
    world.fill(a, 1, joins)
    if late_work:
        world.edge(joins, s)
        world.fill(a, 2, joins)
    assert C.aclmdlRICaptureEnd(s) == (0, 107025)
    assert C.aclmdlRICaptureEnd(s) == (0, 107029)
    assert C.aclmdlRICaptureGetInfo(joins) == (0, 0, 0)


def test_two_captures_that_touch_are_both_broken(world):
    s, u = world.streams(2)
    event = world.event()
    world.capture(s)
    world.capture(u)
    world.must(C.aclrtRecordEvent(event, s))
    assert C.aclrtStreamWaitEvent(u, event) == 107032
    for stream in (s, u):
        assert C.aclmdlRICaptureGetInfo(stream)[0] == 2
        assert C.aclmdlRICaptureEnd(stream) == (0, 507903)


def test_replays_on_two_streams_race(world):
    s, u = world.streams(2)
    a = world.memory()
    world.capture(s)
    world.fill(a, 7, s)
    model = world.end(s)
    world.must(C.aclmdlRIExecuteAsync(model, s))
    world.must(C.aclmdlRIExecuteAsync(model, u))
    world.must(C.aclrtSynchronizeDevice())
    assert world.kinds() == ["race"]


def test_what_nothing_orders_inside_a_graph_races_at_each_replay(world):
    s, joins = world.streams(2)
    a = world.memory()
    world.capture(s)
    world.edge(s, joins)
    world.fill(a, 1, joins)
    world.fill(a, 2, s)
    world.edge(joins, s)
    world.run(world.end(s), s, 2)
    assert world.kinds() == ["race"]


def test_functions_that_the_catalogue_calls_unsafe_are_refused(world):
    a, b, host = world.memory(), world.memory(), world.must(C.aclrtMallocHost(64))
    inputs = {
        "aclrtMemcpy": (a, 64, b, 64, D2D),
        "aclrtMemset": (a, 64, 1, 64),
        "aclrtMemcpy2d": (a, 32, host, 32, 8, 2, 1),
    }
    assert {name for name, function in functions().items() if function.unsafe_in_capture} == set(inputs)
    s = world.stream()
    world.capture(s, GLOBAL)
    for name, values in inputs.items():
        assert getattr(C, name)(*values) == 107030
        assert "107030" in getattr(C, name).__doc__


def test_an_open_capture_and_a_graph_are_told_at_the_end(world):
    s, u = world.streams(2)
    world.must(C.aclInit(None))
    world.capture(s)
    world.end(s)
    world.capture(u)
    C.aclFinalize()
    (leak,) = [finding for finding in world.sim.findings if finding.kind == "leak"]
    assert "1 graph" in leak.title and "1 open capture" in leak.title


def test_an_event_cannot_be_reset_on_a_captured_stream(world):
    s = world.stream()
    event = world.must(C.aclrtCreateEventWithFlag(1))
    world.capture(s)
    assert C.aclrtResetEvent(event, s) == 207000
    world.end(s)
    world.must(C.aclrtResetEvent(event, s))
