"""The style of each kind of slice in every output form: its meaning in words, its letter in text lanes, its colour.

The colours are those of the Okabe-Ito palette or near it, which keep apart for colour-blind eyes. Colour is never all:
slices carry their names, text lanes letters, findings shapes.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["STYLES", "SEVERITIES", "Style"]


class Style(NamedTuple):
    """*hatched*: nothing is done, somebody waits."""

    meaning: str
    letter: str
    colour: str
    hatched: bool = False


STYLES: dict[str, Style] = {
    "call": Style("API call", "-", "#c3cdd8"),
    "sync": Style("call that waits", "~", "#dfe5eb", True),
    "callback": Style("callback", "@", "#b9a3e3"),
    "range": Style("range of the program", ":", "#9ad0c2"),
    "copy in": Style("host to device", ">", "#56b4e9"),
    "copy out": Style("device to host", "<", "#2fb58d"),
    "copy": Style("device copy, memset", "=", "#dd94bb"),
    "kernel": Style("kernel", "#", "#f0a92b"),
    "operator": Style("operator, model", "%", "#f0e442"),
    "mark": Style("record, wait, write", "|", "#0072b2"),
    "wait": Style("stream waits", ".", "#eef1f4", True),
    "pending": Style("has not come", "?", "#fbe3e0", True),
}
"""In the order of ``trace.CATEGORIES``."""

SEVERITIES: dict[str, tuple[str, str]] = {
    "error": ("o", "#b3261e"),
    "warning": ("^", "#8a5a00"),
    "note": ("s", "#3f5a73"),
}
"""Of findings: matplotlib's marker, and the colour."""
