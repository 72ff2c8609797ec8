"""Long work shows itself: one line on a terminal with how far it is, how fast, and how long it may take.

Nothing is written where no terminal is. With rich there is a bar in colour; the words are the same.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Final, TextIO

__all__ = ["Progress"]

EVERY_NS: Final = 100_000_000
WIDTH: Final = 24
COLUMNS: Final = 79

_now = time.monotonic_ns  # as it is without the patches, which know virtual time


class Progress:
    """A line on *stream*; None: no line. *unit*: what is counted. *rich*: use it where it is installed."""

    def __init__(self, stream: TextIO | None, unit: str = "", rich: bool = True) -> None:
        self._stream = stream
        self._unit = unit
        self._begun = _now()
        self._shown = 0
        self._bar: Any = _bar(stream) if stream is not None and rich else None
        self._task: Any = None

    @classmethod
    def wanted(cls, wanted: bool | None, unit: str = "") -> Progress:
        """A line on stderr; None means when that is a terminal."""
        terminal = sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty()
        return cls(sys.stderr if (terminal if wanted is None else wanted) else None, unit)

    def show(self, done: int, total: int = 0, note: str = "", end_ns: int = 0) -> None:
        """So many are *done* of *total* (0: nobody knows); ten times a second at most. *end_ns*: its last moment."""
        if self._stream is None or _now() - self._shown < EVERY_NS:
            return
        self._write(self.text(done, total, note, end_ns), done, total)

    def step(self, text: str) -> None:
        """What is done now, where nothing can be counted."""
        if self._stream is not None:
            self._write(text, 0, 0)

    def text(self, done: int, total: int = 0, note: str = "", end_ns: int = 0) -> str:
        """How far it is, in words."""
        spent = max(_now() - self._begun, 1) / 1e9
        parts = [f"{done} of {total} {self._unit}" if total else f"{done} {self._unit}"]
        rate = done / spent
        if rate > 0:
            parts.append(f"{rate:.{0 if rate >= 10 else 1}f}/s")
        left = [(total - done) / rate] if rate > 0 and total > done else []
        left += [(end_ns - _now()) / 1e9] if end_ns else []
        if left:
            parts.append(f"about {_duration(max(min(left), 0))} left")
        return ", ".join([*parts, note] if note else parts)

    def end(self) -> None:
        """Take the line away."""
        if self._stream is None or not self._shown:
            return
        self._shown = 0
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            return
        self._raw("\r" + " " * COLUMNS + "\r")

    def _write(self, text: str, done: int, total: int) -> None:
        self._shown = _now()
        if self._bar is None:
            bar = f"[{'#' * (WIDTH * min(done, total) // total):<{WIDTH}}] " if total else ""
            self._raw(f"\r{(bar + text)[:COLUMNS]:<{COLUMNS}}")
            return
        if self._task is None:
            self._task = self._bar.add_task("", total=None)
            self._bar.start()
        self._bar.update(self._task, completed=done, total=total or None, description=text, refresh=True)

    def _raw(self, text: str) -> None:
        try:
            assert self._stream is not None
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is gone
            self._stream = None


def _bar(stream: TextIO) -> Any:
    """The bar of rich, which starts no thread: its locks would be the program's. None without rich."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar
    except ImportError:
        return None
    columns = BarColumn(WIDTH), TextColumn("{task.description}", markup=False)
    return Bar(
        *columns, console=Console(file=stream), auto_refresh=False, transient=True, redirect_stdout=False,
        redirect_stderr=False, get_time=lambda: _now() / 1e9,
    )  # fmt: skip


def _duration(seconds: float) -> str:
    """``8 s``, ``3 min``, ``2 h``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
