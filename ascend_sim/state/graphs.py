"""Graphs as they are at one moment: lines, nodes, and where they fork and join."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from ascend_sim.timeline.labels import place_of

if TYPE_CHECKING:
    from ascend_sim.findings.wording import Names
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.graphs.graph import Node
    from ascend_sim.runtime.graphs.instance import RunningInstance

__all__ = ["GraphState", "LineState", "NodeState", "graphs"]

SHOWN_NODES = 400
"""Of the nodes of a graph so many are taken down."""


@attrs.frozen
class NodeState:
    """One node: its column is behind everything that it follows."""

    title: str
    line: int
    column: int
    at: str
    follows: int = -1
    """The node whose record it waits for, by its place in `GraphState.nodes`; -1: none."""
    waited: bool = False
    """A record that nodes of other lines wait for."""


@attrs.frozen
class LineState:
    """What one stream recorded."""

    name: str
    nodes: tuple[int, ...]


@attrs.frozen
class GraphState:
    """A model running instance."""

    name: str
    status: str
    lines: tuple[LineState, ...]
    nodes: tuple[NodeState, ...]
    more: int
    """Nodes that are not taken down."""


def graphs(sim: Runtime, names: Names) -> tuple[GraphState, ...]:
    """All graphs of *sim*, in the order of their making."""
    found = [instance for context in sim.contexts.values() for instance in context.instances]
    return tuple(_graph(instance, names) for instance in sorted(found, key=lambda instance: instance.number))


def _graph(instance: RunningInstance, names: Names) -> GraphState:
    graph = instance.graph
    shown = graph.nodes[:SHOWN_NODES]
    columns: list[int] = []
    ends = [0] * len(graph.lines)
    nodes = []
    rows: list[list[int]] = [[] for _ in graph.lines]
    for node in shown:
        line, follows = node.line.number, -1 if node.follows is None else node.follows.index
        column = max(ends[line], columns[follows] + 1 if follows >= 0 else 0)
        columns.append(column)
        ends[line] = column + 1
        rows[line].append(node.index)
        nodes.append(NodeState(_title(node, names), line, column, place_of(node.site), follows, node.waited))
    lines = tuple(LineState(names.stream(line.stream), tuple(rows[line.number])) for line in graph.lines)
    return GraphState(instance.describe(), _status(instance), lines, tuple(nodes), len(graph.nodes) - len(shown))


def _status(instance: RunningInstance) -> str:
    count = len(instance.graph.nodes)
    text = f"{instance.state}, {count} task{'s' if count != 1 else ''}"
    runs = len(instance.replays)
    return f"{text}, executed {runs} time{'s' if runs != 1 else ''} and not over" if runs else text


def _title(node: Node, names: Names) -> str:
    if node.event is not None:
        outside = " (external)" if node.renew is not None else ""
        return f"{'record' if node.op.kind == 'record' else 'wait for'} {names.event(node.event)}{outside}"
    kind = node.op.kind
    return {"set": "memset"}.get(kind, kind.removeprefix("operator ").removeprefix("kernel "))
