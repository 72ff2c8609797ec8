"""Kernels for the rows: a kernel file, loaded from bytes, and launch configurations."""

from __future__ import annotations

import struct
from typing import Any

from ascend_sim.ascendcl import structs
from tests.conformance.world import World

__all__ = ["KERNELS", "config", "cpu_binary", "function", "host_args", "loaded", "options", "stored"]

KERNELS = b"""# ascend_sim kernels
import numpy as np
from ascend_sim import Block, gm, kernel

@kernel(entry=7)
def fill(b: Block, out: gm.Out[np.int32], value: np.int32) -> None:
    out[b.idx] = value

@kernel
def add_one(b: Block, data: gm.In[np.int32], out: gm.Out[np.int32]) -> None:
    out[b.idx] = data[0] + 1

@kernel
def nothing(b: Block) -> None:
    pass

@kernel(kind="mix11")
def mixed(b: Block, out: gm.Out[np.int32]) -> None:
    pass
"""


def stored(w: World, data: bytes) -> int:
    """The address of ordinary host memory that holds *data*."""
    address = w.host(len(data) or 1)
    import ctypes

    ctypes.memmove(address, data, len(data))
    return address


def options(*given: tuple[int, int], count: int | None = None) -> structs.aclrtBinaryLoadOptions:
    """Load options (id, value)."""
    fields = {1: "isLazyLoad", 2: "magic", 3: "cpuKernelMode"}
    listed = []
    for number, value in given:
        union = structs.aclrtBinaryLoadOptionValue(**{fields.get(number, "isLazyLoad"): value})
        listed.append(structs.aclrtBinaryLoadOption(number, union))
    return structs.aclrtBinaryLoadOptions(listed, len(listed) if count is None else count)


def loaded(w: World) -> int:
    """The binary of KERNELS."""
    return int(w.ok("aclrtBinaryLoadFromData", stored(w, KERNELS), len(KERNELS), None))


def cpu_binary(w: World) -> int:
    """The binary of KERNELS, loaded as CPU kernels."""
    return int(w.ok("aclrtBinaryLoadFromData", stored(w, KERNELS), len(KERNELS), options((3, 2))))


def function(w: World, name: str = "fill", binary: int | None = None) -> int:
    """A kernel function."""
    return int(w.ok("aclrtBinaryGetFunction", binary or loaded(w), name))


def host_args(w: World, *values: Any) -> tuple[int, int]:
    """Address and size of an argument block in host memory: addresses as 8 bytes, then 4-byte numbers."""
    data = struct.pack("<" + "".join("Q" if value > 0xFFFF_FFFF else "i" for value in values), *values)
    return stored(w, data), len(data)


def config(*attributes: tuple[int, Any], count: int | None = None) -> structs.aclrtLaunchKernelCfg:
    """A launch configuration with attributes (id, value)."""
    fields = {
        1: "schemMode",
        2: "dynUBufSize",
        3: "engineType",
        4: "blockDimOffset",
        5: "isBlockTaskPrefetch",
        6: "isDataDump",
        7: "timeout",
        8: "timeoutUs",
        9: "enableProfiling",
    }
    listed = []
    for number, value in attributes:
        union = structs.aclrtLaunchKernelAttrValue(**{fields.get(number, "schemMode"): value})
        listed.append(structs.aclrtLaunchKernelAttr(number, union))
    return structs.aclrtLaunchKernelCfg(listed, len(listed) if count is None else count)
