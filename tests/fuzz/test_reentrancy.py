"""Calls in the middle of calls: destructors that the garbage collector runs, and callbacks that end badly."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C


class InACycle:
    """Calls the API when the garbage collector finds it, which may be inside a call of the same thread."""

    def __init__(self, answers: list[int]) -> None:
        self.me = self
        self.answers = answers

    def __del__(self) -> None:
        self.answers.append(C.aclrtFree(0))
        event, _ = C.aclrtCreateEvent()
        self.answers.append(C.aclrtDestroyEvent(event))


@pytest.fixture
def eager_collector() -> Iterator[None]:
    """The garbage collector runs at almost every allocation."""
    old = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    yield
    gc.set_threshold(*old)


@pytest.mark.parametrize("threads", ["free", "deterministic"])
@pytest.mark.usefixtures("eager_collector")
def test_destructors_may_call_in_the_middle_of_calls(threads: str) -> None:
    """The lock is taken and given back once, by the outer call."""
    answers: list[int] = []
    with Simulator(threads=threads):
        assert C.aclrtSetDevice(0) == 0
        for _ in range(100):
            InACycle(answers)
            stream, code = C.aclrtCreateStream()
            assert code == 0
            event, code = C.aclrtCreateEvent()
            assert code == 0
            assert C.aclrtRecordEvent(event, stream) == 0
            assert C.aclrtSynchronizeEvent(event) == 0
            assert C.aclrtDestroyEvent(event) == 0
            assert C.aclrtDestroyStream(stream) == 0
        gc.collect()
    assert answers[:2] == [100000, 0]
    assert set(answers) == {100000, 0}
    assert len(answers) == 200


@pytest.mark.parametrize("error", [ValueError, SystemExit, KeyboardInterrupt])
def test_a_host_function_that_raises_is_a_failed_task(error: type[BaseException]) -> None:
    """Later functions of the context run all the same."""

    def fails(_: object) -> None:
        raise error

    ran: list[object] = []
    with Simulator():
        assert C.aclrtSetDevice(0) == 0
        stream, _ = C.aclrtCreateStream()
        assert C.aclrtLaunchHostFunc(stream, fails, None) == 0
        assert C.aclrtSynchronizeStream(stream) == 507000
        assert C.aclrtLaunchHostFunc(stream, ran.append, 5) == 0
        assert C.aclrtSynchronizeStream(stream) == 0
    assert ran == [5]


@pytest.mark.parametrize("error", [ValueError, SystemExit, KeyboardInterrupt])
def test_a_callback_that_raises_leaves_the_simulator_usable(error: type[BaseException]) -> None:
    """The error comes out of aclrtProcessReport, and the blocked stream goes on."""

    def fails(_: object) -> None:
        raise error

    with Simulator():
        assert C.aclrtSetDevice(0) == 0
        stream, _ = C.aclrtCreateStream()
        assert C.aclrtSubscribeReport(threading.get_ident(), stream) == 0
        assert C.aclrtLaunchCallback(fails, None, 1, stream) == 0
        with pytest.raises(error):
            C.aclrtProcessReport(10)
        assert C.aclrtSynchronizeStream(stream) == 0
        assert C.aclrtDestroyStream(stream) == 0


def test_a_callback_may_close_the_simulator() -> None:
    """Calls after that are too late."""
    sim = Simulator().open()
    assert C.aclrtSetDevice(0) == 0
    stream, _ = C.aclrtCreateStream()
    assert C.aclrtSubscribeReport(threading.get_ident(), stream) == 0
    assert C.aclrtLaunchCallback(lambda _: sim.close(), None, 1, stream) == 0
    assert C.aclrtProcessReport(10) == 0
    assert C.aclrtCreateStream() == (0, 100001)
