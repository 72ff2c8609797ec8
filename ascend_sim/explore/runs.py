"""One run of the program under a guide, in a simulator of its own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ascend_sim.errors import SimulatedHang
from ascend_sim.explore.guided import Guide, Guided
from ascend_sim.explore.outcome import Outcome, plain
from ascend_sim.explore.search import Blocked
from ascend_sim.explore.values import Cells
from ascend_sim.findings import Finding
from ascend_sim.machine.profiles import DEFAULT_SOC
from ascend_sim.simulator import Simulator

__all__ = ["Run", "Runner"]


@attrs.frozen
class Run:
    """What came of one run."""

    outcome: Outcome
    findings: tuple[Finding, ...]
    """Error findings of the program, without those that follow from others."""
    marks: str
    """What the run decided that another could decide otherwise, in words."""
    blocked: tuple[Blocked, ...]
    error: BaseException | None
    """The exception that ended the program."""


class Runner:
    """Runs *program*, again and again. *options* are those of Simulator."""

    def __init__(self, program: Callable[..., Any], options: Mapping[str, Any]) -> None:
        self.program = program
        self.options = {"soc": DEFAULT_SOC, "checks": "all", **options, "threads": "deterministic"}
        self.title = str(getattr(program, "__qualname__", type(program).__name__))
        self._takes_simulator = _parameters(program) > 0

    def run(self, guide: Guide, cells: Cells) -> Run:
        """One run: *guide* decides its steps."""
        guided = Guided(guide, cells)
        sim = Simulator(schedule=guided, **self.options)
        value: Any = None
        ended = "returned"
        error: BaseException | None = None
        try:
            sim.open()
            try:
                value = self.program(sim) if self._takes_simulator else self.program()
            except SimulatedHang as hang:
                ended, error = "deadlock", hang
            except SystemExit as out:
                ended = "returned" if not out.code else f"exit {out.code}"
            except Exception as raised:  # noqa: BLE001 - whatever the program raises is its result
                ended, error = f"{type(raised).__name__}: {raised}", raised
            guided.finish()
            blocked = tuple(guided.blocked())
            watching = guided.watching
            outcome = Outcome(
                ended, plain(value), tuple(watching.reads), tuple(watching.codes), tuple(watching.memory())
            )
        finally:
            sim.close()
        findings = [f for f in sim.findings if f.severity == "error" and f.cause is None and not f.suppressed]
        marks = sim.checks.order_marks() if sim.checks is not None else ""
        return Run(outcome, tuple(findings), marks, blocked, error)


def _parameters(program: Callable[..., Any]) -> int:
    try:
        parameters = inspect.signature(program).parameters.values()
    except (TypeError, ValueError):
        return 0
    return sum(p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
