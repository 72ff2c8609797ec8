"""What other processes can do for threads that wait here: the interface by which a group asks, and waits for, them.

A group that has nothing else to do lets the operating system wake it; virtual time then keeps the pace of real time,
since the other process may need some of that. Without a process that shares something the lists are empty.
"""

from __future__ import annotations

__all__ = ["SLICE", "OtherProcesses", "awaited", "look", "wait"]

SLICE = 0.05
"""Real seconds of one wait in the system, after which the group looks at its own threads and signals again."""


class OtherProcesses:
    """Base class: the other processes as one simulator sees them."""

    def awaited(self) -> bool:
        """Whether something here waits for another process now."""
        raise NotImplementedError

    def look(self) -> bool:
        """Take in what others have done; True when something here can go on by that."""
        raise NotImplementedError

    def wait(self, seconds: float) -> None:
        """Block in the system until another process has done something, or for so many seconds."""
        raise NotImplementedError

    def others_live(self) -> bool:
        """Whether another process lives that could change what this one asks about."""
        raise NotImplementedError

    def hopeless(self) -> bool:
        """Whether the processes that could end the waits of this one wait for each other, and for this one."""
        return False


def awaited(others: list[OtherProcesses]) -> bool:
    """Whether anything waits for another process."""
    return any(one.awaited() for one in others)


def look(others: list[OtherProcesses]) -> bool:
    """Let all take in what others have done; True when something can go on."""
    found = [one.look() for one in others]  # all of them, whatever the first one says
    return any(found)


def wait(others: list[OtherProcesses], seconds: float) -> None:
    """Block until one of them has news."""
    waiting = [one for one in others if one.awaited()] or others
    for one in waiting:
        one.wait(seconds / len(waiting))
