"""Make a failing schedule short: as few forced choices as possible, under either default rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ascend_sim.explore.block_splits import Split, Splits
from ascend_sim.explore.forced import DEFAULTS, Choice, Forced
from ascend_sim.explore.values import Cells

if TYPE_CHECKING:
    from ascend_sim.explore.runs import Run, Runner

__all__ = ["shrink"]

MOST_TRIES = 400


def shrink(
    runner: Runner, choices: Sequence[Choice], fails: Callable[[Run], bool], full: Sequence[str] = (),
    blocks: Mapping[str, Split] | None = None, *, first: bool = True,
) -> tuple[list[Choice], str, Forced, Mapping[str, Split]] | None:  # fmt: skip
    """The shortest choices found with which *fails* is still true: they, the default rule, their run, and the launches
    that are taken apart in it: all of *blocks*, or none when that will do.

    None when the full list does not fail either: the program is not deterministic. *full*: the streams to which a
    submission is a step of its own. *first*: False when the schedule without any choice is known not to fail.
    """
    tries = 0

    def attempt(some: Sequence[Choice], default: str, apart: Mapping[str, Split]) -> Forced | None:
        nonlocal tries
        tries += 1
        guide = Forced(some, default)
        cells = Cells((frozenset(), frozenset(full)), Splits("whole", apart))
        run = runner.run(guide, cells)
        return guide if not run.late and fails(run) else None

    best: tuple[list[Choice], str, Forced, Mapping[str, Split]] | None = None
    ways: list[tuple[str, Mapping[str, Split]]] = [(default, {}) for default in DEFAULTS]
    if blocks:
        ways += [(default, blocks) for default in DEFAULTS]
    for default, apart in ways:
        if not first and default == "host" and not apart:
            continue
        guide = attempt((), default, apart)
        if guide is not None:
            return [], default, guide, apart
    for default, apart in ways:
        current = list(choices)
        guide = attempt(current, default, apart)
        if guide is None:
            continue
        size = max(len(current) // 2, 1)
        while tries < MOST_TRIES:
            place, shorter = 0, False
            while place < len(current) and tries < MOST_TRIES:
                less = current[:place] + current[place + size :]
                success = attempt(less, default, apart)
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
            best = current, default, guide, apart
    return best
