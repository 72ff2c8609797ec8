"""Notifies (docs/semantics/events.md#notifies): binary, one record releases one wait, in either order."""

import pytest

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
