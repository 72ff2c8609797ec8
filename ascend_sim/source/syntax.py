"""Syntax trees of the source files of the program, cached: what stands at a line and column."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ast

__all__ = ["holds", "tree_of"]


def holds(node: Any, line: int, positions: tuple[int, int, int, int] | None) -> bool:
    """Whether the call at *line* (and these columns, where they are known) lies inside *node*."""
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
    if positions is None:
        return bool(node.lineno <= line <= end_line)
    first, last, start, stop = positions
    return bool((node.lineno, node.col_offset) <= (first, start) and (last, stop) <= (end_line, end))


def tree_of(file: str) -> ast.Module | None:
    """The tree of a source file; None when its text is not there, or is no Python."""
    if file.startswith("<"):  # a program that is made while it runs grows
        return _parse(file)
    return _parse_once(file)


@lru_cache(maxsize=8)
def _parse_once(file: str) -> ast.Module | None:
    return _parse(file)


def _parse(file: str) -> ast.Module | None:
    import ast
    import linecache

    text = "".join(linecache.getlines(file))
    if not text:
        return None
    if _PARSED.get(file, ("", None))[0] != text:
        tree = None
        with suppress(SyntaxError, ValueError, SystemError, RecursionError, MemoryError):
            tree = ast.parse(text)
        if len(_PARSED) >= KEPT_TREES:
            _PARSED.clear()
        _PARSED[file] = (text, tree)
    return _PARSED[file][1]


_PARSED: dict[str, tuple[str, ast.Module | None]] = {}
"""Parsed source files, since a report asks for many names of one file."""
KEPT_TREES = 8
