"""The C API of AscendCL under its C names.

``from ascend_sim import ascendcl as C; stream, ret = C.aclrtCreateStream()``: inputs in C order, outputs first and the
return code last. Every function of the headers is here; what is not modelled answers 207000 and leaves a finding.
Constants, enum members and structs of the headers are here under their C names, too, and so are the operators of aclnn, made
when they are first asked for (`ascend_sim/ascendcl/aclnn`). ``help(C.aclrtMemcpy)`` shows the
prototype, how Python calls it, the values of enums, the codes and the page of the manual; ``dir(C)`` lists all.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from ascend_sim import constants
from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import build, known
from ascend_sim.catalogue.functions import functions

__all__ = ["USUAL", "chapters", "implemented", "load", "load_all"]

USUAL = (
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
"""The modules that every program uses. Each of the others is imported for its own functions: most programs never pay for
kernels, operators and models."""


@cache
def chapters() -> tuple[str, ...]:
    """The modules with the implementations, as ``stream.event``: all that the wings of this package hold, but for aclnn,
    whose functions are made from tables of their own."""
    return tuple(sorted({function.module for function in functions().values() if function.module}))


def load(name: str = "") -> None:
    """Import what implements the C function *name*. Without a name: what every program uses."""
    if name and known(name):  # also when the interpreter ends, and can import nothing any more
        return
    for module in (functions()[name].module,) if name else USUAL:
        if module:
            importlib.import_module(f"ascend_sim.ascendcl.{module}")


def load_all() -> None:
    """Import what implements the functions, all of them."""
    for module in chapters():
        importlib.import_module(f"ascend_sim.ascendcl.{module}")


def implemented() -> frozenset[str]:
    """The C names that are modelled."""
    return frozenset(name for name, function in functions().items() if function.module)


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
