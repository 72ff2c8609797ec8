"""Known state: what a run has to know from those before it, so that its steps are cut and compared as theirs are.

That is which values waits watch, since what a value was before each step says when a wait for it could have passed; and
what is relevant although most programs never have to do with it, such as a stream that gets full: from then on a
submission to it is a step of its own, as whether there is room must not decide how many steps a call has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.control.blocks.granularity import Splits
from ascend_sim.explore.search.dependence import READ, Item
from ascend_sim.machine import host_memory
from ascend_sim.runtime.value_wait import WIDTH, ValueGate, satisfied

if TYPE_CHECKING:
    from ascend_sim.explore.control.stable_ids import StableIds
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Gate

__all__ = ["KnownSets", "KnownState", "ValueTest"]


@attrs.frozen
class ValueTest:
    """Whether a wait could have passed just before a step. Where the value is not known it could."""

    place: tuple[str, int]
    condition: int
    value: int

    def __call__(self, x: int, other: Item, steps: Sequence[Any], touches: object) -> bool:
        values = steps[x].values
        before = values.get(self.place) if values is not None else None
        return before is None or satisfied(self.condition, before, self.value)


KnownSets = tuple[frozenset[tuple[str, int]], frozenset[str]]
"""The watched places and what is relevant, as they go to another process."""


class KnownState:
    """What the runs of a search know. *splits*: which launches are taken apart.

    *watched*: the places of values, as (name of the allocation, first byte). *relevant*, by name: streams that get full,
    limits that run out, settings that are set, calls that touch something although most calls of the function do not
    (`merged_calls.py`), the query of waits (`polls.WAIT_STATUS`). *grown*: a run has met something new, so that earlier
    runs did not take it into account.
    """

    def __init__(self, sets: KnownSets = (frozenset(), frozenset()), splits: Splits | None = None) -> None:
        self.splits = splits if splits is not None else Splits("whole")
        self.watched = set(sets[0])
        self.relevant = set(sets[1])
        self.grown = False

    def sets(self) -> KnownSets:
        """All of it but the splits, for another process."""
        return frozenset(self.watched), frozenset(self.relevant)

    def join(self, other: KnownSets) -> None:
        """Take in what another process has met."""
        if not (self.watched >= other[0] and self.relevant >= other[1]):
            self.watched |= other[0]
            self.relevant |= other[1]
            self.grown = True

    def add_relevant(self, name: str) -> None:
        """From the next search on, steps take *name* into account."""
        self.relevant.add(name)
        self.grown = True

    def watch(self, gate: ValueGate, ids: StableIds) -> None:
        """A wait for a value was queued."""
        place = ids.block(gate.place.block), gate.start
        if place not in self.watched:
            self.watched.add(place)
            self.grown = True

    def item(self, gate: Gate, ids: StableIds) -> Item | None:
        """What a wait for a value touches; None: *gate* is no such wait."""
        if not isinstance(gate, ValueGate):
            return None
        name = ids.block(gate.place.block)
        test = ValueTest((name, gate.start), gate.condition, gate.value)
        return Item(("bytes", name), READ, gate.start, gate.start + WIDTH, None, test)

    def values(self, sim: Runtime, ids: StableIds) -> dict[Any, int]:
        """The watched values now."""
        found: dict[Any, int] = {}
        for name, start in self.watched:
            block = ids.blocks.get(name)
            if block is not None and not block.freed:
                true = sim.memory.reach(block, start, WIDTH)
                if true:
                    found[name, start] = int.from_bytes(host_memory.view(true, WIDTH).tobytes(), "little")
        return found
