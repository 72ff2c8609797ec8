"""A limit of real time for what a model runs: the loops of an ONNX file need not end.

The clock decides nothing in a run that ends within the limit.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from types import TracebackType
from typing import Final

from ascend_sim.runtime.threads.real_time import real_lock, start_real_thread

__all__ = ["DEFAULT_SECONDS", "LONGEST", "Alarm", "limit_from_environment", "too_long"]

DEFAULT_SECONDS: Final = 300.0
LONGEST: Final = 4_000_000.0
"""What a lock can wait for; longer limits are this long."""


def limit_from_environment() -> float:
    """``ASCEND_SIM_MODEL_SECONDS``. Raises ValueError for what is no number of seconds."""
    text = os.environ.get("ASCEND_SIM_MODEL_SECONDS", "")
    try:
        seconds = float(text or DEFAULT_SECONDS)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"ASCEND_SIM_MODEL_SECONDS is {text!r}: a number of seconds is required, 0 for no limit")
    return seconds


def too_long(name: str, seconds: float) -> str:
    """What the failure of a model says that was stopped."""
    return f"model {name!r} ran for more than {seconds:g} s of real time (--model-seconds N allows more, 0 any time)"


class Alarm:
    """Calls *stop*, from a thread of its own, when what is inside of the ``with`` takes longer than *seconds*."""

    __slots__ = ("_over", "_seconds", "_stop", "fired")

    def __init__(self, seconds: float, stop: Callable[[], None]) -> None:
        self._seconds = min(seconds, LONGEST)
        self._stop = stop
        self._over = real_lock()
        self.fired = False

    def __enter__(self) -> Alarm:
        self._over.acquire()
        start_real_thread(self._wait, ())
        return self

    def _wait(self) -> None:
        if not self._over.acquire(timeout=self._seconds):
            self.fired = True
            self._stop()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.release()
