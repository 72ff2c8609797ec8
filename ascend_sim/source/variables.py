"""Calls objects by the variables of the program: ``stream 2`` becomes ``stream `s_copy` ``.

Reports are written in the simulator's words (a kind and a number in the order of creation); when a finding is new, the
numbers are replaced by the variable to which the creating call, or the function around it, was first assigned
(``spec/prototypes/reports.md`` 2, rule 5). Functions are called as the program calls them: ``acl.rt.free`` in place of
``aclrtFree`` where it uses pyACL (4, last line).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import CodeType
from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Finding, Site, reworded
from ascend_sim.runtime.handles import Handles
from ascend_sim.source.callsite import Point, by_identity, frames_of, source_line, unpacked_names, variable_name

if TYPE_CHECKING:
    from ascend_sim.machine.address_space import AddressSpace
    from ascend_sim.machine.blocks import Block

__all__ = ["Names", "called", "in_pyacl", "pyacl_face", "variable_of", "with_article", "work"]

_NUMBERED = re.compile(r"\b(stream|event|notify|context|label) (\d+)\b(?! `)")

_TYPED = re.compile(r"\b(acl[\w.]+\()(stream|event|notify|context|label) (\d+)\b")
"""Code to type: a call whose first argument is such an object."""


_C_NAME = re.compile(r"\bacl[a-z]*[A-Z]\w*")
_PYACL_CALL = re.compile(r"\bacl\.\w")
_IMPORTS_PYACL = re.compile(r"^\s*(import acl\b|from acl\b)", re.MULTILINE)
_IMPORTS_C = re.compile(r"^\s*(import|from) ascend_sim\b", re.MULTILINE)
_NULL_STREAM = re.compile(r"(\bacl\.[\w.]+\((?:[^()]*, )?)None\b")
"""Code to type for pyACL with a None for the default stream: there it is 0."""


def pyacl_face(site: Any) -> bool:
    """Whether the program calls pyACL at *site* (else the C names): its line says so, or what its files import."""
    if "acl" not in sys.modules:
        return False
    frames = frames_of(Site("access", "", site).points)
    for frame in frames:
        line = source_line(frame.file, frame.line)
        if _C_NAME.search(line):
            return False
        if _PYACL_CALL.search(line):
            return True
    texts = [_source(frame.file) for frame in frames]
    return any(map(_IMPORTS_PYACL.search, texts)) or not any(map(_IMPORTS_C.search, texts))


def _source(file: str) -> str:
    import linecache

    return "".join(linecache.getlines(file))


@cache
def _functions() -> Mapping[str, str]:
    """The pyACL function of each C function that has one: ``aclrtFree`` -> ``acl.rt.free``."""
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "pyacl.tsv")
    found: dict[str, str] = {}
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines()[1:]:
            name, _, _, function, *_ = line.split("\t")
            found.setdefault(function, f"acl.{name}")
    return found


def in_pyacl(text: str) -> str:
    """*text* with the names of pyACL for those of C.

    >>> in_pyacl("before that: aclrtSynchronizeStream(None)")
    'before that: acl.rt.synchronize_stream(0)'
    """
    if "acl" not in text:
        return text
    text = _C_NAME.sub(lambda match: _functions().get(match[0], match[0]), text)
    return _NULL_STREAM.sub(r"\g<1>0", text)


def with_article(noun: str) -> str:
    """``a copy``, ``an event``."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" or noun.startswith("nd") else f"a {noun}"


def work(kind: str) -> str:
    """What a task of *kind* does, as a subject: ``a copy``, ``kernel `scale` ``."""
    if kind.startswith("kernel "):
        return f"kernel `{kind[7:]}`"
    calls = {"pool-malloc": "aclrtMemPoolMallocAsync", "pool-free": "aclrtMemPoolFreeAsync"}
    words = {"set": "memset", "value-write": "value write", "value-wait": "value wait"}
    return calls.get(kind) or with_article(words.get(kind, kind))


@by_identity
def variable_of(points: Iterable[Point]) -> str | None:
    """The variable that what was made at *points* went to; of a function that only hands it on, its caller's."""
    found = None
    for code, lasti in points:
        name = variable_name(code, lasti)
        if name is None:
            if found is not None:
                break
            continue
        found = name
        if name not in code.co_varnames or not _gives_away(code, name):
            break
    return found


def _gives_away(code: CodeType, name: str) -> bool:
    """Whether the function of *code* ends with ``return name``: the last two instructions say so."""
    import dis

    last = [i for i in dis.get_instructions(code) if i.opname not in ("NOP", "CACHE", "RESUME")][-2:]
    return len(last) == 2 and last[1].opname == "RETURN_VALUE" and last[0].argval == name


def called(function: str, site: Any) -> str:
    """The C name *function* as the program calls it at *site*."""
    return in_pyacl(function) if pyacl_face(site) else function


class Names:
    """The names of the objects of a simulator: *handles* are those that live, and what is known of those that are gone.

    A variable that is called as its kind stands alone: `` `stream` ``. Objects that were made at the same place (a
    loop) keep their numbers beside the name, ``stream 3 `s` ``, unless ``a, b = (make() for ...)`` names each.
    """

    def __init__(
        self, handles: Handles, contexts: Mapping[int, object] | None = None, memory: AddressSpace | None = None
    ) -> None:
        self._handles = handles
        self._contexts = contexts or {}
        self._memory = memory

    def block(self, block: Block) -> str:
        """`` `out` ``, ``one of `buffers` `` for memory that a loop made, or ``a block of 4096 bytes``."""
        name = variable_of(Site("alloc", "", block.site).points)
        if name is None:
            return f"a block of {block.size} bytes"
        known = self._memory.blocks() if self._memory is not None else []
        alike = any(other.site == block.site and other is not block for other in known)
        return f"one of `{name}`" if alike else f"`{name}`"

    def finding(self, finding: Finding) -> Finding:
        """*finding* in the words of the program."""
        primary = finding.primary
        if primary is None or not pyacl_face(primary.points):
            return reworded(finding, self.text)
        return reworded(finding, lambda text: in_pyacl(self.text(text)))

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
        made = {n: site for n, site in self._made(kind) if site is not None}
        site = made.get(number)
        if site is None:
            return otherwise
        points = Site("alloc", "", site).points
        name = variable_of(points)
        if name is None:
            return otherwise
        alike = sorted(n for n, other in made.items() if other == site)
        unpacked = next((n for point in points if (n := unpacked_names(*point))), [])
        if unpacked:
            if len(unpacked) != len(alike):  # made in several rounds: which is which?
                return otherwise
            name = unpacked[alike.index(number)]
        elif len(alike) > 1:
            return f"{kind} {number} `{name}`"
        return f"`{name}`" if name == kind else f"{kind} `{name}`"

    def _made(self, kind: str) -> Iterator[tuple[int, Any]]:
        """(number, where it was made) of every object of *kind* that is known."""
        for things in (self._handles, self._contexts):
            for thing in things.values():
                if type(thing).__name__.lower() == kind and hasattr(thing, "number") and hasattr(thing, "site"):
                    yield thing.number, thing.site
        for text, site in self._handles.gone():
            what, _, number = text.partition(" ")
            if what == kind and number.isdecimal():
                yield int(number), site
