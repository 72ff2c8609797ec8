"""Preemptions: a schedule as the default rule, and the choices in which it departs from that.

The default rule stays on the running process, or its launch, while that is enabled; then hosts go first, or the device
(*default*). A choice is (P, k, Q): where the rule would run P's k-th step, run Q. It survives when others are taken
away, and after it the rule stays on Q.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, zip_longest
from typing import Any

from ascend_sim.explore.search.default_rule import goes_on, is_stream
from ascend_sim.explore.search.dependence import PROCESS, Item
from ascend_sim.explore.search.strategy import StepRecord, Strategy
from ascend_sim.explore.search.tree import Step
from ascend_sim.untrusted.digests import sha256

__all__ = ["DEFAULTS", "Choice", "PreemptionStrategy", "choices_of", "in_words", "summary_of"]

Choice = tuple[str, int, str]
"""(P, k, Q): where the default rule would run P's k-th step, run Q."""

DEFAULTS = ("host", "device")
BETWEEN = ", "
"""Between the calls of one step."""


def _default(last: str, enabled: Sequence[str], default: str, hosts: int) -> str:
    going = goes_on(last, enabled)
    if going:
        return going
    return enabled[hosts] if default == "device" and hosts < len(enabled) else enabled[0]


def _hosts(enabled: Sequence[str]) -> int:
    """How many of *enabled* are host threads; they stand first."""
    return sum(not is_stream(p) for p in enabled)


def choices_of(steps: Iterable[Step], default: str = "host") -> list[Choice]:
    """The choices that lead to *steps*."""
    counts: Counter[str] = Counter()
    last = ""
    found = []
    for step in steps:
        enabled = step.node.enabled
        expected = _default(last, enabled, default, _hosts(enabled))
        if expected != step.process:
            found.append((expected, counts[expected] + 1, step.process))
        last = step.process
        counts[last] += 1
    return found


class PreemptionStrategy(Strategy):
    """Follows choices. *expected*: what each step did when they were recorded (`summary`)."""

    def __init__(
        self, choices: Iterable[Choice], default: str = "host", expected: Sequence[Sequence[str]] = ()
    ) -> None:
        self.default = default
        self._left: dict[tuple[str, int], list[str]] = {}
        for process, number, instead in choices:
            self._left.setdefault((process, number), []).append(instead)
        self._counts: Counter[str] = Counter()
        self._last = ""
        self._expected = expected
        self._taken: list[tuple[str, Any, tuple[Item, ...]]] = []
        self.difference = ""
        """The first step that is not as it was recorded, in words."""
        self._used: list[tuple[Choice, int]] = []
        """The choices that came up, each with which step of its process that was."""
        self.cut = False
        self.steps: list[tuple[str, tuple[str, ...]]] = []
        """(who ran, who could)."""
        self.words: tuple[str, ...] = ()
        """The choices in words, when somebody wrote them (`explain.py`)."""

    def choose(self, enabled: tuple[str, ...]) -> str:
        """By the default rule, or by a choice."""
        chosen = _default(self._last, enabled, self.default, _hosts(enabled))
        left = self._left
        if left:
            key = chosen, self._counts[chosen] + 1
            instead = left.get(key)
            if instead and instead[0] in enabled:
                chosen = instead.pop(0)
                self._used.append(((*key, chosen), self._counts[chosen] + 1))
                if not instead:
                    del left[key]
        self._last = chosen
        self._counts[chosen] += 1
        self.steps.append((chosen, enabled))
        return chosen

    def taken(self, step: StepRecord) -> None:
        """Compare the step with the recorded one."""
        place = len(self._taken)
        items = tuple(step.items)
        self._taken.append((self._last, step.call, items))
        if self._expected and not self.difference and place < len(self._expected):
            before, entry = self._expected[place], summary(self._last, step.call, items)
            if list(before) != list(entry):
                what, was = _first_difference(entry, before)
                more = " touches other things or has other arguments" if what == was else f" was {was}"
                self.difference = f"step {place + 1}, {what},{more}"

    @property
    def summaries(self) -> list[tuple[str, str, str]]:
        """(process, call, digest of all that it touched) of each step."""
        return [summary(*entry) for entry in self._taken]

    def calls(self) -> list[tuple[str, str]]:
        """(process, the first call of the step) of each step."""
        firsts = [(process, call[0] if isinstance(call[0], tuple) else call) for process, call, _ in self._taken]
        return [(process, str(first[0])) for process, first in firsts]

    def taken_by(self, process: str) -> int:
        """How many steps *process* has been chosen for."""
        return self._counts[process]

    def used_for(self, choices: Iterable[Choice]) -> list[tuple[str, int] | None]:
        """For each of *choices* the step that it led to, as (process, which of its steps); None: it did not come up."""
        used = dict(self._used)
        return [(choice[2], used[choice]) if choice in used else None for choice in choices]

    def told_steps(self) -> list[tuple[str, int]]:
        """The steps that `in words` the choices are about, as (process, which of its steps)."""
        return [step for (process, number, instead), at in self._used for step in ((instead, at), (process, number))]

    def left_over(self) -> list[Choice]:
        """The choices that did not come up."""
        return [(p, k, q) for (p, k), all_of in self._left.items() for q in all_of]


def in_words(choice: Choice) -> str:
    """A choice by its numbers, for who has no run to look at."""
    process, number, instead = choice
    return f"{instead} before step {number} of {process}"


def summary(process: str, call: Any, items: tuple[Item, ...]) -> tuple[str, str, str]:
    """A step as a file keeps it."""
    return process, _calls(call), digest(call, items)


def summary_of(step: Step) -> tuple[str, str, str]:
    """A step of a search as a file keeps it; it keeps that, since many runs go through it."""
    if step.summary is None:
        step.summary = summary(step.process, step.call, step.items)
    return step.summary


def _calls(call: Any) -> str:
    """The name of a step's call, or those of all that were merged into it."""
    if not isinstance(call[0], tuple):
        return str(call[0])
    return BETWEEN.join(str(name) for name, _ in groupby(one[0] for one in call))


def _first_difference(now: Sequence[str], before: Sequence[str]) -> tuple[str, str]:
    """What a step does now, and did before, from where that is another call."""
    pairs = zip_longest(now[1].split(BETWEEN), before[1].split(BETWEEN), fillvalue="nothing more")
    here, there = next((pair for pair in pairs if pair[0] != pair[1]), (now[1].partition(BETWEEN)[0],) * 2)
    return f"{now[0]}: {here}", f"{before[0]}: {there}"


def digest(call: Any, items: tuple[Item, ...]) -> str:
    """Eight hex digits of the call, its arguments and what it touched."""
    touched = [(item.key, item.mode, item.lo, item.hi, *(item.parts or ())) for item in items if item.key != PROCESS]
    return sha256(repr((call, touched)).encode()).hexdigest()[:8]
