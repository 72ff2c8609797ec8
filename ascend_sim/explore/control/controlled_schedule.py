"""The schedule of an explored run: it takes every step itself, one address at a time, as its guide says.

A host step is an API call with the Python code up to the next one; a call that waits is two, *begin* and *resume*. A
step of a stream is its head, start and end together. All before the first task or thread is one step: nothing else
could run. Calls of a program's only thread that touch nothing belong to the step before them (`joined_calls.py`).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ascend_sim.catalogue.effects import effects
from ascend_sim.explore.control.aborts import dropped_heads, looked_at
from ascend_sim.explore.control.access_recorder import Watching
from ascend_sim.explore.control.blocks.transitions import BlockSteps, OpenLaunch
from ascend_sim.explore.control.host_transitions import ANY_HOST, ASKS, RESUME, Next
from ascend_sim.explore.control.known_state import Cells
from ascend_sim.explore.control.merged_calls import JoinedCalls
from ascend_sim.explore.control.questions import QUERIES, answered
from ascend_sim.explore.control.run_limit import Deadline
from ascend_sim.explore.control.shared_objects import SharedObjects
from ascend_sim.explore.control.sharing import Sharing
from ascend_sim.explore.control.stable_ids import Names, steady
from ascend_sim.explore.control.stream_transitions import blocked_heads, fire, fire_head, needs, openers, passable
from ascend_sim.explore.search.dependence import END, WORK, Item
from ascend_sim.explore.search.dpor import Blocked
from ascend_sim.explore.search.strategy import Guide
from ascend_sim.observers.observer import attach
from ascend_sim.runtime.scheduler import FOREVER, TIMER
from ascend_sim.runtime.schedules import Schedule
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.stream_waits import Room
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.runtime.waiting import Awaitable

__all__ = ["Guided"]


class Guided(Schedule):
    """Under it the guide decides each step. *cells*: the values that waits watch, known from runs before.

    *all_hosts*: no two steps of host threads may change places, whatever they touch.
    """

    name = "explore"
    reorders = True
    eager = True
    drives = True

    def __init__(self, guide: Guide, cells: Cells, all_hosts: bool = False) -> None:
        self.guide = guide
        self.cells = cells
        self.all_hosts = all_hosts
        self.items: list[Item] = []
        """What the step that runs now has touched so far."""
        self.place = -1
        """The place of that step in the run."""
        self._causes: tuple[int, ...] = ()
        self.check: tuple[Any, ...] = ()
        self._values: dict[Any, int] | None = None
        self.in_step = False
        """A step was begun and is not over."""
        self.by_host = True
        """The step is, or was, one of a host thread."""
        self.started = False
        """A task was submitted, or a thread started: from now on there is something to choose."""
        self.finished = False
        self.submitted_at: dict[Task, int] = {}
        self.done_at: dict[Task, int] = {}
        self.last_task: dict[Stream, Task] = {}
        self.resumed = False
        """The running step of the host went on after a wait."""
        self.woken = False
        """It has waited, and what it waited for has just happened."""
        self.flag_before = False
        self.blocks = BlockSteps(self, cells.splits)
        self.processes: dict[str, int] = {}
        """Where each process took its last step."""
        self.blocked: list[Blocked] = []
        """Who could not go on: where nothing could, where the run was left, and at its end."""
        self._cut = False
        self.dropped: list[tuple[Task, int, int]] = []
        """Tasks that were dropped as heads of their streams, with the step of the stream before, and where that was."""
        self.full = frozenset(cells.full)
        """The streams to which a submission is a step of its own."""
        self.ends: dict[Stream, list[int]] = {}
        """Where the tasks of these ended."""
        self.deadline = Deadline()
        self.objects = SharedObjects(self)
        self.joined = JoinedCalls(self)
        self._heads: dict[str, Stream] = {}
        """Whose head could run, by the process that would do it."""
        self.log: list[tuple[str, tuple[Item, ...]]] = []
        """Who took each step that is over, and what it touched."""
        self.running = ""
        """Who takes the step that runs."""
        self.worked: dict[str, int] = {}
        """Where each thread last made something new."""
        self.again = False
        """The question that runs was asked before and had to wait."""
        self.names: Names
        self.watching: Watching
        self.sim: Runtime
        self.hosts: Sharing

    def watch(self, sim: Runtime) -> None:
        """Begin with *sim*, which is being opened: the first step of the host."""
        self.sim = sim
        self.scheduler = sim.scheduler
        group: Any = sim.threads
        self.hosts = group.controller = Sharing(self, group)
        self.names = Names(sim, self.hosts.name_of, self.works)
        self.watching = Watching(self)
        attach(sim, self.watching)
        if self.cells.splits.way != "whole":
            sim.hooks.add("blocks_ran", self.blocks.blocks_ran)
        self.begin(self.decide((self.hosts.name(None),)), (), ())

    def works(self) -> None:
        """The running step makes something new: it is more than a question."""
        self.worked[self.running] = self.place

    # -- steps -------------------------------------------------------------------------------------------------------

    def decide(self, enabled: tuple[str, ...]) -> str:
        """The guide says which of *enabled* goes on."""
        chosen = self.guide.choose(enabled)
        if self.guide.cut and not self._cut:
            self.keep_blocked(True)
            self._cut = True
        return chosen

    def keep_blocked(self, ends: bool = False) -> None:
        """Who cannot go on now, with what it would touch first, is part of what the run tells. *ends*: it is over."""
        if not self._cut:
            self.blocked += (*self.hosts.blocked(), *blocked_heads(self), *self.blocks.kept_back())
            if ends and self.dropped:
                self.blocked += dropped_heads(self)

    def begin(self, process: str, causes: tuple[int, ...], check: tuple[Any, ...], host: bool = True) -> None:
        """The step that the guide has just chosen begins."""
        self.place = self.processes[process] = self.place + 1
        self.running = process
        self.items = [ANY_HOST] if self.all_hosts and host and self.hosts.active else []
        self._causes = causes
        self.check = check
        self.in_step = True
        self.by_host = host
        if host:
            self.resumed = check is RESUME
            self.woken = False
        else:
            self.hosts.moved()
        if self.cells.known:
            self._values = self.cells.snapshot(self.sim, self.names)

    def end_step(self) -> None:
        """The running step is over."""
        if self.in_step:
            self.in_step = False
            place = self.place
            check = self.joined.checked(self.check)
            items = tuple(self.items)
            if not self.by_host:
                pass  # it has moved when it began
            elif self.worked.get(self.running, -1) >= place:
                self.hosts.moved()
            else:
                for item in items:
                    if WORK >> item[1] & 1:
                        self.hosts.moved()
                        break
            self.log.append((self.running, items))
            self.guide.taken(self._causes, items, check, self._values)

    def call_alone(self, me: str, check: tuple[Any, ...]) -> None:
        """`alone` for the next call of the only host thread there is, which needs nothing."""
        self.end_step()
        while True:
            ready = self.ready()
            chosen = self.decide((me, *ready) if ready else (me,))
            if chosen == me:
                break
            self.step(chosen)
        self.begin(me, (), check)

    def alone(self, name: str, step: Next) -> None:
        """The only host thread could go on: let streams go first as the guide says, then begin its *step*.

        When what it needs never comes, it finds that out.
        """
        self.end_step()
        self.hosts.only = name, step
        while True:
            enabled = (name, *self.ready()) if step.can is None or step.possible() else tuple(self.ready())
            if not enabled:
                if self.last_resort(FOREVER if step.deadline is None else step.deadline):
                    continue
                self.hosts.only = None
                if step.poll and self.hosts.group.here.os_thread is not None:
                    self.hosts.asked_in_vain(self.hosts.group.here.os_thread)
                self._resume_later(name, step.check if step.poll else RESUME)
                return
            chosen = self.decide(enabled)
            if chosen == name:
                break
            self.step(chosen)
            if self.hosts.group.multi:  # the engine had to start a thread
                self.hosts.only = None
                self.hosts.go_on(step)
                return
        self.hosts.only = None
        self.begin(name, step.causes, step.check)

    def ready(self) -> list[str]:
        """Who could go on now beside host threads: streams by their heads, blocks of launches on their way."""
        heads = self._heads
        heads.clear()
        opened = self.blocks.open
        heap = self.scheduler.heap
        if not heap and not opened:
            return []
        known = self.names.given
        for entry in heap:
            if entry[1] != TIMER:
                stream: Any = entry[3]
                task = stream.queue[0]
                gate = task.op.gate
                if gate is None or stream.running or passable(gate, task):
                    heads[known.get(stream) or self.names.of(stream)] = stream
        names = sorted(heads) if len(heads) > 1 else list(heads)
        if not opened:
            return names
        self._heads = self.blocks.spread(names, heads)
        return list(self._heads)

    def step(self, process: str) -> None:
        """The head of a stream, start and end together; or a part of the launch on its way there."""
        stream = self._heads[process]
        if self.blocks.open and self.blocks.step(process, stream):
            return
        task = stream.queue[0]
        op = task.op
        causes: tuple[int, ...] = (self.submitted_at.get(task, 0),)
        gate = op.gate
        if gate is not None:
            causes += tuple([self.done_at[opener] for opener in openers(gate) if opener in self.done_at])
        self.begin(process, causes, (op.kind, ()), host=False)
        if gate is not None:
            item = needs(gate, self)
            if item is not None:
                self.items.append(item)
        if self.full:
            self.items += looked_at(self, task)
        self.flag_before = getattr(getattr(op.action, "__self__", None), "flag", False)
        fire_head(self, stream, task)
        if task.done and (not self.blocks.open or not self.blocks.is_open(stream)):
            self.ended(task, stream)
        self.end_step()

    def ended(self, task: Task, stream: Stream) -> None:
        """*task* is over with this step."""
        self.done_at[task] = self.place
        if self.full and self.names.of(stream) in self.full:
            self.ends.setdefault(stream, []).append(self.place)
        self.items.append(Item(("done", self.names.task(task)), END))
        if self.hosts.active:
            self.items.append(Item(("idle", self.names.of(stream)), END))

    def picker(self, task: Task) -> OpenLaunch | None:
        """Who picks the blocks of the launch *task*: nobody when it is one step."""
        return self.blocks.begins(task)

    # -- where the host stops ----------------------------------------------------------------------------------------

    def before_call(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """A new step of the host, unless nothing was queued and no thread was started yet."""
        if self.finished:
            return
        self.deadline.check()
        check = name, steady(arguments)
        hosts = self.hosts
        if hosts.active or self.started:
            if name not in QUERIES:
                hosts.other(t.os_thread)
            if not hosts.active and self.joined.join(name, check):
                return
            hosts.calls(t.os_thread, check)
            if hosts.active or effects(name).about_tasks:
                self.objects.begins(t, name, arguments)
        else:
            self.joined.early(check)

    def drive(self, limit: int, w: Awaitable | None) -> None:
        """The only host thread waits for *w*. Without *w* it only lets time pass: that decides nothing."""
        if self.finished:
            self._drain(w)
        if w is None or self.finished:
            return
        me = self.hosts.name(self.hosts.group.here.os_thread)
        self.hosts.binds(w)
        self.end_step()
        while not w.done:
            ready = self.ready()
            if self.hosts.group.multi:  # the engine had to start a thread
                return
            if ready:
                self.step(self.decide(tuple(ready)))
            elif not self.last_resort(limit):
                self._resume_later(me)
                return
        if isinstance(w, Room) and self.hosts.active:  # what made room is no reason: another could have taken it
            self.alone(me, Next((), RESUME))
            return
        task = getattr(w, "task", None)
        cause = self.done_at.get(task, self.place) if task is not None else self.place
        self.alone(me, Next((cause,), RESUME))
        self.woken = True

    def _drain(self, w: Awaitable | None) -> None:
        """The program is over; who still calls gets what the device can do."""
        while w is None or not w.done:
            if not self.ready():
                return
            stream = next(iter(self._heads.values()))
            fire(self.scheduler, next(entry for entry in self.scheduler.heap if entry[3] is stream))

    def _resume_later(self, me: str, check: tuple[Any, ...] = RESUME) -> None:
        """Nothing goes on: the host has a time limit, or hangs. That follows from all that ran."""
        self.decide((me,))
        self.begin(me, tuple(self.processes.values()), check)

    def went_on(self, cause: int) -> None:
        """A call has waited for the step at *cause*; when that was over before, it is two steps all the same."""
        if self.finished:
            return
        if self.woken or (self.resumed and not self.items and not self.hosts.active):
            self.woken = False
            self._causes = (*self._causes, cause)
            return
        r = self.hosts.group.here.os_thread
        if r is not None:  # it touched something since the wait before, or had nothing to wait for
            self.hosts.turn(r, Next((cause,), RESUME))

    def last_resort(self, limit: int) -> bool:
        """Nothing can go on: let waits park, then a time limit of the device fire that is due by *limit* (ns)."""
        heap = self.scheduler.heap
        for entry in sorted(entry for entry in heap if entry[1] != TIMER):
            fire(self.scheduler, entry)
        self.keep_blocked()
        timers = [entry for entry in heap if entry[1] == TIMER and entry[0] <= limit]
        if not timers or any(entry[1] != TIMER for entry in heap):
            return bool(self.ready())
        entry = min(timers)
        stream = getattr(entry[3], "stream", None)
        if stream is None or not getattr(entry[3], "live", True):
            fire(self.scheduler, entry)
            return True
        name = self.names.of(stream)
        self.decide((name,))
        self.begin(name, tuple(self.processes.values()), ("time limit", ()), host=False)
        waiting = stream.queue[0] if stream.queue else None
        fire(self.scheduler, entry)
        if waiting is not None and waiting.done:
            self.ended(waiting, stream)
        self.end_step()
        return True

    def poll(self, t: HostThread, key: Hashable) -> None:
        """One failing answer is explored; asked again, with no work between, the host waits until it can change.

        *key*: the handle, or handles, that a negative answer is about; None: it is none.
        """
        self.again = False
        if self.finished or (key is None and t.call not in QUERIES):
            return
        good = (lambda: True) if key is None else (lambda: answered(self.sim, key))
        self.again = self.hosts.ask(t.os_thread, ASKS, t.call if key is None else key, (), good, not self.hosts.active)

    # -- the end -----------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """The program has ended: what is still queued runs, as far as it can."""
        if self.finished:
            return
        self.end_step()
        while True:
            ready = self.ready()
            if not ready:
                break
            self.step(self.decide(tuple(ready)))
        self.keep_blocked(True)
        self.finished = True
        self.hosts.group.controller = None
