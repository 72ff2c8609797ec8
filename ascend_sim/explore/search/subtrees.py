"""Parts of the tree of schedules that are searched on their own, by another process.

A subtree is a branch with all that comes after it. Who searches it gets the steps that lead there, and does all that the
search does, with one exception: it must not backtrack above its own root, where others are at work as well. It asks for
such branches instead. So what travels is small, and nothing is analysed twice.
"""

from __future__ import annotations

from typing import Any

import attrs

from ascend_sim.explore.search.dependence import Item
from ascend_sim.explore.search.dpor import Branch, Search
from ascend_sim.explore.search.tree import Node, Step

__all__ = ["Job", "Left", "Subtree", "job_of", "take_in"]

Backtrack = dict[str, "tuple[Item, ...] | None"]
Row = tuple[int, str, tuple[int, ...], tuple[Item, ...], int, int, Any, Any, tuple[str, ...], dict[str, Any], Backtrack]
"""A step and the node behind it: the row of the node before it (-1: the root), process, causes, items, enablers, before,
call, watched values; which processes are enabled then, the sleep set, the backtrack set."""


@attrs.frozen
class Job:
    """A branch on its way: the root of the tree, the steps from there to the branch, and who goes on."""

    root: tuple[tuple[str, ...], Backtrack]
    path: list[Row]
    process: str


@attrs.frozen
class Left:
    """What is left of a subtree. None for *first*: it was not begun."""

    first: tuple[Item, ...] | None = None
    """What its first step touches."""
    asked: tuple[tuple[int, str], ...] = ()
    """Branches above it that it asks for: (depth of the node, process)."""
    rows: list[Row] = attrs.field(factory=list)
    pending: tuple[tuple[int, str], ...] = ()
    """The branches still to be run: (row of the node, process)."""


def _rows(nodes: list[Node], root: Node) -> tuple[list[Row], list[int]]:
    """The ways from *root* to *nodes*, as rows, and the row of each node."""
    rows: list[Row] = []
    places: dict[int, int] = {id(root): -1}
    for end in nodes:
        way = []
        node = end
        while id(node) not in places:
            way.append(node)
            assert node.came is not None
            node = node.came.node
        for node in reversed(way):
            step = node.came
            assert step is not None
            places[id(node)] = len(rows)
            rows.append((
                places[id(step.node)], step.process, step.causes, step.items, step.enablers, step.before, step.call,
                step.values, node.enabled, node.sleep, dict(node.backtrack),
            ))  # fmt: skip
    return rows, [places[id(node)] for node in nodes]


def _nodes(rows: list[Row], root: Node) -> list[Node]:
    """The nodes of *rows*, below *root*."""
    nodes: list[Node] = []
    for row, process, causes, items, enablers, before, call, values, enabled, sleep, backtrack in rows:
        parent = nodes[row] if row >= 0 else root
        step = Step(parent, process)
        step.causes, step.items, step.enablers, step.before = causes, items, enablers, before
        step.call, step.values = call, values
        node = Node(step, parent.depth + 1, parent.preemptions + parent.switches(process))
        node.enabled, node.sleep, node.backtrack = enabled, sleep, backtrack
        nodes.append(node)
    return nodes


def job_of(search: Search, branch: Branch) -> Job:
    """*branch* of *search*, for another process."""
    rows, _ = _rows([branch.node], search.root)
    return Job((search.root.enabled, dict(search.root.backtrack)), rows, branch.process)


def take_in(search: Search, branch: Branch, left: Left) -> None:
    """Go on with what is *left* of the subtree of *branch*."""
    node = branch.node
    if left.first is None:
        search.again(branch)
        return
    node.backtrack[branch.process] = left.first
    path = node.path()
    for depth, process in left.asked:
        above = path[depth].node if depth < len(path) else node
        if process not in above.backtrack and process not in above.sleep:
            search.add_backtrack(above, process)
    nodes = _nodes(left.rows, node)
    for place, process in left.pending:
        search.add_backtrack(nodes[place], process)


class Subtree(Search):
    """The search below one branch."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.root.enabled, self.root.backtrack = job.root
        nodes = _nodes(job.path, self.root)
        self._top = nodes[-1] if nodes else self.root
        self.first = Branch(0, 0, 0, self._top, job.process)
        self._top.backtrack[job.process] = None
        self._asked: list[tuple[int, str]] = []

    def add_backtrack(self, node: Node, process: str) -> None:
        """Branches above the subtree are for others."""
        if node.depth > self._top.depth:
            super().add_backtrack(node, process)
        else:
            node.backtrack[process] = None
            self._asked.append((node.depth, process))

    def left(self, branch: Branch | None) -> Left:
        """What is still to be done. *branch*: the one that would be next, if it was taken out already."""
        if branch is not None:
            self.again(branch)
        first = self._top.backtrack[self.first.process] or ()  # nothing: its run was left under way
        pending = sorted(self.pending)
        rows, places = _rows([b.node for b in pending], self._top)
        return Left(first, tuple(self._asked), rows, tuple(zip(places, [b.process for b in pending], strict=True)))
