"""Chapter 06: codes of making, asking and ending streams, one fault or two at once."""

import pytest

from ascend_sim import ascendcl as C

STALE = 0x1234
FAST_LAUNCH, FAST_SYNC, PERSISTENT, HUGE, CPU_SCHEDULE, DEVICE_USE_ONLY = 1, 2, 4, 8, 0x10, 0x20
A950, P310 = "Ascend950PR_9599", "Ascend310P3"


def create(flags, priority=0):
    return C.aclrtCreateStreamWithConfig(priority, flags)[1]


# -- creation ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "flags", [0, FAST_LAUNCH, FAST_SYNC, 3, PERSISTENT, CPU_SCHEDULE, DEVICE_USE_ONLY, 0x100, 0x13]
)
def test_flags(world, flags):
    stream = world.stream(flags)
    assert C.aclrtStreamGetFlags(stream) == (flags & 0x3F, 0)


@pytest.mark.parametrize(("given", "kept"), [(0, 0), (7, 7), (8, 7), (0xFFFFFFFF, 0), (0x7FFFFFFF, 7)])
def test_priorities_are_clamped(world, given, kept):
    stream = world.must(C.aclrtCreateStreamWithConfig(given, 0))
    assert C.aclrtStreamGetPriority(stream) == (kept, 0)


def test_deep_queues(build):
    for soc in (A950, "Ascend910B1"):
        assert build(soc=soc).stream(HUGE)
    assert build(soc=P310).sim
    assert create(HUGE) == 207000
    assert C.aclrtGetLastError(0) == 0, "not stored"


def test_no_stream_left(build):
    world = build(limits={"streams": 4})
    left = world.must(C.aclrtGetStreamAvailableNum())
    streams = world.streams(left)
    assert create(0) == C.aclrtCreateStream()[1] == 207008
    assert create(PERSISTENT | DEVICE_USE_ONLY) == 107000
    world.must(C.aclrtDestroyStream(streams[0]))
    assert C.aclrtGetStreamAvailableNum() == (1, 0)
    assert create(0) == 0


# -- the end -----------------------------------------------------------------------------------------------------------


def test_a_device_that_an_explicit_context_holds_up_has_its_own_stream(build):
    world = build(limits={"streams": 4})
    world.must(C.aclrtResetDevice(0))
    first = world.must(C.aclrtCreateContext(0))
    assert C.aclrtGetStreamAvailableNum() == (2, 0)  # the context's own stream, and the device's
    second = world.must(C.aclrtCreateContext(0))
    assert C.aclrtGetStreamAvailableNum() == (1, 0)
    world.must(C.aclrtSetDevice(0))
    assert C.aclrtGetStreamAvailableNum() == (1, 0)
    world.must(C.aclrtResetDevice(0))
    world.must(C.aclrtSetCurrentContext(second))
    assert C.aclrtGetStreamAvailableNum() == (1, 0)
    world.must(C.aclrtDestroyContext(first))
    world.must(C.aclrtDestroyContext(second))
    world.must(C.aclrtSetDevice(0))
    assert C.aclrtGetStreamAvailableNum() == (3, 0)


def test_a_context_that_cannot_come_up_leaves_no_stream_taken(build):
    world = build(limits={"streams": 1})
    world.must(C.aclrtResetDevice(0))
    assert C.aclrtCreateContext(0)[1] == 207008
    world.must(C.aclrtSetDevice(0))
    assert C.aclrtGetStreamAvailableNum() == (0, 0)


@pytest.mark.parametrize("destroy", [C.aclrtDestroyStream, C.aclrtDestroyStreamForce])
def test_order_of_checks_of_destroying(world, destroy):
    foreign, own = world.stream(), world.stream()
    assert destroy(0) == 100000
    assert destroy(STALE) == 107017
    assert destroy(own) == 0
    assert destroy(own) == 107017
    world.must(C.aclrtCreateContext(0))
    assert destroy(foreign) == 107003
    world.t.drop_context()
    assert destroy(STALE) == 107017
    assert destroy(foreign) == 107002


def test_destroying_returns_no_failure_of_a_task(world):
    stream = world.stream()
    world.task(stream, code=507015)
    assert C.aclrtDestroyStream(stream) == 0


# -- asking and waiting ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda stream: C.aclrtStreamQuery(stream)[1],
        lambda stream: C.aclrtStreamGetId(stream)[1],
        lambda stream: C.aclrtStreamGetPriority(stream)[1],
        lambda stream: C.aclrtStreamGetFlags(stream)[1],
        C.aclrtSynchronizeStream,
        lambda stream: C.aclrtSynchronizeStreamWithTimeout(stream, 1),
    ],
)
def test_calls_that_take_foreign_streams_and_the_default_stream(world, call):
    foreign = world.stream()
    world.must(C.aclrtCreateContext(0))
    assert [call(foreign), call(0), call(STALE)] == [0, 0, 107017]
    world.t.drop_context()
    assert [call(STALE), call(0)] == [107017, 107002]


def test_what_a_thread_without_a_context_may_ask(world):
    stream = world.stream()
    world.t.drop_context()
    assert C.aclrtStreamGetId(stream)[1] == C.aclrtStreamGetPriority(stream)[1] == C.aclrtStreamGetFlags(stream)[1] == 0
    assert C.aclrtStreamQuery(stream)[1] == C.aclrtSynchronizeStream(stream) == 107002
