"""Syntax trees of the source files of the program, cached: what stands at a line and column."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ascend_sim.source.lines import lines_of

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator
    from types import CodeType

__all__ = ["function_of", "holds", "nodes_at", "tree_of"]


def holds(node: Any, line: int, positions: tuple[int, int, int, int] | None) -> bool:
    """Whether the call at *line* (and these columns, where they are known) lies inside *node*."""
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
    if positions is None:
        return bool(node.lineno <= line <= end_line)
    first, last, start, stop = positions
    return bool((node.lineno, node.col_offset) <= (first, start) and (last, stop) <= (end_line, end))


def nodes_at(tree: ast.AST, line: int, positions: tuple[int, int, int, int] | None = None) -> Iterator[ast.AST]:
    """What of *tree* is at *line*, or where *positions* begin; what is around it first, as from `ast.walk`.

    Reports ask for many places, and most of a file is elsewhere.
    """
    import ast

    if positions is not None:
        line = positions[0]
    todo: deque[ast.AST] = deque([tree])
    while todo:
        node = todo.popleft()
        yield node
        everywhere = isinstance(
            node, ast.JoinedStr | ast.FormattedValue
        )  # lines in these are not always those of the file
        for child in ast.iter_child_nodes(node):
            first = getattr(child, "lineno", None)
            if first is None or everywhere:
                todo.append(child)
                continue
            for decorator in getattr(child, "decorator_list", ()):  # they stand before the line of their function
                first = min(first, decorator.lineno)
            if first <= line <= child.end_lineno:  # type: ignore[attr-defined]
                todo.append(child)


def function_of(code: CodeType) -> ast.AST | None:
    """The function, or the module, whose code *code* is; None when its source is not there."""
    import ast

    tree = tree_of(code.co_filename)
    if tree is None or code.co_name == "<module>":
        return tree
    for node in nodes_at(tree, code.co_firstlineno):
        if getattr(node, "name", "<lambda>") != code.co_name:
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
            if first == code.co_firstlineno:
                return node
    return None


def tree_of(file: str) -> ast.Module | None:
    """The tree of a source file; None when its text is not there, or is no Python.

    Raises RecursionError, MemoryError, SystemError: who asks is fenced, outside of what it keeps.
    """
    if file.startswith("<"):  # a program that is made while it runs grows
        return _parse(file)
    return _parse_once(file)


@lru_cache(maxsize=8)
def _parse_once(file: str) -> ast.Module | None:
    return _parse(file)


def _parse(file: str) -> ast.Module | None:
    text = "".join(lines_of(file))
    if not text:
        return None
    import ast

    known = _PARSED.get(file)
    if known is not None and known[0] == text:
        return known[1]
    if len(_PARSED) >= KEPT_TREES:
        _PARSED.clear()
    tree = None
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        pass  # no Python
    except (RecursionError, MemoryError, SystemError):
        # that may be the moment and not the text: the place is told plainly (`fence`), and the next one tries again
        tries = _TRIES[file] = _TRIES.get(file, 0) + 1
        if tries < MOST_TRIES:
            raise
        _TRIES.clear()
    else:
        _TRIES.pop(file, None)
    _PARSED[file] = (text, tree)
    return tree


_PARSED: dict[str, tuple[str, ast.Module | None]] = {}
"""Parsed source files, since a report asks for many names of one file."""
KEPT_TREES = 8
_TRIES: dict[str, int] = {}
MOST_TRIES = 3
"""So often a file is parsed in vain before it counts as one without a tree: that costs each time."""
