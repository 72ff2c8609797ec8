"""Running a launch: its blocks one after the other, waits between them, faults and declared costs."""

from __future__ import annotations

import sys
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from ascend_sim.findings import Site
from ascend_sim.kernels.binding import ArgumentFault, Bound, bind, make_blocks
from ascend_sim.kernels.block import FLAG_IDS, FLAG_LARGEST, Block, Wait
from ascend_sim.kernels.gm import READ
from ascend_sim.kernels.usage import DeviceTrap, KernelFault, KernelUsage, OutOfBounds
from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.task import Steps, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.kernels.kernel import Kernel, Parameter
    from ascend_sim.machine.address_space import AddressSpace
    from ascend_sim.machine.blocks import Block as Allocation
    from ascend_sim.simulator import Simulator

__all__ = ["BLOCK_ORDERS", "Arguments", "DeviceArguments", "HostArguments", "Launch", "run_on_arrays"]

VECTOR, CUBE = 0, 1
FAULT = (507035, 507015)
"""Codes of a fault in a kernel that runs on vector or on cube cores (``spec/kernel/kernel_model.md`` 9)."""
TIME_OUT = (507034, 507014)
TRAP = (507036, 507016)

BLOCK_ORDERS = ("ascending", "reversed", "random")


class _Stuck(Exception):
    """Blocks wait and none can ever go on."""


class Arguments(Protocol):
    """Where the bytes of an argument block come from."""

    def __init__(self, memory: AddressSpace, *where: Any) -> None: ...

    def read(self) -> bytes:
        """The bytes, as they are when the task runs. Raises AddressFault."""


class HostArguments:
    """Bytes that were copied at the call."""

    __slots__ = ("raw",)

    def __init__(self, memory: AddressSpace | None, raw: bytes) -> None:
        self.raw = raw

    def read(self) -> bytes:
        """The copy."""
        return self.raw


class DeviceArguments:
    """Bytes in device memory, read when the task runs: the caller must keep them until then."""

    __slots__ = ("address", "allocation", "memory", "size", "view")

    def __init__(self, memory: AddressSpace, address: int, size: int) -> None:
        self.memory = memory
        self.address = address
        self.size = size
        self.allocation: Allocation | None = None
        self.view: Any = None

    def read(self) -> bytes:
        """The bytes now. Raises AddressFault when they are no live device memory."""
        allocation = self.allocation
        if allocation is None or allocation.freed or allocation.touched is not None:
            allocation = self.allocation = self.memory.find(self.address)
            if allocation is None or allocation.device < 0:
                text = f"the argument block is {self.memory.describe(self.address)}: device memory is required"
                raise AddressFault("unallocated", text, self.address, self.size)
            self.view = self.memory.view(self.address, self.size)
        raw: bytes = self.view.tobytes()
        return raw


class Launch:
    """One launch of a kernel: how many blocks, on which device, and where the argument bytes come from."""

    __slots__ = (
        "_cores",
        "declared",
        "device",
        "flags",
        "kernel",
        "last",
        "log",
        "marks",
        "num",
        "raw",
        "sim",
        "source",
        "task",
        "timeout_ns",
        "waits",
    )

    def __init__(
        self, sim: Simulator, kernel: Kernel, num: int, device: int, source: Arguments, timeout_ns: int
    ) -> None:
        self.sim = sim
        self.kernel = kernel
        self.num = num
        self.device = device
        self.source = source
        self.raw = b""
        self.last: Bound | None = None
        """The arguments of the run before, for these bytes: kept while their memory lives."""
        self.timeout_ns = timeout_ns
        """After this time (virtual ns) a kernel that hangs is ended; 0: never."""
        self.waits = kernel.waits
        self.task: Task | None = None
        self.log: list[int] | None = None
        self.marks: list[tuple[int, int, int]] = []
        """(end of a part of the log, block, sync epoch)."""
        self.flags: dict[tuple[int, int, int], int] = {}
        self.declared = False
        """A block declared a cost of its own."""
        self._cores = num

    # -- as the action of a task ------------------------------------------------------------------------------------------

    def begin(self, task: Task, held: int, time: int) -> int:
        """The task starts with *held* core slots: what it takes (ns), in waves when there are more blocks than slots."""
        self._cores = held
        return self.sim.profile.costs.kernel_ns * -(-self.num // held)

    def action(self, task: Task, time: int) -> Steps | None:
        """Run all blocks. Raises TaskFault; a hang ends after the time-out."""
        kernel = self.kernel
        self.task = task
        core = CUBE if kernel.kind != "aiv" else VECTOR
        try:
            raw = self.source.read()
        except AddressFault as fault:
            raise self._no_arguments(task, fault, core) from None
        self.log = None if self.sim.hooks.accessed is None else []
        bound = self.last
        if bound is None or raw != self.raw or self.log is not None or not bound.live():
            bound = self._bind(task, raw, core)
        blocks = bound.blocks
        try:
            if kernel.waits:
                self._run_waiting(blocks, bound)
            else:
                self._run_plain(blocks, bound)
        except _Stuck as stuck:
            return self._hang(task, str(stuck), core)
        finally:
            if self.log is not None:
                self._tell(task, bound)
        if not self.declared:
            return None
        self.declared = False
        cycles = max(block.cycles for block in blocks)
        for block in blocks:
            block.cycles = 0
        return _delay(cycles * 1000 // max(self.sim.profile.cube_mhz, 1) * -(-self.num // self._cores))

    def _no_arguments(self, task: Task, fault: AddressFault, core: int) -> TaskFault:
        text = f"kernel `{self.kernel.name}`: its argument block: {fault}"
        kind = "use-after-free" if fault.kind == "freed" else "out-of-bounds"
        self.sim.report(kind, "error", text, [self._launched(task)], time_ns=self.sim.scheduler.now)
        return TaskFault(FAULT[core], text, told=True)

    def _bind(self, task: Task, raw: bytes, core: int) -> Bound:
        """Resolve the arguments. Raises TaskFault: too few bytes, or a pointer to no memory of the device."""
        if len(raw) < self.kernel.needed:
            text = (
                f"kernel `{self.kernel.name}` needs {self.kernel.needed} bytes of arguments, the launch gave {len(raw)}"
            )
            self.sim.report("kernel-args", "error", text, [self._launched(task)], time_ns=self.sim.scheduler.now)
            raise TaskFault(FAULT[core], text, told=True)
        try:
            bound = bind(self.kernel, raw, self.sim.memory, self.device, self.log)
        except ArgumentFault as fault:
            raise self._argument_fault(task, fault, core) from None
        bound.blocks = self.last.blocks if self.last is not None else make_blocks(self, self.kernel, self.num)
        self.raw, self.last = raw, bound
        return bound

    def _order(self, count: int) -> Any:
        order = self.sim.block_order
        if order == "ascending":
            return range(count)
        if order == "reversed":
            return range(count - 1, -1, -1)
        numbers = list(range(count))
        self.sim.random.shuffle(numbers)
        return numbers

    def _run_plain(self, blocks: list[Any], bound: Bound) -> None:
        """Every block to its end, one after the other."""
        function, arguments, log = self.kernel.function, bound.arguments, self.log
        block: Any = None
        try:
            if self.sim.block_order == "ascending" and log is None:
                for block in blocks:
                    function(block, *arguments)
                return
            for i in self._order(len(blocks)):
                block = blocks[i]
                function(block, *arguments)
                if log is not None:
                    self.marks.append((len(log), i, 0))
        except Exception as error:  # noqa: BLE001 - user code: whatever it raises is a fault of the kernel
            raise self._fault(block, error) from error

    def _run_waiting(self, blocks: list[Block], bound: Bound) -> None:
        """Blocks that wait keep their core; the others start as cores become free."""
        function, arguments = self.kernel.function, bound.arguments
        order = list(self._order(len(blocks)))
        running = [function(block, *arguments) for block in blocks]
        cores = self._cores * (len(blocks) // self.num)
        unstarted = deque(order)
        ready = deque(unstarted.popleft() for _ in range(min(cores, len(unstarted))))
        at_barrier: list[int] = []
        at_flag: dict[int, Wait] = {}
        ended = epoch = 0
        block: Any = None
        try:
            while ready:
                i = ready.popleft()
                block = blocks[i]
                try:
                    wait = running[i].send(None)
                except StopIteration:
                    block.check_waited()
                    ended += 1
                    if unstarted:
                        ready.append(unstarted.popleft())
                    wait = None
                self._mark(i, epoch)
                if wait is not None:
                    if not isinstance(wait, Wait):
                        raise KernelUsage("a kernel awaits only b.sync_all() and b.wait_flag(id)")
                    if wait.flag < 0:
                        at_barrier.append(i)
                    elif not self._take_flag(blocks[i], wait.flag):
                        at_flag[i] = wait
                    else:
                        ready.append(i)
                if at_flag and not ready:
                    for j in [j for j in at_flag if self._take_flag(blocks[j], at_flag[j].flag)]:
                        del at_flag[j]
                        ready.append(j)
                if not ready and len(at_barrier) == len(blocks):
                    epoch += 1
                    ready.extend(at_barrier if self.sim.block_order == "ascending" else self._order(len(blocks)))
                    at_barrier = []
        except Exception as error:  # noqa: BLE001 - user code: whatever it raises is a fault of the kernel
            raise self._fault(block, error) from error
        finally:
            for coroutine in running:
                coroutine.close()
        if ended < len(blocks):
            raise _Stuck(self._why_stuck(blocks, at_barrier, at_flag, len(unstarted), ended, cores))

    def _why_stuck(
        self,
        blocks: list[Block],
        at_barrier: list[int],
        at_flag: dict[int, Wait],
        unstarted: int,
        ended: int,
        cores: int,
    ) -> str:
        if unstarted:
            return (
                f"{len(at_barrier)} blocks wait in sync_all and keep all {cores} cores, {unstarted} blocks have not started: "
                f"with sync_all a kernel can have at most as many blocks as cores"
            )
        if at_flag:
            i, wait = next(iter(at_flag.items()))
            return f"block {blocks[i].unit} waits for flag {wait.flag}, which nobody sets"
        return f"{len(at_barrier)} blocks wait in sync_all, {ended} have ended without it"

    def _mark(self, block: int, epoch: int) -> None:
        if self.log is not None:
            self.marks.append((len(self.log), block, epoch))

    # -- flags of a group ----------------------------------------------------------------------------------------------

    def check_flag(self, flag: int) -> None:
        """Raises KernelUsage for an id that does not exist, or a kernel kind without cross-core flags."""
        if self.kernel.kind in ("aiv", "aic"):
            raise KernelUsage(
                "flags need a mix kernel: @kernel(kind='mix11') or 'mix12' (the plain kinds have no cross-core unit)"
            )
        if not 0 <= flag < FLAG_IDS:
            raise KernelUsage(f"flag {flag}: the ids are 0 to {FLAG_IDS - 1}")

    def set_flag(self, block: Block, flag: int) -> None:
        """One more set of *flag* for the other side of the group."""
        group = block.idx if block.is_aic else block.idx // block.sub_num
        targets = (
            [(group, flag, 2 + sub) for sub in range(block.sub_num)]
            if block.is_aic
            else [(group, flag, -1 - block.sub_idx)]
        )
        for target in targets:
            count = self.flags.get(target, 0) + 1
            if count > FLAG_LARGEST:
                raise KernelUsage(f"flag {flag} was set {count} times without a wait: its counter holds {FLAG_LARGEST}")
            self.flags[target] = count

    def _take_flag(self, block: Block, flag: int) -> bool:
        """A cube core takes one set of each vector core of its group; a vector core one of its cube core."""
        group = block.idx if block.is_aic else block.idx // block.sub_num
        needed = (
            [(group, flag, -1 - sub) for sub in range(block.sub_num)]
            if block.is_aic
            else [(group, flag, 2 + block.sub_idx)]
        )
        if not all(self.flags.get(target, 0) for target in needed):
            return False
        for target in needed:
            self.flags[target] -= 1
        return True

    # -- what it says ---------------------------------------------------------------------------------------------------

    def printed(self, line: str) -> None:
        """A line of b.printf."""
        print(line, file=sys.stdout)

    def _launched(self, task: Task) -> Site:
        return Site("submit", f"launched here with {self.num} block{'s' if self.num != 1 else ''}", task.site)

    def _tell(self, task: Task, bound: Bound) -> None:
        """Hand the accesses to who listens: merged intervals of each parameter."""
        log, hooks = self.log, self.sim.hooks
        if log is None or hooks.accessed is None:
            return
        if not log:
            return
        table = np.array(log, np.int64).reshape(-1, 3)
        for code in np.unique(table[:, 2]).tolist():
            block = bound.memories[code // 4].block
            if block is None:
                continue
            write = code % 4 != READ
            for lo, hi in merged(table[table[:, 2] == code, :2]):
                for observe in hooks.accessed:
                    observe(task, block, lo, hi, write)

    def _fault(self, block: Any, error: BaseException) -> Exception:
        """The task failure for what a block raised; the finding names kernel, block, line and launch."""
        if isinstance(error, TaskFault):
            return error
        kernel = self.kernel
        core = CUBE if getattr(block, "is_aic", kernel.kind != "aiv") else VECTOR
        unit = getattr(block, "unit", None)
        where = f"kernel `{kernel.name}`" + (f", block {unit}" if unit is not None else "")
        code = FAULT[core]
        kind = "kernel-exception"
        if isinstance(error, DeviceTrap):
            text = f"{where}: {error}"
            if core == VECTOR:
                code = int(self.sim.profile.switches["trap_code"])
            else:
                code = TRAP[core] if self.sim.profile.switches["trap_code"] == TRAP[VECTOR] else FAULT[core]
        elif isinstance(error, AssertionError):
            text = f"{where}: assertion failed" + (f": {error}" if str(error) else "")
        elif isinstance(error, KernelFault):
            kind = error.kind
            text = f"{where}: {error}"
            if isinstance(error, OutOfBounds) and error.memory.block is not None:
                text += f"; it is {error.memory.block.describe()}"
        elif isinstance(error, ValueError) and "read-only" in str(error):
            kind = "kernel-usage"
            text = f"{where}: what a gm.In parameter holds is changed in place: work on a copy, x[s].copy(), or write t = t + ..."
        else:
            text = f"{where}: {type(error).__name__}: {error}"
        task = self.task
        sites = [Site("access", "raised here", _innermost(error.__traceback__, kernel), primary=True)]
        if task is not None:
            sites.append(self._launched(task))
        self.sim.report(kind, "error", text, sites, time_ns=self.sim.scheduler.now, code=("the next synchronise", code))
        return TaskFault(code, text, told=True)

    def _argument_fault(self, task: Task, fault: ArgumentFault, core: int) -> TaskFault:
        text = f"kernel `{self.kernel.name}`: {fault}"
        freed = fault.fault is not None and fault.fault.kind == "freed"
        sites = [Site("submit", f"launched here with {self.num} blocks", task.site, primary=True)]
        block = fault.fault.block if fault.fault is not None else None
        if block is not None and block.free_site:
            sites.append(Site("free", "freed here", block.free_site))
        self.sim.report(
            "use-after-free" if freed else "out-of-bounds", "error", text, sites, time_ns=self.sim.scheduler.now
        )
        return TaskFault(FAULT[core], text, told=True)

    def _hang(self, task: Task, why: str, core: int) -> Steps:
        """Nothing of the kernel can go on: a finding now, the time-out code when its time is over."""
        text = f"kernel `{self.kernel.name}` hangs: {why}"
        self.sim.report(
            "deadlock",
            "error",
            text,
            [self._launched(task)],
            time_ns=self.sim.scheduler.now,
            code=("the next synchronise", TIME_OUT[core]),
        )
        return _time_out(self.timeout_ns, TaskFault(TIME_OUT[core], text, told=True))


def merged(intervals: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """The union of half-open intervals (one a row), sorted; touching ones become one."""
    rows = intervals[np.argsort(intervals[:, 0], kind="stable")]
    highest = np.maximum.accumulate(rows[:, 1])
    first = np.concatenate(([True], rows[1:, 0] > highest[:-1]))
    last = np.concatenate((first[1:], [True]))
    return list(zip(rows[first, 0].tolist(), highest[last].tolist(), strict=True))


def _delay(ns: int) -> Steps:
    """A task that takes *ns* longer."""
    yield ns


def _time_out(ns: int, fault: TaskFault) -> Steps:
    """A task that fails after *ns*."""
    yield ns
    raise fault


def _innermost(trace: TracebackType | None, kernel: Kernel) -> Any:
    """The innermost point of the traceback in the kernel's own file, else the innermost outside the simulator."""
    point = None
    here = kernel.function.__code__.co_filename
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == here:
            point = (trace.tb_frame.f_code, trace.tb_lasti)
        trace = trace.tb_next
    return point


class _Alone:
    """What a launch needs of a simulator, for `on_arrays`."""

    block_order = "ascending"


class _OnArrays(Launch):
    """A launch without a device: faults are what the kernel raised."""

    __slots__ = ()

    def _fault(self, block: Any, error: BaseException) -> Exception:
        return error if isinstance(error, Exception) else RuntimeError(str(error))


def run_on_arrays(kernel: Kernel, blocks: int, arguments: tuple[Any, ...]) -> None:
    """Run *kernel* over numpy arrays; raises what the kernel raises, and RuntimeError when its blocks wait for ever."""
    values = [_from_array(p, v) for p, v in zip(kernel.parameters, arguments, strict=True)]
    launch = _OnArrays(_Alone(), kernel, blocks, 0, HostArguments(None, b""), 0)  # type: ignore[arg-type]
    made = make_blocks(launch, kernel, blocks)
    if not kernel.waits:
        for block in made:
            kernel.function(block, *values)
        return
    try:
        launch._run_waiting(made, Bound(values, [], []))
    except _Stuck as stuck:
        raise RuntimeError(f"kernel `{kernel.name}` hangs: {stuck}") from None


def _from_array(parameter: Parameter, value: Any) -> Any:
    if parameter.form == "struct":
        return value
    if parameter.form == "number":
        return parameter.dtype.type(value)
    array = np.ascontiguousarray(value)
    if array is not value and parameter.memory.writes:
        raise TypeError(f"`{parameter.name}` is written: a C-contiguous numpy array is required")
    if array.dtype != parameter.dtype:
        raise TypeError(f"`{parameter.name}` holds {parameter.dtype}, the array {array.dtype}")
    return parameter.memory(parameter.name, None, array.reshape(-1), 0, None)
