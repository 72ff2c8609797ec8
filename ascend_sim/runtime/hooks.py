"""Where observers listen: one slot a hook, None while nobody does, so that an absent observer costs one test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import repeat
from typing import Any, Protocol

__all__ = ["HOOKS", "Carrier", "Hooks"]

HOOKS = (
    "api_entered",
    "api_returned",
    "call_failed",
    "attached",
    "handle_made",
    "submitted",
    "started",
    "completed",
    "failed",
    "signalled",
    "passed",
    "ordered",
    "replayed",
    "forked",
    "joined",
    "recorded",
    "record_ran",
    "awaited",
    "waited",
    "stopped",
    "polled",
    "timed_out",
    "stalled",
    "stream_ended",
    "dropped",
    "allocated",
    "freed",
    "published",
    "imported",
    "mapped",
    "unmapped",
    "block_begun",
    "block_ended",
    "pool_used",
    "pool_asked",
    "pool_gone",
    "accessed",
    "accessed_parts",
    "accessed_rows",
    "accessed_through",
    "blocks_ran",
    "copied",
    "moved",
    "copy_queued",
    "callback_started",
    "callback_ended",
    "marked",
    "found",
    "device_reset",
    "stale_used",
    "finalized",
    "closed",
)
"""The names of the hooks; `observers/observer.py` documents each with its arguments."""


class Carrier(Protocol):
    """An operation whose tasks call *action*, with the task and the time, when they run; None: nothing."""

    action: Callable[..., Any] | None


class Hooks:
    """For each hook the functions to call, in the order in which observers were attached; None: nobody listens."""

    __slots__ = (*HOOKS, "_carriers")

    def __init__(self) -> None:
        self._carriers: dict[str, Carrier] = {}
        self.clear()

    def clear(self) -> None:
        """Nobody listens any more. Every simulator begins so, and a search makes one for each schedule: no loop."""
        self.api_entered = self.api_returned = self.call_failed = self.attached = self.handle_made = \
        self.submitted = self.started = self.completed = self.failed = self.signalled = self.passed = \
        self.ordered = self.replayed = self.forked = self.joined = self.recorded = self.record_ran = self.awaited = \
        self.waited = self.stopped = self.polled = self.timed_out = self.stalled = self.stream_ended = \
        self.dropped = self.allocated = self.freed = self.published = self.imported = self.mapped = self.unmapped = \
        self.block_begun = self.block_ended = self.pool_used = self.pool_asked = self.pool_gone = self.accessed = \
        self.accessed_parts = self.accessed_rows = self.accessed_through = self.blocks_ran = self.copied = \
        self.moved = self.copy_queued = self.callback_started = self.callback_ended = self.marked = self.found = \
        self.device_reset = self.stale_used = self.finalized = self.closed = None  # fmt: skip
        for carrier in self._carriers.values():
            carrier.action = None

    def carry(self, name: str, carrier: Carrier) -> None:
        """Who listens to hook *name* is called by the tasks of *carrier*, as its action.

        For hooks of the shortest tasks, which are too many to ask each whether somebody listens.
        """
        self._carriers[name] = carrier
        self._load(name)

    def _load(self, name: str) -> None:
        carrier = self._carriers[name]
        functions = getattr(self, name)
        if functions is None or len(functions) == 1:
            carrier.action = functions and functions[0]
        else:
            carrier.action = _one_after_the_other(functions)

    def add(self, name: str, function: Callable[..., Any]) -> None:
        """Let *function* be called for hook *name*."""
        before = getattr(self, name)
        setattr(self, name, (function,) if before is None else (*before, function))
        if name in self._carriers:
            self._load(name)

    def add_all(self, listeners: Mapping[str, Callable[..., Any]]) -> None:
        """`add` for each hook of *listeners*: a search makes a simulator for every schedule, with dozens of them.

        So the loops are those of `map` and `zip`.
        """
        before = list(map(getattr, repeat(self), listeners))
        after: Iterable[tuple[Callable[..., Any], ...]] = zip(listeners.values(), strict=True)
        if any(before):
            after = [(*old, *new) if old else new for old, new in zip(before, after, strict=True)]
        for _ in map(setattr, repeat(self), listeners, after):
            pass
        for name in self._carriers:
            if name in listeners:
                self._load(name)

    def remove(self, name: str, function: Callable[..., Any]) -> None:
        """Undo `add`."""
        left = tuple(f for f in getattr(self, name) or () if f != function)
        setattr(self, name, left or None)
        if name in self._carriers:
            self._load(name)

    # The types of the slots: a tuple of functions, or None.
    api_entered: tuple[Callable[..., Any], ...] | None
    api_returned: tuple[Callable[..., Any], ...] | None
    call_failed: tuple[Callable[..., Any], ...] | None
    attached: tuple[Callable[..., Any], ...] | None
    handle_made: tuple[Callable[..., Any], ...] | None
    submitted: tuple[Callable[..., Any], ...] | None
    started: tuple[Callable[..., Any], ...] | None
    completed: tuple[Callable[..., Any], ...] | None
    failed: tuple[Callable[..., Any], ...] | None
    signalled: tuple[Callable[..., Any], ...] | None
    passed: tuple[Callable[..., Any], ...] | None
    ordered: tuple[Callable[..., Any], ...] | None
    replayed: tuple[Callable[..., Any], ...] | None
    forked: tuple[Callable[..., Any], ...] | None
    joined: tuple[Callable[..., Any], ...] | None
    recorded: tuple[Callable[..., Any], ...] | None
    record_ran: tuple[Callable[..., Any], ...] | None
    awaited: tuple[Callable[..., Any], ...] | None
    waited: tuple[Callable[..., Any], ...] | None
    stopped: tuple[Callable[..., Any], ...] | None
    polled: tuple[Callable[..., Any], ...] | None
    timed_out: tuple[Callable[..., Any], ...] | None
    stalled: tuple[Callable[..., Any], ...] | None
    stream_ended: tuple[Callable[..., Any], ...] | None
    dropped: tuple[Callable[..., Any], ...] | None
    allocated: tuple[Callable[..., Any], ...] | None
    freed: tuple[Callable[..., Any], ...] | None
    published: tuple[Callable[..., Any], ...] | None
    imported: tuple[Callable[..., Any], ...] | None
    mapped: tuple[Callable[..., Any], ...] | None
    unmapped: tuple[Callable[..., Any], ...] | None
    block_begun: tuple[Callable[..., Any], ...] | None
    block_ended: tuple[Callable[..., Any], ...] | None
    pool_used: tuple[Callable[..., Any], ...] | None
    pool_asked: tuple[Callable[..., Any], ...] | None
    pool_gone: tuple[Callable[..., Any], ...] | None
    accessed: tuple[Callable[..., Any], ...] | None
    accessed_parts: tuple[Callable[..., Any], ...] | None
    accessed_rows: tuple[Callable[..., Any], ...] | None
    accessed_through: tuple[Callable[..., Any], ...] | None
    copied: tuple[Callable[..., Any], ...] | None
    moved: tuple[Callable[..., Any], ...] | None
    copy_queued: tuple[Callable[..., Any], ...] | None
    blocks_ran: tuple[Callable[..., Any], ...] | None
    callback_started: tuple[Callable[..., Any], ...] | None
    callback_ended: tuple[Callable[..., Any], ...] | None
    marked: tuple[Callable[..., Any], ...] | None
    found: tuple[Callable[..., Any], ...] | None
    stale_used: tuple[Callable[..., Any], ...] | None
    device_reset: tuple[Callable[..., Any], ...] | None
    finalized: tuple[Callable[..., Any], ...] | None
    closed: tuple[Callable[..., Any], ...] | None


def _one_after_the_other(functions: tuple[Callable[..., Any], ...]) -> Callable[..., None]:
    def call(*arguments: object) -> None:
        for function in functions:
            function(*arguments)

    return call
