"""What the launches of one function with the same number of blocks on a device have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.kernels.language.memory import Log
from ascend_sim.kernels.launching.binding import Bound
from ascend_sim.kernels.launching.grid import Grid
from ascend_sim.kernels.launching.launch import Launch
from ascend_sim.kernels.launching.registry import KernelRegistry
from ascend_sim.machine.profiles import COUPLED

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.binaries import Function
    from ascend_sim.machine.host_memory import Bytes
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.device import Device

__all__ = ["Plan"]

KEPT_LAUNCHES = 256

ENGINES: dict[str, str | None] = {"aiv": "aiv", "aic": "aic", "mix11": "mix", "mix12": "mix", "cpu": None}


class Plan:
    """What the launches of one function with the same number of blocks on a device have in common."""

    __slots__ = (
        "_launches", "bound", "core", "cores", "cost_ns", "device", "engine", "full_cost_ns", "function", "grid",
        "hooks", "interleaves", "kernel", "kind", "least", "memory", "num", "place", "reorders", "setting", "sim", "slots",
        "special", "stepwise", "timeout_ns",
    )  # fmt: skip

    def __init__(
        self, sim: Runtime, function: Function, num: int, device: Device, cores: int, timeout_ns: int, batch: bool,
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
        self.place: tuple[int, int, int, Bytes | None] = (0, 0, -1, None)
        """The allocation of the argument block that was read last: from, to, `AddressSpace.frees`, its bytes."""
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
        """The schedule chooses: blocks need not run in their order, nor at once."""
        self.interleaves = self.reorders and not sim.scheduler.schedule.drives
        """Blocks of several kernels may come between each other: each block is a step of its own."""
        self.stepwise = kernel.waits or (self.reorders and not kernel.batch)
        self.special = self.stepwise or sim.order is not range or 0 < timeout_ns < self.cost_ns * num
        """A run has more to look at than the blocks one after the other."""
        one_by_one = self.interleaves and kernel.waits and not batch
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
            op = launches[address] = Launch(self, address, size)
        return op

    def new_bound(self) -> Bound:
        """Arguments for a run; they write a log when somebody listens."""
        watched = self.hooks.accessed is not None or self.hooks.blocks_ran is not None
        self.bound = Bound(self.kernel, self.sim.memory, self.device, Log() if watched else None)
        return self.bound

    def new_grid(self) -> Grid:
        """Blocks for a run."""
        return Grid(self.kernel, self.num, self.cores, self.sim.part(KernelRegistry).printer)
