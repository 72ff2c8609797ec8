"""The rows of the tables, the callables that stand for them, and the list of those that are not run.

A row is a line of `catalogue.conditions`, "this call, in this situation, answers that code", or of ``cases.csv``, a
sequence of calls with what they answer. A row keeps its name for ever.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ascend_sim.catalogue.conditions import all_conditions
from ascend_sim.catalogue.functions import functions

__all__ = ["ROWS", "Entry", "Excuse", "Row", "excuses", "row", "rows", "table"]

_FOLDER = Path(__file__).parent
VERDICTS = ("graphs and advanced memory", "not expressible")
"""Why a row is not run: deferred to an issue (by name or number), or nothing that a Python program could do."""


class Row(NamedTuple):
    """One line of a table."""

    name: str
    function: str
    condition: str
    code: str

    @property
    def expected(self) -> int | None:
        """The code that the row is about; None when it names a rule instead of a number."""
        return int(self.code, 0) if re.fullmatch(r"\d+|0x[0-9A-Fa-f]+", self.code) else None

    @property
    def functions(self) -> tuple[str, ...]:
        """The C functions that the row names, in its order; empty for rows about "any call"."""
        return _functions_of(self)

    @property
    def chapter(self) -> str:
        """The chapter of the manual to which the row counts: that of the first function it names."""
        names = self.functions
        return functions()[names[0]].chapter if names else "00 all calls"


_PREFIXES = ("aclrt", "acl", "aclmdl", "aclmdlRI")
_OPERATOR_PREFIXES = ("aclop", "acl")
_SHORT = re.compile(r"\b(?:acl(?:rt|mdl|op)?)?([A-Z]\w+)")


def _functions_of(found: Row) -> tuple[str, ...]:
    known = functions()
    case = "-case-" in found.name
    text = found.condition if case else found.function
    if text.startswith("(any async submit)"):
        return ()
    names = [name for name in re.findall(r"\bacl\w+", text) if name in known]
    names += [f"{stem}Async" for stem in names if "(+Async)" in text and f"{stem}Async" in known]
    if case and not names:  # sequences are written without the prefix: "SetDevice x3; Reset"
        prefixes = _OPERATOR_PREFIXES if found.name.startswith("op-") else _PREFIXES
        for short in _SHORT.findall(text):
            names += [full for full in (f"{prefix}{short}" for prefix in prefixes) if full in known][:1]
    if not names and "FromExceptionInfo" in text:
        names = [
            f"aclrtGet{what}FromExceptionInfo" for what in ("TaskId", "StreamId", "ThreadId", "DeviceId", "ErrorCode")
        ]
    return tuple(dict.fromkeys(names))


@cache
def table() -> Mapping[str, Row]:
    """All rows by name: the conditions, then the cases, by chapter and number."""
    found = {c.row: Row(c.row, c.function, c.text, c.code) for c in sorted(all_conditions(), key=lambda c: c.row)}
    with open(_FOLDER / "cases.csv", encoding="utf-8", newline="") as lines:
        found |= {line[0]: Row(*line) for line in list(csv.reader(lines))[1:]}
    return found


class Excuse(NamedTuple):
    """Why a row is not run. *needs*: a C function that is not modelled yet and that the row cannot do without."""

    name: str
    verdict: str
    needs: str
    reason: str


@cache
def excuses() -> Mapping[str, Excuse]:
    """The rows that are not run (``not_run.csv``), by name."""
    with open(_FOLDER / "not_run.csv", encoding="utf-8", newline="") as lines:
        return {line[0]: Excuse(*line) for line in list(csv.reader(lines))[1:]}


class Entry(NamedTuple):
    """What runs a row: *body* with a fresh World and *arguments*, once for every SoC in *socs*."""

    body: Callable[..., None]
    arguments: tuple[Any, ...]
    socs: tuple[str, ...]
    options: Mapping[str, Any]
    bare: bool
    """The thread starts without aclrtSetDevice(0)."""
    faces: tuple[str, ...] | None
    """The faces on which it runs; None: C, and pyACL where a function of the row has a name there."""


ROWS: dict[str, Entry] = {}
"""The callables by row name."""

DEFAULT_SOC = "Ascend910B3"


def row(
    *names: str, soc: str | Sequence[str] = DEFAULT_SOC, bare: bool = False, faces: str | None = None, **options: Any
) -> Any:
    """Let the decorated function stand for the rows *names*. *options*: those of Simulator."""
    return rows(*((name,) for name in names), soc=soc, bare=bare, faces=faces, **options)


def rows(
    *families: tuple[Any, ...],
    soc: str | Sequence[str] = DEFAULT_SOC,
    bare: bool = False,
    faces: str | None = None,
    **options: Any,
) -> Any:
    """Let the decorated function stand for a family: each item is a row's name and further arguments of the function."""

    def register(body: Callable[..., None]) -> Callable[..., None]:
        for name, *arguments in families:
            if name not in table():
                raise KeyError(f"{body.__name__}: no row is named {name}")
            if name in ROWS:
                raise KeyError(f"{body.__name__}: {name} has a callable already ({ROWS[name].body.__name__})")
            socs = (soc,) if isinstance(soc, str) else tuple(soc)
            ROWS[name] = Entry(body, tuple(arguments), socs, options, bare, (faces,) if faces else None)
        return body

    return register
