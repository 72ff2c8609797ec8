"""The tables say what the C headers and the real module ``acl`` say, name by name.

``checksums.tsv`` was made from those: a CRC of the declaration of each function, of the members of each enum, of the
value of each constant, and of the argument letters and the C function behind each name of pyACL. A line of a table that
was changed shows by its name; who changes one on purpose, with a header in hand, changes its checksum.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

import pytest

from ascend_sim import constants
from ascend_sim.catalogue.enums import enums
from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.pyacl import row, rows


@cache
def known(kind: str) -> dict[str, str]:
    """The checksums of one kind by name."""
    lines = Path(__file__).with_name("checksums.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {name: checksum for what, name, checksum in (line.split("\t") for line in lines) if what == kind}


def functions_here() -> dict[str, str]:
    return {
        f.name: f"{f.returns} {f.name}({';'.join(f'{p.name}:{p.ctype}' for p in f.parameters)})"
        for f in functions().values()
    }


def enums_here() -> dict[str, str]:
    found = {}
    for enum in enums().values():
        names = sorted(member.partition("=")[0] for member in [*enum.members, *enum.deprecated])
        found[enum.name] = " ".join(f"{name}={getattr(constants, name)}" for name in names)
    return found


def constants_here() -> dict[str, str]:
    members = {text.partition("=")[0] for line in enums_here().values() for text in line.split(" ")}
    return {
        name: str(value)
        for name, value in vars(constants).items()
        if isinstance(value, (int, str)) and not name.startswith("_") and name not in members
    }


def pyacl_here() -> dict[str, str]:
    found = {}
    for module, names in rows().items():
        for name in names:
            entry = row(module, name)
            assert entry is not None
            found[entry.name] = f"{entry.format} {entry.c_function}"
    return found


@pytest.mark.parametrize(
    ("kind", "here", "number"),
    [
        ("function", functions_here, 867), ("enum", enums_here, 114), ("constant", constants_here, 389),
        ("pyacl", pyacl_here, 742),
    ],
)  # fmt: skip
def test_every_name_is_as_the_headers_have_it(kind: str, here, number: int) -> None:
    found = {name: (f"{zlib.crc32(text.encode()):08x}", text) for name, text in here().items()}
    assert len(found) == number
    assert set(found) == set(known(kind))
    assert {n: (crc, text) for n, (crc, text) in found.items() if crc != known(kind)[n]} == {}
