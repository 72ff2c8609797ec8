"""Sizes of arguments beyond what any argument has: refused as memory that cannot be read, whatever lies there."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.ascendcl.arguments import integers, peek
from ascend_sim.errors import AclError

GIB = 1 << 30


@pytest.fixture(scope="module")
def address() -> Iterator[int]:
    """Memory of 4 GiB that can be read, of which nothing is touched."""
    room = np.frombuffer(mmap.mmap(-1, 4 * GIB), np.uint8)
    yield int(room.__array_interface__["data"][0])
    del room


@pytest.mark.parametrize("size", [2 * GIB, 3 * GIB + 1, 4 * GIB - 1])
def test_no_argument_is_so_long(world: Any, address: int, size: int) -> None:
    assert peek(address, size) is None
    assert C.acldvppJpegGetImageInfoV2(address, size)[-1] == 500001
    with pytest.raises(AclError):
        integers(address, size, "offsets", 1)
    with pytest.raises(AclError):
        integers(address, size // 8, "offsets")
    assert C.aclrtDeviceGetHostAtomicCapabilities(address, size, 0)[-1] != 0
