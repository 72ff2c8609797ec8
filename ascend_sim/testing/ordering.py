"""What records, waits and synchronises order, as a program that wants to be correct has to know it.

Vector clocks over streams and the one host thread, written from docs/semantics/happens_before.md: so that random
programs can be given as much synchronisation as they need, or less.
"""

from __future__ import annotations

__all__ = ["Ordering", "Snapshot"]

Snapshot = dict[int, int]
"""Stream -> how many of its tasks are known to be over before."""


class Ordering:
    """Streams and buffers are numbers of the program's own."""

    def __init__(self) -> None:
        self.done: Snapshot = {}
        """How many tasks each stream was given."""
        self.knows: dict[int, Snapshot] = {}
        self.host: Snapshot = {}
        """What the host has waited for: it holds for everything that is queued from then on."""
        self._users: dict[int, list[tuple[int, int, bool]]] = {}

    def needs(self, stream: int, buffer: int, writes: bool) -> list[int]:
        """The streams that *stream* has to wait for before it uses *buffer*."""
        knows = self._at(stream)
        found = [
            other
            for other, number, wrote in self._users.get(buffer, ())
            if other != stream and (writes or wrote) and knows.get(other, 0) < number
        ]
        return list(dict.fromkeys(found))

    def use(self, stream: int, buffer: int, writes: bool) -> None:
        """The newest task of *stream* (`task`) uses *buffer*; or the buffer is valid from there on."""
        if writes:
            self._users[buffer] = []
        self._users.setdefault(buffer, []).append((stream, self.done.get(stream, 0), writes))

    def task(self, stream: int) -> int:
        """A task is queued on *stream*; its number there."""
        self.done[stream] = self.done.get(stream, 0) + 1
        self.knows[stream] = _both(self._at(stream), {})
        return self.done[stream]

    def record(self, stream: int) -> Snapshot:
        """A record on *stream*: what a wait for it will know."""
        self.task(stream)
        return _both(self.knows[stream], {stream: self.done[stream]})

    def wait(self, stream: int, record: Snapshot) -> None:
        """*stream* waits for *record*."""
        self.task(stream)
        self.knows[stream] = _both(self.knows[stream], record)

    def synchronize(self, stream: int) -> None:
        """The host waits for all of *stream*."""
        self.host = _both(_both(self.host, self._at(stream)), {stream: self.done.get(stream, 0)})

    def heard(self, record: Snapshot) -> None:
        """The host waits for a record."""
        self.host = _both(self.host, record)

    def unknown_to_host(self, buffer: int) -> list[int]:
        """Streams that the host has to wait for before it may read, write or free *buffer*."""
        late = [s for s, number, _ in self._users.get(buffer, ()) if self.host.get(s, 0) < number]
        return list(dict.fromkeys(late))

    def is_known(self, record: Snapshot) -> bool:
        """Whether the host knows that *record* is complete."""
        return all(self.host.get(stream, 0) >= number for stream, number in record.items())

    def forget(self, buffer: int) -> None:
        """*buffer* is gone; its number may come again."""
        self._users.pop(buffer, None)

    def _at(self, stream: int) -> Snapshot:
        return _both(self.knows.get(stream, {}), self.host)


def _both(first: Snapshot, second: Snapshot) -> Snapshot:
    merged = dict(first)
    for stream, number in second.items():
        if number > merged.get(stream, 0):
            merged[stream] = number
    return merged
