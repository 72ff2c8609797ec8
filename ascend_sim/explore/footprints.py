"""What one step of a run touches, and when two steps may not change places.

An item is ``(key, mode, lo, hi, before)``. Items of the same key conflict by their modes, and when ``[lo, hi)`` of both
meet. *before*: of an operation on a flag, a notify, a lock, whether a wait for it could have passed just before.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

__all__ = [
    "ATOMIC", "CLEAR", "CONFLICTS", "END", "Item", "LOCK", "POLL", "PUT", "READ", "SET", "SUBMIT", "TAKE", "UNLOCK",
    "WAIT", "WRITE", "dependent", "meet", "was_possible",
]  # fmt: skip

READ, WRITE, ATOMIC = 0, 1, 2
"""Bytes of an allocation; also what host calls read and write of an object. A free is a write of the whole."""
SET, CLEAR, WAIT = 3, 4, 5
"""A level flag: all but two waits conflict."""
PUT, TAKE = 6, 7
"""A notify: everything conflicts."""
END, POLL = 8, 9
"""The end of a task, and the question whether it is done."""
SUBMIT = 10
"""A submission to a stream: two do not change places. Its *before* is the place of the step that made room for it, if
it needed one: that comes first, but is no obstacle to another submission in the place of this one."""
LOCK, UNLOCK = 11, 12
"""A lock taken, or looked at, and given back."""

_PAIRS = (
    (READ, WRITE), (WRITE, WRITE), (READ, ATOMIC), (WRITE, ATOMIC), (SET, SET), (SET, CLEAR), (CLEAR, CLEAR),
    (SET, WAIT), (CLEAR, WAIT), (PUT, PUT), (PUT, TAKE), (TAKE, TAKE), (END, POLL), (SUBMIT, SUBMIT),
    (LOCK, LOCK), (LOCK, UNLOCK),
)  # fmt: skip


def _table() -> tuple[int, ...]:
    masks = [0] * 13
    for a, b in _PAIRS:
        masks[a] |= 1 << b
        masks[b] |= 1 << a
    return tuple(masks)


CONFLICTS = _table()
"""For each mode the modes that conflict with it, as a bit mask."""


class Item(NamedTuple):
    """One thing that a step does to one object."""

    key: Hashable
    mode: int
    lo: int = 0
    hi: int = 1
    before: Any = None
    test: Any = None
    """Of a wait: it had to be possible. Called with (a step, the step's item), says whether it was just before that."""


def meet(a: Item, b: Item) -> bool:
    """Whether two items of one key conflict."""
    return bool(CONFLICTS[a[1]] >> b[1] & 1) and a[2] < b[3] and b[2] < a[3]


def dependent(some: Iterable[Item], others: Iterable[Item]) -> bool:
    """Whether two steps of different processes may not change places."""
    for a in some:
        key, mask, lo, hi = a[0], CONFLICTS[a[1]], a[2], a[3]
        for b in others:
            if key == b[0] and mask >> b[1] & 1 and lo < b[3] and b[2] < hi:
                return True
    return False


def was_possible(step: Any, other: Item) -> bool:
    """Whether a wait could have passed just before *step* did *other* to what is waited for."""
    return bool(other.before)
