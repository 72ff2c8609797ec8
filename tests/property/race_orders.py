"""Both orders of a reported pair: the steps that the detector finds unordered, and a schedule that turns them around."""

from __future__ import annotations

from typing import Any

from ascend_sim import SimulatedHang, Simulator
from ascend_sim.observers.observer import Observer, attach
from ascend_sim.runtime.schedules import RandomOrder
from tests.property.race_programs import Player, Step

SOC = "Ascend950PR_9599"
Pair = tuple[int, int]
"""Two steps of a program, by their places in it, in the order in which they touched the bytes."""


class Watch(Observer):
    """Which step each access belongs to, and the pairs of steps that the detector found in no order."""

    def __init__(self, sim: Simulator) -> None:
        self.step = -1
        self.steps: dict[Any, int] = {}
        self.touched: dict[int, int] = {}
        """When a step touched memory first (a running number)."""
        self.pairs: set[Pair] = set()
        attach(sim, self)
        reports = sim.checks.races.reports  # type: ignore[union-attr]
        told = reports.races

        def races(who: Any, block: Any, lo: int, hi: int, write: Any, met: Any, freeing: bool = False) -> None:
            self.pairs.update((self._step(earlier), self._step(who)) for earlier, *_ in met)
            told(who, block, lo, hi, write, met, freeing)

        reports.races = races

    def submitted(self, task: Any) -> None:
        """A task belongs to the step that queued it."""
        self.steps[task] = self.step

    def accessed(self, who: Any, block: Any, lo: int, hi: int, write: Any) -> None:
        """Note the first time, and for calls of the host to which step they belong."""
        step = self.steps.get(who, self.step)
        self.touched.setdefault(step, len(self.touched))

    def _step(self, who: Any) -> int:
        """A call of the host is known by its number, which only grows: remembered when it is met first."""
        return self.steps[who] if who in self.steps else self.steps.setdefault(who, self.step)


class Held(RandomOrder):
    """Holds the task of step *first* back until that of *second* has touched its bytes, whenever anything else can go."""

    def __init__(self, first: int, second: int, seed: int) -> None:
        super().__init__(seed)
        self.pair = first, second
        self.watch: Watch | None = None

    def choose(self, ready: Any, limit: int, w: Any) -> Any:
        """Anything but the first one; all that can go, when the host's step comes second."""
        watch = self.watch
        if watch is None or self.pair[1] in watch.touched:
            return super().choose(ready, limit, w)
        others = [e for e in ready if watch.steps.get(e[3].queue[0]) != self.pair[0]]
        if not others:
            return ready[0] if w is not None else None
        if w is None and self.pair[0] != watch.step:  # what was queued may run, or it never comes before a host step
            return others[0]
        return super().choose(others, limit, w)


def play(program: list[Step], schedule: Any, streams: int, depth: int | None) -> tuple[Watch, bool]:
    """One run: what was seen, and whether it came to its end."""
    limits = {"stream_depth": depth} if depth else None
    with Simulator(schedule=schedule, limits=limits, checks="races", soc=SOC) as sim:
        player = Player(streams)
        watch = Watch(sim)
        if isinstance(schedule, Held):
            schedule.watch = watch
        try:
            for number, step in enumerate(program):
                watch.step = number
                player.step(step)
            watch.step = len(program)
            player.result()
        except SimulatedHang:
            return watch, False
        return watch, True


def turned_around(program: list[Step], pair: Pair, streams: int, tries: int = 12) -> bool:
    """Whether the steps of *pair* can touch their bytes the other way round, or a run hangs.

    With room in the queues: a full one gives no edge, so its pairs are reported although this depth fixes their order.
    """
    first, second = pair
    for seed in range(tries):
        watch, ended = play(program, Held(first, second, seed), streams, None)
        touched = watch.touched
        if not ended or (second in touched and touched[second] < touched.get(first, 1 << 30)):
            return True
    return False
