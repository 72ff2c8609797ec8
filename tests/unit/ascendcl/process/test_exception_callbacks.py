"""Chapter 13: callbacks for failed tasks (docs/semantics/callbacks.md#exception-callbacks)."""

import threading

import pytest

from ascend_sim import ascendcl as C

MS = 1_000_000
NO_INFO = 0xFFFF_FFFF
FAULT, OTHER = 507015, 507035
GETTERS = {
    "device": C.aclrtGetDeviceIdFromExceptionInfo,
    "stream": C.aclrtGetStreamIdFromExceptionInfo,
    "task": C.aclrtGetTaskIdFromExceptionInfo,
    "thread": C.aclrtGetThreadIdFromExceptionInfo,
    "code": C.aclrtGetErrorCodeFromExceptionInfo,
}


class Heard:
    """A callback that notes what the getters say, and in which thread."""

    def __init__(self):
        self.infos = []
        self.threads = []
        self.handles = []

    def __call__(self, info):
        self.handles.append(info)
        self.threads.append(threading.get_ident())
        self.infos.append({name: getter(info) for name, getter in GETTERS.items()})

    @property
    def codes(self):
        return [info["code"] for info in self.infos]


@pytest.fixture
def heard():
    return Heard()


def test_what_a_callback_learns(world, heard):
    stream = world.stream()
    world.must(C.aclrtSetExceptionInfoCallback(heard))
    world.task(stream)
    world.task(stream, code=FAULT)
    task = world.must(C.aclrtGetThreadLastTaskId())
    assert world.sync(stream) == FAULT
    stream_id = world.must(C.aclrtStreamGetId(stream))
    assert heard.infos == [{"device": 0, "stream": stream_id, "task": task, "thread": world.t.number, "code": FAULT}]
    assert heard.threads != [threading.get_ident()]


def test_it_has_returned_before_the_failure_is_returned(world):
    stream, order = world.stream(), []

    def slow(_):
        C.aclrtSetDevice(0)
        other = world.stream()
        world.task(other, 20 * MS)
        C.aclrtSynchronizeStream(other)
        order.append("callback")

    world.must(C.aclrtSetExceptionInfoCallback(slow))
    world.task(stream, code=FAULT)
    assert world.sync(stream) == FAULT
    order.append("returned")
    assert order == ["callback", "returned"]


def test_one_call_for_each_failure_in_order(world, heard):
    a, b = world.streams(2)
    world.must(C.aclrtSetExceptionInfoCallback(heard))
    world.task(a, 5 * MS, code=FAULT)
    world.task(b, 1 * MS, code=OTHER)
    world.task(b, 9 * MS, code=FAULT)
    C.aclrtSynchronizeDevice()
    assert heard.codes == [OTHER, FAULT, FAULT]


def test_ends_that_are_no_exception(world, heard):
    stream = world.stream()
    world.must(C.aclrtSetExceptionInfoCallback(heard))
    for code in (507005, 507023):
        world.task(stream, code=code)
        assert world.sync(stream) == code
    assert not heard.infos


def test_set_replaces_and_clears(world, heard):
    stream, later = world.stream(), Heard()
    for callback in (heard, later):
        world.must(C.aclrtSetExceptionInfoCallback(callback))
    world.task(stream, code=FAULT)
    assert world.sync(stream) == FAULT
    world.must(C.aclrtSetExceptionInfoCallback(None))
    world.task(stream, code=FAULT)
    assert world.sync(stream) == FAULT
    assert (len(heard.infos), len(later.infos)) == (0, 1)


def test_registered_callbacks(world, heard):
    stream, order = world.stream(), []
    first, second = (lambda _: order.append(1)), (lambda _: order.append(2))
    for callback in (first, second, first):
        assert C.aclrtExceptionInfoCallbackRegister(callback) == 0
    world.must(C.aclrtSetExceptionInfoCallback(heard))
    world.task(stream, code=FAULT)
    assert world.sync(stream) == FAULT
    assert order == [1, 2], "the same function is one entry"
    assert len(heard.infos) == 1, "and the other list is another one"
    assert C.aclrtExceptionInfoCallbackUnregister(first) == 0
    assert C.aclrtExceptionInfoCallbackUnregister(first) == 0, "unknown is no failure"
    world.task(stream, code=FAULT)
    assert world.sync(stream) == FAULT
    assert order == [1, 2, 2]


def test_a_function_in_both_lists_is_called_twice(world, heard):
    stream = world.stream()
    world.must(C.aclrtSetExceptionInfoCallback(heard))
    world.must(C.aclrtExceptionInfoCallbackRegister(heard))
    world.task(stream, code=FAULT)
    assert world.sync(stream) == FAULT
    assert heard.codes == [FAULT, FAULT]


def test_null_functions(world):
    assert C.aclrtSetExceptionInfoCallback(None) == 0
    assert C.aclrtExceptionInfoCallbackRegister(None) == 107000
    assert C.aclrtExceptionInfoCallbackUnregister(None) == 107000
    assert C.aclrtGetLastError(0) == 0, "the wrapper refused: not stored"


@pytest.mark.parametrize("getter", GETTERS.values(), ids=GETTERS)
def test_null_infos(world, getter):
    assert getter(0) == NO_INFO
    assert world.kinds() == []


def test_an_info_outside_its_callback_is_reported(world, heard):
    stream = world.stream()
    world.must(C.aclrtSetExceptionInfoCallback(heard))
    world.task(stream, code=FAULT)
    world.sync(stream)
    assert C.aclrtGetErrorCodeFromExceptionInfo(heard.handles[0]) == NO_INFO
    assert world.kinds() == ["task-fault", "undefined-use"]


def test_a_callback_that_raises_is_told_and_nothing_else_changes(world, heard, capsys):
    stream = world.stream()

    def fails(_):
        raise ValueError("mine")

    world.must(C.aclrtExceptionInfoCallbackRegister(fails))
    world.must(C.aclrtExceptionInfoCallbackRegister(heard))
    world.task(stream, code=FAULT)
    assert world.sync(stream) == FAULT
    assert heard.codes == [FAULT]
    assert "ValueError: mine" in capsys.readouterr().err


def test_stop_mode_tells_the_first_failure_once(world, heard):
    stream = world.stream()
    world.must(C.aclrtSetStreamFailureMode(stream, 1))
    world.must(C.aclrtSetExceptionInfoCallback(heard))
    world.task(stream, code=FAULT)
    world.task(stream, code=OTHER)
    assert [world.sync(stream), world.sync(stream)] == [FAULT, FAULT]
    assert heard.codes == [FAULT]


@pytest.mark.parametrize(
    "call",
    [
        lambda stream, event: C.aclrtSynchronizeStream(stream),
        lambda stream, event: C.aclrtStreamQuery(stream)[1],
        lambda stream, event: C.aclrtSynchronizeDevice(),
        lambda stream, event: C.aclrtSynchronizeEvent(event),
        lambda stream, event: C.aclrtQueryEventStatus(event)[1],
        lambda stream, event: C.aclrtQueryEventWaitStatus(event)[1],
        lambda stream, event: C.aclrtRecordEvent(event, stream),
    ],
)
def test_whoever_answers_the_failure_of_a_context_answers_after_the_callback(world, heard, call):
    stream, other, event = world.stream(), world.stream(), world.must(C.aclrtCreateEvent())
    world.must(C.aclrtSetStreamFailureMode(stream, 1))
    world.must(C.aclrtSetExceptionInfoCallback(heard))
    world.task(stream, code=FAULT)
    world.t.clock += MS
    C.aclrtStreamQuery(other)  # lets the device go on
    assert call(stream, event) == FAULT
    assert heard.codes == [FAULT]


def test_a_failing_host_function_is_an_exception(world, heard, capsys):
    stream = world.stream()

    def fails(_):
        raise ValueError("mine")

    world.must(C.aclrtSetExceptionInfoCallback(heard))
    world.must(C.aclrtLaunchHostFunc(stream, fails, None))
    assert world.sync(stream) == 507000
    assert heard.codes == [507000]


def test_the_callback_may_submit(world):
    stream, other, ran = world.stream(), world.stream(), []

    def submits(_):
        C.aclrtSetDevice(0)
        world.task(other, then=ran.append)

    world.must(C.aclrtSetExceptionInfoCallback(submits))
    world.task(stream, code=FAULT)
    assert world.sync(stream) == FAULT
    assert world.sync(other) == 0
    assert ran
