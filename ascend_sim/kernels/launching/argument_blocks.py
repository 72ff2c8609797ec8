"""Argument blocks in device memory: finding them when the task runs, and what can be wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.kernels.language.errors import BadPointer
from ascend_sim.kernels.launching import faults
from ascend_sim.kernels.launching.binding import PINNED, look_at_pinned
from ascend_sim.runtime.memory.pools.tasks import meant_by
from ascend_sim.runtime.memory.told import tell_access
from ascend_sim.runtime.memory.transfers import wait_before_free

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.launch import Launch
    from ascend_sim.kernels.launching.plan import Plan
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.task import Task

__all__ = ["look_at_size", "read_block"]


def read_block(launch: Launch, task: Task) -> bytes:
    """The argument bytes as they are now; observers hear of the read. Raises TaskFault when they are not there."""
    plan, address, size = launch.plan, launch.address, launch.size
    allocation = plan.memory.find(address)
    if allocation is not None and allocation.pool is not None:
        allocation = meant_by(allocation, task, address)  # type: ignore[arg-type]
    start = address - allocation.address if allocation is not None else 0
    if (
        allocation is None
        or allocation.freed
        or allocation.device != plan.device.index
        or start + size > allocation.capacity
    ):
        _look(launch, task, allocation, start)
    assert allocation is not None
    if plan.hooks.accessed is not None:
        tell_access(plan.hooks, task, allocation, start, start + size, False)
    plan.memory.reach(allocation, start, size)
    assert allocation.bytes is not None
    if allocation.settled() and not allocation.freed and allocation.pool is None and allocation.pieces is None:
        plan.place = (allocation.address, allocation.address + allocation.size, plan.memory.frees, allocation.bytes)
    raw: bytes = allocation.bytes[start : start + size].tobytes()
    return raw


def _look(launch: Launch, task: Task, allocation: Allocation | None, start: int) -> None:
    """Why the argument block cannot be read. Raises TaskFault, or reports it only."""
    plan = launch.plan
    index = plan.device.index
    what = f"its argument block is {plan.memory.describe(launch.address).partition(', ')[2]}"
    if allocation is None or (allocation.device < 0 and allocation.kind not in ("host", "managed")):
        raise faults.argument_fault(plan, task, "out-of-bounds", f"{what}: device memory is required")
    if allocation.kind == "host" and not allocation.freed:
        try:
            look_at_pinned(plan.device, what, allocation)
        except BadPointer as error:
            if error.kind == PINNED:
                faults.report_pinned(plan, task, error)
            else:
                raise faults.argument_fault(plan, task, error.kind, error.text, allocation=allocation) from None
    if allocation.freed:
        raise faults.argument_fault(  # what lies there now are no addresses: the kernel would stop at the first
            plan, task, "use-after-free", f"{what}: it must stay until the task has run",
            wait_before_free(task, allocation.kind, allocation.free_site), allocation,
        )  # fmt: skip
    if allocation.device not in (index, -1):
        raise faults.argument_fault(plan, task, "out-of-bounds", f"{what}, on device {allocation.device}")
    if start + launch.size > allocation.capacity:
        text = f"{what}: {launch.size} bytes from there end past it"
        raise faults.argument_fault(plan, task, "out-of-bounds", text)


def look_at_size(plan: Plan, task: Task, size: int) -> None:
    """The argument block is shorter or longer than the parameters. Raises TaskFault when it is shorter."""
    kernel = plan.kernel
    slots = 8 * len(kernel.parameters)
    cure = "the buffer fits 8-byte slots: @kernel(args='slots')" if size == slots and not kernel.slots else ""
    if size < kernel.needed:
        text = f"needs {kernel.needed} bytes of arguments, the launch gave {size}"
        raise faults.argument_fault(plan, task, "kernel-args", text, cure)
    if cure:
        text = f"kernel `{kernel.name}` reads {kernel.needed} bytes of arguments with C alignment"
        plan.sim.report(
            "kernel-args", "warning", f"{text}, the launch gave {size}", [faults.launch_site(plan, task, True)],
            fix=cure,
        )  # fmt: skip
