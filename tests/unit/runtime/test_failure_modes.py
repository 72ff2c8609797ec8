"""Failed tasks: continue and stop mode, which calls answer, aborts, and what is kept.

See docs/semantics/streams.md#failing-tasks.
"""

import pytest

from ascend_sim import ascendcl as C

MS = 1_000_000
FAULT, OTHER = 507015, 507035


def stopping(world, *handles):
    for handle in handles:
        world.must(C.aclrtSetStreamFailureMode(handle, 1))


# -- 8.1 continue mode -------------------------------------------------------------------------------------------------


def test_later_tasks_still_run_and_other_streams_do_not_care(world):
    a, b = world.streams(2)
    order = []
    world.task(a, then=lambda _: order.append("before"))
    world.task(a, code=FAULT)
    world.task(a, then=lambda _: order.append("after"))
    world.task(b, then=lambda _: order.append("elsewhere"))
    assert world.sync(b) == 0
    assert world.sync(a) == FAULT
    assert sorted(order) == ["after", "before", "elsewhere"]
    assert order.index("before") < order.index("after")


def test_the_last_failure_is_returned_once(world):
    stream = world.stream()
    world.task(stream, code=FAULT)
    world.task(stream, code=OTHER)
    assert [world.sync(stream) for _ in range(3)] == [OTHER, 0, 0]


def test_queries_and_submits_do_not_report_it(world):
    stream = world.stream()
    event = world.must(C.aclrtCreateEvent())
    world.task(stream, 10, code=FAULT)
    world.must(C.aclrtRecordEvent(event, stream))
    world.must(C.aclrtSynchronizeEvent(event))
    assert C.aclrtStreamQuery(stream) == (0, 0)
    assert C.aclrtQueryEventStatus(event) == (1, 0)
    assert C.aclrtRecordEvent(event, stream) == 0
    assert world.sync(stream) == FAULT


def test_device_synchronise_waits_for_all_and_returns_the_first_in_creation_order(world):
    a, b, c = world.streams(3)
    done = []
    world.task(c, 1 * MS, code=OTHER)
    world.task(b, 5 * MS, code=FAULT)
    world.task(a, 9 * MS, then=done.append)
    assert C.aclrtSynchronizeDevice() == FAULT
    assert done, "it waited for every stream"
    assert C.aclrtSynchronizeDevice() == 0, "each stream's failure was taken"


def test_the_default_stream_comes_last(world):
    stream = world.stream()
    default = world.must(C.aclrtCtxGetCurrentDefaultStream())
    world.task(default, code=OTHER)
    world.task(stream, code=FAULT)
    assert C.aclrtSynchronizeDevice() == FAULT
    assert C.aclrtSynchronizeDevice() == 0


def test_a_failure_is_of_one_context(world):
    stream = world.stream()
    world.task(stream, code=FAULT)
    other = world.must(C.aclrtCreateContext(0))
    assert C.aclrtSynchronizeDevice() == 0
    assert world.sync(stream) == FAULT, "synchronising a stream of another context is allowed"
    world.must(C.aclrtDestroyContext(other))


def test_destroy_does_not_return_it(world):
    stream = world.stream()
    world.task(stream, code=FAULT)
    assert C.aclrtDestroyStream(stream) == 0


def test_each_fault_is_a_finding_where_it_was_queued(world):
    world.task(world.stream(), code=FAULT)
    C.aclrtSynchronizeDevice()
    (finding,) = [f for f in world.sim.findings if f.kind == "task-fault"]
    assert "planned to fail" in finding.title


# -- 8.2 stop mode -----------------------------------------------------------------------------------------------------


def test_stop_on_one_stream_stops_the_whole_context_at_the_first_failure(world):
    a, b = world.streams(2)
    ran = []
    stopping(world, a)
    world.task(b, 1000, code=FAULT)
    world.task(b, 1000, then=ran.append)
    assert world.sync(b) == FAULT
    assert not ran, "what was queued behind it does not run"
    assert [world.sync(a), world.sync(b), C.aclrtSynchronizeDevice()] == [FAULT] * 3, "sticky"


def test_which_calls_answer_the_failure(world):
    a, b = world.streams(2)
    event, done = world.must(C.aclrtCreateEvent()), world.must(C.aclrtCreateEventExWithFlag(1))
    notify, memory = world.must(C.aclrtCreateNotify(0)), world.device()
    world.must(C.aclrtRecordEvent(done, a))
    world.must(world.sync(a))
    stopping(world, a)
    world.task(a, 10, code=FAULT)
    assert world.sync(a) == FAULT
    answers = {
        "synchronise": world.sync(b),
        "synchronise with timeout": C.aclrtSynchronizeStreamWithTimeout(b, 10),
        "synchronise device": C.aclrtSynchronizeDevice(),
        "query stream": C.aclrtStreamQuery(b)[-1],
        "query event": C.aclrtQueryEvent(event)[-1],
        "query event status": C.aclrtQueryEventStatus(done)[-1],
        "query wait status": C.aclrtQueryEventWaitStatus(event)[-1],
        "synchronise event": C.aclrtSynchronizeEvent(done),
        "record": C.aclrtRecordEvent(event, b),
        "reset": C.aclrtResetEvent(world.must(C.aclrtCreateEventWithFlag(1)), b),
        "notify": C.aclrtRecordNotify(notify, b),
        "notify wait": C.aclrtWaitAndResetNotify(notify, b, 0),
        "value write": C.aclrtValueWrite(memory, 1, 0, b),
        "value wait": C.aclrtValueWait(memory, 0, 1, b),
        "reduce": C.aclrtReduceAsync(memory, memory, 8, 10, 0, b, None),
        "copy": C.aclrtMemcpyAsync(memory, 8, memory + 32, 8, 3, b),
        "host function": C.aclrtLaunchHostFunc(b, print, None),
        "default stream": C.aclrtRecordEvent(event, 0),
    }
    assert answers == dict.fromkeys(answers, FAULT)
    fine = {
        "ids": C.aclrtStreamGetId(b)[-1],
        "create a stream": C.aclrtCreateStream()[-1],
        "create an event": C.aclrtCreateEvent()[-1],
        "synchronous copy": C.aclrtMemcpy(memory, 8, memory + 32, 8, 3),
        "destroy": C.aclrtDestroyStream(b),
    }
    assert fine == dict.fromkeys(fine, 0)
    fresh = world.must(C.aclrtCreateStream())
    assert C.aclrtRecordEvent(event, fresh) == FAULT, "streams made afterwards refuse work, too"


def test_other_contexts_go_on(world):
    a = world.stream()
    stopping(world, a)
    world.task(a, 10, code=FAULT)
    assert world.sync(a) == FAULT
    world.must(C.aclrtCreateContext(0))
    stream = world.stream()
    world.task(stream)
    assert world.sync(stream) == 0
    assert world.sync(a) == FAULT


def test_the_first_failure_stays_the_answer(world):
    a, b = world.streams(2)
    stopping(world, a)
    world.task(b, 2 * MS, code=OTHER)  # began before the context stopped: it is not killed
    world.task(a, 1 * MS, code=FAULT)
    assert world.sync(a) == FAULT
    world.t.clock += 5 * MS
    assert world.sync(b) == FAULT


def test_what_runs_on_other_streams_is_not_killed(world):
    a, b = world.streams(2)
    ran = []
    stopping(world, a)
    world.task(b, 10 * MS, then=ran.append)
    world.task(a, 1 * MS, code=FAULT)
    assert world.sync(a) == FAULT
    world.t.clock += 20 * MS
    assert C.aclrtStreamQuery(b)[-1] == FAULT
    assert ran


def test_who_waits_when_it_happens_is_released(world):
    a, b = world.streams(2)
    flag = world.must(C.aclrtCreateEventWithFlag(1))
    stopping(world, a)
    world.must(C.aclrtStreamWaitEvent(b, flag))  # b would wait for ever
    world.task(a, 3 * MS, code=FAULT)
    world.task(a)
    assert world.sync(b) == FAULT


def test_who_waits_for_an_event_of_a_dropped_record_is_released(world):
    a = world.stream()
    event = world.must(C.aclrtCreateEvent())
    stopping(world, a)
    world.task(a, 3 * MS, code=FAULT)
    world.must(C.aclrtRecordEvent(event, a))
    assert C.aclrtSynchronizeEvent(event) == FAULT


def test_a_full_queue_is_released(build):
    world = build(limits={"stream_depth": 2})
    a, b = world.streams(2)
    flag = world.must(C.aclrtCreateEventWithFlag(1))
    stopping(world, a)
    world.must(C.aclrtStreamWaitEvent(b, flag))
    world.task(a, 3 * MS, code=FAULT)
    event = world.must(C.aclrtCreateEvent())
    assert [C.aclrtRecordEvent(event, b) for _ in range(2)] == [0, FAULT]


def test_there_is_no_way_back(world):
    a, b = world.streams(2)
    assert C.aclrtSetStreamFailureMode(a, 0) == 0, "same as it is"
    assert C.aclrtSetStreamFailureMode(a, 1) == 0
    assert C.aclrtSetStreamFailureMode(a, 1) == 0, "same as it is"
    assert C.aclrtSetStreamFailureMode(a, 0) == 207000
    assert C.aclrtSetStreamFailureMode(b, 0) == 0, "its own mode was never changed"
    assert C.aclrtSetStreamFailureMode(a, 2) == 207000, "only bit 0 counts"
    assert C.aclrtGetStreamAttribute(a, 1)[0].failureMode == 1
    assert C.aclrtGetStreamAttribute(b, 1)[0].failureMode == 0


def test_setting_the_mode_of_a_stream_that_stopped(world):
    a, b = world.streams(2)
    stopping(world, a)
    world.task(a, 10, code=FAULT)
    assert world.sync(a) == FAULT
    assert C.aclrtSetStreamFailureMode(a, 1) == 207000
    assert C.aclrtSetStreamFailureMode(b, 1) == 0


def test_a_device_wide_mode_is_inherited(world):
    world.sim.devices[0].stop_mode = True
    context = world.must(C.aclrtCreateContext(0))
    stream = world.stream()
    assert C.aclrtGetStreamAttribute(stream, 1)[0].failureMode == 1
    assert C.aclrtCreateStreamWithConfig(0, 0x20) == (0, 207000), "no DEVICE_USE_ONLY streams then"
    world.task(stream, 10, code=FAULT)
    assert [world.sync(stream) for _ in range(2)] == [FAULT, FAULT]
    world.must(C.aclrtDestroyContext(context))


def test_what_clears_it(world):
    a = world.stream()
    stopping(world, a)
    world.task(a, 10, code=FAULT)
    assert world.sync(a) == FAULT
    world.must(C.aclrtDeviceTaskAbort(0, 0))
    world.task(a)
    assert world.sync(a) == 0
    world.task(a, 10, code=OTHER)
    assert world.sync(a) == OTHER, "the mode stays"
    world.must(C.aclrtResetDeviceForce(0))
    world.must(C.aclrtSetDevice(0))
    assert C.aclrtSynchronizeDevice() == 0


def test_a_wait_that_takes_too_long_stops_the_context_as_well(world):
    a, b = world.streams(2)
    flag = world.must(C.aclrtCreateEventWithFlag(1))
    stopping(world, a)
    world.must(C.aclrtStreamWaitEventWithTimeout(a, flag, 1))
    assert world.sync(a) == 107020
    assert C.aclrtStreamQuery(b)[-1] == 107020


@pytest.mark.parametrize(("setting", "code"), [(0, 0), (507000, 507000)])
def test_device_use_only_streams_after_a_failure(build, setting, code):
    world = build(switches={"device_use_only_sync": setting})
    a, quiet = world.stream(), world.stream(0x20)
    stopping(world, a)
    world.task(a, 10, code=FAULT)
    assert world.sync(a) == FAULT
    assert world.sync(quiet) == code


# -- 8.4 aborts --------------------------------------------------------------------------------------------------------


def test_abort_kills_and_drops_and_the_stream_is_usable_again(world):
    stream = world.stream()
    ran = []
    world.task(stream, 50 * MS, then=ran.append)
    world.task(stream, 50 * MS, then=ran.append)
    world.t.clock += 10 * MS
    assert C.aclrtStreamAbort(stream) == 0
    assert C.aclrtStreamQuery(stream) == (0, 0)
    assert world.sync(stream) == 0
    assert not ran
    world.task(stream, 1000, then=ran.append)
    assert world.sync(stream) == 0
    assert len(ran) == 1


def test_a_failure_before_the_abort_is_forgotten(world):
    stream = world.stream()
    world.task(stream, 10, code=FAULT)
    world.t.clock += 1 * MS
    world.must(C.aclrtStreamAbort(stream))
    assert world.sync(stream) == 0


def test_dropped_records_never_complete(world):
    a, b = world.streams(2)
    event = world.must(C.aclrtCreateEventExWithFlag(1))
    world.task(a, 50 * MS)
    world.must(C.aclrtRecordEvent(event, a))
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.must(C.aclrtStreamAbort(a))
    assert C.aclrtQueryEventStatus(event) == (0, 0)
    assert C.aclrtSynchronizeStreamWithTimeout(b, 100) == 507046, "it hangs: abort it as well"
    world.must(C.aclrtStreamAbort(b))
    assert world.sync(b) == 0


def test_an_abort_gives_engine_slots_back(world):
    streams = world.streams(8)
    memory = world.device(1 << 20)
    for stream in streams:
        world.must(C.aclrtMemcpyAsync(memory, 1 << 19, memory + (1 << 19), 1 << 19, 3, stream))
    for stream in streams[:-1]:
        world.must(C.aclrtStreamAbort(stream))
    assert world.sync(streams[-1]) == 0


def test_waiting_threads_get_107023(world, background):
    a, b = world.streams(2)
    event, flag = world.must(C.aclrtCreateEvent()), world.must(C.aclrtCreateEventWithFlag(1))
    for stream in (a, b):
        world.must(C.aclrtStreamWaitEvent(stream, flag))
    world.must(C.aclrtRecordEvent(event, a))
    calls = [
        background(C.aclrtSynchronizeStream, a),
        background(C.aclrtSynchronizeEvent, event),
        background(C.aclrtSynchronizeDevice),
    ]
    world.must(C.aclrtStreamAbort(a))
    assert [call.result() for call in calls] == [107023] * 3
    world.must(C.aclrtStreamAbort(b))


def test_a_thread_that_waits_for_room_gets_107023(build, background):
    world = build(limits={"stream_depth": 1})
    stream, flag = world.stream(), world.must(C.aclrtCreateEventWithFlag(1))
    world.must(C.aclrtStreamWaitEvent(stream, flag))
    call = background(C.aclrtRecordEvent, world.must(C.aclrtCreateEvent()), stream)
    world.must(C.aclrtStreamAbort(stream))
    assert call.result() == 107023
    assert world.sync(stream) == 0


def test_a_thread_that_waits_for_a_stream_that_is_destroyed_by_force(world, background):
    stream, flag = world.stream(), world.must(C.aclrtCreateEventWithFlag(1))
    world.must(C.aclrtStreamWaitEvent(stream, flag))
    call = background(C.aclrtSynchronizeStream, stream)
    world.must(C.aclrtDestroyStreamForce(stream))
    assert call.result() == 107023


# -- stop (only the running task) --------------------------------------------------------------------------------------


def test_stream_stop_kills_the_running_task_and_keeps_the_rest(world):
    stream = world.stream()
    ran = []
    world.task(stream, 50 * MS, then=lambda _: ran.append("first"))
    world.task(stream, 1 * MS, then=lambda _: ran.append("second"))
    world.t.clock += 10 * MS
    assert C.aclrtStreamStop(stream) == 0
    assert world.sync(stream) == 0
    assert ran == ["second"]
    assert world.t.clock < 50 * MS


def test_stream_stop_of_an_empty_or_held_stream(world):
    stream = world.stream()
    ran = []
    assert C.aclrtStreamStop(stream) == 0
    world.hold(stream)
    world.task(stream, 1 * MS, then=ran.append)
    assert C.aclrtStreamStop(stream) == 0
    world.release(stream)
    assert world.sync(stream) == 0
    assert ran, "what has not begun is left alone"


def test_stream_stop_ends_a_wait(world):
    stream = world.stream()
    flag = world.must(C.aclrtCreateEventWithFlag(1))
    world.must(C.aclrtStreamWaitEvent(stream, flag))
    world.t.clock += 1 * MS
    assert C.aclrtStreamStop(stream) == 0
    assert world.sync(stream) == 0


# -- contexts and devices that go away ---------------------------------------------------------------------------------


def test_destroying_a_context_forgets_its_failure(world):
    context = world.must(C.aclrtCreateContext(0))
    stream = world.stream()
    stopping(world, stream)
    world.task(stream, 10, code=FAULT)
    assert world.sync(stream) == FAULT
    world.must(C.aclrtDestroyContext(context))
    assert world.sync(stream) == 107017


def test_an_event_of_a_context_that_is_gone_answers_for_itself(world):
    context = world.must(C.aclrtCreateContext(0))
    stream = world.stream()
    event = world.must(C.aclrtCreateEventExWithFlag(1))
    stopping(world, stream)
    world.task(stream, 10, code=FAULT)
    assert world.sync(stream) == FAULT
    assert C.aclrtQueryEventStatus(event)[-1] == FAULT
    world.must(C.aclrtDestroyContext(context))
    assert C.aclrtQueryEventStatus(event) == (1, 0)


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
