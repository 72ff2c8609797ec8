"""Functions that only hand a call on: reports show the place that called them instead.

Most programs call the API through a function of their own that looks at the code: ``call(acl.rt.malloc, size, 0)``. The
line with the mistake is then that of the caller. A frame is passed over when

- its function has a local ``__tracebackhide__``, as pytest asks;
- a pattern of the variable ``ASCEND_SIM_SKIP_FRAMES``, of ``--skip-frames`` or pyproject.toml, fits its file or its name;
- it is the innermost, or only such ones are below it, and all that it does with the API is one call with the arguments
  that it got itself, converted or scaled at most, and to ask for the text of an error;
- it is the innermost, or only such ones are below it, and it was made by ``exec`` from a text that nothing keeps.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from types import CodeType

from ascend_sim.source.callsite import (
    SKIP_FRAMES,
    NativePlace,
    Point,
    columns_of,
    line_number,
    native_place,
    relative_path,
)
from ascend_sim.source.lines import lines_of
from ascend_sim.source.syntax import holds, nodes_at, tree_of

__all__ = ["outside_wrappers"]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_CONVERSIONS = frozenset({"int", "float", "bool", "str", "bytes", "len", "id", "list", "tuple"})
"""Built-in functions that make the same argument fit."""
_ERROR_TEXTS = ("get_recent_err_msg", "GetRecentErrMsg", "get_last_error", "GetLastError", "peek_at_last_error")
"""Calls that only ask what went wrong: a wrapper that raises has one."""


def outside_wrappers(points: Sequence[Point]) -> tuple[Point, ...]:
    """*points*, innermost first, without those in wrappers; all of them when nothing else would be left."""
    patterns = tuple(filter(None, os.environ.get(SKIP_FRAMES, "").split("\n")))
    kept: list[Point] = []
    called_at: NativePlace | None = None
    for code, lasti in points:
        native = native_place(code)
        inner, called_at = called_at, native
        if "__tracebackhide__" in code.co_varnames or (patterns and _matches(code, patterns)):
            continue
        if native is not None and not kept and native.only_hands_on(inner):
            continue
        if native is None and not kept and code.co_name != "<module>" and _hands_on(code, lasti, code.co_filename):
            continue
        kept.append((code, lasti))
    return tuple(kept) if kept else tuple(points)


def _matches(code: CodeType, patterns: Sequence[str]) -> bool:
    """Whether a pattern is a glob of the file of *code*, of its function, or of both with a colon between."""
    native = native_place(code)
    if native is not None:
        frame = native.frame()
        file, full, name = frame.file, frame.function, re.sub(r"<.*", "", frame.function).rpartition("::")[2]
    else:
        file, name = code.co_filename, code.co_name
        full = getattr(code, "co_qualname", name).replace("<locals>.", "")  # co_qualname: 3.11
    files = (file, os.path.basename(file), relative_path(file))
    names = (full, name)
    for pattern in patterns:
        place, colon, function = pattern.rpartition(":")
        if any(fnmatchcase(name, pattern) for name in (*files, *names)):
            return True
        if colon and any(fnmatchcase(f, place) for f in files) and any(fnmatchcase(n, function) for n in names):
            return True
    return False


@lru_cache(maxsize=4096)
def _hands_on(code: CodeType, lasti: int, file: str) -> bool:
    """Whether the call at this place is the only one of its function that may be one of the API, with its arguments."""
    tree = tree_of(file)
    if tree is None:
        return file.startswith("<") and not lines_of(file)
    line, positions = line_number(code, lasti), columns_of(code, lasti)
    function = None
    for node in nodes_at(tree, line, positions):  # outermost first: the last one that fits is the innermost
        if isinstance(node, _FUNCTIONS) and holds(node, line, positions) and _named(node, code):
            function = node
    if function is None:
        return False
    calls = [node for node in _own_nodes(function) if isinstance(node, ast.Call)]
    here = [call for call in calls if holds(call, line, positions)]
    if positions is not None:
        here = [c for c in here if (c.lineno, c.col_offset, c.end_col_offset) == (line, *positions[2:])] or here[-1:]
    own = _parameters(function)
    for call in here:
        if _passes(call, own) and not any(
            other is not call and other not in here and _like(other, call) for other in calls
        ):
            return True
    return False


def _named(node: ast.AST, code: CodeType) -> bool:
    return getattr(node, "name", "<lambda>") == code.co_name


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """What stands in *function* itself, not in functions inside it; without decorators and default values."""
    body = getattr(function, "body", [])
    todo: list[ast.AST] = list(body) if isinstance(body, list) else [body]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _FUNCTIONS):
            todo.extend(ast.iter_child_nodes(node))


def _parameters(function: ast.AST) -> set[str]:
    found = getattr(function, "args", None)
    if not isinstance(found, ast.arguments):
        return set()
    names = {a.arg for a in (*found.posonlyargs, *found.args, *found.kwonlyargs)}
    return names | {a.arg for a in (found.vararg, found.kwarg) if a is not None}


def _passes(call: ast.Call, own: set[str]) -> bool:
    """Whether every argument is one of *own* or a constant, at most one an attribute; and something is handed on."""
    handed = attributes = 0
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        for value in _parts(argument):
            if isinstance(value, ast.Name) and value.id in own:
                handed += 1
            elif isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id in own:
                attributes += 1
            elif not isinstance(value, ast.Constant) and not ast.unparse(value).startswith("acl"):  # names a function
                return False
    chosen = any(isinstance(node, ast.Name) and node.id in own for node in ast.walk(call.func))
    return attributes <= 1 and handed + attributes + chosen > 0


def _parts(argument: ast.expr) -> Iterator[ast.expr]:
    """What *argument* is made of: ``int(size)`` of ``size``, ``4 * count`` of ``4`` and ``count``."""
    if isinstance(argument, ast.Starred):
        yield from _parts(argument.value)
    elif isinstance(argument, ast.BinOp):
        yield from _parts(argument.left)
        yield from _parts(argument.right)
    elif isinstance(argument, ast.Call) and ast.unparse(argument.func) in _CONVERSIONS and not argument.keywords:
        for value in argument.args:
            yield from _parts(value)
    else:
        yield argument


def _like(call: ast.Call, other: ast.Call) -> bool:
    """Whether *call* may be one of the API: by its name, or since it calls what *other* calls, which is one."""
    text = ast.unparse(call.func)
    if text.endswith(_ERROR_TEXTS):
        return False
    return text.startswith(("acl.", "acl")) or "aclrt" in text or text == ast.unparse(other.func)
