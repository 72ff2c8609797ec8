"""The explorer against brute force on programs with memory pools, of one host thread and of two.

Brute force runs all interleavings and says so when two of one class end differently: then a footprint is incomplete.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.explore.runs import quiet_group
from ascend_sim.explore.search.dpor import Search
from tests.kit.calls import must
from tests.kit.scale import SCALE
from tests.property.brute_force import InRandomOrder, TooMany, brute_force, explored

UNIT = 2 << 20
EVENTS, OPPORTUNISTIC, INTERNAL, THRESHOLD, RESERVED, USED = 1, 2, 3, 4, 5, 7
Step = tuple[str, int, int, int]
MENU = ["malloc"] * 4 + ["free"] * 4 + ["write"] * 2 + ["trim", "sync", "devsync", "reserved", "used", "order"]
LATE = (0, 507018)


def make_program(rng: random.Random, length: int, threads: int) -> tuple[dict[int, int], list[list[Step]]]:
    """The attributes of the pool, and the steps of each thread."""
    attributes = {which: rng.randrange(2) for which in (EVENTS, OPPORTUNISTIC, INTERNAL)}
    attributes[THRESHOLD] = rng.choice([0, 0, UNIT, 2 * UNIT])
    steps = [
        [("malloc", rng.randrange(2), rng.randrange(1, 3), 0)]
        + [(rng.choice(MENU), rng.randrange(2), rng.randrange(1, 3), rng.randrange(9)) for _ in range(length)]
        for _ in range(threads)
    ]
    return attributes, steps


class Player:
    """What the threads share: a pool of three units and two streams."""

    def __init__(self, attributes: dict[int, int]) -> None:
        self.must(C.aclrtSetDevice(0))
        self.streams = [self.must(C.aclrtCreateStream()) for _ in range(2)]
        props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=3 * UNIT)
        self.pool = self.must(C.aclrtMemPoolCreate(props))
        for which, value in attributes.items():
            self.must(C.aclrtMemPoolSetAttr(self.pool, which, np.array([value], np.uint64)))
        self.mine: dict[int, list[int]] = {}
        self.seen: dict[int, list[Any]] = {}

    must = staticmethod(must)

    def ask(self, which: int) -> int:
        found = np.zeros(1, np.uint64)
        self.must(C.aclrtMemPoolGetAttr(self.pool, which, found))
        return int(found[0]) // UNIT

    def step(self, me: int, step: Step) -> None:
        kind, a, n, value = step
        stream, mine, seen = self.streams[a], self.mine[me], self.seen[me]
        if kind == "malloc":
            address, code = C.aclrtMemPoolMallocAsync(n * UNIT, self.pool, stream)
            seen.append(code)
            if not code:
                mine.append(address)
        elif kind == "free" and mine:
            seen.append(C.aclrtMemPoolFreeAsync(mine.pop(value % len(mine)), stream))
        elif kind == "write" and mine:
            self.must(C.aclrtMemsetAsync(mine[value % len(mine)], 16, value, 16, stream))
        elif kind == "trim":
            seen.append(C.aclrtMemPoolTrimTo(self.pool, (n - 1) * UNIT))
        elif kind == "sync":
            seen.append(C.aclrtSynchronizeStream(stream))
        elif kind == "devsync":
            seen.append(C.aclrtSynchronizeDevice())
        elif kind == "reserved":
            seen.append(self.ask(RESERVED))
        elif kind == "used":
            seen.append(self.ask(USED))
        elif kind == "order":
            event = self.must(C.aclrtCreateEventExWithFlag(1))
            self.must(C.aclrtRecordEvent(event, stream))
            self.must(C.aclrtStreamWaitEvent(self.streams[1 - a], event))


def played(attributes: dict[int, int], program: list[list[Step]]) -> Callable[[], Any]:
    """The program as a function."""

    def run() -> Any:
        player = Player(attributes)

        def work(me: int) -> None:
            player.must(C.aclrtSetDevice(0))
            player.mine[me], player.seen[me] = [], []
            for step in program[me]:
                player.step(me, step)

        threads = [threading.Thread(target=work, args=(me,)) for me in range(1, len(program))]
        for thread in threads:
            thread.start()
        work(0)
        for thread in threads:
            thread.join()
        code = C.aclrtSynchronizeDevice()
        assert code in LATE
        return [player.seen[me] for me in range(len(program))], code

    return run


@pytest.mark.parametrize(("threads", "all_hosts"), [(1, False), (2, False), (2, True)])
def test_every_class_once(threads: int, all_hosts: bool) -> None:
    rng = random.Random(10 * threads + all_hosts + SCALE)
    programs = several = runs = cut = 0
    options: dict[str, Any] = {"checks": "none"}
    with quiet_group():
        while programs < (8 if threads == 1 else 4) * SCALE:
            attributes, steps = make_program(rng, rng.choice([3, 4, 5, 6] if threads == 1 else [0, 1]), threads)
            program = played(attributes, steps)
            try:
                classes, _ = brute_force(program, options, 150 if SCALE == 1 else 500, all_hosts, quick=True)
            except TooMany:
                continue
            programs += 1
            several += len(classes) > 1
            for search in (Search(), InRandomOrder()):
                found, short = explored(program, options, search, all_hosts)
                keys = [key for key, _ in found]
                assert set(keys) == set(classes), (attributes, steps)
                assert len(keys) == len(classes), (attributes, steps)
                assert dict(found) == classes, (attributes, steps)
                runs += len(keys) + short
                cut += short
    print(f"{threads} threads, all host steps {all_hosts}: {programs} programs, {several} with several classes, {runs} runs")
    assert several
    assert cut <= max(0.1 * runs, 4)


@pytest.mark.slow
def test_what_threads_share_in_a_pool_is_all_that_they_share() -> None:
    """Orders of host steps that only all_hosts tells apart lead to nothing new."""
    rng = random.Random(SCALE)
    programs = several = 0
    with quiet_group():
        while programs < 6 * SCALE:
            attributes, steps = make_program(rng, rng.choice([0, 1, 1]), 2)
            program = played(attributes, steps)
            try:
                wanted, _ = brute_force(program, {"checks": "none"}, 150 if SCALE == 1 else 500, True, quick=True)
            except TooMany:
                continue
            programs += 1
            found, _ = explored(program, {"checks": "none"})
            values = {repr(outcome.value) for _, outcome in found}
            assert values == {repr(outcome.value) for outcome in wanted.values()}, (attributes, steps)
            several += len(values) > 1
    assert several
