"""The controlled schedule: every step of an explored run is taken one at a time, as a strategy chooses.

A host step is an API call with the Python code up to the next one; a call that waits is two, the part up to the wait and
the part behind it. A step of a stream is its head, start and end together. All before the first task or thread is one
step: nothing else could run. Calls of a program's only thread that touch nothing belong to the step before them
(`merged_calls.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from types import MethodType
from typing import TYPE_CHECKING, Any

from ascend_sim.catalogue.effects import effects
from ascend_sim.explore.control.aborts import dropped_tasks, looks_at
from ascend_sim.explore.control.access_recorder import AccessRecorder
from ascend_sim.explore.control.blocks.transitions import BlockTransitions, OpenLaunch
from ascend_sim.explore.control.host_transitions import ASKS, RESUME, HostTransitions, Transition
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.control.merged_calls import MergedCalls
from ascend_sim.explore.control.polls import ANY_HOST, POLLS, WAIT_STATUS
from ascend_sim.explore.control.run_limit import RunLimit
from ascend_sim.explore.control.shared_objects import SharedObjects
from ascend_sim.explore.control.stable_ids import StableIds, stable_arguments
from ascend_sim.explore.control.stream_transitions import (
    TaskPlaces,
    blocked_streams,
    fire,
    fire_head,
    needs,
    passable,
)
from ascend_sim.explore.search.dependence import END, POLL, PROCESS, WORK, WRITE, Item
from ascend_sim.explore.search.dpor import Blocked
from ascend_sim.explore.search.strategy import StepRecord, Strategy
from ascend_sim.observers.observer import attach
from ascend_sim.runtime.event import FlagGate, RecordGate
from ascend_sim.runtime.scheduler import FOREVER, TIMER
from ascend_sim.runtime.schedules import Schedule
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.stream_waits import Room
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.scheduler import Awaitable
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["ControlledSchedule"]

_LIVES = Item(PROCESS, POLL)
_item = tuple.__new__  # a NamedTuple's own constructor takes twice as long


class ControlledSchedule(Schedule):
    """One run whose steps *strategy* chooses. *known_state*: what the run has to know from runs before.

    *all_hosts*: any two steps of host threads are dependent, whatever they touch. Only this class changes its attributes:
    those who help it read them, and tell what the running step does by its methods.
    """

    name = "explore"
    reorders = True
    eager = True
    drives = True

    def __init__(self, strategy: Strategy, known_state: KnownState, all_hosts: bool = False) -> None:
        self.strategy = strategy
        self.known_state = known_state
        self.relevant = frozenset(known_state.relevant)
        """What is known to be relevant as the run begins: `KnownState.relevant`."""
        self.limit = RunLimit()
        self.step = StepRecord(-1, "", (), ())
        """The step that runs, or ran last."""
        self.running = False
        """It is not over."""
        self.steps: list[StepRecord] = []
        """The steps that are over, each at its place."""
        self.place = -1
        """The place of `step` in the run."""
        self.items: list[Item] = []
        """What `step` has touched so far."""
        self.last_places: dict[str, int] = {}
        """Where each process took its last step."""
        self.progress: dict[str, int] = {}
        """Where each thread last made something new."""
        self.finished = False
        self.ends_at_once = False
        """The process does not wait for its threads: its end races with each of their steps."""
        self.poll_repeats = False
        """The poll that runs was answered before, and had to wait until the answer could be another."""
        self.flag_before = False
        """The flag that the running task sets, clears or waits for, as it was before."""
        self.blocked: list[Blocked] = []
        """Who was disabled: where nothing was enabled, where the run was cut, and at its end."""
        self.tasks = TaskPlaces()
        self.merged = MergedCalls(self)
        self.objects = SharedObjects(self)
        self.blocks = BlockTransitions(self, known_state.splits)
        self.ids: StableIds
        self.recorder: AccessRecorder
        self.sim: Runtime
        self.hosts: HostTransitions
        self._all_hosts = all_hosts
        self._started = False
        """A task was submitted: from now on there is something to choose."""
        self._cut = False
        self._streams: dict[str, Stream] = {}
        """Whose head could run, by the process that would do it."""
        self._alone: tuple[str, Transition] | None = None
        """The only host thread, and what it is about to do."""

    def watch(self, sim: Runtime) -> None:
        """Begin with *sim*, which is being opened: the first step of the host."""
        self.sim = sim
        self.scheduler = sim.scheduler
        group: Any = sim.threads
        self.hosts = group.controller = HostTransitions(self, group)
        self.ids = StableIds(sim, self.hosts.name_of, self._default_stream_made)
        self.recorder = AccessRecorder(self)
        attach(sim, self.recorder)
        if self.known_state.splits.way != "whole":
            sim.hooks.add("blocks_ran", self.blocks.blocks_ran)
        self.begin(self.decide((self.hosts.name(None),)), (), ())

    # -- what the running step does ----------------------------------------------------------------------------------

    def touch(self, item: Item) -> None:
        """The running step touches *item*."""
        self.items.append(item)

    def touch_all(self, items: Iterable[Item]) -> None:
        """The running step touches *items*."""
        self.items += items

    def withdraw(self, item: Item) -> None:
        """The running step, if it has touched nothing but *item* so far, did not do so."""
        if self.items == [item]:
            self.items = []

    def progresses(self, after: bool = False) -> None:
        """The running step makes something new: it is more than a poll. *after*: what comes behind it does."""
        self.progress[self.step.process] = self.place + after

    def submitted(self, task: Task) -> None:
        """The running step has queued *task*."""
        self._started = True
        self.progress[self.step.process] = self.place
        self.tasks.submit(task, self.place)
        self.blocks.submitted(task)

    def ended(self, task: Task, stream: Stream) -> None:
        """*task* is over with the running step."""
        self.tasks.ended[task] = self.place
        if self.relevant:
            if self.ids.of(stream) in self.relevant:
                self.tasks.count_end(stream, self.place)
            gate = task.op.gate
            if WAIT_STATUS in self.relevant and isinstance(gate, (RecordGate, FlagGate)):
                self.items.append(Item(("waits", self.ids.of(gate.event)), END))
        self.items.append(_item(Item, (("done", self.ids.task(task)), END, 0, 1, None, None, None)))
        if self.hosts.active:
            self.items.append(Item(("idle", self.ids.of(stream)), END))

    def was_woken(self) -> bool:
        """Whether the running step follows a wait that this call has to tell of: once."""
        woken = self.step.woken
        self.step.woken = False
        return woken

    def _default_stream_made(self, stream: Stream) -> None:
        """A context comes up, which a thread may have brought down before."""
        context = stream.context
        if not self.hosts.active:
            self.ids.skip("stream")  # it counts, as long as only one thread can bring it up
        elif hasattr(context, "default"):  # its device was down, and there are threads there
            self.touch(Item(("device", context.device.index), WRITE))
            self.touch(Item(("object", self.ids.of(context)), WRITE))

    # -- steps -------------------------------------------------------------------------------------------------------

    def decide(self, enabled: tuple[str, ...]) -> str:
        """The strategy says which of *enabled* goes on."""
        chosen = self.strategy.choose(enabled)
        if self.strategy.cut and not self._cut:
            self._keep_blocked(True)
            self._cut = True
        return chosen

    def _keep_blocked(self, ends: bool = False) -> None:
        """Who is disabled now, with what it would touch first, is part of what the run tells. *ends*: it is over."""
        if not self._cut:
            self.blocked += (*self.hosts.blocked(self._alone), *blocked_streams(self), *self.blocks.kept_back())
            if ends and self.tasks.dropped:
                self.blocked += dropped_tasks(self)

    def begin(
        self, process: str, causes: tuple[int, ...], call: tuple[Any, ...], host: bool = True, woken: bool = False
    ) -> None:
        """The step that the strategy has just chosen begins."""
        place = self.place = self.last_places[process] = self.place + 1
        step = self.step = StepRecord(place, process, causes, call, host, woken)
        self.items = [ANY_HOST] if self._all_hosts and host and self.hosts.active else []
        if self.ends_at_once and process in self.hosts.started:
            self.items.append(_LIVES)
        self.running = True
        if not host:
            self.hosts.moved()
        if self.known_state.watched:
            step.values = self.known_state.values(self.sim, self.ids)

    def end_step(self) -> None:
        """The running step is over."""
        if not self.running:
            return
        self.running = False
        step = self.step
        if self.merged.calls:
            step.call = self.merged.call_of_step(step.call)
        step.items = items = tuple(self.items)
        if step.host:  # a step of a stream has moved when it began
            if self.progress.get(step.process, -1) >= step.place:
                self.hosts.moved()
            else:
                for item in items:
                    if WORK >> item[1] & 1:
                        self.hosts.moved()
                        break
        self.steps.append(step)
        self.strategy.taken(step)

    def call_alone(self, me: str, call: tuple[Any, ...]) -> None:
        """`alone` for the next call of the only host thread there is, which needs nothing."""
        self.end_step()
        while True:
            ready = self.ready()
            chosen = self.decide((me, *ready) if ready else (me,))
            if chosen == me:
                break
            self.take(chosen)
        self.begin(me, (), call)

    def alone(self, name: str, step: Transition) -> None:
        """The only host thread could go on: let streams go first as the strategy says, then begin its *step*.

        When what it needs never comes, it finds that out.
        """
        self.end_step()
        self._alone = name, step
        while True:
            enabled = (name, *self.ready()) if step.can is None or step.enabled() else tuple(self.ready())
            if not enabled:
                if self.pass_time_limit(FOREVER if step.deadline is None else step.deadline):
                    continue
                self._alone = None
                if step.poll and self.hosts.group.here.os_thread is not None:
                    self.hosts.repeats_poll(self.hosts.group.here.os_thread)
                self._resume_later(name, step.call if step.poll else RESUME)
                return
            chosen = self.decide(enabled)
            if chosen == name:
                break
            self.take(chosen)
            if self.hosts.group.multi:  # the engine had to start a thread
                self._alone = None
                self.hosts.go_on(step)
                return
        self._alone = None
        self.begin(name, step.causes, step.call)

    def ready(self) -> list[str]:
        """Who is enabled now beside host threads: streams by their heads, blocks of launches on their way."""
        streams = self._streams
        streams.clear()
        opened = self.blocks.open
        heap = self.scheduler.heap
        if not heap and not opened:
            return []
        known = self.ids.known
        for entry in heap:
            if entry[1] != TIMER:
                stream: Any = entry[3]
                task = stream.queue[0]
                gate = task.op.gate
                if gate is None or stream.running or passable(gate, task):
                    streams[known.get(stream) or self.ids.of(stream)] = stream
        names = sorted(streams) if len(streams) > 1 else list(streams)
        if not opened:
            return names
        self._streams = self.blocks.spread(names, streams)
        return list(self._streams)

    def stream_of(self, process: str) -> Stream | None:
        """The stream of *process*, which was enabled when `ready` was asked last."""
        return self._streams.get(process)

    def take(self, process: str) -> None:
        """Take the step of *process*: the head of a stream, start and end together; or a part of the launch there."""
        stream = self._streams[process]
        if self.blocks.open and self.blocks.take(process, stream):
            return
        task = stream.queue[0]
        op = task.op
        self.begin(process, self.tasks.causes(task), (op.kind, ()), False)
        gate = op.gate
        if gate is not None:
            item = needs(gate, self)
            if item is not None:
                self.touch(item)
        if self.relevant:
            self.touch_all(looks_at(self, task))
        action = op.action
        self.flag_before = getattr(action.__self__, "flag", False) if type(action) is MethodType else False
        fire_head(self, stream, task)
        if task.done and (not self.blocks.open or not self.blocks.is_open(stream)):
            self.ended(task, stream)
        self.end_step()

    def block_strategy(self, task: Task) -> OpenLaunch | None:
        """Who picks the blocks of the launch *task*: nobody when it is one step."""
        return self.blocks.begins(task)

    # -- where the host stops ----------------------------------------------------------------------------------------

    def before_call(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """A new step of the host, unless nothing was queued and no thread was started yet."""
        if self.finished:
            return
        limit = self.limit
        limit.left = left = limit.left - 1
        if left < 0:
            limit.check()
        call = name, stable_arguments(arguments)
        hosts = self.hosts
        if hosts.active or self._started:
            if name not in POLLS:
                hosts.other(t.os_thread)
            if not hosts.active and self.merged.merge(name, call):
                return
            hosts.calls(t.os_thread, call)
            if hosts.active or effects(name).about_tasks:
                self.objects.begins(t, name, arguments)
        else:
            self.merged.merge_early(call)

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
                self.take(self.decide(tuple(ready)))
            elif not self.pass_time_limit(limit):
                self._resume_later(me)
                return
        if isinstance(w, Room) and self.hosts.active:  # what made room is no reason: another could have taken it
            self.alone(me, Transition((), RESUME))
            return
        task = getattr(w, "task", None)
        cause = self.tasks.ended.get(task, self.place) if task is not None else self.place
        self.alone(me, Transition((cause,), RESUME))
        self.step.woken = True

    def _drain(self, w: Awaitable | None) -> None:
        """The program is over; who still calls gets what the device can do."""
        while w is None or not w.done:
            if not self.ready():
                return
            stream = next(iter(self._streams.values()))
            fire(self.scheduler, next(entry for entry in self.scheduler.heap if entry[3] is stream))

    def _resume_later(self, me: str, call: tuple[Any, ...] = RESUME) -> None:
        """Nothing is enabled: the host has a time limit, or hangs. That follows from all that ran."""
        self.decide((me,))
        self.begin(me, tuple(self.last_places.values()), call)

    def wait_returned(self, cause: int) -> None:
        """A call has waited for the step at *cause*: it is two steps, also when that was over before and nothing blocked."""
        if self.finished:
            return
        step = self.step
        if step.woken or (step.call is RESUME and not self.items and not self.hosts.active):
            step.woken = False
            step.causes = (*step.causes, cause)
            return
        r = self.hosts.group.here.os_thread
        if r is not None:  # it touched something since the wait before, or had nothing to wait for
            self.hosts.offer(r, Transition((cause,), RESUME))

    def pass_time_limit(self, limit: int) -> bool:
        """Nothing is enabled: let waits park, then a time limit of the device fire that is due by *limit* (ns)."""
        heap = self.scheduler.heap
        for entry in sorted(entry for entry in heap if entry[1] != TIMER):
            fire(self.scheduler, entry)
        self._keep_blocked()
        timers = [entry for entry in heap if entry[1] == TIMER and entry[0] <= limit]
        if not timers or any(entry[1] != TIMER for entry in heap):
            return bool(self.ready())
        entry = min(timers)
        stream = getattr(entry[3], "stream", None)
        if stream is None or not getattr(entry[3], "live", True):
            fire(self.scheduler, entry)
            return True
        name = self.ids.of(stream)
        self.decide((name,))
        self.begin(name, tuple(self.last_places.values()), ("time limit", ()), host=False)
        waiting = stream.queue[0] if stream.queue else None
        fire(self.scheduler, entry)
        if waiting is not None and waiting.done:
            self.ended(waiting, stream)
        self.end_step()
        return True

    def poll(
        self, t: HostThread, key: Hashable, final: Callable[[], bool], until: Callable[[], bool] | None
    ) -> None:
        """One failing answer is explored; polled again, with no progress between, the host waits until it can change.

        *final* is asked when the step is taken, as the answer is given then: others may have come between.
        """
        self.poll_repeats = False
        if not self.finished and key is not None:
            free = not self.hosts.active
            self.poll_repeats = self.hosts.poll_step(t.os_thread, ASKS, key, (), final, free, t.site, until)

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
            self.take(self.decide(tuple(ready)))
        self._keep_blocked(True)
        self._release()

    def exits(self) -> None:
        """The process ends now, whatever its other threads are at: they could have taken their next steps before."""
        if self.hosts.started and not self.finished:
            left = self.hosts.living()
            self.touch(Item(PROCESS, END))
            self.end_step()
            if not self._cut:
                self.blocked += [Blocked(self.place + 1, name, causes, (_LIVES,)) for name, causes in left]

    def stop(self) -> None:
        """The program ends here, with all that is queued."""
        if not self.finished:
            self.end_step()
            self._keep_blocked(True)
            self._release()

    def abandon(self) -> None:
        """The run is over, wherever it is: threads that are left go as in any program, and nothing is recorded."""
        self.hosts.over = True
        self._release()

    def _release(self) -> None:
        self.finished = True
        self.hosts.group.controller = None
