"""What the aclnn functions of the library do: what they do in Python, with arrays of C where they hand out some."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

from ascend_sim.ascendcl import aclnn
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["body_of"]

Body = Callable[..., Any]

_ARRAYS = frozenset({
    "aclGetViewShape", "aclGetViewStrides", "aclGetStorageShape", "aclnnNpuFormatCastCalculateSizeAndFormat",
})  # fmt: skip
"""Their first output is an array of the program's own: it frees it."""


def _with_array(body: Body) -> Body:
    def ask(t: ThreadState, *arguments: int) -> tuple[int, ...]:
        values, count, *rest = body(t, *arguments)
        allocate = ctypes.CDLL(None).malloc
        allocate.restype, allocate.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
        address = int(allocate(max(8 * count, 1)))
        ctypes.memmove(address, struct.pack(f"={count}q", *values), 8 * count)
        return address, count, *rest

    return ask


@cache
def body_of(name: str) -> Body | None:
    """What the function *name* does; None when it is not modelled."""
    body = aclnn.body_of(name)
    return _with_array(body) if body is not None and name in _ARRAYS else body
