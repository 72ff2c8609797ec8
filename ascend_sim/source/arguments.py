"""What a call of the program passes, as text: the stream of ``acl.rt.memset_async(p, n, 0, n, streams[1])``.

Such an expression means the object at its own line: it is what a report types there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from types import CodeType

from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.pyacl import rows
from ascend_sim.source.callsite import Point, columns_of, line_number, native_place
from ascend_sim.source.frames import outside, program_points
from ascend_sim.source.syntax import function_of, holds, nodes_at, tree_of

__all__ = ["argument_names", "passed"]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def passed(points: Iterable[Point], parameter: str, around: Iterable[Point] = ()) -> str | None:
    """What the program passes as *parameter* (``stream``, ``event``, ...) in the call of the API at *points*.

    For a call inside a function that only hands it on, what the caller of that passes; what the one at *around* passes, if
    that is given. None: it is not known, or is more than a name, an attribute or an element.
    """
    stack = outside(points)
    shown = program_points(around) or program_points(points)
    if not stack or not shown or shown[0] not in stack:
        return None
    native = [native_place(code) for code, _ in stack[: stack.index(shown[0]) + 1]]
    places = [place for place in native if place is not None]
    if places:
        return places[0].argument(parameter, places[1:])
    outermost = stack.index(shown[0])
    at, found = next(
        ((i, node) for i in range(outermost + 1) if (node := _of_the_api(call_at(*stack[i]), parameter)) is not None),
        (0, None),
    )
    while found is not None and stack[at] != shown[0]:
        at += 1
        if at == len(stack) or not isinstance(found, ast.Name):
            return None
        found = _handed(stack[at - 1], stack[at], found.id)
    return ast.unparse(found) if found is not None and _is_plain(found) else None


def argument_names(points: Iterable[Point]) -> set[str]:
    """The arguments of the program's call at *points* that are names, or attributes and elements of such."""
    shown = program_points(points)
    call = call_at(*shown[0]) if shown else None
    return {ast.unparse(argument) for argument in call.args if _is_plain(argument)} if call is not None else set()


def _of_the_api(call: ast.Call | None, parameter: str) -> ast.expr | None:
    """What *call* has for *parameter*: one of the API, or one that gets the function to call with what stands behind it."""
    if call is None:
        return None
    if isinstance(call.func, ast.Subscript):  # kernel[blocks, stream](...)
        where = call.func.slice
        return where.elts[1] if parameter == "stream" and isinstance(where, ast.Tuple) and len(where.elts) > 1 else None
    name = _last_name(call.func)
    index = _place(name, parameter)
    if index is None:
        places = ((i, _place(_function_in(argument), parameter)) for i, argument in enumerate(call.args))
        index = next((i + 1 + place for i, place in places if place is not None), None)
    if index is None:
        return None
    if any(isinstance(argument, ast.Starred) for argument in call.args[: index + 1]):
        return None
    return call.args[index] if index < len(call.args) else _keyword(call, parameter)


def _function_in(argument: ast.expr) -> str:
    """The name of the function of the API that *argument* may be: ``acl.rt.free``, ``"free"``."""
    if isinstance(argument, ast.Constant):
        return argument.value if isinstance(argument.value, str) else ""
    return _last_name(argument)


def _handed(inner: Point, outer: Point, name: str) -> ast.expr | None:
    """What the call at *outer* has for parameter *name* of the function of *inner*."""
    function, call = function_of(inner[0]), call_at(*outer)
    if not isinstance(function, _FUNCTIONS) or call is None:
        return None
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    if name not in names or any(isinstance(argument, ast.Starred) for argument in call.args):
        return _keyword(call, name)
    index = names.index(name)
    if names[0] in ("self", "cls") and isinstance(call.func, ast.Attribute):
        index -= 1
    return call.args[index] if 0 <= index < len(call.args) else _keyword(call, name)


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _last_name(function: ast.expr) -> str:
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def _is_plain(node: ast.expr) -> bool:
    """Whether *node* is a name, or an attribute or element of such, by a constant or a name."""
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.Attribute):
        return _is_plain(node.value)
    if isinstance(node, ast.Subscript):
        return _is_plain(node.value) and (isinstance(node.slice, ast.Constant) or _is_plain(node.slice))
    return False


@cache
def _place(name: str, parameter: str) -> int | None:
    """The place of *parameter* in the function whose name ends with *name*: one of C, or of pyACL."""
    known = functions().get(name)
    if known is not None:
        names = [p.name for p in known.inputs]
    else:
        line = next((module[name] for module in rows().values() if name in module), "\t")
        names = line.split("\t")[1].split(",")
    return names.index(parameter) if parameter in names else None


def call_at(code: CodeType, lasti: int) -> ast.Call | None:
    """The call that stands at an instruction; None when the source is not there, or (3.10) its line has several."""
    tree = tree_of(code.co_filename)
    if tree is None:
        return None
    line, positions = line_number(code, lasti), columns_of(code, lasti)
    kinds = ast.Call if positions is None else (ast.Call, ast.Await)  # a coroutine stands at the await of its call
    here = [
        node for node in nodes_at(tree, line, positions) if isinstance(node, kinds) and holds(node, line, positions)
    ]
    if positions is not None:
        where = (positions[0], positions[2], positions[1], positions[3])
        here = [c for c in here if (c.lineno, c.col_offset, c.end_lineno, c.end_col_offset) == where]
    if len(here) != 1:
        return None
    found = here[0].value if isinstance(here[0], ast.Await) else here[0]
    return found if isinstance(found, ast.Call) else None
