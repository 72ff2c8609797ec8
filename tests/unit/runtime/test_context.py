"""Devices and contexts: what counts, who is bound to what, and what survives a reset."""

import threading

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import in_thread
from tests.kit.forks import HANG


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
        go.wait(HANG)
        codes.append(C.aclrtCreateStream()[-1])
        codes.append(C.aclrtSetDevice(0))
        codes.append(C.aclrtCreateStream()[-1])

    thread = threading.Thread(target=other)
    thread.start()
    done.wait(HANG)
    world.must(C.aclrtResetDeviceForce(0))
    go.set()
    thread.join(HANG)
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
        go.wait(HANG)
        C.aclrtCreateStream()

    thread = threading.Thread(target=holder)
    thread.start()
    ready.wait(HANG)
    codes = [C.aclrtDestroyContext(context), C.aclrtDestroyContext(context), C.aclrtSetCurrentContext(context)]
    go.set()
    thread.join(HANG)
    assert codes == [0, 507007, 107000]
    assert C.aclrtDestroyContext(context) == 107002


def test_the_primary_context_cannot_be_destroyed(world):
    assert C.aclrtDestroyContext(world.must(C.aclrtGetCurrentContext())) == 107002
    assert C.aclrtCreateStream()[-1] == 0


def test_a_new_thread_has_no_context(world):
    assert in_thread(lambda: (C.aclrtGetDevice(), C.aclrtGetCurrentContext())) == ((None, 107002), (0, 107002))
