"""Shared queues: codes, order, waits in virtual time, routes, leaks; each by what a program sees."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import SimulatedHang, Simulator, explore
from ascend_sim import ascendcl as C
from tests.kit.calls import must, simulator
from tests.unit.conftest import World

sim = simulator()
MS = 1_000_000
EMPTY, FULL, UNKNOWN = 207013, 207014, 507899


def queue(depth: int = 8, name: str = "") -> int:
    """A new queue."""
    attr = C.acltdtCreateQueueAttr()
    must(C.acltdtSetQueueAttr(attr, C.ACL_TDT_QUEUE_DEPTH_UINT32, 4, depth.to_bytes(4, "little")))
    if name:
        text = ctypes.create_string_buffer(name.encode())
        pointer = ctypes.c_void_p(ctypes.addressof(text))
        must(C.acltdtSetQueueAttr(attr, C.ACL_TDT_QUEUE_NAME_PTR, 8, pointer))
    made: int = must(C.acltdtCreateQueue(attr))
    must(C.acltdtDestroyQueueAttr(attr))
    return made


def put(number: int, data: bytes, timeout: int = 0, user: bytes = b"") -> int:
    """The code of an enqueue."""
    code: int = C.acltdtEnqueueData(number, data, len(data), user or None, len(user), timeout, 0)
    return code


def take(number: int, room: int = 16, timeout: int = 0) -> bytes | int:
    """What is dequeued, or the code."""
    into = np.zeros(room, np.uint8)
    size, code = C.acltdtDequeueData(number, into, room, None, 0, timeout)
    return code or into[:size].tobytes()


def test_entries_come_in_order_with_their_user_data(sim: Simulator) -> None:
    number = queue(4, "words")
    assert [put(number, data, 0, user) for data, user in ((b"one", b"u1"), (b"three", b""))] == [0, 0]
    data, user = np.zeros(8, np.uint8), np.full(4, 9, np.uint8)
    assert C.acltdtDequeueData(number, data, 8, user, 4, 0) == (3, 0)
    assert (data[:3].tobytes(), user.tobytes()) == (b"one", b"u1\x09\x09")
    assert take(number) == b"three"
    assert C.acltdtDestroyQueue(number) == 0
    assert not sim.findings


def test_device_memory_is_copied_when_it_is_queued(sim: Simulator) -> None:
    number, memory = queue(), must(C.aclrtMalloc(64, 0))
    must(C.aclrtMemset(memory, 64, 7, 64))
    must(C.acltdtEnqueueData(number, memory, 64, None, 0, 0, 0))
    must(C.aclrtMemset(memory, 64, 8, 64))
    into = must(C.aclrtMalloc(64, 0))
    assert must(C.acltdtDequeueData(number, into, 64, None, 0, 0)) == 64
    host = np.zeros(64, np.uint8)
    must(C.aclrtMemcpy(host, 64, into, 64, 2))
    assert set(host) == {7}
    assert [C.aclrtFree(memory), C.aclrtFree(into), C.acltdtDestroyQueue(number)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda q: C.acltdtEnqueueData(q, None, 4, None, 0, 0, 0), 100000),
        (lambda q: C.acltdtEnqueueData(q, b"abcd", 0, None, 0, 0, 0), 100000),
        (lambda q: C.acltdtEnqueueData(q, b"abcd", 4, b"u" * 97, 97, 0, 0), 107000),
        (lambda q: C.acltdtDequeueData(q, None, 4, None, 0, 0)[1], 100000),
        (lambda q: C.acltdtDequeueData(q, np.zeros(4, np.uint8), 0, None, 0, 0)[1], 100000),
        (lambda q: put(q + 1, b"x"), UNKNOWN), (lambda q: put(128, b"x"), 107000),
        (lambda q: take(q + 1), UNKNOWN), (lambda q: take(128), 107000), (lambda q: take(q), EMPTY),
        (lambda q: take(q, timeout=5), EMPTY), (lambda q: C.acltdtDestroyQueue(128), 107000),
        (lambda q: C.acltdtGrantQueue(q, 1, 7, 0), 200006), (lambda q: C.acltdtAttachQueue(q, 0)[1], 200006),
        (lambda q: C.acltdtEnqueue(q, 1, 0), 200006), (lambda q: C.acltdtDequeue(q, 0)[1], 200006),
    ],
)  # fmt: skip
def test_codes(sim: Simulator, call: Callable[[int], int], code: int) -> None:
    assert call(queue()) == code


@pytest.mark.parametrize("depth", [0, 1, 8193])
def test_depths_that_are_refused(sim: Simulator, depth: int) -> None:
    attr = C.acltdtCreateQueueAttr()
    must(C.acltdtSetQueueAttr(attr, 1, 4, depth.to_bytes(4, "little")))
    assert C.acltdtCreateQueue(attr)[1] == 107000


def test_there_are_128_ids_a_device_and_they_go_round() -> None:
    with Simulator(devices=2):
        must(C.aclrtSetDevice(0))
        first = [must(C.acltdtCreateQueue(None)) for _ in range(128)]
        assert first == list(range(128))
        assert C.acltdtCreateQueue(None)[1] == 207012
        must(C.acltdtDestroyQueue(5))
        assert must(C.acltdtCreateQueue(None)) == 5
        must(C.aclrtSetDevice(1))
        assert put(5, b"x") == UNKNOWN
        assert "device 0 has one" in C.aclGetRecentErrMsg()


def test_no_device_no_queue() -> None:
    with Simulator():
        assert C.acltdtCreateQueue(None)[1] == 107002


def test_a_queue_that_does_not_exist_is_destroyed_with_0_and_a_finding(sim: Simulator) -> None:
    assert C.acltdtDestroyQueue(0) == UNKNOWN, "the device had no queue yet"
    number = queue()
    assert [C.acltdtDestroyQueue(number), C.acltdtDestroyQueue(number)] == [0, 0]
    assert [f.kind for f in sim.findings] == ["undefined-use"]


def test_an_entry_that_is_too_large_is_cut_and_said(sim: Simulator) -> None:
    number = queue()
    must(put(number, b"12345678"))
    into = np.zeros(4, np.uint8)
    assert C.acltdtDequeueData(number, into, 4, None, 0, 0) == (8, 0)
    assert into.tobytes() == b"1234"
    assert ["room for 4 of the 8 bytes" in f.title for f in sim.findings] == [True]


@pytest.mark.parametrize("ms", [1, 250])
def test_time_outs_pass_in_virtual_time(sim: Simulator, ms: int) -> None:
    number = queue(2)
    before = sim.time_ns()
    assert take(number, timeout=ms) == EMPTY
    assert ms * MS <= sim.time_ns() - before < ms * MS + MS // 10
    must(put(number, b"x"))
    before = sim.time_ns()
    assert put(number, b"y", ms) == FULL
    assert ms * MS <= sim.time_ns() - before < ms * MS + MS // 10
    assert not sim.findings


def test_a_take_waits_for_a_put_and_a_put_for_room(world: World, background: Any) -> None:
    number = queue(2)
    taking = background(take, number, 16, -1)
    must(put(number, b"first", -1))
    assert taking.result() == b"first"
    must(put(number, b"second", -1))
    putting = background(put, number, b"third", -1)
    assert take(number, timeout=-1) == b"second"
    assert putting.result() == 0
    assert take(number) == b"third"


def test_destroying_a_queue_ends_waits(world: World, background: Any) -> None:
    number = queue()
    taking = background(take, number, 16, -1)
    must(C.acltdtDestroyQueue(number))
    assert taking.result() == UNKNOWN


def test_a_deadlock_names_the_queue(sim: Simulator) -> None:
    number = queue(4, "frames")
    with pytest.raises(SimulatedHang):
        take(number, timeout=-1)
    found = sim.findings[-1]
    assert (found.kind, f'an entry of queue {number} "frames"' in found.title) == ("deadlock", True)


def test_leaks_are_told_with_their_lines(sim: Simulator) -> None:
    must(C.aclInit(None))
    queue()
    dataset = C.acltdtCreateDataset()
    item = C.acltdtCreateDataItem(0, [1], 1, 0, b"abcd", 4)
    must(C.acltdtAddDataItem(dataset, item))
    C.acltdtCreateChannelWithCapacity(0, "left", 4)
    must(C.aclFinalize())
    found = sim.findings[-1]
    words = ("1 queue", "1 tensor dataset", "1 data item", "1 tensor channel")
    assert [word in found.title for word in words] == [True] * 4
    assert len(found.sites) == 4
    assert all(site.points for site in found.sites)


# -- attributes -------------------------------------------------------------------------------------------------------


def test_attributes_are_read_back(sim: Simulator) -> None:
    attr = C.acltdtCreateQueueAttr()
    depth, name = np.zeros(1, np.uint32), np.zeros(1, np.uint64)
    assert (C.acltdtGetQueueAttr(attr, 1, 4, depth), depth[0]) == ((4, 0), 8)
    text = ctypes.create_string_buffer(b"abc")
    must(C.acltdtSetQueueAttr(attr, 0, 8, ctypes.c_void_p(ctypes.addressof(text))))
    assert C.acltdtGetQueueAttr(attr, 0, 8, name) == (8, 0)
    assert ctypes.string_at(int(name[0])) == b"abc"
    codes = [
        C.acltdtSetQueueAttr(0, 1, 4, depth), C.acltdtSetQueueAttr(attr, 2, 4, depth),
        C.acltdtSetQueueAttr(attr, 1, 8, depth), C.acltdtSetQueueAttr(attr, 1, 4, None),
        C.acltdtGetQueueAttr(attr, 1, 2, depth)[1], C.acltdtGetQueueAttr(attr, 9, 8, name)[1],
    ]  # fmt: skip
    assert codes == [100000] * 6
    long = ctypes.create_string_buffer(b"a" * 128)
    assert C.acltdtSetQueueAttr(attr, 0, 8, ctypes.c_void_p(ctypes.addressof(long))) == 100000
    assert C.acltdtSetQueueAttr(attr, 0, 8, np.zeros(1, np.uint64)) == 100000


# -- routes -----------------------------------------------------------------------------------------------------------


def routes(*pairs: tuple[int, int]) -> int:
    """A list of routes."""
    made: int = C.acltdtCreateQueueRouteList()
    for source, target in pairs:
        route = C.acltdtCreateQueueRoute(source, target)
        must(C.acltdtAddQueueRoute(made, route))
        must(C.acltdtDestroyQueueRoute(route))
    return made


def statuses(made: int) -> list[int]:
    """The status of each route of a list."""
    found, value = [], np.zeros(1, np.int32)
    for index in range(C.acltdtGetQueueRouteNum(made)):
        route = C.acltdtCreateQueueRoute(0, 0)
        must(C.acltdtGetQueueRoute(made, index, route))
        must(C.acltdtGetQueueRouteParam(route, C.ACL_TDT_QUEUE_ROUTE_STATUS_INT32, 4, value))
        must(C.acltdtDestroyQueueRoute(route))
        found.append(int(value[0]))
    return found


def test_a_route_hands_on_to_all_of_its_queues(sim: Simulator) -> None:
    source, one, two = queue(), queue(), queue(2)
    bound = routes((source, one), (source, two))
    assert C.acltdtBindQueueRoutes(bound) == 0
    assert statuses(bound) == [1, 1]
    for data in (b"a", b"b", b"c"):
        must(put(source, data))
    assert [take(one), take(one)] == [b"a", EMPTY], "queue two has room for one: the others wait in the source"
    assert [take(two), take(two), take(two)] == [b"a", b"b", b"c"]
    assert [take(one), take(one), take(source)] == [b"b", b"c", EMPTY]
    assert C.acltdtDestroyQueue(one) == 500001
    assert C.acltdtUnbindQueueRoutes(bound) == 0
    assert statuses(bound) == [0, 0]
    assert C.acltdtUnbindQueueRoutes(bound) == 500001
    assert C.acltdtDestroyQueue(one) == 0


def test_circles_and_unknown_queues_are_not_bound(sim: Simulator) -> None:
    one, two, three = queue(), queue(), queue()
    made = routes((one, two), (two, three), (three, one), (one, one), (one, 77))
    assert C.acltdtBindQueueRoutes(made) == 500001
    assert statuses(made) == [1, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"MODE_ENUM": 0, "SRC_ID_UINT32": 0}, [(0, 1), (0, 2)]), ({"MODE_ENUM": 1, "DST_ID_UINT32": 2}, [(0, 2)]),
        ({"MODE_ENUM": 2, "SRC_ID_UINT32": 0, "DST_ID_UINT32": 1}, [(0, 1)]), ({"MODE_ENUM": 100}, []),
        ({}, 100000), ({"MODE_ENUM": 0}, 100000), ({"MODE_ENUM": 1}, 100000), ({"MODE_ENUM": 7}, 100000),
        ({"MODE_ENUM": 2, "SRC_ID_UINT32": 0}, 100000),
    ],
)  # fmt: skip
def test_queries(sim: Simulator, settings: dict[str, int], found: object) -> None:
    for _ in range(3):
        queue()
    must(C.acltdtBindQueueRoutes(routes((0, 1), (0, 2))))
    query, into = C.acltdtCreateQueueRouteQueryInfo(), routes((2, 1))
    for name, value in settings.items():
        kind = getattr(C, f"ACL_TDT_QUEUE_ROUTE_QUERY_{name}")
        must(C.acltdtSetQueueRouteQueryInfo(query, kind, 4, value.to_bytes(4, "little")))
    code = C.acltdtQueryQueueRoutes(query, into)
    route, value = C.acltdtCreateQueueRoute(0, 0), np.zeros(1, np.uint32)
    seen = []
    for index in range(C.acltdtGetQueueRouteNum(into)):
        must(C.acltdtGetQueueRoute(into, index, route))
        pair = []
        for kind in (0, 1):
            must(C.acltdtGetQueueRouteParam(route, kind, 4, value))
            pair.append(int(value[0]))
        seen.append(tuple(pair))
    assert (code or seen) == found
    assert C.acltdtGetQueueRoute(into, 9, route) == 100000
    assert C.acltdtDestroyQueueRouteQueryInfo(query) == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: C.acltdtDestroyQueueAttr(0), lambda: C.acltdtDestroyQueueRoute(0),
        lambda: C.acltdtDestroyQueueRouteList(0), lambda: C.acltdtDestroyQueueRouteQueryInfo(0),
        lambda: C.acltdtAddQueueRoute(0, 0), lambda: C.acltdtBindQueueRoutes(0),
        lambda: C.acltdtUnbindQueueRoutes(0), lambda: C.acltdtQueryQueueRoutes(0, 0),
        lambda: C.acltdtSetQueueRouteQueryInfo(0, 0, 4, b"abcd"),
    ],
)  # fmt: skip
def test_null_handles(sim: Simulator, call: Callable[[], int]) -> None:
    assert call() == 100000
    assert C.acltdtGetQueueRouteNum(0) == 0


# -- orders of threads ------------------------------------------------------------------------------------------------


def two_producers() -> list[int]:
    """Two threads put, the main thread takes: any order of the two is possible."""
    import threading

    C.aclrtSetDevice(0)
    number = queue()

    def produce(value: int) -> None:
        C.aclrtSetDevice(0)
        put(number, bytes([value]), -1)

    threads = [threading.Thread(target=produce, args=(value,)) for value in (1, 2)]
    for thread in threads:
        thread.start()
    got = [take(number, timeout=-1) for _ in threads]
    for thread in threads:
        thread.join()
    C.acltdtDestroyQueue(number)
    return got  # type: ignore[return-value]


def test_the_explorer_tries_both_orders_of_two_puts() -> None:
    report = explore(two_producers, progress=False, differing="table", hosts="shared")
    assert report.exhausted
    assert not report
    assert len({str(result.outcome.value) for result in report.outcomes}) == 2, report.text()
