"""When a call answers which code: one line of ``data/conditions.tsv`` is one condition, named by its ``row`` for ever.

`ascend-sim explain` and ``help()`` show the conditions, the conformance tests run them. A code is a number, or words
where a rule has none ("<task error>"); a function may be several (``aclrtFree / aclrtFreeHost``) or a group in
parentheses. ``null: a, b`` names pointers that the C function tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.tables import lines

__all__ = ["NULL", "Condition", "all_conditions", "by_code", "of_function"]

NULL = "null: "
_COLUMNS = "row code function condition"
_IN_GENERAL = frozenset({"no context", "no current context"})
"""Said once for all calls that need a context."""


class Condition:
    """One line."""

    __slots__ = ("code", "function", "row", "text")

    def __init__(self, line: str) -> None:
        self.row, self.code, self.function, self.text = line.split("\t")

    @property
    def shown(self) -> str:
        """What a user of the Python faces is told: outputs are returned there, so they cannot be NULL. May be empty."""
        if self.text.startswith(NULL):
            named = self.text.removeprefix(NULL).split(", ")
            inputs = [p.name for p in functions()[self.function].inputs]
            given = [name for name in named if name in inputs]
            return NULL + ", ".join(given) if given else ""
        return "" if self.text in _IN_GENERAL else self.text


def all_conditions() -> Iterator[Condition]:
    """Every line, in the order of the table: by code, general rules first, then the most used functions."""
    return (Condition(line) for line in lines("conditions.tsv", _COLUMNS))


@cache
def by_code() -> Mapping[int, tuple[tuple[str, str], ...]]:
    """(function, condition) pairs by the failing code that is answered, in the order of the table."""
    found: dict[int, list[tuple[str, str]]] = {}
    for condition in all_conditions():
        if condition.code.isdecimal() and condition.code != "0" and condition.shown:
            found.setdefault(int(condition.code), []).append((condition.function, condition.shown))
    return {code: tuple(dict.fromkeys(pairs)) for code, pairs in found.items()}  # two chapters may say the same


@cache
def _lines() -> list[str]:
    return lines("conditions.tsv", _COLUMNS)


def of_function(name: str) -> list[Condition]:
    """The failures of one function: its lines are looked for as text, most of the table is never parsed."""
    mark = f"\t{name}\t"
    found = (Condition(line) for line in _lines() if mark in line)
    return [c for c in found if c.code.isdecimal() and c.code != "0" and c.shown]
