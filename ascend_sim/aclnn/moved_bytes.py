"""Operators that only move elements: which bytes of their results come from bytes that nobody has written.

Torch pads, joins and copies tensors that it never reads, such as the outputs of a gathering that are to be filled: that
uses nothing yet, and what nobody wrote is still so where it was moved to. The operator itself says where that is: it runs on
copies, with 0 and then with 1 in place of the elements in question, and what comes out different was one of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ascend_sim.aclnn.running import Run
    from ascend_sim.aclnn.windows import Window
    from ascend_sim.runtime.task import Task

__all__ = ["MovedBytes"]

MOST: Final = 1 << 28
"""Bytes of operands of which copies are made."""
Range = tuple[int, int]
Mask = npt.NDArray[np.bool_]


class MovedBytes:
    """Those of one task, *run*, told before it runs."""

    def __init__(self, run: Run, task: Task) -> None:
        self._run = run
        self._task = task
        operands = list(enumerate(zip(run.operands, run.windows, strict=True)))
        self.sources = [WindowExtent(i, w) for i, (o, w) in operands if o.place.read and w.block is not None]
        self.targets = [WindowExtent(i, w) for i, (o, w) in operands if o.place.written and w.block is not None]

    def behind(self, holes: Sequence[Sequence[Range]]) -> list[list[Range]]:
        """For each of `targets` the ranges that get bytes from *holes*, of which there is one list for each of `sources`.

        None at all where that would take copies of large tensors, or where the operator fails.
        """
        nothing: list[list[Range]] = [[] for _ in self.targets]
        if sum(window.layout.nbytes for window in self._run.windows) > MOST:
            return nothing
        chosen = {one.index: one.within(ranges) for one, ranges in zip(self.sources, holes, strict=True) if ranges}
        with_0, with_1 = self._results(chosen, 0), self._results(chosen, 1)
        if with_0 is None or with_1 is None:
            return nothing
        return [
            one.ranges_of((a != b).any(axis=1).reshape(one.window.layout.dims))
            for one, a, b in zip(self.targets, with_0, with_1, strict=True)
        ]

    def _results(self, chosen: dict[int, Mask], value: int) -> list[npt.NDArray[np.uint8]] | None:
        """The bytes of each element of the targets, with *value* in place of those that are *chosen*; None: it fails."""
        copies = [np.array(window.elements(self._task, False), order="C") for window in self._run.windows]
        for index, elements in chosen.items():
            copies[index][elements] = value
        if not self._run.compute(copies):
            return None
        made = [copies[one.index] for one in self.targets]
        return [array.reshape(-1).view(np.uint8).reshape(array.size, array.itemsize) for array in made]


class WindowExtent:
    """The bytes of the operand at *index*."""

    def __init__(self, index: int, window: Window) -> None:
        assert window.block is not None
        self.index = index
        self.window = window
        self.block = window.block
        self.lo = window.offset
        self.hi = window.offset + window.layout.nbytes
        element: Any = window.layout.element
        self._width = int(element.carrier.itemsize)

    def ranges(self) -> list[Range]:
        """Each byte, and none between."""
        layout, lo = self.window.layout, self.lo
        if layout.parts is not None:
            return [(lo + a, lo + b) for a, b in layout.parts]
        if layout.bands:
            return [
                (lo + start + row * pitch, lo + start + row * pitch + width)
                for start, width, pitch, rows in layout.bands
                for row in range(rows)
            ]
        return [(lo, self.hi)]

    def _begins(self) -> npt.NDArray[np.int64]:
        """Where in its block each element begins."""
        layout = self.window.layout
        places = np.full(layout.dims, self.lo + layout.shift, np.int64)
        for axis, (count, step) in enumerate(zip(layout.dims, layout.steps, strict=True)):
            places += (np.arange(count) * step).reshape([-1 if i == axis else 1 for i in range(len(layout.dims))])
        return places

    def within(self, ranges: Sequence[Range]) -> Mask:
        """Which elements have a byte in one of *ranges*."""
        begins = self._begins()
        found = np.zeros(begins.shape, bool)
        for lo, hi in ranges:
            found |= (begins < hi) & (begins + self._width > lo)
        return found

    def ranges_of(self, elements: Mask) -> list[Range]:
        """The bytes of *elements*, as ranges of the block, sorted and apart."""
        begins = np.unique(self._begins()[elements])
        if not begins.size:
            return []
        parts = np.split(begins, np.flatnonzero(np.diff(begins) > self._width) + 1)
        return [(int(part[0]), int(part[-1]) + self._width) for part in parts]
