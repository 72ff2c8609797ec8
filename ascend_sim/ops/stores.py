"""A bounded store with aging: over its bound the entry that was used longest ago goes.

See docs/semantics/operators.md#the-four-stores.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

__all__ = ["UNBOUNDED", "Store"]

V = TypeVar("V")
UNBOUNDED = (1 << 64) - 1


class Store(Generic[V]):
    """Entries by key in the order of their last use. *dropped* hears of those that age out."""

    __slots__ = ("_dropped", "_entries", "bound")

    def __init__(self, bound: int = UNBOUNDED, dropped: Callable[[V], None] | None = None) -> None:
        self.bound = bound
        self._entries: dict[Hashable, V] = {}
        self._dropped = dropped

    def get(self, key: Hashable) -> V | None:
        """The entry, which counts as used now."""
        found = self._entries.get(key)
        if found is not None:
            del self._entries[key]
            self._entries[key] = found
        return found

    def add(self, key: Hashable, value: V, keep: Callable[[V], bool] = lambda _: False) -> V:
        """Put *value* in, unless there is an equal key: that entry stays and counts as used now. Returns the entry.

        What *keep* says yes to never ages out.
        """
        found = self.get(key)
        if found is not None:
            return found
        self._entries[key] = value
        if len(self._entries) > self.bound:
            for old, entry in self._entries.items():
                if entry is not value and not keep(entry):
                    del self._entries[old]
                    if self._dropped is not None:
                        self._dropped(entry)
                    break
        return value

    def __contains__(self, key: Hashable) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[V]:
        return iter(list(self._entries.values()))

    def __len__(self) -> int:
        return len(self._entries)
