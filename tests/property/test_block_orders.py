"""Exploring the blocks of kernels against brute force: no class missed, none repeated."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ascend_sim.explore.control.blocks.granularity import Splits
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.runs import Runner, quiet_group
from ascend_sim.explore.search.dpor import Search
from ascend_sim.explore.search.run_path import Trace
from tests.kit.scale import SCALE
from tests.property.block_orders import (
    LOG,
    Access,
    Class,
    Launch,
    Program,
    TooMany,
    all_classes,
    class_of,
    make_program,
    runner,
)
from tests.property.brute_force import InRandomOrder

OPTIONS = {"soc": "Ascend910B3", "checks": "none"}


def explored(program: Program, kind: type[Search]) -> tuple[list[tuple[Class, Any]], int]:
    """The classes that the explorer runs, with their results; and how many runs were cut short."""
    run_once, known_state = Runner(runner(program), OPTIONS), KnownState(splits=Splits("all"))
    while True:
        search, branch = kind(), None
        found: list[tuple[Class, Any]] = []
        cut = 0
        known_state.splits.grown = False
        while not known_state.splits.grown:
            trace = Trace(search, branch)
            run = run_once.run(trace, known_state)
            trace.reached_branch()
            assert not trace.trouble, trace.trouble
            search.learn(trace.steps, trace.fresh, run.blocked)
            known_state.splits.look(trace.steps, trace.fresh, run.launches)
            if trace.cut:
                cut += 1
            else:
                found.append((class_of(program, LOG), run.outcome))
            branch = search.next()
            if branch is None and not known_state.splits.grown:
                return found, cut


@pytest.mark.parametrize("cores", [0, 2])
@pytest.mark.parametrize("kind", [Search, InRandomOrder])
def test_every_order_of_blocks_once(kind: type[Search], cores: int) -> None:
    rng = random.Random(SCALE + cores)
    programs = runs = cut = 0
    with quiet_group():
        while programs < (20 if cores else 60) * SCALE:
            program = make_program(rng, cores)
            try:
                classes = all_classes(program, 3000 if SCALE == 1 else 20000)
            except TooMany:
                continue
            if len(classes) > (60 if SCALE == 1 else 400) or (cores and len(classes) < 4):
                continue
            programs += 1
            found, short = explored(program, kind)
            keys = [key for key, _ in found]
            assert set(keys) == classes, program
            assert len(keys) == len(classes), program
            runs += len(keys) + short
            cut += short
    print(f"{programs} programs, {runs} runs, {cut} cut short")
    assert runs > 3 * programs
    assert cut <= 0.02 * runs


@pytest.mark.parametrize("kind", [Search, InRandomOrder])
def test_room_for_a_block_comes_from_any_other(kind: type[Search]) -> None:
    """A block of the first launch needs the core of either block before it, and conflicts with one of them."""
    touched: list[list[list[list[Access]]]] = [
        [[[(0, 9, 10)]], [[]], [[(1, 2, 3)]], [[(1, 8, 11), (1, 4, 5)]]],
        [[[(1, 7, 12)]], [[]], [[(0, 8, 11)]]],
        [[[(0, 10, 11)]], [[]], [[(1, 0, 3)]]],
    ]
    program = Program([Launch(stream, blocks, -1) for stream, blocks in zip((0, 0, 1), touched, strict=True)], 2)
    with quiet_group():
        found, _ = explored(program, kind)
    keys = [key for key, _ in found]
    assert set(keys) == all_classes(program, 20000) and len(keys) == 24
