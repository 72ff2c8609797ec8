"""Block transitions: launches that are taken apart in a run, with a step for each block that conflicts with anything.

The stream's own first step starts the launch and runs the blocks that conflict with nothing; its last one, when all
blocks have ended, ends the task. Between the two, each block that goes alone is a process of its own, named such as
``stream 1/launch 2/block 3``. A block that waits goes on in a further step; the others of such a kernel do so in steps
of the stream. At most as many blocks as there are cores have started and not ended, in the order of their start.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.explore.control.blocks.conflicts import rounds
from ascend_sim.explore.control.blocks.cores import can_start, contend, gives_back, missing, takes
from ascend_sim.explore.control.blocks.granularity import Ran, Split, Splits
from ascend_sim.explore.control.stream_transitions import fire_head
from ascend_sim.explore.search.dependence import ATOMIC, READ, WRITE, Item, in_parts
from ascend_sim.explore.search.dpor import Blocked
from ascend_sim.kernels.launching.accesses import Since
from ascend_sim.kernels.launching.controlled_blocks import LEAVE
from ascend_sim.kernels.launching.launch import Launch

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
    from ascend_sim.kernels.launching.accesses import BlockAccesses
    from ascend_sim.kernels.launching.binding import Bound
    from ascend_sim.kernels.launching.grid import Grid
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task

__all__ = ["BlockTransitions", "OpenLaunch"]

BLOCK = ("block", ())
END_OF_LAUNCH = ("end of launch", ())


class OpenLaunch:
    """A launch that has started and not ended, and the strategy that chooses its next block (a `BlockStrategy`)."""

    def __init__(self, schedule: ControlledSchedule, task: Task, name: str, split: Split) -> None:
        self.task = task
        self.name = name
        self.split = split
        self.stream = name.partition("/")[0]
        self.start = schedule.place
        self.rests = [schedule.place]
        """Where the blocks that do not go alone ran."""
        self.wanted: deque[int] = deque()
        """The blocks that go on in the step that runs now."""
        self.resting = False
        """The step has done what it was to do."""
        self.ended = False
        """The launch was told to end."""
        self._schedule = schedule
        self._able: list[int] = []
        self._rest = True
        """The step runs all that do not go alone, as far as they come."""
        self._places: dict[int, int] = {}
        """Where each block took its last step."""
        self._segments: list[int] = []
        """Where each segment was made."""
        self._processes: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._grid: Grid
        self._since: Since
        self._window = 0
        self._floats: set[Any] = set()
        """Allocations in which atomic updates count as writes."""
        self._grows = False
        """The step takes the cores that are missing."""
        self.left_alone = False
        """It waits for cores that nobody gives back, or did: it goes on as any kernel."""

    # -- what the launch asks ----------------------------------------------------------------------------------------

    def begins(self, grid: Grid, bound: Bound) -> None:
        """The blocks have their names now."""
        self._grid = grid
        self._since = Since(bound)
        if self._schedule.known_state.splits.rounding:
            self._floats = {memory.allocation for memory in bound.memories if rounds(memory)}
        size = 1 + grid.subs
        self._window = self.task.op.plan.cores * size  # type: ignore[attr-defined]
        if self.split.shares:
            self._schedule.touch(takes(self.task, 1, self.task.stream.held))
        alone = [i for i in self.split.alone if i < len(grid.blocks)]
        if grid.waits:  # flags pass between the blocks of a group
            groups = sorted({i // size for i in alone})
            alone = [i for group in groups for i in range(group * size, (group + 1) * size)]
        for i in alone:
            process = f"{self.name}/{grid.name_of(grid.blocks[i])}"
            self._processes[i] = process
            self._numbers[process] = i
        if self.split.together and not grid.waits:
            self._numbers[f"{self.name}/other blocks"] = self.split.together[0]
            self._processes |= dict.fromkeys(self.split.together, f"{self.name}/other blocks")

    @property
    def shares(self) -> bool:
        """It keeps its cores between its steps."""
        return self.split.shares

    def grows(self) -> bool:
        """Whether it takes the cores now that it misses; when nothing goes on it asks for them, too."""
        if not self._misses:
            return False
        if not self._grows and not self._schedule.running:
            self.left_alone = True
        return self._grows or self.left_alone

    def pick(self, able: list[int]) -> int | None:
        """The next block of this step."""
        self._able = able
        if self.wanted:
            return self.wanted.popleft()
        if self._rest:
            for i in able:
                if i not in self._processes:
                    return i
            self._rest = False
        if self._schedule.finished or self.left_alone:
            return able[0] if able else LEAVE
        if self.ended:
            return LEAVE
        self.resting = True
        self._note()
        segments = self._grid.segments
        if segments is not None:
            self._segments += [self._schedule.place] * (len(segments.found) - len(self._segments))
        return None

    def ran(self, number: int) -> None:
        """It has."""
        self._places[number] = self._schedule.place

    def failed(self, number: int) -> None:
        """It has failed: that is the end of the step."""
        self.ran(number)
        self._note()

    def _note(self) -> None:
        """What the blocks have touched is what the step touches."""
        schedule = self._schedule
        for allocation, kind, parts in self._since.touched():
            if allocation is not None:
                if kind == ATOMIC and allocation in self._floats:
                    kind = WRITE
                key = ("bytes", schedule.ids.block(allocation))
                item = in_parts(key, kind, parts)
                if item is not None:
                    schedule.touch(item)

    # -- steps -------------------------------------------------------------------------------------------------------

    @property
    def ready_to_end(self) -> bool:
        """No block can go on: all have ended, or they wait for ever."""
        return not self._able and not self._misses

    @property
    def _misses(self) -> bool:
        return self.shares and missing(self.task) > 0

    def kept_back(self) -> Item | None:
        """What it waits for when it misses cores that are not free."""
        slots = missing(self.task) if self._misses else 0
        return takes(self.task, slots, 0) if slots and not can_start(self.task, slots) else None

    def processes(self) -> list[str]:
        """Who could go on: blocks by name, and the stream for all others or for the end."""
        found: dict[str, None] = {}
        if self._misses:
            if can_start(self.task, missing(self.task)):
                found[self.stream] = None
        elif not self._able:
            return [self.stream]
        started = self._able if self._grid.waits else self._able[: self._window]
        for i in started:
            found[self._processes.get(i, self.stream)] = None
        return list(found)

    def causes(self, process: str) -> tuple[int, ...]:
        """The places of the steps that made the next one of *process* possible."""
        if process != self.stream:
            numbers = [self._numbers[process]]
        elif not self.ready_to_end:
            numbers = [i for i in self._able if i not in self._processes]
        else:
            return tuple(sorted({self.start, *self._places.values()}))
        found = {self.start}
        segments = self._grid.segments
        if segments is not None:
            for number in numbers:
                found.update(self._segments[s] for s in segments.before(number))
        return tuple(sorted(found))

    def wants(self, process: str) -> None:
        """The next step is one of *process*."""
        self.resting = False
        self._grows = False
        if process == self.stream:
            self.ended = self.ready_to_end
            self._rest = not self.ended
            self._grows = self._misses
            if self._rest:
                self.rests.append(self._schedule.place)
            if self._grows:
                self._schedule.touch(takes(self.task, missing(self.task), 0))
        elif self._numbers[process] in self.split.alone or self._grid.waits:
            self.wanted.append(self._numbers[process])
        else:
            self.wanted.extend(i for i in self._able if self._processes.get(i) == process)

    def left(self) -> list[str]:
        """The blocks that have not ended, by their names."""
        return list(dict.fromkeys(self._processes[i] for i in self._able if i in self._processes))


class BlockTransitions:
    """The launches of one run, and the steps of those that are taken apart. *splits*: which these are."""

    def __init__(self, schedule: ControlledSchedule, splits: Splits) -> None:
        self._schedule = schedule
        self.splits = splits
        self.on = splits.way != "whole" or bool(splits.chosen)
        self.open: dict[Stream, OpenLaunch] = {}
        self.ran: list[Ran] = []
        self._kept_back: list[tuple[str, OpenLaunch]] = []
        self._coreless: list[tuple[str, Task]] = []
        """Streams whose head finds no core."""
        self._waiting: list[tuple[Task, str]] = []
        """Launches whose blocks can wait."""
        self._names: dict[Task, str] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._split_at: dict[Task, OpenLaunch] = {}

    def submitted(self, task: Task) -> None:
        """*task* was queued: a launch gets its name."""
        op = task.op
        if not self.on or not isinstance(op, Launch):
            return
        ids = self._schedule.ids
        stream, thread = ids.of(task.stream), ids.thread(task.thread)
        number = self._counts[stream, thread] = self._counts.get((stream, thread), 0) + 1
        if len(op.plan.grid.blocks) > 1 or op.plan.kernel.waits:
            self._names[task] = name = f"{stream}/launch {number}" + ("" if thread == "main" else f" of {thread}")
            if op.plan.kernel.waits:
                for other, theirs in self._waiting:
                    if not other.over() and contend(task, other):
                        self.splits.share(name)
                        self.splits.share(theirs)
                self._waiting.append((task, name))

    def atomic(self, task: Task, allocation: Allocation) -> int:
        """What atomic updates of *allocation* by *task* count as."""
        if not self.splits.rounding or not isinstance(task.op, Launch):
            return ATOMIC
        memories = task.op.plan.bound.memories
        return WRITE if any(memory.allocation is allocation and rounds(memory) for memory in memories) else ATOMIC

    def begins(self, task: Task) -> OpenLaunch | None:
        """The launch *task* begins: who picks its blocks, when it is taken apart."""
        name = self._names.get(task)
        split = self.splits.chosen.get(name) if name is not None else None
        if name is None or split is None:
            return None
        opened = self.open[task.stream] = self._split_at[task] = OpenLaunch(self._schedule, task, name, split)
        return opened

    def blocks_ran(self, task: Task, found: BlockAccesses) -> None:
        """The launch *task* has ended: keep what its blocks touched."""
        name = self._names.get(task)
        if name is None or self.splits.way == "whole":
            return
        ids = self._schedule.ids
        allocations = tuple([ids.block(m.allocation) if m.allocation is not None else "" for m in found.memories])
        opened = self._split_at.get(task)
        parts = self.splits.parts(found, allocations)
        if opened is None:
            self.ran.append(Ran(self._schedule.place, name, parts, None))
        else:
            self.ran += [Ran(place, name, parts, opened.split) for place in opened.rests]

    def spread(self, names: Sequence[str], streams: dict[str, Stream]) -> dict[str, Stream]:
        """Of the streams *names*, which could go on, those with a launch on its way replaced by who could go on in it."""
        found: dict[str, Stream] = {}
        self._coreless.clear()
        for name in names:
            stream = streams[name]
            opened = self._opened(stream)
            if opened is None and not stream.running:
                task = stream.queue[0]
                op = task.op
                if op.engine is not None and not can_start(task, op.least or 1):
                    self._coreless.append((name, task))
                    continue
            for process in opened.processes() if opened is not None else (name,):
                found[process] = stream
        return found

    def _opened(self, stream: Stream) -> OpenLaunch | None:
        opened = self.open.get(stream)
        if opened is None:
            return None
        if not stream.queue or stream.queue[0] is not opened.task or opened.ended or opened.left_alone:
            del self.open[stream]
            return None
        return opened

    def kept_back(self) -> list[Blocked]:
        """Blocks that do not run any more since another one failed, and launches that find no cores."""
        place = self._schedule.place + 1
        found = [Blocked(place, p, (o.start,), (Item(("alive", o.name), READ),)) for p, o in self._kept_back]
        for opened in self.open.values():
            item = opened.kept_back()
            if item is not None:
                found.append(Blocked(place, opened.stream, (opened.start,), (item,)))
        for name, task in self._coreless:
            split = self.splits.chosen.get(self._names.get(task, ""))
            if split is None or not split.shares:
                continue  # it would not say at its start that it takes cores
            causes = self._schedule.tasks.submission(task)
            found.append(Blocked(place, name, causes, (takes(task, task.op.least or 1, 0),)))
        return found

    def pauses(self, stream: Stream) -> bool:
        """Whether the launch on its way there has done what the step that runs now was to do."""
        return stream in self.open and self.open[stream].resting

    def is_open(self, stream: Stream) -> bool:
        """Whether a launch is on its way there, and what runs now was only a part of it."""
        return stream in self.open and self._opened(stream) is not None

    def take(self, process: str, stream: Stream) -> bool:
        """Take a step of *process* in the launch on its way at *stream*; False: there is none."""
        opened = self._opened(stream) if stream in self.open else None
        if opened is None:
            return False
        schedule = self._schedule
        last = opened.ready_to_end
        schedule.begin(process, opened.causes(process), END_OF_LAUNCH if last else BLOCK, host=False)
        opened.wants(process)
        held = stream.held
        schedule.recorder.muted = True
        fire_head(schedule, stream, opened.task)
        schedule.recorder.muted = False
        alive = "alive", opened.name  # blocks that go before another one fails are not kept back by it
        if not last:
            failed = opened.task.done
            schedule.touch(Item(alive, WRITE if failed else READ))
            if failed:
                self._kept_back += [(p, opened) for p in opened.left() if p != process]
        if opened.task.done:
            if opened.shares:
                schedule.touch(gives_back(opened.task, held))
            self.open.pop(stream, None)
            schedule.ended(opened.task, stream)
        schedule.end_step()
        return True
