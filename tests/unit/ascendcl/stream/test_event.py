"""Chapter 07: codes of the calls of events, one fault or two at once; what events do is in runtime/test_event.py."""

import threading

import pytest

from ascend_sim import ascendcl as C

STALE = 0x1234
SYNC, PROGRESS, RESERVED, TIME_LINE, DEVICE_USE, EXTERNAL, IPC = 1, 2, 4, 8, 0x10, 0x20, 0x40
P310 = "Ascend310P3"


@pytest.fixture
def foreign(world):
    """A stream of another context than the current one."""
    stream = world.stream()
    world.must(C.aclrtCreateContext(0))
    return stream


def plain(flag):
    return C.aclrtCreateEventWithFlag(flag)[1]


def ex(flag):
    return C.aclrtCreateEventExWithFlag(flag)[1]


# -- creation ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", [SYNC, PROGRESS, RESERVED, TIME_LINE, 0xF, DEVICE_USE, EXTERNAL])
def test_flags_of_plain_events(world, flag):
    assert plain(flag) == 0


@pytest.mark.parametrize("flag", [0, IPC, 0x80, SYNC | IPC, SYNC | DEVICE_USE, SYNC | EXTERNAL, DEVICE_USE | EXTERNAL])
def test_flags_that_plain_events_refuse(world, flag):
    assert plain(flag) == 107000


@pytest.mark.parametrize("flag", [SYNC, PROGRESS, TIME_LINE, 0xF, IPC])
def test_flags_of_ex_events(world, flag):
    assert ex(flag) == 0


@pytest.mark.parametrize("flag", [0, DEVICE_USE, EXTERNAL, 0x80, SYNC | IPC, SYNC | DEVICE_USE])
def test_flags_that_ex_events_refuse(world, flag):
    assert ex(flag) == 107000


# -- records, resets and waits -----------------------------------------------------------------------------------------


def test_order_of_checks_of_a_record(world, foreign):
    only = world.must(C.aclrtCreateEventWithFlag(DEVICE_USE))
    event = world.must(C.aclrtCreateEvent())
    record = C.aclrtRecordEvent
    assert record(0, STALE) == 100000
    assert record(STALE, STALE) == record(event, STALE) == record(only, STALE) == 107017
    assert record(only, foreign) == 107000
    assert record(event, foreign) == 107003
    world.t.drop_context()
    assert record(only, foreign) == 107000
    assert record(event, foreign) == record(event, 0) == 107002


def test_order_of_checks_of_a_reset(world, foreign):
    only, stamp = (world.must(C.aclrtCreateEventWithFlag(flag)) for flag in (DEVICE_USE, TIME_LINE))
    level, new = world.must(C.aclrtCreateEventWithFlag(SYNC)), world.must(C.aclrtCreateEventExWithFlag(SYNC))
    reset = C.aclrtResetEvent
    assert reset(0, STALE) == 100000
    assert reset(only, STALE) == reset(stamp, STALE) == 107017
    assert reset(only, foreign) == 107000
    assert reset(stamp, foreign) == reset(new, foreign) == 207000
    assert reset(level, foreign) == 107003
    world.t.drop_context()
    assert reset(stamp, 0) == 207000
    assert reset(new, 0) == 107002, "that it is an Ex event is looked at behind the context"
    assert reset(level, 0) == 107002


def test_order_of_checks_of_a_wait(world, foreign):
    only, stamp = (world.must(C.aclrtCreateEventWithFlag(flag)) for flag in (DEVICE_USE, TIME_LINE))
    auto = world.must(C.aclrtCreateEvent())
    wait = C.aclrtStreamWaitEvent
    assert wait(STALE, 0) == 100000
    assert wait(STALE, only) == wait(foreign, STALE) == 107017
    assert wait(foreign, only) == 107000
    assert wait(foreign, stamp) == 207000
    assert wait(foreign, auto) == 107003, "before that it was never recorded"
    assert wait(0, auto) == 107000
    world.t.drop_context()
    assert wait(0, only) == 107000
    assert wait(0, stamp) == 207000
    assert wait(0, auto) == 107002


def test_order_of_checks_of_a_wait_with_a_limit(world):
    event = world.must(C.aclrtCreateEventWithFlag(SYNC))
    wait = C.aclrtStreamWaitEventWithTimeout
    assert wait(STALE, 0, -1) == 107000
    assert C.aclrtGetLastError(0) == 0, "the wrapper said it"
    assert wait(STALE, 0, 1) == 107017
    assert wait(0, 0, 1) == 107000, "NULL is no 100000 here"
    assert C.aclrtGetLastError(0) == 107000
    assert wait(0, STALE, 1) == 107017
    assert wait(0, event, 1) == 0
    world.must(C.aclrtRecordEvent(event, world.stream()))


def test_the_use_flags(world, foreign):
    new = world.must(C.aclrtCreateEventExWithFlag(SYNC))
    old = world.must(C.aclrtCreateEventWithFlag(SYNC))
    record, wait = C.aclrtRecordEventWithFlag, C.aclrtStreamWaitEventWithFlag
    assert record(STALE, STALE, 2) == wait(STALE, STALE, 0, 2) == wait(STALE, STALE, 1, 1) == 100000
    assert record(new, STALE, 1) == wait(STALE, new, 0, 1) == 107017
    assert record(old, foreign, 1) == wait(foreign, old, 0, 1) == 207000
    assert record(new, foreign, 1) == wait(foreign, new, 0, 1) == 107003
    assert record(new, 0, 1) == wait(0, new, 0, 1) == 107029
    assert record(new, 0, 0) == wait(0, new, 0, 0) == 107000, "the use is fixed"


# -- what the host sees ------------------------------------------------------------------------------------------------


def test_which_query_takes_which_event(world):
    """Rows: plain, Ex, EXTERNAL, IPC; an event that was never recorded."""
    events = [
        world.must(C.aclrtCreateEventWithFlag(SYNC)),
        world.must(C.aclrtCreateEventExWithFlag(SYNC)),
        world.must(C.aclrtCreateEventWithFlag(EXTERNAL)),
        world.must(C.aclrtCreateEventExWithFlag(IPC)),
    ]
    calls = (C.aclrtQueryEvent, C.aclrtQueryEventStatus, C.aclrtQueryEventWaitStatus, C.aclrtGetEventId)
    assert [[call(event)[1] for call in calls] for event in events] == [
        [0, 0, 0, 0],
        [207000, 0, 207000, 507000],
        [207000, 207000, 207000, 0],
        [207000, 0, 207000, 207000],
    ]
    assert C.aclrtGetLastError(0) == 507000, "what an event cannot do is not stored"


def test_a_thread_without_a_context_may_ask(world):
    stream, event = world.stream(), world.must(C.aclrtCreateEvent())
    world.must(C.aclrtRecordEvent(event, stream))
    codes = []

    def ask():
        codes.append(C.aclrtSynchronizeEvent(event))
        codes.append(C.aclrtQueryEvent(event))
        codes.append(C.aclrtQueryEventStatus(event))
        codes.append(C.aclrtDestroyEvent(event))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert codes == [0, (0, 0), (1, 0), 0]


def test_the_limit_of_waits(world):
    assert C.aclrtSetOpWaitTimeout(5) == 0
    world.t.drop_context()
    assert C.aclrtSetOpWaitTimeout(5) == 0


def test_the_inference_series_has_no_such_limit(build):
    world = build(soc=P310)
    assert C.aclrtSetOpWaitTimeout(5) == 207000
    world.t.drop_context()
    assert C.aclrtSetOpWaitTimeout(5) == 107002


# -- sharing -----------------------------------------------------------------------------------------------------------


def test_an_ipc_event_opens_in_its_own_process(world):
    event, stream = world.must(C.aclrtCreateEventExWithFlag(IPC)), world.stream()
    further = world.must(C.aclrtIpcOpenEventHandle(world.must(C.aclrtIpcGetEventHandle(event))))
    world.task(stream, 5_000_000)
    world.must(C.aclrtRecordEvent(event, stream))
    assert C.aclrtQueryEventStatus(further) == (0, 0)
    world.must(world.sync(stream))
    assert C.aclrtQueryEventStatus(further) == (1, 0)
    world.must(C.aclrtDestroyEvent(further))
    assert C.aclrtQueryEventStatus(event) == (1, 0)


def test_order_of_checks_of_sharing(build):
    world = build()
    other = world.must(C.aclrtCreateEvent())
    handle = world.must(C.aclrtIpcGetEventHandle(world.must(C.aclrtCreateEventExWithFlag(IPC))))
    assert [C.aclrtIpcGetEventHandle(event)[1] for event in (0, STALE, other)] == [100000, 107017, 107000]
    assert C.aclrtIpcOpenEventHandle(None)[1] == 100000
    world.t.drop_context()
    assert C.aclrtIpcOpenEventHandle(handle)[1] == 107002
    assert build(soc=P310).sim
    assert [C.aclrtIpcGetEventHandle(event)[1] for event in (0, STALE)] == [100000, 207000]
    assert C.aclrtIpcOpenEventHandle(handle)[1] == 207000
