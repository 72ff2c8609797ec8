"""Forced choices in the words of the program: which call, at which line, had to wait for what."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.explore.control.blocks.granularity import Split, Splits
from ascend_sim.explore.control.controlled_schedule import Guided
from ascend_sim.explore.control.known_state import Cells
from ascend_sim.explore.counterexamples.preemptions import Choice, Forced, in_words
from ascend_sim.explore.search.default_rule import is_stream
from ascend_sim.source.callsite import frames_of, points

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Told"]


VERBS = {
    "goes on": "goes on", "asks": "asks again", "begins": "begins", "start": "begins", "end": "waits for a thread",
    "set": "sets an event", "clear": "clears an event", "wait": "waits for an event", "put": "puts something into a queue",
    "take": "takes something out of a queue", "lock": "takes a lock", "acquire": "takes a lock",
}  # fmt: skip
"""What a host thread does in a step that is no call."""


class Told(Guided):
    """Follows forced choices and notes where the program asked for each step, and what it is."""

    def __init__(self, forced: Forced, full: Sequence[str], blocks: Mapping[str, Split]) -> None:
        super().__init__(forced, Cells((frozenset(), frozenset(full)), Splits("whole", blocks)))
        self.forced = forced
        self.sites: dict[tuple[str, int], Any] = {}
        """(process, which of its steps) -> call site."""
        self.tasks: dict[tuple[str, int], tuple[Task, str]] = {}
        """The same of streams -> the task, and of a launch that is taken apart which part, in words."""

    def watch(self, sim: Runtime) -> None:
        """Things are called by their variables."""
        self._variables = sim.names.anew()
        super().watch(sim)

    def before_call(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """The next step of this thread is asked for here."""
        if not self.finished:
            me = self.hosts.name(t.os_thread)
            self.sites[me, self.forced.taken_by(me) + 1] = t.site
        super().before_call(t, name, arguments)

    def step(self, process: str) -> None:
        """A stream's step is asked for where its task was submitted."""
        stream = self._heads.get(process)
        task = stream.queue[0] if stream is not None and stream.queue else None
        if task is not None:
            this = process, self.forced.taken_by(process)
            self.sites[this] = task.site
            opened = self.blocks.open.get(stream) if stream is not None else None
            part = ""
            if opened is not None:
                part = (
                    process.rpartition("/")[2] if "/" in process else "the end" if opened.ready_to_end else "the rest"
                )
            self.tasks[this] = task, part
        super().step(process)

    def words(self, choices: Sequence[Choice]) -> tuple[str, ...]:
        """One line for each of *choices*, after the run."""
        calls: dict[tuple[str, int], str] = {}
        counts: dict[str, int] = {}
        for process, call in self.forced.calls():
            counts[process] = counts.get(process, 0) + 1
            calls[process, counts[process]] = call
        return tuple([
            in_words(choice) if used is None
            else f"{self._step(*used, calls)} before {self._step(choice[0], choice[1], calls)}"
            for choice, used in zip(choices, self.forced.used_for(choices), strict=True)
        ])  # fmt: skip

    def _step(self, process: str, number: int, calls: Mapping[tuple[str, int], str]) -> str:
        """``a copy on `s` (pool.py:12)``, ``aclrtFree of main (pool.py:20)``."""
        this = process, number
        frames = frames_of(points(self.sites.get(this)))
        where = f" ({os.path.basename(frames[0].file)}:{frames[0].line})" if frames else ""
        if is_stream(process):
            task, part = self.tasks.get(this, (None, ""))
            if task is None:
                return f"step {number} of {process}{where}"
            return f"{part} of {self._variables.task(task)}{where}" if part else self._variables.task(task) + where
        call = calls.get(this, "")
        if call.startswith("acl"):
            return f"{call} of {process}{where}"
        return f"{process} {VERBS.get(call, call) or f'step {number}'}{where}"
