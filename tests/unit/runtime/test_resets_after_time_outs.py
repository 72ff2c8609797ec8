"""A reset of the device without an abort, after a synchronise has given up: what still waits is dropped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang

MS = 1_000_000
TIMED_OUT = 507046


def _flag(world: Any, stream: int) -> None:
    world.must(C.aclrtStreamWaitEvent(stream, world.must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_SYNC))))


def _notify(world: Any, stream: int) -> None:
    world.must(C.aclrtWaitAndResetNotify(world.must(C.aclrtCreateNotify(0)), stream, 0))


def _value(world: Any, stream: int) -> None:
    word = world.must(C.aclrtMalloc(64, 0))
    world.must(C.aclrtMemset(word, 64, 0, 64))
    world.must(C.aclrtValueWait(word, 1, 0, stream))


def _behind_another(world: Any, stream: int) -> None:
    """The stream waits for a record of one that waits for ever."""
    first, event = world.stream(), world.must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC))
    _flag(world, first)
    world.must(C.aclrtRecordEvent(event, first))
    world.must(C.aclrtStreamWaitEvent(stream, event))


WAITS = [_flag, _notify, _value, _behind_another]
GIVE_UP: dict[str, Callable[[int], int]] = {
    "stream": lambda stream: C.aclrtSynchronizeStreamWithTimeout(stream, 10),
    "device": lambda stream: C.aclrtSynchronizeDeviceWithTimeout(10),
}
RESETS = {"reset": C.aclrtResetDevice, "force": C.aclrtResetDeviceForce}


@pytest.mark.parametrize("wait", WAITS, ids=lambda wait: wait.__name__)
@pytest.mark.parametrize("how", GIVE_UP)
@pytest.mark.parametrize("reset", RESETS)
def test_a_wait_that_was_given_up_is_dropped(world: Any, wait: Any, how: str, reset: str) -> None:
    stream, also = world.streams(2)
    wait(world, stream)
    if how == "device":
        wait(world, also)
    assert GIVE_UP[how](stream) == TIMED_OUT
    assert RESETS[reset](0) == 0
    assert {f.severity for f in world.sim.findings if f.kind == "deadlock"} == {"warning"}
    assert C.aclrtSetDevice(0) == 0
    assert C.aclrtSynchronizeDevice() == 0


def test_what_only_takes_longer_is_waited_for(world: Any) -> None:
    """The source drops it; the page says that it is waited for, which is the switch `reset_device`."""
    stream, ends = world.stream(), []
    world.task(stream, 50 * MS, then=ends.append)
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 10) == TIMED_OUT
    assert C.aclrtResetDevice(0) == 0
    assert len(ends) == 1


def test_a_callback_is_waited_for(world: Any) -> None:
    """It may run, however long: what is dropped is a wait."""
    stream, ends = world.stream(), []
    world.must(C.aclrtLaunchHostFunc(stream, ends.append, 1))
    world.sim.hold(stream)
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 10) == TIMED_OUT
    world.sim.release(stream)
    assert C.aclrtResetDevice(0) == 0
    assert ends == [1]


@pytest.mark.parametrize("wait", WAITS, ids=lambda wait: wait.__name__)
def test_a_wait_that_nobody_gave_up_hangs(world: Any, wait: Any) -> None:
    wait(world, world.stream())
    with pytest.raises(SimulatedHang):
        C.aclrtResetDevice(0)


def test_a_wait_that_ended_meanwhile_is_no_longer_given_up(world: Any) -> None:
    stream, other, ends = world.stream(), world.stream(), []
    flag = world.must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_SYNC))
    world.must(C.aclrtStreamWaitEvent(stream, flag))
    world.task(stream, MS, then=ends.append)
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 10) == TIMED_OUT
    world.must(C.aclrtRecordEvent(flag, other))
    world.must(C.aclrtSynchronizeStream(other))
    assert C.aclrtResetDevice(0) == 0
    assert len(ends) == 1
