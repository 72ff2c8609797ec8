"""Operators: types with a numpy function and a shape rule, and the built-in ones.

``sim.ops.register(operator)`` adds one that `op` made of a function; `describe_op` describes a stand-in for a compiled
one, which `ascend_sim.om.write` turns into bytes.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.ops.op_files import describe_op
    from ascend_sim.ops.operator import Operator, OperatorError, op

__all__ = ["Operator", "OperatorError", "describe_op", "op"]

_HOMES = {"Operator": "operator", "OperatorError": "operator", "op": "operator", "describe_op": "op_files"}


def __getattr__(name: str) -> Any:  # a simulator that has operators imports modules of this package one by one
    if name not in _HOMES:
        raise AttributeError(f"module 'ascend_sim.ops' has no attribute {name!r}")
    return getattr(importlib.import_module(f"ascend_sim.ops.{_HOMES[name]}"), name)
