"""Streams: spec/stream/semantics.md 1 and 6, and the order in which things happen."""

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.runtime.task import Op

MS = 1_000_000
FAST_LAUNCH, FAST_SYNC, PERSISTENT, HUGE, CPU_SCHEDULE, DEVICE_USE_ONLY = 1, 2, 4, 8, 0x10, 0x20
NOT_AWAITED = [PERSISTENT, CPU_SCHEDULE, DEVICE_USE_ONLY]


def noted(order, what):
    return lambda _: order.append(what)


# -- order -------------------------------------------------------------------------------------------------------------


def test_tasks_of_one_stream_run_one_after_the_other(world):
    stream = world.stream()
    ends = []
    for cost in (3000, 1000, 2000):
        world.task(stream, cost, then=ends.append)
    began = world.t.clock
    assert world.sync(stream) == 0
    assert ends == [began + 3000, began + 4000, began + 6000]
    assert world.t.clock >= ends[-1]


def test_streams_do_not_wait_for_each_other(world):
    a, b = world.streams(2)
    ends = {}
    world.task(a, 9 * MS, then=lambda time: ends.update(a=time))
    world.task(b, 1 * MS, then=lambda time: ends.update(b=time))
    assert C.aclrtSynchronizeDevice() == 0
    assert ends["a"] - ends["b"] == 8 * MS


def test_the_default_stream_is_an_ordinary_stream(world):
    stream = world.stream()
    order = []
    world.task(stream, 9 * MS, then=noted(order, "created"))
    world.task(world.must(C.aclrtCtxGetCurrentDefaultStream()), 1 * MS, then=noted(order, "default"))
    assert C.aclrtSynchronizeStream(0) == 0
    assert order == ["default"], "unlike a legacy NULL stream it waits for nobody"


def test_nothing_runs_before_a_call_that_waits_or_asks(world):
    stream = world.stream()
    ran = []
    world.task(stream, 10, then=ran.append)
    world.t.clock += 1 * MS
    world.must(C.aclrtStreamGetId(stream))
    assert not ran, "an id is no question about the work"
    assert C.aclrtStreamQuery(stream) == (0, 0)
    assert ran


def test_a_poll_sees_what_is_due_and_no_more(world):
    stream = world.stream()
    world.task(stream, 5 * MS)
    assert C.aclrtStreamQuery(stream) == (1, 0)
    world.t.clock += 5 * MS
    assert C.aclrtStreamQuery(stream) == (0, 0)


def test_polling_in_a_loop_comes_to_an_end(world):
    stream = world.stream()
    world.task(stream, 500 * MS)
    asked = 0
    while C.aclrtStreamQuery(stream)[0]:
        asked += 1
        assert asked < 1000


@pytest.mark.parametrize("priorities", [(0, 7), (7, 0)])
def test_priority_chooses_among_ready_tasks(world, priorities):
    a, b = (world.must(C.aclrtCreateStreamWithConfig(priority, 0)) for priority in priorities)
    order = []
    for stream, name in ((a, priorities[0]), (b, priorities[1])):
        world.hold(stream)
        world.task(stream, 1000, then=noted(order, name))
    world.release(a)
    world.release(b)
    assert C.aclrtSynchronizeDevice() == 0
    assert order == [0, 7], "0 is the greatest"


def test_engines_are_shared_in_the_order_of_asking(world):
    engines = world.sim.profile.copy_engines["d2d"]
    ends = []
    streams = world.streams(engines + 1)
    for stream in streams:
        op = Op("copy", 2 * MS, lambda task, time: ends.append(time), engine="d2d")
        world.at(stream).submit(world.t, op)
    assert C.aclrtSynchronizeDevice() == 0
    assert ends[-1] - ends[0] == pytest.approx(2 * MS, rel=1e-2)


# -- flags -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flags", NOT_AWAITED)
def test_streams_that_are_not_awaited_answer_at_once(world, flags):
    stream = world.stream(flags)
    world.task(stream, 50 * MS)
    assert world.sync(stream) == 0
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 1) == 0
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 0) == 107000, "the limit is looked at first"
    assert C.aclrtStreamQuery(stream) == (0, 0)
    assert C.aclrtSynchronizeDevice() == 0
    assert world.t.clock < 50 * MS
    world.t.drop_context()
    assert world.sync(stream) == 0, "they need no context either"
    assert C.aclrtStreamQuery(stream) == (0, 0)


def test_tasks_of_a_persistent_stream_do_not_run(world):
    stream = world.stream(PERSISTENT)
    ran = []
    world.task(stream, 10, then=ran.append)
    world.t.clock += 1 * MS
    world.must(C.aclrtSynchronizeDevice())
    assert not ran
    assert len(world.at(stream).queue) == 1


@pytest.mark.parametrize("flags", [CPU_SCHEDULE, DEVICE_USE_ONLY, FAST_LAUNCH, FAST_SYNC, HUGE])
def test_tasks_of_the_others_run(world, flags):
    stream = world.stream(flags)
    ran = []
    world.task(stream, 10, then=ran.append)
    world.t.clock += 1 * MS
    world.must(C.aclrtSynchronizeDevice())
    assert ran


# -- a full queue ------------------------------------------------------------------------------------------------------


def test_a_full_queue_blocks_the_submitting_call(build):
    world = build(limits={"stream_depth": 3})
    stream, event = world.stream(), world.must(C.aclrtCreateEvent())
    for _ in range(3):
        world.task(stream, 10 * MS)
    began = world.t.clock
    assert C.aclrtRecordEvent(event, stream) == 0
    assert began + 9 * MS < world.t.clock <= began + 11 * MS, "until one task was done"


def test_a_full_persistent_stream_refuses(build):
    world = build(limits={"stream_depth": 2})
    stream, event = world.stream(PERSISTENT), world.must(C.aclrtCreateEvent())
    assert [C.aclrtRecordEvent(event, stream) for _ in range(3)] == [0, 0, 507002]


def test_the_depth_is_the_chips(build):
    for soc, depth in (("Ascend910B3", 2013), ("Ascend310P3", 2042)):
        world = build(soc=soc)
        assert world.at(world.stream()).depth == depth


# -- destroying --------------------------------------------------------------------------------------------------------


def test_destroy_waits_for_the_queue(world):
    stream = world.stream()
    ran = []
    world.task(stream, 7 * MS, then=ran.append)
    assert C.aclrtDestroyStream(stream) == 0
    assert ran
    assert C.aclrtDestroyStream(stream) == 107017
    assert C.aclrtDestroyStreamForce(stream) == 107017
    assert world.sync(stream) == 107017


def test_destroy_by_force_does_not(world):
    stream = world.stream()
    ran = []
    world.task(stream, 7 * MS, then=ran.append)
    assert C.aclrtDestroyStreamForce(stream) == 0
    world.t.clock += 20 * MS
    world.must(C.aclrtSynchronizeDevice())
    assert not ran


def test_the_default_stream_cannot_be_destroyed(build):
    world = build()
    default = world.must(C.aclrtCtxGetCurrentDefaultStream())
    assert C.aclrtDestroyStream(0) == 100000
    assert C.aclrtDestroyStream(default) == 107000
    assert "undefined-use" in world.kinds()
    world = build(switches={"destroy_default_stream": "accepted"})
    assert C.aclrtDestroyStream(world.must(C.aclrtCtxGetCurrentDefaultStream())) == 0


def test_ids_are_counted_and_come_back(build):
    world = build(limits={"streams": 3})
    assert world.must(C.aclrtGetStreamAvailableNum()) == 2, "the default stream takes one"
    a, b = world.streams(2)
    assert C.aclrtCreateStream() == (0, 207008)
    assert C.aclrtCreateContext(0) == (0, 207008), "a context needs its default stream"
    ids = [world.must(C.aclrtStreamGetId(stream)) for stream in (a, b)]
    world.must(C.aclrtDestroyStream(a))
    assert world.must(C.aclrtStreamGetId(world.stream())) == ids[0], "the lowest free id"


# -- contexts ----------------------------------------------------------------------------------------------------------


def test_a_stream_of_another_context(world):
    stream, event = world.stream(), world.must(C.aclrtCreateEvent())
    world.must(C.aclrtCreateContext(0))
    refused = [
        C.aclrtRecordEvent(event, stream),
        C.aclrtDestroyStream(stream),
        C.aclrtDestroyStreamForce(stream),
        C.aclrtStreamAbort(stream),
        C.aclrtStreamStop(stream),
        C.aclrtSetStreamFailureMode(stream, 1),
        C.aclrtSetStreamOverflowSwitch(stream, 1),
        C.aclrtGetStreamOverflowSwitch(stream)[-1],
        C.aclrtLaunchHostFunc(stream, print, None),
    ]
    assert refused == [107003] * len(refused)
    accepted = [
        world.sync(stream),
        C.aclrtSynchronizeStreamWithTimeout(stream, 10),
        C.aclrtStreamQuery(stream)[-1],
        C.aclrtStreamGetId(stream)[-1],
        C.aclrtStreamGetPriority(stream)[-1],
        C.aclrtStreamGetFlags(stream)[-1],
    ]
    assert accepted == [0] * len(accepted)


def test_device_synchronise_is_for_one_context(build):
    world = build()
    world.task(world.stream(), 50 * MS)
    context = world.must(C.aclrtCreateContext(0))
    world.must(C.aclrtSynchronizeDevice())
    assert world.t.clock < 50 * MS
    assert C.aclrtSynchronizeDeviceWithTimeout(10) == 0
    world.must(C.aclrtDestroyContext(context))
    world.must(C.aclrtSetDevice(0))
    assert C.aclrtSynchronizeDeviceWithTimeout(10) == 507046
    assert C.aclrtSynchronizeDeviceWithTimeout(100) == 0, "a time-out changes nothing on the device"


def test_timeouts(build):
    world = build()
    stream = world.stream()
    world.task(stream, 50 * MS)
    codes = [C.aclrtSynchronizeStreamWithTimeout(stream, timeout) for timeout in (-2, 0, 10, 100, -1)]
    assert codes == [107000, 107000, 507046, 0, 0]
    world = build(switches={"zero_timeout": "accepted"})
    stream = world.stream()
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 0) == 0
    world.task(stream, 50 * MS)
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 0) == 507046


def test_a_hang_is_a_finding_that_names_the_wait(world):
    from ascend_sim.errors import SimulatedHang

    stream, flag = world.stream(), world.must(C.aclrtCreateEventWithFlag(1))
    world.must(C.aclrtStreamWaitEvent(stream, flag))
    with pytest.raises(SimulatedHang):
        world.sync(stream)
    assert world.kinds() == ["deadlock"]
