"""Queueing a launch: from a function, its arguments and attributes to a task on a stream."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.errors import AclError
from ascend_sim.kernels.arguments import ArgsHandle
from ascend_sim.kernels.binaries import Function
from ascend_sim.kernels.kernel import Kernel
from ascend_sim.kernels.running import Arguments, HostArguments, Launch
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.runtime.core_limits import CUBE, VECTOR, cores_in_thread
from ascend_sim.runtime.op_timeouts import execute_limit_ns
from ascend_sim.runtime.task import Op, Task

if TYPE_CHECKING:
    from ascend_sim.runtime.device import Device
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.simulator import Simulator

__all__ = ["Attributes", "device_block", "handle_bytes", "launch", "launcher"]

BLOCKS_FIELD = 0xFFFF
"""A launch on A2/A3 keeps 16 bits of numBlocks (``spec/memory/semantics.md`` 7)."""


class Attributes:
    """What a launch configuration says, defaults otherwise."""

    __slots__ = ("batch", "timeout_ns")

    def __init__(self, batch: bool = False, timeout_ns: int | None = None) -> None:
        self.batch = batch
        """Schedule mode 1: start only when all cores that the launch needs are free."""
        self.timeout_ns = timeout_ns
        """None: the process's limit; 0: never."""


def execute_timeout_ns(sim: Simulator) -> int:
    """The process's limit of a kernel in virtual ns; 0: none."""
    return execute_limit_ns(sim)


def _cores(t: ThreadState, engine: str) -> int:
    """How many blocks can run at once under the limits of the process and of the thread's stream."""
    if engine == "aic":
        return cores_in_thread(t, CUBE)
    if engine == "aiv":
        return cores_in_thread(t, VECTOR) or t.sim.profile.vector_slots
    ratio = max(1, t.sim.profile.vector_slots // max(1, t.sim.profile.cube_cores))
    return min(cores_in_thread(t, CUBE), max(1, cores_in_thread(t, VECTOR) // ratio))


KEPT_OPERATIONS = 256
ENGINES = {"aiv": "aiv", "aic": "aic", "mix11": "mix", "mix12": "mix"}
DEFAULT = Attributes()


def launch(
    t: ThreadState,
    function: Function,
    blocks: int,
    source: type[Arguments],
    where: tuple[Any, ...],
    stream: Stream,
    attributes: Attributes = DEFAULT,
    after: Callable[[], None] | None = None,
) -> Task:
    """Queue *function* with *blocks* blocks; `source(memory, *where)` gives the argument bytes, *after* runs behind.

    An operation is reusable: launches that are alike (same place or bytes of arguments) share one.
    """
    sim = t.sim
    device = stream.context.device
    if after is None and attributes is DEFAULT and not device.res_limits and t.limit_stream is None:
        shared = sim.kernels.operations
        key = (function, blocks, where, device, sim.process.op_execute_timeout_us)
        op = shared.get(key)
        if op is None:
            if len(shared) >= KEPT_OPERATIONS:
                shared.clear()
            op = _operation(t, function, blocks, source(sim.memory, *where), device, attributes, None)
            if blocks <= BLOCKS_FIELD:
                shared[key] = op
        return stream.submit(t, op)
    return stream.submit(t, _operation(t, function, blocks, source(sim.memory, *where), device, attributes, after))


def _operation(
    t: ThreadState,
    function: Function,
    blocks: int,
    source: Arguments,
    device: Device,
    attributes: Attributes,
    after: Callable[[], None] | None,
) -> Op:
    sim, kernel = t.sim, function.kernel
    if blocks > BLOCKS_FIELD:
        mode = sim.profile.switches["many_blocks"]
        if mode == 107000:
            raise AclError(107000, f"numBlocks is {blocks}: at most {BLOCKS_FIELD} are possible")
        sim.report_call(
            t,
            "undefined-use",
            "warning",
            f"numBlocks is {blocks}: the launch keeps 16 bits of it, {blocks & BLOCKS_FIELD} blocks run",
        )
        blocks &= BLOCKS_FIELD
    timeout = attributes.timeout_ns if attributes.timeout_ns is not None else execute_timeout_ns(sim)
    run = Launch(sim, kernel, blocks, device.index, source, timeout)
    engine = ENGINES[kernel.kind]
    slots = max(1, min(blocks, _cores(t, engine)))
    action = run.action if after is None else _finishing(run, after)
    least = slots if attributes.batch else 1
    return Op(f"kernel {kernel.name}", 0, action, engine=engine, slots=slots, least=least, begin=run.begin)


def _finishing(run: Launch, after: Callable[[], None]) -> Callable[[Task, int], Any]:
    def action(task: Task, time: int) -> Any:
        try:
            return run.action(task, time)
        finally:
            after()

    return action


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
        raise AclError(207001, str(error), "driver") from None
    patched = bytearray(raw)
    for slot, data in holders:
        patched[slot : slot + 8] = struct.pack("<Q", block.address + data)[: max(0, len(patched) - slot)]
    memory.view(block.address, len(raw), True)[:] = bytearray(patched)

    def free() -> None:
        if not block.freed:
            memory.free(block)

    return bytes(patched), free


def handle_bytes(handle: ArgsHandle) -> tuple[bytes, list[tuple[int, int]]]:
    """The block of an args handle as it is now, laid out for its kernel, and its place holders.

    A handle knows where its parameters lie, so the kernel's own layout does not matter (``surprises.md`` 36): each
    parameter goes to its place in that layout, place holder data behind all of them.
    """
    kernel = handle.function.kernel
    raw = bytearray(-(-max(kernel.needed, 8) // 8) * 8)
    holders: list[tuple[int, int]] = []
    stored = handle.buffer.tobytes()
    for parameter, declared in zip(handle.parameters, kernel.parameters, strict=False):
        dtype, offset = kernel.fields[declared.name]
        if parameter.place_holder:
            holders.append((offset, len(raw)))
            raw += stored[parameter.data : parameter.data + parameter.data_size]
            raw += bytes(-len(raw) % 8)
        else:
            value = stored[parameter.offset : parameter.offset + parameter.size][: dtype.itemsize]
            raw[offset : offset + len(value)] = value
    return bytes(raw), holders


def launcher(kernel: Kernel, blocks: int, stream: Any) -> Callable[..., None]:
    """What ``kernel[blocks, stream]`` gives: packs its arguments and launches in the current simulator."""
    from ascend_sim import simulator

    def run(*arguments: Any) -> None:
        raw = kernel.pack(*arguments)
        t = simulator.this_thread()
        if blocks < 1:
            raise AclError(107000, f"{kernel.name}[{blocks}]: at least one block is required")
        handle = getattr(stream, "handle", stream) or 0
        function = t.sim.kernels.functions.get(kernel)
        if function is None:
            function = t.sim.kernels.functions[kernel] = Function(kernel, None)
        launch(t, function, blocks, HostArguments, (raw,), t.submit_stream(handle))

    return run
