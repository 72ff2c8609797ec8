"""A launch with ``kernel[blocks, stream](...)`` is a call as the others are: observers hear of it, sites keep callers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_sim import AclError, Block, Observer, Simulator, gm, kernel
from ascend_sim import ascendcl as C

LAUNCH = "aclrtLaunchKernelWithHostArgs"


@kernel
def fill(b: Block, x: gm.Out[np.int32], value: np.int32) -> None:
    x[b.idx] = value


class Calls(Observer):
    def __init__(self) -> None:
        self.entered: list[tuple[str, tuple[Any, ...]]] = []
        self.returned: list[tuple[str, Any]] = []
        self.sites: list[Any] = []

    def api_entered(self, t: Any, name: str, arguments: tuple[Any, ...]) -> None:
        self.entered.append((name, arguments))
        self.sites.append(t.site)

    def api_returned(self, t: Any, name: str, result: Any) -> None:
        self.returned.append((name, result))


def launch(blocks: int, stream: int, address: int) -> None:
    fill[blocks, stream](address, 7)


def synchronise(stream: int) -> None:
    assert C.aclrtSynchronizeStream(stream) == 0


def test_observers_hear_of_it() -> None:
    with Simulator() as sim:
        C.aclrtSetDevice(0)
        address, _ = C.aclrtMalloc(64, 0)
        stream, _ = C.aclrtCreateStream()
        calls = Calls()
        sim.attach(calls)
        launch(2, stream, address)
        assert calls.entered == [(LAUNCH, (fill, 2, stream, None, (address, 7), 16, None, 0))]
        assert calls.returned == [(LAUNCH, 0)]


def test_one_that_fails_raises_and_is_the_last_error() -> None:
    with Simulator() as sim:
        C.aclrtSetDevice(0)
        calls = Calls()
        sim.attach(calls)
        with pytest.raises(AclError) as caught:
            launch(2, 7, 0)
        assert caught.value.code == 107017
        assert calls.returned == [(LAUNCH, 107017)]
        assert C.aclrtGetLastError(0) == 107017


def test_a_planned_failure_finds_it() -> None:
    with Simulator(faults=f"{LAUNCH}:1=207001") as sim:
        C.aclrtSetDevice(0)
        address, _ = C.aclrtMalloc(64, 0)
        with pytest.raises(AclError) as caught:
            launch(1, 0, address)
        assert caught.value.code == 207001
        launch(1, 0, address)
        assert sim.injected is not None


def test_its_site_has_the_callers_that_other_sites_have() -> None:
    with Simulator(checks="races") as sim:
        C.aclrtSetDevice(0)
        address, _ = C.aclrtMalloc(64, 0)
        stream, _ = C.aclrtCreateStream()
        calls = Calls()
        sim.attach(calls)
        launch(1, stream, address)
        synchronise(stream)
        ours, other = calls.sites
        assert ours[0][0] is launch.__code__
        assert other[0][0] is synchronise.__code__
        assert ours[1:] and [code for code, _ in ours[1:]] == [code for code, _ in other[1:]]
