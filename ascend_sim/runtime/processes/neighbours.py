"""The other processes of the run as one simulator knows them: what it shares with them, and who waits here for whom.

News are taken in where the program cannot tell: when a thread has to wait and nothing of this process is due, before a
time limit passes, and when a call asks (docs/semantics/processes.md#order).
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.errors import AclError
from ascend_sim.runtime.processes.board import (
    FIRST,
    VARIABLE,
    Board,
    Entry,
    Who,
    myself,
    name_for,
    number_of,
    owner_of,
    usable,
)
from ascend_sim.runtime.processes.order import Order
from ascend_sim.runtime.scheduler import Signal, Timer
from ascend_sim.runtime.threads.other_processes import OtherProcesses
from ascend_sim.runtime.threads.real_time import HANG_NS, real_ns

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.scheduler import Scheduler
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.source.callsite import CallSite

__all__ = ["Neighbours", "Shared", "Waits", "enter_run", "hand_over", "place_of"]

_SHIMS = os.path.join(PACKAGE, "shims")
_WATCH = "watch"
"""The entry with the processes whose streams wait for values in shared bytes."""
_SOON = 0.001
"""Real seconds after which a process that was woken, and found nothing, looks again; then twice as long."""


class Shared:
    """A thing of which the board has an entry. *name*: that of the entry.

    Subclasses say what becomes of a change that another process made (`news`), and who could make one (`enders`).
    """

    __slots__ = ("name", "neighbours")

    block: Allocation | None = None
    """The memory, if that is what is shared."""

    def __init__(self, neighbours: Neighbours, name: str) -> None:
        self.neighbours = neighbours
        self.name = name

    def describe(self) -> str:
        """The thing in words."""
        raise NotImplementedError

    def entries(self) -> list[str]:
        """The names of the entries of which each could end the waits."""
        return [self.name]

    def waits(self) -> bool:
        """Whether something of this process waits for a change of the entry."""
        raise NotImplementedError

    def news(self, entry: Entry) -> bool:
        """The entry is as it is now; True when something that waited for that can go on."""
        raise NotImplementedError

    def enders(self, entry: Entry) -> list[Who] | None:
        """The other processes one of which could end the waits; None: whoever comes."""
        raise NotImplementedError

    def abandoned(self, ended: list[Who]) -> bool:
        """All those are gone: nobody ends the waits any more. True when something goes on by that."""
        raise NotImplementedError


def hand_over(t: HostThread, record: Task) -> None:
    """Let the device come to a *record* that other processes may wait for, as far as it can without them.

    A device goes on whatever its program does; here it moves when a call lets it, and the next thing that this process
    does may be to read a pipe. So the call lasts in virtual time until the record is done, or nothing more is due; not so
    in a process that is alone. The time until then is the device's and passes at once: the clocks of two processes differ
    by as much as one of them is older, and what follows a record of the other one is due at its time.
    """
    near = t.sim.neighbours
    while near is not None and near.board.company() and not record.over():
        due = t.scheduler.next_time()
        if due is None:
            return
        there = _Arrival(t.scheduler)
        t.scheduler.push_timer(max(due, t.clock + 1), there)
        t.sim.threads.block(t, there.reached, None, _Idle())


class _Arrival(Timer):
    """The device has come to a moment."""

    __slots__ = ("reached", "scheduler")

    def __init__(self, scheduler: Scheduler) -> None:
        super().__init__()
        self.scheduler = scheduler
        self.reached = Signal()

    def expire(self, time: int) -> None:
        """It is there."""
        self.scheduler.complete(self.reached, time)


class _Idle:
    """Why the thread of `keep_going` waits, and one that lets the device go on."""

    def describe(self) -> str:
        """The wait in words."""
        return "other processes"

    def holders(self) -> list[object]:
        """Nobody of this process."""
        return []


class Waits:
    """Why a process of the run waits, for the wait-for graph of another one."""

    __slots__ = ("process", "what")

    def __init__(self, process: Who, what: str) -> None:
        self.process = process
        self.what = what

    def describe(self) -> str:
        """``process 4711, which waits for notify 1``."""
        waits = f", which waits for {self.what}" if self.what else ""
        return f"process {number_of(self.process)}{waits}"


class Neighbours(OtherProcesses):
    """One a simulator, made when it shares something first, or in a process that another one of the run started."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.board = Board(_folder())
        self.things: dict[str, Shared] = {}
        """What this process shares, by the name of the entry."""
        self.order = Order()
        """Who keeps the order of accesses, if anybody does."""
        self.shared_bytes: dict[Allocation, tuple[str, int]] = {}
        """Memory whose bytes other processes can have: the file that they are in, and the place there."""
        self.tells_writes = False
        """Whether somebody tells `wake_watchers` of writes to these bytes."""
        self._before: dict[str, str | None] = {}
        """Variables that `tell_started` has changed, as they were."""
        self._watches = False
        self._watchers: tuple[int, list[Who]] = (0, [])
        self._soon = 0.0
        self._idle_since = 0
        self._published = False
        self._serial = 0
        self._served = False

    @classmethod
    def of(cls, sim: Runtime) -> Neighbours:
        """Those of *sim*, which is seen by them from now on."""
        found = sim.neighbours
        if found is None:
            found = sim.neighbours = cls(sim)
        if found.board.forked():
            found.begin_again()
        if not found.board.joined:
            found.board.join()
        if found not in sim.threads.others:
            sim.threads.others.append(found)
        return found

    @staticmethod
    def possible() -> bool:
        """Whether processes can share anything on this system."""
        return usable

    def begin_again(self) -> None:
        """This is the child of a fork: what its parent shares is the parent's, and must be imported like all else."""
        self.things.clear()
        self._served = False
        self._published = False
        self._watches = False

    def new_name(self, kind: str) -> str:
        """A name for an entry that no other process makes."""
        self._serial += 1
        return f"{kind}-{self.board.me}-{self.sim.next_number('shared')}"

    def add(self, thing: Shared) -> None:
        """*thing* is shared from now on."""
        self.things[thing.name] = thing

    def crossed(self, t: HostThread, thing: object) -> None:
        """*thing* of another process was opened: who listens hears that the order is none of the simulator's now."""
        for observe in self.sim.hooks.imported or ():
            observe(t, thing)

    # -- writes to shared bytes ----------------------------------------------------------------------------------------

    def watch(self) -> None:
        """A stream waits for a value in shared bytes: who writes there wakes this process."""
        if not self._watches:
            self._watches = True
            with self.board.change(_WATCH) as entry:
                entry["who"] = [*entry.get("who", ()), self.board.me]

    def _stop_watching(self) -> None:
        if self._watches and not any(thing.waits() for thing in self.things.values()):
            self._watches = False
            with self.board.change(_WATCH) as entry:
                entry["who"] = [who for who in entry.get("who", ()) if who != self.board.me]

    def wake_watchers(self) -> None:
        """Shared bytes were written: who waits for a value somewhere looks again."""
        try:
            changed = os.stat(os.path.join(self.board.folder, _WATCH)).st_mtime_ns
        except OSError:
            return  # nobody ever did
        if changed != self._watchers[0]:
            self._watchers = changed, (self.board.read(_WATCH) or {}).get("who", [])
        self.board.wake(self._watchers[1])

    def keep_going(self) -> None:
        """A stream waits for another process: its device goes on by that, also while the program reads a pipe.

        A thread of the engine's own waits for it then, as the program's thread does when it waits in a call.
        """
        if not self._served:
            self._served = True
            self._served = self.sim.threads.try_service(self.sim, self._serve, "other processes")

    def _serve(self, t: HostThread) -> None:
        t.sim.threads.block(t, Signal(), None, _Idle())

    def tell_started(self) -> None:
        """Processes that are started from now on find ``acl``, with the product and the devices of this one.

        Under `ascend-sim run` they do anyhow; under the plugin and after `install` by this.
        """
        path = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
        if _SHIMS in path:
            return
        wanted = {
            "PYTHONPATH": os.pathsep.join([_SHIMS, *path]),
            "ASCEND_SIM_SOC": os.environ.get("ASCEND_SIM_SOC", self.sim.profile.name),
            "ASCEND_SIM_DEVICES": os.environ.get("ASCEND_SIM_DEVICES", str(self.sim.installed)),
        }
        self._before = {name: os.environ.get(name) for name in wanted}
        os.environ.update(wanted)
        sys.path.append(_SHIMS)  # multiprocessing hands this list to what it spawns

    def close(self) -> None:
        """The simulator closes: others see that this process is gone. The first one of the run takes all away."""
        if os.getpid() != self.board._process:
            return
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        if self._before and _SHIMS in sys.path:
            sys.path.remove(_SHIMS)
        self._before = {}
        threads = self.sim.threads
        if self in threads.others:
            threads.others.remove(self)
        if threads.company == self.board.company:
            threads.company = None
        first = os.environ.get(VARIABLE) == self.board.folder and os.environ.get(FIRST) == self.board.me
        if first and self.board.joined and not self.board.others():
            self.board.remove()
        else:
            self.board.leave()

    # -- for the group of threads --------------------------------------------------------------------------------------

    def awaited(self) -> bool:
        """Whether something here waits for another process now, and one lives, or has just ended."""
        if not any(thing.waits() for thing in self.things.values()):
            return False
        return self.board.company() or self.look()

    def look(self) -> bool:
        """Take in what others have done."""
        waiting = [thing for thing in self.things.values() if thing.waits()]
        if not waiting:
            return False
        board, found = self.board, False
        board.heard()
        for thing in waiting:
            entry = board.read(thing.name)
            if entry is None:
                continue
            found = thing.news(entry) or found
            if thing.waits():
                enders = thing.enders(entry)
                if enders is not None and all(board.left(who) for who in enders):
                    found = thing.news(board.read(thing.name) or {}) or found  # what they did before they went
                    found = (thing.waits() and thing.abandoned(enders)) or found
        if found:
            self._go_on()
            self._stop_watching()
        return found

    def wait(self, seconds: float) -> None:
        """Block in the system until another process has done something, or one that is waited for ends."""
        board = self.board
        involved: dict[Who, None] = {}
        for thing in self.things.values():
            if thing.waits():
                entry = board.read(thing.name)
                involved |= dict.fromkeys((thing.enders(entry) or ()) if entry is not None else ())
        now = real_ns()
        if self._soon:  # a write that was told may not have been done yet
            seconds, self._soon = min(seconds, self._soon), self._soon * 2 if self._soon < seconds else 0.0
        if board.wait(seconds, [who for who in involved if not board.gone(who)] if involved else []):
            self._idle_since = 0
            self._soon = _SOON
            return
        if not self._idle_since:
            self._idle_since = now
        if real_ns() - self._idle_since > HANG_NS and not self._published and self.awaited():
            self._publish()

    def others_live(self) -> bool:
        """Whether another process of the run lives, and something is shared."""
        return bool(self.things) and self.board.company()

    def hopeless(self) -> bool:
        """Whether this process and those it waits for only wait for each other, for a real second by now."""
        if not self._published:
            return False
        board = self.board
        todo, seen = [board.me], {board.me}
        while todo:
            who = todo.pop()
            entry = board.read(f"w-{who}")
            if entry is None or not entry.get("things"):
                return False  # it does something
            for name in entry["things"]:
                thing = board.read(name)
                enders = [other for other in (thing or {}).get("users", ()) if other != who and not board.gone(other)]
                if not enders:
                    return False  # somebody may still come for it
                for other in enders:
                    if other not in seen:
                        seen.add(other)
                        todo.append(other)
        return True

    def holders(self, entry_name: str) -> list[object]:
        """The processes that could end a wait for that entry, with what they wait for themselves."""
        entry = self.board.read(entry_name) or {}
        found: list[object] = []
        for who in entry.get("users", ()):
            if who != self.board.me:
                waits = self.board.read(f"w-{who}") or {}
                found.append(Waits(who, waits.get("what", "")))
        return found

    def holders_of(self, block: Allocation) -> list[object]:
        """The processes that could write the bytes of *block*."""
        names = [name for thing in self.things.values() if thing.block is block for name in thing.entries()]
        return [holder for name in names for holder in self.holders(name)]

    def _publish(self) -> None:
        """Say on the board what this process waits for, and that it does nothing else."""
        waiting = [thing for thing in self.things.values() if thing.waits()]
        with self.board.change(f"w-{self.board.me}") as entry:
            entry["things"] = [name for thing in waiting for name in thing.entries()]
            entry["what"] = " and ".join(thing.describe() for thing in waiting)
            entry["users"] = self.board.others()
        self._published = True

    def _go_on(self) -> None:
        self._idle_since = 0
        if self._published:
            self._published = False
            with self.board.change(f"w-{self.board.me}") as entry:
                entry.clear()  # it does something again


def enter_run(sim: Runtime) -> None:
    """*sim* is that of a process of a run: those that it starts share the board; one that was started is seen there."""
    if not usable:
        return
    first = os.environ.get(FIRST, "")
    beside = not first and _beside_others()
    near = sim.neighbours = Neighbours(sim)
    near.tell_started()
    sim.threads.company = near.board.company
    if beside or (first and first != near.board.me):
        with contextlib.suppress(AclError):  # nothing can be shared, and who tries hears of it
            Neighbours.of(sim)


def _beside_others() -> bool:
    """Whether something between the run and this process, a shell script for one, may have started others as well.

    They are seen from the beginning then: a program may wait for what another one has not shared yet, by sleeping.
    """
    made_by = owner_of(os.environ.get(VARIABLE, ""))
    return bool(made_by) and made_by not in (os.getppid(), os.getpid())


def _folder() -> str:
    """The folder of the run; if there is none yet: one of this process and of those that it starts from now on."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        folder = os.environ[VARIABLE] = name_for(myself())
    if not os.environ.get(FIRST):
        os.environ[FIRST] = myself()
    return folder


def place_of(site: CallSite) -> str:
    """``train.py:12`` of a call, for what other processes say about it."""
    from ascend_sim.machine.allocations import place

    return place(site)
