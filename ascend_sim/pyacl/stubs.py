"""Type stubs of ``acl`` and its namespaces, for editors and type checkers: ``python -m ascend_sim.pyacl.stubs``.

That writes the folder ``acl-stubs`` beside the package, which an installation puts where mypy, pyright and editors look
for the types of ``acl``: they serve programs on the simulator and on the device alike. Everything in it comes from the
table of pyACL's functions and from their docstrings; a test compares the files with what this makes.
"""

from __future__ import annotations

import keyword
import sys
from inspect import cleandoc
from pathlib import Path
from typing import Final

from ascend_sim.catalogue.pyacl import MODULES, Row, row, rows
from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.pyacl import modules

__all__ = ["main", "stub"]

LETTERS: Final = {"f": "float", "d": "float", "s": "str", "z": "str | None", "p": "bool", "O": "Any"}
"""What the format letters take, where that is no int."""

OBJECTS: Final = {
    "dims": "list[int]", "inputs": "list[int]", "outputs": "list[int]", "input_desc": "list[int]",
    "output_desc": "list[int]", "pids": "list[int]", "notifies": "list[int]", "device_ids": "list[int]",
    "dims_dict": "dict[str, Any]", "fn": "Callable[..., object] | None", "func": "Callable[..., object] | None",
    "shape": "tuple[int, ...]", "data": "bytes", "array": "NDArray[Any]", "user_data_list": "Any", "args_list": "list[Any]",
    "ranges": "list[Any]", "values": "list[Any]",
}  # fmt: skip
"""What an object parameter takes, by its name; Any for the others, whose forms depend on other arguments."""

KINDS: Final = {
    "int": "int", "str": "str", "bytes": "bytes", "float": "float", "callable": "Callable[..., Any]",
    "str or None": "str | None", "copy": "bytes",
    "dict": "dict[str, Any]", "list": "list[Any]", "uint16 bits": "int", "last error code": "int",
}  # fmt: skip
"""A kind in brackets behind the name of a returned value."""

VALUES: Final = {
    "ms": "float", "float": "float", "None": "None", "function": "Callable[..., Any]",
    "list": "list[int]", "list or None": "list[Any] | None", "list of dims_dict": "list[Any]", "value_list": "list[Any]",
    "info_list": "list[Any]", "dict": "dict[str, Any]", "dict or None": "dict[str, Any] | None", "array": "NDArray[Any]",
    "ndarray view": "NDArray[Any]", "key_str": "str", "name": "str", "op_name": "str", "op_type": "str",
    "version_str": "str",
}  # fmt: skip
"""A returned value by its name; the names of all others stand for ints, but for dicts."""

SPECIAL: Final = {
    "media.dvpp_malloc": "tuple[int, int]", "rt.device_get_limit": "tuple[int, int]",
    "prof.get_op_type_v2": "tuple[str | None, int]",
    "prof.get_op_name_v2": "tuple[str | None, int]",
}  # fmt: skip
"""Functions whose row does not say it all."""

HEAD: Final = '''\
"""{about}"""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray
'''


def stub(module: str) -> str:
    """The text of the stub of ``acl`` ("") or of one of its namespaces."""
    found = modules()[f"acl.{module}" if module else "acl"]
    parts = [HEAD.format(about=(found.__doc__ or "").split("\n")[0].replace("The simulator's ", ""))]
    if not module:
        parts.append("\n".join(f"from . import {name} as {name}" for name in MODULES) + "\n")
    parts += [_function(row_, getattr(found, name)) for name in rows()[module] if (row_ := row(module, name))]
    return "\n".join(parts)


def _function(row: Row, function: object) -> str:
    short = row.name.rpartition(".")[2]
    text = cleandoc(function.__doc__ or "").replace("\\", "\\\\").replace('"""', "'''")
    first, *lines = text.split("\n")
    more = "".join(f"    {line}".rstrip() + "\n" for line in lines)
    body = f'    """{first}\n{more}    """' if lines else f'    """{first}"""'
    return f"def {short}({_parameters(row)}) -> {_returned(row)}:\n{body}\n"


def _parameters(row: Row) -> str:
    if row.format == "*":
        return "*arguments: Any"
    required, bar, optional = row.format.partition("|")
    found = []
    for index, (name, letter) in enumerate(zip(row.parameters, required + optional, strict=True)):
        kind = OBJECTS.get(name, "Any") if letter == "O" else LETTERS.get(letter, "int")
        name = f"{name}_" if keyword.iskeyword(name) else name
        found.append(f"{name}: {kind} = ..." if bar and index >= len(required) else f"{name}: {kind}")
    return ", ".join([*found, "/"]) if found else ""


def _returned(row: Row) -> str:
    if row.name in SPECIAL:
        return SPECIAL[row.name]
    if not row.returns:
        return "int"
    values = [_value(text) for text in row.returns.split(", ")]
    return values[0] if len(values) == 1 else f"tuple[{', '.join(values)}]"


def _value(text: str) -> str:
    name, _, kind = text.partition(" (")
    if kind:
        return KINDS.get(kind.removesuffix(")"), "Any")
    if name.startswith("{") or (name.endswith("_dict") and " " not in name):
        return "dict[str, Any]"
    return VALUES.get(name, "int")


def main() -> None:
    """Write the stubs that differ, and say which. An argument: the folder to write to."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(PACKAGE).parent / "acl-stubs")
    folder.mkdir(exist_ok=True)
    for module in ("", *MODULES):
        file, text = folder / f"{module or '__init__'}.pyi", stub(module)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"written: {file}")


if __name__ == "__main__":
    main()
