"""The English sentences that a module can say: its literals, but for docstrings, help texts, patterns and code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from ascend_sim.findings.languages import english_words

__all__ = ["sentences"]

FEWEST_WORDS = 3
HELP = ("help", "description", "epilog", "usage", "prog")
"""Keywords whose texts have a table of their own."""
_CODE = re.compile(
    r"\(\?|\\[sdw]|^(import|from|def|class|for|await|with|assert) |^[\w., \[\]\"]+ = |;$|;  //|\)  #|^\w+\.\w+\("
    r"|[{}]|</?\w+|^#(include|define)|^(usage: )?ascend-sim [a-z]"
)
"""Patterns, lines of code and pages, commands to type."""


def sentences(source: str, apart: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """(line, sentence) of the module *source*; ``XX`` stands where a value is put in, ``'XX'`` for one in quotes.

    *apart*: whether a whole literal has a table of its own.
    """
    tree = ast.parse(source)
    docstrings = {
        id(statement.value)
        for node in ast.walk(tree)
        if not isinstance(node, ast.Lambda | ast.IfExp)
        for statement in getattr(node, "body", ())
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    }
    for line, text in _literals(tree, docstrings):
        for part in text.split("\n") if not apart(text) else ():
            sentence = part.strip(" #")
            if " " in sentence and len(english_words(sentence)) >= FEWEST_WORDS and not _CODE.search(sentence):
                yield line, sentence


def _literals(node: ast.AST, docstrings: set[int]) -> Iterator[tuple[int, str]]:
    if id(node) in docstrings or (isinstance(node, ast.keyword) and node.arg in HELP):
        return
    text = _text(node)
    if text is None:
        for child in ast.iter_child_nodes(node):
            yield from _literals(child, docstrings)
        return
    assert isinstance(node, ast.expr)
    yield node.lineno, text
    for value in getattr(node, "values", ()):
        if isinstance(value, ast.FormattedValue):
            yield from _literals(value.value, docstrings)


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(value) or "" for value in node.values)
    if isinstance(node, ast.FormattedValue):
        return "'XX'" if node.conversion == ord("r") else "XX"
    return None
