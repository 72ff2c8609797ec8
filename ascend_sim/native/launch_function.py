"""The function that a ``<<<>>>`` becomes: exported beside those of the headers."""

from __future__ import annotations

from ascend_sim.catalogue.functions import Function

__all__ = ["LAUNCH"]

_PARAMETERS = (
    "kernel:const char*;source:const char*;blocks:uint32_t;stream:aclrtStream;args:void*:buffer;size:uint64_t;"
    "prints:uint32_t"
)
LAUNCH = Function("\t".join(("ascend_sim_launch", "aclError", "C", "kernels", "-------", "", "-", _PARAMETERS)))
"""Declared in `c/kernels.h`; `kernel_sources` writes its calls, `kernel_launches` is what it does."""
