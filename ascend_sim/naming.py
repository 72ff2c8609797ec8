"""Calls objects by the variables of the program: ``stream 2`` becomes ``stream `s_copy` ``.

Reports are written in the simulator's words (a kind and a number in the order of creation); when a finding is new, the
numbers are replaced by the variable to which the creating call, or the function around it, was first assigned
(``spec/prototypes/reports.md`` 2, rule 5).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from ascend_sim.callsite import frames_of, source_line, unpacked_names, variable_name
from ascend_sim.findings import Site

__all__ = ["Names"]

_NUMBERED = re.compile(r"\b(stream|event|notify|context|label) (\d+)\b(?! `)")

_TYPED = re.compile(r"\b(acl[\w.]+\()(stream|event|notify|context|label) (\d+)\b")
"""Code to type: a call whose first argument is such an object."""


def pyacl_face(site: Any) -> bool:
    """Whether the program calls pyACL at *site* (else the C names)."""
    frames = frames_of(Site("access", "", site).points)
    text = source_line(frames[0].file, frames[0].line) if frames else ""
    return "aclrt" not in text and "acl" in sys.modules


class Names:
    """The names of the living objects of a simulator: *handles* are its objects, read when a text is written.

    A variable that is called as its kind stands alone: `` `stream` ``. Objects that were made at the same place (a
    loop) keep their numbers beside the name, ``stream 3 `s` ``, unless ``a, b = (make() for ...)`` names each.
    """

    def __init__(self, *handles: Mapping[int, object]) -> None:
        self._handles = handles

    def text(self, text: str) -> str:
        """*text* with every number replaced that belongs to a living object with a name."""
        if _NUMBERED.search(text) is None:
            return text
        text = _TYPED.sub(lambda match: match[1] + self._typed(match[2], int(match[3])), text)
        return _NUMBERED.sub(lambda match: self._name(match[1], int(match[2]), match[0]), text)

    def _typed(self, kind: str, number: int) -> str:
        """What to type for an object in a call: its variable, or ``stream_2``."""
        otherwise = f"{kind}_{number}"
        found = self._name(kind, number, otherwise)
        return found.partition("`")[2].rstrip("`") or otherwise

    def _name(self, kind: str, number: int, otherwise: str) -> str:
        thing = next((t for t in self._all() if t.number == number and type(t).__name__.lower() == kind), None)
        if thing is None or thing.site is None:
            return otherwise
        name = next(filter(None, (variable_name(*point) for point in Site("alloc", "", thing.site).points)), None)
        if name is None:
            return otherwise
        alike = sorted(t.number for t in self._all() if type(t) is type(thing) and t.site == thing.site)
        unpacked = next((n for point in Site("alloc", "", thing.site).points if (n := unpacked_names(*point))), [])
        if unpacked:
            if len(unpacked) != len(alike):  # some are gone: which is which?
                return otherwise
            name = unpacked[alike.index(number)]
        elif len(alike) > 1:
            return f"{kind} {number} `{name}`"
        return f"`{name}`" if name == kind else f"{kind} `{name}`"

    def _all(self) -> Iterable[Any]:
        for handles in self._handles:
            for thing in handles.values():
                if hasattr(thing, "number") and hasattr(thing, "site"):
                    yield thing
