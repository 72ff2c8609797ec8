"""The C API of AscendCL under its C names.

``from ascend_sim import ascendcl as C; stream, ret = C.aclrtCreateStream()``: inputs in C order, outputs first and the
return code last. Every function of the headers is here; what is not modelled answers 207000 and leaves a finding.
Constants, enum members and structs of the headers are here under their C names, too, and so are the operators of aclnn, made
when they are first asked for (`ascend_sim/ascendcl/aclnn`). ``help(C.aclrtMemcpy)`` shows the
prototype, how Python calls it, the values of enums, the codes and the page of the manual; ``dir(C)`` lists all.
"""

from __future__ import annotations

import importlib
import os
import re
from functools import cache
from typing import Any

from ascend_sim import constants
from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import build, known
from ascend_sim.catalogue.functions import functions

__all__ = ["FIRST", "chapters", "implemented", "load"]

FIRST = (
    "process.initialization",
    "device.device",
    "device.context",
    "stream.stream",
    "stream.event",
    "stream.event_queries",
    "stream.execution",
    "process.last_error",
    "memory.malloc",
    "memory.host",
    "memory.copy",
)
"""The modules that every program uses, imported one after the other until one has the function that is asked for. Of the
others each is imported for its own functions: most programs never pay for kernels, operators and models."""
_REGISTERS = re.compile(r'\bapi\("(\w+)"')


@cache
def chapters() -> tuple[str, ...]:
    """The modules with the implementations, as ``stream.event``: all that the wings of this package hold, but for aclnn,
    whose functions are made from tables of their own."""
    from pkgutil import iter_modules

    wings = [
        wing.name for wing in iter_modules(__path__) if wing.ispkg and wing.name not in ("structs", "aclnn", "himpi")
    ]
    found = [f"{wing}.{m.name}" for wing in wings for m in iter_modules([os.path.join(__path__[0], wing)])]
    return tuple(found)


def _import_all() -> None:
    for module in chapters():
        importlib.import_module(f"ascend_sim.ascendcl.{module}")


@cache
def _homes() -> dict[str, str]:
    """The module of each function that its text registers by name: looking costs a twentieth of importing them all.

    Functions that are registered in loops are not here.
    """
    found: dict[str, str] = {}
    for module in chapters():
        path = os.path.join(__path__[0], *module.split(".")) + ".py"
        with open(path, encoding="utf-8") as file:
            found.update(dict.fromkeys(_REGISTERS.findall(file.read()), module))
    return found


def load(name: str = "") -> None:
    """Import what implements the C function *name*. Without a name: what every program uses."""
    for module in FIRST:
        if name in known():
            return
        importlib.import_module(f"ascend_sim.ascendcl.{module}")
    if not name or name in known():
        return
    home = _homes().get(name)
    if home is not None:
        importlib.import_module(f"ascend_sim.ascendcl.{home}")
    else:  # registered in a loop, or not modelled
        _import_all()


def implemented() -> frozenset[str]:
    """The C names that are modelled."""
    _import_all()
    return known()


def __getattr__(name: str) -> Any:
    if name in functions():
        load(name)
        value = build(name)
    elif hasattr(constants, name):
        value = getattr(constants, name)
    elif hasattr(structs, name):
        value = getattr(structs, name)
    elif name in _operators():
        from ascend_sim.ascendcl import aclnn  # most programs run no operators

        value = aclnn.build(name)
    else:
        from difflib import get_close_matches

        near = get_close_matches(name, __dir__(), 1) if name.startswith("acl") else []  # too many for Python's own hint
        raise AttributeError(f"AscendCL has no {name!r}" + (f". Did you mean: {near[0]!r}?" if near else ""))
    globals()[name] = value
    return value


def _operators() -> frozenset[str]:
    from ascend_sim.catalogue.operator_functions import operator_names

    return frozenset(operator_names())


def __dir__() -> list[str]:
    return sorted({*globals(), *functions(), *dir(constants), *dir(structs), *_operators()})
