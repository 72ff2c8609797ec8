"""Who keeps the order of accesses, as the objects see him that processes share: what rides on their records.

A record of one process that ends a wait of another one carries a *stamp*: what the recording process knew. The objects
take it along and do not look into it; the race detector writes and reads stamps
(observers/races/between_processes.py). Without one nobody does, and there are no stamps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["NOTHING", "Order", "Stamp"]

Stamp = dict[str, Any]
"""What a record stands for: plain values, so that it can lie on the board."""
NOTHING: Stamp = {}
"""The stamp of what was never recorded: it orders nothing."""


class Order:
    """Base class: nobody keeps an order."""

    def stamp(self, task: Task) -> Stamp | None:
        """What follows from *task*, a record that is done. None: it is not known."""
        return None

    def acquired(self, who: Task | HostThread, stamp: Stamp | None) -> None:
        """*who* follows a record of another process. *stamp*: what that left; None: it is not known."""

    def dropped(self, t: HostThread, stream: Stream, stamp: Stamp | None) -> None:
        """A wait that *t* queued on *stream* was dropped, since the record of another process is done."""
