"""What the program does itself with page-locked memory that a copy writes, where a library can close pages.

The library is played here; with the true one tests/torch does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.machine import page_guard
from ascend_sim.machine.page_guard import PageGuard

D2H, H2D = 2, 1
SIZE = 5000


class PlayedGuard(PageGuard):
    """Keeps what is closed; `touch` is what the handler of the library does."""

    def __init__(self) -> None:
        self.heard: Callable[[int, bool], None] | None = None
        self.numbers = 0
        self.closed: dict[int, tuple[int, int]] = {}
        self.shut: set[int] = set()
        self.room = 100

    def close(self, address: int, nbytes: int) -> int:
        if len(self.closed) >= self.room:
            return 0
        self.numbers += 1
        self.closed[self.numbers] = address, address + nbytes
        self.shut.add(self.numbers)
        return self.numbers

    def close_again(self, number: int) -> None:
        assert number in self.closed
        self.shut.add(number)

    def open(self, number: int, forget: bool = False) -> None:
        self.shut.discard(number)
        if forget:
            del self.closed[number]

    def touch(self, address: int, write: bool = False) -> None:
        for number in sorted(self.shut):
            lo, hi = self.closed[number]
            if lo <= address < hi:
                self.shut.discard(number)
                assert self.heard is not None
                self.heard(number, write)


def must(result: tuple[int, int] | int) -> int:
    value, code = result if isinstance(result, tuple) else (0, result)
    assert code == 0
    return value


class Program:
    """A device buffer, a page-locked one and two streams."""

    def __init__(self, sim: Simulator, guard: PlayedGuard) -> None:
        self.sim, self.guard = sim, guard
        must(C.aclrtSetDevice(0))
        self.device, self.host = must(C.aclrtMalloc(SIZE, 0)), must(C.aclrtMallocHost(SIZE))
        self.a, self.b = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
        must(C.aclrtMemset(self.device, SIZE, 3, SIZE))

    def copy(self) -> None:
        must(C.aclrtMemcpyAsync(self.host, SIZE, self.device, SIZE, D2H, self.a))

    def titles(self) -> list[str]:
        return [finding.title for finding in self.sim.findings]


@pytest.fixture
def program() -> Iterator[Program]:
    guard = PlayedGuard()
    page_guard.GUARDS[:] = [guard]
    try:
        with Simulator() as sim:
            yield Program(sim, guard)
        assert not guard.closed
    finally:
        page_guard.GUARDS.clear()


def test_a_touch_before_the_wait_is_a_race(program: Program) -> None:
    program.copy()
    program.guard.touch(program.host + 100)
    must(C.aclrtSynchronizeStream(program.a))
    (title,) = program.titles()
    assert "reads" in title and "while a copy on" in title and "may still be writing it" in title


def test_a_write_is_told_as_one(program: Program) -> None:
    program.copy()
    program.guard.touch(program.host, write=True)
    must(C.aclrtSynchronizeStream(program.a))
    assert " writes " in program.titles()[0]


def test_it_is_told_where_the_copy_has_run_and_nobody_waited_for_it(program: Program) -> None:
    program.copy()
    must(C.aclrtMemsetAsync(program.device, SIZE, 0, SIZE, program.b))
    must(C.aclrtSynchronizeStream(program.b))
    assert program.guard.shut  # closed again after the tasks that ended meanwhile
    program.guard.touch(program.host)
    must(C.aclrtSynchronizeStream(program.a))
    assert len(program.titles()) == 2  # the two streams race as well


@pytest.mark.parametrize("wait", ["stream", "device", "event", "query", "other stream"])
def test_who_waited_finds_the_pages_open(program: Program, wait: str) -> None:
    event = must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC))
    program.copy()
    must(C.aclrtRecordEvent(event, program.a))
    if wait == "stream":
        must(C.aclrtSynchronizeStream(program.a))
    elif wait == "device":
        must(C.aclrtSynchronizeDevice())
    elif wait == "event":
        must(C.aclrtSynchronizeEvent(event))
    elif wait == "query":
        while must(C.aclrtStreamQuery(program.a)) != C.ACL_STREAM_STATUS_COMPLETE:
            pass
    else:
        must(C.aclrtStreamWaitEvent(program.b, event))
        must(C.aclrtSynchronizeStream(program.b))
    assert not program.guard.closed
    assert program.titles() == []


def test_the_simulators_own_use_is_none_of_the_programs(program: Program) -> None:
    program.copy()
    must(C.aclrtMemcpyAsync(program.device, SIZE, program.host, SIZE, H2D, program.a))
    assert program.guard.shut == set(program.guard.closed) != set()
    must(C.aclrtSynchronizeStream(program.a))
    assert program.titles() == []


def test_freed_memory_is_open(program: Program) -> None:
    program.copy()
    must(C.aclrtFreeHost(program.host))
    assert not program.guard.closed


def test_without_room_nothing_is_closed(program: Program) -> None:
    program.guard.room = 0
    program.copy()
    assert not program.guard.closed
    must(C.aclrtSynchronizeStream(program.a))


def test_memory_without_pages_of_its_own_stays_open(program: Program) -> None:
    assert program.host % 4096 == 0
    page_guard.GUARDS.clear()
    small = must(C.aclrtMallocHost(64))
    page_guard.GUARDS[:] = [program.guard]
    if small % 4096:
        must(C.aclrtMemcpyAsync(small, 64, program.device, 64, D2H, program.a))
        assert not program.guard.closed
    must(C.aclrtSynchronizeStream(program.a))
