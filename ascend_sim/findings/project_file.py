"""``[tool.ascend_sim]`` of the nearest pyproject.toml.

The file is the user's, but perhaps of another project, broken, or no file at all: it is read within bounds, and what it
has for others ends no run.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Mapping
from typing import Any, Final

from ascend_sim.untrusted.files import read_text

__all__ = ["listed", "project_file", "table_in"]

LARGEST: Final = 1 << 24
"""Bytes of a file."""


def project_file(folder: str) -> str:
    """The nearest pyproject.toml; empty without one.

    Looked for in *folder* and above it up to the root of its repository; without a repository only in *folder*: what
    lies further up is about something else.
    """
    here = os.path.abspath(folder)
    folders = [here]
    while not os.path.exists(os.path.join(folders[-1], ".git")):
        above = os.path.dirname(folders[-1])
        if above == folders[-1]:
            folders = [here]
            break
        folders.append(above)
    paths = [os.path.join(place, "pyproject.toml") for place in folders]
    return next((path for path in paths if os.path.isfile(path)), "")


def listed(folder: str, key: str) -> tuple[str, list[str]]:
    """The pyproject.toml that counts in *folder* and the list *key* of its table; ``""`` and [] without one.

    Raises ValueError for a value that is no list of strings.
    """
    path = project_file(folder)
    found: Any = table_in(path).get(key, []) if path else []
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise ValueError(f"{path}: [tool.ascend_sim] {key} is a list of strings")
    return path, found


def table_in(path: str) -> Mapping[str, Any]:
    """The table in the file *path*; an empty one where that is none, or cannot be read. Raises ValueError for no table."""
    try:
        text = read_text(path, LARGEST)
    except (OSError, ValueError):
        return {}
    try:
        import tomllib  # type: ignore[import-not-found, unused-ignore]
    except ImportError:  # 3.10 has none
        return _read_plainly(text)
    try:
        found: Any = tomllib.loads(text)
    except (ValueError, RecursionError):  # something in it is no TOML, perhaps not ours
        return _read_plainly(text)
    found = found.get("tool", {})
    found = found.get("ascend_sim", {}) if isinstance(found, dict) else {}
    if not isinstance(found, dict):
        raise ValueError(f"{path}: [tool.ascend_sim] is no table")
    return found


_TABLE: Final = re.compile(r"(?ms)^\[tool\.ascend_sim\]\s*$(.*?)(?=^\[|\Z)")
_KEY: Final = re.compile(r"([\w-]+)[ \t]*=[ \t]*(.*)", re.DOTALL)


def _read_plainly(text: str) -> dict[str, Any]:
    """Keys with a number, a text, true, false, or a list of such: what Python reads in the same way."""
    table = _TABLE.search(text)
    found = {}
    for key, value in _entries(table[1]) if table else ():
        plain = {"true": "True", "false": "False"}.get(value.strip(), value)
        try:
            found[key] = ast.literal_eval(plain.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return found


def _entries(table: str) -> list[tuple[str, str]]:
    """The keys with what stands behind them; a list goes on over the lines until the next key."""
    found: list[tuple[str, list[str]]] = []
    for line in table.splitlines(keepends=True):
        entry = _KEY.fullmatch(line)
        if entry is not None:
            found.append((entry[1], [entry[2]]))
        elif found and found[-1][1][0].startswith("["):
            found[-1][1].append(line)
    return [(key, "".join(lines)) for key, lines in found]
