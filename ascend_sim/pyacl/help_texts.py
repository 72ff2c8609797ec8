"""What ``help()`` says about a pyACL function: how it is called, what it takes and returns, and the C function behind it."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from ascend_sim.ascendcl.help_texts import CALLABLE, meaning
from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.pyacl import Row

__all__ = ["documentation", "signature"]

_LETTERS = {
    "k": "an int: an address, a handle or a size",
    "K": "an int: an address, a handle or a size",
    "I": "an int of 32 bits, unsigned",
    "i": "an int of 32 bits",
    "l": "an int of 64 bits",
    "L": "an int of 64 bits",
    "H": "an int of 16 bits, unsigned",
    "h": "an int of 16 bits",
    "b": "an int of 8 bits",
    "B": "an int of 8 bits, unsigned",
    "f": "a number",
    "d": "a number",
    "s": "a str",
    "z": "a str or None",
    "O": "an object",
    "p": "true or false",
}
"""The format letters of the binding (docs/semantics/pyacl.md#arguments)."""


def documentation(row: Row, c_function: Any = None) -> str:
    """The docstring of the function of *row*, which calls *c_function*."""
    given = ", ".join(row.parameters)
    left = f"{row.returns.split(' (')[0]} = " if row.returns and row.returns != "None" else ""
    parts = [f"{left}acl.{row.name}({given})"]
    if row.format == "*":
        parts.append("Only the name is known: it takes anything, does nothing and fails with 207000.")
    elif row.parameters:
        required, bar, optional = row.format.partition("|")
        known = functions().get(row.c_function)
        inputs = known.inputs if known is not None and len(known.inputs) == len(row.parameters) else ()
        lines = []
        for index, (name, letter) in enumerate(zip(row.parameters, required + optional, strict=True)):
            more = "; may be left out" if bar and index >= len(required) else ""
            what = meaning(inputs[index]) if inputs else ""
            if not what.startswith("one of") and what != CALLABLE:
                what = _LETTERS.get(letter, "an object")
            lines.append(f"    {name}: {what}{more}")
        parts.append("Parameters, by position only:\n" + "\n".join(lines))
    if row.returns == "ret":
        parts.append("Returns the code: 0 when the call succeeds.")
    elif row.returns:
        code = "; ret is the code, 0 when the call succeeds" if "ret" in row.returns.split(", ") else ""
        parts.append(f"Returns {row.returns}{code}.")
    if row.format != "*":
        text = "TypeError" if row.error == "python" else f"TypeError({row.wrong!r})"
        none = "; None is no handle and no address" if "k" in row.format.lower() else ""
        parts.append(f"Raises {text} for arguments of another number or type{none}.")
    if c_function is not None and row.format != "*":
        name = row.c_function.replace("+", " and ")
        text = (c_function.__doc__ or "").split("\n\nParameters:\n")[0]
        parts.append(f"Calls {name}:\n\n" + "\n".join(f"    {line}".rstrip() for line in text.splitlines()))
    elif row.c_function:
        parts.append(f"Calls {row.c_function.replace('+', ' and ')}.")
    return "\n\n".join(parts)


def signature(row: Row) -> Signature:
    """The parameters as the manual names them; the real functions are written in C and have positions only."""
    required = len(row.parameters) if "|" not in row.format else row.format.index("|")
    found = [
        Parameter(name, Parameter.POSITIONAL_ONLY, default=Parameter.empty if index < required else None)
        for index, name in enumerate(row.parameters)
        if name.isidentifier()
    ]
    if row.format == "*":
        found.append(Parameter("arguments", Parameter.VAR_POSITIONAL))
    return Signature(found)
