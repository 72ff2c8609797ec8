"""Notifies (docs/semantics/events.md#notifies): binary, one record releases one wait, in either order."""

import pytest

from ascend_sim import SimulatedHang
from ascend_sim import ascendcl as C

MS = 1_000_000


@pytest.fixture
def notify(world):
    return world.must(C.aclrtCreateNotify(0))


def wait(world, notify, stream, timeout=0):
    world.must(C.aclrtWaitAndResetNotify(notify, stream, timeout))


def record(world, notify, stream):
    world.must(C.aclrtRecordNotify(notify, stream))


def test_a_wait_before_the_record_blocks_until_it(world, notify):
    a, b = world.streams(2)
    order = []
    wait(world, notify, b)
    world.task(b, then=lambda _: order.append("waited"))
    world.task(a, 3 * MS, then=lambda _: order.append("worked"))
    record(world, notify, a)
    assert world.sync(b) == 0
    assert order == ["worked", "waited"]


def test_a_record_before_the_wait_is_kept(world, notify):
    a, b = world.streams(2)
    record(world, notify, a)
    world.must(world.sync(a))
    wait(world, notify, b)
    assert world.sync(b) == 0


def test_one_record_releases_one_wait_the_first_that_blocked(world, notify):
    a, b, c = world.streams(3)
    world.task(b, 2 * MS)  # comes to its wait later than c
    wait(world, notify, b)
    wait(world, notify, c)
    world.task(a, 5 * MS)
    record(world, notify, a)
    assert world.sync(c) == 0
    assert C.aclrtSynchronizeStreamWithTimeout(b, 20) == 507046
    record(world, notify, a)
    assert world.sync(b) == 0


def test_equal_waits_go_by_the_number_of_the_stream(world, notify):
    a, b, c = world.streams(3)
    for stream in (c, b):
        world.hold(stream)
        wait(world, notify, stream)
    for stream in (c, b):
        world.at(stream).queue[0].ready = world.t.clock
        world.release(stream)
    world.task(a, 5 * MS)
    record(world, notify, a)
    assert world.sync(b) == 0
    assert C.aclrtSynchronizeStreamWithTimeout(c, 20) == 507046


def test_two_records_in_a_row_are_one(world, notify):
    a, b = world.streams(2)
    record(world, notify, a)
    record(world, notify, a)
    world.must(world.sync(a))
    wait(world, notify, b)
    wait(world, notify, b)
    assert C.aclrtSynchronizeStreamWithTimeout(b, 20) == 507046


def test_a_limit_is_in_seconds_and_its_end_a_failed_task(world, notify):
    stream = world.stream()
    wait(world, notify, stream, timeout=2)
    assert world.sync(stream) == 107020
    assert world.t.clock == pytest.approx(2000 * MS, rel=1e-3)


def test_the_largest_limit_means_the_systems(world, notify):
    a, b = world.streams(2)
    world.must(C.aclrtSetOpWaitTimeout(1))
    wait(world, notify, b, timeout=0xFFFFFFFF)
    world.task(a, 5000 * MS)
    record(world, notify, a)
    assert world.sync(b) == 0, "no limit here"


def test_after_a_limit_the_flag_goes_to_the_next(world, notify):
    a, b, c = world.streams(3)
    wait(world, notify, b, timeout=1)
    world.task(c, 500 * MS)
    wait(world, notify, c)
    world.task(a, 1500 * MS)
    record(world, notify, a)
    assert world.sync(b) == 107020
    assert world.sync(c) == 0


def test_batch_reset_clears_flags_from_the_host(world):
    a, b = world.streams(2)
    notifies = [world.must(C.aclrtCreateNotify(0)) for _ in range(3)]
    for each in notifies:
        record(world, each, a)
    world.must(world.sync(a))
    assert C.aclrtNotifyBatchReset(notifies[:2], 2) == 0
    wait(world, notifies[2], b)
    assert world.sync(b) == 0
    wait(world, notifies[0], b)
    assert C.aclrtSynchronizeStreamWithTimeout(b, 20) == 507046


def test_batch_reset_stops_at_the_first_that_fails(world):
    a, b = world.streams(2)
    notifies = [world.must(C.aclrtCreateNotify(0)) for _ in range(3)]
    for each in notifies:
        record(world, each, a)
    world.must(world.sync(a))
    world.must(C.aclrtDestroyNotify(notifies[1]))
    assert C.aclrtNotifyBatchReset(notifies, 3) == 107017
    wait(world, notifies[2], b)
    assert world.sync(b) == 0, "the third was not cleared"
    assert C.aclrtNotifyBatchReset([notifies[0], 0], 2) == 107000
    assert C.aclrtNotifyBatchReset(notifies, 0) == 107000
    assert C.aclrtNotifyBatchReset(None, 0) == 100000


def test_ids_run_out_and_come_back(build):
    world = build(limits={"notifies": 2})
    first, second = (world.must(C.aclrtCreateNotify(0)) for _ in range(2))
    assert [world.must(C.aclrtGetNotifyId(each)) for each in (first, second)] == [0, 1]
    assert C.aclrtCreateNotify(0) == (0, 207009)
    world.must(C.aclrtDestroyNotify(first))
    assert C.aclrtDestroyNotify(first) == 107017
    assert world.must(C.aclrtGetNotifyId(world.must(C.aclrtCreateNotify(0)))) == 0


def test_an_abort_leaves_the_queue_of_the_notify(world, notify):
    a, b, c = world.streams(3)
    wait(world, notify, b)
    wait(world, notify, c)
    world.t.clock += 1 * MS
    assert C.aclrtStreamQuery(b) == (1, 0)
    world.must(C.aclrtStreamAbort(b))
    record(world, notify, a)
    assert world.sync(c) == 0


@pytest.mark.parametrize(("soc", "code"), [("Ascend910B3", 0), ("Ascend950PR_9599", 0), ("Ascend310P3", 207000)])
def test_which_chips_clear_from_the_host(build, soc, code):
    world = build(soc=soc)
    notify = world.must(C.aclrtCreateNotify(0))
    assert C.aclrtNotifyBatchReset([notify], 1) == code


def test_creation(build):
    world = build()
    assert C.aclrtCreateNotify(1)[-1] == 0
    assert C.aclrtCreateNotify(2) == (0, 107000)
    world.t.drop_context()
    assert C.aclrtCreateNotify(0) == (0, 107002)
    assert C.aclrtCreateNotify(2) == (0, 107000), "the flag comes first"
    assert C.aclrtPeekAtLastError(0) == 107000, "a missing context is not stored by this call"
    build(soc="Ascend910A")
    assert C.aclrtCreateNotify(1) == (0, 207000)


def test_counting_notifies_are_for_the_950(world):
    assert C.aclrtCntNotifyCreate(0) == (0, 207000)
    assert C.aclrtCntNotifyCreate(1) == (0, 107000)
    assert C.aclrtCntNotifyDestroy(0) == 107000
    assert C.aclrtCntNotifyDestroy(12345) == 107017
    assert C.aclrtCntNotifyRecord(0, 0, None) == 100000


SET, ADD, OR, AND = 0, 1, 2, 4
LESS, EQUAL, BIGGER, NOT_LESS, BITS = range(5)


def count(world, counter, stream, mode, value):
    world.must(C.aclrtCntNotifyRecord(counter, stream, C.aclrtCntNotifyRecordInfo(mode, value)))


def count_wait(world, counter, stream, mode, value, timeout=0, clear=0):
    info = C.aclrtCntNotifyWaitInfo(mode, value, timeout, clear)
    world.must(C.aclrtCntNotifyWaitWithTimeout(counter, stream, info))


@pytest.mark.parametrize(
    ("records", "mode", "value", "passes"),
    [
        ([], LESS, 1, True), ([(SET, 1)], LESS, 1, False), ([(ADD, 2), (ADD, 3)], EQUAL, 5, True),
        ([(SET, 9), (ADD, 2**32 - 1)], EQUAL, 8, True), ([(SET, 5)], BIGGER, 5, False), ([(SET, 5)], NOT_LESS, 5, True),
        ([(SET, 8), (OR, 3)], EQUAL, 11, True), ([(SET, 11), (AND, 9)], EQUAL, 9, True), ([(SET, 7)], BITS, 5, True),
        ([(SET, 2)], BITS, 3, False),
    ],
)  # fmt: skip
def test_a_wait_compares_the_count(build, records, mode, value, passes):
    world = build(soc="Ascend950PR_9599")
    counter = world.must(C.aclrtCntNotifyCreate(0))
    a, b = world.streams(2)
    for change, number in records:
        count(world, counter, a, change, number)
    world.must(C.aclrtSynchronizeStream(a))
    count_wait(world, counter, b, mode, value, timeout=1)
    assert C.aclrtSynchronizeStream(b) == (0 if passes else 107020)


def test_three_streams_count_to_three_and_order_what_they_wrote(build):
    world = build(soc="Ascend950PR_9599")
    counter = world.must(C.aclrtCntNotifyCreate(0))
    *workers, reader = world.streams(4)
    blocks = [world.must(C.aclrtMalloc(64, 0)) for _ in workers]
    out = world.must(C.aclrtMalloc(64, 0))
    for round_ in range(2):
        count_wait(world, counter, reader, NOT_LESS, 3, clear=1)
        for block in blocks:
            world.must(C.aclrtMemcpyAsync(out, 64, block, 64, 3, reader))
        for stream, block in zip(workers, blocks, strict=True):
            world.must(C.aclrtMemsetAsync(block, 64, round_, 64, stream))
            count(world, counter, stream, ADD, 1)
        world.must(C.aclrtSynchronizeDevice())
    assert world.kinds() == []
    world.must(C.aclrtMemsetAsync(blocks[0], 64, 0, 64, workers[0]))
    world.must(C.aclrtMemcpyAsync(out, 64, blocks[0], 64, 3, reader))
    world.must(C.aclrtSynchronizeDevice())
    assert world.kinds() == ["race"], "nobody counted"
    world.must(C.aclrtCntNotifyReset(counter, reader))
    assert world.must(C.aclrtCntNotifyGetId(counter)) == 0
    world.must(C.aclrtCntNotifyDestroy(counter))
    assert C.aclrtCntNotifyGetId(counter)[1] == 107017


def test_a_count_that_nobody_reaches_is_a_deadlock(build):
    world = build(soc="Ascend950PR_9599")
    counter = world.must(C.aclrtCntNotifyCreate(0))
    (a,) = world.streams(1)
    count_wait(world, counter, a, EQUAL, 2)
    with pytest.raises(SimulatedHang):
        C.aclrtSynchronizeStream(a)
    assert "to be == 2 (it is 0)" in next(iter(world.sim.findings)).title
