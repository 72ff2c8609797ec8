"""The blocks of one launch: their cores, the flags between them, and what each of them does in which order.

A block runs until it ends or waits; one that waits keeps its core. Everything here runs in one thread, in an order that
the schedule chooses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ascend_sim.kernels.language.block import BARRIER, Block, Blocks, Wait
from ascend_sim.kernels.language.errors import KernelUsage

if TYPE_CHECKING:
    from ascend_sim.kernels.language.kernel import Kernel
    from ascend_sim.kernels.language.memory import Log

__all__ = ["Grid", "Order", "Segment", "Segments", "Waiting"]

FLAG_IDS = 16
FLAG_LARGEST = 15
"""Cross-core flags: ids and the largest count (docs/semantics/kernels.md#waits-between-blocks)."""

Order = Callable[[int], Sequence[int]]
"""The order in which so many blocks go: a schedule choice."""


class Segment(NamedTuple):
    """What one block did between two points where it could have been ordered with others.

    Its accesses end at *end* in the log; *block* is the number in `Grid.blocks`, -1 for a point where all met. It
    happens after the segments *after* (numbers) and what those happen after; everything else is unordered with it.
    """

    end: int
    block: int
    after: tuple[int, ...]


class Segments:
    """The order between the blocks of a launch, as a list of segments; made only when somebody listens."""

    __slots__ = ("_joins", "_latest", "_log", "found")

    def __init__(self, log: Log) -> None:
        self._log = log
        self.found: list[Segment] = []
        self._latest: dict[int, int] = {}
        self._joins: dict[int, tuple[int, ...]] = {}

    def close(self, block: int) -> int:
        """What *block* has done since its last segment becomes one; returns its number."""
        before = self._latest.get(block)
        after = self._joins.pop(block, ())
        if before is not None:
            after = (before, *after)
        self.found.append(Segment(len(self._log), block, after))
        self._latest[block] = number = len(self.found) - 1
        return number

    def join(self, block: int, earlier: int) -> None:
        """The next segment of *block* happens after the segment *earlier*."""
        self._joins[block] = (*self._joins.get(block, ()), earlier)

    def before(self, block: int) -> tuple[int, ...]:
        """The numbers of the segments that the next one of *block* follows at once."""
        latest = self._latest.get(block)
        after = self._joins.get(block, ())
        if latest is None:
            return after
        return (*after, *(self.found[latest].after if self.found[latest].block < 0 else (latest,)))

    def barrier(self) -> None:
        """Everything so far happens before everything from now on."""
        latest = tuple(self._latest.values())
        self.found.append(Segment(len(self._log), -1, latest))
        self._latest = dict.fromkeys(self._latest, len(self.found) - 1)


class Printer(Protocol):
    """Where the lines of b.printf go."""

    def __call__(self, kernel: Kernel, block: Block | Blocks, line: str, size: int) -> None:
        """Print *line*, which is *size* bytes long and printed by *block*."""


class Grid:
    """The blocks of a launch of *kernel* with *num* blocks (groups of cores, when it is mixed)."""

    __slots__ = (
        "_printer", "blocks", "busy", "declared", "flags", "kernel", "num", "segments", "slowest", "subs", "used", "waits",
    )  # fmt: skip

    def __init__(self, kernel: Kernel, num: int, cores: int, printer: Printer) -> None:
        self.kernel = kernel
        self.num = num
        self.waits = kernel.waits
        self.busy = False
        """A run is under way: another one at the same time needs a grid of its own."""
        self.declared = False
        """A block declared a cost of its own in this run."""
        self.used = False
        """A block declared or printed something: forget it before the next run."""
        self.slowest = 0
        """What `cycles` found last in this run."""
        self.flags: dict[tuple[int, int, int], deque[int]] = {}
        self.segments: Segments | None = None
        self._printer = printer
        self.subs = {"mix11": 1, "mix12": 2}.get(kernel.kind, 0)
        """Vector cores in a group; 0 when the kernel is not mixed."""
        self.blocks: list[Any] = [Blocks(self, num)] if kernel.batch else self._make(max(cores, 1))

    def _make(self, cores: int) -> list[Block]:
        made: list[Block] = []
        for group in range(self.num):
            if not self.subs:
                made.append(Block(self, group, self.num, self.kernel.kind, 0, 1))
            else:
                made.append(Block(self, group, self.num, "aic", 0, self.subs))
                made += [Block(self, group, self.num, "aiv", sub, self.subs) for sub in range(self.subs)]
        for block in made:
            block.core = block.idx % (cores * (self.subs or 1) if block.is_aiv else cores)
        return made

    def name_of(self, block: Block) -> str:
        """A block in words."""
        if self.subs:
            return f"block {block.idx} ({'AIC' if block.is_aic else 'AIV'})"
        return f"block {block.idx}"

    def begin(self) -> None:
        """Before a run: forget the one before."""
        if self.used:
            self.used = self.declared = False
            self.slowest = 0
            for block in self.blocks:
                block.cycles = 0
                if not self.kernel.batch:
                    block.printed = 0
        if self.kernel.waits:
            self.flags.clear()
            for block in self.blocks:
                block.pending = None

    def cycles(self) -> int:
        """What the slowest block declared in this run (cycles of its core)."""
        self.slowest = max([block.cycles for block in self.blocks]) if self.declared else 0
        return self.slowest

    def arranged(self, order: Order) -> list[int]:
        """The numbers of the blocks in an order of *order*: groups stay together, as their cores start together."""
        if not self.subs:
            return list(order(len(self.blocks)))
        size = 1 + self.subs
        return [group * size + i for group in order(self.num) for i in order(size)]

    def printed(self, block: Block | Blocks, line: str) -> None:
        """A line of b.printf."""
        self.used = True
        self._printer(self.kernel, block, line, len(line.encode()) + 1)

    # -- flags of a group ---------------------------------------------------------------------------------------------

    def check_flag(self, flag: int) -> None:
        """Raises KernelUsage for an id that does not exist, or a kernel kind without cross-core flags."""
        if not self.subs:
            raise KernelUsage(
                f"flags need a mix kernel, `{self.kernel.name}` is {self.kernel.kind!r}",
                "write @kernel(kind='mix11') or 'mix12': the plain kinds have no cross-core unit",
            )
        if not 0 <= flag < FLAG_IDS:
            raise KernelUsage(f"flag {flag} does not exist", f"the ids are 0 to {FLAG_IDS - 1}")

    def set_flag(self, block: Block, flag: int) -> None:
        """One more set of *flag* for the other side of the group: all its vector cores, or its cube core."""
        sides = [1 + sub for sub in range(self.subs)] if block.is_aic else [-1 - block.sub_idx]
        segment = self.segments.close(self.blocks.index(block)) if self.segments is not None else -1
        for side in sides:
            sets = self.flags.setdefault((block.group, flag, side), deque())
            if len(sets) >= FLAG_LARGEST:
                raise KernelUsage(
                    f"flag {flag} was set {len(sets) + 1} times without a wait", f"its counter holds {FLAG_LARGEST}"
                )
            sets.append(segment)

    def take_flag(self, block: Block, flag: int) -> bool:
        """A cube core takes one set of each vector core of its group; a vector core one of its cube core."""
        sides = [-1 - sub for sub in range(self.subs)] if block.is_aic else [1 + block.sub_idx]
        queues = [self.flags.get((block.group, flag, side)) for side in sides]
        if not all(queues):
            return False
        for sets in queues:
            assert sets is not None
            segment = sets.popleft()
            if self.segments is not None:
                self.segments.join(self.blocks.index(block), segment)
        return True


class Waiting:
    """A run of a kernel whose blocks can wait: which of them run, which wait, which have not started."""

    def __init__(self, grid: Grid, arguments: list[Any], order: Order, cores: int) -> None:
        self.grid = grid
        self.order = order
        self.cores = cores
        """Cores (or groups of them) that the launch holds; it may get more."""
        self.current: Block | None = None
        self.ended = 0
        function = grid.kernel.function
        self._running = [function(block, *arguments) for block in grid.blocks]
        self._sends = [coroutine.send for coroutine in self._running]
        self._size = 1 + grid.subs
        self._inner: dict[int, list[int]] = {}
        for i in grid.arranged(order):
            self._inner.setdefault(i // self._size, []).append(i)
        self._groups = deque(self._inner)
        self._alive: dict[int, int] = {}
        """Groups that hold a core, with how many of their blocks have not ended."""
        self._ready: deque[int] = deque()
        self._at_barrier: dict[int, Wait] = {}
        self._at_flag: dict[int, Wait] = {}

    def steps(self) -> Iterator[None]:
        """Let one block after the other go on, until all have ended or none can: look at `done`."""
        while self._ready or self._choose():
            self._resume(self._ready.popleft())
            yield

    def run(self) -> None:
        """Let all blocks go on, without a step between them, until all have ended or none can."""
        ready, resume = self._ready, self._resume
        while ready or self._choose():
            resume(ready.popleft())

    @property
    def done(self) -> bool:
        """Whether all blocks have ended."""
        return self.ended == len(self.grid.blocks)

    @property
    def wants_cores(self) -> bool:
        """Whether blocks have not started for want of a core."""
        return bool(self._groups)

    @property
    def wants_core_now(self) -> bool:
        """Whether the next step would be the start of a block, if there were a core for it."""
        return bool(self._groups) and len(self._alive) >= self.cores

    def close(self) -> None:
        """Drop what has not ended."""
        for coroutine in self._running:
            coroutine.close()

    def able(self) -> list[int]:
        """The blocks that can go on now."""
        self._start()
        self._pass_waits()
        return list(self._ready)

    def go(self, number: int) -> None:
        """Let the block *number*, one that can, go on."""
        self._ready.remove(number)
        self._resume(number)

    def _choose(self) -> bool:
        """Put at least one block into the queue of those that go on; False when there is none."""
        self._start()
        if not self._ready:
            self._pass_waits()
        return bool(self._ready)

    def _start(self) -> None:
        """Start blocks as far as there are cores."""
        while self._groups and len(self._alive) < self.cores:
            group = self._groups.popleft()
            self._alive[group] = self._size
            self._ready.extend(self._inner[group])

    def _pass_waits(self) -> None:
        """Let go on whose flag is set; all, when all have come to the barrier."""
        for i, wait in list(self._at_flag.items()):
            if self.grid.take_flag(wait.block, wait.flag):
                del self._at_flag[i]
                self._ready.append(i)
        if not self._ready and len(self._at_barrier) == len(self.grid.blocks):
            self._at_barrier.clear()
            self._ready.extend(self.grid.arranged(self.order))
            if self.grid.segments is not None:
                self.grid.segments.barrier()

    def _resume(self, i: int) -> None:
        self.current = block = self.grid.blocks[i]
        segments = self.grid.segments
        try:
            wait = self._sends[i](None)
        except StopIteration:
            if segments is not None:
                segments.close(i)
            block.check_waited()
            self._end(i)
            return
        except BaseException:
            if segments is not None:
                segments.close(i)
            raise
        if segments is not None:
            segments.close(i)
        if block.pending is not None:
            block.check_waited()
        if type(wait) is not Wait:
            raise KernelUsage("a kernel awaits something else than b.sync_all() or b.wait_flag(id)")
        if wait.flag == BARRIER:
            self._at_barrier[i] = wait
        elif self.grid.take_flag(block, wait.flag):
            self._ready.append(i)
        else:
            self._at_flag[i] = wait

    def _end(self, i: int) -> None:
        """A block has ended; with the last one of its group the core is free."""
        self.ended += 1
        group = i // self._size
        self._alive[group] -= 1
        if not self._alive[group]:
            del self._alive[group]

    # -- when nothing goes on -----------------------------------------------------------------------------------------

    def why(self) -> str:
        """Why no block can go on, in words."""
        waiting = len(self._at_barrier)
        held = f"{waiting} block{'s' if waiting != 1 else ''} wait{'s' if waiting == 1 else ''} in sync_all"
        if self._groups:
            unit = "group" if self.grid.subs else "block"
            left = f"{len(self._groups)} {unit}{'s have' if len(self._groups) != 1 else ' has'} not started"
            return f"{held} and keep{'s' if waiting == 1 else ''} the {self.cores} cores, {left}"
        if self._at_flag:
            i, wait = next(iter(self._at_flag.items()))
            return f"{self.grid.name_of(self.grid.blocks[i])} waits for flag {wait.flag}, which nobody sets"
        return f"{held}, {self.ended} {'have' if self.ended != 1 else 'has'} ended without it"

    def waits(self) -> list[tuple[str, tuple[Any, int]]]:
        """One waiting block and where it waits, for reports: for a flag if there is one, else at the barrier."""
        for waits in (self._at_flag, self._at_barrier):
            for i, wait in waits.items():
                if wait.site is not None:
                    return [(f"{self.grid.name_of(self.grid.blocks[i])} waits here", wait.site)]
        return []
