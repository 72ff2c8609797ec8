"""Launches whose blocks run in an order that a strategy chooses: it is asked before each block, and after each wait.

Between two blocks everything else may run: tasks of other streams, blocks of their kernels, the host.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from ascend_sim.errors import PASSING
from ascend_sim.kernels.launching import faults
from ascend_sim.kernels.launching.cores import get_cores
from ascend_sim.kernels.launching.grid import Grid, Order, Waiting

if TYPE_CHECKING:
    from ascend_sim.kernels.language.block import Block
    from ascend_sim.kernels.launching.binding import Bound
    from ascend_sim.kernels.launching.launch import Launch
    from ascend_sim.kernels.launching.overflow import Overflow
    from ascend_sim.runtime.task import Steps, Task

__all__ = ["LEAVE", "BlockStrategy", "run_controlled"]

LEAVE = -1
"""What the strategy answers when the launch is to end: its blocks have ended, or none can go on."""


class BlockStrategy(Protocol):
    """Chooses which block of a launch goes on. Blocks are numbers in `Grid.blocks`."""

    def begins(self, grid: Grid, bound: Bound) -> None:
        """The launch begins: its blocks, and its arguments with the log of what they touch."""

    @property
    def shares(self) -> bool:
        """The launch keeps its cores, and takes the last of them in a step of its own."""

    def grows(self) -> bool:
        """Whether that step is this one."""

    def pick(self, able: list[int]) -> int | None:
        """Which of the blocks *able*, which can go on, does so; None: none in this step; LEAVE."""

    def ran(self, number: int) -> None:
        """The block *number* has gone on, up to its end or its next wait."""

    def failed(self, number: int) -> None:
        """The block *number* has gone on up to its fault, which ends the launch."""


class OneByOne:
    """A run of a kernel whose blocks cannot wait: each goes to its end at once."""

    def __init__(self, grid: Grid, arguments: list[Any], order: Order) -> None:
        self.current: Block | None = None
        self._grid = grid
        self._arguments = arguments
        self._left = grid.arranged(order)

    @property
    def done(self) -> bool:
        """Whether all blocks have ended."""
        return not self._left

    def able(self) -> list[int]:
        """The blocks that have not run, in the order in which they start."""
        return self._left

    def go(self, number: int) -> None:
        """Run the block *number*."""
        self._left.remove(number)
        self.current = block = self._grid.blocks[number]
        try:
            self._grid.kernel.function(block, *self._arguments)
        finally:
            if self._grid.segments is not None:
                self._grid.segments.close(number)

    def close(self) -> None:
        """Nothing is under way."""


def run_controlled(
    launch: Launch, task: Task, grid: Grid, bound: Bound, overflow: Overflow | None, strategy: BlockStrategy
) -> Steps:
    """Run the blocks of *launch* as *strategy* says.

    Unless it *shares* cores it gives them back at once: nobody waits for them, since its blocks may be of any length.
    """
    plan, stream = launch.plan, task.stream
    strategy.begins(grid, bound)
    cores = plan.cores
    if strategy.shares and launch.engine is not None:
        if stream.held == cores:
            stream.held = cores - 1
            for waiter in plan.device.engines.release(launch.engine, 1):
                waiter.wake(plan.sim.scheduler.now)
        cores = stream.held
    elif launch.engine is not None:
        stream.give_slots(launch.engine, plan.sim.scheduler.now)
    run: Waiting | OneByOne = OneByOne(grid, bound.arguments, plan.sim.order)
    if plan.kernel.waits:
        run = Waiting(grid, bound.arguments, plan.sim.order, cores)
    try:
        while True:
            while isinstance(run, Waiting) and strategy.grows():
                yield from get_cores(launch, task, run)
            number = strategy.pick(run.able())
            if number is None:
                yield 0
                continue
            if number == LEAVE:
                break
            try:
                with overflow if overflow is not None else nullcontext():
                    run.go(number)
            except PASSING:
                raise
            except BaseException as error:
                strategy.failed(number)
                raise faults.block_fault(plan, task, run.current, error) from error
            strategy.ran(number)
        if isinstance(run, Waiting) and not run.done:
            yield from launch.stuck(task, run)
    finally:
        run.close()
