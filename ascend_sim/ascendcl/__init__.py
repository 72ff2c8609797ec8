"""The C API of AscendCL under its C names.

``from ascend_sim import ascendcl as C; stream, ret = C.aclrtCreateStream()``: inputs in C order, outputs first and the
return code last. Every function of the headers is here; what is not modelled answers 207000 and leaves a finding.
Constants, enum members and structs of the headers are here under their C names, too. ``help(C.aclrtMemcpy)`` shows the
prototype, how Python calls it, the values of enums, the codes and the page of the manual; ``dir(C)`` lists all.
"""

from __future__ import annotations

import importlib
from typing import Any

from ascend_sim import constants
from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import build, known
from ascend_sim.ascendcl.catalogue import functions

__all__ = ["CHAPTERS", "FIRST", "LATER", "implemented"]

FIRST = (
    "initialization",
    "device",
    "context",
    "stream",
    "event",
    "event_queries",
    "execution",
    "exceptions",
    "memory_malloc",
    "memory_host",
    "memory_copy",
)
"""The chapters that every program uses; imported with the face."""

LATER = (
    "device_properties",
    "device_identity",
    "device_peers",
    "device_overflow",
    "device_states",
    "configuration",
    "stream_attributes",
    "stream_control",
    "event_sharing",
    "notify",
    "notify_sharing",
    "value_operations",
    "timeouts",
    "reduction",
    "exception_callbacks",
    "device_faults",
    "allocators",
    "kernel_loading",
    "kernel_functions",
    "kernel_arguments",
    "kernel_launch",
    "kernel_simt",
    "memory_batch",
    "memory_addressing",
    "memory_pools",
    "data_buffers",
    "tensor_descs",
    "op_attributes",
    "op_kernels",
    "op_execution",
    "op_models",
    "op_inference",
    "blas",
    "model_loading",
    "model_config",
    "model_bundles",
    "model_descriptions",
    "model_datasets",
    "model_execution",
    "model_aipp",
    "model_op_descs",
    "float16",
    "versions",
    "platform",
    "app_log",
    "last_task",
    "stream_options",
)
"""The others: imported together when a function is asked for that the first ones do not have. Most programs never pay
for kernels, operators and models."""

CHAPTERS = FIRST + LATER
"""The modules with the implementations, one for each chapter of the manual."""

for _chapter in FIRST:
    importlib.import_module(f"ascend_sim.ascendcl.{_chapter}")


def _import_all() -> None:
    for chapter in LATER:
        importlib.import_module(f"ascend_sim.ascendcl.{chapter}")


def implemented() -> frozenset[str]:
    """The C names that are modelled."""
    _import_all()
    return known()


def __getattr__(name: str) -> Any:
    if name in functions():
        if name not in known():
            _import_all()
        value = build(name)
    elif hasattr(constants, name):
        value = getattr(constants, name)
    elif hasattr(structs, name):
        value = getattr(structs, name)
    else:
        from difflib import get_close_matches

        near = get_close_matches(name, __dir__(), 1) if name.startswith("acl") else []  # too many for Python's own hint
        raise AttributeError(f"AscendCL has no {name!r}" + (f". Did you mean: {near[0]!r}?" if near else ""))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *functions(), *dir(constants), *dir(structs)})
