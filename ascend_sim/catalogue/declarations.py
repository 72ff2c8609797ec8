"""What the C headers declare beside functions, enums and structs: typedefs, and which header has which function."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ascend_sim.catalogue.tables import rows

__all__ = ["FunctionType", "Typedef", "function_types", "headers", "typedefs"]


class Typedef(NamedTuple):
    """One typedef. *kind*: ``alias``, ``opaque`` (a struct that only pointers lead to), or ``function``."""

    name: str
    kind: str
    target: str


class FunctionType(NamedTuple):
    """The type of a function that programs hand over: what it returns, and the types of its parameters."""

    returns: str
    parameters: tuple[str, ...]


@cache
def typedefs() -> tuple[Typedef, ...]:
    """All typedefs, in the order of the headers."""
    return tuple(Typedef(name, kind, target) for name, kind, target in rows("typedefs.tsv", "name kind target"))


@cache
def headers() -> Mapping[str, tuple[str, ...]]:
    """The functions of each header, which has the path as programs include it: ``acl/acl_rt.h``."""
    return {header: tuple(names.split()) for header, names in rows("headers.tsv", "header functions")}


def parsed(text: str) -> FunctionType:
    """The type of ``void (*)(aclrtStream stm, void* args)``; names of parameters may be missing.

    >>> parsed("int32_t (*)(const acldumpChunk*, int32_t)").parameters
    ('const acldumpChunk*', 'int32_t')
    """
    returns, _, rest = text.partition("(*)(")
    parameters = []
    for part in rest.rpartition(")")[0].split(","):
        words = part.replace("[]", "").replace("*", "* ").split()
        if len(words) > 1 and words[-1].isidentifier() and (len(words) > 2 or words[0] != "const"):
            name = words.pop()
            if name in ("int", "void"):
                words.append(name)
        ctype = " ".join(words).replace(" *", "*")
        parameters.append(ctype + "*" if "[]" in part else ctype)
    return FunctionType(returns.strip(), tuple(parameters))


@cache
def function_types() -> Mapping[str, FunctionType]:
    """The types of functions that programs hand over, by the name of the typedef."""
    return {typedef.name: parsed(typedef.target) for typedef in typedefs() if typedef.kind == "function"}
