"""Pages of this process that nobody may touch for a while: who does is heard of, and then may.

A native library does it (`native/c/pages.c`), in a process that has one. A system call that is handed such pages fails
with EFAULT, as it does for what is not mapped.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from ascend_sim.machine.host_memory import PAGE

__all__ = ["GUARDS", "PageGuard"]

GUARDS: list[PageGuard] = []
"""The one of this process, if it has one."""


class PageGuard:
    """Closes ranges of pages, each known by a number above 0."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._close = library.ascend_sim_close_pages
        self._close.argtypes = [ctypes.c_uint64] * 3
        self._open = library.ascend_sim_open_pages
        self._open.argtypes = [ctypes.c_uint64, ctypes.c_int]
        self._open.restype = None
        self.heard: Callable[[int, bool], None] | None = None
        """Called with a number and whether it was a write, by the thread that touches the bytes; they are open then."""
        self.numbers = 0

    @staticmethod
    def fits(address: int, nbytes: int) -> bool:
        """Whether memory of *nbytes* at *address* has its pages for itself."""
        return not address % PAGE and not nbytes % PAGE

    def close(self, address: int, nbytes: int) -> int:
        """From now on who touches the bytes is heard of. Returns their number; 0 when there are too many ranges."""
        self.numbers += 1
        return self.numbers if self._close(self.numbers, address, nbytes) else 0

    def close_again(self, number: int) -> None:
        """After `open`."""
        self._close(number, 0, 1)

    def open(self, number: int, forget: bool = False) -> None:
        """They may be touched. *forget*: nobody closes them again."""
        self._open(number, int(forget))
