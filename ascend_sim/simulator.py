"""The simulator: wires a machine, a runtime and observers together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Finding, Site
from ascend_sim.findings.log import FindingLog
from ascend_sim.findings.suppressions import Suppressions
from ascend_sim.findings.wording import Names
from ascend_sim.kernels.launching.orders import make_order
from ascend_sim.machine.address_space import AddressSpace
from ascend_sim.machine.profiles import DEFAULT_SOC, Profile, load_profile
from ascend_sim.observers.checks import DEFAULT as DEFAULT_CHECKS
from ascend_sim.observers.checks import Checks, parse_checks
from ascend_sim.observers.observer import Observer
from ascend_sim.observers.observer import attach as attach_observer
from ascend_sim.observers.observer import detach as detach_observer
from ascend_sim.options import options_of
from ascend_sim.runtime.callbacks.states import notify
from ascend_sim.runtime.callbacks.stream import Reports
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.current import LOCAL, STACK, attach_thread, current, enter, install, this_thread
from ascend_sim.runtime.device import Device
from ascend_sim.runtime.handles import Handles
from ascend_sim.runtime.hooks import Hooks
from ascend_sim.runtime.memory.allocators.registry import AllocatorRegistry
from ascend_sim.runtime.process import Process
from ascend_sim.runtime.scheduler import Scheduler
from ascend_sim.runtime.schedules import Schedule, make_schedule
from ascend_sim.runtime.settings.visible_devices import visible_devices
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Op, Task, TaskFault
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.runtime.threads.groups import group_of
from ascend_sim.runtime.threads.host_threads import HostThread, HostThreads, Stand
from ascend_sim.source.callsite import stack_of

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.registry import KernelRegistry
    from ascend_sim.models.registry import ModelRegistry
    from ascend_sim.observers.fault_injection import InjectedFaults
    from ascend_sim.observers.fault_plans import FaultPlan
    from ascend_sim.ops.registry import OperatorRegistry
    from ascend_sim.state import State
    from ascend_sim.timeline import Timeline

__all__ = ["LOCAL", "Simulator", "attach_thread", "current", "enter", "install", "this_thread"]

KEPT_TEXTS = 64
MAX_DEVICES = 64


class Simulator:
    """One simulated process: its devices, its clock, its host threads.

    *soc*: a name that aclrtGetSocName can return. *devices*: how many there are. *schedule*: ``virtual-time``,
    ``late``, ``early``, ``random(SEED)`` or a Schedule. *seed*: the one source of everything random. *limits*: smaller
    or larger limits by name (``stream_depth``, ``streams``, ``events``, ``notifies``, ``memory``). *switches*: settings
    of known conflicts between sources (``ascend-sim info --switches``). *threads*: ``free`` leaves the program's
    threads alone, ``deterministic`` runs them one at a time. *reuse*: what happens to freed addresses, ``quarantine``
    or ``lifo``. *reuse_handles*: hand out the handles of destroyed objects again, as hardware may. *visible*: the list
    of ASCEND_RT_VISIBLE_DEVICES, ``2,0``: user ids count what is in it. *block_order*: in which order the blocks of a
    kernel run: ``ascending``, ``reversed``, ``random`` or ``random(SEED)``. *checks*: who looks for faults of the
    program: ``all``, ``none``, or names (``memory``, ``races``, ``rules``, ``codes``), each with a policy if wanted:
    ``"races=raise,memory"``; `sim.findings` has what they found. *faults*: plans of what shall fail (`inject`).

    Use it as a context manager, or `open()` and `close()` it. Raises ValueError for an unknown name or number.
    """

    def __init__(
        self,
        soc: str = DEFAULT_SOC,
        devices: int = 1,
        schedule: str | Schedule = "virtual-time",
        seed: int = 0,
        limits: Mapping[str, int] | None = None,
        switches: Mapping[str, str | int] | None = None,
        threads: str = "free",
        reuse: str = "quarantine",
        reuse_handles: bool = False,
        visible: str | None = None,
        block_order: str = "ascending",
        checks: str | Iterable[str] | Mapping[str, str] | None = DEFAULT_CHECKS,
        faults: str | Iterable[str | FaultPlan] | None = None,
    ) -> None:
        if not 1 <= devices <= MAX_DEVICES:
            raise ValueError(f"devices must be 1 to {MAX_DEVICES}, not {devices!r}")
        STACK.used = True
        self.profile: Profile = load_profile(soc, limits, switches)
        self.seed = seed
        self.closed = False
        self.hooks = Hooks()
        self.scheduler = Scheduler(make_schedule(schedule, seed))
        self.threads = self._join(group_of("deterministic" if self.scheduler.schedule.drives else threads))
        self.process = Process()
        self.allocators = AllocatorRegistry()
        self.handles = Handles(reuse_handles)
        self.new_handle, self.drop_handle = self.handles.new, self.handles.drop
        self.obituary, self.next_number = self.handles.obituary, self.handles.next_number
        self.contexts: dict[int, Context] = {}
        self.reports: dict[int, Reports] = {}
        self.visible = visible_devices(visible, devices)
        """The devices that user ids 0, 1, ... stand for."""
        self.memory = AddressSpace(self.profile, len(self.visible), reuse=reuse)
        self.names = Names(self.handles, self.contexts, self.memory)
        self.findings = FindingLog(self.names.finding)
        self.host_call_ns = self.profile.costs.host_call_ns
        self.watched = self.scheduler.schedule.eager
        """An API call has to look closer before it begins: an eager schedule, or someone listens to calls."""
        self.keep_stacks = False
        """Keep up to six frames of each call site, since programs wrap their calls."""
        self.stacks: dict[int, tuple[Any, ...]] = {}
        self.outermost: CodeType | None = None  # the function that runs the program: sites do not show who calls that
        self.order = make_order(block_order, seed)
        """In which order the blocks of a kernel run: a function of how many there are; `range` is ascending."""
        self._kernels: KernelRegistry | None = None
        self._ops: OperatorRegistry | None = None
        self._models: ModelRegistry | None = None
        record_ns = self.profile.costs.record_ns
        self.plain_record, self.plain_reset = Op("record", record_ns), Op("reset", record_ns)
        self._outer: list[ThreadState | None] = []
        self.devices = [Device(self, index) for index in range(len(self.visible))]
        self._policies = parse_checks(checks)
        self.keep_stacks = bool({"races", "rules"} & set(self._policies))
        self.checks: Checks | None = None  # from `open` on
        self.injected: InjectedFaults | None = None
        """What was made to fail, while there are plans for it: `sim.injected.log`."""
        if faults:
            self.inject(faults)

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] | None = None, schedule: Schedule | None = None
    ) -> Simulator:
        """A simulator as the ``ASCEND_SIM_*`` variables say (`environment.py`). Raises ValueError for a bad one.

        *schedule*: in place of the one that they name.
        """
        options = options_of(values := os.environ if environment is None else environment)
        if schedule is not None:
            options["schedule"] = schedule
        sim = cls(**options)
        sim.findings.suppressions = Suppressions(values.get("ASCEND_SIM_SUPPRESS", "").split("\n"))
        return sim

    def _join(self, threads: HostThreads) -> HostThreads:
        """Belong to the group; who opens it first hears what it has to say."""
        if not threads.sides:
            threads.factory = ThreadState
            threads.on_deadlock, threads.on_note = self._deadlocked, self._noted
            threads.words = lambda text: self.names.text(text)  # noqa: PLW0108 - they are made later
        return threads

    def _noted(self, kind: str, text: str, stands: Sequence[Stand]) -> None:
        if kind != "fork-after-init" or self.contexts or self.process.init_count:  # else there is nothing to inherit
            self.report(kind, "note", text, [Site("wait", label, points) for label, points in stands])

    def _deadlocked(self, threads: list[HostThread], lines: list[str]) -> None:
        from ascend_sim.observers.deadlocks import tell  # a report is rare

        tell(self, threads, lines)
        if self.checks is not None and self.checks.races is not None:
            self.checks.races.hung()

    # -- being current ------------------------------------------------------------------------------------------------

    def open(self) -> Simulator:
        """Make this the current simulator; the calling thread works with it from now on."""
        self._outer.append(getattr(LOCAL, "state", None))
        self.begin()
        LOCAL.state = self.threads.attach(self)
        return self

    def begin(self) -> None:
        """Make this the current simulator without a thread of its own; its checkers begin to watch."""
        STACK.open.append(self)
        if self.checks is None:
            self.checks = Checks(self, self._policies)
            if self.scheduler.schedule.drives:
                self.scheduler.schedule.watch(self)
            self._look()

    def close(self) -> None:
        """End it: service threads stop, observers hear `closed`; late calls get a return code."""
        if self.closed:
            return
        if self._ops is not None:
            self._ops.end()
        if self.scheduler.schedule.drives:
            self.scheduler.schedule.finish()
        with self.threads.quiet():
            if self.hooks.closed is not None:
                for observe in self.hooks.closed:
                    observe(self)
            self.closed = True
            if self in STACK.open:
                STACK.open.remove(self)
        self.threads.close(self)
        outer = self._outer.pop() if self._outer else None
        if outer is not None and not outer.sim.closed:
            LOCAL.state = outer
        elif getattr(LOCAL, "state", None) is not None and LOCAL.state.sim is self:
            del LOCAL.state
        self.memory.close()

    def __enter__(self) -> Simulator:
        return self.open()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def kernels(self) -> KernelRegistry:
        """The kernels of this simulator: ``sim.kernels["add_custom.o"] = module`` registers. Made at its first use."""
        if self._kernels is None:
            from ascend_sim.kernels.launching.registry import (
                KernelRegistry,  # programs without kernels do not pay for it
            )

            self._kernels = KernelRegistry(self)
        return self._kernels

    @property
    def ops(self) -> OperatorRegistry:
        """The operators of this simulator: ``sim.ops.register(operator)``, ``sim.ops.open``. Made at its first use."""
        if self._ops is None:
            from ascend_sim.ops.registry import OperatorRegistry  # programs without operators do not pay for it

            self._ops = OperatorRegistry(self)
        return self._ops

    @property
    def models(self) -> ModelRegistry:
        """The models: ``sim.models["resnet50.om"] = "stand_in.om"``, ``sim.models.allow("module")``. Lazy, too."""
        if self._models is None:
            from ascend_sim.models.registry import ModelRegistry  # programs without models do not pay for it

            self._models = ModelRegistry(self)
        return self._models

    def new_context(self, device: Device, primary: bool, site: Any) -> Context:
        """A context with its handle; explicit ones are known until the last thread lets go of them."""
        context = Context(device, primary, 0 if primary else self.next_number("context"), site)
        context.handle = self.handles.fresh()
        self.contexts[context.handle] = context
        return context

    # -- calls --------------------------------------------------------------------------------------------------------

    def stack_of(self, frame: FrameType) -> tuple[Any, ...]:
        """The site of a call in *frame*, with its callers, which the frame's `Activation` does not know yet."""
        return stack_of(frame, self.stacks, self.outermost)

    def before_call(self, t: ThreadState, name: str, arguments: tuple[Any, ...]) -> None:
        """The closer look before an API call: observers, device steps of an eager schedule."""
        if self.hooks.api_entered is not None:
            for observe in self.hooks.api_entered:
                observe(t, name, arguments)
        schedule = self.scheduler.schedule
        if schedule.drives:
            schedule.before_call(t, name, arguments)
        elif schedule.eager:
            self.scheduler.run(t.clock, None)
        if self.injected is not None:
            self.injected.before_call(t, name, arguments)

    def note_error(self, t: ThreadState, name: str, error: AclError) -> None:
        """Keep the text of a failed call for aclGetRecentErrMsg."""
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
        for observe in self.hooks.failed or ():
            observe(task, fault)
        if not fault.told:
            self.report(
                "task-fault",
                "warning",
                f"{task.op.kind} failed on {task.stream.describe()}: {fault.text}",
                [Site("submit", "submitted here", task.site, primary=True)],
                streams=(task.stream.describe(),),
                time_ns=task.end,
                code=("the next synchronise", fault.code),
            )
        if self.on_fault is not None:
            self.on_fault(task, fault)

    on_fault: Any = None
    """Set while exception callbacks are registered: called with the task and its fault."""

    fault_reports: Any = None
    """Failures for the exception callbacks (runtime/callbacks/exceptions.py), once some were registered."""

    value_watches: Any = None
    """The parked waits for values in device memory (runtime/value_wait.py), once there was one."""

    # -- findings -----------------------------------------------------------------------------------------------------

    def report(self, kind: str, severity: str, title: str, sites: Any = (), **fields: Any) -> Finding:
        """Record a finding; the code that the call returns is not touched by it."""
        finding = self.findings.report(kind, severity, title, sites, **fields)
        if self.hooks.found is not None:
            for observe in self.hooks.found:
                observe(finding)
        return finding

    def report_call(self, t: HostThread, kind: str, severity: str, title: str, **fields: Any) -> Finding:
        """A finding about the call that thread *t* is in."""
        return self.report(
            kind, severity, title, [Site("access", "called here", t.site, primary=True)], time_ns=t.clock, **fields
        )

    # -- observers and hooks for tests --------------------------------------------------------------------------------

    def attach(self, observer: Observer) -> Observer:
        """Let *observer* listen; returns it."""
        attach_observer(self, observer)
        self._look()
        return observer

    def timeline(self) -> Timeline:
        """What happens in virtual time from the first call of this on; the same object each time."""
        from ascend_sim.timeline import Timeline  # programs without pictures do not pay for it

        if self._timeline is None:
            self._timeline = Timeline(self)
            self.attach(self._timeline)
        return self._timeline

    _timeline: Timeline | None = None

    def show(self) -> State:
        """A picture of this moment: who waits for whom, and whose memory it is. ``print(sim.show())``, `.svg()`."""
        from ascend_sim.state import State

        return State(self)

    def detach(self, observer: Observer) -> None:
        """*observer* no longer listens."""
        detach_observer(self, observer)
        self._look()

    def inject(self, faults: str | Iterable[str | FaultPlan]) -> InjectedFaults:
        """Let calls, tasks, allocations or devices fail as planned, from now on: ``"aclrtMalloc:3=207001"``.

        `fault_plans.SYNTAX` (and ``ascend-sim run --help``) says what a plan can be. Raises ValueError for a bad one.
        """
        from ascend_sim.observers.fault_injection import InjectedFaults
        from ascend_sim.observers.fault_plans import parse_faults  # a program without plans pays nothing

        plans = parse_faults(faults)
        if self.injected is None:
            self.injected = InjectedFaults(self, plans)
            self.attach(self.injected)
        else:
            self.injected.add(plans)
        return self.injected

    def _look(self) -> None:
        listening = self.hooks.api_entered is not None or self.injected is not None
        self.watched = self.scheduler.schedule.eager or listening

    def hold(self, stream: int) -> None:
        """Let nothing of this stream (a handle) start or end until `release`. Raises KeyError for a dead handle."""
        self._stream(stream).hold()

    def release(self, stream: int) -> None:
        """Let the stream (a handle) go on after `hold`. Raises KeyError for a dead handle."""
        self._stream(stream).release()

    def _stream(self, handle: int) -> Stream:
        stream = self.handles[handle]
        if not isinstance(stream, Stream):
            raise KeyError(f"{handle:#x} is the handle of a {type(stream).__name__}, not of a stream")
        return stream

    def time_ns(self) -> int:
        """The virtual clock of the calling thread, in ns."""
        state = getattr(LOCAL, "state", None)
        return state.clock if state is not None and state.sim is self else self.scheduler.now
