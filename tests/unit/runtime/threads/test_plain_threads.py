"""Deterministic threads where the library's own are not replaced: a plain join or sleep is an absence."""

from __future__ import annotations

import threading

import pytest

from ascend_sim import SimulatedHang, Simulator
from ascend_sim import ascendcl as C

SYNC = 1


def test_a_plain_join_releases_the_run_token() -> None:
    codes: list[int] = []

    def work() -> None:
        codes.append(C.aclrtSetDevice(0))
        stream, _ = C.aclrtCreateStream()
        codes.append(C.aclrtSynchronizeStream(stream))

    with Simulator(threads="deterministic"):
        C.aclInit(None)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert codes == [0, 0]


@pytest.mark.parametrize("waits", [True, False], ids=["in a call", "before its first call"])
def test_who_is_in_a_simulator_that_closes_comes_back(waits: bool) -> None:
    ended: list[object] = []
    there = threading.Event()

    def work() -> None:
        try:
            C.aclrtSetDevice(0)
            stream, _ = C.aclrtCreateStream()
            event, _ = C.aclrtCreateEventWithFlag(SYNC)
            C.aclrtStreamWaitEvent(stream, event)
            there.set()
            ended.append(C.aclrtSynchronizeStream(stream))
        except SimulatedHang as hang:
            ended.append(hang)

    thread = threading.Thread(target=work, daemon=True)
    with Simulator(threads="deterministic"):
        C.aclInit(None)
        thread.start()
        if waits:
            there.wait()
            C.aclrtGetRunMode()
    thread.join()
    assert not thread.is_alive()
    assert len(ended) == 1
    assert isinstance(ended[0], SimulatedHang) or ended[0] != 0
