"""The launch variants: what each copies and when, blocks and waves, attributes, the order of their checks."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import AclError, Block, Blocks, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.ascendcl import structs

from ..conftest import Device, Make, config

STALE = 0xDEAD0010
N = 64


@kernel
def fill(b: Block, z: gm.Out[np.int32], value: np.int32) -> None:
    z[b.slice(N)] = value


@kernel
def count(b: Block, out: gm.InOut[np.int32]) -> None:
    out.atomic_add(0, 1)
    out.atomic_max(1, b.num)


@kernel
def copy(b: Block, x: gm.In[np.int32], z: gm.Out[np.int32], n: np.uint32) -> None:
    s = b.slice(n)
    z[s] = x[s]


def pack(address: int, value: int) -> bytes:
    return struct.pack("<Qi", address, value)


class TestWhatIsCopied:
    def test_device_arguments_are_read_when_the_task_runs(self, device: Device) -> None:
        z = device.buffer(4 * N)
        args = device.buffer(pack(z, 1))
        function = device.function(fill)
        device.must(C.aclrtLaunchKernelV2(function, 4, args, 12, None, device.stream))
        device.must(C.aclrtMemcpy(args, 12, pack(z, 2), 12, 1))
        assert device.wait() == 0
        assert device.read(z, N, np.int32).tolist() == [2] * N

    def test_the_same_for_the_oldest_variant(self, device: Device) -> None:
        z = device.buffer(4 * N)
        args = device.buffer(pack(z, 1))
        device.must(C.aclrtLaunchKernel(device.function(fill), 4, args, 12, device.stream))
        device.must(C.aclrtMemcpy(args, 12, pack(z, 2), 12, 1))
        assert device.wait() == 0
        assert device.read(z, N, np.int32).tolist() == [2] * N

    def test_arguments_that_are_too_short_are_no_addresses_for_what_is_dropped(self, device: Device) -> None:
        """Who drops a launch is told which memory it would have used; this one would have failed before it used any."""
        stream = device.must(C.aclrtCreateStream())
        device.must(C.aclrtLaunchKernelV2(device.function(fill), 4, device.buffer(bytes(8)), 7, None, stream))
        assert C.aclrtDestroyStreamForce(stream) == 0
        device.only("unawaited-work")

    def test_host_arguments_are_copied_at_the_call(self, device: Device) -> None:
        z = device.buffer(4 * N)
        args = bytearray(pack(z, 1))
        function = device.function(fill)
        device.must(C.aclrtLaunchKernelWithHostArgs(function, 4, device.stream, None, args, 12, None, 0))
        args[:] = pack(z, 2)
        assert device.wait() == 0
        assert device.read(z, N, np.int32).tolist() == [1] * N

    def test_a_handle_is_copied_at_each_launch(self, device: Device) -> None:
        first, second = device.buffer(4 * N), device.buffer(4 * N)
        function = device.function(fill)
        handle = device.must(C.aclrtKernelArgsInit(function))
        address = device.must(C.aclrtKernelArgsAppend(handle, np.array([first], np.uint64), 8))
        value = device.must(C.aclrtKernelArgsAppend(handle, np.array([1], np.int32), 4))
        device.must(C.aclrtKernelArgsFinalize(handle))
        device.must(C.aclrtLaunchKernelWithConfig(function, 4, device.stream, None, handle, 0))
        device.must(C.aclrtKernelArgsParaUpdate(handle, address, np.array([second], np.uint64), 8))
        device.must(C.aclrtKernelArgsParaUpdate(handle, value, np.array([2], np.int32), 4))
        device.must(C.aclrtKernelArgsFinalize(handle))
        device.must(C.aclrtLaunchKernelWithConfig(function, 4, device.stream, None, handle, 0))
        assert device.wait() == 0
        assert device.read(first, N, np.int32).tolist() == [1] * N
        assert device.read(second, N, np.int32).tolist() == [2] * N

    def test_an_array_of_pointers_is_copied_at_the_call(self, device: Device) -> None:
        z = device.buffer(4 * N)
        address, value = np.array([z], np.uint64), np.array([1], np.int32)
        pointers = [address.ctypes.data, value.ctypes.data]
        device.must(C.aclrtLaunchKernelWithArgsArray(device.function(fill), 4, device.stream, None, pointers))
        value[0] = 2
        assert device.wait() == 0
        assert device.read(z, N, np.int32).tolist() == [1] * N

    def test_place_holder_data_goes_to_the_device_with_the_launch(self, device: Device) -> None:
        z = device.buffer(4 * 8)
        data = np.arange(8, dtype=np.int32)
        raw = bytearray(struct.pack("<QQII", 0, z, 8, 0) + data.tobytes())
        holders = [structs.aclrtPlaceHolderInfo(0, 24)]
        free, _, _ = C.aclrtGetMemInfo(1)
        function = device.function(copy)
        device.must(C.aclrtLaunchKernelWithHostArgs(function, 2, device.stream, None, raw, len(raw), holders, 1))
        raw[24:] = bytes(32)
        assert device.wait() == 0
        assert device.read(z, 8, np.int32).tolist() == list(range(8))
        assert C.aclrtGetMemInfo(1)[0] == free

    def test_the_object_form(self, device: Device) -> None:
        z = device.buffer(4 * N)
        fill[4, device.stream](z, 3)
        assert device.wait() == 0
        copy[2](z, z + 4 * 32, 32)
        device.must(C.aclrtSynchronizeDevice())
        assert device.read(z, N, np.int32).tolist() == [3] * N
        with pytest.raises(AclError, match="107017"):
            fill[1, STALE](z, 1)
        with pytest.raises(AclError, match="at least one block"):
            fill[0](z, 1)


class TestBlocks:
    @pytest.mark.parametrize(("blocks", "runs"), [(1, 1), (40, 40), (41, 41), (1000, 1000), (65535, 65535)])
    def test_more_blocks_than_cores_run_in_waves(self, device: Device, blocks: int, runs: int) -> None:
        out = device.buffer(8)
        device.function(count)
        begin = device.sim.time_ns()
        assert device.run(count, blocks, out) == 0
        took = device.sim.time_ns() - begin
        assert device.read(out, 2, np.int32).tolist() == [runs, runs]
        waves = -(-blocks // 40)
        cost = device.sim.profile.costs.kernel_ns
        assert waves * cost <= took < waves * cost + 20_000

    @pytest.mark.parametrize(("blocks", "kept"), [(65536, 0), (65540, 4), (0xFFFFFFFF, 65535)])
    def test_above_65535_the_field_is_cut_and_a_finding_says_so(self, device: Device, blocks: int, kept: int) -> None:
        out = device.buffer(8)
        assert device.run(count, blocks, out) == 0
        assert device.read(out, 2, np.int32).tolist() == [kept, kept]
        assert f"{kept} blocks run" in device.only("undefined-use").title

    def test_newer_chips_refuse_them(self, make_device: Make) -> None:
        device = make_device(soc="Ascend950PR_9599")
        args = device.buffer(pack(device.buffer(8), 1))
        function = device.function(count)
        assert C.aclrtLaunchKernelV2(function, 65536, args, 12, None, device.stream) == 107000
        assert C.aclrtLaunchKernelV2(function, 65535, args, 12, None, device.stream) == 0

    def test_limits_of_cores_make_more_waves(self, device: Device) -> None:
        out = device.buffer(8)
        cost = device.sim.profile.costs.kernel_ns
        device.function(count)

        def waves() -> int:
            begin = device.sim.time_ns()
            assert device.run(count, 40, out) == 0
            return (device.sim.time_ns() - begin) // cost

        assert waves() == 1
        device.must(C.aclrtSetDeviceResLimit(0, 1, 10))
        assert waves() == 4
        device.must(C.aclrtSetStreamResLimit(device.stream, 1, 5))
        assert waves() == 4
        device.must(C.aclrtUseStreamResInCurrentThread(device.stream))
        assert waves() == 8
        device.must(C.aclrtUnuseStreamResInCurrentThread(device.stream))
        device.must(C.aclrtResetDeviceResLimit(0))
        assert waves() == 1

    @pytest.mark.parametrize(("kind", "cores"), [("aic", 20), ("aiv", 40), ("mix11", 20), ("mix12", 20)])
    def test_every_kind_has_its_cores(self, device: Device, kind: Any, cores: int) -> None:
        @kernel(kind=kind)
        def k(b: Block, n: np.uint32) -> None: ...

        cost = device.sim.profile.costs.kernel_ns
        device.function(k)
        for blocks, waves in ((cores, 1), (cores + 1, 2)):
            begin = device.sim.time_ns()
            assert device.run(k, blocks, 1) == 0
            assert (device.sim.time_ns() - begin) // cost == waves

    def test_kernels_of_two_streams_run_at_the_same_time(self, device: Device) -> None:
        other = device.must(C.aclrtCreateStream())
        cost = device.sim.profile.costs.kernel_ns
        out = device.buffer(8)
        device.run(count, 10, out)
        device.queue(count, 1, out, stream=other)
        device.wait(other)
        begin = device.sim.time_ns()
        for _ in range(5):
            device.queue(count, 10, out)
            device.queue(count, 30, out, stream=other)
        device.must(C.aclrtSynchronizeDevice())
        assert device.sim.time_ns() - begin < 6.5 * cost

    def test_batch_kernels_count_as_their_blocks(self, device: Device) -> None:
        @kernel(batch=True)
        def k(b: Blocks, z: gm.Out[np.int32]) -> None:
            z[b.rows(100)] = b.idx

        z = device.buffer(400)
        cost = device.sim.profile.costs.kernel_ns
        device.function(k)
        begin = device.sim.time_ns()
        assert device.run(k, 100, z) == 0
        assert (device.sim.time_ns() - begin) // cost == 3
        assert device.read(z, 100, np.int32).tolist() == list(range(100))


class TestDeclaredCost:
    def test_the_slowest_block_counts_in_every_wave(self, device: Device) -> None:
        @kernel
        def slow(b: Block, cycles: np.uint32) -> None:
            b.cost(cycles if b.idx == 3 else 10)

        device.function(slow)
        for blocks, waves in ((8, 1), (80, 2)):
            begin = device.sim.time_ns()
            assert device.run(slow, blocks, 1_800_000) == 0
            took = device.sim.time_ns() - begin
            assert waves * 1_000_000 <= took < waves * 1_000_000 + 30_000
        begin = device.sim.time_ns()
        assert device.run(slow, 2, 1_800_000) == 0  # the declared cost of the runs before is forgotten
        assert device.sim.time_ns() - begin < 30_000

    def test_later_tasks_wait_for_it(self, device: Device) -> None:
        @kernel
        def slow(b: Block) -> None:
            b.cost(1_800_000)

        event = device.must(C.aclrtCreateEvent())
        device.queue(slow, 1)
        device.must(C.aclrtRecordEvent(event, device.stream))
        assert C.aclrtQueryEventStatus(event) == (0, 0)
        device.wait()
        assert C.aclrtQueryEventStatus(event) == (1, 0)


ATTRIBUTES: list[tuple[dict[str, Any], int]] = [
    ({"schemMode": 0}, 0), ({"schemMode": 1}, 0), ({"schemMode": 2}, 107000),
    ({"dynUBufSize": 1 << 31}, 0), ({"engineType": 7}, 0), ({"blockDimOffset": 99}, 0),
    ({"isBlockTaskPrefetch": 1}, 0), ({"isBlockTaskPrefetch": 2}, 107000),
    ({"isDataDump": 1}, 0), ({"isDataDump": 255}, 107000),
    ({"timeout": 0}, 0), ({"timeout": 65535}, 0),
    ({"timeoutUs": structs.aclrtTimeoutUs(0, 0)}, 0), ({"timeoutUs": structs.aclrtTimeoutUs(5, 1)}, 0),
    ({"timeout": 1, "timeoutUs": structs.aclrtTimeoutUs(5, 0)}, 107000),
    ({"enableProfiling": 1}, 0), ({"enableProfiling": 2}, 107000),
]  # fmt: skip


@pytest.mark.parametrize(("values", "code"), ATTRIBUTES, ids=[str(list(v.items())) for v, _ in ATTRIBUTES])
def test_attributes_have_their_ranges(device: Device, values: Any, code: int) -> None:
    args, function, cfg = device.buffer(16), device.function(count), config(**values)
    raw = pack(device.buffer(8), 0)
    assert C.aclrtLaunchKernelV2(function, 1, args, 12, cfg, device.stream) == code
    assert C.aclrtLaunchKernelWithHostArgs(function, 1, device.stream, cfg, raw, 12, None, 0) == code
    value = np.array([1], np.uint64)
    assert C.aclrtLaunchKernelWithArgsArray(function, 1, device.stream, cfg, [value.ctypes.data]) == code


def test_the_last_attribute_of_an_id_wins_and_unknown_ones_are_refused(device: Device) -> None:
    args, function = device.buffer(16), device.function(count)

    def launch(*pairs: tuple[int, int], count: int | None = None) -> int:
        listed = [
            structs.aclrtLaunchKernelAttr(number, structs.aclrtLaunchKernelAttrValue(schemMode=value))
            for number, value in pairs
        ]
        cfg = structs.aclrtLaunchKernelCfg(listed, len(listed) if count is None else count)
        code: int = C.aclrtLaunchKernelV2(function, 1, args, 12, cfg, device.stream)
        return code

    assert launch((1, 1), (1, 0)) == 0
    assert launch((0, 1)) == 107000
    assert launch((10, 1)) == 107000
    assert launch((10, 1), count=0) == 0
    assert launch() == 0


Prepare = Callable[[Device], dict[str, Any]]


def v2(device: Device, **changed: Any) -> int:
    """A V2 launch in which everything is right but what *changed* says."""
    values: dict[str, Any] = {
        "function": device.function(count), "blocks": 1, "args": device.buffer(16), "size": 12, "cfg": None,
        "stream": device.stream,
    }  # fmt: skip
    values.update(changed)
    code: int = C.aclrtLaunchKernelV2(*values.values())
    return code


BAD_CFG = structs.aclrtLaunchKernelCfg(
    [structs.aclrtLaunchKernelAttr(1, structs.aclrtLaunchKernelAttrValue(schemMode=9))], 1
)
FAULTS: list[tuple[str, dict[str, Any], int]] = [
    ("no function", {"function": 0}, 100000),
    ("no arguments", {"args": 0}, 100000),
    ("dead function", {"function": STALE}, 107017),
    ("dead stream", {"stream": STALE}, 107017),
    ("no bytes", {"size": 0}, 107000),
    ("no bytes in 32 bits", {"size": 1 << 32}, 107000),
    ("no blocks", {"blocks": 0}, 107000),
    ("bad cfg", {"cfg": BAD_CFG}, 107000),
]


def test_a_foreign_context_is_seen_by_launches_that_are_alike(device: Device) -> None:
    """A launch like one before takes a short way: it must look at everything that may have changed."""
    function, stream = device.function(count), device.stream
    args = device.buffer(pack(device.buffer(8), 0))

    def launch() -> int:
        code: int = C.aclrtLaunchKernelV2(function, 1, args, 12, None, stream)
        return code

    assert [launch(), launch()] == [0, 0]
    mine = device.must(C.aclrtGetCurrentContext())
    device.must(C.aclrtCreateContext(0))
    assert launch() == 107003
    device.must(C.aclrtSetCurrentContext(mine))
    assert launch() == 0
    assert C.aclrtLaunchKernelV2(function, 1, args, 1 << 32, None, stream) == 107000
    assert C.aclrtLaunchKernelV2(function, 1, 0, 12, None, stream) == 100000
    device.must(C.aclrtDestroyStream(stream))
    assert launch() == 107017


def test_a_launch_can_name_the_default_stream(device: Device) -> None:
    out = device.buffer(8)
    args = device.buffer(pack(out, 0))
    function = device.function(count)
    for _ in range(3):
        assert C.aclrtLaunchKernelV2(function, 2, args, 12, None, 0) == 0
    assert C.aclrtSynchronizeStream(0) == 0
    assert device.read(out, 1, np.int32)[0] == 6


class TestArgumentSizes:
    def test_too_few_bytes(self, device: Device) -> None:
        args = device.buffer(16)
        device.must(C.aclrtLaunchKernelV2(device.function(fill), 1, args, 11, None, device.stream))
        assert device.wait() == 507035
        found = device.only("kernel-args")
        assert found.title == "kernel `fill`: needs 12 bytes of arguments, the launch gave 11"

    def test_a_block_of_arguments_that_is_launched_again_with_another_size(self, device: Device) -> None:
        args, z = device.buffer(16), device.buffer(4 * N)
        device.must(C.aclrtMemcpy(args, 16, pack(z, 3), len(pack(z, 3)), 1))
        for size, code in ((12, 0), (11, 507035), (12, 0)):
            device.must(C.aclrtLaunchKernelV2(device.function(fill), 1, args, size, None, device.stream))
            assert device.wait() == code
        assert device.only("kernel-args").title.endswith("the launch gave 11")

    def test_the_tail_pad_may_be_missing_or_there(self, device: Device) -> None:
        z = device.buffer(4 * N)
        for size in (12, 16):
            args = device.buffer(pack(z, size) + bytes(4))
            device.must(C.aclrtLaunchKernelV2(device.function(fill), 1, args, size, None, device.stream))
            assert device.wait() == 0
            assert device.read(z, 1, np.int32)[0] == size
        assert not device.findings()

    def test_a_buffer_with_slots_is_recognised(self, device: Device) -> None:
        @kernel
        def k(b: Block, n: np.uint32, m: np.uint32, z: gm.Out[np.int32]) -> None:
            z[0] = int(m)

        @kernel(args="slots")
        def slots(b: Block, n: np.uint32, m: np.uint32, z: gm.Out[np.int32]) -> None:
            z[0] = int(m)

        z = device.buffer(4)
        raw = struct.pack("<IIIIQ", 1, 0, 7, 0, z)
        for each in (k, slots):
            answer = C.aclrtLaunchKernelWithHostArgs(device.function(each), 1, device.stream, None, raw, 24, None, 0)
            device.must(answer)
        device.wait()
        assert device.read(z, 1, np.int32)[0] == 7
        warning = device.findings("kernel-args")[0]
        assert warning.fix == "the buffer fits 8-byte slots: @kernel(args='slots')"
        assert warning.severity == "warning"

    def test_a_kernel_without_parameters(self, device: Device) -> None:
        ran = []

        @kernel
        def k(b: Block) -> None:
            ran.append(b.idx)

        function = device.function(k)
        assert C.aclrtLaunchKernelV2(function, 1, 0, 0, None, device.stream) == 100000
        assert C.aclrtLaunchKernelV2(function, 2, device.buffer(8), 8, None, device.stream) == 0
        assert C.aclrtLaunchKernelWithArgsArray(function, 2, device.stream, None, None) == 0
        assert device.wait() == 0
        assert ran == [0, 1, 0, 1]

    def test_every_scalar_type_and_both_layouts(self, device: Device) -> None:
        types = [np.int8, np.uint16, np.int32, np.uint64, np.float16, np.float64, np.bool_, np.int16, np.float32]

        def body(b: Block, z: gm.Out[np.float64], *v: Any) -> None: ...

        seen: list[Any] = []

        def f(b: Block, a: np.int8, c: np.uint16, d: np.int32, e: np.uint64, h: np.float16, g: np.float64,
              i: np.bool_, j: np.int16, k: np.float32) -> None:  # fmt: skip
            seen.append((a, c, d, e, h, g, i, j, k))

        values = [-5, 60000, -(2**31), 2**63, 1.5, 1e300, True, -300, 0.25]
        for args in ("c", "slots"):
            made = kernel(args=args)(f)
            assert device.run(made, 1, *values) == 0
            device._functions.clear()
        assert len(seen) == 2
        for row in seen:
            assert [type(v) for v in row] == types
            assert [v.item() for v in row] == values
