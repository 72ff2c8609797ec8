"""Vector clocks: who knows what happened (docs/semantics/happens_before.md#clocks).

A *chain* is something whose events are ordered by themselves: a host thread, or the tasks that one thread submitted to
one stream (a *track*). An epoch is (chain, number). A view says for each chain up to which number its owner knows. A
view that somebody else may hold a pointer to is never changed in place.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from ascend_sim.machine.arrays import np

__all__ = ["EMPTY", "STEP", "HostClock", "Known", "Track", "View", "enlarged", "join", "known_to"]

View = memoryview
"""A memoryview over int64: reading an entry costs no more than of a list, a join is one numpy call (0.4 us)."""

STEP = 16
EMPTY: View = memoryview(bytearray(8 * STEP)).cast("l")
MOST_POINTS = 512


def join(a: View, b: View) -> View:
    """A new view of somebody who knows both."""
    if len(a) == len(b):
        return np.maximum(a, b).data
    if len(a) < len(b):
        a, b = b, a
    joined = np.array(a, np.int64)
    np.maximum(joined[: len(b)], b, out=joined[: len(b)])
    return joined.data


def enlarged(view: View, size: int) -> View:
    """A copy of *view* with at least *size* entries."""
    larger = memoryview(bytearray(8 * max(size, len(view)))).cast("l")
    larger[: len(view)] = view
    return larger


def known_to(view: View, c: int, q: int) -> bool:
    """Whether epoch (c, q) is known to the owner of *view*."""
    return c < len(view) and view[c] >= q


class Known:
    """What somebody knew at one moment: all of *view*, and chain *c* up to number *q*.

    *host*: the chain of the thread that submitted the task in question, also known up to *q*; *c* itself for a thread.
    """

    __slots__ = ("c", "host", "q", "view")

    def __init__(self, c: int, host: int, q: int, view: View) -> None:
        self.c = c
        self.host = host
        self.q = q
        self.view = view

    def knows(self, c: int, q: int) -> bool:
        """Whether that one knew epoch (c, q)."""
        return (q <= self.q and c in (self.c, self.host)) or known_to(self.view, c, q)

    def added_to(self, mine: View) -> View:
        """A new view of somebody who knows *mine* and this."""
        joined = join(mine, self.view)
        last = self.c if self.c > self.host else self.host
        if last >= len(joined):
            joined = enlarged(joined, last + STEP)
        if joined[self.c] < self.q:
            joined[self.c] = self.q
        if joined[self.host] < self.q:
            joined[self.host] = self.q
        return joined


class HostClock:
    """What a host thread knows.

    `q` numbers its submits (in steps of two), accesses and all that others may come to know; the own entry of `view` is
    stale, `q` counts. `view` is replaced when the thread learns something, never changed: tasks keep pointers to it.
    """

    __slots__ = ("c", "name", "q", "view")

    def __init__(self, c: int, name: str) -> None:
        self.c = c
        self.name = name
        self.q = 2
        self.view: View = EMPTY

    def release(self) -> Known:
        """What the thread knows now; what it does from now on is not part of it."""
        known = Known(self.c, self.c, self.q, self.view)
        self.q += 1
        return known

    def learn(self, known: Known) -> bool:
        """Come to know *known*. False when that was known: one comparison tells."""
        mine = self.view
        if known.c < len(mine) and mine[known.c] >= known.q:
            return False
        self.view = known.added_to(mine)
        self.q += 1
        return True

    def join(self, view: View) -> None:
        """Come to know all of *view*."""
        self.view = join(self.view, view)
        self.q += 1

    def sized(self, size: int) -> View:
        """The view with at least *size* entries."""
        if len(self.view) < size:
            self.view = enlarged(self.view, size)
        return self.view


class Track:
    """The tasks that one thread submitted to one stream, as a chain.

    The number of a task is the number of its submit: so a thread that knows a submit knows a number here. `view` is what
    the latest task knows that was looked at; tasks that touch nothing are never looked at. The entries of the track
    itself and of its submitter are stale in it unless it is settled.
    """

    __slots__ = (
        "c", "frozen", "host", "know", "lost", "numbers", "others", "pending", "q", "settled", "stream", "thread", "view",
        "views",
    )  # fmt: skip

    def __init__(self, c: int, host: HostClock, stream: Any, thread: Any) -> None:
        self.c = c
        self.host = host
        self.stream = stream
        self.thread = thread
        self.q = 0
        self.view: View = EMPTY
        self.frozen = True
        """Somebody holds a pointer to `view`: the next change makes a copy."""
        self.settled = False
        """The own entries of `view` are those of the task `q`."""
        self.know: View = EMPTY
        """The knowledge of the submitter that was joined last."""
        self.others: list[Track] = []
        """The other tracks of the stream."""
        self.pending: list[tuple[int, Any]] = []
        """(number, record): tasks after *number* follow a record whose wait was dropped."""
        self.numbers: list[int] = []
        self.views: list[View] = []
        """What was known from which number on: a point after each wait."""
        self.lost = False
        """The oldest points were forgotten."""

    def settle(self, size: int) -> View:
        """`view` as a copy of our own with *size* entries, with the epochs of the task and of its submit in it."""
        view = self.view
        if self.frozen or len(view) < size:
            self.view = view = enlarged(view, size)
            self.frozen = False
        q = self.q
        view[self.c] = q
        if view[self.host.c] < q:  # after a callback in the same thread it is ahead
            view[self.host.c] = q
        self.settled = True
        return view

    def known(self) -> Known:
        """What the task at which the track is knows now."""
        self.frozen = True
        return Known(self.c, self.host.c, self.q, self.view)

    def acquire(self, known: Known) -> bool:
        """The task follows *known*. False when it does anyhow."""
        mine = self.view
        if known.c < len(mine) and mine[known.c] >= known.q:
            return False
        self.view = known.added_to(mine)
        self.frozen = self.settled = False
        self.note()
        return True

    def join(self, view: View) -> None:
        """The task follows all of *view*."""
        self.view = join(self.view, view)
        self.frozen = self.settled = False
        self.note()

    def note(self, number: int = 0, view: View | None = None) -> None:
        """Keep what is known now: of a record that runs unseen it is asked later what it covers.

        With *number* and *view*: what tasks from that number on know, who are before the one at which the track is.
        """
        number = number or self.q
        numbers, views = self.numbers, self.views
        if numbers and numbers[-1] == number:
            numbers.pop()
            views.pop()
        numbers.append(number)
        views.append(self.view if view is None else view)
        self.frozen = True
        if len(numbers) > MOST_POINTS:
            del numbers[: MOST_POINTS // 2], views[: MOST_POINTS // 2]
            self.lost = True

    def upto(self, number: int) -> View:
        """What the last task with at most *number* knew by its waits; a forgotten one is taken for a later one."""
        place = bisect_right(self.numbers, number)
        if place:
            return self.views[place - 1]
        return self.views[0] if self.lost else EMPTY
