"""Tells how long the processes that this one has started have done nothing: until then one of them may end a wait.

A worker that starts, or computes, on a busy machine takes as long as it takes. Only where the kernel shows children.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from typing import Final

__all__ = ["WANTS_TO_RUN", "ChildProcesses", "children_of"]

_real_ns = time.monotonic_ns

WANTS_TO_RUN: Final = frozenset("RD")
"""The kernel's state letters of processes and threads that wait for nothing but a processor, or a disk."""
LOOK_NS: Final = 1_000_000_000
"""Real ns between two looks."""
MOST: Final = 1_000
"""Processes that are looked at."""


class ChildProcesses:
    """The processes that this one has started, and those that these have started, as they were at the last look."""

    def __init__(self) -> None:
        self._looked = 0
        self._acted = 0
        self._seen: dict[int, tuple[str, int]] = {}

    def quiet_ns(self) -> int:
        """For how long (real ns) none has run, begun or ended; without any for as long as one likes."""
        now = _real_ns()
        if not self._looked or now - self._looked >= LOOK_NS:
            self._looked = now
            seen = {number: _state(number) for number in _living()}
            used = {number: ticks for number, (_, ticks) in seen.items()}
            before = {number: ticks for number, (_, ticks) in self._seen.items()}
            if used != before or any(state in WANTS_TO_RUN for state, _ in seen.values()):
                self._acted = now
            self._seen = seen
        return now - self._acted


def children_of(process: int | str = "self") -> Iterable[int]:
    """The numbers of the processes that *process* has started and that are still there; none where that is not known."""
    try:
        threads = os.listdir(f"/proc/{process}/task")
    except OSError:
        return
    for thread in threads:
        try:
            with open(f"/proc/{process}/task/{thread}/children", "rb", buffering=0) as file:
                numbers = file.read().split()
        except OSError:
            continue
        yield from map(int, numbers)


def _living() -> list[int]:
    found = list(children_of())
    for number in found:  # those of them come behind
        if len(found) >= MOST:
            break
        found.extend(children_of(number))
    return found[:MOST]


def _state(number: int) -> tuple[str, int]:
    """The state letter of a process, and the processor time (ticks) that it has used."""
    try:
        with open(f"/proc/{number}/stat", "rb", buffering=0) as file:
            words = file.read().rpartition(b")")[2].split()
        return words[0].decode(), int(words[11]) + int(words[12])
    except (OSError, IndexError, ValueError):
        return "?", 0
