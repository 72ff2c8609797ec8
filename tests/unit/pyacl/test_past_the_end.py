"""Addresses of Python objects from ``acl.util``: reads and writes behind the end are told by the object's size."""

from __future__ import annotations

import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ascend_sim import simulator

N = 96
NEAR, FAR = 8, 1 << 33


def _ptr(real: Any, name: str) -> tuple[int, object]:
    """An address, and what has to be kept."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name == "bytes":
            data = bytes(bytearray(N))
            return real.util.bytes_to_ptr(data), data
        array = np.zeros(2 * N, np.uint8)
        if name == "view":
            return real.util.numpy_to_ptr(array[N:]), array
        if name == "rows":
            return real.util.numpy_contiguous_to_ptr(np.zeros((4, N // 4), np.uint8)[::2])
        array = array[:N].copy()
        return real.util.numpy_to_ptr(array), array


@pytest.mark.parametrize("past", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize("offset", [0, 5])
@pytest.mark.parametrize("name", ["bytes", "array", "view", "rows"])
@pytest.mark.parametrize("call", ["memcpy", "memcpy_async", "memcpy back", "memset"])
def test_a_call_with_an_address(real: ModuleType, call: str, name: str, offset: int, past: int) -> None:
    pointer, keep = _ptr(real, name)
    size = N // 2 if name == "rows" else N
    assert real.rt.set_device(0) == 0
    device, _ = real.rt.malloc(FAR + N, 2)
    stream, _ = real.rt.create_stream()
    calls = {
        "memcpy": lambda at, n: real.rt.memcpy(device, n, at, n, 1),
        "memcpy back": lambda at, n: real.rt.memcpy(at, n, device, n, 2),
        "memcpy_async": lambda at, n: real.rt.memcpy_async(device, n, at, n, 1, stream),
        "memset": lambda at, n: real.rt.memset(at, n, 0, n),
    }
    sim = simulator.current()
    assert sim is not None
    real.rt.memset(device, 4096, 0, 4096)
    assert calls[call](pointer + offset, size - offset) == 0
    assert not [found for found in sim.findings if found.kind == "out-of-bounds"]
    assert calls[call](pointer + offset, size - offset + past) == 107000
    (found,) = (found for found in sim.findings if found.kind == "out-of-bounds")
    assert f"reaches {past} bytes beyond the end of" in found.title
    assert f"from byte {offset} of" in found.notes[0]
    assert [site.text for site in found.sites] == ["called here", "its address was taken here"]
    del keep


@pytest.mark.parametrize(("past", "data"), [(NEAR, N + NEAR), (FAR, 0)], ids=["near", "far"])
def test_ptr_to_bytes_reads_on_as_on_hardware_and_says_so(real: ModuleType, past: int, data: int) -> None:
    pointer, keep = _ptr(real, "bytes")
    sim = simulator.current()
    assert sim is not None
    assert len(real.util.ptr_to_bytes(pointer, N)) == N
    assert not list(sim.findings)
    assert len(real.util.ptr_to_bytes(pointer, N + past)) == data
    (found,) = sim.findings
    assert (found.kind, found.severity) == ("out-of-bounds", "error")
    assert found.title == f"acl.util.ptr_to_bytes reads {past} bytes past the end of a bytes object of {N} bytes"
    del keep


def test_ptr_to_numpy_says_it_too(real: ModuleType) -> None:
    pointer, keep = _ptr(real, "view")
    sim = simulator.current()
    assert sim is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(real.util.ptr_to_numpy(pointer, (N,), 2)) == N
        assert not list(sim.findings)
        real.util.ptr_to_numpy(pointer, (N + 1,), 2)
    (found,) = sim.findings
    assert "1 bytes past the end of the memory that an ndarray of 96 bytes is a view of" in found.title
    del keep
