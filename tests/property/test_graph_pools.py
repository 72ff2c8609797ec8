"""Random programs with memory of pools, captured and run again, against the same calls without a capture."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import must
from tests.kit.scale import SCALE

UNIT = 2 << 20
OUTS, STREAMS = 3, 2
RELAXED, D2D = 2, 3

Step = tuple[Any, ...]


def steps_of(rng: random.Random) -> list[Step]:
    """Blocks that are allocated, filled, copied and given back on two streams, each time in an order; all in the end."""
    steps: list[Step] = [("edge", 0, 1)]
    live: list[int] = []
    made = 0
    for _ in range(rng.choice([6, 12, 20])):
        kind = rng.choice(["malloc", "fill", "copy", "copy", "free"])
        if kind == "malloc" or not live:
            steps.append(("malloc", made, rng.randrange(STREAMS), rng.choice([1, 1, 2])))
            steps.append(("fill", made, rng.randrange(STREAMS), rng.randrange(1, 200)))
            live.append(made)
            made += 1
        elif kind == "fill":
            steps.append(("fill", rng.choice(live), rng.randrange(STREAMS), rng.randrange(1, 200)))
        elif kind == "copy":
            steps.append(("copy", rng.choice(live), rng.randrange(STREAMS), rng.randrange(OUTS)))
        else:
            steps.append(("free", live.pop(rng.randrange(len(live))), rng.randrange(STREAMS)))
    steps += [("free", block, rng.randrange(STREAMS)) for block in live]
    return [*steps, ("edge", 1, 0)]


class Player:
    """Performs steps; whatever changes streams waits for the other one first."""

    def __init__(self) -> None:
        must(C.aclrtSetDevice(0))
        self.streams = [must(C.aclrtCreateStream()) for _ in range(STREAMS)]
        props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=64 * UNIT)
        self.pool = must(C.aclrtMemPoolCreate(props))
        self.outs = [must(C.aclrtMalloc(64, 0)) for _ in range(OUTS)]
        for out in self.outs:
            must(C.aclrtMemset(out, 64, 0, 64))
        self.at: dict[int, int] = {}
        self.last = 0

    def edge(self, first: int, then: int) -> None:
        """Order between two streams."""
        event = must(C.aclrtCreateEventExWithFlag(1))
        must(C.aclrtRecordEvent(event, self.streams[first]))
        must(C.aclrtStreamWaitEvent(self.streams[then], event))

    def on(self, s: int) -> int:
        """The stream *s*, which comes after the one that was used last."""
        if s != self.last:
            self.edge(self.last, s)
            self.last = s
        return int(self.streams[s])

    def perform(self, steps: list[Step]) -> None:
        """All of them."""
        self.last = 0
        for kind, *args in steps:
            if kind == "edge":
                if args == [1, 0]:
                    self.on(0)
                self.edge(*args)
                continue
            block, s, *rest = args
            stream = self.on(s)
            if kind == "malloc":
                self.at[block] = must(C.aclrtMemPoolMallocAsync(rest[0] * UNIT, self.pool, stream))
            elif kind == "fill":
                must(C.aclrtMemsetAsync(self.at[block], 64, rest[0], 64, stream))
            elif kind == "copy":
                must(C.aclrtMemcpyAsync(self.outs[rest[0]], 64, self.at[block], 64, D2D, stream))
            else:
                must(C.aclrtMemPoolFreeAsync(self.at[block], stream))


def outcome(steps: list[Step], times: int, graph: bool, schedule: str) -> tuple[list[bytes], list[str]]:
    """What was copied out, and the findings."""
    with Simulator(schedule=schedule, checks="all") as sim:
        player = Player()
        if graph:
            must(C.aclmdlRICaptureBegin(player.streams[0], RELAXED))
            player.perform(steps)
            model = must(C.aclmdlRICaptureEnd(player.streams[0]))
            for _ in range(times):
                must(C.aclmdlRIExecuteAsync(model, player.streams[1]))
            must(C.aclrtSynchronizeStream(player.streams[1]))
            must(C.aclmdlRIDestroy(model))
        else:
            for _ in range(times):
                player.perform(steps)
        must(C.aclrtSynchronizeDevice())
        found = [bytes(sim.memory.view(out, 64)) for out in player.outs]
        must(C.aclrtMemPoolDestroy(player.pool))
        return found, [finding.title for finding in sim.findings]


@pytest.mark.parametrize("seed", range(20 * SCALE))
def test_a_graph_with_pools_does_what_its_calls_do(seed: int) -> None:
    rng = random.Random(seed)
    steps, times = steps_of(rng), rng.choice([1, 2, 3])
    plain = outcome(steps, times, False, "virtual-time")
    assert plain[1] == []
    for schedule in ("virtual-time", rng.choice(["late", "early", "random(5)"])):
        assert outcome(steps, times, True, schedule) == plain, (schedule, steps)
