"""Streams: in-order queues of tasks on one device, each belonging to one context."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from heapq import heappush
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_STREAM_TASK_FULL
from ascend_sim.errors import AclError, Unwinding
from ascend_sim.findings.wording import work
from ascend_sim.runtime.scheduler import Timer
from ascend_sim.runtime.stream_failures import fail
from ascend_sim.runtime.stream_waits import Room, StreamWait, WaitLimit, wait_for, why_interrupted
from ascend_sim.runtime.task import Op, Pause, Steps, Task, TaskFault
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.graphs.graph import Recorder
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Stream"]

# Flags of aclrtCreateStreamWithConfig: constants of acl_rt.h, not members of an enum.
FAST_LAUNCH, FAST_SYNC, PERSISTENT, HUGE, CPU_SCHEDULE, DEVICE_USE_ONLY = 1, 2, 4, 8, 0x10, 0x20
NOT_AWAITED = PERSISTENT | CPU_SCHEDULE | DEVICE_USE_ONLY
"""Streams with one of these flags: synchronise returns at once.

See docs/semantics/streams.md#streams-that-are-not-waited-for.
"""


class Stream:
    """An in-order queue of tasks on one device; belongs to one context.

    The head of the queue is the task that runs or waits. `fire` takes its next step; the stream lies in the
    scheduler's heap exactly when that step has a time.
    """

    __slots__ = (
        "armed", "cache_op_info", "context", "depth", "error", "flags", "free", "given_up", "handle", "heap", "held",
        "hooks", "needs_checks", "number", "overflow_check", "pause", "priority", "queue", "recorder",
        "res_limits", "resting", "room", "running", "sim", "site", "steps", "stop_mode", "stopped", "stream_id",
        "subscription", "tag", "timer", "title", "track", "waits", "why",
    )  # fmt: skip

    def __init__(
        self, context: Context, number: int, stream_id: int, priority: int, flags: int, site: CallSite
    ) -> None:
        sim = context.device.sim
        self.sim: Runtime = sim
        self.heap = sim.scheduler.heap
        self.hooks = sim.hooks
        self.context = context
        self.number = number
        """Order of creation in this simulator: breaks ties between streams of equal time and priority."""
        self.stream_id = stream_id
        """The id that aclrtStreamGetId answers: the lowest free one of the device."""
        self.priority = priority
        self.flags = flags
        self.site = site
        self.handle = 0
        self.title = ""
        """What texts call it, if no program made it."""
        self.depth = sim.profile.queue_depth
        self.queue: deque[Task] = deque()
        self.free = 0
        """Virtual time (ns) at which the latest task ended."""
        self.armed = False
        self.resting = bool(flags & PERSISTENT)
        """Queued tasks do not start: a persistent stream outside a model, or one that a test holds."""
        self.running = False
        """The head has started (only for tasks with a gate, an engine, steps or a host side)."""
        self.held = 0
        """Engine slots that the head holds; negative: it only runs as if it held them (see `_start`)."""
        self.steps: Steps | None = None
        self.pause: Pause | None = None
        self.timer: Timer | None = None
        self.error = 0
        """Code of the last failed task since the last synchronise (continue mode)."""
        self.why = ""
        """What its fault said."""
        self.stop_mode = context.device.stop_mode
        """Set to stop on failure itself; the mode that counts is the context's.

        See docs/semantics/streams.md#stop-mode.
        """
        self.stopped = False
        """A task failed here in stop mode: the stream is aborted until the failure is cleared."""
        self.recorder: Recorder | None = None
        """Who takes the submissions in place of the queue: a capture, or a model that is built by hand."""
        self.update_needs_checks()
        self.room: list[Room] | None = None
        self.given_up: Task | None = None
        """The wait at the head when a host call last waited here until its time-out."""
        self.waits: list[StreamWait] = []
        self.subscription: object | None = None
        self.overflow_check = 0
        self.res_limits: dict[int, int] | None = None
        """Cores that kernels may use, by kind (core_limits.py); None: as the device."""
        self.tag = 0
        """A number of the user's for the streams of one group."""
        self.cache_op_info = 0
        self.track: Any = None
        """What a race detector keeps of this stream (observers/races/happens_before.py)."""

    def describe(self) -> str:
        """The stream in words, without numbers that change between runs."""
        if self.title:
            return self.title
        if self is self.context.default:
            return f"the default stream of {self.context.describe()}"
        return f"stream {self.number}"

    def __repr__(self) -> str:
        return f"<{self.describe()} of device {self.context.device.index}: {self._state()}>"

    def _state(self) -> str:
        tasks = f"{len(self.queue)} task{'s' if len(self.queue) != 1 else ''} queued" if self.queue else "idle"
        return tasks + (f", failed with {self.error}" if self.error else "")

    def _repr_html_(self) -> str:
        from ascend_sim.findings.html import table_html  # notebooks alone show pages

        rows: list[tuple[str, object]] = [
            ("device", self.context.device.index), ("priority", self.priority), ("state", self._state()),
        ]  # fmt: skip
        rows += [(f"task {place}", task.op.kind) for place, task in zip(range(1, 9), self.queue, strict=False)]
        return table_html(self.describe(), rows)

    # -- submitting ---------------------------------------------------------------------------------------------------

    def submit(self, t: HostThread, op: Op) -> Task:
        """Append an instance of *op*; nothing runs. The only way into a stream. A stream that records returns a node.

        Blocks while the queue is full (docs/semantics/streams.md#full-queue). Raises AclError: the first failure of a
        stopped context, 107022/107023 during an abort, 507002 for a full persistent stream.
        """
        if self.needs_checks:
            if self.recorder is not None:
                return self.recorder.record(t, self, op)
            self._check_submit(t)
        queue = self.queue
        if len(queue) >= self.depth:
            self._wait_for_room(t)
        t.submits = number = t.submits + 1
        task = Task(op, self, t, number)
        knows = t.knows
        if knows is not None:  # a race detector watches
            task.know = knows.view
            knows.q = task.q = knows.q + 2
        queue.append(task)
        if len(queue) == 1 and not self.resting:
            start = task.ready
            if start < self.free:
                start = self.free
            heappush(self.heap, (start + op.cost if op.plain else start, self.priority, self.number, self))
            self.armed = True
        if self.hooks.submitted is not None:
            for observe in self.hooks.submitted:
                observe(task)
        return task

    def update_needs_checks(self) -> None:
        """Set `needs_checks`: whether `submit` has to ask more than whether there is room. One test on the hot path.

        It does on a stream that records, on a persistent one, in a context that a failure stopped, and when a controller
        decides over threads.
        """
        persistent, controlled = self.flags & PERSISTENT, self.sim.threads.controller is not None
        records = self.recorder is not None
        self.needs_checks = bool(records or persistent or self.context.failure or controlled)

    def record_with(self, recorder: Recorder | None) -> None:
        """From now on submissions go to *recorder*; None: they are queued again."""
        self.recorder = recorder
        self.update_needs_checks()

    def _check_submit(self, t: HostThread) -> None:
        self.context.check_works(t)
        if self.flags & PERSISTENT and len(self.queue) >= self.depth:
            raise AclError(
                ACL_ERROR_RT_STREAM_TASK_FULL, f"{self.describe()} is persistent and holds its {self.depth} tasks"
            )
        controller = self.sim.threads.controller
        if controller is not None and controller.before_submit(t, self):
            self.context.check_works(t)

    def _wait_for_room(self, t: HostThread) -> None:
        if self.hooks.stalled is not None:
            for observe in self.hooks.stalled:
                observe(t, f"the full queue of {self.describe()}")
        while len(self.queue) >= self.depth:
            room = Room(self)
            if self.room is None:
                self.room = []
            self.room.append(room)
            self.sim.threads.block(t, room, None, room)
            if room.code:
                raise AclError(room.code, why_interrupted(self, room.code))
        self.context.check_works(t)

    # -- running ------------------------------------------------------------------------------------------------------

    def fire(self, time: int) -> None:
        """Take the next step of the head at virtual *time* (ns): start it, or end it."""
        self.armed = False
        task = self.queue[0]
        op = task.op
        if op.plain and op.action is None:
            self._end(task, op, time, None)
            return
        if not op.plain and not self.running:
            time = self._start(task, op, time)
            if time < 0:
                return
        if self.steps is not None or op.action is not None:
            try:
                if self.steps is None:
                    assert op.action is not None
                    self.steps = op.action(task, time)
                    if self.held < 0 and self.steps is not None:  # it takes longer than what was looked at
                        self.held = -self.held
                        self.context.device.engines.take(op.engine or "", self.held)
                if self.steps is not None and not self._step(task, time):
                    return
            except TaskFault as fault:
                self.steps = None
                self._end(task, op, time, fault)
                return
            except Unwinding:
                raise
            except BaseException as error:  # Ctrl-C in a kernel: the program may go on, and so must the stream
                self.steps = None
                text = f"{work(op.kind)} was left by {type(error).__name__}"
                self._end(task, op, time, TaskFault(ACL_ERROR_RT_INTERNAL_ERROR, text, reported=True))
                raise
        self._end(task, op, time, None)

    def _step(self, task: Task, time: int) -> bool:
        """One step of a multi-step action; True when it has ended."""
        assert self.steps is not None
        step = next(self.steps, None)
        if step is None:
            self.steps = None
            return True
        self.running = True
        if isinstance(step, Pause):
            self.pause = step
        else:
            self.arm_at(time + step)
        return False

    def resume(self, time: int) -> None:
        """End the pause of a multi-step action: its next step comes at virtual *time* (ns)."""
        if self.pause is not None:
            self.pause = None
            self.arm_at(time)

    def _end(self, task: Task, op: Op, time: int, fault: TaskFault | None) -> None:
        """The head ends: its effects are there, slots go back, waiters wake, the next task gets its time."""
        queue = self.queue
        queue.popleft()
        self.free = time
        if not op.plain or self.running:
            self.running = False
            if op.engine is not None:
                held = self.held
                self.held = 0
                if held < 0:
                    pass
                elif held:
                    for waiter in self.context.device.engines.release(op.engine, held):
                        waiter.wake(time)
                else:
                    self.give_slots(op.engine, time)
        task.done = True
        task.end = time
        waiters = task.waiters
        if waiters is not None:
            task.waiters = None
            for waiter in waiters:
                waiter.wake(time)
        if fault is not None:
            self.fails(task, fault)
        if self.hooks.completed is not None:
            for observe in self.hooks.completed:
                observe(task, fault)
        if self.room is not None:
            self.give_room(time)
        if queue and not self.armed and not self.resting:
            task = queue[0]  # it gets the time of its start, a plain one that of its end
            if task.ready > time:
                time = task.ready
            if task.op.plain:
                time += task.op.cost
            self.armed = True
            heappush(self.heap, (time, self.priority, self.number, self))

    def refuse_while_recording(self, t: HostThread) -> None:
        """Raises AclError when thread *t* cannot wait for the stream, ask about it or change it, since it records."""
        if self.recorder is not None:
            self.recorder.refuse_use(t, self)

    def fails(self, task: Task, fault: TaskFault) -> None:
        """*task*, which ended now, has failed."""
        fail(self, task, fault)

    def arm_at(self, time: int) -> None:
        """Let the head take its next step at virtual *time* (ns)."""
        self.armed = True
        heappush(self.heap, (time, self.priority, self.number, self))

    def _start(self, task: Task, op: Op, time: int) -> int:
        """Start the head: pass its gate, take its slots, fix its cost. Parks the stream when one of them says no.

        Returns the time (ns) of its end when that may come at once, because nothing else happens before; else -1.
        """
        gate = op.gate
        if gate is not None and not gate.passes(task, time):
            gate.park(task)
            if op.timeout and self.timer is None:
                self.timer = WaitLimit(self, task)
                self.sim.scheduler.push_timer(time + op.timeout, self.timer)
            return -1
        if self.timer is not None:
            self.timer.live = False
            self.timer = None
        if gate is not None and self.hooks.passed is not None:
            for observe in self.hooks.passed:
                observe(task, time)
        scheduler, heap = self.sim.scheduler, self.heap
        held = 0
        if op.engine is not None:
            engines = self.context.device.engines
            end = time + op.cost
            if not engines.taken and end <= scheduler.limit and (not heap or end < heap[0][0]) and not op.hosted:
                held = op.slots  # alone on the device up to its end: nobody would see that they are taken
                self.held = -held
            else:
                self.held = held = engines.try_acquire(op.engine, op.slots, op.least, self)
                if not held:
                    return -1
        self.running = True
        task.start = time
        if self.hooks.started is not None:
            for observe in self.hooks.started:
                observe(task, time)
        if op.hosted:
            assert op.action is not None
            op.action(task, time)
            return -1
        time += op.cost if op.begin is None or held == op.slots else op.begin(task, held, time)
        if time <= scheduler.limit and (not heap or time < heap[0][0]):
            scheduler.now = time
            return time
        self.armed = True
        heappush(heap, (time, self.priority, self.number, self))
        return -1

    def wake(self, time: int) -> None:
        """What the head waited for may be there: test again at virtual *time* (ns)."""
        if not self.armed and not self.running and self.queue and not self.resting:
            ready = self.queue[0].ready
            self.arm_at(max(time, self.free, ready))

    def end_hosted(self, task: Task, time: int, fault: TaskFault | None = None) -> None:
        """The host side of the head is done at virtual *time* (ns): the stream goes on."""
        if self.queue and self.queue[0] is task:
            self._end(task, task.op, max(time, self.free), fault)

    def fail_head(self, time: int, fault: TaskFault) -> None:
        """The head, which has not started, ends as failed at virtual *time* (ns)."""
        if self.armed:
            self.sim.scheduler.remove(self)
            self.armed = False
        self._end(self.queue[0], self.queue[0].op, time, fault)

    def give_slots(self, engine: str, time: int) -> None:
        """Give the slots of the head back, or leave the queue for them; whoever can start now tests again."""
        engines = self.context.device.engines
        for waiter in engines.release(engine, self.held) if self.held > 0 else engines.withdraw(engine, self):
            waiter.wake(time)
        self.held = 0

    def give_room(self, time: int) -> None:
        """Let host threads go on that wait for room in the queue."""
        rooms, self.room = self.room, None
        if rooms is not None:
            for room in rooms:
                self.sim.scheduler.complete(room, time)

    def awaited(self) -> bool:
        """Whether a synchronise waits for this stream at all.

        See docs/semantics/streams.md#streams-that-are-not-waited-for.
        """
        return not self.flags & NOT_AWAITED

    def give_up(self) -> None:
        """A host call has waited here until its time-out: heads that wait, here and where it leads to, are given up."""
        for stream in self._waits_along():
            stream.given_up = stream.queue[0]

    def stuck(self) -> bool:
        """Whether the head still is a wait that was given up, or waits for a stream where one is."""
        return any(stream.queue[0] is stream.given_up for stream in self._waits_along())

    def _waits_along(self) -> Iterator[Stream]:
        """This stream, if its head waits, the one that it waits for, and so on."""
        seen: list[Stream] = []
        stream: Stream | None = self
        while stream is not None and stream not in seen:
            if not stream.queue or stream.armed or stream.running or stream.queue[0].op.gate is None:
                return
            seen.append(stream)
            yield stream
            stream = stream.waits_for()

    def hold(self) -> None:
        """Let nothing of this stream start or end until `release` (for tests that need a certain order)."""
        if not self.resting:
            self.resting = True
            if self.armed:
                self.sim.scheduler.remove(self)

    def release(self) -> None:
        """Undo `hold`: the head goes on, not earlier than what the device has done meanwhile."""
        if self.resting and not self.flags & PERSISTENT:
            self.resting = False
            if self.armed or self.queue:
                self.arm_at(max(self.sim.scheduler.now, self.free, self.queue[0].ready))

    # -- waiting for it ------------------------------------------------------------------------------------------------

    def waits_for(self) -> Stream | None:
        """The stream that would open the gate of the head, or end its pause, when there is one."""
        if not self.queue:
            return None
        gate = self.queue[0].op.gate
        if self.pause is not None:
            holders: Sequence[object] = [h for h in self.pause.holders if isinstance(h, Stream) and h.queue]
        else:
            holders = gate.holders() if gate is not None else ()
        for holder in holders:
            if isinstance(holder, Stream):
                return holder
        return None

    def holders(self) -> list[object]:
        """Who could move this stream on (for the wait-for graph)."""
        if not self.queue or self.armed:
            return []
        task = self.queue[0]
        if task.op.gate is not None and not self.running:
            return list(task.op.gate.holders())
        if self.pause is not None and self.pause.holders:
            return [h for h in self.pause.holders if not isinstance(h, Stream) or h.queue]
        served = self.subscription
        if not hasattr(served, "holders"):  # a host function: the thread that runs it
            server = getattr(self.context.service, "server", None)
            return [server] if server is not None and task.op.hosted else []
        return list(served.holders())

    def blocked_by(self) -> str:
        """What the head waits for, in words; empty when it does not wait."""
        if not self.queue or self.armed:
            return ""
        task = self.queue[0]
        if task.op.gate is not None and not self.running:
            return f"{task.describe()} waits for {task.op.gate.describe()}"
        if self.pause is not None:
            return f"{task.describe()} {self.pause.why}"
        return f"{task.describe()} waits for its host side"

    def is_empty(self) -> bool:
        """Whether nothing is queued or running."""
        return not self.queue

    def wait_empty(self, t: HostThread, deadline: int | None) -> bool:
        """Block thread *t* until everything submitted so far is done; False when virtual *deadline* (ns) passed.

        Raises AclError: 107023 when the stream is aborted meanwhile, the failure when its context stops meanwhile.
        """
        if not self.queue:
            self.sim.threads.poll(t)
        elif not wait_for(self, t, self.queue[-1], deadline):
            return False
        if self.hooks.waited is not None:
            for observe in self.hooks.waited:
                observe(t, self)
        return True

    def take_error(self) -> int:
        """The stored failure of a task; it is returned once and then cleared. Sticky in stop mode."""
        if self.context.failure:
            return self.context.failure
        error, self.error = self.error, 0
        return error
