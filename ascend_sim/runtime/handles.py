"""Handles: the numbers that programs get for streams, events and the rest; tombstones of destroyed ones, for reports."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ascend_sim.findings.finding import Site
from ascend_sim.runtime.current import LOCAL

if TYPE_CHECKING:
    from ascend_sim.runtime.hooks import Hooks
    from ascend_sim.source.callsite import CallSite

__all__ = ["Handles"]

FIRST_HANDLE = 0xACE0_0000_1000
"""Handles look like addresses and are none: the range is never mapped."""
STEP = 0x10
KEPT_TOMBSTONES = 4096


class Handles(dict[int, object]):
    """The live objects of a simulator by handle. *reuse*: hand out the handles of destroyed ones again."""

    __slots__ = ("_dead", "_dead_order", "_free", "_hooks", "_next", "_numbers", "reuse")

    def __init__(self, reuse: bool, hooks: Hooks) -> None:
        super().__init__()
        self.reuse = reuse
        self._hooks = hooks
        self._next = FIRST_HANDLE
        self._free: list[int] = []
        self._dead: dict[int, tuple[object, CallSite, CallSite]] = {}
        """By handle: what it was (a text, or what can describe itself), where it was destroyed, where it had been made."""
        self._dead_order: deque[int] = deque()
        self._numbers: dict[str, int] = {}

    def fresh(self) -> int:
        """A truthy int that stood for nothing before."""
        handle = self._next
        self._next = handle + STEP
        return handle

    def new(self, thing: object) -> int:
        """A handle for *thing*; never one that was given out before, unless reuse is switched on."""
        if self._free:
            handle = self._free.pop()
            self._dead.pop(handle, None)
        else:
            handle = self.fresh()
        self[handle] = thing
        if self._hooks.handle_made is not None:
            for observe in self._hooks.handle_made:
                observe(thing, handle)
        return handle

    def drop(self, handle: int) -> None:
        """The object behind *handle* is gone; reports still know what it was."""
        thing = self.pop(handle, None)
        if thing is None:
            return
        describe = getattr(thing, "describe", None)
        state = getattr(LOCAL, "state", None)
        text = describe() if describe else type(thing).__name__
        self._bury(handle, text, state.site if state is not None else None, getattr(thing, "site", None))

    def drop_as(self, handle: int, what: str, destroyed: CallSite, made: CallSite) -> None:
        """As `drop`, for an object whose text and places are at hand."""
        if self.pop(handle, None) is not None:
            self._bury(handle, what, destroyed, made)

    def drop_later_told(self, handles: Iterable[int], site: CallSite) -> None:
        """As `drop`, for small objects whose `describe` is asked when a report wants it; destroyed at *site*."""
        dead, order = self._dead, self._dead_order
        for handle in handles:
            thing = self.pop(handle, None)
            if thing is not None:
                dead[handle] = thing, site, None
                order.append(handle)
                if self.reuse:
                    self._free.append(handle)
        while len(order) > KEPT_TOMBSTONES:
            dead.pop(order.popleft(), None)

    def _bury(self, handle: int, what: object, destroyed: CallSite, made: CallSite) -> None:
        self._dead[handle] = what, destroyed, made
        self._dead_order.append(handle)
        if len(self._dead_order) > KEPT_TOMBSTONES:
            self._dead.pop(self._dead_order.popleft(), None)
        if self.reuse:
            self._free.append(handle)

    def tombstone(self, handle: int) -> str:
        """What a dead *handle* was and where it was destroyed; empty when it is unknown."""
        dead = self._dead.get(handle)
        return f"{_text(dead[0])} was destroyed{_place(dead[1])}" if dead else ""

    def gone(self) -> Iterator[tuple[str, CallSite]]:
        """(``stream 2``, where it was made) of the destroyed objects that are still known."""
        return ((_text(what), made) for what, _, made in self._dead.values() if made is not None)

    def next_number(self, kind: str) -> int:
        """1, 2, 3, ... for each kind of object, in the order of creation."""
        number = self._numbers.get(kind, 0) + 1
        self._numbers[kind] = number
        return number


def _text(what: object) -> str:
    return what if isinstance(what, str) else what.describe()  # type: ignore[attr-defined]


def _place(site: CallSite) -> str:
    frames = Site("access", "", site).frames
    return f" at {os.path.basename(frames[0].file)}:{frames[0].line}" if frames else ""
