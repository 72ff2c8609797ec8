"""Bytes that several processes have, and waits for a value in them: who writes there wakes the processes that wait.

The bytes themselves are shared pages; nobody hears of a write in them. So a process whose streams wait for a value says so
on the board, and one that has written shared bytes looks there (docs/semantics/processes.md#waits).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.runtime.processes.board import Entry, Who
from ascend_sim.runtime.processes.events import _fail_streams, report_dead
from ascend_sim.runtime.processes.neighbours import Neighbours, Shared
from ascend_sim.runtime.value_wait import ValueWatches

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["SharedBytes", "share_bytes"]


class SharedBytes(Shared):
    """A block of memory whose bytes other processes can have, with those that wait here for a value in it."""

    __slots__ = ("block", "names")

    block: Allocation

    def __init__(self, neighbours: Neighbours, name: str, block: Allocation) -> None:
        super().__init__(neighbours, name)
        self.block = block
        self.names = [name]
        """Those of all entries by which the block is known: one for each key."""

    def describe(self) -> str:
        """What is waited for, in words."""
        waits = self._watches.waiting(self.block)
        return waits[0][0].describe() if waits else f"a value in {self.block.describe()}"

    @property
    def _watches(self) -> ValueWatches:
        return ValueWatches.of(self.neighbours.sim)

    def entries(self) -> list[str]:
        """The names of its entries."""
        return self.names

    def waits(self) -> bool:
        """Whether a stream waits for a value in it."""
        watches = self.neighbours.sim.value_watches
        return watches is not None and bool(watches.waiting(self.block))

    def news(self, entry: Entry) -> bool:
        """Somebody may have written: the waits whose value is there go on."""
        return self._watches.look_again(self.block, self.neighbours.sim.scheduler.now)

    def enders(self, entry: Entry) -> list[Who] | None:
        """The others that have it; None: nobody has, and others live that may still import it."""
        board = self.neighbours.board
        users = [who for name in self.names for who in (board.read(name) or {}).get("users", ())]
        return [who for who in dict.fromkeys(users) if who != board.me] or None

    def abandoned(self, ended: list[Who]) -> bool:
        """Nobody is left who could write the value."""
        waits = self._watches.waiting(self.block)
        streams: list[Stream] = [stream for _, stream in waits]
        time, what = self.neighbours.sim.scheduler.now, self.describe()
        report_dead(self, streams, ended[0], "which had the memory, and nobody else could write it")
        for gate, stream in waits:
            self._watches.discard(gate, stream)
        _fail_streams(streams, time, f"{what}: the process that could write it is gone")
        return True


def share_bytes(near: Neighbours, block: Allocation, name: str, path: str, offset: int) -> None:
    """The bytes of *block* are those of a file from *offset* on, and others have them by the entry *name*."""
    known = near.shared_bytes.get(block)
    near.shared_bytes[block] = path, offset
    if known is not None:
        for thing in near.things.values():
            if isinstance(thing, SharedBytes) and thing.block is block:
                thing.names.append(name)
        return
    if name not in near.things:
        near.add(SharedBytes(near, name, block))
    _listen(near)
    if near.sim.value_watches is not None and near.sim.value_watches.waiting(block):
        near.watch()


def _listen(near: Neighbours) -> None:
    hooks = near.sim.hooks
    if near.tells_writes:
        return
    near.tells_writes = True

    def freed(t: HostThread | None, block: Allocation) -> None:
        if near.shared_bytes.pop(block, None) is not None:
            for name, thing in list(near.things.items()):
                if isinstance(thing, SharedBytes) and thing.block is block:
                    del near.things[name]

    def accessed(who: Any, block: Allocation, lo: int, hi: int, write: bool) -> None:
        if write and block in near.shared_bytes:
            near.wake_watchers()

    def parts(who: Any, block: Allocation, parts: list[tuple[int, int]], write: bool) -> None:
        accessed(who, block, 0, 0, write)

    def rows(who: Any, block: Allocation, lo: int, width: int, pitch: int, rows: int, write: bool) -> None:
        accessed(who, block, 0, 0, write)

    hooks.add("freed", freed)
    hooks.add("accessed", accessed)
    hooks.add("accessed_parts", parts)
    hooks.add("accessed_rows", rows)
