"""Chapters 04, 06 and 13: callbacks when devices and streams come and go; task abort."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

SET_PRE, SET_POST, RESET_PRE, RESET_POST = range(4)
CREATED, ENDING = 1, 2


sim = simulator(device=None, devices=2)


@pytest.fixture
def heard(sim: Simulator) -> list[tuple[Any, ...]]:
    """What device and stream callbacks hear, in order."""
    heard: list[tuple[Any, ...]] = []
    assert C.aclrtRegDeviceStateCallback("d", lambda *news: heard.append(("device", *news)), "mine") == 0
    assert C.aclrtRegStreamStateCallback("s", lambda *news: heard.append(("stream", *news[1:])), None) == 0
    return heard


def test_a_device_comes_and_goes(sim: Simulator, heard: list[tuple[Any, ...]]) -> None:
    C.aclrtSetDevice(1)
    assert heard == [("device", 1, SET_PRE, "mine"), ("stream", CREATED, None), ("device", 1, SET_POST, "mine")]
    heard.clear()
    C.aclrtSetDevice(1)
    assert heard == [("device", 1, SET_POST, "mine")]  # each call, but it is up already
    heard.clear()
    C.aclrtResetDevice(1)
    assert heard == []
    C.aclrtResetDevice(1)
    assert heard == [("stream", ENDING, None), ("device", 1, RESET_PRE, "mine"), ("device", 1, RESET_POST, "mine")]


def test_streams_come_and_go(sim: Simulator) -> None:
    news: list[tuple[int, int]] = []
    C.aclrtRegStreamStateCallback("s", lambda stream, state, _: news.append((stream, state)), None)
    C.aclrtSetDevice(0)
    del news[:]
    stream, _ = C.aclrtCreateStream()
    assert C.aclrtDestroyStream(stream) == 0
    assert news == [(stream, CREATED), (stream, ENDING)]


def test_a_stream_is_still_alive_before_it_ends(sim: Simulator) -> None:
    codes: list[int] = []
    C.aclrtSetDevice(0)
    stream, _ = C.aclrtCreateStream()

    def listen(handle: int, state: int, _: Any) -> None:
        codes.append(C.aclrtSynchronizeStream(handle))

    C.aclrtRegStreamStateCallback("s", listen, None)
    assert C.aclrtDestroyStream(stream) == 0
    assert codes == [0]


def test_callbacks_are_called_by_name_and_may_go_while_called(sim: Simulator) -> None:
    order: list[str] = []

    def first(*_: Any) -> None:
        order.append("a")
        C.aclrtRegDeviceStateCallback("b", None, None)

    C.aclrtRegDeviceStateCallback("b", lambda *_: order.append("b"), None)
    C.aclrtRegDeviceStateCallback("a", first, None)
    C.aclrtSetDevice(0)
    assert order == ["a", "b", "a"]  # the list is taken before the calls


@pytest.mark.parametrize("register", ["aclrtRegDeviceStateCallback", "aclrtRegStreamStateCallback"])
def test_names_of_callbacks(sim: Simulator, register: str) -> None:
    function = getattr(C, register)
    assert function(None, None, None) == 100000
    assert function("x", None, None) == 0  # an unknown one is forgotten
    assert function("x", print, None) == 0
    assert function("x", print, None) == 107000
    assert function("x", None, None) == 0
    assert function("x", print, None) == 0


# -- task abort -------------------------------------------------------------------------------------------------------


def test_abort_drops_what_is_queued_and_lets_go_on(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    stream, _ = C.aclrtCreateStream()
    memory, _ = C.aclrtMalloc(64, 0)
    sim.hold(stream)
    assert C.aclrtMemsetAsync(memory, 64, 1, 64, stream) == 0
    stages: list[tuple[int, int, int, int]] = []

    def listen(device: int, stage: int, timeout: int, _: Any) -> int:
        stages.append((device, stage, timeout, C.aclrtMemsetAsync(memory, 64, 1, 64, stream)))
        return 0

    assert C.aclrtSetDeviceTaskAbortCallback("x", listen, None) == 0
    assert C.aclrtDeviceTaskAbort(0, 500) == 0
    assert [stage[:2] for stage in stages] == [(0, 0), (0, 1)]
    assert all(0 < stage[2] <= 500 for stage in stages)
    assert [stage[3] for stage in stages] == [107022, 107022]  # while it is at work
    sim.release(stream)
    assert C.aclrtMemsetAsync(memory, 64, 1, 64, stream) == 0
    assert C.aclrtSynchronizeStream(stream) == 0


def test_a_callback_ends_the_abort(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    stream, _ = C.aclrtCreateStream()
    memory, _ = C.aclrtMalloc(64, 0)
    C.aclrtSetDeviceTaskAbortCallback("x", lambda *_: 4711, None)
    assert C.aclrtDeviceTaskAbort(0, 0) == 4711
    assert C.aclrtMemsetAsync(memory, 64, 1, 64, stream) == 107022  # and so it stays
    C.aclrtSetDeviceTaskAbortCallback("x", None, None)
    assert C.aclrtDeviceTaskAbort(0, 0) == 0
    assert C.aclrtMemsetAsync(memory, 64, 1, 64, stream) == 0


def test_the_order_of_checks(sim: Simulator) -> None:
    assert C.aclrtDeviceTaskAbort(9, 36 * 60 * 1000 + 1) == 107000
    assert C.aclrtDeviceTaskAbort(9, 0) == 107001
    assert C.aclrtDeviceTaskAbort(-1, 0) == 107001
    assert C.aclrtDeviceTaskAbort(0, 36 * 60 * 1000) == 107002
    assert C.aclrtSetDeviceTaskAbortCallback(None, None, None) == 100000


@pytest.mark.parametrize("soc", ["Ascend310B1", "Ascend310P3", "Ascend910A"])
def test_products_without_task_abort(soc: str) -> None:
    with Simulator(soc):
        assert C.aclrtDeviceTaskAbort(9, 1 << 31) == 207000
        assert C.aclrtSetDeviceTaskAbortCallback(None, None, None) == 100000
        assert C.aclrtSetDeviceTaskAbortCallback("x", None, None) == 207000
