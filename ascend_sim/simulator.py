"""The simulator: options, checkers and an object API upon a runtime; and how a process gets one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, overload

from ascend_sim.findings.suppressions import Suppressions
from ascend_sim.kernels.launching.orders import make_order
from ascend_sim.machine.profiles import DEFAULT_SOC, load_profile
from ascend_sim.observers.checks import DEFAULT as DEFAULT_CHECKS
from ascend_sim.observers.checks import Checks, parse_checks
from ascend_sim.observers.guarded import guarded
from ascend_sim.observers.observer import Observer
from ascend_sim.observers.observer import attach as attach_observer
from ascend_sim.observers.observer import detach as detach_observer
from ascend_sim.options import VISIBLE, options_of, visible_devices
from ascend_sim.runtime.core import Runtime
from ascend_sim.runtime.current import LOCAL, STACK, attach_thread, enter, this_thread
from ascend_sim.runtime.current import current as current_runtime
from ascend_sim.runtime.schedules import Schedule, make_schedule
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.threads.host_threads import HostThread

if TYPE_CHECKING:
    from ascend_sim.kernels.language.kernel import Kernel
    from ascend_sim.kernels.launching.registry import KernelRegistry
    from ascend_sim.media.pictures import ShownPicture
    from ascend_sim.models.registry import ModelRegistry
    from ascend_sim.observers.fault_injection import InjectedFaults
    from ascend_sim.observers.fault_plans import FaultPlan
    from ascend_sim.ops.registry import OperatorRegistry
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.state import State
    from ascend_sim.timeline import Timeline

__all__ = ["LOCAL", "Simulator", "attach_thread", "current", "enter", "this_thread"]

MAX_DEVICES = 64
_BEFORE_RUNTIME = "aclsys"
"""Functions whose names begin so ask for versions alone: with them no process begins to use the runtime."""


class Simulator(Runtime):
    """One simulated process: its devices, its clock, its host threads.

    >>> from ascend_sim import Simulator, ascendcl as C
    >>> with Simulator(soc="Ascend910B3", devices=2, limits={"stream_depth": 64}) as sim:
    ...     ret = C.aclrtSetDevice(1)
    ...     address, ret = C.aclrtMalloc(64, 0)
    ...     C.aclrtFree(address), C.aclrtFree(address)
    (0, 107000)
    >>> [finding.kind for finding in sim.findings]
    ['double-free']

    *soc*: a name that aclrtGetSocName can return. *devices*: how many there are, 1 to 64. *schedule*: ``virtual-time``,
    ``late``, ``early``, ``random(SEED)`` or a Schedule. *seed*: the one source of everything random. *limits*: smaller
    or larger limits by name, a device each: ``stream_depth`` (tasks in one stream), ``streams``, ``events``,
    ``notifies`` (counts), ``memory`` (bytes). *switches*: settings
    of known conflicts between sources (``ascend-sim info --switches``). *threads*: ``free`` leaves the program's
    threads alone, ``deterministic`` runs them one at a time. *reuse*: what happens to freed addresses, ``quarantine``
    or ``lifo``. *reuse_handles*: hand out the handles of destroyed objects again, as hardware may. *visible*: the list
    of ASCEND_RT_VISIBLE_DEVICES, ``1,3``: user ids count what is in it. *block_order*: in which order the blocks of a
    kernel run: ``ascending``, ``reversed``, ``random`` or ``random(SEED)``. *checks*: who looks for faults of the
    program: ``memory``, ``races`` and ``rules`` where nothing else is said, as in ``ascend-sim run`` and in tests;
    ``all`` (``codes``, too), ``none``, or names, each with a policy if wanted: ``"races=raise,memory"``. `sim.findings`
    has what they found. A queued task costs about half as much again with the default as with ``none``. *faults*:
    plans of what shall fail (`inject`).

    Use it as a context manager, or `open()` and `close()` it. Raises ValueError for a name that is unknown or a number
    out of range; the text lists what is allowed. Calls of the C face never raise: they return codes. `time_ns()` is the
    virtual clock of the calling thread, in ns.
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
        chosen = visible_devices(visible, devices)
        super().__init__(
            load_profile(soc, limits, switches), make_schedule(schedule, seed), threads, seed, devices, chosen,
            reuse, reuse_handles,
        )  # fmt: skip
        self.order = make_order(block_order, seed)
        self.launch = _first_launch
        self._policies = parse_checks(checks)
        self.keep_stacks = bool({"races", "rules"} & set(self._policies))
        self.checks: Checks | None = None  # from `begin` on
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
        known = frozenset[str]()
        if "ASCEND_SIM_BASELINE" in values:
            from ascend_sim.findings.baseline import fingerprints_in  # who has no baseline does not pay for it

            known = fingerprints_in(values["ASCEND_SIM_BASELINE"])
        sim.findings.suppressions = Suppressions(values.get("ASCEND_SIM_SUPPRESS", "").split("\n"), known)
        return sim

    def follow_environment(self, value: Callable[[str], str | None] = os.environ.get) -> None:
        """What the program does to ASCEND_RT_VISIBLE_DEVICES before its first call counts, as with the real runtime.

        Called before the program runs. *value* reads a variable.
        """
        before = value(VISIBLE)

        def called(t: ThreadState, name: str, arguments: tuple[Any, ...]) -> None:
            if name.startswith(_BEFORE_RUNTIME):
                return
            self.hooks.remove("api_entered", called)
            self.update_watched()
            now = value(VISIBLE)
            if now != before:
                self.set_visible(visible_devices(now, self.installed))

        self.hooks.add("api_entered", called)
        self.update_watched()

    def begin(self) -> None:
        """Make this the current simulator without a thread of its own; its checkers begin to watch."""
        super().begin()
        if self.checks is None:
            self.checks = Checks(self, self._policies)
            self.detects_races = self.checks.races is not None
            if self.scheduler.schedule.drives:
                self.scheduler.schedule.watch(self)
            self.update_watched()

    def deadlocked(self, threads: list[HostThread], lines: list[str]) -> None:
        """Make a finding of a deadlock."""
        from ascend_sim.observers.deadlocks import tell  # a report is rare

        tell(self, threads, lines)
        if self.checks is not None and self.checks.races is not None and not self.checks.races.ended:
            guarded(self, self.checks.races, self.checks.races.hung)()

    # -- what programs register ---------------------------------------------------------------------------------------

    @property
    def kernels(self) -> KernelRegistry:
        """The kernels of this simulator: ``sim.kernels["add_custom.o"] = module`` registers. Made at its first use."""
        from ascend_sim.kernels.launching.registry import KernelRegistry  # programs without kernels do not pay for it

        return self.part(KernelRegistry)

    @property
    def ops(self) -> OperatorRegistry:
        """The operators of this simulator: ``sim.ops.register(operator)``, ``sim.ops.open``. Made at its first use."""
        from ascend_sim.ops.registry import OperatorRegistry  # programs without operators do not pay for it

        return self.part(OperatorRegistry)

    @property
    def models(self) -> ModelRegistry:
        """The models: ``sim.models["resnet50.om"] = "stand_in.om"``, ``sim.models.allow("module")``. Lazy, too."""
        from ascend_sim.models.registry import ModelRegistry  # programs without models do not pay for it

        return self.part(ModelRegistry)

    # -- observers and hooks for tests --------------------------------------------------------------------------------

    def attach(self, observer: Observer) -> Observer:
        """Let *observer* listen; returns it."""
        with self.threads.quiet():
            attach_observer(self, observer)
            self.update_watched()
        return observer

    def timeline(self, most: int | None = None) -> Timeline:
        """What happens in virtual time from the first call of this on; the same object each time.

        *most*: so many tasks and calls are kept (100,000), the first half and the latest half of them.
        """
        from ascend_sim.timeline import Timeline  # programs without pictures do not pay for it

        if self._timeline is None:
            self._timeline = Timeline(self) if most is None else Timeline(self, most=most)
            self.attach(self._timeline)
        return self._timeline

    _timeline: Timeline | None = None

    @overload
    def show(self) -> State: ...
    @overload
    def show(self, picture: object) -> ShownPicture: ...
    def show(self, picture: object = None) -> State | ShownPicture:
        """A drawing of this moment: who waits for whom, and whose memory it is. ``print(sim.show())``, `.svg()`.

        Of *picture*, a picture descriptor of acl_dvpp.h: what its buffer shows now, for a notebook or with `.save(path)`
        as PNG. Raises ValueError when it is none.
        """
        if picture is not None:
            from ascend_sim.media.pictures import shown

            return shown(self, picture)
        from ascend_sim.state import State

        with self.threads.quiet():
            return State(self)

    def detach(self, observer: Observer) -> None:
        """*observer* no longer listens."""
        with self.threads.quiet():
            detach_observer(self, observer)
            self.update_watched()

    def inject(self, faults: str | Iterable[str | FaultPlan]) -> InjectedFaults:
        """Let calls, tasks, allocations or devices fail as planned, from now on: ``"aclrtMalloc:3=207001"``.

        >>> from ascend_sim import Simulator, ascendcl as C
        >>> with Simulator(faults="aclrtMalloc:2=207001") as sim:
        ...     C.aclrtSetDevice(0), [C.aclrtMalloc(64, 0)[1] for _ in range(3)]
        (0, [0, 207001, 0])

        `fault_plans.SYNTAX` (and ``ascend-sim run --help``) says what a plan can be. Raises ValueError for a bad one.
        """
        from ascend_sim.observers.fault_injection import InjectedFaults
        from ascend_sim.observers.fault_plans import parse_faults  # a program without plans pays nothing

        plans = parse_faults(faults)
        if self.injected is None:
            self.injected = InjectedFaults(self, plans)
            self.intercept = self.injected.before_call
            self.attach(self.injected)
        else:
            self.injected.add(plans)
        return self.injected

    def hold(self, stream: int) -> None:
        """Let no task of *stream* (a handle) start or end until `release`, for tests that need a certain order.

        Raises KeyError for a handle that is dead, or that of another object.
        """
        with self.threads.quiet():
            self._stream(stream).hold()

    def release(self, stream: int) -> None:
        """Let the stream (a handle) go on after `hold`. Raises KeyError for a dead handle."""
        with self.threads.quiet():
            self._stream(stream).release()

    def _stream(self, handle: int) -> Stream:
        stream = self.handles[handle]
        if not isinstance(stream, Stream):
            raise KeyError(f"{handle:#x} is the handle of a {type(stream).__name__}, not of a stream")
        return stream


def current() -> Simulator | None:
    """The current simulator of the process: the innermost open one; None when there is none."""
    sim = current_runtime()
    return sim if isinstance(sim, Simulator) else None


def _first_launch(t: ThreadState, kernel: Kernel, blocks: int, stream: Any, raw: bytes) -> None:
    from ascend_sim.kernels.launching.submit import launch_kernel  # programs without kernels do not pay for it

    t.sim.launch = launch_kernel
    launch_kernel(t, kernel, blocks, stream, raw)


def _default() -> Simulator:
    """The simulator of a process that made none before its first call."""
    sim = Simulator.from_environment()
    sim.follow_environment()
    sim.begin()
    return sim


STACK.make_default = _default
