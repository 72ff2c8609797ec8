"""Minimises failing schedules: as few choices as possible, under either default rule (delta debugging)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from ascend_sim.explore.control.blocks.granularity import Split
from ascend_sim.explore.counterexamples.explain import ExplainedSchedule
from ascend_sim.explore.counterexamples.preemptions import DEFAULTS, Choice, PreemptionStrategy

if TYPE_CHECKING:
    from ascend_sim.explore.runs import Run, Runner

__all__ = ["Minimised", "Minimiser"]

MOST_TRIES = 400


class Minimised(NamedTuple):
    """A schedule that still fails."""

    choices: list[Choice]
    default: str
    strategy: PreemptionStrategy
    """That of its run."""
    apart: Mapping[str, Split]
    """The launches that are taken apart in it: all, or none when that will do."""
    words: tuple[str, ...] = ()
    """The choices in words."""


class Minimiser:
    """Minimises schedules of one program. What it has tried for one failure it knows for the next."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._known: dict[Any, tuple[PreemptionStrategy, Run]] = {}
        self._tries = 0

    def _run(self, choices: Sequence[Choice], default: str, relevant: Sequence[str], apart: Mapping[str, Split]) -> Any:
        """(strategy, run) under these choices."""
        key = tuple(choices), default, tuple(relevant), tuple(apart)
        known = self._known.get(key)
        if known is None:
            self._runner.clear()
            strategy = PreemptionStrategy(choices, default)
            schedule = ExplainedSchedule(strategy, relevant, apart)
            run = self._runner.run(strategy, schedule.known_state, schedule=schedule)
            strategy.words = schedule.words(choices)
            known = strategy, attrs.evolve(run, error=None)  # an exception would keep the whole run alive
            if not run.late:
                self._known[key] = known
        return known

    def minimise(
        self, choices: Sequence[Choice], fails: Callable[[Run], bool], relevant: Sequence[str] = (),
        blocks: Mapping[str, Split] | None = None, *, first: bool = True,
    ) -> Minimised | None:  # fmt: skip
        """The shortest schedule found with which *fails* is still true.

        None when the full list of *choices* does not fail either: the program is not deterministic. *relevant*: that of
        the run (`KnownState.relevant`). *blocks*: the launches that are taken apart. *first*: False when the
        schedule without any choice is known not to fail.
        """
        self._tries = 0

        def attempt(some: Sequence[Choice], default: str, apart: Mapping[str, Split]) -> PreemptionStrategy | None:
            self._tries += 1
            strategy, run = self._run(some, default, relevant, apart)
            return strategy if not run.late and fails(run) else None

        best: Minimised | None = None
        ways: list[tuple[str, Mapping[str, Split]]] = [(default, {}) for default in DEFAULTS]
        if blocks:
            ways += [(default, blocks) for default in DEFAULTS]
        for default, apart in ways:
            if not first and default == "host" and not apart:
                continue
            strategy = attempt((), default, apart)
            if strategy is not None:
                return Minimised([], default, strategy, apart)
        for default, apart in ways:
            if best is not None and len(best.choices) == 1:
                break  # without any it does not fail
            short = self._shorter(choices, default, apart, attempt)
            if short is not None and (best is None or len(short.choices) < len(best.choices)):
                best = short
        return best

    def _shorter(
        self, choices: Sequence[Choice], default: str, apart: Mapping[str, Split],
        attempt: Callable[[Sequence[Choice], str, Mapping[str, Split]], PreemptionStrategy | None],
    ) -> Minimised | None:  # fmt: skip
        """Take away what need not be there, halves first. None when all of it does not fail."""
        current = list(choices)
        strategy = attempt(current, default, apart)
        if strategy is None:
            return None
        size = max(len(current) // 2, 1)
        while self._tries < MOST_TRIES and len(current) > 1:
            place, shorter = 0, False
            while place < len(current) and len(current) > 1 and self._tries < MOST_TRIES:
                less = current[:place] + current[place + size :]
                success = attempt(less, default, apart) if less else None  # none at all was tried before
                if success is None:
                    place += size
                else:
                    current, strategy, shorter = less, success, True
            if size == 1 and not shorter:
                break
            if not shorter:
                size //= 2
        left = strategy.left_over()
        kept = [(choice, words) for choice, words in zip(current, strategy.words, strict=True) if choice not in left]
        return Minimised([choice for choice, _ in kept], default, strategy, apart, tuple([words for _, words in kept]))
