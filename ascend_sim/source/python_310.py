"""What code objects of Python 3.10 do not know, found in the syntax tree: columns of calls, qualified names.

Instructions come in the order in which a line is evaluated. So the third call instruction of a line of a function is
the third call there in its syntax tree, if there are as many; where there are not (a decorator, a rewritten assertion),
nothing is said. The module is imported on 3.10 only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any

from ascend_sim.source.syntax import tree_of

if TYPE_CHECKING:
    import ast

__all__ = ["columns_by_count", "qualified_name"]

Columns = tuple[int, int, int, int]


def columns_by_count(code: CodeType) -> dict[int, Columns]:
    """(line, end line, start column, end column) of calls in *code*, by the offsets of their instructions."""
    tree = _tree_of(code.co_filename)
    return {} if tree is None else _columns(code, code.co_filename, tree)


def _tree_of(file: str) -> ast.Module | None:
    try:
        return tree_of(file)
    except (RecursionError, MemoryError, SystemError):
        return None  # that may be the moment: columns are no reason to lose the place


@lru_cache(maxsize=512)
def _columns(code: CodeType, file: str, tree: ast.Module) -> dict[int, Columns]:
    scope, _ = _scope_of(tree, code)
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


def qualified_name(code: CodeType) -> str:
    """``Part.__init__``, as later versions say it without ``<locals>``; the bare name where the tree does not tell."""
    tree = _tree_of(code.co_filename)
    return code.co_name if tree is None else _scope_of(tree, code)[1]


def _call_instructions(code: CodeType) -> Iterator[tuple[int, int]]:
    import dis

    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        if instruction.starts_line is not None:
            line = int(instruction.starts_line)
        if instruction.opname in ("CALL_FUNCTION", "CALL_FUNCTION_KW", "CALL_FUNCTION_EX", "CALL_METHOD"):
            yield instruction.offset, line


_COMPREHENSIONS = {
    "ListComp": "<listcomp>",
    "SetComp": "<setcomp>",
    "DictComp": "<dictcomp>",
    "GeneratorExp": "<genexpr>",
}
_NAMES = {**_COMPREHENSIONS, "Lambda": "<lambda>"}
_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef")


def _scope_of(tree: ast.Module, code: CodeType) -> tuple[Any, str]:
    """The node whose code this is, and its qualified name; None and the bare name when several could be it."""
    if code.co_name == "<module>":
        return tree, "<module>"
    found = [each for each in _scopes(tree, "") if each[2] == (code.co_firstlineno, code.co_name)]
    return found[0][:2] if len(found) == 1 else (None, code.co_name)


def _scopes(above: Any, path: str) -> Iterator[tuple[Any, str, tuple[int, str]]]:
    """The nodes below *above* that have code of their own, their qualified names, and first line and name of the code."""
    import ast

    for node in ast.iter_child_nodes(above):
        kind = type(node).__name__
        if kind in (*_FUNCTIONS, "ClassDef"):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])  # type: ignore[attr-defined]
            name = node.name  # type: ignore[attr-defined]
        elif kind in _NAMES:
            first, name = node.lineno, _NAMES[kind]  # type: ignore[attr-defined]
        else:
            yield from _scopes(node, path)
            continue
        qualified = f"{path}.{name}" if path else name
        yield node, qualified, (first, name)
        yield from _scopes(node, qualified)


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
