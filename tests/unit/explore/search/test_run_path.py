"""What is said of a program that does another thing when it is run again."""

from __future__ import annotations

import pytest

from ascend_sim.explore.search.dependence import PROCESS, READ, Item
from ascend_sim.explore.search.run_path import _change
from ascend_sim.explore.search.tree import Node, Step


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ((Item(("object", "block"), READ, 0, 8),), (), "touches block [0, 8) once and nothing the next time"),
        ((), (Item(PROCESS, READ),), "touches nothing once and process [0, 1) the next time"),
        ((Item(("asked", "events", 0), READ),), (Item("main", READ),), "touches events [0, 1) once and nothing"),
    ],
)
def test_the_same_call_touches_something_else(before: tuple[Item, ...], now: tuple[Item, ...], said: str) -> None:
    step = Step(Node.__new__(Node), "main")
    step.call = "aclrtMalloc", (8,)
    step.items = before
    text = _change(step, step.call, now)
    assert text.startswith(f"aclrtMalloc(8) {said}")
