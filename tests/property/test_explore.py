"""The explorer against brute force: no class of schedules missed, none repeated, whatever the order of the branches."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import explored_threads
import pytest
from explored import TooMany, brute_force, explored
from race_programs import Player, Step, make_program

from ascend_sim.explore.explorer import quiet_group
from ascend_sim.explore.search import Search
from ascend_sim.explore.tree import Node

SCALE = int(os.environ.get("ASCEND_SIM_TEST_SCALE", "1"))
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
def test_every_class_once(depth: int) -> None:
    options: dict[str, Any] = {**OPTIONS, "limits": {"stream_depth": depth}} if depth else OPTIONS
    rng = random.Random(depth + SCALE)
    programs = runs = cut = 0
    with quiet_group():
        while programs < 12 * SCALE:
            kinds, length = rng.choice([("statics", 6), ("flags", 6), ("all", 5)])
            steps = make_program(rng, length, streams=rng.choice([2, 2, 3]), kinds=kinds)
            try:
                classes, _ = brute_force(played(steps), options, 300 if SCALE == 1 else 2000)
            except TooMany:
                continue
            programs += 1
            for search in (Search(), InRandomOrder()):
                found, short = explored(played(steps), options, search)
                keys = [key for key, _ in found]
                assert set(keys) == set(classes), steps
                assert len(keys) == len(classes), steps
                assert dict(found) == classes, steps
                runs += len(keys) + short
                cut += short
    print(f"depth {depth}: {programs} programs, {runs} runs, {cut} cut short")
    assert runs > 2 * programs  # some have more than one class
    assert cut <= 0.02 * runs


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("all_hosts", [False, True])
def test_every_class_of_two_host_threads_once(depth: int, all_hosts: bool) -> None:
    options: dict[str, Any] = {**OPTIONS, "limits": {"stream_depth": depth}} if depth else OPTIONS
    rng = random.Random(depth + SCALE)
    programs = runs = cut = 0
    with quiet_group():
        while programs < 5 * SCALE:
            program = explored_threads.played(explored_threads.make_program(rng, 1 if all_hosts else rng.choice([1, 2])))
            try:
                classes, _ = brute_force(program, options, 150 if SCALE == 1 else 800, all_hosts)
            except TooMany:
                continue
            programs += 1
            for search in (Search(), InRandomOrder()):
                found, short = explored(program, options, search, all_hosts)
                keys = [key for key, _ in found]
                assert set(keys) == set(classes)
                assert len(keys) == len(classes)
                assert dict(found) == classes
                runs += len(keys) + short
                cut += short
    print(f"threads, depth {depth}, all host steps {all_hosts}: {programs} programs, {runs} runs, {cut} cut short")
    assert runs >= 2 * programs
    assert cut <= max(0.1 * runs if all_hosts else 0.02 * runs, 1)
