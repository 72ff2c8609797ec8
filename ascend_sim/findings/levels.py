"""Which findings fail a run: errors, and what ``--error-on`` adds."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

import attrs

from ascend_sim.findings.finding import SEVERITIES, Finding
from ascend_sim.findings.kinds import KINDS

__all__ = ["ERRORS", "Levels", "parse_levels"]


@attrs.frozen
class Levels:
    """The severities and the kinds that fail a run."""

    severities: frozenset[str] = frozenset({"error"})
    kinds: frozenset[str] = frozenset()

    def fails(self, finding: Finding) -> bool:
        """Whether *finding* fails the run. What another finding explains, and what is suppressed, never does."""
        return finding.cause is None and finding.suppressed is None and self.includes(finding)

    def includes(self, finding: Finding) -> bool:
        """Whether its severity or its kind is among these."""
        return finding.severity in self.severities or finding.kind in self.kinds


ERRORS = Levels()


def parse_levels(given: str | Iterable[str] | None) -> Levels:
    """The levels that words such as ``"warning,leak"`` add to errors. Raises ValueError for a word that is neither.

    A severity brings the graver ones along.

    >>> sorted(parse_levels("warning").severities), sorted(parse_levels(["leak"]).kinds)
    (['error', 'warning'], ['leak'])
    """
    texts = [given] if isinstance(given, str) else given or ()
    words = [word.strip() for text in texts for word in text.split(",") if word.strip()]
    graver = max([SEVERITIES.index(word) for word in words if word in SEVERITIES], default=0)
    kinds = [word for word in words if word not in SEVERITIES]
    for kind in kinds:
        if kind not in KINDS:
            near = get_close_matches(kind, [*SEVERITIES, *KINDS], 1)
            hint = f"did you mean {near[0]}?" if near else "`ascend-sim explain` lists the kinds"
            raise ValueError(f"{kind!r} is neither error, warning, note nor a kind of finding; {hint}")
    return Levels(frozenset(SEVERITIES[: graver + 1]), frozenset(kinds))
