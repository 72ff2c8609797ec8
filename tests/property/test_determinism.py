"""A run that is repeated is the same run, under each schedule; and without races every schedule computes the same bytes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from hypothesis import given, note, settings
from hypothesis import strategies as st

from tests.kit.scale import SCALE
from tests.property.ordered_programs import SCHEDULES, in_order, make_program, run

seeds, lengths = st.integers(0, 1 << 30), st.integers(1, 40)
programs = st.builds(lambda seed, length: make_program(random.Random(seed), length), seeds, lengths)
examples = settings(max_examples=100 * SCALE)


@examples
@given(programs, st.sampled_from(SCHEDULES), st.integers(0, 3), st.integers(1, 5))
def test_a_program_runs_the_same_way_twice(program: tuple[int, list], schedule: str, seed: int, depth: int) -> None:
    """Every task ends at the same virtual time in the same order, every query answers the same."""
    note(f"{schedule}, {program}")
    assert run(*program, schedule, seed, depth) == run(*program, schedule, seed, depth)


@examples
@given(programs)
def test_a_program_without_races_computes_the_same_bytes_under_every_schedule(program: tuple[int, list]) -> None:
    """They are the bytes of the steps one after the other."""
    note(str(program))
    expected = in_order(program[1])
    for schedule in SCHEDULES:
        found = run(*program, schedule)
        assert found.final == expected, schedule
        assert len(found.trace) == len({task[1:3] for task in found.trace}), "each task ends once"


@examples
@given(programs, st.integers(0, 3))
def test_tasks_of_a_stream_end_in_the_order_of_their_submission(program: tuple[int, list], seed: int) -> None:
    """Whatever the schedule does between streams."""
    for schedule in SCHEDULES:
        numbers: dict[int, list[int]] = {}
        for _, _, number, stream, _, _ in run(*program, schedule, seed).trace:
            numbers.setdefault(stream, []).append(number)
        assert all(found == sorted(found) for found in numbers.values())


def test_runs_do_not_depend_on_the_process() -> None:
    """Neither on the seed of hashes, which orders sets, nor on addresses."""
    digests = set()
    for seed in ("0", "77"):
        done = subprocess.run(
            [sys.executable, "-m", "tests.property.ordered_programs", "12"],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1
