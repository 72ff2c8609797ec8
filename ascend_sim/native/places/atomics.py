"""What in the sources of a program may order its threads unseen: atomics, variables that are volatile.

An atomic is an instruction like others: nobody hears of it. The sources say whether there is any. Looked at are the files
in which the calls stand, and what these include by ``"name"`` beside them; only when a report asks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ascend_sim.source.callsite import CallSite, Frame, native_place, points, resolve, shown_path, source_line
from ascend_sim.source.frames import program_points

__all__ = ["unseen_order", "waits_for_change"]

_WORDS = re.compile(r"\b(?:std::)?atomic(?:_\w+)?\b|\b_Atomic\b|\b__(?:atomic|sync)_\w+|\bvolatile\b")
_LOOP = re.compile(r"\b(?:while|for|do)\b")
_LINES_OF_LOOP = 3
"""So many lines above a call that waits, the loop around it begins at most."""
_NO_CODE = re.compile(r'//[^\n]*|^[ \t]*#[ \t]*include[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL | re.MULTILINE)
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_BESIDE = ("", "../include", "../inc")
_LARGEST = 1 << 20
_MOST_FILES = 200


def unseen_order(sites: Iterable[CallSite | None]) -> str | None:
    """What may order threads that call at *sites*: an atomic, with its place; None: nothing that the sources tell."""
    frames = [frame for site in sites for frame in _lines_of(site)]
    waiting, seen = [frame.file for frame in frames if frame.line], set[str]()
    while waiting and len(seen) < _MOST_FILES:
        file = waiting.pop(0)
        if file in seen:
            continue
        seen.add(file)
        found, included = _read(file)
        if found:
            return found
        waiting += [path for name in included for folder in _BESIDE if (path := _beside(file, folder, name))]
    return None


def waits_for_change(site: CallSite) -> bool:
    """Whether the call at *site*, which rests, stands in a loop that may look for what another thread does unseen."""
    frames = _lines_of(site)
    if not frames or not frames[0].line:
        return False
    file, line = frames[0].file, frames[0].line
    text = "".join(source_line(file, n) for n in range(max(line - _LINES_OF_LOOP, 1), line + 1))
    return _LOOP.search(_NO_CODE.sub(" ", text)) is not None and unseen_order((site,)) is not None


def _lines_of(site: CallSite | None) -> list[Frame]:
    """The places of *site* by file and line: programs that report nothing ask for those, and the rest costs more."""
    places = [(native_place(code), (code, lasti)) for code, lasti in program_points(points(site))]
    return [frame for place, point in places for frame in ((resolve(*point),) if place is None else place.lines())]


def _beside(file: str, folder: str, name: str) -> str:
    path = os.path.normpath(os.path.join(os.path.dirname(file), folder, name))
    return path if os.path.isfile(path) else ""


@cache
def _read(file: str) -> tuple[str, tuple[str, ...]]:
    """What in *file* may order threads (empty: nothing that can be read), and the files that it includes by ``"name"``."""
    if not os.path.isfile(file):
        return "", ()
    try:
        with Path(file).open(encoding="utf-8", errors="replace") as opened:
            text = opened.read(_LARGEST)
    except OSError:
        return "", ()
    code = _NO_CODE.sub(lambda match: "\n" * match[0].count("\n"), text)
    word = _WORDS.search(code)
    if word is not None:
        return f"`{word[0]}` of {shown_path(file)}:{code.count(chr(10), 0, word.start()) + 1}", ()
    return "", tuple(_INCLUDED.findall(text))
