"""Pictures for the lessons: a small program each, run on the simulator, and what it did as a drawing.

``ascend-sim lesson 3 --picture events.svg`` makes one. A program that leaves a `picture` (what ``sim.show()`` gives) shows
that moment; of the others the lanes of threads and streams are drawn.
"""

from __future__ import annotations

import sys

from ascend_sim import pyacl
from ascend_sim.cli.teaching.folder import Lesson, MissingClass
from ascend_sim.findings.languages import ENGLISH
from ascend_sim.simulator import Simulator
from ascend_sim.state.svg import Sheet
from ascend_sim.timeline.costs import duration
from ascend_sim.timeline.trace import Slice, Trace, Track

__all__ = ["lanes", "picture"]

WIDTH, MARGIN, ROW, TOP = 860, 130, 30, 74
LOOKS = {
    "call": "idle", "sync": "waits", "callback": "held", "range": "idle", "copy in": "ready", "copy out": "ready",
    "copy": "ready", "kernel": "runs", "operator": "runs", "mark": "held", "wait": "waits", "pending": "waits",
}  # fmt: skip
"""How each category of a slice looks."""
LEGEND = "time runs to the right; an arrow leads from what ended to who could go on because of it"


def picture(lesson: Lesson, language: str = ENGLISH) -> str:
    """The SVG of *lesson*, its words in *language*. Raises MissingClass when its folder has no program for it."""
    program = lesson.path.parent / "pictures" / lesson.path.name
    if not program.is_file():
        raise MissingClass(f"lesson {lesson.number} has no picture")
    code = compile(program.read_text(encoding="utf-8"), str(program), "exec", dont_inherit=True)
    before = {name: sys.modules.get(name) for name in pyacl.modules()}
    pyacl.put_into(sys.modules)
    try:
        with Simulator() as sim:
            timeline = sim.timeline()
            space = {"__name__": "__main__", "__file__": str(program)}
            exec(code, space)
            shown = space.get("picture")
            if shown is not None:
                return f"{shown.svg(WIDTH, language)}\n"  # type: ignore[attr-defined]
            return f"{lanes(timeline.trace(), lesson.title, language)}\n"
    finally:
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module


def lanes(trace: Trace, title: str, language: str = ENGLISH) -> str:
    """Threads and streams of *trace*, one below the other, with arrows between them; *title* is in *language* already."""
    sheet = Sheet(WIDTH, language)
    sheet.code(16, 26, title, size=15, bold=True)
    sheet.text(16, 44, f"{duration(trace.last)} of virtual time; {LEGEND}", "faint", 11)
    tracks = [track for track in trace.tracks if track.kind in ("thread", "stream")]
    begin = min([s.start for track in tracks for s in _drawn(track)], default=0)
    scale = (WIDTH - MARGIN - 20) / max(trace.end - begin, 1)
    places = {id(track): TOP + number * ROW for number, track in enumerate(tracks)}
    for track in tracks:
        top = places[id(track)]
        sheet.text(16, top + 15, track.name, room=MARGIN - 24)
        sheet.line(MARGIN, top + ROW - 5, WIDTH - 20, top + ROW - 5)
        for part in _drawn(track):
            x, width = MARGIN + (part.start - begin) * scale, max((part.end - part.start) * scale, 2.0)
            long = f"{part.name}, {duration(part.end - part.start)}"
            sheet.rect(x, top, width, 20, LOOKS[part.category], 3, title=long)
            if width > 34:
                sheet.code(x + 4, top + 14, sheet.said(part.name).removeprefix("aclrt"), size=11, room=width - 8)
    for edge in trace.edges:
        source, target = trace.tracks[edge.source], trace.tracks[edge.to]
        if edge.kind == "submit" or id(source) not in places or id(target) not in places or source is target:
            continue
        down = places[id(target)] > places[id(source)]
        x = MARGIN + (edge.start - begin) * scale
        sheet.arrow(
            x, places[id(source)] + (20 if down else 0), MARGIN + (edge.end - begin) * scale,
            places[id(target)] + (0 if down else 20), "set", "settip", title=edge.name,
        )  # fmt: skip
    return sheet.finish(f"{title}: threads and streams over virtual time")


def _drawn(track: Track) -> list[Slice]:
    """The slices of a track that the picture has room for: those of the outermost calls that take part, and all tasks."""
    if track.kind != "thread":
        return [s for s in track.slices if s.category != "pending"]
    return [
        s for s in track.slices if s.depth == 0 and (s.category != "call" or "Async" in s.name or "Event" in s.name)
    ]
