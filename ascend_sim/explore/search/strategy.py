"""Strategies: what a controlled run asks which process goes on, and tells what each step did."""

from __future__ import annotations

from typing import Any

from ascend_sim.explore.search.dependence import Item

__all__ = ["StepRecord", "Strategy"]


class StepRecord:
    """One step of a controlled run: who took it, why that was possible, what it did and what it touched."""

    __slots__ = ("call", "causes", "host", "items", "place", "process", "values", "woken")

    def __init__(
        self,
        place: int,
        process: str,
        causes: tuple[int, ...],
        call: Any,
        host: bool = True,
        woken: bool = False,
    ) -> None:
        self.place = place
        self.process = process
        self.causes = causes
        """The places of the steps that made it possible."""
        self.call = call
        """The call with those of its arguments that are equal in every run; at the end of the step, with merged calls."""
        self.host = host
        """A host thread takes it."""
        self.woken = woken
        """What it waited for has just happened; until the call asks for that."""
        self.items: tuple[Item, ...] = ()
        """What it touched, once it is over."""
        self.values: dict[Any, int] | None = None
        """The watched values just before it; None: none are watched."""


class Strategy:
    """Base class of strategies. *cut*: all that can go on need not be run; what comes now is not looked at."""

    cut = False

    def choose(self, enabled: tuple[str, ...]) -> str:
        """Which of the processes *enabled* takes the next step."""
        raise NotImplementedError

    def taken(self, step: StepRecord) -> None:
        """The step that was chosen last is over."""
