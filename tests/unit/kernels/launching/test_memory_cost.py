"""Kernels over large memory cost what they touch."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from ascend_sim import Block, gm, kernel

from ..conftest import Device

MIB = 1 << 20
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc/self/statm")


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@kernel
def ends(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    """The first and the last elements of a share, through views of all of it."""
    s = b.slice(n)
    x, z = x.view(n), z.view(n)
    z[s.start : s.start + 8] = x[s.start : s.start + 8]
    z[s.stop - 8 : s.stop] = x[s.stop - 8 : s.stop]


def test_a_kernel_of_a_million_elements_a_block_costs_its_views(device: Device) -> None:
    n = 40 * 1_000_000
    device.run(ends, 40, device.buffer(4 * 1000), device.buffer(4 * 1000), 1000)  # everything is imported now
    x, z = device.fresh(4 * n), device.fresh(4 * n)
    before = resident()
    assert device.run(ends, 40, x, z, n) == 0
    assert resident() - before < 4 * MIB  # 320 MB in all, 160 pages of it touched
    assert np.isnan(device.read(x + 4 * (n - 8), 8)).all()  # never written: poison, where it is looked at


def test_an_argument_that_nobody_touches_costs_nothing(device: Device) -> None:
    @kernel
    def ignores(b: Block, x: gm.InOut[np.float32]) -> None: ...

    x = device.fresh(1 << 30)
    before = resident()
    assert device.run(ignores, 40, x) == 0
    assert resident() - before < MIB
    assert device.sim.memory.find(x).bytes is None  # type: ignore[union-attr]


def test_a_gibibyte_is_written_page_by_page(device: Device) -> None:
    @kernel
    def one_page(b: Block, x: gm.Out[np.float32]) -> None:
        x[100_000_000 : 100_000_000 + 1024] = 1.0

    x = device.fresh(1 << 30)
    before = resident()
    assert device.run(one_page, 1, x) == 0
    assert resident() - before < MIB
    assert device.read(x + 400_000_000, 1024).sum() == 1024
