"""What an exploration leaves behind: nothing of a run, and of the tree only what is still to be run."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.explore.runs import FULL_COLLECTION
from ascend_sim.explore.search.tree import Node

SIZE = 16


def write_twice(streams: list[int], block: int) -> None:
    for value, stream in enumerate(streams):
        C.aclrtMemsetAsync(block, SIZE, value, SIZE, stream)
        C.aclrtMemsetAsync(block, SIZE, value + 10, SIZE, stream)


def test_simulators_of_earlier_runs_are_gone() -> None:
    alive: weakref.WeakSet[Simulator] = weakref.WeakSet()
    most = 0

    def program(sim: Simulator) -> None:
        nonlocal most
        alive.add(sim)
        most = max(most, len(alive))
        C.aclrtSetDevice(0)
        block, _ = C.aclrtMalloc(SIZE, 0)
        write_twice([C.aclrtCreateStream()[0] for _ in range(3)], block)
        C.aclrtSynchronizeDevice()

    report = explore(program)
    assert report.exhausted and report.classes == 90
    assert most <= 2


@pytest.mark.slow
def test_simulators_of_runs_with_threads_are_gone() -> None:
    alive: weakref.WeakSet[Simulator] = weakref.WeakSet()
    most = 0

    def program(sim: Simulator) -> None:
        nonlocal most
        alive.add(sim)
        most = max(most, len(alive))
        C.aclrtSetDevice(0)
        block, _ = C.aclrtMalloc(SIZE, 0)
        lock = threading.Lock()

        def work() -> None:
            C.aclrtSetDevice(0)
            stream, _ = C.aclrtCreateStream()
            with lock:
                write_twice([stream], block)
                C.aclrtSynchronizeStream(stream)

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    report = explore(program, hosts="all")
    assert report.runs > 4 * FULL_COLLECTION
    assert most <= FULL_COLLECTION + 2  # a thread that comes to its end may still hold the simulator


def test_the_tree_is_no_garbage_for_later() -> None:
    gc.collect()
    before = sum(type(thing) is Node for thing in gc.get_objects())
    gc.disable()
    try:
        report = explore(lambda: write_twice([0, 0], C.aclrtMalloc(SIZE, 0)[0]))
        assert report.exhausted
        del report
        assert sum(type(thing) is Node for thing in gc.get_objects()) == before
    finally:
        gc.enable()
