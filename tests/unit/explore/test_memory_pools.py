"""Memory pools under every order: what a pool decides by itself is run both ways, what the program orders only once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim import explore

UNIT = 2 << 20
EVENTS, OPPORTUNISTIC, INTERNAL, THRESHOLD, RESERVED = 1, 2, 3, 4, 5
NEVER = {"memory_pool_trim": "never"}


def code(result: Any) -> int:
    return int(result[-1] if isinstance(result, tuple) else result)


def pool(units: int = 8, **attributes: int) -> int:
    """A pool on device 0."""
    props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=units * UNIT)
    made, ret = C.aclrtMemPoolCreate(props)
    assert ret == 0
    for name, value in attributes.items():
        assert C.aclrtMemPoolSetAttr(made, globals()[name.upper()], np.array([value], np.uint64)) == 0
    return int(made)


def reserved(made: int) -> int:
    found = np.zeros(1, np.uint64)
    assert C.aclrtMemPoolGetAttr(made, RESERVED, found) == 0
    return int(found[0]) // UNIT


@pytest.mark.parametrize("fixed", [False, True])
def test_a_free_in_no_order_with_the_allocation(words: Any, fixed: bool) -> None:
    """MEM-06: found in every order, whichever of the two runs first."""

    def program() -> None:
        a, b = words.start(2)
        p = words.must(C.aclrtMemPoolMallocAsync(64, pool(), a))
        if fixed:
            event = words.must(C.aclrtCreateEvent())
            words.must(C.aclrtRecordEvent(event, a))
            words.must(C.aclrtStreamWaitEvent(b, event))
        words.must(C.aclrtMemPoolFreeAsync(p, b))
        words.must(C.aclrtSynchronizeDevice())

    report = explore(program)
    assert report.exhausted
    if fixed:
        assert not report.failures and report.classes == 1
    else:
        assert {failure.kind for failure in report.failures} == {"free-before-alloc"} and report.classes == 2


def test_opportunistic_reuse_works_in_one_order_and_fails_in_the_other(words: Any) -> None:
    def program() -> int:
        a, b = words.start(2)
        made = pool(opportunistic=1)
        p = words.must(C.aclrtMemPoolMallocAsync(64, made, a))
        words.must(C.aclrtMemPoolFreeAsync(p, a))
        q = words.must(C.aclrtMemPoolMallocAsync(64, made, b))
        assert p == q
        return code(C.aclrtSynchronizeDevice())

    report = explore(program)
    assert report.exhausted
    assert {result.outcome.value for result in report.outcomes} == {0, 507018}


@pytest.mark.parametrize("attributes", [{"internal": 1}, {"events": 1}])
def test_memory_that_the_pool_orders_is_the_same_in_every_order(words: Any, attributes: dict[str, int]) -> None:
    def program() -> int:
        a, b = words.start(2)
        made = pool(**attributes)
        p = words.must(C.aclrtMemPoolMallocAsync(64, made, a))
        words.fill(p, 1, a)
        words.must(C.aclrtMemPoolFreeAsync(p, a))
        if "events" in attributes:
            event = words.must(C.aclrtCreateEvent())
            words.must(C.aclrtRecordEvent(event, a))
            words.must(C.aclrtStreamWaitEvent(b, event))
        q = words.must(C.aclrtMemPoolMallocAsync(64, made, b))
        assert p == q
        words.fill(q, 2, b)
        words.must(C.aclrtSynchronizeDevice())
        return words.read(q)  # type: ignore[no-any-return]

    report = explore(program)
    assert report.exhausted and not report.failures and report.classes == 1
    assert [result.outcome.value for result in report.outcomes] == [2]


def test_what_a_synchronisation_of_another_stream_finds_given_back(words: Any) -> None:
    """The free on *a* may have run when *b* is waited for, or not: both answers are seen."""

    def program() -> int:
        a, b = words.start(2)
        made = pool()
        words.must(C.aclrtMemPoolFreeAsync(words.must(C.aclrtMemPoolMallocAsync(64, made, a)), a))
        words.fill(words.buffer(), 1, b)
        words.must(C.aclrtSynchronizeStream(b))
        return reserved(made)

    report = explore(program)
    assert report.exhausted and {result.outcome.value for result in report.outcomes} == {0, 1}
    assert not report.failures, "an order mark says that time decides"


PAIRS: dict[str, tuple[Callable[[list[int]], Any], Callable[[list[int]], Any], set[Any]]] = {
    "the last block": (
        lambda x: code(C.aclrtMemPoolMallocAsync(3 * UNIT, x[0], x[1])),
        lambda x: code(C.aclrtMemPoolMallocAsync(2 * UNIT, x[0], x[2])),
        {(0, 507000), (507000, 0)},
    ),
    "destroying and allocating": (
        lambda x: code(C.aclrtMemPoolDestroy(x[0])),
        lambda x: code(C.aclrtMemPoolMallocAsync(UNIT, x[0], x[2])),
        {(0, 0), (0, 507000)},
    ),
    "giving back twice": (
        lambda x: code(C.aclrtMemPoolFreeAsync(x[3], x[1])),
        lambda x: code(C.aclrtMemPoolFreeAsync(x[3], x[1])),
        {(0, 107000), (107000, 0)},
    ),
    "giving back and trimming": (
        lambda x: code(C.aclrtMemPoolFreeAsync(x[3], x[1])),
        lambda x: code(C.aclrtMemPoolTrimTo(x[0], 0)),
        {(0, 0), (0, 507000)},
    ),
    "setting and asking": (
        lambda x: code(C.aclrtMemPoolSetAttr(x[0], THRESHOLD, np.array([5], np.uint64))),
        lambda x: threshold(x[0]),
        {(0, 0), (0, 5)},
    ),
    "two pools": (
        lambda x: code(C.aclrtMemPoolMallocAsync(UNIT, x[0], x[1])),
        lambda x: code(C.aclrtMemPoolMallocAsync(UNIT, x[4], x[2])),
        {(0, 0)},
    ),
    "memory of the device": (
        lambda x: code(C.aclrtMemPoolMallocAsync(UNIT, x[0], x[1])),
        lambda x: C.aclrtGetMemInfo(1)[0] // UNIT,
        {(0, 63), (0, 62)},
    ),
}
"""What two threads do with [a pool, a stream, another one, a block, another pool], and what they can get."""


def threshold(made: int) -> int:
    found = np.zeros(1, np.uint64)
    assert C.aclrtMemPoolGetAttr(made, THRESHOLD, found) == 0
    return int(found[0])


@pytest.mark.parametrize("name", PAIRS)
def test_both_orders_of_two_threads_are_run(name: str, words: Any) -> None:
    first, second, wanted = PAIRS[name]

    def program() -> tuple[int, int]:
        a, b = words.start(2)
        made = pool(4)
        shared = [made, a, b, words.must(C.aclrtMemPoolMallocAsync(UNIT, made, a)), pool(4)]
        words.must(C.aclrtSynchronizeStream(a))
        got: list[int] = []

        def other() -> None:
            words.must(C.aclrtSetDevice(0))
            got.append(second(shared))

        thread = threading.Thread(target=other)
        thread.start()
        mine = first(shared)
        thread.join()
        return mine, got[0]

    report = explore(program, hosts="shared", checks="none", limits={"memory": 64 * UNIT})
    assert report.exhausted and not report.trouble
    assert {result.outcome.value for result in report.outcomes} == wanted
    if name == "two pools":
        assert report.classes == 1


def test_threads_that_take_and_give_back_in_turn_reach_the_same_with_all_orders(words: Any) -> None:
    """With objects only, nothing is missed that running all orders of host steps finds."""

    def program() -> tuple[int, ...]:
        a, b = words.start(2)
        made = pool(3, internal=1)
        got: list[int] = []

        def work(stream: int) -> None:
            words.must(C.aclrtSetDevice(0))
            p, ret = C.aclrtMemPoolMallocAsync(2 * UNIT, made, stream)
            got.append(ret)
            if not ret:
                words.must(C.aclrtMemPoolFreeAsync(p, stream))

        thread = threading.Thread(target=work, args=(b,))
        thread.start()
        work(a)
        thread.join()
        return tuple(sorted(got))

    found = [explore(program, hosts=hosts, checks="none", switches=NEVER) for hosts in ("shared", "all")]
    assert all(report.exhausted for report in found)
    outcomes = [{result.outcome.value for result in report.outcomes} for report in found]
    assert outcomes[0] == outcomes[1] == {(0, 0), (0, 507000)}
