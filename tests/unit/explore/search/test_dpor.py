"""Races of a step, and what a search puts into backtrack sets: small executions by hand."""

from __future__ import annotations

import pytest

from ascend_sim.explore.search.dependence import LOCK, PUT, READ, TAKE, UNLOCK, WRITE, Item, was_possible
from ascend_sim.explore.search.dpor import Blocked, History, Search, races_of
from ascend_sim.explore.search.tree import Node, Step


def at(thing: str, mode: int) -> Item:
    return Item(("bytes", thing), mode)


def executed(search: Search, *steps: tuple[str, tuple[Item, ...]]) -> list[Step]:
    """An execution in which each process could go first."""
    enabled = tuple(dict.fromkeys(process for process, _ in steps))
    done: list[Step] = []
    node = search.root
    for process, items in steps:
        node.enabled = enabled
        step = Step(node, process)
        step.items = node.backtrack[process] = items
        done.append(step)
        node = Node(step, node.depth + 1, 0)
    return done


def races(items: tuple[Item, ...], enablers: int, steps: list[Step]) -> tuple[int, list[int]]:
    history = History()
    for place, step in enumerate(steps):
        history.add(place, step.items)
    before, found = races_of(items, enablers, steps, history)
    return before, [race.place for race in found]


def test_dependent_steps_are_in_a_race() -> None:
    search = Search()
    steps = executed(search, ("a", (at("x", WRITE),)), ("b", (at("y", WRITE),)))
    search.learn(steps, 0, ())
    assert races((at("x", READ),), 0, steps) == (0b01, [0])
    assert races((at("x", WRITE), at("y", WRITE)), 0, steps) == (0b11, [0, 1])
    assert races((at("z", WRITE),), 0, steps) == (0, [])


def test_an_enabler_is_in_no_race() -> None:
    search = Search()
    steps = executed(search, ("a", (at("x", WRITE),)))
    search.learn(steps, 0, ())
    assert races((at("x", WRITE),), 0b1, steps) == (0b1, [])


def test_what_lies_before_another_dependent_step_is_in_no_race() -> None:
    search = Search()
    steps = executed(search, ("a", (at("x", WRITE),)), ("b", (at("x", WRITE),)))
    search.learn(steps, 0, ())
    assert steps[1].before == 0b01
    assert races((at("x", WRITE),), 0, steps) == (0b11, [1])


def test_a_wait_is_in_a_race_only_where_it_could_have_passed() -> None:
    search = Search()
    key = ("notify", "n")
    steps = executed(search, ("a", (Item(key, PUT, 0, 1, False),)), ("b", (Item(key, PUT, 0, 1, True),)))
    search.learn(steps, 0, ())
    wait = Item(key, TAKE, 0, 1, True, was_possible)
    assert races((wait,), 0, steps) == (0b11, [1])  # without the first put it could not have passed


def pending(search: Search) -> list[tuple[int, str]]:
    return sorted((branch.node.depth, branch.process) for branch in search.pending)


def test_a_race_is_reversed_at_the_state_before_it() -> None:
    search = Search()
    steps = executed(search, ("c", (at("z", WRITE),)), ("a", (at("x", WRITE),)), ("b", (at("x", WRITE),)))
    search.learn(steps, 0, ())
    assert pending(search) == [(1, "b")]
    search.learn(steps, 0, ())
    assert pending(search) == [(1, "b")]  # it is in the backtrack set already


def test_who_sleeps_is_not_run_again() -> None:
    search = Search()
    steps = executed(search, ("a", (at("x", WRITE),)), ("b", (at("x", WRITE),)))
    search.root.sleep["b"] = steps[1].items
    search.learn(steps, 0, ())
    assert pending(search) == []


@pytest.mark.parametrize(("free", "found"), [(True, [(0, "b")]), (False, [])])
def test_a_disabled_process_races_with_what_disabled_it(free: bool, found: list[tuple[int, str]]) -> None:
    search = Search()
    lock = ("lock", "l")
    steps = executed(search, ("a", (Item(lock, LOCK, 0, 1, free),)), ("a", (at("x", WRITE),)))
    search.root.enabled = ("a", "b")
    wait = Item(lock, LOCK, 0, 1, None, was_possible)
    search.learn(steps, 0, [Blocked(2, "b", (), (wait,))])
    assert pending(search) == found


def test_a_lock_that_is_given_back_is_what_the_next_one_needed() -> None:
    search = Search()
    lock = ("lock", "l")
    steps = executed(search, ("a", (Item(lock, LOCK, 0, 1, True),)), ("a", (Item(lock, UNLOCK, 0, 1, False),)))
    search.learn(steps, 0, ())
    assert races((Item(lock, LOCK, 0, 1, True, was_possible),), 0, steps) == (0b11, [0])
