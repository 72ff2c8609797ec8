"""PCT: random schedules that find deep bugs with a known chance (Burckhardt, Kothari, Musuvathi, Nagarakatte, 2010).

Each process gets a random priority when it first appears; the highest that is enabled goes on, and at a few random
steps it falls below all others. A bug that needs d changes is met with a chance of at least 1 / (n * k^(d-1)) a run.
"""

from __future__ import annotations

import random

from ascend_sim.explore.search.dpor import Search
from ascend_sim.explore.search.run_path import Trace
from ascend_sim.explore.search.tree import Node, Step

__all__ = ["PCT"]

CHANGES = 3
LENGTH = 50
"""Steps of a run of which the length is not known yet."""


class PCT(Trace):
    """The strategy of one random run. *length*: how many steps a run has."""

    def __init__(self, search: Search, seed: int, length: int) -> None:
        super().__init__(search, None)
        self._random = random.Random(seed)
        self._falls = {self._random.randrange(1, max(length, LENGTH)) for _ in range(CHANGES)}
        self._priorities: dict[str, float] = {}

    def choose(self, enabled: tuple[str, ...]) -> str:
        """The one of *enabled* with the highest priority."""
        priorities = self._priorities
        for process in enabled:
            if process not in priorities:
                priorities[process] = self._random.random()
        chosen = max(enabled, key=priorities.__getitem__)
        if len(self.steps) in self._falls:
            priorities[chosen] = -1.0 - len(self.steps)
            chosen = max(enabled, key=priorities.__getitem__)
        node = Node(None, len(self.steps), 0)
        node.enabled = enabled
        self.steps.append(Step(node, chosen))
        return chosen
