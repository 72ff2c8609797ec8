"""The race detector on random programs: it agrees with a yardstick, and a silent run has one outcome."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.scale import SCALE
from tests.property.race_oracle import races, repaired
from tests.property.race_orders import play, turned_around
from tests.property.race_programs import BUFFERS, CELLS, Step, make_program, outcomes_of, run

ROOT = str(Path(__file__).resolve().parents[2])
SCHEDULES = ("virtual-time", "late", "early")
DEPTHS = (None, None, 1, 2)
TAIL: list[Step] = [*(("sync", s) for s in range(3)), *(("hread", b, 0, CELLS) for b in range(BUFFERS))]
"""What the player does at the end."""

seeds = st.integers(0, 2**32)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_a_race_is_reported_under_every_schedule_exactly_when_the_program_has_one(seed: int) -> None:
    rng = random.Random(seed)
    program = repaired(make_program(rng, 14), rng.choice((0.5, 0.9, 1.0)), rng)
    racy = races(program + TAIL) > 0
    depth = rng.choice(DEPTHS)
    outcomes = set()
    for schedule in (*SCHEDULES, "random(1)", "random(2)"):
        result = run(program, schedule, depth=depth)
        assert result.ended and bool(result.found) == racy, (schedule, depth, result.found)
        outcomes.add(result.outcome)
    assert racy or len(outcomes) == 1


@settings(max_examples=60, deadline=None)
@given(seeds, st.sampled_from(("flags", "all", "times")))
def test_a_run_without_race_sync_race_and_mark_has_the_one_outcome(seed: int, kinds: str) -> None:
    rng = random.Random(seed)
    program = make_program(rng, rng.randrange(5, 11), kinds=kinds)
    depth = rng.choice(DEPTHS)
    runs = [run(program, schedule, depth=depth) for schedule in (*SCHEDULES, *(f"random({k})" for k in range(4)))]
    if any(r.clean for r in runs):
        assert len(outcomes_of(runs)) == 1


@settings(max_examples=60, deadline=None)
@given(seeds, st.sampled_from(("statics", "flags", "all")))
def test_each_reported_pair_occurs_in_both_orders_or_one_of_them_hangs(seed: int, kinds: str) -> None:
    rng = random.Random(seed)
    program = make_program(rng, rng.randrange(3, 10), kinds=kinds)
    watch, _ = play(program, rng.choice(SCHEDULES), 3, rng.choice(DEPTHS))
    for pair in watch.pairs:
        assert turned_around(program, pair, 3), pair


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_an_edge_that_was_taken_out_is_missed_in_one_run_of_every_schedule(seed: int) -> None:
    rng = random.Random(seed)
    program = repaired(make_program(rng, 12), 1.0, rng)
    if races(program + TAIL):
        return
    for place, step in enumerate(program):
        if step[0] not in ("wait", "sync"):
            continue
        planted = program[:place] + program[place + 1 :]
        if races(planted + TAIL):
            for schedule in SCHEDULES:
                assert run(planted, schedule).found, (schedule, place)
            return


def said_by(script: str, *numbers: int) -> Any:
    """The last line that a script of this folder prints, run with *numbers* in a process of its own."""
    result = subprocess.run(
        [sys.executable, "-m", f"tests.property.{script}", *map(str, numbers)], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": ROOT}, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("length", [2, 4])
def test_two_threads(length: int) -> None:
    said = said_by("race_threads", 50, length, 100 * length)
    assert not said["wrong"], said["wrong"]
    assert said["several"] and (length > 2 or said["silent"])


@pytest.mark.parametrize(("count", "length"), [(30, 8), (12, 16)])
def test_programs_with_all_their_edges_are_silent_and_a_missing_one_is_found(count: int, length: int) -> None:
    said = said_by("planted_edges", count * SCALE, length, 1000 * length)
    assert not said["wrongs"], said["wrong"]
    assert said["planted"] > count and said["of two threads"] > count // 4
