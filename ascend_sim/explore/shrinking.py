"""Make a failing schedule short: as few forced choices as possible, under either default rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ascend_sim.explore.forced import DEFAULTS, Choice, Forced
from ascend_sim.explore.values import Cells

if TYPE_CHECKING:
    from ascend_sim.explore.runs import Run, Runner

__all__ = ["shrink"]

MOST_TRIES = 400


def shrink(
    runner: Runner, choices: Sequence[Choice], fails: Callable[[Run], bool], full: Sequence[str] = ()
) -> tuple[list[Choice], str, Forced] | None:
    """The shortest choices found with which *fails* is still true: they, the default rule, and their run.

    None when the full list does not fail either: the program is not deterministic. *full*: the streams to which a
    submission is a step of its own.
    """
    tries = 0

    def attempt(some: Sequence[Choice], default: str) -> Forced | None:
        nonlocal tries
        tries += 1
        guide = Forced(some, default)
        return guide if fails(runner.run(guide, Cells((frozenset(), frozenset(full))))) else None

    best: tuple[list[Choice], str, Forced] | None = None
    for default in DEFAULTS:
        guide = attempt((), default)
        if guide is not None:
            return [], default, guide
    for default in DEFAULTS:
        current = list(choices)
        guide = attempt(current, default)
        if guide is None:
            continue
        size = max(len(current) // 2, 1)
        while tries < MOST_TRIES:
            place, shorter = 0, False
            while place < len(current) and tries < MOST_TRIES:
                less = current[:place] + current[place + size :]
                success = attempt(less, default)
                if success is None:
                    place += size
                else:
                    current, guide, shorter = less, success, True
            if size == 1 and not shorter:
                break
            if not shorter:
                size //= 2
        left = guide.left_over()
        current = [choice for choice in current if choice not in left]
        if best is None or len(current) < len(best[0]):
            best = current, default, guide
    return best
