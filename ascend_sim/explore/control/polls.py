"""Polls: which steps of a thread make progress, and whether what it polls for can be another by now.

A poll, a sleep or a failing call that is repeated without progress in between is not enabled before others have touched
what it looked at: so loops that poll end, and every schedule of them is finite. A poll is repeated where the same call of
the program asks the same: of two calls in a row both may be answered in vain.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

import attrs

from ascend_sim.explore.search import dependence
from ascend_sim.explore.search.default_rule import is_stream
from ascend_sim.explore.search.dependence import LOCK, Item, dependent
from ascend_sim.source.callsite import Point, by_identity, line_number, points

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import ControlledSchedule

__all__ = [
    "ANY_HOST",
    "POLLS",
    "SPINS",
    "WAIT_STATUS",
    "IdleSteps",
    "PollRow",
    "changed",
    "has_progressed",
    "idle_steps",
    "others_moved",
    "same_lines",
]

ANY_HOST = Item(("host", "all"), LOCK)
"""What every step of a host thread touches when all are dependent."""
POLLS = frozenset({
    "aclrtQueryEvent", "aclrtQueryEventStatus", "aclrtQueryEventWaitStatus", "aclrtStreamQuery",
    "aclrtEventElapsedTime", "aclrtEventGetTimestamp",
})  # fmt: skip
"""Calls that first bind to a record and then poll it: two steps when other threads may come between."""
WAIT_STATUS = "aclrtQueryEventWaitStatus"
"""Its answer is of waits, not of a record: once a program has asked, waits for events count."""
SPINS = 50
"""A thread that took so many steps in a row without progress lets others go first."""
_GIVEN = frozenset({"device", "object", "setting"})


@attrs.define
class PollRow:
    """What a thread did last, as long as it has only polled and slept."""

    last: int
    """Its last step of that kind: a place in the run."""
    key: Hashable = None
    """The poll that had no good answer."""
    sites: list[object] = attrs.field(factory=list)
    """From where it was asked."""
    slept: int = -1
    """Where it slept last."""


class IdleSteps:
    """Steps that threads have taken in vain: since their last progress, and since others touched what they look at.

    Steps that do not conflict may change places and leave the count as it is: a poll that never ends is found after as
    many steps in all orders of a class.
    """

    def __init__(self, schedule: ControlledSchedule) -> None:
        self._schedule = schedule
        self._counts: dict[str, tuple[int, int, list[Item]]] = {}
        """By thread: the place up to which it was counted, the count, and what it has looked at since."""

    def of(self, me: str) -> int:
        """How many *me* has taken, without the step that runs."""
        schedule = self._schedule
        place, count, looked = self._counts.get(me, (0, 0, []))
        progress = schedule.progress.get(me, -1) + 1
        if progress > place:
            place, count, looked = progress, 0, []
        for step in schedule.steps[place:]:
            if step.process == me:
                count += 1
                if any(map(_works, step.items)):
                    count, looked = 0, []
                looked += [item for item in step.items if item is not ANY_HOST and item not in looked]
            elif looked and dependent(looked, step.items):
                count, looked = 0, []
        self._counts[me] = len(schedule.steps), count, looked
        return count


def same_lines(one: object, other: object) -> bool:
    """Whether two call sites are on the same lines, and so are their callers.

    Not the same instructions: the condition of a loop is compiled twice.
    """
    return one is other or _lines(points(one)) == _lines(points(other))


@by_identity
def _lines(places: Iterable[Point]) -> list[tuple[object, int]]:
    return [(code, line_number(code, lasti)) for code, lasti in places]


def has_progressed(schedule: ControlledSchedule, me: str, since: int) -> bool:
    """Whether thread *me* has done more than poll after the step at *since*."""
    if schedule.progress.get(me, -1) > since or (schedule.step.process == me and any(map(_works, schedule.items))):
        return True
    return any(step.process == me and any(map(_works, step.items)) for step in schedule.steps[since + 1 :])


def others_moved(schedule: ControlledSchedule, me: str, since: int) -> bool:
    """Whether another process than *me* has taken a step after the one at *since*."""
    return any(place > since for name, place in schedule.last_places.items() if name != me)


def idle_steps(schedule: ControlledSchedule) -> int:
    """How many steps in a row, with the one that runs, were no progress: not more than count."""
    items: Iterable[Item] = schedule.items
    for count in range(SPINS):
        if any(_works(item) for item in items):
            return count
        items = schedule.steps[schedule.place - 1 - count].items
    return SPINS


def changed(schedule: ControlledSchedule, me: str, since: int, objects: bool = False) -> bool:
    """Whether others have touched what thread *me* has looked at from the step at *since* on, after that.

    If it has looked at nothing, it may have asked for what only Python knows: then another thread has to have moved.
    *objects*: what its calls have just been given counts as well.
    """
    mine: list[Item] = []
    others = False
    steps = [(step.process, step.items) for step in schedule.steps[since:]]
    if schedule.running:
        steps.append((schedule.step.process, tuple(schedule.items)))
    for process, items in steps:
        if process == me:
            mine += [item for item in items if item is not ANY_HOST and (objects or not _is_given(item))]
        elif dependent(mine, items):
            return True
        else:
            others = others or not is_stream(process)
    return others and not mine


def _works(item: Item) -> bool:
    """Whether what does *item* is more than a poll."""
    return bool(dependence.WORK >> item.mode & 1 or (item.mode == dependence.TAKE and _got(item)))


def _is_given(item: Item) -> bool:
    """Whether it is of what every call looks at, whatever it asks."""
    return isinstance(item.key, tuple) and item.key[0] in _GIVEN


def _got(item: Item) -> bool:
    """Whether there was something to take."""
    return bool(item.before[0] if isinstance(item.before, tuple) else item.before)
