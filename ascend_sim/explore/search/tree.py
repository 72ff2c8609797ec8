"""The tree of schedules: nodes between steps, and the steps that lead on from them.

Only what is needed to branch again is kept: a node knows the step that led to it, and of what comes after only what
the first steps touch. So nothing here goes round in a circle, and subtrees without pending branches are gone by themselves.
"""

from __future__ import annotations

from typing import Any

from ascend_sim.explore.search.default_rule import leaves
from ascend_sim.explore.search.dependence import Item, dependent

__all__ = ["Node", "Step"]


class Step:
    """One step of a run: process *process* went on from *node*.

    *causes*: the places in the run of the steps that made it possible. *known*: all that follows from these, as a bit
    mask of places; *mask*: all that it follows for whatever reason. *check*: what it did, to compare with on the way
    there again.
    """

    __slots__ = ("causes", "cells", "check", "items", "known", "mask", "node", "process", "told")

    def __init__(self, node: Node, process: str) -> None:
        self.node = node
        self.process = process
        self.items: tuple[Item, ...] = ()
        self.causes: tuple[int, ...] = ()
        self.known = 0
        self.mask = 0
        self.check: Any = None
        self.cells: dict[Any, int] | None = None
        """The watched values just before it."""
        self.told: tuple[str, str, str] | None = None
        """How files tell it, once asked for."""


class Node:
    """A point of a run at which a process is picked."""

    __slots__ = ("asleep", "came", "children", "depth", "enabled", "preemptions")

    def __init__(self, came: Step | None, depth: int, preemptions: int) -> None:
        self.came = came
        self.depth = depth
        self.preemptions = preemptions
        """How often, up to here, a process was left although it could have gone on."""
        self.enabled: tuple[str, ...] = ()
        self.asleep: dict[str, tuple[Item, ...]] = {}
        """What need not be run here, since it was run before and nothing since then touches the same."""
        self.children: dict[str, tuple[Item, ...] | None] = {}
        """Who was run from here, and what that step touched, or will be (None), in the order in which they are run first."""

    def after(self, step: Step) -> Node:
        """The node behind *step*, which has just been taken from here."""
        items, process = step.items, step.process
        came = self.came
        stays = came is None or came.process == process
        node = Node(step, self.depth + 1, self.preemptions if stays else self.preemptions + self.switches(process))
        if self.asleep or len(self.children) > 1:
            asleep = node.asleep
            for p, known in self.asleep.items():
                if p != process and not dependent(known, items):
                    asleep[p] = known
            for p, older in self.children.items():
                if p == process:
                    break
                if older is not None and not dependent(older, items):
                    asleep[p] = older
        return node

    def switches(self, process: str) -> int:
        """1 when going on with *process* leaves one, or a launch, that could have gone on."""
        came = self.came
        return int(came is not None and leaves(came.process, self.enabled, process))

    def path(self) -> list[Step]:
        """The steps from the start to here."""
        steps = []
        came = self.came
        while came is not None:
            steps.append(came)
            came = came.node.came
        steps.reverse()
        return steps
