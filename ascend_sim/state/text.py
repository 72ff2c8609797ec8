"""The state as text. ASCII only, apart from names of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.state.arenas import ArenaState
from ascend_sim.timeline.costs import amount, duration

if TYPE_CHECKING:
    from ascend_sim.state.graphs import GraphState
    from ascend_sim.state.picture import State
    from ascend_sim.state.pools import PoolState
    from ascend_sim.state.relations import StreamState

__all__ = ["text"]

BAR = 64
SHOWN_SIGNALS = 16
SHOWN_OWNERS = 8
SHOWN_GRAPHS = 4
SHOWN_NODES = 12
SHOWN_FORKS = 100
SHOWN_STREAMS = 32
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def text(state: State) -> str:
    """All of it: threads, contexts with streams, events, waits, memory."""
    relations = state.relations
    lines = [f"{state.profile} at {duration(relations.time)} of virtual time"]
    for t in relations.threads:
        where = f" in {t.call or 'a wait'} ({t.at})" if t.waits and t.at else ""
        status = f"waits for {t.waits}{where}" if t.waits else "runs"
        lines.append(f"  {t.name}: {status}; its clock is at {duration(t.clock)}")
    for context in relations.contexts:
        used = f", current in {', '.join(context.threads)}" if context.threads else ""
        failed = f", stopped by failure {context.failure}" if context.failure else ""
        lines.append(f"{context.name}{used}{failed}")
        lines += _streams(context.streams)
    lines += _signals(state)
    waits = [wait for wait in relations.waits if wait.kind == "waits"]
    if waits:
        lines.append("who waits for whom")
    for wait in waits:
        makers = [other.holder for other in relations.waits if other.kind == "records" and other.waiter == wait.holder]
        ends = " or ".join(dict.fromkeys(map(relations.name_of, makers)))
        line = f"  {relations.name_of(wait.waiter)} -> {relations.name_of(wait.holder)}"
        if ends:
            line += f" -> {ends}"
        elif wait.holder.startswith(("event ", "notify ")):
            line += " -> nobody yet"
        lines.append(line)
    for graph in state.graphs[:SHOWN_GRAPHS]:
        lines += _graph(graph)
    left = len(state.graphs) - SHOWN_GRAPHS
    if left > 0:
        lines.append(f"and {left} more graphs")
    for arena in state.arenas:
        lines += _arena(arena)
    for pool in state.pools:
        lines += _pool(pool)
    return "\n".join(lines)


def _streams(streams: tuple[StreamState, ...]) -> list[str]:
    width = max((len(stream.title) for stream in streams), default=0)
    # Who does nothing is left out first.
    shown = sorted(streams, key=lambda stream: stream.state == "idle")[:SHOWN_STREAMS]
    lines = []
    for stream in streams:
        if stream not in shown:
            continue
        lines.append(f"  {stream.title:<{width}}  {stream.status}")
        behind = stream.queue[1:]
        if behind:
            more = f", and {stream.more} more" if stream.more else ""
            lines.append(f"  {'':<{width}}  behind it: {', '.join(behind)}{more}")
    left = len(streams) - len(shown)
    return [*lines, f"  and {left} idle streams"] if left > 0 else lines


def _signals(state: State) -> list[str]:
    signals = sorted(state.relations.signals, key=lambda signal: not signal.busy)[:SHOWN_SIGNALS]
    if not signals:
        return []
    width = max(len(signal.name) for signal in signals)
    lines = ["events and notifies"]
    lines += [f"  {signal.name:<{width}}  {signal.status}" for signal in signals]
    left = len(state.relations.signals) - len(signals)
    return [*lines, f"  and {left} more that nothing is queued for"] if left else lines


def _graph(graph: GraphState) -> list[str]:
    """The lines of a graph, one below the other, then where they fork and join."""
    width = max((len(line.name) for line in graph.lines), default=0)
    lines = [f"{graph.name}: {graph.status}"]
    for line in graph.lines:
        shown = line.nodes[:SHOWN_NODES]
        words = [graph.nodes[place].title for place in shown]
        left = len(line.nodes) - len(shown)
        more = [f"and {left} more"] if left else []
        lines.append(f"  {line.name:<{width}}  {' | '.join([*words, *more])}")
    for place, node in enumerate(graph.nodes):
        if node.waited and place < SHOWN_FORKS:
            then = [graph.lines[other.line].name for other in graph.nodes if other.follows == place]
            name = node.title.removeprefix("record ")
            lines.append(f"  {graph.lines[node.line].name} -> {', '.join(then)} by {name}")
    return lines


def _arena(arena: ArenaState) -> list[str]:
    rounding = arena.used - arena.asked - arena.pooled
    lines = [
        f"{arena.title}: {amount(arena.used)} of {amount(arena.capacity)} in use"
        + (f" ({amount(rounding)} of it rounding)" if rounding > 0 else "")
        + (f", {amount(arena.pooled)} of it kept by pools" if arena.pooled else "")
        + (f", most {amount(arena.most)}" if arena.device >= 0 else "")
    ]
    if arena.blocks:
        lines.append(f"  |{_bar(arena)}|")
    for number, owner in enumerate(arena.owners[:SHOWN_OWNERS]):
        blocks = f"{owner.blocks} block{'s' if owner.blocks != 1 else ''}"
        name = f" `{owner.name}`" if owner.name else ""
        lines.append(f"  {_LETTERS[number]} {amount(owner.nbytes)} in {blocks}{name}, allocated at {owner.at}")
    left = arena.owners[SHOWN_OWNERS:]
    if left:
        lines.append(f"  + {amount(sum(owner.nbytes for owner in left))} of {len(left)} more places")
    if arena.quarantine:
        freed = sum(block.state == "quarantine" for block in arena.blocks)
        lines.append(f"  x {amount(arena.quarantine)} freed in {freed} block{'s' if freed != 1 else ''}, still remembered "
                     f"to find late uses; fragmentation {arena.fragmentation:.0%}")  # fmt: skip
    return lines


def _pool(pool: PoolState) -> list[str]:
    reuse = f"; used again by other streams: {', '.join(pool.reuse)}" if pool.reuse else ""
    keeps = f", keeps {amount(pool.threshold)}" if pool.threshold else ""
    lines = [
        f"{pool.name} on device {pool.device}, made at {pool.at}: {amount(pool.used)} of {amount(pool.size)} in use, "
        f"{amount(pool.reserved)} reserved{keeps}{reuse}"
    ]
    for part in pool.cached:
        when = "" if part.ran else ", which has not come to that yet"
        lines.append(f"  {amount(part.nbytes)} given back on {part.stream}{when}")
    return lines


def _bar(arena: ArenaState) -> str:
    """The addresses handed out so far: a letter for whose they are, ``x`` freed, a blank for nobody's."""
    whole = max(block.offset + block.length for block in arena.blocks)
    columns = [" "] * BAR
    for block in arena.blocks:
        first = block.offset * BAR // whole
        last = max(first + 1, (block.offset + block.length) * BAR // whole)
        sign = " " if block.state == "gap" else "x" if block.state == "quarantine" else "+"
        if block.state == "live" and block.owner < SHOWN_OWNERS:
            sign = _LETTERS[block.owner]
        for column in range(first, min(last, BAR)):
            if sign != " " or columns[column] == " ":
                columns[column] = sign
    return "".join(columns)
