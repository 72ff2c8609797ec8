"""Tests of the order in which a call looks at its arguments: two faults at once, and who answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.simulator import Simulator
from tests.conformance.faces import Face
from tests.conformance.registry import Row
from tests.conformance.world import World

__all__ = ["Orders"]

_NO_ROW = Row("", "", "", "")


class Orders:
    """The cases of one module by the sentence that each shows."""

    def __init__(self) -> None:
        self.cases: dict[str, tuple[Callable[[World], None], dict[str, Any]]] = {}

    def __call__(self, text: str, **options: Any) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
        """The decorated function shows what *text* says. *options*: those of Simulator."""

        def note(body: Callable[[World], None]) -> Callable[[World], None]:
            assert text not in self.cases
            self.cases[text] = (body, options)
            return body

        return note

    def run(self, text: str) -> None:
        """Run one case in a thread that has set device 0."""
        body, options = self.cases[text]
        with Simulator(**options) as sim:
            w = World(sim, Face(), _NO_ROW)
            w.ok("aclrtSetDevice", 0)
            body(w)
