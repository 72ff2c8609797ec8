"""The pyACL names: the same kernels through `acl.rt`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim.pyacl import modules
from tests.kit.calls import must


@kernel(entry=1)
def fill(b: Block, z: gm.Out[np.int32], value: np.int32) -> None:
    z[b.slice(16)] = value


@pytest.fixture
def acl() -> Iterator[Any]:
    with Simulator() as sim:
        sim.kernels["fill.o"] = fill
        module: Any = modules()["acl"]
        assert module.rt.set_device(0) == 0
        yield module


def read(acl: Any, address: int) -> list[int]:
    out = np.zeros(16, np.int32)
    must(acl.rt.memcpy(out.ctypes.data, 64, address, 64, 2))
    return list(out.tolist())


def test_every_launch_variant(acl: Any) -> None:
    rt = acl.rt
    stream = must(rt.create_stream())
    function = must(rt.binary_get_function(must(rt.binary_load_from_file("fill.o", [])), "fill"))
    z = must(rt.malloc(64, 0))
    raw = np.frombuffer(fill.pack(z, 1), np.uint8)
    args = must(rt.malloc(16, 0))
    must(rt.memcpy(args, 16, raw.ctypes.data, 16, 1))
    must(rt.launch_kernel(function, 2, args, 12, stream))
    must(rt.synchronize_stream(stream))
    assert read(acl, z) == [1] * 16
    raw = np.frombuffer(fill.pack(z, 2), np.uint8)
    must(rt.launch_kernel_with_host_args(function, 2, stream, [{"id": 1, "value": 1}], raw.ctypes.data, 12, [], 0))
    must(rt.synchronize_stream(stream))
    assert read(acl, z) == [2] * 16
    handle = must(rt.kernel_args_init(function))
    for value in (np.array([z], np.uint64), np.array([3], np.int32)):
        must(rt.kernel_args_append(handle, value.ctypes.data, value.nbytes))
    must(rt.kernel_args_finalize(handle))
    must(rt.launch_kernel_with_config(function, 2, stream, [], handle, 0))
    must(rt.synchronize_stream(stream))
    assert read(acl, z) == [3] * 16


def test_names_sizes_and_bytes(acl: Any) -> None:
    rt = acl.rt
    data = b"# ascend_sim kernels\nfrom ascend_sim import Block, kernel\n@kernel\ndef k(b: Block) -> None: ...\n"
    address = acl.util.bytes_to_ptr(data)
    binary = must(rt.binary_load_from_data(address, len(data), []))
    function = must(rt.binary_get_function(binary, "k"))
    assert rt.get_function_name(function, 32) == ("k", 0)
    raw = rt.create_binary(address, len(data))
    assert raw
    loaded = must(rt.binary_load(raw))
    must(rt.binary_unload(loaded))
    must(rt.destroy_binary(raw))
    assert rt.binary_get_function(loaded, "k") == (0, 107017)
    assert rt.launch_kernel(function, 0, address, 8, 0) == 107000
    with pytest.raises(TypeError):
        rt.launch_kernel(function, "one", address, 8, 0)
