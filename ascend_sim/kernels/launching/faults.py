"""Faults of kernels: what a block raised becomes a finding, a text for the host, and the code of the task."""

from __future__ import annotations

import ast
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_AICORE_EXCEPTION,
    ACL_ERROR_RT_AICORE_TIMEOUT,
    ACL_ERROR_RT_AICORE_TRAP_EXCEPTION,
    ACL_ERROR_RT_AICPU_EXCEPTION,
    ACL_ERROR_RT_AICPU_TIMEOUT,
    ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
    ACL_ERROR_RT_VECTOR_CORE_TIMEOUT,
    ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION,
)
from ascend_sim.findings.finding import ByteMap, ByteRange, Site
from ascend_sim.findings.wording import launched
from ascend_sim.kernels.language.block import Block
from ascend_sim.kernels.language.errors import BadPointer, DeviceTrap, KernelFault, OutOfBounds
from ascend_sim.kernels.language.memory import Memory
from ascend_sim.machine.allocations import place
from ascend_sim.runtime.memory.transfers import cure_of_free, why_too_early
from ascend_sim.runtime.task import TaskFault
from ascend_sim.source.callsite import own_code, resolve, source_line
from ascend_sim.source.fence import fenced, said
from ascend_sim.source.syntax import nodes_at, tree_of

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.plan import Plan
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.task import Task

__all__ = [
    "EXCEPTION", "TIME_OUT", "argument_fault", "block_fault", "hang", "launch_site", "report_pinned",
    "report_use_after_free",
]  # fmt: skip

EXCEPTION = {
    "aic": ACL_ERROR_RT_AICORE_EXCEPTION,
    "aiv": ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
    "cpu": ACL_ERROR_RT_AICPU_EXCEPTION,
}
TIME_OUT = {
    "aic": ACL_ERROR_RT_AICORE_TIMEOUT,
    "aiv": ACL_ERROR_RT_VECTOR_CORE_TIMEOUT,
    "cpu": ACL_ERROR_RT_AICPU_TIMEOUT,
}
"""Codes by the kind of core (docs/semantics/kernels.md#faults)."""

Point = tuple[CodeType, int]


def launch_site(plan: Plan, task: Task, primary: bool = False) -> Site:
    """Where the launch stands in the program."""
    blocks = f"{plan.num} block{'s' if plan.num != 1 else ''}"
    return Site("submit", f"launched here with {blocks}", task.site, primary=primary)


def launch_sites(plan: Plan, task: Task, primary: bool = False) -> list[Site]:
    """Where the launch stands, and of a launch in a graph where that was executed."""
    return [launch_site(plan, task, primary), *launched(task)]


def _streams(plan: Plan, task: Task) -> tuple[str, ...]:
    return (plan.sim.names.described(task.stream),)


def _tail(plan: Plan, task: Task, cure: str = "") -> str:
    """What the host's text says behind the fault: the launch, and the cure."""
    blocks = f"{plan.num} block{'s' if plan.num != 1 else ''}"
    text = f"; launched at {place(task.site)} with {blocks} on {plan.sim.names.described(task.stream)}"
    return f"{text}; {cure}" if cure else text


def argument_fault(
    plan: Plan, task: Task, kind: str, text: str, cure: str = "", allocation: Allocation | None = None
) -> TaskFault:
    """The argument block itself is wrong: too short, freed (*allocation* says where), or in no memory of the device."""
    code = EXCEPTION[plan.core]
    text = f"kernel `{plan.kernel.name}`: {text}"
    plan.sim.report(
        kind, "error", text, [*launch_sites(plan, task, True), *_life(allocation)], fix=cure,
        streams=_streams(plan, task), time_ns=plan.sim.scheduler.now, called_ns=task.ready,
        code=("the next synchronise", code),
    )  # fmt: skip
    return TaskFault(code, text + _tail(plan, task, cure), reported=True)


def block_fault(plan: Plan, task: Task, block: Any, error: BaseException) -> TaskFault:
    """The failure of *task* for what a block raised; the finding names kernel, block, line, argument and launch."""
    core = "aic" if getattr(block, "is_aic", False) else plan.core
    code = EXCEPTION[core]
    points = _user_points(error.__traceback__)
    first, *more = said(error).splitlines() or [""]
    kind, text, cure = "kernel-exception", f"{type(error).__name__}: {first}", ""
    label = "raised here"
    fields: dict[str, Any] = {"notes": more} if more else {}
    sites: list[Site] = []
    if isinstance(error, DeviceTrap):
        kind, text, code = error.kind, error.text, _trap_code(plan, core)
    elif isinstance(error, AssertionError):
        text = _assertion(plan, block, points, error)
    elif isinstance(error, KernelFault):
        kind, text, cure = error.kind, error.text, error.cure
        if isinstance(error, OutOfBounds):
            label = f"accesses {error.shown}"
            sites, found = _history(plan, error)
            fields |= found
        elif isinstance(error, BadPointer):
            label = "used here"
            sites = _life(error.allocation)
        elif isinstance(block, Block) and block.pending is not None and block.pending.site is not None:
            points, label = (block.pending.site,), "not awaited here"
    else:
        kind, text, cure = _translated(plan, error, points) or (kind, text, cure)
    where = f"kernel `{plan.kernel.name}`" + (f", {block.describe()}" if block is not None else "")
    title = f"{where}: {text}"
    plan.sim.report(
        kind, "error", title, [Site("access", label, points, primary=True), *launch_sites(plan, task), *sites],
        fix=cure, streams=_streams(plan, task), time_ns=plan.sim.scheduler.now, called_ns=task.ready,
        code=("the next synchronise", code), **fields,
    )  # fmt: skip
    at = f" at {place(points[:1])}" if points else ""
    return TaskFault(code, title + at + _tail(plan, task, cure), reported=True)


def report_use_after_free(plan: Plan, task: Task, memory: Memory[Any], error: BadPointer, points: Any) -> None:
    """A kernel uses freed memory, and goes on: a finding only."""
    plan.sim.report(
        "use-after-free", "error", f"kernel `{plan.kernel.name}`: {error.text}",
        [
            Site("access", f"uses `{memory.name}` here", points, primary=True), *launch_sites(plan, task),
            *_life(error.allocation),
        ],
        order=why_too_early(task, error.allocation),
        fix=cure_of_free(task, error.allocation),
        streams=_streams(plan, task), time_ns=plan.sim.scheduler.now,
        called_ns=error.allocation.free_ns if error.allocation is not None else None,
        notes=("the kernel ran on what the memory holds now: --switch freed_memory_in_kernel=fault makes it fail",),
    )  # fmt: skip


def report_pinned(plan: Plan, task: Task, error: BadPointer, points: Any = ()) -> None:
    """A kernel uses page-locked host memory, and goes on: a finding only."""
    sites = [Site("access", "used here", points)] if points else []
    plan.sim.report(
        error.kind, "warning", f"kernel `{plan.kernel.name}`: {error.text}",
        [*launch_sites(plan, task, True), *sites, *_life(error.allocation)], streams=_streams(plan, task),
        time_ns=plan.sim.scheduler.now, called_ns=task.ready,
        notes=(
            "a driver may have mapped it for the device, and this run went on: --switch pinned_memory_in_kernel=fault "
            "stops the core there, =mapped says nothing",
        ),
    )  # fmt: skip


def hang(plan: Plan, task: Task, why: str, cure: str, waits: list[tuple[str, Point]]) -> TaskFault:
    """Nothing of the kernel can ever go on: the finding now; the fault for when its time is over."""
    code = TIME_OUT[plan.core]
    text = f"kernel `{plan.kernel.name}` hangs: {why}"
    sites = [Site("wait", label, point, primary=i == 0) for i, (label, point) in enumerate(waits)]
    plan.sim.report(
        "deadlock", "error", text, [*sites, *launch_sites(plan, task, not sites)], fix=cure,
        streams=_streams(plan, task), time_ns=plan.sim.scheduler.now, called_ns=task.ready,
        code=("the next synchronise", code),
    )  # fmt: skip
    return TaskFault(code, text + _tail(plan, task, cure), reported=True)


def overtime(plan: Plan, task: Task, what: str) -> TaskFault:
    """The kernel still runs when its time limit ends."""
    code = TIME_OUT[plan.core]
    seconds = plan.timeout_ns / 1e9
    text = f"kernel `{plan.kernel.name}` still ran at its time limit of {seconds:g} s: {what}"
    plan.sim.report(
        "task-fault", "error", text, launch_sites(plan, task, True), streams=_streams(plan, task),
        time_ns=plan.sim.scheduler.now, called_ns=task.ready, code=("the next synchronise", code),
        fix="aclrtSetOpExecuteTimeOut or the launch attribute TIMEOUT sets another limit",
    )  # fmt: skip
    return TaskFault(code, text + _tail(plan, task), reported=True)


def _trap_code(plan: Plan, core: str) -> int:
    chosen = int(plan.sim.profile.switches["trap_code"])
    if core == "aic":
        return (
            ACL_ERROR_RT_AICORE_TRAP_EXCEPTION
            if chosen == ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION
            else EXCEPTION["aic"]
        )
    return chosen if core == "aiv" else EXCEPTION[core]


def _life(allocation: Any) -> list[Site]:
    """Where an allocation was freed and made."""
    if allocation is None:
        return []
    sites = [Site("free", f"{allocation.ended()} here", allocation.free_site)] if allocation.free_site else []
    begun = Site("alloc", f"{allocation.size} bytes {allocation.begun()} here", allocation.origin())
    return [*sites, begun] if allocation.site else sites


def _history(plan: Plan, error: OutOfBounds) -> tuple[list[Site], dict[str, Any]]:
    memory, allocation = error.memory, error.memory.allocation
    if allocation is None:
        return [], {}
    made = Site("alloc", f"{allocation.size} bytes allocated here, passed as `{memory.name}`", allocation.site)
    sites = [made] if allocation.site else []
    lo, hi = memory.base + error.lo, memory.base + error.hi
    ranges = [ByteRange(plan.kernel.name, lo, hi)]
    return sites, {"bytes": ByteMap(memory.name, allocation.size, ranges)} if lo >= 0 else {}


# -- what Python's own errors mean in a kernel -----------------------------------------------------------------------


@fenced(lambda trace: ())
def _user_points(trace: TracebackType | None) -> tuple[Point, ...]:
    """The user's frames of a traceback, innermost first, without the simulator's."""
    points: list[Point] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if not own_code(code.co_filename):
            points.append((code, trace.tb_lasti))
        trace = trace.tb_next
    return tuple(reversed(points))


@fenced(lambda plan, block, points, error: "assertion failed")
def _assertion(plan: Plan, block: Any, points: tuple[Point, ...], error: AssertionError) -> str:
    statement = _statement(points, ast.Assert)
    tested = f" `{ast.unparse(statement.test)}`" if isinstance(statement, ast.Assert) else ""
    first = said(error).split("\n", 1)[0]
    more = f": {first}" if first else ""
    if points and block is not None:
        frame = resolve(*points[0])
        block._grid.printed(block, f"[ASSERT] {frame.file}:{frame.line}: Assertion{tested} failed.")
    return f"assertion{tested} failed{more}"


@fenced(lambda plan, error, points: None)
def _translated(plan: Plan, error: BaseException, points: tuple[Point, ...]) -> tuple[str, str, str] | None:
    """(kind, text, cure) where the error has a better name than Python's."""
    text = said(error)
    if isinstance(error, ValueError) and "read-only" in text:
        return _changed_in_place(plan, points)
    indexed = "object does not support item assignment" in text or "object is not subscriptable" in text
    scalar = "invalid index to scalar" in text or (indexed and "numpy." in text)
    if isinstance(error, (TypeError, IndexError)) and scalar:
        cure = "declare the parameter as gm.In[...] if the program passes an address"
        return "kernel-exception", "a number is indexed as if it were memory", cure
    return None


def _changed_in_place(plan: Plan, points: tuple[Point, ...]) -> tuple[str, str, str]:
    """What a gm.In parameter holds was written to: the statement says how."""
    node = _statement(points, ast.AugAssign, ast.Assign)
    target: ast.expr | None = None
    if isinstance(node, (ast.AugAssign, ast.Assign)):
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    inputs = {p.name: p for p in plan.kernel.parameters if p.form == "memory" and not p.memory.writes}
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and isinstance(node, ast.AugAssign):
        found = inputs.get(target.value.id)
        if found is not None:
            what = f"`{ast.unparse(target)} {_sign(node)}= ...`"
            text = f"`{found.name}` is a gm.In parameter, and {what} writes it"
            cure = f"declare `{found.name}: gm.InOut[{found.element}]`, or write to another parameter"
            return "kernel-usage", text, cure
    name = target.value if isinstance(target, ast.Subscript) else target
    if isinstance(name, ast.Name):
        text = f"`{name.id}` is what a gm.In parameter holds, and it is changed in place"
        cure = f"work on a copy: `{name.id} = ... .copy()`, or write `{name.id} = {name.id} + ...`"
        return "kernel-usage", text, cure
    return "kernel-usage", "what a gm.In parameter holds is changed in place", "work on a copy: x[s].copy()"


_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"}


def _sign(node: ast.AugAssign) -> str:
    return _SIGNS.get(type(node.op), "?")


def _statement(points: tuple[Point, ...], *kinds: type[ast.stmt]) -> ast.stmt | None:
    """The innermost statement of one of *kinds* at the innermost point."""
    if not points:
        return None
    frame = resolve(*points[0])
    if not source_line(frame.file, frame.line):
        return None
    tree = tree_of(frame.file)
    if tree is None:
        return None
    found = [
        node for node in nodes_at(tree, frame.line)
        if isinstance(node, kinds) and node.lineno <= frame.line <= (node.end_lineno or node.lineno)
    ]  # fmt: skip
    return max(found, key=lambda node: node.lineno) if found else None
