"""A launch as an operation of a stream: it takes cores, reads its arguments, runs its blocks, and takes its time.

Blocks run when the task ends (effects appear then); only kernels that wait for cores have run some of them before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.errors import PASSING
from ascend_sim.kernels.language.errors import BadPointer
from ascend_sim.kernels.language.memory import Memory
from ascend_sim.kernels.launching import faults
from ascend_sim.kernels.launching.accesses import tell
from ascend_sim.kernels.launching.argument_blocks import look_at_size, read_block
from ascend_sim.kernels.launching.binding import Bound
from ascend_sim.kernels.launching.controlled_blocks import run_controlled
from ascend_sim.kernels.launching.cores import KernelLimit, get_cores
from ascend_sim.kernels.launching.grid import Grid, Segments, Waiting
from ascend_sim.kernels.launching.overflow import Overflow
from ascend_sim.runtime.memory.told import memories
from ascend_sim.runtime.task import Op, Pause, Steps, Task, TaskFault
from ascend_sim.source.callsite import points_of

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.plan import Plan
    from ascend_sim.machine.allocations import Allocation

__all__ = ["HostLaunch", "Launch"]


class Launch(Op):
    """One launch of a kernel: a plan, and where its argument bytes come from.

    Here they lie in device memory (*address*, *size*) and are read when the task runs.
    """

    __slots__ = ("_frees", "_view", "address", "plan", "size", "special")

    # The same for all of them: one store less each. `kind`, `cost`, `engine`, `slots` and `least` are the plan's.
    gate = None
    accesses = ()
    timeout = 0
    hosted = False
    plain = False
    raw: bytes | None = None
    """The bytes, where they were copied at the call."""
    after: Callable[[], None] | None = None
    """What is called when the launch has ended."""

    def __init__(self, plan: Plan, address: int, size: int) -> None:
        self.plan = plan
        self.address = address
        self.size = size
        self.kind = plan.kind
        self.cost = plan.full_cost_ns
        self.engine = plan.engine
        self.slots = plan.slots
        self.least = plan.least
        self.special = plan.special
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
        if self.special or grid.used:
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
            raw = self._view.tobytes() if self._frees == frees and log is None else self._read(task, frees)
        if raw != bound.raw or bound.frees != frees:
            self._bind(task, raw, bound, frees)
        function, arguments = plan.kernel.function, bound.arguments
        unit, ends = None, None
        try:
            if hooks.blocks_ran is None or len(grid.blocks) == 1 or log is None:
                for unit in grid.blocks:
                    function(unit, *arguments)
            else:
                ends = []
                for unit in grid.blocks:
                    function(unit, *arguments)
                    ends.append(len(log))
        except PASSING:
            raise
        except BaseException as error:
            if ends is not None and log is not None:
                ends.append(len(log))
            tell(hooks, task, bound, grid, ends)
            raise faults.block_fault(plan, task, unit, error) from error
        if log:
            tell(hooks, task, bound, grid, ends)
        return self._rest(task, grid) if grid.declared else None

    def _special(self, task: Task, time: int) -> Steps | None:
        """Run the launch in steps, and look at its time limit first: what a plain launch is spared."""
        plan = self.plan
        if 0 < plan.timeout_ns <= time - task.start:
            raise faults.overtime(plan, task, f"{plan.num} blocks on {abs(task.stream.held)} cores")
        raw = self.raw if self.raw is not None else self._read(task, plan.memory.frees)
        bound = plan.new_bound()  # other runs may be under way
        self._bind(task, raw, bound, plan.memory.frees)
        return self._steps(task, bound)

    # -- arguments ----------------------------------------------------------------------------------------------------

    def _read(self, task: Task, frees: int) -> bytes:
        """The argument bytes in device memory as they are now. Raises TaskFault when they are not there."""
        plan, address = self.plan, self.address
        low, high, then, memory = plan.place  # often the allocation of the launch before
        if then != frees or not low <= address <= high - self.size or plan.hooks.accessed is not None:
            return read_block(self, task)
        self._frees = frees
        self._view = memory[address - low : address - low + self.size]  # type: ignore[index]  # else `then` is -1
        raw: bytes = self._view.tobytes()
        return raw

    def used_all_the_same(self, task: Task, memory: Memory[Any], error: BadPointer) -> None:
        """*task* uses memory that it should not: raises *error*, or reports it and lets the kernel go on with it."""
        plan = self.plan
        if error.kind != "use-after-free":
            faults.report_pinned(plan, task, error, points_of(sys._getframe(1)))
            return
        if plan.sim.profile.switches["freed_memory_in_kernel"] == "fault":
            raise error
        faults.report_use_after_free(plan, task, memory, error, points_of(sys._getframe(1)))

    def _bind(self, task: Task, raw: bytes, bound: Bound, frees: int) -> None:
        """Resolve the arguments. Raises TaskFault: too few bytes."""
        needed = self.plan.kernel.needed
        if not needed <= len(raw) < needed + 8:
            look_at_size(self.plan, task, len(raw))
        bound.bind(raw, frees, self, task)

    # -- for exception callbacks --------------------------------------------------------------------------------------

    def exception_callback(self, handle: int) -> None:
        """Tell the binary's own callback of a failure; *handle* is its exception info."""
        binary = self.plan.function.binary
        if binary is not None and binary.exception_callback is not None:
            function, user_data = binary.exception_callback
            function(handle, user_data)

    def parameter_of(self, allocation: Allocation) -> str:
        """The parameter through which the launch that ran last got *allocation*; empty when it got none of it."""
        for memory in self.plan.bound.memories:
            given = memory.allocation
            if given is allocation:
                return memory.name
            if given is not None and given.pieces is not None and given.shows(allocation):  # type: ignore[attr-defined]
                return memory.name
        return ""

    def written(self) -> list[Allocation]:
        """The allocations that the launch may write to, once it has run."""
        given = [memory.allocation for memory in self.plan.bound.memories if memory.writes]
        return [memory for allocation in given if allocation is not None for memory in memories(allocation)]

    def device_arguments(self) -> tuple[int, int]:
        """Device address and size of the arguments."""
        return self.address, self.size

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
        strategy = plan.sim.scheduler.schedule.block_strategy(task) if plan.reorders else None
        try:
            try:
                if strategy is not None:
                    yield from run_controlled(self, task, grid, bound, overflow, strategy)
                elif plan.kernel.waits:
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
            except PASSING:
                raise
            except BaseException as error:
                if grid.segments is not None:
                    grid.segments.close(i)
                raise faults.block_fault(plan, task, block, error) from error
            if grid.segments is not None:
                grid.segments.close(i)
            if plan.interleaves:
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
                            run.run()
                except PASSING:
                    raise
                except BaseException as error:
                    if isinstance(error, TaskFault):
                        raise
                    raise faults.block_fault(plan, task, run.current, error) from error
                if run.done:
                    return
                if not run.wants_cores or engine is None or stream.held >= plan.cores:
                    yield from self.stuck(task, run)
                yield from get_cores(self, task, run)
        finally:
            run.close()

    def _resumed(self, task: Task, run: Waiting) -> Steps:
        plan, stream = self.plan, task.stream
        if not plan.interleaves:
            run.run()
            return
        for _ in run.steps():
            yield 0
            if run.wants_core_now and self.engine is not None and stream.held < plan.cores:
                got = plan.device.engines.try_acquire(self.engine, 1)
                stream.held += got
                run.cores += got

    def stuck(self, task: Task, run: Waiting) -> Steps:
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


class HostLaunch(Launch):
    """A launch whose argument bytes *raw* were copied at the call; *after* is called when it has ended."""

    __slots__ = ("after", "raw")

    def __init__(self, plan: Plan, raw: bytes, after: Callable[[], None] | None = None) -> None:
        super().__init__(plan, 0, len(raw))
        self.raw = raw
        self.after = after
        self.special = plan.special or after is not None

    def uses(self) -> Sequence[Allocation]:
        """What the pointers among the arguments lead to now."""
        plan, raw = self.plan, self.raw
        if raw is None or len(raw) < plan.kernel.needed:
            return ()
        found = map(plan.memory.find, plan.kernel.unpack_pointers(raw))
        return [block for block in found if block is not None and not block.freed]

    def device_arguments(self) -> tuple[int, int]:
        """Address and size of the arguments: the bytes are put into a device allocation of their own, which stays."""
        if not self.address:
            memory = self.plan.memory
            allocation = memory.allocate(self.plan.device.index, self.size, -(-self.size // 32) * 32)
            memory.view(allocation.address, self.size, True)[:] = bytearray(self.raw or b"")
            self.address = allocation.address
        return self.address, self.size
