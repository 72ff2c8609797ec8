"""The second interface of the media units (``hi_mpi_*``) as data: its functions, their roles, its types.

``data/himpi.tsv`` has a function a line: the header that declares it (``vpc`` is ``hi_dvpp_vpc.h``), what it returns, the
words of `catalogue.effects`, and its parameters as ``name:type:role``. Roles:

- nothing: an input; of a type with ``*`` a struct that has to be there
- ``optional``: a struct that may be NULL; ``address``: a pointer that is handed on as it is
- the name of another parameter: an array of so many; ``total``: of as many as the counts of all pictures make
- ``return``, ``return-optional``: what the call hands out; ``return-array``: an array of them
- ``inout``, ``packs``: a stream of an encoder with the array that the program gives

``data/himpi_types.tsv`` has what the headers declare before: typedefs, enums, structs, unions, constants, in their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ascend_sim.catalogue.functions import Function, c_kind, unlisted
from ascend_sim.catalogue.layouts import himpi_structs
from ascend_sim.catalogue.tables import rows

__all__ = ["HEADERS", "HimpiFunction", "HimpiParameter", "himpi_function", "himpi_functions", "himpi_types"]

HEADERS = ("common", "sys", "vdec", "venc", "vpc", "pngd")
"""``common`` is hi_dvpp_common.h: the types, and the memory; the others include it."""
CHAPTER = "Media: second interface"
_TAKEN = ("frame", "result")
"""Names that the text of calls uses itself (`runtime/entry.py`)."""


class HimpiParameter(NamedTuple):
    """One parameter, with its type as in C and its role."""

    name: str
    ctype: str
    role: str

    @property
    def variable(self) -> str:
        """Its name in the text of calls."""
        return f"{self.name}_" if self.name in _TAKEN else self.name

    @property
    def base(self) -> str:
        """``hi_vpc_pic_info`` of ``const hi_vpc_pic_info*``."""
        return self.ctype.replace("const", "").partition("[")[0].strip("* ").rstrip()

    @property
    def is_output(self) -> bool:
        """The call hands it out."""
        return self.role.startswith("return")

    @property
    def is_plain(self) -> bool:
        """A number, handed over as it is."""
        return not self.ctype.endswith(("*", "]")) and self.base not in himpi_structs()

    @property
    def is_value(self) -> bool:
        """A struct that is passed itself, not its address."""
        return not self.ctype.endswith(("*", "]")) and self.base in himpi_structs()


class HimpiFunction(NamedTuple):
    """One function. *returns*: ``hi_s32`` is a code, ``fd`` a number of the channel's events, else a value."""

    name: str
    header: str
    returns: str
    effects: str
    parameters: tuple[HimpiParameter, ...]

    @property
    def counts(self) -> frozenset[str]:
        """Parameters that say no more than how long an array is."""
        plain = {p.name for p in self.parameters if p.is_plain}
        return frozenset(p.role for p in self.parameters if p.role in plain)

    @property
    def inputs(self) -> tuple[HimpiParameter, ...]:
        """What a body gets, in C order: without outputs and counts."""
        return tuple(p for p in self.parameters if not p.is_output and p.name not in self.counts)

    @property
    def by_value(self) -> Mapping[int, str]:
        """The structs that are passed themselves, by position."""
        return {i: p.base for i, p in enumerate(self.parameters) if p.is_value}


@cache
def himpi_types() -> tuple[tuple[str, str, str], ...]:
    """(name, kind, text): typedef, enum, struct, union or constant, in the order of the headers."""
    return tuple((name, kind, text) for name, kind, text in rows("himpi_types.tsv", "name kind text"))


def _parameter(text: str) -> HimpiParameter:
    name, ctype, *role = text.split(":")
    return HimpiParameter(name, ctype, role[0] if role else "")


@cache
def himpi_functions() -> Mapping[str, HimpiFunction]:
    """All functions whose declaration is known, by their C name, header by header.

    >>> [p.name for p in himpi_functions()["hi_mpi_vpc_crop"].inputs]
    ['chn', 'source_pic', 'crop_info', 'milli_sec']
    """
    found = {}
    for name, header, returns, effects, parameters in rows("himpi.tsv", "name header returns effects parameters"):
        taken = tuple(_parameter(text) for text in parameters.split(";") if text)
        found[name] = HimpiFunction(name, header, returns, effects, taken)
    return found


@cache
def himpi_function(name: str) -> Function:
    """The one of this name as C programs call it: numbers, and addresses for all else. Raises KeyError."""
    known = himpi_functions()[name]
    returns = {"hi_s32": "aclError", "fd": "int32_t"}.get(known.returns, "uint32_t")
    parameters = ";".join(f"{p.variable}:{p.ctype if p.is_plain else 'void*'}" for p in known.parameters)
    assert c_kind(returns) in ("i32", "u32")
    return unlisted(name, returns, "D", CHAPTER, parameters)
