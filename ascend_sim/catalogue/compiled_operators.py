"""Operators of torch_npu that no function of aclnn computes: they compile single operators by name.

A line of ``data/torch_compiled.tsv`` is an operator of torch and the types that it compiles (aclopCompileAndExecute), with
spaces between; none where it only puts other operators together.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ascend_sim.catalogue.tables import rows

__all__ = ["compiled_operators"]


@cache
def compiled_operators() -> Mapping[str, tuple[str, ...]]:
    """The types of each.

    >>> compiled_operators()["npu_silu"]
    ('Swish',)
    """
    return {name: tuple(types.split()) for name, types in rows("torch_compiled.tsv", "operator types")}
