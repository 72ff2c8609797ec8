"""A launch as an operation of a stream: it takes cores, reads its arguments, runs its blocks, and takes its time.

Blocks run when the task ends (effects appear then); only kernels that wait for cores have run some of them before.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ascend_sim.callsite import points_of
from ascend_sim.kernels import faults
from ascend_sim.kernels.accesses import tell
from ascend_sim.kernels.binding import Bound
from ascend_sim.kernels.cores import KernelLimit, get_cores
from ascend_sim.kernels.grid import Grid, Segments, Waiting
from ascend_sim.kernels.memory import Log, Memory
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

KEPT_LAUNCHES = 256
COUPLED = ("910", "310p")
"""Families whose AI core has both units: every kernel runs on it (``kernel_model.md`` 1)."""

ENGINES: dict[str, str | None] = {"aiv": "aiv", "aic": "aic", "mix11": "mix", "mix12": "mix", "cpu": None}


class Plan:
    """What the launches of one function with the same number of blocks on a device have in common."""

    __slots__ = (
        "_launches", "bound", "core", "cores", "cost_ns", "device", "engine", "full_cost_ns", "function", "grid",
        "hooks", "kernel", "kind", "least", "memory", "num", "place", "reorders", "setting", "sim", "slots", "special",
        "stepwise", "timeout_ns",
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
        self.place: Allocation | None = None
        """Where the argument block of the launch that ran last was."""
        coupled = sim.profile.family in COUPLED
        self.core = "cpu" if function.cpu else "aiv" if kernel.kind == "aiv" and not coupled else "aic"
        """The kind of core that decides on the codes of faults."""
        self.cost_ns = sim.profile.costs.kernel_ns
        self.hooks = sim.hooks
        self.memory = sim.memory
        self.bound = Bound(kernel, sim.memory, device)
        """The arguments of the launch that ran last."""
        self.engine: str | None = None if function.cpu else ENGINES[kernel.kind]
        """Whose slots it takes."""
        self.reorders = sim.scheduler.schedule.reorders
        """Blocks of several kernels may come between each other: each block is a step of its own."""
        self.stepwise = kernel.waits or (self.reorders and not kernel.batch)
        self.special = self.stepwise or sim.order is not range or 0 < timeout_ns < self.cost_ns * num
        """A run has more to look at than the blocks one after the other."""
        one_by_one = self.reorders and kernel.waits and not batch
        self.slots = 1 if one_by_one else self.cores
        """How many it asks for at its start; where schedules reorder, blocks that wait take one after the other."""
        self._launches: dict[int, Launch] = {}
        waves = max(1, -(-num // self.cores))
        self.full_cost_ns = self.cost_ns * waves
        """What a launch takes that gets all its cores at once, as far as the time limit."""
        if 0 < timeout_ns < self.full_cost_ns:
            self.full_cost_ns = timeout_ns
        self.grid = self.new_grid()

    def launch_at(self, address: int, size: int) -> Launch:
        """The operation for an argument block in device memory: launches that are alike share one."""
        launches = self._launches
        op = launches.get(address)
        if op is None or op.size != size:
            if len(launches) >= KEPT_LAUNCHES:
                launches.clear()
            op = launches[address] = Launch(self, None, address, size)
        return op

    def new_bound(self) -> Bound:
        """Arguments for a run; they write a log when somebody listens."""
        watched = self.hooks.accessed is not None or self.hooks.blocks_ran is not None
        self.bound = Bound(self.kernel, self.sim.memory, self.device, Log() if watched else None)
        return self.bound

    def new_grid(self) -> Grid:
        """Blocks for a run."""
        return Grid(self.kernel, self.num, self.cores, self.sim.kernels.printer)


class Launch(Op):
    """One launch of a kernel: a plan, and where its argument bytes come from.

    They are a copy made at the call (*raw*), or lie in device memory (*address*, *size*) and are read when the task
    runs. *after* is called when it has ended.
    """

    __slots__ = ("_frees", "_view", "address", "after", "plan", "raw", "size", "special")

    # The same for all of them: one store less each. `kind`, `cost`, `engine`, `slots` and `least` are the plan's.
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
        self.cost = plan.full_cost_ns
        self.engine = plan.engine
        self.slots = plan.slots
        self.least = plan.least
        self.special = plan.special or after is not None
        self._frees = -1

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
        hooks, grid, bound = plan.hooks, plan.grid, plan.bound
        if self.special or grid.used or hooks.blocks_ran is not None:
            return self._special(task, time)
        if task.stream.overflow_check or not plan.device.sat_mode:
            return self._special(task, time)
        log = bound.log
        if (log is None) is not (hooks.accessed is None):
            bound = plan.new_bound()
            log = bound.log
        raw = self.raw
        frees = plan.memory.frees
        if raw is None:
            raw = self._view.tobytes() if self._frees == frees and log is None else self._read(task)
        if raw != bound.raw or bound.frees != frees:
            self._bind(task, raw, bound)
        function, arguments = plan.kernel.function, bound.arguments
        unit = None
        try:
            for unit in grid.blocks:
                function(unit, *arguments)
        except Exception as error:
            tell(hooks, task, bound, grid)
            raise faults.block_fault(plan, task, unit, error) from error
        if log:
            tell(hooks, task, bound, grid)
        return self._rest(task, grid) if grid.declared else None

    def _special(self, task: Task, time: int) -> Steps | None:
        """The same with everything that there may be to look at."""
        plan = self.plan
        if 0 < plan.timeout_ns <= time - task.start:
            raise faults.overtime(plan, task, f"{plan.num} blocks on {abs(task.stream.held)} cores")
        raw = self.raw
        if raw is None:
            raw = self._read(task)
        bound = plan.new_bound()  # other runs may be under way
        self._bind(task, raw, bound)
        return self._steps(task, bound)

    # -- arguments ----------------------------------------------------------------------------------------------------

    def _read(self, task: Task) -> bytes:
        """The argument bytes in device memory as they are now. Raises TaskFault when they are not there."""
        plan, address, size = self.plan, self.address, self.size
        block = plan.place  # often the same as for the launch before
        if block is None or block.freed or not 0 <= address - block.address <= block.capacity - size:
            block = self._find(task)
        start = address - block.address
        accessed = plan.hooks.accessed
        if accessed is not None:
            for observe in accessed:
                observe(task, block, start, start + size, False)
        if block.bytes is None or block.touched is not None:
            plan.memory.reach(block, start, size)
        assert block.bytes is not None
        self._view = block.bytes[start : start + size]
        self._frees = plan.memory.frees if not block.freed else -1
        raw: bytes = self._view.tobytes()
        return raw

    def _find(self, task: Task) -> Allocation:
        """Look for the argument block in device memory. Raises TaskFault when it is not there."""
        plan, address = self.plan, self.address
        block = plan.memory.find(address)
        start = address - block.address if block is not None else 0
        if block is None or block.freed or block.device != plan.device.index or start + self.size > block.capacity:
            self._look(task, block, start)
        assert block is not None
        plan.place = None if block.freed else block
        return block

    def _look(self, task: Task, block: Allocation | None, start: int) -> None:
        """Why the argument block cannot be read. Raises TaskFault, or reports it only."""
        plan = self.plan
        index = plan.device.index
        what = f"its argument block is {plan.sim.memory.describe(self.address)}"
        if block is None or (block.device < 0 and block.kind not in ("host", "managed")):
            raise faults.argument_fault(plan, task, "out-of-bounds", f"{what}: device memory is required")
        if block.freed:
            fault = faults.argument_fault(plan, task, "use-after-free", f"{what}: it must stay until the task has run")
            if plan.sim.profile.switches["freed_memory_in_kernel"] == "fault":
                raise fault
        if block.device not in (index, -1):
            raise faults.argument_fault(plan, task, "out-of-bounds", f"{what}, on device {block.device}")
        if start + self.size > block.capacity:
            text = f"{what}: {self.size} bytes from there end past it"
            raise faults.argument_fault(plan, task, "out-of-bounds", text)

    def _bind(self, task: Task, raw: bytes, bound: Bound) -> None:
        """Resolve the arguments. Raises TaskFault: too few bytes."""
        plan = self.plan
        kernel = plan.kernel
        if not kernel.needed <= len(raw) < kernel.needed + 8:
            self._look_at_size(task, len(raw))

        bound.bind(raw, self, task)

    def used_after_free(self, task: Task, memory: Memory[Any], error: BadPointer) -> None:
        """*task* uses freed memory: raises *error*, or reports it and lets the kernel go on with what is there."""
        plan = self.plan
        if plan.sim.profile.switches["freed_memory_in_kernel"] == "fault":
            raise error
        faults.report_use_after_free(plan, task, memory, error, points_of(sys._getframe(1)))

    def _look_at_size(self, task: Task, size: int) -> None:
        """The argument block is shorter or longer than the parameters. Raises TaskFault when it is shorter."""
        plan = self.plan
        kernel = plan.kernel
        slots = 8 * len(kernel.parameters)
        cure = "the buffer fits 8-byte slots: @kernel(args='slots')" if size == slots and not kernel.slots else ""
        if size < kernel.needed:
            text = f"needs {kernel.needed} bytes of arguments, the launch gave {size}"
            raise faults.argument_fault(plan, task, "kernel-args", text, cure)
        if cure:
            text = f"kernel `{kernel.name}` reads {kernel.needed} bytes of arguments with C alignment"
            plan.sim.report(
                "kernel-args", "warning", f"{text}, the launch gave {size}",
                [faults.launch_site(plan, task, True)], fix=cure,
            )  # fmt: skip

    # -- for exception callbacks --------------------------------------------------------------------------------------

    def exception_callback(self, handle: int) -> None:
        """Tell the binary's own callback of a failure; *handle* is its exception info."""
        binary = self.plan.function.binary
        if binary is not None and binary.exception_callback is not None:
            function, user_data = binary.exception_callback
            function(handle, user_data)

    def parameter_of(self, block: Allocation) -> str:
        """The parameter through which the launch that ran last got *block*; empty when it got none of it."""
        for memory in self.plan.bound.memories:
            if memory.block is block:
                return memory.name
        return ""

    def written(self) -> list[Allocation]:
        """The allocations that the launch may write to, once it has run."""
        return [memory.block for memory in self.plan.bound.memories if memory.writes and memory.block is not None]

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
        if bound.log is not None and plan.hooks.blocks_ran is not None:
            grid.segments = Segments(bound.log)
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
