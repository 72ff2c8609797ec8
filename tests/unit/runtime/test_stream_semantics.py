"""Rules of spec/stream/semantics.md and spec/api/surprises.md that are easy to get wrong, one a test."""

import threading

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang

MS = 1_000_000
FAULT, OTHER = 507015, 507035
UNAWAITED = {C.ACL_STREAM_PERSISTENT: "persistent", C.ACL_STREAM_DEVICE_USE_ONLY: "device use only"}


def in_thread(call):
    """What *call* returns in a new host thread."""
    results = []
    thread = threading.Thread(target=lambda: results.append(call()))
    thread.start()
    thread.join(20)
    return results[0]


def serving(world, *streams):
    """The calling thread serves the callbacks of *streams*."""
    for stream in streams:
        world.must(C.aclrtSubscribeReport(threading.get_ident(), stream))


# -- 1 streams ---------------------------------------------------------------------------------------------------------


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


def test_a_full_queue_makes_the_call_wait_for_exactly_one_place(build):
    world = build(limits={"stream_depth": 2})
    stream = world.stream()
    ends = []
    for _ in range(5):
        world.task(stream, MS, then=ends.append)
    assert 2 <= len(ends) <= 3, "the calls waited for room, not for everything"
    assert world.sync(stream) == 0
    assert len(ends) == 5


def test_a_full_queue_behind_a_wait_that_only_a_later_call_ends_is_a_hang(build):
    world = build(limits={"stream_depth": 2})
    stream, event, device = world.stream(), world.must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_SYNC)), world.device()
    world.must(C.aclrtStreamWaitEvent(stream, event))
    with pytest.raises(SimulatedHang):
        for _ in range(5):
            C.aclrtMemsetAsync(device, 64, 0, 64, stream)
    assert "deadlock" in world.kinds()


# -- 2 copies ----------------------------------------------------------------------------------------------------------


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


# -- 3 events ----------------------------------------------------------------------------------------------------------


def test_a_wait_for_a_level_flag_passes_by_an_older_record_that_nobody_reset(world):
    a, b = world.streams(2)
    event = world.must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_SYNC))
    world.must(C.aclrtRecordEvent(event, a))
    world.must(world.sync(a))
    world.task(a, 50 * MS)
    world.must(C.aclrtRecordEvent(event, a))
    ends = []
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.task(b, then=ends.append)
    world.must(world.sync(b))
    assert ends[0] < 50 * MS, "the newer record had not run"


def test_a_record_after_the_wait_call_releases_a_level_flag(world):
    a, b = world.streams(2)
    event = world.must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_SYNC))
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.must(C.aclrtRecordEvent(event, a))
    assert world.sync(b) == 0


def test_a_wait_keeps_its_record_when_the_event_is_recorded_again(world):
    a, b, c = world.streams(3)
    event = world.must(C.aclrtCreateEvent())
    world.task(a, MS)
    world.must(C.aclrtRecordEvent(event, a))
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.hold(c)
    world.must(C.aclrtRecordEvent(event, c))
    assert world.sync(b) == 0
    assert C.aclrtQueryEventStatus(event) == (0, 0), "the host asks for the newest record"
    world.release(c)


def test_a_destroyed_event_still_holds_who_waits_for_its_record(world):
    a, b = world.streams(2)
    event = world.must(C.aclrtCreateEvent())
    ends = []
    world.task(a, 9 * MS)
    world.must(C.aclrtRecordEvent(event, a))
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.task(b, then=ends.append)
    assert C.aclrtDestroyEvent(event) == 0
    assert C.aclrtStreamWaitEvent(b, event) == 107017
    world.must(world.sync(b))
    assert ends[0] >= 9 * MS


def test_the_two_status_queries_mean_opposite_things_by_the_same_number(world):
    stream, event = world.stream(), world.must(C.aclrtCreateEvent())
    world.task(stream, MS)
    world.must(C.aclrtRecordEvent(event, stream))
    assert (C.aclrtQueryEvent(event), C.aclrtQueryEventStatus(event)) == ((1, 0), (0, 0))
    world.must(world.sync(stream))
    assert (C.aclrtQueryEvent(event), C.aclrtQueryEventStatus(event)) == ((0, 0), (1, 0))


def test_elapsed_times_are_whole_ticks_of_20_ns_and_may_be_negative(world):
    stream = world.stream()
    first, last = (world.must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_TIME_LINE)) for _ in range(2))
    world.must(C.aclrtRecordEvent(first, stream))
    world.task(stream, 12_345)
    world.must(C.aclrtRecordEvent(last, stream))
    assert C.aclrtEventElapsedTime(first, last)[-1] == 107006
    world.must(world.sync(stream))
    forth, back = world.must(C.aclrtEventElapsedTime(first, last)), world.must(C.aclrtEventElapsedTime(last, first))
    assert forth == -back > 0
    ticks = forth * 50_000
    assert abs(ticks - round(ticks)) < 1e-3


def test_an_event_can_be_waited_for_by_a_stream_of_another_context(world):
    a, event = world.stream(), world.must(C.aclrtCreateEvent())
    ends = []
    world.task(a, 5 * MS)
    world.must(C.aclrtRecordEvent(event, a))
    world.must(C.aclrtCreateContext(0))
    b = world.stream()
    assert C.aclrtStreamWaitEvent(a, event) == 107003
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.task(b, then=ends.append)
    world.must(world.sync(b))
    assert ends[0] >= 5 * MS


def test_a_level_flag_needs_its_id_at_creation_and_a_plain_event_at_its_record(build):
    world = build(limits={"events": 1})
    stream = world.stream()
    plain = world.must(C.aclrtCreateEvent())
    flag = world.must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_SYNC))
    assert C.aclrtCreateEventWithFlag(C.ACL_EVENT_SYNC) == (0, 207007)
    assert C.aclrtRecordEvent(plain, stream) == 207007
    world.must(C.aclrtDestroyEvent(flag))
    assert C.aclrtRecordEvent(plain, stream) == 0


def test_records_that_are_over_do_not_pile_up_before_ids_are_scarce(build):
    world = build(limits={"stream_depth": 64})
    a, b = world.streams(2)
    for _ in range(10):
        event = world.must(C.aclrtCreateEvent())
        for _ in range(500):
            world.must(C.aclrtRecordEvent(event, a))
            world.must(C.aclrtStreamWaitEvent(b, event))
        world.must(C.aclrtDestroyEvent(event))
    (device,) = world.sim.devices
    assert device.events_used < 2000, "each keeps its tasks in memory"
    world.must(C.aclrtSynchronizeDevice())
    assert C.aclrtGetEventAvailNum() == (device.event_limit, 0)


def test_a_limit_of_a_wait_on_the_device_is_107020_once(world):
    stream = world.stream()
    event = world.must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_SYNC))
    ran = []
    world.must(C.aclrtStreamWaitEventWithTimeout(stream, event, 1))
    world.task(stream, then=ran.append)
    assert [world.sync(stream), world.sync(stream)] == [107020, 0]
    assert ran, "in continue mode the next task runs"


# -- 5 callbacks -------------------------------------------------------------------------------------------------------


def test_one_call_of_process_report_serves_several_streams(world):
    a, b = world.streams(2)
    serving(world, a, b)
    ran = []
    for stream, name in ((a, "a"), (b, "b"), (a, "a2")):
        world.must(C.aclrtLaunchCallback(ran.append, name, C.ACL_CALLBACK_NO_BLOCK, stream))
    for stream in (a, b):
        world.must(world.sync(stream))
    assert C.aclrtProcessReport(1) == 0
    assert sorted(ran) == ["a", "a2", "b"]
    assert ran.index("a") < ran.index("a2")
    assert C.aclrtProcessReport(1) == 507012


def test_one_thread_cannot_serve_streams_of_two_devices(build):
    world = build(devices=2)
    serving(world, world.stream())
    world.must(C.aclrtSetDevice(1))
    assert C.aclrtSubscribeReport(threading.get_ident(), world.stream()) == 107012


def test_a_destroyed_stream_leaves_its_thread_with_nothing_to_serve(world):
    stream = world.stream()
    serving(world, stream)
    world.must(C.aclrtDestroyStream(stream))
    assert C.aclrtProcessReport(1) == 107012


def test_destroying_a_stream_waits_for_its_callbacks_by_force_it_does_not(world):
    a, b = world.streams(2)
    serving(world, a, b)
    ran = []
    world.hold(a)
    world.must(C.aclrtLaunchCallback(ran.append, "a", C.ACL_CALLBACK_BLOCK, a))
    world.must(C.aclrtDestroyStreamForce(a))
    assert C.aclrtProcessReport(1) == 507012
    assert not ran
    world.must(C.aclrtLaunchCallback(ran.append, "b", C.ACL_CALLBACK_BLOCK, b))
    with pytest.raises(SimulatedHang):
        C.aclrtDestroyStream(b)  # the thread that waits is the one that serves


def test_a_callback_that_launches_the_next_one_is_served_in_the_next_round(world):
    stream = world.stream()
    serving(world, stream)
    ran = []

    def first(data):
        ran.append(data)
        C.aclrtLaunchCallback(ran.append, "second", C.ACL_CALLBACK_BLOCK, stream)

    world.must(C.aclrtLaunchCallback(first, "first", C.ACL_CALLBACK_BLOCK, stream))
    assert C.aclrtProcessReport(100) == 0
    assert ran[0] == "first"
    if len(ran) == 1:
        assert C.aclrtProcessReport(100) == 0
    assert ran == ["first", "second"]
    assert world.sync(stream) == 0


# -- 6 waiting on the host ---------------------------------------------------------------------------------------------

LONGEST, FOREVER = 0x7FFFFFFF, -1


@pytest.mark.parametrize(
    ("call", "zero", "below"),
    [
        (lambda w, ms: C.aclrtSynchronizeDeviceWithTimeout(ms), 107000, 107000),
        (lambda w, ms: C.aclrtSynchronizeStreamWithTimeout(w.stream(), ms), 107000, 107000),
        (lambda w, ms: C.aclrtSynchronizeEventWithTimeout(w.must(C.aclrtCreateEvent()), ms), 107000, 107000),
        (lambda w, ms: C.aclrtProcessReport(ms), 100000, 100000),
    ],
    ids=["device", "stream", "event", "report"],
)
def test_limits_of_waits_on_the_host(world, call, zero, below):
    assert call(world, 0) == zero
    assert call(world, -2) == below
    assert call(world, -(2**31)) == below
    if zero == 107000:  # a report with nothing to serve answers that
        assert call(world, FOREVER) == 0
        assert call(world, LONGEST) == 0
    else:
        assert call(world, FOREVER) == 107012
        assert call(world, LONGEST) == 107012


def test_a_limit_on_the_host_changes_nothing_on_the_device(world):
    stream = world.stream()
    ends = []
    world.task(stream, 50 * MS, then=ends.append)
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 10) == 507046
    assert not ends
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 100) == 0
    assert len(ends) == 1
    assert C.aclrtSynchronizeDevice() == 0, "the limit left no failure behind"


def test_work_that_ends_just_within_the_limit_is_no_time_out(world):
    stream = world.stream()
    ends = []
    world.task(stream, 10 * MS - 4000, then=ends.append)
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 10) == 0
    assert ends


def test_synchronise_event_waits_for_the_record_that_was_newest_at_the_call(world):
    a, event = world.stream(), world.must(C.aclrtCreateEvent())
    world.must(C.aclrtRecordEvent(event, a))
    world.task(a, 20 * MS)
    world.must(C.aclrtSynchronizeEvent(event))
    assert world.sim.time_ns() < 20 * MS


def test_a_time_out_of_a_device_leaves_every_stream_as_it_was(world):
    a, b = world.streams(2)
    world.task(a, 8 * MS)
    world.task(b, 30 * MS)
    assert C.aclrtSynchronizeDeviceWithTimeout(20) == 507046
    assert C.aclrtStreamQuery(a) == (0, 0)
    assert C.aclrtSynchronizeDeviceWithTimeout(20) == 0


def test_a_poll_for_ever_is_reported_with_whom_it_waits_for(world):
    stream, event = world.stream(), world.must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_SYNC))
    done = world.must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC))
    world.must(C.aclrtStreamWaitEvent(stream, event))
    world.must(C.aclrtRecordEvent(done, stream))
    for ask in (lambda: C.aclrtStreamQuery(stream), lambda: C.aclrtQueryEventStatus(done)):
        with pytest.raises(SimulatedHang):
            while True:
                ask()
    for finding in world.sim.findings:
        assert finding.kind == "deadlock"
        assert "waits for the flag of `event`" in finding.title
        assert finding.order.startswith("T0 (main) -> stream")


def test_a_poll_for_an_event_that_was_never_recorded_says_so(world):
    event = world.must(C.aclrtCreateEvent())
    with pytest.raises(SimulatedHang, match="never recorded"):
        while True:
            C.aclrtQueryEventStatus(event)


def test_a_poll_of_the_thread_that_serves_the_stream_is_a_circle(world):
    stream = world.stream()
    serving(world, stream)
    world.must(C.aclrtLaunchCallback(print, 1, C.ACL_CALLBACK_BLOCK, stream))
    with pytest.raises(SimulatedHang):
        while C.aclrtStreamQuery(stream)[0]:
            pass
    (finding,) = world.sim.findings
    assert "wait for each other" in finding.title


# -- 7 devices and contexts --------------------------------------------------------------------------------------------


def test_an_explicit_context_needs_no_set_device():
    with Simulator():
        context, code = C.aclrtCreateContext(0)
        assert code == 0
        assert C.aclrtGetDevice() == (0, 0)
        assert C.aclrtCreateStream()[-1] == 0
        assert C.aclrtDestroyContext(context) == 0
        assert C.aclrtCreateStream() == (0, 107002)
        assert C.aclrtResetDevice(0) == 507007, "nobody set the device"


def test_set_device_takes_the_place_of_an_explicit_context(world):
    primary = world.must(C.aclrtGetCurrentContext())
    own = world.must(C.aclrtCreateContext(0))
    world.must(C.aclrtSetDevice(0))
    assert C.aclrtGetCurrentContext() == (primary, 0)
    assert C.aclrtDestroyContext(own) == 0


def test_every_set_device_counts(world):
    world.must(C.aclrtSetDevice(0))
    assert [C.aclrtResetDevice(0) for _ in range(3)] == [0, 0, 507007]


def test_force_ends_any_count(world):
    world.must(C.aclrtSetDevice(0))
    assert [C.aclrtResetDeviceForce(0), C.aclrtResetDevice(0), C.aclrtResetDeviceForce(0)] == [0, 507007, 507007]


def test_a_thread_bound_to_a_device_that_another_resets_has_no_context(world):
    go, done, codes = threading.Event(), threading.Event(), []

    def other():
        codes.append(C.aclrtSetDevice(0))
        done.set()
        go.wait(20)
        codes.append(C.aclrtCreateStream()[-1])
        codes.append(C.aclrtSetDevice(0))
        codes.append(C.aclrtCreateStream()[-1])

    thread = threading.Thread(target=other)
    thread.start()
    done.wait(20)
    world.must(C.aclrtResetDeviceForce(0))
    go.set()
    thread.join(20)
    assert codes == [0, 107002, 0, 0]


def test_a_binding_comes_back_only_if_no_call_failed_in_between(world):
    def elsewhere(again):
        assert C.aclrtResetDeviceForce(0) == 0
        if again:
            assert C.aclrtSetDevice(0) == 0

    in_thread(lambda: elsewhere(True))
    assert C.aclrtCreateStream()[-1] == 0, "set again elsewhere before anybody looked"
    in_thread(lambda: elsewhere(False))
    assert C.aclrtCreateStream()[-1] == 107002
    in_thread(lambda: C.aclrtSetDevice(0))
    assert C.aclrtCreateStream()[-1] == 107002


def test_the_primary_context_is_the_same_object_after_a_teardown(world):
    before = world.must(C.aclrtGetCurrentContext())
    world.must(C.aclrtResetDevice(0))
    world.must(C.aclrtSetDevice(0))
    assert C.aclrtGetCurrentContext() == (before, 0)


def test_explicit_contexts_survive_a_reset_of_their_device(world):
    context = world.must(C.aclrtCreateContext(0))
    stream = world.stream()
    world.must(C.aclrtResetDeviceForce(0))
    assert C.aclrtGetCurrentContext() == (context, 0)
    assert world.sync(stream) == 0


def test_a_context_that_another_thread_has_current_is_known_until_it_lets_go(world):
    context = world.must(C.aclrtCreateContext(0))
    go, ready = threading.Event(), threading.Event()

    def holder():
        C.aclrtSetCurrentContext(context)
        ready.set()
        go.wait(20)
        C.aclrtCreateStream()

    thread = threading.Thread(target=holder)
    thread.start()
    ready.wait(20)
    codes = [C.aclrtDestroyContext(context), C.aclrtDestroyContext(context), C.aclrtSetCurrentContext(context)]
    go.set()
    thread.join(20)
    assert codes == [0, 507007, 107000]
    assert C.aclrtDestroyContext(context) == 107002


def test_the_primary_context_cannot_be_destroyed(world):
    assert C.aclrtDestroyContext(world.must(C.aclrtGetCurrentContext())) == 107002
    assert C.aclrtCreateStream()[-1] == 0


def test_a_new_thread_has_no_context(world):
    assert in_thread(lambda: (C.aclrtGetDevice(), C.aclrtGetCurrentContext())) == ((None, 107002), (0, 107002))


# -- 8 failures --------------------------------------------------------------------------------------------------------


def test_in_stop_mode_queries_of_streams_and_events_answer_the_failure_each_time(world):
    stream, event = world.stream(), world.must(C.aclrtCreateEvent())
    world.must(C.aclrtSetStreamFailureMode(stream, 1))
    world.must(C.aclrtRecordEvent(event, stream))
    world.task(stream, code=FAULT)
    assert world.sync(stream) == FAULT
    for _ in range(2):
        assert C.aclrtStreamQuery(stream)[-1] == FAULT
        assert C.aclrtQueryEventStatus(event)[-1] == FAULT
        assert C.aclrtRecordEvent(event, stream) == FAULT


def test_an_abort_of_the_device_clears_a_sticky_failure(world):
    stream = world.stream()
    world.must(C.aclrtSetStreamFailureMode(stream, 1))
    world.task(stream, code=FAULT)
    assert [world.sync(stream), world.sync(stream)] == [FAULT, FAULT]
    world.must(C.aclrtDeviceTaskAbort(0, 0))
    assert world.sync(stream) == 0


def test_the_last_failure_of_a_stream_wins_and_the_first_of_the_streams(world):
    a, b = world.streams(2)
    for code in (FAULT, OTHER):
        world.task(a, code=code)
    world.task(b, code=507018)
    assert [C.aclrtSynchronizeDevice(), C.aclrtSynchronizeDevice()] == [OTHER, 0]


@pytest.mark.parametrize(
    ("call", "code", "kept"),
    [
        (lambda: C.aclrtStreamQuery(0xDEAD)[-1], 107017, True),
        (lambda: C.aclrtDestroyStream(0), 100000, False),
        (lambda: C.aclrtSynchronizeStreamWithTimeout(0, -2), 107000, False),
        (lambda: C.aclrtSynchronizeStreamWithTimeout(0, 0), 107000, True),
        (lambda: C.aclrtSetDevice(99), 107001, True),
        (lambda: C.aclrtResetDevice(1), None, True),
    ],
    ids=["dead handle", "null", "acl layer", "runtime layer", "device", "reset"],
)
def test_the_last_error_keeps_what_the_runtime_refused_and_nothing_else(world, call, code, kept):
    C.aclrtGetLastError(0)
    returned = call()
    assert code is None or returned == code
    expected = returned if kept else 0
    assert C.aclrtStreamQuery(0) == (0, 0), "success clears nothing"
    assert [C.aclrtPeekAtLastError(0), C.aclrtGetLastError(0), C.aclrtGetLastError(0)] == [expected, expected, 0]


def test_get_device_without_a_context_is_no_last_error(world):
    def codes():
        return C.aclrtGetDevice()[-1], C.aclrtGetCurrentContext()[-1], C.aclrtGetLastError(0)

    assert in_thread(codes) == (107002, 107002, 0)


def test_the_last_error_belongs_to_its_thread(world):
    C.aclrtStreamQuery(0xDEAD)
    assert in_thread(lambda: C.aclrtGetLastError(0)) == 0
    assert C.aclrtGetLastError(1) == 100000
    assert C.aclrtGetLastError(0) == 107017


def test_texts_are_gone_once_they_were_read(world):
    C.aclrtStreamQuery(0xDEAD)
    assert "107017" in str(C.aclGetRecentErrMsg())
    assert not C.aclGetRecentErrMsg()


# -- 11 the beginning and the end --------------------------------------------------------------------------------------


def test_inits_count_even_when_they_are_refused(world):
    assert [C.aclInit(None), C.aclInit(None), C.aclInit(None)] == [0, 100002, 100002]
    assert [C.aclFinalizeReference() for _ in range(4)] == [(2, 0), (1, 0), (0, 0), (0, 100037)]


def test_finalize_before_any_init_succeeds_and_a_second_one_after_an_init_does_not(world):
    assert C.aclFinalize() == 0
    world.must(C.aclInit(None))
    assert [C.aclFinalize(), C.aclFinalize()] == [0, 100037]


def test_work_that_nobody_waited_for_is_told_at_the_end():
    with Simulator() as sim:
        assert [C.aclInit(None), C.aclrtSetDevice(0)] == [0, 0]
        stream, address = C.aclrtCreateStream()[0], C.aclrtMalloc(64, 0)[0]
        for _ in range(2):
            assert C.aclrtMemsetAsync(address, 64, 0, 64, stream) == 0
    work, leak = sim.findings
    assert (work.kind, leak.kind) == ("unawaited-work", "leak") and "2 tasks" in work.title


# -- 12 and api/surprises.md -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", list(UNAWAITED), ids=list(UNAWAITED.values()))
def test_streams_that_nobody_waits_for_answer_at_once(world, flag):
    stream = world.stream(flag)
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 1) == 0


def test_an_unset_option_of_the_context_is_107021_and_of_the_process_zero(world):
    assert C.aclrtCtxGetSysParamOpt(0)[-1] == 107021
    assert C.aclrtGetSysParamOpt(0) == (0, 0)


def test_conversions_of_half_precision_are_not_those_of_numpy(world):
    assert C.aclFloat16ToFloat(0x7C00) == 65536.0
    assert C.aclFloat16ToFloat(0x7E00) == 98304.0
    assert C.aclFloatToFloat16(float("nan")) == 0x7BFF
