"""Shared queues against a list each; random threads on one queue, whose outcomes do not depend on how one searches."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.explore.runs import quiet_group
from tests.kit.scale import SCALE
from tests.property.brute_force import brute_force, explored

EMPTY, FULL, UNKNOWN, BOUND = 207013, 207014, 507899, 500001


def make(depth: int) -> int:
    """A queue that holds *depth* - 1 entries."""
    attr = C.acltdtCreateQueueAttr()
    assert C.acltdtSetQueueAttr(attr, C.ACL_TDT_QUEUE_DEPTH_UINT32, 4, depth.to_bytes(4, "little")) == 0
    number, code = C.acltdtCreateQueue(attr)
    assert code == 0
    C.acltdtDestroyQueueAttr(attr)
    return int(number)


def put(number: int, value: int, timeout: int = 0) -> int:
    """The code of a put of one byte."""
    code: int = C.acltdtEnqueueData(number, bytes([value]), 1, None, 0, timeout, 0)
    return code


def take(number: int, timeout: int = 0) -> Any:
    """The byte that was taken, or a code."""
    into = np.zeros(1, np.uint8)
    _, code = C.acltdtDequeueData(number, into, 1, None, 0, timeout)
    return code or int(into[0])


def route(call: Any, source: int, target: int) -> int:
    """Bind or unbind one route."""
    made, one = C.acltdtCreateQueueRouteList(), C.acltdtCreateQueueRoute(source, target)
    C.acltdtAddQueueRoute(made, one)
    code: int = call(made)
    return code


class Model:
    """Queues as lists, and the routes between them."""

    def __init__(self, rooms: list[int]) -> None:
        self.rooms = rooms
        self.held: list[deque[int]] = [deque() for _ in rooms]
        self.routes: list[tuple[int, int]] = []

    def pump(self) -> None:
        moved = True
        while moved:
            moved = False
            for source in {source: 0 for source, _ in self.routes}:
                targets = [b for a, b in self.routes if a == source]
                while self.held[source] and all(len(self.held[b]) < self.rooms[b] for b in targets):
                    value = self.held[source].popleft()
                    for b in targets:
                        self.held[b].append(value)
                    moved = True

    def reaches(self, start: int, goal: int) -> bool:
        return start == goal or any(a == start and self.reaches(b, goal) for a, b in self.routes)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 3), st.integers(1, 255)), st.tuples(st.just("take"), st.integers(0, 3)),
        st.tuples(st.just("bind"), st.integers(0, 3), st.integers(0, 3)),
        st.tuples(st.just("unbind"), st.integers(0, 3), st.integers(0, 3)),
    ),
    max_size=40,
)  # fmt: skip


@settings(max_examples=50 * SCALE, deadline=None, derandomize=SCALE == 1)
@given(st.lists(st.integers(2, 4), min_size=4, max_size=4), STEPS)
def test_queues_and_routes_behave_as_lists(depths: list[int], steps: list[Any]) -> None:
    with Simulator(checks="none"):
        C.aclrtSetDevice(0)
        numbers = [make(depth) for depth in depths]
        model = Model([depth - 1 for depth in depths])
        for step, first, *rest in steps:
            held = model.held[first]
            if step == "put":
                fits = len(held) < model.rooms[first]
                assert put(numbers[first], rest[0]) == (0 if fits else FULL)
                if fits:
                    held.append(rest[0])
            elif step == "take":
                assert take(numbers[first]) == (held[0] if held else EMPTY)
                if held:
                    held.popleft()
            elif step == "bind":
                pair = (first, rest[0])
                circle = model.reaches(rest[0], first)
                code = route(C.acltdtBindQueueRoutes, numbers[first], numbers[rest[0]])
                assert code == (BOUND if circle else 0)
                if not circle and pair not in model.routes:
                    model.routes.append(pair)
            else:
                known = (first, rest[0]) in model.routes
                code = route(C.acltdtUnbindQueueRoutes, numbers[first], numbers[rest[0]])
                assert code == (0 if known else BOUND)
                if known:
                    model.routes.remove((first, rest[0]))
            model.pump()
        for index, number in enumerate(numbers):
            bound = any(index in pair for pair in model.routes)
            assert C.acltdtDestroyQueue(number) == (BOUND if bound else 0)


OPERATIONS = st.lists(st.sampled_from(["put", "take", "ask"]), min_size=1, max_size=2)


@settings(max_examples=8 * SCALE, deadline=None, derandomize=SCALE == 1)
@given(st.lists(OPERATIONS, min_size=2, max_size=2))
def test_a_search_of_shared_steps_misses_no_outcome(plans: list[list[str]]) -> None:
    """`hosts="all"` lets no two steps of threads change places unseen: it is the yardstick."""

    def program() -> Any:
        C.aclrtSetDevice(0)
        number = make(3)
        seen: list[list[Any]] = [[] for _ in plans]

        def run(me: int) -> None:
            C.aclrtSetDevice(0)
            for place, step in enumerate(plans[me]):
                if step == "put":
                    seen[me].append(put(number, 10 * me + place + 1, 1))
                else:
                    seen[me].append(take(number, 1 if step == "take" else 0))

        threads = [threading.Thread(target=run, args=(me,)) for me in range(len(plans))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return seen

    options: dict[str, Any] = {"progress": False, "differing": "table", "checks": "none", "budget": None}
    shared, everything = (explore(program, hosts=hosts, **options) for hosts in ("shared", "all"))
    outcomes = [{str(result.outcome.value) for result in report.outcomes} for report in (shared, everything)]
    assert outcomes[0] == outcomes[1]
    assert shared.exhausted
    assert everything.exhausted


@pytest.mark.parametrize("other", ["put", "take"])
@pytest.mark.parametrize("look", ["size", "take", "put"])
def test_what_a_call_sees_and_does_is_one_step(look: str, other: str) -> None:
    """Nobody comes between a look at a queue and what the call does for it."""

    def program() -> Any:
        C.aclrtSetDevice(0)
        channel = C.acltdtCreateChannelWithCapacity(0, "both", 2)
        dataset, data = C.acltdtCreateDataset(), np.zeros(4, np.uint8)
        C.acltdtAddDataItem(dataset, C.acltdtCreateDataItem(0, [4], 1, 4, data.ctypes.data, 4))
        into = [C.acltdtCreateDataset() for _ in range(2)]
        calls = {
            "size": lambda me: C.acltdtQueryChannelSize(channel),
            "take": lambda me: C.acltdtReceiveTensor(channel, into[me], 0),
            "put": lambda me: C.acltdtSendTensor(channel, dataset, 0),
        }
        if other == "take":
            calls["put"](0)
        seen: list[Any] = []
        thread = threading.Thread(target=lambda: seen.append(calls[other](1)))
        thread.start()
        mine = calls[look](0)
        thread.join()
        return mine, seen

    options: dict[str, Any] = {"checks": "none"}
    with quiet_group():
        classes, _ = brute_force(program, options, 500)
        found, _ = explored(program, options)
    assert dict(found) == classes
    assert len({str(outcome.value) for outcome in classes.values()}) == 2
