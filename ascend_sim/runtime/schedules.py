"""Schedules: small interchangeable objects that say which device step goes next.

``virtual-time`` (default) is the machine's own order and the only one that makes claims about elapsed time. The others
answer "what else could have happened": each is a legal order of the same program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.scheduler import Awaitable, Entry
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Early", "Late", "RandomOrder", "Replay", "Schedule", "VirtualTime", "make_schedule"]


class Schedule:
    """Base class. *reorders*: `choose` is asked for each step. *eager*: device steps may run before any API call.

    *drives*: it takes the steps itself, of host threads as well (`drive`, `before_call`); time decides nothing.
    """

    name = "virtual-time"
    reorders = False
    eager = False
    drives = False

    def watch(self, sim: Runtime) -> None:
        """The simulator *sim* begins."""
        raise NotImplementedError

    def finish(self) -> None:
        """It ends: what is still queued may run."""
        raise NotImplementedError

    def drive(self, limit: int, w: Awaitable | None) -> None:
        """Take steps until *w* is done, or nothing more can be done by virtual time *limit* (ns)."""
        raise NotImplementedError

    def before_call(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """Thread *t* is about to call *name*: what goes first?"""
        raise NotImplementedError

    def block_strategy(self, task: Task) -> Any:
        """What chooses the next block of the launch *task* (BlockStrategy of ``kernels/launching/controlled_blocks.py``).

        None: they go in their order.
        Asked only where the schedule reorders.
        """
        return None

    def choose(self, ready: list[Entry], limit: int, w: Awaitable | None) -> Entry | None:
        """The entry of *ready* (sorted by time) that goes next; None: nothing more for this call.

        *limit*: the virtual time (ns) up to which the machine would go by itself. *w*: what the host waits for; None
        for a poll or, under an eager schedule, for the steps before an API call.
        """
        return ready[0] if ready[0][0] <= limit else None


class VirtualTime(Schedule):
    """Steps in the order of their virtual times. The scheduler has this loop inline and never asks."""


class Late(Schedule):
    """Every step as late as possible: only what the waiting call needs runs.

    A poll sees the device stand still sixteen times before anything moves, so that a program which trusts its first
    answers is found out, and one which polls in a loop still ends.
    """

    name = "late"
    reorders = True
    PATIENCE = 16

    def __init__(self) -> None:
        self._polls = 0

    def choose(self, ready: list[Entry], limit: int, w: Awaitable | None) -> Entry | None:
        """The step nearest to what *w* needs: its own stream first, then the stream which that one waits for."""
        if w is None:
            self._polls += 1
            if self._polls < self.PATIENCE:
                return None
            self._polls = 0
            return super().choose(ready, limit, w)
        wanted = getattr(w, "stream", None)
        seen = set()
        while wanted is not None and wanted.number not in seen:
            seen.add(wanted.number)
            for entry in ready:
                if entry[3] is wanted:
                    return entry
            wanted = wanted.waits_for()
        return ready[0]


class Early(Schedule):
    """Every step as early as possible: whatever the device could have done by now is done before each API call."""

    name = "early"
    reorders = True
    eager = True

    def choose(self, ready: list[Entry], limit: int, w: Awaitable | None) -> Entry | None:
        """The earliest step, whatever the host's clock says."""
        return ready[0]


class RandomOrder(Schedule):
    """Any step that could go, and before each API call any number of them. Same seed, same run."""

    name = "random"
    reorders = True
    eager = True

    def __init__(self, seed: int) -> None:
        import random  # it takes a millisecond to load, and few runs are random

        self._random = random.Random(seed)

    def choose(self, ready: list[Entry], limit: int, w: Awaitable | None) -> Entry | None:
        """A step drawn at random; when nobody waits, now and then none."""
        if w is None and self._random.random() < 0.5:
            return None
        return ready[self._random.randrange(len(ready))]


class Replay(Schedule):
    """The seam for recorded runs: *decide* gets the ready entries and names the one that goes, or None."""

    name = "replay"
    reorders = True
    eager = True

    def __init__(self, decide: Callable[[list[Entry], Awaitable | None], Entry | None]) -> None:
        self._decide = decide

    def choose(self, ready: list[Entry], limit: int, w: Awaitable | None) -> Entry | None:
        """What the recording says; where it is silent and someone waits, the earliest step."""
        chosen = self._decide(ready, w)
        return ready[0] if chosen is None and w is not None else chosen


def make_schedule(spec: str | Schedule, seed: int) -> Schedule:
    """The schedule named *spec*: ``virtual-time``, ``late``, ``early``, ``random`` or ``random(SEED)``.

    Raises ValueError for any other name.
    """
    if isinstance(spec, Schedule):
        return spec
    name, _, rest = spec.partition("(")
    if name == "random":
        text = rest.removesuffix(")")
        if text and not text.lstrip("-").isdecimal():
            raise ValueError(f"schedule {spec!r}: the SEED of random(SEED) is a whole number")
        return RandomOrder(int(text) if text else seed)
    plain: dict[str, Callable[[], Schedule]] = {"virtual-time": VirtualTime, "late": Late, "early": Early}
    if spec not in plain:
        raise ValueError(f"unknown schedule {spec!r}: choose virtual-time, late, early, random or random(SEED)")
    return plain[spec]()
