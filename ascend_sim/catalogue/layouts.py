"""The structs and unions of the C headers as memory: which field is where, and how large.

One line of ``data/structs.tsv`` is one struct, its fields as in C. Offsets follow from the types by the rules of the
64-bit ABIs of x86 and Arm (natural alignment, pointers of 8 bytes, enums of 4); a test compares them with a compiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import attrs

from ascend_sim import constants
from ascend_sim.catalogue.functions import SIZES, c_kind
from ascend_sim.catalogue.tables import rows

__all__ = ["POINTER", "Field", "Struct", "declared", "himpi_structs", "structs"]

POINTER = 8
"""Bytes of an address."""


@attrs.frozen
class Field:
    """One field. *dims*: the lengths of an array, outermost first. Several fields of a union begin at the same byte."""

    name: str
    ctype: str
    """Without the array: ``char``, ``uint32_t*``, ``aclrtMemLocation``."""
    dims: tuple[int, ...]
    offset: int
    size: int
    """Bytes of the whole field."""
    struct: Struct | None = None
    """What one element is, for a struct or union that lies in the field itself."""
    count: str = ""
    """The field that says how many elements count, of an array or of what a pointer leads to."""

    @property
    def pointer(self) -> bool:
        """Whether the field is an address."""
        return self.ctype.endswith("*")


@attrs.frozen
class Struct:
    """A struct, or a union."""

    name: str
    union: bool
    fields: tuple[Field, ...]
    size: int
    align: int
    text: str
    """The fields as C text."""


def declared(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(type, name, array lengths as written) of each declaration; a union inside has its body as its type."""
    depth = start = 0
    for i, letter in enumerate(text + ";"):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and not depth:
            part = text[start:i].strip()
            start = i + 1
            if part:
                yield _declaration(part)


def _declaration(part: str) -> tuple[str, str, tuple[str, ...]]:
    if part.startswith("union {"):
        body, _, name = part[len("union {") :].rpartition("}")
        return "{" + body, name.strip(), ()
    found = re.fullmatch(r"(.+?[\s*])(\w+)((?:\[\w+\])*)", part)
    if found is None:
        raise ValueError(f"no declaration of a field: {part!r}")
    return found[1].strip(), found[2], tuple(re.findall(r"\[(\w+)\]", found[3]))


def _length(text: str) -> int:
    return int(text) if text.isdecimal() else int(getattr(constants, text))


def _struct(name: str, union: bool, text: str, counts: Mapping[str, str], known: Mapping[str, Struct]) -> Struct:
    fields: list[Field] = []
    end = 0
    largest = 1
    for ctype, field, lengths in declared(text):
        dims = tuple(_length(length) for length in lengths)
        inner: Struct | None = None
        if ctype.startswith("{"):
            inner = _struct(f"{name}.{field}" if field else "", True, ctype[1:], {}, known)
        elif ctype.endswith("*"):
            size = align = POINTER
        else:
            inner = known.get(ctype)
            size = align = 0 if inner is not None else SIZES[c_kind(ctype)]
        if inner is not None:
            size, align = inner.size, inner.align
        offset = 0 if union else -(-end // align) * align
        whole = size
        for length in dims:
            whole *= length
        if ctype.startswith("{") and not field and inner is not None:  # its fields are those of the struct around it
            fields += [attrs.evolve(f, offset=f.offset + offset) for f in inner.fields]
        else:
            shown = "" if ctype.startswith("{") else ctype
            fields.append(Field(field, shown, dims, offset, whole, inner, counts.get(field, "")))
        end = max(end, offset + whole)
        largest = max(largest, align)
    return Struct(name, union, tuple(fields), -(-end // largest) * largest, largest, text)


@cache
def structs() -> Mapping[str, Struct]:
    """All structs and unions by their C name, each after those that it holds.

    >>> [(f.name, f.offset) for f in structs()["aclrtPtrAttributes"].fields]
    [('location', 0), ('pageSize', 8), ('rsv', 12)]
    """
    found: dict[str, Struct] = {}
    for name, kind, text, counts in rows("structs.tsv", "name kind fields counts"):
        pairs = dict(pair.split("=") for pair in counts.split())
        found[name] = _struct(name, kind == "union", text, pairs, found)
    return found


@cache
def himpi_structs() -> Mapping[str, Struct]:
    """As `structs`, of the second interface of the media units."""
    found: dict[str, Struct] = {}
    for name, kind, text in rows("himpi_types.tsv", "name kind text"):
        if kind in ("struct", "union"):
            found[name] = _struct(name, kind == "union", text, {}, found)
    return found
