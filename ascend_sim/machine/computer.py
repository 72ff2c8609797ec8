"""How much memory this computer has left, asked when the simulated memory has grown by much.

A card has 32 or 64 GiB and costs nothing here before it is touched; a program that touches all of it may have more than
the computer, whose system then kills the process without a word. `Growth` counts what is touched for the first time, and
looks at the system once in a while: nothing else pays for it. Pages belong to the process, so there is one for all
simulators in it (docs/semantics/memory.md#memory-of-this-computer).
"""

from __future__ import annotations

import os
from collections.abc import Callable

from ascend_sim.machine.host_memory import PAGE

__all__ = ["GROWTH", "Growth", "left", "resident"]

STEP = 256 << 20
"""After so many bytes more the system is asked; to touch them took a thousand times as long."""
_CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        "/sys/fs/cgroup/memory/memory.stat",
    ),
)  # fmt: skip
"""Of a container, in both versions: the limit, what is used, and which part of that are pages of files."""


def left() -> int | None:
    """Bytes that programs can still have: of the computer, or of the container that this one runs in. None: not known."""
    found = [n for n in (_available(), *(_of_container(*paths) for paths in _CGROUPS)) if n is not None]
    return min(found) if found else None


def resident() -> int | None:
    """Bytes of memory that this process has; None where that is not known."""
    try:
        return int(_text("/proc/self/statm").split()[1]) * PAGE
    except (OSError, ValueError, IndexError):
        return None


def _available() -> int | None:
    try:
        for line in _text("/proc/meminfo").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        pass  # another system, or one that hides it
    return None


def _of_container(limit: str, used: str, parts: str) -> int | None:
    try:
        most = _text(limit).strip()
        if not most.isdecimal() or int(most) >= 1 << 60:
            return None  # no limit
        files = [line.split()[1] for line in _text(parts).splitlines() if line.startswith(("inactive_file ",))]
        return max(0, int(most) - int(_text(used)) + int(files[0] if files else 0))
    except (OSError, ValueError, IndexError):
        return None


def _text(path: str) -> str:
    with open(os.fsencode(path), encoding="ascii", errors="replace") as file:
        return file.read()


class Growth:
    """Memory that was touched for the first time; *listeners* hear when it is more than the computer has left."""

    __slots__ = ("fresh", "listeners")

    def __init__(self) -> None:
        self.fresh = 0
        """Bytes since the system was asked, or somewhat more than that."""
        self.listeners: list[Callable[[int, int], None]] = []
        """Called once each with the bytes that this process has and those that are left."""

    def look(self) -> None:
        """`fresh` has passed `STEP`."""
        self.fresh = 0
        if not self.listeners:
            return
        mine, free = resident(), left()
        if mine is None or free is None or mine <= free:
            return
        told, self.listeners = self.listeners, []
        for listener in told:
            listener(mine, free)

    def forget(self, listener: Callable[[int, int], None]) -> None:
        """*listener* wants to hear nothing any more."""
        if listener in self.listeners:
            self.listeners.remove(listener)


GROWTH = Growth()
