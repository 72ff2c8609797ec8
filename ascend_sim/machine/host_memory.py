"""Memory of this process: lazy reservations, and a look at addresses that the simulator does not own.

Everything that depends on the platform is here. Linux comes first; elsewhere the same functions use slower means.

A host pointer of a program is an ordinary number. Before the simulator touches memory behind one that it does not own,
it asks the kernel whether every page may be read or written, so that a stale or invented pointer ends in an error code
and never in a crash. ``process_vm_readv`` on the own process does that: unlike a read of ``/proc/self/mem`` it also
refuses pages that are mapped without read permission (guard pages), and unlike a cached file it survives fork and
programs that close all file descriptors. Memory that is mapped but belongs to somebody else cannot be told apart.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import struct
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ascend_sim.machine.arrays import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "PAGE",
    "Bytes",
    "Overlay",
    "Reservation",
    "allocate",
    "bytes_at",
    "copy",
    "fill",
    "readable",
    "reserve",
    "snapshot",
    "view",
    "writable",
]

if TYPE_CHECKING:
    Bytes = NDArray[np.uint8]
else:
    Bytes = Any

PAGE = mmap.PAGESIZE
_MOST_AT_ONCE = (1 << 31) - 1
_TOP = 1 << 64
_LINUX = sys.platform.startswith("linux")
_NORESERVE = 0x4000 if _LINUX else 0
_FIXED = 0x10
_SAMPLED_PAGES = 512  # up to here asking for each page is faster than reading the table of mappings
_VECTORS = 512  # at most 1024 a call (IOV_MAX)
_REMAP_FROM = 2 << 20
_PROCMAP_QUERY = 0xC0686611  # Linux 6.11: one mapping, without the text of all of them
_QUERY = struct.Struct("=9Q4I2Q")
_HUGE_PAGE = 2 << 20
_HUGE: int | None = getattr(mmap, "MADV_HUGEPAGE", None)

#: ``copy(to, from, n)`` and ``fill(to, value, n)`` on true process addresses, checked before; overlaps are fine.
copy: Callable[[int, int, int], Any] = ctypes.memmove
fill: Callable[[int, int, int], Any] = ctypes.memset


class Overlay:
    """What shows other pages than its own in parts of a reservation (shared_blocks.py)."""

    def given_back(self, lo: int, hi: int) -> None:
        """The pages [lo, hi) of the reservation, offsets in it, are private again, and hold nothing."""
        raise NotImplementedError


class Reservation:
    """A range of this process's addresses whose pages cost memory when they are first touched."""

    __slots__ = ("_memory", "address", "bytes", "nbytes", "overlay")

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory
        self.bytes: Bytes = np.frombuffer(memory, np.uint8)
        self.nbytes = len(memory)
        self.address: int = self.bytes.__array_interface__["data"][0]
        self.overlay: Overlay | None = None

    def seen(self) -> bool:
        """Whether anybody has an array of it."""
        return sys.getrefcount(self.bytes) > 2

    def show(self, lo: int, hi: int, file: int, offset: int) -> bool:
        """Let the whole pages [lo, hi) be those of the open *file* from *offset* on. False: the system cannot."""
        if _mmap is None:
            return False
        at, access = self.address + lo, mmap.PROT_READ | mmap.PROT_WRITE
        return _mmap(at, hi - lo, access, mmap.MAP_SHARED | _FIXED, file, offset) == at

    def prefer_large_pages(self, lo: int, hi: int) -> None:
        """Ask for huge pages behind [lo, hi), all of which is about to be written; numpy does it for large arrays."""
        if _HUGE is None:
            return
        # outwards to whole ones: what lies next to it may have them, too
        lo = max((self.address + lo) // _HUGE_PAGE * _HUGE_PAGE - self.address, 0)
        hi = min(-(-(self.address + hi) // _HUGE_PAGE) * _HUGE_PAGE - self.address, self.nbytes)
        try:
            self._memory.madvise(_HUGE, lo, hi - lo)
        except OSError:
            pass  # a kernel without them

    def discard(self, lo: int, hi: int) -> None:
        """Give the whole pages inside [lo, hi) back to the system; what they hold afterwards is not defined."""
        lo, hi = -(-lo // PAGE) * PAGE, hi // PAGE * PAGE
        if hi <= lo:
            return
        if _LINUX and (hi - lo >= _REMAP_FROM or self.overlay is not None) and _remap(self.address + lo, hi - lo):
            if self.overlay is not None:
                self.overlay.given_back(lo, hi)
            return
        self._memory.madvise(mmap.MADV_DONTNEED, lo, hi - lo)


def reserve(nbytes: int) -> Reservation | None:
    """Reserve *nbytes* without using memory, in microseconds; None where the system does not allow that.

    ``np.zeros`` cannot do it: the kernel counts it against memory and swap. Under ``ulimit -v``, strict overcommit or
    on Windows the answer is None and the caller allocates block by block.
    """
    if not hasattr(mmap, "MAP_PRIVATE"):
        return None
    try:
        return Reservation(mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NORESERVE))
    except (OSError, ValueError, OverflowError):
        return None


def allocate(nbytes: int, align: int = 64) -> Bytes | None:
    """Zeroed memory of its own, *align*-ed, freed with the array; None when the system has none left."""
    if nbytes >= 1 << 20:
        reservation = reserve(nbytes)
        if reservation is not None:
            return reservation.bytes
    try:
        memory = np.zeros(nbytes + align, np.uint8)
    except (MemoryError, ValueError):
        return None
    skip = -memory.__array_interface__["data"][0] % align
    return memory[skip : skip + nbytes]


class _Range:
    """What numpy needs to see memory as an array, without a ctypes type per length."""

    __slots__ = ("__array_interface__",)

    def __init__(self, address: int, nbytes: int) -> None:
        self.__array_interface__ = {"data": (address, False), "shape": (nbytes,), "typestr": "|u1", "version": 3}


def view(address: int, nbytes: int) -> Bytes:
    """The bytes at a true process address as a writable array. The caller checked the range and keeps it alive."""
    return np.asarray(_Range(address, nbytes))


# -- may these pages be touched? ---------------------------------------------------------------------------------------


def readable(address: int, nbytes: int) -> bool:
    """Whether reading [address, address + nbytes) would succeed now. About a microsecond for a page or two."""
    return _accessible(address, nbytes, False)


def writable(address: int, nbytes: int) -> bool:
    """Whether writing [address, address + nbytes) would succeed now.

    For ranges up to 2 MiB one byte per page is read and written back, so ask only for a range that is about to be
    overwritten.
    """
    return _accessible(address, nbytes, True)


def _accessible(address: int, nbytes: int, write: bool) -> bool:
    if nbytes <= 0:
        return nbytes == 0
    if address <= 0 or address + nbytes > _TOP:
        return False
    if (address + nbytes - 1) // PAGE - address // PAGE < _SAMPLED_PAGES:
        return _pages(address, nbytes, write)
    return _large(address, nbytes, write)


_FEW = 4  # pages; the word of bytes has room for eight
_Vectors = ctypes.c_size_t * 4
_Few = ctypes.c_size_t * (3 + 2 * _FEW)
addressof = ctypes.addressof


def _load_vm_calls() -> tuple[Callable[..., int], Callable[..., int]] | None:
    """process_vm_readv and process_vm_writev, if this system has them and lets a process look at itself."""
    if not _LINUX:
        return None
    try:
        libc = ctypes.CDLL(None)
        read, write = libc.process_vm_readv, libc.process_vm_writev
    except (OSError, AttributeError):
        return None
    size = ctypes.c_size_t
    for call in (read, write):
        call.argtypes = [ctypes.c_int, size, ctypes.c_ulong, size, ctypes.c_ulong, ctypes.c_ulong]
        call.restype = ctypes.c_ssize_t
    two = ctypes.create_string_buffer(b"ab", 2)
    here = ctypes.addressof(two)
    vectors = _Vectors(here, 1, here + 1, 1)
    at = ctypes.addressof(vectors)
    works = read(os.getpid(), at, 1, at + 16, 1, 0) == 1 and write(os.getpid(), at, 1, at + 16, 1, 0) == 1
    return (read, write) if works else None


_vm_calls = _load_vm_calls()


def _pages(address: int, nbytes: int, write: bool) -> bool:
    """Ask the kernel for each page of the range."""
    if _vm_calls is None:
        return _pages_elsewhere(address, nbytes, write)
    vm_read, vm_write = _vm_calls
    process = os.getpid()  # not kept: a forked child asks about itself
    first = address // PAGE * PAGE
    if address + nbytes <= first + _FEW * PAGE:
        # The first word of the vectors takes the byte that is read and, for a write, put back.
        vectors = _Few()
        at: int = addressof(vectors)
        vectors[1], vectors[2], vectors[3], vectors[4] = at, 1, address, 1
        count = 1
        for page in range(first + PAGE, address + nbytes, PAGE):
            vectors[2 * count + 3], vectors[2 * count + 4] = page, 1
            count += 1
        vectors[2] = count
        if vm_read(process, at + 8, 1, at + 24, count, 0) != count:
            return False
        return not write or vm_write(process, at + 8, 1, at + 24, count, 0) == count
    starts = np.arange(first, address + nbytes, PAGE, dtype=np.uint64)
    starts[0] = address
    remote = np.ones((len(starts), 2), np.uint64)
    remote[:, 0] = starts
    held = np.empty(_VECTORS, np.uint8)
    local = np.array([held.__array_interface__["data"][0], 0], np.uint64)
    local_at, remote_at = local.__array_interface__["data"][0], remote.__array_interface__["data"][0]
    for done in range(0, len(starts), _VECTORS):
        count = min(_VECTORS, len(starts) - done)
        local[1] = count
        if vm_read(process, local_at, 1, remote_at + 16 * done, count, 0) != count:
            return False
        if write and vm_write(process, local_at, 1, remote_at + 16 * done, count, 0) != count:
            return False
    return True


def bytes_at(address: int, size: int) -> bytes:
    """The *size* bytes at *address*, which can be read. `ctypes.string_at` takes an int of C: it cuts larger sizes."""
    return ctypes.string_at(address, size) if size <= _MOST_AT_ONCE else (ctypes.c_char * size).from_address(address).raw


def snapshot(*ranges: tuple[int, int]) -> bytes | None:
    """The bytes of all *ranges* (address, size) one after the other, as they are now; None when one cannot be read.

    One question to the kernel, which copies as it looks: for structs and small arrays that a call is handed.
    """
    total = sum(size for _, size in ranges)
    if _vm_calls is None or total > PAGE or len(ranges) > _VECTORS:
        if not all(readable(address, size) for address, size in ranges):
            return None
        return b"".join(bytes_at(address, size) for address, size in ranges)
    if not total:
        return b""
    head = 2 + 2 * len(ranges)
    words = (ctypes.c_size_t * (head + (total + 7) // 8))()
    at: int = addressof(words)
    words[0], words[1] = at + 8 * head, total
    place = 2
    for address, size in ranges:
        words[place], words[place + 1] = address & (_TOP - 1), size
        place += 2
    if _vm_calls[0](os.getpid(), at, 1, at + 16, len(ranges), 0) != total:
        return None
    return ctypes.string_at(at + 8 * head, total)


def _large(address: int, nbytes: int, write: bool) -> bool:
    """A large range: by the table of mappings; pages of files still one by one, since a file can be shorter."""
    if nbytes > 1 << 48:
        return False
    end = address + nbytes
    try:
        for start, stop, readable, writable, of_file in _mappings(address, end):
            if start > address or not readable or (write and not writable):
                return False
            part = min(stop, end)
            if of_file and not _pages(address, part - address, write):
                return False
            address = part
    except OSError:
        return _pages(address, end - address, write)
    return address >= end


Mapping = tuple[int, int, bool, bool, bool]
"""(first address, address behind the last, readable, writable, of a file)"""


def _mappings(address: int, end: int) -> Iterator[Mapping]:
    """The mappings from *address* on, as long as they follow each other, up to *end*. Raises OSError without a table."""
    with open("/proc/self/maps", "rb", buffering=0) as file:
        query = bytearray(_QUERY.size)
        try:
            while address < end:
                _QUERY.pack_into(query, 0, _QUERY.size, 0, address, *[0] * 12)
                _ioctl(file.fileno(), _PROCMAP_QUERY, query)
                _, _, _, start, stop, flags, _, _, inode, *_ = _QUERY.unpack_from(query)
                yield start, stop, bool(flags & 1), bool(flags & 2), inode != 0
                address = stop
            return
        except OSError as error:
            if error.errno == errno.ENOENT:
                return  # nothing is mapped there
        lines = file.readall().splitlines()
    low, high = 0, len(lines)
    while low < high:  # the first mapping that ends above the address
        middle = (low + high) // 2
        if int(lines[middle].split(b" ", 1)[0].split(b"-")[1], 16) <= address:
            low = middle + 1
        else:
            high = middle
    for line in lines[low:]:
        span, allowed, _, _, inode, *_ = line.split(None, 5)
        start, stop = (int(part, 16) for part in span.split(b"-"))
        yield start, stop, b"r" in allowed, b"w" in allowed, inode != b"0"
        if stop >= end:
            return


def _pages_elsewhere(address: int, nbytes: int, write: bool) -> bool:
    """Without process_vm_readv: through a pipe, which answers EFAULT; on Windows by its table of pages."""
    starts = [address, *range((address // PAGE + 1) * PAGE, address + nbytes, PAGE)]
    if os.name == "nt":
        return _windows_pages(starts, write)
    libc = ctypes.CDLL(None)
    for call in (libc.read, libc.write):
        call.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_size_t]
        call.restype = ctypes.c_ssize_t
    out, into = os.pipe()
    try:
        for start in starts:
            if libc.write(into, start, 1) != 1:
                return False
            if not write:
                os.read(out, 1)
            elif libc.read(out, start, 1) != 1:
                return False
        return True
    finally:
        os.close(out)
        os.close(into)


def _windows_pages(starts: list[int], write: bool) -> bool:
    """Asks VirtualQuery; written from its documentation, not tried."""
    kernel: Any = getattr(ctypes, "windll").kernel32  # noqa: B009 - exists on Windows only
    kernel.VirtualQuery.argtypes = [ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]
    kernel.VirtualQuery.restype = ctypes.c_size_t
    entry = (ctypes.c_size_t * 8)()  # MEMORY_BASIC_INFORMATION: state is at byte 32, protection at byte 36
    writes, reads, guard = 0xCC, 0xEE, 0x100
    for start in starts:
        if not kernel.VirtualQuery(start, ctypes.byref(entry), ctypes.sizeof(entry)):
            return False
        state, protection = entry[4] & 0xFFFFFFFF, entry[4] >> 32
        if state != 0x1000 or protection & guard or not protection & (writes if write else reads):
            return False
    return True


def _load_ioctl() -> Callable[[int, int, bytearray], int]:
    """``fcntl.ioctl``; elsewhere a function that fails as it does for what a kernel does not know."""
    try:
        from fcntl import ioctl
    except ImportError:
        return _no_ioctl
    return ioctl


def _no_ioctl(file: int, request: int, argument: bytearray) -> int:
    raise OSError(errno.ENOTTY, "no ioctl here")


_ioctl = _load_ioctl()


def _load_mmap() -> Callable[..., int | None] | None:
    if not _LINUX:
        return None
    try:
        call = ctypes.CDLL(None).mmap
    except (OSError, AttributeError):
        return None
    size = ctypes.c_size_t
    call.argtypes = [size, size, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_longlong]
    call.restype = size
    mapping: Callable[..., int | None] = call
    return mapping


_mmap = _load_mmap()


def _remap(address: int, nbytes: int) -> bool:
    """Put fresh pages in place of a range of a reservation: unlike madvise, the page tables go back too."""
    if _mmap is None:
        return False
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NORESERVE | _FIXED
    return _mmap(address, nbytes, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0) == address
