"""Blocks that wait: sync_all, flags, what is forgotten, what never comes."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, gm, kernel
from ascend_sim.kernels.language.errors import KernelUsage

ORDERS = ("ascending", "reversed", "random(1)", "random(2)")


@pytest.mark.parametrize("order", ORDERS)
def test_after_sync_all_everybody_sees_everything(order: str) -> None:
    @kernel
    async def shift(b: Block, x: gm.InOut[np.int32], rounds: np.uint32) -> None:
        for _ in range(int(rounds)):
            left = x[(b.idx - 1) % b.num]
            await b.sync_all()
            x[b.idx] = left
            await b.sync_all()

    x = np.arange(7, dtype=np.int32)
    shift.on_arrays(7, x, 10, order=order)
    assert x.tolist() == np.roll(np.arange(7), 10).tolist()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", ["mix11", "mix12"])
def test_flags_hand_work_over_in_both_directions(kind: Any, order: str) -> None:
    @kernel(kind=kind)
    async def pipeline(b: Block, work: gm.InOut[np.int32], out: gm.Out[np.int32], n: np.uint32) -> None:
        for i in range(int(n)):
            if b.is_aic:
                if i:
                    await b.wait_flag(1)  # of all vector cores of the group
                work[b.idx] = i * 10 + b.idx
                b.set_flag(0)
            else:
                await b.wait_flag(0)
                out[b.idx * int(n) + i] = work[b.idx // b.sub_num] + b.sub_idx * 1000
                b.set_flag(1)

    subs = 2 if kind == "mix12" else 1
    out = np.zeros(3 * subs * 4, np.int32)
    pipeline.on_arrays(3, np.zeros(3, np.int32), out, 4, order=order)
    wanted = [[i * 10 + g + 1000 * s for i in range(4)] for g in range(3) for s in range(subs)]
    assert out.reshape(-1, 4).tolist() == wanted


def test_set_flag_does_not_wait_and_counts_to_fifteen() -> None:
    @kernel(kind="mix11")
    async def k(b: Block, sets: np.uint32) -> None:
        if b.is_aic:
            for _ in range(int(sets)):
                b.set_flag(3)
        else:
            await b.wait_flag(3)

    k.on_arrays(1, 15)
    with pytest.raises(KernelUsage, match="flag 3 was set 16 times without a wait: its counter holds 15"):
        k.on_arrays(1, 16)


def test_flags_need_a_mixed_kernel_and_an_id_that_exists() -> None:
    @kernel
    def plain(b: Block) -> None:
        b.set_flag(0)

    @kernel(kind="mix11")
    def mixed(b: Block) -> None:
        b.set_flag(16)

    with pytest.raises(KernelUsage, match=r"flags need a mix kernel, `plain` is 'aiv': write @kernel\(kind='mix11'\)"):
        plain.on_arrays(1)
    with pytest.raises(KernelUsage, match="flag 16 does not exist: the ids are 0 to 15"):
        mixed.on_arrays(1)


def test_a_wait_in_a_plain_function() -> None:
    @kernel
    def k(b: Block) -> None:
        b.sync_all()  # type: ignore[unused-coroutine]

    with pytest.raises(KernelUsage) as caught:
        k.on_arrays(1)
    assert caught.value.text == "b.sync_all() in a kernel that cannot wait"
    assert caught.value.cure == "write `async def` and `await b.sync_all()`"


@pytest.mark.parametrize("then", ["end", "wait", "flag"])
def test_a_forgotten_await_is_found_at_the_next_wait_or_the_end(then: str) -> None:
    @kernel(kind="mix11")
    async def k(b: Block) -> None:
        b.sync_all()  # type: ignore[unused-coroutine]
        if then == "wait":
            await b.sync_all()
        elif then == "flag":
            await b.wait_flag(0)

    with pytest.raises(KernelUsage) as caught:
        k.on_arrays(2)
    assert caught.value.text == "`b.sync_all()` was called without `await`: the block did not wait"
    assert caught.value.cure == "write `await b.sync_all()`"


def test_helpers_may_wait_too() -> None:
    async def step(b: Block, x: Any) -> None:
        x[b.idx] += 1
        await b.sync_all()

    @kernel
    async def k(b: Block, x: gm.InOut[np.int32]) -> None:
        await step(b, x)
        await step(b, x)
        assert x[0 : b.num].min() == 2

    x = np.zeros(5, np.int32)
    k.on_arrays(5, x)
    assert x.tolist() == [2] * 5


def test_other_awaitables_are_refused() -> None:
    @kernel
    async def k(b: Block) -> None:
        await asyncio.sleep(0)

    with pytest.raises(KernelUsage, match="awaits something else than b"):
        k.on_arrays(2)


@pytest.mark.parametrize("order", ORDERS)
def test_a_wait_that_nobody_ends(order: str) -> None:
    @kernel(kind="mix11")
    async def flag(b: Block) -> None:
        if b.is_aiv and b.idx == 1:
            await b.wait_flag(5)

    @kernel
    async def early(b: Block) -> None:
        if b.idx != 2:
            await b.sync_all()

    with pytest.raises(RuntimeError, match=r"kernel `flag` hangs: block 1 \(AIV\) waits for flag 5, which nobody sets"):
        flag.on_arrays(2, order=order)
    with pytest.raises(RuntimeError, match="kernel `early` hangs: 3 blocks wait in sync_all, 1 has ended without it"):
        early.on_arrays(4, order=order)


def test_unknown_orders() -> None:
    @kernel
    def k(b: Block) -> None: ...

    for order in ("descending", "random(x)", "random1"):
        with pytest.raises(ValueError, match="choose ascending, reversed, random"):
            k.on_arrays(1, order=order)
    with pytest.raises(ValueError, match="0 blocks"):
        k.on_arrays(0)


def test_the_order_is_what_it_says() -> None:
    @kernel
    def k(b: Block, out: gm.InOut[np.int32]) -> None:
        out[out[0] + 1] = b.idx
        out.atomic_add(0, 1)

    def run(order: str) -> list[int]:
        out = np.zeros(9, np.int32)
        k.on_arrays(8, out, order=order)
        found: list[int] = out[1:].tolist()
        return found

    assert run("ascending") == list(range(8))
    assert run("reversed") == list(range(7, -1, -1))
    assert run("random(3)") == run("random(3)") != run("random(4)")
    assert sorted(run("random")) == list(range(8))
