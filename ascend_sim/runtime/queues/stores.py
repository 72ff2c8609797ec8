"""Where the entries of a shared queue are: in this process; or, when others have the queue, where these see them, too.

The subclass for several processes is in runtime/processes/queue_sharing.py.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascend_sim.runtime.queues.entries import Entry
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Store"]


class Store:
    """The entries of a queue of this process, in order."""

    __slots__ = ("entries",)

    shared = False
    """Whether other processes have the queue as well."""

    def __init__(self) -> None:
        self.entries: deque[Entry] = deque()

    def __len__(self) -> int:
        return len(self.entries)

    def known(self) -> Iterator[Entry]:
        """The entries of which this process knows who put them there."""
        return iter(self.entries)

    def push(self, t: HostThread | None, entry: Entry, room: int) -> bool:
        """Append *entry*, unless there are *room* of them by now."""
        self.entries.append(entry)
        return True

    def pop(self, t: HostThread | None) -> Entry | None:
        """The oldest one; None when another process has taken it."""
        return self.entries.popleft()

    def clear(self, t: HostThread) -> None:
        """Drop all."""
        for entry in self.entries:
            entry.drop(t)
        self.entries.clear()

    def end(self, t: HostThread) -> None:
        """The queue is destroyed."""

    def gone(self) -> str:
        """Why nothing goes in or out any more; empty while the queue lives."""
        return ""
