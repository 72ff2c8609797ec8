"""What observers hear of a launch: exact bytes, blocks and their order, exceptions with their arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Blocks, Observer, gm, kernel
from ascend_sim import ascendcl as C

from ..conftest import Device, Make


class Accesses(Observer):
    def __init__(self) -> None:
        self.found: list[tuple[int, int, int, Any]] = []
        self.blocks: list[Any] = []

    def accessed(self, who: Any, block: Any, lo: int, hi: int, write: Any) -> None:
        if who.__class__.__name__ == "Task":
            self.found.append((block.number, lo, hi, write))

    def blocks_ran(self, task: Any, found: Any) -> None:
        self.blocks.append((found.blocks, found.table.tolist(), [tuple(s) for s in found.segments]))


class OnlyAccesses(Observer):
    found: list[Any]

    def accessed(self, who: Any, block: Any, lo: int, hi: int, write: Any) -> None:
        if who.__class__.__name__ == "Task":
            self.found.append((block.number, lo, hi, write))


@pytest.fixture(params=[Accesses, OnlyAccesses], ids=["with blocks", "without"])
def watched(device: Device, request: pytest.FixtureRequest) -> tuple[Device, Any]:
    observer = request.param()
    observer.found = []
    device.sim.attach(observer)
    return device, observer


@kernel
def add(b: Block, x: gm.In[np.int32], z: gm.InOut[np.int32], n: np.uint32) -> None:
    s = b.slice(n)
    z[s] += x[s]


@kernel
def tile(b: Block, x: gm.In[np.int32], z: gm.Out[np.int32]) -> None:
    x, z = x.view(8, 8), z.view(8, 8)
    for rows, columns in b.tiles((8, 8), (4, 4)):
        z[rows, columns] = x[columns, rows].T


@kernel
def histogram(b: Block, x: gm.In[np.int32], z: gm.InOut[np.int32]) -> None:
    z.atomic_add(x[b.slice(16)], 1)
    z.atomic_max(slice(8, 10), 1)


@kernel(batch=True)
def batch(b: Blocks, x: gm.In[np.int32], z: gm.Out[np.int32]) -> None:
    z[b.rows(16)] = x[b.rows(16)]


def numbers(device: Device, *addresses: int) -> list[int]:
    return [device.sim.memory.find(a).number for a in addresses]  # type: ignore[union-attr]


def test_the_blocks_of_a_launch_are_merged(watched: tuple[Device, Any]) -> None:
    device, observer = watched
    x, z = device.buffer(4 * 103), device.buffer(4 * 103)
    observer.found.clear()
    for _ in range(2):
        assert device.run(add, 7, x, z + 8, 100) == 0
    nx, nz = numbers(device, x, z)
    one = [(nx, 0, 400, False), (nz, 8, 408, False), (nz, 8, 408, True)]
    assert observer.found == one * 2


def test_tiles_cover_what_they_cover(watched: tuple[Device, Any]) -> None:
    device, observer = watched
    x, z = device.buffer(np.arange(64, dtype=np.int32)), device.buffer(256)
    assert device.run(tile, 4, x, z) == 0
    nx, nz = numbers(device, x, z)
    assert observer.found == [(nx, 0, 256, False), (nz, 0, 256, True)]
    assert (device.read(z, 64, np.int32).reshape(8, 8) == np.arange(64).reshape(8, 8).T).all()
    observer.found.clear()

    @kernel
    def corner(b: Block, z: gm.Out[np.int32]) -> None:
        z.view(8, 8)[2:4, 1:3] = 5

    assert device.run(corner, 1, z) == 0
    assert observer.found == [(nz, 68, 76, True), (nz, 100, 108, True)]


def test_atomic_updates_are_a_kind_of_their_own(watched: tuple[Device, Any]) -> None:
    device, observer = watched
    x, z = device.buffer(np.arange(16, dtype=np.int32) % 4), device.buffer(64)
    assert device.run(histogram, 4, x, z) == 0
    nx, nz = numbers(device, x, z)
    assert observer.found == [(nx, 0, 64, False), (nz, 0, 16, 2), (nz, 32, 40, 2)]


def test_batch_kernels(watched: tuple[Device, Any]) -> None:
    device, observer = watched
    x, z = device.buffer(64), device.buffer(64)
    assert device.run(batch, 4, x, z) == 0
    nx, nz = numbers(device, x, z)
    assert observer.found == [(nx, 0, 64, False), (nz, 0, 64, True)]


def test_the_argument_block_is_read_by_the_task(watched: tuple[Device, Any]) -> None:
    device, observer = watched
    x, z = device.buffer(400), device.buffer(400)
    args = device.buffer(bytes(8) + add.pack(x, z, 4))
    observer.found.clear()
    for _ in range(3):
        device.must(C.aclrtLaunchKernelV2(device.function(add), 1, args + 8, 20, None, device.stream))
        assert device.wait() == 0
    (number,) = numbers(device, args)
    assert [entry for entry in observer.found if entry[0] == number] == [(number, 8, 28, False)] * 3


def test_what_a_faulty_kernel_had_touched_is_told(watched: tuple[Device, Any]) -> None:
    device, observer = watched

    @kernel
    def half(b: Block, z: gm.Out[np.int32]) -> None:
        z[b.idx] = 1
        assert b.idx < 2

    z = device.buffer(64)
    assert device.run(half, 4, z) == 507035
    assert observer.found == [(*numbers(device, z), 0, 12, True)]


def test_an_observer_that_comes_and_goes(device: Device) -> None:
    x, z = device.buffer(400), device.buffer(400)
    observer = Accesses()
    lengths = []
    for attach in (False, True, False, True):
        (device.sim.attach if attach else device.sim.detach)(observer)
        assert device.run(add, 2, x, z, 10) == 0
        lengths.append(len(observer.found))
    assert lengths == [0, 3, 3, 6]


def order(segments: list[tuple[int, int, tuple[int, ...]]]) -> list[set[int]]:
    """For each segment everything that happened before it."""
    before: list[set[int]] = []
    for _, _, after in segments:
        before.append(set(after).union(*(before[i] for i in after)))
    return before


class TestBlocks:
    def watch(self, device: Device) -> Accesses:
        observer = Accesses()
        device.sim.attach(observer)
        return observer

    def test_each_block_is_a_segment(self, device: Device) -> None:
        observer = self.watch(device)
        x, z = device.buffer(400), device.buffer(400)
        assert device.run(add, 3, x, z, 6) == 0
        ((names, table, segments),) = observer.blocks
        assert names == ["block 0", "block 1", "block 2"]
        assert segments == [(9, 0, ()), (18, 1, ()), (27, 2, ())]
        assert table[3:6] == [[8, 16, 4], [8, 16, 0], [8, 16, 5]]

    def test_a_barrier_orders_everything(self, device: Device) -> None:
        @kernel
        async def k(b: Block, z: gm.InOut[np.int32]) -> None:
            z[b.idx] = 1
            await b.sync_all()
            z[1 - b.idx] = 2

        observer = self.watch(device)
        assert device.run(k, 2, device.buffer(8)) == 0
        ((_, table, segments),) = observer.blocks
        assert [block for _, block, _ in segments] == [0, 1, -1, 0, 1]
        before = order(segments)
        assert before[3] >= {0, 1}
        assert before[4] >= {0, 1}
        assert 3 not in before[4]
        assert [end // 3 for end, _, _ in segments] == [1, 2, 2, 3, 4]
        assert len(table) == 4

    def test_a_flag_orders_its_setter_before_its_waiter(self, device: Device) -> None:
        @kernel(kind="mix12")
        async def k(b: Block, z: gm.InOut[np.int32]) -> None:
            if b.is_aic:
                z[0] = 1
                b.set_flag(0)
                z[1] = 2
            else:
                await b.wait_flag(0)
                z[2 + b.idx] = z[0]

        observer = self.watch(device)
        assert device.run(k, 1, device.buffer(64)) == 0
        ((names, _, segments),) = observer.blocks
        assert names == ["block 0 (AIC)", "block 0 (AIV)", "block 1 (AIV)"]
        before = order(segments)
        cube = [i for i, s in enumerate(segments) if s[1] == 0]
        for vector in (1, 2):
            last = max(i for i, s in enumerate(segments) if s[1] == vector)
            assert cube[0] in before[last]
            assert cube[1] not in before[last]

    def test_rows_of_tiles_stand_in_their_segments(self, device: Device) -> None:
        @kernel
        def k(b: Block, z: gm.Out[np.int32]) -> None:
            z[60] = 1
            z.view(8, 8)[2 * b.idx : 2 * b.idx + 2, 1:3] = 5
            z[61] = 1

        observer = self.watch(device)
        device.run(k, 2, device.buffer(256))
        ((_, table, segments),) = observer.blocks
        assert [end // 3 for end, _, _ in segments] == [4, 8]
        assert [row[:2] for row in table] == [
            [240, 244], [4, 12], [36, 44], [244, 248], [240, 244], [68, 76], [100, 108], [244, 248],
        ]  # fmt: skip


def test_every_changed_byte_lies_in_a_logged_write(make_device: Make) -> None:
    """The log against what really changed, over random kernels."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        device = make_device()
        observer = Accesses()
        device.sim.attach(observer)
        shape = tuple(int(n) for n in rng.integers(2, 9, 2))
        size = shape[0] * shape[1]
        picks = rng.integers(0, size, 5)
        cut = np.sort(rng.integers(0, min(shape), 2))

        @kernel
        def k(b: Block, z: gm.InOut[np.int32]) -> None:
            matrix = z.view(*shape)  # noqa: B023
            matrix[cut[0] : cut[1], cut[0] :] = 1  # noqa: B023
            z[picks] = 2  # noqa: B023
            z[np.arange(size) % 3 == 1] = 3  # noqa: B023
            matrix[:, int(cut[0])] = 4  # noqa: B023

        z = device.buffer(4 * size)
        assert device.run(k, 1, z) == 0
        changed = np.flatnonzero(device.read(z, size, np.int32))
        spans = [(lo, hi) for _, lo, hi, write in observer.found if write]
        assert all(any(lo <= 4 * i and 4 * i + 4 <= hi for lo, hi in spans) for i in changed)
        assert sum(hi - lo for lo, hi in spans) == 4 * len(changed)


class TestExceptions:
    @kernel
    def bad(b: Block, x: gm.In[np.int32], n: np.uint32) -> None:
        x[int(n)]

    def test_callbacks_learn_the_function_and_the_arguments(self, device: Device) -> None:
        heard: list[Any] = []

        def callback(info: int) -> None:
            address, size, code = C.aclrtGetArgsFromExceptionInfo(info)
            heard.append((
                C.aclrtGetErrorCodeFromExceptionInfo(info), C.aclrtGetFuncHandleFromExceptionInfo(info), size, code,
                device.sim.memory.view(address, size).tobytes(),
            ))  # fmt: skip

        device.must(C.aclrtExceptionInfoCallbackRegister(callback))
        x = device.buffer(16)
        raw = self.bad.pack(x, 4)
        function = device.function(self.bad)
        args = device.buffer(raw)
        device.must(C.aclrtLaunchKernelV2(function, 1, args, 12, None, device.stream))
        assert device.wait() == 507035
        device.queue(self.bad, 1, x, 4)
        assert device.wait() == 507035
        assert heard[0] == (507035, (function, 0), 12, 0, raw[:12])
        assert heard[1] == (507035, (function, 0), 16, 0, raw)

    def test_a_binary_has_a_callback_of_its_own(self, device: Device) -> None:
        heard: list[Any] = []
        x = device.buffer(16)
        function = device.function(self.bad)
        binary = device.must(C.aclrtFunctionGetBinary(function))
        assert C.aclrtBinarySetExceptionCallback(0, print, None) == 100000
        assert C.aclrtBinarySetExceptionCallback(binary, None, None) == 100000
        data = object()
        device.must(C.aclrtBinarySetExceptionCallback(binary, lambda info, user: heard.append("old"), None))
        device.must(C.aclrtBinarySetExceptionCallback(
            binary, lambda info, user: heard.append((C.aclrtGetFuncHandleFromExceptionInfo(info)[0], user)), data
        ))  # fmt: skip
        assert device.run(self.bad, 1, x, 0) == 0
        assert device.run(self.bad, 1, x, 4) == 507035
        assert heard == [(function, data)]

    def test_getters_outside_a_callback(self, device: Device) -> None:
        assert C.aclrtGetArgsFromExceptionInfo(0)[-1] == 107000
        assert C.aclrtGetFuncHandleFromExceptionInfo(12345)[-1] == 107000


class TestWorkSpaces:
    """A kernel that fills memory and reads it in the same launch reads nothing unwritten."""

    def unwritten(self, device: Device) -> list[str]:
        return [f.title for f in device.findings("uninitialised-read")]

    @kernel
    async def through_workspace(b: Block, x: gm.In[np.int32], w: gm.InOut[np.int32], z: gm.Out[np.int32]) -> None:
        w[b.idx] = x[b.idx] + 1
        await b.sync_all()
        z[b.idx] = w[b.num - 1 - b.idx]

    @kernel
    def in_tiles(b: Block, w: gm.InOut[np.int32], z: gm.Out[np.int32]) -> None:
        square = w.view(8, 8)
        square[2:5, 3:6] = 1
        z[0:9] = square[2:5, 3:6].ravel()

    @kernel
    def too_early(b: Block, w: gm.InOut[np.int32], z: gm.Out[np.int32]) -> None:
        z[0:4] = w[2:6]
        w[4:8] = 1
        z[0:4] = w[4:8]

    @kernel
    def half(b: Block, w: gm.InOut[np.int32], z: gm.Out[np.int32]) -> None:
        w[0:4] = 1
        z[0:4] = w[2:6]

    @kernel
    def aliases(b: Block, x: gm.In[np.int32], z: gm.Out[np.int32], w: gm.Out[np.int32]) -> None:
        z[0:4] = 1
        w[0:4] = x[0:4]

    @kernel
    def counters(b: Block, w: gm.InOut[np.int32]) -> None:
        w[0:4] = 0
        for _ in range(30):
            w.atomic_add(slice(0, 4), 1)

    @pytest.mark.parametrize("blocks", [1, 7, 40])
    def test_written_first(self, device: Device, blocks: int) -> None:
        x, w, z = device.buffer(np.zeros(64, np.int32)), device.fresh(256), device.fresh(256)
        assert device.run(self.through_workspace, blocks, x, w, z) == 0
        assert device.run(self.in_tiles, 1, device.fresh(256), z) == 0
        assert device.run(self.aliases, 1, w, w, z) == 0
        assert device.run(self.counters, 1, device.fresh(256)) == 0
        assert self.unwritten(device) == []

    @pytest.mark.parametrize(("k", "count"), [(too_early, 16), (half, 8)])
    def test_read_first(self, device: Device, k: Any, count: int) -> None:
        assert device.run(k, 1, device.fresh(256), device.fresh(256)) == 0
        (title,) = self.unwritten(device)
        assert f" reads {count} bytes of " in title

    def test_what_is_told(self, watched: tuple[Device, Any]) -> None:
        device, observer = watched
        w, z = device.buffer(256), device.buffer(256)
        observer.found.clear()
        assert device.run(self.too_early, 1, w, z) == 0
        nw, nz = numbers(device, w, z)
        assert observer.found == [(nw, 8, 24, False), (nw, 16, 32, True), (nw, 24, 32, False), (nz, 0, 16, True)]


def test_a_fault_in_the_first_block(device: Device) -> None:
    @kernel
    def k(b: Block, z: gm.Out[np.int32]) -> None:
        assert b.idx
        z[b.idx] = 1

    observer = Accesses()
    device.sim.attach(observer)
    assert device.run(k, 3, device.buffer(64)) == 507035
    assert observer.blocks == []


@pytest.mark.parametrize("waits", [False, True])
def test_the_part_of_the_faulty_block_is_told_too(device: Device, waits: bool) -> None:
    @kernel
    def k(b: Block, z: gm.Out[np.int32]) -> None:
        z[b.idx] = 1
        assert b.idx == 0

    @kernel
    async def w(b: Block, z: gm.Out[np.int32]) -> None:
        z[b.idx] = 1
        assert b.idx == 0
        await b.sync_all()

    observer = Accesses()
    device.sim.attach(observer)
    assert device.run(w if waits else k, 3, device.buffer(64)) == 507035
    ((_, table, segments),) = observer.blocks
    assert table == [[0, 4, 1], [4, 8, 1]]
    assert [s[:2] for s in segments] == [(3, 0), (6, 1)]
