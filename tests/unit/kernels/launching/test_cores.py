"""Cores: who holds them, who waits for them, hangs and time limits; the order of blocks and of kernels."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, SimulatedHang, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.ascendcl import structs

from ..conftest import Device, Make, config

S = 1_000_000_000
RANDOM = [f"random({seed})" for seed in range(12)]


@kernel
async def meet(b: Block, out: gm.InOut[np.int32]) -> None:
    out.atomic_add(0, 1)
    await b.sync_all()
    assert out[0] % b.num == 0
    await b.sync_all()


@kernel
async def meet_too(b: Block, out: gm.InOut[np.int32]) -> None:
    out.atomic_add(0, 1)
    await b.sync_all()


@kernel(schedmode=1)
async def meet_batch(b: Block, out: gm.InOut[np.int32]) -> None:
    out.atomic_add(0, 1)
    await b.sync_all()


@kernel
def hold(b: Block, cycles: np.uint32) -> None:
    b.cost(cycles)


class TestOneKernel:
    @pytest.mark.parametrize("schedule", ["virtual-time", "late", *RANDOM[:3]])
    def test_as_many_blocks_as_cores_can_meet(self, make_device: Make, schedule: str) -> None:
        device = make_device(schedule=schedule)
        out = device.buffer(4)
        assert device.run(meet, 40, out) == 0
        assert device.read(out, 1, np.int32)[0] == 40

    @pytest.mark.parametrize("schedule", ["virtual-time", *RANDOM[:3]])
    def test_one_more_hangs_until_the_time_limit(self, make_device: Make, schedule: str) -> None:
        device = make_device(schedule=schedule)
        out = device.buffer(4)
        device.queue(meet, 41, out)
        begin = device.sim.time_ns()
        assert device.wait() == 507034
        found = device.only("deadlock")
        wanted = "kernel `meet` hangs: 40 blocks wait in sync_all and keep the 40 cores, 1 block has not started"
        assert found.title == wanted
        assert found.fix.startswith("a kernel that waits in sync_all can have at most as many blocks as cores")
        assert [site.role for site in found.sites] == ["wait", "submit"]
        assert "kernel `meet` hangs" in C.aclGetRecentErrMsg()
        if schedule == "virtual-time":
            limit = C.aclrtGetOpExecuteTimeout()[0] * 1_000_000
            assert limit - S < device.sim.time_ns() - begin < limit + S
        assert device.run(meet, 40, device.buffer(4)) == 0  # the cores are free again

    def test_a_limit_of_cores_counts(self, device: Device) -> None:
        device.must(C.aclrtSetDeviceResLimit(0, 1, 8))
        assert device.run(meet, 8, device.buffer(4)) == 0
        assert device.run(meet, 9, device.buffer(4)) == 507034
        assert "device 0 has 8 of them for this launch" in device.only("deadlock").fix

    def test_mixed_kernels_need_a_core_for_each_group(self, device: Device) -> None:
        @kernel(kind="mix12")
        async def mixed(b: Block) -> None:
            await b.sync_all()

        assert device.run(mixed, 20) == 0
        assert device.run(mixed, 21) == 507014
        title = device.only("deadlock").title
        assert title.endswith("60 blocks wait in sync_all and keep the 20 cores, 1 group has not started")

    def test_a_flag_that_nobody_sets(self, device: Device) -> None:
        @kernel(kind="mix11")
        async def deaf(b: Block) -> None:
            if b.is_aiv:
                await b.wait_flag(2)

        assert device.run(deaf, 2) == 507014
        assert device.only("deadlock").title.endswith("block 0 (AIV) waits for flag 2, which nobody sets")

    def test_without_a_time_limit_the_host_hangs(self, device: Device) -> None:
        device.queue(meet, 41, device.buffer(4), cfg=config(timeout=0))
        with pytest.raises(SimulatedHang):
            device.wait()
        kernel, thread = device.findings("deadlock")
        assert "hangs: 40 blocks wait in sync_all" in kernel.title
        assert "nobody can end it" in thread.title

    def test_an_abort_ends_it(self, device: Device) -> None:
        out = device.buffer(4)
        device.queue(meet, 41, out, cfg=config(timeout=0))
        assert C.aclrtSynchronizeStreamWithTimeout(device.stream, 10) == 507046
        device.must(C.aclrtStreamAbort(device.stream))
        assert device.run(meet_too, 40, out) == 0


class TestTwoKernels:
    """A third kernel holds all cores; when it ends, the two behind it get half each."""

    def start(self, device: Device, first: Any, second: Any, blocks: int = 40, cfg: Any = None) -> tuple[int, int]:
        one, two = (device.must(C.aclrtCreateStream()) for _ in range(2))
        device.queue(hold, 40, 1_000_000)
        device.queue(first, blocks, device.buffer(4), stream=one, cfg=cfg)
        device.queue(second, blocks, device.buffer(4), stream=two, cfg=cfg)
        return one, two

    def test_each_holds_half_and_waits_for_the_other(self, device: Device) -> None:
        one, two = self.start(device, meet, meet_too)
        assert device.wait(one) == 507034
        found = device.only("deadlock")
        assert found.title.startswith("kernels wait for each other's cores: `meet` on stream ")
        for name in ("meet", "meet_too"):
            assert re.search(rf"`{name}` on stream \S+( `\w+`)? holds 20 of the 40 cores it needs", found.title)
        assert found.fix.startswith("launch them in batch mode: SCHEM_MODE 1")
        assert [site.role for site in found.sites] == ["submit", "submit"]
        assert len(found.streams) == 2
        assert device.wait(two) == 0  # the cores of the first came free when its time was over
        assert "waited for cores until its time limit" in C.aclGetRecentErrMsg()

    def test_batch_mode_cures_it(self, device: Device) -> None:
        one, two = self.start(device, meet, meet_too, cfg=config(schemMode=1))
        assert (device.wait(one), device.wait(two)) == (0, 0)
        one, two = self.start(device, meet_batch, meet_batch)
        assert (device.wait(one), device.wait(two)) == (0, 0)
        assert not device.findings()

    def test_the_launch_attribute_is_stronger_than_the_kernel(self, device: Device) -> None:
        one, two = self.start(device, meet_batch, meet_batch, cfg=config(schemMode=0))
        assert (device.wait(one), device.wait(two)) == (507034, 0)

    def test_half_of_the_cores_each_is_enough_when_they_need_no_more(self, device: Device) -> None:
        one, two = self.start(device, meet, meet_too, blocks=20)
        assert (device.wait(one), device.wait(two)) == (0, 0)

    def test_a_kernel_grows_when_another_one_ends(self, device: Device) -> None:
        other = device.must(C.aclrtCreateStream())
        device.queue(hold, 30, 1_000_000)
        device.queue(meet, 40, device.buffer(4), stream=other)  # starts with 10 cores
        begin = device.sim.time_ns()
        assert device.wait(other) == 0
        assert device.sim.time_ns() - begin < S
        assert not device.findings()

    def test_without_waits_nothing_can_go_wrong(self, device: Device) -> None:
        one, two = self.start(device, hold_nothing, hold_nothing)
        assert (device.wait(one), device.wait(two)) == (0, 0)

    def test_some_random_schedule_finds_it_without_the_third(self, make_device: Make) -> None:
        outcomes = set()
        for schedule in RANDOM:
            device = make_device(schedule=schedule)
            one, two = (device.must(C.aclrtCreateStream()) for _ in range(2))
            device.queue(meet_too, 30, device.buffer(4), stream=one)
            device.queue(meet_too, 30, device.buffer(4), stream=two)
            codes = (device.wait(one), device.wait(two))
            outcomes.add(codes)
            assert bool(device.findings("deadlock")) == (codes != (0, 0))
        assert outcomes - {(0, 0)}

    def test_an_abort_while_it_waits_for_cores(self, device: Device) -> None:
        one, two = self.start(device, meet, meet_too, cfg=config(timeout=0))
        assert C.aclrtSynchronizeStreamWithTimeout(one, 10) == 507046
        device.must(C.aclrtStreamAbort(one))
        assert device.wait(two) == 0
        assert device.run(meet, 40, device.buffer(4)) == 0


@kernel
def hold_nothing(b: Block, out: gm.InOut[np.int32]) -> None:
    out.atomic_add(0, 1)


class TestTimeLimits:
    def test_a_kernel_that_runs_on_is_ended(self, device: Device) -> None:
        device.must(C.aclrtSetOpExecuteTimeOut(5))  # in steps of 4.3 s: 8.6 s
        begin = device.sim.time_ns()
        assert device.run(hold, 1, 0xFFFF_FFFF) == 0  # 2.4 s at 1800 MHz
        assert device.sim.time_ns() - begin < 3 * S

        @kernel
        def long(b: Block) -> None:
            b.cost(20_000_000_000)

        limit = C.aclrtGetOpExecuteTimeout()[0] * 1_000_000
        begin = device.sim.time_ns()
        assert device.run(long, 1) == 507034
        assert limit - 1_000_000 < device.sim.time_ns() - begin < limit + 1_000_000
        found = device.only("task-fault")
        assert found.title.startswith("kernel `long` still ran at its time limit of ")
        assert found.title.endswith("its slowest block declared 20000000000 cycles")

    @pytest.mark.parametrize(("kind", "code"), [("aic", 507014), ("mix12", 507014), ("cpu", 507017), ("aiv", 507034)])
    def test_every_kind_has_its_code(self, device: Device, kind: Any, code: int) -> None:
        @kernel(kind=kind)
        def long(b: Block) -> None:
            b.cost(20_000_000_000)

        assert device.run(long, 1, cfg=config(timeout=2)) == code

    def test_the_attribute_is_stronger_than_the_process(self, device: Device) -> None:
        device.must(C.aclrtSetOpExecuteTimeOut(1))

        @kernel
        def ten_seconds(b: Block) -> None:
            b.cost(18_000_000_000)

        assert device.run(ten_seconds, 1) == 507034
        assert device.run(ten_seconds, 1, cfg=config(timeout=30)) == 0
        assert device.run(ten_seconds, 1, cfg=config(timeout=0)) == 0
        halves = structs.aclrtTimeoutUs(500_000, 0)
        begin = device.sim.time_ns()
        assert device.run(ten_seconds, 1, cfg=config(timeoutUs=halves)) == 507034
        assert S // 2 <= device.sim.time_ns() - begin < S

    def test_a_new_limit_counts_for_later_launches_that_are_alike(self, device: Device) -> None:
        @kernel
        def ten_seconds(b: Block, n: np.uint32) -> None:
            b.cost(18_000_000_000)

        args = device.buffer(bytes(4))
        function = device.function(ten_seconds)

        def launch() -> int:
            device.must(C.aclrtLaunchKernelV2(function, 1, args, 4, None, device.stream))
            return device.wait()

        assert launch() == 0
        device.must(C.aclrtSetOpExecuteTimeOut(1))
        assert launch() == 507034
        device.must(C.aclrtSetOpExecuteTimeOut(100))
        assert launch() == 0

    def test_waves_that_take_too_long_do_not_run(self, device: Device) -> None:
        out = device.buffer(4)
        cfg = config(timeoutUs=structs.aclrtTimeoutUs(100, 0))
        assert device.run(hold_nothing, 40, out, cfg=cfg) == 0
        assert device.run(hold_nothing, 40 * 50, out, cfg=cfg) == 507034
        assert device.read(out, 1, np.int32)[0] == 40


class TestOrders:
    @kernel
    def first_wins(b: Block, out: gm.InOut[np.int32]) -> None:
        if not out[0]:
            out[0] = b.idx + 1

    @kernel
    def sums(b: Block, x: gm.In[np.int32], out: gm.InOut[np.int32]) -> None:
        out.atomic_add(0, x[b.slice(1000)].sum())

    def result(self, device: Device) -> tuple[int, int]:
        wrong, right = device.buffer(4), device.buffer(4)
        x = device.buffer(np.arange(1000, dtype=np.int32))
        assert device.run(self.first_wins, 8, wrong) == 0
        assert device.run(self.sums, 8, x, right) == 0
        return int(device.read(wrong, 1, np.int32)[0]), int(device.read(right, 1, np.int32)[0])

    def test_two_orders_tell_a_kernel_that_depends_on_them(self, make_device: Make) -> None:
        found = {order: self.result(make_device(block_order=order)) for order in ("ascending", "reversed", "random(5)")}
        assert found["ascending"] == (1, 499500)
        assert found["reversed"] == (8, 499500)
        assert found["random(5)"][1] == 499500
        assert self.result(make_device(block_order="random(5)")) == found["random(5)"]

    def test_from_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from ascend_sim import Simulator

        sim = Simulator.from_environment({"ASCEND_SIM_BLOCK_ORDER": "reversed"})
        assert list(sim.order(3)) == [2, 1, 0]
        with pytest.raises(ValueError, match="unknown block order 'upwards'"):
            Simulator(block_order="upwards")

    def test_blocks_of_two_kernels_come_between_each_other(self, make_device: Make) -> None:
        ran: list[str] = []

        @kernel
        def a(b: Block) -> None:
            ran.append("a")

        @kernel
        def z(b: Block) -> None:
            ran.append("z")

        def changes(schedule: str) -> int:
            device = make_device(schedule=schedule)
            other = device.must(C.aclrtCreateStream())
            ran.clear()
            device.queue(a, 8)
            device.queue(z, 8, stream=other)
            device.must(C.aclrtSynchronizeDevice())
            assert sorted(ran) == ["a"] * 8 + ["z"] * 8
            return sum(ran[i] != ran[i + 1] for i in range(15))

        assert changes("virtual-time") == 1
        assert max(changes(schedule) for schedule in RANDOM) > 3

    @pytest.mark.parametrize("schedule", ["early", *RANDOM[:4]])
    def test_two_runs_of_one_kernel_at_the_same_time_keep_their_arguments(
        self, make_device: Make, schedule: str
    ) -> None:
        device = make_device(schedule=schedule)
        streams = [device.must(C.aclrtCreateStream()) for _ in range(4)]
        outs = [device.buffer(4 * 8) for _ in streams]

        @kernel
        async def write(b: Block, out: gm.Out[np.int32], value: np.int32) -> None:
            await b.sync_all()
            out[b.idx] = value

        for i, (stream, out) in enumerate(zip(streams, outs, strict=True)):
            device.queue(write, 8, out, i + 1, stream=stream)
        device.must(C.aclrtSynchronizeDevice())
        for i, out in enumerate(outs):
            assert device.read(out, 8, np.int32).tolist() == [i + 1] * 8
