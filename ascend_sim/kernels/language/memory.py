"""Device memory behind a kernel parameter: its bounds, its lazy view, and the log of what is touched.

The typed classes `In`, `Out` and `InOut` are in :mod:`ascend_sim.kernels.language.gm`; here is what they share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from ascend_sim.kernels.language import indexing
from ascend_sim.kernels.language.errors import KernelUsage, OutOfBounds
from ascend_sim.kernels.language.indexing import Rows
from ascend_sim.kernels.language.structs import struct_bytes
from ascend_sim.machine import host_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_sim.machine.address_space import AddressSpace
    from ascend_sim.machine.allocations import Allocation

__all__ = ["ATOMIC", "BOX", "CODES", "READ", "WRITE", "Log", "Memory"]

T = TypeVar("T")

READ, WRITE, ATOMIC = 0, 1, 2
"""Kinds of access: an atomic update both reads and writes, but not against other atomic updates."""

CODES = 4
"""An entry of a log ends with CODES times the number of the parameter, plus the kind."""

BOX = -1
"""What stands for `hi` of an access to a box of bytes; `lo` is then its number among the boxes."""


class Log(list[int]):
    """Accesses as ``lo, hi, code`` (bytes of the allocation), flat; *boxes* as ``lo, width, pitch, rows, code``."""

    __slots__ = ("boxes",)

    def __init__(self) -> None:
        super().__init__()
        self.boxes: list[tuple[int, int, int, int, int]] = []

    def box(self, lo: int, width: int, pitch: int, rows: int, code: int) -> None:
        """An access to *rows* runs of *width* bytes, the first at *lo*, the others *pitch* bytes after each other."""
        self += (len(self.boxes), BOX, code)
        self.boxes.append((lo, width, pitch, rows, code))


_VIEWS = 64


class Memory(Generic[T]):
    """The memory of a parameter, from its address to the end of the allocation, or what `view` made of it.

    *base* is the offset of its first byte in *allocation*. The numpy view is made at the first access: an argument that
    nobody touches costs nothing and may be anything, NULL too.
    """

    __slots__ = (
        "allocation", "array", "base", "code", "dtype", "height", "item", "length", "log", "name", "plain", "quiet",
        "readonly", "shown", "space", "struct", "trouble", "views", "width",
    )  # fmt: skip

    array: npt.NDArray[Any]
    readonly: npt.NDArray[Any]
    length: int
    """Elements, when it has one dimension; -1 otherwise, which no fast path takes."""
    height: int
    width: int
    """Rows and columns, when it has two dimensions; -1 otherwise."""

    reads = False
    writes = False

    def __init__(
        self, name: str, dtype: np.dtype[Any], allocation: Allocation | None, base: int, space: AddressSpace | None,
        log: Log | None = None, code: int = 0, struct: Any = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.dtype = dtype
        self.item: int = dtype.itemsize
        self.allocation = allocation
        self.base = base
        self.space = space
        self.log = log
        self.code = code
        self.struct = struct
        """The Struct class of the elements, if they are structs."""
        self.trouble: Callable[[Memory[Any]], None] | None = None
        """Called before the first access: raises or reports what is wrong with the pointer."""
        self.views: dict[Any, Any] | None = None
        self.shown = False
        self.plain = plain = allocation is None or allocation.settled()
        """Nothing is left to poison: accesses need not ask."""
        self.quiet = plain and log is None
        """An access within bounds has no side effect."""

    def move(self, allocation: Allocation | None, base: int) -> None:
        """Let it be the memory of *allocation* from byte *base* on."""
        self.allocation = allocation
        self.base = base
        self.trouble = self.views = None
        self.plain = plain = allocation is None or allocation.settled()
        self.quiet = plain and self.log is None
        if self.shown:
            self.shown = False
            del self.array, self.readonly, self.length, self.height, self.width

    def _make(self, name: str) -> Any:
        """What `__getattr__` gives for a slot that is not set yet."""
        if name not in ("array", "readonly", "length", "height", "width"):
            cure = "brackets move data: x[a:b]" if not name.startswith("__") else ""
            raise AttributeError(f"`{self.name}` is gm.{type(self).__name__} and has no {name!r}; {cure}".rstrip("; "))
        if self.trouble is not None:
            self.trouble(self)
        allocation, space = self.allocation, self.space
        assert allocation is not None and space is not None
        space.reach(allocation, 0, 0)
        whole = allocation.bytes if allocation.bytes is not None else host_memory.view(allocation.host, allocation.size)
        count = max(allocation.size - self.base, 0) // self.item
        self.show(whole[self.base : self.base + count * self.item].view(self.dtype))
        return object.__getattribute__(self, name)

    if not TYPE_CHECKING:  # or checkers would accept every name, x[s] = v of an input too
        __getattr__ = _make

    def show(self, array: npt.NDArray[Any]) -> None:
        """Let *array* be what the accesses go to."""
        readonly = array.view()
        readonly.flags.writeable = False
        self.shown = True
        self.array = array
        self.readonly = readonly
        self.length = array.shape[0] if array.ndim == 1 else -1
        self.height, self.width = array.shape if array.ndim == 2 else (-1, -1)

    def __len__(self) -> int:
        return int(self.array.shape[0])

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape that `view` gave it; one number, to the end of the allocation, otherwise."""
        return self.array.shape

    if not TYPE_CHECKING:  # each subclass declares its own overloads

        def view(self, *shape, dtype=None, offset=0):
            """This memory as *shape* (C order) from *offset* (elements of the result) on, reinterpreted as *dtype*.

            Without a shape it reaches to the end. Raises OutOfBounds when the memory is too short for it.
            """
            known = self.views
            if known is None:
                known = self.views = {}
            key = (shape, dtype, offset)
            try:
                found = known.get(key)
            except TypeError:  # something unhashable was passed: int() says what it thinks of it
                found = None
            if found is None:
                if len(known) >= _VIEWS:
                    known.clear()
                found = known[key] = self._view(shape, dtype, int(offset))
            return found

    def _view(self, shape: tuple[Any, ...], dtype: Any, offset: int) -> Memory[Any]:
        kind = np.dtype(dtype) if dtype is not None else self.dtype
        sizes = tuple(int(n) for n in shape)
        if any(n < 0 for n in sizes):
            raise KernelUsage(f"`{self.name}.view({indexing.shown(sizes)})`: a size is negative")
        skip = offset * kind.itemsize
        struct = self.struct if dtype is None else None
        made = type(self)(self.name, kind, self.allocation, self.base + skip, self.space, self.log, self.code, struct)
        if self.trouble is not None:
            made.trouble = self.trouble
            return made
        flat = self.array.reshape(-1).view(np.uint8)
        if not sizes:
            sizes = (max(flat.shape[0] - skip, 0) // kind.itemsize,)
        count = 1
        for n in sizes:
            count *= n
        needed = skip + count * kind.itemsize
        if skip < 0 or needed > flat.shape[0]:
            what = f"`{self.name}.view({indexing.shown(sizes)})`"
            text = f"{what} starts {-offset} element{'s' if offset < -1 else ''} before `{self.name}`"
            if skip >= 0:
                text = f"{what} needs {needed} bytes, `{self.name}` has {flat.shape[0]}"
            raise OutOfBounds(self, min(skip, 0), needed, what, text)
        made.show(flat[skip:needed].view(kind).reshape(sizes))
        return made

    # -- what all kinds of keys come down to ---------------------------------------------------------------------------

    def seen(self, lo: int, hi: int, kind: int) -> None:
        """An access to bytes [lo, hi) of the view: poison what was never touched, and log it."""
        if not self.plain:
            allocation = self.allocation
            assert allocation is not None
            allocation.touch(self.base + lo, self.base + hi, kind == WRITE)
            if allocation.settled():
                self.plain = True
                self.quiet = self.log is None
        if self.log is not None and hi > lo:
            self.log += (self.base + lo, self.base + hi, self.code + kind)

    def note(self, key: Any, kind: int) -> Any:
        """Check *key*, see what it touches, and give the key that numpy gets. All but single slices come here."""
        shape = self.array.shape
        if isinstance(key, slice):
            start, stop = self._bounds(key, shape[0], 0, key)
            row = self.item * (self.array.size // shape[0] if shape[0] else 0)
            self.seen(start * row, stop * row, kind)
            return slice(start, stop)
        if isinstance(key, tuple):
            return self._note_tuple(key, kind)
        if isinstance(key, Rows):
            return self.note_rows(key, kind)
        row = self.item * (self.array.size // shape[0]) if shape[0] else self.item
        if indexing.is_many(key):
            many, runs = indexing.chosen_runs(self.name, key, shape)
            if runs and (runs[0][0] < 0 or runs[-1][1] > shape[0]):
                outside = runs[0][0] if runs[0][0] < 0 else runs[-1][1] - 1
                self._out(outside, outside + 1, shape[0], 0, outside)
            for start, stop in runs:
                self.seen(start * row, stop * row, kind)
            return many
        index = self._index(key, shape[0], 0, key)
        self.seen(index * row, (index + 1) * row, kind)
        return index

    def note_rows(self, key: Rows, kind: int) -> slice:
        """Note the accesses of a batch kernel to the shares of its blocks; returns what they select."""
        if key.hi > self.length:
            if self.array.ndim != 1:
                raise KernelUsage(f"`{self.name}[b.rows(n)]` needs memory of one dimension, not {self.array.ndim}")
            self._out(0, key.hi, self.length, 0, key)
        if not self.quiet:
            self.seen(0, key.hi * self.item, kind)
        return key.part

    def _note_tuple(self, key: tuple[Any, ...], kind: int) -> tuple[Any, ...]:
        shape = self.array.shape
        if len(key) > len(shape):
            axes = f"{len(shape)} dimension{'s' if len(shape) > 1 else ''}"
            raise KernelUsage(
                f"`{self.name}` has {axes}, {len(key)} indices are given", f"give it a shape: {self.name}.view(...)"
            )
        parts: list[Any] = []
        ranges: list[tuple[int, int]] = []
        for axis, part in enumerate(key):
            if isinstance(part, slice):
                ranges.append(self._bounds(part, shape[axis], axis, key))
                parts.append(slice(*ranges[-1]))
            else:
                index = self._index(part, shape[axis], axis, key)
                ranges.append((index, index + 1))
                parts.append(index)
        if not self.quiet:
            for lo, hi in indexing.box_runs(shape, ranges, self.item):
                self.seen(lo, hi, kind)
        return tuple(parts)

    def tile(self, key: tuple[Any, ...], kind: int) -> bool:
        """Whether *key* is two slices (``a:b`` or ``:``) within a matrix; then it is logged. The way for tiles."""
        rows, columns = key
        try:
            top, bottom, left, right = rows.start, rows.stop, columns.start, columns.stop
            if rows.step is not None or columns.step is not None:
                return False
        except AttributeError:  # an index among them
            return False
        height, width = self.height, self.width
        if top is None:
            if bottom is not None or height < 0:
                return False
        elif bottom is None or not 0 <= top <= bottom <= height:
            return False
        if left is None:
            if right is not None or width < 0:
                return False
        elif right is None or not 0 <= left <= right <= width:
            return False
        return self.quiet or self._log_tile(top, bottom, left, right, kind)

    def _log_tile(self, top: Any, bottom: Any, left: Any, right: Any, kind: int) -> bool:
        if not self.plain:
            return False
        top, bottom = (0, self.height) if top is None else (int(top), int(bottom))
        left, right = (0, self.width) if left is None else (int(left), int(right))
        if self.log is not None and bottom > top and right > left:
            item, pitch = self.item, self.width * self.item
            lo = self.base + top * pitch + left * item
            if right - left == self.width:
                self.log += (lo, lo + (bottom - top) * pitch, self.code + kind)
            else:
                self.log.box(lo, (right - left) * item, pitch, bottom - top, self.code + kind)
        return True

    def _index(self, value: Any, size: int, axis: int, key: Any) -> int:
        try:
            index = int(value.__index__())
        except (AttributeError, TypeError):
            what = f"`{self.name}[{indexing.shown(key)}]`"
            raise KernelUsage(f"{what}: an index is an integer, a:b, a tuple of these, or an array") from None
        if not 0 <= index < size:
            self._out(index, index + 1, size, axis, key)
        return index

    def _bounds(self, part: slice, size: int, axis: int, key: Any) -> tuple[int, int]:
        if part.step is not None and part.step != 1:
            what = f"`{self.name}[{indexing.shown(key)}]` has a step"
            raise KernelUsage(what, "load the range and take the step from what was loaded")
        start = 0 if part.start is None else int(part.start.__index__())
        stop = size if part.stop is None else int(part.stop.__index__())
        if start < 0 or stop > size or start > stop:
            self._out(start, stop, size, axis, key)
        return start, stop

    def _out(self, start: int, stop: int, size: int, axis: int, key: Any) -> NoReturn:
        name = self.name
        what = f"{name}[{indexing.shown(key)}]"
        shape = self.array.shape
        row = self.item
        for extent in shape[axis + 1 :]:
            row *= extent
        along = f" along axis {axis}" if len(shape) > 1 else ""
        cure = ""
        if start < 0:
            text = f"`{what}` starts {-start} element{'s' if start < -1 else ''} before `{name}`{along}"
            cure = "device memory has no negative index; count from the front"
        elif start > stop:
            text = f"`{what}` ends before it starts{along}"
        else:
            text = f"`{what}` reaches element {stop - 1}{along}, `{name}` has {size}"
        raise OutOfBounds(self, start * row, stop * row, what, text, cure)

    def fits(self, value: Any) -> Any:
        """*value* as it can be stored. Raises KernelUsage when C would need a conversion."""
        if self.struct is not None and not isinstance(value, (np.ndarray, np.void)):
            return np.frombuffer(struct_bytes(value), self.dtype, 1)[0]
        if type(value) is int and self.dtype.kind in "biufV":
            return value
        if type(value) is float and self.dtype.kind in "fV":
            return value
        source = value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype
        if not np.can_cast(source, self.dtype, "same_kind"):
            cure = f"convert it: value.astype(np.{self.dtype})"
            raise KernelUsage(f"`{self.name}` holds {self.dtype}, the value is {source}", cure)
        return value
