"""State coverage of random programs: how often each interesting state came up. A machine that never gets there tests
nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ascend_sim.findings.languages import chosen, in_cells

__all__ = ["StateCoverage"]


class StateCoverage:
    """The counts of one machine: its programs, their lines, and its states by name."""

    def __init__(self, states: Iterable[str] = ()) -> None:
        self.counts: Counter[str] = Counter(dict.fromkeys(states, 0))
        self.programs = 0
        self.lines = 0

    def __call__(self, state: str) -> None:
        """It was reached once more."""
        self.counts[state] += 1

    def add(self, more: Mapping[str, Any]) -> None:
        """Add what another process has counted (`to_json`)."""
        self.programs += more["programs"]
        self.lines += more["lines"]
        self.counts.update(more["counts"])

    def to_json(self) -> dict[str, Any]:
        """The counts as plain values (a process of xdist sends them)."""
        return {"programs": self.programs, "lines": self.lines, "counts": dict(self.counts)}

    def table(self, name: str) -> str:
        """The counts in words, a line each."""
        lines = [f"{name} ran {self.programs} programs of {self.lines // max(1, self.programs)} lines and reached"]
        lines += [f"{count:8}  {state}" for state, count in self.counts.items() if count]
        lines += [f"   never  {state}" for state, count in self.counts.items() if not count]
        return in_cells("\n".join(lines), chosen())
