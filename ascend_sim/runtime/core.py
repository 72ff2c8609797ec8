"""The runtime of one simulated process: its clock, memory, devices and host threads, and what all of them share.

The rooms below `simulator.py` know a simulator as a `Runtime`: they read its plain attributes (``t.sim.memory``) and
call `report`. What has options, checkers and an object API is the `Simulator`, which adds these to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from ascend_sim.errors import AclError
from ascend_sim.findings.finding import ByteMap, Finding, Site
from ascend_sim.findings.languages import in_lines
from ascend_sim.findings.log import FindingLog
from ascend_sim.findings.wording import Names, in_pyacl, launched, pyacl_face
from ascend_sim.machine.address_space import AddressSpace
from ascend_sim.machine.computer import GROWTH
from ascend_sim.machine.profiles import Profile
from ascend_sim.runtime.callbacks.states import notify
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.current import LOCAL, STACK
from ascend_sim.runtime.device import Device
from ascend_sim.runtime.handles import Handles
from ascend_sim.runtime.hooks import Hooks
from ascend_sim.runtime.memory.allocators.registry import AllocatorRegistry
from ascend_sim.runtime.process import Process
from ascend_sim.runtime.scheduler import Scheduler
from ascend_sim.runtime.schedules import Schedule
from ascend_sim.runtime.task import Op, Task, TaskFault
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.runtime.threads.groups import group_of
from ascend_sim.runtime.threads.host_threads import HostThread, HostThreads, Stand
from ascend_sim.runtime.threads.signal_handlers import HANDLERS
from ascend_sim.source.callsite import BY_C, BY_PYACL, Activation, stack_of

if TYPE_CHECKING:
    from typing_extensions import Self

    from ascend_sim.runtime.callbacks.exceptions import FaultReports
    from ascend_sim.runtime.callbacks.stream import Reports
    from ascend_sim.runtime.processes.neighbours import Neighbours
    from ascend_sim.runtime.value_wait import ValueWatches

__all__ = ["Runtime"]

KEPT_TEXTS = 64
GIB = 1 << 30

P = TypeVar("P")


class Runtime:
    """One simulated process without its faces.

    *profile*: the chip. *schedule*: who decides what goes next. *threads*: ``free`` or ``deterministic`` host threads;
    a schedule that drives has deterministic ones. *installed*: how many devices there are. *visible*: those that user
    ids 0, 1, ... stand for. *reuse*: what happens to freed addresses. *reuse_handles*: hand out the handles of destroyed
    objects again.
    """

    __slots__ = (
        "_outer", "allocators", "at_close", "captures", "closed", "contexts", "detects_races", "devices",
        "drop_handle", "fault_reports", "findings", "handles", "hang_notes", "hooks", "host_call_ns", "installed",
        "intercept",
        "keep_stacks", "launch", "memory", "names", "neighbours", "new_handle", "next_number", "on_fault",
        "on_watched", "order", "outermost", "parts", "places", "plain_record", "plain_reset", "process", "profile",
        "reports", "scheduler", "seed", "stacks", "threads", "tombstone", "value_watches", "visible", "watched",
    )  # fmt: skip
    # With a dictionary of its own each simulator would be another shape to the interpreter, which then looks every
    # attribute and method up anew; a search makes one for each schedule.

    def __init__(
        self, profile: Profile, schedule: Schedule, threads: str, seed: int, installed: int, visible: Sequence[int],
        reuse: str, reuse_handles: bool,
    ) -> None:  # fmt: skip
        STACK.used = True
        self.profile = profile
        self.seed = seed
        self.closed = False
        self.hooks = Hooks()
        self.scheduler = Scheduler(schedule)
        self.threads = self._join(group_of("deterministic" if schedule.drives else threads))
        self.process = Process()
        self.allocators = AllocatorRegistry()
        self.handles = Handles(reuse_handles, self.hooks)
        self.new_handle, self.drop_handle = self.handles.new, self.handles.drop
        self.tombstone, self.next_number = self.handles.tombstone, self.handles.next_number
        self.contexts: dict[int, Context] = {}
        self.reports: dict[int, Reports] = {}
        self.memory = AddressSpace(profile, len(visible), reuse=reuse)
        self.names = Names(self.handles, self.contexts, self.memory)
        self.findings = FindingLog(self.names.finding)
        self.host_call_ns = profile.costs.host_call_ns
        self.watched = schedule.eager
        """An API call has to look closer before it begins: an eager schedule, or someone listens to calls."""
        self.intercept: Callable[[ThreadState, str, tuple[Any, ...]], None] | None = None
        """Asked before each API call, after the observers; may raise AclError in place of the call."""
        self.detects_races = False
        """An observer reports accesses that nothing orders: the runtime leaves these to it."""
        self.keep_stacks = False
        """Keep up to six frames of each call site, since programs wrap their calls."""
        self.stacks: dict[int, Activation] = {}
        self.outermost: CodeType | None = None  # the function that runs the program: sites do not show who calls that
        self.order: Callable[[int], Sequence[int]] = range
        """In which order the blocks of a kernel run: a function of how many there are; `range` is ascending."""
        record_ns = profile.costs.record_ns
        self.plain_record, self.plain_reset = Op("record", record_ns), Op("reset", record_ns)
        self.hooks.carry("record_ran", self.plain_record)
        self.captures = 0
        """Captures that are open."""
        self.launch: Callable[[ThreadState, Any, int, Any, bytes], None]
        """Launches a kernel, an object of an upper room; the simulator sets it."""
        self.on_fault: Callable[[Task, TaskFault], None] | None = None
        """Set while exception callbacks are registered: called with the task and its fault."""
        self.fault_reports: FaultReports | None = None
        """Failures for the exception callbacks (runtime/callbacks/exceptions.py), once some were registered."""
        self.value_watches: ValueWatches | None = None
        """The parked waits for values in device memory (runtime/value_wait.py), once there was one."""
        self.neighbours: Neighbours | None = None
        """The other processes of the run (runtime/processes/neighbours.py), once something is shared with them."""
        self.parts: dict[Callable[[Runtime], Any], Any] = {}
        """What upper rooms keep here, by its class: see `part`."""
        self.places: Callable[[ByteMap], list[str]] | None = None
        """What the bytes of a finding are beside bytes: parts of pictures, once there are pictures."""
        self.on_watched: list[Callable[[], None]] = []
        """Called when others listen to calls than before."""
        self.at_close: list[Callable[[], None]] = []
        """Called first when this closes, as code of the program, without any lock."""
        self.hang_notes: list[Callable[[], str]] = []
        """Asked for what else a report of a hang should say; empty for nothing."""
        self._outer: list[ThreadState | None] = []
        self.installed = installed
        """How many devices there are, visible ones and others."""
        self.visible = visible
        """The devices that user ids 0, 1, ... stand for."""
        self.devices = [Device(self, index) for index in range(len(visible))]

    def set_visible(self, visible: Sequence[int]) -> None:
        """Other devices are *visible*; none was used yet."""
        self.memory.set_devices(len(visible))
        self.visible = visible
        self.devices = [Device(self, index) for index in range(len(visible))]

    def part(self, kind: Callable[[Runtime], P]) -> P:
        """The one *kind* of this simulator: a class of an upper room, made with the simulator at its first use."""
        try:
            made: P = self.parts[kind]
        except KeyError:
            made = self.parts[kind] = kind(self)
        return made

    def _join(self, threads: HostThreads) -> HostThreads:
        """Belong to the group; who opens it first hears what it has to say."""
        if not threads.sides:
            threads.factory = ThreadState
            threads.on_deadlock, threads.on_note = self.deadlocked, self._noted
            threads.words = self._words
        return threads

    def _words(self, text: str) -> str:
        """*text* with the program's names, in the words of the calling thread's face, in the reader's language."""
        t = getattr(LOCAL, "state", None)
        text = self.names.text(text)
        return in_lines(in_pyacl(text) if t is not None and pyacl_face(t.site) else text)

    def _outgrown(self, used: int, free: int) -> None:
        """What the program touched is more than this computer has left: it may be killed soon, and nobody could say why."""
        less = max(1, (used + free) // 2 >> 30)
        self.report(
            "limit-close", "note",
            f"the memory that is really in use takes {used / GIB:.1f} GiB of this computer, which has {free / GIB:.1f} GiB "
            "left: a process that wants more than that is killed",
            fix=f"let the simulated devices have less (--inject memory:{less}GiB: aclrtMalloc answers 207001 then), or test "
            "with smaller data",
            notes=("only memory that was touched counts, the program's own arrays included",),
            by_title=True,
        )  # fmt: skip

    def _noted(self, kind: str, text: str, stands: Sequence[Stand]) -> None:
        if kind != "fork-after-init" or self.contexts or self.process.init_count:  # else there is nothing to inherit
            self.report(kind, "note", text, [Site("wait", label, points) for label, points in stands])

    def deadlocked(self, threads: list[HostThread], lines: list[str]) -> None:
        """*threads* wait and nobody can end it; *lines* say who waits for what. The simulator makes a finding of it."""

    # -- being current ------------------------------------------------------------------------------------------------

    def open(self) -> Self:
        """Make this the current simulator; the calling thread works with it from now on."""
        self._outer.append(getattr(LOCAL, "state", None))
        self.begin()
        LOCAL.state = self.threads.attach(self)
        return self

    def begin(self) -> None:
        """Make this the current simulator without a thread of its own."""
        HANDLERS.hold()
        STACK.open.append(self)
        if not self.scheduler.schedule.drives:  # an exploration is the same on every computer
            GROWTH.listeners.append(self._outgrown)

    def close(self) -> None:
        """End it: service threads stop, observers hear `closed`; late calls get a return code."""
        if self.closed:
            return
        try:
            for end in self.at_close:
                end()
            if self.scheduler.schedule.drives:
                self.scheduler.schedule.finish()
        finally:
            try:
                self._tell_closed()
            finally:
                self._leave()

    def _tell_closed(self) -> None:
        """Observers hear it, and it is no longer among the open ones."""
        with self.threads.quiet():
            try:
                if self.hooks.closed is not None:
                    self._tell_each(iter(self.hooks.closed))
            finally:
                self.closed = True
                GROWTH.forget(self._outgrown)
                if self in STACK.open:
                    STACK.open.remove(self)
                    HANDLERS.release()

    def _tell_each(self, observers: Iterator[Callable[..., Any]]) -> None:
        """Those who are left, also when one raises: what a later one has to report must not be lost."""
        for observe in observers:
            try:
                observe(self)
            except BaseException:
                self._tell_each(observers)
                raise

    def _leave(self) -> None:
        """Threads and memory are given back; the thread is that of the simulator around it again."""
        if self.neighbours is not None:
            self.neighbours.close()
        self.threads.close(self)
        outer = self._outer.pop() if self._outer else None
        if outer is not None and not outer.sim.closed:
            LOCAL.state = outer
        elif getattr(LOCAL, "state", None) is not None and LOCAL.state.sim is self:
            del LOCAL.state
        self.memory.close()

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def new_context(self, device: Device, primary: bool, site: Any) -> Context:
        """A context with its handle; explicit ones are known until the last thread lets go of them."""
        context = Context(device, primary, 0 if primary else self.next_number("context"), site)
        context.handle = self.handles.fresh()
        self.contexts[context.handle] = context
        if self.hooks.handle_made is not None:
            for observe in self.hooks.handle_made:
                observe(context, context.handle)
        return context

    def time_ns(self) -> int:
        """The virtual clock of the calling thread, in ns."""
        state = getattr(LOCAL, "state", None)
        return state.clock if state is not None and state.sim is self else self.scheduler.now

    # -- calls --------------------------------------------------------------------------------------------------------

    def stack_of(self, frame: FrameType, called: FrameType) -> tuple[Any, ...]:
        """The site of a call in *frame*, with its callers, which the frame's `Activation` does not know yet.

        *called*: who called the function of the C face: the program, or a function of pyACL.
        """
        return stack_of(frame, self.stacks, self.outermost, BY_C if called is frame else BY_PYACL)

    def update_watched(self) -> None:
        """Who listens to calls has changed: set `watched`."""
        listening = self.hooks.api_entered is not None or self.intercept is not None
        self.watched = self.scheduler.schedule.eager or listening
        for tell in self.on_watched:
            tell()

    def before_call(self, t: ThreadState, name: str, arguments: tuple[Any, ...]) -> None:
        """The closer look before an API call: observers, device steps of an eager schedule, planned failures."""
        if self.hooks.api_entered is not None:
            for observe in self.hooks.api_entered:
                observe(t, name, arguments)
        schedule = self.scheduler.schedule
        if schedule.drives:
            schedule.before_call(t, name, arguments)
        elif schedule.eager:
            self.scheduler.run(t.clock, None)
        if self.intercept is not None:
            self.intercept(t, name, arguments)

    def note_error(self, t: ThreadState, name: str, error: AclError) -> None:
        """Keep a failed call: its code for aclrtGetLastError, its text for aclGetRecentErrMsg."""
        if error.layer in ("rt", "driver"):
            t.last_error = error.code
        if error.layer == "answer":
            return
        texts = self.process.texts if self.process.process_texts else t.texts
        texts.append((name, error.code, error.reason))
        if len(texts) > KEPT_TEXTS:
            del texts[0]

    def state_changed(self, kind: str, *arguments: int) -> None:
        """A device or stream changed: call the program's state callbacks, as host code of the calling thread."""
        if self.process.callbacks[kind]:
            state = getattr(LOCAL, "state", None)
            if state is not None and state.sim is self:
                notify(state, kind, *arguments)

    def task_failed(self, task: Task, fault: TaskFault) -> None:
        """A task ended with an error: a finding now, and the exception callbacks of the process."""
        if fault.heard:
            return
        for observe in self.hooks.failed or ():
            observe(task, fault)
        if not fault.reported:
            stream = self.names.described(task.stream)
            self.report(
                "task-fault",
                "warning",
                f"{task.op.kind} failed on {stream}: {fault.text}",
                [Site("submit", "submitted here", task.site, primary=True), *launched(task)],
                streams=(stream,),
                time_ns=task.end,
                code=("the next synchronise", fault.code),
            )
        if self.on_fault is not None:
            self.on_fault(task, fault)

    # -- findings -----------------------------------------------------------------------------------------------------

    def report(self, kind: str, severity: str, title: str, sites: Any = (), **fields: Any) -> Finding:
        """Record a finding; the code that the call returns is not touched by it."""
        touched = fields.get("bytes")
        if touched is not None and self.places is not None:
            fields["notes"] = (*fields.get("notes", ()), *self.places(touched))
        finding = self.findings.report(kind, severity, title, sites, **fields)
        self.names.told()
        self._tell_found(finding)
        return finding

    def report_again(self, kind: str, sites: Any) -> Finding | None:
        """`report` of what an earlier run has told, before anything is said of it; None: it has to be said."""
        finding = self.findings.again(kind, sites)
        if finding is not None:
            self._tell_found(finding)
        return finding

    def _tell_found(self, finding: Finding) -> None:
        if self.hooks.found is not None:
            for observe in self.hooks.found:
                observe(finding)

    def report_call(self, t: HostThread, kind: str, severity: str, title: str, **fields: Any) -> Finding:
        """A finding about the call that thread *t* is in."""
        return self.report(
            kind, severity, title, [Site("access", "called here", t.site, primary=True)], time_ns=t.clock, **fields
        )
