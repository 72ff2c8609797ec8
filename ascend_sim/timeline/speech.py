"""A trace in the reader's language: names of slices, lanes and counters, what is said about them, the findings.

Names of the program stay. Texts of a long run differ in their numbers only: each is translated once for all numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ascend_sim.findings.languages import ENGLISH, chosen, translated, translated_finding
from ascend_sim.timeline.building import RANGES
from ascend_sim.timeline.trace import Trace

__all__ = ["spoken"]

_NUMBER = re.compile(r"(?<![\w.`])\d[\d,]*(?:\.\d+)?(?![\w`])")
_NAMED = ("range", "kernel", "operator")
"""Categories of slices that have a name of the program's."""
_NAMELESS = re.compile(r"the default stream|stream \d+$")
"""Streams for which the program has no name."""
_STANDS_FOR = 900_001
"""The first of the numbers that stand for those of a text while it is translated."""


def spoken(trace: Trace, language: str = "") -> Trace:
    """*trace*, which is changed, in *language*; by default the one that is chosen."""
    trace.language = language or chosen()
    if trace.language == ENGLISH:
        return trace
    say = _speaker(trace.language)
    for track in trace.tracks:
        if track.kind in ("engine", "cores") or _NAMELESS.match(track.name) or track.number >= RANGES:
            track.name = say(track.name)
        for part in track.slices:
            if part.category not in _NAMED:
                part.name = say(part.name)
            part.lines = tuple((say(label), say(value)) for label, value in part.lines)
    for counter in trace.counters:
        counter.name = say(counter.name)
        counter.points = [(time, used, say(text), site) for time, used, text, site in counter.points]
    for edge in trace.edges:
        edge.name = say(edge.name)
    for mark in trace.marks:
        mark.finding = translated_finding(mark.finding, trace.language)
    trace.left_out = say(trace.left_out)
    return trace


def _speaker(language: str) -> Callable[[str], str]:
    """What translates a text, and remembers how texts that differ in their numbers are translated."""
    known: dict[str, str] = {}

    def say(text: str) -> str:
        numbers = _NUMBER.findall(text)
        places = iter(range(_STANDS_FOR, _STANDS_FOR + len(numbers)))
        shape = _NUMBER.sub(lambda match: str(next(places)), text)
        if shape not in known:
            known[shape] = translated(shape, language)
        said = known[shape]
        for place, number in enumerate(numbers, _STANDS_FOR):
            said = said.replace(str(place), number)
        return said

    return say
