"""The words of a framework, for what its programs do: a class that the framework's room fills, found by the face of a call.

A program that uses a framework has no calls of the API, no handles and no addresses: it has the framework's objects.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_sim.findings.finding import Finding
from ascend_sim.source.callsite import Point
from ascend_sim.source.fence import fenced

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation

__all__ = ["VOCABULARIES", "Part", "Vocabulary"]


class Part(NamedTuple):
    """The bytes of an allocation that one object of the program has: from *begin* on, *size* of them."""

    name: str
    begin: int
    size: int

    @property
    @fenced(lambda self: self.name)
    def bare(self) -> str:
        """The name without quotes, for labels with ranges; ``the block`` of ``a block of 64 bytes``."""
        return self.name.strip("`") if self.name.startswith("`") else f"the {self.name.split()[1]}"


class Vocabulary:
    """What a framework's program calls things. Each method answers for what came through the framework, None: no word."""

    def stream(self, stream: Any) -> str | None:
        """`` `s1` `` of a stream."""

    def event(self, event: Any) -> str | None:
        """`` `ready` `` of an event."""

    def typed(self, thing: Any) -> str | None:
        """What to type for a stream or an event."""

    def part(self, block: Allocation, lo: int, hi: int) -> Part | None:
        """The object that holds the bytes [lo, hi) of *block*."""

    def work(self, kind: str) -> str | None:
        """What a task of *kind* does, as a subject."""

    def successor(self, earlier: Any, later: Any, block: Allocation, lo: int, hi: int) -> str | None:
        """Whether *later* works on an object that got the memory of one that *earlier* worked on, which is gone.

        The name of the earlier one; empty when it has none. None: it is the same object, or that cannot be told.
        """

    def keeping(self, name: str, stream: Any, line: str) -> str:
        """What to do so that the object *name* keeps its memory until *stream* is done: as `Finding.fix`."""
        return f"keep {name or 'it'} until the stream is done"

    def finding(self, finding: Finding) -> Finding:
        """*finding* with calls and code of the API in the framework's words."""
        return finding

    def told(self) -> None:
        """A report is written: the program goes on, and its variables change."""


VOCABULARIES: dict[Point, Callable[[], Vocabulary]] = {}
"""By the face of a call: who makes the words; a framework's room puts its own here when it is loaded."""
