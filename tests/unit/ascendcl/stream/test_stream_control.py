"""Chapter 06: abort, stop, clean, activate and switch."""

import pytest

from ascend_sim import ascendcl as C

MS = 1_000_000
PERSISTENT = 0x4
STALE = 0x1234
P310, TRN = "Ascend310P3", "Ascend910A"


# -- abort -------------------------------------------------------------------------------------------------------------


def test_abort_kills_the_running_task_and_drops_the_rest(world):
    stream, ran = world.stream(), []
    world.task(stream, 10 * MS, then=ran.append)
    world.task(stream, 1 * MS, then=ran.append)
    world.t.clock += 5 * MS
    assert C.aclrtStreamAbort(stream) == 0
    assert C.aclrtStreamQuery(stream) == (0, 0)
    assert world.sync(stream) == 0
    world.task(stream, 1 * MS, then=ran.append)
    assert world.sync(stream) == 0, "the stream is usable again"
    assert len(ran) == 1


def test_what_ended_before_an_abort_stays(world):
    stream, ran = world.stream(), []
    world.task(stream, 1 * MS, then=lambda _: ran.append("done"))
    world.task(stream, 10 * MS, then=lambda _: ran.append("killed"))
    world.t.clock += 5 * MS
    world.must(C.aclrtStreamAbort(stream))
    assert ran == ["done"]


def test_a_dropped_record_never_completes(world):
    stream = world.stream()
    event = world.must(C.aclrtCreateEventWithFlag(1))
    world.task(stream, 10 * MS)
    world.must(C.aclrtRecordEvent(event, stream))
    world.must(C.aclrtStreamAbort(stream))
    world.t.clock += 100 * MS
    assert C.aclrtQueryEventStatus(event) == (0, 0)


def test_who_waits_gets_107023(world, background):
    stream = world.stream()
    event = world.must(C.aclrtCreateEventWithFlag(1))
    world.hold(stream)
    world.task(stream)
    world.must(C.aclrtRecordEvent(event, stream))
    waiters = [
        background(C.aclrtSynchronizeStream, stream),
        background(C.aclrtSynchronizeStreamWithTimeout, stream, 60_000),
        background(C.aclrtSynchronizeEvent, event),
    ]
    assert C.aclrtStreamAbort(stream) == 0
    assert [waiter.result() for waiter in waiters] == [107023] * 3


def test_who_waits_for_the_device_waits_for_each_stream(world, background):
    a, b = world.streams(2)
    world.hold(a)
    world.task(a)
    world.task(b, 1 * MS)
    waiter = background(C.aclrtSynchronizeDevice)
    assert C.aclrtStreamAbort(a) == 0
    assert waiter.result() == 107023


def test_abort_order_of_checks(build):
    world = build()
    foreign = world.stream()
    world.must(C.aclrtCreateContext(0))
    assert C.aclrtStreamAbort(STALE) == 107017
    assert C.aclrtStreamAbort(foreign) == 107003
    assert C.aclrtStreamAbort(0) == 0, "the default stream"
    world.t.drop_context()
    assert C.aclrtStreamAbort(foreign) == 107002
    assert C.aclrtStreamAbort(0) == 107000


@pytest.mark.parametrize(("soc", "null"), [(P310, 107000), (TRN, 107000)])
def test_chips_without_abort(build, soc, null):
    stream = build(soc=soc).stream()
    assert C.aclrtStreamAbort(stream) == 207000
    assert C.aclrtStreamStop(stream) == 207000
    assert C.aclrtStreamAbort(0) == C.aclrtStreamStop(0) == null
    assert C.aclrtStreamAbort(STALE) == 107017


@pytest.mark.parametrize(("mode", "left"), [(0, 0), (1, 507015)])
def test_abort_clears_the_failure_of_the_stream_and_not_that_of_the_context(world, mode, left):
    stream = world.stream()
    world.must(C.aclrtSetStreamFailureMode(stream, mode))
    world.task(stream, code=507015)
    world.t.clock += MS
    assert C.aclrtStreamAbort(stream) == 0
    assert [world.sync(stream), world.sync(stream)] == [left, left]


# -- stop --------------------------------------------------------------------------------------------------------------


def test_stop_kills_the_head_only(world):
    stream, ran = world.stream(), []
    world.task(stream, 10 * MS, then=lambda _: ran.append("head"))
    world.task(stream, 1 * MS, then=lambda _: ran.append("next"))
    world.t.clock += 5 * MS
    assert C.aclrtStreamStop(stream) == 0
    assert world.sync(stream) == 0
    assert ran == ["next"]


def test_stop_of_an_idle_stream(world):
    stream = world.stream()
    assert C.aclrtStreamStop(stream) == 0
    assert C.aclrtStreamStop(0) == 107000
    assert C.aclrtStreamStop(STALE) == 107017
    world.must(C.aclrtCreateContext(0))
    assert C.aclrtStreamStop(stream) == 107003
    world.t.drop_context()
    assert C.aclrtStreamStop(stream) == 107002


def test_stop_ends_a_wait_at_the_head(world):
    stream = world.stream()
    event = world.must(C.aclrtCreateEventWithFlag(1))
    world.must(C.aclrtStreamWaitEvent(stream, event))
    world.task(stream)
    assert C.aclrtStreamStop(stream) == 0
    assert world.sync(stream) == 0


# -- calls for the streams of models -----------------------------------------------------------------------------------


def test_persistent_task_clean(build):
    world = build()
    plain, persistent = world.stream(), world.stream(PERSISTENT)
    assert C.aclrtPersistentTaskClean(0) == 107000
    assert C.aclrtPersistentTaskClean(STALE) == 107017
    assert C.aclrtPersistentTaskClean(plain) == 507000
    assert C.aclrtPersistentTaskClean(persistent) == 507000
    stream = build(soc=P310).stream()
    assert C.aclrtPersistentTaskClean(stream) == 207000
    assert C.aclrtGetLastError(0) == 0, "not stored"


def test_active_stream(world):
    a, b = world.streams(2)
    assert C.aclrtActiveStream(0, STALE) == 100000
    assert C.aclrtActiveStream(a, 0) == 100000
    assert C.aclrtActiveStream(STALE, a) == 107017
    assert C.aclrtActiveStream(a, b) == 107005
    world.t.drop_context()
    assert C.aclrtActiveStream(a, b) == 107002


def test_switch_stream(world):
    a, b = world.streams(2)
    left = world.device()
    right = left + 8

    def switch(left=left, condition=0, right=right, kind=0, true=a, false=0, stream=b):
        return C.aclrtSwitchStream(left, condition, right, kind, true, false, stream)

    assert [switch(left=0), switch(right=0), switch(true=0), switch(stream=0)] == [100000] * 4
    assert switch(false=STALE, true=STALE) == 100000
    assert switch(true=STALE, condition=9) == 107017
    assert switch(condition=6) == 107000
    assert switch(kind=2) == 107000
    assert switch() == 107005
