"""Of which kind an operator is: which rule its shapes and types follow, and on what its task runs.

A line of ``data/aclnn_kinds.tsv`` is a kind of operators: the rule of its shapes, of which type the result is (``same``:
what the operands are promoted to, ``float``: that, but float for integers, ``bool``, or ``any``), what the cost goes by,
and the names without their ``aclnn``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import attrs

from ascend_sim.catalogue.tables import rows

__all__ = ["OTHER", "Kind", "kinds"]


@attrs.frozen
class Kind:
    """*rule*: elementwise, rows, reduce, matmul, masked, sampled or other; *cost*: vector, cube or attention."""

    rule: str
    result: str
    cost: str


OTHER = Kind("other", "any", "vector")
"""Operators that the table does not name."""


@cache
def kinds() -> Mapping[str, Kind]:
    """The kind of an operator by its C name.

    >>> kinds()["aclnnExp"]
    Kind(rule='elementwise', result='float', cost='vector')
    """
    found = {}
    for rule, result, cost, names in rows("aclnn_kinds.tsv", "kind result cost names"):
        found.update(dict.fromkeys(map("aclnn".__add__, names.split()), Kind(rule, result, cost)))
    return found
