"""Models that are built by hand: what runs when, branches, labels, aborts (docs/semantics/graphs.md)."""

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from tests.kit.calls import Calls, simulator

PERSISTENT, SYNC = 4, 1
HEAD, ACTIVATED = 0, 0x7FFF_FFFF
H2D = 1
EQUAL, GREATER = 0, 2
INT32, INT64 = 0, 1

sim = simulator(checks="all")


class World(Calls):
    def memory(self, value=0, size=64):
        address = self.must(C.aclrtMalloc(size, 0))
        self.must(C.aclrtMemset(address, size, value, size))
        return address

    def number(self, value, dtype="<u4"):
        """*value* in device memory."""
        raw = np.array([value], dtype)
        address = self.memory(size=raw.nbytes)
        self.must(C.aclrtMemcpy(address, raw.nbytes, raw, raw.nbytes, H2D))
        return address

    def put(self, address, value, dtype="<u4"):
        raw = np.array([value], dtype)
        self.must(C.aclrtMemcpy(address, raw.nbytes, raw, raw.nbytes, H2D))

    def peek(self, address):
        return int(self.sim.memory.view(address, 1)[0])

    def fill(self, address, value, stream):
        self.must(C.aclrtMemsetAsync(address, 64, value, 64, stream))

    def begin(self, *flags):
        """A model with a bound stream for each of *flags*."""
        model = self.must(C.aclmdlRIBuildBegin(0))
        streams = [self.must(C.aclrtCreateStreamWithConfig(0, PERSISTENT)) for _ in flags]
        for stream, flag in zip(streams, flags, strict=True):
            self.must(C.aclmdlRIBindStream(model, stream, flag))
        return model, streams

    def end(self, model, stream):
        self.must(C.aclmdlRIEndTask(model, stream))
        self.must(C.aclmdlRIBuildEnd(model, None))

    def run(self, model):
        stream = self.must(C.aclrtCreateStream())
        self.must(C.aclmdlRIExecuteAsync(model, stream))
        self.must(C.aclrtSynchronizeStream(stream))

    def kinds(self):
        return [finding.kind for finding in self.sim.findings]


@pytest.fixture
def world(sim):
    return World(sim)


def test_nothing_runs_before_the_model_is_executed(world):
    a = world.memory()
    model, [stream] = world.begin(HEAD)
    world.fill(a, 1, stream)
    world.end(model, stream)
    world.must(C.aclrtSynchronizeDevice())
    assert world.peek(a) == 0
    world.run(model)
    assert world.peek(a) == 1
    world.must(C.aclrtMemset(a, 64, 0, 64))
    world.must(C.aclmdlRIExecute(model, -1))
    assert world.peek(a) == 1
    assert not world.kinds()


def test_a_stream_that_nobody_activates_does_not_run(world):
    a, b = world.memory(), world.memory()
    model, [head, other] = world.begin(HEAD, ACTIVATED)
    world.fill(a, 1, head)
    world.fill(b, 1, other)
    world.end(model, head)
    world.run(model)
    assert (world.peek(a), world.peek(b)) == (1, 0)


def test_an_activated_stream_follows_its_activation(world):
    a = world.memory()
    model, [head, other] = world.begin(HEAD, ACTIVATED)
    world.fill(a, 1, head)
    world.must(C.aclrtActiveStream(other, head))
    world.fill(a, 2, other)
    world.end(model, other)
    world.run(model)
    assert world.peek(a) == 2
    assert not world.kinds()


def test_what_runs_beside_an_activated_stream_races_with_it(world):
    a = world.memory()
    model, [head, other] = world.begin(HEAD, ACTIVATED)
    world.must(C.aclrtActiveStream(other, head))
    world.fill(a, 1, head)
    world.fill(a, 2, other)
    world.end(model, other)
    world.run(model)
    assert world.kinds() == ["race"]


def test_the_end_mark_orders_only_what_it_follows(world):
    a = world.memory()
    model, [head, other] = world.begin(HEAD, HEAD)
    world.fill(a, 1, other)
    world.end(model, head)
    stream = world.must(C.aclrtCreateStream())
    world.must(C.aclmdlRIExecuteAsync(model, stream))
    world.fill(a, 2, stream)
    world.must(C.aclrtSynchronizeStream(stream))
    assert world.kinds() == ["race"]


@pytest.mark.parametrize(("value", "ran"), [(1, (1, 0)), (2, (0, 1))])
def test_a_switch_goes_on_elsewhere_or_not(world, value, ran):
    a, b, left = world.memory(), world.memory(), world.number(0, "<i8")
    model, [head, taken, end] = world.begin(HEAD, ACTIVATED, ACTIVATED)
    world.must(C.aclrtSwitchStream(left, GREATER, world.number(1, "<i8"), INT64, taken, 0, head))
    world.fill(a, 1, head)
    world.fill(b, 1, taken)
    for stream in (head, taken):
        world.must(C.aclrtActiveStream(end, stream))
    world.end(model, end)
    world.put(left, value, "<i8")
    world.run(model)
    assert (world.peek(a), world.peek(b)) == ran
    assert not world.kinds()


@pytest.mark.parametrize(("index", "ran"), [(0, (1, 1)), (1, (0, 1)), (9, (0, 1))])
def test_a_jump_goes_to_a_label(world, index, ran):
    a, b, at = world.memory(), world.memory(), world.number(index)
    model, [stream] = world.begin(HEAD)
    labels = [world.must(C.aclrtCreateLabel()) for _ in range(2)]
    world.must(C.aclrtSwitchLabelByIndex(at, 2, world.must(C.aclrtCreateLabelList(labels, 2)), stream))
    for label, address in zip(labels, (a, b), strict=True):
        world.must(C.aclrtSetLabel(label, stream))
        world.fill(address, 1, stream)
    world.end(model, stream)
    world.run(model)
    assert (world.peek(a), world.peek(b)) == ran


def test_a_loop_of_jumps(world):
    """The index is copied from a table that moves up by four bytes each time: twice back, then on."""
    table = world.number(0)
    steps = world.memory(size=16)
    world.must(C.aclrtMemcpy(steps, 16, np.array([0, 0, 1, 1], "<u4"), 16, H2D))
    model, [stream] = world.begin(HEAD)
    labels = [world.must(C.aclrtCreateLabel()) for _ in range(2)]
    chosen = world.must(C.aclrtCreateLabelList(labels, 2))
    world.must(C.aclrtSetLabel(labels[0], stream))
    world.must(C.aclrtMemcpyAsync(table, 4, steps, 4, 3, stream))
    spare = world.memory(size=12)
    world.must(C.aclrtMemcpyAsync(spare, 12, steps + 4, 12, 3, stream))
    world.must(C.aclrtMemcpyAsync(steps, 12, spare, 12, 3, stream))
    world.must(C.aclrtSwitchLabelByIndex(table, 2, chosen, stream))
    world.must(C.aclrtSetLabel(labels[1], stream))
    world.end(model, stream)
    world.run(model)
    assert world.peek(table) == 1
    assert not world.kinds()


def test_a_jump_to_a_label_that_stands_nowhere_fails(world):
    model, [stream] = world.begin(HEAD)
    labels = world.must(C.aclrtCreateLabelList([world.must(C.aclrtCreateLabel())], 1))
    world.must(C.aclrtSwitchLabelByIndex(world.number(0), 1, labels, stream))
    world.end(model, stream)
    target = world.must(C.aclrtCreateStream())
    world.must(C.aclmdlRIExecuteAsync(model, target))
    assert C.aclrtSynchronizeStream(target) == 507011


def test_an_abort_ends_the_execution(world):
    a = world.memory()
    model, [stream] = world.begin(HEAD)
    event = world.must(C.aclrtCreateEventWithFlag(SYNC))
    world.must(C.aclrtStreamWaitEvent(stream, event))
    world.fill(a, 1, stream)
    world.end(model, stream)
    target = world.must(C.aclrtCreateStream())
    world.must(C.aclmdlRIExecuteAsync(model, target))
    assert C.aclrtSynchronizeStreamWithTimeout(target, 5) == 507046
    world.must(C.aclmdlRIAbort(model))
    assert C.aclrtSynchronizeStream(target) == 507023
    assert world.peek(a) == 0
    world.must(C.aclrtRecordEvent(event, target))
    world.run(model)
    assert world.peek(a) == 1


def test_a_destroyed_model_frees_its_streams_and_tells(world):
    told = []
    model, [stream] = world.begin(HEAD)
    world.must(C.aclmdlRIDestroyRegisterCallback(model, told.append, "gone"))
    assert C.aclrtDestroyStream(stream) == 107005
    world.must(C.aclmdlRIDestroy(model))
    assert told == ["gone"]
    world.must(C.aclrtDestroyStream(stream))
    assert C.aclmdlRIDestroy(model) == 107017


def test_names(world):
    model, _ = world.begin()
    buffer = np.full(16, 1, "u1")
    world.must(C.aclmdlRIGetName(model, 16, buffer))
    assert buffer[0] == 0
    world.must(C.aclmdlRISetName(model, "decoder"))
    world.must(C.aclmdlRIGetName(model, 16, buffer))
    assert buffer[:8].tobytes() == b"decoder\0"
    assert C.aclmdlRIGetName(model, 7, buffer) == 507000


def test_a_task_after_the_build_is_told(world):
    a = world.memory()
    model, [stream] = world.begin(HEAD)
    world.end(model, stream)
    world.fill(a, 1, stream)
    assert world.kinds() == ["undefined-use"]
