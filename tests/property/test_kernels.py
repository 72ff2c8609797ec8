"""Random shapes, block counts, orders and schedules: kernels compute what numpy does; an order that matters is found."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_sim import Block, Kernel, Simulator, Struct, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.kernels.language.memory import CODES, Log
from ascend_sim.kernels.launching.access_ranges import table_of, unions

ORDERS = st.sampled_from(["ascending", "reversed", "random(1)", "random(2)", "random(3)"])
SCHEDULES = st.sampled_from(["virtual-time", "late", "early", "random(1)", "random(2)"])
SIZES = st.integers(1, 400)
BLOCKS = st.integers(1, 40)


class Line(Struct):
    total: np.uint32
    tile: np.uint32
    alpha: np.int32


@kernel
def add(b: Block, x: gm.In[np.int32], y: gm.In[np.int32], z: gm.Out[np.int32], n: np.uint32) -> None:
    s = b.slice(n)
    z[s] = x[s] + y[s]


@kernel
def axpy(b: Block, x: gm.In[np.int32], y: gm.InOut[np.int32], t: Line) -> None:
    for s in b.tiles(t.total, t.tile):
        y[s] += t.alpha * x[s]


@kernel
def reduce_atomic(b: Block, x: gm.In[np.int32], out: gm.InOut[np.int64], n: np.uint32) -> None:
    s = b.slice(n)
    out.atomic_add(0, x[s].sum(dtype=np.int64))
    if s.start < s.stop:
        out.atomic_max(1, x[s].max())
        out.atomic_min(2, x[s].min())


@kernel
async def reduce_sync(
    b: Block, x: gm.In[np.int32], out: gm.Out[np.int64], part: gm.InOut[np.int64], n: np.uint32
) -> None:
    part[b.idx] = x[b.slice(n)].sum(dtype=np.int64)
    await b.sync_all()
    if b.idx == 0:
        out[0] = part[0 : b.num].sum()


@kernel(kind="mix12")
async def row_sums(
    b: Block, a: gm.In[np.int32], work: gm.InOut[np.int64], out: gm.Out[np.int64], m: np.uint32, n: np.uint32
) -> None:
    a = a.view(m, n)
    rows = b.slice(m)
    if b.is_aic:
        work[rows] = a[rows, :].sum(axis=1, dtype=np.int64)
        b.set_flag(0)
    else:
        await b.wait_flag(0)
        out[rows] = 2 * work[rows]


@kernel
def prefix_wrong(b: Block, x: gm.In[np.int32], z: gm.InOut[np.int32], n: np.uint32) -> None:
    """Planted: each block adds what the one before it has written."""
    s = b.slice(n)
    start = z[s.start - 1] if s.start else 0
    z[s] = np.cumsum(x[s], dtype=np.int32) + np.int32(start)


def launch(
    kernel: Kernel, blocks: int, arrays: list[npt.NDArray[Any]], *numbers: Any, order: str = "ascending",
    schedule: str = "virtual-time",
) -> list[npt.NDArray[Any]]:  # fmt: skip
    """Run on a device: the arrays go there, and come back."""
    with Simulator(block_order=order, schedule=schedule, checks="memory") as sim:
        C.aclrtSetDevice(0)
        sim.kernels["k.o"] = kernel
        function, _ = C.aclrtBinaryGetFunction(C.aclrtBinaryLoadFromFile("k.o", None)[0], kernel.name)
        places = []
        for array in arrays:
            raw = array.tobytes()
            places.append(C.aclrtMalloc(len(raw), 0)[0])
            assert C.aclrtMemcpy(places[-1], len(raw), raw, len(raw), 1) == 0
        raw = kernel.pack(*places, *numbers)
        assert C.aclrtLaunchKernelWithHostArgs(function, blocks, 0, None, raw, len(raw), None, 0) == 0
        assert C.aclrtSynchronizeStream(0) == 0, C.aclGetRecentErrMsg()
        found = []
        for array, place in zip(arrays, places, strict=True):
            out = np.zeros_like(array)
            assert C.aclrtMemcpy(out.ctypes.data, out.nbytes, place, out.nbytes, 2) == 0
            found.append(out)
        return found


def some(seed: int, n: int, dtype: Any = np.int32) -> npt.NDArray[Any]:
    return np.random.default_rng(seed).integers(-1000, 1000, n).astype(dtype)


@settings(max_examples=30, deadline=None)
@given(SIZES, BLOCKS, ORDERS, SCHEDULES)
def test_add_equals_numpy(n: int, blocks: int, order: str, schedule: str) -> None:
    x, y = some(1, n), some(2, n)
    _, _, z = launch(add, blocks, [x, y, np.zeros(n, np.int32)], n, order=order, schedule=schedule)
    assert (z == x + y).all()


@settings(max_examples=30, deadline=None)
@given(SIZES, BLOCKS, st.integers(1, 70), st.integers(-5, 5), ORDERS)
def test_axpy_equals_numpy(n: int, blocks: int, tile: int, alpha: int, order: str) -> None:
    x, y = some(1, n), some(2, n)
    t = Line(total=np.uint32(n), tile=np.uint32(tile), alpha=np.int32(alpha))
    _, found = launch(axpy, blocks, [x, y], t, order=order)
    assert (found == y + np.int32(alpha) * x).all()


@settings(max_examples=30, deadline=None)
@given(SIZES, BLOCKS, ORDERS, SCHEDULES)
def test_reductions_equal_numpy(n: int, blocks: int, order: str, schedule: str) -> None:
    x = some(3, n)
    extremes = np.array([0, -(1 << 40), 1 << 40])
    _, out = launch(reduce_atomic, blocks, [x, extremes], n, order=order, schedule=schedule)
    assert out.tolist() == [x.sum(), x.max(), x.min()]
    one, part = np.zeros(1, np.int64), np.zeros(blocks, np.int64)
    _, out, _ = launch(reduce_sync, blocks, [x, one, part], n, order=order, schedule=schedule)
    assert out[0] == x.sum()


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 50), st.integers(1, 20), st.integers(1, 20), ORDERS, SCHEDULES)
def test_mixed_kernels_equal_numpy(m: int, n: int, blocks: int, order: str, schedule: str) -> None:
    a = some(4, m * n)
    arrays = [a, np.zeros(m, np.int64), np.zeros(m, np.int64)]
    _, _, out = launch(row_sums, blocks, arrays, m, n, order=order, schedule=schedule)
    assert (out == 2 * a.reshape(m, n).sum(axis=1)).all()


@settings(max_examples=20, deadline=None)
@given(SIZES, BLOCKS, ORDERS, ORDERS)
def test_the_order_of_blocks_never_changes_a_correct_kernel(n: int, blocks: int, one: str, two: str) -> None:
    x, y = some(5, n), some(6, n)
    arrays = [x, y, np.zeros(n, np.int32)]
    for first, second in zip(*(launch(add, blocks, arrays, n, order=order) for order in (one, two)), strict=True):
        assert (first == second).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 40), st.integers(2, 10))
def test_two_orders_find_a_kernel_that_depends_on_them(blocks: int, each: int) -> None:
    n = blocks * each
    x = np.abs(some(7, n)) + 1
    arrays = [x, np.zeros(n, np.int32)]
    forwards, backwards = (
        launch(prefix_wrong, blocks, arrays, n, order=order)[1] for order in ("ascending", "reversed")
    )
    assert (forwards == np.cumsum(x)).all()
    assert (forwards != backwards).any()


@settings(max_examples=40, deadline=None)
@given(SIZES, BLOCKS, st.integers(0, 3), st.integers(0, 3))
def test_without_a_device_it_is_the_same(n: int, blocks: int, order: int, dtype: int) -> None:
    name = ["ascending", "reversed", "random(1)", "random(9)"][order]
    x, y, z = some(1, n), some(2, n), np.zeros(n, np.int32)
    add.on_arrays(blocks, x, y, z, n, order=name)
    assert (z == launch(add, blocks, [x, y, np.zeros(n, np.int32)], n)[2]).all()
    out = np.array([0, -(1 << 40), 1 << 40])
    reduce_atomic.on_arrays(blocks, x, out, n, order=name)
    assert out.tolist() == [x.sum(), x.max(), x.min()]


SPACE = 40
ACCESS = st.tuples(st.integers(0, 2), st.sampled_from([0, 1, 2]), st.integers(0, SPACE - 9), st.integers(1, 8))
TILE = st.tuples(st.integers(0, 2), st.sampled_from([0, 1, 2]), st.integers(0, 8), st.integers(1, 3), st.integers(2, 4))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(ACCESS, TILE), max_size=60), st.booleans())
def test_what_is_told_of_a_launch_follows_its_log(accesses: list[tuple[int, ...]], as_table: bool) -> None:
    """Memories 0 and 1 are the same allocation. The yardstick looks at every byte in the order of the accesses."""
    same, other = object(), object()
    memories: Any = [SimpleNamespace(allocation=same), SimpleNamespace(allocation=same), SimpleNamespace(allocation=other)]
    log = Log()
    touched: dict[tuple[Any, int], set[int]] = {}
    exposed: dict[tuple[Any, int], set[int]] = {}
    written: set[tuple[Any, int]] = set()
    for memory, kind, lo, width, *rest in accesses:
        allocation, code = memories[memory].allocation, CODES * memory + kind
        rows, pitch = (rest[0], 9) if rest else (1, 9)
        if rest:
            log.box(lo, width, pitch, rows, code)
        else:
            log += (lo, lo + width, code)
        for row in range(rows):
            for byte in range(lo + row * pitch, lo + row * pitch + width):
                touched.setdefault((allocation, kind), set()).add(byte)
                if kind == 1:
                    written.add((allocation, byte))
                elif (allocation, byte) not in written:
                    exposed.setdefault((allocation, kind), set()).add(byte)
    found: dict[tuple[Any, int], set[int]] = {}
    early: dict[tuple[Any, int], set[int]] = {}
    wrote: set[Any] = set()
    for allocation, kind, parts in unions(log, table_of(log) if as_table and log else None, memories):
        assert parts == sorted(parts)
        assert all(lo < hi for lo, hi in parts)
        assert all(one[1] < two[0] for one, two in pairwise(parts))
        for lo, hi in parts:
            found.setdefault((allocation, kind), set()).update(range(lo, hi))
            if kind != 1 and allocation not in wrote:
                early.setdefault((allocation, kind), set()).update(range(lo, hi))
        if kind == 1:
            wrote.add(allocation)
    assert found == touched
    for key, shown in exposed.items():
        assert shown <= early[key]
    fresh = {(allocation, byte) for (allocation, _), some in exposed.items() for byte in some}
    for (allocation, _), some in early.items():
        assert all((allocation, byte) in fresh or (allocation, byte) not in written for byte in some)
