"""What stands between the brackets of an access, checked against a shape and turned into runs of bytes.

Nothing is clipped and there are no negative indices: device memory has neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ascend_sim.kernels.language.errors import KernelUsage

__all__ = ["Rows", "box_runs", "chosen_runs", "is_many", "shown"]


class Rows:
    """The shares of all blocks of a batch kernel: elements [0, hi), of which row i is block i's."""

    __slots__ = ("hi", "part", "rows")

    def __init__(self, hi: int, rows: int) -> None:
        self.hi = hi
        self.rows = rows
        self.part = slice(0, hi)


def is_many(key: Any) -> bool:
    """Whether *key* is an array of indices or a mask (a list of ints counts)."""
    return isinstance(key, np.ndarray) or (isinstance(key, Sequence) and not isinstance(key, (str, bytes, tuple)))


def shown(key: Any) -> str:
    """A key as the user wrote it, with numbers in it: ``0:125``, ``3, 0:64``, ``array of 8 indices``."""
    if isinstance(key, tuple):
        return ", ".join(shown(part) for part in key)
    if isinstance(key, slice):
        ends = ["" if end is None else str(end) for end in (key.start, key.stop)]
        return ":".join(ends) if key.step is None else ":".join([*ends, str(key.step)])
    if isinstance(key, Rows):
        return f"0:{key.hi}"
    if is_many(key):
        many = np.asarray(key)
        return f"mask of {many.size}" if many.dtype == np.bool_ else f"array of {many.size} indices"
    return str(key)


def box_runs(shape: tuple[int, ...], ranges: list[tuple[int, int]], item: int) -> list[tuple[int, int]]:
    """The runs of bytes of a box in C order: *ranges* for the leading axes, the others whole; neighbours joined."""
    if any(start == stop for start, stop in ranges) or 0 in shape:
        return []
    strides = [item] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    depth = len(ranges)
    while depth > 1 and ranges[depth - 1] == (0, shape[depth - 1]):
        depth -= 1  # a whole axis: its rows touch each other
    first, last = ranges[depth - 1]
    lo, hi = first * strides[depth - 1], last * strides[depth - 1]
    bases = [0]
    for (start, stop), stride in zip(ranges[: depth - 1], strides, strict=False):
        bases = [base + i * stride for base in bases for i in range(start, stop)]
    return [(base + lo, base + hi) for base in bases]


def chosen_runs(name: str, key: Any, shape: tuple[int, ...]) -> tuple[npt.NDArray[Any], list[tuple[int, int]]]:
    """An array of indices or a mask along the first axis: (the array, its sorted runs of elements).

    The runs, not the envelope: that would invent races. Raises KernelUsage for another type or shape. The runs may lie
    outside the shape: the caller looks.
    """
    many = np.asarray(key)
    if many.dtype == np.bool_:
        if many.shape != shape[:1]:
            raise KernelUsage(f"`{name}[mask]`: the mask has shape {many.shape}, `{name}` {shape}")
        chosen = np.flatnonzero(many)
    elif np.issubdtype(many.dtype, np.integer):
        chosen = np.unique(many)
    elif many.size == 0:
        return many.astype(np.intp), []
    else:
        raise KernelUsage(f"`{name}[array]`: the indices are {many.dtype}", "integers or a mask are required")
    if not chosen.size:
        return many, []
    breaks = np.flatnonzero(np.diff(chosen) > 1)
    firsts = chosen[np.concatenate(([0], breaks + 1))]
    lasts = chosen[np.concatenate((breaks, [chosen.size - 1]))] + 1
    return many, list(zip(firsts.tolist(), lasts.tolist(), strict=True))
