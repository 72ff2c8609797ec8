"""The enums of the C headers as data: one line of ``data/enums.tsv`` is one enum."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ascend_sim.catalogue.tables import lines

__all__ = ["Enum", "enums"]


class Enum:
    """One enum. *members* and *deprecated* ones are ``NAME=value``; *module* is the module of ``constants/``."""

    __slots__ = ("deprecated", "members", "module", "name")

    def __init__(self, line: str) -> None:
        self.name, self.module, members, deprecated = line.split("\t")
        self.members, self.deprecated = members.split(), deprecated.split()


@cache
def enums() -> Mapping[str, Enum]:
    """All enums by their C name, in the order of the headers.

    >>> enums()["aclrtRunMode"].members
    ['ACL_DEVICE=0', 'ACL_HOST=1']
    """
    return {enum.name: enum for enum in map(Enum, lines("enums.tsv", "enum module members deprecated"))}
