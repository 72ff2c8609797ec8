"""``acl.util``: between Python objects and addresses (docs/semantics/pyacl.md#pointers).

Addresses are true ones, nothing takes a reference, and the caller must keep the object: as on hardware. The simulator
keeps it in a queue nevertheless, and reports a queued copy whose host buffer nobody else holds any more
(:mod:`ascend_sim.runtime.memory.host_buffers`).

A read through an address that this process cannot read (a device address, a stale or invented one) ends a program on
hardware with a segmentation fault. Here ``ptr_to_bytes`` gives ``b""``, ``ptr_to_numpy`` an array of zeros with memory
of its own. What can be read but should not be (freed page-locked memory, bytes past the end of a block) is read, as on
hardware. All of these leave an ``undefined-use`` finding.
"""

from __future__ import annotations

import ctypes
import math
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim import simulator
from ascend_sim.findings.finding import Site
from ascend_sim.machine import host_memory
from ascend_sim.machine.faults import AddressFault
from ascend_sim.pyacl.letters import CONVERT
from ascend_sim.runtime.memory import host_buffers
from ascend_sim.runtime.memory.told import tell_access
from ascend_sim.source.callsite import BY_PYACL, points_of

if TYPE_CHECKING:
    import numpy as np

    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import Point

__all__ = ["FUNCTIONS"]


def _take(name: str, letters: str, given: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
    """The arguments by format letters. TypeError for what does not fit."""
    if keywords:
        raise TypeError(f"{name}() takes no keyword arguments")
    text = f"acl.util.{name} args parse failed"
    if len(given) != len(letters):
        raise TypeError(text)
    return [CONVERT[letter](value, text) for letter, value in zip(letters, given, strict=True)]


def bytes_to_ptr(*given: Any, **keywords: Any) -> int:
    """acl.util.bytes_to_ptr(data)

    The address of the bytes that *data* (bytes or a subclass, else ValueError) holds.
    """
    (data,) = _take("bytes_to_ptr", "O", given, keywords)
    if not isinstance(data, bytes):
        raise ValueError("needs an byte as argument")
    address = ctypes.c_void_p.from_buffer(ctypes.c_char_p(data)).value or 0
    host_buffers.keepalive(data, address, len(data), site=_caller())
    return address


def ptr_to_bytes(*given: Any, **keywords: Any) -> bytes:
    """acl.util.ptr_to_bytes(ptr, size)

    A copy of *size* bytes at host address *ptr*; ``b""`` and a finding when they cannot be read.
    """
    address, size = _take("ptr_to_bytes", "kk", given, keywords)
    if size >= 1 << 63:
        raise ValueError("convert c pointer to bytes failed")
    if not size:
        return b""
    block = _look(address, size, "ptr_to_bytes")
    if block is not None:
        _tell_read(block, address, size)
    return host_memory.bytes_at(address, size) if host_memory.readable(address, size) else b""


def _tell_read(block: Allocation, address: int, size: int) -> None:
    """The host reads page-locked memory in a way that can be seen: tell who listens.

    That may be all that a thread does with the library: it is known from here on, as after a call of the API.
    """
    state: ThreadState | None = getattr(simulator.LOCAL, "state", None)
    if state is None or state.sim.closed:
        state = simulator.attach_thread()
    if state is None or state.sim.hooks.accessed is None:
        return
    apart = state.threads.running is not state
    if apart:
        state = simulator.enter(state)
        if state is None:
            return
    try:
        state.call, state.site = "acl.util.ptr_to_bytes", (*points_of(sys._getframe(2)), BY_PYACL)
        lo = address - block.address
        tell_access(state.sim.hooks, state, block, lo, lo + size, False)
    finally:
        if apart:
            state.threads.leave(state)


def numpy_to_ptr(*given: Any, **keywords: Any) -> int:
    """acl.util.numpy_to_ptr(array)

    The address of the array's first element (deprecated; ValueError for what is no ndarray).
    """
    _deprecated("numpy_to_ptr", "bytes_to_ptr")
    array = _array(_take("numpy_to_ptr", "O", given, keywords)[0])
    if not array.flags.c_contiguous:
        warnings.warn("the input array is not contiguous: use acl.util.bytes_to_ptr instead", Warning, stacklevel=2)
    return _keep(array)


def numpy_contiguous_to_ptr(*given: Any, **keywords: Any) -> tuple[int, np.ndarray[Any, Any]]:
    """acl.util.numpy_contiguous_to_ptr(array)

    ``(address, array)``: *array* itself if it is contiguous, else a contiguous copy, which the caller must keep.
    """
    _deprecated("numpy_contiguous_to_ptr", "bytes_to_ptr")
    array = _array(_take("numpy_contiguous_to_ptr", "O", given, keywords)[0])
    if not array.flags.c_contiguous:
        array = array.copy(order="C")
    return _keep(array), array


def ptr_to_numpy(*given: Any, **keywords: Any) -> np.ndarray[Any, Any]:
    """acl.util.ptr_to_numpy(ptr, shape, npy_type)

    The memory at *ptr* as a writable array that does not own it; *npy_type* is numpy's number of a type (11: float32).
    NULL gives an array with zeroed memory of its own.
    """
    import numpy as np

    _deprecated("ptr_to_numpy", "ptr_to_bytes")
    address, shape, number = _take("ptr_to_numpy", "kOi", given, keywords)
    if not isinstance(shape, tuple):
        raise ValueError("shape is empty")
    for length in shape:
        if not isinstance(length, int):
            raise TypeError("the second argument is not list of int")
    kind = _types().get(number)
    if kind is None:
        raise ValueError(f"invalid data type number {number} for an array")
    if any(length < 0 for length in shape):
        raise ValueError("negative dimensions are not allowed")
    size = math.prod(shape) * kind.itemsize
    if address and size:
        block = _look(address, size, "ptr_to_numpy")
        if block is not None and block.bytes is not None:  # such an array stays usable when the block is freed
            return block.bytes[address - block.address :][:size].view(kind).reshape(shape)
        if host_memory.readable(address, size):
            return host_memory.view(address, size).view(kind).reshape(shape)
    try:
        return np.zeros(shape, kind)
    except (MemoryError, ValueError):  # as large as no memory is
        return np.zeros((0,) * max(len(shape), 1), kind)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (bytes_to_ptr, ptr_to_bytes, numpy_to_ptr, numpy_contiguous_to_ptr, ptr_to_numpy)
}
for _function in FUNCTIONS.values():
    _function.__module__ = "acl.util"


def _deprecated(name: str, instead: str) -> None:
    # 3: the line that called the function
    warnings.warn(f"acl.util.{name} will be deprecated, use acl.util.{instead} instead", Warning, stacklevel=3)


def _array(value: Any) -> np.ndarray[Any, Any]:
    import numpy as np

    if not isinstance(value, np.ndarray):
        raise ValueError("needs an ndarray as argument")
    return value


def _caller() -> Point | None:
    """Where the program calls the function that asks."""
    found = points_of(sys._getframe(2), 1)
    return found[0] if found else None


def _keep(array: np.ndarray[Any, Any]) -> int:
    """The address of the first element; the bytes between the lowest and the highest element are kept."""
    address: int = array.__array_interface__["data"][0]
    if array.flags.c_contiguous or not array.size:
        host_buffers.keepalive(array, address, array.nbytes, site=_caller())
    else:
        steps = [(length - 1) * stride for length, stride in zip(array.shape, array.strides, strict=True)]
        low = address + sum(step for step in steps if step < 0)
        high = address + sum(step for step in steps if step > 0) + array.itemsize
        host_buffers.keepalive(array, low, high - low, site=_caller())
    return address


def _types() -> dict[int, np.dtype[Any]]:
    """numpy's types by number. Objects (17) are left out: pointers out of raw memory would end the process."""
    import numpy as np

    codes = "?bBhHiIlLqQfdgFDGeMm"
    found: dict[int, np.dtype[Any]] = {np.dtype(code).num: np.dtype(code) for code in codes}
    return {**found, np.dtype("S").num: np.dtype("S1"), np.dtype("U").num: np.dtype("U1")}


def _look(address: int, size: int, name: str) -> Allocation | None:
    """The live page-locked block that the range lies in. What is wrong with the range becomes a finding."""
    sim = simulator.current()
    if sim is None:
        return None
    sites = [Site("access", "called here", (*points_of(sys._getframe(2)), BY_PYACL), primary=True)]
    fix, notes = "", ""
    try:
        block = sim.memory.check(address, size)
    except AddressFault as fault:
        found, notes = fault.block, fault.text
        if found is None and _tell_past_end(address, size, name, sites):
            return None
        title = f"acl.util.{name} reads {size} bytes where no memory of the program is"
        if found is not None and fault.kind in ("freed", "bounds"):
            where = "which was freed" if fault.kind == "freed" else "and past the end of it"
            title = f"acl.util.{name} reads {sim.names.one_of(found)}, {where}"
            sites += [Site("free", "freed here", found.free_site)] if found.free_site else []
            sites.append(Site("alloc", f"{found.size} bytes allocated here", found.site))
    else:
        if block is None:
            _tell_past_end(address, size, name, sites)
            return None
        if block.device < 0 or sim.memory.on_chip:
            return block
        title = f"acl.util.{name} is given {sim.names.one_of(block)}, which is device memory: the host cannot read it"
        fix = f"copy it to the host first, and read there: acl.rt.memcpy(host, {size}, device, {size}, 2)"
        sites.append(Site("alloc", f"{block.size} bytes allocated here, on device {block.device}", block.site))
    sim.report("undefined-use", "error", title, sites, fix=fix, notes=(notes,) if notes else (), time_ns=sim.time_ns())
    return None


def _tell_past_end(address: int, size: int, name: str, sites: list[Site]) -> bool:
    """A finding when the range leaves the Python object that it begins in. What lies behind is read, as on hardware."""
    kept, sim = host_buffers.find(address), simulator.current()
    over = kept.past_end(address, size) if kept is not None else 0
    if kept is None or sim is None or not over:
        return False
    if kept.site is not None:
        sites.append(Site("alloc", "its address was taken here", kept.site))
    title = f"acl.util.{name} reads {over} bytes past the end of {kept.words()}"
    if kept.is_view():
        title = f"acl.util.{name} reads {over} bytes past the end of the memory that {kept.words()} is a view of"
    sim.report("out-of-bounds", "error", title, sites, time_ns=sim.time_ns())
    return True
