"""EVT: events."""

from typing import Any

import pytest

from ascend_sim import SimulatedHang, Simulator
from ascend_sim import ascendcl as C

D2H = 2
SYNC, TIME_LINE = 1, 8


def test_evt_03_each_wait_keeps_the_record_that_it_saw(w: Any) -> None:
    A, B, A2, D = (w.stream() for _ in range(4))
    a, b, out = w.malloc(), w.malloc(), w.malloc()
    e, back = (w.must(C.aclrtCreateEventExWithFlag(SYNC)) for _ in range(2))
    w.fill[1, A](a, 1, 64)  # <write>
    w.must(C.aclrtRecordEvent(e, A))
    w.must(C.aclrtStreamWaitEvent(B, e))
    w.copy[1, B](b, a, 64)
    w.must(C.aclrtRecordEvent(back, B))
    w.must(C.aclrtStreamWaitEvent(A, back))
    w.sim.hold(A2)
    w.must(C.aclrtRecordEvent(e, A2))
    w.copy[1, D](out, a, 64)  # <read>
    assert C.aclrtSynchronizeStreamWithTimeout(B, 1000) == 0
    w.must(C.aclrtSynchronizeStream(D))
    w.expect("race", "aclrtStreamWaitEvent(D, back)", "`D` does not wait for it", access="read", other="write")


def test_evt_04_reset_of_the_wrong_kind_of_event(w: Any) -> None:
    s, t = w.stream(), w.stream()
    d, x = w.must(C.aclrtCreateEvent()), w.must(C.aclrtCreateEventExWithFlag(SYNC))
    o = w.must(C.aclrtCreateEventWithFlag(SYNC))
    for event in (d, x, o):
        w.must(C.aclrtRecordEvent(event, s))
        w.must(C.aclrtStreamWaitEvent(t, event))
    assert C.aclrtResetEvent(x, t) == 207000
    C.aclrtResetEvent(d, t)  # <undefined>
    assert C.aclrtResetEvent(o, t) == 0
    w.must(C.aclrtSynchronizeStream(t))
    w.must(C.aclrtQueryEventStatus(o))
    w.expect("undefined-use", "aclrtResetEvent", access="undefined")
    assert not w.findings("race", "sync-race")


def test_evt_05_a_reset_starves_the_second_waiter(w: Any) -> None:
    s1, s2, s3 = (w.stream() for _ in range(3))
    o = w.must(C.aclrtCreateEventWithFlag(SYNC))
    w.must(C.aclrtRecordEvent(o, s1))
    w.must(C.aclrtStreamWaitEvent(s2, o))
    w.must(C.aclrtResetEvent(o, s2))  # <reset>
    w.slow[1, s3]()
    w.must(C.aclrtStreamWaitEvent(s3, o))  # <wait>
    assert C.aclrtSynchronizeStreamWithTimeout(s2, 500) == 0
    assert C.aclrtSynchronizeStreamWithTimeout(s3, 500) == 507046
    assert w.findings("deadlock")
    w.expect("sync-race", "reset", access="reset", other="wait")


def test_evt_05_in_the_other_order_it_is_told_as_well(w: Any) -> None:
    s1, s2, s3 = (w.stream() for _ in range(3))
    o = w.must(C.aclrtCreateEventWithFlag(SYNC))
    w.must(C.aclrtRecordEvent(o, s1))
    w.must(C.aclrtStreamWaitEvent(s3, o))  # <wait>
    w.must(C.aclrtStreamWaitEvent(s2, o))
    w.slow[1, s2]()
    w.must(C.aclrtResetEvent(o, s2))  # <reset>
    assert C.aclrtSynchronizeDevice() == 0
    w.expect("sync-race", "reset", access="reset", other="wait")


@pytest.mark.parametrize("fixed", [False, True])
def test_evt_06_a_stream_waits_for_itself(w: Any, fixed: bool) -> None:
    comp, copy = w.stream(), w.stream()
    a, h = w.malloc(), w.host()
    e = w.must(C.aclrtCreateEventExWithFlag(SYNC))
    w.slow_fill[1, comp](a, 4, 64)  # <fill>
    cur = comp if fixed else copy
    w.must(C.aclrtRecordEvent(e, cur))  # <record>
    assert C.aclrtStreamWaitEvent(copy, e) == 0  # <wait>
    w.must(C.aclrtMemcpyAsync(h, 64, a, 64, D2H, copy))  # <copy>
    w.must(C.aclrtSynchronizeStream(copy))
    if fixed:
        w.silent()
        assert w.read(h) == [4]
        return
    w.must(C.aclrtSynchronizeDevice())
    w.expect("self-wait", wait="wait", sync="record")
    w.expect("race", "did nothing: same stream", "record on `comp`, wait on `copy`", wait="wait", sync="record")


def test_a_wait_that_came_before_the_record_is_named_by_the_other_side_as_well(w: Any) -> None:
    producer, consumer = w.stream(), w.stream()
    data, h = w.malloc(), w.host()
    ready = w.must(C.aclrtCreateEventExWithFlag(SYNC))
    assert C.aclrtStreamWaitEvent(consumer, ready) == 0  # <wait>
    w.must(C.aclrtMemcpyAsync(h, 64, data, 64, D2H, consumer))  # <read>
    w.must(C.aclrtMemsetAsync(data, 64, 7, 64, producer))  # <write>
    w.must(C.aclrtRecordEvent(ready, producer))
    w.must(C.aclrtSynchronizeDevice())
    w.expect("unrecorded-wait", wait="wait")
    w.expect(
        "race", "did nothing: `ready` had not been recorded", "a record of `ready` on `producer` come before the wait",
        access="write", other="read", wait="wait",
    )  # fmt: skip


@pytest.mark.parametrize("mode", ["error", "wait"])
def test_evt_08_the_limit_of_events(mode: str) -> None:
    with Simulator(soc="Ascend310P3", checks="all", switches={"event_exhaustion": mode}) as sim:
        assert C.aclrtSetDevice(0) == 0
        s, _ = C.aclrtCreateStream()
        sim.hold(s)
        codes = []
        try:
            for _ in range(1200):
                e, code = C.aclrtCreateEvent()
                codes.append(code or C.aclrtRecordEvent(e, s))
                if codes[-1]:
                    break
        except SimulatedHang:
            codes.append(-1)
            assert [f for f in sim.findings if f.kind == "deadlock"]
        assert len(codes) == 1024 and codes[-1] == (207007 if mode == "error" else -1)
        close = [f for f in sim.findings if f.kind == "limit-close"]
        assert len(close) == 1 and "of 1023 events" in close[0].title and "made at" in close[0].notes[0]
        sim.release(s)


def test_evt_09_elapsed_time(w: Any) -> None:
    s = w.stream()
    a, b = (w.must(C.aclrtCreateEventWithFlag(TIME_LINE)) for _ in range(2))
    assert C.aclrtEventElapsedTime(a, b)[1] == 507000
    w.must(C.aclrtRecordEvent(a, s))
    w.slow[1, s]()
    w.must(C.aclrtRecordEvent(b, s))
    assert C.aclrtEventElapsedTime(a, b)[1] == 107006
    w.must(C.aclrtSynchronizeStream(s))
    forth, back = w.must(C.aclrtEventElapsedTime(a, b)), w.must(C.aclrtEventElapsedTime(b, a))
    assert forth > 0 and back == -forth
    w.silent()


def test_evt_11_an_event_of_another_device(w: Any) -> None:
    s0, a = w.stream(), w.malloc()
    e0 = w.must(C.aclrtCreateEventExWithFlag(SYNC))
    w.slow_fill[1, s0](a, 1, 64)
    w.must(C.aclrtRecordEvent(e0, s0))
    w.must(C.aclrtSetDevice(1))
    s1 = w.stream()
    codes = C.aclrtStreamWaitEvent(s1, e0), C.aclrtRecordEvent(e0, s1)
    assert all(code in (0, 107003) for code in codes)
    assert C.aclrtSynchronizeEvent(e0) == 0
    assert C.aclrtQueryEventStatus(e0)[1] == 0


def test_evt_12_three_time_outs(w: Any) -> None:
    s, e = w.stream(), w.must(C.aclrtCreateEvent())
    w.slow[1, s]()
    w.must(C.aclrtRecordEvent(e, s))
    w.sim.hold(s)
    assert C.aclrtSynchronizeStreamWithTimeout(s, 50) == 507046
    assert C.aclrtSynchronizeEventWithTimeout(e, 50) == 507047
    assert C.aclrtSynchronizeStreamWithTimeout(s, 0) == 107000
    assert C.aclrtSynchronizeStreamWithTimeout(s, -2) == 107000
    assert C.aclrtStreamQuery(s) == (1, 0)
    w.sim.release(s)
    assert C.aclrtSynchronizeStreamWithTimeout(s, -1) == 0
