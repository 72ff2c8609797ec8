"""Granularity: which launches are taken apart into a step for each block. Those of which two blocks, or more, conflict.

At first every launch is one step. A run shows which blocks conflict with others of the launch, or with steps that the
launch does not follow; as soon as there are two such parts, it matters what comes between, and from then on each is a
step of its own. Blocks that conflict with nothing go with the start of the launch: where they stand makes no difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.control.blocks.conflicts import Part, Parts, parts_of
from ascend_sim.explore.search.dependence import END, Item, meet

if TYPE_CHECKING:
    from ascend_sim.explore.search.tree import Step
    from ascend_sim.kernels.launching.accesses import BlockAccesses

__all__ = ["BLOCKS", "FEW", "Ran", "Split", "Splits"]

BLOCKS = ("few", "all", "whole")
"""How far launches are taken apart: up to `FEW` blocks of each, all that conflict, not at all."""
FEW = 4

START_PART, END_PART = (-1, 0), (-2, 0)
"""What conflicts beside blocks: the arguments that are read at the start, and the end that others ask about."""
KEPT = 1_000_000
"""Numbers in the logs of launches that are kept to be recognised."""


@attrs.frozen
class Split:
    """How a launch is taken apart: the blocks that go *alone*, and conflicting ones that stay *together*."""

    alone: tuple[int, ...]
    together: tuple[int, ...] = ()
    shares: bool = False
    """It may miss cores that another launch holds: it takes its last ones in a step of its own."""


@attrs.frozen
class Ran:
    """A launch in a run: at which place it was a step, what its blocks did. *split*: that step holds only the others."""

    place: int
    launch: str
    parts: Parts
    split: Split | None


class Splits:
    """The launches that are taken apart, as runs before have shown. *way*: one of `BLOCKS`."""

    def __init__(self, way: str = "few", chosen: Mapping[str, Split] | None = None) -> None:
        self.way = way
        self.chosen: dict[str, Split] = dict(chosen or {})
        """By the name of the launch."""
        self.rounding = way == "all"
        """Atomic updates of floats have an order: their sums are rounded."""
        self.grown = False
        """A launch is to be taken apart that was not, or not so far."""
        self._met: dict[str, set[Part]] = {}
        """For each launch the parts that conflict."""
        self._shares: set[str] = set()
        self._kept: dict[Any, Parts] = {}
        self._size = 0
        """How long the logs are that are kept."""

    def parts(self, found: BlockAccesses, names: tuple[str, ...]) -> Parts:
        """The parts of a launch. Those of launches that did the same are the same object."""
        key = names, found.key
        parts = self._kept.get(key)
        if parts is None:
            self._size += len(found.log)
            if self._size > KEPT:
                self._kept.clear()
                self._size = len(found.log)
            parts = self._kept[key] = parts_of(found, names, self.rounding)
        return parts

    def limited(self) -> list[tuple[str, Split]]:
        """The launches of which more blocks conflict than go alone."""
        return [(name, split) for name, split in sorted(self.chosen.items()) if split.together]

    def look(self, steps: Sequence[Step], fresh: int, launches: Sequence[Ran], *, ordered: bool = True) -> None:
        """Take in a run: its *steps*, of which those from *fresh* on are new, and the launches in it.

        *ordered*: the steps know what they follow for certain.
        """
        places = 0
        for one in launches:
            if one.place < len(steps):
                places |= 1 << one.place
                self._add(one.launch, one.parts.clashing)
        if not places:
            return
        by_place = {one.place: one for one in launches}
        for i in range(fresh, len(steps)):
            step = steps[i]
            free = step.before & ~step.enablers if ordered else (1 << i) - 1
            if i not in by_place:
                free &= places
            while free:
                x = free.bit_length() - 1
                free ^= 1 << x
                if steps[x].process == step.process:
                    continue
                for mine, theirs in ((i, x), (x, i)):
                    if mine in by_place:
                        self._meet(by_place[mine], steps[mine].items, steps[theirs].items)

    def _meet(self, launch: Ran, mine: Sequence[Item], theirs: Sequence[Item]) -> None:
        """The step of *launch*, which touches *mine*, may change places with one that touches *theirs*."""
        clashes = [(a, b) for a in mine for b in theirs if a.key == b.key and (meet(a, b) or meet(b, a))]
        if not clashes:
            return
        found = launch.parts.meeting(theirs)
        if launch.split is not None:
            apart = {*launch.split.alone, *launch.split.together}
            found = {part for part in found if part[0] not in apart}
        for item, _ in clashes:
            if item.mode == END:
                found.add(END_PART)
            elif not isinstance(item.key, tuple) or item.key[1] not in launch.parts.names:
                found.add(START_PART)
        self._add(launch.launch, found)

    def _add(self, launch: str, found: set[Part] | frozenset[Part]) -> None:
        met = self._met.get(launch)
        if met is None:
            met = self._met[launch] = set()
        if found <= met or self.way == "whole":
            return
        met |= found
        self._choose(launch)

    def share(self, launch: str) -> None:
        """Another kernel may hold cores that *launch* waits for."""
        if launch not in self._shares and self.way != "whole":
            self._shares.add(launch)
            self._choose(launch)

    def copy(self) -> Splits:
        """A copy for another process, with the same launches."""
        other = Splits(self.way, self.chosen)
        other._met = {launch: set(met) for launch, met in self._met.items()}
        other._shares = set(self._shares)
        return other

    def join(self, other: Splits) -> None:
        """Take in what another process has met."""
        for launch, found in other._met.items():
            self._add(launch, found)
        for launch in sorted(other._shares):
            self.share(launch)

    def _choose(self, launch: str) -> None:
        met, shares = self._met.get(launch, set()), launch in self._shares
        blocks = sorted({block for block, _ in met if block >= 0})
        if len(met) < 2:
            if not shares:
                return
            blocks = []
        alone = blocks if self.way == "all" or len(blocks) <= FEW + 1 else [*blocks[: FEW // 2], *blocks[-(FEW // 2) :]]
        split = Split(tuple(alone), tuple(block for block in blocks if block not in alone), shares)
        if self.chosen.get(launch) != split:
            self.chosen[launch] = split
            self.grown = True
