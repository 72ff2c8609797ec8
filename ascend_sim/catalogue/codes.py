"""Return codes: their names, and what they mean (``data/error_codes.tsv``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ascend_sim.catalogue.tables import rows

__all__ = ["Code", "codes"]


class Code(NamedTuple):
    """One return code. ``group`` says who is at fault: "acl caller", "rt resource", "ge internal", ..."""

    value: int
    name: str
    group: str
    meaning: str


@cache
def codes() -> Mapping[int, Code]:
    """All codes by value; 0 is ACL_SUCCESS (the file lists its other spellings first).

    >>> codes()[107002].name
    'ACL_ERROR_RT_CONTEXT_NULL'
    """
    found = rows("error_codes.tsv", "value name group meaning")
    return {int(value): Code(int(value), name, group, meaning) for value, name, group, meaning in found}
