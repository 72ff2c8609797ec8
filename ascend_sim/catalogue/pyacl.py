"""The names of pyACL as data: one line of ``data/pyacl.tsv`` is one function.

Columns: the name below ``acl``, its parameters, the format letters (``*``: only the name is known), the C function,
the text of the TypeError (empty: ``acl.NAME args parse failed``; ``!``: the same with an exclamation mark; ``python``:
CPython's own text; else the text itself), the result (empty: what the C face returns; ``none``; ``first``: the first
argument and the code) and what that is called in the manual (for ``help()``); of a name whose parameters are not known,
that alone says what the shape of its result is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ascend_sim.catalogue.tables import lines

__all__ = ["MODULES", "Row", "names", "row", "rows"]

_COLUMNS = "name parameters format c_function error result returns"

MODULES = ("rt", "mdl", "media", "op", "blas", "util", "prof", "himpi", "fv")
"""The namespaces below ``acl``; there is no ``tdt``."""


_FAILURES = {"float)": 0.0, "callable)": None}
"""By the kind of a value that stands in brackets after its name; of all others 0."""


class Row:
    """One pyACL function."""

    __slots__ = ("c_function", "error", "format", "name", "parameters", "result", "returns")

    def __init__(self, line: str) -> None:
        self.name, parameters, self.format, self.c_function, self.error, self.result, self.returns = line.split("\t")
        self.parameters = tuple(parameters.split(",")) if parameters else ()

    @property
    def failure(self) -> tuple[int | float | None, ...]:
        """What stands before the code when a call fails (for a function without one: its value), by `returns`."""
        names = self.returns.split(", ")
        return tuple(_FAILURES.get(name.partition(" (")[2], 0) for name in names if name not in ("", "ret"))

    @property
    def wrong(self) -> str:
        """The text of the TypeError for arguments that do not fit."""
        if self.error in {"", "!", "python"}:
            return f"acl.{self.name} args parse failed{self.error if self.error == '!' else ''}"
        return self.error


@cache
def rows() -> Mapping[str, Mapping[str, str]]:
    """The lines of the table by module ("" is ``acl`` itself) and name."""
    found: dict[str, dict[str, str]] = {module: {} for module in ("", *MODULES)}
    for line in lines("pyacl.tsv", _COLUMNS):
        module, _, name = line[: line.index("\t")].rpartition(".")
        found[module][name] = line
    return found


def row(module: str, name: str) -> Row | None:
    """The row of ``acl.MODULE.NAME``, None when pyACL has no such function."""
    line = rows()[module].get(name)
    return None if line is None else Row(line)


@cache
def names() -> Mapping[str, str]:
    """The pyACL function of each C function that has one: ``aclrtFree`` is ``acl.rt.free``."""
    found: dict[str, str] = {}
    for line in lines("pyacl.tsv", _COLUMNS):
        name, _, _, function, _ = line.split("\t", 4)
        found.setdefault(function, f"acl.{name}")
    return found
