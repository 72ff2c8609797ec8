"""Who may call unsafe functions while streams are captured: the modes of captures and of threads.

Unsafe are the synchronous copies and sets: they would run now, between tasks that do not. See
docs/semantics/graphs.md#modes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.execution import (
    ACL_MODEL_RI_CAPTURE_MODE_GLOBAL,
    ACL_MODEL_RI_CAPTURE_MODE_RELAXED,
    ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL,
)

if TYPE_CHECKING:
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.graphs.capture import Capture
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = [
    "GLOBAL",
    "MODE_NAMES",
    "RELAXED",
    "THREAD_LOCAL",
    "OpenCaptures",
    "ThreadModes",
    "barred_by",
    "thread_modes",
]

GLOBAL = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL
THREAD_LOCAL = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL
RELAXED = ACL_MODEL_RI_CAPTURE_MODE_RELAXED
MODE_NAMES = ("GLOBAL", "THREAD_LOCAL", "RELAXED")
NONE = 3
"""Nothing is open. Smaller numbers are stricter, so the strictest of several modes is their minimum."""


class ThreadModes:
    """What one thread has to do with captures."""

    __slots__ = ("exchange", "open")

    def __init__(self) -> None:
        self.exchange = GLOBAL
        """The mode that aclmdlRICaptureThreadExchangeMode sets."""
        self.open = [0, 0, 0]
        """How many captures it has begun and not ended, by mode."""

    def strictest(self) -> int:
        """The strictest mode of the captures that it has open."""
        return next((mode for mode, count in enumerate(self.open) if count), NONE)


class OpenCaptures:
    """The open captures of one context, in the order in which they were begun."""

    __slots__ = ("captures",)

    def __init__(self) -> None:
        self.captures: dict[Capture, int] = {}
        """With their modes."""

    def strictest(self) -> int:
        """The strictest mode of an open capture."""
        return min(self.captures.values(), default=NONE)


def thread_modes(t: HostThread) -> ThreadModes:
    """The modes of *t*, made at first use."""
    modes = t.capture_modes
    if modes is None:
        modes = t.capture_modes = ThreadModes()
    return modes


def barred_by(t: HostThread, context: Context) -> Capture | None:
    """The open capture of *context* because of which *t* may not call an unsafe function now; None: it may."""
    captures = context.captures
    if captures is None or not captures.captures:
        return None
    modes = thread_modes(t)
    mine = modes.strictest()
    if modes.exchange == GLOBAL:
        barred = captures.strictest() == GLOBAL or mine == THREAD_LOCAL
    else:
        barred = modes.exchange == THREAD_LOCAL and mine in (GLOBAL, THREAD_LOCAL)
    if not barred:
        return None
    found = [c for c, mode in captures.captures.items() if mode == GLOBAL or c.thread is t]
    return found[0] if found else next(iter(captures.captures))
