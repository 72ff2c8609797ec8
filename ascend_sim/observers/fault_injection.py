"""Fault injection: lets calls, tasks, allocations and devices fail as planned (fault_plans.py), and keeps a log of it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ascend_sim.catalogue.codes import codes
from ascend_sim.constants.errors import (
    ACL_ERROR_RT_AICORE_EXCEPTION,
    ACL_ERROR_RT_AICPU_EXCEPTION,
    ACL_ERROR_RT_COPY_DATA,
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
)
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.observers.fault_plans import FaultPlan
from ascend_sim.observers.observer import Observer
from ascend_sim.runtime.scheduler import Timer
from ascend_sim.runtime.stream_failures import drop_queue
from ascend_sim.runtime.task import Op, Task, TaskFault
from ascend_sim.runtime.threads.host_threads import HostThread

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.told import Part
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["InjectedFaults"]

ALLOCATIONS = {
    "aclrtMalloc": 0, "aclrtMallocAlign32": 0, "aclrtMallocCached": 0, "aclrtMallocWithCfg": 0,
    "aclrtMallocForTaskScheduler": 0, "aclrtMallocPhysical": 0,
}  # fmt: skip
"""Functions that take device memory, and which argument is the size."""

NEEDS_DEVICE = (
    "aclrtMalloc", "aclrtMem", "aclrtCreate", "aclrtLaunch", "aclrtRecord", "aclrtStreamWait", "aclrtStreamQuery",
    "aclrtQuery", "aclrtSynchronize", "aclrtReduce", "aclrtValue", "aclrtNotify", "aclrtBinary", "aclopExecute",
    "aclopCompile", "aclmdlExecute", "aclmdlLoad", "aclblas",
)  # fmt: skip
"""How the names of calls begin that fail on a lost device. What frees, destroys and asks about the program goes on."""


class _Count:
    """How often something fitted a plan."""

    def __init__(self, plan: FaultPlan, seed: int) -> None:
        self.plan = plan
        self.number = 0
        self._random = random.Random(f"{seed} {plan.text}")

    def hits(self) -> bool:
        """One more fits: is it meant?"""
        self.number += 1
        if self.plan.chance is not None:
            return self._random.random() < self.plan.chance
        return self.plan.first <= self.number <= self.plan.last


class Faulted(Op):
    """An operation that fails at its end, without effects. *original* is what it was."""

    __slots__ = ("fault", "original")

    def __init__(self, original: Op, cost: int, fault: TaskFault | None) -> None:
        super().__init__(
            original.kind, cost, gate=original.gate, engine=original.engine, slots=original.slots, least=original.least,
            begin=original.begin, accesses=original.accesses, timeout=original.timeout, hosted=original.hosted,
        )  # fmt: skip
        self.original = original
        self.fault = fault
        self.action = original.action if fault is None else self._fail

    def _fail(self, task: Task, time: int) -> None:
        assert self.fault is not None
        after = getattr(self.original, "after", None)
        if after is not None:  # what a launch holds goes back all the same
            after()
        raise self.fault


class _Loss(Timer):
    """The moment in which a device is lost."""

    def __init__(self, faults: InjectedFaults, plan: FaultPlan) -> None:
        super().__init__()
        self.faults = faults
        self.plan = plan

    def expire(self, time: int) -> None:
        self.faults.lose(self.plan, time, None)


def _fitting(name: str) -> int:
    """The code of a call that a plan gives none: no memory, the only one that pools have, or the driver's."""
    if name.startswith("aclrtMemPool"):
        return ACL_ERROR_RT_INTERNAL_ERROR
    return ACL_ERROR_RT_MEMORY_ALLOCATION if "alloc" in name.lower() else ACL_ERROR_RT_DRV_INTERNAL_ERROR


MEDIA = ("VPC", "JPEG", "PNG")
"""How the names of tasks begin that work on pictures."""
BY_KIND = {"copy": ACL_ERROR_RT_COPY_DATA, "media": ACL_ERROR_RT_AICPU_EXCEPTION}
"""The code of a task that a plan gives none; of all others the fault of a core."""


class InjectedFaults(Observer):
    """Carries plans out. *log* has a line for everything that was made to fail."""

    def __init__(self, sim: Runtime, plans: Iterable[FaultPlan]) -> None:
        self.sim = sim
        self.log: list[str] = []
        self.lost: dict[int, int] = {}
        """Lost devices and the code that says so."""
        self._calls: list[_Count] = []
        self._tasks: list[_Count] = []
        self._memory: list[FaultPlan] = []
        self._devices: list[_Count] = []
        self.add(plans)

    def add(self, plans: Iterable[FaultPlan]) -> None:
        """Let *plans* hold, too: what was called before does not count. Raises ValueError for a device there is none of."""
        for plan in plans:
            if plan.kind == "memory":
                self._memory.append(plan)
                continue
            count = _Count(plan, self.sim.seed)
            if plan.kind == "call":
                self._calls.append(count)
            elif plan.kind == "task":
                self._tasks.append(count)
            elif int(plan.name) >= len(self.sim.devices):
                raise ValueError(f"{plan.text!r}: there are {len(self.sim.devices)} devices, from 0")
            elif plan.time_ns is not None:
                self.sim.scheduler.push_timer(plan.time_ns, _Loss(self, plan))
            else:
                self._devices.append(count)

    # -- calls --------------------------------------------------------------------------------------------------------

    def before_call(self, t: ThreadState, name: str, arguments: tuple[Any, ...]) -> None:
        """The C function *name* is about to begin. Raises AclError when it is to fail."""
        hits = [count for count in self._calls if fnmatchcase(name, count.plan.name) and count.hits()]
        if hits:
            code = hits[0].plan.code or _fitting(name)
            self._say(f"{name} fails as planned", hits[0], code, t)
            raise _error(code, hits[0].plan)
        context = t.bound_context()
        if context is None:
            return
        device = context.device.index
        if self._memory and name in ALLOCATIONS:
            self._allocation(t, name, device, arguments[ALLOCATIONS[name]])
        if not name.startswith(NEEDS_DEVICE):
            return
        for count in self._devices:
            if int(count.plan.name) == device and device not in self.lost and count.hits():
                self.lose(count.plan, t.clock, t)
        if device in self.lost:
            raise AclError(self.lost[device], f"device {device} is lost (injected)")

    def _allocation(self, t: ThreadState, name: str, device: int, size: int) -> None:
        free, total = self.sim.memory.memory_of(device)
        for plan in self._memory:
            if total - free + size > plan.limit:
                held = f"device {device} holds {total - free} bytes and is to hold at most {plan.limit}"
                self._tell(f"{name} of {size} bytes fails as planned: {held}", plan, t.site, t.clock, (name, plan.code))
                raise _error(plan.code, plan)

    # -- tasks --------------------------------------------------------------------------------------------------------

    def submitted(self, task: Task) -> None:
        """A task was queued: is it one that fails, or a copy that takes longer?"""
        kind, _, name = task.op.kind.partition(" ")
        if kind in MEDIA:
            kind, name = "media", task.op.kind
        count = self._task_count(kind, name)
        if count is None:
            return
        op, plan, cost = task.op, count.plan, task.op.cost
        fault = None
        if plan.slows:
            cost = round(cost * plan.factor) + plan.slower_ns
            self._say(f"a copy takes {_span(cost - op.cost)} longer as planned", count, 0, task)
        else:
            core = getattr(getattr(op, "plan", None), "core", "")
            core = "cpu" if kind in ("vdec", "venc") else core  # the units work for a task of the AI CPU
            code = plan.code or {"aiv": ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "cpu": ACL_ERROR_RT_AICPU_EXCEPTION}.get(
                core, BY_KIND.get(kind, ACL_ERROR_RT_AICORE_EXCEPTION)
            )
            self._say(f"{op.kind} fails as planned", count, code, task)
            fault = TaskFault(code, f"injected by the plan {plan.text}", reported=True)
        task.op = Faulted(op, cost, fault)
        stream = task.stream
        if op.plain and stream.armed and stream.queue[0] is task:  # its end was fixed when it was queued
            self.sim.scheduler.remove(stream)
            stream.arm_at(max(task.ready, stream.free) + cost)

    def replayed(self, task: Task, tasks: list[Task]) -> None:
        """An execution of a graph: its tasks count as those that are queued do, in the order of the capture."""
        for one in tasks:
            self.submitted(one)

    def copied(self, who: Task | HostThread, to: Allocation | None, source: Allocation | None, part: Part) -> None:
        """A copy that is no task is about to happen."""
        if isinstance(who, Task):
            return
        count = self._task_count("copy", "")
        if count is None:
            return
        plan = count.plan
        if plan.slows:
            from ascend_sim.machine.engines import copy_cost
            from ascend_sim.runtime.memory.transfers import copy_kind

            cost = copy_cost(self.sim.profile, copy_kind(to, source), part.rows.width * part.rows.height)
            more = round(cost * (plan.factor - 1)) + plan.slower_ns
            who.clock += more
            self._say(f"a copy takes {_span(more)} longer as planned", count, 0, who)
            return
        code = plan.code or ACL_ERROR_RT_COPY_DATA
        self._say(f"{who.call} fails as planned", count, code, who)
        raise _error(code, plan)

    def _task_count(self, kind: str, name: str) -> _Count | None:
        """The first plan that means this task; all that fit count it."""
        hits = []
        for count in self._tasks:
            wanted, _, glob = count.plan.name.partition(" ")
            if kind == wanted and fnmatchcase(name, glob or "*") and count.hits():
                hits.append(count)
        return hits[0] if hits else None

    # -- devices ------------------------------------------------------------------------------------------------------

    def lose(self, plan: FaultPlan, time: int, t: ThreadState | None) -> None:
        """The device of *plan* is gone at virtual *time* (ns): what it does is dropped, who waits for it gets the code."""
        device = self.sim.devices[int(plan.name)]
        if device.index in self.lost:
            return
        self.lost[device.index] = plan.code
        self._tell(f"device {device.index} is lost as planned", plan, t.site if t is not None else None, time, None)
        contexts: list[Context] = [c for c in self.sim.contexts.values() if c.device is device and not c.dead]
        if device.primary is not None and device.primary not in contexts and not device.primary.dead:
            contexts.append(device.primary)
        for context in contexts:
            context.stop_mode = True
            context.why = f"device {device.index} is lost (injected)"
            for stream in (*context.streams, context.default):
                drop_queue(stream)
                stream.stopped = True
            context.fail(plan.code)

    # -- the log ------------------------------------------------------------------------------------------------------

    def _say(self, text: str, count: _Count, code: int, who: Task | HostThread) -> None:
        call = (f"{who.op.kind}" if isinstance(who, Task) else who.call, code) if code else None
        clock = who.ready if isinstance(who, Task) else who.clock
        launch = getattr(who, "launch", None)
        executed = [] if launch is None else [Site("submit", "executed here, with its graph", launch.site)]
        text += f", number {count.number} of {count.plan.name}"
        self._tell(text, count.plan, who.site, clock, call, executed)

    def _tell(
        self, text: str, plan: FaultPlan, site: Any, time: int, call: tuple[str, int] | None, more: Iterable[Site] = ()
    ) -> None:  # fmt: skip
        text += f": {call[1]}" if call is not None else ""
        self.log.append(f"[{time / 1000:.3f} us] {text} ({plan.text})")
        sites = [Site("access", f"injected by the plan {plan.text}", site, primary=True)] if site is not None else []
        sites += more
        self.sim.report("injected-fault", "note", text, sites, time_ns=time, code=call)


def _error(code: int, plan: FaultPlan) -> AclError:
    known = codes().get(code)
    layer = "rt" if known is not None and known.group.startswith("rt") else "acl"
    return AclError(code, f"injected by the plan {plan.text}", layer)


def _span(ns: int) -> str:
    return f"{ns / 1e6:g} ms" if ns >= 1_000_000 else f"{ns / 1e3:g} us"
