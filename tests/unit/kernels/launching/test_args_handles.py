"""Args handles: their states, their room, place holders, memory of the caller."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, gm, kernel
from ascend_sim import ascendcl as C

from ..conftest import Device


@kernel
def scale(b: Block, x: gm.In[np.int32], z: gm.Out[np.int32], n: np.uint8, factor: np.int32) -> None:
    s = b.slice(n)
    z[s] = x[s] * factor


def number(value: int, kind: Any = np.uint64) -> Any:
    return np.array([value], kind)


class TestOpen:
    @pytest.fixture
    def handle(self, device: Device) -> int:
        found: int = device.must(C.aclrtKernelArgsInit(device.function(scale)))
        return found

    def append(self, handle: int, value: int, kind: Any = np.uint64) -> tuple[int, int]:
        array = number(value, kind)
        found, code = C.aclrtKernelArgsAppend(handle, array, array.nbytes)
        return found, code

    def test_parameters_go_to_their_places_whatever_the_layout(self, device: Device, handle: int) -> None:
        x, z = device.buffer(np.arange(8, dtype=np.int32)), device.buffer(32)
        for value, kind in ((x, np.uint64), (z, np.uint64), (8, np.uint8), (-3, np.int32)):
            device.must(self.append(handle, value, kind))
        device.must(C.aclrtKernelArgsFinalize(handle))
        device.must(C.aclrtLaunchKernelWithConfig(device.function(scale), 3, device.stream, None, handle, 0))
        assert device.wait() == 0
        assert device.read(z, 8, np.int32).tolist() == [-3 * i for i in range(8)]

    def test_place_holders_point_to_their_data(self, device: Device, handle: int) -> None:
        z = device.buffer(32)
        holder = device.must(C.aclrtKernelArgsAppendPlaceHolder(handle))
        for value, kind in ((z, np.uint64), (8, np.uint8), (2, np.int32)):
            device.must(self.append(handle, value, kind))
        where = device.must(C.aclrtKernelArgsGetPlaceHolderBuffer(handle, holder, 32))
        _write(where, np.arange(8, dtype=np.int32))
        device.must(C.aclrtKernelArgsFinalize(handle))
        device.must(C.aclrtLaunchKernelWithConfig(device.function(scale), 1, device.stream, None, handle, 0))
        _write(where, np.zeros(8, np.int32))  # copied at the launch
        assert device.wait() == 0
        assert device.read(z, 8, np.int32).tolist() == [2 * i for i in range(8)]

    def test_a_holder_whose_buffer_was_never_asked_for_points_to_the_block(self, device: Device, handle: int) -> None:
        z = device.buffer(32)
        device.must(C.aclrtKernelArgsAppendPlaceHolder(handle))
        for value, kind in ((z, np.uint64), (2, np.uint8), (1, np.int32)):
            device.must(self.append(handle, value, kind))
        device.must(C.aclrtKernelArgsFinalize(handle))
        device.must(C.aclrtLaunchKernelWithConfig(device.function(scale), 1, device.stream, None, handle, 0))
        assert device.wait() == 0
        low, high = device.read(z, 2, np.uint32).tolist()
        assert (high << 32 | low) >> 40 == z >> 40  # the block's own address, which the slot holds

    def test_the_order_of_states(self, device: Device, handle: int) -> None:
        def launch() -> int:
            code: int = C.aclrtLaunchKernelWithConfig(device.function(scale), 1, device.stream, None, handle, 0)
            return code

        holder = device.must(C.aclrtKernelArgsAppendPlaceHolder(handle))
        value = device.must(self.append(handle, 1))
        assert launch() == 107000  # not finalised
        assert C.aclrtKernelArgsGetPlaceHolderBuffer(handle, value, 8)[-1] == 107000
        device.must(C.aclrtKernelArgsGetPlaceHolderBuffer(handle, holder, 8))
        assert self.append(handle, 1)[-1] == 207000
        assert C.aclrtKernelArgsAppendPlaceHolder(handle)[-1] == 207000
        device.must(C.aclrtKernelArgsParaUpdate(handle, value, number(2), 8))
        device.must(C.aclrtKernelArgsFinalize(handle))
        assert launch() == 0
        assert self.append(handle, 1)[-1] == 207000
        assert C.aclrtKernelArgsGetPlaceHolderBuffer(handle, holder, 8)[-1] == 207000
        assert C.aclrtKernelArgsGetPlaceHolderBuffer(handle, value, 8)[-1] == 107000  # no holder comes first
        device.must(C.aclrtKernelArgsParaUpdate(handle, value, number(3), 8))
        assert launch() == 107000
        assert "is updated, not finalised" in C.aclGetRecentErrMsg()
        device.must(C.aclrtKernelArgsFinalize(handle))
        assert launch() == 0
        device.must(C.aclrtKernelArgsFinalize(handle))
        assert launch() == 0

    def test_updates_keep_the_size(self, device: Device, handle: int) -> None:
        value = device.must(self.append(handle, 1, np.int32))
        holder = device.must(C.aclrtKernelArgsAppendPlaceHolder(handle))
        assert C.aclrtKernelArgsParaUpdate(handle, value, number(1), 8) == 107000
        assert C.aclrtKernelArgsParaUpdate(handle, holder, number(1), 8) == 107000
        assert C.aclrtKernelArgsParaUpdate(handle, value, number(1, np.int32), 4) == 0

    def test_the_same_handle_again_in_the_same_thread(self, device: Device, handle: int) -> None:
        import threading

        old = device.must(self.append(handle, 1))
        assert C.aclrtKernelArgsInit(device.function(scale)) == (handle, 0)
        assert C.aclrtKernelArgsParaUpdate(handle, old, number(1), 8) == 107017
        others: list[int] = []

        def elsewhere() -> None:
            C.aclrtSetDevice(0)
            others.append(C.aclrtKernelArgsInit(device.function(scale))[0])

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        assert others[0] not in (0, handle)

    def test_room(self, device: Device, handle: int) -> None:
        big = np.zeros(65536, np.uint8)
        assert C.aclrtKernelArgsAppend(handle, big, 65529)[-1] == 0
        assert self.append(handle, 1)[-1] == 107000
        handle = device.must(C.aclrtKernelArgsInit(device.function(scale)))
        for _ in range(128):
            device.must(self.append(handle, 1))
        assert self.append(handle, 1)[-1] == 107000
        assert C.aclrtKernelArgsAppendPlaceHolder(handle)[-1] == 107000
        assert "has 128 parameters" in C.aclGetRecentErrMsg()
        handle = device.must(C.aclrtKernelArgsInit(device.function(scale)))
        holder = device.must(C.aclrtKernelArgsAppendPlaceHolder(handle))
        assert C.aclrtKernelArgsGetPlaceHolderBuffer(handle, holder, 65536)[-1] == 107000

    def test_nothing_and_strangers(self, device: Device, handle: int) -> None:
        parameter = device.must(self.append(handle, 1))
        assert C.aclrtKernelArgsInit(0) == (0, 100000)
        assert C.aclrtKernelArgsAppend(handle, number(1), 0)[-1] == 100000
        assert C.aclrtKernelArgsAppend(0, number(1), 8)[-1] == 100000
        assert C.aclrtKernelArgsAppend(handle, 0, 8)[-1] == 100000
        assert C.aclrtKernelArgsAppend(device.stream, number(1), 8)[-1] == 107017
        assert C.aclrtKernelArgsParaUpdate(handle, device.stream, number(1), 8) == 107017
        assert C.aclrtKernelArgsParaUpdate(handle, parameter, 8, 8) == 107000  # no such memory
        assert C.aclrtKernelArgsFinalize(0) == 100000

    def test_without_any_argument(self, device: Device, handle: int) -> None:
        device.must(C.aclrtKernelArgsFinalize(handle))
        function = device.function(scale)
        assert C.aclrtLaunchKernelWithConfig(function, 1, device.stream, None, handle, 0) == 107000
        assert C.aclrtLaunchKernelWithConfig(function, 1, device.stream, None, handle, 5) == 100000

    def test_too_few_and_too_many_parameters_are_told(self, device: Device, handle: int) -> None:
        function = device.function(scale)
        device.must(self.append(handle, device.buffer(32)))
        device.must(C.aclrtKernelArgsFinalize(handle))
        device.must(C.aclrtLaunchKernelWithConfig(function, 1, device.stream, None, handle, 0))
        assert device.wait() == 507035
        assert "needs 24 bytes of arguments, the launch gave 8" in device.only("kernel-args").title
        handle = device.must(C.aclrtKernelArgsInit(function))
        for _ in range(5):
            device.must(self.append(handle, 0))
        device.must(C.aclrtKernelArgsFinalize(handle))
        device.must(C.aclrtLaunchKernelWithConfig(function, 1, device.stream, None, handle, 0))
        assert "has 4 parameters, 5 were appended" in device.findings("kernel-args")[1].title

    def test_a_parameter_that_is_too_short(self, device: Device, handle: int) -> None:
        device.must(self.append(handle, 1, np.uint32))
        device.must(C.aclrtKernelArgsFinalize(handle))
        C.aclrtLaunchKernelWithConfig(device.function(scale), 1, device.stream, None, handle, 0)
        assert "`x` takes 8 bytes, 4 were appended" in device.findings("kernel-args")[0].title


def _write(address: int, data: Any) -> None:
    import ctypes

    raw = data.tobytes()
    ctypes.memmove(address, raw, len(raw))


class TestMemoryOfTheCaller:
    def test_sizes(self, device: Device) -> None:
        function = device.function(scale)
        assert C.aclrtKernelArgsGetMemSize(function, 100) == (100 + 64 + 8 * 4, 0)
        header, _ = C.aclrtKernelArgsGetHandleMemSize(function)
        assert header > 4 * 24
        assert C.aclrtKernelArgsGetMemSize(0, 1)[-1] == 100000
        assert C.aclrtKernelArgsGetHandleMemSize(0)[-1] == 100000

    def test_the_values_lie_in_it(self, device: Device) -> None:
        function = device.function(scale)
        memory, own = np.zeros(256, np.uint8), np.zeros(256, np.uint8)
        handle = int(own.ctypes.data)
        device.must(C.aclrtKernelArgsInitByUserMem(function, handle, memory, 256))
        x, z = device.buffer(np.arange(4, dtype=np.int32)), device.buffer(16)
        for value, kind in ((x, np.uint64), (z, np.uint64), (4, np.uint8), (5, np.int32)):
            array = number(value, kind)
            device.must(C.aclrtKernelArgsAppend(handle, array, array.nbytes))
        assert memory[:16].view(np.uint64).tolist() == [x, z]
        assert (memory[16], memory[24]) == (4, 5)
        assert C.aclrtKernelArgsAppend(handle, number(1), 8)[-1] == 107000  # more than the kernel has
        device.must(C.aclrtKernelArgsFinalize(handle))
        device.must(C.aclrtLaunchKernelWithConfig(function, 2, device.stream, None, handle, 0))
        assert device.wait() == 0
        assert device.read(z, 4, np.int32).tolist() == [0, 5, 10, 15]

    def test_its_size_is_the_limit(self, device: Device) -> None:
        function = device.function(scale)
        memory, own = np.zeros(16, np.uint8), np.zeros(256, np.uint8)
        handle = int(own.ctypes.data)
        device.must(C.aclrtKernelArgsInitByUserMem(function, handle, memory, 12))
        device.must(C.aclrtKernelArgsAppend(handle, number(1), 8))
        assert C.aclrtKernelArgsAppend(handle, number(1), 8)[-1] == 107000
        assert memory[12:].tolist() == [0] * 4

    def test_nothing(self, device: Device) -> None:
        function = device.function(scale)
        memory = np.zeros(16, np.uint8)
        for inputs in ((0, 8, memory, 16), (function, 0, memory, 16), (function, 8, 0, 16), (function, 8, memory, 0)):
            assert C.aclrtKernelArgsInitByUserMem(*inputs) == 100000

    def test_memory_that_is_not_there_gets_a_code(self, device: Device) -> None:
        function = device.function(scale)
        own = np.zeros(256, np.uint8)
        handle = int(own.ctypes.data)
        device.must(C.aclrtKernelArgsInitByUserMem(function, handle, 0x1000, 256))
        assert C.aclrtKernelArgsAppend(handle, number(1), 8)[-1] == 107000


def test_cpu_kernels_are_packed(device: Device) -> None:
    seen: list[tuple[int, int]] = []

    @kernel(kind="cpu")
    def k(b: Block, a: np.uint8, n: np.uint8) -> None:
        seen.append((int(a), int(n)))

    function = device.function(k)
    handle = device.must(C.aclrtKernelArgsInit(function))
    for value in (3, 4):
        device.must(C.aclrtKernelArgsAppend(handle, number(value, np.uint8), 1))
    device.must(C.aclrtKernelArgsFinalize(handle))
    device.must(C.aclrtLaunchKernelWithConfig(function, 1, device.stream, None, handle, 0))
    assert device.wait() == 0
    assert seen == [(3, 4)]
    assert C.aclrtKernelArgsGetMemSize(function, 100) == (100, 0)
