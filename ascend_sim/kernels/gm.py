"""Kernel parameters that are addresses of device memory: `gm.In[T]`, `gm.Out[T]`, `gm.InOut[T]`.

Brackets move data, as copies between global and on-chip memory do: ``x[s]`` loads, ``z[s] = v`` stores. Keys: an int,
``a:b`` without step, a tuple of these, an array of indices or a mask, ``b.rows(n)`` in batch kernels. Nothing is clipped
and there are no negative indices. A pointer has no length: a parameter reaches to the end of its allocation;
``x.view(m, k)`` gives it a shape.

What was measured and why it looks so: ``spec/prototypes/kernel_notation.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, SupportsIndex, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

from ascend_sim.kernels.usage import KernelUsage, OutOfBounds

if TYPE_CHECKING:
    from ascend_sim.kernels.block import Rows
    from ascend_sim.machine.blocks import Block as Allocation

__all__ = ["ATOMIC", "READ", "WRITE", "In", "InOut", "Memory", "Out", "Part"]

T = TypeVar("T")
G = TypeVar("G", bound=np.generic)
H = TypeVar("H", bound=np.generic)

Part = Union[
    "slice", "Rows", tuple[Union[SupportsIndex, "slice"], ...], npt.NDArray[np.integer[Any]], npt.NDArray[np.bool_]
]

READ, WRITE, ATOMIC = 0, 1, 2
"""Kinds of access in a log."""


class Memory(Generic[T]):
    """Device memory behind a kernel parameter, from its address to the end of the allocation.

    *array* is a numpy view of it, *block* the allocation, *base* the offset of the view's first byte in it, *log* where
    accesses go as ``lo, hi, kind + code`` (bytes of the allocation), flat; None when nobody listens.
    """

    __slots__ = ("array", "base", "block", "code", "dtype", "item", "length", "log", "name", "plain", "readonly")

    reads = False
    writes = False

    def __init__(
        self,
        name: str,
        block: Allocation | None,
        array: npt.NDArray[Any],
        base: int,
        log: list[int] | None,
        code: int = 0,
    ) -> None:
        self.name = name
        self.code = code
        """Four times the number of the parameter: what its entries in the log add to the kind."""
        self.block = block
        self.array = array
        self.base = base
        self.log = log
        self.dtype = array.dtype
        self.item = array.dtype.itemsize
        self.length = array.shape[0] if array.ndim == 1 else -1
        self.plain = block is None or block.touched is None
        """Nothing is left to poison: accesses need not ask."""
        readonly = array.view()
        readonly.flags.writeable = False
        self.readonly = readonly

    def __len__(self) -> int:
        return int(self.array.shape[0])

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape that `view` gave it; one number, to the end of the allocation, otherwise."""
        return self.array.shape

    if not TYPE_CHECKING:  # each subclass declares its own overloads

        def view(self, *shape, dtype=None, offset=0):
            """The same memory with *shape* (C order), from *offset* (elements of the result) on, reinterpreted as *dtype*."""
            kind = np.dtype(dtype) if dtype is not None else self.dtype
            sizes = tuple(int(n) for n in shape)
            skip = int(offset) * kind.itemsize
            count = 1
            for n in sizes:
                count *= n
            flat = self.array.reshape(-1).view(np.uint8)
            if not sizes:
                count = (flat.shape[0] - skip) // kind.itemsize
                sizes = (count,)
            needed = skip + count * kind.itemsize
            if skip < 0 or count < 0 or needed > flat.shape[0]:
                raise OutOfBounds(
                    self,
                    0,
                    skip,
                    needed,
                    f"`{self.name}.view{sizes}` needs {needed} bytes, `{self.name}` has {flat.shape[0]}",
                )
            array = flat[skip:needed].view(kind).reshape(sizes)
            return type(self)(self.name, self.block, array, self.base + skip, self.log, self.code)

    # -- what all kinds of keys come down to ---------------------------------------------------------------------------

    def _touch(self, lo: int, hi: int, write: bool) -> None:
        """Poison what was never touched in bytes [lo, hi) of the view."""
        block = self.block
        assert block is not None
        if block.touched is None:
            self.plain = True
        else:
            block.touch(self.base + lo, self.base + hi, write)

    def _note(self, key: Any, kind: int) -> Any:
        """Check *key*, log what it touches, and give the key that numpy gets. The slow path: all but simple slices."""
        array = self.array
        if isinstance(key, tuple):
            return self._note_tuple(key, kind)
        if isinstance(key, slice):
            start, stop = self._bounds(key, array.shape[0], 0)
            row = self.item * (array.size // array.shape[0] if array.shape[0] else 0)
            self._log(start * row, stop * row, kind)
            return slice(start, stop)
        if hasattr(key, "rows"):
            return self._note_rows(key, kind)
        if isinstance(key, (np.ndarray, Sequence)) and not isinstance(key, (str, bytes)):
            return self._note_many(np.asarray(key), kind)
        index = self._index(key, array.shape[0], 0)
        row = self.item * (array.size // array.shape[0])
        self._log(index * row, (index + 1) * row, kind)
        return index

    def _index(self, key: Any, size: int, axis: int) -> int:
        try:
            index = key.__index__()
        except (AttributeError, TypeError):
            raise KernelUsage(
                f"`{self.name}[{key!r}]`: an index is an integer, a:b, a tuple of these or an array"
            ) from None
        if not 0 <= index < size:
            self._out(index, index + 1, size, axis)
        return int(index)

    def _bounds(self, key: slice, size: int, axis: int) -> tuple[int, int]:
        if key.step is not None and key.step != 1:
            raise KernelUsage(f"`{self.name}[...]` with a step: load the range and take the step from what was loaded")
        start = 0 if key.start is None else key.start.__index__()
        stop = size if key.stop is None else key.stop.__index__()
        if start < 0 or stop > size or start > stop:
            self._out(start, stop, size, axis)
        return start, stop

    def _out(self, start: int, stop: int, size: int, axis: int) -> None:
        what = f"`{self.name}[{start}:{stop}]`" if stop - start != 1 else f"`{self.name}[{start}]`"
        along = f" along axis {axis}" if self.array.ndim > 1 else ""
        row = self.item * (self.array.size // max(size, 1))
        if start < 0:
            text = f"{what} starts {-start} element{'s' if start < -1 else ''} before `{self.name}`: device memory has no negative index, count from the front"
        elif start > stop:
            text = f"{what} ends before it starts"
        else:
            text = f"{what} reaches element {stop - 1}{along}, `{self.name}` has {size}"
        raise OutOfBounds(self, axis, start * row, stop * row, text)

    def _note_tuple(self, key: tuple[Any, ...], kind: int) -> tuple[Any, ...]:
        shape = self.array.shape
        if len(key) > len(shape):
            raise KernelUsage(
                f"`{self.name}` has {len(shape)} dimension{'s' if len(shape) > 1 else ''}, {len(key)} indices are given: use {self.name}.view(...)"
            )
        parts: list[Any] = []
        ranges: list[tuple[int, int]] = []
        for axis, part in enumerate(key):
            if isinstance(part, slice):
                start, stop = self._bounds(part, shape[axis], axis)
                parts.append(slice(start, stop))
            else:
                start = self._index(part, shape[axis], axis)
                stop = start + 1
                parts.append(start)
            ranges.append((start, stop))
        self._log_box(ranges, kind)
        return tuple(parts)

    def _log_box(self, ranges: list[tuple[int, int]], kind: int) -> None:
        """Log the runs of bytes of a box; *ranges* for the leading axes, the others whole."""
        shape = self.array.shape
        if any(start == stop for start, stop in ranges):
            return
        while ranges and len(ranges) == len(shape) and len(ranges) > 1 and ranges[-1] == (0, shape[len(ranges) - 1]):
            shape, ranges = (
                (*shape[:-2], shape[-2] * shape[-1]),
                [*ranges[:-2], (ranges[-2][0] * shape[-1], ranges[-2][1] * shape[-1])],
            )
        strides = [self.item] * len(shape)
        for axis in range(len(shape) - 2, -1, -1):
            strides[axis] = strides[axis + 1] * shape[axis + 1]
        depth = len(ranges)
        if depth == 1:
            self._log(ranges[0][0] * strides[0], ranges[0][1] * strides[0], kind)
            return
        if self.log is None and self.plain:
            return
        inner_lo, inner_hi = ranges[-1][0] * strides[depth - 1], ranges[-1][1] * strides[depth - 1]
        starts = [0]
        for (start, stop), stride in zip(ranges[:-1], strides, strict=False):
            starts = [base + i * stride for base in starts for i in range(start, stop)]
        for base in starts:
            self._log(base + inner_lo, base + inner_hi, kind)

    def _note_rows(self, key: Any, kind: int) -> Any:
        lo, hi = key.lo, key.hi
        if hi > self.length:
            self._out(lo, hi, self.length, 0)
        self._log(lo * self.item, hi * self.item, kind)
        return slice(lo, hi)

    def _note_many(self, key: npt.NDArray[Any], kind: int) -> npt.NDArray[Any]:
        """An index or mask array: log its sorted runs, not the envelope, which would invent races."""
        size = self.array.shape[0]
        if key.dtype == np.bool_:
            if key.shape != self.array.shape[:1]:
                raise KernelUsage(
                    f"`{self.name}[mask]`: the mask has shape {key.shape}, `{self.name}` {self.array.shape}"
                )
            chosen = np.flatnonzero(key)
        elif np.issubdtype(key.dtype, np.integer):
            chosen = np.unique(key)
        else:
            raise KernelUsage(f"`{self.name}[array]`: the indices are {key.dtype}, integers or a mask are required")
        if chosen.size:
            low, high = int(chosen[0]), int(chosen[-1])
            if low < 0 or high >= size:
                self._out(low if low < 0 else high, (low if low < 0 else high) + 1, size, 0)
            row = self.item * (self.array.size // size)
            breaks = np.flatnonzero(np.diff(chosen) > 1)
            firsts = chosen[np.concatenate(([0], breaks + 1))]
            lasts = chosen[np.concatenate((breaks, [chosen.size - 1]))]
            for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
                self._log(first * row, (last + 1) * row, kind)
        return key

    def _log(self, lo: int, hi: int, kind: int) -> None:
        if not self.plain:
            self._touch(lo, hi, kind == WRITE)
        if self.log is not None:
            self.log += (self.base + lo, self.base + hi, self.code + kind)

    def _fits(self, value: Any) -> None:
        """A value may be stored when numpy could cast it within its kind; C would need a conversion otherwise."""
        source = value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype
        if isinstance(value, (int, bool)) and self.dtype.kind in "iuf":
            return
        if isinstance(value, float) and self.dtype.kind == "f":
            return
        if not np.can_cast(source, self.dtype, "same_kind"):
            raise KernelUsage(
                f"`{self.name}` holds {self.dtype}, the value is {source}: convert it: value.astype(np.{self.dtype})"
            )


class In(Memory[T]):
    """Memory that the kernel reads. Loads are read-only views: work on a copy to change what was loaded."""

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
            """Load. Fast for one slice, and for two slices of a matrix."""
            if type(key) is slice and key.step is None:
                start, stop = key.start, key.stop
                if start is not None and stop is not None and 0 <= start <= stop <= self.length:
                    if not self.plain:
                        self._touch(start * self.item, stop * self.item, False)
                    if self.log is not None:
                        self.log += (self.base + start * self.item, self.base + stop * self.item, self.code)
                    return self.readonly[start:stop]
            elif hasattr(key, "rows"):
                return self.readonly[self._note(key, READ)].reshape(key.rows, -1)
            return self.readonly[self._note(key, READ)]

        def __setitem__(self, key, value):
            raise KernelUsage(
                f"`{self.name}` is a gm.In parameter, and `{self.name}[...] = ...` writes it: "
                f"declare `{self.name}: gm.InOut[np.{self.dtype}]`, or write to another parameter"
            )


class Out(Memory[T]):
    """Memory that the kernel writes and does not read."""

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
                f"`{self.name}` is a gm.Out parameter, and `{self.name}[...]` reads it: "
                f"declare `{self.name}: gm.InOut[np.{self.dtype}]` if its old values are meant"
            )

        def __setitem__(self, key, value):
            """Store. Fast for one slice and a value of the same type."""
            if getattr(value, "dtype", None) is not self.dtype:
                self._fits(value)
            if type(key) is slice and key.step is None:
                start, stop = key.start, key.stop
                if start is not None and stop is not None and 0 <= start <= stop <= self.length:
                    if not self.plain:
                        self._touch(start * self.item, stop * self.item, True)
                    if self.log is not None:
                        self.log += (self.base + start * self.item, self.base + stop * self.item, self.code + WRITE)
                    self.array[start:stop] = value
                    return
            elif hasattr(key, "rows"):
                part = self.array[self._note(key, WRITE)]
                part.reshape(key.rows, -1)[...] = value
                return
            self.array[self._note(key, WRITE)] = value

        def out(self, key):
            """A writable view for ``out=`` and work in place, valid until the next wait; counts as a write."""
            part = self.array[self._note(key, WRITE)]
            if hasattr(key, "rows"):
                return part.reshape(key.rows, -1)
            return part


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
            """Load a copy. Fast for one slice."""
            if type(key) is slice and key.step is None:
                start, stop = key.start, key.stop
                if start is not None and stop is not None and 0 <= start <= stop <= self.length:
                    if not self.plain:
                        self._touch(start * self.item, stop * self.item, False)
                    if self.log is not None:
                        self.log += (self.base + start * self.item, self.base + stop * self.item, self.code)
                    return self.array[start:stop].copy()
            elif hasattr(key, "rows"):
                return self.array[self._note(key, READ)].reshape(key.rows, -1).copy()
            return self.array[self._note(key, READ)].copy()

        def out(self, key):
            """A writable view for ``out=`` and work in place, valid until the next wait; counts as read and write."""
            self._note(key, READ)
            return super().out(key)

        def _atomic(self, ufunc, key, value):
            self._fits(value)
            where = self._note(key, ATOMIC)
            if isinstance(where, np.ndarray):
                ufunc.at(self.array, where, value)
            else:
                self.array[where] = ufunc(self.array[where], value)

        def atomic_add(self, key, value):
            """Add without losing another block's update; the order of float adds is a schedule choice."""
            self._atomic(np.add, key, value)

        def atomic_max(self, key, value):
            """Keep the larger, without losing another block's update."""
            self._atomic(np.maximum, key, value)

        def atomic_min(self, key, value):
            """Keep the smaller, without losing another block's update."""
            self._atomic(np.minimum, key, value)
