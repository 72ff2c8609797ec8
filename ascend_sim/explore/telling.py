"""Forced choices in the words of the program: which call, at which line, had to wait for what."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.callsite import frames_of
from ascend_sim.explore.block_splits import Split, Splits
from ascend_sim.explore.default_rule import is_stream
from ascend_sim.explore.forced import BETWEEN, Forced, in_words
from ascend_sim.explore.guided import Guided
from ascend_sim.explore.values import Cells
from ascend_sim.observers.names import Names, points

if TYPE_CHECKING:
    from ascend_sim.explore.recordings import Recording
    from ascend_sim.explore.runs import Runner
    from ascend_sim.runtime.host_threads import HostThread
    from ascend_sim.simulator import Simulator

__all__ = ["tell"]


VERBS = {
    "goes on": "goes on", "asks": "asks again", "begins": "begins", "start": "begins", "end": "waits for a thread",
    "set": "sets an event", "clear": "clears an event", "wait": "waits for an event", "put": "puts something into a queue",
    "take": "takes something out of a queue", "lock": "takes a lock", "acquire": "takes a lock",
}  # fmt: skip
"""What a host thread does in a step that is no call."""


class _Placed(Guided):
    """Notes where the program asked for each step. It runs once for a failure that is shown, so it may cost something."""

    def __init__(self, forced: Forced, full: Sequence[str], blocks: Mapping[str, Split]) -> None:
        super().__init__(forced, Cells((frozenset(), frozenset(full)), Splits("whole", blocks)))
        self.forced = forced
        self.sites: dict[tuple[str, int], Any] = {}
        """(process, which of its steps) -> call site."""
        self.work: dict[tuple[str, int], str] = {}
        """The same of streams -> what it is, such as ``a copy on `s` ``."""

    def watch(self, sim: Simulator) -> None:
        """Things are called by their variables."""
        self._variables = Names(sim)
        super().watch(sim)

    def before_call(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """The next step of this thread is asked for here."""
        if not self.finished:
            me = self.hosts.name(t.runner)
            self.sites[me, self.forced.taken_by(me) + 1] = t.site
        super().before_call(t, name, arguments)

    def step(self, process: str) -> None:
        """A stream's step is asked for where its task was submitted."""
        stream = self._heads.get(process)
        task = stream.queue[0] if stream is not None and stream.queue else None
        if task is not None:
            this = process, self.forced.taken_by(process)
            self.sites[this] = task.site
            work = self._variables.task(task)
            opened = self.blocks.open.get(stream) if stream is not None else None
            if opened is not None:  # a launch that is taken apart
                part = process.rpartition("/")[2] if "/" in process else "the end" if opened.ready_to_end else "the rest"
                work = f"{part} of {work}"
            self.work[this] = work
        super().step(process)


def tell(runner: Runner, recording: Recording) -> tuple[str, ...]:
    """One line for each choice of *recording*; *runner* runs it once more for that."""
    if not recording.choices:
        return ()
    forced = Forced(recording.choices, recording.default)
    placed = _Placed(forced, recording.full, recording.blocks)
    runner.run(forced, placed.cells, schedule=placed)
    calls: dict[tuple[str, int], str] = {}
    counts: dict[str, int] = {}
    for process, call, _ in forced.told:
        counts[process] = counts.get(process, 0) + 1
        calls[process, counts[process]] = call.partition(BETWEEN)[0]

    def step(process: str, number: int) -> str:
        """``a copy on `s` (pool.py:12)``, ``aclrtFree of main (pool.py:20)``."""
        call = calls.get((process, number), "")
        frames = frames_of(points(placed.sites.get((process, number))))
        where = f" ({os.path.basename(frames[0].file)}:{frames[0].line})" if frames else ""
        if is_stream(process):
            return placed.work.get((process, number), f"step {number} of {process}") + where
        if call.startswith("acl"):
            return f"{call} of {process}{where}"
        return f"{process} {VERBS.get(call, call) or f'step {number}'}{where}"

    return tuple(
        in_words(choice) if used is None else f"{step(*used)} before {step(*choice[:2])}"
        for choice, used in zip(recording.choices, forced.used_for(recording.choices), strict=True)
    )
