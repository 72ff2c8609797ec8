"""The enums of the C headers as data: one line of ``data/enums.tsv`` is one enum."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ascend_sim.catalogue.tables import rows

__all__ = ["enums"]


@cache
def enums() -> Mapping[str, tuple[str, ...]]:
    """The members of each enum as ``NAME=value``, in the order of the headers, without those that are deprecated.

    >>> enums()["aclrtRunMode"]
    ('ACL_DEVICE=0', 'ACL_HOST=1')
    """
    table = rows("enums.tsv", "enum module members deprecated")
    return {name: tuple(members.split(" ")) for name, _, members, _ in table}
