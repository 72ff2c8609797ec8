"""The variables of the program that results of calls go to: what a report calls an object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from types import CodeType

from ascend_sim.source.callsite import Point, by_identity, columns_of, line_number, native_place, resolve, source_line
from ascend_sim.source.fence import fenced
from ascend_sim.source.frames import outside, program_points
from ascend_sim.source.syntax import function_of, holds, nodes_at, tree_of

__all__ = ["item_write", "unpacked_names", "variable_name", "variable_of"]


@fenced(lambda points: None)
@by_identity
def variable_of(points: Iterable[Point]) -> str | None:
    """The variable that what was made at *points* went to; of a function that only hands it on, its caller's.

    An attribute of an object that is just being made, ``self.handle``, is one of the variable that gets the object.
    """
    points = tuple(points)
    own = outside(points)
    if own and native_place(own[0][0]) is not None:  # which looks at the functions that only hand it on itself
        return _variable_of(own)
    return _variable_of(program_points(points)) or _variable_of(points)


def _variable_of(points: Sequence[Point]) -> str | None:
    place = native_place(points[0][0]) if points else None
    if place is not None:
        return place.variable([caller for code, _ in points[1:] if (caller := native_place(code)) is not None])
    found = None
    made_in = ""
    for code, lasti in points:
        if made_in and code.co_name == "__init__":
            continue  # of a class above
        name = variable_name(code, lasti)
        if made_in:
            return f"{name}.{made_in}" if name is not None else found
        if name is None:
            if found is not None or not _passes_out(code, lasti):
                break
            continue
        found = name
        if code.co_name == "__init__" and code.co_argcount and name.startswith(code.co_varnames[0] + "."):
            made_in = name.partition(".")[2]
            continue
        if name not in code.co_varnames or not _gives_away(code, name):
            break
    return found


@lru_cache(maxsize=1024)
def _passes_out(code: CodeType, lasti: int) -> bool:
    """Whether the result of the call at this place goes to who called the function: it is returned, or yielded.

    So does what a comprehension makes, and where the source is not there nobody can tell.
    """
    import ast

    if code.co_name.startswith("<") and code.co_name != "<module>":  # a lambda, a comprehension
        return True
    function = function_of(code)
    if function is None:
        return True
    line, positions = line_number(code, lasti), columns_of(code, lasti)
    ways = (ast.Return, ast.Yield, ast.YieldFrom)
    return any(isinstance(node, ways) and holds(node, line, positions) for node in nodes_at(function, line, positions))


@lru_cache(maxsize=1024)  # a program that hangs often makes the same objects in the same functions
def _gives_away(code: CodeType, name: str) -> bool:
    """Whether the function of *code* ends with ``return name``: the last two instructions say so."""
    import dis

    last = [i for i in dis.get_instructions(code) if i.opname not in ("NOP", "CACHE", "RESUME")][-2:]
    return len(last) == 2 and last[1].opname == "RETURN_VALUE" and last[0].argval == name


@fenced(lambda code, lasti: None)
def variable_name(code: CodeType, lasti: int) -> str | None:
    """The variable that the result of the call at this place is first assigned to: ``out``, ``self.stream``.

    For a tuple target (``ptr, ret = acl.rt.malloc(...)``) it is the first element. None when the call is not the value
    of an assignment (docs/semantics/reports.md#names).
    """
    return _variable_name(code, lasti, code.co_filename)


@lru_cache(maxsize=4096)  # walking a file's tree takes milliseconds, and a program that hangs often hangs at one place
def _variable_name(code: CodeType, lasti: int, file: str) -> str | None:
    import ast

    place = native_place(code)
    if place is not None:
        return place.variable()
    line = line_number(code, lasti)
    tree = tree_of(file)
    positions = columns_of(code, lasti)
    if tree is None:
        return None
    found: str | None = None
    for node in nodes_at(tree, line, positions):
        if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) or node.value is None:
            continue
        if not holds(node.value, line, positions):
            continue
        if (positions is not None or code.co_name == "<lambda>") and any(
            isinstance(part, ast.Lambda) and holds(part.body, line, positions) for part in ast.walk(node.value)
        ):
            continue  # what a lambda makes goes to its caller
        target: ast.expr = node.targets[0] if isinstance(node, ast.Assign) else node.target
        value: ast.expr = node.value
        while isinstance(target, (ast.Tuple, ast.List)) and target.elts:
            index = 0
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
                index = next((i for i, part in enumerate(value.elts) if holds(part, line, positions)), 0)
                value = value.elts[index]
            target = target.elts[index]
        if isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
            found = ast.unparse(target)
    return found


@fenced(lambda code, lasti: [])
def unpacked_names(code: CodeType, lasti: int) -> list[str]:
    """The variables that the results of one call in a loop go to: ``a, b = (make() for _ in range(2))``; else none."""
    return _unpacked_names(code, lasti, code.co_filename)


@lru_cache(maxsize=2048)
def _unpacked_names(code: CodeType, lasti: int, file: str) -> list[str]:
    import ast

    tree = tree_of(file)
    if tree is None:
        return []
    line, positions = line_number(code, lasti), columns_of(code, lasti)
    for node in nodes_at(tree, line, positions):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], (ast.Tuple, ast.List))
            and isinstance(node.value, (ast.GeneratorExp, ast.ListComp))
            and holds(node.value, line, positions)
        ):
            return [ast.unparse(target) for target in node.targets[0].elts]
    return []


@fenced(lambda code, name: (code, 0))
def item_write(code: CodeType, name: str) -> Point:
    """Where a kernel writes its parameter *name*: its one ``name[...] = ...``.

    The beginning of the kernel when there are several, or none (a view, Python 3.10).
    """
    import dis

    found: dict[int, int] = {}
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("STORE_SUBSCR", "STORE_SLICE"):
            frame = resolve(code, instruction.offset)
            text = source_line(frame.file, frame.line)
            if frame.col is not None and text[frame.col :].startswith(f"{name}["):
                found.setdefault(frame.line, instruction.offset)
    return code, next(iter(found.values())) if len(found) == 1 else 0
