"""The tree of schedules: nodes are states, named by the steps that led to them; edges are steps.

Only what is needed to backtrack is kept: a node knows the step that led to it, and of what comes after only what the
first steps touch. So no references go round in a circle, and a subtree without pending branches is freed by itself.
"""

from __future__ import annotations

from typing import Any

from ascend_sim.explore.search.default_rule import leaves
from ascend_sim.explore.search.dependence import Item, dependent

__all__ = ["Node", "Step"]


class Step:
    """One step of an execution: *process* went on from *node*. Sets of steps are bit masks of their places in it.

    *causes*: the places of the steps that made it possible. *enablers*: all steps that precede it whenever it is taken,
    by program order and by causes. *before*: all steps that happen before it: its enablers, and those that it depends on.
    *call*: what it did, to compare with when the execution is repeated.
    """

    __slots__ = ("before", "call", "causes", "enablers", "items", "node", "process", "summary", "values")

    def __init__(self, node: Node, process: str) -> None:
        self.node = node
        self.process = process
        self.items: tuple[Item, ...] = ()
        self.causes: tuple[int, ...] = ()
        self.enablers = 0
        self.before = 0
        self.call: Any = None
        self.values: dict[Any, int] | None = None
        """The watched values just before it."""
        self.summary: tuple[str, str, str] | None = None
        """The step as files keep it, once it was asked for."""


class Node:
    """A state of the program: the point of an execution at which the strategy chooses."""

    __slots__ = ("backtrack", "came", "depth", "enabled", "preemptions", "sleep")

    def __init__(self, came: Step | None, depth: int, preemptions: int) -> None:
        self.came = came
        self.depth = depth
        self.preemptions = preemptions
        """How often, up to here, a process was left although it could have gone on."""
        self.enabled: tuple[str, ...] = ()
        self.sleep: dict[str, tuple[Item, ...]] = {}
        """The sleep set: processes whose next step was explored before, and that no step since then depends on."""
        self.backtrack: dict[str, tuple[Item, ...] | None] = {}
        """The backtrack set, in the order of exploration, and what the step touched; None: it is still to be run."""

    def after(self, step: Step) -> Node:
        """The node behind *step*, which has just been taken from here.

        Its sleep set: who slept here, and who was explored from here before, unless *step* is dependent on them.
        """
        items, process = step.items, step.process
        came = self.came
        stays = came is None or came.process == process
        node = Node(step, self.depth + 1, self.preemptions if stays else self.preemptions + self.switches(process))
        if self.sleep or len(self.backtrack) > 1:
            sleep = node.sleep
            for p, known in self.sleep.items():
                if p != process and not dependent(known, items):
                    sleep[p] = known
            for p, older in self.backtrack.items():
                if p == process:
                    break
                if older is not None and not dependent(older, items):
                    sleep[p] = older
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
