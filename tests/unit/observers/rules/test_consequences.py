"""Which fault a return code is put under, when several give one code: the first that truly explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from ascend_sim import Block, Simulator, kernel
from ascend_sim import ascendcl as C
from ascend_sim.findings.sarif import sarif
from tests.kit.calls import must

CODE = 507035


@kernel
def left(b: Block) -> None:
    raise ValueError("left")


@kernel
def right(b: Block) -> None:
    raise ValueError("right")


@pytest.fixture
def sim() -> Iterator[Simulator]:
    with Simulator(checks="memory,races,rules") as made:
        must(C.aclrtSetDevice(0))
        yield made


def followers(sim: Simulator) -> list[int]:
    """How many codes each fault explains, in the order found."""
    faults = [f for f in sim.findings if f.code is not None and f.code[1] == CODE]
    assert all(f.cause is None for f in faults)
    assert len(sarif(faults, "/", {})["runs"][0]["results"]) == len(faults)
    return [len(f.followers) for f in faults]


def wait_for_one(s: int, t: int) -> None:
    assert C.aclrtSynchronizeStream(t) == CODE


def wait_for_the_other(s: int, t: int) -> None:
    assert C.aclrtSynchronizeStream(s) == CODE


def wait_for_both(s: int, t: int) -> None:
    assert C.aclrtSynchronizeStream(s) == CODE
    assert C.aclrtSynchronizeStream(t) == CODE


def wait_for_the_device(s: int, t: int) -> None:
    assert C.aclrtSynchronizeDevice() == CODE
    assert C.aclrtSynchronizeDevice() == 0


@pytest.mark.parametrize(
    ("wait", "explained"),
    [(wait_for_one, [0, 1]), (wait_for_the_other, [1, 0]), (wait_for_both, [1, 1]), (wait_for_the_device, [1, 0])],
)
def test_a_code_belongs_to_the_stream_that_was_waited_for(
    sim: Simulator, wait: Callable[[int, int], None], explained: list[int]
) -> None:
    s, t, e = must(C.aclrtCreateStream()), must(C.aclrtCreateStream()), must(C.aclrtCreateEventExWithFlag(1))
    left[1, s]()
    must(C.aclrtRecordEvent(e, s))
    must(C.aclrtStreamWaitEvent(t, e))
    right[1, t]()
    must(C.aclrtRecordEvent(e, t))
    must(C.aclrtStreamWaitEvent(s, e))
    wait(s, t)
    if wait is wait_for_one:
        must(C.aclrtDestroyStreamForce(s))
    assert followers(sim) == explained


def test_the_first_of_two_faults_of_a_stream_explains_the_code(sim: Simulator) -> None:
    s = must(C.aclrtCreateStream())
    left[1, s]()
    right[1, s]()
    assert C.aclrtSynchronizeStream(s) == CODE
    assert followers(sim) == [1, 0]
    must(C.aclrtSynchronizeStream(s))
    right[1, s]()  # another place: another finding, and the only one that can explain the next code
    assert C.aclrtSynchronizeStream(s) == CODE
    assert followers(sim) == [1, 0, 1]


def test_faults_of_one_line_on_two_streams_are_one_finding(sim: Simulator) -> None:
    for stream in (must(C.aclrtCreateStream()), must(C.aclrtCreateStream())):
        left[1, stream]()
    assert C.aclrtSynchronizeDevice() == CODE
    assert followers(sim) == [1]


def test_in_stop_mode_the_first_fault_of_the_context_explains_all(sim: Simulator) -> None:
    s = must(C.aclrtCreateStream())
    must(C.aclrtSetStreamFailureMode(s, 1))
    left[1, s]()
    right[1, s]()
    for _ in range(3):
        assert C.aclrtSynchronizeStream(s) == CODE
    assert C.aclrtSynchronizeDevice() == CODE
    assert followers(sim) == [4]
