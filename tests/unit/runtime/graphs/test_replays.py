"""Replays: one item of the launching stream, tasks that run beside others, failures, aborts (docs/semantics/graphs.md)."""

import numpy as np
import pytest

from ascend_sim import Block, SimulatedHang, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.runtime.task import Op, TaskFault
from tests.kit.calls import in_thread

EXTERNAL = 0x20

RELAXED = 2
MS = 1_000_000


@kernel
def add(b: Block, p: gm.InOut[np.int32], value: np.int32):
    p[0:4] = p[0:4] + value


def work(world, stream, ns, action=None):
    from ascend_sim.runtime.current import LOCAL

    world.at(stream).submit(LOCAL.state, Op("work", ns, action))


def one_task_model(world, ns=0, action=None):
    stream = world.stream()
    world.capture(stream)
    work(world, stream, ns, action)
    return world.end(stream)


def test_a_replay_is_one_item_of_its_stream_and_runs_beside_others(world):
    s, u, v = world.streams(3)
    world.capture(s)
    for _ in range(10):
        work(world, s, MS)
    model = world.end(s)
    world.must(C.aclmdlRIExecuteAsync(model, u))
    work(world, v, 10 * MS)
    assert len(world.at(u).queue) == 1
    world.must(C.aclrtSynchronizeDevice())
    assert 10 * MS <= world.sim.time_ns() < 11 * MS


def test_lines_run_at_the_same_time_and_the_item_ends_with_the_last_of_them(world):
    s, joins, u = world.streams(3)
    world.capture(s)
    world.edge(s, joins)
    work(world, joins, 5 * MS)
    work(world, s, 5 * MS)
    world.edge(joins, s)
    model = world.end(s)
    world.run(model, u)
    assert 5 * MS <= world.sim.time_ns() < 6 * MS


def test_kernels_keep_the_arguments_of_their_call(world):
    s = world.stream()
    a = world.memory()
    world.capture(s)
    for value in (1, 10):
        add[1, s](a, value)
    model = world.end(s)
    world.run(model, s, 3)
    assert world.peek(a) == 33
    assert world.kinds() == []


def test_a_failing_task_ends_the_replay_and_its_code_comes_once(world):
    s, u = world.streams(2)
    a = world.memory()

    def fail(task, time):
        raise TaskFault(507015, "planned")

    world.capture(s)
    work(world, s, 1000, fail)
    world.fill(a, 1, s)
    model = world.end(s)
    world.must(C.aclmdlRIExecuteAsync(model, u))
    assert C.aclrtSynchronizeStream(u) == 507015
    assert C.aclrtSynchronizeStream(u) == 0
    assert world.peek(a) == 0, "what came after it was dropped"
    assert world.kinds() == ["task-fault"], "one fault, told once"
    assert C.aclmdlRIDestroy(model) == 0


def test_a_failing_task_stops_a_context_in_stop_mode(world):
    u = world.stream()

    def fail(task, time):
        raise TaskFault(507015, "planned")

    model = one_task_model(world, 1000, fail)
    world.must(C.aclrtSetStreamFailureMode(u, 1))
    world.must(C.aclmdlRIExecuteAsync(model, u))
    assert C.aclrtSynchronizeStream(u) == 507015
    assert C.aclmdlRIExecuteAsync(model, u) == 507015


def test_an_aborted_stream_drops_what_the_graph_still_had_to_do(world):
    u = world.stream()
    ran = []
    model = one_task_model(world, 10 * MS, lambda task, time: ran.append(time))
    world.must(C.aclmdlRIExecuteAsync(model, u))
    work(world, world.stream(), MS)
    world.must(C.aclrtStreamAbort(u))
    world.must(C.aclrtSynchronizeDevice())
    assert ran == []
    world.run(model, u)
    assert len(ran) == 1


def test_a_graph_that_runs_is_destroyed_when_it_has_ended(world):
    u = world.stream()
    model = one_task_model(world, 10 * MS)
    world.must(C.aclmdlRIExecuteAsync(model, u))
    world.must(C.aclmdlRIDestroy(model))
    assert world.sim.time_ns() >= 10 * MS
    assert C.aclmdlRIExecuteAsync(model, u) == 107017


def test_a_context_takes_its_captures_and_graphs_along(world):
    before = C.aclrtGetCurrentContext()[0]
    context = world.must(C.aclrtCreateContext(0))
    s, u = world.streams(2)
    model = one_task_model(world, 10 * MS)
    world.must(C.aclmdlRIExecuteAsync(model, u))
    world.capture(s)
    world.must(C.aclrtSetCurrentContext(before))
    world.must(C.aclrtDestroyContext(context))
    assert world.sim.captures == 0
    assert C.aclmdlRIDestroy(model) == 107017


# -- events ------------------------------------------------------------------------------------------------------------


def test_an_external_record_is_seen_by_waits_behind_the_launch(world):
    s, u, v = world.streams(3)
    a, b = world.memory(), world.memory()
    event = world.event()
    world.capture(s)
    world.fill(a, 7, s)
    world.must(C.aclrtRecordEventWithFlag(event, s, 1))
    work(world, s, MS)
    model = world.end(s)
    for value in (7, 8):
        world.must(C.aclmdlRIExecuteAsync(model, u))
        world.must(C.aclrtStreamWaitEvent(v, event))
        world.must(C.aclrtMemcpyAsync(b, 64, a, 64, 3, v))
        world.must(C.aclrtSynchronizeStream(v))
        world.must(C.aclrtSynchronizeStream(u))
        assert world.peek(b) == 7, value
    assert world.kinds() == []


def test_an_external_wait_waits_for_the_record_at_the_launch(world):
    s, u, v = world.streams(3)
    a, b = world.memory(), world.memory()
    event = world.event()
    world.capture(s)
    world.must(C.aclrtStreamWaitEventWithFlag(s, event, 0, 1))
    world.must(C.aclrtMemcpyAsync(b, 64, a, 64, 3, s))
    model = world.end(s)
    world.run(model, u)
    for value in (1, 2):
        work(world, v, MS)
        world.fill(a, value, v)
        world.must(C.aclrtRecordEvent(event, v))
        world.run(model, u)
        assert world.peek(b) == value
    assert world.kinds() == ["unrecorded-wait"], "of the first run"


def test_a_graph_that_nobody_lets_go_on_hangs(world):
    s, u = world.streams(2)
    notify = world.must(C.aclrtCreateNotify(0))
    world.capture(s)
    world.must(C.aclrtWaitAndResetNotify(notify, s, 0))
    model = world.end(s)
    world.must(C.aclmdlRIExecuteAsync(model, u))
    with pytest.raises(SimulatedHang):
        C.aclrtSynchronizeStream(u)
    (found,) = [finding for finding in world.sim.findings if finding.kind == "deadlock"]
    assert "in graph 1" in found.order


def test_notifies_and_values_in_graphs(world):
    s, joins, u = world.streams(3)
    a = world.must(C.aclrtMalloc(64, 0))
    world.must(C.aclrtMemset(a, 64, 0, 64))
    notify = world.must(C.aclrtCreateNotify(0))
    world.capture(s)
    world.edge(s, joins)
    world.must(C.aclrtValueWait(a, 1, 1, joins))
    world.must(C.aclrtRecordNotify(notify, joins))
    world.must(C.aclrtValueWrite(a, 1, 0, s))
    world.must(C.aclrtWaitAndResetNotify(notify, s, 0))
    world.must(C.aclrtValueWrite(a, 0, 0, s))
    world.edge(joins, s)
    model = world.end(s)
    world.run(model, u, 3)
    assert world.peek(a) == 0


# -- host functions ----------------------------------------------------------------------------------------------------


def test_a_host_function_runs_with_each_replay(world):
    s, u = world.streams(2)
    a = world.memory()
    calls = []
    world.capture(s)
    world.fill(a, 3, s)
    world.must(C.aclrtLaunchHostFunc(s, lambda data: calls.append((data, world.peek(a))), "x"))
    world.fill(a, 4, s)
    model = world.end(s)
    assert calls == []
    world.run(model, u, 2)
    assert calls == [("x", 3), ("x", 3)]


# -- task groups -------------------------------------------------------------------------------------------------------


def grouped(world, stream, a, *values):
    world.must(C.aclmdlRICaptureTaskGrpBegin(stream))
    for value in values:
        add[1, stream](a, value)
    return world.must(C.aclmdlRICaptureTaskGrpEnd(stream))


def update(world, stream, group, a, *values):
    world.must(C.aclmdlRICaptureTaskUpdateBegin(stream, group))
    for value in values:
        add[1, stream](a, value)
    world.must(C.aclmdlRICaptureTaskUpdateEnd(stream))


def test_an_update_replaces_the_tasks_of_a_group(world):
    s, u = world.streams(2)
    a = world.memory()
    world.capture(s)
    group = grouped(world, s, a, 1, 2)
    add[1, s](a, 100)
    model = world.end(s)
    world.run(model, s)
    assert world.peek(a) == 103
    update(world, u, group, a, 10, 20)
    world.must(C.aclrtSynchronizeStream(u))
    world.run(model, s)
    assert world.peek(a) == 233 & 0xFF
    assert world.kinds() == []


def test_an_update_reaches_a_run_that_waits_for_it(world):
    s, u = world.streams(2)
    a = world.memory()
    ready = world.event()
    world.capture(s)
    world.must(C.aclrtStreamWaitEventWithFlag(s, ready, 0, 1))
    group = grouped(world, s, a, 1)
    model = world.end(s)
    work(world, u, MS)
    update(world, u, group, a, 10)
    world.must(C.aclrtRecordEvent(ready, u))
    world.run(model, s)
    assert world.peek(a) == 10
    assert world.kinds() == []


def test_what_a_group_and_an_update_refuse(world):
    s, joins, u = world.streams(3)
    a = world.memory()
    world.capture(s)
    world.edge(s, joins)
    world.must(C.aclmdlRICaptureTaskGrpBegin(s))
    assert C.aclrtMemsetAsync(a, 64, 0, 64, s) == 507009
    assert C.aclrtMemsetAsync(a, 64, 0, 64, joins) == 107034
    assert C.aclmdlRICaptureTaskGrpEnd(s) == (0, 107034)
    world.edge(joins, s)
    world.end(s)
    world.capture(s)
    group = grouped(world, s, a, 1)
    world.end(s)
    world.must(C.aclmdlRICaptureTaskUpdateBegin(u, group))
    assert C.aclrtMemsetAsync(a, 64, 0, 64, u) == 507009
    add[1, u](a, 1)
    with pytest.raises(Exception, match="507000"):
        add[1, u](a, 1)
    world.must(C.aclmdlRICaptureTaskUpdateEnd(u))


# -- threads -----------------------------------------------------------------------------------------------------------


def test_two_threads_launch_one_graph_on_one_stream(world):
    s = world.stream()
    a = world.memory()
    world.capture(s)
    add[1, s](a, 1)
    model = world.end(s)

    def launch():
        C.aclrtSetDevice(0)
        world.must(C.aclmdlRIExecuteAsync(model, s))

    launch()
    in_thread(launch)
    world.must(C.aclrtSynchronizeStream(s))
    assert world.peek(a) == 2


def _recorded_by(world, kind):
    """A stream that a graph takes things from, with a record and a wait of *kind* among them."""
    if kind == "flag of a model":
        model = world.must(C.aclmdlRIBuildBegin(0))
        bound = world.must(C.aclrtCreateStreamWithConfig(0, 4))
        world.must(C.aclmdlRIBindStream(model, bound, 0))
        flag = world.must(C.aclrtCreateEventWithFlag(1))
        world.must(C.aclrtRecordEvent(flag, bound))
        world.must(C.aclrtStreamWaitEvent(bound, flag))
        world.must(C.aclrtResetEvent(flag, bound))
        return
    s = world.streams(1)[0]
    world.capture(s)
    if kind == "notify":
        notify = world.must(C.aclrtCreateNotify(0))
        world.must(C.aclrtRecordNotify(notify, s))
        world.must(C.aclrtWaitAndResetNotify(notify, s, 0))
    else:
        event = world.must(C.aclrtCreateEventWithFlag(EXTERNAL))
        world.must(C.aclrtRecordEvent(event, s))
        world.must(C.aclrtStreamWaitEvent(s, event))
    world.run(world.end(s), world.streams(1)[0])


@pytest.mark.parametrize("kind", ["notify", "external event", "flag of a model"])
def test_a_race_beside_what_a_graph_records_is_told(world, kind):
    """The report looks through records and waits: those that a graph was given have not run."""
    _recorded_by(world, kind)
    a, (s, u) = world.memory(), world.streams(2)
    world.fill(a, 1, s)
    world.fill(a, 2, u)
    assert C.aclrtSynchronizeDevice() == 0
    assert "race" in world.kinds()
