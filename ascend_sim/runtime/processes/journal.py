"""The journal of a run: lines that its processes write one after the other, and that each of them reads in this order.

It is a file of the board, changed under the lock of that. A file that has become too long begins again; who has not read
all of it is told.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascend_sim.runtime.processes.board import Board

__all__ = ["LONGEST", "Journal"]

LONGEST = 8 << 20
"""Bytes of a journal, above which it begins again."""
_HEAD = 12
"""Bytes of the first line: the number of this beginning."""


class Journal:
    """The journal as one process reads and writes it. After a fork the child goes on where its parent was."""

    def __init__(self, board: Board, longest: int = LONGEST) -> None:
        self.board = board
        self._longest = longest
        self._beginning = -1
        self._read = _HEAD
        self._file = -1

    @property
    def begun(self) -> bool:
        """Whether this process has read or written it."""
        return self._file >= 0

    def exchange(self, mine: list[str]) -> tuple[bool, list[str]]:
        """Write the lines *mine*; what the others have written since the last time, which comes before them.

        And whether something was lost in between.
        """
        with self.board.locked():
            if self._file < 0:
                path = os.path.join(self.board.folder, "journal")
                self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            head = os.pread(self._file, _HEAD, 0)
            if not head:
                head = b"%11d\n" % 0
                os.write(self._file, head)
            lost = int(head) != self._beginning and self._beginning >= 0
            if int(head) != self._beginning:
                self._beginning, self._read = int(head), _HEAD
            end = self._end()
            news = os.pread(self._file, end - self._read, self._read) if end > self._read else b""
            if end > self._longest:
                os.ftruncate(self._file, 0)
                end = os.write(self._file, b"%11d\n" % (self._beginning + 1))
                self._beginning += 1
                lost = True
            if mine:
                end += os.write(self._file, "".join(f"{line}\n" for line in mine).encode())
            self._read = end
        return lost, news.decode().splitlines()

    def _end(self) -> int:
        """Where the last whole line ends: of a writer that was killed a part may be there, which goes."""
        end = os.fstat(self._file).st_size
        if os.pread(self._file, 1, end - 1) != b"\n":
            end = os.pread(self._file, end, 0).rfind(b"\n") + 1
            os.ftruncate(self._file, end)
        return end

    def close(self) -> None:
        """It is not read any more."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
