"""Two host threads that call any function of the catalogue: the explorer against brute force, chapter by chapter."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from ascend_sim.explore.runs import quiet_group
from ascend_sim.explore.search.dpor import Search
from tests.kit.scale import SCALE
from tests.property.brute_force import InRandomOrder, TooMany, compared
from tests.property.catalogue_programs import Call, chapters, make_program, played

LIMITS = {"stream_depth": 64, "streams": 40, "events": 30, "notifies": 20}
OPTIONS: dict[str, Any] = {"soc": "Ascend910B3", "devices": 2, "checks": "none", "limits": LIMITS}
LENGTHS = [[1, 1], [1, 1], [1, 2], [2, 1]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Profiles and dumps go to the working directory."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_random_calls_of_each_chapter() -> None:
    """With ASCEND_SIM_TEST_SCALE=20: 2,000 programs in some ten minutes."""
    rng = random.Random(SCALE)
    names = list(chapters())
    programs = several = 0
    with quiet_group():
        while programs < 2 * len(names) * SCALE:
            program = make_program(rng, rng.choice(LENGTHS), names[programs % len(names)])
            search = Search() if programs % 2 else InRandomOrder()
            try:
                several += compared(played(program), OPTIONS, 200, search, shown=program) > 1
            except TooMany:
                continue
            programs += 1
    print(f"{programs} programs of {len(names)} chapters, {several} with several classes")
    assert several > programs // 8


def test_a_reserved_range_has_one_id_whoever_looks_at_it_first() -> None:
    """Thread 1 asks about a range that the main thread had reserved before, which allocates meanwhile: one class."""
    program: list[list[Call]] = [
        [
            ("aclrtMemManagedGetAttrs", bytes.fromhex("0101da0000cc000101a30101000001000000dc0100000009")),
            ("aclrtMemAllocManaged", bytes.fromhex("32010001007501022201000000c60000000101002c000001")),
        ],
        [("aclrtMemManagedGetAttrs", bytes.fromhex("00010001010000f0eb0191000000000100000000015e0000"))],
    ]
    with quiet_group():
        assert compared(played(program), OPTIONS, 200, Search(), shown=program) == 1
