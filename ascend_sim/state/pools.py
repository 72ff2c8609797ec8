"""Stream-ordered memory pools at one moment: what is in use, and what was given back and by whom it may be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from ascend_sim.timeline.labels import place_of

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime

__all__ = ["CachedState", "PoolState", "pools"]


@attrs.frozen
class CachedState:
    """Memory that was given back on *stream* and is still the pool's. *ran*: the stream has come to the free."""

    stream: str
    nbytes: int
    ran: bool


@attrs.frozen
class PoolState:
    """A pool of *size* bytes: *used* by blocks, *reserved* of the device."""

    name: str
    device: int
    size: int
    used: int
    reserved: int
    threshold: int
    reuse: tuple[str, ...]
    """Which other streams may have memory again: ``events``, ``opportunistic``, ``internal dependencies``."""
    cached: tuple[CachedState, ...]
    at: str


def pools(sim: Runtime) -> tuple[PoolState, ...]:
    """The pools there are, in the order in which they were made."""
    registry = sim.process.pools
    names = sim.names.anew()
    found = []
    for pool in registry.pools if registry is not None else ():
        segments = pool.region.segments
        kept: dict[tuple[str, bool], int] = {}
        for segment in segments.cached():
            key = names.stream(segment.owner), all(free.done for free in segment.frees)
            kept[key] = kept.get(key, 0) + segment.size
        allowed = {
            "events": pool.follow_events, "opportunistic": pool.opportunistic, "internal dependencies": pool.internal,
        }  # fmt: skip
        found.append(
            PoolState(
                names.thing(pool), pool.device, pool.region.size, segments.used, segments.reserved, pool.threshold,
                tuple(name for name, on in allowed.items() if on),
                tuple(CachedState(stream, nbytes, ran) for (stream, ran), nbytes in kept.items()), place_of(pool.site),
            )
        )  # fmt: skip
    return tuple(found)
