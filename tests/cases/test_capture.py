"""CAP: capture of streams, and graphs that run again."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C

GLOBAL, THREAD_LOCAL, RELAXED = range(3)
H2D, D2H, D2D = 1, 2, 3
SYNC = 1


def ex(w: Any) -> int:
    return w.must(C.aclrtCreateEventExWithFlag(SYNC))  # type: ignore[no-any-return]


def edge(w: Any, first: int, then: int) -> None:
    event = ex(w)
    w.must(C.aclrtRecordEvent(event, first))
    w.must(C.aclrtStreamWaitEvent(then, event))


def filled(w: Any, value: int = 0) -> int:
    memory = w.malloc()
    w.must(C.aclrtMemset(memory, 64, value, 64))
    return memory  # type: ignore[no-any-return]


def captured(w: Any, stream: int, body: Callable[[], object]) -> int:
    """The graph of what *body* queues."""
    w.must(C.aclmdlRICaptureBegin(stream, RELAXED))
    body()
    return w.must(C.aclmdlRICaptureEnd(stream))  # type: ignore[no-any-return]


def peek(w: Any, memory: int) -> int:
    """The first byte, which no check sees."""
    return int(w.sim.memory.view(memory, 1)[0])


def test_cap_01_synchronise_inside_a_capture(w: Any) -> None:
    s, a, e = w.stream(), filled(w), ex(w)
    w.must(C.aclmdlRICaptureBegin(s, THREAD_LOCAL))  # <begin>
    w.fill[1, s](a, 1, 64)
    assert C.aclrtSynchronizeStream(s) == 107027  # <first>
    assert C.aclrtStreamQuery(s)[1] == 107027
    w.must(C.aclrtRecordEvent(e, s))
    assert C.aclrtSynchronizeEvent(e) == 107028
    assert C.aclrtQueryEventStatus(e)[1] == 107028
    assert C.aclrtDestroyStream(s) == 107027
    m, ret = C.aclmdlRICaptureEnd(s)
    assert ret == 0 and m, "none of them has broken the capture"
    found = w.findings("capture-rule")
    assert [f.code for f in found] == [
        ("aclrtSynchronizeStream", 107027), ("aclrtStreamQuery", 107027), ("aclrtSynchronizeEvent", 107028),
        ("aclrtQueryEventStatus", 107028), ("aclrtDestroyStream", 107027),
    ]  # fmt: skip
    assert "before the capture begins" in found[0].fix


def test_cap_01_one_call_at_a_time(w: Any) -> None:
    s = w.stream()
    w.must(C.aclmdlRICaptureBegin(s, THREAD_LOCAL))  # <begin>
    assert C.aclrtSynchronizeStream(s) == 107027  # <first>
    w.must(C.aclmdlRICaptureEnd(s))
    w.expect("capture-rule", "stream `s` is being captured", access="first", other="begin")


@pytest.mark.parametrize("fixed", [False, True])
def test_cap_03_a_forked_stream_that_does_not_come_back(w: Any, fixed: bool) -> None:
    s, t, a = w.stream(), w.stream(), filled(w)
    e1 = ex(w)
    w.must(C.aclmdlRICaptureBegin(s, RELAXED))
    w.must(C.aclrtRecordEvent(e1, s))  # <fork>
    w.must(C.aclrtStreamWaitEvent(t, e1))
    w.fill[1, t](a, 1, 64)  # <last>
    if fixed:
        edge(w, t, s)
        w.must(C.aclmdlRICaptureEnd(s))
        w.silent()
        return
    assert C.aclmdlRICaptureEnd(s) == (0, 107025)  # <end>
    assert C.aclmdlRICaptureEnd(s) == (0, 107029)
    finding = w.expect("capture-rule", "does not lead back", access="end", other="last")
    w.expect("capture-rule", "record an event on stream `t` behind its last task", other="fork")
    assert finding.code == ("aclmdlRICaptureEnd", 107025)


def test_cap_04_captured_work_does_not_run_at_capture_time(w: Any) -> None:
    s, t, u, a, b = w.stream(), w.stream(), w.stream(), filled(w), filled(w)

    def body() -> None:
        w.add_two[1, s](a, a, w.one, 64)
        edge(w, s, t)
        w.add_two[1, t](b, b, w.one, 64)
        edge(w, t, s)

    w.one = filled(w, 1)
    m = captured(w, s, body)
    assert (peek(w, a), peek(w, b)) == (0, 0)
    for _ in range(3):
        w.must(C.aclmdlRIExecuteAsync(m, u))
    w.must(C.aclrtSynchronizeStream(u))
    assert (w.read(a), w.read(b)) == ([3], [3])
    w.silent()


def test_cap_06_events_of_the_old_kind(w: Any) -> None:
    s, a = w.stream(), filled(w)
    e = w.must(C.aclrtCreateEventWithFlag(SYNC))
    w.must(C.aclmdlRICaptureBegin(s, RELAXED))
    w.fill[1, s](a, 1, 64)
    assert C.aclrtRecordEvent(e, s) == 207000  # <old>
    m = w.must(C.aclmdlRICaptureEnd(s))
    w.must(C.aclmdlRIExecuteAsync(m, s))
    assert C.aclrtSynchronizeEvent(e) == 0, "it was never recorded"
    w.read(a)  # <read>
    w.must(C.aclrtSynchronizeStream(s))
    w.expect("capture-rule", "aclrtCreateEventExWithFlag", access="old")
    w.expect("race", "executed here, with its graph", "aclrtMemcpy reads `a`")


def test_cap_07_wrong_stream_wrong_thread(w: Any) -> None:
    s, t = w.stream(), w.stream()
    assert C.aclmdlRICaptureBegin(None, GLOBAL) == 100000
    default = w.must(C.aclrtCtxGetCurrentDefaultStream())
    assert C.aclmdlRICaptureBegin(default, GLOBAL) == 207000
    w.must(C.aclmdlRICaptureBegin(s, GLOBAL))
    assert C.aclmdlRICaptureBegin(s, GLOBAL) == 107027
    edge(w, s, t)
    assert C.aclmdlRICaptureEnd(t) == (0, 107036)

    def elsewhere() -> Any:
        C.aclrtSetDevice(0)
        return C.aclmdlRICaptureEnd(s)

    assert w.in_thread(elsewhere) == (0, 107038)
    assert "T0 (main) began it" in w.findings("capture-rule")[-1].title
    assert C.aclmdlRICaptureEnd(s) == (0, 107029)


def test_cap_08_a_replay_touches_memory_that_was_freed(w: Any) -> None:
    s, h = w.stream(), w.host()
    a = w.malloc()
    w.must(C.aclmdlRICaptureBegin(s, RELAXED))
    w.must(C.aclrtMemcpyAsync(a, 64, h, 64, H2D, s))  # <capture>
    m = w.must(C.aclmdlRICaptureEnd(s))
    for value in (1, 2):
        ctypes.memset(h, value, 64)
        w.must(C.aclmdlRIExecuteAsync(m, s))
        w.must(C.aclrtSynchronizeStream(s))
        assert w.read(a) == [value], "addresses are baked in, contents are read when it runs"
    w.silent()
    w.must(C.aclrtFree(a))  # <free>
    assert C.aclmdlRIExecuteAsync(m, s) == 0  # <run>
    C.aclrtSynchronizeStream(s)
    w.expect("use-after-free", "keeps the addresses", free="free", access="capture", submit="run")


# -- of reports --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [GLOBAL, THREAD_LOCAL])
def test_a_blocking_copy_of_another_thread(w: Any, mode: int) -> None:
    """A data loader copies while the main thread captures: only a GLOBAL capture bars it."""
    s, a, b = w.stream(), filled(w), filled(w)
    w.must(C.aclmdlRICaptureBegin(s, mode))  # <begin>
    w.fill[1, s](a, 1, 64)

    def loader() -> int:
        C.aclrtSetDevice(0)
        return C.aclrtMemcpy(b, 64, b + 32, 16, D2D)  # type: ignore[no-any-return]  # <copy>

    ret = w.in_thread(loader)
    assert ret == (107030 if mode == GLOBAL else 0)
    assert C.aclmdlRICaptureEnd(s)[1] == 0, "the call fails, the capture goes on"
    if mode == GLOBAL:
        w.expect("capture-rule", "begin the capture THREAD_LOCAL", other="begin")
    else:
        w.silent()


@pytest.mark.parametrize("fixed", [False, True])
def test_an_event_recorded_outside_is_waited_for_inside(w: Any, fixed: bool) -> None:
    s, t, a = w.stream(), w.stream(), filled(w)
    e = ex(w)
    w.fill[1, t](a, 1, 64)
    w.must(C.aclrtRecordEvent(e, t))  # <record>
    w.must(C.aclmdlRICaptureBegin(s, RELAXED))
    if fixed:
        w.must(C.aclrtStreamWaitEventWithFlag(s, ex2 := ex(w), 0, 1))
        w.fill[1, s](a, 2, 64)
        m = w.must(C.aclmdlRICaptureEnd(s))
        w.must(C.aclrtRecordEvent(ex2, t))
        w.must(C.aclmdlRIExecuteAsync(m, s))
        w.must(C.aclrtSynchronizeStream(s))
        w.silent()
    else:
        assert C.aclrtStreamWaitEvent(s, e) == 107024  # <wait>
        w.expect("capture-rule", "ACL_EVENT_WAIT_EXTERNAL", access="wait", other="record")


@pytest.mark.parametrize("fixed", [False, True])
def test_a_pinned_buffer_is_filled_again_while_the_graph_copies_it(w: Any, fixed: bool) -> None:
    s, a, h = w.stream(), filled(w), w.host()
    m = captured(w, s, lambda: w.must(C.aclrtMemcpyAsync(a, 64, h, 64, H2D, s)))
    for value in (1, 2):
        ctypes.memset(h, value, 64)
        w.must(C.aclmdlRIExecuteAsync(m, s))
        if fixed:
            w.must(C.aclrtSynchronizeStream(s))
    w.must(C.aclrtSynchronizeStream(s))
    assert w.read(a) == [2]
    if fixed:
        w.silent()
    else:
        w.expect("race", "the bytes changed between the call and the copy")


def test_a_block_was_given_away_since_the_capture() -> None:
    """empty_cache frees a block, and the next tensor gets its address: the graph writes into that."""
    from tests.cases.conftest import World

    with Simulator(checks="all", reuse="lifo") as sim:
        C.aclrtSetDevice(0)
        w = World(sim)
        s = w.stream()
        cached = filled(w)
        m = captured(w, s, lambda: w.fill[1, s](cached, 7, 64))  # <capture>
        w.must(C.aclrtFree(cached))  # <free>
        tensor = filled(w, 1)
        assert tensor == cached
        w.must(C.aclmdlRIExecuteAsync(m, s))  # <run>
        w.must(C.aclrtSynchronizeStream(s))
        assert w.read(tensor) == [7]
        w.expect("use-after-free", "it belongs to", free="free", access="capture", submit="run")


@pytest.mark.parametrize("fixed", [False, True])
def test_two_replays_of_one_graph_on_two_streams(w: Any, fixed: bool) -> None:
    s, t, a = w.stream(), w.stream(), filled(w)
    m = captured(w, s, lambda: w.fill[1, s](a, 7, 64))
    w.must(C.aclmdlRIExecuteAsync(m, s))  # <one>
    if fixed:
        edge(w, s, t)
    w.must(C.aclmdlRIExecuteAsync(m, t))  # <other>
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
    else:
        w.expect("race", "`t` has never waited for `s`", submit="one")
        w.expect("race", submit="other")


@pytest.mark.parametrize("fixed", [False, True])
def test_a_task_group_is_updated_while_the_graph_runs(w: Any, fixed: bool) -> None:
    s, u, a, b = w.stream(), w.stream(), filled(w), filled(w)
    ready = ex(w)
    w.must(C.aclmdlRICaptureBegin(s, RELAXED))
    if fixed:
        w.must(C.aclrtStreamWaitEventWithFlag(s, ready, 0, 1))
    w.must(C.aclmdlRICaptureTaskGrpBegin(s))
    w.fill[1, s](a, 1, 64)  # <task>
    group = w.must(C.aclmdlRICaptureTaskGrpEnd(s))
    m = w.must(C.aclmdlRICaptureEnd(s))
    w.must(C.aclmdlRICaptureTaskUpdateBegin(u, group))
    w.fill[1, u](b, 2, 64)  # <update>
    w.must(C.aclmdlRICaptureTaskUpdateEnd(u))
    w.must(C.aclrtRecordEvent(ready, u))
    w.must(C.aclmdlRIExecuteAsync(m, s))
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        assert (w.read(a), w.read(b)) == ([0], [2])
        w.silent()
    else:
        w.expect("race", "task-update", access="update")
