"""Stable hashes: threads and futures are hashed by their numbers in the run, not by where they lie in memory.

The pools of the library keep both in sets, whose order would differ from run to run, and take the locks of futures in
the order of their ids.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import _base
from contextlib import contextmanager
from typing import Any

__all__ = ["restart", "stable_hashes"]

_ATTRIBUTE = "_ascend_sim_hash"
_numbers = itertools.count(1)


def restart() -> None:
    """Count from 1 again: a run begins."""
    global _numbers
    _numbers = itertools.count(1)


@contextmanager
def stable_hashes() -> Iterator[None]:
    """Number what is made meanwhile."""
    before: list[tuple[Any, str, Any]] = []
    for cls in (threading.Thread, _base.Future):
        before += [(cls, "__init__", cls.__init__), (cls, "__hash__", cls.__hash__)]
        _number(cls)
    acquire: Any = _base._AcquireFutures
    before.append((acquire, "__init__", acquire.__init__))

    def in_order(self: Any, futures: Any) -> None:
        self.futures = sorted(futures, key=hash)

    acquire.__init__ = in_order
    try:
        yield
    finally:
        for owner, name, value in before:
            setattr(owner, name, value)


def _number(cls: Any) -> None:
    real_init, real_hash = cls.__init__, cls.__hash__

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        self.__dict__[_ATTRIBUTE] = next(_numbers)
        real_init(self, *args, **kwargs)

    def hash_(self: Any) -> int:
        number = self.__dict__.get(_ATTRIBUTE)
        return number if number is not None else real_hash(self)  # type: ignore[no-any-return]

    init.__wrapped__ = real_init  # type: ignore[attr-defined]
    cls.__init__, cls.__hash__ = init, hash_
