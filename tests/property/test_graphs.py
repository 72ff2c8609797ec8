"""Random captures against the same calls without a capture: the same bytes, a race in both or in neither."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ascend_sim import Observer, Simulator
from ascend_sim import ascendcl as C
from ascend_sim.explore.runs import quiet_group
from ascend_sim.explore.search.dpor import Search
from ascend_sim.runtime.current import LOCAL
from ascend_sim.runtime.task import Op
from tests.kit.calls import must
from tests.kit.scale import SCALE
from tests.property.brute_force import InRandomOrder, TooMany, brute_force, explored
from tests.property.race_programs import BUFFERS, CELL, CELLS, RACES, Player, Step

STREAMS = 3
RELAXED = 2
SCHEDULES = ("virtual-time", "late", "early", "random(5)")


def body(rng: random.Random, length: int) -> list[Step]:
    """What is captured: all streams fork from the first one, do this and that, and come back to it."""
    steps: list[Step] = [("edge", 0, s) for s in range(1, STREAMS)]
    for value in range(1, length):
        kind = rng.choice(["write"] * 4 + ["copy"] * 2 + ["edge"] * 4)
        s, b, lo = rng.randrange(STREAMS), rng.randrange(BUFFERS), rng.randrange(CELLS)
        hi = rng.randrange(lo, CELLS) + 1
        if kind == "write":
            steps.append(("write", s, b, lo, hi, value))
        elif kind == "copy":
            steps.append(("copy", s, b, 1 - b, lo, hi))
        else:
            steps.append(("edge", s, rng.randrange(STREAMS)))
    return [*steps, *(("edge", s, 0) for s in range(1, STREAMS))]


class GraphPlayer(Player):
    """Performs the steps of a body, as they are or as graphs."""

    def _empty(self, s: int, cost: int) -> None:
        state = LOCAL.state
        assert state is not None
        state.stream(self.streams[s]).submit(state, Op("empty", cost))

    def perform(self, steps: list[Step]) -> None:
        """All of them."""
        for step in steps:
            self.step(step)

    def captured(self, steps: list[Step]) -> int:
        """The graph of *steps*."""
        must(C.aclmdlRICaptureBegin(self.streams[0], RELAXED))
        self.perform(steps)
        return int(must(C.aclmdlRICaptureEnd(self.streams[0])))


def outcome(steps: list[Step], times: int, graph: bool, schedule: str) -> tuple[Any, bool]:
    """The bytes in the end, and whether a race was found, after *steps* were done *times* times."""
    with Simulator(schedule=schedule) as sim:
        player = GraphPlayer(STREAMS)
        if graph:
            model = player.captured(steps)
            for _ in range(times):
                must(C.aclmdlRIExecuteAsync(model, player.streams[0]))
        else:
            for _ in range(times):
                player.perform(steps)
        must(C.aclrtSynchronizeDevice())
        found = bytes(sim.memory.view(player.buffers[0], CELL * CELLS)), bytes(
            sim.memory.view(player.buffers[1], CELL * CELLS)
        )
        return found, any(finding.kind in RACES for finding in sim.findings)


@pytest.mark.parametrize("seed", range(40 * SCALE))
def test_a_graph_does_what_its_calls_do(seed: int) -> None:
    rng = random.Random(seed)
    steps, times = body(rng, rng.choice([4, 8, 16])), rng.choice([1, 1, 2])
    plain = outcome(steps, times, False, "virtual-time")
    for schedule in SCHEDULES if seed % 4 == 0 else SCHEDULES[:2]:
        replayed = outcome(steps, times, True, schedule)
        assert replayed[1] == plain[1], (schedule, steps)
        if not plain[1]:
            assert replayed[0] == plain[0], (schedule, steps)


def test_the_programs_are_of_both_kinds() -> None:
    racy = [outcome(body(random.Random(seed), 8), 1, False, "virtual-time")[1] for seed in range(12)]
    assert True in racy and False in racy


class Looks(Observer):
    """Hears of every task that ends."""

    def completed(self, task: Any, fault: Any) -> None:
        """Nothing is done about it."""


def timed(rng: random.Random) -> list[Step]:
    """A body with tasks of all lengths, also of none: empty ones, whose end nobody sees, and edges in all directions."""
    steps: list[Step] = [("edge", 0, s) for s in range(1, STREAMS)]
    for value in range(1, rng.choice([10, 30])):
        kind = rng.choice(["empty"] * 8 + ["edge"] * 8 + ["write", "copy"])
        s, lo = rng.randrange(STREAMS), rng.randrange(CELLS)
        if kind == "empty":
            steps += [("empty", s, rng.choice([0, 500, 500, 1000, 1500]))] * rng.randrange(1, 4)
        elif kind == "edge":
            steps.append(("edge", s, rng.randrange(STREAMS)))
        elif kind == "write":
            steps.append(("write", s, rng.randrange(BUFFERS), lo, lo + 1, value))
        else:
            steps.append(("copy", s, 0, 1, lo, lo + 1))
    return [*steps, *(("edge", s, 0) for s in range(1, STREAMS))]


def moments(steps: list[Step], times: int, seen: bool) -> list[Any]:
    """What is in memory, and the time, after each of several looks at graphs that run on two streams."""
    with Simulator(checks="none") as sim:
        if seen:
            sim.attach(Looks())
        player = GraphPlayer(STREAMS)
        model = player.captured(steps)
        launchers = [must(C.aclrtCreateStream()) for _ in range(2)]
        found: list[Any] = []
        for n in range(times):
            must(C.aclmdlRIExecuteAsync(model, launchers[n % 2]))
            player.step(("write", 1, 0, 0, 1, 200 + n))
            for stream in launchers:
                found.append(must(C.aclrtStreamQuery(stream)))
        for stream in (*launchers, player.streams[1]):
            must(C.aclrtSynchronizeStream(stream))
            found.append((sim.time_ns(), *(bytes(sim.memory.view(b, CELL * CELLS)) for b in player.buffers)))
        return found


@pytest.mark.parametrize("seed", range(40 * SCALE))
def test_who_looks_changes_nothing(seed: int) -> None:
    """Lanes run ahead where nobody looks: everything happens at the times, and in the order, of a run that is watched."""
    rng = random.Random(seed)
    steps, times = timed(rng), rng.choice([1, 2, 3])
    assert moments(steps, times, False) == moments(steps, times, True), steps


# -- the explorer --------------------------------------------------------------------------------------------------------


def explored_program(rng: random.Random) -> list[Step]:
    """Few steps outside of a graph, with executions of it among them; the graph itself is the first step."""
    inside: list[Step] = []
    for _ in range(rng.choice([1, 2, 2])):
        lo = rng.randrange(2)
        inside.append(("write", rng.randrange(2), 0, lo, lo + 1, rng.randrange(1, 99)))
    two = any(step[1] for step in inside)
    graph = [("edge", 0, 1), *inside, ("edge", 1, 0)] if two else inside
    steps: list[Step] = [("capture", graph), ("launch", rng.randrange(3))]
    for _ in range(rng.choice([1, 2])):
        kind = rng.choice(["write", "write", "edge", "launch", "hread", "sync"])
        if kind == "write":
            lo = rng.randrange(2)
            steps.append(("write", rng.randrange(3), 0, lo, lo + 1, rng.randrange(100, 200)))
        elif kind == "edge":
            steps.append(("edge", rng.randrange(3), rng.randrange(3)))
        elif kind == "hread":
            steps.append(("hread", 0, 0, 2))
        else:
            steps.append((kind, rng.randrange(3)))
    return steps


def explored_outcome(steps: list[Step]) -> Any:
    """The program of *steps*."""

    def program() -> Any:
        player = GraphPlayer(STREAMS)
        for kind, *arguments in steps:
            if kind == "capture":
                model = player.captured(arguments[0])
            elif kind == "launch":
                must(C.aclmdlRIExecuteAsync(model, player.streams[arguments[0]]))
            else:
                player.step((kind, *arguments))
        return player.result()

    return program


def test_every_class_of_a_program_with_replays_once() -> None:
    rng = random.Random(SCALE)
    programs = runs = 0
    options: dict[str, Any] = {"soc": "Ascend950PR_9599", "checks": "none"}
    with quiet_group():
        while programs < 12 * SCALE:
            program = explored_outcome(steps := explored_program(rng))
            try:
                classes, _ = brute_force(program, options, 400 if SCALE == 1 else 3000, apart=programs % 3 == 0)
            except TooMany:
                continue
            programs += 1
            for search in (Search(), InRandomOrder()):
                found, short = explored(program, options, search)
                keys = [key for key, _ in found]
                assert set(keys) == set(classes), steps
                assert len(keys) == len(classes), steps
                assert dict(found) == classes, steps
                runs += len(keys) + short
    assert runs > 2 * programs
