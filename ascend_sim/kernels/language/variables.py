"""Variables in device memory that a kernel file declares: one for each device, found by name or by the object."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Variable"]


class Variable:
    """A variable of device memory, declared at the top of a kernel file: ``table = gm.Variable(np.float32, 256)``.

    *shape*: its elements, one without it. *value*: what it holds at first; zeros without it. The host finds it by its
    name (aclrtBinaryGetGlobal), or by the object or the number of it, which stand for the symbol of a C program
    (aclrtGetSymbolAddress, aclrtMemcpyToSymbol). A kernel gets its address as an argument. Each device has one of its
    own, from its first use until the device is reset.

    >>> table = Variable(np.float32, 4, [1, 2, 3, 4])
    >>> table.nbytes, table.initial.tolist()
    (16, [1.0, 2.0, 3.0, 4.0])
    """

    __slots__ = ("__weakref__", "initial")

    def __init__(self, dtype: npt.DTypeLike, shape: int | tuple[int, ...] = (), value: Any = None) -> None:
        self.initial: npt.NDArray[Any] = np.zeros(shape, dtype)
        if value is not None:
            self.initial[...] = value

    @property
    def nbytes(self) -> int:
        """Its size."""
        return int(self.initial.nbytes)

    def __index__(self) -> int:
        """The number of the symbol: the address of what the host has of it, as in a C program."""
        address: int = self.initial.__array_interface__["data"][0]
        return address

    def __repr__(self) -> str:
        return f"<device variable of {self.nbytes} bytes>"
