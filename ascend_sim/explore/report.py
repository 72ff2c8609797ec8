"""What an exploration found: outcomes with how often they came, failures with their first schedule, how far it went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.outcome import Outcome

if TYPE_CHECKING:
    from ascend_sim.explore.runs import Run
    from ascend_sim.explore.search import Search
    from ascend_sim.explore.trace import Trace
    from ascend_sim.findings import Finding

__all__ = ["Failure", "Report"]

SHOWN = 10


@attrs.define
class Failure:
    """Something that goes wrong in some schedule: *kind* is that of a finding, ``deadlock``, or ``exception``."""

    kind: str
    title: str
    choices: tuple[str, ...]
    """Who ran, step by step, in the first schedule that showed it."""
    finding: Finding | None = None
    error: BaseException | None = None
    count: int = 1


@attrs.define
class Result:
    """One outcome with the first schedule that led to it and how many classes do. *marks*: its order marks."""

    outcome: Outcome
    choices: tuple[str, ...]
    marks: str
    count: int = 1


class Report:
    """The result of `explore`. True when something failed."""

    def __init__(self, bound: int | None, options: Mapping[str, Any]) -> None:
        self.bound = bound
        self.options = options
        self.classes = 0
        """Classes of schedules that were run to their end."""
        self.cut = 0
        """Runs that came to nothing new."""
        self.exhausted = False
        self.pending = 0
        self.bound_done = False
        self.failures: list[Failure] = []
        self.outcomes: list[Result] = []
        self.trouble = ""
        """How the program was found not to be deterministic."""
        self._known: dict[Any, Failure] = {}
        self._outcomes: dict[Outcome, Result] = {}

    @property
    def runs(self) -> int:
        """How often the program ran."""
        return self.classes + self.cut

    def __bool__(self) -> bool:
        return bool(self.failures)

    @property
    def estimate(self) -> int:
        """How many classes there are: exact when exhausted, else a guess that grows with what is pending."""
        return self.classes + self.pending

    def add(self, trace: Trace, run: Run) -> None:
        """One more run."""
        if trace.cut:
            self.cut += 1
            return
        self.classes += 1
        choices = tuple([step.process for step in trace.steps])
        known = self._outcomes.get(run.outcome)
        if known is None:
            self._outcomes[run.outcome] = result = Result(run.outcome, choices, run.marks)
            self.outcomes.append(result)
        else:
            known.count += 1
        for finding in run.findings:
            self._fail((finding.kind, finding.fingerprint), finding.kind, finding.title, choices, finding, None)
        error = run.error
        if error is not None and not (run.outcome.ended == "deadlock" and any(f.kind == "deadlock" for f in run.findings)):
            kind = "deadlock" if run.outcome.ended == "deadlock" else "exception"
            self._fail((kind, run.outcome.ended), kind, run.outcome.ended, choices, None, error)

    def _fail(
        self,
        key: Any,
        kind: str,
        title: str,
        choices: tuple[str, ...],
        finding: Finding | None,
        error: BaseException | None,
    ) -> None:
        known = self._known.get(key)
        if known is not None:
            known.count += 1
            return
        self._known[key] = failure = Failure(kind, title, choices, finding, error)
        self.failures.append(failure)

    def left(self, search: Search) -> None:
        """What *search* still has to do."""
        self.pending = len(search.pending)
        least = search.least_preemptions()
        self.bound_done = least is None or (self.bound is not None and least > self.bound)

    @property
    def differing(self) -> bool:
        """Whether results depend on the order."""
        return len(self.outcomes) > 1

    def text(self) -> str:
        """The report for a reader."""
        lines = []
        if self.trouble:
            lines.append(f"the program is not deterministic: {self.trouble}")
        if self.exhausted:
            lines.append(f"exhausted: {_many(self.classes, 'class', 'classes')} of schedules")
        else:
            lines.append(
                f"{self.classes} classes of schedules run, {self.pending} branches pending "
                f"(estimate: at least {self.estimate} classes)"
            )
        for failure in self.failures:
            lines.append(f"{failure.kind} in {failure.count} of {self.classes}: {failure.title}")
        if self.differing:
            lines += self._table()
        return "\n".join(lines)

    __str__ = text

    def _table(self) -> list[str]:
        """The outcomes, what the first two differ in, and the two orders."""
        lines = [f"{len(self.outcomes)} different results:"]
        lines += [f"  {result.count:>6} x {result.outcome.text()}" for result in self.outcomes[:SHOWN]]
        if len(self.outcomes) > SHOWN:
            lines.append(f"  and {len(self.outcomes) - SHOWN} more")
        one, two = self.outcomes[:2]
        for what, here, there in one.outcome.differences(two.outcome)[:SHOWN]:
            lines.append(f"  {what}: {here} or {there}")
        same = 0
        while same < min(len(one.choices), len(two.choices)) and one.choices[same] == two.choices[same]:
            same += 1
        lines.append(f"  the first after {same} equal steps: {_order(one.choices[same:])}")
        lines.append(f"  the second: {_order(two.choices[same:])}")
        return lines


def _order(choices: tuple[str, ...]) -> str:
    """``main 3, stream 1, main 2``: who ran how many steps."""
    parts: list[tuple[str, int]] = []
    for process in choices:
        if parts and parts[-1][0] == process:
            parts[-1] = process, parts[-1][1] + 1
        else:
            parts.append((process, 1))
    shown = ", ".join(f"{process} x {many}" if many > 1 else process for process, many in parts[:SHOWN])
    return shown + (", ..." if len(parts) > SHOWN else "")


def _many(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
