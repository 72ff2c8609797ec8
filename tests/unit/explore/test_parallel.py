"""Explorations by a pool of processes: the same classes as by one."""

from __future__ import annotations

import multiprocessing
import pickle
import re
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, explore, gm, kernel
from ascend_sim import ascendcl as C

SIZE = 16


def program() -> int:
    """Three streams write one block, in no order."""
    C.aclrtSetDevice(0)
    block, _ = C.aclrtMalloc(SIZE, 0)
    streams = [C.aclrtCreateStream()[0] for _ in range(3)]
    for value, stream in enumerate(streams):
        C.aclrtMemsetAsync(block, SIZE, value, SIZE, stream)
        C.aclrtMemsetAsync(block, SIZE, value + 10, SIZE, stream)
    C.aclrtSynchronizeDevice()
    if C.aclrtStreamQuery(streams[0])[0]:
        raise AssertionError("not done")
    return 1


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


def found(report: Any) -> Any:
    results = sorted((repr(result.outcome), result.count) for result in report.outcomes)
    # Of failures that differ in numbers alone the first stands for all: which one that is may differ in a pool.
    failures = sorted((f.kind, re.sub("[0-9]+", "#", f.title), f.count) for f in report.failures)
    return report.classes, report.exhausted, results, failures


def test_a_pool_finds_what_one_process_finds(pool: Executor) -> None:
    alone = explore(program, budget=None)
    together = explore(program, budget=None, executor=pool)
    assert alone.classes == 90  # 6! / (2! 2! 2!)
    assert found(together) == found(alone)
    assert not together.trouble and all(len(f.recording.choices) <= 3 for f in together.failures)


def flag_race() -> None:
    """A record and a reset of one flag are in no order, and a wait looks at it."""
    C.aclrtSetDevice(0)
    streams = [C.aclrtCreateStream()[0] for _ in range(3)]
    event, _ = C.aclrtCreateEventWithFlag(1)
    C.aclrtRecordEvent(event, streams[0])
    C.aclrtStreamWaitEvent(streams[1], event)
    C.aclrtResetEvent(event, streams[2])
    C.aclrtSynchronizeStreamWithTimeout(streams[1], 1)


def test_findings_without_an_order_come_back_from_a_pool(pool: Executor) -> None:
    alone = explore(flag_race, budget=None)
    together = explore(flag_race, budget=None, executor=pool)
    assert "sync-race" in {failure.kind for failure in alone.failures}
    assert found(together) == found(alone) and not together.trouble


@kernel
def takes(b: Block, x: gm.InOut[np.int32]) -> None:
    """Each block trusts that the one before it has run."""
    x[b.idx] = x[b.idx - 1] + 1 if b.idx else 1


@kernel
async def meets(b: Block, x: gm.Out[np.int32]) -> None:
    """All blocks keep their cores until the last one has come."""
    await b.sync_all()
    x[b.idx] = 1


def blocks_in_any_order() -> None:
    """A kernel that depends on the order of its blocks, and two that wait for each other's cores."""
    C.aclrtSetDevice(0)
    x, y, z = (C.aclrtMalloc(256, 0)[0] for _ in range(3))
    streams = [C.aclrtCreateStream()[0] for _ in range(2)]
    takes[3, streams[0]](x)
    C.aclrtSynchronizeDevice()
    meets[40, streams[0]](y)
    meets[40, streams[1]](z)
    C.aclrtSynchronizeDevice()


def test_a_pool_takes_launches_apart(pool: Executor) -> None:
    alone = explore(blocks_in_any_order, budget=None)
    together = explore(blocks_in_any_order, budget=None, executor=pool)
    assert alone.classes == 4 * 4 and alone.exhausted  # orders of the blocks, and of the cores that are taken
    assert found(together) == found(alone)


class Elsewhere(Executor):
    """Runs what it is given at once, by the clock of the tests; only what can be pickled goes there and comes back."""

    def submit(self, function: Any, /, *given: Any, **named: Any) -> Any:
        done: Future[Any] = Future()
        done.set_result(pickle.loads(pickle.dumps(function(*pickle.loads(pickle.dumps(given)), **named))))
        return done


def endless_in_one_order() -> None:
    """When the second set comes first, a block is freed twice, and then calls go on for ever."""
    C.aclrtSetDevice(0)
    (a, _), (b, _) = C.aclrtCreateStream(), C.aclrtCreateStream()
    block, _ = C.aclrtMalloc(SIZE, 0)
    C.aclrtMemsetAsync(block, SIZE, 1, SIZE, a)
    C.aclrtMemsetAsync(block, SIZE, 2, SIZE, b)
    C.aclrtSynchronizeDevice()
    out = np.zeros(SIZE, np.uint8)
    C.aclrtMemcpy(out.ctypes.data, SIZE, block, SIZE, 2)
    if out[0] == 1:
        other, _ = C.aclrtMalloc(SIZE, 0)
        C.aclrtFree(other)
        C.aclrtFree(other)
        while True:
            C.aclrtGetRunMode()


def test_what_a_run_had_found_that_was_left_elsewhere_is_told() -> None:
    alone = explore(endless_in_one_order, budget=0.05, checks="memory")
    there = explore(endless_in_one_order, budget=0.05, checks="memory", executor=Elsewhere())
    for report in (alone, there):
        assert [finding.kind for finding in report.met] == ["double-free"] and report.unfinished
        assert report.left_at[0].function == "endless_in_one_order"
    assert [one.to_json() for one in there.met] == [one.to_json() for one in alone.met] and there.left_at == alone.left_at
    assert "double-free in the run that was left: " in str(there)


def test_a_pool_stops_when_the_time_is_up(pool: Executor) -> None:
    report = explore(program, executor=pool, budget=0.001)
    assert not report.exhausted and report.pending
