"""The queue of Python objects whose addresses were handed to the runtime."""

from __future__ import annotations

import array
import ctypes
import mmap

import numpy as np
import pytest

from ascend_sim.runtime.memory.host_buffers import HostBuffers, Kept


def address_of(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def test_an_object_that_somebody_holds_is_not_abandoned() -> None:
    buffers = HostBuffers()
    array = np.zeros(16, np.uint8)
    buffers.keep(array, address_of(array), array.nbytes)
    kept = buffers.find(address_of(array) + 4, 8)
    assert kept is not None
    assert not kept.abandoned()


def test_an_object_that_nobody_else_holds_is_abandoned_and_its_memory_stays() -> None:
    buffers = HostBuffers()
    array = np.full(16, 7, np.uint8)
    address = address_of(array)
    buffers.keep(array, address, array.nbytes)
    del array
    kept = buffers.find(address)
    assert kept is not None
    assert kept.abandoned()
    assert kept.obj.tolist() == [7] * 16


def test_a_dropped_view_is_alive_while_its_owner_is_held() -> None:
    buffers = HostBuffers()
    owner = np.zeros(64, np.uint8)
    view = owner[8:16]
    address = address_of(view)
    buffers.keep(view, address, view.nbytes)
    del view
    kept = buffers.find(address)
    assert kept is not None
    assert not kept.abandoned()
    del owner
    assert kept.abandoned()


def test_bytes_made_for_the_call_are_abandoned() -> None:
    buffers = HostBuffers()
    data = bytes(bytearray(b"made here"))
    buffers.keep(data, 4096, len(data))
    kept = buffers.find(4096)
    assert kept is not None
    assert not kept.abandoned()
    del data
    assert kept.abandoned()
    assert kept.describe() == "a bytes object of 9 bytes (host buffer 1)"


def test_lookup_is_by_range_and_ends_with_the_object() -> None:
    buffers = HostBuffers()
    buffers.keep(object(), 1000, 100)
    buffers.keep(object(), 1020, 10)
    assert buffers.find(999) is None
    assert buffers.find(1000, 100) is not None
    assert buffers.find(1000, 101) is None
    assert buffers.find(1099) is not None
    assert buffers.find(1100) is None
    inner = buffers.find(1025)
    assert inner is not None
    assert inner.size == 10
    outer = buffers.find(1025, 40)
    assert outer is not None
    assert outer.size == 100


def test_the_queue_is_bounded_in_objects_and_in_bytes() -> None:
    buffers = HostBuffers(objects=3, nbytes=1000)
    for start in (100, 200, 300, 400):
        buffers.keep(object(), start, 50)
    assert len(buffers) == 3
    assert buffers.find(100) is None
    buffers.keep(object(), 500, 950)
    assert buffers.find(500) is not None
    assert buffers.find(300) is None
    buffers.keep(object(), 5000, 10_000)  # larger than the bound: kept alone
    assert buffers.find(5000) is not None
    assert len(buffers) == 1


def test_keeping_an_object_again_makes_it_the_youngest() -> None:
    buffers = HostBuffers(objects=2)
    first, second, third = object(), object(), object()
    buffers.keep(first, 100, 8)
    buffers.keep(second, 200, 8)
    buffers.keep(first, 100, 8)
    buffers.keep(third, 300, 8)
    assert buffers.find(200) is None
    kept = buffers.find(100)
    assert kept is not None
    assert kept.obj is first
    assert kept.number == 1


class _Pair(ctypes.Structure):
    _fields_ = [("first", ctypes.c_int * 4), ("second", ctypes.c_int)]


@pytest.mark.parametrize(
    ("make", "behind"),
    [
        (lambda: bytes(5), 5),
        (lambda: bytearray(7), 7),
        (lambda: array.array("i", [1, 2, 3]), 12),
        (lambda: mmap.mmap(-1, 4096), 4096),
        (lambda: memoryview(bytearray(30))[5:9], 25),
        (lambda: np.zeros(10)[3:5], 56),
        (lambda: np.frombuffer(bytearray(12), np.uint8)[2:], 10),
        (lambda: memoryview(np.zeros(6)), 48),
        (lambda: ctypes.pointer(ctypes.c_int(5)), 8),
        (lambda: ctypes.create_string_buffer(20), 20),
        (lambda: _Pair().first, 20),
        (lambda: (ctypes.c_char * 8).from_buffer(bytearray(32)), 32),
    ],
)
def test_how_far_the_memory_behind_an_object_reaches(make, behind: int) -> None:
    """A view may be smaller than what it looks at; behind the owner lies the interpreter's own memory."""
    obj = make()
    address = np.frombuffer(obj, np.uint8).ctypes.data
    kept = Kept(obj, address, memoryview(obj).nbytes, 1, True)
    end = kept.end()
    assert end is not None
    assert end - address == behind


def test_memory_at_an_address_that_somebody_else_owns_has_no_known_end() -> None:
    owner = _Pair()
    obj = (ctypes.c_int * 2).from_address(ctypes.addressof(owner))
    assert Kept(obj, ctypes.addressof(obj), 8, 1, True).end() is None
