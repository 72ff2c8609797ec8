"""Operators that only move elements: which bytes of their results come from bytes that nobody has written.

Torch pads, joins and copies tensors that it never reads, such as the outputs of a gathering that are to be filled: that
uses nothing yet, and what nobody wrote is still so where it was moved to. The operator itself says where that is: it runs on
copies, with 0 and then with 1 in place of the elements in question, and what comes out different was one of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ascend_sim.aclnn.running import Run
    from ascend_sim.aclnn.windows import Array, Window
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.task import Task

__all__ = ["MovedBytes"]

Range = tuple[int, int]


class MovedBytes:
    """Those of one task, *run*, told before it runs."""

    def __init__(self, run: Run, task: Task) -> None:
        self._run = run
        self._task = task
        operands = list(zip(run.operands, run.windows, strict=True))
        self._sources = [(i, w) for i, (o, w) in enumerate(operands) if o.place.read and w.block is not None]
        self._targets = [(i, w) for i, (o, w) in enumerate(operands) if o.place.written and w.block is not None]

    @property
    def sources(self) -> list[tuple[Allocation, list[Range]]]:
        """The bytes that are read: blocks, and ranges in them."""
        return [(_block(window), _all_of(window)) for _, window in self._sources]

    @property
    def targets(self) -> list[tuple[Allocation, list[Range]]]:
        """The bytes that are written."""
        return [(_block(window), _all_of(window)) for _, window in self._targets]

    def behind(self, holes: Sequence[Sequence[Range]]) -> list[list[Range]]:
        """For each of `targets` the ranges that get bytes from *holes*, of which there is one list for each of `sources`."""
        chosen = {
            index: _within(window, ranges) for (index, window), ranges in zip(self._sources, holes, strict=True) if ranges
        }
        with_0, with_1 = self._results(chosen, 0), self._results(chosen, 1)
        return [
            _ranges(window, a != b) for (_, window), a, b in zip(self._targets, with_0, with_1, strict=True)
        ]  # fmt: skip

    def _results(self, chosen: dict[int, npt.NDArray[np.bool_]], value: int) -> list[Array]:
        copies = [np.array(window.elements(self._task, False), order="C") for window in self._run.windows]
        for index, elements in chosen.items():
            copies[index][elements] = value
        self._run.compute(copies)
        return [copies[index] for index, _ in self._targets]


def _block(window: Window) -> Allocation:
    assert window.block is not None
    return window.block


def _all_of(window: Window) -> list[Range]:
    layout, lo = window.layout, window.offset
    if layout.parts is None and not layout.bands:
        return [(lo, lo + layout.nbytes)] if layout.nbytes else []
    return _ranges(window, np.ones(layout.dims, bool))


def _begins(window: Window) -> npt.NDArray[np.int64]:
    """Where in its block each element begins."""
    layout = window.layout
    places = np.full(layout.dims, window.offset + layout.shift, np.int64)
    for axis, (count, step) in enumerate(zip(layout.dims, layout.steps, strict=True)):
        places += (np.arange(count) * step).reshape([-1 if i == axis else 1 for i in range(len(layout.dims))])
    return places


def _width(window: Window) -> int:
    element: Any = window.layout.element
    return int(element.carrier.itemsize)


def _within(window: Window, ranges: Sequence[Range]) -> npt.NDArray[np.bool_]:
    """Which elements have a byte in one of *ranges*."""
    begins, width = _begins(window), _width(window)
    found = np.zeros(begins.shape, bool)
    for lo, hi in ranges:
        found |= (begins < hi) & (begins + width > lo)
    return found


def _ranges(window: Window, elements: npt.NDArray[np.bool_]) -> list[Range]:
    """The bytes of *elements*, as ranges of the block, sorted and apart."""
    begins, width = np.unique(_begins(window)[elements]), _width(window)
    if not begins.size:
        return []
    breaks = np.flatnonzero(np.diff(begins) > width) + 1
    parts = np.split(begins, breaks)
    return [(int(part[0]), int(part[-1]) + width) for part in parts]
