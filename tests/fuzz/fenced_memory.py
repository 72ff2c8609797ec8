"""Host memory whose every byte is known, between two pages that nobody may touch.

A call that writes where it must not changes a byte that can be looked at afterwards, or runs into a fence; it never
hits Python's own heap.
"""

from __future__ import annotations

import ctypes
import mmap
import tempfile
from typing import Any

import numpy as np

__all__ = ["Fenced", "short_file"]

PAGE = mmap.PAGESIZE
_NONE, _READ, _WRITE = 0, 1, 2

_libc = ctypes.CDLL(None, use_errno=True)
_size = ctypes.c_size_t
_libc.mmap.argtypes = [_size, _size, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_longlong]
_libc.mmap.restype = _size
_libc.mprotect.argtypes = [_size, _size, ctypes.c_int]


def _map(pages: int, protection: int, file: int = -1) -> int:
    flags = mmap.MAP_PRIVATE | (mmap.MAP_ANONYMOUS if file < 0 else 0)
    address: int = _libc.mmap(0, pages * PAGE, protection, flags, file, 0)
    if address == (1 << 64) - 1:
        raise OSError(ctypes.get_errno(), "mmap")
    return address


class Fenced:
    """*pages* pages of host memory with a fence on either side. Read-only ones hold the same bytes."""

    def __init__(self, name: str, pages: int = 1, writable: bool = True) -> None:
        self.name = name
        self.nbytes = pages * PAGE
        self.writable = writable
        base = _map(pages + 2, _NONE)
        self.address = base + PAGE
        _libc.mprotect(self.address, self.nbytes, _READ | _WRITE)
        buffer = (ctypes.c_ubyte * self.nbytes).from_address(self.address)
        self.bytes: np.ndarray[Any, Any] = np.frombuffer(buffer, np.uint8)
        self._known = np.resize(np.frombuffer(name.encode() + b"\xa5\x5a\xff\x01", np.uint8), self.nbytes)
        self._expected = self._known.tobytes()
        self._may: list[tuple[int, int]] = []
        self.bytes[:] = self._known
        if not writable:
            _libc.mprotect(self.address, self.nbytes, _READ)

    def restore(self) -> None:
        """Every byte as it was at first; nobody may write any more."""
        if self._may:
            self.bytes[:] = self._known
            self._may.clear()

    def lend(self, address: int, nbytes: int | None = None) -> bool:
        """From now on a call may write at *address*, if that is in here: *nbytes*, or all up to the fence."""
        start = address - self.address
        if not self.writable or not 0 <= start < self.nbytes:
            return False
        self._may.append((start, self.nbytes if nbytes is None else start + nbytes))
        return True

    def trespass(self) -> int | None:
        """The first byte that changed although nobody was allowed to change it."""
        if not self._may:
            if self.bytes.tobytes() == self._expected:
                return None
            return int(np.flatnonzero(self.bytes != self._known)[0])
        changed = self.bytes != self._known
        for low, high in self._may:
            changed[low:high] = False
        return int(np.flatnonzero(changed)[0]) if changed.any() else None


def short_file() -> int:
    """The address of two mapped pages of a file of 100 bytes: the first can be read, the second ends a process."""
    with tempfile.TemporaryFile() as file:
        file.write(b"\x5a" * 2 * PAGE)
        file.flush()
        address = _map(2, _READ, file.fileno())
        file.truncate(100)
    return address
