"""Races of the program with tasks that are still queued when all ends: they never run, so their accesses never come.

A program that reads its result without a wait and ends has read too early, whether or not its task ever ran. Which bytes
a copy, a set or a reduction will use is known when it is queued; those of other tasks are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ascend_sim.observers.races.accesses import HostCall
from ascend_sim.runtime.event import RecordGate
from ascend_sim.runtime.stream import Stream

if TYPE_CHECKING:
    from ascend_sim.observers.races.access_history import Met
    from ascend_sim.observers.races.detector import RaceDetector
    from ascend_sim.runtime.task import Task

__all__ = ["StillQueued"]


class StillQueued:
    """Compares what queued tasks will do with what host threads did to the same bytes."""

    def __init__(self, races: RaceDetector) -> None:
        self._races = races
        gates = [task.op.gate for stream in self._streams() for task in stream.queue if task.op.gate is not None]
        self._open = any(not isinstance(gate, RecordGate) for gate in gates)
        """Something waits for what may be signalled later than it was queued: by whom, and what he had done, is unknown."""

    def _streams(self) -> Iterator[Stream]:
        for context in self._races.sim.contexts.values():
            yield from context.every_stream()

    def look(self, only: Stream | None = None) -> None:
        """At all streams, or at *only*."""
        for stream in self._streams() if only is None else (only,):
            for task in stream.queue:
                if task.op.gate is not None and (self._open or self._races.clocks.multi):
                    break  # what comes behind it may follow a thread that its submitter knows nothing of
                self._look_at(task)

    def _look_at(self, task: Task) -> None:
        races = self._races
        for access in task.op.accesses:
            block = races.sim.memory.find(access.lo)
            history = races.histories.get(block) if block is not None else None
            if block is None or history is None:
                continue
            lo, hi = access.lo - block.address, access.hi - block.address
            met: list[Met] = [
                known
                for known in history.accesses(lo, hi)
                if isinstance(known[0], HostCall)
                and (access.write or known[1])
                and not races.log.called_before(known[0], task)
            ]
            if met:
                races.reports.races(task, block, lo, hi, access.write, met)
