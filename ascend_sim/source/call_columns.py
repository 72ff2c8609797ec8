"""Columns of calls on Python 3.10, whose code objects know lines only: calls of a line are counted off in its tree.

Instructions come in the order in which a line is evaluated. So the third call instruction of a line of a function is
the third call there in its syntax tree, if there are as many; where there are not (a decorator, a rewritten assertion),
nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any

from ascend_sim.source.syntax import tree_of

if TYPE_CHECKING:
    import ast

__all__ = ["columns_by_count"]

Columns = tuple[int, int, int, int]


@lru_cache(maxsize=512)
def columns_by_count(code: CodeType, file: str) -> dict[int, Columns]:
    """(line, end line, start column, end column) of calls in *code* of *file*, by the offsets of their instructions."""
    tree = tree_of(file)
    scope = None if tree is None else _scope_of(tree, code)
    if scope is None:
        return {}
    called: dict[int, list[int]] = {}
    for offset, line in _call_instructions(code):
        called.setdefault(line, []).append(offset)
    written: dict[int, list[Any]] = {}
    prefixes = set()
    for node in _calls(scope, top=True):
        if node is scope:
            continue
        if type(node).__name__ in ("With", "AsyncWith"):
            prefixes.add(node.lineno)
        else:
            written.setdefault(node.lineno, []).append(node)
    found: dict[int, Columns] = {}
    for line, offsets in called.items():
        nodes = written.get(line)
        if not nodes:
            continue
        if line in prefixes:  # at the end of the block it is left, by calls of this line too
            pairs = list(zip(offsets, nodes, strict=False))
        elif len(offsets) % len(nodes):
            continue
        else:  # what stands in `finally`, or behind `while`, is there more than once
            pairs = [(offset, nodes[i % len(nodes)]) for i, offset in enumerate(offsets)]
        for offset, node in pairs:
            found[offset] = node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
    return found


def _call_instructions(code: CodeType) -> Iterator[tuple[int, int]]:
    import dis

    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        if instruction.starts_line is not None:
            line = int(instruction.starts_line)
        if instruction.opname in ("CALL_FUNCTION", "CALL_FUNCTION_KW", "CALL_FUNCTION_EX", "CALL_METHOD"):
            yield instruction.offset, line


_COMPREHENSIONS = {"ListComp": "<listcomp>", "SetComp": "<setcomp>", "DictComp": "<dictcomp>", "GeneratorExp": "<genexpr>"}
_NAMES = {**_COMPREHENSIONS, "Lambda": "<lambda>"}
_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef")


def _scope_of(tree: ast.Module, code: CodeType) -> Any:
    """The node whose code this is; None when several could be it."""
    import ast

    if code.co_name == "<module>":
        return tree
    found = []
    for node in ast.walk(tree):
        kind = type(node).__name__
        if kind in (*_FUNCTIONS, "ClassDef"):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])  # type: ignore[attr-defined]
            name = node.name  # type: ignore[attr-defined]
        elif kind in _NAMES:
            first, name = node.lineno, _NAMES[kind]  # type: ignore[attr-defined]
        else:
            continue
        if (first, name) == (code.co_firstlineno, code.co_name):
            found.append(node)
    return found[0] if len(found) == 1 else None


def _calls(node: Any, top: bool = False) -> Iterator[Any]:
    """Calls in the order in which they are made, comprehensions (which are calls too), and `with` statements."""
    import ast

    kind = type(node).__name__
    if kind in _COMPREHENSIONS and not top:
        yield from _calls(node.generators[0].iter)
        yield node
        return
    if kind == "Lambda" and not top:
        for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
            yield from _calls(default)
        return
    if kind in _COMPREHENSIONS:
        parts = _parts_of_comprehension(node)
    elif kind in (*_FUNCTIONS, "ClassDef"):
        if not top:
            return  # a definition that is decorated calls: its line is not counted
        parts = node.body
    elif kind == "Lambda":
        parts = [node.body]
    elif kind in ("Assign", "AnnAssign", "AugAssign"):
        targets = node.targets if kind == "Assign" else [node.target]
        parts = [*targets, node.value] if kind == "AugAssign" else [node.value, *targets]
    elif kind in ("For", "AsyncFor"):
        parts = [node.iter, node.target, *node.body, *node.orelse]
    elif kind == "Dict":
        parts = [part for pair in zip(node.keys, node.values, strict=True) for part in pair]
    else:
        parts = list(ast.iter_child_nodes(node))
    for part in parts:
        if part is not None:
            yield from _calls(part)
    if kind in ("Call", "With", "AsyncWith"):
        yield node


def _parts_of_comprehension(node: Any) -> list[Any]:
    """What the code of a comprehension evaluates, in its order: all but the first iterable."""
    parts: list[Any] = []
    for i, generator in enumerate(node.generators):
        parts += [*([generator.iter] if i else []), generator.target, *generator.ifs]
    return [*parts, *((node.key, node.value) if type(node).__name__ == "DictComp" else (node.elt,))]
