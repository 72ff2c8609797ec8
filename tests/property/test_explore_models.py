"""The explorer against brute force: hand-built models (activated streams, switches, labels) and conditional tasks."""

from __future__ import annotations

import random
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
from tests.property.race_programs import Player, Step

PERSISTENT = 4
HEAD, ACTIVATED = 0, 0x7FFF_FFFF
RELAXED = 2
EQUAL, UNEQUAL, GREATER = 0, 1, 2
INT32 = 0
IF, WHILE, SWITCH = range(3)
H2D = 1
STREAMS = 2

Model = list[Any]


class ModelPlayer(Player):
    """Performs steps, and builds and executes one model of them. `number` is what it decides by, in device memory."""

    def __init__(self, streams: int) -> None:
        super().__init__(streams)
        self.number = must(C.aclrtMalloc(64, 0))
        self.put(self.number, 0, 1)
        self.model = 0

    def put(self, address: int, *values: int) -> None:
        """*values* of 32 bits."""
        raw = np.array(values, "<u4")
        must(C.aclrtMemcpy(address, raw.nbytes, raw, raw.nbytes, H2D))

    # -- the steps of a model, each on one of its streams ----------------------------------------------------------------

    def _build(self, flags: list[int], steps: list[Step], end: int) -> None:
        self.model = must(C.aclmdlRIBuildBegin(0))
        outside = self.streams
        self.streams = [must(C.aclrtCreateStreamWithConfig(0, PERSISTENT)) for _ in flags]
        for stream, flag in zip(self.streams, flags, strict=True):
            must(C.aclmdlRIBindStream(self.model, stream, flag))
        self.labels = [must(C.aclrtCreateLabel()) for _ in range(2)]
        self.list = must(C.aclrtCreateLabelList(self.labels, 2))
        for step in steps:
            self.step(step)
        must(C.aclmdlRIEndTask(self.model, self.streams[end]))
        must(C.aclmdlRIBuildEnd(self.model, None))
        self.streams = outside

    def _activate(self, by: int, other: int) -> None:
        must(C.aclrtActiveStream(self.streams[other], self.streams[by]))

    def _switch(self, s: int, condition: int, other: int) -> None:
        must(
            C.aclrtSwitchStream(
                self.number, condition, self.number + 4, INT32, self.streams[other], 0, self.streams[s]
            )
        )

    def _jump(self, s: int) -> None:
        must(C.aclrtSwitchLabelByIndex(self.number, 2, self.list, self.streams[s]))

    def _label(self, s: int, which: int) -> None:
        must(C.aclrtSetLabel(self.labels[which], self.streams[s]))

    def _decide(self, s: int, value: int) -> None:
        """The low byte of the number, in the order of a stream."""
        must(C.aclrtMemsetAsync(self.number, 1, value, 1, self.streams[s]))

    # -- a captured graph with a conditional task ------------------------------------------------------------------------

    def _conditional(self, kind: int, bodies: list[list[Step]]) -> None:
        outside, origin, inner = self.streams, must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
        must(C.aclmdlRICaptureBegin(origin, RELAXED))
        graph = must(C.aclmdlRICaptureGetInfo(origin))[1]
        handle = must(C.aclmdlRICondHandleCreate(graph, 0, 0))
        self.number = must(C.aclmdlRICondHandleGetCondPtr(handle))
        params = C.aclmdlRICondTaskParams(handle, kind, len(bodies), [0] * len(bodies))
        must(C.aclmdlRIAddCondTask(params, origin, 0))
        for sub_graph, body in zip(list(params.modelRIArray), bodies, strict=True):
            must(C.aclmdlRICaptureToModelRIBegin(inner, sub_graph, RELAXED))
            self.streams = [inner]
            for step in body:
                self.step(step)
            must(C.aclmdlRICaptureEnd(inner))
        self.model = must(C.aclmdlRICaptureEnd(origin))
        self.streams = outside

    def _launch(self, s: int) -> None:
        must(C.aclmdlRIExecuteAsync(self.model, self.streams[s]))


def write(rng: random.Random, s: int) -> Step:
    """Some stream writes one of two cells."""
    lo = rng.randrange(2)
    return ("write", s, 0, lo, lo + 1, rng.randrange(1, 99))


def beside(rng: random.Random) -> Model:
    """Two streams that write one cell: both begin, or the first activates the second."""
    flag = rng.choice([HEAD, ACTIVATED])
    first, second = (("write", s, 0, 0, 1, rng.randrange(1, 99)) for s in range(2))
    steps: list[Step] = [write(rng, 0)] if rng.random() < 0.3 else []
    steps += [("activate", 0, 1)] if flag == ACTIVATED else []
    return [("build", [HEAD, flag], [*steps, second, first], rng.randrange(2))]


def switched(rng: random.Random) -> Model:
    """One stream goes on, or gives way to another; both lead to the end."""
    steps: list[Step] = [
        ("switch", 0, rng.choice([EQUAL, UNEQUAL, GREATER]), 1),
        write(rng, 0), write(rng, 1), ("activate", 0, 2), ("activate", 1, 2),
    ]  # fmt: skip
    return [("build", [HEAD, ACTIVATED, ACTIVATED], steps, 2)]


def jumping(rng: random.Random) -> Model:
    """A jump forwards over a write, or none."""
    steps: list[Step] = [("jump", 0), ("label", 0, 0), write(rng, 0), ("label", 0, 1), write(rng, 0)]
    return [("build", [HEAD], steps, 0)]


def looping(rng: random.Random) -> Model:
    """Back to the beginning until somebody has written the number; the model does it itself in its first round."""
    steps: list[Step] = [("label", 0, 0), write(rng, 0), ("decide", 0, 1), ("jump", 0), ("label", 0, 1)]
    return [("build", [HEAD], steps, 0)]


def conditional(rng: random.Random) -> Model:
    """If, switch, or a loop that ends itself."""
    kind = rng.choice([IF, WHILE, SWITCH])
    bodies = [[write(rng, 0)] for _ in range({IF: rng.choice([1, 2]), WHILE: 1, SWITCH: 2}[kind])]
    if kind == WHILE:
        bodies[0].append(("decide", 0, 0))
    return [("conditional", kind, bodies)]


MODELS: dict[str, Callable[[random.Random], Model]] = {
    "streams": beside, "switch": switched, "labels": jumping, "loop": looping, "conditional": conditional,
}  # fmt: skip


def outside(rng: random.Random) -> list[Step]:
    """One or two executions, a change of the number beside them, and what other streams do."""
    steps: list[Step] = [("launch", 0)]
    for kind in ("decide", *rng.choices(["decide", "write", "edge", "launch"], k=rng.choice([0, 1, 1]))):
        s = rng.randrange(STREAMS)
        if kind == "decide":
            steps.insert(rng.choice([0, len(steps)]), ("decide", 1, rng.randrange(3)))
        elif kind == "write":
            steps.append(write(rng, s))
        elif kind == "edge":
            steps.append(("edge", s, 1 - s))
        else:
            steps.append(("launch", s))
    return steps


def program_of(steps: list[Step]) -> Callable[[], Any]:
    """The program of *steps*."""

    def program() -> Any:
        player = ModelPlayer(STREAMS)
        for step in steps:
            player.step(step)
        return player.result()

    return program


@pytest.mark.parametrize("kind", MODELS)
def test_every_class_of_a_program_with_models_once(kind: str) -> None:
    rng = random.Random(f"{kind} {SCALE}")
    programs = runs = branched = 0
    options: dict[str, Any] = {"soc": "Ascend910B3", "checks": "none"}
    with quiet_group():
        while programs < 4 * SCALE:
            steps = [*MODELS[kind](rng), *outside(rng)]
            program = program_of(steps)
            try:
                classes, _ = brute_force(program, options, 250 if SCALE == 1 else 2000, apart=programs % 3 == 0)
            except TooMany:
                continue
            programs += 1
            branched += len(classes) > 1
            for search in (Search(), InRandomOrder()):
                found, short = explored(program, options, search)
                keys = [key for key, _ in found]
                assert set(keys) == set(classes), steps
                assert len(keys) == len(classes), steps
                assert dict(found) == classes, steps
                runs += len(keys) + short
    assert runs >= 2 * programs and branched
