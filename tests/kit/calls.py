"""Calls that succeed, a simulator with a device in use, a call in another thread: what tests of every room begin with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.forks import HANG


def must(result: Any) -> Any:
    """The output of a call that succeeds; several as a tuple, None for none. Both faces."""
    outputs, code = (result[:-1], result[-1]) if isinstance(result, tuple) else ((), result)
    assert code == 0, f"{code}: {C.aclGetRecentErrMsg()}"
    return outputs[0] if len(outputs) == 1 else outputs or None


def in_thread(call: Callable[[], Any]) -> Any:
    """What *call* returns in a new host thread."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(call()))
    thread.start()
    thread.join(HANG)
    return results[0]


def simulator(device: int | None = 0, **options: Any) -> Any:
    """The fixture ``sim`` of a module: an open simulator with these options, in which *device* is set."""

    @pytest.fixture(name="sim")
    def opened() -> Iterator[Simulator]:
        with Simulator(**options) as sim:
            if device is not None:
                must(C.aclrtSetDevice(device))
            yield sim

    return opened


class Calls:
    """A simulator and calls that succeed, by short names: what the worlds of the rooms add their own to."""

    must = staticmethod(must)

    def __init__(self, sim: Simulator) -> None:
        self.sim = sim

    def stream(self, flags: int = 0) -> int:
        """A new stream."""
        return int(must(C.aclrtCreateStreamWithConfig(0, flags)))

    def streams(self, count: int) -> list[int]:
        """Several of them."""
        return [self.stream() for _ in range(count)]

    def malloc(self, size: int = 64, value: int | None = None) -> int:
        """Device memory, filled with *value* when there is one."""
        address = int(must(C.aclrtMalloc(size, 0)))
        if value is not None:
            must(C.aclrtMemset(address, size, value, size))
        return address

    def kinds(self) -> list[str]:
        """The kinds of the findings so far."""
        return [finding.kind for finding in self.sim.findings]
