"""The detector on small programs: each edge of the list, and no other (docs/semantics/happens_before.md#the-edges)."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches
from tests.kit.calls import Calls

H2H, H2D, D2H, D2D = range(4)
N = 64


@kernel
def add_one(b: Block, x: gm.InOut[np.int32], n: np.uint32) -> None:
    """In place."""
    s = b.slice(n)
    x[s] += 1


@kernel
def count(b: Block, x: gm.InOut[np.int32]) -> None:
    """One atomic update a block."""
    x.atomic_add(0, 1)


@kernel
def clash(b: Block, x: gm.Out[np.int32]) -> None:
    """All blocks write one place."""
    x[0:4] = np.full(4, b.idx, np.int32)


@kernel
async def shift(b: Block, x: gm.InOut[np.int32], ordered: np.uint32) -> None:
    """Each block reads what its neighbour wrote, after a barrier or not."""
    x[b.idx : b.idx + 1] = np.full(1, b.idx, np.int32)
    if ordered:
        await b.sync_all()
    value = x[(b.idx + 1) % b.num : (b.idx + 1) % b.num + 1]
    await b.sync_all()
    x[b.num + b.idx : b.num + b.idx + 1] = value


class Device(Calls):
    """Memory, sets and findings of one device, by short names."""

    def malloc(self, size: int = N, value: int | None = 0) -> int:
        """Device memory that was written."""
        return super().malloc(size, value)

    def write(self, pointer: int, stream: int | None, size: int = N) -> None:
        """Queue a set."""
        self.must(C.aclrtMemsetAsync(pointer, size, 1, size, stream))

    def kinds(self) -> list[str]:
        """What was found."""
        self.must(C.aclrtSynchronizeDevice())
        return [f.kind for f in self.sim.findings]


@pytest.fixture
def w() -> Iterator[Device]:
    with Simulator(checks="races", soc="Ascend950PR_9599") as sim:
        assert C.aclrtSetDevice(0) == 0
        yield Device(sim)


def test_the_default_stream_adds_no_edge(w: Device) -> None:
    (a,), p = w.streams(1), w.malloc()
    w.write(p, a)
    w.write(p, None)
    assert w.kinds() == ["race"] and "default stream orders nothing" in w.sim.findings[0].order


@pytest.mark.parametrize("wait", ["stream", "event", "query", "elapsed", "stamp", "device", "destroy", "free"])
def test_what_the_host_waited_for_is_ordered(w: Device, wait: str) -> None:
    (a, b), p = w.streams(2), w.malloc()
    other = w.malloc()
    e = w.must(C.aclrtCreateEvent())
    w.write(p, a)
    w.must(C.aclrtRecordEvent(e, a))
    if wait == "stream":
        w.must(C.aclrtSynchronizeStream(a))
    elif wait == "event":
        w.must(C.aclrtSynchronizeEvent(e))
    elif wait == "query":
        while w.must(C.aclrtQueryEventStatus(e)) != 1:
            pass
    elif wait == "elapsed":
        while C.aclrtEventElapsedTime(e, e)[1]:
            pass
    elif wait == "stamp":
        while C.aclrtEventGetTimestamp(e)[1]:
            pass
    elif wait == "device":
        w.must(C.aclrtSynchronizeDevice())
    elif wait == "destroy":
        w.must(C.aclrtDestroyStream(a))
    else:
        w.must(C.aclrtFreeWithDevSync(other))
    w.write(p, b)
    assert not w.kinds()
    assert bool(w.sim.checks.races.nondeterminism) == (wait in ("query", "elapsed", "stamp"))  # type: ignore[union-attr]


def test_a_pageable_copy_waits_for_its_stream_only(w: Device) -> None:
    (a, b), p, q = w.streams(2), w.malloc(), w.malloc()
    host = np.zeros(N, np.uint8)
    w.write(p, a)
    w.write(q, b)
    w.must(C.aclrtMemcpyAsync(host.ctypes.data, N, p, N, D2H, a))
    assert not list(w.sim.findings)
    w.must(C.aclrtMemcpyAsync(host.ctypes.data, N, q, N, D2H, a))
    assert w.kinds() == ["race"]


def test_a_full_queue_gives_no_edge() -> None:
    with Simulator(checks="races", limits={"stream_depth": 2}) as sim:
        assert C.aclrtSetDevice(0) == 0
        w = Device(sim)
        (a, b), p, q = w.streams(2), w.malloc(), w.malloc()
        w.write(p, a)
        for _ in range(8):
            w.write(q, a)  # the first one has run by now: there was no room
        w.write(p, b)
        assert w.kinds() == ["race"]


@pytest.mark.parametrize("family", ["auto", "ex"])
def test_a_wait_for_a_record_that_is_done_orders_what_comes_next(w: Device, family: str) -> None:
    (a, b), p = w.streams(2), w.malloc()
    e = w.must(C.aclrtCreateEvent() if family == "auto" else C.aclrtCreateEventExWithFlag(1))
    w.write(p, a)
    w.must(C.aclrtRecordEvent(e, a))
    other = w.streams(1)[0]
    w.write(w.malloc(), other)
    w.must(C.aclrtSynchronizeStream(other))  # by now the record may be done, but this thread has not asked
    w.must(C.aclrtStreamWaitEvent(b, e))
    w.write(p, b)
    assert not w.kinds()


def test_a_wait_that_nobody_recorded_orders_nothing(w: Device) -> None:
    (a, b), p = w.streams(2), w.malloc()
    e = w.must(C.aclrtCreateEventExWithFlag(1))
    w.write(p, a)
    w.must(C.aclrtStreamWaitEvent(b, e))
    w.must(C.aclrtRecordEvent(e, a))
    w.write(p, b)
    assert w.kinds() == ["race"]
    finding = w.sim.findings[0]
    assert "had not been recorded" in finding.order and "wait" in {site.role for site in finding.sites}


def test_level_flags(w: Device) -> None:
    def run(reset: bool, back: bool) -> list[str]:
        before = len(list(w.sim.findings))
        a, b = w.streams(2)
        p = w.malloc()
        flag = w.must(C.aclrtCreateEventWithFlag(1))
        e = w.must(C.aclrtCreateEventExWithFlag(1))
        for _ in range(2):
            w.write(p, a)
            w.must(C.aclrtRecordEvent(flag, a))
            w.must(C.aclrtStreamWaitEvent(b, flag))
            if reset:
                w.must(C.aclrtResetEvent(flag, b))
            w.write(p, b)
            if back:
                w.must(C.aclrtRecordEvent(e, b))
                w.must(C.aclrtStreamWaitEvent(a, e))
        w.must(C.aclrtSynchronizeDevice())
        return [f.kind for f in list(w.sim.findings)[before:]]

    assert not run(reset=True, back=True)
    assert "race" in run(reset=False, back=False)
    assert "sync-race" in run(reset=True, back=False)


def test_a_flag_that_is_recorded_again_for_host_queries_only(w: Device) -> None:
    (a, b), p = w.streams(2), w.malloc()
    flag = w.must(C.aclrtCreateEventWithFlag(1))
    w.write(p, a)
    w.must(C.aclrtRecordEvent(flag, a))
    w.must(C.aclrtStreamWaitEvent(b, flag))
    w.write(p, b)
    w.must(C.aclrtRecordEvent(flag, a))
    assert not w.kinds()


def test_two_recorders_and_one_waiter(w: Device) -> None:
    a, b, c = w.streams(3)
    flag = w.must(C.aclrtCreateEventWithFlag(1))
    w.must(C.aclrtRecordEvent(flag, a))
    w.must(C.aclrtRecordEvent(flag, b))
    w.must(C.aclrtStreamWaitEvent(c, flag))
    assert w.kinds() == ["sync-race"]


@pytest.mark.parametrize("back", [True, False])
def test_notifies(w: Device, back: bool) -> None:
    (a, b), p = w.streams(2), w.malloc()
    notify, answer = w.must(C.aclrtCreateNotify(0)), w.must(C.aclrtCreateNotify(0))
    for _ in range(2):
        w.write(p, a)
        w.must(C.aclrtRecordNotify(notify, a))
        w.must(C.aclrtWaitAndResetNotify(notify, b, 0))
        w.write(p, b)
        if back:
            w.must(C.aclrtRecordNotify(answer, b))
            w.must(C.aclrtWaitAndResetNotify(answer, a, 0))
    if back:
        assert not w.kinds()
    else:
        w.must(C.aclrtSynchronizeStreamWithTimeout(a, 1000))
        C.aclrtSynchronizeStreamWithTimeout(b, 1000)
        assert "sync-race" in [f.kind for f in w.sim.findings]


def test_value_waits(w: Device) -> None:
    (a, b), p, word = w.streams(2), w.malloc(), w.malloc(8)
    w.write(p, a)
    w.must(C.aclrtValueWrite(word, 1, 0, a))
    w.must(C.aclrtValueWait(word, 1, 0, b))
    w.write(p, b)
    w.must(C.aclrtSynchronizeDevice())
    assert not w.kinds()
    w.must(C.aclrtValueWait(word, 1, 1, b))
    w.must(C.aclrtValueWrite(word, 2, 0, a))
    assert "sync-race" in w.kinds()


REFERS = {
    "a wait that fails": lambda stream, event: C.aclrtStreamWaitEvent(stream, event),
    "a query": lambda stream, event: C.aclrtQueryEventStatus(event),
    "a time": lambda stream, event: C.aclrtEventElapsedTime(event, event),
    "a stamp": lambda stream, event: C.aclrtEventGetTimestamp(event),
}


@pytest.mark.parametrize("refers", REFERS)
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("joined", [True, False])
def test_a_record_of_another_thread(refers: str, first: bool, joined: bool) -> None:
    """Which record a call refers to, or none, is the same race whichever of the two comes first."""
    sim = Simulator(checks="races", threads="deterministic")
    install_patches(sim.threads)
    try:
        with sim:
            C.aclrtSetDevice(0)
            (event, _), (stream, _) = C.aclrtCreateEvent(), C.aclrtCreateStream()
            context, _ = C.aclrtGetCurrentContext()
            calls = [lambda: C.aclrtRecordEvent(event, stream), lambda: REFERS[refers](stream, event)]
            if not first:
                calls.reverse()

            def other() -> None:
                C.aclrtSetCurrentContext(context)
                calls[0]()

            t = threading.Thread(target=other)
            t.start()
            if joined:
                t.join()
            calls[1]()
            t.join()
        assert [f.kind for f in sim.findings] == ([] if joined else ["sync-race"])
    finally:
        uninstall_patches()


def test_history_survives_free_and_reuse() -> None:
    with Simulator(checks="races", reuse="lifo") as sim:
        assert C.aclrtSetDevice(0) == 0
        w = Device(sim)
        (a, b), p = w.streams(2), w.malloc()
        w.write(p, a)
        w.must(C.aclrtSynchronizeStream(a))
        w.must(C.aclrtFree(p))
        q = w.must(C.aclrtMalloc(N, 0))
        assert q == p
        w.write(q, b)
        assert not w.kinds()


def test_free_before_the_stream_is_done(w: Device) -> None:
    (a,), p = w.streams(1), w.malloc()
    w.write(p, a)
    other = w.streams(1)[0]
    for _ in range(50):
        w.write(w.malloc(), other)
    w.must(C.aclrtSynchronizeStream(other))  # virtual time passes: the set of p has run, and nobody knows
    w.must(C.aclrtFree(p))
    assert w.kinds() == ["use-after-free"]


def test_kernels_in_place_and_atomics(w: Device) -> None:
    (a, b), p = w.streams(2), w.malloc()
    add_one[4, a](p, 16)
    w.must(C.aclrtSynchronizeStream(a))
    count[8, a](p)
    count[8, b](p)
    assert not w.kinds(), "two kernels that only add atomically"
    add_one[1, b](p, 16)
    count[8, a](p)
    assert w.kinds() == ["race"]


def test_blocks_of_one_launch(w: Device) -> None:
    (a,), p = w.streams(1), w.malloc(256)
    clash[1, a](p)
    assert not w.kinds()
    for _ in range(2):
        clash[2, a](p)
    assert w.kinds() == ["block-race"]
    w.sim.checks.races.reports.finish()  # type: ignore[union-attr]
    finding = w.sim.findings[0]
    assert finding.count == 2 and "both write `x`" in finding.title and "clash" in finding.title


@pytest.mark.parametrize("ordered", [1, 0])
def test_a_barrier_orders_blocks(w: Device, ordered: int) -> None:
    (a,), p = w.streams(1), w.malloc(256)
    shift[4, a](p, ordered)
    assert w.kinds() == ([] if ordered else ["block-race"])


def test_column_tiles_do_not_overlap(w: Device) -> None:
    (a, b), p = w.streams(2), w.malloc(64 * 64)
    host = w.must(C.aclrtMallocHost(16 * 64))
    for i in range(4):
        w.must(C.aclrtMemcpy2dAsync(p + 16 * i, 64, host, 16, 16, 64, H2D, (a, b)[i % 2]))
    assert not w.kinds()
    w.must(C.aclrtMemcpy2dAsync(p + 8, 64, host, 16, 16, 64, H2D, a))
    w.must(C.aclrtMemcpy2dAsync(p + 16, 64, host, 16, 16, 64, H2D, b))
    assert w.kinds() == ["race"]


def test_threads_that_run_free_are_taken_as_ordered(w: Device) -> None:
    (a,), p = w.streams(1), w.malloc()

    def other() -> None:
        w.must(C.aclrtSetDevice(0))
        w.write(p, a)

    w.write(p, a)
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert not w.kinds()


def test_streams_that_come_and_go_take_no_more_chains(w: Device) -> None:
    p = w.malloc()
    for _ in range(200):
        s = w.must(C.aclrtCreateStream())
        w.write(p, s)
        w.must(C.aclrtDestroyStream(s))
    assert not w.kinds() and w.sim.checks.races.clocks.chains < 8  # type: ignore[union-attr]


def test_a_chain_is_not_handed_on_to_a_stream_that_was_busy_already(w: Device) -> None:
    (a, b), p = w.streams(2), w.malloc()
    w.write(p, a)
    w.write(p, b)
    w.must(C.aclrtDestroyStream(a))
    w.must(C.aclrtDestroyStream(b))
    assert w.kinds() == ["race"]
