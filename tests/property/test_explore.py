"""The explorer against brute force: no class of schedules missed, none repeated, whatever the order of the branches."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from explored import TooMany, brute_force, explored
from race_programs import Player, Step, make_program

from ascend_sim.explore.explorer import quiet_group
from ascend_sim.explore.search import Search
from ascend_sim.explore.tree import Node

SCALE = float(os.environ.get("ASCEND_SIM_TEST_SCALE", "1"))
OPTIONS = {"soc": "Ascend950PR_9599", "checks": "none"}


class InRandomOrder(Search):
    """Branches in an order that has nothing to do with the tree."""

    def __init__(self) -> None:
        super().__init__()
        self._random = random.Random(5)

    def priority(self, node: Node, process: str) -> int:
        return self._random.randrange(1000)


def played(steps: list[Step]) -> Callable[[], Any]:
    """The program that performs *steps*."""

    def program() -> Any:
        player = Player(3)
        for step in steps:
            player.step(step)
        return player.result()

    return program


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize(("kinds", "length"), [("statics", 6), ("flags", 5), ("all", 5)])
def test_every_class_once(kinds: str, length: int, depth: int) -> None:
    options: dict[str, Any] = {**OPTIONS, "limits": {"stream_depth": depth}} if depth else OPTIONS
    runs = cut = 0
    with quiet_group():
        for seed in range(int(8 * SCALE)):
            program = played(make_program(random.Random(seed * 10 + depth), length, kinds=kinds))
            try:
                classes, _ = brute_force(program, options, 400 if SCALE == 1 else 3000)
            except TooMany:
                continue
            for search in (Search(), InRandomOrder()):
                found, short = explored(program, options, search)
                keys = [key for key, _ in found]
                assert set(keys) == set(classes), seed
                assert len(keys) == len(classes), seed
                assert dict(found) == classes, seed
                runs += len(keys) + short
                cut += short
    assert runs >= 10
    assert cut <= max(0.02 * runs, 1)
