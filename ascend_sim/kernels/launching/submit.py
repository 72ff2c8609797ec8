"""Queueing a launch: from a function, its arguments and attributes to a task on a stream."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.kernels.language.kernel import Kernel
from ascend_sim.kernels.launching.arguments import ArgsHandle
from ascend_sim.kernels.launching.binaries import Function
from ascend_sim.kernels.launching.launch import HostLaunch, Launch
from ascend_sim.kernels.launching.plan import Plan
from ascend_sim.kernels.launching.registry import KernelRegistry
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.runtime.settings.core_limits import CUBE, VECTOR, cores_in_thread
from ascend_sim.runtime.settings.op_timeouts import execute_limit_ns

if TYPE_CHECKING:
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["DEFAULT", "Attributes", "device_block", "handle_bytes", "launch", "launch_kernel", "launch_op"]

BLOCKS_FIELD = 0xFFFF
"""A launch on A2/A3 keeps 16 bits of numBlocks (docs/semantics/profiles.md#many_blocks)."""
KEPT_PLANS = 256


class Attributes:
    """What a launch configuration says, defaults otherwise."""

    __slots__ = ("batch", "timeout_ns")

    def __init__(self, batch: bool | None = None, timeout_ns: int | None = None) -> None:
        self.batch = batch
        """Schedule mode 1: start only when all cores that the launch needs are free. None: as the kernel says."""
        self.timeout_ns = timeout_ns
        """None: the process's limit; 0: never."""


DEFAULT = Attributes()


def _cores(t: ThreadState, function: Function) -> int:
    """How many blocks can run at once under the limits of the process and of the thread's stream."""
    profile, kind = t.sim.profile, function.kernel.kind
    if function.cpu:
        return max(1, profile.ai_cpus)
    if kind == "aic":
        return cores_in_thread(t, CUBE)
    vector = cores_in_thread(t, VECTOR)
    if kind == "aiv":
        return vector or profile.vector_slots
    ratio = max(1, profile.vector_slots // max(1, profile.cube_cores))
    return min(cores_in_thread(t, CUBE), max(1, vector // ratio))


def launch(
    t: ThreadState, function: Function, blocks: int, stream: Stream, attributes: Attributes, raw: bytes | None,
    address: int = 0, size: int = 0, after: Callable[[], None] | None = None,
) -> Task:  # fmt: skip
    """Queue *function* with *blocks* blocks. Its arguments are *raw*, or lie at a device address; *after* runs behind.

    Raises AclError 107000 for too many blocks on chips that refuse them, and what `Stream.submit` raises.
    """
    return stream.submit(t, launch_op(t, function, blocks, stream, attributes, raw, address, size, after))


def launch_op(
    t: ThreadState, function: Function, blocks: int, stream: Stream, attributes: Attributes, raw: bytes | None,
    address: int = 0, size: int = 0, after: Callable[[], None] | None = None,
) -> Launch:  # fmt: skip
    """The operation that `launch` queues."""
    plan = _plan(t, function, blocks, stream, attributes)
    if raw is None:
        return plan.launch_at(address, size)
    if after is not None and stream.recorder is not None:  # each run of the graph uses it
        stream.recorder.keep(after)
        after = None
    return HostLaunch(plan, raw, after)


def _plan(t: ThreadState, function: Function, blocks: int, stream: Stream, attributes: Attributes) -> Plan:
    device = stream.context.device
    setting = t.sim.process.op_execute_timeout_us
    simple = attributes is DEFAULT and not device.res_limits and t.limit_stream is None
    if simple:
        plan = function.plans.get((blocks, device))
        if plan is not None and plan.setting == setting:
            return plan
    num = _kept(t, blocks)
    kernel, cores = function.kernel, _cores(t, function)
    limit = attributes.timeout_ns if attributes.timeout_ns is not None else execute_limit_ns(t.sim)
    batch = attributes.batch if attributes.batch is not None else kernel.schedmode == 1
    key: tuple[Any, ...] = (blocks, device)
    if not simple:
        key = (num, device, cores, limit, batch)
        plan = function.plans.get(key)
        if plan is not None:
            return plan
    if len(function.plans) >= KEPT_PLANS:
        function.plans.clear()
    plan = Plan(t.sim, function, num, device, cores, limit, batch, setting)
    halved = kernel.kind.startswith("mix") and t.sim.profile.product == "INF"  # how is asked at each launch
    if num == blocks and not (simple and halved):  # what was cut is told at each launch
        function.plans[key] = plan
    return plan


def _kept(t: ThreadState, blocks: int) -> int:
    """How many blocks really run. Raises AclError 107000 where the chip refuses so many."""
    if blocks <= BLOCKS_FIELD:
        return blocks
    if t.sim.profile.switches["many_blocks"] == ACL_ERROR_RT_PARAM_INVALID:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"numBlocks is {blocks}: at most {BLOCKS_FIELD} are possible")
    kept = blocks & BLOCKS_FIELD
    t.sim.report_call(
        t, "undefined-use", "warning", f"numBlocks is {blocks}: the launch keeps 16 bits of it, {kept} blocks run"
    )
    return kept


def device_block(
    t: ThreadState, stream: Stream, raw: bytes, holders: Sequence[tuple[int, int]]
) -> tuple[bytes, Callable[[], None] | None]:
    """*raw* with the place holders patched: each (slot offset, data offset) gets the device address of its data.

    The data lies in a device block of the launch's own, which lives until the task has run.
    """
    if not holders:
        return raw, None
    memory = t.sim.memory
    device = stream.context.device.index
    try:
        block = memory.allocate(device, len(raw), -(-len(raw) // 32) * 32, site=t.site, thread=t.number)
    except OutOfMemory as error:
        raise AclError(ACL_ERROR_RT_MEMORY_ALLOCATION, str(error), "driver") from None
    patched = bytearray(raw)
    for slot, data in holders:
        patched[slot : slot + 8] = struct.pack("<Q", block.address + data)[: max(0, len(patched) - slot)]
    memory.view(block.address, len(raw), True)[:] = bytearray(patched)

    def free() -> None:
        if not block.freed:
            memory.free(block)

    return bytes(patched), free


def handle_bytes(t: ThreadState, handle: ArgsHandle, kernel: Kernel) -> tuple[bytes, list[tuple[int, int]]]:
    """The block of an args handle as it is now, laid out for *kernel*, and its place holders.

    A handle knows where its parameters lie, so the kernel's own layout does not matter
    (docs/semantics/kernels.md#arguments): each parameter goes to its place in that layout, place holder data behind all
    of them.
    """
    given = len(handle.parameters)
    if given > len(kernel.parameters):
        has = f"kernel `{kernel.name}` has {len(kernel.parameters)} parameters"
        text = f"{has}, {given} were appended to its args handle"
        t.sim.report_call(t, "kernel-args", "warning", text)
    declared = kernel.parameters[:given]
    end = max((kernel.fields[p.name][1] + kernel.fields[p.name][0].itemsize for p in declared), default=0)
    raw = bytearray(-(-max(end, 8) // 8) * 8 if given >= len(kernel.parameters) else end)
    holders: list[tuple[int, int]] = []
    for parameter, wanted in zip(handle.parameters, declared, strict=False):
        dtype, offset = kernel.fields[wanted.name]
        if parameter.place_holder and not parameter.data_size:
            holders.append((offset, 0))  # its buffer was never asked for: it points to the start of the block
            continue
        if parameter.place_holder:
            raw += bytes(-len(raw) % 8)
            holders.append((offset, len(raw)))
            raw += handle.buffer.read(parameter.data, parameter.data_size)
            continue
        value = handle.buffer.read(parameter.offset, parameter.size)[: dtype.itemsize]
        if len(value) < dtype.itemsize:
            text = f"kernel `{kernel.name}`: `{wanted.name}` takes {dtype.itemsize} bytes, {len(value)} were appended"
            t.sim.report_call(t, "kernel-args", "warning", text)
        raw[offset : offset + len(value)] = value
    return bytes(raw), holders


def launch_kernel(t: ThreadState, kernel: Kernel, blocks: int, stream: Any, raw: bytes) -> None:
    """What ``kernel[blocks, stream](...)`` does in its call: *stream* is a handle, or an object that has one.

    Raises AclError as aclrtLaunchKernelWithHostArgs fails.
    """
    if blocks < 1:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{kernel.name}[{blocks}]: at least one block is required")
    target = t.submit_stream(int(getattr(stream, "handle", stream) or 0))
    plan = _plan(t, t.sim.part(KernelRegistry).function_of(kernel), int(blocks), target, DEFAULT)
    target.submit(t, HostLaunch(plan, raw or bytes(8), None))
