"""The side of the program: the process that forks a process for each run, and what such a run does with the simulator.

Nothing of the program has run when the first process is forked, but for what came before a library that it loaded late.
So runs differ in nothing but what the search says: addresses, descriptors and the date are the same in all.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import mmap
import os
import pickle
import sys
from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl import load_all
from ascend_sim.errors import SimulatedHang
from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.control.run_limit import OutOfTime
from ascend_sim.explore.counterexamples.explain import ExplainedSchedule
from ascend_sim.explore.counterexamples.preemptions import PreemptionStrategy
from ascend_sim.explore.native import VARIABLE
from ascend_sim.explore.native.messages import LENGTH, End, Request, framed
from ascend_sim.explore.outcome import without_addresses
from ascend_sim.explore.search.default_rule import goes_on
from ascend_sim.explore.search.strategy import StepRecord
from ascend_sim.findings.finding import Finding
from ascend_sim.native.places import symbols
from ascend_sim.pyacl import put_into
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches
from ascend_sim.simulator import Simulator
from ascend_sim.source.fence import said

__all__ = ["ExploredRun", "serve"]

CHUNK = 1 << 16
SMALL = 256
"""Bytes that Python does not take from the heap of the C library."""
_KILLED_WITH_PARENT = 1
"""PR_SET_PDEATHSIG"""
_SIGKILL = 9


def serve(path: str, resolved: Callable[[], list[str]]) -> ExploredRun:
    """Fork a process for each run that is asked for, and return there. *path*: of the library; *resolved*: what the
    program has called. The process itself ends here when the search does."""
    control, data = map(int, os.environ.pop(VARIABLE).split(","))
    library = ctypes.PyDLL(path)
    _end_with_parent(library)
    put_into(sys.modules)
    load_all()
    if len(os.listdir("/proc/self/task")) > 1:
        os.write(control, b"t")
    os.write(control, b"s")
    gc.disable()  # a run is short, and the collector would come in another place in each
    gc.freeze()
    known = frozenset(sys.modules)  # not one for each run beside that of the run before: every other heap would differ
    while True:
        word = os.read(control, 1)
        if word == b"w":
            functions, modules = receive(data)
            for name in modules:
                importlib.import_module(name)
            for name in functions:
                library.ascend_sim_warm(name.encode())
            gc.freeze()
            known = frozenset(sys.modules)
            continue
        if word != b"r":
            os._exit(0)
        child = os.fork()
        if not child:
            os.close(control)
            os.setpgid(0, 0)
            _end_with_parent(library)
            return ExploredRun(data, resolved, known)
        os.write(control, child.to_bytes(4, "little"))
        _, status = os.waitpid(child, 0)
        _leave_no_children(child)
        _drop_unread(data)
        os.write(control, status.to_bytes(4, "little"))


def _end_with_parent(library: ctypes.CDLL) -> None:
    library.prctl(_KILLED_WITH_PARENT, _SIGKILL, 0, 0, 0)


def _leave_no_children(group: int) -> None:
    """What the program started, and left, is over with its run."""
    try:
        os.killpg(group, _SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _drop_unread(data: int) -> None:
    """A run that was killed may have left an answer."""
    os.set_blocking(data, False)
    try:
        while os.read(data, CHUNK):
            pass
    except BlockingIOError:
        pass
    os.set_blocking(data, True)


def receive(data: int) -> Any:
    """The next value that comes on the socket *data*, and no byte more. Raises EOFError when the search is gone.

    The room for more than a few bytes is not from the heap, which the program has as well: where its objects lie there tells
    runs of one search that they do the same, so it must not depend on how much is said.
    """
    size = int.from_bytes(_exactly(data, LENGTH), "little")
    if size <= SMALL:
        return pickle.loads(_exactly(data, size))
    with mmap.mmap(-1, size) as room:
        got = 0
        while got < size:
            with memoryview(room) as whole, whole[got:] as rest:
                more = os.readv(data, [rest])
            if not more:
                raise EOFError("the search has ended")
            got += more
        return pickle.loads(room)


def _exactly(data: int, size: int) -> bytes:
    found = b""
    while len(found) < size:
        chunk = os.read(data, size - len(found))
        if not chunk:
            raise EOFError("the search has ended")
        found += chunk
    return found


class Asking(PreemptionStrategy):
    """Asks the search which process goes on. *data*: the socket; children that the program forks ask nobody."""

    def __init__(self, data: int) -> None:
        super().__init__(())
        self.process = os.getpid()
        self._data = data
        self._told: list[StepRecord] = []
        """Steps that are over and were not told yet."""
        self._asking = False

    def choose(self, enabled: tuple[str, ...]) -> str:
        """Whom the search names."""
        if os.getpid() != self.process:
            chosen = goes_on(self._last, enabled) or enabled[0]
        else:
            chosen, self.cut = self.ask(("choose", self._told, enabled))
            self._told = []
        self._last = chosen
        self._counts[chosen] += 1
        return chosen

    def taken(self, step: StepRecord) -> None:
        """Told with the next question."""
        step.items = tuple(step.items)
        self._told.append(step)

    def ask(self, question: Any) -> Any:
        """What the search answers."""
        self.tell(question)
        group = DeterministicThreads.installed
        r = group.here.os_thread if group is not None else None
        before = r.exempt if r is not None else False
        if r is not None:
            r.exempt = True  # it sleeps for a reason that the group need not look at
        try:
            return receive(self._data)
        except EOFError:
            os._exit(0)
        finally:
            if r is not None:
                r.exempt = before

    def tell(self, what: Any) -> None:
        """Say something; what comes after it may be never."""
        data = memoryview(framed(what))
        try:
            while data:
                data = data[os.write(self._data, data) :]
        except OSError:  # the program has closed it
            os._exit(1)

    def told_last(self) -> list[StepRecord]:
        """The steps behind the last question."""
        told, self._told = self._told, []
        return told


def _variable(name: str) -> str | None:
    """An environment variable as the program in C has set it, of which Python does not hear."""
    read = ctypes.CDLL(None).getenv
    read.restype = ctypes.c_char_p
    value: bytes | None = read(name.encode())
    return os.fsdecode(value) if value is not None else None


class ExploredRun:
    """The run of this process: its simulator, and what is told when it ends."""

    def __init__(self, data: int, resolved: Callable[[], list[str]], modules: frozenset[str]) -> None:
        self._resolved = resolved
        self._modules = modules
        self.strategy = Asking(data)
        request: Request = receive(data)
        self._request = request
        self._known = KnownState(request.known, request.splits)
        if request.explained:
            relevant, apart = sorted(request.known[1]), request.splits.chosen
            self.schedule: ControlledSchedule = ExplainedSchedule(self.strategy, relevant, apart)
        else:
            self.schedule = ControlledSchedule(self.strategy, self._known, request.all_hosts)
        self.schedule.ends_at_once = True
        self.over = False
        symbols.LOOK_UP[:] = [lambda *question: str(self.strategy.ask(("look up", *question)))]

    def open(self) -> Simulator:
        """The simulator of the run."""
        group = DeterministicThreads(ThreadState)
        group.date_ns = self._request.date_ns
        install_patches(group)
        options = {**self._request.options, "threads": "deterministic"}
        self.sim = sim = Simulator(schedule=self.schedule, **options)
        sim.findings.sinks.append(self._found)
        sim.open()
        sim.follow_environment(_variable)
        return sim

    def _found(self, finding: Finding, first: bool) -> None:
        sent_away = self.schedule.limit.passed  # what it does then is none of its faults
        if first and not sent_away and self._counts_here() and self._request.levels.fails(finding):
            self.strategy.tell(("found", finding.to_json()))

    def _counts_here(self) -> bool:
        return not self.over and os.getpid() == self.strategy.process

    def failed(self, error: BaseException) -> None:
        """An exception left a call: the program ends with it."""
        if isinstance(error, SimulatedHang):
            self.end("deadlock")
        elif isinstance(error, OutOfTime):
            self.end("out of time")
        else:
            self.end(f"{type(error).__name__}: {said(error)}")

    def end(self, ended: str = "", crashed: bool = False) -> None:
        """The program is over. *crashed*: at once, without what is still queued."""
        if not self._counts_here():
            return
        self.over = True
        schedule = self.schedule
        hosts = schedule.hosts
        if not crashed and not ended and not hosts.group.here.os_thread.number:  # type: ignore[union-attr]
            hosts.last_of_main()
        if not ended:
            schedule.exits()
        schedule.stop() if crashed else schedule.finish()
        recorder = schedule.recorder
        reads, codes, memory = recorder.reads(), recorder.codes(), tuple(recorder.memory())
        active = hosts.active
        schedule.abandon()
        sim = self.sim
        if not crashed:
            sim.close()
        levels = self._request.levels
        known = schedule.known_state
        found = End(
            ended=without_addresses(ended),
            late=ended == "out of time",
            reads=reads,
            codes=codes,
            memory=memory,
            marks=sim.checks.nondeterminism() if sim.checks is not None else "",
            blocked=tuple(schedule.blocked),
            relevant=schedule.relevant,
            threads=active,
            launches=tuple(schedule.blocks.ran),
            apart=dict(schedule.blocks.splits.chosen),
            known=known.sets(),
            splits=known.splits.copy(),
            findings=[f.to_json() for f in sim.findings if levels.fails(f)],
            functions=tuple(self._resolved()),
            modules=tuple(name for name in sys.modules if name not in self._modules and name.startswith("ascend_sim.")),
        )
        wanted = self.strategy.ask(("end", self.strategy.told_last(), found))
        if wanted and isinstance(schedule, ExplainedSchedule):
            self.strategy.tell(("words", schedule.texts(wanted)))
