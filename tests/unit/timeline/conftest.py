"""A pipeline that several tests draw: one stream copies in, the other computes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.timeline import Timeline

MIB = 1 << 20
H2D = 1


@kernel
def scale(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    s = b.slice(n)
    z[s] = x[s] * 2
    b.cost(120_000)


def run_pipeline(streams: int = 2, chunks: int = 6, size: int = 2 * MIB) -> float:
    """Copy chunks in and compute on each, in the current simulator; with two streams one copies and one computes.

    Returns the milliseconds between an event before the first copy and one behind the last kernel.
    """
    assert C.aclrtSetDevice(0) == 0
    copies, _ = C.aclrtCreateStream()
    work = C.aclrtCreateStream()[0] if streams == 2 else copies
    start, _ = C.aclrtCreateEvent()
    stop, _ = C.aclrtCreateEvent()
    source, _ = C.aclrtMallocHost(size * chunks)
    x, _ = C.aclrtMalloc(size * chunks, 0)
    y, _ = C.aclrtMalloc(size * chunks, 0)
    assert C.aclrtRecordEvent(start, copies) == 0
    for i in range(chunks):
        at = i * size
        assert C.aclrtMemcpyAsync(x + at, size, source + at, size, H2D, copies) == 0
        if work != copies:
            arrived = C.aclrtCreateEvent()[0]
            assert C.aclrtRecordEvent(arrived, copies) == 0
            assert C.aclrtStreamWaitEvent(work, arrived) == 0
        scale[8, work](x + at, y + at, size // 4)
    assert C.aclrtRecordEvent(stop, work) == 0
    assert C.aclrtSynchronizeDevice() == 0
    milliseconds, code = C.aclrtEventElapsedTime(start, stop)
    assert code == 0
    return float(milliseconds)


@pytest.fixture
def pipeline() -> Callable[..., float]:
    return run_pipeline


@pytest.fixture
def recorded() -> Iterator[Timeline]:
    """The timeline of the pipeline."""
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        run_pipeline()
        yield timeline
