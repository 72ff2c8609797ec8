"""Waiting on the host: limits, polls in a loop, and what is said of those that nobody can end."""

import threading

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang

MS = 1_000_000


def serving(world, *streams):
    """The calling thread serves the callbacks of *streams*."""
    for stream in streams:
        world.must(C.aclrtSubscribeReport(threading.get_ident(), stream))


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
        assert finding.order.startswith("T0 (main) -> `stream`")


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
