"""The timeline as one page of HTML: lanes that can be zoomed, with everything in the file and nothing from the network.

Names, source lines and texts come from the program under test. They travel as JSON in which no ``<`` is left, and the
page puts them into its document as text only; its own content policy forbids to load anything.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from ascend_sim.catalogue import tables
from ascend_sim.findings.languages import ENGLISH
from ascend_sim.timeline.labels import frame_of, source_of
from ascend_sim.timeline.styles import STYLES
from ascend_sim.timeline.trace import CATEGORIES, HOST, Mark, Slice, Trace

__all__ = ["frame", "page", "spoken_words"]

EDGE_KINDS = ("event", "flag", "notify", "value", "sync", "callback", "replay", "submit")
SCRIPTS = ("timeline_lanes.js", "timeline_drawing.js", "timeline_moving.js")
_ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def page(trace: Trace) -> str:
    """The whole page."""
    script = "\n".join(map(tables.text, SCRIPTS))
    packed = _Packer(trace).pack()
    if trace.language != ENGLISH:
        packed["words"] = {text: _in_words(text, trace) for text in spoken_words(script)}
    data = json.dumps(packed, separators=(",", ":"))
    for character, escape in _ESCAPED.items():
        data = data.replace(character, escape)
    parts = {
        "@TITLE@": html.escape(" - ".join(filter(None, (trace.program, "ascend-sim timeline")))),
        "@STYLE@": tables.text("timeline.css"), "@DATA@": data, "@SCRIPT@": f'"use strict";\n(() => {{\n{script}}})();',
    }  # fmt: skip
    pieces = [_document(trace)]
    for mark, text in parts.items():  # in their order, so that nothing is looked for in what was put in
        head, _, tail = pieces.pop().partition(mark)
        pieces += [head, text, tail]
    return "".join(pieces)


def spoken_words(script: str) -> list[str]:
    """What the scripts say: the texts given to `spoken`, and those counted by `plural`; ``{0}`` stands for a value."""
    said = re.findall(r'\bspoken\("((?:[^"\\]|\\.)+)"', script)
    return [*said, *(f"{{0}} {word}" for word in re.findall(r'\bplural\([^,]+, "(\w+)"', script))]


def _in_words(text: str, trace: Trace) -> str:
    """*text* in the language of *trace*; numbers stand for its values while it is translated."""
    values = dict(enumerate(("900001", "900002")))
    for place, value in values.items():
        text = text.replace(f"{{{place}}}", value)
    said = trace.said(text)
    for place, value in values.items():
        said = said.replace(value, f"{{{place}}}")
    return said


def _document(trace: Trace) -> str:
    """The page without its data: its own words in the language of *trace*."""
    text = tables.text("timeline.html")
    if trace.language == ENGLISH:
        return text

    def say(found: re.Match[str]) -> str:
        words = found[2].strip(" ,")
        return found[1] + found[2].replace(words, trace.said(words)) if words and "&" not in words else found[0]

    text = re.sub(r'(>|\b(?:title|aria-label|placeholder)=")([^<>@"]*[A-Za-z][^<>@"]*)(?=[<"])', say, text)
    return text.replace('lang="en"', f'lang="{trace.language}"', 1)


def frame(document: str) -> str:
    """*document* as a frame that a notebook can show; its script cannot reach the notebook."""
    style = "width:100%;height:640px;border:1px solid #8884;border-radius:6px"
    return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{html.escape(document)}"></iframe>'


class _Packer:
    """The model as numbers and two tables, of texts and of call sites: a page of 10,000 tasks is about 2 MB."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.texts: dict[str, int] = {"": 0}
        self.sites: dict[tuple[Any, ...], int] = {("", 0, "", ""): 0}
        self.places: dict[Any, int] = {}
        self.indices: dict[int, int] = {}

    def text(self, value: str) -> int:
        return self.texts.setdefault(value, len(self.texts))

    def site(self, site: Any) -> int:
        known = self.places.get(site)
        if known is None:
            frame = frame_of(site)
            row = ("", 0, "", "") if frame is None else (frame.file, frame.line, frame.function, source_of(site))
            known = self.places[site] = self.sites.setdefault(row, len(self.sites))
        return known

    def pack(self) -> dict[str, Any]:
        trace = self.trace
        tracks = []
        for track in trace.tracks:
            packed: list[int] = []
            for i, s in enumerate(track.slices):
                self.indices[id(s)] = i
                packed += self._slice(s)
            tracks.append({
                "kind": track.kind, "group": track.group, "name": track.name.strip("`"), "rows": track.rows,
                "slices": packed,
            })  # fmt: skip
        edges: list[int] = []
        for edge in trace.edges:
            edges += (
                EDGE_KINDS.index(edge.kind), edge.source, edge.start, edge.to, edge.end, self.text(edge.name),
                self.indices.get(id(edge.cause), -1), self.indices.get(id(edge.effect), -1),
            )  # fmt: skip
        counters = []
        for counter in trace.counters:
            points = [value for time, used, text, site in counter.points
                      for value in (time, used, self.text(text), self.site(site))]  # fmt: skip
            counters.append({"name": counter.name, "group": counter.group, "points": points})
        marks = [self._mark(mark) for mark in trace.marks]
        groups = sorted({track.group for track in trace.tracks} | {counter.group for counter in trace.counters})
        return {
            "program": trace.program,
            "profile": trace.profile, "devices": trace.devices, "seed": trace.seed, "schedule": trace.schedule,
            "start": trace.start, "end": trace.end, "last": trace.last, "busiest": trace.busiest(),
            "tasks": trace.tasks, "calls": trace.calls, "left_out": trace.left_out,
            "categories": CATEGORIES,
            "looks": [look._replace(meaning=trace.said(look.meaning)) for look in map(STYLES.__getitem__, CATEGORIES)],
            "kinds": EDGE_KINDS, "host": HOST,
            "groups": [[group, trace.group_name(group)] for group in groups],
            "tracks": tracks, "edges": edges, "counters": counters, "marks": marks,
            "texts": list(self.texts), "sites": list(self.sites),
        }  # fmt: skip

    def _slice(self, s: Slice) -> tuple[int, ...]:
        lines = "\n".join(f"{label}\t{value}" for label, value in s.lines)
        return (
            s.start, s.end - s.start, CATEGORIES.index(s.category), self.text(s.name), self.site(s.site),
            self.text(lines), s.depth, s.rows, int(s.fault),
        )  # fmt: skip

    def _mark(self, mark: Mark) -> dict[str, Any]:
        finding = mark.finding
        sites = [[site.text, self.site(site.points)] for site in finding.sites]
        return {
            "id": finding.id, "kind": finding.kind, "severity": finding.severity, "title": finding.title,
            "order": finding.order, "fix": finding.fix, "count": finding.count, "time": mark.time, "track": mark.track,
            "sites": sites, "suppressed": finding.suppressed or "",
        }  # fmt: skip
