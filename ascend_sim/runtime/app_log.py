"""What a program wrote with aclAppLog: kept in memory, printed when the environment asks for it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["LEVELS", "AppLog", "LogLine", "log_text"]

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
LINE_BYTES = 1023
"""1024 with the terminating zero."""
MARK = b"...[truncated]"
KEPT_LINES = 4096
DEFAULT_LEVEL = 3


def log_text(thread: int, function: str, file: str, line: int, text: str) -> str:
    """The line as the library writes it: cut to 1023 bytes, with a mark at its end when something is missing."""
    whole = f'{thread} {function}:{file}:{line}: "{text}"'.encode("utf-8", "replace")
    if len(whole) >= LINE_BYTES:
        whole = whole[: LINE_BYTES - len(MARK)] + MARK
    return whole.decode("utf-8", "replace")


class LogLine(NamedTuple):
    """One line: virtual time (ns) of the thread that wrote it, level, text."""

    time_ns: int
    level: int
    text: str

    def __str__(self) -> str:
        return f"[{LEVELS[self.level]}] APP: {self.time_ns} ns {self.text}"


class AppLog:
    """The last 4096 lines of a simulator, of all levels, oldest first.

    The real library writes them to files of its log service. Here they are printed to standard output, and only as the
    real one does that: with ``ASCEND_SLOG_PRINT_TO_STDOUT=1``, those of ``ASCEND_GLOBAL_LOG_LEVEL`` (0 debug, 1 info, 2
    warning, 3 error, the default) and above.
    """

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: deque[LogLine] = deque(maxlen=KEPT_LINES)

    def __iter__(self) -> Iterator[LogLine]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def write(self, line: LogLine) -> None:
        """Keep *line*, and print it when the environment asks for it."""
        self.lines.append(line)
        if os.environ.get("ASCEND_SLOG_PRINT_TO_STDOUT") == "1":
            level = os.environ.get("ASCEND_GLOBAL_LOG_LEVEL", "")
            if line.level >= (int(level) if level in {"0", "1", "2", "3", "4"} else DEFAULT_LEVEL):
                print(line)
