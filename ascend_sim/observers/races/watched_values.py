"""Value waits: which write released one, and whether another write could have kept it waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.machine import host_memory
from ascend_sim.observers.races.accesses import HostCall
from ascend_sim.observers.races.sync_changes import Change, Flag, keep
from ascend_sim.observers.races.vector_clocks import Track, known_to
from ascend_sim.runtime.value_wait import WIDTH, satisfied

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.observers.races.access_history import AccessHistory
    from ascend_sim.observers.races.row_history import RowHistory
    from ascend_sim.observers.races.sync_races import SyncRaces
    from ascend_sim.runtime.memory.transfers import Place
    from ascend_sim.runtime.task import Task

__all__ = ["WatchedValues"]


class WatchedValues:
    """The value writes and waits of one simulator, by block and place.

    The first write that satisfies a wait binds it, as with a flag. Two writes in no order are a data race already.
    """

    def __init__(self, races: SyncRaces) -> None:
        self._races = races
        self._words: dict[tuple[Any, int], Flag] = {}

    def written(self, task: Task, track: Track, place: Place) -> None:
        """A value write has run."""
        block = place.block
        if block is None or block.freed:
            return
        change = Change("write", task, track)
        change.value = int.from_bytes(host_memory.view(block.host + place.offset, WIDTH).tobytes(), "little")
        word = self._words.setdefault((block, place.offset), Flag())
        for wait in word.waits:
            if not change.knows(wait) and not self._meets(change, wait.value):
                self._races.report(place, change, wait, "may come before the wait, which then waits for another write")
        keep(word.changes, change)
        self._races.log.calls.append((place, task))

    def passed(
        self, task: Task, track: Track, gate: Any, histories: dict[Allocation, AccessHistory | RowHistory]
    ) -> None:
        """A value wait is over."""
        races = self._races
        word = self._words.setdefault((gate.place.block, gate.start), Flag())
        known = [c for c in word.changes if known_to(track.view, c.c, c.q)]
        unknown = [c for c in word.changes if not known_to(track.view, c.c, c.q)]
        is_set = bool(known) and self._meets(known[-1], gate)
        bound = None if is_set else next((c for c in unknown if self._meets(c, gate)), None)
        wait = Change("wait", task, track, bound)
        wait.value = gate
        for change in unknown:
            if not self._meets(change, gate) and (bound is None or not bound.knows(change)):
                races.report(gate.place, change, wait, "may come before the wait, which then waits for another write")
        if bound is not None:
            races.released(task, track, bound.task)
            track.acquire(bound.known())
        releaser = bound.task if bound is not None else known[-1].task if is_set else None
        if releaser is None:
            releaser = self._follow_writer(task, track, gate, histories)
            if releaser is not None:
                races.log.calls.append((gate.place, releaser))
        wait.view = races.settled(task).view
        keep(word.waits, wait)
        log = (gate, task.stream, task, releaser, task.site, races.clocks.host(task.thread), task.q)
        races.log.calls.append(("wait", *log))

    @staticmethod
    def _meets(change: Change, gate: Any) -> bool:
        return satisfied(gate.condition, change.value, gate.value)

    def _follow_writer(
        self, task: Task, track: Track, gate: Any, histories: dict[Allocation, AccessHistory | RowHistory]
    ) -> Task | None:
        """It was no value write: a copy, a set, a kernel (which is returned) or a host call that touched the bytes."""
        clocks = self._races.clocks
        writer = gate.writer
        if writer is None or hasattr(writer, "knows"):  # nobody is known, or a host thread: by which call?
            history = histories.get(gate.place.block)
            writers = history.writers(gate.start, gate.start + WIDTH) if history is not None else []
            calls = [w for w in writers if writer is None or (isinstance(w, HostCall) and w.thread is writer)]
            writer = next((w for w in calls if not known_to(track.view, w.c, w.q)), None)
        if writer is None:
            return None
        if isinstance(writer, HostCall):
            self._races.released(task, track, writer)
            track.acquire(writer.known())
            return None
        if not hasattr(writer, "c"):
            return None
        self._races.released(task, track, writer)
        known = clocks.known_at(writer)
        if known is not None:
            track.acquire(known)
        return writer  # type: ignore[no-any-return]
