"""Cores that launches hold and wait for: the deadlock of two kernels of which each has got a part of the cores.

That can only happen to launches whose blocks keep their cores while they wait, on one device, with fewer cores than both
need, and not in batch mode. Such a launch starts with one core less than there is, and takes the last ones in a step of
its own: so another one can come between. All others give their cores back between two steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.search.dependence import LOCK, UNLOCK, Item

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.launch import Launch
    from ascend_sim.machine.engines import Engines
    from ascend_sim.runtime.task import Task

__all__ = ["can_start", "contend", "gives_back", "missing", "takes"]

POOLS = ("aic", "aiv")


@attrs.frozen
class CoresTest:
    """Whether there were enough free cores (of each kind) just before a step."""

    need: tuple[int, ...]

    def __call__(self, x: int, other: Item, steps: Sequence[Any], touches: object) -> bool:
        return all(free >= need for free, need in zip(other.before, self.need, strict=True))


def _engines(task: Task) -> Engines:
    return task.stream.context.device.engines


def _demand(task: Task, slots: int) -> tuple[int, ...]:
    """What *slots* cores, or groups of them, of *task* take of each kind."""
    each = _engines(task).demand(task.op.engine or "")
    return tuple([slots * each.get(pool, 0) for pool in POOLS])


def contend(one: Task, two: Task) -> bool:
    """Whether two launches, in normal mode, may each miss cores that the other holds."""
    if one.stream is two.stream or one.stream.context.device is not two.stream.context.device:
        return False
    plans = [_plan(task) for task in (one, two)]
    if any(not plan.kernel.waits or plan.engine is None or plan.least > 1 for plan in plans):
        return False
    capacity = _engines(one).capacity
    both = zip(POOLS, _demand(one, plans[0].cores), _demand(two, plans[1].cores), strict=True)
    return any(mine and theirs and mine + theirs > capacity[pool] for pool, mine, theirs in both)


def _plan(task: Task) -> Any:
    launch: Launch = task.op  # type: ignore[assignment]
    return launch.plan


def missing(task: Task) -> int:
    """How many cores (or groups) the launch *task*, which has started, still needs."""
    cores: int = _plan(task).cores
    return cores - task.stream.held


def can_start(task: Task, slots: int) -> bool:
    """Whether so many cores (or groups) of the kind that *task* needs are free."""
    return _engines(task).free(task.op.engine or "") >= slots


def takes(task: Task, slots: int, held: int) -> Item:
    """What a step touches that takes *slots*; *held* of them are taken already."""
    return Item(_key(task), LOCK, 0, 1, _free(task, held), CoresTest(_demand(task, slots)))


def gives_back(task: Task, held: int) -> Item:
    """What the end of a launch touches; the *held* cores have just been given back."""
    return Item(_key(task), UNLOCK, 0, 1, _free(task, -held))


def _key(task: Task) -> tuple[str, int]:
    return "cores", task.stream.context.device.index


def _free(task: Task, more: int) -> tuple[int, ...]:
    engines = _engines(task)
    return tuple([engines.free(pool) + extra for pool, extra in zip(POOLS, _demand(task, more), strict=True)])
