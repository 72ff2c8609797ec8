"""The names of pyACL as data: one line of ``data/pyacl.tsv`` is one function (``spec/pyacl/catalog.csv``).

Columns: the name below ``acl``, its parameters, the format letters (``*``: only the name is known), the C function,
the text of the TypeError (empty: ``acl.NAME args parse failed``; ``!``: the same with an exclamation mark; ``python``:
CPython's own text; else the text itself), the result (empty: what the C face returns; ``none``; ``first``: the first
argument and the code) and what that is called in the manual (for ``help()``).
"""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

__all__ = ["MODULES", "Row", "row", "rows"]

MODULES = ("rt", "mdl", "media", "op", "blas", "util", "prof", "himpi", "fv")
"""The namespaces below ``acl``; there is no ``tdt``."""


class Row(NamedTuple):
    """One pyACL function."""

    name: str
    parameters: tuple[str, ...]
    format: str
    c_function: str
    error: str
    result: str
    returns: str

    @property
    def wrong(self) -> str:
        """The text of the TypeError for arguments that do not fit."""
        if self.error in {"", "!", "python"}:
            return f"acl.{self.name} args parse failed{self.error if self.error == '!' else ''}"
        return self.error


@cache
def rows() -> Mapping[str, Mapping[str, str]]:
    """The lines of the table by module ("" is ``acl`` itself) and name."""
    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "pyacl.tsv")
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()[1:]
    found: dict[str, dict[str, str]] = {module: {} for module in ("", *MODULES)}
    for line in lines:
        module, _, name = line[: line.index("\t")].rpartition(".")
        found[module][name] = line
    return found


def row(module: str, name: str) -> Row | None:
    """The row of ``acl.MODULE.NAME``, None when pyACL has no such function."""
    line = rows()[module].get(name)
    if line is None:
        return None
    full, parameters, letters, c_function, error, result, returns = line.split("\t")
    return Row(full, tuple(parameters.split(",")) if parameters else (), letters, c_function, error, result, returns)
