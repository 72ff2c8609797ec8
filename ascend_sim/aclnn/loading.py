"""Which body runs: the one on torch where torch is imported or no other is there, else the one on numpy.

A program that uses torch gets torch's own results that way, and one without torch never pays for its import
(docs/semantics/aclnn.md#bodies). The modules of bodies are imported when the first operator is asked for.
"""

from __future__ import annotations

import importlib
import os
import sys
from functools import cache
from pkgutil import walk_packages

from ascend_sim.aclnn.bodies import NUMPY_BODIES, TORCH_BODIES, Body
from ascend_sim.runtime.own_imports import spec_for_us

__all__ = ["body_of", "numpy_bodies", "torch_bodies", "torch_installed", "torch_wanted"]

_PACKAGE = "ascend_sim.aclnn"
_AUTOLOAD = "TORCH_DEVICE_BACKEND_AUTOLOAD"
"""Whether `import torch` imports torch_npu, where that is installed."""


def _import_wing(wing: str) -> None:
    try:
        package = importlib.import_module(f"{_PACKAGE}.{wing}")
    except ModuleNotFoundError as error:
        if error.name != f"{_PACKAGE}.{wing}":
            raise
        return
    for module in sorted(found.name for found in walk_packages(package.__path__, f"{package.__name__}.")):
        importlib.import_module(module)


@cache
def numpy_bodies() -> dict[str, Body]:
    """All bodies on numpy arrays, by name."""
    _import_wing("on_numpy")
    return NUMPY_BODIES


@cache
def torch_installed() -> bool:
    """Whether torch could be imported."""
    return "torch" in sys.modules or spec_for_us("torch") is not None


@cache
def torch_bodies() -> dict[str, Body]:
    """All bodies on CPU tensors, by name; imports torch. None where it is not installed.

    A program that has not imported torch gets it for its sums alone: it does not load torch_npu by itself then.
    """
    if torch_installed():
        before = os.environ.get(_AUTOLOAD)
        if "torch" not in sys.modules:
            os.environ[_AUTOLOAD] = "0"
        try:
            _import_wing("on_torch")
        finally:
            if before is None:
                os.environ.pop(_AUTOLOAD, None)
            else:
                os.environ[_AUTOLOAD] = before
    return TORCH_BODIES


def body_of(name: str) -> tuple[Body, bool] | None:
    """The body of the operator *name*, and whether it works on tensors of torch. None: it has none here."""
    if "torch" in sys.modules:
        body = torch_bodies().get(name)
        if body is not None:
            return body, True
    body = numpy_bodies().get(name)
    if body is not None:
        return body, False
    body = torch_bodies().get(name)
    return (body, True) if body is not None else None


def torch_wanted(name: str) -> bool:
    """Whether the body on torch has to take over from the one on numpy, now that the program uses torch."""
    return "torch" in sys.modules and name in torch_bodies()
