"""Chapter 11-10 through the C face: counters, trimming, thresholds, devices that go down, streams that end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ascend_sim import Block, Simulator, kernel
from ascend_sim import ascendcl as C
from tests.kit.calls import Calls

UNIT = 2 << 20
HBM = 1
EVENTS, OPPORTUNISTIC, INTERNAL, THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH = range(1, 9)


class Face(Calls):
    """Two streams, and short words."""

    def __init__(self, sim: Simulator) -> None:
        super().__init__(sim)
        self.must(C.aclrtSetDevice(0))
        self.A, self.B = (self.must(C.aclrtCreateStream()) for _ in range(2))

    def pool(self, units: int = 32, device: int = 0, **attributes: int) -> int:
        props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(device, 1), maxSize=units * UNIT)
        pool = self.must(C.aclrtMemPoolCreate(props))
        for name, value in attributes.items():
            self.set(pool, globals()[name.upper()], value)
        return int(pool)

    def set(self, pool: int, which: int, value: int) -> None:
        self.must(C.aclrtMemPoolSetAttr(pool, which, np.array([value], np.uint64)))

    def get(self, pool: int, which: int) -> int:
        found = np.zeros(1, np.uint32 if which <= INTERNAL else np.uint64)
        self.must(C.aclrtMemPoolGetAttr(pool, which, found))
        return int(found[0])

    def counters(self, pool: int) -> list[float]:
        """Used, the most of it, reserved, the most of it: in units of 2 MiB."""
        return [self.get(pool, which) / UNIT for which in (USED, USED_HIGH, RESERVED, RESERVED_HIGH)]

    def malloc(self, pool: int, stream: int, units: int = 1) -> int:
        return int(self.must(C.aclrtMemPoolMallocAsync(units * UNIT, pool, stream)))

    def free(self, address: int, stream: int) -> None:
        self.must(C.aclrtMemPoolFreeAsync(address, stream))

    def hold(self, stream: int) -> int:
        """Let *stream* wait for an event that is recorded later."""
        event = self.must(C.aclrtCreateEventWithFlag(1))
        self.must(C.aclrtStreamWaitEvent(stream, event))
        return int(event)

    def taken(self) -> float:
        """What of the device is in use, in units of 2 MiB."""
        free, total, code = C.aclrtGetMemInfo(HBM)
        assert code == 0
        return (total - free) / UNIT

    def kinds(self) -> list[str]:
        return [f.kind for f in self.sim.findings]


@pytest.fixture
def w() -> Iterator[Face]:
    with Simulator(checks="all", devices=2) as sim:
        yield Face(sim)


def test_counters_follow_the_calls_of_the_host_and_memory_the_pool(w: Face) -> None:
    pool = w.pool()
    gate = w.hold(w.A)
    p, q = w.malloc(pool, w.A, 2), w.malloc(pool, w.A)
    assert w.counters(pool) == [3, 3, 3, 3] and w.taken() == 3
    w.free(p, w.A)
    assert w.counters(pool) == [1, 3, 3, 3] and w.taken() == 3
    assert w.malloc(pool, w.A) == p
    assert w.counters(pool) == [2, 3, 3, 3]
    w.free(q, w.A)
    w.set(pool, USED_HIGH, 0)
    w.set(pool, RESERVED_HIGH, 0)
    assert w.counters(pool) == [1, 0, 3, 0]
    w.must(C.aclrtRecordEvent(gate, w.B))
    w.must(C.aclrtSynchronizeStream(w.A))
    assert w.counters(pool) == [1, 0, 1, 0] and w.taken() == 1
    assert w.kinds() == []


@pytest.mark.parametrize("wait", ["stream", "event", "device", "query"])
@pytest.mark.parametrize("threshold", [0, 2, 3, 9])
def test_a_synchronisation_leaves_the_threshold_or_what_is_in_use(w: Face, wait: str, threshold: int) -> None:
    pool = w.pool(threshold=threshold * UNIT)
    w.malloc(pool, w.A, 2)
    w.free(w.malloc(pool, w.A, 3), w.A)
    event = w.must(C.aclrtCreateEvent())
    w.must(C.aclrtRecordEvent(event, w.A))
    if wait == "stream":
        w.must(C.aclrtSynchronizeStream(w.A))
    elif wait == "event":
        w.must(C.aclrtSynchronizeEvent(event))
    elif wait == "device":
        w.must(C.aclrtSynchronizeDevice())
    else:
        while w.must(C.aclrtQueryEventStatus(event)) != 1:
            pass
    assert w.get(pool, RESERVED) // UNIT == (5 if wait == "query" else min(max(2, threshold), 5))


def test_memory_that_a_queue_may_still_use_is_not_trimmed(w: Face) -> None:
    pool = w.pool()
    gate = w.hold(w.B)
    p, q = w.malloc(pool, w.A), w.malloc(pool, w.B)
    w.free(p, w.A)
    w.free(q, w.B)
    w.must(C.aclrtSynchronizeStream(w.A))
    assert w.counters(pool)[2] == 1
    w.must(C.aclrtMemPoolTrimTo(pool, 0))
    assert w.counters(pool)[2] == 1
    w.must(C.aclrtRecordEvent(gate, w.A))
    w.must(C.aclrtSynchronizeStream(w.B))
    assert w.counters(pool)[2] == w.taken() == 0


def test_a_trim_outranks_the_threshold_and_takes_no_more_than_it_should(w: Face) -> None:
    pool = w.pool(threshold=32 * UNIT)
    blocks = [w.malloc(pool, w.A, n) for n in (1, 2, 4)]
    w.free(blocks[2], w.A)
    w.free(blocks[0], w.A)
    w.must(C.aclrtSynchronizeStream(w.A))
    assert w.counters(pool)[2] == 7
    w.must(C.aclrtMemPoolTrimTo(pool, 5 * UNIT))
    assert w.counters(pool)[2] == w.taken() == 5
    w.must(C.aclrtMemPoolTrimTo(pool, 2 * UNIT))
    assert w.counters(pool)[2] == w.taken() == 2


def test_a_malloc_that_finds_no_room_makes_pools_give_up_what_they_keep() -> None:
    with Simulator(limits={"memory": 8 * UNIT}) as sim:
        w = Face(sim)
        pool = w.pool(8, threshold=8 * UNIT)
        w.free(w.malloc(pool, w.A, 6), w.A)
        w.must(C.aclrtSynchronizeStream(w.A))
        assert w.taken() == 6
        assert C.aclrtMalloc(4 * UNIT, 0)[1] == 207001, "the threshold holds here, too"
        w.set(pool, THRESHOLD, 2 * UNIT)
        w.must(C.aclrtMalloc(5 * UNIT, 0))
        assert w.counters(pool)[2] == 2


def test_two_pools_share_the_memory_of_the_device() -> None:
    with Simulator(limits={"memory": 8 * UNIT}) as sim:
        w = Face(sim)
        first, second = w.pool(8, threshold=8 * UNIT), w.pool(8)
        p = w.malloc(first, w.A, 6)
        assert C.aclrtMemPoolMallocAsync(3 * UNIT, second, w.A)[1] == 507000
        w.free(p, w.A)
        w.must(C.aclrtSynchronizeStream(w.A))
        assert C.aclrtMemPoolMallocAsync(3 * UNIT, second, w.A)[1] == 507000
        w.set(first, THRESHOLD, 0)
        w.malloc(second, w.A, 3)


def test_the_smallest_block_that_fits_is_used_again(w: Face) -> None:
    pool = w.pool()
    large, kept, small, end = (w.malloc(pool, w.A, n) for n in (4, 1, 2, 1))
    w.free(large, w.A)
    w.free(small, w.A)
    assert w.malloc(pool, w.A, 2) == small
    assert w.malloc(pool, w.A, 2) == large
    assert w.malloc(pool, w.A, 2) == large + 2 * UNIT
    assert w.malloc(pool, w.A, 2) == end + UNIT
    assert kept + UNIT == small


def test_a_wait_for_an_older_record_lets_no_memory_be_used_again(w: Face) -> None:
    pool = w.pool(events=1)
    p, event = w.malloc(pool, w.A), w.must(C.aclrtCreateEvent())
    w.must(C.aclrtRecordEvent(event, w.A))
    w.must(C.aclrtStreamWaitEvent(w.B, event))
    w.free(p, w.A)
    assert w.malloc(pool, w.B) != p
    w.must(C.aclrtRecordEvent(event, w.A))
    assert w.malloc(pool, w.B) != p
    w.must(C.aclrtStreamWaitEvent(w.B, event))
    assert w.malloc(pool, w.B) == p


def test_an_internal_dependency_is_a_wait_of_the_stream(w: Face) -> None:
    pool = w.pool(internal=1)
    gate = w.hold(w.A)
    p = w.malloc(pool, w.A)
    w.free(p, w.A)
    assert w.malloc(pool, w.B) == p
    assert w.must(C.aclrtStreamQuery(w.B)) == 1, "B waits for the free on A"
    w.must(C.aclrtRecordEvent(gate, w.must(C.aclrtCreateStream())))
    w.must(C.aclrtSynchronizeStream(w.B))
    assert w.kinds() == []


def test_an_internal_dependency_that_never_comes_is_a_deadlock_with_its_chain(w: Face) -> None:
    from ascend_sim.errors import SimulatedHang

    pool = w.pool(internal=1)
    w.hold(w.A)
    w.free(w.malloc(pool, w.A), w.A)
    w.malloc(pool, w.B)
    with pytest.raises(SimulatedHang):
        C.aclrtSynchronizeStream(w.B)
    (found,) = [f for f in w.sim.findings if f.kind == "deadlock"]
    assert "stream `self.B` -> stream `self.A` -> the flag" in found.order


def test_a_device_that_is_reset_takes_its_pools_along(w: Face) -> None:
    pool = w.pool()
    p = w.malloc(pool, w.A)
    w.must(C.aclrtSynchronizeStream(w.A))
    w.must(C.aclrtResetDeviceForce(0))
    w.must(C.aclrtSetDevice(0))
    assert w.taken() == 0
    stream = w.must(C.aclrtCreateStream())
    assert C.aclrtMemPoolMallocAsync(64, pool, stream)[1] == C.aclrtMemPoolDestroy(pool) == 507000
    assert C.aclrtFree(p) != 0
    w.must(C.aclrtMemPoolMallocAsync(64, w.pool(), stream))


def test_pools_of_two_devices(w: Face) -> None:
    here, there = w.pool(), w.pool(device=1)
    w.malloc(here, w.A)
    w.malloc(there, w.A, 2)
    assert w.taken() == 1
    w.must(C.aclrtSetDevice(1))
    assert w.taken() == 2
    assert C.aclrtMemPoolCreate(C.aclrtMemPoolProps(location=C.aclrtMemLocation(2, 1)))[1] == 107001


def test_frees_that_were_dropped_with_their_stream_leave_the_memory_in_the_pool(w: Face) -> None:
    pool = w.pool(internal=1)
    w.hold(w.A)
    p = w.malloc(pool, w.A)
    w.free(p, w.A)
    w.must(C.aclrtDestroyStreamForce(w.A))
    w.must(C.aclrtSynchronizeStream(w.B))
    w.must(C.aclrtMemPoolTrimTo(pool, 0))
    assert w.counters(pool)[2] == 1, "nobody knows that it is not used any more"
    w.must(C.aclrtMemPoolDestroy(pool))
    assert w.taken() == 0 and "unawaited-work" in w.kinds()


def test_memory_whose_free_was_dropped_is_waited_for_in_vain(w: Face) -> None:
    from ascend_sim.errors import SimulatedHang

    pool = w.pool(internal=1)
    w.hold(w.A)
    w.free(w.malloc(pool, w.A), w.A)
    w.must(C.aclrtDestroyStreamForce(w.A))
    w.malloc(pool, w.B)
    with pytest.raises(SimulatedHang):
        C.aclrtSynchronizeStream(w.B)
    (found,) = [f for f in w.sim.findings if f.kind == "deadlock"]
    assert "which was dropped" in " ".join((found.title, found.order, *found.notes, *(s.text for s in found.sites)))


def test_a_stream_that_is_destroyed_waits_for_its_frees(w: Face) -> None:
    pool = w.pool()
    w.free(w.malloc(pool, w.A), w.A)
    w.must(C.aclrtDestroyStream(w.A))
    w.must(C.aclrtSynchronizeStream(w.B))
    assert w.counters(pool) == [0, 1, 0, 1] and w.kinds() == []


def test_a_stream_with_a_subscribed_thread_takes_no_frees_of_other_memory(w: Face) -> None:
    import threading

    w.must(C.aclrtSubscribeReport(threading.get_ident(), w.A))
    assert C.aclrtMemPoolFreeAsync(w.must(C.aclrtMalloc(64, 0)), w.A) == 107011


def test_a_full_queue_makes_the_calls_wait(w: Face) -> None:
    with Simulator(limits={"stream_depth": 4}) as sim:
        w = Face(sim)
        pool = w.pool()
        for _ in range(20):
            w.free(w.malloc(pool, w.A), w.A)
        w.must(C.aclrtSynchronizeStream(w.A))
        assert w.counters(pool) == [0, 1, 0, 1]


@kernel
def broken(b: Block) -> None:
    """It fails."""
    raise ValueError("as planned")


@pytest.mark.parametrize("again", [False, True])
def test_an_allocation_that_cannot_be_queued_is_undone(again: bool) -> None:
    with Simulator(checks="all", switches={"memory_pool_trim": "never"}) as sim:
        w = Face(sim)
        pool = w.pool()
        kept = w.malloc(pool, w.A)
        if again:
            w.free(kept, w.A)
        w.must(C.aclrtSetStreamFailureMode(w.A, 1))
        broken[1, w.A]()
        assert C.aclrtSynchronizeStream(w.A) == 507035
        before = w.counters(pool), w.taken(), sim.memory.find(kept)
        assert C.aclrtMemPoolMallocAsync(64, pool, w.A) == (0, 507035)
        assert (w.counters(pool)[::2], w.taken(), sim.memory.find(kept)) == (before[0][::2], *before[1:])
        if not again:
            assert C.aclrtMemPoolFreeAsync(kept, w.A) == 507035
            assert w.counters(pool)[0] == 1


def test_a_block_on_a_stream_that_never_runs(w: Face) -> None:
    pool = w.pool()
    stream = w.must(C.aclrtCreateStreamWithConfig(0, 4))  # persistent
    address = w.malloc(pool, stream)
    assert C.aclrtMemPoolTrimTo(pool, 0) == 507000
    w.free(address, stream)
    w.must(C.aclrtMemPoolTrimTo(pool, 0))
    assert w.counters(pool) == [0, 1, 1, 1]


def test_a_long_loop_keeps_no_history() -> None:
    """A block after the other at one address: what was there before is forgotten."""
    with Simulator(checks="all") as sim:
        w = Face(sim)
        pool = w.pool(threshold=32 * UNIT)
        for i in range(300):
            p = w.malloc(pool, w.A)
            w.must(C.aclrtMemsetAsync(p, 64, i % 256, 64, w.A))
            w.free(p, w.A)
            if i % 50 == 49:
                w.must(C.aclrtSynchronizeStream(w.A))
        block = sim.memory.find(p)
        assert block is not None and block.former and not block.former[0].former
        assert sim.checks is not None and sim.checks.races is not None and len(sim.checks.races.histories) < 5
        assert w.kinds() == []


def test_the_address_of_an_attribute_must_be_readable(w: Face) -> None:
    pool = w.pool()
    assert C.aclrtMemPoolSetAttr(pool, THRESHOLD, 8) == C.aclrtMemPoolGetAttr(pool, THRESHOLD, 8) == 100000
    assert C.aclrtMemPoolGetAttr(pool, THRESHOLD, np.zeros(1, np.uint32)) == 100000, "8 bytes are written"
