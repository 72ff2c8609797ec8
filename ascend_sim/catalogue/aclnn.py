"""The aclnn operators as data: the signatures of both phases, and of the functions for their tensors, scalars and lists.

One line of ``data/aclnn.tsv`` is one operator with the parameters of ``NAMEGetWorkspaceSize``, without the two outputs that
every one of them ends with; ``NAME`` itself takes a workspace, its size, an executor and a stream.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import attrs

from ascend_sim.catalogue.tables import lines, rows

__all__ = ["ObjectFunction", "Operator", "OperatorParameter", "object_functions", "operators"]


@attrs.frozen
class OperatorParameter:
    """One parameter. *role*: ``in``, ``out`` or ``inout``; *optional*: it may be NULL."""

    name: str
    ctype: str
    role: str = "in"
    optional: bool = False


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
            cells = [text.split(":") for text in self._text.split(";") if text]
            found = self._parameters = tuple(
                OperatorParameter(name, ctype, role.removesuffix("?"), role.endswith("?"))
                for name, ctype, role in cells
            )
        return found


@attrs.frozen
class ObjectFunction:
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
