"""Explains preemptions in source terms: which call, at which line, had to come before which other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.explore.control.blocks.granularity import Split, Splits
from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.counterexamples.preemptions import Choice, PreemptionStrategy, in_words
from ascend_sim.explore.search.default_rule import is_stream
from ascend_sim.source.callsite import points
from ascend_sim.source.frames import frames_of

if TYPE_CHECKING:
    from ascend_sim.findings.wording import Names
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["ExplainedSchedule"]


VERBS = {
    "goes on": "goes on", "asks": "asks again", "begins": "begins", "start": "begins", "end": "waits for a thread",
    "set": "sets an event", "clear": "clears an event", "wait": "waits for an event", "put": "puts something into a queue",
    "take": "takes something out of a queue", "lock": "takes a lock", "acquire": "takes a lock",
    "signal": "signals a condition variable", "await": "begins to wait for a condition variable",
}  # fmt: skip
"""What a host thread does in a step that is no call."""


class ExplainedSchedule(ControlledSchedule):
    """Follows choices, and notes which call of the program each step is of, and where that stands."""

    def __init__(self, preemptions: PreemptionStrategy, relevant: Sequence[str], blocks: Mapping[str, Split]) -> None:
        super().__init__(preemptions, KnownState((frozenset(), frozenset(relevant)), Splits("whole", blocks)))
        self._preemptions = preemptions
        self.told: dict[tuple[str, int], tuple[str, str]] | None = None
        """What `texts` was in the process that has run it, where that is another."""
        self._names: Names | None = None
        """Those of the run, if one was seen in this process."""
        self._sites: dict[tuple[str, int], Any] = {}
        """(process, which of its steps) -> call site."""
        self._parts: dict[tuple[str, int], tuple[Task, str]] = {}
        """(stream, which of its steps) -> the task, and of a launch that is taken apart which part, in words."""

    def watch(self, sim: Runtime) -> None:
        """Things are called as the findings of the run call them."""
        self._names = sim.names
        self._variables = sim.names.anew(elements=True)
        super().watch(sim)

    def before_call(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """The next step of this thread is asked for here."""
        if not self.finished:
            me = self.hosts.name(t.os_thread)
            self._sites[me, self._preemptions.taken_by(me) + 1] = t.site
        super().before_call(t, name, arguments)

    def take(self, process: str) -> None:
        """A stream's step is asked for where its task was submitted."""
        stream = self.stream_of(process)
        task = stream.queue[0] if stream is not None and stream.queue else None
        if task is not None:
            this = process, self._preemptions.taken_by(process)
            self._sites[this] = task.site
            self._variables.stream(task.stream)  # now: after the run no variable holds it
            self._variables.told()
            opened = self.blocks.open.get(stream) if stream is not None else None
            part = ""
            if opened is not None:
                part = (
                    process.rpartition("/")[2] if "/" in process else "the end" if opened.ready_to_end else "the rest"
                )
            self._parts[this] = task, part
        super().take(process)

    def words(self, choices: Sequence[Choice]) -> tuple[str, ...]:
        """One line for each of *choices*, after the run."""
        calls: dict[tuple[str, int], str] = {}
        counts: dict[str, int] = {}
        for process, call in self._preemptions.calls():
            counts[process] = counts.get(process, 0) + 1
            calls[process, counts[process]] = call
        texts = self.told if self.told is not None else self.texts(self._preemptions.told_steps())
        return tuple([
            in_words(choice) if used is None
            else f"{_step(used, texts, calls)} before {_step(choice[:2], texts, calls)}"
            for choice, used in zip(choices, self._preemptions.used_for(choices), strict=True)
        ])  # fmt: skip

    def texts(self, steps: Iterable[tuple[str, int]]) -> dict[tuple[str, int], tuple[str, str]]:
        """Of each of *steps* the task that it is of, empty where it is none, and its line in brackets."""
        if self._names is not None:  # else no task is known here either
            self._variables.adopt(self._names)
        return {step: self._text(step) for step in steps}

    def _text(self, step: tuple[str, int]) -> tuple[str, str]:
        frames = frames_of(points(self._sites.get(step)))
        where = f" ({os.path.basename(frames[0].file)}:{frames[0].line})" if frames else ""
        task, part = self._parts.get(step, (None, ""))
        about = self._variables.task(task) if task is not None else ""
        return f"{part} of {about}" if part else about, where


def _step(
    step: tuple[str, int], texts: Mapping[tuple[str, int], tuple[str, str]], calls: Mapping[tuple[str, int], str]
) -> str:
    """``a copy on `s` (pool.py:12)``, ``aclrtFree of main (pool.py:20)``."""
    process, number = step
    about, where = texts[step]
    if is_stream(process):
        return (about or f"step {number} of {process}") + where
    call = calls.get(step, "")
    if call.startswith("acl"):
        return f"{call} of {process}{where}"
    return f"{process} {VERBS.get(call, call) or f'step {number}'}"
