"""What is allocated at one moment, and by whom: the blocks of each device, of page-locked host memory, and the gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.findings.wording import Names
from ascend_sim.machine.allocations import Allocation
from ascend_sim.timeline.labels import place_of, source_of

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime

__all__ = ["ArenaState", "BlockState", "OwnerState", "arenas"]


@attrs.frozen
class BlockState:
    """A stretch of addresses: *state* ``live``, ``quarantine`` (freed and remembered) or ``gap``. Sizes in bytes."""

    offset: int
    length: int
    state: str
    size: int = 0
    """As the program asked for."""
    name: str = ""
    at: str = ""
    freed_at: str = ""
    owner: int = -1
    """Number of its `OwnerState`."""


@attrs.frozen
class OwnerState:
    """All live blocks that one place in the program allocated."""

    at: str
    source: str
    name: str
    blocks: int
    nbytes: int


@attrs.frozen
class ArenaState:
    """The memory of a device, or page-locked host memory (*device* -1), at one moment."""

    device: int
    used: int
    capacity: int
    most: int
    asked: int
    """Bytes that the program asked for; the rest of *used* is rounding."""
    blocks: tuple[BlockState, ...]
    owners: tuple[OwnerState, ...]
    """The biggest first."""
    pooled: int = 0
    """Bytes of *used* that were given back to pools, which keep them."""

    @property
    def quarantine(self) -> int:
        """Bytes of addresses that are freed and still remembered, so that a late use is found out."""
        return sum(block.length for block in self.blocks if block.state == "quarantine")

    @property
    def fragmentation(self) -> float:
        """How much of the free addresses between blocks lies outside the longest free stretch: 0 none, near 1 nearly all.

        Addresses in quarantine count as free: real memory would hand them out again.
        """
        stretches, current = [0], 0
        for block in self.blocks:
            current = 0 if block.state == "live" else current + block.length
            stretches.append(current)
        runs = [a for a, b in zip(stretches, [*stretches[1:], 0], strict=True) if a and b == 0]
        return 1 - max(runs) / sum(runs) if runs else 0.0

    @property
    def title(self) -> str:
        """``memory of device 0``, or what it is on the host."""
        return f"memory of device {self.device}" if self.device >= 0 else "page-locked host memory"


def arenas(sim: Runtime) -> list[ArenaState]:
    """The memory of all devices that was ever used, then page-locked host memory."""
    names = sim.names.anew()
    found = []
    for index in range(sim.memory.devices):
        arena = sim.memory.used_arena(index)
        if arena is None:
            continue
        live = [block for _, _, block in arena.layout() if block is not None and not block.freed]
        owners, order = _owners(names, live)
        blocks = tuple(_block(names, order, *part) for part in arena.layout())
        asked = sum(block.size for block in live)
        pooled = sum(r.segments.reserved - r.segments.used for r in sim.memory.regions if r.device == index)
        found.append(ArenaState(index, arena.used, arena.capacity, arena.peak, asked, blocks, owners, pooled))
    host = [block for block in sim.memory.blocks() if block.device < 0 and block.kind != "registered"]
    if host:
        owners, order = _owners(names, host)
        at, rows = 0, []
        for block in host:  # true addresses change from run to run: in order of allocation
            rows.append(_block(names, order, at, block.capacity, block))
            at += block.capacity
        used, limit = sim.memory.host_used, sim.memory.host_limit
        found.append(ArenaState(-1, used, limit, used, sum(block.size for block in host), tuple(rows), owners))
    return found


def _block(names: Names, order: dict[Any, int], offset: int, length: int, block: Allocation | None) -> BlockState:
    if block is None:
        return BlockState(offset, length, "gap")
    name = names.block(block)
    state = "quarantine" if block.freed else "live"
    return BlockState(
        offset, length, state, block.size, name if name.startswith("`") else "", place_of(block.site),
        place_of(block.free_site), -1 if block.freed else order[_site(block)],
    )  # fmt: skip


def _site(block: Allocation) -> Any:
    """The place that allocated it, as far as the program can see."""
    return place_of(block.site) or None


def _owners(names: Names, blocks: list[Allocation]) -> tuple[tuple[OwnerState, ...], dict[Any, int]]:
    """Blocks together by the place that allocated them; the biggest first."""
    together: dict[Any, list[Allocation]] = {}
    for block in blocks:
        together.setdefault(_site(block), []).append(block)
    ranked = sorted(together.items(), key=lambda pair: -sum(block.taken for block in pair[1]))
    owners = []
    for at, mine in ranked:
        name = names.block(mine[0]).strip("`").partition("#")[0] if names.block(mine[0]).startswith("`") else ""
        nbytes = sum(block.taken for block in mine)
        owners.append(OwnerState(at or "the simulator", source_of(mine[0].site), name, len(mine), nbytes))
    return tuple(owners), {at: n for n, (at, _) in enumerate(ranked)}
