"""What copies and sets cost: small ones as tasks, in floors, and a large one against numpy."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Collection

from ascend_sim.cli.bench.floors import BATCH, Group, Row, Settings, Value, against_floor, clock

__all__ = ["GROUP"]

SIZE = 64
BLOCK = 4096
H2D, D2D = 1, 3
CHECKS = {"": ("none", 20), "_memory": ("memory", 25), "_checked": ("memory,races,rules", 40)}
"""What the name of a row ends with: who watches, and the bar."""
KINDS = {
    "memset_64": "aclrtMemsetAsync of 64 bytes, submit and run",
    "copy_h2d_64": "aclrtMemcpyAsync of 64 bytes, page-locked host to device, submit and run",
    "copy_d2d_64": "aclrtMemcpyAsync of 64 bytes, device to device, submit and run",
}

ROWS = (
    *(
        Row(kind + end, "floors", bar, f"{text}; checks {checks}")
        for end, (checks, bar) in CHECKS.items()
        for kind, text in KINDS.items()
    ),
    Row("copy_h2d_64_first", "floors", 65, "copy_h2d_64 with other addresses each time: nothing is known from before"),
    Row("copy_64MiB", "x copyto", 1.15, "aclrtMemcpy of 64 MiB host to device against numpy's copyto"),
)


def _small(n: int = 10) -> dict[str, Callable[[], float]]:
    """By row: a function that gives the seconds of a set or copy, queued in batches."""
    from ascend_sim import ascendcl as C

    stream, _ = C.aclrtCreateStream()
    host, _ = C.aclrtMallocHost(BLOCK)
    first, second = C.aclrtMalloc(BLOCK, 0)[0], C.aclrtMalloc(BLOCK, 0)[0]
    for block in (first, second):
        C.aclrtMemset(block, BLOCK, 0, BLOCK)
    room, _ = C.aclrtMalloc(BLOCK * BATCH, 0)
    C.aclrtMemset(room, BLOCK * BATCH, 0, BLOCK * BATCH)
    fill, copy, wait = C.aclrtMemsetAsync, C.aclrtMemcpyAsync, C.aclrtSynchronizeStream
    rounds = iter(range(1 << 30))

    def memset() -> float:
        begin = clock()
        for _ in range(n):
            for _ in range(BATCH):
                fill(first, SIZE, 1, SIZE, stream)
            wait(stream)
        return (clock() - begin) / (n * BATCH)

    def h2d() -> float:
        begin = clock()
        for _ in range(n):
            for _ in range(BATCH):
                copy(first, SIZE, host, SIZE, H2D, stream)
            wait(stream)
        return (clock() - begin) / (n * BATCH)

    def d2d() -> float:
        begin = clock()
        for _ in range(n):
            for _ in range(BATCH):
                copy(first, SIZE, second, SIZE, D2D, stream)
            wait(stream)
        return (clock() - begin) / (n * BATCH)

    def others() -> float:
        start = room + next(rounds) * 8 % BLOCK
        places = range(start, start + BLOCK * (BATCH - 1), BLOCK)
        begin = clock()
        for place in places:
            copy(place, SIZE, host, SIZE, H2D, stream)
        wait(stream)
        return (clock() - begin) / len(places)

    return {"memset_64": memset, "copy_h2d_64": h2d, "copy_d2d_64": d2d, "copy_h2d_64_first": others}


def _copy_ratio(megabytes: int = 64, pairs: int = 15) -> tuple[float, float]:
    """A host-to-device copy against numpy's copyto of the same size, both buffers touched before."""
    import numpy as np

    from ascend_sim import ascendcl as C

    size = megabytes << 20
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    device, _ = C.aclrtMalloc(size, 0)
    address = source.ctypes.data
    C.aclrtMemcpy(device, size, address, size, 1)
    np.copyto(target, source)
    ratios, absolute = [], []
    for _ in range(pairs):
        begin = clock()
        np.copyto(target, source)
        middle = clock()
        C.aclrtMemcpy(device, size, address, size, 1)
        end = clock()
        ratios.append((end - middle) / (middle - begin))
        absolute.append((end - middle) * 1e6)
    C.aclrtFree(device)
    return statistics.median(ratios), statistics.median(absolute)


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    from ascend_sim import ascendcl as C
    from ascend_sim.simulator import Simulator

    figures: dict[str, Value] = {}
    for end, (checks, _) in CHECKS.items():
        with Simulator(threads=settings.threads, checks=checks) as sim:
            C.aclrtSetDevice(0)
            small = _small()
            gc.collect()
            gc.freeze()  # what is alive now is the benchmark's own
            for kind, seconds in small.items():
                if kind + end in names:
                    figures[kind + end] = against_floor(seconds)
            gc.unfreeze()
            if len(sim.findings):
                raise RuntimeError(f"the benchmark is at fault: {next(iter(sim.findings)).title}")
    if "copy_64MiB" in names:
        with Simulator(threads=settings.threads, checks="none"):
            C.aclrtSetDevice(0)
            figures["copy_64MiB"] = _copy_ratio()
    return figures


GROUP = Group(ROWS, _measure)
