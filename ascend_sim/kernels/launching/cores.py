"""Kernels that hold some of their cores and need more: they wait for them, and two of them may wait for each other.

In normal mode a kernel starts with one free core (docs/semantics/kernels.md#blocks-and-waves). As long as its blocks
end by themselves the others run in waves; blocks that wait in sync_all keep their cores, so the rest must find cores
too. Two such kernels can each hold half and wait for ever: batch mode (SCHEM_MODE 1) cures it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.findings.finding import Site
from ascend_sim.kernels.launching import faults
from ascend_sim.kernels.launching.registry import KernelRegistry
from ascend_sim.runtime.scheduler import Timer
from ascend_sim.runtime.task import Pause, Steps, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.grid import Waiting
    from ascend_sim.kernels.launching.launch import Launch

__all__ = ["KernelLimit", "CoreShortage", "get_cores"]


class KernelLimit(Timer):
    """The time limit of a kernel that has stopped in a wait: its task goes on at that time, to fail."""

    __slots__ = ("over", "task")

    def __init__(self, task: Task, timeout_ns: int) -> None:
        super().__init__()
        self.task = task
        self.over = False
        if timeout_ns:
            task.stream.sim.scheduler.push_timer(task.start + timeout_ns, self)

    def expire(self, time: int) -> None:
        """The limit has come."""
        self.over = True
        self.task.stream.resume(time)


class CoreShortage:
    """A kernel whose blocks wait for each other while some of them have no core."""

    __slots__ = ("launch", "reported", "run", "task", "wanted")

    def __init__(self, launch: Launch, task: Task, run: Waiting) -> None:
        self.launch = launch
        self.task = task
        self.run = run
        self.wanted = launch.plan.cores - task.stream.held
        self.reported = False

    def wake(self, time: int) -> None:
        """Cores were given back: take what there is, up to what is wanted."""
        if self.ask():
            self.task.stream.resume(time)

    def ask(self) -> int:
        """Take cores; in the queue for them, before everybody who has not started, when there are none."""
        launch, stream = self.launch, self.task.stream
        assert launch.engine is not None
        got = launch.plan.device.engines.try_grow(launch.engine, self.wanted, self)
        stream.held += got
        self.wanted -= got
        return got


def get_cores(launch: Launch, task: Task, run: Waiting) -> Steps:
    """Wait until *run* has more cores. Raises TaskFault when the time limit of the kernel comes first."""
    shortage = CoreShortage(launch, task, run)
    if not shortage.ask():
        engine = launch.engine
        assert engine is not None
        registry = launch.plan.sim.part(KernelRegistry)
        limit = KernelLimit(task, launch.plan.timeout_ns)
        registry.shortages.append(shortage)
        try:
            _look_for_deadlock(shortage)
            yield Pause(f"needs {shortage.wanted} more cores: {run.why()}")
        finally:
            limit.live = False
            registry.shortages.remove(shortage)
            for waiter in launch.plan.device.engines.withdraw(engine, shortage):
                waiter.wake(launch.plan.sim.scheduler.now)
        if limit.over:
            raise _out_of_time(shortage)
    run.cores = task.stream.held


def _stuck_with(shortage: CoreShortage) -> list[CoreShortage]:
    """All kernels in *shortage*'s deadlock: the cores that it needs are all held by kernels that wait as it does."""
    plan = shortage.launch.plan
    engines = plan.device.engines
    others = [s for s in plan.sim.part(KernelRegistry).shortages if s.launch.plan.device is plan.device]
    held: dict[str, int] = {}
    for other in others:
        assert other.launch.engine is not None
        for pool, each in engines.demand(other.launch.engine).items():
            held[pool] = held.get(pool, 0) + each * other.task.stream.held
    assert shortage.launch.engine is not None
    for pool, each in engines.demand(shortage.launch.engine).items():
        used = engines.capacity[pool] - engines.free(pool)
        if engines.free(pool) < each and used == held.get(pool, 0):
            return [o for o in others if pool in engines.demand(o.launch.engine or "")]
    return []


def _look_for_deadlock(shortage: CoreShortage) -> None:
    stuck = _stuck_with(shortage)
    if not stuck or all(s.reported for s in stuck):
        return
    plan = shortage.launch.plan
    sites, lines = [], []
    for s in stuck:
        name, held = s.launch.plan.kernel.name, s.task.stream.held
        lines.append(
            f"`{name}` on {plan.sim.names.described(s.task.stream)} holds {held} of the {s.launch.plan.cores} cores it needs"
        )
        sites.append(Site("submit", f"`{name}` launched here: {s.run.why()}", s.task.site, primary=s is shortage))
        s.reported = True
    plan.sim.report(
        "deadlock", "error", f"kernels wait for each other's cores: {'; '.join(lines)}", sites,
        order="in normal mode a kernel starts as soon as one core is free, and blocks in sync_all keep their cores",
        fix="launch them in batch mode: SCHEM_MODE 1 in the launch configuration, or @kernel(schedmode=1)",
        streams=tuple(plan.sim.names.described(s.task.stream) for s in stuck), time_ns=plan.sim.scheduler.now,
        code=("the next synchronise", faults.TIME_OUT[plan.core]),
    )  # fmt: skip


def _out_of_time(shortage: CoreShortage) -> TaskFault:
    plan = shortage.launch.plan
    if shortage.reported:
        text = f"kernel `{plan.kernel.name}` waited for cores until its time limit: {shortage.run.why()}"
        return TaskFault(faults.TIME_OUT[plan.core], text, reported=True)
    return faults.overtime(plan, shortage.task, shortage.run.why())
