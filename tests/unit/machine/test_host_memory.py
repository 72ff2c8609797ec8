"""Host memory: reservations, and looking at addresses before touching them."""

import ctypes
import mmap
import os
import subprocess
import sys
import tempfile

import numpy as np
import pytest

from ascend_sim.machine import host_memory
from ascend_sim.machine.host_memory import PAGE, readable, writable

needs_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="changes page permissions as Linux does")


def pages(count):
    """Memory of whole pages, and its address. The caller keeps the array."""
    memory = mmap.mmap(-1, count * PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    array = np.frombuffer(memory, np.uint8)
    return array, array.__array_interface__["data"][0]


def protect(address, nbytes, allowed):
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(nbytes), allowed) == 0


@pytest.fixture(params=["calls", "pipe"])
def means(request, monkeypatch):
    """The two ways of asking: process_vm_readv, and the pipe of other systems."""
    if request.param == "pipe":
        monkeypatch.setattr(host_memory, "_vm_calls", None)


def test_memory_of_python_objects_can_be_used(means):
    array = np.arange(100_000, dtype=np.uint8)
    address = array.ctypes.data
    before = array.copy()
    assert readable(address, 1) and writable(address, 1)
    assert readable(address, array.nbytes) and writable(address, array.nbytes)
    assert (array == before).all()


@pytest.mark.parametrize("address", [0, 1, 8, 4095, 0x1234, (1 << 47) + 4096, 1 << 63, (1 << 64) - 1, -8])
def test_invented_addresses_cannot(address, means):
    assert not readable(address, 8)
    assert not writable(address, 8)


def test_nothing_can_always_be_read_and_a_negative_length_never():
    assert readable(0, 0) and writable(12345, 0)
    assert not readable(4096, -1)


@pytest.mark.parametrize("nbytes", [1 << 40, 1 << 48, 1 << 62, (1 << 64) - 4096])
def test_huge_and_wrapping_ranges_are_refused(nbytes):
    array, address = pages(1)
    assert not readable(address, nbytes)
    assert not writable(address, nbytes)
    assert array[0] == 0


@needs_linux
def test_a_hole_and_a_guard_page_in_the_middle_are_found(means):
    array, address = pages(8)
    protect(address + 3 * PAGE, PAGE, 0)
    assert readable(address, 3 * PAGE)
    assert not readable(address, 3 * PAGE + 1)
    assert not readable(address + 3 * PAGE, 1)
    assert not readable(address, 8 * PAGE)
    assert readable(address + 4 * PAGE, 4 * PAGE)
    protect(address + 3 * PAGE, PAGE, mmap.PROT_READ | mmap.PROT_WRITE)
    assert array.sum() == 0


@needs_linux
def test_a_read_only_page_can_be_read_but_not_written(means):
    array, address = pages(4)
    array[:] = 7
    protect(address + PAGE, PAGE, mmap.PROT_READ)
    assert readable(address, 4 * PAGE)
    assert not writable(address, 4 * PAGE)
    assert not writable(address + PAGE, 1)
    assert writable(address, PAGE) and writable(address + 2 * PAGE, 2 * PAGE)
    assert (array == 7).all()
    protect(address + PAGE, PAGE, mmap.PROT_READ | mmap.PROT_WRITE)


@pytest.fixture(params=["asked for one by one", "as a text"])
def table(request, monkeypatch):
    """How the table of mappings is read: Linux 6.11 answers questions, before it had only the text."""
    if request.param == "as a text":
        monkeypatch.setattr(host_memory, "_ioctl", host_memory._no_ioctl)


@needs_linux
def test_large_ranges_are_judged_by_the_table_of_mappings(table):
    count = 3000
    array, address = pages(count)
    array[::PAGE] = 1
    assert readable(address, count * PAGE) and writable(address, count * PAGE)
    protect(address + 2000 * PAGE, PAGE, mmap.PROT_READ)
    assert readable(address, count * PAGE) and not writable(address, count * PAGE)
    assert writable(address, 2000 * PAGE)
    protect(address + 2000 * PAGE, PAGE, 0)
    assert not readable(address, count * PAGE)
    protect(address + 2000 * PAGE, PAGE, mmap.PROT_READ | mmap.PROT_WRITE)
    assert readable(address, count * PAGE)


@needs_linux
def test_a_hole_in_a_large_range(table):
    count = 3000
    array, address = pages(count)
    array[::PAGE] = 1
    assert host_memory._remap(address, PAGE)  # the first page is a mapping of its own
    assert readable(address, count * PAGE)
    gap = address + 2500 * PAGE
    libc = ctypes.CDLL(None)
    libc.munmap.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
    assert libc.munmap(gap, PAGE) == 0
    assert not readable(address, count * PAGE) and not writable(address, count * PAGE)
    assert readable(address, 2500 * PAGE)
    assert host_memory._remap(gap, PAGE)
    assert readable(address, count * PAGE)


@needs_linux
@pytest.mark.parametrize("count", [4, 2000])
def test_a_file_that_became_shorter_is_no_crash(count, table):
    with tempfile.TemporaryFile() as file:
        file.truncate(count * PAGE)
        memory = mmap.mmap(file.fileno(), count * PAGE)
        array = np.frombuffer(memory, np.uint8)
        address = array.__array_interface__["data"][0]
        assert readable(address, count * PAGE) and writable(address, count * PAGE)
        file.truncate(PAGE)
        assert not readable(address, count * PAGE)
        assert not writable(address, count * PAGE)
        assert readable(address, PAGE)


@needs_linux
def test_probing_survives_fork_and_closed_files():
    code = """
import os, numpy as np
from ascend_sim.machine.host_memory import readable, writable
array = np.zeros(10000, np.uint8)
assert readable(array.ctypes.data, 10000)
os.closerange(3, 256)
assert readable(array.ctypes.data, 10000)
child = os.fork()
if not child:
    fresh = np.zeros(1 << 20, np.uint8)
    ok = readable(fresh.ctypes.data, 1 << 20) and writable(fresh.ctypes.data, 1 << 20) and not readable(64, 1)
    os._exit(0 if ok else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_reservation_costs_nothing_until_touched():
    reservation = host_memory.reserve(64 << 30)
    if reservation is None:
        pytest.skip("this system does not allow lazy reservations")
    before = resident()
    assert reservation.nbytes == 64 << 30 and len(reservation.bytes) == 64 << 30
    reservation.bytes[40 << 30] = 1
    assert reservation.bytes[40 << 30] == 1
    assert resident() - before < 4 << 20


@needs_linux
def test_discarded_pages_go_back_to_the_system():
    reservation = host_memory.reserve(1 << 30)
    reservation.bytes[: 64 << 20] = 1
    full = resident()
    reservation.discard(100, 64 << 20)  # the first page is not whole
    assert full - resident() > 60 << 20
    assert reservation.bytes[50] == 1
    reservation.bytes[: 64 << 20] = 2
    assert reservation.bytes[(64 << 20) - 1] == 2
    reservation.discard(PAGE, 3 * PAGE)  # a small range takes the other way
    reservation.discard(10, 20)
    assert reservation.bytes[10] == 2 and reservation.bytes[5 * PAGE] == 2


def test_impossible_reservations_are_none():
    assert host_memory.reserve(1 << 62) is None
    assert host_memory.allocate(1 << 62) is None


@pytest.mark.parametrize("nbytes", [1, 63, 64, 4096, 1 << 20, 3 << 20])
def test_allocated_memory_is_aligned_and_zero(nbytes):
    memory = host_memory.allocate(nbytes)
    assert len(memory) == nbytes
    assert memory.ctypes.data % 64 == 0
    assert not memory.any()
    memory[:] = 1


def test_a_view_shows_the_bytes_at_an_address():
    array = np.arange(16, dtype=np.uint8)
    view = host_memory.view(array.ctypes.data + 4, 8)
    assert list(view) == list(range(4, 12))
    view[0] = 99
    assert array[4] == 99


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_snapshot_joins_ranges_and_notices_what_cannot_be_read():
    first, second = np.arange(4, dtype=np.int64), np.arange(100, 102, dtype=np.int64)
    ranges = [(a.ctypes.data, a.nbytes) for a in (first, second)]
    assert host_memory.snapshot(*ranges) == first.tobytes() + second.tobytes()
    assert host_memory.snapshot() == host_memory.snapshot((0, 0)) == b""
    assert host_memory.snapshot(ranges[0], (8, 8)) is None
    assert host_memory.snapshot((-8, 8)) is None


@pytest.mark.parametrize("size", [0, 9, 10, 11, 300])
def test_bytes_of_any_size(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """ctypes cuts a size at 32 bits: one of 4 GiB and 5 bytes was 5, one of 2 GiB was negative."""
    monkeypatch.setattr(host_memory, "_MOST_AT_ONCE", 10)
    data = np.arange(300, dtype=np.uint16).view(np.uint8)
    assert host_memory.bytes_at(data.__array_interface__["data"][0], size) == data.tobytes()[:size]
