"""A launch as an operation of a stream: it takes cores, reads its arguments, runs its blocks, and takes its time.

Blocks run when the task ends (effects appear then); only kernels that wait for cores have run some of them before.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ascend_sim.callsite import points_of
from ascend_sim.kernels import faults
from ascend_sim.kernels.accesses import tell
from ascend_sim.kernels.binding import Bound, bind
from ascend_sim.kernels.cores import KernelLimit, get_cores
from ascend_sim.kernels.grid import Grid, Segments, Waiting
from ascend_sim.kernels.memory import Memory
from ascend_sim.kernels.overflow import Overflow
from ascend_sim.kernels.usage import BadPointer
from ascend_sim.runtime.task import Op, Pause, Steps, Task, TaskFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_sim.kernels.binaries import Function
    from ascend_sim.machine.blocks import Block as Allocation
    from ascend_sim.runtime.device import Device
    from ascend_sim.simulator import Simulator

__all__ = ["Launch", "Plan"]

KEPT_ARGUMENTS = 64
COUPLED = ("910", "310p")
"""Families whose AI core has both units: every kernel runs on it (``kernel_model.md`` 1)."""

ENGINES: dict[str, str | None] = {"aiv": "aiv", "aic": "aic", "mix11": "mix", "mix12": "mix", "cpu": None}


class Plan:
    """What the launches of one function with the same number of blocks on a device have in common."""

    __slots__ = (
        "bounds", "core", "cores", "cost_ns", "device", "engine", "function", "grid", "kernel", "kind", "least", "num",
        "reorders", "setting", "sim", "slots", "stepwise", "timeout_ns",
    )  # fmt: skip

    def __init__(
        self, sim: Simulator, function: Function, num: int, device: Device, cores: int, timeout_ns: int, batch: bool,
        setting: int | None,
    ) -> None:  # fmt: skip
        self.sim = sim
        self.function = function
        self.kernel = kernel = function.kernel
        self.kind = f"kernel {kernel.name}"
        self.num = num
        self.device = device
        self.cores = max(1, min(num, cores))
        """Cores (or groups of them) that it uses at most."""
        self.least = self.cores if batch else 1
        """With so many it starts: batch mode waits until all of them are free."""
        self.timeout_ns = timeout_ns
        """After this time (virtual ns) a kernel that still runs is ended; 0: never."""
        self.setting = setting
        """The time limit of the process (µs) when it was made: another one needs another plan."""
        coupled = sim.profile.family in COUPLED
        self.core = "cpu" if function.cpu else "aiv" if kernel.kind == "aiv" and not coupled else "aic"
        """The kind of core that decides on the codes of faults."""
        self.cost_ns = sim.profile.costs.kernel_ns
        self.bounds: dict[bytes, Bound] = {}
        """Resolved arguments by their bytes."""
        self.engine: str | None = None if function.cpu else ENGINES[kernel.kind]
        """Whose slots it takes."""
        self.reorders = sim.scheduler.schedule.reorders
        """Blocks of several kernels may come between each other: each block is a step of its own."""
        self.stepwise = kernel.waits or (self.reorders and not kernel.batch)
        one_by_one = self.reorders and kernel.waits and not batch
        self.slots = 1 if one_by_one else self.cores
        """How many it asks for at its start; where schedules reorder, blocks that wait take one after the other."""
        self.grid = self.new_grid()

    def new_grid(self) -> Grid:
        """Blocks for a run."""
        return Grid(self.kernel, self.num, self.cores, self.sim.kernels.printer)


class Launch(Op):
    """One launch of a kernel: a plan, and where its argument bytes come from.

    They are a copy made at the call (*raw*), or lie in device memory (*address*, *size*) and are read when the task
    runs. *after* is called when it has ended.
    """

    __slots__ = ("_block", "_view", "address", "after", "plan", "raw", "size")

    # The same for all of them: one store less each. `kind`, `engine`, `slots` and `least` are the plan's.
    cost = 0
    gate = None
    accesses = ()
    timeout = 0
    hosted = False
    plain = False

    def __init__(
        self, plan: Plan, raw: bytes | None, address: int = 0, size: int = 0, after: Callable[[], None] | None = None
    ) -> None:
        self.plan = plan
        self.raw = raw
        self.address = address
        self.size = size
        self.after = after
        self.kind = plan.kind
        self.engine = plan.engine
        self.slots = plan.slots
        self.least = plan.least
        self._block: Allocation | None = None
        self._view: Any = None

    def begin(self, task: Task, held: int, time: int) -> int:
        """The task starts with *held* core slots: what it takes (ns), in waves when there are more blocks."""
        plan = self.plan
        cost = plan.cost_ns
        if plan.num > held:
            cost *= -(-plan.num // (held if held and not plan.reorders else plan.cores))
        limit = plan.timeout_ns
        return limit if cost > limit > 0 else cost

    def action(self, task: Task, time: int) -> Steps | None:
        """Run the blocks. Raises TaskFault; what takes further time, or has to wait for cores, goes on in steps."""
        plan = self.plan
        sim = plan.sim
        hooks = sim.hooks
        raw = self.raw
        if raw is None:
            raw = self._read(task)
        if 0 < plan.timeout_ns <= time - task.start:
            raise faults.overtime(plan, task, f"{plan.num} blocks on {task.stream.held} cores")
        watched = hooks.accessed is not None or hooks.blocks_ran is not None
        bound = plan.bounds.get(raw)
        if bound is None or watched or not bound.live():
            bound = self._bind(task, raw, [] if watched else None)
        grid = plan.grid
        kernel = plan.kernel
        if plan.stepwise or watched or grid.busy or sim.order is not range or self.after is not None:
            return self._steps(task, bound)
        if task.stream.overflow_check or not plan.device.sat_mode:
            return self._steps(task, bound)
        if grid.used:
            grid.begin()
        function, arguments = kernel.function, bound.arguments
        block = None
        try:
            for block in grid.blocks:
                function(block, *arguments)
        except Exception as error:
            raise faults.block_fault(plan, task, block, error) from error
        return self._rest(task, grid) if grid.declared else None

    # -- arguments ----------------------------------------------------------------------------------------------------

    def _read(self, task: Task) -> bytes:
        """The argument bytes in device memory as they are now. Raises TaskFault when they are not there."""
        block = self._block
        sim = self.plan.sim
        if block is None or block.freed:
            block = self._find(task)
        if sim.hooks.accessed is not None:
            lo = self.address - block.address
            for observe in sim.hooks.accessed:
                observe(task, block, lo, lo + self.size, False)
        raw: bytes = self._view.tobytes()
        return raw

    def _find(self, task: Task) -> Allocation:
        plan, memory = self.plan, self.plan.sim.memory
        block = memory.find(self.address)
        what = f"its argument block is {memory.describe(self.address)}"
        if block is None or (block.device < 0 and block.kind not in ("host", "managed")):
            raise faults.argument_fault(plan, task, "out-of-bounds", f"{what}: device memory is required")
        if block.freed and block.device == plan.device.index:
            text = f"{what}: it must stay until the task has run"
            fault = faults.argument_fault(plan, task, "use-after-free", text)
            if plan.sim.profile.switches["freed_memory_in_kernel"] == "fault":
                raise fault
        elif block.device not in (plan.device.index, -1):
            raise faults.argument_fault(plan, task, "out-of-bounds", f"{what}, on device {block.device}")
        start = self.address - block.address
        if start + self.size > block.capacity:
            text = f"{what}: {self.size} bytes from there end past it"
            raise faults.argument_fault(plan, task, "out-of-bounds", text)
        memory.reach(block, start, self.size)
        assert block.bytes is not None
        self._block, self._view = block, block.bytes[start : start + self.size]
        return block

    def _bind(self, task: Task, raw: bytes, log: list[int] | None) -> Bound:
        """Resolve the arguments. Raises TaskFault: too few bytes."""
        plan = self.plan
        kernel = plan.kernel
        if len(raw) < kernel.needed:
            text = f"needs {kernel.needed} bytes of arguments, the launch gave {len(raw)}"
            slots = 8 * len(kernel.parameters)
            fits = not kernel.slots and len(raw) == slots
            cure = "the buffer fits 8-byte slots: @kernel(args='slots')" if fits else ""
            raise faults.argument_fault(plan, task, "kernel-args", text, cure)
        if len(raw) == 8 * len(kernel.parameters) > kernel.layout.itemsize and not kernel.slots:
            plan.sim.report(
                "kernel-args", "warning",
                f"kernel `{kernel.name}` reads {kernel.needed} bytes of arguments with C alignment, the launch gave "
                f"{len(raw)}, which is 8 for each parameter",
                [faults.launch_site(plan, task, True)], fix="if every parameter has a slot of 8: @kernel(args='slots')",
            )  # fmt: skip

        def used_after_free(memory: Memory[Any], error: BadPointer) -> None:
            if plan.sim.profile.switches["freed_memory_in_kernel"] == "fault":
                raise error
            faults.report_use_after_free(plan, task, memory, error, points_of(sys._getframe(1)))

        bound = bind(kernel, raw, plan.sim.memory, plan.device, log, used_after_free)
        if bound.keep:
            if len(plan.bounds) >= KEPT_ARGUMENTS:
                plan.bounds.clear()
            plan.bounds[raw] = bound
        return bound

    # -- for exception callbacks --------------------------------------------------------------------------------------

    def exception_callback(self, handle: int) -> None:
        """Tell the binary's own callback of a failure; *handle* is its exception info."""
        binary = self.plan.function.binary
        if binary is not None and binary.exception_callback is not None:
            function, user_data = binary.exception_callback
            function(handle, user_data)

    def device_arguments(self) -> tuple[int, int]:
        """Device address and size of the arguments; those of the host get a device block of their own."""
        if self.raw is None:
            return self.address, self.size
        if not self.address:
            memory = self.plan.sim.memory
            block = memory.allocate(self.plan.device.index, len(self.raw), -(-len(self.raw) // 32) * 32)
            memory.view(block.address, len(self.raw), True)[:] = bytearray(self.raw)
            self.address = block.address
        return self.address, len(self.raw)

    # -- in steps -----------------------------------------------------------------------------------------------------

    def _steps(self, task: Task, bound: Bound) -> Steps:
        """The run of a launch that needs more than one step, or that somebody watches."""
        plan = self.plan
        grid = plan.grid if not plan.grid.busy else plan.new_grid()
        grid.begin()
        grid.busy = True
        watched = bound.log is not None
        grid.segments = Segments(bound.log) if bound.log is not None else None
        detect = task.stream.overflow_check or not plan.device.sat_mode
        overflow = Overflow(plan, task) if detect else None
        try:
            try:
                if plan.kernel.waits:
                    yield from self._waiting(task, grid, bound, overflow)
                else:
                    yield from self._one_by_one(task, grid, bound, overflow)
            except TaskFault:
                if watched:
                    tell(plan.sim.hooks, task, bound, grid)
                raise
            if watched:
                tell(plan.sim.hooks, task, bound, grid)
            yield from self._rest(task, grid)
            if overflow is not None:
                overflow.conclude()
        finally:
            grid.busy = False
            grid.segments = None
            if self.after is not None:
                self.after()

    def _one_by_one(self, task: Task, grid: Grid, bound: Bound, overflow: Overflow | None) -> Steps:
        """Every block to its end, one after the other; blocks of other kernels may come between."""
        plan = self.plan
        function, arguments = plan.kernel.function, bound.arguments
        for i in grid.arranged(plan.sim.order):
            block = grid.blocks[i]
            try:
                if overflow is None:
                    function(block, *arguments)
                else:
                    with overflow:
                        function(block, *arguments)
            except Exception as error:
                if grid.segments is not None:
                    grid.segments.close(i)
                raise faults.block_fault(plan, task, block, error) from error
            if grid.segments is not None:
                grid.segments.close(i)
            if plan.reorders:
                yield 0

    def _waiting(self, task: Task, grid: Grid, bound: Bound, overflow: Overflow | None) -> Steps:
        """Blocks that can wait: each keeps its core until it ends. More cores come when others give them back."""
        plan, stream = self.plan, task.stream
        engine = self.engine
        run = Waiting(grid, bound.arguments, plan.sim.order, stream.held if engine is not None else plan.cores)
        try:
            while True:
                try:
                    if overflow is None:
                        yield from self._resumed(task, run)
                    else:
                        with overflow:  # no other task runs in it: steps end with it
                            for _ in run.steps():
                                pass
                except Exception as error:
                    if isinstance(error, TaskFault):
                        raise
                    raise faults.block_fault(plan, task, run.current, error) from error
                if run.done:
                    return
                if not run.wants_cores or engine is None or stream.held >= plan.cores:
                    yield from self._stuck(task, run)
                yield from get_cores(self, task, run)
        finally:
            run.close()

    def _resumed(self, task: Task, run: Waiting) -> Steps:
        plan, stream = self.plan, task.stream
        for _ in run.steps():
            if plan.reorders:
                yield 0
                if run.wants_core_now and self.engine is not None and stream.held < plan.cores:
                    got = plan.device.engines.try_acquire(self.engine, 1)
                    stream.held += got
                    run.cores += got

    def _stuck(self, task: Task, run: Waiting) -> Steps:
        """Nothing can help: the time limit ends it."""
        plan = self.plan
        cure = ""
        if run.wants_cores:
            limited = f"{plan.device.index} has {plan.cores} of them for this launch"
            cure = f"a kernel that waits in sync_all can have at most as many blocks as cores: device {limited}"
        fault = faults.hang(plan, task, run.why(), cure, run.waits())
        limit = KernelLimit(task, plan.timeout_ns)
        try:
            yield Pause(f"hangs: {run.why()}")
        finally:
            limit.live = False
        raise fault

    def _rest(self, task: Task, grid: Grid) -> Steps:
        """The time that blocks declared, in waves, up to the limit."""
        plan = self.plan
        cycles = grid.cycles()
        if not cycles:
            return
        cores = max(task.stream.held, 1) if self.engine is not None else plan.cores
        ns = cycles * 1000 // max(plan.sim.profile.cube_mhz, 1) * -(-plan.num // cores)
        left = task.start + plan.timeout_ns - plan.sim.scheduler.now
        if plan.timeout_ns and ns > left:
            yield max(left, 0)
            raise faults.overtime(plan, task, f"its slowest block declared {cycles} cycles")
        yield ns
