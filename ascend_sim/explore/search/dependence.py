"""Dependence of steps: what a step touches, and when two steps must keep their order.

A step touches `Item`s. Two items of one key conflict when their modes do and ``[lo, hi)`` of both meet; two steps are
dependent when an item of the one conflicts with an item of the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

__all__ = [
    "ATOMIC", "CLEAR", "CONFLICTS", "END", "Item", "LOCK", "POLL", "PROCESS", "PUT", "READ", "SET", "SUBMIT", "TAKE",
    "UNLOCK", "WAIT", "WORDS", "WORK", "WRITE", "dependent", "meet", "was_idle", "was_possible",
]  # fmt: skip

READ, WRITE, ATOMIC = 0, 1, 2
"""Bytes of an allocation; also what host calls read and write of an object. A free is a write of the whole."""
SET, CLEAR, WAIT = 3, 4, 5
"""A level flag: all but two waits conflict."""
PUT, TAKE = 6, 7
"""A notify: everything conflicts."""
END, POLL = 8, 9
"""The end of a task, and a poll of whether it is done."""
SUBMIT = 10
"""A submission to a stream: two do not change places. Its *before* is the place of the step that made room for it, if
it needed one: that comes first, but is no obstacle to another submission in the place of this one."""
LOCK, UNLOCK = 11, 12
"""A lock taken, or looked at, and given back. A queue is its lock: what is done to the one conflicts with the other."""

WORK = sum(1 << mode for mode in (WRITE, ATOMIC, SET, CLEAR, PUT, SUBMIT))
"""Modes of what is more than a poll, as a bit mask."""

_PAIRS = (
    (READ, WRITE), (WRITE, WRITE), (READ, ATOMIC), (WRITE, ATOMIC), (SET, SET), (SET, CLEAR), (CLEAR, CLEAR),
    (SET, WAIT), (CLEAR, WAIT), (PUT, PUT), (PUT, TAKE), (TAKE, TAKE), (END, POLL), (SUBMIT, SUBMIT),
    (LOCK, LOCK), (LOCK, UNLOCK), (LOCK, PUT), (LOCK, TAKE), (UNLOCK, PUT), (UNLOCK, TAKE),
)  # fmt: skip


def _table() -> tuple[int, ...]:
    masks = [0] * 13
    for a, b in _PAIRS:
        masks[a] |= 1 << b
        masks[b] |= 1 << a
    return tuple(masks)


WORDS = {
    "set": SET, "clear": CLEAR, "wait": WAIT, "put": PUT, "take": TAKE, "lock": LOCK, "end": POLL,
    "signal": PUT, "await": TAKE,
}  # fmt: skip
"""What threads do to objects of the library, as these say it."""

CONFLICTS = _table()
"""For each mode the modes that conflict with it, as a bit mask."""


_start = itemgetter(0)


PROCESS = ("process",)
"""The key of the process: its end, and what lives in it until then."""


class Item(NamedTuple):
    """One thing that a step does to one object."""

    key: Hashable
    mode: int
    lo: int = 0
    hi: int = 1
    before: Any = None
    """Of an operation on a flag, a notify, a lock: whether a wait for it could have passed just before. Of a submission: how
    many tasks were outstanding."""
    test: Any = None
    """Of a wait, which must be possible: called with (the place of a step, an item of it, all steps, what they did to the
    same thing), says whether it was just before that, or could be when what does not follow the step came first."""
    parts: tuple[tuple[int, int], ...] | None = None
    """Of [lo, hi) only these, in order and with gaps between; None: all of it."""


def meet(a: Item, b: Item) -> bool:
    """Whether two items of one key conflict."""
    return bool(CONFLICTS[a[1]] >> b[1] & 1) and a[2] < b[3] and b[2] < a[3] and parts_meet(a, b)


def parts_meet(a: Item, b: Item) -> bool:
    """Whether two items whose ranges overlap do so in a part of both."""
    if a.parts is None and b.parts is None:
        return True
    mine, theirs = a.parts or (a[2:4],), b.parts or (b[2:4],)
    if len(mine) < len(theirs):
        mine, theirs = theirs, mine
    for lo, hi in theirs:
        place = bisect_left(mine, hi, key=_start) - 1  # the last that begins before the end
        if place >= 0 and mine[place][1] > lo:
            return True
    return False


def in_parts(key: Hashable, mode: int, parts: Iterable[tuple[int, int]]) -> Item | None:
    """One item for many ranges, which may overlap and come in any order; None when there are none."""
    merged: list[tuple[int, int]] = []
    for lo, hi in sorted(parts):
        if merged and lo <= merged[-1][1]:
            if hi > merged[-1][1]:
                merged[-1] = merged[-1][0], hi
        else:
            merged.append((lo, hi))
    if not merged:
        return None
    whole = merged[0][0], merged[-1][1]
    return Item(key, mode, *whole, None, None, tuple(merged) if len(merged) > 1 else None)


def dependent(some: Iterable[Item], others: Iterable[Item]) -> bool:
    """Whether two steps of different processes are dependent."""
    for a in some:
        key, mask, lo, hi = a[0], CONFLICTS[a[1]], a[2], a[3]
        for b in others:
            if key == b[0] and mask >> b[1] & 1 and lo < b[3] and b[2] < hi and (a[6] is b[6] or parts_meet(a, b)):
                return True
    return False


def was_possible(x: int, other: Item, steps: Sequence[Any], touches: Iterable[tuple[int, Item]]) -> bool:
    """Whether a wait could have passed just before the step at *x* did *other* to what is waited for."""
    return bool(other.before)


def was_idle(x: int, other: Item, steps: Sequence[Any], touches: Iterable[tuple[int, Item]]) -> bool:
    """`was_possible` for waits until nothing is outstanding.

    *other* put something in, when *before* so many were outstanding, or ended something (None). An end and a submission
    that do not follow each other may change places, so what ended later may have ended before.
    """
    if other.before is None:
        return False
    outstanding: int = other.before
    for y, one in touches:
        if y > x and one.mode == END and not steps[y].before >> x & 1:
            outstanding += -1 if one.before is None else 1
    return outstanding == 0
