"""Labels of streams, events and notifies in the pictures: the names of reports, also of destroyed ones."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ascend_sim.findings.wording import Names
from ascend_sim.source.callsite import Frame, Point, points, source_line
from ascend_sim.source.fence import fenced
from ascend_sim.source.frames import frames_of

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.timeline.records import Thing

__all__ = ["Labels", "frame_of", "place_of", "source_of"]


class Labels(Names):
    """Names of one simulator's streams, events and notifies. All of a kind must be made known before one is named:
    which of several gets which ordinal depends on the others.
    """

    def __init__(self, sim: Runtime) -> None:
        super().__init__(sim.handles, sim.contexts, sim.memory, elements=False)
        self.adopt(sim.names)
        self._streams: dict[int, Stream] = {}
        self._things: dict[tuple[str, int], Thing] = {}
        self._places: dict[tuple[type, str, Any], list[int]] = {}
        """Class, kind and site -> the numbers of what was made there, in order; made when the first one is named."""

    def know_stream(self, stream: Stream) -> None:
        """*stream* will be named."""
        self._streams[stream.number] = stream

    def know(self, thing: Thing) -> None:
        """*thing* will be named."""
        self._things.setdefault((thing.kind, thing.number), thing)

    def _alike(self, thing: Any) -> list[Any]:
        return list(self._streams.values())

    def _made_there(self, thing: Any, find: Callable[[], Iterable[Any]]) -> tuple[int, int]:
        # A loop makes many at one place: looked for one by one they would take the square of their number.
        if not self._places:
            known: list[Any] = [*self._streams.values(), *self._things.values()]
            for one in known:
                if one.site is not None:
                    self._places.setdefault(_place(one), []).append(one.number)
            for numbers in self._places.values():
                numbers.sort()
        numbers = self._places.get(_place(thing), [])
        before = bisect_left(numbers, thing.number)
        return before, len(numbers) - (numbers[before : before + 1] == [thing.number])

    @fenced(lambda self, thing: f"{thing.kind} {thing.number}")
    def thing(self, thing: Thing) -> str:
        """`` `ready` `` or ``event 2``."""
        known = self._things.get((thing.kind, thing.number), thing)
        told = self._by_number.get((thing.kind, thing.number))
        name = told or self._name(known, lambda: [o for o in self._things.values() if o.kind == known.kind])
        return f"`{name}`" if name else f"{known.kind} {known.number}"


def _place(thing: Any) -> tuple[type, str, Any]:
    return type(thing), getattr(thing, "kind", ""), thing.site


@lru_cache(maxsize=8192)
def _frame(found: tuple[Point, ...]) -> Frame | None:
    frames = frames_of(found)
    return frames[0] if frames else None


def frame_of(site: Any) -> Frame | None:
    """The user's innermost frame of a call site."""
    return _frame(points(site))


def place_of(site: Any) -> str:
    """``train.py:12``; empty when it is unknown."""
    frame = frame_of(site)
    return f"{os.path.basename(frame.file)}:{frame.line}" if frame is not None else ""


def source_of(site: Any) -> str:
    """The line of source that is called at *site*."""
    frame = frame_of(site)
    return source_line(frame.file, frame.line).strip() if frame is not None else ""
