"""Values in device memory that streams wait for: what they were before each step says when a wait could pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.footprints import READ, Item
from ascend_sim.machine import host_memory
from ascend_sim.runtime.value_watch import WIDTH, ValueGate, satisfied

if TYPE_CHECKING:
    from ascend_sim.explore.names import Names
    from ascend_sim.runtime.task import Gate
    from ascend_sim.simulator import Simulator

__all__ = ["Cells", "ValueTest"]


@attrs.frozen
class ValueTest:
    """Whether a wait could have passed just before a step. Without a value known it could."""

    cell: tuple[str, int]
    condition: int
    value: int

    def __call__(self, step: Any, other: Item) -> bool:
        before = step.cells.get(self.cell) if step.cells is not None else None
        return before is None or satisfied(self.condition, before, self.value)


class Cells:
    """The watched places: (name of the allocation, first byte). `grown`: one was met that earlier steps did not look at."""

    def __init__(self) -> None:
        self.known: set[tuple[str, int]] = set()
        self.grown = False

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

    def snapshot(self, sim: Simulator, names: Names) -> dict[Any, int]:
        """The values now."""
        found: dict[Any, int] = {}
        for name, start in self.known:
            block = names.blocks.get(name)
            if block is not None and not block.freed:
                true = sim.memory.reach(block, start, WIDTH)
                if true:
                    found[name, start] = int.from_bytes(host_memory.view(true, WIDTH).tobytes(), "little")
        return found
