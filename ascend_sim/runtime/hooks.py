"""Where observers listen: one slot a hook, None while nobody does, so that an absent observer costs one test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["HOOKS", "Hooks"]

HOOKS = (
    "api_entered",
    "api_returned",
    "call_failed",
    "attached",
    "submitted",
    "started",
    "completed",
    "failed",
    "signalled",
    "passed",
    "ordered",
    "recorded",
    "awaited",
    "waited",
    "polled",
    "timed_out",
    "stalled",
    "stream_ended",
    "dropped",
    "allocated",
    "freed",
    "block_begun",
    "block_ended",
    "pool_used",
    "pool_asked",
    "pool_gone",
    "accessed",
    "accessed_parts",
    "accessed_rows",
    "blocks_ran",
    "copied",
    "copy_queued",
    "callback_started",
    "callback_ended",
    "found",
    "device_reset",
    "stale_used",
    "finalized",
    "closed",
)
"""The names of the hooks; `observers/observer.py` documents each with its arguments."""


class Hooks:
    """For each hook the functions to call, in the order in which observers were attached; None: nobody listens."""

    __slots__ = HOOKS

    def __init__(self) -> None:
        for name in HOOKS:
            setattr(self, name, None)

    clear = __init__
    """Nobody listens any more."""

    def add(self, name: str, function: Callable[..., Any]) -> None:
        """Let *function* be called for hook *name*."""
        setattr(self, name, (*(getattr(self, name) or ()), function))

    def remove(self, name: str, function: Callable[..., Any]) -> None:
        """Undo `add`."""
        left = tuple(f for f in getattr(self, name) or () if f != function)
        setattr(self, name, left or None)

    # The types of the slots: a tuple of functions, or None.
    api_entered: tuple[Callable[..., Any], ...] | None
    api_returned: tuple[Callable[..., Any], ...] | None
    call_failed: tuple[Callable[..., Any], ...] | None
    attached: tuple[Callable[..., Any], ...] | None
    submitted: tuple[Callable[..., Any], ...] | None
    started: tuple[Callable[..., Any], ...] | None
    completed: tuple[Callable[..., Any], ...] | None
    failed: tuple[Callable[..., Any], ...] | None
    signalled: tuple[Callable[..., Any], ...] | None
    passed: tuple[Callable[..., Any], ...] | None
    ordered: tuple[Callable[..., Any], ...] | None
    recorded: tuple[Callable[..., Any], ...] | None
    awaited: tuple[Callable[..., Any], ...] | None
    waited: tuple[Callable[..., Any], ...] | None
    polled: tuple[Callable[..., Any], ...] | None
    timed_out: tuple[Callable[..., Any], ...] | None
    stalled: tuple[Callable[..., Any], ...] | None
    stream_ended: tuple[Callable[..., Any], ...] | None
    dropped: tuple[Callable[..., Any], ...] | None
    allocated: tuple[Callable[..., Any], ...] | None
    freed: tuple[Callable[..., Any], ...] | None
    block_begun: tuple[Callable[..., Any], ...] | None
    block_ended: tuple[Callable[..., Any], ...] | None
    pool_used: tuple[Callable[..., Any], ...] | None
    pool_asked: tuple[Callable[..., Any], ...] | None
    pool_gone: tuple[Callable[..., Any], ...] | None
    accessed: tuple[Callable[..., Any], ...] | None
    accessed_parts: tuple[Callable[..., Any], ...] | None
    accessed_rows: tuple[Callable[..., Any], ...] | None
    copied: tuple[Callable[..., Any], ...] | None
    copy_queued: tuple[Callable[..., Any], ...] | None
    blocks_ran: tuple[Callable[..., Any], ...] | None
    callback_started: tuple[Callable[..., Any], ...] | None
    callback_ended: tuple[Callable[..., Any], ...] | None
    found: tuple[Callable[..., Any], ...] | None
    stale_used: tuple[Callable[..., Any], ...] | None
    device_reset: tuple[Callable[..., Any], ...] | None
    finalized: tuple[Callable[..., Any], ...] | None
    closed: tuple[Callable[..., Any], ...] | None
