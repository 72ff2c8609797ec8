"""Functions that the library exports and that no header of the catalogue has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.catalogue.functions import Function, unlisted

__all__ = ["LAUNCH", "TITLES", "UNLISTED", "body_of"]


def _function(name: str, returns: str, parameters: str) -> Function:
    return unlisted(name, returns, "C", "none", parameters)


LAUNCH = _function(
    "ascend_sim_launch",
    "aclError",
    "kernel:const char*;source:const char*;blocks:uint32_t;stream:aclrtStream;args:void*:buffer;size:uint64_t;"
    "prints:uint32_t",
)
"""What a ``<<<>>>`` becomes. Declared in `c/kernels.h`; `kernels.sources` writes its calls."""

_PROFILED = _function("MsprofSetDeviceIdByGeModelIdx", "aclError", "model:uint32_t;device:uint32_t")
"""Tells the profiler of a model that was not loaded by aclmdlLoadFromFile."""

_MARKS = tuple(
    _function(*declared)
    for declared in (
        ("mstxMarkA", "void", "message:const char*;stream:aclrtStream"),
        ("mstxRangeStartA", "uint64_t", "message:const char*;stream:aclrtStream"),
        ("mstxRangeEnd", "void", "id:uint64_t"),
        ("mstxDomainCreateA", "uint64_t", "name:const char*"),
        ("mstxDomainDestroy", "void", "domain:uint64_t"),
        ("mstxDomainMarkA", "void", "domain:uint64_t;message:const char*;stream:aclrtStream"),
        ("mstxDomainRangeStartA", "uint64_t", "domain:uint64_t;message:const char*;stream:aclrtStream"),
        ("mstxDomainRangeEnd", "void", "domain:uint64_t;id:uint64_t"),
    )
)
"""Marks and ranges of a program, for tools (ms_tools_ext.h); a domain is its number."""

TITLES = {LAUNCH.name: "f'{kernel}<<<>>>'"}
"""What those are called in findings that the program calls by another name: an expression of their parameters."""

UNLISTED = {function.name: function for function in (LAUNCH, _PROFILED, *_MARKS)}


def body_of(name: str) -> Callable[..., Any]:
    """What the function *name* of `UNLISTED` does. Imported when it is first called: few programs do."""
    if name == LAUNCH.name:
        from ascend_sim.native.kernels.launches import launch

        return launch
    if name.startswith("mstx"):
        from ascend_sim.native.tool_marks import BODIES

        return BODIES[name]
    from ascend_sim.models.subscriptions import tell_of_model

    return tell_of_model
