"""Streams (docs/semantics/streams.md), and the order in which things happen."""

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.task import Op
from tests.kit.calls import in_thread

MS = 1_000_000
FAULT = 507015
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


def test_default_streams_of_contexts_count_against_the_limit_of_streams(build):
    world = build(limits={"streams": 3})  # one is the default stream of the primary context
    context = world.must(C.aclrtCreateContext(0))
    world.stream()
    assert C.aclrtCreateStream() == (0, 207008)
    world.must(C.aclrtDestroyContext(context))
    world.must(C.aclrtSetDevice(0))
    world.streams(2)
    assert C.aclrtCreateStream() == (0, 207008)


def test_null_means_the_default_stream_of_the_context_that_is_current_now(world):
    primary = world.must(C.aclrtCtxGetCurrentDefaultStream())
    world.must(C.aclrtCreateContext(0))
    own = world.must(C.aclrtCtxGetCurrentDefaultStream())
    assert own != primary
    event = world.must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC))
    world.hold(primary)
    world.must(C.aclrtRecordEvent(event, 0))
    assert C.aclrtSynchronizeEvent(event) == 0, "the held stream has nothing to do with it"


def test_threads_that_share_a_context_share_its_default_stream(world):
    context = world.must(C.aclrtGetCurrentContext())
    mine = world.must(C.aclrtCtxGetCurrentDefaultStream())

    def theirs():
        assert C.aclrtSetCurrentContext(context) == 0
        return C.aclrtCtxGetCurrentDefaultStream()

    assert in_thread(theirs) == (mine, 0)


def test_streams_of_equal_priority_go_by_their_number(world):
    first, second = world.streams(2)
    order = []
    world.task(second, then=lambda _: order.append("second"))
    world.task(first, then=lambda _: order.append("first"))
    world.must(C.aclrtSynchronizeDevice())
    assert order == ["first", "second"]


def test_a_failure_seen_while_a_stream_is_destroyed_is_lost_and_the_second_destroy_is_107017(world):
    stream = world.stream()
    world.task(stream, code=FAULT)
    assert [C.aclrtDestroyStream(stream), C.aclrtDestroyStream(stream)] == [0, 107017]
    assert C.aclrtSynchronizeDevice() == 0


def test_a_synchronise_of_a_foreign_stream_leaves_the_current_context_as_it_was(world):
    stream = world.stream()
    world.task(stream)
    context = world.must(C.aclrtCreateContext(0))
    assert world.sync(stream) == 0
    assert C.aclrtGetCurrentContext() == (context, 0)


def test_a_full_queue_behind_a_wait_that_only_a_later_call_ends_is_a_hang(build):
    world = build(limits={"stream_depth": 2})
    stream, event, device = world.stream(), world.must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_SYNC)), world.device()
    world.must(C.aclrtStreamWaitEvent(stream, event))
    with pytest.raises(SimulatedHang):
        for _ in range(5):
            C.aclrtMemsetAsync(device, 64, 0, 64, stream)
    assert "deadlock" in world.kinds()


def test_a_pageable_asynchronous_copy_returns_the_failure_of_an_earlier_task(world):
    stream, device, host = world.stream(), world.device(64), bytearray(64)
    world.task(stream, code=FAULT)
    assert C.aclrtMemcpyAsync(host, 64, device, 64, C.ACL_MEMCPY_DEVICE_TO_HOST, stream) == FAULT
    assert world.sync(stream) == 0, "it was taken by the copy"


def test_a_pageable_asynchronous_copy_waits_for_the_stream_and_a_pinned_one_does_not(world):
    stream, device = world.stream(), world.device(64, 1)
    pinned, pageable = world.must(C.aclrtMallocHost(64)), bytearray(64)
    done = []
    world.task(stream, then=done.append)
    world.must(C.aclrtMemcpyAsync(pinned, 64, device, 64, C.ACL_MEMCPY_DEVICE_TO_HOST, stream))
    assert not done
    world.must(C.aclrtMemcpyAsync(pageable, 64, device, 64, C.ACL_MEMCPY_DEVICE_TO_HOST, stream))
    assert done
    assert pageable == b"\1" * 64


def test_a_synchronous_copy_waits_for_no_stream(world):
    stream, device, host = world.stream(), world.device(64, 1), bytearray(64)
    world.hold(stream)
    world.must(C.aclrtMemsetAsync(device, 64, 9, 64, stream))
    world.must(C.aclrtMemcpy(host, 64, device, 64, C.ACL_MEMCPY_DEVICE_TO_HOST))
    assert host == b"\1" * 64
    world.release(stream)


def test_a_failed_task_does_not_touch_what_a_later_synchronous_copy_returns(world):
    stream, device, host = world.stream(), world.device(64, 1), bytearray(64)
    world.task(stream, code=FAULT)
    assert C.aclrtMemcpy(host, 64, device, 64, C.ACL_MEMCPY_DEVICE_TO_HOST) == 0
    assert world.sync(stream) == FAULT
