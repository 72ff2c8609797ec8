"""The state as a drawing: threads, streams and events in three columns with arrows, and the memory below them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.state.arenas import ArenaState
from ascend_sim.state.svg import Sheet
from ascend_sim.timeline.costs import amount, duration

if TYPE_CHECKING:
    from ascend_sim.state.graphs import GraphState
    from ascend_sim.state.picture import State
    from ascend_sim.state.relations import StreamState

__all__ = ["draw"]

MARGIN = 16
LINE = 17
SHOWN_STREAMS = 24
SHOWN_SIGNALS = 14
SHOWN_OWNERS = 6
SHOWN_GRAPHS = 4
SHOWN_COLUMNS = 12
NAME_ROOM = 110
ROW = 40
GAP = 14
COLOURS = ("#56b4e9", "#f0a92b", "#2fb58d", "#dd94bb", "#b9a3e3", "#f0e442", "#c3cdd8")
"""Of the places that allocated; the last one for all that are left."""
_ARROWS = {
    "waits": ("wait", "tip", "waits for"), "queued": ("later", "tip", "will wait for"),
    "records": ("set", "settip", "is set by a record that is queued on"),
}  # fmt: skip


def draw(state: State, width: int, language: str) -> str:
    """The whole drawing as SVG, its words in *language*."""
    sheet = Sheet(width, language)
    relations = state.relations
    title = f"{state.profile} at {duration(relations.time)} of virtual time"
    sheet.text(MARGIN, 26, title, size=15, bold=True)
    sheet.text(MARGIN, 44, _legend(state), "faint", 11)
    bottom = _relations(sheet, state, 62)
    for graph in state.graphs[:SHOWN_GRAPHS]:
        bottom = _graph(sheet, graph, bottom + 14)
    for arena in state.arenas:
        bottom = _arena(sheet, arena, bottom + 14)
    return sheet.finish(f"State of {title}")


def _legend(state: State) -> str:
    if state.relations.waits:
        return (
            "an arrow points to what is waited for (thin: later, behind other tasks), a broken one to where a record is "
            "queued; point at something to read more"
        )
    return "nobody waits for anybody"


def _relations(sheet: Sheet, state: State, top: float) -> float:
    """The three columns; returns where they end."""
    relations = state.relations
    gap = 64.0
    unit = (sheet.width - 2 * MARGIN - 2 * gap) / 10
    columns = (MARGIN, MARGIN + 2.4 * unit + gap, MARGIN + 7.2 * unit + 2 * gap)
    widths = (2.4 * unit, 4.8 * unit, 2.8 * unit)
    places: dict[str, tuple[float, float, float]] = {}  # left, right, middle
    ends = [top, top, top]
    sheet.text(columns[0], top + 12, "threads", "faint", 11, True)
    y = top + 20
    for t in relations.threads:
        height = 26.0 + LINE * (2 if t.waits else 1)
        sheet.rect(columns[0], y, widths[0], height, "waits" if t.waits else "box", 5)
        sheet.text(columns[0] + 9, y + 18, t.name, bold=True, room=widths[0] - 16)
        lines = [f"in {t.call or 'a wait'}", t.at] if t.waits else [f"runs, at {duration(t.clock)}"]
        for n, line in enumerate(lines):
            sheet.text(columns[0] + 9, y + 36 + n * LINE, line, "faint", 11, room=widths[0] - 16)
        places[t.key] = (columns[0], columns[0] + widths[0], y + height / 2)
        y += height + 10
    ends[0] = y
    y = top
    for context in relations.contexts:
        streams = sorted(context.streams, key=lambda stream: stream.state == "idle")[:SHOWN_STREAMS]
        failed = f", failed: {context.failure}" if context.failure else ""
        sheet.text(columns[1], y + 12, f"{context.name}{failed}", "faint", 11, True, widths[1])
        y += 20
        for stream in context.streams:
            if stream in streams:
                y = _stream(sheet, stream, columns[1], y, widths[1], places)
        if len(streams) < len(context.streams):
            sheet.text(columns[1] + 9, y + 12, f"and {len(context.streams) - len(streams)} idle streams", "faint", 11)
            y += 20
        y += 8
    ends[1] = y
    signals = sorted(relations.signals, key=lambda signal: not signal.busy)[:SHOWN_SIGNALS]
    y = top
    if signals:
        sheet.text(columns[2], top + 12, "events and notifies", "faint", 11, True)
        y += 20
    for signal in signals:
        lines = signal.status.split("; ")
        height = 27.0 + LINE * len(lines)
        sheet.rect(columns[2], y, widths[2], height, "waits" if signal.busy else "box", 5)
        sheet.text(columns[2] + 9, y + 18, signal.name, bold=True, room=widths[2] - 16)
        for n, line in enumerate(lines):
            sheet.text(columns[2] + 9, y + 35 + n * LINE, line, "faint", 11, room=widths[2] - 16)
        places[signal.key] = (columns[2], columns[2] + widths[2], y + height / 2)
        y += height + 10
    left = len(relations.signals) - len(signals)
    if left:
        sheet.text(columns[2] + 9, y + 12, f"and {left} more", "faint", 11)
        y += 20
    ends[2] = y
    _arrows(sheet, state, places)
    return max(ends)


def _stream(
    sheet: Sheet, stream: StreamState, x: float, y: float, width: float, places: dict[str, tuple[float, float, float]]
) -> float:
    """A box with what the stream does and what is queued; returns where the next one may begin."""
    behind = stream.queue[1:]
    height = 44.0 + (LINE if behind else 0)
    sheet.rect(x, y, width, height, stream.state, 5, title=f"made at {stream.at}" if stream.at else "")
    sheet.text(x + 9, y + 18, stream.title, bold=True, room=width - 90)
    tasks = len(stream.queue) + stream.more
    if tasks:
        sheet.text(x + width - 62, y + 18, f"{tasks} task{'s' if tasks != 1 else ''}", "faint", 11)
    sheet.text(x + 9, y + 35, stream.status, size=11, room=width - 16)
    if behind:
        more = f", and {stream.more} more" if stream.more else ""
        line = f"then {', '.join(behind)}{more}"
        sheet.text(x + 9, y + 35 + LINE, line, "faint", 11, room=width - 16)
    places[stream.key] = (x, x + width, y + height / 2)
    return y + height + 10


def _arrows(sheet: Sheet, state: State, places: dict[str, tuple[float, float, float]]) -> None:
    relations = state.relations
    for number, wait in enumerate(relations.waits):
        if wait.waiter not in places or wait.holder not in places:
            continue
        here, there = places[wait.waiter], places[wait.holder]
        shift = (number % 3 - 1) * 5  # so that two between the same boxes can be told apart
        look, tip, verb = _ARROWS[wait.kind]
        title = f"{relations.name_of(wait.waiter)} {verb} {relations.name_of(wait.holder)}"
        if here[0] == there[0]:
            sheet.arrow(here[1], here[2], there[1], there[2] + shift, look, tip, 34, title)
        elif here[0] < there[0]:
            sheet.arrow(here[1], here[2] + shift, there[0], there[2] + shift, look, tip, title=title)
        else:
            sheet.arrow(here[0], here[2] + shift, there[1], there[2] + shift, look, tip, title=title)


def _graph(sheet: Sheet, graph: GraphState, top: float) -> float:
    """A row for each line, its tasks from left to right, arrows where lines fork and join; returns where it ends."""
    width = sheet.width - 2 * MARGIN
    sheet.line(MARGIN, top, MARGIN + width, top)
    y = top + 22
    sheet.text(MARGIN, y, graph.name, bold=True)
    sheet.text(MARGIN + 190, y, graph.status, "faint", 11, room=width - 190)
    columns = max((node.column for node in graph.nodes), default=0) + 1
    shown = min(columns, SHOWN_COLUMNS)
    left, unit = MARGIN + NAME_ROOM, (width - NAME_ROOM) / max(shown, 6)
    y += 10
    for number, line in enumerate(graph.lines):
        sheet.text(MARGIN, y + number * ROW + 19, line.name, size=11, room=NAME_ROOM - 8)
    places = {}
    for place, node in enumerate(graph.nodes):
        if node.column >= shown:
            continue
        x, at = left + node.column * unit, y + node.line * ROW
        look = "waits" if node.follows >= 0 else "ready" if node.waited else "box"
        sheet.rect(x, at, unit - GAP, ROW - 12, look, 4, title=f"{node.title}, at {node.at or 'an unknown place'}")
        sheet.text(x + 5, at + 17, node.title, size=11, room=unit - GAP - 8)
        places[place] = (x, x + unit - GAP, at + (ROW - 12) / 2)
    for place, node in enumerate(graph.nodes):
        if place in places and node.follows in places:
            here, there = places[node.follows], places[place]
            title = f"{graph.nodes[node.follows].title} comes first"
            sheet.arrow(here[1], here[2], there[0], there[2], "set", "settip", title=title)
    bottom = y + len(graph.lines) * ROW
    if columns > shown or graph.more:
        sheet.text(MARGIN, bottom + 10, f"and {columns - shown} more columns of tasks", "faint", 11)
        bottom += 20
    return bottom


def _arena(sheet: Sheet, arena: ArenaState, top: float) -> float:
    """One strip of addresses, and whose they are; returns where it ends."""
    width = sheet.width - 2 * MARGIN
    sheet.line(MARGIN, top, MARGIN + width, top)
    y = top + 22
    most = f", most {amount(arena.most)}" if arena.device >= 0 else ""
    sheet.text(MARGIN, y, arena.title, bold=True)
    rounding = arena.used - arena.asked
    detail = f"{amount(arena.used)} of {amount(arena.capacity)} in use{most}"
    if rounding > 0:
        detail += f", {amount(rounding)} of it rounding"
    if arena.quarantine:
        detail += f", {amount(arena.quarantine)} freed and remembered, fragmentation {arena.fragmentation:.0%}"
    sheet.text(MARGIN + 190, y, detail, "faint", 11, room=width - 190)
    y += 10
    sheet.rect(MARGIN, y, width, 26, "track", 3)
    whole = max([block.offset + block.length for block in arena.blocks], default=1)
    for block in arena.blocks:
        if block.state == "gap":
            continue
        w = max(block.length / whole * width - 0.5, 1.0)
        x = MARGIN + min(block.offset / whole * width, width - w)
        name = block.name or "a block"
        text = f"{name}: {amount(block.size)}, allocated at {block.at or 'an unknown place'}"
        if block.state == "quarantine":
            sheet.rect(x, y + 1, w, 24, "freed", title=f"{text}, freed at {block.freed_at or 'an unknown place'}")
        else:
            sheet.rect(x, y + 1, w, 24, "live", fill=COLOURS[min(block.owner, len(COLOURS) - 1)], title=text)
    y += 26
    for number, owner in enumerate(arena.owners[:SHOWN_OWNERS]):
        y += LINE
        sheet.rect(MARGIN, y - 9, 11, 11, "live", 2, COLOURS[min(number, len(COLOURS) - 1)])
        name = f" `{owner.name}`" if owner.name else ""
        blocks = f"{owner.blocks} block{'s' if owner.blocks != 1 else ''}"
        line = f"{amount(owner.nbytes)} in {blocks}{name}, allocated at {owner.at}"
        sheet.text(MARGIN + 18, y, line, size=11)
        sheet.code(MARGIN + 400, y, owner.source, "faint", 11, room=width - 400)
    left = arena.owners[SHOWN_OWNERS:]
    if left:
        y += LINE
        sheet.rect(MARGIN, y - 9, 11, 11, "live", 2, COLOURS[-1])
        sheet.text(MARGIN + 18, y, f"{amount(sum(owner.nbytes for owner in left))} of {len(left)} more places", size=11)
    return y + 4
