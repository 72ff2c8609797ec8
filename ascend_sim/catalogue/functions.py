"""The C functions of AscendCL as data: names, parameters, which are outputs, which product has them.

One line of ``data/functions.tsv`` is one function of the headers. Roles follow the tags of the headers, corrected where a
page or pyACL's own use says otherwise: for instance the *info* of ``aclrtGetArgsFromExceptionInfo`` is an input.
The file is read once; the parameters of a function are parsed when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, cast

from ascend_sim.catalogue.tables import lines, rows

__all__ = ["PRODUCTS", "SIZES", "Function", "Kind", "Parameter", "Role", "c_kind", "functions", "unknown", "unlisted"]

Role = Literal["in", "in-array", "in-pointer", "return", "inout", "array-out", "object", "buffer"]
Kind = Literal[
    "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64",
    "handle", "pointer", "array", "struct", "string", "function", "void",
]  # fmt: skip

SIZES = {
    "i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "f32": 4, "i64": 8, "u64": 8, "f64": 8, "handle": 8,
}  # fmt: skip
"""Bytes of a number in C, by its kind."""

#: The columns of :attr:`Function.support`, in order.
PRODUCTS = ("950", "A3", "A2", "200I/500 A2", "inference", "training", "IPV350")

_COLUMNS = "name returns tier chapter support flags module effects parameters"
_OUTPUTS = frozenset({"return", "array-out", "inout"})
_INPUTS = frozenset({"in", "in-array", "in-pointer", "object", "buffer", "inout"})


@cache
def _types() -> dict[str, str]:
    """Type names without stars: a number, "handle" (a typedef of ``void*``), "opaque" (only pointers occur), ..."""
    return dict(rows("c_types.tsv", "name kind"))  # enums with a negative member are int, else unsigned


@cache
def _himpi_types() -> dict[str, str]:
    """As `_types`, of the second interface of the media units."""
    found: dict[str, str] = {}
    for name, kind, text in rows("himpi_types.tsv", "name kind text"):
        if kind == "typedef":
            found[name] = _types().get(text) or found[text]
        elif kind != "constant":
            found[name] = "u32" if kind == "enum" else "struct"
    return found


@cache
def c_kind(ctype: str) -> Kind:
    """What a value of the C type *ctype* is in Python: a number of some width, a handle, an address, ...

    ``T*`` of an opaque struct and the typedefs of ``void*`` are handles, ``void*`` is a pointer to bytes, a pointer
    to a number or to an enum is an array, a struct (or a pointer to one) is a struct, ``const char*`` a string.

    >>> c_kind("size_t"), c_kind("aclrtStream"), c_kind("const void*"), c_kind("aclrtMemcpyKind")
    ('u64', 'handle', 'pointer', 'u32')
    """
    name = ctype.replace("const", "").strip()
    if "(*)" in name:
        return "function"
    if name.endswith("]"):
        return "array"
    base = name.rstrip("* ")
    kind = _types().get(base) or _himpi_types()[base]
    stars = name.count("*")
    if not stars:
        return cast("Kind", kind)
    if base == "void":
        return "pointer"
    if stars > 1:
        return "array"
    if base == "char":
        return "string"
    return "handle" if kind == "opaque" else "struct" if kind == "struct" else "array"


class Parameter:
    """One parameter: its C name and type, its role, and the kind of the Python value that stands for it."""

    __slots__ = ("ctype", "kind", "name", "role")

    name: str
    ctype: str
    role: Role
    #: for an output the kind of the value handed out (``aclrtStream*`` as a return: "handle"), else of the argument
    kind: Kind

    def __init__(self, name: str, ctype: str, role: Role) -> None:
        self.name = name
        self.ctype = ctype
        self.role = role
        if role in {"in-array", "array-out"}:
            self.kind = "array"
        elif role == "buffer":
            self.kind = "pointer"
        elif role in {"return", "inout"}:
            value = ctype.replace(" const", "").removesuffix("*").rstrip()
            # "void**" hands out an address; "uint64_t**" and "aclTensorDesc**" too
            self.kind = "handle" if value.endswith("*") else c_kind(value)
        else:
            self.kind = c_kind(ctype)

    @property
    def is_input(self) -> bool:
        """An argument of the Python function (an inout parameter is both)."""
        return self.role in _INPUTS

    @property
    def is_output(self) -> bool:
        """A value that the Python function hands out."""
        return self.role in _OUTPUTS

    @property
    def failure(self) -> int | None:
        """What a C caller sees in this output when the call failed: 0 in a handle, untouched (None) elsewhere."""
        return 0 if self.kind in {"handle", "pointer"} else None

    def __repr__(self) -> str:
        return f"<{self.role} {self.ctype} {self.name}>"


class Function:
    """One C function.

    ``chapter`` is its page in the manual; ``support``: Y, N or - per product; ``flags``: "d" deprecated, "t" trial or
    reserved, "u" unsafe while something is captured; ``module``: what implements it, as ``stream.event`` in `ascendcl`,
    empty when nothing does; ``effects``: the words of `catalogue.effects`.
    """

    __slots__ = (
        "_line", "_parameters", "_text", "chapter", "effects", "flags", "module", "name", "returns", "support", "tier",
    )  # fmt: skip

    name: str
    returns: str
    tier: str
    chapter: str
    support: str
    flags: str
    module: str
    effects: str

    _text: str

    def __init__(self, line: str) -> None:
        self._line = line
        self._parameters: tuple[Parameter, ...] | None = None

    def __getattr__(self, attribute: str) -> Any:
        """Read the cells of the line when one is asked for: a program uses some of 867."""
        if attribute not in Function.__slots__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {attribute!r}")
        (
            self.name, self.returns, self.tier, self.chapter, self.support, self.flags, self.module, self.effects,
            self._text,
        ) = self._line.split("\t")  # fmt: skip
        return object.__getattribute__(self, attribute)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All parameters in C order."""
        found = self._parameters
        if found is None:
            found = self._parameters = tuple(_parameter(text) for text in self._text.split(";") if text)
        return found

    @property
    def inputs(self) -> tuple[Parameter, ...]:
        """The arguments of the Python function, in C order."""
        return tuple(p for p in self.parameters if p.is_input)

    @property
    def outputs(self) -> tuple[Parameter, ...]:
        """What the Python function hands out before the code, in C order."""
        return tuple(p for p in self.parameters if p.is_output)

    @property
    def unsafe_in_capture(self) -> bool:
        """Whether open captures may bar it, with 107030 (docs/semantics/graphs.md#modes)."""
        return "u" in self.flags

    @property
    def returns_code(self) -> bool:
        """Whether the C function returns an aclError (the others return their value alone)."""
        return self.returns == "aclError"

    @property
    def failure(self) -> Any:
        """The values handed out before the code when a call fails; for a function without a code, its value."""
        if self.returns_code:
            return tuple(p.failure for p in self.outputs)
        kind = c_kind(self.returns)
        return None if kind in {"string", "void"} else 0.0 if kind in {"f32", "f64"} else 0

    def __repr__(self) -> str:
        return f"<{self.returns} {self.name}({', '.join(f'{p.ctype} {p.name}' for p in self.parameters)})>"


@cache  # "stream:aclrtStream" occurs 117 times
def _parameter(text: str) -> Parameter:
    name, ctype, *role = text.split(":")
    return Parameter(name, ctype, cast("Role", role[0] if role else "in"))


@cache
def functions() -> Mapping[str, Function]:
    """All functions by their C name, in the order of the headers."""
    return {row[: row.index("\t")]: Function(row) for row in lines("functions.tsv", _COLUMNS)}


def unlisted(name: str, returns: str, tier: str, chapter: str, parameters: str) -> Function:
    """A function that the table does not list. *parameters*: as they stand there."""
    return Function("\t".join((name, returns, tier, chapter, "-------", "", "", "-", parameters)))


def unknown(name: str) -> Function:
    """A function that takes nothing, for a name that the headers do not have (acldvppMalloc)."""
    return unlisted(name, "aclError", "C", "not in the catalogue", "")
