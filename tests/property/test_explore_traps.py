"""Small programs on which an explorer goes wrong that falls into one of the known traps of its algorithm.

They were found by putting each mistake into the search and making the shortest program on which it shows. The traps of
full queues, which need two host threads, are in `test_explore`.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from ascend_sim.explore.runs import quiet_group
from ascend_sim.explore.search.dpor import Search
from ascend_sim.explore.search.tree import Node
from tests.property.brute_force import InRandomOrder, brute_force, explored
from tests.property.test_explore import OPTIONS, played

TRAPS: dict[str, tuple[list[tuple[Any, ...]], int]] = {
    "what is asleep need not be independent of all that comes": (
        [("freset", 1, 1), ("copy", 2, 1, 0, 0, 2), ("write", 0, 0, 1, 4, 2), ("write", 1, 0, 0, 4, 3)], 6,
    ),
    "who waits at the end has a next step, too": ([("fwait", 0, 1), ("frecord", 1, 1), ("freset", 1, 1)], 2),
    "who waits where a run is cut short has one as well": (
        [("frecord", 1, 1), ("fwait", 2, 1), ("write", 2, 0, 1, 4, 2), ("write", 0, 0, 0, 4, 3), ("freset", 1, 1)], 3,
    ),
    "the footprint of a sibling that has not run is not known": (
        [
            ("write", 1, 1, 1, 2, 1), ("write", 0, 0, 2, 4, 2), ("write", 1, 0, 3, 4, 3), ("hread", 0, 3, 4),
            ("copy", 2, 0, 1, 1, 2),
        ], 0,
    ),
}  # fmt: skip
"""What the trap is -> the program, and its classes (0: brute force says)."""


class Reversed(Search):
    """The branch that was asked for first comes last."""

    def priority(self, node: Node, process: str) -> int:
        return -node.depth


@pytest.mark.parametrize("trap", TRAPS)
def test_no_class_is_missed_or_repeated(trap: str) -> None:
    steps, many = TRAPS[trap]
    with quiet_group():
        classes, _ = brute_force(played(steps), OPTIONS, 5000)
        assert len(classes) == (many or len(classes)) > 1
        searches = [Search(), Reversed()]
        for seed in range(5):
            searches.append(InRandomOrder())
            searches[-1]._random = random.Random(seed)  # type: ignore[attr-defined]
        for search in searches:
            found, _ = explored(played(steps), OPTIONS, search)
            assert len(found) == len(classes)
            assert dict(found) == classes
