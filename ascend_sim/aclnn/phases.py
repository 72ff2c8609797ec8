"""The two phases of an operator: the first checks its operands and makes an executor, the second queues a task.

What the first phase found out for operands of some types and shapes is kept as a plan: the next call with such operands is
looked up and not checked again (docs/semantics/aclnn.md#first-phase).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ascend_sim.aclnn import loading
from ascend_sim.aclnn.codes import NO_KERNEL
from ascend_sim.aclnn.costs import cost_of
from ascend_sim.aclnn.objects import ObjectList, TensorView
from ascend_sim.aclnn.rules import check
from ascend_sim.aclnn.running import Operand, Run
from ascend_sim.aclnn.windows import Window, Windows
from ascend_sim.constants.errors import ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_VECTOR_CORE_EXCEPTION
from ascend_sim.errors import AclError
from ascend_sim.machine.profiles import COUPLED
from ascend_sim.runtime.settings.core_limits import CUBE, VECTOR, cores_of_stream
from ascend_sim.runtime.task import Access, Op
from ascend_sim.runtime.tensors.descriptors import live

if TYPE_CHECKING:
    from ascend_sim.aclnn.bodies import Body
    from ascend_sim.aclnn.objects import Layout
    from ascend_sim.aclnn.operators import OperatorSpec
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Executor", "Plan", "prepare", "queue"]

KEPT_PLANS: Final = 4096
KEPT_USES: Final = 2048
BLOCK_BYTES: Final = 32 << 10
"""A core is used for each so many bytes: a guess at the tiling of the real operators."""

_access = tuple.__new__


class Plan:
    """What was found out about an operator with operands of some types and shapes."""

    __slots__ = ("body", "code", "cost", "empty", "kind", "operands", "slots", "straight", "torch")

    def __init__(
        self, body: Body, torch: bool, operands: tuple[Operand, ...], cost: int, cube: bool, empty: bool, blocks: int,
        straight: Body | None, sim: Runtime,
    ) -> None:  # fmt: skip
        self.body = body
        self.straight = straight
        """The body that writes into the outputs themselves, when types and shapes let it."""
        self.torch = torch
        self.operands = operands
        """Its tensors: where they are among the arguments."""
        self.cost = cost
        self.kind = CUBE if cube else VECTOR
        on_cube = cube or sim.profile.family in COUPLED
        self.code = ACL_ERROR_RT_AICORE_EXCEPTION if on_cube else ACL_ERROR_RT_VECTOR_CORE_EXCEPTION
        """What a failure of the task gives."""
        self.slots = blocks
        """Cores that it can use."""
        self.empty = empty
        """Nothing is to be computed: no task is queued."""


class Use:
    """A plan at certain addresses: what the task of such an operator needs."""

    __slots__ = ("accesses", "body", "pinned", "windows")

    def __init__(self, plan: Plan, windows: list[Window]) -> None:
        self.windows = windows
        self.accesses = tuple(
            Access(window.address, window.address + window.layout.nbytes, operand.place.written)
            for operand, window in zip(plan.operands, windows, strict=True)
            if window.block is not None
        )
        self.pinned = [
            (operand, window) for operand, window in zip(plan.operands, windows, strict=True) if window.pinned
        ]
        self.body = plan.body if plan.straight is None or _overlap(plan.operands, windows) else plan.straight

    def lasts(self) -> bool:
        """Whether it can serve again: all memory is as it was."""
        for window in self.windows:
            block = window.block
            if block is None:
                if window.layout.nbytes:
                    return False
            elif block.freed or not window.own:
                return False
        return True


def _overlap(operands: Iterable[Operand], windows: list[Window]) -> bool:
    """Whether an output lies on a part of another operand: not on all of it, and not beside it."""
    pairs = list(zip(operands, windows, strict=True))
    for out in [window for operand, window in pairs if operand.place.written]:
        lo, hi = out.address, out.address + out.layout.nbytes
        for _, other in pairs:
            begin, end = other.address, other.address + other.layout.nbytes
            if begin < hi and lo < end and (begin, end) != (lo, hi):
                return True
    return False


class Room:
    """What a simulator keeps about operators."""

    def __init__(self, sim: Runtime) -> None:
        self.plans: dict[tuple[Any, ...], Plan] = {}
        self.windows = Windows(sim)
        self.uses: dict[tuple[Any, ...], Use] = {}
        """By the plan, the device, the layouts and the addresses."""

    def use(self, plan: Plan, views: list[TensorView], device: int) -> Use:
        """*plan* for the tensors *views*, as *device* sees them."""
        key = (plan, device, *[part for view in views for part in (view.key, view.address)])
        known = self.uses.get(key)
        if known is not None and known.lasts():
            return known
        if len(self.uses) >= KEPT_USES:
            self.uses.clear()
        made = self.uses[key] = Use(plan, [self.windows.find(view.key, view.address, device) for view in views])
        return made


class Executor:
    """What the first phase hands to the second."""

    __slots__ = ("arguments", "handle", "operator", "plan", "repeatable", "site", "things", "thread", "views")

    def __init__(
        self, t: ThreadState, operator: OperatorSpec, plan: Plan, things: list[Any], arguments: list[Any]
    ) -> None:
        self.handle = 0
        self.thread = t
        self.site = t.site
        self.operator = operator
        self.plan = plan
        self.things = things
        """The tensors, scalars and values as they were given."""
        self.arguments = arguments
        """The values of the scalars and arrays when the first phase ran: these may be destroyed since."""
        self.repeatable = False
        self.views: list[TensorView] = [
            things[operand.index] if operand.inside < 0 else things[operand.index].elements[operand.inside]
            for operand in plan.operands
        ]

    def describe(self) -> str:
        """The executor in words."""
        return self.operator.executor


def prepare(t: ThreadState, operator: OperatorSpec, handles: Sequence[Any]) -> Executor:
    """The first phase for these arguments. Raises AclError 161001 for a missing operand, 161002 for operands that do not
    fit, 561003 without a body. What is no object is NULL, with a finding."""
    known = t.sim.handles
    things: list[Any] = []
    arguments: list[Any] = []
    signature: list[Any] = [operator]
    for place, handle in zip(operator.places, handles, strict=True):
        kind = place.kind
        if kind is None:
            value = bool(handle) if place.flag else handle
            things.append(value)
            arguments.append(value)
            signature.append(value)
            continue
        thing = known.get(handle)
        if type(thing) is not kind:
            thing = live(t, handle or 0, kind, place.label)
            if thing is None:
                things.append(None)
                arguments.append(None)
                signature.append(None)
                continue
        things.append(thing)
        arguments.append(thing.argument)  # type: ignore[attr-defined]
        signature.append(thing.key)  # type: ignore[attr-defined]
    key = tuple(signature)
    plans = t.sim.part(Room).plans
    plan = plans.get(key)
    if plan is None or (plan.torch is False and loading.torch_wanted(operator.name)):
        plan = _plan(t, operator, things)
        if len(plans) >= KEPT_PLANS:
            plans.clear()
        plans[key] = plan
    return Executor(t, operator, plan, things, arguments)


def _plan(t: ThreadState, operator: OperatorSpec, things: list[Any]) -> Plan:
    check(operator, things)
    found = loading.body_of(operator.name)
    if found is None:
        raise _missing(t, operator, "no body")
    body, torch = found
    operands: list[Operand] = []
    layouts: list[tuple[Layout, bool, bool]] = []
    for index, (place, thing) in enumerate(zip(operator.places, things, strict=True)):
        elements = thing.elements if isinstance(thing, ObjectList) else (thing,)
        for inside, element in enumerate(elements):
            if isinstance(element, TensorView):
                operands.append(Operand(place, index, inside if thing is not element else -1, element.key))
                layouts.append((element.key, place.read, place.written))
                if not _computed(element.key, index, getattr(body, "float8", None)):
                    raise _missing(t, operator, f"{place.name} is {element.key.describe()}, which is not computed here")
    nbytes = sum(layout.numel * _width(layout) for layout, _, _ in layouts)
    cube = operator.kind.cost != "vector"
    cost = cost_of(t.sim.profile, operator, things, layouts)
    empty = operator.kind.rule == "elementwise" and not any(layout.numel for layout, _, written in layouts if written)
    straight = None
    if operator.kind.rule == "elementwise" and all(_is_dense(layout) for layout, _, _ in layouts):
        straight = getattr(body, "straight", None)
    return Plan(body, torch, tuple(operands), cost, cube, empty, max(1, -(-nbytes // BLOCK_BYTES)), straight, t.sim)


def _computed(layout: Layout, index: int, float8: frozenset[int] | None) -> bool:
    """Whether a body takes elements of this type at *index*; *float8*: where it takes floats of 8 bits, None for all."""
    element = layout.element
    return element is not None and (float8 is None or index in float8 or not element.name.startswith("float8"))


def _is_dense(layout: Layout) -> bool:
    return layout.contiguous and layout.element is not None and layout.element.name == "float32"


def _width(layout: Layout) -> int:
    return layout.element.carrier.itemsize if layout.element is not None else 1


def _missing(t: ThreadState, operator: OperatorSpec, why: str) -> AclError:
    text = f"{operator.name} is not modelled: {why}"
    t.sim.report_call(t, "not-modelled", "warning", text, by_title=True)
    return AclError(NO_KERNEL, text, "acl")


def queue(t: ThreadState, executor: Executor, stream: int) -> None:
    """The second phase. Raises AclError for a stream that cannot take a task."""
    target = t.submit_stream(stream)
    plan, operator = executor.plan, executor.operator
    if plan.empty:
        return
    sim = t.sim
    known, room = sim.handles, sim.part(Room)
    views = executor.views
    for operand, view in zip(plan.operands, views, strict=True):
        if view.handle not in known:
            _note_destroyed(t, operator, operand)
    use = room.use(plan, views, target.context.device.index)
    for operand, window in use.pinned:
        _note_pinned(t, operator, operand, window)
    cores = cores_of_stream(target, plan.kind) or sim.profile.vector_slots
    slots = cores if cores < plan.slots else plan.slots
    action = Run(operator.name, use.body, plan.torch, executor.arguments, plan.operands, use.windows, views, plan.code,
        operator.moves)
    engine = "aic" if plan.kind == CUBE else "aiv"
    if (
        executor.thread is not t
    ):  # a queue of the framework's between the phases: the program stood where the first one was
        t.site = executor.site
    target.submit(t, Op(operator.task, plan.cost, action, engine=engine, slots=slots, least=1, accesses=use.accesses))


def _note_pinned(t: ThreadState, operator: OperatorSpec, operand: Operand, window: Window) -> None:
    """Page-locked host memory by its host address: the driver may map it."""
    what = t.sim.memory.describe(window.address).partition(", ")[2]
    t.sim.report_call(
        t, "undefined-use", "warning",
        f"{operator.name}: {operand.place.name} is {what}: not every driver maps it for devices",
        fix="use device memory, or register it and pass what aclrtHostGetDevicePointer gives",
    )  # fmt: skip


def _note_destroyed(t: ThreadState, operator: OperatorSpec, operand: Operand) -> None:
    """The real library reads the tensors of the first phase again, wherever they were: a finding when they are gone."""
    text = f"{operator.name}: {operand.place.name} was destroyed between the two phases, which both use it"
    t.sim.report_call(t, "undefined-use", "error", text, fix=f"destroy it after {operator.name} has returned")
