"""What kernels cost: against the same numpy expressions, and against the floor.

Ratios are medians of pairs that are measured in turn. The simulators here have no checkers; one figure shows what the
default memory check adds to a repeated launch.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import struct
import subprocess
import sys
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.cli.bench.floors import BATCH, Group, Row, Settings, Value, against_floor, clock
from ascend_sim.kernels.language import gm
from ascend_sim.kernels.language.block import Block, Blocks
from ascend_sim.kernels.language.kernel import Kernel, kernel
from ascend_sim.kernels.language.structs import Struct

__all__ = ["GROUP", "figures_of"]

PAIRS = 31
ELEMENTS = 1 << 20
TINY, TINY_BLOCKS = 256, 48
SIDE, TILE = 256, 64
VECTOR_48 = "Ascend910B1"
"""A chip with 48 vector cores."""

ROWS = (
    Row("kernel_add_8", "x numpy", 1.25, "1M float32 z = x + y over 8 blocks against numpy on the same slices"),
    Row("kernel_add_32", "x numpy", 1.25, "the same over 32 blocks"),
    Row("kernel_add_40", "x numpy", 1.25, "the same over 40 blocks"),
    Row("kernel_matmul", "x numpy", 1.3, "256 x 256 matmul in 64-wide tiles against the same numpy loop"),
    Row("kernel_batch", "x loop", 0.125, "48 blocks of 256 elements in batch form against the loop form"),
    Row("kernel_empty", "floors", 24, "an empty launch and its run, aclrtLaunchKernelV2, other arguments each time"),
    Row("kernel_again", "floors", 16, "the same with the same arguments"),
    Row("kernel_block", "floors", 2, "each further block of it"),
    Row("kernel_checked", "floors", 24, "kernel_again with the memory check"),
    Row("kernel_sync", "floors", 5_900, "ten sync_alls over 48 blocks (the bar: 1 ms at 0.17 us a floor)"),
)


@kernel
def add(b: Block, x: gm.In[np.float32], y: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    """z = x + y."""
    s = b.slice(n)
    z[s] = x[s] + y[s]


class Shape(Struct):
    """Sizes of a matmul."""

    m: np.uint32
    k: np.uint32
    n: np.uint32


@kernel(kind="aic")
def matmul(b: Block, a: gm.In[np.float32], w: gm.In[np.float32], c: gm.Out[np.float32], t: Shape) -> None:
    """c = a @ w in tiles."""
    a, w, c = a.view(t.m, t.k), w.view(t.k, t.n), c.view(t.m, t.n)
    for rows, columns in b.tiles((t.m, t.n), (TILE, TILE)):
        c[rows, columns] = a[rows, :] @ w[:, columns]


@kernel
def scale(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    """z = 2 x, block by block."""
    s = b.slice(n)
    z[s] = x[s] * 2.0


@kernel(batch=True)
def scale_all(b: Blocks, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    """Doubles the slices of all blocks at once."""
    s = b.rows(n)
    z[s] = x[s] * 2.0


@kernel
def empty(b: Block, x: gm.InOut[np.float32], n: np.uint32) -> None:
    """Nothing."""


@kernel
async def wait_ten_times(b: Block, x: gm.InOut[np.float32]) -> None:
    """Ten sync_alls."""
    for _ in range(10):
        await b.sync_all()


class _Device:
    """A device with one stream: buffers and launches as a program has them."""

    def __init__(self, sim: Any) -> None:
        from ascend_sim import ascendcl as C

        self.C = C
        C.aclrtSetDevice(0)
        self.stream, _ = C.aclrtCreateStream()
        sim.kernels["bench.o"] = [add, matmul, scale, scale_all, empty, wait_ten_times]
        self.binary, _ = C.aclrtBinaryLoadFromFile("bench.o", None)

    def buffer(self, data: Any) -> int:
        """Device memory with the bytes of *data*."""
        raw = data if isinstance(data, bytes) else np.ascontiguousarray(data).tobytes()
        address, _ = self.C.aclrtMalloc(len(raw), 0)
        self.C.aclrtMemcpy(address, len(raw), raw, len(raw), 1)
        return int(address)

    def launcher(self, function: Kernel, blocks: int, *arguments: Any, times: int = 1) -> Callable[[], Any]:
        """A function that launches (*times* in a row) and waits."""
        handle, _ = self.C.aclrtBinaryGetFunction(self.binary, function.name)
        raw = function.pack(*arguments)
        block, stream = self.buffer(raw), self.stream
        launch, wait, size = self.C.aclrtLaunchKernelV2, self.C.aclrtSynchronizeStream, len(raw)

        def run() -> None:
            for _ in range(times):
                launch(handle, blocks, block, size, None, stream)
            if wait(stream):
                raise RuntimeError("the kernel failed")

        return run


def _pairs(ours: Callable[[], Any], theirs: Callable[[], Any], repeat: int = 1) -> tuple[float, float]:
    """Median of *ours* over *theirs*, measured in turn *repeat* times each, and the median of ours in microseconds."""
    ours()
    theirs()
    ratios, absolute = [], []
    for _ in range(PAIRS):
        begin = clock()
        for _ in range(repeat):
            theirs()
        middle = clock()
        for _ in range(repeat):
            ours()
        end = clock()
        ratios.append((end - middle) / (middle - begin))
        absolute.append((end - middle) / repeat * 1e6)
    return statistics.median(ratios), statistics.median(absolute)


def _add_ratio(device: _Device, blocks: int) -> tuple[float, float]:
    rng = np.random.default_rng(0)
    x, y, z = rng.random(ELEMENTS, np.float32), rng.random(ELEMENTS, np.float32), np.zeros(ELEMENTS, np.float32)
    bounds = [ELEMENTS * i // blocks for i in range(blocks + 1)]
    slices = [slice(bounds[i], bounds[i + 1]) for i in range(blocks)]

    def plain() -> None:
        for s in slices:
            z[s] = x[s] + y[s]

    run = device.launcher(add, blocks, device.buffer(x), device.buffer(y), device.buffer(z), ELEMENTS)
    return _pairs(run, plain)


def _matmul_ratio(device: _Device) -> tuple[float, float]:
    rng = np.random.default_rng(0)
    a, w = rng.random((SIDE, SIDE), np.float32), rng.random((SIDE, SIDE), np.float32)
    c = np.zeros((SIDE, SIDE), np.float32)
    tiles = [(slice(i, i + TILE), slice(j, j + TILE)) for i in range(0, SIDE, TILE) for j in range(0, SIDE, TILE)]

    def plain() -> None:
        for rows, columns in tiles:
            c[rows, columns] = a[rows, :] @ w[:, columns]

    shape = Shape(m=np.uint32(SIDE), k=np.uint32(SIDE), n=np.uint32(SIDE))
    run = device.launcher(matmul, len(tiles), device.buffer(a), device.buffer(w), device.buffer(c), shape)
    return _pairs(run, plain, 5)


def _batch_ratio(device: _Device) -> tuple[float, float]:
    n = TINY * TINY_BLOCKS
    x, z = device.buffer(np.ones(n, np.float32)), device.buffer(np.zeros(n, np.float32))
    loop = device.launcher(scale, TINY_BLOCKS, x, z, n, times=20)
    batch = device.launcher(scale_all, TINY_BLOCKS, x, z, n, times=20)
    ratio, microseconds = _pairs(batch, loop)
    return ratio, microseconds / 20


def _launches(device: _Device, blocks: int, others: bool) -> tuple[float, float]:
    """Floors of one empty launch, queued in batches; with *others* arguments that no launch before had."""
    C, stream = device.C, device.stream
    handle, _ = C.aclrtBinaryGetFunction(device.binary, "empty")
    memory = device.buffer(np.zeros(ELEMENTS, np.float32))
    step = 16
    block = device.buffer(bytes(step * BATCH))
    launch, wait = C.aclrtLaunchKernelV2, C.aclrtSynchronizeStream
    rounds = iter(range(1 << 30))

    def measure() -> float:
        seconds = 0.0
        for _ in range(5):
            first = next(rounds) * BATCH if others else 0
            places = range(block, block + step * BATCH, step) if others else [block] * BATCH
            raw = b"".join(
                struct.pack("<QII", memory + 4 * ((first + 7 * i) % ELEMENTS), first + i, 0) for i in range(BATCH)
            )
            C.aclrtMemcpy(block, len(raw), raw, len(raw), 1)
            begin = clock()
            for place in places:
                launch(handle, blocks, place, 12, None, stream)
            wait(stream)
            seconds += clock() - begin
        return seconds / (5 * BATCH)

    return against_floor(measure)


def _syncs() -> Value:
    from ascend_sim.simulator import Simulator

    with Simulator(VECTOR_48, checks="none") as sim:
        device = _Device(sim)
        run = device.launcher(wait_ten_times, TINY_BLOCKS, device.buffer(np.zeros(8, np.float32)))

        def seconds() -> float:
            begin = clock()
            run()
            return clock() - begin

        return against_floor(seconds, PAIRS)


def figures_of(names: Collection[str], threads: str) -> dict[str, Value]:
    """The figures of the rows *names*, measured in this process."""
    from ascend_sim.simulator import Simulator

    figures: dict[str, Value] = {}
    with Simulator(threads=threads, checks="none") as sim:
        device = _Device(sim)
        for blocks in (8, 32, 40):
            if f"kernel_add_{blocks}" in names:
                figures[f"kernel_add_{blocks}"] = _add_ratio(device, blocks)
        if "kernel_matmul" in names:
            figures["kernel_matmul"] = _matmul_ratio(device)
        if "kernel_batch" in names:
            figures["kernel_batch"] = _batch_ratio(device)
        gc.collect()
        gc.freeze()  # what is alive now is the benchmark's own
        if "kernel_empty" in names:
            figures["kernel_empty"] = _launches(device, 1, True)
        if "kernel_again" in names or "kernel_block" in names:
            one, many = _launches(device, 1, False), _launches(device, 40, False)
            figures["kernel_again"] = one
            figures["kernel_block"] = (many[0] - one[0]) / 39, (many[1] - one[1]) / 39
    if "kernel_checked" in names:
        with Simulator(threads=threads, checks="memory") as sim:
            figures["kernel_checked"] = _launches(_Device(sim), 1, False)
    if "kernel_sync" in names:
        figures["kernel_sync"] = _syncs()
    gc.unfreeze()
    return {name: value for name, value in figures.items() if name in names}


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    """The figures from a process of its own: one BLAS thread, and a malloc that keeps its memory.

    Both sides of a ratio would pay for threads that wait for busy cores, and for pages that come and go, by luck.
    """
    code = (
        f"import sys; sys.path[0] = {os.path.dirname(PACKAGE)!r};"
        f"import json; from {__name__} import figures_of;"
        f"print(json.dumps(figures_of({sorted(names)!r}, {settings.threads!r})))"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env={**os.environ, **_QUIET}
    ).stdout
    return {name: (value, microseconds) for name, (value, microseconds) in json.loads(output).items()}


_QUIET = {
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TOP_PAD_": str(64 << 20),
}  # fmt: skip

GROUP = Group(ROWS, _measure)
