"""Short words for programs that are explored, and a clock that does not depend on how busy the machine is."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.explore import explorer, parallel, runs
from ascend_sim.explore.control import run_limit
from tests.kit.calls import must

SIZE = 16
EX, LEVEL = 1, 1
TICK_NS = 1_000_000


class Words:
    """Calls that succeed."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    must = staticmethod(must)

    def start(self, streams: int) -> list[int]:
        """Device 0 and streams."""
        self.must(C.aclrtSetDevice(0))
        return [self.must(C.aclrtCreateStream()) for _ in range(streams)]

    def buffer(self) -> int:
        """A block of zeros."""
        address: int = self.must(C.aclrtMalloc(SIZE, 0))
        self.must(C.aclrtMemset(address, SIZE, 0, SIZE))
        return address

    def fill(self, address: int, value: int, stream: int) -> None:
        """Queue a set."""
        self.must(C.aclrtMemsetAsync(address, SIZE, value, SIZE, stream))

    def read(self, address: int) -> int:
        """The first byte, read now."""
        out = np.zeros(SIZE, np.uint8)
        self.must(C.aclrtMemcpy(out.ctypes.data, SIZE, address, SIZE, 2))
        return int(out[0])


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real clock of searches: it goes on by a millisecond each time somebody looks at it.

    A search looks after each run and at each 256th call of a run, so that a budget is a number of runs and calls.
    """
    now = count(TICK_NS, TICK_NS)
    for module in (explorer, parallel, run_limit, runs):
        monkeypatch.setattr(module, "real_ns", now.__next__)


@pytest.fixture
def words() -> Words:
    return Words()


Program = Callable[[], Any]
