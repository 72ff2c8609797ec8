"""Short words for programs that are explored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from tests.kit.calls import must

SIZE = 16
EX, LEVEL = 1, 1


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


@pytest.fixture
def words() -> Words:
    return Words()


Program = Callable[[], Any]
