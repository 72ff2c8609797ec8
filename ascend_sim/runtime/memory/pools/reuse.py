"""Which memory that was given back to a pool may be handed out again, and to which stream.

On the stream on which it was given back always: tasks of one stream run in order. To other streams as the pool is set:
to one that has waited for an event recorded after the free; to any one, which then waits for the free (internal
dependencies); to any one without a wait (opportunistic), whose allocation fails when the free has not run by then.

The library's search looks at the stream that had allocated a block, and is switched off in the source that was looked
at; the manual speaks of what earlier tasks of the stream have given back, and that is what is done here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.machine.pool_segments import Segment
    from ascend_sim.runtime.event import Event
    from ascend_sim.runtime.graphs.graph import Line
    from ascend_sim.runtime.memory.pools.pool import MemoryPool
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["EVENT", "INTERNAL", "OPPORTUNISTIC", "SAME", "EventOrder", "choose"]

SAME, EVENT, INTERNAL, OPPORTUNISTIC = "same stream", "events", "internal dependencies", "opportunistic"
"""Why a segment may be taken."""

FEW_EVENTS = 256


class EventOrder:
    """Which streams have waited for events of which others, by calls: what a pool knows of the program's own order."""

    def __init__(self, live: Callable[[Event], bool]) -> None:
        self._live = live
        self._records: dict[Stream, int] = {}
        """How many records were queued on each stream."""
        self._latest: dict[Event, tuple[Stream, int]] = {}
        self._seen: dict[tuple[Stream, Stream], int] = {}
        """(who waits, who recorded) -> the latest record, by its number on that stream."""
        self._tidy_at = FEW_EVENTS

    def mark(self, stream: Stream) -> int:
        """How many records were queued on *stream*."""
        return self._records.get(stream, 0)

    def follows(self, stream: Stream, other: Stream, mark: int) -> bool:
        """Whether *stream* has waited for a record of *other* that came after its first *mark* records."""
        return self._seen.get((stream, other), -1) >= mark

    def recorded(self, pair: tuple[Any, Task]) -> None:
        """An event was recorded (a hook)."""
        event, task = pair
        if getattr(event, "gate", self) is None:  # a notify is no event, and a flag may have been set by another record
            number = self._records.get(task.stream, 0)
            self._latest[event] = (task.stream, number)
            self._records[task.stream] = number + 1
            if len(self._latest) > self._tidy_at:
                self._latest = {e: at for e, at in self._latest.items() if self._live(e)}
                self._tidy_at = 2 * len(self._latest) + FEW_EVENTS

    def awaited(
        self, call: str, t: HostThread, thing: Any, stream: Stream, task: Task | None, record: Task | None
    ) -> None:
        """A stream was made to wait (a hook)."""
        if call == "wait" and thing in self._latest:
            other, number = self._latest[thing]
            self._seen[stream, other] = max(self._seen.get((stream, other), -1), number)

    def stream_ended(self, stream: Stream) -> None:
        """Forget a stream (a hook)."""
        self._records.pop(stream, None)
        for pair in [pair for pair in self._seen if stream in pair]:
            del self._seen[pair]


def choose(pool: MemoryPool, size: int, owner: Stream | Line, order: EventOrder) -> tuple[Segment, str] | None:
    """The cached segment for *size* bytes on *owner*, and why it may be taken: of each reason the smallest that fits.

    A line of a graph takes only what it has given back itself; and nobody else gets that.
    """
    if pool.sim.profile.switches["memory_pool_reuse"] != "page":
        return None
    cached = pool.region.segments.cached
    for segment in cached(size):
        if segment.owner is owner:
            return segment, SAME
    from ascend_sim.runtime.graphs.graph import Line  # few programs have graphs
    from ascend_sim.runtime.memory.pools.in_graphs import is_reserved

    if isinstance(owner, Line):
        return None
    if pool.follow_events:
        for segment in cached(size):
            if order.follows(owner, segment.owner, segment.mark):
                return segment, EVENT
    reason = INTERNAL if pool.internal else OPPORTUNISTIC if pool.opportunistic else ""
    if reason:
        for segment in cached(size):
            if not is_reserved(segment):
                return segment, reason
    return None
