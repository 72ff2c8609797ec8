"""``acl.himpi``: the second media interface with dicts in place of the structs of C. What is not modelled says so.

A key that is missing is 0 (docs/semantics/pyacl.md#lists-and-dicts). The codes are those of the interface, as unsigned
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ascend_sim.ascendcl.api import build_of
from ascend_sim.ascendcl.himpi import bodies
from ascend_sim.catalogue.functions import Function, unlisted
from ascend_sim.catalogue.himpi import himpi_function, himpi_functions

__all__ = ["FUNCTIONS", "MODELLED", "as_dict", "as_list", "kernel_of", "regions_of"]

KERNEL = 5


def as_dict(value: Any, what: str) -> Mapping[str, Any]:
    """*value* if it is a dict. Raises TypeError."""
    if not isinstance(value, dict):
        raise TypeError(f"the {what} argument is not dict")
    return value


def as_list(value: Any, struct: str) -> list[Any]:
    """*value* if it is a list. Raises TypeError."""
    if not isinstance(value, list):
        raise TypeError(f"{struct} argument is not list")
    return value


def regions_of(value: Any, count: int | None, struct: str, what: str = "") -> list[Mapping[str, Any]]:
    """The dicts of a list with *count* elements; None: however many. Raises TypeError."""
    given = as_list(value, struct)
    if count is not None and len(given) != count:
        raise TypeError(f"the lenth of {what} info is not equal with count!")
    return [as_dict(one, struct) for one in given]


def kernel_of(value: Any) -> list[list[int]] | None:
    """A filter of 5 x 5 numbers of 8 bits; None stays None. Raises TypeError."""
    if value is None:
        return None
    rows: list[Any] = value if isinstance(value, list) else []
    sound = len(rows) == KERNEL and all(isinstance(row, list) and len(row) == KERNEL for row in rows)
    if not sound or not all(isinstance(one, int) and -128 <= one <= 127 for row in rows for one in row):
        raise TypeError("gaussian_filter argument is not a 5*5 int8 list")
    return rows


def _function(name: str) -> Function:
    """The one of this name as Python calls it: the inputs of its body, and what it hands out."""
    known, native = himpi_functions()[name], himpi_function(name)
    taken = [f"{p.variable}:void*" for p in known.inputs]
    given = [f"{p.variable}:void*:return" for p in known.parameters if p.is_output or p.role == "inout"]
    return unlisted(name, native.returns, "D", native.chapter, ";".join([*taken, *given]))


class _Built(Mapping[str, Callable[..., Any]]):
    """By the C name: what the functions of the module call. Each is made when it is first asked for."""

    def __init__(self) -> None:
        self._made: dict[str, Callable[..., Any]] = {}

    def __getitem__(self, name: str) -> Callable[..., Any]:
        made = self._made.get(name)
        if made is None:
            function = _function(name)
            body = bodies()[name]
            made = build_of(function, body, tuple(p.name for p in function.inputs))
            made.__doc__ = body.__doc__  # its prototype in C would be another one
            self._made[name] = made
        return made

    def __contains__(self, name: object) -> bool:
        return name in bodies()

    def __iter__(self) -> Iterator[str]:
        return iter(bodies())

    def __len__(self) -> int:
        return len(bodies())


FUNCTIONS: Mapping[str, Callable[..., Any]] = _Built()
MODELLED = FUNCTIONS
"""Of headers that the catalogue lacks (`generate.compile_row`)."""
