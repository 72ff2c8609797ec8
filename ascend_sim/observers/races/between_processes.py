"""Races between processes: accesses to bytes that several of them have, and what orders one with another.

Each process writes its accesses to such bytes into the journal of the run, and tests its own against those that others
have written before. What a program does between the processes by pipes, files and locks is not seen, but it orders host
calls only: so the host calls of all processes are taken to be ordered as they came, in real time. What the host of one
process knows to be done when another one queues a task comes before that task. Tasks that no host knows to be done are
ordered by records of shared events and notifies, and by value waits, which carry what the recording process knew
(docs/semantics/processes.md#races). A lost race, never a false one.
"""

from __future__ import annotations

import itertools
import json
import os
from bisect import bisect_left
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ascend_sim.findings.finding import ByteMap, ByteRange, Frame, Site
from ascend_sim.findings.wording import where
from ascend_sim.observers.observer import listen
from ascend_sim.observers.plain_findings import tells
from ascend_sim.observers.races.access_history import AccessHistory
from ascend_sim.observers.races.accesses import ATOMIC, AtomicUpdate, HostCall
from ascend_sim.observers.races.vector_clocks import EMPTY, View, enlarged, known_to
from ascend_sim.runtime.processes.board import Who, number_of
from ascend_sim.runtime.processes.journal import Journal
from ascend_sim.runtime.processes.neighbours import Neighbours
from ascend_sim.runtime.processes.order import Order, Stamp
from ascend_sim.runtime.task import Task
from ascend_sim.runtime.threads.real_time import real_ns
from ascend_sim.runtime.value_wait import WIDTH, ValueWrite, satisfied
from ascend_sim.source.callsite import points
from ascend_sim.source.frames import frames_of

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.observers.races.detector import RaceDetector
    from ascend_sim.observers.races.row_history import RowHistory
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.runtime.value_wait import ValueGate

__all__ = ["ProcessRaces"]

MOST_CELLS = 4096
"""Beyond so many segments what is known of shared bytes is forgotten: a lost race, never a false one."""
MOST_POINTS = 2048
MOST_PARTS = 256
MOST_WORDS = 256
MOST_TEXTS = 4096
_TOLD_BEFORE = frozenset({"copy", "set", "value-write"})
"""Tasks whose accesses are told before their bytes can be seen; kernels, operators and host calls tell afterwards."""
_NEVER = 1 << 62
_SERIAL = itertools.count(1)
"""Of the simulators of this process."""


class Remote:
    """An access of process *who*: epoch (c, q), with chain *c* as this process numbers it.

    *done*: since when (real ns) it is known to be done, if it was a host call; 0 for a task. *passed*: the latest value
    wait that it follows, in real ns. *begun*: since when others may have seen what it writes, though it told so later.
    """

    __slots__ = ("atomic", "begun", "c", "done", "frames", "passed", "q", "who", "words")

    def __init__(self, c: int, line: dict[str, Any]) -> None:
        self.who: Who = line["by"]
        self.c = c
        self.q: int = line["q"]
        self.done: int = line["t"]
        self.passed: int = line["v"]
        self.begun: int = line["b"]
        self.atomic = line["w"] == ATOMIC
        self.words: str = line["x"]
        self.frames: list[Any] = line["at"]


class _Elsewhere:
    """What stands for a record of another process that is done, where a record of this one is expected."""

    class _Nowhere:
        track = None

    done = True
    stream = _Nowhere()

    def __init__(self, thread: HostThread, know: View, q: int) -> None:
        self.thread = thread
        self.know = know
        self.q = q


class _Word(NamedTuple):
    """A write of another process to bytes [lo, hi) of a file; of a value write the *value*."""

    number: int
    lo: int
    hi: int
    stamp: Stamp | None
    value: int | None


class _Moments:
    """When a chain was where: numbers with real times, both rising. Forgetting shifts a number to an earlier time."""

    __slots__ = ("numbers", "times")

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.times: list[int] = []

    def add(self, number: int, time: int) -> None:
        """The chain is at *number*."""
        numbers = self.numbers
        if numbers and numbers[-1] >= number:
            return
        numbers.append(number)
        self.times.append(time)

    def of(self, number: int) -> int | None:
        """The time of the first point that is not before *number*; None: there is none yet."""
        place = bisect_left(self.numbers, number)
        return self.times[place] if place < len(self.times) else None

    def thin(self, later: bool) -> None:
        """Drop every second of the older points, when there are many.

        *later*: what is asked for gets a later time by that, else an earlier one.
        """
        half = len(self.numbers) // 2
        if half * 2 < MOST_POINTS:
            return
        self.numbers[:half] = self.numbers[1:half:2]
        self.times[:half] = self.times[1:half:2] if later else self.times[0 : half - 1 : 2]


class ProcessRaces(Order):
    """The part of the race detector of one process that looks at what several processes have."""

    def __init__(self, races: RaceDetector) -> None:
        self.sim = sim = races.sim
        self.clocks = clocks = races.clocks
        self.names = races.names
        self.near = Neighbours.of(sim)
        self.near.order = self
        self.journal = Journal(self.near.board)
        self._one = next(_SERIAL)
        self._me = f"{self.near.board.me}/{self._one}"
        """A process may have several simulators, one after the other, whose chains have numbers of their own."""
        self._world = clocks.new_chain()
        """The chain whose numbers are real ns: up to then all is known that the host of any process knew."""
        self._values = clocks.new_chain()
        """The chain whose numbers are the real ns of value waits that were over."""
        self._own = self._world, self._values
        self._named: dict[int, str] = {}
        """Chains of other processes, by their number here."""
        self._numbers: dict[str, int] = {}
        self._newest: dict[int, int] = {}
        """By chain of another process: its newest access that was read."""
        self._submits: dict[int, _Moments] = {}
        """By chain of a host thread of this process: when it was where."""
        self._known: dict[int, _Moments] = {}
        """By chain of tasks, of any process: since when a host knows it to be done up to a number."""
        self._open: dict[int, int] = {}
        """By chain: the newest access in the journal that no host knows to be done."""
        self._views: dict[int, View] = {}
        """By thread: what it knew when that was last looked at."""
        self._ended: dict[Who, int] = {}
        """When processes have said that they end (real ns)."""
        self._histories: dict[str, AccessHistory] = {}
        """By file."""
        self._words: dict[str, list[_Word]] = {}
        """By file: writes of others, since a value wait may follow them."""
        self._read = 0
        self._spent: dict[tuple[str, int], int] = {}
        """By place: how many writes had been read when a value wait was over there the last time."""
        self._left: dict[int, int] = {}
        """By thread: when it returned from a call (real ns)."""
        self._texts: dict[Any, str] = {}
        self._told: set[Any] = set()
        for name, function in (("submitted", self._submitted), ("api_returned", self._returned)):
            listen(sim, races, name, function)

    # -- this process as another one -----------------------------------------------------------------------------------

    def _look_at_fork(self) -> None:
        """After a fork the child is a process of its own, which knows what its parent knew then."""
        if os.getpid() == number_of(self._me):
            return
        self.near = Neighbours.of(self.sim)
        for c in range(self.clocks.chains):
            if c not in self._own and c not in self._named:
                self._name(c, f"{self._me}:{c}")
        self._me = f"{self.near.board.me}/{self._one}"
        self.clocks.begin_again()
        self._submits.clear()
        self._views.clear()

    def _name(self, c: int, name: str) -> None:
        self._named[c] = name
        self._numbers[name] = c

    def _chain(self, name: str) -> int:
        """The number here of a chain of any process."""
        if name.startswith(f"{self._me}:"):
            return int(name.rpartition(":")[2])
        c = self._numbers.get(name)
        if c is None:
            c = self.clocks.new_chain()
            self._name(c, name)
        return c

    def _name_of(self, c: int) -> str:
        return self._named.get(c) or f"{self._me}:{c}"

    # -- when ----------------------------------------------------------------------------------------------------------

    def _submitted(self, task: Task) -> None:
        host = task.thread.knows
        if host is not None:
            self._at(host.c, task.q)

    def _at(self, c: int, q: int) -> None:
        moments = self._submits.setdefault(c, _Moments())
        moments.add(q, real_ns())
        moments.thin(True)

    def _when(self, view: View) -> int:
        """The latest real time that who knows *view* comes after."""
        latest = _entry(view, self._world)
        for c, moments in self._submits.items():
            number = _entry(view, c)
            if number:
                time = moments.of(number)
                latest = max(latest, real_ns() if time is None else time)
        return latest

    # -- what hosts know -----------------------------------------------------------------------------------------------

    def _returned(self, t: HostThread, name: str, result: Any) -> None:
        self._left[t.number] = real_ns()
        self.learned(t)

    def learned(self, t: HostThread) -> None:
        """A call of *t* is about to return, or a callback begins: what it knows now, its program may tell others."""
        clock = t.knows
        if clock is None or not self._open or self._views.get(t.number) is clock.view:
            return
        self._look_at_fork()
        view = self._views[t.number] = clock.view
        news: dict[str, int] = {}
        for c, q in list(self._open.items()):
            number = _entry(view, c)
            moments = self._known.setdefault(c, _Moments())
            if number and (not moments.numbers or moments.numbers[-1] < number):
                news[self._name_of(c)] = number
                moments.add(number, real_ns())
                moments.thin(False)
            if number >= q:
                del self._open[c]
        if news:
            self._exchange([json.dumps({"k": "known", "t": real_ns(), "c": news})])

    def callback_ended(self, t: HostThread, task: Task) -> None:
        """What the callback did may have waited for another process; the tasks behind it come after that."""
        clock, now = self.clocks.host(t), real_ns()
        self._at(clock.c, clock.q)
        if task.op.hosted:  # said to the tasks themselves: the thread may have the clock of who submitted them
            self._join(task, {self._world: now})

    def closed(self) -> None:
        """The simulator closes: nothing of this process runs any more."""
        if os.getpid() == number_of(self._me) and self.journal.begun:
            self._exchange([json.dumps({"k": "end", "by": self._me, "t": real_ns()})])
            self.journal.close()

    # -- stamps --------------------------------------------------------------------------------------------------------

    def stamp(self, task: Task) -> Stamp | None:
        """What follows from *task*, a record of this process that is done."""
        self._look_at_fork()
        known = self.clocks.known_at(task)
        return None if known is None else self._stamp_of(known.added_to(EMPTY))

    def _stamp_of(self, view: View) -> Stamp:
        numbers = np.asarray(view)
        chains = {self._name_of(c): int(numbers[c]) for c in np.flatnonzero(numbers).tolist() if c not in self._own}
        return {"t": self._when(view), "v": _entry(view, self._values), "c": chains}

    def _view_of(self, stamp: Stamp | None) -> View:
        """What who knows that follows *stamp*; without one all that was written until now."""
        if stamp is None:
            self._exchange([])
            entries = self._newest | {self._world: real_ns(), self._values: real_ns()}
        else:
            entries = {self._chain(name): number for name, number in stamp.get("c", {}).items()}
            entries |= {self._world: stamp.get("t", 0), self._values: stamp.get("v", 0)}
        return self._view(entries)

    def acquired(self, who: Task | HostThread, stamp: Stamp | None) -> None:
        """*who* follows a record of another process."""
        self._look_at_fork()
        view = self._view_of(stamp)
        if isinstance(who, Task):
            self.clocks.at(who).join(view)
        else:
            self.clocks.host(who).join(view)

    def dropped(self, t: HostThread, stream: Stream, stamp: Stamp | None) -> None:
        """What is queued on *stream* from now on follows a record of another process."""
        self._look_at_fork()
        record: Any = _Elsewhere(t, self._view_of(stamp), self.clocks.host(t).q)
        self.clocks.dropped_wait(t, stream, record)

    def value_passed(self, task: Task, gate: ValueGate) -> None:
        """A wait for a value in shared bytes is over: it follows the value write of another process that released it.

        What a kernel or a host call writes is seen before that tells so. So without a value write that has come since the
        latest wait there, the wait follows all that was written until now; and of a write that is told later who reads
        when it began is behind the wait, too.
        """
        block, start = gate.watched
        shared = self.near.shared_bytes.get(block)
        if shared is None:
            return
        self._look_at_fork()
        self._exchange([])
        self._join(task, {self._values: real_ns()})
        lo = shared[1] + start
        over = [word for word in self._words.get(shared[0], ()) if word.lo < lo + WIDTH and lo < word.hi]
        before, self._spent[shared[0], lo] = self._spent.get((shared[0], lo), 0), self._read
        last = over[-1] if over and over[-1].number > before else None
        if last is None or last.value is None or not satisfied(gate.condition, last.value, gate.value):
            self.acquired(task, None)
        for word in over:
            self.acquired(task, word.stamp)

    def _join(self, task: Task, entries: dict[int, int]) -> None:
        self.clocks.at(task).join(self._view(entries))

    def _view(self, entries: dict[int, int]) -> View:
        made = np.zeros(self.clocks.size, np.int64)
        for c, number in entries.items():
            made[c] = number
        return made.data

    # -- accesses ------------------------------------------------------------------------------------------------------

    def published(self, t: HostThread, block: Allocation, history: AccessHistory | RowHistory | None) -> None:
        """*block* can be imported from now on: what was done to it before is written for others."""
        self._look_at_fork()
        shared = self.near.shared_bytes.get(block)
        if shared is None or not isinstance(history, AccessHistory):
            return
        lines, view = [], self.clocks.host(t).view
        for k, cell in enumerate(history.cells):
            reads = cell.r.values() if isinstance(cell.r, dict) else () if cell.r is None else (cell.r,)
            part = [(history.bounds[k], history.bounds[k + 1])]
            for epoch, wrote in [(cell.w, True), *[(read, False) for read in reads]]:
                if epoch is not None and epoch.c not in self._named:
                    known = isinstance(epoch, HostCall) or known_to(view, epoch.c, epoch.q)
                    write = ATOMIC if type(epoch) is AtomicUpdate else wrote
                    lines.append(self._line(epoch, shared, part, write, real_ns() if known else 0, None, 0))
        self._exchange(lines[-MOST_CELLS:])

    def accessed(
        self, epoch: Any, view: View, block: Allocation, parts: list[tuple[int, int]], write: Any
    ) -> None:  # fmt: skip
        """*epoch* of this process, which knows *view*, touches *parts* of *block*."""
        shared = self.near.shared_bytes.get(block)
        if shared is None or len(parts) > MOST_PARTS:
            return
        self._look_at_fork()
        host = isinstance(epoch, HostCall)
        stamp = self._stamp_of(epoch.known().added_to(EMPTY) if host else view) if write else None
        if stamp is not None and host:
            stamp["t"] = real_ns()
        passed = _entry(view, self._values)
        self._exchange([self._line(epoch, shared, parts, write, real_ns() if host else 0, stamp, passed)])
        if len(view) < self.clocks.size:
            view = enlarged(view, self.clocks.size)
        history, time = self._history(shared[0]), real_ns() if host else self._when(view)
        begun = self._begun(epoch)
        for lo, hi in parts:
            met = (history.write if write else history.read)(shared[1] + lo, shared[1] + hi, epoch, view)
            for earlier, wrote, first, last in met or ():
                if type(earlier) is not Remote or earlier.passed > begun or passed > earlier.begun:
                    continue  # a value wait was over between: one has seen what the other tells only now
                if not self._ordered(earlier, time, write):
                    span = max(first - shared[1], lo), min(last - shared[1], hi)
                    self._report(epoch, block, span, write, earlier, wrote)
        if len(history.cells) > MOST_CELLS:
            del self._histories[shared[0]]

    def _begun(self, epoch: Any) -> int:
        """Since when (real ns) others may have seen what *epoch* writes: of most tasks it is told before."""
        if isinstance(epoch, HostCall):
            return self._left.get(epoch.thread.number, 0)
        task: Task = epoch.task if type(epoch) is AtomicUpdate else epoch
        moments = self._submits.get(self.clocks.host(task.thread).c)
        return _NEVER if moments is None or task.op.kind in _TOLD_BEFORE else moments.of(task.q) or 0

    def _history(self, file: str) -> AccessHistory:
        found = self._histories.get(file)
        if found is None:
            found = self._histories[file] = AccessHistory(1 << 62, 1 << 62)
        return found

    def _ordered(self, earlier: Remote, time: int, write: Any) -> bool:
        """Whether a host knew *earlier* to be done before real *time*, or its process had ended."""
        if write == ATOMIC and earlier.atomic:
            return True
        done: int | None = earlier.done
        if not done:
            moments = self._known.get(earlier.c)
            done = None if moments is None else moments.of(earlier.q)
        if done is None:
            done = self._ended.get(earlier.who)
        return self.near.board.gone(earlier.who.partition("/")[0]) if done is None else done <= time

    # -- the journal ---------------------------------------------------------------------------------------------------

    def _line(
        self, epoch: Any, shared: tuple[str, int], parts: list[tuple[int, int]], write: Any, done: int,
        stamp: Stamp | None, passed: int,
    ) -> str:  # fmt: skip
        if not done:
            self._open[epoch.c] = max(self._open.get(epoch.c, 0), epoch.q)
        ranges = [[shared[1] + lo, shared[1] + hi] for lo, hi in parts]
        line: dict[str, Any] = {"k": "access", "by": self._me, "f": shared[0], "r": ranges, "w": int(write)}
        line |= {"c": self._name_of(epoch.c), "q": epoch.q, "t": done, "s": stamp, "v": passed, "b": self._begun(epoch)}
        if isinstance(epoch, Task) and isinstance(epoch.op.action, ValueWrite):
            line["val"] = epoch.op.action.value
        return json.dumps(line)[:-1] + ", " + self._text(epoch) + "}"

    def _text(self, epoch: Any) -> str:
        """What another process says of *epoch*, and where it is called: as fields of a line."""
        task = epoch.task if type(epoch) is AtomicUpdate else epoch
        key = points(task.site), task.stream.number if isinstance(task, Task) else task.call
        known = self._texts.get(key)
        if known is None:
            if len(self._texts) >= MOST_TEXTS:
                self._texts.clear()
            words = self.names.task(task) if isinstance(task, Task) else f"{task.call} in {task.thread.name}"
            frames = [frame.to_json() for frame in frames_of(points(task.site))]
            known = self._texts[key] = f'"x": {json.dumps(words)}, "at": {json.dumps(frames)}'
        return known

    def _exchange(self, lines: list[str]) -> None:
        """Write *lines*, and take in what others have written before them."""
        lost, news = self.journal.exchange(lines)
        if lost:
            self._histories.clear()
            self._words.clear()
        for text in news:
            line = json.loads(text)
            if line["k"] == "known":
                for name, number in line["c"].items():
                    c = self._chain(name)
                    moments = self._known.setdefault(c, _Moments())
                    moments.add(number, line["t"])
                    moments.thin(False)
                    if self._open.get(c, number + 1) <= number:
                        del self._open[c]
            elif line["k"] == "end":
                self._ended[line["by"]] = line["t"]
            else:
                self._take_in(line)

    def _take_in(self, line: dict[str, Any]) -> None:
        """An access of another process."""
        c, q, write = self._chain(line["c"]), line["q"], line["w"]
        self._newest[c] = max(self._newest.get(c, 0), q)
        if not line["t"]:
            self._open[c] = max(self._open.get(c, 0), q)
        remote: Any = Remote(c, line)
        history, nobody = self._history(line["f"]), np.zeros(self.clocks.size, np.int64).data
        for lo, hi in line["r"]:
            (history.write if write else history.read)(lo, hi, remote, nobody)
        if write:
            lo, hi = line["r"][0][0], line["r"][-1][1]
            words = self._words.setdefault(line["f"], [])
            self._read += 1
            words.append(_Word(self._read, lo, hi, line["s"], line.get("val")))
            if len(words) > MOST_WORDS:  # who asks for one that is gone follows all of them
                words[: MOST_WORDS // 2] = [_Word(0, 0, 1 << 62, None, None)]

    # -- what is said --------------------------------------------------------------------------------------------------

    @tells("race")
    def _report(
        self, epoch: Any, block: Allocation, span: tuple[int, int], write: Any, earlier: Remote, wrote: bool
    ) -> None:  # fmt: skip
        own = epoch.task if type(epoch) is AtomicUpdate else epoch
        place = tuple((frame["file"], frame["line"]) for frame in earlier.frames[:2])
        key = points(own.site)[:2], place, bool(write), wrote
        if key in self._told:
            return
        self._told.add(key)
        names, other = self.names, f"process {number_of(earlier.who)}"
        if isinstance(own, Task):
            who, streams = names.task(own), [names.stream(own.stream).strip("`")]
        else:
            who, streams = f"{own.call} in {own.thread.name}", []
        does, doing = "writes" if write else "reads", "writing" if wrote else "reading"
        name, size = names.block(block), min(span[1], block.size)
        site = Site("access", f"{does} {name}[{span[0]}, {size})", own.site, primary=True)
        there = Site(
            "other", f"{'writes' if wrote else 'reads'} it in {other}: {earlier.words}",
            resolved=[Frame(**frame) for frame in earlier.frames],
        )  # fmt: skip
        self.sim.report(
            "race",
            "error",
            f"{who} {does} {name} while {earlier.words} of {other} may still be {doing} it",
            [site, there, Site("alloc", f"{name}: {block.size} bytes{where(block)}", block.origin())],
            bytes=ByteMap(name, block.size, [ByteRange("here", span[0], size)]),
            order=f"no record or value wait leads from one to the other, and no host had waited for {other}'s work when "
            "this was queued",
            fix=f"let {other} synchronise its stream before it tells this process to go on, or record an event or a notify "
            "behind its work and wait for that here",
            streams=tuple(streams),
            time_ns=self.sim.scheduler.now,
        )


def _entry(view: View, c: int) -> int:
    return view[c] if c < len(view) else 0
