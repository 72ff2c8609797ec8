"""Opens the files in ``data/``: the only place that knows where they are and how a table looks.

A table is lines of cells between tabs, its first line names the columns. Readers say which columns they expect, so
that a table and its reader cannot drift apart unseen. Nothing is kept here: who parses a table keeps what it made.
"""

from __future__ import annotations

import os.path
from typing import Any

__all__ = ["PACKAGE", "document", "lines", "path", "rows", "text"]

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder of the package, for all who need it."""
_FOLDER = os.path.join(PACKAGE, "data")


def path(name: str) -> str:
    """Where the file *name* of the package's data is."""
    return os.path.join(_FOLDER, name)


def text(name: str) -> str:
    """All of a file."""
    with open(path(name), encoding="utf-8") as file:
        return file.read()


def lines(name: str, columns: str) -> list[str]:
    """The lines below the header of a table, whose *columns* are named with a space between.

    Raises ValueError when the table has other ones.

    >>> lines("error_codes.tsv", "value name group meaning")[0]
    '0\\tACL_RT_SUCCESS\\tsuccess\\tok'
    """
    header, *body = text(name).splitlines()
    if header != columns.replace(" ", "\t"):
        raise ValueError(f"{path(name)} has the columns {header.split()}, not {columns.split()}")
    return body


def rows(name: str, columns: str) -> list[list[str]]:
    """The cells of each line of a table."""
    return [line.split("\t") for line in lines(name, columns)]


def document(name: str) -> Any:
    """A file of JSON."""
    import json

    return json.loads(text(name))
