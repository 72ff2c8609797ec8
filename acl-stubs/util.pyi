"""acl.util: between addresses and Python objects, and threads for callbacks."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def numpy_to_ptr(array: NDArray[Any], /) -> int:
    """acl.util.numpy_to_ptr(array)

    The address of the array's first element (deprecated; ValueError for what is no ndarray).
    """

def numpy_contiguous_to_ptr(array: NDArray[Any], /) -> tuple[int, NDArray[Any]]:
    """acl.util.numpy_contiguous_to_ptr(array)

    ``(address, array)``: *array* itself if it is contiguous, else a contiguous copy, which the caller must keep.
    """

def ptr_to_numpy(ptr: int, shape: tuple[int, ...], npy_type: int, /) -> NDArray[Any]:
    """acl.util.ptr_to_numpy(ptr, shape, npy_type)

    The memory at *ptr* as a writable array that does not own it; *npy_type* is numpy's number of a type (11: float32).
    NULL gives an array with zeroed memory of its own.
    """

def bytes_to_ptr(data: bytes, /) -> int:
    """acl.util.bytes_to_ptr(data)

    The address of the bytes that *data* (bytes or a subclass, else ValueError) holds.
    """

def ptr_to_bytes(ptr: int, size: int, /) -> bytes:
    """acl.util.ptr_to_bytes(ptr, size)

    A copy of *size* bytes at host address *ptr*; ``b""`` and a finding when they cannot be read.
    """

def start_thread(func: Callable[..., object] | None, args_list: list[Any], /) -> tuple[int, int]:
    """acl.util.start_thread(func, args_list)

    Runs ``func(args_list)`` (``func()`` when *args_list* is None) in a new thread that has no context yet. Returns the
    thread's id, which ``subscribe_report`` takes, and the code of pthread_create. TypeError when *func* is no callable.
    """

def stop_thread(thread_id: int, /) -> int:
    """acl.util.stop_thread(thread_id)

    Waits for the end of a thread of ``start_thread``; returns the code of pthread_join: ESRCH (3) for an unknown id,
    EDEADLK (35) for the caller's own. RuntimeError when the thread's function raised.
    """
