"""What figures are measured with: the floor, ratios against it, and how rows are declared.

The floor is one object with slots, one append and one pop of a deque, and one function call: what no simulator of
queues in Python can do without. Machines differ and drift, so a figure is the median of ratios that are measured in
turn with the floor. It means the same on every machine that runs the same Python.
"""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import NamedTuple

__all__ = ["BATCH", "ROUNDS", "Group", "Row", "Settings", "Value", "against_floor", "clock", "floor"]

ROUNDS = 9
BATCH = 1000

clock = time.perf_counter

Value = tuple[float, "float | None"]
"""A figure in its unit, and microseconds where that says something."""


class Row(NamedTuple):
    """A figure: its name, its unit, the bar of the project, and what it is."""

    name: str
    unit: str
    bar: float
    text: str
    extra: bool = False
    """It takes long: it is measured when it is named, not with the others."""


class Settings(NamedTuple):
    """What the user of ``ascend-sim bench`` can choose."""

    threads: str = "deterministic"
    tasks: int = 100_000
    """Length of the plan."""


class Group(NamedTuple):
    """Rows that are measured together: *measure* gets the names of those that are wanted."""

    rows: tuple[Row, ...]
    measure: Callable[[Collection[str], Settings], dict[str, Value]]
    missing: Callable[[], str | None] = lambda: None
    """Why it cannot be measured here; None when it can."""


class _Slots:
    __slots__ = ("a", "b", "c", "d", "e")

    def __init__(self, a: int, b: int, c: int, d: int, e: int) -> None:
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.e = e


def _call(value: _Slots) -> _Slots:
    return value


def floor(n: int = 20_000, clock: Callable[[], float] = clock) -> float:
    """Seconds of one floor by *clock*: object, append, pop, call."""
    queue: deque[_Slots] = deque()
    begin = clock()
    for _ in range(n):
        queue.append(_Slots(1, 2, 3, 4, 5))
        _call(queue.popleft())
    return (clock() - begin) / n


def against_floor(
    measure: Callable[[], float], rounds: int = ROUNDS, measured_by: Callable[[], float] = clock
) -> tuple[float, float]:
    """Median of *measure* (seconds an operation) over the floor around it, and its median in microseconds.

    *measured_by*: the clock that *measure* asks.
    """
    measure()
    ratios, absolute = [], []
    for _ in range(rounds):
        before = floor(clock=measured_by)
        seconds = measure()
        ratios.append(seconds / ((before + floor(clock=measured_by)) / 2))
        absolute.append(seconds * 1e6)
    return statistics.median(ratios), statistics.median(absolute)
