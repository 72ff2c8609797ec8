"""Pages of memory that can be seen at several addresses, and ranges of addresses of this process where they appear.

A file without a name holds the pages of physical memory; a range that was reserved shows parts of it. Two ranges that
show one part see the very bytes, which is what aliased mappings are. Linux has all that is needed; on other systems
`reserve_at` gives None, and virtual memory is then a feature that the machine lacks (docs/semantics/virtual_memory.md).
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Callable
from typing import Any

from ascend_sim.machine.arrays import np
from ascend_sim.machine.host_memory import PAGE, Bytes

__all__ = ["PageFile", "Window", "reserve_at"]

_LINUX = sys.platform.startswith("linux")
_NORESERVE, _FIXED, _NO_REPLACE = 0x4000, 0x10, 0x100000
_KEEP_SIZE, _PUNCH_HOLE = 1, 2
_NOTHING = 0  # PROT_NONE: who touches it without a mapping is stopped, as by a real system


def _load(name: str, arguments: list[Any], result: Any) -> Callable[..., Any] | None:
    if not _LINUX:
        return None
    try:
        call = getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError):
        return None
    call.argtypes, call.restype = arguments, result
    found: Callable[..., Any] = call
    return found


_size, _int, _long = ctypes.c_size_t, ctypes.c_int, ctypes.c_longlong
_mmap = _load("mmap", [_size, _size, _int, _int, _int, _long], _size)
_munmap = _load("munmap", [_size, _size], _int)
_fallocate = _load("fallocate", [_int, _int, _long, _long], _int)


class PageFile:
    """A file that grows with each part that is taken; pages cost memory when they are touched.

    Another process of the same user can open it by *path* while this one lives (`PageFile.open`).
    """

    __slots__ = ("_end", "fd", "own")

    def __init__(self, fd: int = -1) -> None:
        self.own = fd < 0
        """Whether parts are taken here, or by the process that made it."""
        self.fd = os.memfd_create("ascend-sim-physical", os.MFD_CLOEXEC) if fd < 0 else fd
        self._end = 0

    @classmethod
    def open(cls, path: str) -> PageFile:
        """The file of another process by its `path`. Raises OSError: it has ended, or belongs to another user."""
        return cls(os.open(path, os.O_RDWR | os.O_CLOEXEC))

    @property
    def path(self) -> str:
        """What other processes can open."""
        return f"/proc/{os.getpid()}/fd/{self.fd}"

    def take(self, nbytes: int) -> int:
        """*nbytes* of fresh zeros: where they begin in the file. A place is never given out twice."""
        offset = self._end
        self._end += -(-nbytes // PAGE) * PAGE
        os.ftruncate(self.fd, self._end)
        return offset

    def give(self, offset: int, nbytes: int) -> None:
        """The pages go back to the system."""
        if _fallocate is not None:
            _fallocate(self.fd, _KEEP_SIZE | _PUNCH_HOLE, offset, nbytes)

    def shown(self, offset: int, nbytes: int) -> Bytes:
        """[offset, offset + nbytes) of the file, at addresses that the system chooses. Raises OSError."""
        return np.frombuffer(mmap.mmap(self.fd, nbytes, mmap.MAP_SHARED, offset=offset), np.uint8)

    def close(self) -> None:
        """No more parts; what is shown stays while its windows do."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __del__(self) -> None:
        self.close()


class Window:
    """A range of this process's addresses that is reserved: parts of page files appear in it and go again.

    Arrays of it keep it alive.
    """

    __slots__ = ("__array_interface__", "__weakref__", "address", "nbytes")

    def __init__(self, address: int, nbytes: int) -> None:
        self.address = address
        self.nbytes = nbytes
        self.__array_interface__ = {"data": (address, False), "shape": (nbytes,), "typestr": "|u1", "version": 3}

    def array(self) -> Bytes:
        """Its bytes; only where something is shown may they be touched."""
        return np.asarray(self)

    def show(self, start: int, file: PageFile, offset: int, nbytes: int) -> bool:
        """Let bytes [start, start + nbytes) be those of *file* from *offset* on. False: the system has no room for it."""
        assert _mmap is not None
        access = mmap.PROT_READ | mmap.PROT_WRITE
        at = self.address + start
        return bool(_mmap(at, nbytes, access, mmap.MAP_SHARED | _FIXED, file.fd, offset) == at)

    def hide(self, start: int, nbytes: int) -> None:
        """Nothing is at [start, start + nbytes) any more; the addresses stay reserved."""
        assert _mmap is not None
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NORESERVE | _FIXED
        _mmap(self.address + start, nbytes, _NOTHING, flags, -1, 0)

    def __del__(self) -> None:
        if _munmap is not None:
            _munmap(self.address, self.nbytes)


def reserve_at(address: int, nbytes: int) -> Window | None:
    """Reserve [address, address + nbytes), without memory; None when a part is taken, or the system cannot do it."""
    if _mmap is None or not hasattr(os, "memfd_create"):
        return None
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NORESERVE | _NO_REPLACE
    found = _mmap(address, nbytes, _NOTHING, flags, -1, 0)
    if found == address:
        return Window(address, nbytes)
    if _munmap is not None and found < (1 << 63):  # a kernel that does not know the flag put it elsewhere
        _munmap(found, nbytes)
    return None


def supported() -> bool:
    """Whether this system can show one page at two addresses."""
    return _mmap is not None and hasattr(os, "memfd_create")
