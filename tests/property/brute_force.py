"""Brute force over all interleavings of a program, the yardstick of the explorer."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.control.merged_calls import MERGED
from ascend_sim.explore.runs import runner_of
from ascend_sim.explore.search.dependence import Item, dependent
from ascend_sim.explore.search.dpor import Search
from ascend_sim.explore.search.run_path import Trace
from ascend_sim.explore.search.strategy import StepRecord, Strategy
from ascend_sim.explore.search.tree import Node
from ascend_sim.findings.levels import ERRORS

Key = tuple[Any, ...]


class InRandomOrder(Search):
    """Branches in an order that has nothing to do with the tree."""

    def __init__(self) -> None:
        super().__init__()
        self._random = random.Random(5)

    def priority(self, node: Node, process: str) -> int:
        return self._random.randrange(1000)


UNLIKELY = 4
"""A first interleaving hardly ever promises so many times more than there are."""


class TooMany(Exception):
    """More interleavings than one wants to run."""


class Enumerator(Strategy):
    """A strategy that takes the branches of every node one after the other.

    *quick*: where a step touches nothing, no other is tried: it changes places with all that could come before it.
    """

    def __init__(self, prefix: list[int], quick: bool = False) -> None:
        self.prefix = prefix
        self.quick = quick
        self.taken_branches: list[tuple[int, int]] = []
        self.steps: list[tuple[str, tuple[Item, ...], Any]] = []
        self._process = ""

    def choose(self, enabled: tuple[str, ...]) -> str:
        place = len(self.taken_branches)
        number = self.prefix[place] if place < len(self.prefix) else 0
        self.taken_branches.append((number, len(enabled)))
        self._process = enabled[number]
        return self._process

    def taken(self, step: StepRecord) -> None:
        self.steps.append((self._process, tuple(step.items), step.call))

    def promises(self) -> int:
        """How many interleavings there are if all have as many branches as this one had: an estimate (Knuth's)."""
        branches = [many for place, (_, many) in enumerate(self.taken_branches) if not self._is_skipped(place)]
        return math.prod(branches)

    def _is_skipped(self, place: int) -> bool:
        return self.quick and not self.steps[place][1]

    def next_prefix(self) -> list[int] | None:
        branches = list(self.taken_branches)
        while branches:
            number, many = branches.pop()
            if number + 1 < many and not self._is_skipped(len(branches)):
                return [n for n, _ in branches] + [number + 1]
        return None


def class_of(steps: list[tuple[str, tuple[Item, ...], Any]]) -> Key:
    """The class of a run: for each pair of steps that conflict, which one came first; and who did what in which order."""
    names: list[tuple[str, int]] = []
    counts: dict[str, int] = {}
    for process, items, _ in steps:
        if items:
            counts[process] = counts.get(process, 0) + 1
        names.append((process, counts.get(process, 0)))
    pairs = []
    for j, (process, items, _) in enumerate(steps):
        for i in range(j):
            if steps[i][0] != process and dependent(steps[i][1], items):
                pairs.append((names[i], names[j]))
    touched = [[item[:4] for item in items] for _, items, _ in steps]
    did = sorted((name, items) for name, items in zip(names, touched, strict=True) if items)
    return tuple(sorted(pairs)), repr(did)


def brute_force(
    program: Callable[[], Any], options: dict[str, Any], most: int, all_hosts: bool = False, quick: bool = False,
    apart: bool = False,
) -> tuple[dict[Key, Any], int]:
    """Every class with its outcome, and how many interleavings were run. Raises TooMany beyond *most*, as soon as that
    is likely.

    *apart*: each call is a step, also those that the explorer joins to the step before them.
    """
    runner = runner_of(program, options, ERRORS)
    known_state = KnownState((frozenset(), MERGED if apart else frozenset()))
    found: dict[Key, Any] = {}
    prefix: list[int] | None = []
    runs = 0
    while prefix is not None:
        strategy = Enumerator(prefix, quick)
        known_state.grown = False
        run = runner.run(strategy, known_state, all_hosts)
        if known_state.grown:  # steps are cut in another way from now on
            found.clear()
            prefix, runs = [], 0
            continue
        assert "Error" not in run.outcome.ended, run.outcome.ended  # then all of them may well agree
        key = class_of(strategy.steps)
        # else something that steps have in common is missing in their items
        assert found.setdefault(key, run.outcome) == run.outcome, run.outcome.differences(found[key])
        runs += 1
        if runs >= most or (runs == 1 and strategy.promises() > UNLIKELY * most):
            raise TooMany
        prefix = strategy.next_prefix()
    return found, runs


def explored(
    program: Callable[[], Any], options: dict[str, Any], search: Search | None = None, all_hosts: bool = False
) -> tuple[list[tuple[Key, Any]], int]:
    """The classes that the explorer runs, in that order, with their outcomes; and the runs that were cut short."""
    runner, known_state = runner_of(program, options, ERRORS), KnownState()
    first = search
    while True:
        search = first if first is not None else Search()
        classes: list[tuple[Key, Any]] = []
        cut = 0
        branch = None
        while True:
            trace = Trace(search, branch)
            known_state.grown = False
            run = runner.run(trace, known_state, all_hosts)
            assert not trace.trouble, trace.trouble
            if known_state.grown:
                first = type(search)() if first is not None else None
                break
            search.learn(trace.steps, trace.fresh, run.blocked)
            if trace.cut:
                cut += 1
            else:
                steps = [(step.process, step.items, step.call) for step in trace.steps]
                classes.append((class_of(steps), run.outcome))
            branch = search.next()
            if branch is None:
                return classes, cut


def compared(program: Callable[[], Any], options: dict[str, Any], most: int, *searches: Search, shown: object) -> int:
    """How many classes *program* has, after each of *searches* ran every one once, with what it gives. *shown*: for the
    message of a failure."""
    classes, _ = brute_force(program, options, most)
    for search in searches:
        found, _ = explored(program, options, search)
        assert {key for key, _ in found} == set(classes), shown
        assert len(found) == len(classes), shown
        assert dict(found) == classes, shown
    return len(classes)
