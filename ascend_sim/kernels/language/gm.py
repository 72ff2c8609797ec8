"""Kernel parameters that are addresses of device memory: `gm.In[T]`, `gm.Out[T]`, `gm.InOut[T]`.

Brackets move data, as copies between global and on-chip memory do: ``x[s]`` loads, ``z[s] = v`` stores. Keys: an int,
``a:b`` without step, a tuple of these, an array of indices or a mask, ``b.rows(n)`` in batch kernels. Nothing is
clipped and there are no negative indices. A pointer has no length: a parameter reaches to the end of its allocation;
``x.view(m, k)`` gives it a shape.

All cores see one coherent memory: the data caches of the cores are not modelled.
Why it looks so: docs/semantics/kernels.md#the-notation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

from ascend_sim.kernels.language import indexing
from ascend_sim.kernels.language.errors import KernelUsage
from ascend_sim.kernels.language.indexing import Rows
from ascend_sim.kernels.language.memory import ATOMIC, READ, WRITE, Memory
from ascend_sim.kernels.language.structs import struct_value
from ascend_sim.kernels.language.variables import Variable

__all__ = ["In", "InOut", "Out", "Part", "Variable"]

T = TypeVar("T")
G = TypeVar("G", bound=np.generic)
H = TypeVar("H", bound=np.generic)

Part = Union[
    "slice", "Rows", tuple[Union[SupportsIndex, "slice"], ...], npt.NDArray[np.integer[Any]], npt.NDArray[np.bool_]
]


class In(Memory[T]):
    """Memory that the kernel reads. Loads are read-only views: work on a copy to change what was loaded.

    An int loads one element, ``x[a:b]`` an array of shape (b - a,), a tuple of slices of ``x.view(m, k)`` a matrix, an
    array of indices an array of its shape. An access outside of the allocation (a negative index, too) raises
    OutOfBounds in the kernel, a step or a store KernelUsage. Either way the task fails with 507035, and a finding
    names the line.
    """

    __slots__ = ()
    reads = True

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: SupportsIndex) -> T: ...  # type: ignore[overload-overlap]
        @overload
        def __getitem__(self: In[G], key: Part) -> npt.NDArray[G]: ...
        def __getitem__(self, key: Any) -> Any: ...
        @overload
        def view(self, *shape: SupportsIndex, offset: SupportsIndex = 0) -> In[T]: ...
        @overload
        def view(self, *shape: SupportsIndex, dtype: type[H], offset: SupportsIndex = 0) -> In[H]: ...
        def view(self, *shape: SupportsIndex, dtype: Any = None, offset: SupportsIndex = 0) -> Any: ...

    else:

        def __getitem__(self, key):
            """Load. One slice, and slices of a quiet matrix, take the short way."""
            if type(key) is slice:
                low, high = key.start, key.stop
                if type(low) is int and type(high) is int and 0 <= low <= high <= self.length and key.step is None:
                    if not self.quiet:
                        self.seen(low * self.item, high * self.item, READ)
                    return self.readonly[key]
            if type(key) is tuple and len(key) == 2 and self.tile(key, READ):
                return self.readonly[key]
            return _load(self, key, self.readonly)

        def __setitem__(self, key, value):
            what = f"`{self.name}[{indexing.shown(key)}] = ...`"
            raise KernelUsage(
                f"`{self.name}` is a gm.In parameter, and {what} writes it",
                f"declare `{self.name}: gm.InOut[{_element(self)}]`, or write to another parameter",
            )


class CopyingIn(In[T]):
    """Memory that the kernel reads and also writes through another parameter: loads are copies."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getitem__(self, key):
            """Load a copy."""
            loaded = super().__getitem__(key)
            return loaded.copy() if isinstance(loaded, np.ndarray) else loaded


class Out(Memory[T]):
    """Memory that the kernel writes and does not read. ``z[s] = v`` stores: *v* has the shape of ``z[s]``, or one element.

    Loads raise KernelUsage, and so does a value that C would have to convert (a float array into int32 memory).
    """

    __slots__ = ()
    writes = True

    if TYPE_CHECKING:

        def __setitem__(self: Out[G], key: SupportsIndex | Part, value: npt.NDArray[G] | G | int | float) -> None: ...
        def out(self: Out[G], key: SupportsIndex | Part) -> npt.NDArray[G]: ...
        @overload
        def view(self, *shape: SupportsIndex, offset: SupportsIndex = 0) -> Out[T]: ...
        @overload
        def view(self, *shape: SupportsIndex, dtype: type[H], offset: SupportsIndex = 0) -> Out[H]: ...
        def view(self, *shape: SupportsIndex, dtype: Any = None, offset: SupportsIndex = 0) -> Any: ...

    else:

        def __getitem__(self, key):
            raise KernelUsage(
                f"`{self.name}` is a gm.Out parameter, and `{self.name}[{indexing.shown(key)}]` reads it",
                f"declare `{self.name}: gm.InOut[{_element(self)}]` if its old values are meant",
            )

        def __setitem__(self, key, value):
            """Store. One slice and a value of the same type take the short way."""
            try:
                fits = value.dtype is self.dtype and self.struct is None
            except AttributeError:  # a Python number, a list, a struct
                fits = False
            if not fits:
                value = self.fits(value)
            if type(key) is slice:
                low, high = key.start, key.stop
                if type(low) is int and type(high) is int and 0 <= low <= high <= self.length and key.step is None:
                    if not self.quiet:
                        self.seen(low * self.item, high * self.item, WRITE)
                    self.array[key] = value
                    return
            elif type(key) is Rows:
                self.array[self.note_rows(key, WRITE)].reshape(key.rows, -1)[...] = value
                return
            elif type(key) is tuple and len(key) == 2 and self.tile(key, WRITE):
                self.array[key] = value
                return
            self.array[self.note(key, WRITE)] = value

        def out(self, key):
            """A writable view for ``out=`` and work in place, valid until the next wait; counts as a write."""
            return _writable(self, key)


class InOut(Out[T]):
    """Memory that the kernel reads and writes. Loads are copies: a value read before a store stays what it was."""

    __slots__ = ()
    reads = True

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: SupportsIndex) -> T: ...  # type: ignore[overload-overlap]
        @overload
        def __getitem__(self: InOut[G], key: Part) -> npt.NDArray[G]: ...
        def __getitem__(self, key: Any) -> Any: ...
        def atomic_add(self: InOut[G], key: SupportsIndex | Part, value: npt.NDArray[G] | G | int | float) -> None: ...
        def atomic_max(self: InOut[G], key: SupportsIndex | Part, value: npt.NDArray[G] | G | int | float) -> None: ...
        def atomic_min(self: InOut[G], key: SupportsIndex | Part, value: npt.NDArray[G] | G | int | float) -> None: ...
        @overload
        def view(self, *shape: SupportsIndex, offset: SupportsIndex = 0) -> InOut[T]: ...
        @overload
        def view(self, *shape: SupportsIndex, dtype: type[H], offset: SupportsIndex = 0) -> InOut[H]: ...
        def view(self, *shape: SupportsIndex, dtype: Any = None, offset: SupportsIndex = 0) -> Any: ...

    else:

        def __getitem__(self, key):
            """Load a copy. One slice takes the short way."""
            if type(key) is slice:
                low, high = key.start, key.stop
                if type(low) is int and type(high) is int and 0 <= low <= high <= self.length and key.step is None:
                    if not self.quiet:
                        self.seen(low * self.item, high * self.item, READ)
                    return self.array[key].copy()
            if type(key) is tuple and len(key) == 2 and self.tile(key, READ):
                return self.array[key].copy()
            loaded = _load(self, key, self.array)
            return loaded.copy() if isinstance(loaded, np.ndarray) else loaded

        def out(self, key):
            """A writable view for ``out=`` and work in place, valid until the next wait; counts as read and write."""
            self.note(key, READ)
            return _writable(self, key)

        def atomic_add(self, key, value):
            """Add without losing another block's update; the order of float adds is a schedule choice."""
            _atomic(self, np.add, key, value)

        def atomic_max(self, key, value):
            """Keep the larger, without losing another block's update."""
            _atomic(self, np.maximum, key, value)

        def atomic_min(self, key, value):
            """Keep the smaller, without losing another block's update."""
            _atomic(self, np.minimum, key, value)


def _element(memory: Memory[Any]) -> str:
    return memory.struct.__name__ if memory.struct is not None else f"np.{memory.dtype}"


def _load(memory: Memory[Any], key: Any, array: npt.NDArray[Any]) -> Any:
    if type(key) is Rows:
        return array[memory.note_rows(key, READ)].reshape(key.rows, -1)
    loaded = array[memory.note(key, READ)]
    if memory.struct is not None and isinstance(loaded, np.void):
        return struct_value(memory.struct, loaded)
    return loaded


def _writable(memory: Memory[Any], key: Any) -> npt.NDArray[Any]:
    if indexing.is_many(key):
        raise KernelUsage(
            f"`{memory.name}.out(...)` with an array of indices would be a copy",
            f"store with {memory.name}[indices] = value, or use a slice",
        )
    where = memory.note(key, WRITE)
    if type(key) is Rows:
        part: npt.NDArray[Any] = memory.array[where].reshape(key.rows, -1)
        return part
    if not isinstance(where, (slice, tuple)):
        where = (where,)
    if isinstance(where, tuple) and len(where) == memory.array.ndim and not any(isinstance(p, slice) for p in where):
        where = (*where[:-1], slice(where[-1], where[-1] + 1))  # one element, still as a view
    found: npt.NDArray[Any] = memory.array[where]
    return found


def _atomic(memory: Memory[Any], ufunc: Any, key: Any, value: Any) -> None:
    value = memory.fits(value)
    where = memory.note(key, ATOMIC)
    array = memory.array
    if type(key) is Rows:
        array, where = array[where].reshape(key.rows, -1), ...
    if isinstance(where, np.ndarray) and where.dtype != np.bool_:
        ufunc.at(array, where, value)  # an index may occur twice
    else:
        array[where] = ufunc(array[where], value)
