"""The aclnn operators as data: the signatures of both phases, and of the functions for their tensors, scalars and lists.

One line of ``data/aclnn.tsv`` is one operator with the parameters of ``NAMEGetWorkspaceSize``, without the two outputs that
every one of them ends with; ``NAME`` itself takes a workspace, its size, an executor and a stream. A parameter is a cell
``name:C type:role``; a role that ends with ``?`` is of one that may be NULL. A fourth part says which data types a
tensor may have, a letter each (`DATA_TYPES`), or ``=other``: the one of that parameter.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from ascend_sim.catalogue.tables import lines, rows

__all__ = ["DATA_TYPES", "ObjectFunction", "Operator", "OperatorParameter", "object_functions", "operators"]


DATA_TYPES: Mapping[str, int] = MappingProxyType({
    "f": 0, "h": 1, "c": 2, "i": 3, "B": 4, "s": 6, "S": 7, "I": 8, "l": 9, "L": 10, "d": 11, "?": 12, "F": 16, "D": 17,
    "b": 27, "n": 29, "E": 33, "y": 34, "z": 35, "w": 36, "x": 37, "p": 40, "q": 41,
})  # fmt: skip
"""The aclDataType of a letter: ``b`` is bfloat16, ``E F D`` are complex, ``n`` int4, ``y z w x`` of 8 bits, ``p q`` of 4;
the others as numpy has them."""


class OperatorParameter(NamedTuple):
    """One parameter. *role*: ``in``, ``out`` or ``inout``; *optional*: it may be NULL.

    *types*: the aclDataTypes that it may have, none for all; *like*: the parameter whose data type it has.
    """

    name: str
    ctype: str
    role: str = "in"
    optional: bool = False
    types: frozenset[int] = frozenset()
    like: str = ""


def _parameter(text: str) -> OperatorParameter:
    name, ctype, role, *rest = text.split(":")
    letters = rest[0] if rest else ""
    like = letters[1:] if letters.startswith("=") else ""
    types = frozenset(() if like else map(DATA_TYPES.__getitem__, letters))
    return OperatorParameter(name, ctype, role.removesuffix("?"), role.endswith("?"), types, like)


class Operator:
    """One operator. *header*: the file that declares it, without its folder and ending."""

    __slots__ = ("_parameters", "_text", "header", "name")

    def __init__(self, line: str) -> None:
        self.name, self.header, self._text = line.split("\t")
        self._parameters: tuple[OperatorParameter, ...] | None = None

    @property
    def parameters(self) -> tuple[OperatorParameter, ...]:
        """Those of the first phase, without the size of the workspace and the executor."""
        found = self._parameters
        if found is None:
            found = self._parameters = tuple(_parameter(text) for text in self._text.split(";") if text)
        return found


class ObjectFunction(NamedTuple):
    """A function that makes, asks or destroys a tensor, a scalar or a list; parameters are (name, C type, role)."""

    name: str
    returns: str
    parameters: tuple[tuple[str, str, str], ...]


@cache
def operators() -> Mapping[str, Operator]:
    """All operators by their C name.

    >>> [(p.name, p.role) for p in operators()["aclnnAdd"].parameters]
    [('self', 'in'), ('other', 'in'), ('alpha', 'in'), ('out', 'out')]
    """
    return {line[: line.index("\t")]: Operator(line) for line in lines("aclnn.tsv", "name header parameters")}


@cache
def object_functions() -> Mapping[str, ObjectFunction]:
    """The functions of acl_meta.h by name."""
    found = {}
    for name, returns, text in rows("aclnn_objects.tsv", "name returns parameters"):
        cells = [part.split(":") for part in text.split(";") if part]
        parameters = tuple((cell[0], cell[1], cell[2] if len(cell) > 2 else "in") for cell in cells)
        found[name] = ObjectFunction(name, returns, parameters)
    return found
