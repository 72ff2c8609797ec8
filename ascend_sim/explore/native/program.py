"""A C or C++ program as `explore` runs it: each time in a process of its own."""

from __future__ import annotations

import atexit
import os
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.counterexamples.explain import ExplainedSchedule
from ascend_sim.explore.counterexamples.preemptions import PreemptionStrategy
from ascend_sim.explore.native.messages import End, Request
from ascend_sim.explore.native.server import Server, ServerLost
from ascend_sim.explore.outcome import Outcome, plain
from ascend_sim.explore.runs import ForeignProgram, Run, Runner
from ascend_sim.explore.search.strategy import StepRecord, Strategy
from ascend_sim.findings.finding import Finding, from_json
from ascend_sim.findings.levels import Levels
from ascend_sim.native.places.symbols import look_up
from ascend_sim.native.programs import native_command

__all__ = ["NativeProgram", "ProgramFailed"]

ATTEMPTS = 2
"""So often a run is begun whose server dies."""


class ProgramFailed(Exception):
    """How a run of the program ended: by a signal, or by an exception in a call."""


class NativeProgram(ForeignProgram):
    """The file *path* with *arguments*. What a run prints is its value. Raises ValueError for a script.

    Its clock begins at the same time of day in all runs: at that of this object.
    """

    def __init__(self, path: str, arguments: Sequence[str] = ()) -> None:
        command = native_command(path)
        if command is None or len(command) != 1:
            raise ValueError(f"{path!r} is a script: name the program that it starts")
        self.path = command[0]
        self.command = (self.path, *arguments)
        self.date_ns = time.time_ns()
        self.__qualname__ = os.path.basename(path)

    def make_runner(self, options: Mapping[str, Any], levels: Levels) -> NativeRunner:
        """Who runs it."""
        return NativeRunner(self, options, levels)


_SERVERS: dict[tuple[str, ...], Server] = {}
"""By command: workers get a part of the search again and again."""


def _end_servers() -> None:
    while _SERVERS:
        _SERVERS.popitem()[1].end()


atexit.register(_end_servers)


class NativeRunner(Runner):
    """Runs *program*, each time in a process that is forked from one that waits for that."""

    def __init__(self, program: NativeProgram, options: Mapping[str, Any], levels: Levels) -> None:
        super().__init__(program, options, levels)
        self._program = program
        self._in_trial: list[Finding] = []

    def quiet(self) -> AbstractContextManager[None]:
        """Nothing: runs are elsewhere."""
        return nullcontext()

    def leave(self) -> None:
        """Let the run that is under way end, and let none begin."""
        self.end = 1

    def clear(self) -> None:
        """Nothing is left behind."""

    def _server(self) -> Server:
        """The server of this process for the program. A first run tells it what runs need.

        Nobody looks at that one unless it takes all the time there is: what it had found is in `_in_trial` then.
        """
        program = self._program
        server = _SERVERS.get(program.command)
        if server is None:
            server = Server(program.command, program.__qualname__, self.ended)
            _SERVERS[program.command] = server
            trial = _Conversation(PreemptionStrategy(()), None)
            server.run(self._request(KnownState(), False, None), trial.answer, self.ended)
            self._in_trial = trial.found
            if trial.end is not None:
                server.warm(trial.end.functions, trial.end.modules)
        return server

    def _request(self, known_state: KnownState, all_hosts: bool, explained: ExplainedSchedule | None) -> Request:
        known = known_state if explained is None else explained.known_state
        return Request(
            self.options, known.sets(), known.splits.copy(), all_hosts, explained is not None, self.levels,
            self._program.date_ns,
        )  # fmt: skip

    def run(
        self, strategy: Strategy, known_state: KnownState, all_hosts: bool = False,
        schedule: ControlledSchedule | None = None,
    ) -> Run:  # fmt: skip
        """One run: *strategy* chooses its steps. *schedule*: one that is explained afterwards."""
        explained = schedule if isinstance(schedule, ExplainedSchedule) else None
        request = self._request(known_state, all_hosts, explained)
        conversation = _Conversation(strategy, explained)
        if self.ended():
            return _late()
        for left in reversed(range(ATTEMPTS)):
            try:
                server = self._server()
                if self.ended():
                    return _late(self._in_trial)
                status, printed = server.run(request, conversation.answer, self.ended)
                break
            except (ServerLost, BrokenPipeError):
                lost = _SERVERS.pop(self._program.command, None)
                if lost is not None:
                    lost.end()
                if self.ended():
                    return _late()
                if lost is None or conversation.begun or not left:
                    raise
        end = conversation.end
        if status is None or (end is not None and end.late):
            return _late(conversation.found)
        if end is None:
            conversation.lost()
        else:
            known = known_state if explained is None else explained.known_state
            known.join(end.known)
            known.splits.join(end.splits)
        return _judged(status, printed, end, conversation.found)


class _Conversation:
    """What is answered to a run: the *strategy* chooses; *explained* hears what its steps are in words."""

    def __init__(self, strategy: Strategy, explained: ExplainedSchedule | None) -> None:
        self._strategy = strategy
        self._explained = explained
        self.begun = False
        self.end: End | None = None
        self._chosen = ""
        self.found: list[Finding] = []
        """The findings so far, for a run that cannot tell its end."""

    def answer(self, message: Any) -> Any:
        """What is said to *message*; None: nothing."""
        kind = message[0]
        if kind == "choose":
            self.begun = True
            _, told, enabled = message
            for step in told:
                self._strategy.taken(step)
            self._chosen = self._strategy.choose(enabled)
            return self._chosen, self._strategy.cut
        if kind == "look up":
            return look_up(*message[1:])
        if kind == "found":
            self.found.append(from_json(message[1]))
            return None
        if kind == "words":
            assert self._explained is not None
            self._explained.told = message[1]
            return None
        _, told, self.end = message
        for step in told:
            self._strategy.taken(step)
        return self._strategy.told_steps() if isinstance(self._strategy, PreemptionStrategy) else ()

    def lost(self) -> None:
        """The process ended in the step that was chosen last, and could not say what that did."""
        if self._chosen:
            self._strategy.taken(StepRecord(-1, self._chosen, (), ("ends", ())))


def _late(found: Sequence[Finding] = ()) -> Run:
    return Run(Outcome("out of time", None, (), (), ()), tuple(found), "", (), frozenset(), None, False, late=True)


def _judged(status: int, printed: bytes, end: End | None, found: Sequence[Finding]) -> Run:
    """What came of a run whose process ended with *status*. *end*: None when it could not tell."""
    text = plain(printed.decode("utf-8", "replace"))
    error: ProgramFailed | None = None
    ended = "returned"
    if end is not None and end.ended:
        ended, error = end.ended, ProgramFailed(end.ended)
    elif os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        ended = f"ended by signal {number} ({_signal(number)})"
        error = ProgramFailed(ended)
    elif os.WEXITSTATUS(status):
        ended = f"exit {os.WEXITSTATUS(status)}"
    if end is None:
        return Run(Outcome(ended, text, (), (), ()), tuple(found), "", (), frozenset(), error, False)
    outcome = Outcome(ended, text, end.reads, end.codes, end.memory)
    findings = tuple([from_json(finding) for finding in end.findings])
    return Run(
        outcome, findings, end.marks, end.blocked, end.relevant, error, end.threads, end.launches, end.apart,
    )  # fmt: skip


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
