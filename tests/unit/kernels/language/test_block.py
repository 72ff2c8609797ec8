"""A block's shares of the work."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_sim import Block, Blocks, gm, kernel
from ascend_sim.kernels.language.errors import KernelUsage
from ascend_sim.kernels.language.printing import HostPrinter
from ascend_sim.kernels.launching.grid import Grid


def grid(kind: str, num: int, **options: Any) -> Grid:
    @kernel(kind=kind, **options)
    def k(b: Block) -> None: ...

    return Grid(k, num, num, HostPrinter())


def slices(shares: list[slice]) -> list[tuple[int, int]]:
    return [(s.start, s.stop) for s in shares]


@settings(deadline=None)
@given(st.sampled_from(["aiv", "aic", "mix11", "mix12"]), st.integers(1, 12), st.integers(0, 300), st.integers(1, 40))
def test_shares_cover_everything_once_and_evenly(kind: str, num: int, n: int, align: int) -> None:
    made = grid(kind, num)
    for core in ("is_aic", "is_aiv"):
        shares = [b.slice(n, align) for b in made.blocks if getattr(b, core)]
        if not shares:
            continue
        assert sorted(i for s in shares for i in range(s.start, s.stop)) == list(range(n))
        assert all(s.start % align == 0 or s.start == n for s in shares)
        if kind in ("aiv", "aic"):
            sizes = [-(-(s.stop - s.start) // align) for s in shares]
            assert max(sizes) - min(sizes) <= 1
            assert sizes == sorted(sizes, reverse=True)


@settings(deadline=None)
@given(st.sampled_from(["aiv", "mix12"]), st.integers(1, 9), st.integers(0, 200), st.integers(1, 30))
def test_tiles_are_dealt_in_turn(kind: str, num: int, n: int, size: int) -> None:
    made = grid(kind, num)
    vector = [b for b in made.blocks if b.is_aiv]
    dealt = [list(b.tiles(n, size)) for b in vector]
    assert sorted(i for tiles in dealt for s in tiles for i in range(s.start, s.stop)) == list(range(n))
    for i, tiles in enumerate(dealt):
        assert [s.start for s in tiles] == list(range(i * size, n, len(vector) * size))
        assert list(vector[i].tiles(n, size)) == tiles  # and again from the block's memory


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(0, 20), st.integers(0, 20), st.integers(1, 8), st.integers(1, 8))
def test_tiles_of_a_matrix_cover_it_once(num: int, m: int, n: int, height: int, width: int) -> None:
    seen = np.zeros((m, n), int)
    for b in grid("aic", num).blocks:
        for rows, columns in b.tiles((np.uint32(m), n), (height, np.uint32(width))):
            seen[rows, columns] += 1
    assert (seen == 1).all()


def test_many_tiles_are_not_kept() -> None:
    (block,) = grid("aiv", 1).blocks
    assert sum(s.stop - s.start for s in block.tiles(100_000, 3)) == 100_000
    assert not block.tilings
    for n in range(100):
        block.slice(n)
        list(block.tiles(n, 7))
    assert len(block.slices) <= 64
    assert len(block.tilings) <= 8


def test_numbers_in_a_mixed_kernel() -> None:
    made = grid("mix12", 2)
    cube = [b for b in made.blocks if b.is_aic]
    vector = [b for b in made.blocks if b.is_aiv]
    assert [(b.idx, b.num, b.sub_num) for b in cube] == [(0, 2, 2), (1, 2, 2)]
    assert [(b.idx, b.sub_idx, b.num) for b in vector] == [(0, 0, 2), (1, 1, 2), (2, 0, 2), (3, 1, 2)]
    assert slices([b.slice(10) for b in cube]) == [(0, 5), (5, 10)]
    assert slices([b.slice(10) for b in vector]) == [(0, 3), (3, 5), (5, 8), (8, 10)]
    assert slices([b.group_slice(10) for b in vector]) == [(0, 5), (0, 5), (5, 10), (5, 10)]
    assert [b.describe() for b in made.blocks[:3]] == ["block 0 (AIC)", "block 0 (AIV)", "block 1 (AIV)"]


def test_a_cpu_kernel_is_neither() -> None:
    (first, second) = grid("cpu", 2).blocks
    assert not first.is_aic
    assert not first.is_aiv
    assert (second.idx, second.num, second.slice(10)) == (1, 2, slice(5, 10))


def test_senseless_shares() -> None:
    (block,) = grid("aiv", 1).blocks
    with pytest.raises(KernelUsage, match="align is 0"):
        block.slice(10, 0)
    with pytest.raises(KernelUsage, match="tiles of 0 elements"):
        list(block.tiles(10, 0))
    with pytest.raises(KernelUsage, match="tiles of -1 elements"):
        list(block.tiles((4, 4), (2, -1)))


class TestBatch:
    def test_one_call_for_all_blocks(self) -> None:
        calls = []

        @kernel(batch=True)
        def k(b: Blocks, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
            calls.append((b.num, b.idx.shape))
            s = b.rows(n)
            z[s] = x[s] * np.float32(2) + b.idx.astype(np.float32)

        x, z = np.arange(12, dtype=np.float32), np.zeros(12, np.float32)
        k.on_arrays(4, x, z, 12)
        assert calls == [(4, (4, 1))]
        assert (z == x * 2 + np.repeat(np.arange(4), 3)).all()

    def test_shares_must_be_equal(self) -> None:
        @kernel(batch=True)
        def k(b: Blocks, n: np.uint32) -> None:
            b.rows(n)

        with pytest.raises(KernelUsage) as caught:
            k.on_arrays(48, 1000)
        wanted = "a batch kernel needs equal shares: 1000 elements over 48 blocks leave 40"
        assert (caught.value.text, caught.value.cure) == (wanted, "pad n, or drop batch=True")

    def test_rows_beyond_the_end(self) -> None:
        @kernel(batch=True)
        def k(b: Blocks, x: gm.In[np.float32]) -> None:
            x[b.rows(16)]

        with pytest.raises(KernelUsage.__base__, match=r"`x\[0:16\]` reaches element 15, `x` has 8"):
            k.on_arrays(4, np.zeros(8, np.float32))

    def test_an_index_for_each_block(self) -> None:
        @kernel(batch=True)
        def k(b: Blocks, x: gm.In[np.int32], z: gm.InOut[np.int32]) -> None:
            z[b.idx * 2 + np.arange(2)] = x[b.rows(8)] + 1
            z.atomic_add(0, b.num)
            z.out(b.rows(8))[:, 0] += 10

        x, z = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
        k.on_arrays(4, x, z)
        assert z.tolist() == [15, 2, 13, 4, 15, 6, 17, 8]
