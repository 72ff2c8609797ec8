"""Events: the tables of docs/semantics/events.md, family by family."""

import pytest

from ascend_sim import ascendcl as C

SYNC, PROGRESS, TIME_LINE = 1, 2, 8
MS = 1_000_000
EARLY, MIDDLE, LATE = "early", "middle", "late"


def auto(world):
    return world.must(C.aclrtCreateEvent())


def level(world):
    return world.must(C.aclrtCreateEventWithFlag(SYNC))


def ex(world):
    return world.must(C.aclrtCreateEventExWithFlag(SYNC))


def stamp(world):
    return world.must(C.aclrtCreateEventWithFlag(TIME_LINE))


def stamp_ex(world):
    return world.must(C.aclrtCreateEventExWithFlag(TIME_LINE | PROGRESS))


FAMILIES = {"auto": auto, "level": level, "ex": ex, "stamp": stamp, "stamp_ex": stamp_ex}


@pytest.fixture(params=FAMILIES)
def family(request):
    return request.param


# -- 3.1: waiting and resetting ----------------------------------------------------------------------------------------

NEVER_RECORDED = {"auto": 107000, "level": 0, "ex": 0, "stamp": 207000, "stamp_ex": 207000}
RECORDED = {"auto": 0, "level": 0, "ex": 0, "stamp": 207000, "stamp_ex": 207000}
RESET = {"auto": 0, "level": 0, "ex": 207000, "stamp": 207000, "stamp_ex": 207000}


def test_a_wait_for_an_event_that_was_never_recorded(world, family):
    event, stream = FAMILIES[family](world), world.stream()
    assert C.aclrtStreamWaitEvent(stream, event) == NEVER_RECORDED[family]
    queued = len(world.at(stream).queue)
    assert queued == (1 if family == "level" else 0), "only a level flag makes a real wait"


def test_a_wait_for_a_record_that_is_done(world, family):
    event, (a, b) = FAMILIES[family](world), world.streams(2)
    world.must(C.aclrtRecordEvent(event, a))
    world.must(world.sync(a))
    assert C.aclrtStreamWaitEvent(b, event) == RECORDED[family]
    assert len(world.at(b).queue) == (1 if family == "level" else 0), "the host knows that it is done: dropped"
    assert world.sync(b) == 0


def test_reset(world, family):
    event = FAMILIES[family](world)
    assert C.aclrtResetEvent(event, world.stream()) == RESET[family]
    assert ("undefined-use" in world.kinds()) == (family == "auto")


def test_every_family_takes_records(world, family):
    event, stream = FAMILIES[family](world), world.stream()
    for _ in range(3):
        assert C.aclrtRecordEvent(event, stream) == 0
    assert world.sync(stream) == 0


def test_hardware_ids_are_taken_at_the_record_or_at_creation(build):
    world = build(limits={"events": 4})
    free = lambda: world.must(C.aclrtGetEventAvailNum())  # noqa: E731
    stream = world.stream()
    for make, at_creation, at_record in ((auto, 0, 1), (level, 1, 0), (ex, 0, 1), (stamp, 0, 0)):
        before = free()
        event = make(world)
        assert before - free() == at_creation, make
        world.must(C.aclrtRecordEvent(event, stream))
        assert before - free() == at_creation + at_record, make
        world.must(world.sync(stream))
        world.must(C.aclrtDestroyEvent(event))
        assert free() == before, make


# -- 3.2, 3.3: what a record captures and which record a wait sees -----------------------------------------------------


def test_a_record_captures_what_its_stream_held(world):
    a, b = world.streams(2)
    order, event = [], ex(world)
    world.task(a, 5 * MS, then=lambda _: order.append("first on a"))
    world.must(C.aclrtRecordEvent(event, a))
    world.task(a, 5 * MS, then=lambda _: order.append("second on a"))
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.task(b, 1 * MS, then=lambda _: order.append("on b"))
    assert C.aclrtSynchronizeDevice() == 0
    assert order == ["first on a", "on b", "second on a"]


@pytest.mark.parametrize("make", [auto, ex])
def test_a_wait_is_bound_to_the_record_of_its_time(world, make):
    a, b = world.streams(2)
    event, ends = make(world), []
    world.task(a, 2 * MS)
    world.must(C.aclrtRecordEvent(event, a))
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.task(a, 20 * MS)
    world.must(C.aclrtRecordEvent(event, a))  # later: moves no wait that is queued already
    world.task(b, 1000, then=ends.append)
    assert world.sync(b) == 0
    assert ends[0] < 10 * MS
    assert C.aclrtQueryEventStatus(event) == (0, 0), "the host follows the newest record"


def test_a_level_flag_is_tested_when_the_wait_runs(world):
    a, b = world.streams(2)
    event, order = level(world), []
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.task(b, 1000, then=lambda _: order.append("waited"))
    world.task(a, 3 * MS, then=lambda _: order.append("worked"))
    world.must(C.aclrtRecordEvent(event, a))  # after the wait call, and it releases it
    assert world.sync(b) == 0
    assert order == ["worked", "waited"]


def test_a_level_flag_stays_set_until_a_reset(world):
    a, b = world.streams(2)
    event = level(world)
    world.must(C.aclrtRecordEvent(event, a))
    world.must(world.sync(a))
    for _ in range(2):
        world.must(C.aclrtStreamWaitEvent(b, event))
        assert world.sync(b) == 0, "one record lets any number of waits pass"
    world.must(C.aclrtResetEvent(event, b))
    world.must(C.aclrtStreamWaitEvent(b, event))
    assert C.aclrtSynchronizeStreamWithTimeout(b, 5) == 507046, "after the reset it blocks again"
    world.must(C.aclrtRecordEvent(event, a))
    assert world.sync(b) == 0


def test_a_level_flag_releases_all_waiters(world):
    event, (a, b, c) = level(world), world.streams(3)
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.must(C.aclrtStreamWaitEvent(c, event))
    world.must(C.aclrtRecordEvent(event, a))
    assert (world.sync(b), world.sync(c)) == (0, 0)


def test_an_ex_wait_on_the_stream_of_its_record_is_dropped(world):
    stream, event = world.stream(), ex(world)
    world.task(stream, 1 * MS)
    world.must(C.aclrtRecordEvent(event, stream))
    before = len(world.at(stream).queue)
    world.must(C.aclrtStreamWaitEvent(stream, event))
    assert len(world.at(stream).queue) == before
    assert (C.aclrtSynchronizeEvent(event), world.sync(stream)) == (0, 0)


def test_an_auto_wait_on_the_stream_of_its_record_is_queued_and_passes(world):
    stream, event = world.stream(), auto(world)
    world.must(C.aclrtRecordEvent(event, stream))
    before = len(world.at(stream).queue)
    world.must(C.aclrtStreamWaitEvent(stream, event))
    assert len(world.at(stream).queue) == before + 1
    assert world.sync(stream) == 0


def test_events_link_contexts_and_devices(build):
    world = build(devices=2)
    event, order = ex(world), []
    first = world.stream()
    other = world.must(C.aclrtCreateContext(1))
    second = world.stream()
    world.must(C.aclrtSetDevice(0))
    world.task(first, 5 * MS, then=lambda _: order.append("device 0"))
    world.must(C.aclrtRecordEvent(event, first))
    world.must(C.aclrtSetCurrentContext(other))
    world.must(C.aclrtStreamWaitEvent(second, event))
    world.task(second, 1000, then=lambda _: order.append("device 1"))
    assert world.sync(second) == 0
    assert order == ["device 0", "device 1"]


def test_a_chip_without_value_operations_orders_nothing_between_devices(build):
    world = build(soc="Ascend310P3", devices=2)
    event, first = auto(world), world.stream()
    world.task(first, 5 * MS)
    world.must(C.aclrtRecordEvent(event, first))
    world.must(C.aclrtSetDevice(1))
    second = world.stream()
    assert C.aclrtStreamWaitEvent(second, event) == 0
    assert not world.at(second).queue
    assert "undefined-use" in world.kinds()


# -- 3.4: recording again, destroying, running out of ids --------------------------------------------------------------


def test_recording_again_before_the_first_is_done(world):
    a, event = world.stream(), auto(world)
    world.task(a, 1 * MS)
    world.must(C.aclrtRecordEvent(event, a))
    world.task(a, 1 * MS)
    world.must(C.aclrtRecordEvent(event, a))
    assert C.aclrtQueryEvent(event) == (1, 0)
    assert C.aclrtSynchronizeEvent(event) == 0
    assert C.aclrtStreamQuery(a) == (0, 0), "the newest record counts"


def test_destroy_never_waits_and_outstanding_waits_go_on(world):
    a, b = world.streams(2)
    event, order = ex(world), []
    world.task(a, 3 * MS, then=lambda _: order.append("a"))
    world.must(C.aclrtRecordEvent(event, a))
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.task(b, 1000, then=lambda _: order.append("b"))
    assert C.aclrtDestroyEvent(event) == 0
    assert C.aclrtStreamQuery(a) == (1, 0), "nobody waited"
    assert C.aclrtDestroyEvent(event) == 107017
    assert C.aclrtQueryEventStatus(event)[-1] == 107017
    assert C.aclrtSynchronizeDevice() == 0
    assert order == ["a", "b"]


def test_ids_run_out_at_creation_at_once(build):
    world = build(limits={"events": 2})
    events = [level(world), level(world)]
    assert C.aclrtCreateEventWithFlag(SYNC) == (0, 207007)
    assert C.aclrtCreateEvent()[-1] == 0, "takes its id at the record"
    world.must(C.aclrtDestroyEvent(events[0]))
    assert C.aclrtCreateEventWithFlag(SYNC)[-1] == 0


@pytest.mark.parametrize("make", [auto, ex])
def test_a_record_gives_up_after_a_thousand_tries(build, make):
    world = build(limits={"events": 2})
    stream = world.stream()
    world.hold(stream)
    events = [make(world) for _ in range(3)]
    assert [C.aclrtRecordEvent(event, stream) for event in events] == [0, 0, 207007]
    assert len(world.at(stream).queue) == 2, "nothing was queued for the third"
    world.release(stream)
    assert world.sync(stream) == 0


def test_a_record_waits_for_an_id_that_comes_free(build):
    world = build(limits={"events": 2})
    stream = world.stream()
    for _ in range(50):
        event = auto(world)
        world.task(stream, 2000)
        assert C.aclrtRecordEvent(event, stream) == 0
        world.must(C.aclrtDestroyEvent(event))


def test_older_chips_wait_for_an_id_for_ever(build):
    world = build(soc="Ascend310P3", limits={"events": 1})
    stream, slow = world.streams(2)
    world.task(slow, 20 * MS)
    world.must(C.aclrtRecordEvent(ex(world), slow))
    assert C.aclrtRecordEvent(ex(world), stream) == 0
    assert world.t.clock >= 20 * MS


def test_who_keeps_the_id_of_a_record_that_is_done(build):
    world = build(limits={"events": 2})
    stream = world.stream()
    for make, left in ((auto, 1), (ex, 2)):
        event = make(world)
        world.must(C.aclrtRecordEvent(event, stream))
        world.must(world.sync(stream))
        assert world.must(C.aclrtGetEventAvailNum()) == left, make
        assert (C.aclrtGetEventId(event)[-1] == 507000) == (make is ex)
        world.must(C.aclrtRecordEvent(event, stream))
        assert world.must(C.aclrtGetEventAvailNum()) == 1, make
        world.must(world.sync(stream))
        world.must(C.aclrtDestroyEvent(event))
        assert world.must(C.aclrtGetEventAvailNum()) == 2, make


def test_a_refused_record_takes_no_id(build):
    world = build(limits={"events": 2})
    stream = world.stream()
    world.must(C.aclrtSetStreamFailureMode(stream, 1))
    world.task(stream, 10, code=507015)
    assert world.sync(stream) == 507015
    for _ in range(5):
        assert C.aclrtRecordEvent(ex(world), stream) == 507015
    assert world.sim.devices[0].events_used == 0


def test_records_that_an_abort_dropped_give_their_ids_back(build):
    world = build(limits={"events": 2})
    stream = world.stream()
    world.hold(stream)
    events = [ex(world), ex(world)]
    for event in events:
        world.must(C.aclrtRecordEvent(event, stream))
    world.must(C.aclrtStreamAbort(stream))
    for event in events:
        world.must(C.aclrtDestroyEvent(event))
    world.release(stream)
    assert C.aclrtRecordEvent(ex(world), stream) == 0


# -- 3.5: what the host sees -------------------------------------------------------------------------------------------

OLD = {"auto": [0, 1, 0], "level": [0, 1, 0], "stamp": [0, 1, 0]}
STATUS = {"auto": [0, 0, 1], "level": [0, 0, 1], "stamp": [0, 0, 1], "ex": [1, 0, 1], "stamp_ex": [1, 0, 1]}


def stages(world, event):
    """What a query says before the first record, while it is pending, and after it."""
    stream = world.stream()
    yield
    world.task(stream, 50 * MS)
    world.must(C.aclrtRecordEvent(event, stream))
    yield
    world.must(world.sync(stream))
    yield


def test_query_event(world, family):
    event = FAMILIES[family](world)
    if family in ("ex", "stamp_ex"):
        if family == "ex":
            assert C.aclrtQueryEvent(event) == (None, 207000)
        return
    assert [C.aclrtQueryEvent(event)[0] for _ in stages(world, event)] == OLD[family]


def test_query_event_status(world, family):
    event = FAMILIES[family](world)
    assert [C.aclrtQueryEventStatus(event)[0] for _ in stages(world, event)] == STATUS[family]


def test_query_event_wait_status(world):
    event, (a, b) = auto(world), world.streams(2)
    assert C.aclrtQueryEventWaitStatus(event) == (0, 0)
    world.task(a, 5 * MS)
    world.must(C.aclrtRecordEvent(event, a))
    assert C.aclrtQueryEventWaitStatus(event) == (0, 0), "a record is no wait"
    world.must(C.aclrtStreamWaitEvent(b, event))
    assert C.aclrtQueryEventWaitStatus(event) == (1, 0)
    world.must(world.sync(b))
    assert C.aclrtQueryEventWaitStatus(event) == (0, 0)
    assert C.aclrtQueryEventWaitStatus(ex(world)) == (None, 207000)


def test_a_reset_does_not_change_what_the_host_sees(world):
    event, stream = level(world), world.stream()
    world.must(C.aclrtRecordEvent(event, stream))
    world.must(C.aclrtResetEvent(event, stream))
    world.must(world.sync(stream))
    assert C.aclrtQueryEventStatus(event) == (1, 0)
    assert C.aclrtQueryEvent(event) == (0, 0)


def test_synchronize_event(world, family):
    event, stream = FAMILIES[family](world), world.stream()
    assert C.aclrtSynchronizeEvent(event) == 0, "never recorded: at once"
    world.task(stream, 7 * MS)
    world.must(C.aclrtRecordEvent(event, stream))
    world.task(stream, 7 * MS)
    assert C.aclrtSynchronizeEvent(event) == 0
    assert 7 * MS <= world.t.clock < 14 * MS


def test_synchronize_event_with_timeout(world):
    event, stream = ex(world), world.stream()
    world.task(stream, 7 * MS)
    world.must(C.aclrtRecordEvent(event, stream))
    for timeout, code in ((-2, 107000), (0, 107000), (3, 507047), (20, 0), (-1, 0)):
        assert C.aclrtSynchronizeEventWithTimeout(event, timeout) == code, timeout


def test_synchronize_event_needs_no_context(world):
    event, stream = ex(world), world.stream()
    world.must(C.aclrtRecordEvent(event, stream))
    world.t.drop_context()
    assert C.aclrtSynchronizeEvent(event) == 0


def test_elapsed_time(world):
    stream = world.stream()
    start, end = auto(world), auto(world)
    assert C.aclrtEventElapsedTime(start, end) == (None, 507000)
    world.must(C.aclrtRecordEvent(start, stream))
    world.task(stream, 2 * MS)
    assert C.aclrtEventElapsedTime(start, end) == (None, 507000), "one of them was never recorded"
    world.must(C.aclrtRecordEvent(end, stream))
    assert C.aclrtEventElapsedTime(start, end) == (None, 107006)
    world.must(world.sync(stream))
    forwards = world.must(C.aclrtEventElapsedTime(start, end))
    assert forwards == pytest.approx(2.0, rel=1e-3)
    assert world.must(C.aclrtEventElapsedTime(end, start)) == -forwards, "reversed: a negative number, no error"


def test_elapsed_time_counts_ticks_of_the_chip(build):
    for soc, tick_ns in (("Ascend910B3", 20), ("Ascend310P3", 1)):
        world = build(soc=soc)
        stream, start, end = world.stream(), auto(world), auto(world)
        world.must(C.aclrtRecordEvent(start, stream))
        world.task(stream, 1007)
        world.must(C.aclrtRecordEvent(end, stream))
        world.must(world.sync(stream))
        ns = world.must(C.aclrtEventElapsedTime(start, end)) * 1e6
        assert ns % tick_ns == pytest.approx(0, abs=0.1) or ns % tick_ns == pytest.approx(tick_ns, abs=0.1)


def test_time_stamps_need_the_ability(world):
    stream, event = world.stream(), level(world)
    world.must(C.aclrtRecordEvent(event, stream))
    world.must(world.sync(stream))
    assert C.aclrtEventGetTimestamp(event) == (None, 107006)
    assert C.aclrtEventElapsedTime(event, event) == (None, 107006)
    timed = stamp(world)
    assert C.aclrtEventGetTimestamp(timed) == (None, 507000)
    world.must(C.aclrtRecordEvent(timed, stream))
    world.must(world.sync(stream))
    assert world.must(C.aclrtEventGetTimestamp(timed)) == world.at(stream).free // 1000


# -- 3.6: uses ---------------------------------------------------------------------------------------------------------


def test_the_first_call_fixes_the_use_even_when_it_fails(world):
    stream, event = world.stream(), ex(world)
    assert C.aclrtRecordEventWithFlag(event, stream, 1) == 107029, "not capturing"
    assert C.aclrtRecordEvent(event, stream) == 107000
    assert C.aclrtRecordEventWithFlag(event, stream, 0) == 107000
    assert C.aclrtStreamWaitEvent(stream, event) == 0, "the use of waits is another one"
    assert C.aclrtStreamWaitEventWithFlag(stream, event, 0, 1) == 107000
    assert C.aclrtStreamWaitEventWithTimeout(stream, event, 3) == 0


def test_a_plain_record_fixes_the_use_too(world):
    stream, event = world.stream(), ex(world)
    world.must(C.aclrtRecordEvent(event, stream))
    assert C.aclrtRecordEventWithFlag(event, stream, 1) == 107000


@pytest.mark.parametrize("make", [auto, level, stamp, stamp_ex])
def test_external_needs_an_ex_event_with_sync_alone(world, make):
    stream, event = world.stream(), make(world)
    assert C.aclrtRecordEventWithFlag(event, stream, 1) == 207000
    assert C.aclrtStreamWaitEventWithFlag(stream, event, 0, 1) == 207000
    assert C.aclrtRecordEvent(event, stream) == 0, "a refused use fixes nothing"


# -- limits of waits ---------------------------------------------------------------------------------------------------


def test_a_wait_that_takes_too_long_is_a_failed_task(world):
    a, b = world.streams(2)
    event, ran = level(world), []
    world.must(C.aclrtStreamWaitEventWithTimeout(b, event, 2))
    world.task(b, 1000, then=ran.append)
    assert world.sync(b) == 107020
    assert ran == [pytest.approx(2_000 * MS, rel=1e-3)], "continue mode: the stream goes on after the limit"
    world.must(C.aclrtRecordEvent(event, a))
    assert world.sync(b) == 0


def test_the_limit_of_the_process(world):
    b, event = world.stream(), level(world)
    world.must(C.aclrtSetOpWaitTimeout(3))
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.must(C.aclrtStreamWaitEventWithFlag(b, event, 0xFFFFFFFF, 0))
    world.must(C.aclrtSetOpWaitTimeout(0))
    assert world.sync(b) == 107020
    assert world.t.clock == pytest.approx(6_000 * MS, rel=1e-3)


def test_a_wait_in_time_leaves_no_limit_behind(world):
    a, b = world.streams(2)
    event = level(world)
    world.must(C.aclrtStreamWaitEventWithTimeout(b, event, 1))
    world.must(C.aclrtRecordEvent(event, a))
    world.task(b, 5_000 * MS)
    assert world.sync(b) == 0


def test_families_that_know_no_limit_of_their_own(build):
    world = build(soc="Ascend310P3")
    a, b = world.streams(2)
    event = level(world)
    world.must(C.aclrtStreamWaitEventWithTimeout(b, event, 1))
    world.task(a, 3_000 * MS)
    world.must(C.aclrtRecordEvent(event, a))
    assert world.sync(b) == 0
    assert C.aclrtSetOpWaitTimeout(1) == 207000


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
