"""No fused operator counts as done without a test: each name stands in a test of the file of its topic."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the bodies on CPU tensors need torch")

from ascend_sim.aclnn.bodies import TORCH_BODIES

TOPICS = ("fused_norms", "gated_units", "quantization", "rotary")
HERE = Path(__file__).parent


def _tested(topic: str) -> set[str]:
    """Names that a test function of the topic's file calls or is parametrised with."""
    tree = ast.parse((HERE / f"test_{topic}.py").read_text(encoding="utf-8"))
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    constants = [node for test in tests for node in ast.walk(test) if isinstance(node, ast.Constant)]
    return {node.value for node in constants if isinstance(node.value, str) and node.value.startswith("aclnn")}


@pytest.mark.parametrize("topic", TOPICS)
def test_every_name_is_compared_with_a_plain_reference(topic):
    module = importlib.import_module(f"ascend_sim.aclnn.on_torch.{topic}")
    names = {name for name, body in TORCH_BODIES.items() if body.__module__ == module.__name__}
    assert names
    assert names <= _tested(topic), sorted(names - _tested(topic))
