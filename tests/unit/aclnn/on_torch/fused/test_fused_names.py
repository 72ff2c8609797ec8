"""No fused operator counts as done without a test: each name stands in a test of the file of its topic."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from pkgutil import iter_modules

import pytest

pytest.importorskip("torch", reason="the bodies on CPU tensors need torch")

from ascend_sim.aclnn.bodies import TORCH_BODIES
from ascend_sim.aclnn.on_torch import fused

HELPERS = ("attention", "named")
"""Modules without operators: what those of the topics share."""
TOPICS = [name for name in (found.name for found in iter_modules(fused.__path__)) if name not in HELPERS]
HERE = Path(__file__).parent


def _strings(node: ast.AST) -> set[str]:
    constants = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return {text for text in constants if isinstance(text, str) and text.startswith("aclnn")}


def _tested(topic: str) -> set[str]:
    """Names that a test function of the topic's file calls or is parametrised with, lists of the file included."""
    tree = ast.parse((HERE / f"test_{topic}.py").read_text(encoding="utf-8"))
    assigned = [part for part in tree.body if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)]
    lists = {part.targets[0].id: _strings(part) for part in assigned}
    found = set()
    for test in tree.body:
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            found |= _strings(test)
            used = {part.id for part in ast.walk(test) if isinstance(part, ast.Name)}
            found |= set().union(*(names for name, names in lists.items() if name in used))
    return found


@pytest.mark.parametrize("topic", TOPICS)
def test_every_name_is_compared_with_a_plain_reference(topic):
    module = importlib.import_module(f"{fused.__name__}.{topic}")
    names = {name for name, body in TORCH_BODIES.items() if body.__module__ == module.__name__}
    assert names
    assert names <= _tested(topic), sorted(names - _tested(topic))
