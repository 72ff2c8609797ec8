"""What runs have to know from those before them: the values that streams wait for, and the streams that get full.

What a value was before each step says when a wait for it could have passed. A submission to a stream that gets full is a
step of its own: whether there is room must not decide how many steps a call has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.control.blocks.granularity import Splits
from ascend_sim.explore.search.dependence import READ, Item
from ascend_sim.machine import host_memory
from ascend_sim.runtime.value_wait import WIDTH, ValueGate, satisfied

if TYPE_CHECKING:
    from ascend_sim.explore.control.stable_ids import Names
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Gate

__all__ = ["Cells", "Known", "ValueTest"]


@attrs.frozen
class ValueTest:
    """Whether a wait could have passed just before a step. Without a value known it could."""

    cell: tuple[str, int]
    condition: int
    value: int

    def __call__(self, step: Any, other: Item) -> bool:
        before = step.cells.get(self.cell) if step.cells is not None else None
        return before is None or satisfied(self.condition, before, self.value)


Known = tuple[frozenset[tuple[str, int]], frozenset[str]]
"""What `Cells` hold, as it travels."""


class Cells:
    """The watched places: (name of the allocation, first byte), and what gets *full*: streams and limits, by name; also
    calls that touch something although the like of them do not (`joined_calls.py`).

    *grown*: one was met that earlier steps did not take into account.
    """

    def __init__(self, known: Known = (frozenset(), frozenset()), splits: Splits | None = None) -> None:
        self.splits = splits if splits is not None else Splits("whole")
        """Which launches are taken apart."""
        self.known = set(known[0])
        self.full = set(known[1])
        self.grown = False

    def travelling(self) -> Known:
        """All of it, for another process."""
        return frozenset(self.known), frozenset(self.full)

    def join(self, other: Known) -> None:
        """Take in what another process has met."""
        if not (self.known >= other[0] and self.full >= other[1]):
            self.known |= other[0]
            self.full |= other[1]
            self.grown = True

    def fills(self, stream: str) -> None:
        """A thread has found *stream* full."""
        self.full.add(stream)
        self.grown = True

    def add(self, gate: ValueGate, names: Names) -> None:
        """A wait was queued."""
        cell = names.block(gate.place.block), gate.start
        if cell not in self.known:
            self.known.add(cell)
            self.grown = True

    def item(self, gate: Gate, names: Names) -> Item | None:
        """What a wait for a value needs."""
        if not isinstance(gate, ValueGate):
            return None
        name = names.block(gate.place.block)
        test = ValueTest((name, gate.start), gate.condition, gate.value)
        return Item(("bytes", name), READ, gate.start, gate.start + WIDTH, None, test)

    def snapshot(self, sim: Runtime, names: Names) -> dict[Any, int]:
        """The values now."""
        found: dict[Any, int] = {}
        for name, start in self.known:
            block = names.blocks.get(name)
            if block is not None and not block.freed:
                true = sim.memory.reach(block, start, WIDTH)
                if true:
                    found[name, start] = int.from_bytes(host_memory.view(true, WIDTH).tobytes(), "little")
        return found
