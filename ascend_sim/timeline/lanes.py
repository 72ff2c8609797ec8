"""The timeline as lanes of characters, for terminals and logs. In English ASCII only, so that it survives every log."""

from __future__ import annotations

from ascend_sim.findings.languages import WIDE, width_of
from ascend_sim.timeline.costs import amount, duration
from ascend_sim.timeline.labels import place_of
from ascend_sim.timeline.styles import STYLES
from ascend_sim.timeline.trace import Counter, Slice, Trace, Track, counted

__all__ = ["busiest", "lanes"]

LEAST_WIDTH = 40
MOST_MARKS = 20
MOST_LANES = 40
"""Of a device, or of the host."""


def lanes(trace: Trace, width: int = 100) -> str:
    """Lanes *width* columns wide: one line for each thread, stream, engine, the cores and the memory of each device."""
    names = [track.name for track in trace.tracks] + [counter.name for counter in trace.counters]
    margin = min(max([width_of(name) for name in names], default=0), 28) + 3
    columns = max(width - margin - 1, LEAST_WIDTH)
    window = trace.busiest()
    each = duration(max((window[1] - window[0]) // columns, 1))
    part = "" if window == (trace.start, trace.end) else f"; shown is the busiest {duration(window[1] - window[0])}"
    title = trace.said(
        f"{trace.profile}, seed {trace.seed}, {trace.schedule}: {counted(trace.tasks, trace.calls)}, "
        f"{duration(trace.last)}; one column is {each} of virtual time{part}"
    )
    note = [f"{trace.left_out} (--timeline-tasks)"] if trace.left_out else []
    lines = [title, *note, "", " " * margin + _ruler(window, columns)]
    used: set[str] = set()
    groups = sorted({track.group for track in trace.tracks} | {counter.group for counter in trace.counters})
    for group in groups:
        lines.append(trace.group_name(group))
        mine = [track for track in trace.tracks if track.group == group]
        shown = busiest(mine, MOST_LANES)
        for track in mine:
            if track in shown:
                head = _padded(f"  {_short(track.name.strip('`'), margin - 3)}", margin)
                for row in _rows(track, window, columns, used):
                    lines.append((head + row).rstrip())
                    head = " " * margin
        if len(shown) < len(mine):
            lines.append("  " + trace.said(f"and {len(mine) - len(shown)} more that do less"))
        for counter in trace.counters:
            if counter.group == group:
                head = _padded(f"  {_short(counter.name, margin - 3)}", margin)
                most = max(used_bytes for _, used_bytes, _, _ in counter.points)
                lines.append((head + _memory(counter, window, columns, most)).rstrip())
                lines.append(" " * margin + trace.said(f"most {amount(most)}"))
    lines += [
        "",
        "  ".join(f"{look.letter} {trace.said(look.meaning)}" for kind, look in STYLES.items() if kind in used),
    ]
    for number, mark in enumerate(sorted(trace.marks, key=lambda mark: mark.time)):
        if number == MOST_MARKS:
            lines.append(trace.said(f"and {len(trace.marks) - MOST_MARKS} findings more"))
            break
        finding = mark.finding
        site = finding.primary.points if finding.primary is not None else None
        where = f" ({place_of(site)})" if place_of(site) else ""
        at = trace.said(f"{duration(mark.time)} on {trace.tracks[mark.track].name}").replace("`", "")
        lines.append(f"! {at}: {finding.severity}[{finding.kind}] {finding.title}{where}")
    return "\n".join(lines)


def busiest(tracks: list[Track], most: int) -> list[Track]:
    """At most *most* of *tracks*: those with the most slices."""
    return sorted(tracks, key=lambda track: -len(track.slices))[:most]


def _padded(text: str, columns: int, fill: str = " ") -> str:
    return text + fill * (columns - width_of(text))


def _begin(text: str, columns: int) -> str:
    """So much of *text* as fits."""
    while width_of(text) > columns:
        text = text[:-1]
    return text


def _short(text: str, room: int) -> str:
    return text if width_of(text) <= room else _begin(text, room - 3) + "..."


Window = tuple[int, int]
"""The virtual time that is shown, from and to (ns)."""


def _column(window: Window, time: int, columns: int) -> int:
    return (min(max(time, window[0]), window[1]) - window[0]) * columns // max(window[1] - window[0], 1)


def _inside(window: Window, s: Slice) -> bool:
    return s.start <= window[1] and s.end >= window[0]


def _ruler(window: Window, columns: int) -> str:
    line = [" "] * (columns + 12)
    for tick in range(0, columns, 20):
        text = "|" + duration(window[0] + (window[1] - window[0]) * tick // columns)
        if tick + len(text) <= columns:
            line[tick : tick + len(text)] = text
    return "".join(line).rstrip()


def _rows(track: Track, window: Window, columns: int, used: set[str]) -> list[str]:
    """The lines of a track; what is inside of something else stands below it. Cores are one line: how many work."""
    if track.kind == "cores":
        return [_busy(track, window, columns)]
    count = 1 + max([s.depth for s in track.slices], default=0)
    rows = [[" "] * columns for _ in range(count)]
    for s in track.slices:
        if _inside(window, s):
            first = min(_column(window, s.start, columns), columns - 1)
            last = min(max(_column(window, s.end, columns), first + 1), columns)
            rows[s.depth][first:last] = _cells(_drawn(s, last - first, rows[s.depth][first]))
            used.add(s.category)
    return ["".join(row) for row in rows]


def _cells(text: str) -> list[str]:
    """A cell for each column; behind a character that takes two comes an empty one."""
    return [cell for letter in text for cell in ((letter, "") if letter >= WIDE else (letter,))]


def _drawn(s: Slice, length: int, before: str) -> str:
    fill = STYLES[s.category].letter
    if length == 1:
        # Where several share a column, what takes long shows rather than the marks between.
        return fill if before == " " or s.category not in ("mark", "wait") else before
    name = s.name.replace("`", "")
    if length >= width_of(name) + 4:
        return f"[{_padded(f'{fill}{name}', length - 2, fill)}]"
    if s.category in ("call", "sync"):
        name = name.removeprefix("acl").removeprefix("rt")  # they all begin so
    if length >= 8 and s.category != "wait":
        return f"[{_padded(_begin(name, length - 2), length - 2, fill)}]"
    return f"[{fill * (length - 2)}]" if length > 2 else fill * length


def _busy(track: Track, window: Window, columns: int) -> str:
    """How many of the cores work, as a share of all: a digit for each tenth, ``*`` for all of them."""
    sums = [0] * columns
    width = max((window[1] - window[0]) / columns, 1)
    for s in track.slices:
        if not _inside(window, s):
            continue
        first, last = _column(window, s.start, columns), min(_column(window, s.end, columns), columns - 1)
        for column in range(first, last + 1):
            low = window[0] + column * width
            sums[column] += int(max(min(s.end, low + width) - max(s.start, low), 0) * s.rows)
    shares = [total / (width * track.rows) for total in sums]
    return "".join("*" if share > 0.99 else str(max(int(share * 10), 1)) if share > 0.001 else " " for share in shares)


def _memory(counter: Counter, window: Window, columns: int, most: int) -> str:
    """The most that was in use in each column, in tenths of *most*."""
    tops = [0] * columns
    level, at = 0, 0
    for time, value, _, _ in counter.points:
        column = min(_column(window, time, columns), columns - 1)
        for between in range(at, column + 1):
            tops[between] = max(tops[between], level)
        tops[column] = max(tops[column], value)
        level, at = value, column
    for between in range(at, columns):
        tops[between] = max(tops[between], level)
    return "".join("*" if top == most and most else str(top * 10 // most) if top else " " for top in tops)
