"""Threads that destroy, set, subscribe or use up what others use: both orders are run, also with locks and objects only."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim import explore
from ascend_sim.pyacl.himpi import FUNCTIONS as HI

Act = Callable[[list[int]], Any]
GIB = 1 << 30


def code(result: Any) -> int:
    return int(result[-1] if isinstance(result, tuple) else result)


def stream() -> list[int]:
    return [C.aclrtCreateStream()[0], C.aclrtMalloc(16, 0)[0]]


def event() -> list[int]:
    return [C.aclrtCreateEvent()[0], C.aclrtCreateStream()[0]]


def notify() -> list[int]:
    return [C.aclrtCreateNotify(0)[0], C.aclrtCreateStream()[0]]


def nothing(arguments: list[int]) -> int:
    return 0


def fill(a: list[int]) -> int:
    return code(C.aclrtMemsetAsync(a[1], 16, 1, 16, a[0]))


def media() -> list[int]:
    """Memory of the media units, and the memory of the second interface."""
    return [C.acldvppMalloc(64)[0], HI["hi_mpi_dvpp_malloc"](0, 64)[0], C.aclrtCreateStream()[0]]


def channels() -> list[int]:
    """The second interface is ready; channel 1 scales pictures."""
    assert HI["hi_mpi_sys_init"]() == HI["hi_mpi_vpc_create_chn"](1, {}) == 0
    return [1]


PAIRS: dict[str, tuple[Callable[[], list[int]], Act, Act, set[Any]]] = {
    "stream and submit": (stream, lambda a: code(C.aclrtDestroyStream(a[0])), fill, {(0, 0), (0, 107017)}),
    "stream and query": (
        stream, lambda a: code(C.aclrtDestroyStream(a[0])), lambda a: code(C.aclrtStreamQuery(a[0])), {(0, 0), (0, 107017)},
    ),
    "event and record": (
        event, lambda a: code(C.aclrtDestroyEvent(a[0])), lambda a: code(C.aclrtRecordEvent(*a)), {(0, 0), (0, 107017)},
    ),
    "notify and record": (
        notify, lambda a: code(C.aclrtDestroyNotify(a[0])), lambda a: code(C.aclrtRecordNotify(*a)), {(0, 0), (0, 107017)},
    ),
    "memory and use": (
        stream, lambda a: code(C.aclrtFree(a[1])), lambda a: code(C.aclrtMemset(a[1], 16, 0, 16)), {(0, 0), (0, 107000)},
    ),
    "memory twice": (
        stream, lambda a: code(C.aclrtFree(a[1])), lambda a: code(C.aclrtFree(a[1])), {(0, 107000), (107000, 0)},
    ),
    "media memory twice": (
        media, lambda a: code(C.acldvppFree(a[0])), lambda a: code(C.acldvppFree(a[0])), {(0, 107000), (107000, 0)},
    ),
    "media memory and use": (
        media, lambda a: code(C.acldvppFree(a[0])), lambda a: code(C.aclrtMemset(a[0], 16, 0, 16)), {(0, 0), (0, 107000)},
    ),
    "memory of the second interface twice": (
        media, lambda a: code(HI["hi_mpi_dvpp_free"](a[1])), lambda a: code(HI["hi_mpi_dvpp_free"](a[1])),
        {(0, 107000), (107000, 0)},
    ),
    "the last media memory": (
        list, lambda a: code(C.acldvppMalloc(40 * GIB)), lambda a: code(HI["hi_mpi_dvpp_malloc"](0, 50 * GIB)),
        {(0, 207001), (207001, 0)},
    ),
    "how much memory media leave": (
        list, lambda a: code(C.acldvppMalloc(GIB)), lambda a: C.aclrtGetMemInfo(1)[0] // GIB, {(0, 64), (0, 62)},
    ),
    "a channel twice": (
        channels, lambda a: code(HI["hi_mpi_vpc_create_chn"](2, {})), lambda a: code(HI["hi_mpi_vpc_create_chn"](2, {})),
        {(0, 0xA0078004), (0xA0078004, 0)},
    ),
    "a channel and a number": (
        channels, lambda a: HI["hi_mpi_vpc_sys_create_chn"]({})[0], lambda a: code(HI["hi_mpi_vpc_create_chn"](0, {})),
        {(0, 0xA0078004), (2, 0)},
    ),
    "two channels": (
        channels, lambda a: code(HI["hi_mpi_vpc_create_chn"](2, {})), lambda a: code(HI["hi_mpi_vpc_create_chn"](3, {})),
        {(0, 0)},
    ),
    "a channel and its end": (
        channels, lambda a: code(HI["hi_mpi_vpc_destroy_chn"](1)), lambda a: code(HI["hi_mpi_vpc_destroy_chn"](1)),
        {(0, 0xA0078005), (0xA0078005, 0)},
    ),
    "the interface and a channel": (
        channels, lambda a: code(HI["hi_mpi_sys_exit"]()), lambda a: code(HI["hi_mpi_vpc_create_chn"](2, {})),
        {(0, 0), (0, 0xA0078010)},
    ),
    "a matrix": (
        channels, lambda a: code(HI["hi_mpi_sys_set_chn_csc_matrix"](7, 1, 2, {})),
        lambda a: HI["hi_mpi_sys_get_chn_csc_matrix"](7, 1)[0], {(0, 0), (0, 2)},
    ),
    "event queues": (
        channels, lambda a: HI["hi_mpi_sys_create_epoll"](1)[0], lambda a: HI["hi_mpi_sys_create_epoll"](1)[0],
        {(1, 2), (2, 1)},
    ),
    "context and set": (
        lambda: [C.aclrtCreateContext(0)[0]], lambda a: code(C.aclrtDestroyContext(a[0])),
        lambda a: code(C.aclrtSetCurrentContext(a[0])), {(0, 0), (0, 107000)},
    ),
    "device and all": (
        list, lambda a: code(C.aclrtResetDeviceForce(0)), lambda a: code(C.aclrtMalloc(16, 0)), {(0, 0), (0, 107002)},
    ),
    "callbacks": (
        stream, lambda a: code(C.aclrtSubscribeReport(threading.get_ident(), a[0])),
        lambda a: code(C.aclrtLaunchCallback(nothing, None, 0, a[0])), {(0, 0), (0, 107015)},
    ),
    "the last memory": (
        list, lambda a: code(C.aclrtMalloc(20 * GIB, 0)), lambda a: code(C.aclrtMalloc(50 * GIB, 0)),
        {(0, 207001), (207001, 0)},
    ),
    "the last stream": (
        lambda: [C.aclrtCreateStream()[0] for _ in range(C.aclrtGetStreamAvailableNum()[0] - 1)],
        lambda a: code(C.aclrtCreateStream()), lambda a: code(C.aclrtCreateStream()), {(0, 207008), (207008, 0)},
    ),
    "how many streams are left": (
        list, lambda a: code(C.aclrtCreateStream()), lambda a: C.aclrtGetStreamAvailableNum()[0], {(0, 7), (0, 6)},
    ),
    "how much memory is left": (
        list, lambda a: code(C.aclrtMalloc(GIB, 0)), lambda a: C.aclrtGetMemInfo(1)[0] // GIB, {(0, 64), (0, 62)},
    ),
    "how long operators may run": (
        list, lambda a: code(C.aclrtSetOpExecuteTimeOut(1)), lambda a: C.aclrtGetOpExecuteTimeout()[0],
        {(0, 4295), (0, 1090922)},
    ),
    "an option of the process": (
        list, lambda a: code(C.aclrtSetSysParamOpt(0, 1)), lambda a: C.aclrtGetSysParamOpt(0)[0], {(0, 0), (0, 1)},
    ),
    "cores of a device": (
        list, lambda a: code(C.aclrtSetDeviceResLimit(0, 0, 3)), lambda a: C.aclrtGetDeviceResLimit(0, 0)[0],
        {(0, 3), (0, 20)},
    ),
    "saturation": (
        list, lambda a: code(C.aclrtSetDeviceSatMode(0)), lambda a: C.aclrtGetDeviceSatMode()[0], {(0, 0), (0, 1)},
    ),
    "the end of the process": (
        list, lambda a: code(C.aclFinalize()), lambda a: code(C.aclFinalize()), {(0, 100037), (100037, 0)},
    ),
    "two settings": (
        list, lambda a: code(C.aclrtSetOpExecuteTimeOut(1)), lambda a: code(C.aclrtSetOpWaitTimeout(1)), {(0, 0)},
    ),
    "nothing in common": (
        stream, lambda a: code(C.aclrtMemset(a[1], 16, 0, 16)), lambda a: code(C.aclrtMalloc(16, 0)), {(0, 0)},
    ),
}  # fmt: skip
"""What is shared -> how it is made, what the two threads do, and what they can get."""


@pytest.mark.parametrize("name", PAIRS)
def test_both_orders_are_run(name: str) -> None:
    make, first, second, wanted = PAIRS[name]

    def program() -> tuple[int, int]:
        C.aclrtSetDevice(0)
        context = C.aclrtGetCurrentContext()[0]
        shared = make()
        got: list[int] = []

        def other() -> None:
            C.aclrtSetCurrentContext(context)
            got.append(second(shared))

        thread = threading.Thread(target=other)
        thread.start()
        mine = first(shared)
        thread.join()
        return mine, got[0]

    report = explore(program, hosts="shared", checks="none", limits={"streams": 8})
    assert report.exhausted and not report.trouble
    assert {result.outcome.value for result in report.outcomes} == wanted
    if len(wanted) == 1:
        assert report.classes == 1


def test_a_thread_gets_its_device_from_the_call_that_counts(words: Any) -> None:
    def program() -> int:
        words.start(1)
        codes: list[int] = []
        thread = threading.Thread(target=lambda: codes.append(code(C.aclrtCreateContext(0))))
        thread.start()
        thread.join()
        return codes[0]

    report = explore(program)
    assert report.exhausted and not report.failures
    assert [result.outcome.value for result in report.outcomes] == [0]


def test_a_call_that_fails_again_waits_until_something_can_make_it_succeed(words: Any) -> None:
    def program() -> None:
        (stream,) = words.start(1)
        running = [True]

        def serve() -> None:
            while running[0]:
                C.aclrtProcessReport(100)

        thread = threading.Thread(target=serve)
        thread.start()
        words.must(C.aclrtSubscribeReport(thread.ident, stream))
        words.must(C.aclrtLaunchCallback(nothing, [], 1, stream))
        words.must(C.aclrtSynchronizeStream(stream))
        words.must(C.aclrtUnSubscribeReport(thread.ident, stream))
        running[0] = False
        thread.join()

    report = explore(program, hosts="shared")
    assert report.exhausted and not report.failures and not report.trouble
    assert report.classes < 200
